//! Lists of what must pass: one id a line, sorted. They may only grow.
//!
//! It must not know what a case asks.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use miette::{Context as _, IntoDiagnostic as _};

/// What was judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// All cases there are: one that is listed and not among them is lost.
    Whole,
    /// Some of them, or others.
    Part,
}

/// A committed list.
#[derive(Debug)]
pub(crate) struct PassList {
    path: PathBuf,
    ids: BTreeSet<String>,
}

impl PassList {
    /// Reads a list; one that is not there is empty.
    pub(crate) fn read(path: &Path) -> miette::Result<Self> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            other => other.into_diagnostic().wrap_err_with(|| format!("cannot read {}", path.display()))?,
        };
        let ids = text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect();
        Ok(Self { path: path.to_owned(), ids })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// What is listed and does not pass.
    pub(crate) fn lost<'a>(&self, judged: impl IntoIterator<Item = (&'a str, bool)>, scope: Scope) -> Vec<String> {
        let (passing, failing) = split(judged);
        let lost = self.ids.iter().filter(|id| match scope {
            Scope::Whole => !passing.contains(id.as_str()),
            Scope::Part => failing.contains(id.as_str()),
        });
        lost.cloned().collect()
    }

    /// Writes the list anew: what it held but for what is given up, and what passes.
    pub(crate) fn write<'a>(
        &self,
        judged: impl IntoIterator<Item = (&'a str, bool)>,
        given_up: &[String],
    ) -> miette::Result<()> {
        let (passing, _) = split(judged);
        let mut all: BTreeSet<&str> = self.ids.iter().map(String::as_str).collect();
        for id in given_up {
            all.remove(id.as_str());
        }
        all.extend(passing);
        let text: String = all.iter().flat_map(|id| [id, "\n"]).collect();
        let written = std::fs::write(&self.path, text).into_diagnostic();
        written.wrap_err_with(|| format!("cannot write {}", self.path.display()))
    }
}

/// The ids of what passes, and of what fails.
fn split<'a>(judged: impl IntoIterator<Item = (&'a str, bool)>) -> (BTreeSet<&'a str>, BTreeSet<&'a str>) {
    let (mut passing, mut failing) = (BTreeSet::new(), BTreeSet::new());
    for (id, passes) in judged {
        if passes {
            passing.insert(id)
        } else {
            failing.insert(id)
        };
    }
    (passing, failing)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(path: &Path, ids: &[&str]) -> PassList {
        PassList { path: path.to_owned(), ids: ids.iter().map(|id| (*id).to_owned()).collect() }
    }

    #[test]
    fn what_is_listed_must_pass() {
        let list = list(Path::new("x"), &["a", "b", "gone"]);
        let judged = [("a", true), ("b", false), ("new", false)];
        assert_eq!(list.lost(judged, Scope::Whole), ["b", "gone"]);
        assert_eq!(list.lost(judged, Scope::Part), ["b"]);
        assert!(list.lost([("a", true), ("b", true)], Scope::Part).is_empty());
    }

    #[test]
    fn a_list_grows_and_keeps_what_was_not_judged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("own.pass");
        list(&path, &["a", "b"]).write([("a", false), ("c", true)], &["a".to_owned()]).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "b\nc\n");
        assert_eq!(PassList::read(&path).unwrap().ids.len(), 2);
        assert!(PassList::read(&folder.path().join("none")).unwrap().ids.is_empty());
    }
}
