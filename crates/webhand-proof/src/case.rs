//! A case: what is done with a fixture page, and what must hold. Data, read from TOML. Pure.
//!
//! The form is described for people in `docs/gauntlet-form.md`; this module is its only reader. It must not know how a
//! case is run.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{
    driver::Place,
    fault::{Fault, Hold},
    files::{FileFixture, SavedExpected},
    sight::{Addresses, Reached, STATE_KEYS, View},
    site::{Origin, Route, Site},
};

/// A page with the steps to take on it.
#[derive(Clone, Debug)]
pub struct Case {
    /// The case file's stem: `a03-cookie-wall`.
    pub name: String,
    /// The row it belongs to: `A03`.
    pub id: String,
    /// What the page is, in a few words.
    pub title: String,
    /// The path that is opened first: `/a03-cookie-wall.html`.
    pub page: String,
    /// The kinds of browser in which it must hold.
    pub browsers: Vec<Kind>,
    /// How the page is shown, and how patient the engine is.
    pub setting: Setting,
    /// How many times it is run.
    pub repeat: u32,
    /// What the server has beside the folder's files.
    pub site: Site,
    /// Files of this machine that there are before it begins.
    pub files: Vec<FileFixture>,
    /// Whether nothing may be uploaded.
    pub no_uploads: bool,
    /// The steps.
    pub steps: Vec<Step>,
}

/// How a page is shown, and how patient the engine is with it; the engine's own where nothing is said.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Setting {
    /// Width and height of the view.
    pub viewport: Option<[u32; 2]>,
    /// How many pixels of the screen one of the view takes.
    pub scale: Option<f64>,
    /// The browser's own zoom: so many times fewer pixels in the view, each so many times as large.
    pub zoom: Option<f64>,
    /// How long an action may take.
    pub action_within: Option<Duration>,
    /// How long a page may take to load.
    pub navigation_within: Option<Duration>,
}

/// A kind of browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The headless shell.
    Shell,
    /// The whole browser with `--headless=new`.
    New,
}

impl Kind {
    /// As written in case files and reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Shell => "shell",
            Kind::New => "new",
        }
    }
}

/// One step.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "StepFile")]
pub struct Step {
    /// What is done.
    pub verb: Verb,
    /// The look whose handles it uses; the last one when absent.
    pub uses: Option<String>,
    /// What may hold afterwards: one of these must, wholly.
    pub accept: Vec<Acceptable>,
    /// How long it may take at most.
    pub within_ms: Option<u64>,
    /// What is done beside it, while the engine acts.
    pub meanwhile: Vec<Beside>,
}

/// What is done beside an action that is under way.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Beside {
    /// How long after the one before (the first: after the action began).
    #[serde(default)]
    pub after_ms: u64,
    /// An action that needs no page.
    pub act: Option<Value>,
    /// Not before the server was asked for that path since the step began.
    pub after_request: Option<String>,
    /// Ends what is under way.
    #[serde(default)]
    pub stop: bool,
    /// Takes something away under it.
    pub fault: Option<Fault>,
    /// What the engine must say of the action.
    pub outcome: Option<OutcomeExpected>,
    /// How long it may take.
    pub within_ms: Option<u64>,
}

/// What a step does.
#[derive(Clone, Debug)]
pub enum Verb {
    /// The engine looks, and what it shows is judged.
    Look(Box<Look>),
    /// The engine performs one action.
    Act(Value),
    /// The engine performs several actions as one reply.
    Batch(Vec<Value>, BatchRules),
    /// The engine decodes and performs a model's reply.
    Reply(String),
    /// The page changes itself: a script run in its own world.
    PageScript(String),
    /// The page is waited for: its record must come to hold.
    WaitRecord(RecordExpected),
    /// Something is taken away from the engine.
    Fault(Fault),
    /// Nothing is done; only the record is judged.
    Check,
}

/// How a reply of several actions is run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BatchRules {
    /// Go on after so many failures; 0 stops at the first.
    pub go_on_after_failures: u32,
}

