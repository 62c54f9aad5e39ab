//! Formats: a snapshot as the text that a model reads.
//!
//! Pure functions of a [`Snapshot`]: no browser, no clock, and the same input gives the same bytes.
//!
//! The way through: a format turns nodes into lines (`line`), a line's words come from `words` and `quote`, and the
//! budget (`budget`) decides which lines stand and counts the others where they stood.

mod budget;
mod csv;
mod expand;
mod header;
mod inline;
mod json;
mod line;
mod list;
mod outline;
mod quote;
mod screen;
mod section;
mod table;
mod tokenizer;
mod tokens;
mod tree;
mod view;
mod words;

#[cfg(test)]
mod properties;
#[cfg(test)]
pub(crate) mod sample;
#[cfg(test)]
mod tests;

use std::{fmt, sync::Arc};

pub use json::Json;
pub use list::List;
pub use outline::Outline;
pub use table::Table;
pub use tokenizer::Tokenizer;
pub use tokens::token_bound;

pub(crate) use header::write as write_header;
pub(crate) use inline::{ITEM_NODES, Inline, ROW_NODES};
pub(crate) use line::{Kind, Lines};
pub(crate) use outline::body;
pub(crate) use quote::{cut, plain, quoted};
pub(crate) use screen::screen;
pub(crate) use tree::subtree_ends;

use crate::{refs::Ref, snapshot::Snapshot};

/// A way to write a snapshot as text.
///
/// ```
/// use webhand_page::{FormatOptions, Snapshot, SnapshotFormat};
///
/// /// Only what can be used, and nothing else.
/// #[derive(Debug)]
/// struct Refs;
///
/// impl SnapshotFormat for Refs {
///     fn name(&self) -> &str {
///         "refs"
///     }
///
///     fn write(&self, snapshot: &Snapshot, _: &FormatOptions) -> String {
///         snapshot.controls().map(|(node, control)| format!("{} {:?}\n", control.r#ref, node.name)).collect()
///     }
/// }
///
/// assert_eq!(Refs.write(&Snapshot::default(), &FormatOptions::default()), "");
/// ```
pub trait SnapshotFormat: fmt::Debug + Send + Sync {
    /// The format's name, as settings name it.
    fn name(&self) -> &str;

    /// The snapshot in this format.
    fn write(&self, snapshot: &Snapshot, options: &FormatOptions) -> String;
}

/// The format of that name: `outline`, `list`, `table` or `json`.
///
/// ```
/// assert_eq!(webhand_page::format_named("table").unwrap().name(), "table");
/// assert!(webhand_page::format_named("yaml").is_none());
/// ```
#[must_use]
pub fn format_named(name: &str) -> Option<Arc<dyn SnapshotFormat>> {
    let known: [Arc<dyn SnapshotFormat>; 4] = [Arc::new(Outline), Arc::new(List), Arc::new(Table), Arc::new(Json)];
    known.into_iter().find(|format| format.name() == name)
}

/// How much of a snapshot is written, and how.
///
/// ```
/// use webhand_page::FormatOptions;
/// let mut options = FormatOptions::default();
/// assert_eq!(options.max_tokens, 8000);
/// options.max_tokens = 0; // everything
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FormatOptions {
    /// The text is at most this long, in tokens (o200k); 0 = no limit.
    pub max_tokens: u32,
    /// A name or value longer than this many characters is cut, with the rest counted.
    pub max_name: usize,
    /// A piece of plain text longer than this many characters is cut, with the rest counted.
    pub max_text: usize,
    /// Whether links say where they lead.
    pub addresses: Addresses,
    /// How much plain text stands beside the controls.
    pub texts: Texts,
    /// Counts tokens exactly, so that all of the limit is used; without one, an upper bound is kept that needs none.
    pub tokenizer: Option<Tokenizer>,
    /// Whether lines are to be compared, not read: without refs, and without what says that something is new.
    pub(crate) keys: bool,
    /// What stands in front of everything else: said once, not at every control. See [`FormatOptions::of`].
    pub(crate) screen: Option<Ref>,
}

impl Default for FormatOptions {
    fn default() -> Self {
        Self {
            max_tokens: 8000,
            max_name: 200,
            max_text: 1000,
            addresses: Addresses::default(),
            texts: Texts::default(),
            tokenizer: None,
            keys: false,
            screen: None,
        }
    }
}

/// Whether links say where they lead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Addresses {
    /// They do not.
    #[default]
    Hidden,
    /// The path, or the host and path where it is another host, cut to 60 characters.
    Short,
    /// The whole address.
    Whole,
}

/// How much plain text stands beside the controls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Texts {
    /// All of it.
    #[default]
    All,
    /// Headings and landmarks; what is left out is counted at the end.
    Headings,
    /// None, not even headings; what is left out is counted at the end.
    None,
}

impl Snapshot {
    /// The snapshot as an [`Outline`].
    #[must_use]
    pub fn outline(&self, options: &FormatOptions) -> String {
        Outline.write(self, options)
    }

    /// The snapshot as a [`List`].
    #[must_use]
    pub fn list(&self, options: &FormatOptions) -> String {
        List.write(self, options)
    }
}

/// The outline with default options.
impl fmt::Display for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.outline(&FormatOptions::default()))
    }
}
