//! From a sentence to steps. Pure; what is not understood as a whole is not understood at all.

use webhand::actions::ScrollTo;

use crate::miniwob::words::{clauses, numbers, ordinal, quoted};

/// One thing to do.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    /// Press a thing.
    Press(Thing),
    /// Let so many seconds pass.
    Wait(f64),
    /// Choose these, wherever they are offered.
    Choose(Vec<String>),
    /// Write texts into fields: into all, into the one of that number, or as they are labelled.
    Enter { entries: Vec<Entry>, nth: Option<usize>, all: bool },
    /// Bring sliders or a spinner to these values, in their order.
    Set(Vec<i64>),
    /// Give a field the focus.
    Focus(Option<usize>),
    /// Scroll the text area there.
    Scroll(ScrollTo),
}

/// What is pressed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Thing {
    pub(super) name: Option<String>,
    pub(super) kind: Kind,
    pub(super) nth: Option<usize>,
}

/// The kinds of things that sentences name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    Button,
    Link,
    Tab,
    Checkbox,
    Radio,
    Text,
    TextArea,
    #[default]
    Any,
}

/// A text, and the label of the field that it is for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) label: Option<String>,
    pub(super) text: String,
}

/// The steps of a sentence, where each of its clauses is understood.
pub(super) fn steps(sentence: &str) -> Option<Vec<Step>> {
    let clauses = clauses(sentence);
    let steps: Option<Vec<Step>> = clauses.iter().map(|clause| step(clause)).collect();
    steps.filter(|steps| !steps.is_empty())
}

fn step(clause: &str) -> Option<Step> {
    let (verb, rest) = clause.split_once(' ').unwrap_or((clause, ""));
    let rest = rest.trim();
    match verb.to_ascii_lowercase().as_str() {
        "submit" => Some(Step::Press(Thing { name: Some("Submit".to_owned()), kind: Kind::Button, nth: None })),
        "click" | "press" | "hit" | "push" => thing(rest).map(Step::Press),
        "close" => rest.split_once("by clicking ").and_then(|(_, with)| thing(with)).map(Step::Press),
        "check" => thing(rest).map(Step::Press),
        "wait" => rest.strip_suffix("seconds").and_then(|number| number.trim().parse().ok()).map(Step::Wait),
        "select" | "choose" => choice(rest),
        "enter" | "type" => entries(rest),
        "set" if rest.contains("slider") => Some(numbers(rest)).filter(|values| !values.is_empty()).map(Step::Set),
        "focus" if rest.contains("textbox") => Some(Step::Focus(ordinal(rest))),
        "scroll" if rest.contains("to the bottom") => Some(Step::Scroll(ScrollTo::Bottom)),
        "scroll" if rest.contains("to the top") => Some(Step::Scroll(ScrollTo::Top)),
        _ => None,
    }
}

/// `on the "Ok" button`, `button ONE`, `the cancel button`, `Tab #2`, `the 2nd checkbox`, `Submit`.
fn thing(words: &str) -> Option<Thing> {
    let words = words.strip_suffix(" when done").unwrap_or(words);
    let words = words.strip_suffix(" when finished").unwrap_or(words);
    let mut words = words;
    while let Some(rest) = ["on ", "the ", "a ", "an "].iter().find_map(|article| words.strip_prefix(article)) {
        words = rest;
    }
    if words.is_empty() {
        return None;
    }
    if let Some(name) = words.strip_prefix("grid coordinate ") {
        return Some(Thing { name: Some(name.to_owned()), kind: Kind::Any, nth: None });
    }
    let nth = ordinal(words);
    let named: &[(&str, Kind)] = &[
        ("button", Kind::Button),
        ("link", Kind::Link),
        ("tab", Kind::Tab),
        ("checkbox", Kind::Checkbox),
        ("radio button", Kind::Radio),
    ];
    let lower = words.to_lowercase();
    if lower.ends_with("widget") {
        let kind = match *quoted(words).first()? {
            "button" => Kind::Button,
            "checkbox" => Kind::Checkbox,
            "radio" => Kind::Radio,
            "textarea" => Kind::TextArea,
            _ => Kind::Text,
        };
        return Some(Thing { name: None, kind, nth: None });
    }
    let kind = named.iter().rev().find(|(word, _)| lower.contains(word)).map_or(Kind::Any, |(_, kind)| *kind);
    if let Some(name) = quoted(words).first() {
        return Some(Thing { name: Some((*name).to_owned()), kind, nth: None });
    }
    if nth.is_some() && kind != Kind::Any {
        return Some(Thing { name: None, kind, nth });
    }
    let bare = match kind {
        Kind::Button if lower == "button" => "",
        Kind::Button if lower.starts_with("button ") => words["button ".len()..].trim(),
        Kind::Button if lower.ends_with(" button") => words[..words.len() - " button".len()].trim(),
        Kind::Any | Kind::Tab => words,
        _ => return None,
    };
    // several words that are no name are a description, which has to be understood, not looked up
    if kind != Kind::Tab && bare.contains(' ') {
        return None;
    }
    let name = Some(bare.to_owned()).filter(|name| !name.is_empty());
    Some(Thing { name, kind, nth: None })
}

