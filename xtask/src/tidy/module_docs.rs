//! Every Rust file says at its top what it is.

use super::finding::Finding;
use super::tree::Tree;

/// Files whose first line is no module doc.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    tree.rust()
        .filter_map(|(path, _)| {
            let first = tree.text(path)?.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
            let says = first.strip_prefix("//!").map_or("", str::trim);
            (says.split_whitespace().count() < 2)
                .then(|| Finding::in_file(path, "begin with //! and what this is, and what it must not know"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::tree::tree_of;
    use super::*;

    #[test]
    fn a_file_without_a_module_doc_is_told() {
        let tree = tree_of(&[
            ("a.rs", "//! What it is.\nfn a() {}"),
            ("b.rs", "fn b() {}"),
            ("c.rs", "//! cdp\n"),
            ("d.rs", ""),
        ]);
        let told: Vec<String> = check(&tree).iter().map(|it| it.to_string()[..4].to_owned()).collect();
        assert_eq!(told, ["b.rs", "c.rs", "d.rs"]);
    }
}
