//! Manifests: one licence, one edition, one set of lints, versions only in the
//! workspace, and nothing locked that must stay out.

use toml::{Table, Value};

use super::finding::Finding;
use super::tree::Tree;

const LICENCE: &str = "MIT OR Apache-2.0";
const LICENCE_FILES: &[&str] = &["LICENSE-MIT", "LICENSE-APACHE"];
const FROM_WORKSPACE: &[&str] = &["version", "edition", "rust-version", "license", "repository", "authors"];
/// They want a C toolchain and cmake, or are GPL. `deny.toml` says the same to
/// those who have `cargo deny`.
const STAYS_OUT: &[&str] = &["openssl", "openssl-sys", "native-tls", "aws-lc-rs", "aws-lc-sys", "cmake", "html2md"];
const NEVER_PUBLISHED: &[&str] = &["xtask", "webhand-proof"];

/// Manifests out of line.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = check_root(tree);
    findings.extend(tree.text("Cargo.lock").map(check_lock).unwrap_or_default());
    for (path, text) in tree.manifests() {
        if let Ok(manifest) = text.parse::<Table>() {
            findings.extend(check_member(&manifest).into_iter().map(|says| Finding::in_file(path, says)));
        }
    }
    findings
}

fn check_root(tree: &Tree) -> Vec<Finding> {
    let root = tree.text("Cargo.toml").and_then(|text| text.parse::<Table>().ok()).unwrap_or_default();
    let workspace = |keys: &[&str]| keys.iter().try_fold(root.get("workspace")?, |value, key| value.get(key)).cloned();
    let mut findings = Vec::new();
    if workspace(&["package", "license"]).as_ref().and_then(Value::as_str) != Some(LICENCE) {
        findings.push(Finding::in_file("Cargo.toml", format!("the licence is {LICENCE}")));
    }
    if workspace(&["lints", "rust", "unsafe_code"]).as_ref().and_then(Value::as_str) != Some("forbid") {
        findings.push(Finding::in_file("Cargo.toml", "unsafe code is forbidden in the whole workspace"));
    }
    let missing = LICENCE_FILES.iter().filter(|file| tree.text(file).is_none_or(str::is_empty));
    findings.extend(missing.map(|file| Finding::in_file(file, "is missing")));
    findings
}

fn check_lock(text: &str) -> Vec<Finding> {
    let names = (1..).zip(text.lines()).filter_map(|(number, line)| {
        let name = line.strip_prefix("name = \"")?.strip_suffix('"')?;
        Some((number, name))
    });
    names
        .filter(|(_, name)| STAYS_OUT.contains(name))
        .map(|(number, name)| Finding::at("Cargo.lock", number, format!("{name} stays out")))
        .collect()
}

fn check_member(manifest: &Table) -> Vec<String> {
    let mut says = Vec::new();
    let package = manifest.get("package").and_then(Value::as_table).cloned().unwrap_or_default();
    let inherits = |value: Option<&Value>| value.and_then(|it| it.get("workspace")) == Some(&Value::Boolean(true));
    for key in FROM_WORKSPACE {
        if !inherits(package.get(*key)) {
            says.push(format!("write {key}.workspace = true"));
        }
    }
    if package.get("description").and_then(Value::as_str).is_none_or(str::is_empty) {
        says.push("has no description".to_owned());
    }
    if !inherits(manifest.get("lints")) {
        says.push("write [lints] workspace = true".to_owned());
    }
    let name = package.get("name").and_then(Value::as_str).unwrap_or_default();
    if NEVER_PUBLISHED.contains(&name) && package.get("publish") != Some(&Value::Boolean(false)) {
        says.push("is never published: write publish = false".to_owned());
    }
    for table in ["dependencies", "dev-dependencies", "build-dependencies"] {
        let dependencies = manifest.get(table).and_then(Value::as_table).into_iter().flatten();
        for (dependency, value) in dependencies {
            if !inherits(Some(value)) {
                says.push(format!("{dependency}: versions stand only in the workspace"));
            }
        }
    }
    says
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stays_out_is_told() {
        let lock = "[[package]]\nname = \"serde\"\n[[package]]\nname = \"openssl-sys\"\n";
        assert_eq!(check_lock(lock), [Finding::at("Cargo.lock", 4, "openssl-sys stays out")]);
    }

    #[test]
    fn a_member_takes_from_the_workspace() {
        let inherited: String = FROM_WORKSPACE.iter().map(|key| format!("{key}.workspace = true\n")).collect();
        let good = format!(
            "[package]\nname = \"a\"\ndescription = \"b\"\n{inherited}[lints]\nworkspace = true\n\
             [dependencies]\nserde.workspace = true\ntokio = {{ workspace = true, features = [] }}\n"
        );
        assert_eq!(check_member(&good.parse().unwrap()), Vec::<String>::new());
        let own_version = good.replace("serde.workspace = true", "serde = \"1\"");
        assert_eq!(check_member(&own_version.parse().unwrap()), ["serde: versions stand only in the workspace"]);
        assert_eq!(check_member(&"[package]\nname = \"xtask\"".parse().unwrap()).len(), FROM_WORKSPACE.len() + 3);
    }
}
