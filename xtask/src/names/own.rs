//! The project's own cases: `tests/names/*.toml`, written from accname-1.2, html-aam and wai-aria.
//!
//! A file is a list of cases (the form is in `docs/names.md`); as many as can stand side by side share a page. It must not
//! know how a page is judged.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use miette::{Context as _, IntoDiagnostic as _, ensure};
use serde::Deserialize;

use super::judge::{Case, Page};

/// What marks the element that a case is about.
const MARK: &str = "data-case";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    case: Vec<Own>,
}

/// One case as it is written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Own {
    id: String,
    html: String,
    /// Which element: a selector, `>>>` goes into a shadow root. The first of the snippet where absent.
    select: Option<String>,
    name: Option<String>,
    role: Option<String>,
    spec: String,
}

/// The pages of all cases in a folder.
pub(crate) fn pages(folder: &Path) -> miette::Result<Vec<Page>> {
    let told = folder.display();
    let entries = std::fs::read_dir(folder).into_diagnostic().wrap_err_with(|| format!("cannot read {told}"))?;
    let mut files: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let mut cases = Vec::new();
    for path in files {
        let told = path.display();
        let text = std::fs::read_to_string(&path).into_diagnostic().wrap_err_with(|| format!("cannot read {told}"))?;
        let file: File =
            toml::from_str(&text).into_diagnostic().wrap_err_with(|| format!("{told} is no list of cases"))?;
        cases.extend(file.case);
    }
    check(&cases)?;
    Ok(batches(&cases).iter().map(|batch| page(batch)).collect())
}

fn check(cases: &[Own]) -> miette::Result<()> {
    let mut ids = BTreeSet::new();
    for case in cases {
        ensure!(ids.insert(&case.id), "two cases are called {:?}", case.id);
        ensure!(case.name.is_some() || case.role.is_some(), "the case {:?} expects nothing", case.id);
        ensure!(!case.spec.is_empty(), "the case {:?} says not where it is from", case.id);
    }
    Ok(())
}

/// Cases side by side: no two with the same id of an element; one with rules of style stands alone.
fn batches(cases: &[Own]) -> Vec<Vec<&Own>> {
    let mut batches: Vec<(BTreeSet<&str>, Vec<&Own>)> = Vec::new();
    let mut alone = Vec::new();
    for case in cases {
        if case.html.contains("<style") || case.html.contains("<script") {
            alone.push(vec![case]);
            continue;
        }
        let ids = element_ids(&case.html);
        match batches.iter_mut().find(|(taken, _)| taken.is_disjoint(&ids)) {
            Some((taken, batch)) => {
                taken.extend(ids);
                batch.push(case);
            }
            None => batches.push((ids, vec![case])),
        }
    }
    batches.into_iter().map(|(_, batch)| batch).chain(alone).collect()
}

/// The values of `id` and `name` in a snippet: both tie elements together.
fn element_ids(html: &str) -> BTreeSet<&str> {
    let values = [" id=", " name="].into_iter().flat_map(|key| html.split(key).skip(1)).map(|rest| {
        let quoted = rest.strip_prefix('"').and_then(|rest| rest.split('"').next());
        quoted.unwrap_or_else(|| rest.split([' ', '>', '/']).next().unwrap_or_default())
    });
    values.collect()
}

/// A document of these cases; its script marks the elements that they are about.
fn page(cases: &[&Own]) -> Page {
    let mut html = "<!doctype html><html lang=en><meta charset=utf-8><title>Names</title><body>".to_owned();
    let mut marks = Vec::new();
    let mut expected = Vec::new();
    for (number, own) in cases.iter().enumerate() {
        // writing to a String cannot fail
        let _ = writeln!(html, "<div data-stand={number}>{}</div>", own.html);
        marks.push((number, own.select.as_deref().unwrap_or("*")));
        expected.push(Case {
            id: own.id.clone(),
            mark: number.to_string(),
            name: own.name.clone(),
            role: own.role.clone(),
            why: own.spec.clone(),
        });
    }
    // what is no JSON does not come up: numbers and texts
    let marks = serde_json::to_string(&marks).unwrap_or_default().replace('<', "\\u003c");
    let _ = write!(html, "<script>for (const [number, path] of {marks}) {{{MARKING}}}</script>");
    Page { html, mark: MARK.to_owned(), cases: expected }
}

/// Marks one element; where there is none, nothing is marked, and the case tells.
const MARKING: &str = r"
  let root = document.querySelector(`[data-stand='${number}']`), el = null;
  for (const part of path.split('>>>')) {
    el = root && [...root.querySelectorAll(part.trim())].find((el) => !el.matches('script,style'));
    root = el && el.shadowRoot;
  }
  if (el) el.setAttribute('data-case', number);
";

#[cfg(test)]
mod tests {
    use super::*;

    fn own(id: &str, html: &str) -> Own {
        let (name, spec) = (Some(String::new()), "accname 2A".to_owned());
        Own { id: id.to_owned(), html: html.to_owned(), select: None, name, role: None, spec }
    }

    #[test]
    fn cases_that_would_meddle_stand_apart() {
        let cases = [
            own("a", "<i id=x></i>"),
            own("b", "<i id=y></i>"),
            own("c", "<i id=\"x\"></i>"),
            own("d", "<style>i{}</style>"),
            own("e", "<input name=x>"),
        ];
        let ids: Vec<Vec<&str>> =
            batches(&cases).iter().map(|batch| batch.iter().map(|case| case.id.as_str()).collect()).collect();
        assert_eq!(ids, [vec!["a", "b"], vec!["c"], vec!["e"], vec!["d"]]);
    }

    #[test]
    fn a_case_that_expects_nothing_or_comes_twice_is_refused() {
        assert!(check(&[own("a", ""), own("b", "")]).is_ok());
        assert!(check(&[own("a", ""), own("a", "")]).is_err());
        assert!(check(&[Own { name: None, ..own("a", "") }]).is_err());
    }

    #[test]
    fn the_cases_are_read() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/names");
        let cases: usize = pages(&folder).unwrap().iter().map(|page| page.cases.len()).sum();
        assert!(cases >= 250, "{cases}");
    }
}
