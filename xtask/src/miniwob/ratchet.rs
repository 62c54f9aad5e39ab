//! The list of tasks that are solved: one a line, sorted. It may only grow.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use miette::{Context as _, IntoDiagnostic as _};

use super::report::Row;

/// The committed list.
#[derive(Debug)]
pub(crate) struct Solved {
    path: PathBuf,
    tasks: BTreeSet<String>,
}

impl Solved {
    /// Reads a list; one that is not there is empty.
    pub(crate) fn read(path: &Path) -> miette::Result<Self> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            other => other.into_diagnostic().wrap_err_with(|| format!("cannot read {}", path.display()))?,
        };
        let tasks = text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect();
        Ok(Self { path: path.to_owned(), tasks })
    }

    /// What is listed, was played and is not solved.
    pub(crate) fn lost(&self, rows: &[Row]) -> Vec<String> {
        let failing = rows.iter().filter(|row| !row.solved() && self.tasks.contains(&row.task));
        failing.map(|row| row.task.clone()).collect()
    }

    /// Writes the list anew: what it held, and what is solved.
    pub(crate) fn grow(&self, rows: &[Row]) -> miette::Result<()> {
        let solved = rows.iter().filter(|row| row.solved()).map(|row| &row.task);
        let all: BTreeSet<&String> = self.tasks.iter().chain(solved).collect();
        let text: String = all.into_iter().flat_map(|task| [task.as_str(), "\n"]).collect();
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder).into_diagnostic()?;
        }
        let written = std::fs::write(&self.path, text).into_diagnostic();
        written.wrap_err_with(|| format!("cannot write {}", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(task: &str, won: u32) -> Row {
        Row { task: task.to_owned(), won, played: 20, ..Row::default() }
    }

    #[test]
    fn what_is_listed_must_be_solved_where_it_was_played() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("solved.txt");
        Solved::read(&path).unwrap().grow(&[row("a", 19), row("b", 20), row("c", 18)]).unwrap();
        let solved = Solved::read(&path).unwrap();
        assert_eq!(solved.lost(&[row("a", 18), row("c", 0)]), ["a"]);
        assert!(solved.lost(&[row("b", 19)]).is_empty());
        solved.grow(&[row("c", 20)]).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "a\nb\nc\n");
    }
}
