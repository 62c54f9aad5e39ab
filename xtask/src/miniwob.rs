//! `cargo xtask miniwob`: MiniWoB++'s 130 small tasks, solved through webhand's public API by policies that read the
//! task's sentence and the snapshot, judged by the tasks' own pages.
//!
//! The package ([`package`]) is served from loopback. An episode ([`stage`]) starts with a seed; the policies
//! ([`policies`]) are asked in order who understands its sentence, and the first that does plays it with what a user of
//! the library has ([`hand`]). What is solved in 95 of 100 seeds stands in a list that may only grow. What
//! came of it is told by [`report`].

mod hand;
mod package;
mod play;
mod policies;
mod report;
mod see;
mod sight;
mod stage;
mod words;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use miette::{Context as _, IntoDiagnostic as _, ensure};

use crate::ratchet::{PassList, Scope};
use report::Row;

/// What to play.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Only these tasks, by name, separated by commas
    #[arg(long, value_delimiter = ',')]
    tasks: Vec<String>,
    /// How many seeds a task is played with
    #[arg(long, default_value_t = 20)]
    seeds: u32,
    /// The first seed
    #[arg(long, default_value_t = 1)]
    first_seed: u32,
    /// How many tasks are played side by side
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Prints the rows as JSON, one a line
    #[arg(long)]
    json: bool,
    /// Also writes the tables to this file
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Prints of each episode its sentence, what was done, and how it ended; twice: what was seen, too
    #[arg(long, action = clap::ArgAction::Count)]
    trace: u8,
    /// Prints of each episode its sentence and the page as a model reads it, and plays none
    #[arg(long)]
    show: bool,
    /// Writes what is solved now into the list of what must be; refuses where something on it is not
    #[arg(long)]
    accept: bool,
}

/// Why tasks are not solved.
const UNSOLVED: &str = "tests/miniwob/unsolved.tsv";
/// What must be solved.
const SOLVED: &str = "tests/miniwob/solved.txt";

/// Prints a row a task; the last line is `miniwob: N tasks at >= 95 %`.
pub(crate) fn run(arguments: &Arguments) -> miette::Result<ExitCode> {
    ensure!(arguments.seeds > 0, "at least one seed");
    let pages = package::pages()?;
    let all = package::tasks(&pages)?;
    for task in &arguments.tasks {
        ensure!(all.contains(task), "there is no task {task:?}");
    }
    let tasks = if arguments.tasks.is_empty() { all } else { arguments.tasks.clone() };
    let course = play::Course {
        tasks,
        first_seed: arguments.first_seed,
        seeds: arguments.seeds,
        jobs: arguments.jobs.max(1),
        mode: match arguments.trace {
            _ if arguments.show => play::Mode::Show,
            0 => play::Mode::Play,
            1 => play::Mode::Trace,
            _ => play::Mode::Looks,
        },
    };
    let runtime = tokio::runtime::Runtime::new().into_diagnostic()?;
    let rows = runtime.block_on(play::run(&pages, &course, &|done, row| progress(arguments, &course, done, row)))?;
    if arguments.show {
        return Ok(ExitCode::SUCCESS);
    }
    if arguments.json {
        for row in &rows {
            println!("{}", serde_json::to_string(row).into_diagnostic()?);
        }
    }
    if let Some(file) = &arguments.markdown {
        let text = report::markdown(&rows, arguments.seeds, &report::unsolved(UNSOLVED.as_ref())?);
        let written = std::fs::write(file, text).into_diagnostic();
        written.wrap_err_with(|| format!("cannot write {}", file.display()))?;
    }
    conclude(&rows, arguments.accept)
}

/// Tells of a task as soon as it was played.
fn progress(arguments: &Arguments, course: &play::Course, done: usize, row: &Row) {
    if !arguments.json && !arguments.show {
        println!("{done:>3}/{} {row}", course.tasks.len());
    }
}

/// Holds the rows against the list, or grows it.
fn conclude(rows: &[Row], accept: bool) -> miette::Result<ExitCode> {
    let solved = PassList::read(SOLVED.as_ref())?;
    let judged = || rows.iter().map(|row| (row.task.as_str(), row.solved()));
    let lost = solved.lost(judged(), Scope::Part);
    for task in &lost {
        println!("{SOLVED}: {task} must be solved");
    }
    if accept && lost.is_empty() {
        solved.write(judged(), &[])?;
    }
    println!("policies: {}", policies::all().len());
    println!("miniwob: {} tasks at >= 95 %", rows.iter().filter(|row| row.solved()).count());
    Ok(if lost.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
