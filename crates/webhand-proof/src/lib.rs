//! Proof: fixture pages, the server that answers for them, and the runner that judges an engine by them.
//!
//! The way of the data: a folder of [`case`]s is read ([`folder`]), each case's page is put on a [`server`], an engine is
//! driven through its steps by the small trait [`driver::Driver`], and [`judge`] compares what the engine *said* with
//! what the page itself *recorded*. Everything but the server, the drivers and the runner is pure.
//!
//! The form of a fixture is described in `docs/gauntlet-form.md`. This crate is for tests and chores; nothing that ships
//! may depend on it.

pub mod case;
pub mod driver;
#[cfg(feature = "engine")]
pub mod drivers;
pub mod expect;
pub mod fault;
#[cfg(all(feature = "engine", unix))]
pub mod faults;
pub mod files;
pub mod folder;
pub mod judge;
pub mod placeholder;
pub mod report;
pub mod runner;
pub mod server;
pub mod sight;
pub mod site;

pub use case::Case;
pub use report::Report;
pub use runner::{Options, run};
pub use server::Server;
pub use site::{Route, Site};
