//! One thing out of shape: where, and what to do about it.

use std::fmt;

/// A place and a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    path: String,
    line: Option<usize>,
    says: String,
}

impl Finding {
    /// About a whole file.
    pub(crate) fn in_file(path: &str, says: impl Into<String>) -> Finding {
        Finding { path: path.to_owned(), line: None, says: says.into() }
    }

    /// About one line, counted from 1.
    pub(crate) fn at(path: &str, line: usize, says: impl Into<String>) -> Finding {
        Finding { path: path.to_owned(), line: Some(line), says: says.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.path, self.says),
            None => write!(f, "{}: {}", self.path, self.says),
        }
    }
}
