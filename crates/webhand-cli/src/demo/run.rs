//! The demo from end to end.

use std::{
    fmt,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use webhand::{
    Browser,
    agent::{
        Agent, AgentError, End, Model, ModelError, Run,
        journal::{Entry, Head, Journal, JournalError},
        models,
    },
    engine::{BrowserError, UrlJudge, install},
    guard::PatternError,
    journal::Store,
    models::ModelSetup,
    prelude::SessionError,
};

use super::{
    grants,
    narrator::Narrator,
    shop::{Order, Shop},
    verdict::{Verdict, verdict},
    wish::{doubts, task, wish},
};
use crate::{trouble::Trouble, work::Wanted};

/// How a demo is run.
pub struct DemoOptions {
    /// The browser as the settings want it.
    pub(crate) wanted: Wanted,
    /// Another page than our own shop.
    pub url: Option<String>,
    /// Another task than our own; needs `url`.
    pub task: Option<String>,
    /// `literal`, `script:FILE`, or a provider's model such as `openai/gpt-4.1`.
    pub model: Option<String>,
    /// The run's folder; a new temporary one where none is named.
    pub out: Option<PathBuf>,
    /// A pause before each step, for people who watch.
    pub slow: Duration,
    /// The folder of the journal; without one the run is not written down and cannot be taken up again.
    pub journal: Option<PathBuf>,
    /// Where the lines go.
    pub writer: Box<dyn Write + Send>,
}

impl Default for DemoOptions {
    fn default() -> Self {
        Self {
            wanted: Wanted::default(),
            url: None,
            task: None,
            model: None,
            out: None,
            slow: Duration::ZERO,
            journal: None,
            writer: Box::new(io::stdout()),
        }
    }
}

impl fmt::Debug for DemoOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DemoOptions")
            .field("wanted", &self.wanted)
            .field("url", &self.url)
            .field("task", &self.task)
            .field("model", &self.model)
            .field("out", &self.out)
            .field("slow", &self.slow)
            .finish_non_exhaustive()
    }
}

/// What came of a demo.
#[derive(Debug)]
#[non_exhaustive]
pub struct DemoReport {
    /// The run.
    pub run: Run,
    /// The order as the shop wrote it down, where it was our shop and its record agrees with the run.
    pub order: Option<Order>,
    /// The run's folder.
    pub folder: PathBuf,
    /// Whether all of it went well: in our shop this is the shop's record, not the run's word.
    pub succeeded: bool,
}

/// Why a demo could not be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DemoError {
    /// The browser could not be had.
    #[error(transparent)]
    Browser(#[from] BrowserError),
    /// What names the browser leads nowhere.
    #[error(transparent)]
    NotThere(Trouble),
    /// The task is for the literal model, and cannot be taken literally.
    #[error(transparent)]
    NotLiteral(models::literal::Unparsable),
    /// The session could not be opened.
    #[error("the first page could not be opened: {0}")]
    Session(#[from] SessionError),
    /// The run cannot be written down, or there is none to take up.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The shop could not be opened.
    #[error("the shop could not be opened: {0}")]
    Shop(#[source] io::Error),
    /// The run could not begin.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The model is not known or not usable.
    #[error("the model {name:?} cannot be used: {reason}")]
    Model {
        /// As it was named.
        name: String,
        /// Why.
        reason: String,
    },
    /// The address is not one that can be opened.
    #[error("the address {url:?} cannot be used: {reason}")]
    Address {
        /// As it was given.
        url: String,
        /// Why.
        reason: PatternError,
    },
    /// A task without a page: the shop has a task of its own.
    #[error("a task of your own needs an address too")]
    TaskWithoutAddress,
    /// The lines or the folder could not be written.
    #[error("the demo could not write: {0}")]
    Write(#[from] io::Error),
}

impl DemoError {
    /// The stable word for it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            DemoError::Browser(error) => error.code(),
            DemoError::NotThere(_) => "browser_not_found",
            DemoError::NotLiteral(_) => "not_literal",
            DemoError::Session(error) => error.code(),
            DemoError::Shop(_) => "shop",
            DemoError::Journal(error) => error.code(),
            DemoError::Agent(error) => error.code(),
            DemoError::Model { .. } => "model",
            DemoError::Address { .. } => "address",
            DemoError::TaskWithoutAddress => "task_without_address",
            DemoError::Write(_) => "write",
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            DemoError::Browser(error) => error.hint(),
            DemoError::NotThere(trouble) => trouble.hint.clone(),
            DemoError::NotLiteral(_) => Some("`webhand act --help` lists what is understood".to_owned()),
            DemoError::Agent(error) => error.hint(),
            DemoError::Journal(error) => error.hint(),
            DemoError::Model { .. } => Some(
                "use literal, script:FILE, or a provider's model such as openai/gpt-4.1 (docs/models.md)".to_owned(),
            ),
            DemoError::Address { reason, .. } => reason.hint(),
            DemoError::TaskWithoutAddress => Some("add --url".to_owned()),
            DemoError::Session(error) => error.hint(),
            DemoError::Shop(_) | DemoError::Write(_) => None,
        }
    }
}

/// What is to be driven.
struct Job {
    /// Our own shop, where it is that.
    shop: Option<Shop>,
    /// Where it begins; our own task says it itself.
    start: Option<String>,
    task: String,
    judge: Arc<dyn UrlJudge>,
}

/// What a journal keeps of a demo, to take it up again.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Origin {
    /// The run's folder; our own shop is in it.
    folder: PathBuf,
    url: Option<String>,
    model: Option<String>,
    slow_ms: u64,
}

