//! The thread that writes: one after the other, each a transaction.

use std::thread::JoinHandle;

use rusqlite::{Connection, params};
use tokio::sync::{mpsc, oneshot};

use crate::owner::Owner;

/// So many writes wait at most; whoever comes then waits, too.
const WAITING: usize = 64;

/// Something to be written.
#[derive(Debug)]
pub(crate) enum Write {
    /// A run, with its first entry.
    Begin { id: String, at: u64, task: String, model: String, owner: Owner, body: String },
    /// This process has the run in hand now, unless another one has.
    TakeUp { id: String, owner: Owner, from: Owner, body: String },
    /// An entry; after that many steps; the run's end, if it is over.
    Entry { id: String, body: String, steps: Option<u32>, end: Option<(String, u64)> },
    /// Bytes by their hash.
    Keep { hash: String, bytes: Vec<u8> },
    /// Runs of before then, with all that only they saw.
    Forget { before: u64 },
}

type Done = oneshot::Sender<Result<u64, String>>;

/// Hands writes to the thread. All of one file share it.
#[derive(Clone, Debug)]
pub(crate) struct Writer {
    queue: mpsc::Sender<(Write, Done)>,
}

impl Writer {
    /// Starts the thread. It ends when the last that hands it anything is gone.
    pub(crate) fn start(connection: Connection) -> Result<(Self, JoinHandle<()>), String> {
        let (queue, waiting) = mpsc::channel(WAITING);
        let thread = std::thread::Builder::new()
            .name("webhand-journal".to_owned())
            .spawn(move || work(connection, waiting))
            .map_err(|error| error.to_string())?;
        Ok((Self { queue }, thread))
    }

    /// Writes; comes back once it is safe. Tells how many rows that changed.
    pub(crate) async fn write(&self, write: Write) -> Result<u64, String> {
        let (done, written) = oneshot::channel();
        let gone = || "the thread that writes is gone".to_owned();
        self.queue.send((write, done)).await.map_err(|_| gone())?;
        written.await.map_err(|_| gone())?
    }
}

fn work(mut connection: Connection, mut waiting: mpsc::Receiver<(Write, Done)>) {
    while let Some((write, done)) = waiting.blocking_recv() {
        let written = carry_out(&mut connection, write).map_err(|error| error.to_string());
        // whoever asked may be gone
        let _ = done.send(written);
    }
}

fn carry_out(connection: &mut Connection, write: Write) -> rusqlite::Result<u64> {
    let writing = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let changed = match write {
        Write::Begin { id, at, task, model, owner, body } => {
            let made = writing.execute(
                "INSERT INTO run (id, at, task, model, pid, pid_began) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                params![id, signed(at), task, model, owner.pid, signed(owner.began)],
            )?;
            add(&writing, &id, &body)?;
            made
        }
        Write::TakeUp { id, owner, from, body } => {
            let taken = writing.execute(
                "UPDATE run SET pid = ?2, pid_began = ?3 WHERE id = ?1 AND pid = ?4 AND pid_began = ?5",
                params![id, owner.pid, signed(owner.began), from.pid, signed(from.began)],
            )?;
            if taken == 1 {
                add(&writing, &id, &body)?;
            }
            taken
        }
        Write::Entry { id, body, steps, end } => {
            add(&writing, &id, &body)?;
            if let Some(steps) = steps {
                writing.execute("UPDATE run SET steps = ?2 WHERE id = ?1", params![id, steps])?;
            }
            if let Some((end, at)) = end {
                writing
                    .execute("UPDATE run SET end = ?2, ended_at = ?3 WHERE id = ?1", params![id, end, signed(at)])?;
            }
            1
        }
        Write::Keep { hash, bytes } => {
            writing.execute("INSERT OR IGNORE INTO artefact (hash, bytes) VALUES (?1, ?2)", params![hash, bytes])?
        }
        Write::Forget { before } => {
            let gone = writing.execute("DELETE FROM run WHERE at < ?1 AND end IS NOT NULL", params![signed(before)])?;
            writing.execute(
                "DELETE FROM artefact WHERE NOT EXISTS (SELECT 1 FROM entry WHERE instr(body, hash) > 0)",
                [],
            )?;
            gone
        }
    };
    writing.commit()?;
    Ok(changed as u64)
}

fn add(writing: &rusqlite::Transaction<'_>, id: &str, body: &str) -> rusqlite::Result<usize> {
    writing.execute(
        "INSERT INTO entry (run, number, body) VALUES (?1, (SELECT coalesce(max(number), 0) + 1 FROM entry WHERE run = ?1), ?2)",
        params![id, body],
    )
}

/// SQLite's numbers have a sign.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
