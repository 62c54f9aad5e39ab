//! The project's chores, one module each: `cargo xtask NAME`.
//!
//! A chore prints what it found, its verdict on the last line, and answers
//! with its exit code: 0 when all is right, 1 when something is not, 2 when it
//! could not be done. This file only names them.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a chore talks to a terminal")]

mod bench;
mod faults;
mod gauntlet;
mod miniwob;
mod names;
mod protocol;
mod ratchet;
mod replies;
mod test;
mod tidy;
mod urls;
mod widgets;

use std::process::ExitCode;

use clap::Parser;

/// The project's chores.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Chore {
    /// Measures webhand beside floors of raw protocol commands
    Bench(bench::Arguments),
    /// Takes browsers, pages and connections away under scripted runs, and counts what was lost or done twice
    Faults(faults::Arguments),
    /// Drives webhand through the fixture pages and prints what held
    Gauntlet(gauntlet::Arguments),
    /// Plays small tasks that are judged by their own pages
    Miniwob(miniwob::Arguments),
    /// Judges accessible names and roles against cases
    Names(names::Arguments),
    /// Writes the protocol types of webhand-cdp, or checks them
    Protocol(protocol::Arguments),
    /// Reads a corpus of model replies and compares what was read
    Replies(replies::Arguments),
    /// Makes sure that a browser is there, then runs all tests
    Test(test::Arguments),
    /// Looks for what is out of shape in the tree
    Tidy(tidy::Arguments),
    /// Judges a table of URLs and compares the verdicts
    Urls(urls::Arguments),
    /// Works the controls of published component libraries and asks the libraries what came of it
    Widgets(widgets::Arguments),
}

fn main() -> ExitCode {
    let done = match Chore::parse() {
        Chore::Bench(arguments) => bench::run(&arguments),
        Chore::Faults(arguments) => faults::run(&arguments),
        Chore::Gauntlet(arguments) => gauntlet::run(&arguments),
        Chore::Miniwob(arguments) => miniwob::run(&arguments),
        Chore::Names(arguments) => names::run(&arguments),
        Chore::Protocol(arguments) => protocol::run(&arguments),
        Chore::Replies(arguments) => replies::run(&arguments),
        Chore::Test(arguments) => test::run(&arguments),
        Chore::Tidy(arguments) => tidy::run(&arguments),
        Chore::Urls(arguments) => urls::run(&arguments),
        Chore::Widgets(arguments) => widgets::run(&arguments),
    };
    done.unwrap_or_else(|report| {
        eprintln!("{report:?}");
        ExitCode::from(2)
    })
}
