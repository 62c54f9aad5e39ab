//! Refs: the short handles (`B12`) by which a model and a person name one element of one document.
//!
//! A ref is a letter for the family and a number. Numbers are one series per session and are never reused, so the number
//! alone identifies; the letter is a check. Pure: this module knows no page.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// What kind of thing a ref names; printed as its letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Family {
    /// `B`: a button.
    Button,
    /// `L`: a link.
    Link,
    /// `I`: a text-like field.
    Input,
    /// `C`: a checkbox, radio button or switch.
    Check,
    /// `O`: an option, tab, menu item or tree item.
    Option,
    /// `S`: a select or listbox.
    Select,
    /// `E`: anything else that reacts.
    Element,
    /// `F`: a frame.
    Frame,
    /// `X`: a scroll area.
    Scroll,
    /// `D`: a dialog or any layer that covers a control.
    Dialog,
}

impl Family {
    /// The family's letter.
    ///
    /// ```
    /// assert_eq!(webhand_page::Family::Button.letter(), 'B');
    /// ```
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Family::Button => 'B',
            Family::Link => 'L',
            Family::Input => 'I',
            Family::Check => 'C',
            Family::Option => 'O',
            Family::Select => 'S',
            Family::Element => 'E',
            Family::Frame => 'F',
            Family::Scroll => 'X',
            Family::Dialog => 'D',
        }
    }

    /// The family of a letter, in either case.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        Some(match letter.to_ascii_uppercase() {
            'B' => Family::Button,
            'L' => Family::Link,
            'I' => Family::Input,
            'C' => Family::Check,
            'O' => Family::Option,
            'S' => Family::Select,
            'E' => Family::Element,
            'F' => Family::Frame,
            'X' => Family::Scroll,
            'D' => Family::Dialog,
            _ => return None,
        })
    }
}

/// A handle to one element of one document, such as `B12`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ref {
    /// What kind of thing it names.
    pub family: Family,
    /// Its number: unique in its session, never reused.
    pub number: u32,
}

impl Ref {
    /// The ref of this family and number.
    #[must_use]
    pub fn new(family: Family, number: u32) -> Self {
        Self { family, number }
    }
}

impl fmt::Display for Ref {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.family.letter(), self.number)
    }
}

/// A ref as a reply may write it: the letter may be missing, the number may not.
///
/// Accepts `B12`, `b12`, `12`, `[12]`, `[B12]`, `@B12` and surrounding space.
///
/// ```
/// use webhand_page::RefText;
/// assert_eq!("[b12]".parse::<RefText>().unwrap().to_string(), "B12");
/// assert_eq!("12".parse::<RefText>().unwrap().to_string(), "12");
/// assert!("B".parse::<RefText>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RefText {
    /// The letter, where one was written.
    pub family: Option<Family>,
    /// The number.
    pub number: u32,
}

impl RefText {
    /// Whether this text names that ref: numbers equal, and the letter, if written, right.
    #[must_use]
    pub fn names(&self, target: Ref) -> bool {
        self.number == target.number && self.family.is_none_or(|family| family == target.family)
    }
}

impl From<Ref> for RefText {
    fn from(value: Ref) -> Self {
        Self { family: Some(value.family), number: value.number }
    }
}

impl fmt::Display for RefText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(family) = self.family {
            write!(f, "{}", family.letter())?;
        }
        write!(f, "{}", self.number)
    }
}

/// A text that is not a ref.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a ref: write a letter and a number as the page shows them, such as B12")]
pub struct RefParseError(pub String);

impl FromStr for RefText {
    type Err = RefParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fail = || RefParseError(text.chars().take(40).collect());
        let mut rest = text.trim();
        if let Some(inner) = rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            rest = inner.trim();
        }
        rest = rest.strip_prefix('@').unwrap_or(rest);
        let mut family = None;
        if let Some(first) = rest.chars().next().filter(char::is_ascii_alphabetic) {
            family = Some(Family::from_letter(first).ok_or_else(fail)?);
            rest = &rest[first.len_utf8()..];
        }
        if rest.is_empty() || !rest.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(fail());
        }
        Ok(Self { family, number: rest.parse().map_err(|_| fail())? })
    }
}

impl FromStr for Ref {
    type Err = RefParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let RefText { family, number } = text.parse()?;
        let family = family.ok_or_else(|| RefParseError(text.chars().take(40).collect()))?;
        Ok(Self { family, number })
    }
}

macro_rules! as_text {
    ($type:ty) => {
        impl Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}
as_text!(Ref);
as_text!(RefText);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_one_ref_is_that_ref() {
        let save = Ref::new(Family::Button, 12);
        for text in ["B12", "b12", " 12 ", "[12]", "[B12]", "@B12", "@12"] {
            assert!(text.parse::<RefText>().unwrap().names(save), "{text}");
        }
        assert!(!"I12".parse::<RefText>().unwrap().names(save), "a wrong letter is not the ref");
    }

    #[test]
    fn what_is_not_a_ref_is_refused() {
        for text in ["", "B", "Z9", "B-1", "5.5", "B99999999999", "B1 2", "é1", "[", "[B1"] {
            assert!(text.parse::<RefText>().is_err(), "{text}");
        }
    }
}
