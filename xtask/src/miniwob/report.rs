//! What came of the tasks: a row a task, as a line, as JSON, and all as tables for the docs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};
use std::path::Path;

use miette::{Context as _, IntoDiagnostic as _};
use serde::Serialize;

use super::policies;

/// What stands above the tables.
const HEAD: &str = "\
# MiniWoB++: small tasks, judged by their own pages

Written by `cargo xtask miniwob --markdown docs/miniwob.md`.

[MiniWoB++](https://miniwob.farama.org) has 130 small pages, each with a sentence that says what to do and a script that judges
it. The package (PyPI `miniwob`, MIT) is fetched, served from loopback and not committed. An episode starts with a seed; the
frame of score, clock and sentence is hidden from the engine; it counts as solved when the page's own reward is above 0.

There is no model in this. A **policy** reads one family of sentences by general rules and acts as any user of the library
can: by what the snapshot shows (roles, names, states, texts, places), by refs, and by actions of the catalogue. It knows no task's
name, no selector, no script of the page, and no table of answers: whichever policy first says that it understands a sentence
plays it.

What is solved in at least 95 % of the seeds stands in `tests/miniwob/solved.txt`; that list may only grow, and the command
fails where one falls out.
";

/// What came of one task.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Row {
    /// The task.
    pub(crate) task: String,
    /// In how many seeds it was solved.
    pub(crate) won: u32,
    /// With how many it was played.
    pub(crate) played: u32,
    /// The policies that played it.
    pub(crate) policies: BTreeSet<&'static str>,
    /// How many actions were said to have failed that the page judged to have solved the task.
    pub(crate) denied: u32,
    /// How often each reason for not solving it came up.
    pub(crate) reasons: BTreeMap<String, u32>,
    /// How long an episode took on average, milliseconds.
    pub(crate) milliseconds: u64,
}

impl Row {
    /// Whether it was solved in at least 95 of 100 seeds.
    pub(crate) fn solved(&self) -> bool {
        self.played > 0 && self.won * 100 >= self.played * 95
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = if self.solved() { '+' } else { '-' };
        write!(f, "{mark} {:<32} {:>2}/{} {:>5} ms", self.task, self.won, self.played, self.milliseconds)?;
        for policy in &self.policies {
            write!(f, "  {policy}")?;
        }
        if self.denied > 0 {
            write!(f, "  [{} denied]", self.denied)?;
        }
        if let Some((reason, times)) = self.reasons.iter().max_by_key(|(_, times)| **times) {
            let reason: String = reason.chars().take(160).collect();
            write!(f, "  {times} x {reason}")?;
        }
        Ok(())
    }
}

/// The text of `docs/miniwob.md`; `unsolved` says of tasks why they are not.
pub(crate) fn markdown(rows: &[Row], seeds: u32, unsolved: &BTreeMap<String, String>) -> String {
    let solved = rows.iter().filter(|row| row.solved()).count();
    let policies = policies::all();
    let mut text = format!(
        "{HEAD}\n{solved} of {} tasks are solved in at least 95 % of {seeds} seeds, by {} policies.\n\n## Policies\n\n\
         | policy | what it understands | tasks solved |\n|---|---|---|\n",
        rows.len(),
        policies.len()
    );
    // writing to a String cannot fail
    for policy in &policies {
        let tasks = rows.iter().filter(|row| row.solved() && row.policies.contains(policy.name()));
        let tasks: Vec<&str> = tasks.map(|row| row.task.as_str()).collect();
        let _ = writeln!(text, "| {} | {} | {} |", policy.name(), policy.about(), tasks.join(", "));
    }
    text.push_str("\n## Tasks\n\n| task | solved | policy | why not |\n|---|---|---|---|\n");
    for row in rows {
        let policies: Vec<&str> = row.policies.iter().copied().collect();
        let why = unsolved.get(&row.task).filter(|_| !row.solved()).map_or("", String::as_str);
        let _ = writeln!(text, "| {} | {}/{} | {} | {why} |", row.task, row.won, row.played, policies.join(", "));
    }
    text
}

/// Why tasks are not solved: a file of lines `task<tab>reason`.
pub(crate) fn unsolved(path: &Path) -> miette::Result<BTreeMap<String, String>> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        other => other.into_diagnostic().wrap_err_with(|| format!("cannot read {}", path.display()))?,
    };
    Ok(text
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .map(|(task, why)| (task.to_owned(), why.to_owned()))
        .collect())
}
