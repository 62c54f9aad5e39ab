//! `cargo xtask tidy`: what is out of shape in the tree.
//!
//! Each check is a small pure function from the tree's texts to findings; this
//! file reads the tree, runs them and prints. Tidy is itself a test, so that
//! `cargo xtask test` fails where this does.

mod calls;
mod finding;
mod layers;
mod length;
mod manifests;
mod module_docs;
mod names;
mod panics;
mod readmes;
mod scripts;
mod source;
mod tree;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use miette::{Context as _, IntoDiagnostic as _};

use self::finding::Finding;
use self::tree::Tree;

/// Where to look.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The root of the tree
    #[arg(long)]
    root: Option<PathBuf>,
}

/// Every check, in the order of printing.
const CHECKS: &[fn(&Tree) -> Vec<Finding>] = &[
    length::check,
    module_docs::check,
    names::check,
    panics::check,
    calls::check,
    layers::check,
    manifests::check,
    readmes::check,
    scripts::check,
];

/// Prints what is long or out of shape, then `tidy: ok` or the count.
pub(crate) fn run(arguments: &Arguments) -> miette::Result<ExitCode> {
    let root = arguments.root.clone().unwrap_or_else(workspace_root);
    let tree = Tree::read(&root).into_diagnostic().wrap_err_with(|| format!("cannot read {}", root.display()))?;
    for note in length::notes(&tree) {
        println!("note: {note}");
    }
    let findings = findings(&tree);
    for finding in &findings {
        println!("{finding}");
    }
    if findings.is_empty() {
        println!("tidy: ok");
        Ok(ExitCode::SUCCESS)
    } else {
        println!("tidy: {} out of shape", findings.len());
        Ok(ExitCode::FAILURE)
    }
}

fn findings(tree: &Tree) -> Vec<Finding> {
    CHECKS.iter().flat_map(|check| check(tree)).collect()
}

fn workspace_root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_is_in_shape() {
        let tree = Tree::read(&workspace_root()).unwrap();
        assert!(tree.rust().count() > 20, "the tree was not found");
        let told: Vec<String> = findings(&tree).iter().map(ToString::to_string).collect();
        assert!(told.is_empty(), "\n{}", told.join("\n"));
    }
}
