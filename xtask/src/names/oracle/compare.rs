//! Both sides of a page held against each other: which elements are controls to either, and where they say different
//! things of one. Pure.
//!
//! What differs on purpose stands in [`super::meant`], each with its reason. It must not know how a side is read.

use std::fmt;

use super::meant::{self, Meant};
use super::sides::{Element, Facts, Ours, Stand, Theirs};

/// What came of one element.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Finding {
    pub(super) verdict: Verdict,
    pub(super) pair: Pair,
}

/// How both sides stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Verdict {
    /// Both call it a control, and the same one.
    Agree,
    /// They do not.
    Differ,
    /// They do not, and that is meant: left out of the rate.
    Meant(&'static Meant),
}

/// A control as either side has it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Pair {
    /// Where: tags, ids and first classes.
    pub(super) path: String,
    /// Role and name that we give it; none where it is no control to us.
    pub(super) ours: Option<(String, String)>,
    /// Role and name that the browser gives it; none where it is no control to it.
    pub(super) theirs: Option<(String, String)>,
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told = |side: &Option<(String, String)>| match side {
            Some((role, name)) => format!("{role} {name:?}"),
            None => "no control".to_owned(),
        };
        write!(f, "{}: ours {}, browser {}", self.path, told(&self.ours), told(&self.theirs))
    }
}

/// Every element of a page that is a control to either side.
pub(super) fn compare(elements: &[Element]) -> Vec<Finding> {
    let mut driven: Vec<Option<usize>> = vec![None; elements.len()];
    for (index, field) in elements.iter().enumerate().filter(|(_, field)| field.ours.is_none() && is_control(field)) {
        if let Some(stand_in) =
            field.stand_ins.iter().find(|at| driven[**at].is_none() && stands_for(&elements[**at], field))
        {
            driven[*stand_in] = Some(index);
        }
    }
    let mut findings = Vec::new();
    for (index, element) in elements.iter().enumerate() {
        if driven.contains(&Some(index)) {
            continue;
        }
        let theirs = driven[index].map_or(element, |field| &elements[field]);
        findings.extend(judge(element, theirs));
    }
    findings
}

/// Whether a control of ours is the one to use for a field that cannot be seen: its label (html, the label element), or what
/// is drawn around it.
fn stands_for(ours: &Element, field: &Element) -> bool {
    let (Some(ours), Some(theirs)) = (&ours.ours, &field.theirs) else { return false };
    field.facts.stand != Stand::Seen && meant::same_role(&ours.role, &theirs.role)
}

/// What one element is to both; nothing where it is a control to neither. `field` is what it drives, or itself.
fn judge(element: &Element, field: &Element) -> Option<Finding> {
    let theirs = field.theirs.as_ref().filter(|theirs| !theirs.ignored);
    if element.ours.is_none() && !is_control(element) {
        return None;
    }
    let agree = element.ours.as_ref().zip(theirs).is_some_and(|(ours, theirs)| {
        meant::same_role(&ours.role, &theirs.role)
            && same_name(&element.facts, ours, theirs)
            && (is_control(field) || ours.role != "generic" || !theirs.name.is_empty())
    });
    let wrong_cover = element.ours.as_ref().is_some_and(|ours| ours.covered.is_some() && element.facts.hit);
    let verdict = match (&element.ours, theirs) {
        (Some(_), Some(theirs)) if agree => {
            if wrong_cover && meant::is_widget(&theirs.role) {
                Verdict::Differ
            } else {
                Verdict::Agree
            }
        }
        (Some(ours), Some(theirs)) => or_differ(meant::both(&element.facts, ours, theirs, is_control(field))),
        (Some(ours), None) => or_differ(meant::only_ours(&element.facts, ours)),
        (None, Some(theirs)) => or_differ(meant::only_theirs(&element.facts, theirs)),
        (None, None) => Verdict::Differ,
    };
    Some(Finding { verdict, pair: Pair::of(element, theirs) })
}

fn or_differ(meant: Option<&'static Meant>) -> Verdict {
    meant.map_or(Verdict::Differ, Verdict::Meant)
}

impl Pair {
    fn of(element: &Element, theirs: Option<&Theirs>) -> Self {
        let ours = element.ours.as_ref().map(|ours| {
            let guess = if ours.guessed { " (a guess)" } else { "" };
            let cover = ours.covered.as_ref().filter(|_| element.facts.hit);
            let cover =
                cover.map(|name| format!(" (covered by {name:?}, but a click lands on it)")).unwrap_or_default();
            (format!("{}{cover}", ours.role), format!("{}{guess}", folded(&ours.name)))
        });
        Self {
            path: element.facts.path.clone(),
            ours,
            theirs: theirs.map(|theirs| (theirs.role.clone(), folded(&theirs.name))),
        }
    }
}

/// Whether the browser says that it is a control: a widget, or the tab key stops at it.
fn is_control(element: &Element) -> bool {
    let Some(theirs) = element.theirs.as_ref().filter(|theirs| !theirs.ignored) else { return false };
    meant::is_widget(&theirs.role) || (theirs.focusable && element.facts.tab_stop)
}

