//! What all handles, the reader and the writer of one connection share. Knows no transport.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Deserialize;
use tokio::sync::watch;

use crate::envelope::{self, Route};
use crate::events::{Hub, RawEvent};
use crate::outgoing::Outgoing;
use crate::protocol::target::{AttachedToTarget, DetachedFromTarget};
use crate::waiting::Waiting;
use crate::{CdpError, Event, MAX_MESSAGE, SessionId};

/// A lock whose holder panicked guards data that is still whole: nothing here is left half done.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Debug)]
pub(crate) struct Core {
    pub(crate) waiting: Waiting,
    pub(crate) hub: Hub,
    pub(crate) outgoing: Outgoing,
    last_id: AtomicU64,
    events_seen: AtomicU64,
    closed: watch::Sender<Option<CdpError>>,
    /// Which session brought which: they go together.
    parents: Mutex<HashMap<SessionId, Option<SessionId>>>,
}

/// The part of attach and detach events that matters here.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Attachment {
    session_id: SessionId,
}

impl Core {
    pub(crate) fn new() -> Self {
        Core {
            waiting: Waiting::default(),
            hub: Hub::default(),
            outgoing: Outgoing::default(),
            last_id: AtomicU64::new(0),
            events_seen: AtomicU64::new(0),
            closed: watch::Sender::new(None),
            parents: Mutex::default(),
        }
    }

    pub(crate) fn next_id(&self) -> u64 {
        self.last_id.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// How many commands were numbered so far.
    pub(crate) fn commands_sent(&self) -> u64 {
        self.last_id.load(Ordering::Relaxed)
    }

    /// Takes one message from the wire. A damaged one is logged and, where it can be told whose it is, reported there.
    pub(crate) fn accept(&self, bytes: Vec<u8>) {
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        };
        match envelope::route(&text) {
            Ok(Route::Reply(id)) => self.waiting.answer(id, text),
            Ok(Route::Event { session, method, params }) => {
                let sequence = self.events_seen.fetch_add(1, Ordering::Relaxed) + 1;
                let event = RawEvent::new(session, method, sequence, text, params);
                let change = attachment(&event);
                self.hub.deliver(&event);
                match change {
                    Some(Change::Attached(child)) => {
                        lock(&self.parents).insert(child, event.session);
                    }
                    Some(Change::Detached(session)) => self.end_session(&session),
                    None => {}
                }
            }
            Err(detail) => {
                let beginning: String = text.chars().take(200).collect();
                tracing::warn!(%detail, length = text.len(), %beginning, "unreadable message from the browser");
            }
        }
    }

    /// A message over the limit, already thrown away.
    pub(crate) fn accept_too_large(&self, head: &[u8], bytes: usize) {
        tracing::warn!(bytes, "message from the browser is too large");
        if let Some(id) = envelope::leading_id(head) {
            self.waiting.fail(id, |method| CdpError::TooLarge { method, bytes, limit: MAX_MESSAGE });
        }
    }

    /// This session, and those that came through it, will answer nothing more.
    fn end_session(&self, session: &SessionId) {
        let mut gone = vec![session.clone()];
        let mut at = 0;
        let mut parents = lock(&self.parents);
        while let Some(parent) = gone.get(at).cloned() {
            gone.extend(parents.extract_if(|_, p| p.as_ref() == Some(&parent)).map(|(child, _)| child));
            at += 1;
        }
        parents.remove(session);
        drop(parents);
        for session in &gone {
            self.waiting.fail_session(session);
            self.hub.end_session(session);
        }
    }

    /// Ends the connection; the first reason stays.
    pub(crate) fn close(&self, error: CdpError) {
        let first = self.closed.send_if_modified(|state| {
            let open = state.is_none();
            state.get_or_insert_with(|| error.clone());
            open
        });
        if first {
            self.waiting.close(&error);
            self.hub.close();
            self.outgoing.close();
        }
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.closed.borrow().is_some()
    }

    /// Resolves when the connection is closed, with the reason.
    pub(crate) async fn closed(&self) -> CdpError {
        let mut receiver = self.closed.subscribe();
        let error = match receiver.wait_for(Option::is_some).await {
            Ok(state) => state.clone(),
            Err(_) => None,
        };
        error.unwrap_or_else(|| CdpError::closed("the connection was dropped"))
    }

    /// Resolves some time after the connection is closed: how long the writer may still try.
    pub(crate) async fn closed_since(&self, grace: Duration) {
        self.closed().await;
        tokio::time::sleep(grace).await;
    }
}

enum Change {
    Attached(SessionId),
    Detached(SessionId),
}

fn attachment(event: &RawEvent) -> Option<Change> {
    let change: fn(SessionId) -> Change = match &*event.method {
        AttachedToTarget::METHOD => Change::Attached,
        DetachedFromTarget::METHOD => Change::Detached,
        _ => return None,
    };
    let attachment: Attachment = serde_json::from_str(event.params()).ok()?;
    Some(change(attachment.session_id))
}
