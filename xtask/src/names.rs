//! `cargo xtask names [--wpt FILE]`: accessible names and roles, as the reader computes them in a real browser, against
//! cases that say what they must be; and both as the browser's accessibility tree has them, on component pages.
//!
//! Own cases ([`own`]) stand in `tests/names/*.toml`; web-platform-tests' cases ([`wpt`]) are read from a file that the
//! caller has. Both become pages of marked elements, which the judge ([`judge`]) loads and asks the in-page library about.
//! What passed before must pass again: the lists of it ([`crate::ratchet`]) stand beside the own cases and may only grow. How all
//! this is judged, and what disagrees, is in `docs/names.md`. The component pages are compared by [`oracle`]. It must not know
//! how a name is computed.

mod judge;
mod oracle;
mod own;
mod wpt;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use miette::IntoDiagnostic as _;

use judge::{Judge, Page, Verdict};

use crate::ratchet::{PassList, Scope};

/// What to judge.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Web-platform-tests' accname cases, too: a JSON file of pages
    #[arg(long, value_name = "FILE")]
    wpt: Option<PathBuf>,
    /// The folder of own cases
    #[arg(long, value_name = "DIR", default_value = CASES)]
    own: PathBuf,
    /// Writes what passes now into the lists of what must pass; refuses where something on them fails
    #[arg(long)]
    accept: bool,
    /// With --accept: drops from the lists what fails
    #[arg(long, requires = "accept")]
    shrink: bool,
    /// Leaves out the comparison with the browser's accessibility tree: the pages for it are built with Node and npm
    #[arg(long)]
    without_oracle: bool,
    /// Of the component pages only that of this library; may be repeated
    #[arg(long, value_name = "LIBRARY", conflicts_with = "without_oracle")]
    library: Vec<String>,
    /// Tells of the comparison also what differs by intent or is explained
    #[arg(long, conflicts_with = "without_oracle")]
    all: bool,
}

/// Own cases and the lists of what must pass.
const CASES: &str = "tests/names";

/// One rate: what was judged, and what of it must pass.
#[derive(Debug)]
struct Rate {
    verdicts: Vec<Verdict>,
    list: PassList,
    scope: Scope,
}

impl Rate {
    /// Each id, and whether it passes.
    fn judged(&self) -> impl Iterator<Item = (&str, bool)> {
        self.verdicts.iter().map(|verdict| (verdict.case.id.as_str(), verdict.passes()))
    }
}

/// Prints what fails, then a line a rate.
pub(crate) fn run(arguments: &Arguments) -> miette::Result<ExitCode> {
    let own_pages = own::pages(&arguments.own)?;
    let wpt_pages = arguments.wpt.as_deref().map(wpt::pages).transpose()?;
    let runtime = tokio::runtime::Runtime::new().into_diagnostic()?;
    let (own, wpt) = runtime.block_on(judge_all(&own_pages, wpt_pages.as_deref()))?;
    let whole = if arguments.own == Path::new(CASES) { Scope::Whole } else { Scope::Part };
    let own = Rate { verdicts: own, list: PassList::read(&Path::new(CASES).join("own.pass"))?, scope: whole };
    let wpt = match wpt {
        // another file of the same form may hold other cases: those of the list that it does not hold are not missed
        Some(verdicts) => {
            let list = PassList::read(&Path::new(CASES).join("wpt.pass"))?;
            Some(Rate { verdicts, list, scope: Scope::Part })
        }
        None => None,
    };
    let mut holds = true;
    for rate in [Some(&own), wpt.as_ref()].into_iter().flatten() {
        holds &= settle(rate, arguments)?;
    }
    let (passed, all) = count(&own.verdicts);
    println!("own: {passed}/{all}");
    if let Some(wpt) = &wpt {
        let (passed, all) = count(&wpt.verdicts);
        println!("accname wpt: {} % ({passed}/{all})", percent(passed, all));
    }
    if !arguments.without_oracle {
        let root = std::path::absolute(".").into_diagnostic()?;
        let options = oracle::Options { root, only: arguments.library.clone(), verbose: arguments.all };
        let rate = runtime.block_on(oracle::run(&options))?;
        println!("{rate}");
        holds &= rate.holds();
    }
    Ok(if holds && all > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Judges all pages in one browser.
async fn judge_all(own: &[Page], wpt: Option<&[Page]>) -> miette::Result<(Vec<Verdict>, Option<Vec<Verdict>>)> {
    let mut judge = Judge::start().await?;
    let own = judge.judge(own).await;
    let wpt = match wpt {
        Some(pages) => Some(judge.judge(pages).await),
        None => None,
    };
    judge.end().await;
    Ok((own?, wpt.transpose()?))
}

/// Prints what of a rate fails and holds it against its list, or writes the list anew. Whether it holds.
fn settle(rate: &Rate, arguments: &Arguments) -> miette::Result<bool> {
    for verdict in rate.verdicts.iter().filter(|verdict| !verdict.passes()) {
        println!("{verdict}");
    }
    let lost = rate.list.lost(rate.judged(), rate.scope);
    for id in &lost {
        println!("{}: {id} must pass", rate.list.path().display());
    }
    if !arguments.accept {
        return Ok(lost.is_empty());
    }
    if !lost.is_empty() && !arguments.shrink {
        println!("{}: not written: it may only grow (--shrink drops what fails)", rate.list.path().display());
        return Ok(false);
    }
    rate.list.write(rate.judged(), &lost)?;
    Ok(true)
}

fn count(verdicts: &[Verdict]) -> (usize, usize) {
    (verdicts.iter().filter(|verdict| verdict.passes()).count(), verdicts.len())
}

/// Rounded down, so that 100 % means all.
fn percent(passed: usize, all: usize) -> String {
    let tenths = (passed * 1000).checked_div(all).unwrap_or_default();
    format!("{}.{}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn a_hundred_per_cent_is_all() {
        assert_eq!(percent(378, 378), "100.0");
        assert_eq!(percent(9999, 10000), "99.9");
        assert_eq!(percent(0, 0), "0.0");
    }
}
