//! The models that are built in: they need no network and no key.

pub mod literal;
pub mod script;

pub use literal::Literal;
pub use script::Script;
