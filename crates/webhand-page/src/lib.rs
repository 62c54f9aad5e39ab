//! A page as a short, true, numbered text.
//!
//! The in-page reader, and the plain values it gives: [`Snapshot`], [`Node`], [`Control`], [`Ref`]. Formats are pure
//! functions of a snapshot. This crate knows tabs and frames, but no actions and no models.

mod closed;
mod diff;
mod error;
mod find;
mod format;
mod markdown;
mod numbering;
mod picture;
mod reader;
mod redact;
mod refs;
mod relocate;
mod script;
mod snapshot;
mod vision;
mod wire;
mod world;

pub use diff::{Change, ChangeKind, Diff};
pub use error::PageError;
pub use find::{Candidate, FindError, Found, Hit, Search, nearest};
pub use format::{
    Addresses, FormatOptions, Json, List, Outline, SnapshotFormat, Table, Texts, Tokenizer, format_named, token_bound,
};
pub use markdown::{ReadForm, ReadOptions, Reading, TableRows};
pub use numbering::Handle;
pub use picture::{Mark, PictureError, PictureFrame, Retouch, retouch};
pub use reader::{Context, Reader};
pub use refs::{Family, Ref, RefParseError, RefText};
pub use script::LIBRARY;
pub use snapshot::{
    Attributes, Checked, Control, Cover, DialogMeta, FrameMeta, Node, PageMeta, Role, Snapshot, State, TabMeta,
    family_of,
};
pub use vision::{Sight, Vision};
pub use world::{Call, Gave, World};
