//! Calls that belong to one layer, or to none. What the compiler's lints
//! cannot tell apart by crate stands here, with every exemption and its reason.

use super::finding::Finding;
use super::tree::Tree;

/// A call, where it is banned, and where it is fine all the same.
struct Ban {
    calls: &'static [&'static str],
    within: &'static str,
    in_tests: bool,
    says: &'static str,
    fine_in: &'static [(&'static str, &'static str)],
}

const BANS: &[Ban] = &[
    Ban {
        calls: &["println!", "print!", "eprintln!", "eprint!"],
        within: "crates/",
        in_tests: false,
        says: "only faces print: return it, or use tracing",
        fine_in: &[("crates/webhand-cli/", "a face")],
    },
    Ban {
        calls: &["env::var(", "env::var_os(", "env::vars(", "env::vars_os("],
        within: "crates/",
        in_tests: false,
        says: "only faces read the environment: take it as a value",
        fine_in: &[
            ("crates/webhand-cli/", "a face"),
            ("crates/webhand-browser/src/find.rs", "looks for a browser in PATH and WEBHAND_BROWSER"),
            ("crates/webhand-browser/src/process/reaper.rs", "hands PATH on to the shell that cleans up"),
        ],
    },
    Ban {
        calls: &["serde_json::Value", "json!("],
        within: "crates/webhand-cdp/",
        in_tests: false,
        says: "the wire is typed: decode straight into a type",
        fine_in: &[],
    },
    Ban {
        calls: &["sleep("],
        within: "crates/",
        in_tests: true,
        says: "wait for what you mean, not for a time",
        fine_in: &[
            ("crates/webhand-cdp/src/pending.rs", "the timer of a deadline"),
            ("crates/webhand-cdp/src/core.rs", "how long a writer may still try after the connection closed"),
            ("crates/webhand-proof/src/server.rs", "delays that a fixture page asks for"),
            ("crates/webhand-proof/src/runner.rs", "when a case does something beside an action"),
            ("crates/webhand-proof/src/faults/course.rs", "the random moment at which a fault comes"),
            ("crates/webhand-proof/src/faults/site.rs", "how slow a server is told to be"),
            ("crates/webhand-action/src/act/pointer.rs", "how long a long press holds the button"),
            ("crates/webhand-cli/src/demo/slow.rs", "the pace that the person asked for"),
        ],
    },
];

/// Banned calls in every place that is not exempt.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    BANS.iter().flat_map(|ban| ban.check(tree)).collect()
}

impl Ban {
    fn check(&self, tree: &Tree) -> Vec<Finding> {
        let mut findings = Vec::new();
        let watched = tree.rust().filter(|(path, _)| path.starts_with(self.within) && !self.is_fine_in(path));
        for (path, source) in watched {
            for (number, line) in (1..).zip(source.lines()) {
                if line.in_test && !self.in_tests {
                    continue;
                }
                if let Some(call) = self.calls.iter().find(|call| is_called(&line.code, call)) {
                    findings.push(Finding::at(path, number, format!("{call}: {}", self.says)));
                }
            }
        }
        findings
    }

    fn is_fine_in(&self, path: &str) -> bool {
        self.fine_in.iter().any(|(fine, _)| path.starts_with(fine))
    }
}

/// Whether the call stands there by itself, not as the end of a longer name
/// or as a method of a type of ours.
fn is_called(code: &str, call: &str) -> bool {
    code.match_indices(call).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        !before.is_some_and(|it| it.is_alphanumeric() || matches!(it, '_' | '.'))
    })
}

#[cfg(test)]
mod tests {
    use super::super::tree::tree_of;
    use super::*;

    #[test]
    fn banned_calls_are_told_where_they_are_banned() {
        let tree = tree_of(&[
            (
                "crates/webhand-page/src/a.rs",
                "fn a() { println!(); clock.sleep(1); my_sleep(2); tokio::time::sleep(d); }",
            ),
            ("crates/webhand-cli/src/b.rs", "fn b() { println!(); std::env::var(x); }"),
            (
                "crates/webhand-cdp/src/c.rs",
                "use serde_json::Value;\n#[cfg(test)]\nmod tests { use serde_json::Value; }",
            ),
            ("crates/webhand-page/tests/d.rs", "fn d() { println!(); std::thread::sleep(x); }"),
        ]);
        let told: Vec<String> = check(&tree).iter().map(ToString::to_string).collect();
        let starts = [
            "crates/webhand-page/src/a.rs:1: println!",
            "crates/webhand-cdp/src/c.rs:1: serde_json::Value",
            "crates/webhand-page/src/a.rs:1: sleep(",
            "crates/webhand-page/tests/d.rs:1: sleep(",
        ];
        assert_eq!(told.len(), starts.len(), "{told:#?}");
        for (told, start) in told.iter().zip(starts) {
            assert!(told.starts_with(start), "{told}");
        }
    }

    #[test]
    fn every_exemption_still_stands_for_something() {
        let root = super::super::workspace_root();
        for (path, reason) in BANS.iter().flat_map(|ban| ban.fine_in) {
            assert!(root.join(path).exists(), "{path} ({reason}) is gone");
        }
    }
}
