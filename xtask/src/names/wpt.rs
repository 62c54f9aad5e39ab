//! Web-platform-tests' accname cases, from a JSON file of pages: `{"pages": [{"source", "style", "body"}]}`. In a body, an
//! element with `data-expectedlabel` must have that name; `data-testname` says what is tested.
//!
//! The file is a third party's and is used from where it is; here stand only short digests of its cases. It must not know
//! how a page is judged.

use std::collections::HashMap;
use std::path::Path;

use miette::{Context as _, IntoDiagnostic as _};
use serde::Deserialize;

use super::judge::{Case, Page};

/// What names the expected label.
const EXPECTED: &str = "data-expectedlabel";
const TEST: &str = "data-testname";

#[derive(Debug, Deserialize)]
struct File {
    pages: Vec<Source>,
}

/// One page of tests.
#[derive(Debug, Deserialize)]
struct Source {
    source: String,
    /// Elements of style.
    #[serde(default)]
    style: String,
    body: String,
}

/// The pages of a file.
pub(crate) fn pages(path: &Path) -> miette::Result<Vec<Page>> {
    let file = path.display();
    let text = std::fs::read_to_string(path).into_diagnostic().wrap_err_with(|| format!("cannot read {file}"))?;
    let file: File =
        serde_json::from_str(&text).into_diagnostic().wrap_err_with(|| format!("{file} is no such file"))?;
    Ok(file.pages.iter().map(page).collect())
}

fn page(source: &Source) -> Page {
    let stem = source.source.rsplit_once("accname/name/").map_or(source.source.as_str(), |(_, name)| name);
    let stem = stem.trim_end_matches(".html");
    let mut seen: HashMap<String, usize> = HashMap::new();
    let cases = tags(&source.body).filter_map(|tag| {
        let expected = attribute(tag, EXPECTED)?;
        let test = attribute(tag, TEST).unwrap_or_default();
        let digest = format!("{stem}/{:08x}", digest(&[&test, &expected]));
        let repeated = seen.entry(digest.clone()).and_modify(|count| *count += 1).or_insert(1);
        let id = if *repeated == 1 { digest } else { format!("{digest}-{repeated}") };
        Some(Case { id, mark: expected.clone(), name: Some(expected), role: None, why: test })
    });
    Page {
        cases: cases.collect(),
        html: format!("<!doctype html><meta charset=utf-8>{}<body>{}", source.style, source.body),
        mark: EXPECTED.to_owned(),
    }
}

/// The start tags of a text, roughly: enough to find marked ones.
fn tags(body: &str) -> impl Iterator<Item = &str> {
    body.match_indices('<').filter_map(|(at, _)| {
        let tag = body.get(at..)?;
        if !tag.get(1..2)?.starts_with(|first: char| first.is_ascii_alphabetic()) {
            return None;
        }
        let mut quote = None;
        let end = tag.char_indices().find(|(_, letter)| match (quote, *letter) {
            (None, '>') => true,
            (None, '"' | '\'') => {
                quote = Some(*letter);
                false
            }
            (Some(open), letter) if open == letter => {
                quote = None;
                false
            }
            _ => false,
        });
        tag.get(..end?.0)
    })
}

/// The value of an attribute of a start tag, with its character references read.
fn attribute(tag: &str, key: &str) -> Option<String> {
    let rest = tag.split(key).nth(1)?.trim_start().strip_prefix('=')?.trim_start();
    let quote = rest.chars().next().filter(|first| matches!(first, '"' | '\''));
    let value = match quote {
        Some(quote) => rest.get(1..)?.split(quote).next()?,
        None => rest.split_ascii_whitespace().next()?,
    };
    Some(
        value
            .replace("&quot;", "\"")
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&nbsp;", "\u{a0}")
            .replace("&amp;", "&"),
    )
}

/// A short digest (FNV-1a): names a case without its text.
fn digest(parts: &[&str]) -> u32 {
    let mut hash: u32 = 0x811c_9dc5;
    for byte in parts.iter().flat_map(|part| part.bytes().chain([0])) {
        hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_elements_become_cases() {
        let body = r#"<p>1 < 2</p><a title="a>b" data-expectedlabel='Tom &amp; "Jo"' data-testname="x">x</a>
            <i data-expectedlabel="" data-testname="y"></i><b>not</b><i data-expectedlabel="" data-testname="y"></i>"#;
        let source = Source { source: "accname/name/z.html".to_owned(), style: String::new(), body: body.to_owned() };
        let cases = page(&source).cases;
        let told: Vec<_> = cases.iter().map(|case| (case.name.as_deref(), case.why.as_str())).collect();
        assert_eq!(told, [(Some("Tom & \"Jo\""), "x"), (Some(""), "y"), (Some(""), "y")]);
        assert!(cases.iter().all(|case| case.id.starts_with("z/")));
        assert_eq!(cases[2].id, format!("{}-2", cases[1].id));
        assert_ne!(cases[0].id, cases[1].id);
    }
}
