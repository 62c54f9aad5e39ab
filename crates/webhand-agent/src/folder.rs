//! The folder a run writes: `record.jsonl` with a line a step, a picture a step, and `result.json` at the end.
//!
//! It writes into its own folder only, and never over another run.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use serde::Serialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::{end::Run, record::ActionRecord};

/// One line of `record.jsonl`.
#[derive(Debug, Serialize)]
pub(crate) struct StepLine<'a> {
    /// Counted from one.
    pub(crate) step: u32,
    /// The page's address.
    pub(crate) url: &'a str,
    /// SHA-256 of the prompt's text.
    pub(crate) prompt_sha256: String,
    /// What the model answered, as it came.
    pub(crate) reply: &'a str,
    /// The answer as it was understood.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) decision: Option<Value>,
    /// Why it could not be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fault: Option<&'a str>,
    /// What came of each action.
    pub(crate) outcomes: &'a [ActionRecord],
    /// The picture's file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) picture: Option<String>,
    /// How long the step took.
    pub(crate) elapsed_ms: u64,
}

/// An open run folder.
#[derive(Debug)]
pub(crate) struct RunFolder {
    path: PathBuf,
    record: File,
    /// The newest picture: it stands in while a dialog keeps new ones from being taken.
    newest: Option<Vec<u8>>,
}

impl RunFolder {
    /// Makes the folder. A folder that holds a record already is refused.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        fs::create_dir_all(path)?;
        let record = OpenOptions::new().write(true).create_new(true).open(path.join("record.jsonl"))?;
        Ok(Self { path: path.to_owned(), record, newest: None })
    }

    /// Opens the folder of a run that goes on: what it holds stays.
    pub(crate) fn again(path: &Path) -> io::Result<Self> {
        fs::create_dir_all(path)?;
        let record = OpenOptions::new().append(true).create(true).open(path.join("record.jsonl"))?;
        Ok(Self { path: path.to_owned(), record, newest: None })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes one step's line, whole or not at all.
    pub(crate) fn step(&mut self, line: &StepLine<'_>) -> io::Result<()> {
        let mut text = serde_json::to_string(line)?;
        text.push('\n');
        self.record.write_all(text.as_bytes())?;
        self.record.flush()
    }

    /// Writes a step's picture and gives its file name; without a new one the newest stands in.
    pub(crate) fn picture(&mut self, step: u32, image: Option<Vec<u8>>) -> io::Result<Option<String>> {
        if let Some(image) = image {
            self.newest = Some(image);
        }
        let Some(image) = &self.newest else { return Ok(None) };
        let name = format!("step-{step:02}.jpg");
        fs::write(self.path.join(&name), image)?;
        Ok(Some(name))
    }

    /// Writes how the run ended.
    pub(crate) fn result(&self, run: &Run) -> io::Result<()> {
        fs::write(self.path.join("result.json"), serde_json::to_vec_pretty(run)?)
    }
}

/// SHA-256 of a text, in hexadecimal digits.
pub(crate) fn sha256(text: &str) -> String {
    use std::fmt::Write as _;
    Sha256::digest(text.as_bytes()).iter().fold(String::with_capacity(64), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_never_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path().join("run");
        let mut open = RunFolder::open(&run).unwrap();
        assert_eq!(open.picture(1, None).unwrap(), None);
        assert_eq!(open.picture(2, Some(vec![1])).unwrap().as_deref(), Some("step-02.jpg"));
        assert_eq!(open.picture(3, None).unwrap().as_deref(), Some("step-03.jpg"));
        assert_eq!(fs::read(run.join("step-03.jpg")).unwrap(), [1]);
        assert_eq!(RunFolder::open(&run).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
    }

    #[test]
    fn digests_are_the_known_ones() {
        assert_eq!(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
