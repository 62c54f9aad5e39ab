//! The browser's accessibility tree as an oracle over component pages: who is a control, of what role and name.
//!
//! The pages (`tests/widgets`) are built from published libraries. Each is opened in a real browser and read by both sides
//! ([`sides`]), the two are held against each other ([`compare`]), and what they do not agree about must stand, with its
//! reason, in `tests/widgets/oracle.toml` ([`explained`]): that list may only shrink. How this is done and what came of it
//! is in `docs/widgets.md`. It must not know what a library does.

mod compare;
mod explained;
mod meant;
mod sides;

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::PathBuf;

use miette::{Context as _, IntoDiagnostic as _, ensure};
use webhand::prelude::{Browser, Launch};
use webhand_proof::Server;

use compare::{Finding, Pair, Verdict};
use explained::Explained;

use crate::widgets::bundle;

/// What is compared.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// The root of the tree.
    pub(crate) root: PathBuf,
    /// Only the pages of these libraries; all where there is none.
    pub(crate) only: Vec<String>,
    /// Prints what is explained or differs by intent, too.
    pub(crate) verbose: bool,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rate {
    /// Controls that both sides call the same.
    pub(crate) agree: usize,
    /// Controls that either side lists.
    pub(crate) all: usize,
    /// Disagreements that nobody has explained.
    pub(crate) unexplained: usize,
    /// Explanations of what is no disagreement any more.
    pub(crate) stale: usize,
}

impl Rate {
    /// Whether all that disagrees is explained, and no explanation is left over.
    pub(crate) fn holds(&self) -> bool {
        self.all > 0 && self.unexplained == 0 && self.stale == 0
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // rounded down, so that 100 % means all
        let hundredths = (self.agree * 10_000).checked_div(self.all).unwrap_or_default();
        write!(f, "oracle: {}.{:02} % of {} controls", hundredths / 100, hundredths % 100, self.all)
    }
}

/// Compares both sides on every page and prints, page by page, what they do not agree about.
pub(crate) async fn run(options: &Options) -> miette::Result<Rate> {
    let pages = bundle::pages(&options.root)?;
    let explained = Explained::read(&options.root.join("tests/widgets/oracle.toml"))?;
    for wanted in &options.only {
        ensure!(pages.names.contains(wanted), "there is no page {wanted:?} (there are {})", pages.names.join(", "));
    }
    let wanted = pages.names.iter().filter(|name| options.only.is_empty() || options.only.contains(name));
    let server = Server::serve_dir(&pages.folder).await.into_diagnostic()?;
    let browser = Browser::launch(Launch::from_env()).await.into_diagnostic()?;
    let mut told = Told { options, explained, rate: Rate::default(), meant: BTreeMap::new() };
    for name in wanted {
        let findings = look(&browser, &server.url(&format!("/{name}.html"))).await;
        told.page(name, findings.wrap_err_with(|| format!("the page of {name}"))?);
    }
    browser.close().await;
    Ok(told.finish())
}

/// What was found on one page, and in each of the states that its parts can be opened to, if that was not found before.
async fn look(browser: &Browser, address: &str) -> miette::Result<Vec<(String, Vec<Finding>)>> {
    let session = browser.blank().await.into_diagnostic()?;
    let tab = session.tab().clone();
    sides::open(&tab, address).await?;
    let mut seen = Seen::default();
    let mut told = vec![(String::new(), seen.fresh(compare::compare(&sides::read(&tab).await?)))];
    for state in sides::states(&tab).await? {
        sides::open(&tab, address).await?;
        let opened = async {
            sides::enter(&tab, &state).await?;
            sides::read(&tab).await
        };
        let elements = opened.await.wrap_err_with(|| format!("opened to {state:?}"))?;
        told.push((state, seen.fresh(compare::compare(&elements))));
    }
    tab.close().await.into_diagnostic()?;
    Ok(told)
}

/// How often each finding came up at most in one state of a page.
#[derive(Debug, Default)]
struct Seen(HashMap<Finding, usize>);

