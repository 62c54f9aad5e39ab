//! The texts of the tree by their paths from the root, and nothing else: no
//! check reads a disk. Build output, hidden folders and packages of others are
//! left out.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use super::source::Source;

/// The fuzz targets are a workspace of their own, with the layout that cargo-fuzz asks for.
const LEFT_OUT: &[&str] = &["target", "node_modules", "runs", "fuzz"];
const KINDS: &[&str] = &["rs", "js", "toml", "md", "json"];
const WHOLE_NAMES: &[&str] = &["LICENSE-MIT", "LICENSE-APACHE", "Cargo.lock"];

/// Paths are written with `/` on every system.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    texts: BTreeMap<String, String>,
    sources: BTreeMap<String, Source>,
}

impl Tree {
    /// Reads all texts below a folder.
    pub(crate) fn read(root: &Path) -> io::Result<Tree> {
        let mut files = Vec::new();
        let mut folders = vec![(root.to_owned(), String::new())];
        while let Some((folder, prefix)) = folders.pop() {
            for entry in std::fs::read_dir(folder)? {
                let entry = entry?;
                let name = entry.file_name().to_string_lossy().into_owned();
                let path = format!("{prefix}{name}");
                if entry.file_type()?.is_dir() {
                    if !name.starts_with('.') && !LEFT_OUT.contains(&name.as_str()) {
                        folders.push((entry.path(), format!("{path}/")));
                    }
                } else if is_text(&name) {
                    files.push((path, std::fs::read_to_string(entry.path())?));
                }
            }
        }
        Ok(Tree::of(files))
    }

    /// A tree of given texts.
    pub(crate) fn of(files: impl IntoIterator<Item = (String, String)>) -> Tree {
        let mut tree = Tree::default();
        for (path, text) in files {
            if path.ends_with(".rs") {
                tree.sources.insert(path.clone(), Source::parse(&text));
            }
            tree.texts.insert(path, text);
        }
        tree.mark_test_modules();
        tree
    }

    /// A file's text.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.texts.get(path).map(String::as_str)
    }

    /// Every file with its text.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// Every Rust file.
    pub(crate) fn rust(&self) -> impl Iterator<Item = (&str, &Source)> {
        self.sources.iter().map(|(path, source)| (path.as_str(), source))
    }

    /// Every member's manifest, with the member's folder.
    pub(crate) fn manifests(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts().filter(|(path, _)| *path != "Cargo.toml" && path.ends_with("/Cargo.toml"))
    }

    /// `#[cfg(test)] mod name;` makes the file of that module a test.
    fn mark_test_modules(&mut self) {
        let mut tests = Vec::new();
        for (path, source) in &self.sources {
            let folder = match path.rsplit_once('/') {
                Some((folder, "lib.rs" | "main.rs" | "mod.rs")) => folder.to_owned(),
                _ => path.trim_end_matches(".rs").to_owned(),
            };
            for module in source.test_modules() {
                tests.push(format!("{folder}/{module}.rs"));
                tests.push(format!("{folder}/{module}/"));
            }
        }
        for (path, source) in &mut self.sources {
            let in_test_folder = path.split('/').any(|part| matches!(part, "tests" | "benches" | "examples"));
            let in_test_module =
                tests.iter().any(|test| path == test || (test.ends_with('/') && path.starts_with(test.as_str())));
            if in_test_folder || in_test_module || path.ends_with("_tests.rs") {
                source.mark_as_test();
            }
        }
    }
}

fn is_text(name: &str) -> bool {
    let kind = name.rsplit_once('.').map_or("", |(_, kind)| kind);
    KINDS.contains(&kind) || WHOLE_NAMES.contains(&name)
}

/// A tree for the tests of the checks.
#[cfg(test)]
pub(crate) fn tree_of(files: &[(&str, &str)]) -> Tree {
    Tree::of(files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_test_modules_are_tests() {
        let tree = tree_of(&[
            ("crates/a/src/lib.rs", "//! a\n#[cfg(test)]\nmod proofs;\nmod plain;\n"),
            ("crates/a/src/proofs.rs", "//! b\nfn x() {}\n"),
            ("crates/a/src/plain.rs", "//! c\nfn x() {}\n"),
            ("crates/a/tests/all.rs", "//! d\nfn x() {}\n"),
        ]);
        let tests: Vec<&str> =
            tree.rust().filter(|(_, source)| source.lines().all(|line| line.in_test)).map(|(path, _)| path).collect();
        assert_eq!(tests, ["crates/a/src/proofs.rs", "crates/a/tests/all.rs"]);
    }
}
