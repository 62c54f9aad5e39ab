//! `cargo xtask urls [FILE]`: a table of URLs and verdicts against the judge.
//!
//! A row is `allow TAB deny TAB url TAB verdict TAB why`; the lists hold
//! patterns apart by commas or spaces, `-` is an empty one. Knows the table's
//! form, nothing of how a URL is judged.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use miette::{Context as _, IntoDiagnostic as _};
use webhand_guard::{PatternError, Place, UrlJudge, UrlPolicy, Verdict};

/// What to judge.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The table
    #[arg(default_value = "tests/cases/urls.tsv")]
    file: PathBuf,
}

/// One line of the table.
#[derive(Debug)]
struct Row<'a> {
    allow: &'a str,
    deny: &'a str,
    url: &'a str,
    verdict: &'a str,
    why: &'a str,
}

/// Prints every row that came out otherwise, then `urls: N/M`.
pub(crate) fn run(arguments: &Arguments) -> miette::Result<ExitCode> {
    let file = arguments.file.display();
    let table =
        std::fs::read_to_string(&arguments.file).into_diagnostic().wrap_err_with(|| format!("cannot read {file}"))?;
    let mut rows = 0;
    let mut right = 0;
    for (number, line) in (1..).zip(table.lines()) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        rows += 1;
        match compare(line) {
            Ok(()) => right += 1,
            Err(difference) => println!("{file}:{number}: {difference}"),
        }
    }
    println!("urls: {right}/{rows}");
    Ok(if right == rows && rows > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The judge's verdict on a line against the line's own.
fn compare(line: &str) -> Result<(), String> {
    let row = Row::parse(line).ok_or("a row has at least the columns allow, deny, url, verdict")?;
    let verdict = row.judge().map_err(|error| error.to_string())?;
    let found = if verdict.allowed { "allow" } else { "deny" };
    if found == row.verdict.trim() {
        Ok(())
    } else {
        Err(format!("{} should be {} ({}), is {verdict}", row.url, row.verdict, row.why))
    }
}

impl<'a> Row<'a> {
    fn parse(line: &'a str) -> Option<Row<'a>> {
        let mut columns = line.split('\t');
        Some(Row {
            allow: columns.next()?,
            deny: columns.next()?,
            url: columns.next()?,
            verdict: columns.next()?,
            why: columns.next().unwrap_or_default(),
        })
    }

    fn judge(&self) -> Result<Verdict, PatternError> {
        let policy = UrlPolicy::parse(patterns(self.allow), patterns(self.deny))?;
        Ok(UrlJudge::new(policy).judge(self.url, Place::Top))
    }
}

fn patterns(list: &str) -> impl Iterator<Item = &str> {
    list.split([',', ' ']).map(str::trim).filter(|it| !matches!(*it, "" | "-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_verdict_is_told() {
        assert_eq!(compare("-\tbad.com\thttps://bad.com/\tdeny\tdenied host"), Ok(()));
        let told = compare("-\tbad.com\thttps://bad.com/\tallow\tsome reason").unwrap_err();
        assert_eq!(told, "https://bad.com/ should be allow (some reason), is denied: a rule names it (bad.com)");
    }

    #[test]
    fn a_row_that_cannot_be_read_is_not_right() {
        assert!(compare("-\t-\thttps://good.com/").is_err());
        assert!(compare("file://x\t-\thttps://good.com/\tallow\t").is_err());
    }
}
