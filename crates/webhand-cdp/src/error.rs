//! What can go wrong on the wire, as one cloneable type: a lost connection tells every waiter the same.

use std::time::Duration;

use crate::SessionId;

/// An error of the protocol or of the wire under it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CdpError {
    /// The connection is gone; nothing more can be sent on it.
    #[error("the connection to the browser is closed: {reason}")]
    Closed {
        /// Why, as far as it is known.
        reason: String,
    },
    /// The browser refused a command.
    #[error("{method} was refused by the browser: {message} ({code})")]
    Protocol {
        /// The protocol's own number.
        code: i64,
        /// The browser's own words.
        message: String,
        /// The command.
        method: String,
    },
    /// A reply or an event does not have the shape that the protocol promises.
    #[error("what {method} delivered cannot be read: {detail}")]
    Decode {
        /// The command or the event.
        method: String,
        /// What is wrong, and where.
        detail: String,
    },
    /// A command cannot be written as JSON.
    #[error("{method} cannot be written: {detail}")]
    Encode {
        /// The command.
        method: String,
        /// What is wrong.
        detail: String,
    },
    /// No reply came within the deadline.
    #[error("{method} was not answered within {after:?}")]
    Timeout {
        /// The command.
        method: String,
        /// The deadline.
        after: Duration,
    },
    /// The target of this session is gone or was detached; the connection lives on.
    #[error("{method} was sent to the session {session}, which is gone")]
    SessionGone {
        /// The session.
        session: SessionId,
        /// The command.
        method: String,
    },
    /// The browser does not read what is sent; the command was not queued.
    #[error("{queued} bytes are waiting to be read by the browser, more than {limit}; {method} was not sent")]
    Backlog {
        /// The command.
        method: String,
        /// What is queued already, with this command.
        queued: usize,
        /// The budget.
        limit: usize,
    },
    /// The reply is larger than what is accepted; it was thrown away and the connection lives on.
    #[error("the reply to {method} is {bytes} bytes long, more than {limit}")]
    TooLarge {
        /// The command.
        method: String,
        /// The size of the reply.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// The command was put into a burst that was dropped instead of sent.
    #[error("{method} was never sent: its burst was dropped")]
    Unsent {
        /// The command.
        method: String,
    },
    /// The WebSocket could not be opened.
    #[error("no DevTools connection to {url}: {detail}")]
    Handshake {
        /// The address that was tried.
        url: String,
        /// What went wrong.
        detail: String,
    },
}

/// The protocol's number for a session that does not exist.
const SESSION_NOT_FOUND: i64 = -32001;
/// JSON-RPC's number for a method that does not exist.
const METHOD_NOT_FOUND: i64 = -32601;

impl CdpError {
    /// A short name that never changes, for machines.
    pub fn code(&self) -> &'static str {
        match self {
            CdpError::Closed { .. } => "cdp_closed",
            CdpError::Protocol { .. } => "cdp_refused",
            CdpError::Decode { .. } => "cdp_decode",
            CdpError::Encode { .. } => "cdp_encode",
            CdpError::Timeout { .. } => "cdp_timeout",
            CdpError::SessionGone { .. } => "cdp_session_gone",
            CdpError::Backlog { .. } => "cdp_backlog",
            CdpError::TooLarge { .. } => "cdp_too_large",
            CdpError::Unsent { .. } => "cdp_unsent",
            CdpError::Handshake { .. } => "cdp_handshake",
        }
    }

    /// What to do about it, in one sentence, where that is known here.
    pub fn hint(&self) -> Option<String> {
        let text = match self {
            CdpError::Closed { .. } => "the browser has ended or was closed; launch it again",
            CdpError::Protocol { code, .. } if *code == METHOD_NOT_FOUND => {
                "this browser does not know the command; use a newer Chrome, Chromium or Edge"
            }
            CdpError::Timeout { .. } => {
                "the page may be stuck in a script or behind a dialog; answer the dialog, or stop the script or the tab"
            }
            CdpError::SessionGone { .. } => "the tab or frame was closed or replaced; take a new session",
            CdpError::Backlog { .. } => "the browser has stopped reading; end it and launch it again",
            CdpError::TooLarge { .. } => "ask for less at once",
            CdpError::Handshake { .. } => {
                "check that a browser listens there with --remote-debugging-port, and use the ws:// address that \
                 its /json/version page gives as webSocketDebuggerUrl"
            }
            _ => return None,
        };
        Some(text.to_owned())
    }

    /// Whether trying again on the same connection is pointless.
    pub fn is_closed(&self) -> bool {
        matches!(self, CdpError::Closed { .. })
    }

    /// The browser's refusal of a command, as the error that says most.
    pub(crate) fn refused(code: i64, message: String, method: &str, session: Option<&SessionId>) -> Self {
        match session {
            Some(session) if code == SESSION_NOT_FOUND => {
                CdpError::SessionGone { session: session.clone(), method: method.to_owned() }
            }
            _ => CdpError::Protocol { code, message, method: method.to_owned() },
        }
    }

    pub(crate) fn closed(reason: impl Into<String>) -> Self {
        CdpError::Closed { reason: reason.into() }
    }
}
