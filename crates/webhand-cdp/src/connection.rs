//! One wire to one browser, and its life: it ends when it is closed, when the browser ends, or with its last handle.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use crate::core::Core;
use crate::events::Hub;
use crate::framing::{Frame, Framer};
use crate::session::Session;
use crate::{CdpError, EventFilter, EventStream, MAX_MESSAGE, SessionId, websocket};

/// The least room for one read: what a pipe holds.
const READ_CHUNK: usize = 64 * 1024;
/// How long what was sent before a close may still take to be written.
pub(crate) const FLUSH_GRACE: Duration = Duration::from_millis(500);

/// A connection to a browser. Cheap to clone. It is closed when the last `Connection`, [`Session`] and pending reply
/// of it is dropped; event streams do not hold it open.
#[derive(Clone, Debug)]
pub struct Connection {
    handle: Arc<Handle>,
}

#[derive(Debug)]
struct Handle {
    core: Arc<Core>,
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.core.close(CdpError::closed("every handle was dropped"));
    }
}

impl Connection {
    /// Speaks NUL-separated JSON, as `--remote-debugging-pipe` does. Must be called inside a Tokio runtime, which gets
    /// a reader and a writer task.
    pub fn over_pipe<R, W>(read: R, write: W) -> Connection
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let core = Arc::new(Core::new());
        tokio::spawn(read_pipe(core.clone(), read));
        tokio::spawn(write_pipe(core.clone(), write));
        Connection::over(core)
    }

    /// Opens the `ws://` address that a browser with `--remote-debugging-port` gives.
    pub async fn over_websocket(url: &str) -> Result<Connection, CdpError> {
        let core = Arc::new(Core::new());
        websocket::start(core.clone(), url).await?;
        Ok(Connection::over(core))
    }

    fn over(core: Arc<Core>) -> Connection {
        Connection { handle: Arc::new(Handle { core }) }
    }

    /// The browser itself.
    pub fn root(&self) -> Session {
        Session::new(self.clone(), None)
    }

    /// A flat session that was attached with `flatten`.
    pub fn session(&self, id: SessionId) -> Session {
        Session::new(self.clone(), Some(id))
    }

    /// Events from now on, of all sessions or of those that the filter names.
    pub fn events(&self, filter: EventFilter) -> EventStream {
        Hub::subscribe(self.core(), filter)
    }

    /// How many commands wait for a reply.
    pub fn waiting(&self) -> usize {
        self.core().waiting.len()
    }

    /// How many commands were sent so far, by all sessions: a measure of what a piece of work costs.
    pub fn commands_sent(&self) -> u64 {
        self.core().commands_sent()
    }

    /// Whether the connection has ended.
    pub fn is_closed(&self) -> bool {
        self.core().is_closed()
    }

    /// Waits for the end of the connection and says why it came.
    pub async fn closed(&self) -> CdpError {
        self.core().closed().await
    }

    /// Ends the connection. What was sent before is still written, if the browser reads it soon.
    pub fn close(&self) {
        self.core().close(CdpError::closed("it was closed from this side"));
    }

    pub(crate) fn core(&self) -> &Arc<Core> {
        &self.handle.core
    }
}

async fn read_pipe<R: AsyncRead + Unpin>(core: Arc<Core>, mut read: R) {
    let mut framer = Framer::new(MAX_MESSAGE);
    loop {
        while let Some(frame) = framer.next_frame() {
            match frame {
                Frame::Whole(bytes) => core.accept(bytes),
                Frame::TooLarge { head, length } => core.accept_too_large(&head, length),
            }
        }
        let buffer = framer.buffer();
        buffer.reserve(READ_CHUNK);
        let outcome = tokio::select! {
            outcome = read.read_buf(buffer) => outcome,
            _ = core.closed() => return,
        };
        match outcome {
            Ok(0) => return core.close(CdpError::closed("the browser closed the pipe")),
            Ok(_) => {}
            Err(error) => return core.close(CdpError::closed(format!("reading failed: {error}"))),
        }
    }
}

async fn write_pipe<W: AsyncWrite + Unpin>(core: Arc<Core>, mut write: W) {
    while let Some(batch) = core.outgoing.take().await {
        let outcome = tokio::select! {
            outcome = write_batch(&mut write, &batch) => outcome,
            () = core.closed_since(FLUSH_GRACE) => return,
        };
        if let Err(error) = outcome {
            return core.close(CdpError::closed(format!("writing failed: {error}")));
        }
        core.outgoing.written();
    }
}

async fn write_batch<W: AsyncWrite + Unpin>(write: &mut W, batch: &[u8]) -> std::io::Result<()> {
    write.write_all(batch).await?;
    write.flush().await
}
