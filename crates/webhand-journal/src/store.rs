//! The file that holds all runs, and the journal of one.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{SystemTime, UNIX_EPOCH},
};

use async_trait::async_trait;
use rand::Rng as _;
use rusqlite::{Connection, OpenFlags};
use sha2::{Digest as _, Sha256};
use webhand_agent::journal::{Entry, Head, Journal, JournalError, Journals};

use crate::{
    owner::Owner,
    read::{self, RunLine},
    schema,
    writer::{Write, Writer},
};

/// The name of the file in its folder.
const FILE: &str = "journal.db";
/// The largest artefact that is kept, in bytes.
const LARGEST: usize = 64 * 1024 * 1024;

/// All runs of one folder. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Store {
    path: PathBuf,
    writer: Writer,
    reader: Arc<Mutex<Connection>>,
}

impl Store {
    /// Opens the journal of a folder, and makes both where they are not there yet, for their owner alone.
    ///
    /// # Errors
    /// When the folder or the file cannot be made, read or written, or was written by a newer version.
    pub fn open(folder: &Path) -> Result<Self, JournalError> {
        let path = folder.join(FILE);
        let fail = |reason: String| JournalError::Unusable { at: path.display().to_string(), reason };
        make_private(folder, &path).map_err(|error| fail(error.to_string()))?;
        let mut writing = Connection::open(&path).map_err(|error| fail(error.to_string()))?;
        schema::prepare(&mut writing).map_err(&fail)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let reading = Connection::open_with_flags(&path, flags).map_err(|error| fail(error.to_string()))?;
        let patience = std::time::Duration::from_secs(10);
        reading.busy_timeout(patience).map_err(|error| fail(error.to_string()))?;
        let (writer, _) = Writer::start(writing).map_err(&fail)?;
        Ok(Self { path, writer, reader: Arc::new(Mutex::new(reading)) })
    }

    /// Where the file is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Begins the journal of a new run.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn begin_run(&self, mut head: Head) -> Result<RunJournal, JournalError> {
        if head.at == 0 {
            head.at = now();
        }
        let id = new_id(head.at);
        let write = Write::Begin {
            id: id.clone(),
            at: head.at,
            task: head.task.clone(),
            model: head.model.clone(),
            owner: Owner::this(),
            body: self.body(&Entry::Began(head))?,
        };
        self.write(write).await?;
        Ok(RunJournal { store: self.clone(), id })
    }

    /// Takes up the journal of a run whose process has ended. `id` may be the beginning of its name.
    ///
    /// # Errors
    /// When there is no such run, it is over, or another process has it in hand.
    pub async fn take_up(&self, id: &str) -> Result<RunJournal, JournalError> {
        let (line, from) = self.read(|reader| read::run(reader, id))?.ok_or_else(|| no_run(id))?;
        let id = line.id;
        if let Some(end) = line.end {
            return Err(JournalError::Over { id, end });
        }
        let this = Owner::this();
        if from != this && from.lives() {
            return Err(JournalError::UnderWay { id, pid: from.pid });
        }
        let body = self.body(&Entry::Resumed { at: now() })?;
        // of two processes that come at the same moment one finds the other there
        match self.write(Write::TakeUp { id: id.clone(), owner: this, from, body }).await? {
            0 => Err(JournalError::UnderWay { id, pid: from.pid }),
            _ => Ok(RunJournal { store: self.clone(), id }),
        }
    }

    /// The newest runs, newest first.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn runs(&self, most: u32) -> Result<Vec<RunLine>, JournalError> {
        self.read(|reader| read::runs(reader, most))
    }

    /// One run, by its name or by its beginning, where only one begins so.
    ///
    /// # Errors
    /// When there is no such run, or the file cannot be read.
    pub fn run(&self, id: &str) -> Result<RunLine, JournalError> {
        self.read(|reader| read::run(reader, id))?.map(|(line, _)| line).ok_or_else(|| no_run(id))
    }

    /// All that was written of a run, in order.
    ///
    /// # Errors
    /// When there is no such run, or the file cannot be read.
    pub fn entries(&self, id: &str) -> Result<Vec<Entry>, JournalError> {
        let line = self.run(id)?;
        let reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        read::entries(&reader, &line.id)
    }

    /// What is kept under that name.
    ///
    /// # Errors
    /// When nothing is, or the file cannot be read.
    pub fn artefact(&self, hash: &str) -> Result<Vec<u8>, JournalError> {
        self.read(|reader| read::artefact(reader, hash))?
            .ok_or_else(|| self.fail(format!("it holds no artefact {hash}")))
    }

    /// Forgets runs that are over and began before then (milliseconds since 1970), with all that only they saw. Gives how
    /// many.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn forget(&self, before: u64) -> Result<u64, JournalError> {
        self.write(Write::Forget { before }).await
    }

    fn read<T>(&self, ask: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, JournalError> {
        let reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        ask(&reader).map_err(|error| self.fail(error.to_string()))
    }

    async fn write(&self, write: Write) -> Result<u64, JournalError> {
        self.writer.write(write).await.map_err(|reason| self.fail(reason))
    }

    fn body(&self, entry: &Entry) -> Result<String, JournalError> {
        serde_json::to_string(entry).map_err(|error| self.fail(error.to_string()))
    }

    fn fail(&self, reason: String) -> JournalError {
        JournalError::Unusable { at: self.path.display().to_string(), reason }
    }
}

#[async_trait]
impl Journals for Store {
    async fn begin(&self, head: Head) -> Result<Arc<dyn Journal>, JournalError> {
        Ok(Arc::new(self.begin_run(head).await?))
    }
}

/// The journal of one run.
#[derive(Clone, Debug)]
pub struct RunJournal {
    store: Store,
    id: String,
}

#[async_trait]
impl Journal for RunJournal {
    fn run(&self) -> &str {
        &self.id
    }

    async fn write(&self, entry: Entry) -> Result<(), JournalError> {
        let steps = match &entry {
            Entry::Stepped(progress) => Some(progress.entry.step),
            _ => None,
        };
        let end = match &entry {
            Entry::Ended { end, at, .. } => Some((end.code().to_owned(), *at)),
            _ => None,
        };
        let body = self.store.body(&entry)?;
        self.store.write(Write::Entry { id: self.id.clone(), body, steps, end }).await.map(drop)
    }

    async fn keep(&self, bytes: Vec<u8>) -> Result<String, JournalError> {
        if bytes.len() > LARGEST {
            return Err(self.store.fail(format!("an artefact of {} bytes is more than is kept", bytes.len())));
        }
        let hash = digest(&bytes);
        self.store.write(Write::Keep { hash: hash.clone(), bytes }).await?;
        Ok(hash)
    }
}

fn no_run(id: &str) -> JournalError {
    JournalError::NoRun { id: id.to_owned() }
}

/// SHA-256 in hexadecimal digits.
fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// A name for a run that is easy to type: letters and digits that nobody mistakes, the older the earlier in order.
fn new_id(at: u64) -> String {
    const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let chance = rand::rng().random_range(0..32_u64.pow(3));
    // six letters count the seconds of thirty years, three are chance
    let number = (at / 1000 % 32_u64.pow(6)) * 32_u64.pow(3) + chance;
    (0..9).rev().map(|place| char::from(LETTERS[(number >> (5 * place)) as usize & 31])).collect()
}

/// Makes folder and file for their owner alone.
fn make_private(folder: &Path, path: &Path) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(false);
    let mut making = std::fs::DirBuilder::new();
    making.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
        making.mode(0o700);
        options.mode(0o600);
    }
    making.create(folder)?;
    options.open(path).map(drop)
}
