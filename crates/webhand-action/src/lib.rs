//! Typed browser actions: one catalogue, its schema, the decoding of a model's reply, and the path from a ref to an
//! observed outcome.
//!
//! The catalogue, schema, decoder and validation are pure. This crate knows pages and tabs, but no models.

pub mod catalogue;
pub mod effects;
pub mod error;
pub mod outcome;
pub mod validate;