impl Seen {
    /// What of one state is more than there was in any before it.
    fn fresh(&mut self, findings: Vec<Finding>) -> Vec<Finding> {
        let mut now: HashMap<Finding, usize> = HashMap::new();
        let mut fresh = Vec::new();
        for finding in findings {
            let count = now.entry(finding.clone()).or_default();
            *count += 1;
            let known = self.0.entry(finding.clone()).or_default();
            if *count > *known {
                *known = *count;
                fresh.push(finding);
            }
        }
        fresh
    }
}

/// What was told so far.
#[derive(Debug)]
struct Told<'a> {
    options: &'a Options,
    explained: Explained,
    rate: Rate,
    /// How often each meant difference came up.
    meant: BTreeMap<&'static str, (usize, &'static str)>,
}

impl Told<'_> {
    fn page(&mut self, name: &str, states: Vec<(String, Vec<Finding>)>) {
        let before = self.rate.clone();
        let mut meant = 0;
        let mut lines = Vec::new();
        for (state, findings) in states {
            let place = if state.is_empty() { String::new() } else { format!("[{state}] ") };
            for Finding { verdict, pair } in findings {
                let line = match verdict {
                    Verdict::Agree => {
                        self.rate.agree += 1;
                        self.rate.all += 1;
                        None
                    }
                    Verdict::Differ => {
                        self.rate.all += 1;
                        self.difference(name, &pair)
                    }
                    Verdict::Meant(kind) => {
                        meant += 1;
                        self.meant.entry(kind.title).or_insert((0, kind.why)).0 += 1;
                        self.options.verbose.then(|| format!("{pair} (by intent: {})", kind.title))
                    }
                };
                lines.extend(line.map(|line| format!("{place}{line}")));
            }
        }
        let (agree, all) = (self.rate.agree - before.agree, self.rate.all - before.all);
        println!("{name}: {agree}/{all}, beside {meant} that differ by intent");
        for line in lines {
            println!("  {line}");
        }
    }

    /// The line to print, if one is.
    fn difference(&mut self, library: &str, pair: &Pair) -> Option<String> {
        match self.explained.explain(library, pair) {
            Some(why) => self.options.verbose.then(|| format!("{pair} (explained: {why})")),
            None => {
                self.rate.unexplained += 1;
                Some(pair.to_string())
            }
        }
    }

    fn finish(mut self) -> Rate {
        for (title, (count, why)) in &self.meant {
            println!("by intent, {count} times: {title} ({why})");
        }
        let whole = self.options.only.is_empty();
        for line in self.explained.left_over(|library| whole || self.options.only.iter().any(|name| name == library)) {
            println!("{line}");
            self.rate.stale += 1;
        }
        self.rate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_there_before_counts_once() {
        let finding = |path: &str| Finding {
            verdict: Verdict::Agree,
            pair: Pair { path: path.to_owned(), ours: None, theirs: None },
        };
        let mut seen = Seen::default();
        assert_eq!(seen.fresh(vec![finding("a"), finding("a")]).len(), 2, "two that look alike are two");
        assert_eq!(seen.fresh(vec![finding("a"), finding("b")]), [finding("b")]);
        assert_eq!(seen.fresh(vec![finding("a"), finding("a"), finding("a")]).len(), 1);
    }

    #[test]
    fn a_hundred_per_cent_is_all() {
        let rate = |agree, all| Rate { agree, all, ..Rate::default() };
        assert_eq!(rate(1999, 2000).to_string(), "oracle: 99.95 % of 2000 controls");
        assert_eq!(rate(99_999, 100_000).to_string(), "oracle: 99.99 % of 100000 controls");
        assert!(rate(1, 1).holds());
        assert!(!rate(0, 0).holds(), "nothing compared is no success");
        assert!(!Rate { unexplained: 1, ..rate(1, 2) }.holds());
        assert!(!Rate { stale: 1, ..rate(1, 1) }.holds());
    }
}
