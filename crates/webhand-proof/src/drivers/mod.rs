//! Engines behind the [`Driver`](crate::driver::Driver) trait.

#[cfg(unix)]
mod victim;
mod webhand;
mod webhand_sight;

#[cfg(unix)]
pub use self::victim::{Victim, processes};
pub use self::webhand::{WebhandDriver, WebhandEngine};
