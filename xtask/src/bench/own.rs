//! webhand as a contender, through its public API only.
//!
//! It must not know what the floors do.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use miette::IntoDiagnostic as _;
use webhand::prelude::{Browser, Click, Fill, FormatOptions, Launch, Outcome, Session, Snapshot};

use super::contender::{Contender, Failure, Offers, milliseconds};
use super::floor::Recipe;
use super::memory::{Memory, TABLE_READINGS, resident_mib};

/// A browser with one session.
#[derive(Debug)]
pub(crate) struct Own {
    browser: Browser,
    session: Session,
}

/// A snapshot and its text.
#[derive(Debug)]
pub(crate) struct Sight {
    snapshot: Arc<Snapshot>,
    text: String,
    text_time: f64,
}

impl Sight {
    /// The text in the default format and budget.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The same with other options.
    pub(crate) fn outline(&self, options: &FormatOptions) -> String {
        self.snapshot.outline(options)
    }
}

impl Own {
    /// Starts the browser that `WEBHAND_BROWSER` names, or one that is found.
    pub(crate) async fn launch() -> miette::Result<Self> {
        let browser = Browser::launch(Launch::from_env()).await.into_diagnostic()?;
        let session = browser.blank().await.into_diagnostic()?;
        Ok(Self { browser, session })
    }

    /// How to start the same browser with the same flags.
    pub(crate) fn recipe(&self) -> miette::Result<Recipe> {
        let program = self.program()?;
        let flags = self.browser.info().pid.and_then(command_line).unwrap_or_default();
        Ok(if flags.is_empty() { Recipe::plain(&program) } else { Recipe::of_running(&program, &flags) })
    }

    /// The program of its browser.
    pub(crate) fn program(&self) -> miette::Result<PathBuf> {
        self.browser.info().executable.clone().ok_or_else(|| miette::miette!("the browser was not launched here"))
    }

    /// Name and version of its browser.
    pub(crate) fn product(&self) -> String {
        self.browser.info().product.clone()
    }

    /// Ends the browser.
    pub(crate) async fn close(self) {
        drop(self.session);
        self.browser.close().await;
    }
}

impl Contender for Own {
    type Sight = Sight;

    fn name(&self) -> &'static str {
        "webhand"
    }

    async fn open(&mut self, address: &str) -> Result<(), Failure> {
        let deadline = std::time::Duration::from_secs(60);
        self.session.tab().navigate(address, deadline).await.map_err(broken)?;
        Ok(())
    }

    async fn look(&mut self) -> Result<Sight, Failure> {
        let snapshot = self.session.snapshot().await.map_err(broken)?;
        let began = Instant::now();
        let text = snapshot.outline(&FormatOptions::default());
        Ok(Sight { snapshot, text, text_time: milliseconds(began.elapsed()) })
    }

    fn offers(&self, sight: &Sight) -> Offers {
        let mut offers = Offers::default();
        for (node, control) in sight.snapshot.controls() {
            offers.note(&node.name, &control.r#ref.to_string(), control.usable());
        }
        offers
    }

    fn text_length(&self, sight: &Sight) -> usize {
        sight.text.len()
    }

    fn text_time(&self, sight: &Sight) -> Option<f64> {
        Some(sight.text_time)
    }

    async fn click(&mut self, handle: &str) -> Result<(), Failure> {
        done(self.session.perform(Click::on(handle)).await)
    }

    async fn fill(&mut self, handle: &str, text: &str) -> Result<(), Failure> {
        done(self.session.perform(Fill::on(handle, text)).await)
    }

    fn session(&self) -> webhand_cdp::Session {
        self.session.tab().session().clone()
    }
}

/// How long it takes from the start of a browser to the first snapshot, as text, of that address.
pub(crate) async fn launch_time(address: &str) -> Result<f64, Failure> {
    let began = Instant::now();
    let browser = Browser::launch(Launch::from_env()).await.map_err(broken)?;
    let mut session = browser.open(address).await.map_err(broken)?;
    let text = session.snapshot().await.map_err(broken)?.outline(&FormatOptions::default());
    let time = milliseconds(began.elapsed());
    drop(session);
    browser.close().await;
    if text.is_empty() { Err(Failure::Broken("the snapshot is empty".to_owned())) } else { Ok(time) }
}

/// Reads the three pages and looks at this process's memory in between.
pub(crate) async fn memory(form: &str, table: &str, huge: &str) -> miette::Result<Memory> {
    let resident = || resident_mib().ok_or_else(|| miette::miette!("this system does not tell a process's memory"));
    let mut own = Own::launch().await?;
    let [some, many] = TABLE_READINGS;
    let mut figures = [0.0; 4];
    let plan = [(Some(form), 1), (Some(table), some), (None, many - some), (Some(huge), 1)];
    for (figure, (address, readings)) in figures.iter_mut().zip(plan) {
        if let Some(address) = address {
            own.open(address).await.into_diagnostic()?;
        }
        for _ in 0..readings {
            own.look().await.into_diagnostic()?;
        }
        *figure = resident()?;
    }
    own.close().await;
    let [small_mib, some, many, huge_mib] = figures;
    Ok(Memory { small_mib, table_mib: [some, many], huge_mib })
}

/// What an outcome says, as the bench counts it: a refusal is no measure.
fn done(outcome: Outcome) -> Result<(), Failure> {
    outcome.into_result().map(drop).map_err(|error| Failure::Refused(error.to_string()))
}

fn broken(error: impl std::fmt::Display) -> Failure {
    Failure::Broken(error.to_string())
}

/// The words with which a process was started, where the system tells them.
fn command_line(pid: u32) -> Option<Vec<String>> {
    let words = std::fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    Some(words.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned()).collect())
}
