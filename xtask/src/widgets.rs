//! `cargo xtask widgets`: works the controls of published component libraries through webhand's public library, and asks
//! each library itself what came of it.
//!
//! The pages (`tests/widgets/src`) are bundled where that is not done yet ([`bundle`]); the cases ([`cases`]) are data
//! beside them, in the gauntlet's form, and are run by its runner. What passed before must pass again
//! (`tests/widgets/widgets.pass`), and a success that was claimed falsely fails the whole, as in the gauntlet. What came
//! of it is told by [`report`]. How a case is written is in `docs/widgets.md`. It must not know what a library does.

pub(crate) mod bundle;
mod cases;
mod report;

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{Args, ValueEnum};
use miette::{Context as _, IntoDiagnostic as _, ensure};
use webhand_proof::{Options, case::Kind, driver::Engine as _, drivers::WebhandEngine, folder::Folder, runner};

use crate::ratchet::{PassList, Scope};
use cases::Cases;
use report::Report;

/// What to run.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Only the cases of this library; may be repeated
    #[arg(long, value_name = "LIBRARY")]
    library: Vec<String>,
    /// Only the cases whose id begins so: `quill/`, `mui/date`
    #[arg(long, default_value = "", value_name = "PREFIX")]
    case: String,
    /// The folder of case files, one a library
    #[arg(long, default_value = CASES, value_name = "DIR")]
    cases: PathBuf,
    /// In which kind of browser; may be repeated
    #[arg(long, default_value = "shell")]
    browser: Vec<BrowserKind>,
    /// How many times every case is run
    #[arg(long, default_value_t = 1)]
    repeat: u32,
    /// How many cases run side by side
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Also writes the table to this file
    #[arg(long)]
    markdown: Option<PathBuf>,
    /// Writes what passes now into the list of what must pass; refuses where something on it fails
    #[arg(long)]
    accept: bool,
    /// With --accept: drops from the list what fails
    #[arg(long, requires = "accept")]
    shrink: bool,
}

/// The kinds of headless browser.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum BrowserKind {
    /// The headless shell
    Shell,
    /// The whole browser with `--headless=new`
    New,
}

/// The project's own cases.
const CASES: &str = "tests/widgets/cases";
/// The list of what must pass.
const LIST: &str = "tests/widgets/widgets.pass";

/// Prints a row a library and what fails, then `widgets: N/M`.
pub(crate) fn run(arguments: &Arguments) -> miette::Result<ExitCode> {
    let root = std::path::absolute(".").into_diagnostic()?;
    let pages = bundle::pages(&root)?;
    let all = Cases::read(&arguments.cases, &pages)?;
    let chosen = all.only(&arguments.library, &arguments.case);
    ensure!(!chosen.is_empty(), "no case is called so (there are those of {})", all.libraries().join(", "));
    let runtime = tokio::runtime::Runtime::new().into_diagnostic()?;
    let results = runtime.block_on(run_all(&chosen, arguments))?;
    let report = Report::of(&chosen, results);
    if let Some(file) = &arguments.markdown {
        let written = std::fs::write(file, report.markdown()).into_diagnostic();
        written.wrap_err_with(|| format!("cannot write {}", file.display()))?;
    }
    print!("{}", report.text());
    let whole = chosen.len() == all.len() && arguments.cases == Path::new(CASES);
    let holds = settle(&report, if whole { Scope::Whole } else { Scope::Part }, arguments)?;
    println!("{}", report.verdict());
    Ok(if holds && report.false_successes() == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn run_all(cases: &Cases, arguments: &Arguments) -> miette::Result<Vec<runner::CaseResult>> {
    let folder = Folder { cases: cases.fixtures(), planned: Vec::new() };
    let options = Options { repeat: arguments.repeat, jobs: arguments.jobs, ..Options::default() };
    let mut results = Vec::new();
    for kind in &arguments.browser {
        let kind = match kind {
            BrowserKind::Shell => Kind::Shell,
            BrowserKind::New => Kind::New,
        };
        let engine = WebhandEngine::launch(kind).await.into_diagnostic()?;
        results.extend(runner::run_on(&engine, &folder, &options).await);
        engine.close().await;
    }
    Ok(results)
}

/// Holds what came of it against the list of what must pass, or writes the list anew. Whether it holds.
fn settle(report: &Report, scope: Scope, arguments: &Arguments) -> miette::Result<bool> {
    let list = PassList::read(LIST.as_ref())?;
    let lost = list.lost(report.judged(), scope);
    for id in &lost {
        println!("{LIST}: {id} must pass");
    }
    if !arguments.accept {
        return Ok(lost.is_empty());
    }
    if !lost.is_empty() && !arguments.shrink {
        println!("{LIST}: not written: it may only grow (--shrink drops what fails)");
        return Ok(false);
    }
    list.write(report.judged(), &lost)?;
    Ok(true)
}
