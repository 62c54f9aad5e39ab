//! What each role becomes in an outline: a label, a line, a piece of a line, or nothing.

/// What a node without a ref becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A landmark: what follows belongs to it until the next label; nothing is indented. The word is its label.
    Landmark(&'static str),
    /// A group: where it has a name (or always, if `bare`), a label with its content indented; else only its content.
    Group {
        word: &'static str,
        bare: bool,
    },
    Heading,
    Item,
    Row,
    /// Its name is plain text.
    Text,
    /// Its name stands in quotes behind its role.
    Named,
}

/// The shape of a role, given whether it has a name.
pub(super) fn shape(role: &str, named: bool) -> Shape {
    match role {
        "heading" => Shape::Heading,
        "listitem" => Shape::Item,
        "row" => Shape::Row,
        "banner" => Shape::Landmark("header"),
        "navigation" => Shape::Landmark("nav"),
        "main" => Shape::Landmark("main"),
        "contentinfo" => Shape::Landmark("footer"),
        "complementary" => Shape::Landmark("aside"),
        "search" => Shape::Landmark("search"),
        "form" if named => Shape::Landmark("form"),
        "region" if named => Shape::Landmark("region"),
        _ => group(role).unwrap_or(if is_text(role) { Shape::Text } else { Shape::Named }),
    }
}

fn group(role: &str) -> Option<Shape> {
    const WORDS: &[&str] = &[
        "feed",
        "figure",
        "form",
        "grid",
        "group",
        "list",
        "listbox",
        "log",
        "menu",
        "menubar",
        "radiogroup",
        "region",
        "table",
        "tablist",
        "tabpanel",
        "toolbar",
        "tree",
        "treegrid",
        "article",
    ];
    const BARE: &[&str] = &["alert", "alertdialog", "dialog", "status"];
    let find = |words: &[&'static str]| words.iter().copied().find(|word| *word == role);
    find(WORDS)
        .map(|word| Shape::Group { word, bare: false })
        .or_else(|| find(BARE).map(|word| Shape::Group { word, bare: true }))
}

/// Roles whose name is simply what stands there.
fn is_text(role: &str) -> bool {
    matches!(
        role,
        "text"
            | "generic"
            | "paragraph"
            | "cell"
            | "gridcell"
            | "columnheader"
            | "rowheader"
            | "rowgroup"
            | "caption"
            | "label"
            | "legend"
            | "term"
            | "definition"
            | "code"
            | "blockquote"
            | "strong"
            | "emphasis"
            | "mark"
            | "time"
            | "insertion"
            | "deletion"
            | "subscript"
            | "superscript"
            | "note"
            | "presentation"
            | "none"
            | ""
    )
}

/// Whether a subtree with such a node in it cannot stand on one line.
pub(super) fn is_block(role: &str) -> bool {
    matches!(
        role,
        "list" | "listitem" | "row" | "table" | "grid" | "treegrid" | "iframe" | "scroll" | "dialog" | "alertdialog"
    ) || matches!(shape(role, true), Shape::Landmark(_))
}
