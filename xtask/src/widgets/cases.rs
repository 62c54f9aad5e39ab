//! The cases of component libraries: a file a library, its steps in the gauntlet's form. Data only; nothing is run here.

use std::{collections::BTreeSet, path::Path};

use miette::{Context as _, IntoDiagnostic as _, ensure};
use serde::Deserialize;
use webhand_proof::{
    Case, Site,
    case::{Kind, Look, Setting, Step, Verb},
};

use super::bundle::Pages;

/// What a widget is for. A closed list: a row of the table has a column for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Sort {
    /// A field of text or numbers.
    Text,
    /// Rich text or code.
    Editor,
    /// One or several of some options.
    Choice,
    /// A check box, a radio button, a switch.
    Check,
    /// A date or a time.
    Date,
    /// A value on a scale.
    Slider,
    /// Whatever else.
    Other,
}

impl Sort {
    pub(super) const ALL: [(Sort, &'static str); 7] = [
        (Sort::Text, "text"),
        (Sort::Editor, "editor"),
        (Sort::Choice, "choice"),
        (Sort::Check, "check"),
        (Sort::Date, "date"),
        (Sort::Slider, "slider"),
        (Sort::Other, "other"),
    ];
}

/// A file of cases.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseFile {
    /// The page, where it is not called as the file is.
    page: Option<String>,
    case: Vec<CaseEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseEntry {
    id: String,
    kind: Sort,
    title: String,
    /// The state that the page is opened to first.
    open: Option<String>,
    viewport: Option<[u32; 2]>,
    step: Vec<Step>,
}

/// One case, ready to be run.
#[derive(Clone, Debug)]
pub(super) struct WidgetCase {
    pub(super) library: String,
    pub(super) sort: Sort,
    pub(super) fixture: Case,
}

/// Cases, library by library, in the order of their files.
#[derive(Clone, Debug, Default)]
pub(super) struct Cases(Vec<WidgetCase>);

impl Cases {
    /// Reads every file of a folder; each must have its page among those that are bundled.
    pub(super) fn read(folder: &Path, pages: &Pages) -> miette::Result<Self> {
        let listed = std::fs::read_dir(folder).into_diagnostic().wrap_err_with(|| folder.display().to_string())?;
        let mut files = listed.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>();
        if let Ok(files) = &mut files {
            files.retain(|file| file.extension().is_some_and(|ending| ending == "toml"));
            files.sort();
        }
        let mut cases = Vec::new();
        for file in files.into_diagnostic()? {
            let library = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            let text = std::fs::read_to_string(&file).into_diagnostic().wrap_err_with(|| file.display().to_string())?;
            cases.extend(parse(&library, &text, pages).wrap_err_with(|| file.display().to_string())?);
        }
        Ok(Self(cases))
    }

    /// Those of these libraries, all where none is named, whose ids begin so.
    pub(super) fn only(&self, libraries: &[String], prefix: &str) -> Self {
        let wanted = |case: &&WidgetCase| {
            (libraries.is_empty() || libraries.contains(&case.library)) && case.fixture.id.starts_with(prefix)
        };
        Self(self.0.iter().filter(wanted).cloned().collect())
    }

    pub(super) fn fixtures(&self) -> Vec<Case> {
        self.0.iter().map(|case| case.fixture.clone()).collect()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &WidgetCase> {
        self.0.iter()
    }

    pub(super) fn libraries(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.0.iter().map(|case| case.library.as_str()).collect();
        names.dedup();
        names
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

fn parse(library: &str, text: &str, pages: &Pages) -> miette::Result<Vec<WidgetCase>> {
    let file: CaseFile = toml::from_str(text).into_diagnostic()?;
    let page = file.page.as_deref().unwrap_or(library);
    ensure!(pages.names.iter().any(|name| name == page), "there is no page {page:?}: {}", pages.names.join(", "));
    let mut ids = BTreeSet::new();
    let mut cases = Vec::new();
    for entry in file.case {
        ensure!(ids.insert(entry.id.clone()), "two cases are called {:?}", entry.id);
        let id = format!("{library}/{}", entry.id);
        let fixture = Case {
            name: id.clone(),
            id,
            title: entry.title,
            page: format!("/{page}.html"),
            browsers: vec![Kind::Shell, Kind::New],
            setting: Setting { viewport: entry.viewport, ..Setting::default() },
            repeat: 1,
            site: Site::new().folder(&pages.folder),
            files: Vec::new(),
            no_uploads: false,
            steps: opening(entry.open.as_deref()).into_iter().chain(entry.step).collect(),
        };
        cases.push(WidgetCase { library: library.to_owned(), sort: entry.kind, fixture });
    }
    Ok(cases)
}

/// What every case begins with: the page stands, is opened to the state that the case wants, and is looked at.
fn opening(state: Option<&str>) -> Vec<Step> {
    let step = |verb: Verb| Step { verb, uses: None, accept: Vec::new(), within_ms: None, meanwhile: Vec::new() };
    let script = |code: String| step(Verb::PageScript(code));
    let mut steps = vec![script("window.__settled".to_owned())];
    steps.extend(state.map(|state| script(format!("window.__open({})", serde_json::Value::from(state)))));
    steps.push(step(Verb::Look(Box::<Look>::default())));
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages() -> Pages {
        Pages { folder: "built".into(), names: vec!["quill".to_owned()] }
    }

    const CASE: &str = r#"
        [[case]]
        id = "note"
        kind = "editor"
        title = "a note"
        open = "link"
        [[case.step]]
        act = { type = "fill", target = { role = "textbox", name = "Note" }, text = "x" }
        record = { js = "__now('note')", is = "x" }
    "#;

    #[test]
    fn a_case_opens_its_state_and_looks_before_its_own_steps() {
        let cases = parse("quill", CASE, &pages()).unwrap();
        let [WidgetCase { library, sort, fixture }] = cases.as_slice() else { panic!("{cases:?}") };
        assert_eq!((library.as_str(), *sort), ("quill", Sort::Editor));
        assert_eq!((fixture.id.as_str(), fixture.page.as_str()), ("quill/note", "/quill.html"));
        let [settled, open, look, act] = fixture.steps.as_slice() else { panic!("{:?}", fixture.steps) };
        assert!(matches!(&settled.verb, Verb::PageScript(code) if code == "window.__settled"));
        assert!(matches!(&open.verb, Verb::PageScript(code) if code == r#"window.__open("link")"#));
        assert!(matches!(look.verb, Verb::Look(_)) && act.acts());
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        assert!(parse("nothing", CASE, &pages()).is_err(), "a page that is not there");
        assert!(parse("quill", &format!("{CASE}{CASE}"), &pages()).is_err(), "one id twice");
        assert!(parse("quill", &CASE.replace("editor", "poem"), &pages()).is_err(), "a kind that is none");
        assert!(parse("quill", &CASE.replace("record", "recrod"), &pages()).is_err(), "a key that is none");
    }
}
