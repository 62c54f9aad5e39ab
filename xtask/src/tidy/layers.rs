//! Lower crates never know higher ones. A new edge is a decision: it is made
//! here and told in ARCHITECTURE.md.

use super::finding::Finding;
use super::tree::Tree;

/// What of ours each crate may depend on.
const MAY_KNOW: &[(&str, &[&str])] = &[
    ("webhand-cdp", &[]),
    ("webhand-guard", &[]),
    ("webhand-browser", &["webhand-cdp", "webhand-guard"]),
    ("webhand-page", &["webhand-cdp", "webhand-browser"]),
    ("webhand-action", &["webhand-cdp", "webhand-guard", "webhand-browser", "webhand-page"]),
    ("webhand-agent", &["webhand-cdp", "webhand-guard", "webhand-browser", "webhand-page", "webhand-action"]),
    ("webhand-journal", &["webhand-agent"]),
    ("webhand-models", &["webhand-guard", "webhand-action", "webhand-agent"]),
    (
        "webhand",
        &[
            "webhand-cdp",
            "webhand-guard",
            "webhand-browser",
            "webhand-page",
            "webhand-action",
            "webhand-agent",
            "webhand-journal",
            "webhand-models",
        ],
    ),
    ("webhand-cli", &["webhand"]),
    ("webhand-proof", &["webhand"]),
    ("xtask", &["webhand", "webhand-cdp", "webhand-guard", "webhand-proof"]),
];

/// What a pure crate may not reach for, whoever wrote it.
const PURE: &[&str] = &["webhand-guard"];
const IMPURE: &[&str] = &["tokio", "reqwest", "hyper", "axum", "rustix", "tempfile"];

/// Any crate's tests may use the fixtures.
const FOR_TESTS: &str = "webhand-proof";

/// Edges that go up.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    tree.manifests().flat_map(|(path, text)| edges_up(path, text)).collect()
}

fn edges_up(path: &str, text: &str) -> Vec<Finding> {
    let Ok(manifest) = text.parse::<toml::Table>() else {
        return vec![Finding::in_file(path, "is no TOML")];
    };
    let own = manifest.get("package").and_then(|it| it.get("name")).and_then(toml::Value::as_str).unwrap_or_default();
    let Some((_, may_know)) = MAY_KNOW.iter().find(|(name, _)| *name == own) else {
        return vec![Finding::in_file(path, format!("{own:?} has no place among the layers"))];
    };
    let mut findings = Vec::new();
    for table in ["dependencies", "build-dependencies", "dev-dependencies"] {
        let names = manifest.get(table).and_then(toml::Value::as_table).into_iter().flat_map(toml::Table::keys);
        for name in names {
            let is_ours = MAY_KNOW.iter().any(|(ours, _)| ours == name);
            let is_test_of_fixtures = table == "dev-dependencies" && name == FOR_TESTS;
            if is_ours && !may_know.contains(&name.as_str()) && !is_test_of_fixtures {
                findings.push(Finding::in_file(path, format!("{own} must not know {name}")));
            }
            if table == "dependencies" && PURE.contains(&own) && IMPURE.contains(&name.as_str()) {
                findings.push(Finding::in_file(path, format!("{own} is pure: it must not know {name}")));
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
    fn an_edge_up_is_told() {
        let told = |text: &str| {
            let tree = tree_of(&[("crates/x/Cargo.toml", text)]);
            check(&tree).iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let manifest = |name: &str, rest: &str| format!("[package]\nname = \"{name}\"\n{rest}");
        let down =
            manifest("webhand-page", "[dependencies]\nwebhand-browser.workspace = true\nserde.workspace = true\n");
        assert_eq!(told(&down), Vec::<String>::new());
        let up = manifest("webhand-cdp", "[dependencies]\nwebhand-page = { workspace = true }\n");
        assert_eq!(told(&up), ["crates/x/Cargo.toml: webhand-cdp must not know webhand-page"]);
        let fixtures = manifest("webhand-page", "[dev-dependencies]\nwebhand-proof.workspace = true\n");
        assert_eq!(told(&fixtures), Vec::<String>::new());
        let impure = manifest("webhand-guard", "[dependencies]\ntokio.workspace = true\n");
        assert_eq!(told(&impure).len(), 1);
        assert_eq!(told(&manifest("newcomer", "")).len(), 1);
        assert_eq!(told("[").len(), 1);
    }
}
