//! Typed browser actions: one catalogue, its schema, the decoding of a model's reply, and the path from a ref to an
//! observed outcome.
//!
//! The catalogue, schema, decoder and validation are pure. This crate knows pages and tabs, but no models.

mod act;
mod batch;
pub mod catalogue;
mod control;
pub mod decode;
pub mod effects;
pub mod error;
mod extract;
mod files;
mod locator;
pub mod outcome;
pub mod people;
mod picture;
mod policy;
mod recover;
mod risk;
pub mod schema;
mod secrets;
mod session;
mod settings;
pub mod validate;
mod view;

pub use batch::{BatchOptions, Report, ReportItem, Witness};
pub use control::{SessionControl, Status, Stopper, Stops};
pub use extract::{DataShape, ExtractError, ExtractOrder, Extractor};
pub use files::FileRules;
pub use locator::{Locator, Stage, Wanted};
pub use picture::{Part, Picture, PictureOptions};
pub use policy::{Deed, Policy, RiskPolicy, Ruling};
pub use recover::{Recovery, SessionState, TabLeft};
pub use secrets::{SecretSource, Vault, VaultEntry, VaultError};
pub use session::{Fact, Session, SessionError};
pub use settings::Settings;
pub use view::View;
