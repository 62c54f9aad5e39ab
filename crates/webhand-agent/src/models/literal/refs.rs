//! Refs in a line: `click B5`, `type hello into [I12]`, `点击 B5`.
//!
//! Pure. A ref in brackets, after `@` or after the word `ref` is a ref and nothing else; a bare one may also be a name.

use webhand_page::{RefText, Snapshot};

use super::{
    phrase::strip_word,
    step::{Reading, RoleWord, Wanted},
};

/// A ref as it is written in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) text: RefText,
    /// Whether it can be nothing else.
    pub(super) surely: bool,
}

/// The ref that a text is, if it is one and nothing more.
pub(super) fn written(text: &str) -> Option<Written> {
    let text = text.trim();
    let called = ["ref", "element"].iter().find_map(|word| strip_word(text, word));
    let called = called.or_else(|| ["编号", "元素"].iter().find_map(|word| text.strip_prefix(word)));
    let bare = called.unwrap_or(text).trim();
    let marked = bare.starts_with(['[', '@']);
    let read: RefText = bare.parse().ok()?;
    // A bare number counts things; it is no ref.
    (marked || read.family.is_some()).then_some(Written { text: read, surely: marked || called.is_some() })
}

/// The reading of a phrase as a ref, with the role word that stands beside it; `bodies` are the phrase with and without
/// such a word.
pub(super) fn reading<'a>(bodies: impl IntoIterator<Item = (Option<RoleWord>, &'a str)>) -> Option<(Reading, bool)> {
    let (role, found) = bodies.into_iter().find_map(|(role, body)| written(body).map(|found| (role, found)))?;
    Some((Reading { r#ref: Some(found.text), role, ..Reading::default() }, found.surely))
}

/// Why a phrase that is a ref names nothing on that page; nothing where it is no ref.
pub(super) fn missing(snapshot: &Snapshot, wanted: &Wanted) -> Option<String> {
    let reading = wanted.readings.first()?;
    let text = reading.r#ref?;
    Some(match snapshot.control(text.number) {
        Some((node, control)) if text.names(control.r#ref) => {
            let role = node.role.as_str();
            format!("{text} is the {role} {:?}, which is not what the line calls it", &*node.name)
        }
        Some((node, control)) => {
            format!("{text} has the wrong letter: {} is the {} {:?}", control.r#ref, node.role.as_str(), &*node.name)
        }
        None => format!("{text} is not on the page now: read the page again, and use its refs"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_ref_and_what_may_be_a_name() {
        for (text, surely) in
            [("B5", false), ("b5", false), ("[B5]", true), ("[5]", true), ("@B5", true), ("ref B5", true)]
        {
            assert_eq!(written(text).map(|found| found.surely), Some(surely), "{text}");
        }
        for text in ["5", "B", "Save", "B5 now", "Q5", "", "refB5"] {
            assert_eq!(written(text), None, "{text}");
        }
    }
}
