//! Reading a snapshot: controls by role and name, the words that stand by a field, the texts of the page.
//!
//! Pure functions of what any user of the library sees.

use webhand::page::{Control, Node, Ref, Snapshot};

/// Roles of what text is written into.
pub(crate) const FIELDS: &[&str] = &["textbox", "searchbox", "spinbutton", "date", "combobox"];
/// Roles of what is pressed.
pub(crate) const PRESSED: &[&str] = &["button", "link", "menuitem", "tab", "generic", "option"];

/// A control, and where it stands among the nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'p> {
    pub(crate) at: usize,
    pub(crate) node: &'p Node,
    pub(crate) control: &'p Control,
}

impl Seen<'_> {
    pub(crate) fn r#ref(&self) -> Ref {
        self.control.r#ref
    }

    pub(crate) fn name(&self) -> &str {
        &self.node.name
    }

    pub(crate) fn role(&self) -> &str {
        self.node.role.as_str()
    }

    /// The middle of its box in the page's view.
    pub(crate) fn middle(&self) -> (f64, f64) {
        let [left, top, width, height] = self.control.rect;
        (left + width / 2.0, top + height / 2.0)
    }

    /// How far its middle is from another's.
    pub(crate) fn distance(&self, other: &Seen<'_>) -> f64 {
        let ((x, y), (other_x, other_y)) = (self.middle(), other.middle());
        (x - other_x).hypot(y - other_y)
    }

    /// What stands in it.
    pub(crate) fn value(&self) -> &str {
        self.control.state.value.as_deref().unwrap_or_default()
    }
}

/// All controls, in the order of the page.
pub(crate) fn controls(page: &Snapshot) -> impl Iterator<Item = Seen<'_>> {
    page.nodes
        .iter()
        .enumerate()
        .filter_map(|(at, node)| node.control.as_deref().map(|control| Seen { at, node, control }))
}

/// The controls of these roles.
pub(crate) fn of_role<'p>(page: &'p Snapshot, roles: &[&str]) -> Vec<Seen<'p>> {
    controls(page).filter(|seen| roles.contains(&seen.role())).collect()
}

/// What text can be written into, in the order of the page.
pub(crate) fn fields(page: &Snapshot) -> Vec<Seen<'_>> {
    of_role(page, FIELDS)
}

/// The control of that name: of these roles where one has it, else of any; the exact name before one in another case.
pub(crate) fn named<'p>(page: &'p Snapshot, roles: &[&str], name: &str) -> Option<Seen<'p>> {
    let of_roles = |seen: &Seen<'_>| roles.contains(&seen.role());
    let exact = |seen: &Seen<'_>| seen.name() == name;
    let loose = |seen: &Seen<'_>| seen.name().trim().eq_ignore_ascii_case(name.trim());
    controls(page)
        .find(|seen| of_roles(seen) && exact(seen))
        .or_else(|| controls(page).find(|seen| of_roles(seen) && loose(seen)))
        .or_else(|| controls(page).find(exact))
        .or_else(|| controls(page).find(loose))
}

/// What is pressed under that name.
pub(crate) fn pressed<'p>(page: &'p Snapshot, name: &str) -> Option<Seen<'p>> {
    named(page, &["button"], name).or_else(|| named(page, PRESSED, name))
}

/// What a control is called: by its name, or by the text that stands right before it.
pub(crate) fn called<'p>(page: &'p Snapshot, seen: Seen<'p>) -> &'p str {
    if !seen.node.name.is_empty() && !seen.control.guessed_name {
        return &seen.node.name;
    }
    let before = page.nodes[..seen.at].iter().rev().take_while(|node| node.control.is_none());
    let text = before.into_iter().find(|node| is_text(node)).map(|node| &*node.name);
    text.unwrap_or_default().trim().trim_end_matches(':')
}

/// The text that stands next after a node.
pub(crate) fn text_after(page: &Snapshot, at: usize) -> &str {
    texts(page).find(|(text, _)| *text > at).map(|(_, text)| text).unwrap_or_default()
}

/// The texts of the page, in its order: what stands in no control.
pub(crate) fn texts(page: &Snapshot) -> impl Iterator<Item = (usize, &str)> {
    page.nodes
        .iter()
        .enumerate()
        .filter(|(_, node)| node.control.is_none() && is_text(node))
        .map(|(at, node)| (at, &*node.name))
}

/// What stands below a node.
pub(crate) fn below(page: &Snapshot, at: usize) -> std::ops::Range<usize> {
    let depth = page.nodes[at].depth;
    let length = page.nodes[at + 1..].iter().take_while(|node| node.depth > depth).count();
    at + 1..at + 1 + length
}

fn is_text(node: &Node) -> bool {
    !node.name.trim().is_empty()
}
