//! What is known about the tabs of a browser, as a pure state machine: protocol
//! events go in, the state changes, effects come out.
//!
//! Must not know a connection, a clock or a task. Everything here can be
//! driven by a transcript of messages.

mod documents;
mod downloads;
mod frames;
mod habits;
mod happening;
mod heritage;
mod machine;
mod tab;

pub use downloads::{Download, DownloadState};
pub(crate) use frames::{Frame, Listing};
pub(crate) use happening::{EVENTS, Happening};
pub use heritage::LeftTab;
pub(crate) use heritage::{Awaited, Heritage};
pub(crate) use machine::{Effect, Machine, Target};
pub(crate) use tab::TabState;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
