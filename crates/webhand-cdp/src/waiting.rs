//! The commands that wait for a reply. Every way to stop waiting goes through here, so that no entry stays behind.

use std::collections::HashMap;
use std::sync::Mutex;

use tokio::sync::oneshot;

use crate::core::lock;
use crate::{CdpError, SessionId};

/// The text of a reply, not yet decoded, or why there is none.
pub(crate) type Answer = Result<String, CdpError>;

#[derive(Debug, Default)]
pub(crate) struct Waiting {
    table: Mutex<Table>,
}

#[derive(Debug, Default)]
struct Table {
    entries: HashMap<u64, Entry>,
    closed: Option<CdpError>,
}

#[derive(Debug)]
struct Entry {
    method: &'static str,
    session: Option<SessionId>,
    answer: oneshot::Sender<Answer>,
}

impl Waiting {
    /// A new entry, unless the connection is closed.
    pub(crate) fn register(
        &self,
        id: u64,
        method: &'static str,
        session: Option<&SessionId>,
    ) -> Result<oneshot::Receiver<Answer>, CdpError> {
        let mut table = lock(&self.table);
        if let Some(error) = &table.closed {
            return Err(error.clone());
        }
        let (answer, receiver) = oneshot::channel();
        table.entries.insert(id, Entry { method, session: session.cloned(), answer });
        Ok(receiver)
    }

    /// Wakes the waiter of this command. A reply that nobody waits for any more is no mistake.
    pub(crate) fn answer(&self, id: u64, text: String) {
        let entry = lock(&self.table).entries.remove(&id);
        if let Some(entry) = entry {
            let _ = entry.answer.send(Ok(text));
        }
    }

    /// Wakes the waiter with an error that is made with the name of its command.
    pub(crate) fn fail(&self, id: u64, error: impl FnOnce(String) -> CdpError) {
        let entry = lock(&self.table).entries.remove(&id);
        if let Some(entry) = entry {
            let _ = entry.answer.send(Err(error(entry.method.to_owned())));
        }
    }

    /// Nobody waits for this command any more.
    pub(crate) fn forget(&self, id: u64) {
        lock(&self.table).entries.remove(&id);
    }

    /// The browser will not answer what was sent to this session.
    pub(crate) fn fail_session(&self, session: &SessionId) {
        let gone: Vec<Entry> =
            lock(&self.table).entries.extract_if(|_, e| e.session.as_ref() == Some(session)).map(|(_, e)| e).collect();
        for entry in gone {
            let error = CdpError::SessionGone { session: session.clone(), method: entry.method.to_owned() };
            let _ = entry.answer.send(Err(error));
        }
    }

    /// Wakes everybody, and refuses whoever comes later.
    pub(crate) fn close(&self, error: &CdpError) {
        let entries = {
            let mut table = lock(&self.table);
            table.closed.get_or_insert_with(|| error.clone());
            std::mem::take(&mut table.entries)
        };
        for entry in entries.into_values() {
            let _ = entry.answer.send(Err(error.clone()));
        }
    }

    pub(crate) fn len(&self) -> usize {
        lock(&self.table).entries.len()
    }
}