/// `A, B`, `A, B from the list`, `nothing`, `7 with the slider`.
fn choice(words: &str) -> Option<Step> {
    if let Some((value, with)) = words.split_once(" with the ") {
        let set = with.starts_with("slider") || with.starts_with("spinner");
        return value.trim().parse().ok().filter(|_| set).map(|value| Step::Set(vec![value]));
    }
    if words.ends_with(" as the date")
        || words.contains('>')
        || words.starts_with("all ")
        || words.contains("similar to")
    {
        return None;
    }
    let words = ["from the list", "from the scroll list", "from the dropdown"]
        .iter()
        .find_map(|end| words.strip_suffix(end))
        .unwrap_or(words)
        .trim();
    let values = words.split(", ").filter(|value| *value != "nothing").map(str::to_owned).collect();
    Some(Step::Choose(values))
}

/// `"Jerald" into the text field`, `the username "a" and the password "b" into the text fields`, `10/11/2011 as the date`,
/// `the number "3" into the 2nd textbox`, `"ABC" in all lower case letters in the text input`, `the name "Juan"`.
fn entries(words: &str) -> Option<Step> {
    let quotes = quoted(words);
    if quotes.is_empty() {
        let (text, label) = words.split_once(" as the ")?;
        let entry = Entry { label: Some(label.to_owned()), text: text.to_owned() };
        return Some(Step::Enter { entries: vec![entry], nth: None, all: false });
    }
    if words.contains("starts with") {
        return None;
    }
    let pieces: Vec<&str> = words.split('"').collect();
    let entries = quotes.iter().enumerate().map(|(index, text)| {
        let label = pieces[index * 2].trim().rsplit(' ').next().unwrap_or_default();
        let label = Some(label.to_owned()).filter(|label| !label.is_empty());
        let text = if words.contains("lower case") {
            text.to_lowercase()
        } else if words.contains("upper case") {
            text.to_uppercase()
        } else {
            (*text).to_owned()
        };
        Entry { label, text }
    });
    let target = pieces.last().copied().unwrap_or_default();
    Some(Step::Enter {
        entries: entries.collect(),
        nth: ordinal(target),
        all: target.contains("both") || target.contains("all text"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(name: &str, kind: Kind) -> Step {
        Step::Press(Thing { name: Some(name.to_owned()), kind, nth: None })
    }

    #[test]
    fn sentences_become_steps() {
        let submit = press("Submit", Kind::Any);
        let choose = |values: &[&str]| Step::Choose(values.iter().map(|value| (*value).to_owned()).collect());
        let cases = [
            ("Click on the \"No\" button.", vec![press("No", Kind::Button)]),
            ("Click the button.", vec![Step::Press(Thing { name: None, kind: Kind::Button, nth: None })]),
            ("Click the cancel button.", vec![press("cancel", Kind::Button)]),
            ("Click on Tab #2.", vec![press("Tab #2", Kind::Tab)]),
            ("Select a1, b and click Submit.", vec![choose(&["a1", "b"]), submit.clone()]),
            ("Select nothing and click Submit.", vec![choose(&[]), submit.clone()]),
            ("Select Falkland Islands from the list and click Submit.", vec![choose(&["Falkland Islands"]), submit]),
            (
                "Click button ONE, wait 3 seconds, then click button TWO.",
                vec![press("ONE", Kind::Button), Step::Wait(3.0), press("TWO", Kind::Button)],
            ),
        ];
        for (sentence, expected) in cases {
            assert_eq!(steps(sentence), Some(expected), "{sentence}");
        }
    }

    #[test]
    fn what_must_be_understood_is_not_taken_at_its_word() {
        for sentence in [
            "Select Alvera>Terza>Ludovika",
            "Select 03/05/2016 as the date and hit submit.",
            "Select all the shades of red and press Submit.",
            "Select words similar to brave and click Submit.",
            "Click on a large digit",
            "Press the button that correctly denotes how many sides the shape has.",
            "Push the buttons in the order displayed.",
            "Find the 2nd word in the paragraph, type that into the textbox and press \"Submit\".",
        ] {
            assert_eq!(steps(sentence), None, "{sentence}");
        }
    }
}
