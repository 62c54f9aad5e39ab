//! The Chrome DevTools Protocol over a pipe or a WebSocket: flat sessions, typed commands and events.
//!
//! A [`Connection`] is one wire to one browser. A [`Session`] is one attached target on it (or the browser itself) and
//! is cheap to clone. [`Session::send`] writes a command at once, in call order, and gives a [`Pending`] reply that is
//! decoded once, in the waiter's own task, straight into its type. An [`EventStream`] is a bounded queue of events; a
//! subscriber that is too slow gets an explicit [`EventItem::Lagged`], the reader never waits for anybody.
//!
//! ```no_run
//! # async fn example(read: tokio::io::Empty, write: tokio::io::Sink) -> Result<(), webhand_cdp::CdpError> {
//! use webhand_cdp::{Connection, protocol::target};
//!
//! let connection = Connection::over_pipe(read, write);
//! let tab = connection.root().call(&target::CreateTarget::new("about:blank")).await?;
//! let mut attach = target::AttachToTarget::new(tab.target_id);
//! attach.flatten = Some(true);
//! let session = connection.session(connection.root().call(&attach).await?.session_id);
//! # let _ = session;
//! # Ok(())
//! # }
//! ```
//!
//! This is the only crate that knows the protocol's JSON. It must not know what a page, a tab or an action is, how a
//! browser is started, or what any command is for.

mod connection;
pub(crate) mod core;
mod decode;
#[doc(hidden)]
pub mod envelope;
mod error;
mod events;
#[doc(hidden)]
pub mod framing;
mod outgoing;
mod pending;
pub mod protocol;
mod session;
mod shapes;
mod waiting;
mod websocket;

pub use connection::Connection;
pub use decode::{decode, decode_str};
pub use error::CdpError;
pub use events::{EventFilter, EventItem, EventStream, RawEvent};
pub use pending::{Pending, Within};
pub use protocol::target::SessionId;
pub use session::{Burst, Session};
pub use shapes::{Command, Empty, Event};

/// The largest message taken from a browser, in bytes.
pub const MAX_MESSAGE: usize = 256 * 1024 * 1024;

/// How long [`Session::call`] waits where the session says nothing else.
pub const DEFAULT_DEADLINE: std::time::Duration = std::time::Duration::from_secs(30);
