//! The agent: a loop that looks at a page, asks a model, carries its answer out with real input, and keeps what came of it.
//!
//! - [`Agent`] puts a [`Model`], a session and a task together and runs; [`Run`] says how it ended.
//! - [`models::Literal`] takes a task at its word, in English or Chinese; [`models::Script`] gives replies from a file.
//!   Both need no network and no key, and go the way of every model.
//! - [`Event`]s tell what happens as it happens; a run folder keeps the record and a picture a step.
//!
//! This crate knows actions and snapshots, no protocol and no terminal.

mod agent;
mod budget;
mod control;
mod end;
mod event;
mod extractor;
mod folder;
mod hands;
pub mod journal;
mod memory;
mod model;
pub mod models;
mod prompt;
mod record;
mod run;
mod session;
mod stuck;
mod task;
mod verdict;

pub use agent::{Agent, AgentError, Limits};
pub use budget::Budget;
pub use control::{Pace, RunControl};
pub use end::{Check, Condition, End, Run};
pub use event::Event;
pub use extractor::ModelExtractor;
pub use memory::{Compacted, Compaction, KeepLast, Older, Summarise};
pub use model::{Abilities, Finish, Model, ModelError, ModelReply, SetUpFault, Usage};
pub use prompt::{ActionSchema, Asked, Earlier, Image, Prompt, Role, Words, system};
pub use record::{ActionRecord, Fact, RecordEntry};
pub use run::DoubtCheck;
pub use verdict::{PlanNote, Verdict};
