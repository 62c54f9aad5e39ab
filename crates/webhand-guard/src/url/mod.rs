//! The URL judge: may this address be opened, framed or loaded?
//!
//! A URL goes through three steps: [`location`] parses it the way the browser
//! does and brings it to one canonical form, [`pattern`] matches that form
//! (never the string), and [`judge`] weighs the matching rules. [`address`]
//! knows which IP addresses and host names are not on the public internet.

mod address;
mod judge;
mod location;
mod path;
mod pattern;
mod policy;
mod verdict;

pub use self::address::AddressKind;
pub use self::judge::UrlJudge;
pub use self::pattern::{Pattern, PatternError};
pub use self::policy::UrlPolicy;
pub use self::verdict::{Place, Reason, Verdict};
