//! One target's end of the connection: sends commands and hears events of one flat session.

use std::sync::Arc;
use std::time::Duration;

use crate::core::Core;
use crate::envelope::Outgoing;
use crate::outgoing::BUDGET;
use crate::pending::Pending;
use crate::{CdpError, Command, Connection, DEFAULT_DEADLINE, EventFilter, EventStream, SessionId};

/// A flat session, or the browser itself. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Session {
    connection: Connection,
    id: Option<Arc<SessionId>>,
    deadline: Duration,
}

impl Session {
    pub(crate) fn new(connection: Connection, id: Option<SessionId>) -> Self {
        Session { connection, id: id.map(Arc::new), deadline: DEFAULT_DEADLINE }
    }

    /// The session's identifier; none for the browser itself.
    pub fn id(&self) -> Option<&SessionId> {
        self.id.as_deref()
    }

    /// The connection that carries this session.
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// The same session with another deadline for [`call`](Session::call).
    pub fn with_deadline(&self, deadline: Duration) -> Session {
        Session { deadline, ..self.clone() }
    }

    /// How long [`call`](Session::call) waits.
    pub fn deadline(&self) -> Duration {
        self.deadline
    }

    /// Sends a command: it is queued for writing before this returns, in call order. The result only waits.
    pub fn send<C: Command>(&self, command: &C) -> Pending<C::Reply> {
        let mut burst = self.burst();
        let pending = burst.add(command);
        burst.send();
        pending
    }

    /// Sends a command and waits for its reply, at most for the session's deadline.
    pub async fn call<C: Command>(&self, command: &C) -> Result<C::Reply, CdpError> {
        self.send(command).in_time().await
    }

    /// Several commands to be written in one go.
    pub fn burst(&self) -> Burst {
        Burst { session: self.clone(), bytes: Vec::new(), unsent: Vec::new() }
    }

    /// The events of these names on this session, from now on; an empty list means every event.
    pub fn events(&self, methods: &[&'static str]) -> EventStream {
        self.connection.events(EventFilter::methods(methods).in_session(self.id().cloned()))
    }

    pub(crate) fn core(&self) -> &Arc<Core> {
        self.connection.core()
    }
}

/// Commands that leave together: nothing of anybody else's comes between them. Dropping it unsent fails them all.
#[derive(Debug)]
#[must_use = "nothing is written before send()"]
pub struct Burst {
    session: Session,
    bytes: Vec<u8>,
    unsent: Vec<u64>,
}

impl Burst {
    /// Adds a command of the burst's own session.
    pub fn add<C: Command>(&mut self, command: &C) -> Pending<C::Reply> {
        let session = self.session.clone();
        self.add_to(&session, command)
    }

    /// Adds a command of another session of the same connection.
    pub fn add_to<C: Command>(&mut self, session: &Session, command: &C) -> Pending<C::Reply> {
        let core = self.session.core();
        let id = core.next_id();
        let answer = match encode(id, session, command, &mut self.bytes) {
            Ok(()) => core.waiting.register(id, C::METHOD, session.id()),
            Err(error) => Err(error),
        };
        if answer.is_ok() {
            self.unsent.push(id);
        }
        let session = Session { connection: self.session.connection.clone(), ..session.clone() };
        Pending::new(session, C::METHOD, id, answer)
    }

    /// Writes them all. What stands in the way is told to each of the waiting.
    pub fn send(mut self) {
        let bytes = std::mem::take(&mut self.bytes);
        let ids = std::mem::take(&mut self.unsent);
        let core = self.session.core();
        if ids.is_empty() {
            return;
        }
        if let Err(full) = core.outgoing.push(bytes) {
            for id in ids {
                core.waiting.fail(id, |method| CdpError::Backlog { method, queued: full.queued, limit: BUDGET });
            }
        }
    }
}

impl Drop for Burst {
    fn drop(&mut self) {
        for id in &self.unsent {
            self.session.core().waiting.fail(*id, |method| CdpError::Unsent { method });
        }
    }
}

/// Appends a command and its NUL; leaves the bytes as they were if that fails.
fn encode<C: Command>(id: u64, session: &Session, command: &C, bytes: &mut Vec<u8>) -> Result<(), CdpError> {
    let before = bytes.len();
    let session_id = session.id().map(SessionId::as_str);
    let outgoing = Outgoing { id, session_id, method: C::METHOD, params: command };
    if let Err(error) = serde_json::to_writer(&mut *bytes, &outgoing) {
        bytes.truncate(before);
        return Err(CdpError::Encode { method: C::METHOD.to_owned(), detail: error.to_string() });
    }
    bytes.push(0);
    Ok(())
}
