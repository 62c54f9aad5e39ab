//! `cargo xtask gauntlet`: drives webhand through the fixture pages and prints what held, row by row.
//!
//! Knows the runner and its report; how a case is written and judged is webhand-proof's.

use std::{path::PathBuf, process::ExitCode};

use clap::{Args, ValueEnum};
use miette::{Context as _, IntoDiagnostic as _};
use webhand_proof::{Options, case::Kind, drivers::WebhandEngine};

/// What to run.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Only rows whose id begins so: `P`, `A0`, `A07`
    #[arg(long, default_value = "")]
    group: String,
    /// How many times every case is run
    #[arg(long, default_value_t = 1)]
    repeat: u32,
    /// A folder of fixture pages (the form is described in docs/gauntlet-form.md)
    #[arg(long, default_value = "tests/gauntlet")]
    pages: PathBuf,
    /// Only in this kind of browser
    #[arg(long)]
    browser: Option<BrowserKind>,
    /// How many cases run side by side
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Also writes the table to this file
    #[arg(long)]
    markdown: Option<PathBuf>,
}

/// The kinds of headless browser.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum BrowserKind {
    /// The headless shell
    Shell,
    /// The whole browser with `--headless=new`
    New,
}

/// Prints the report; its last line is `false successes: N`.
pub(crate) fn run(arguments: &Arguments) -> miette::Result<ExitCode> {
    let kinds = match arguments.browser {
        None => vec![Kind::Shell, Kind::New],
        Some(BrowserKind::Shell) => vec![Kind::Shell],
        Some(BrowserKind::New) => vec![Kind::New],
    };
    let options =
        Options { filter: arguments.group.clone(), repeat: arguments.repeat, kinds, jobs: arguments.jobs, slack: 1 };
    let runtime = tokio::runtime::Runtime::new().into_diagnostic()?;
    let report =
        runtime.block_on(webhand_proof::run(&arguments.pages, &options, WebhandEngine::launch)).into_diagnostic()?;
    if let Some(file) = &arguments.markdown {
        let written = std::fs::write(file, report.markdown()).into_diagnostic();
        written.wrap_err_with(|| format!("cannot write {}", file.display()))?;
    }
    print!("{}", report.text());
    Ok(if report.passes() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