/// What a look must show.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Look {
    /// A label for its handles, for later steps.
    pub r#as: Option<String>,
    /// Controls that must be listed.
    pub lists: Vec<Matcher>,
    /// Controls that must not be listed at all.
    pub lacks: Vec<Matcher>,
    /// Controls that must not be offered as usable: not listed, or listed as covered or disabled.
    pub unusable: Vec<Matcher>,
    /// How many controls of a sort there must be.
    pub counts: Vec<Count>,
    /// Texts that must be seen: in a node's text or name, and in the usual output.
    pub text: Vec<String>,
    /// Texts that must stand in the usual output, wherever in it: words for states, above all.
    pub output: Vec<String>,
    /// Texts that must stand in no output at all.
    pub no_text: Vec<String>,
    /// Nodes that must be seen, controls or not.
    pub nodes: Vec<Matcher>,
    /// The cells of a table, row by row, as its nodes show them.
    pub table: Vec<Vec<String>>,
    /// The page's title.
    pub title: Option<String>,
    /// A part of the page's address.
    pub url_has: Option<String>,
    /// How many tabs there are.
    pub tabs: Option<usize>,
    /// The label of a look: its tabs must still be there, under the same ids and addresses.
    pub keeps_tabs_of: Option<String>,
    /// The dialog that must be held open.
    pub dialog: Option<DialogExpected>,
    /// Texts that must be seen in this order, in the nodes and in the usual output.
    pub order: Vec<String>,
    /// Texts that must not stand in the usual output, though they may in another.
    pub output_lacks: Vec<String>,
    /// How many tokens the usual output may take; 0 for all of it.
    pub max_tokens: u32,
    /// Whether links say where they lead in the usual output.
    pub addresses: Addresses,
    /// Every control must stand in the usual output or be counted where it was left out.
    pub all_counted: bool,
}

/// A dialog that must be held open.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DialogExpected {
    /// Its kind; empty for "none may be open".
    #[serde(default)]
    pub kind: String,
    /// A part of its message.
    #[serde(default)]
    pub message: String,
}

/// Describes a node. Every key that is given must agree.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Matcher {
    /// The role, exactly.
    #[serde(default)]
    pub role: Option<String>,
    /// The name, exactly.
    #[serde(default)]
    pub name: Option<String>,
    /// A part of the name.
    #[serde(default)]
    pub name_has: Option<String>,
    /// Which of several, from 1.
    #[serde(default)]
    pub nth: Option<usize>,
    /// It must carry the same handle as in the look of this label.
    #[serde(default)]
    pub same_ref_as: Option<String>,
    /// States; see `STATE_KEYS`.
    #[serde(flatten)]
    pub state: Map<String, Value>,
}

/// How many controls of a sort there must be.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Count {
    /// Which ones; all when absent.
    #[serde(default)]
    pub of: Matcher,
    /// How many.
    pub is: usize,
}

/// One acceptable ending of a step.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Acceptable {
    /// What the engine must say.
    pub outcome: Option<OutcomeExpected>,
    /// What the page's own record must hold.
    pub record: Option<RecordExpected>,
    /// What the server must have received.
    pub requests: Vec<RequestExpected>,
    /// The files that the engine must have kept: these and no others.
    pub saved: Option<Vec<SavedExpected>>,
}

/// What the engine must say.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OutcomeExpected {
    /// Whether it claims success. When absent: it must, unless a code or items are given.
    pub ok: Option<bool>,
    /// The error code, or several that will do.
    pub code: Codes,
    /// Texts that its words must contain, in any case.
    pub says: Vec<String>,
    /// Texts that its effects must contain, in any case.
    pub effects: Vec<String>,
    /// Texts that nothing it returned may contain.
    pub lacks: Vec<String>,
    /// Texts that what it returned must contain, in its words or its data.
    pub returns: Vec<String>,
    /// Controls whose handles its words must contain.
    pub names: Vec<Matcher>,
    /// The letter of a handle that its words must contain (`D`: some `D7`), for what no look has listed yet.
    pub says_handle: Option<char>,
    /// For several actions: how far each must come.
    pub items: Vec<Reached>,
}

