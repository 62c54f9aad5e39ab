//! The demo from end to end.

use std::{
    fmt,
    io::{self, Write},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use webhand::{
    Browser,
    agent::{Agent, AgentError, End, Model, ModelError, Run, models},
    engine::{BrowserError, UrlJudge, install},
    guard::PatternError,
    prelude::SessionError,
};

use super::{
    grants,
    narrator::Narrator,
    shop::{Order, Shop},
    verdict::{Verdict, verdict},
    wish::{task, wish},
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
    /// `literal`, or `script:FILE`.
    pub model: Option<String>,
    /// The run's folder; a new temporary one where none is named.
    pub out: Option<PathBuf>,
    /// A pause before each step, for people who watch.
    pub slow: Duration,
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
            DemoError::Model { .. } => Some("use literal, or script:FILE".to_owned()),
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

/// Runs the demo; the last line says how it ended.
///
/// # Errors
/// When it could not be run at all. A run that ended badly is a [`DemoReport`] that did not succeed.
pub async fn run(options: DemoOptions) -> Result<DemoReport, DemoError> {
    let DemoOptions { wanted, url, task, model, out, slow, writer } = options;
    let narrator = Narrator::new(writer);
    let literal = model.as_deref().is_none_or(|name| name == "literal");
    let model = slowed(named_model(model.as_deref())?, slow);
    if let Some(task) = task.as_deref().filter(|_| literal && url.is_some()) {
        models::literal::parse(task).map_err(DemoError::NotLiteral)?;
    }
    let job = job(url, task).await?;
    let folder = match out {
        Some(folder) => folder,
        None => tempfile::Builder::new().prefix("webhand-demo-").tempdir()?.keep(),
    };
    match &job.shop {
        Some(shop) => narrator.line(&format!("a small shop of our own at {}", shop.origin()))?,
        None => narrator.line(&format!("driving {}", job.start.as_deref().unwrap_or_default()))?,
    }
    let browser = browser(&wanted, Arc::clone(&job.judge), &narrator).await?;
    let outcome = drive(&browser, &wanted, &job, model, folder.clone(), &narrator).await;
    browser.close().await;
    let run = outcome?;
    let (succeeded, order, last) = judged(&run, job.shop.as_ref());
    let pictures = std::fs::read_dir(&folder)?
        .filter_map(Result::ok)
        .filter(|entry| entry.path().extension().is_some_and(|extension| extension == "jpg"))
        .count();
    narrator.whole(&format!("folder {} ({pictures} pictures, record.jsonl, result.json)", folder.display()))?;
    narrator.whole(&last)?;
    Ok(DemoReport { run, order, folder, succeeded })
}

async fn job(url: Option<String>, given: Option<String>) -> Result<Job, DemoError> {
    let refused = |url: &str| {
        let url = url.to_owned();
        move |reason| DemoError::Address { url, reason }
    };
    let Some(url) = url else {
        if given.is_some() {
            return Err(DemoError::TaskWithoutAddress);
        }
        let shop = Shop::open().await.map_err(DemoError::Shop)?;
        let judge = grants::only(shop.origin()).map_err(refused(shop.origin()))?;
        let task = task(shop.origin());
        return Ok(Job { start: None, task, judge, shop: Some(shop) });
    };
    let task = given.unwrap_or_else(|| "Read the page".to_owned());
    let judge = grants::given(&url, &task).map_err(refused(&url))?;
    Ok(Job { shop: None, start: Some(url), task, judge })
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
    folder: PathBuf,
    narrator: &Narrator,
) -> Result<Run, DemoError> {
    let session = match &job.start {
        Some(url) => browser.open(url).await?,
        None => browser.blank().await?,
    };
    let session = session.with_settings(wanted.settings());
    narrator.line(&format!("model {}, task of {}", model.name(), length(&job.task)))?;
    let teller = narrator.clone();
    let run = Agent::new(model, session)
        .task(job.task.clone())
        .record_to(folder)
        .on_event(move |event| {
            // A terminal that is gone does not end the run; the lines after it will say so.
            let _ = teller.tell(event);
        })
        .run()
        .await?;
    Ok(run)
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
        _ => Err(refuse("it is not known here".to_owned())),
    }
}

fn slowed(model: Arc<dyn Model>, pause: Duration) -> Arc<dyn Model> {
    if pause.is_zero() { model } else { Arc::new(super::slow::Slow::new(model, pause)) }
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
