//! `webhand demo`: the main path on real input, from an empty machine to an order number that a shop's own record bears out.
//!
//! It starts the shop ([`shop`]), gives the run a task ([`wish`]) and a browser, tells what is seen and done
//! ([`narrator`]), and judges the end by what the shop wrote down ([`verdict`]). It goes through the library like any
//! program; what is printed goes to the writer it was given.

mod grants;
mod narrator;
mod run;
mod shop;
mod slow;
mod verdict;
mod wish;

pub use run::{DemoError, DemoOptions, DemoReport, run};
pub(crate) use run::{origin_of, resume};
pub use shop::Order;
