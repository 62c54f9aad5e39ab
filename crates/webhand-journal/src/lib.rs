//! Where runs are written down: one SQLite file for all of them, with what they saw kept once by content.
//!
//! - [`Store`] is the file; [`Store::begin_run`] makes the [`Journal`] of a new run, [`Store::take_up`] that of one whose process
//!   has ended.
//! - [`Store::runs`] lists, [`Store::entries`] and [`Store::artefact`] show what was written.
//!
//! It knows entries and bytes, no browser and no model. One thread writes; the file is in WAL mode, so that readers of other
//! processes do not wait. It is readable by its owner alone: it holds what runs saw, and the cookies they go on with.
//!
//! ```
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! use webhand_agent::journal::{Entry, Head, Journal};
//! use webhand_journal::Store;
//!
//! let folder = tempfile::tempdir().unwrap();
//! let store = Store::open(folder.path()).unwrap();
//! let mut head = Head::default();
//! head.task = "open the shop".to_owned();
//! let run = store.begin_run(head).await.unwrap();
//! run.write(Entry::Resumed { at: 0 }).await.unwrap();
//! assert_eq!(store.entries(run.run()).unwrap().len(), 2);
//! # });
//! ```
//!
//! [`Journal`]: webhand_agent::journal::Journal

mod owner;
mod read;
mod schema;
mod store;
mod writer;

pub use read::{RunLine, RunState};
pub use store::{RunJournal, Store};
