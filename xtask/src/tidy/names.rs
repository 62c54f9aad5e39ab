//! Module names say what a module holds.

use super::finding::Finding;
use super::tree::Tree;

const BANNED: &[&str] = &[
    "util",
    "utils",
    "helper",
    "helpers",
    "common",
    "manager",
    "managers",
    "mgr",
    "misc",
    "shared",
    "base",
    "core_utils",
];

/// Files, folders and inline modules with names that say nothing.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, source) in tree.rust() {
        let parts = path.trim_end_matches(".rs").split('/');
        findings.extend(
            parts
                .filter(|part| BANNED.contains(part))
                .map(|part| Finding::in_file(path, format!("\"{part}\" says nothing: name it for what it holds"))),
        );
        for (number, line) in (1..).zip(source.lines()) {
            let declared = line.code.trim().trim_end_matches([' ', '{', ';']);
            if let Some((_, name)) = declared.rsplit_once("mod ")
                && line.code.trim_end().ends_with('{')
                && BANNED.contains(&name)
            {
                findings.push(Finding::at(path, number, format!("\"{name}\" says nothing: name it for what it holds")));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::tree::tree_of;
    use super::*;

    #[test]
    fn names_that_say_nothing_are_told() {
        let tree = tree_of(&[
            ("crates/a/src/utils.rs", ""),
            ("crates/a/src/common/origin.rs", ""),
            ("crates/a/src/b.rs", "pub(crate) mod helpers {\n}\nmod names {}"),
            ("crates/a/src/commonly.rs", ""),
        ]);
        assert_eq!(check(&tree).len(), 3);
    }
}
