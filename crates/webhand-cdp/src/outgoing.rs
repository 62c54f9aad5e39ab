//! What is to be written, in call order. Sending never waits; a byte budget stands in for the bounded queue, so a
//! browser that stops reading ends in a typed error and not in memory.

use std::sync::Mutex;

use tokio::sync::Notify;

use crate::core::lock;

/// How much may wait for the browser. One message alone may be larger.
pub(crate) const BUDGET: usize = 64 * 1024 * 1024;

#[derive(Debug, Default)]
pub(crate) struct Outgoing {
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct State {
    /// Messages, each ended by NUL: JSON text never holds one.
    queued: Vec<u8>,
    /// Taken by the writer and not yet written.
    in_flight: usize,
    closed: bool,
}

/// The budget is used up.
#[derive(Debug)]
pub(crate) struct Full {
    pub(crate) queued: usize,
}

impl Outgoing {
    /// Queues messages that belong together: they are written in one go.
    pub(crate) fn push(&self, messages: Vec<u8>) -> Result<(), Full> {
        {
            let mut state = lock(&self.state);
            let before = state.queued.len() + state.in_flight;
            let queued = before + messages.len();
            if before > 0 && queued > BUDGET {
                return Err(Full { queued });
            }
            if state.queued.is_empty() {
                state.queued = messages;
            } else {
                state.queued.extend_from_slice(&messages);
            }
        }
        self.changed.notify_one();
        Ok(())
    }

    /// Everything that is queued, as soon as there is something; `None` when closed and empty. For one writer only.
    pub(crate) async fn take(&self) -> Option<Vec<u8>> {
        loop {
            {
                let mut state = lock(&self.state);
                if !state.queued.is_empty() {
                    let batch = std::mem::take(&mut state.queued);
                    state.in_flight = batch.len();
                    return Some(batch);
                }
                if state.closed {
                    return None;
                }
            }
            self.changed.notified().await;
        }
    }

    /// The last batch is written.
    pub(crate) fn written(&self) {
        lock(&self.state).in_flight = 0;
    }

    pub(crate) fn close(&self) {
        lock(&self.state).closed = true;
        self.changed.notify_one();
    }
}
