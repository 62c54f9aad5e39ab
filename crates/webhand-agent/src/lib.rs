//! The agent: a loop that looks at a page, asks a model, carries its answer out with real input, and keeps what came of it.
//!
//! - [`Agent`] puts a [`Model`], a session and a task together and runs; [`Run`] says how it ended.
//! - [`models::Literal`] takes a task at its word, in English or Chinese; [`models::Script`] gives replies from a file.
//!   Both need no network and no key, and go the way of every model.
//! - [`Event`]s tell what happens as it happens; a run folder keeps the record and a picture a step.
//!
//! This crate knows actions and snapshots, no protocol and no terminal.

mod agent;
mod end;
mod event;
mod folder;
mod hands;
mod model;
pub mod models;
mod prompt;
mod record;
mod run;
mod session;
mod stuck;

pub use agent::{Agent, AgentError, Limits};
pub use end::{Check, Condition, End, Run};
pub use event::Event;
pub use model::{Finish, Model, ModelError, ModelReply, Usage};
pub use prompt::{Prompt, system};
pub use record::{ActionRecord, Fact, RecordEntry};