/// Where a demo's entries go.
struct Keeping {
    store: Arc<Store>,
    origin: Value,
    /// What was written of it before it was interrupted.
    left: Option<(Arc<dyn Journal>, Vec<Entry>)>,
}

/// Runs the demo; the last line says how it ended.
///
/// # Errors
/// When it could not be run at all. A run that ended badly is a [`DemoReport`] that did not succeed.
pub async fn run(options: DemoOptions) -> Result<DemoReport, DemoError> {
    let DemoOptions { wanted, url, task, model, out, slow, journal, writer } = options;
    let narrator = Narrator::new(writer);
    let literal = model.as_deref().is_none_or(|name| name == "literal");
    if let Some(task) = task.as_deref().filter(|_| literal && url.is_some()) {
        models::literal::parse(task).map_err(DemoError::NotLiteral)?;
    }
    let folder = match out {
        Some(folder) => folder,
        None => tempfile::Builder::new().prefix("webhand-demo-").tempdir()?.keep(),
    };
    let folder = std::path::absolute(folder)?;
    let job = job(url.clone(), task, &folder).await?;
    let origin = Origin { folder, url, model, slow_ms: u64::try_from(slow.as_millis()).unwrap_or(u64::MAX) };
    let keeping = match journal {
        Some(journal) => {
            let store = Arc::new(Store::open(&journal)?);
            let value = serde_json::to_value(&origin).map_err(io::Error::from)?;
            Some(Keeping { store, origin: json!({ FACE: value }), left: None })
        }
        None => None,
    };
    carry_out(&wanted, job, &origin, keeping, &narrator).await
}

/// The key under which a demo's origin stands in a journal.
const FACE: &str = "demo";

/// What a demo's journal began with, where that run is one.
pub(crate) fn origin_of(head: &Head) -> Option<Origin> {
    serde_json::from_value(head.origin.get(FACE)?.clone()).ok()
}

/// Takes up a demo whose process ended: the shop opens again at its port with all that it knew, and the run goes on.
///
/// # Errors
/// When there is nothing to take up, or it cannot be.
pub(crate) async fn resume(
    wanted: &Wanted,
    store: Store,
    id: &str,
    writer: Box<dyn Write + Send>,
) -> Result<DemoReport, DemoError> {
    let narrator = Narrator::new(writer);
    let entries = store.entries(id)?;
    let Some(Entry::Began(head)) = entries.first() else {
        return Err(JournalError::NoRun { id: id.to_owned() }.into());
    };
    let Some(origin) = origin_of(head) else { return Err(JournalError::NoRun { id: id.to_owned() }.into()) };
    let journal = store.take_up(id).await?;
    let job = match &origin.url {
        None => {
            let shop = Shop::open_again(&origin.folder).await.map_err(DemoError::Shop)?;
            shop_job(shop)?
        }
        Some(url) => {
            let judge =
                grants::given(url, &head.task).map_err(|reason| DemoError::Address { url: url.clone(), reason })?;
            Job { shop: None, start: None, task: head.task.clone(), judge }
        }
    };
    let keeping = Keeping { store: Arc::new(store), origin: Value::Null, left: Some((Arc::new(journal), entries)) };
    carry_out(wanted, job, &origin, Some(keeping), &narrator).await
}

async fn carry_out(
    wanted: &Wanted,
    job: Job,
    origin: &Origin,
    keeping: Option<Keeping>,
    narrator: &Narrator,
) -> Result<DemoReport, DemoError> {
    let model = slowed(named_model(origin.model.as_deref())?, Duration::from_millis(origin.slow_ms));
    match &job.shop {
        Some(shop) => narrator.line(&format!("a small shop of our own at {}", shop.origin()))?,
        None => narrator.line(&format!("driving {}", origin.url.as_deref().unwrap_or_default()))?,
    }
    let browser = browser(wanted, Arc::clone(&job.judge), narrator).await?;
    let outcome = drive(&browser, wanted, &job, model, &origin.folder, keeping, narrator).await;
    browser.close().await;
    let run = outcome?;
    let (succeeded, order, last) = judged(&run, job.shop.as_ref());
    let pictures = std::fs::read_dir(&origin.folder)?
        .filter_map(Result::ok)
        .filter(|entry| entry.path().extension().is_some_and(|extension| extension == "jpg"))
        .count();
    let folder = origin.folder.clone();
    narrator.whole(&format!("folder {} ({pictures} pictures, record.jsonl, result.json)", folder.display()))?;
    narrator.whole(&last)?;
    Ok(DemoReport { run, order, folder, succeeded })
}

