//! The slice of the protocol in use, one module a domain; generated from devtools-protocol@0.0.1734725.
//!
//! Do not edit: change `protocol.slice.toml` and run `cargo xtask protocol`.

#![allow(missing_docs)]

pub mod accessibility;
pub mod browser;
pub mod dom;
pub mod dom_debugger;
pub mod dom_snapshot;
pub mod emulation;
pub mod fetch;
pub mod input;
pub mod inspector;
pub mod io;
pub mod network;
pub mod page;
pub mod performance;
pub mod runtime;
pub mod security;
pub mod storage;
pub mod target;
