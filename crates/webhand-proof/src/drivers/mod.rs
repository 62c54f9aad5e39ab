//! Engines behind the [`Driver`](crate::driver::Driver) trait.

mod webhand;
mod webhand_sight;

pub use self::webhand::{WebhandDriver, WebhandEngine};
