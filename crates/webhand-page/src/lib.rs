//! A page as a short, true, numbered text.
//!
//! The in-page reader, and the plain values it gives: [`Snapshot`], [`Node`], [`Control`], [`Ref`]. Formats are pure
//! functions of a snapshot. This crate knows tabs and frames, but no actions and no models.

mod error;
mod format;
mod numbering;
mod reader;
mod refs;
mod script;
mod snapshot;
mod wire;
mod world;

pub use error::PageError;
pub use format::{Addresses, FormatOptions, List, Outline, SnapshotFormat, Texts, token_bound};
pub use numbering::Handle;
pub use reader::{Context, Reader};
pub use refs::{Family, Ref, RefParseError, RefText};
pub use script::LIBRARY;
pub use snapshot::{
    Attributes, Checked, Control, Cover, DialogMeta, FrameMeta, Node, PageMeta, Role, Snapshot, State, TabMeta,
    family_of,
};
pub use world::{Call, World};