async fn job(url: Option<String>, given: Option<String>, folder: &Path) -> Result<Job, DemoError> {
    let Some(url) = url else {
        if given.is_some() {
            return Err(DemoError::TaskWithoutAddress);
        }
        return shop_job(Shop::open_in(folder).await.map_err(DemoError::Shop)?);
    };
    let task = given.unwrap_or_else(|| "Read the page".to_owned());
    let judge = grants::given(&url, &task).map_err(|reason| DemoError::Address { url: url.clone(), reason })?;
    Ok(Job { shop: None, start: Some(url), task, judge })
}

/// The task for our own shop.
fn shop_job(shop: Shop) -> Result<Job, DemoError> {
    let origin = shop.origin().to_owned();
    let judge = grants::only(&origin).map_err(|reason| DemoError::Address { url: origin.clone(), reason })?;
    Ok(Job { start: None, task: task(&origin), judge, shop: Some(shop) })
}

/// Starts a browser, and sets one up first where there is none.
async fn browser(wanted: &Wanted, judge: Arc<dyn UrlJudge>, narrator: &Narrator) -> Result<Browser, DemoError> {
    let launch = wanted.launch().url_judge(judge);
    let browser = match Browser::launch(launch.clone()).await {
        Err(BrowserError::NotFound { .. }) => {
            narrator.line("there is no browser yet; installing one")?;
            install(&wanted.find()).await?;
            Browser::launch(launch).await?
        }
        Err(error @ BrowserError::NotThere { .. }) => return Err(DemoError::NotThere(wanted.trouble(error))),
        launched => launched?,
    };
    let info = browser.info();
    let sandbox = if info.sandbox == Some(false) { ", its sandbox off as for root" } else { "" };
    narrator.line(&format!("browser {}{sandbox}", info.product))?;
    Ok(browser)
}

async fn drive(
    browser: &Browser,
    wanted: &Wanted,
    job: &Job,
    model: Arc<dyn Model>,
    folder: &Path,
    keeping: Option<Keeping>,
    narrator: &Narrator,
) -> Result<Run, DemoError> {
    let session = match &job.start {
        Some(url) => browser.open(url).await?,
        None => browser.blank().await?,
    };
    let session = session.with_settings(wanted.settings());
    narrator.line(&format!("model {}, task of {}", model.name(), length(&job.task)))?;
    let teller = narrator.clone();
    let mut agent = Agent::new(model, session).task(job.task.clone()).record_to(folder).on_event(move |event| {
        // A terminal that is gone does not end the run; the lines after it will say so.
        let _ = teller.tell(event);
    });
    if let Some(shop) = &job.shop {
        agent = doubts(shop.origin()).into_iter().fold(agent, Agent::in_doubt);
    }
    match keeping {
        Some(Keeping { left: Some((journal, entries)), .. }) => agent = agent.take_up(journal, entries),
        Some(Keeping { store, origin, .. }) => agent = agent.journal(store, origin),
        None => {}
    }
    Ok(agent.run().await?)
}

/// How long a task is: in steps where it is made of sentences, which is how the literal model counts; else in lines.
fn length(task: &str) -> String {
    let (count, what) = match models::literal::parse(task) {
        Ok(steps) => (steps.len(), "step"),
        Err(_) => (task.lines().filter(|line| !line.trim().is_empty()).count(), "line"),
    };
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Whether it went well, the order, and the last line.
fn judged(run: &Run, shop: Option<&Shop>) -> (bool, Option<Order>, String) {
    let Some(shop) = shop else { return (run.succeeded(), None, run.end.to_string()) };
    let read = match &run.end {
        End::Done { text, success: true, .. } => text.as_str(),
        other => return (false, None, format!("no order: {other}")),
    };
    match verdict(read, &wish(), &shop.orders()) {
        Verdict::Agrees(order) => {
            let last = format!("order {}: the shop's record agrees", order.number);
            (true, Some(*order), last)
        }
        Verdict::Disagrees(reasons) => {
            (false, None, format!("order {}: the shop's record does not agree: {}", read.trim(), reasons.join("; ")))
        }
    }
}

fn named_model(name: Option<&str>) -> Result<Arc<dyn Model>, DemoError> {
    let name = name.unwrap_or("literal");
    let refuse = |reason: String| DemoError::Model { name: name.to_owned(), reason };
    match name.split_once(':') {
        None if name == "literal" => Ok(Arc::new(models::Literal::new())),
        Some(("script", file)) => {
            let script =
                models::Script::from_file(file.as_ref()).map_err(|error: ModelError| refuse(error.to_string()))?;
            Ok(Arc::new(script))
        }
        _ => {
            let setup = ModelSetup::new(name).variables(|name| std::env::var(name).ok());
            Ok(Arc::new(setup.build().map_err(|error| refuse(told(&error)))?))
        }
    }
}

/// What is wrong with a model, and what to do about it.
fn told(error: &ModelError) -> String {
    match error.hint() {
        Some(hint) => format!("{error}; {hint}"),
        None => error.to_string(),
    }
}

fn slowed(model: Arc<dyn Model>, pause: Duration) -> Arc<dyn Model> {
    if pause.is_zero() { model } else { Arc::new(super::slow::Slow::new(model, pause)) }
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
