//! `cargo xtask faults`: takes tabs, browsers, connections and answers away at random moments of scripted runs, and counts
//! what was lost or done twice.
//!
//! Knows only how that is asked for and told; the runs are webhand-proof's. The seed is printed: the same one draws the same
//! faults and moments.

use std::{process::ExitCode, time::Duration};

use clap::Args;
use miette::IntoDiagnostic as _;
use webhand_proof::faults::{FaultOptions, inject};

/// What to do.
#[derive(Clone, Debug, Args)]
pub(crate) struct Arguments {
    /// How many faults
    #[arg(long, default_value_t = 100)]
    n: usize,
    /// What draws the faults and their moments; by the clock where none is given
    #[arg(long)]
    seed: Option<u64>,
    /// How many runs go side by side
    #[arg(long, default_value_t = 3)]
    jobs: usize,
    /// Prints what each run was told
    #[arg(long)]
    verbose: bool,
}

/// Prints what came of it; its last line is `faults: N injected, 0 lost, 0 doubled, 0 orphans, 0 hung`.
pub(crate) fn run(arguments: &Arguments) -> miette::Result<ExitCode> {
    let seed = arguments.seed.unwrap_or_else(by_the_clock);
    println!("seed {seed}");
    let on_action: fn(&str) = if arguments.verbose { |told| println!("{told}") } else { |_| {} };
    let options = FaultOptions { faults: arguments.n, seed, jobs: arguments.jobs, on_action };
    let runtime = tokio::runtime::Runtime::new().into_diagnostic()?;
    let tally = runtime.block_on(inject(&options)).into_diagnostic()?;
    print!("{}", tally.text());
    Ok(if tally.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn by_the_clock() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.unwrap_or(Duration::ZERO).as_secs() % 1_000_000
}
