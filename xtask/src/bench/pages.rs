//! The bench's own pages: made from a seed, with the truth of what is on them.
//!
//! Same seed, same bytes; another seed, other words and another order, so that nothing can be tuned to one page.
//! It must not know who will read the pages or how.

mod plain;
mod sheet;
mod trees;

use std::collections::BTreeMap;

use serde::Serialize;

use super::random::Random;
use sheet::Sheet;

/// What in a document stands for the port of the second origin; the site fills it in.
pub(crate) const OTHER_PORT: &str = "__OTHER_PORT__";

/// The pages by name, in the order in which they are measured.
pub(crate) const NAMES: &[&str] = &["form", "app", "table", "huge", "frames", "shadow", "spa"];

/// The sort of a control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    /// `<button>`.
    Button,
    /// `<a href>`.
    Link,
    /// A field for text.
    Text,
    /// `<input type=checkbox>`.
    Checkbox,
    /// `<input type=radio>`.
    Radio,
    /// `<select>`.
    Select,
    /// `<input type=range>`.
    Range,
    /// `<input type=file>`.
    File,
    /// `<div role=button>`.
    RoleButton,
    /// A plain element that only a click listener makes a control.
    Listener,
    /// `role=tab`.
    Tab,
    /// `role=menuitem`.
    MenuItem,
    /// `role=switch`.
    Switch,
    /// `<summary>`.
    Summary,
    /// `contenteditable`.
    Editable,
}

/// A control that is really on a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct TrueControl {
    /// Its sort.
    pub(crate) kind: Kind,
    /// Where it stands (`frame 2`, `closed root`), empty for the plain document.
    pub(crate) place: &'static str,
}

/// What is on a page, by token.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Truth {
    /// Controls that a person could use.
    pub(crate) controls: BTreeMap<String, TrueControl>,
    /// Controls that nobody could use, with the reason.
    pub(crate) decoys: BTreeMap<String, &'static str>,
}

impl Truth {
    fn add_control(&mut self, token: &str, kind: Kind, place: &'static str) {
        self.controls.insert(token.to_owned(), TrueControl { kind, place });
    }

    fn add_decoy(&mut self, token: &str, why: &'static str) {
        self.decoys.insert(token.to_owned(), why);
    }

    fn absorb(&mut self, other: Self) {
        self.controls.extend(other.controls);
        self.decoys.extend(other.decoys);
    }

    /// The tokens of all controls of that kind, in document order.
    pub(crate) fn of_kind(&self, kind: Kind) -> impl DoubleEndedIterator<Item = &str> {
        self.controls.iter().filter(move |(_, control)| control.kind == kind).map(|(token, _)| token.as_str())
    }
}

/// One page: its documents, and the truth of it.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    /// Its name.
    pub(crate) name: String,
    /// Address path and markup; the first is the top document.
    pub(crate) documents: Vec<(String, String)>,
    /// Elements of the top document, shadow trees not counted.
    pub(crate) elements: usize,
    /// What is on it.
    pub(crate) truth: Truth,
}

impl Page {
    /// A page of one document.
    fn single(name: &str, sheet: Sheet) -> Self {
        Self {
            name: name.to_owned(),
            documents: vec![(format!("{name}.html"), sheet.html())],
            elements: sheet.elements(),
            truth: sheet.truth,
        }
    }

    /// The path of its top document.
    pub(crate) fn path(&self) -> &str {
        self.documents.first().map_or("", |(path, _)| path.as_str())
    }
}

/// The page of that name, or nothing where there is no such page. `huge-N` is the page `huge` with N elements.
pub(crate) fn make(name: &str, seed: u64) -> Option<Page> {
    let random = Random::new(seed, name);
    match name {
        "form" => Some(plain::form(random)),
        "app" => Some(plain::app(random)),
        "table" => Some(plain::table(random)),
        "huge" => Some(plain::huge(name, plain::HUGE_ELEMENTS, random)),
        "frames" => Some(trees::frames(seed)),
        "one-frame" => Some(trees::one_frame(seed)),
        "shadow" => Some(trees::shadow(random)),
        "spa" => Some(trees::spa(random)),
        other => {
            let elements: usize = other.strip_prefix("huge-")?.parse().ok()?;
            (plain::HUGE_SMALLEST..=plain::HUGE_LARGEST)
                .contains(&elements)
                .then(|| plain::huge(other, elements, random))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(name: &str) -> Page {
        make(name, 1).unwrap_or_else(|| panic!("no page {name}"))
    }

    #[test]
    fn sizes_are_exact() {
        for (name, elements, controls, decoys) in [
            ("app", 1_000, 150, 25),
            ("table", 10_000, 1_500, 0),
            ("huge", 100_000, 5_000, 0),
            ("huge-10000", 10_000, 500, 0),
            ("huge-1000", 1_000, 50, 0),
        ] {
            for seed in [1, 2, 77] {
                let page = make(name, seed).expect("known");
                assert_eq!(page.elements, elements, "{name} seed {seed}");
                assert_eq!(page.truth.controls.len(), controls, "{name} seed {seed}");
                assert_eq!(page.truth.decoys.len(), decoys, "{name} seed {seed}");
            }
        }
    }

    #[test]
    fn small_pages_have_their_controls() {
        assert_eq!(page("form").truth.controls.len(), 20);
        assert_eq!(page("frames").truth.controls.len(), 15);
        assert_eq!(page("frames").documents.len(), 5);
        assert_eq!(page("shadow").truth.controls.len(), 13);
        assert_eq!(page("spa").truth.controls.len(), 4);
    }

    #[test]
    fn one_frame_has_all_that_the_frames_have() {
        let (frames, one) = (page("frames"), page("one-frame"));
        assert_eq!(frames.truth, one.truth);
        assert_eq!(one.documents.len(), 1);
        assert!(!one.documents[0].1.contains("<iframe"));
    }

    #[test]
    fn app_has_twelve_kinds() {
        let page = page("app");
        let kinds: std::collections::BTreeSet<Kind> = page.truth.controls.values().map(|c| c.kind).collect();
        assert_eq!(kinds.len(), 12);
    }

    #[test]
    fn the_same_seed_gives_the_same_bytes_and_another_seed_others() {
        for name in NAMES {
            let documents = |seed| make(name, seed).expect("known").documents;
            assert_eq!(documents(1), documents(1), "{name}");
            assert_ne!(documents(1), documents(2), "{name}");
        }
    }

    #[test]
    fn every_token_of_the_truth_stands_in_the_markup() {
        for name in NAMES {
            let page = page(name);
            let markup: String = page.documents.iter().map(|(_, html)| html.as_str()).collect();
            let words: std::collections::HashSet<&str> = markup.split(|c: char| !c.is_ascii_alphanumeric()).collect();
            for token in page.truth.controls.keys().chain(page.truth.decoys.keys()) {
                assert!(words.contains(token.as_str()), "{name} lacks {token}");
            }
        }
    }

    #[test]
    fn unknown_pages_and_sizes_are_none() {
        for name in ["", "nope", "huge-", "huge-x", "huge-1", "huge-99999999999"] {
            assert!(make(name, 1).is_none(), "{name}");
        }
    }
}
