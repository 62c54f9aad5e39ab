//! What came of the cases, library by library, and how it is told. Pure.

use std::{collections::BTreeMap, fmt::Write as _};

use webhand_proof::{report::Failure, runner::CaseResult};

use super::cases::{Cases, Sort};

/// One case: all its runs.
#[derive(Debug)]
struct Judged {
    id: String,
    sort: Sort,
    title: String,
    ran: bool,
    failures: Vec<Failure>,
}

impl Judged {
    fn passes(&self) -> bool {
        self.ran && self.failures.is_empty()
    }
}

/// What came of all of them.
#[derive(Debug, Default)]
pub(super) struct Report {
    libraries: Vec<(String, Vec<Judged>)>,
}

/// How many pass, of how many.
type Rate = (usize, usize);

impl Report {
    pub(super) fn of(cases: &Cases, results: Vec<CaseResult>) -> Self {
        let mut by_id: BTreeMap<String, (bool, Vec<Failure>)> = BTreeMap::new();
        for result in results {
            let (ran, failures) = by_id.entry(result.id).or_default();
            *ran = true;
            failures.extend(result.failure);
        }
        let mut libraries: Vec<(String, Vec<Judged>)> = Vec::new();
        for case in cases.iter() {
            let (ran, failures) = by_id.remove(&case.fixture.id).unwrap_or_default();
            let (id, title) = (case.fixture.id.clone(), case.fixture.title.clone());
            let judged = Judged { id, sort: case.sort, title, ran, failures };
            match libraries.last_mut().filter(|(name, _)| *name == case.library) {
                Some((_, all)) => all.push(judged),
                None => libraries.push((case.library.clone(), vec![judged])),
            }
        }
        Self { libraries }
    }

    fn all(&self) -> impl Iterator<Item = &Judged> {
        self.libraries.iter().flat_map(|(_, cases)| cases)
    }

    /// Each id, and whether it passes.
    pub(super) fn judged(&self) -> impl Iterator<Item = (&str, bool)> {
        self.all().map(|case| (case.id.as_str(), case.passes()))
    }

    /// How often success was claimed for what the library does not show.
    pub(super) fn false_successes(&self) -> usize {
        self.all().flat_map(|case| &case.failures).filter(|failure| failure.false_success).count()
    }

    /// A row a library, with what of it fails below it.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for (name, cases) in &self.libraries {
            let mut row = format!("{name:<16}");
            for (sort, word) in Sort::ALL {
                if let Some((passed, all)) = rate(cases, sort) {
                    let _ = write!(row, " {word} {passed}/{all}");
                }
            }
            let _ = writeln!(text, "{}", row.trim_end());
            for case in cases.iter().filter(|case| !case.passes()) {
                let _ = writeln!(text, "  FAIL {}: {}", case.id, case.title);
                for failure in &case.failures {
                    let _ = writeln!(text, "{}", failure.text());
                }
            }
        }
        text
    }

    /// The last lines.
    pub(super) fn verdict(&self) -> String {
        let passed = self.all().filter(|case| case.passes()).count();
        format!("false successes: {}\nwidgets: {passed}/{}", self.false_successes(), self.all().count())
    }

    /// The table for the docs: a column a kind of widget.
    pub(super) fn markdown(&self) -> String {
        let words: Vec<&str> = Sort::ALL.iter().map(|(_, word)| *word).collect();
        let mut text = format!("| library | {} |\n|---|{}\n", words.join(" | "), "---|".repeat(words.len()));
        for (name, cases) in &self.libraries {
            let cells = Sort::ALL.map(|(sort, _)| cell(rate(cases, sort)));
            let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
        }
        let _ = writeln!(text, "\n{}", self.verdict().replace('\n', ", "));
        text
    }
}

/// None where there are no such cases.
fn rate(cases: &[Judged], sort: Sort) -> Option<Rate> {
    let of_sort = || cases.iter().filter(|case| case.sort == sort);
    let all = of_sort().count();
    (all > 0).then(|| (of_sort().filter(|case| case.passes()).count(), all))
}

fn cell(rate: Option<Rate>) -> String {
    rate.map_or_else(String::new, |(passed, all)| format!("{passed}/{all}"))
}

#[cfg(test)]
mod tests {
    use webhand_proof::case::Kind;

    use super::*;

    fn judged(id: &str, sort: Sort, failed: Option<bool>) -> Judged {
        let failure = failed.map(|false_success| Failure {
            case: id.to_owned(),
            kind: Kind::Shell,
            step: None,
            faults: vec!["it holds \"x\"".to_owned()],
            false_success,
        });
        Judged {
            id: id.to_owned(),
            sort,
            title: "a title".to_owned(),
            ran: true,
            failures: failure.into_iter().collect(),
        }
    }

    fn report() -> Report {
        let quill = vec![judged("quill/a", Sort::Editor, None), judged("quill/b", Sort::Editor, Some(true))];
        let mui = vec![judged("mui/a", Sort::Text, Some(false)), judged("mui/b", Sort::Date, None)];
        Report { libraries: vec![("quill".to_owned(), quill), ("mui".to_owned(), mui)] }
    }

    #[test]
    fn a_row_a_library_and_the_count_at_the_end() {
        let text = report().text();
        assert!(text.contains("quill            editor 1/2\n  FAIL quill/b: a title\n"), "{text}");
        assert!(text.contains("mui              text 0/1 date 1/1\n"), "{text}");
        assert_eq!(report().verdict(), "false successes: 1\nwidgets: 2/4");
        assert!(report().markdown().contains("| mui | 0/1 |  |  |  | 1/1 |  |  |\n"));
    }

    #[test]
    fn what_did_not_run_does_not_pass() {
        let mut report = report();
        report.libraries[0].1[0].ran = false;
        assert!(report.judged().all(|(id, passes)| id != "quill/a" || !passes));
    }
}
