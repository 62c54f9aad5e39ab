//! Scripts of ours are type-checked by their JSDoc. Scripts of fixture pages
//! stand for pages of others and are not.

use super::finding::Finding;
use super::tree::Tree;

const OURS: &str = "crates/webhand-page/js/";

/// Scripts that the type check does not see.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    tree.texts()
        .filter(|(path, _)| path.starts_with(OURS) && path.ends_with(".js"))
        .filter(|(_, text)| !text.lines().take(3).any(|line| line.trim() == "// @ts-check"))
        .map(|(path, _)| Finding::in_file(path, "begin with // @ts-check"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::tree::tree_of;
    use super::*;

    #[test]
    fn an_unchecked_script_is_told() {
        let tree = tree_of(&[
            ("crates/webhand-page/js/a.js", "// @ts-check\nlet a;"),
            ("crates/webhand-page/js/b.js", "let b;"),
            ("crates/webhand-proof/pages/c.js", "let c;"),
        ]);
        assert_eq!(check(&tree).len(), 1);
    }
}
