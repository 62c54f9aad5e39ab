//! A page, or a part of it, to be read: as Markdown or plain text, in chunks.
//!
//! Pure functions of a [`Snapshot`]. Refs are not shown: this is for reading, the formats are for acting.

mod blocks;
mod tables;
mod words;

#[cfg(test)]
mod tests;

pub use self::tables::TableRows;

use serde::{Deserialize, Serialize};

use crate::{
    format::{subtree_ends, token_bound},
    refs::RefText,
    snapshot::Snapshot,
};

/// How a page is written to be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ReadForm {
    /// Markdown.
    #[default]
    Markdown,
    /// Plain text: no marks, cells parted by tabs.
    Text,
}

/// What is read, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadOptions {
    /// Only what stands under this ref.
    pub within: Option<RefText>,
    /// Markdown or plain text.
    pub form: ReadForm,
    /// Whether links show their addresses (in Markdown).
    pub addresses: bool,
    /// Where to go on: the `next` of the reading before.
    pub cursor: Option<usize>,
    /// A chunk is at most this long, in tokens; 0 = all at once.
    pub max_tokens: u32,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { within: None, form: ReadForm::default(), addresses: false, cursor: None, max_tokens: 4000 }
    }
}

/// A chunk of what was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Reading {
    /// The text.
    pub text: String,
    /// The cursor of the next chunk; none at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<usize>,
    /// The length of the whole, in the cursor's measure.
    pub length: usize,
}

impl Snapshot {
    /// The page, or what stands under a ref, to be read. `None` where the snapshot has no such ref.
    ///
    /// ```
    /// use webhand_page::{ReadOptions, Snapshot};
    /// let reading = Snapshot::default().read(&ReadOptions::default()).unwrap();
    /// assert_eq!((reading.text.as_str(), reading.next), ("", None));
    /// ```
    #[must_use]
    pub fn read(&self, options: &ReadOptions) -> Option<Reading> {
        let ends = subtree_ends(&self.nodes);
        let range = match options.within {
            None => 0..self.nodes.len(),
            Some(text) => {
                let named = |control: &crate::snapshot::Control| text.names(control.r#ref);
                let start = self.nodes.iter().position(|node| node.control.as_deref().is_some_and(named))?;
                start..ends[start]
            }
        };
        let whole = blocks::write(self, &ends, range, options);
        Some(Reading::part_of(&whole, options.cursor, options.max_tokens))
    }
}

impl Reading {
    /// The part of a text from a cursor on that fits into so many tokens (0 = all of it).
    #[must_use]
    pub fn part_of(whole: &str, cursor: Option<usize>, max_tokens: u32) -> Self {
        let start = floor(whole, cursor.unwrap_or(0).min(whole.len()));
        let rest = &whole[start..];
        let length = whole.len();
        if max_tokens == 0 {
            return Self { text: rest.to_owned(), next: None, length };
        }
        let fits = fitting(rest, max_tokens);
        let next = Some(start + fits).filter(|next| *next < length);
        Self { text: rest[..fits].trim_end().to_owned(), next, length }
    }
}

/// How much of a text fits: whole blocks, else whole lines, else whole words, and never nothing.
fn fitting(text: &str, max_tokens: u32) -> usize {
    let (mut used, mut fits, mut block) = (0u32, 0, 0);
    for line in text.split_inclusive('\n') {
        used = used.saturating_add(token_bound(line));
        if used > max_tokens {
            if block > 0 {
                return block;
            }
            return if fits > 0 { fits } else { fitting_words(line, max_tokens) };
        }
        fits += line.len();
        if line == "\n" {
            block = fits;
        }
    }
    text.len()
}

fn fitting_words(line: &str, max_tokens: u32) -> usize {
    let (mut used, mut fits) = (0u32, 0);
    for word in line.split_inclusive(' ') {
        used = used.saturating_add(token_bound(word)).saturating_add(1);
        if used > max_tokens {
            break;
        }
        fits += word.len();
    }
    if fits > 0 {
        return fits;
    }
    cut_word(line, max_tokens)
}

/// How much of a word that is too long fits; one character at least.
fn cut_word(word: &str, max_tokens: u32) -> usize {
    // No character costs less than a sixteenth of a token.
    let longest = usize::try_from(max_tokens).unwrap_or(usize::MAX).saturating_mul(16).min(word.len());
    let (mut fits, mut over) = (0, longest + 1);
    while over - fits > 1 {
        let middle = fits + (over - fits) / 2;
        if token_bound(&word[..floor(word, middle)]) <= max_tokens {
            fits = middle;
        } else {
            over = middle;
        }
    }
    match floor(word, fits) {
        0 => word.chars().next().map_or(0, char::len_utf8),
        fits => fits,
    }
}

/// The nearest character boundary at or before a place.
fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
