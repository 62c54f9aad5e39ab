//! Kept sessions: a process in the background that holds the browser, so that a command costs milliseconds and refs stay
//! good between commands.
//!
//! A command ([`client`]) starts the process ([`host`]) when there is none, and speaks with it over a socket that only
//! this user can reach ([`place`]), one JSON line each way ([`protocol`]).

#[cfg(unix)]
pub(crate) mod client;
#[cfg(not(unix))]
#[path = "elsewhere.rs"]
pub(crate) mod client;
#[cfg(unix)]
pub(crate) mod host;
#[cfg(unix)]
mod line;
pub(crate) mod place;
pub(crate) mod protocol;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::work::Wanted;

/// What the process of a session is told when it starts.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Handover {
    pub(crate) name: String,
    pub(crate) socket: PathBuf,
    pub(crate) alive: PathBuf,
    pub(crate) lost: PathBuf,
    pub(crate) idle_seconds: u64,
    pub(crate) wanted: Wanted,
}