/// One code or several.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(untagged)]
pub enum Codes {
    /// Any.
    #[default]
    Any,
    /// This one.
    One(String),
    /// One of these.
    Several(Vec<String>),
}

impl Codes {
    /// Whether this code will do.
    #[must_use]
    pub fn allow(&self, code: Option<&str>) -> bool {
        match self {
            Codes::Any => true,
            Codes::One(wanted) => code == Some(wanted),
            Codes::Several(wanted) => wanted.iter().any(|wanted| code == Some(wanted)),
        }
    }

    /// Whether a code is asked for.
    #[must_use]
    pub fn given(&self) -> bool {
        !matches!(self, Codes::Any)
    }
}

impl OutcomeExpected {
    /// Whether the engine must claim success (`None`: items decide).
    #[must_use]
    pub fn must_claim(&self) -> Option<bool> {
        match self.ok {
            Some(ok) => Some(ok),
            None if self.code.given() => Some(false),
            None if self.items.is_empty() => Some(true),
            None => None,
        }
    }
}

/// What the page's record must hold.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordExpected {
    /// An expression, evaluated in the page's own world.
    pub js: String,
    /// Its value.
    #[serde(default)]
    pub is: Option<Value>,
    /// Its value as JSON text, for what TOML cannot write (`null`).
    #[serde(default)]
    pub is_json: Option<String>,
    /// In which page.
    #[serde(default)]
    pub place: Place,
    /// How long a wait may take at most.
    #[serde(default = "default_wait")]
    pub within_ms: u64,
}

fn default_wait() -> u64 {
    5_000
}

impl RecordExpected {
    /// The value that must stand.
    #[must_use]
    pub fn wanted(&self) -> Value {
        match (&self.is, &self.is_json) {
            (Some(value), _) => value.clone(),
            (None, Some(text)) => serde_json::from_str(text).unwrap_or(Value::Null),
            (None, None) => Value::Bool(true),
        }
    }
}

/// What the server must have received.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RequestExpected {
    /// The path.
    pub path: String,
    /// Only this method.
    pub method: Option<String>,
    /// How many times.
    pub count: usize,
    /// A part of the last one's body or query.
    pub body_has: Option<String>,
}

