//! The committed list of disagreements that are explained: `tests/widgets/oracle.toml`. It may only shrink.
//!
//! An entry names a library, an element and how many there are, and says why both sides are left as they are. What it
//! does not cover is unexplained; what it covers beyond what there is must be taken out of it.

use std::path::{Path, PathBuf};

use miette::{Context as _, IntoDiagnostic as _, ensure};
use serde::Deserialize;

use super::compare::Pair;

/// The list, and what of it came up.
#[derive(Debug)]
pub(super) struct Explained {
    path: PathBuf,
    entries: Vec<Entry>,
    seen: Vec<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    explained: Vec<Entry>,
}

/// One explanation.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    library: String,
    /// The element as it is printed: tags, ids and first classes. A `*` stands for anything.
    element: String,
    /// Its name to either side, where that is needed to tell it from others.
    name: Option<String>,
    /// How many there are.
    #[serde(default = "one")]
    count: usize,
    /// Why the sides differ, and which is right.
    why: String,
}

fn one() -> usize {
    1
}

impl Explained {
    /// Reads the list.
    pub(super) fn read(path: &Path) -> miette::Result<Self> {
        let told = path.display();
        let text = std::fs::read_to_string(path).into_diagnostic().wrap_err_with(|| format!("cannot read {told}"))?;
        let file: File = toml::from_str(&text).into_diagnostic().wrap_err_with(|| format!("{told} is no such list"))?;
        for entry in &file.explained {
            ensure!(!entry.why.trim().is_empty(), "{told}: {} {} has no reason", entry.library, entry.element);
        }
        Ok(Self::of(path, file.explained))
    }

    fn of(path: &Path, entries: Vec<Entry>) -> Self {
        Self { path: path.to_owned(), seen: vec![0; entries.len()], entries }
    }

    /// Why that is so, if the list says; each entry says it as often as it counts.
    pub(super) fn explain(&mut self, library: &str, pair: &Pair) -> Option<&str> {
        let covers = |(entry, seen): &(&Entry, &mut usize)| entry.covers(library, pair) && **seen < entry.count;
        let (entry, seen) = self.entries.iter().zip(&mut self.seen).find(covers)?;
        *seen += 1;
        Some(&entry.why)
    }

    /// Entries that explain more than there is, among those of the libraries that were looked at.
    pub(super) fn left_over(&self, looked_at: impl Fn(&str) -> bool) -> Vec<String> {
        let entries = self.entries.iter().zip(&self.seen);
        let left_over = entries.filter(|(entry, seen)| looked_at(&entry.library) && **seen < entry.count);
        left_over
            .map(|(entry, seen)| {
                let Entry { library, element, count, .. } = entry;
                format!("{}: {library} {element}: {seen} of {count} came up; the list must shrink", self.path.display())
            })
            .collect()
    }
}

impl Entry {
    fn covers(&self, library: &str, pair: &Pair) -> bool {
        let mut names = [&pair.ours, &pair.theirs].into_iter().flatten().map(|(_, name)| name);
        let named = self.name.as_ref().is_none_or(|wanted| names.any(|name| name == wanted));
        self.library == library && named && fits(&self.element, &pair.path)
    }
}

/// Whether a pattern with `*` fits a whole text.
fn fits(pattern: &str, text: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(text) = text.strip_prefix(start) else { return false };
    (0..=text.len()).filter_map(|at| text.get(at..)).any(|end| fits(rest, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(path: &str, name: &str) -> Pair {
        Pair { path: path.to_owned(), ours: None, theirs: Some(("button".to_owned(), name.to_owned())) }
    }

    fn entry(element: &str, name: Option<&str>, count: usize) -> Entry {
        let (library, why) = ("a".to_owned(), "so".to_owned());
        Entry { library, element: element.to_owned(), name: name.map(str::to_owned), count, why }
    }

    #[test]
    fn an_entry_explains_as_often_as_it_counts() {
        let mut list = Explained::of(Path::new("x"), vec![entry("div.a*", None, 2), entry("b", Some("Save"), 1)]);
        assert_eq!(list.explain("a", &pair("div.a", "")), Some("so"));
        assert_eq!(list.explain("other", &pair("div.a", "")), None);
        assert_eq!(list.explain("a", &pair("div.ab", "")), Some("so"));
        assert_eq!(list.explain("a", &pair("div.abc", "")), None, "a third one is new");
        assert_eq!(list.explain("a", &pair("b", "Send")), None);
        assert_eq!(list.left_over(|_| true).len(), 1, "what no longer comes up must go");
        assert_eq!(list.left_over(|library| library == "b").len(), 0);
        assert_eq!(list.explain("a", &pair("b", "Save")), Some("so"));
        assert!(list.left_over(|_| true).is_empty());
    }

    #[test]
    fn a_star_stands_for_anything() {
        assert!(fits("a*c", "abc") && fits("*", "") && fits("a >>> *.b*", "a >>> i.b.c") && fits("a", "a"));
        assert!(!fits("a*c", "abd") && !fits("a", "ab") && !fits("", "a"));
    }
}
