//! Outside tests nothing panics without a proof beside it that it cannot.

use super::finding::Finding;
use super::tree::Tree;

const PANICS: &[&str] = &[".unwrap()", ".expect(", "panic!(", "unreachable!("];
/// Either a comment, or the reason of a lint's exemption.
const PROOFS: &[&str] = &["proof:", "reason ="];

/// Places that may panic and do not say why they do not.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, source) in tree.rust() {
        for (number, line) in source.code_lines() {
            let Some(panic) = PANICS.iter().find(|panic| line.code.contains(**panic)) else { continue };
            let remark = source.remark_on(number);
            if !PROOFS.iter().any(|proof| remark.contains(proof)) {
                let says = format!("{panic} needs an error instead, or a `// proof:` directly above");
                findings.push(Finding::at(path, number, says));
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
    fn a_panic_without_a_proof_is_told() {
        let tree = tree_of(&[(
            "crates/a/src/lib.rs",
            "fn a() {\n    b.unwrap();\n    // proof: c is never empty\n    c.unwrap();\n    d(\".unwrap()\");\n    \
             e.unwrap_or(1);\n}\n#[cfg(test)]\nmod tests {\n    fn f() { g.unwrap() }\n}\n",
        )]);
        let told: Vec<String> = check(&tree).iter().map(ToString::to_string).collect();
        assert_eq!(told.len(), 1);
        assert!(told[0].starts_with("crates/a/src/lib.rs:2: .unwrap()"), "{told:?}");
    }
}