/// Why a file is not a case.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CaseError {
    /// It is not TOML of this form.
    #[error("{name}: {source}")]
    Form {
        /// The file.
        name: String,
        /// Where and why.
        #[source]
        source: Box<toml::de::Error>,
    },
    /// A step makes no sense.
    #[error("{name}, step {step}: {why}")]
    Step {
        /// The file.
        name: String,
        /// Which step, from 1.
        step: usize,
        /// Why.
        why: String,
    },
    /// The case as a whole makes no sense.
    #[error("{name}: {why}")]
    Whole {
        /// The file.
        name: String,
        /// Why.
        why: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseFile {
    id: String,
    title: String,
    page: Option<String>,
    #[serde(default = "both_kinds")]
    browsers: Vec<Kind>,
    viewport: Option<[u32; 2]>,
    scale: Option<f64>,
    zoom: Option<f64>,
    action_within_ms: Option<u64>,
    navigation_within_ms: Option<u64>,
    #[serde(default = "once")]
    repeat: u32,
    #[serde(default)]
    origins: Vec<Origin>,
    #[serde(default, rename = "route")]
    routes: Vec<Route>,
    #[serde(default, rename = "file")]
    files: Vec<FileFixture>,
    #[serde(default)]
    no_uploads: bool,
    #[serde(rename = "step")]
    steps: Vec<StepFile>,
}

fn both_kinds() -> Vec<Kind> {
    vec![Kind::Shell, Kind::New]
}

fn once() -> u32 {
    1
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StepFile {
    look: Option<Look>,
    act: Option<Value>,
    batch: Option<Vec<Value>>,
    #[serde(default)]
    rules: BatchRules,
    reply: Option<String>,
    page_script: Option<String>,
    wait_record: Option<RecordExpected>,
    fault: Option<Fault>,
    r#use: Option<String>,
    outcome: Option<OutcomeExpected>,
    record: Option<RecordExpected>,
    #[serde(default)]
    requests: Vec<RequestExpected>,
    saved: Option<Vec<SavedExpected>>,
    #[serde(default)]
    either: Vec<Acceptable>,
    within_ms: Option<u64>,
    #[serde(default)]
    meanwhile: Vec<Beside>,
}

impl Case {
    /// Reads a case file's text; `name` is the file's stem.
    ///
    /// # Errors
    /// When the text is not of this form, or a step makes no sense.
    pub fn parse(name: &str, text: &str) -> Result<Self, CaseError> {
        let file: CaseFile =
            toml::from_str(text).map_err(|source| CaseError::Form { name: name.into(), source: Box::new(source) })?;
        let whole = |why: &str| CaseError::Whole { name: name.into(), why: why.into() };
        let letters = file.id.chars().take_while(char::is_ascii_uppercase).count();
        let digits = file.id.chars().skip(letters).collect::<String>();
        if letters == 0 || digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(whole("`id` is capital letters and a number, such as \"A03\""));
        }
        if file.browsers.is_empty() || file.steps.is_empty() || file.repeat == 0 {
            return Err(whole("a case needs a browser, a step and at least one run"));
        }
        let steps = file
            .steps
            .into_iter()
            .enumerate()
            .map(|(index, step)| {
                Step::try_from(step).map_err(|why| CaseError::Step { name: name.into(), step: index + 1, why })
            })
            .collect::<Result<_, _>>()?;
        if [file.scale, file.zoom].into_iter().flatten().any(|times| !(0.1..=10.0).contains(&times)) {
            return Err(whole("`scale` and `zoom` are between 0.1 and 10"));
        }
        let setting = Setting {
            viewport: file.viewport,
            scale: file.scale,
            zoom: file.zoom,
            action_within: file.action_within_ms.map(Duration::from_millis),
            navigation_within: file.navigation_within_ms.map(Duration::from_millis),
        };
        let site = Site { origins: file.origins, routes: file.routes, ..Site::default() };
        let page = file.page.unwrap_or_else(|| format!("{name}.html"));
        Ok(Self {
            name: name.to_owned(),
            id: file.id,
            title: file.title,
            page: format!("/{}", page.trim_start_matches('/')),
            browsers: file.browsers,
            setting,
            repeat: file.repeat,
            site,
            files: file.files,
            no_uploads: file.no_uploads,
            steps,
        })
    }
}

impl Case {
    /// How its browser must be got for what is done to it.
    #[must_use]
    pub fn hold(&self) -> Hold {
        let besides = self.steps.iter().flat_map(|step| &step.meanwhile).filter_map(|beside| beside.fault);
        let between = self.steps.iter().filter_map(|step| match step.verb {
            Verb::Fault(fault) => Some(fault),
            _ => None,
        });
        let faults: Vec<Fault> = besides.chain(between).collect();
        match (faults.is_empty(), faults.contains(&Fault::Socket)) {
            (true, _) => Hold::Shared,
            (_, false) => Hold::Launched,
            (_, true) => Hold::Attached,
        }
    }
}

impl TryFrom<StepFile> for Step {
    type Error = String;

    fn try_from(file: StepFile) -> Result<Self, String> {
        let verbs = [
            file.look.map(|look| Verb::Look(Box::new(look))),
            file.act.map(Verb::Act),
            file.batch.map(|actions| Verb::Batch(actions, file.rules)),
            file.reply.map(Verb::Reply),
            file.page_script.map(Verb::PageScript),
            file.wait_record.map(Verb::WaitRecord),
            file.fault.map(Verb::Fault),
        ];
        let mut verbs = verbs.into_iter().flatten();
        let verb = verbs.next().unwrap_or(Verb::Check);
        if verbs.next().is_some() {
            return Err("a step does one thing: look, act, batch, reply, page_script, wait_record or fault".into());
        }
        let own = Acceptable { outcome: file.outcome, record: file.record, requests: file.requests, saved: file.saved };
        let given = own.outcome.is_some() || own.record.is_some() || !own.requests.is_empty() || own.saved.is_some();
        let accept = match (given, file.either) {
            (true, either) if !either.is_empty() => return Err("`either` stands alone".into()),
            (false, either) if !either.is_empty() => either,
            _ => vec![own],
        };
        let step = Step { verb, uses: file.r#use, accept, within_ms: file.within_ms, meanwhile: file.meanwhile };
        step.validate()?;
        Ok(step)
    }
}

impl Step {
    /// Whether the step makes the engine act.
    #[must_use]
    pub fn acts(&self) -> bool {
        matches!(self.verb, Verb::Act(_) | Verb::Batch(..) | Verb::Reply(_))
    }

    /// What the step is, in a few words for messages.
    #[must_use]
    pub fn brief(&self) -> String {
        let kind = |action: &Value| action.get("type").and_then(Value::as_str).unwrap_or("?").to_owned();
        match &self.verb {
            Verb::Look(_) => "look".into(),
            Verb::Act(action) => format!("act {}", kind(action)),
            Verb::Batch(actions, _) => format!("batch {}", actions.iter().map(kind).collect::<Vec<_>>().join(", ")),
            Verb::Reply(_) => "reply".into(),
            Verb::PageScript(_) => "page_script".into(),
            Verb::WaitRecord(_) => "wait_record".into(),
            Verb::Fault(fault) => format!("fault {}", fault.as_str()),
            Verb::Check => "check".into(),
        }
    }

    fn validate(&self) -> Result<(), String> {
        let judged =
            |ending: &Acceptable| ending.record.is_some() || !ending.requests.is_empty() || ending.saved.is_some();
        if !self.acts() && self.accept.iter().any(|ending| ending.outcome.is_some()) {
            return Err("only act, batch and reply have an outcome".into());
        }
        if !self.acts() && !self.meanwhile.is_empty() {
            return Err("only beside act, batch and reply is there a meanwhile".into());
        }
        let deeds = |beside: &Beside| [beside.act.is_some(), beside.stop, beside.fault.is_some()];
        if self.meanwhile.iter().any(|beside| deeds(beside).into_iter().filter(|done| *done).count() != 1) {
            return Err("each of `meanwhile` is an act or a stop or a fault".into());
        }
        if matches!(self.verb, Verb::Check) && !self.accept.iter().all(judged) {
            return Err("a step needs something to do or to judge".into());
        }
        if let Verb::Look(look) = &self.verb {
            look.matchers().try_for_each(Matcher::validate)?;
        }
        for ending in &self.accept {
            if let Some(outcome) = &ending.outcome {
                outcome.names.iter().try_for_each(Matcher::validate)?;
            }
            if let Some(text) = ending.record.as_ref().and_then(|record| record.is_json.as_ref()) {
                serde_json::from_str::<Value>(text).map_err(|error| format!("`is_json`: {error}"))?;
            }
        }
        Ok(())
    }
}

impl Look {
    /// How the page is to be shown.
    #[must_use]
    pub fn view(&self) -> View {
        View { max_tokens: self.max_tokens, addresses: self.addresses }
    }

    fn matchers(&self) -> impl Iterator<Item = &Matcher> {
        let counted = self.counts.iter().map(|count| &count.of);
        self.lists.iter().chain(&self.lacks).chain(&self.unusable).chain(&self.nodes).chain(counted)
    }
}

impl Matcher {
    fn validate(&self) -> Result<(), String> {
        match self.state.keys().find(|key| !STATE_KEYS.contains(&key.as_str())) {
            Some(key) => Err(format!("`{key}` is no state; states are {}", STATE_KEYS.join(", "))),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
#[path = "case_tests.rs"]
mod tests;
