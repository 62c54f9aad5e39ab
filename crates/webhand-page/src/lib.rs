//! A page as a short, true, numbered text.
//!
//! The in-page reader, and the plain values it gives: [`Snapshot`], [`Node`], [`Control`], [`Ref`]. Formats are pure
//! functions of a snapshot. This crate knows tabs and frames, but no actions and no models.

mod refs;
mod snapshot;

pub use refs::{Family, Ref, RefParseError, RefText};
pub use snapshot::{
    Attributes, Checked, Control, Cover, DialogMeta, FrameMeta, Node, PageMeta, Role, Snapshot, State, TabMeta,
    family_of,
};
