//! How well a wanted name fits a control's name: the scoring of names alone.
//!
//! Pure. Compares words, never guesses at synonyms.

use std::borrow::Cow;

use webhand_page::{Control, Node};

/// How a name fits, best first.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(super) struct Fit(pub(super) f64);

/// The names are equal, letter for letter.
pub(super) const EXACT: f64 = 60.0;
/// The names are equal apart from case, space and outer punctuation.
pub(super) const ALIKE: f64 = 57.0;
/// The placeholder is the name.
const PLACEHOLDER: f64 = 52.0;
/// A stable attribute is the name.
const ATTRIBUTE: f64 = 46.0;
/// From here on a name counts as a whole name, not as a part of one.
pub(super) const WHOLE: f64 = 45.5;
/// The name stands in the control's name as whole words.
const PART: f64 = 40.0;

/// How well a control answers to a name; nothing when it does not.
pub(super) fn fit(wanted: &str, node: &Node, control: &Control) -> Option<Fit> {
    let alike = normal(wanted);
    if alike.is_empty() {
        return (wanted.trim() == node.name.trim() && !node.name.trim().is_empty()).then_some(Fit(EXACT));
    }
    let attributes = &control.attributes;
    let stable = [&attributes.id, &attributes.name, &attributes.test_id];
    let best = [
        name(wanted, &alike, &node.name),
        control.state.placeholder.as_deref().filter(|text| normal(text) == alike).map(|_| PLACEHOLDER),
        stable.into_iter().flatten().any(|text| normal(&spaced(text)) == alike).then_some(ATTRIBUTE),
    ];
    best.into_iter().flatten().reduce(f64::max).map(|best| Fit(if control.guessed_name { best - 6.0 } else { best }))
}

fn name(wanted: &str, alike: &str, name: &str) -> Option<f64> {
    if wanted.trim() == name.trim() {
        return Some(EXACT);
    }
    let name = normal(name);
    if name == alike {
        return Some(ALIKE);
    }
    #[expect(clippy::cast_precision_loss, reason = "lengths of names")]
    contains_words(&name, alike).then(|| PART + 5.0 * alike.len() as f64 / name.len().max(1) as f64)
}

/// Whether a text, both sides normal, holds another as whole words.
pub(super) fn contains_words(text: &str, words: &str) -> bool {
    if words.is_empty() {
        return false;
    }
    text.match_indices(words).any(|(at, found)| {
        let before = text[..at].chars().next_back();
        let after = text[at + found.len()..].chars().next();
        ends_word(before, found.chars().next()) && ends_word(after, found.chars().next_back())
    })
}

/// Whether a word ends between an outer and an inner character; scripts written without spaces end anywhere.
fn ends_word(outer: Option<char>, inner: Option<char>) -> bool {
    let (Some(outer), Some(inner)) = (outer, inner) else { return true };
    let joins = |c: char| c.is_alphanumeric() && !spaceless(c);
    !(joins(outer) && joins(inner))
}

fn spaceless(c: char) -> bool {
    matches!(c as u32, 0x2E80..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF | 0x0E00..=0x0E7F)
}

/// A text as it is compared: lower case, one space between words, full-width forms narrowed, outer punctuation dropped.
pub(super) fn normal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars().map(narrow).filter(|c| !invisible(*c)) {
        if c.is_whitespace() {
            if !out.is_empty() && !out.ends_with(' ') {
                out.push(' ');
            }
        } else {
            out.extend(c.to_lowercase());
        }
    }
    let trimmed = out.trim_matches(|c: char| !c.is_alphanumeric());
    if trimmed.is_empty() { out.trim().to_owned() } else { trimmed.to_owned() }
}

fn narrow(c: char) -> char {
    match c as u32 {
        code @ 0xFF01..=0xFF5E => char::from_u32(code - 0xFEE0).unwrap_or(c),
        0x2018 | 0x2019 => '\'',
        0x201C | 0x201D => '"',
        0x2010..=0x2015 => '-',
        _ => c,
    }
}

fn invisible(c: char) -> bool {
    matches!(c as u32, 0x00AD | 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x2064 | 0xFE0F | 0xFEFF)
}

/// `order-number` and `orderNumber` as words.
fn spaced(text: &str) -> Cow<'_, str> {
    if !text.contains(['-', '_', '.']) && !text.chars().any(char::is_uppercase) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 4);
    let mut small = false;
    for c in text.chars() {
        if matches!(c, '-' | '_' | '.') {
            out.push(' ');
        } else {
            if small && c.is_uppercase() {
                out.push(' ');
            }
            out.push(c);
        }
        small = c.is_lowercase();
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_by_words() {
        assert_eq!(normal("  E-mail:* "), "e-mail");
        assert_eq!(normal("Ｓａｖｅ　Now…"), "save now");
        assert_eq!(normal("→"), "→");
        assert!(contains_words("save changes", "save"));
        assert!(!contains_words("saved changes", "save"));
        assert!(contains_words("保存更改", "保存"));
        assert_eq!(spaced("orderNumber"), "order Number");
    }
}
