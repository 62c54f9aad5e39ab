//! Reading what was written, whoever writes meanwhile.

use rusqlite::{Connection, OptionalExtension as _, Row, params};
use serde::{Deserialize, Serialize};
use webhand_agent::journal::{Entry, JournalError};

use crate::owner::Owner;

/// A run as a list shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RunLine {
    /// What it is called.
    pub id: String,
    /// When it began, in milliseconds since 1970.
    pub at: u64,
    /// What was to be done.
    pub task: String,
    /// The model.
    pub model: String,
    /// How many steps are complete.
    pub steps: u32,
    /// How it stands.
    pub state: RunState,
    /// The word for its end, where it is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
    /// When that was, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<u64>,
}

/// How a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RunState {
    /// A process has it in hand.
    Running,
    /// Its process is gone: it can be taken up again.
    Interrupted,
    /// It is over.
    Over,
}

const LINE: &str = "SELECT id, at, task, model, steps, end, ended_at, pid, pid_began FROM run";

fn line(row: &Row<'_>) -> rusqlite::Result<(RunLine, Owner)> {
    let owner = Owner { pid: row.get(7)?, began: unsigned(row.get(8)?) };
    let end: Option<String> = row.get(5)?;
    let state = match (&end, owner.lives()) {
        (Some(_), _) => RunState::Over,
        (None, true) => RunState::Running,
        (None, false) => RunState::Interrupted,
    };
    let ended_at: Option<i64> = row.get(6)?;
    let line = RunLine {
        id: row.get(0)?,
        at: unsigned(row.get(1)?),
        task: row.get(2)?,
        model: row.get(3)?,
        steps: row.get(4)?,
        state,
        end,
        ended_at: ended_at.map(unsigned),
    };
    Ok((line, owner))
}

/// The newest runs, newest first.
pub(crate) fn runs(connection: &Connection, most: u32) -> rusqlite::Result<Vec<RunLine>> {
    let mut asked = connection.prepare(&format!("{LINE} ORDER BY at DESC, rowid DESC LIMIT ?1"))?;
    let lines = asked.query_map(params![most], line)?;
    lines.map(|line| line.map(|(line, _)| line)).collect()
}

/// One run, by its name or by the only one that begins so.
pub(crate) fn run(connection: &Connection, id: &str) -> rusqlite::Result<Option<(RunLine, Owner)>> {
    let whole = connection.query_row(&format!("{LINE} WHERE id = ?1"), params![id], line).optional()?;
    if whole.is_some() || id.is_empty() {
        return Ok(whole);
    }
    let mut asked = connection.prepare(&format!("{LINE} WHERE substr(id, 1, length(?1)) = ?1 LIMIT 2"))?;
    let mut found = asked.query_map(params![id], line)?.collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(if found.len() == 1 { found.pop() } else { None })
}

/// The entries of a run, in order. One that cannot be read is no gap to step over: what follows stands on it.
pub(crate) fn entries(connection: &Connection, id: &str) -> Result<Vec<Entry>, JournalError> {
    let unread = |reason: String| JournalError::Unusable { at: id.to_owned(), reason };
    let told = |error: rusqlite::Error| unread(error.to_string());
    let mut asked = connection.prepare("SELECT body FROM entry WHERE run = ?1 ORDER BY number").map_err(told)?;
    let bodies = asked.query_map(params![id], |row| row.get::<_, String>(0)).map_err(told)?;
    let read = |(at, body): (usize, rusqlite::Result<String>)| {
        serde_json::from_str(&body.map_err(told)?).map_err(|error| unread(format!("entry {}: {error}", at + 1)))
    };
    bodies.enumerate().map(read).collect()
}

/// Bytes by the name that their content has.
pub(crate) fn artefact(connection: &Connection, hash: &str) -> rusqlite::Result<Option<Vec<u8>>> {
    connection.query_row("SELECT bytes FROM artefact WHERE hash = ?1", params![hash], |row| row.get(0)).optional()
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}
