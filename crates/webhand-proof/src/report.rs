//! What a run of the gauntlet came to, and how it is told. Pure.

use std::{collections::BTreeMap, fmt::Write as _};

use crate::{case::Kind, folder::PlannedRow};

/// The rows that ran, and those that are not built yet.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// What ran, by id.
    pub rows: Vec<Row>,
    /// What is planned and has no case yet.
    pub not_yet: Vec<PlannedRow>,
}

/// One row: all runs of all its cases.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// Its id.
    pub id: String,
    /// What it is about.
    pub title: String,
    /// How many runs passed.
    pub passed: u32,
    /// How many there were.
    pub total: u32,
    /// How many times the engine claimed what did not happen.
    pub false_successes: u32,
    /// The runs that failed.
    pub failures: Vec<Failure>,
}

/// A run that failed.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The case.
    pub case: String,
    /// In which kind of browser.
    pub kind: Kind,
    /// In which step, from 1, and what that is; absent when the page could not be opened.
    pub step: Option<(usize, String)>,
    /// In what it fell short.
    pub faults: Vec<String>,
    /// Whether it was a false success.
    pub false_success: bool,
}

impl Row {
    /// Whether every run passed.
    #[must_use]
    pub fn passes(&self) -> bool {
        self.total > 0 && self.passed == self.total
    }
}

impl Report {
    /// Whether every row passes and nothing was claimed falsely.
    #[must_use]
    pub fn passes(&self) -> bool {
        self.rows.iter().all(Row::passes) && self.false_successes() == 0
    }

    /// How many false successes there were.
    #[must_use]
    pub fn false_successes(&self) -> u32 {
        self.rows.iter().map(|row| row.false_successes).sum()
    }

    /// Rows passed and rows run, by group (the letters of the id).
    #[must_use]
    pub fn groups(&self) -> BTreeMap<String, (usize, usize)> {
        let mut groups: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for planned in &self.not_yet {
            groups.entry(group_of(&planned.id)).or_default();
        }
        for row in &self.rows {
            let (passed, total) = groups.entry(group_of(&row.id)).or_default();
            *passed += usize::from(row.passes());
            *total += 1;
        }
        groups
    }

    /// The report for a terminal; its last line is the count of false successes.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for row in &self.rows {
            let verdict = if row.passes() { "ok  " } else { "FAIL" };
            let _ =
                writeln!(text, "{verdict} {:<4} {:>5}  {}", row.id, format!("{}/{}", row.passed, row.total), row.title);
            for failure in &row.failures {
                let _ = writeln!(text, "{}", failure.text());
            }
        }
        for planned in &self.not_yet {
            let _ = writeln!(text, "not yet {:<4}  {}", planned.id, planned.title);
        }
        for (group, (passed, total)) in self.groups() {
            let _ = writeln!(text, "{group}: {passed}/{total}");
        }
        let _ = writeln!(text, "false successes: {}", self.false_successes());
        text
    }

    /// The report as a Markdown table.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut text = "| row | page | runs passed |\n|---|---|---|\n".to_owned();
        for row in &self.rows {
            let mark = if row.passes() { "" } else { " **fails**" };
            let _ = writeln!(text, "| {} | {} | {}/{}{mark} |", row.id, cell(&row.title), row.passed, row.total);
        }
        for planned in &self.not_yet {
            let _ = writeln!(text, "| {} | {} | not yet |", planned.id, cell(&planned.title));
        }
        let groups = self.groups().into_iter().map(|(group, (passed, total))| format!("{group} {passed}/{total}"));
        let groups = groups.collect::<Vec<_>>().join(", ");
        let _ = writeln!(text, "\nRows: {groups}. False successes: {}.", self.false_successes());
        text
    }
}

impl Failure {
    /// A line or more, indented.
    #[must_use]
    pub fn text(&self) -> String {
        let step = self.step.as_ref().map_or("open".to_owned(), |(number, brief)| format!("step {number} ({brief})"));
        let grave = if self.false_success { "FALSE SUCCESS " } else { "" };
        let mut text = format!("       {grave}{} [{}] {step}:", self.case, self.kind.as_str());
        for fault in &self.faults {
            let short: String = fault.chars().take(1_500).collect();
            text.push_str("\n         ");
            text.push_str(&short.replace('\n', "\n         "));
        }
        text
    }
}

fn group_of(id: &str) -> String {
    id.chars().take_while(char::is_ascii_alphabetic).collect()
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        let row = |id: &str, passed, false_successes| Row {
            id: id.into(),
            title: "a | page".into(),
            passed,
            total: 2,
            false_successes,
            failures: Vec::new(),
        };
        Report {
            rows: vec![row("A01", 2, 0), row("A02", 1, 1), row("P01", 2, 0)],
            not_yet: vec![PlannedRow { id: "B03".into(), title: "rows".into() }],
        }
    }

    #[test]
    fn groups_count_rows_and_the_last_line_counts_false_successes() {
        let text = report().text();
        assert!(text.contains("A: 1/2\nB: 0/0\nP: 1/1\n"), "{text}");
        assert!(text.contains("not yet B03"), "{text}");
        assert_eq!(text.lines().last(), Some("false successes: 1"));
        assert!(!report().passes());
    }

    #[test]
    fn rows_not_built_yet_do_not_count() {
        let mut report = report();
        report.rows.remove(1);
        assert!(report.passes());
        assert!(report.markdown().contains("| B03 | rows | not yet |"));
        assert!(report.markdown().contains("a \\| page"));
    }
}