/// Whether both names say the same. A guess of ours says that there is no name.
fn same_name(facts: &Facts, ours: &Ours, theirs: &Theirs) -> bool {
    let (our_name, their_name) = (if ours.guessed { String::new() } else { folded(&ours.name) }, folded(&theirs.name));
    our_name == their_name
        || (ours.role == "generic" && their_name.is_empty())
        || (facts.transformed && our_name.to_lowercase() == their_name.to_lowercase())
}

/// White space is folded and trimmed on both sides, the no-break kind too, and what has no width is left out: to a reader
/// that is the same text.
fn folded(name: &str) -> String {
    let seen = name.replace(['\u{200b}', '\u{2060}', '\u{feff}', '\u{ad}'], "");
    seen.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ours(role: &str, name: &str) -> Option<Ours> {
        Some(Ours { role: role.to_owned(), name: name.to_owned(), guessed: false, covered: None, barred: false })
    }

    fn theirs(role: &str, name: &str) -> Option<Theirs> {
        Some(Theirs { role: role.to_owned(), name: name.to_owned(), ignored: false, focusable: true })
    }

    fn element(ours: Option<Ours>, theirs: Option<Theirs>) -> Element {
        let facts = Facts { path: "x".to_owned(), tag: "x".to_owned(), tab_stop: true, ..Facts::default() };
        Element { facts, ours, theirs, stand_ins: Vec::new() }
    }

    /// What the only finding is: `=`, the disagreement as it is printed, or why it is meant.
    fn found(elements: &[Element]) -> Vec<String> {
        let told = |finding: Finding| match finding.verdict {
            Verdict::Agree => "=".to_owned(),
            Verdict::Differ => finding.pair.to_string(),
            Verdict::Meant(meant) => meant.title.to_owned(),
        };
        compare(elements).into_iter().map(told).collect()
    }

    #[test]
    fn role_and_name_must_be_the_same() {
        assert_eq!(found(&[element(ours("button", "Save"), theirs("button", " Save\u{200b} "))]), ["="]);
        assert_eq!(
            found(&[element(ours("button", "Save"), theirs("button", "SAVE"))]),
            [r#"x: ours button "Save", browser button "SAVE""#]
        );
        let mut drawn_large = element(ours("button", "Save"), theirs("button", "SAVE"));
        drawn_large.facts.transformed = true;
        assert_eq!(found(&[drawn_large]), ["="]);
        assert_eq!(found(&[element(ours("button", "Save"), theirs("link", "Save"))]).len(), 1);
        assert_eq!(found(&[element(ours("date", "Day"), theirs("Date", "Day"))]), ["="]);
    }

    #[test]
    fn a_guess_is_no_name() {
        let guessed =
            |role, name| element(Some(Ours { guessed: true, ..ours(role, "gear").unwrap() }), theirs(role, name));
        assert_eq!(found(&[guessed("button", "")]), ["="]);
        assert_ne!(found(&[guessed("button", "gear")]), ["="]);
    }

    #[test]
    fn what_only_one_side_has_is_told() {
        assert_eq!(found(&[element(None, theirs("link", "Home"))]), [r#"x: ours no control, browser link "Home""#]);
        assert_eq!(found(&[element(ours("link", "Home"), None)]), [r#"x: ours link "Home", browser no control"#]);
        assert_eq!(found(&[element(ours("generic", "Home"), None)]), ["reacts without a role"]);
        let behind = Some(Ours { barred: true, ..ours("link", "Home").unwrap() });
        let mut behind = element(behind, None);
        assert_eq!(found(std::slice::from_ref(&behind)).len(), 1);
        assert_ne!(found(std::slice::from_ref(&behind)), ["behind a modal dialog"]);
        behind.facts.inert = true;
        assert_eq!(found(&[behind]), ["behind a modal dialog"]);
        let mut passed_over = theirs("paragraph", "");
        if let Some(theirs) = &mut passed_over {
            theirs.focusable = false;
        }
        assert!(found(&[element(None, passed_over)]).is_empty());
    }

    #[test]
    fn a_field_that_cannot_be_seen_must_have_a_stand_in() {
        let mut field = element(None, theirs("checkbox", "News"));
        field.facts.stand = Stand::Drawn;
        assert_eq!(found(&[field.clone()]), [r#"x: ours no control, browser checkbox "News""#]);
        field.stand_ins = vec![0];
        assert_eq!(found(&[element(ours("checkbox", "News"), None), field.clone()]), ["="]);
        let label_of_another_kind = element(ours("textbox", "News"), theirs("LabelText", ""));
        assert_eq!(found(&[label_of_another_kind, field.clone()]).len(), 2);
        let mut skip_link = element(None, theirs("link", "Skip"));
        skip_link.facts.stand = Stand::Drawn;
        assert_eq!(found(&[skip_link]), ["in the tree but not to be seen"]);
    }

    #[test]
    fn a_cover_through_which_a_click_falls_is_told() {
        let mut covered = element(ours("button", "Save"), theirs("button", "Save"));
        covered.ours.as_mut().unwrap().covered = Some("Cookies".to_owned());
        assert_eq!(found(&[covered.clone()]), ["="]);
        covered.facts.hit = true;
        assert!(found(&[covered])[0].contains("covered by \"Cookies\""));
    }
}
