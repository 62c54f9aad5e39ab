//! Models of providers and local servers, behind the agent's [`Model`](webhand_agent::Model).
//!
//! ```
//! use webhand_models::ModelSetup;
//!
//! // a face hands in what it reads from the environment; this crate reads none
//! let environment = |name: &str| (name == "OPENAI_API_KEY").then(|| "sk-test".to_owned());
//! let model = ModelSetup::new("openai/gpt-4.1").variables(environment).build()?;
//! assert_eq!(webhand_agent::Model::name(&model), "openai/gpt-4.1");
//! # Ok::<(), webhand_agent::ModelError>(())
//! ```
//!
//! - [`ModelSetup`] says which model, where, and with what key; [`Provider`] knows what is usual for each provider.
//! - [`ProviderModel`] asks. In which form an answer is asked for is a ladder ([`Rung`]): where a provider refuses a form, the
//!   next lower one is taken at once, and [`Learnt`] remembers it.
//! - [`ModelTable`] holds windows, sight and prices of known models, in a file that can be replaced.
//! - [`check`] asks a model one tiny thing.
//!
//! One module a provider's dialect (`dialect`), one for faults in plain words (`fault`), one for the wire (`wire`). A call is
//! made once: asking again later is the run's business. This crate knows no page, no terminal and no environment.

mod check;
mod client;
mod complaint;
mod dialect;
mod fault;
mod ladder;
mod order;
mod provider;
mod setup;
mod table;
mod wait;
mod wire;

pub use check::{Checked, check};
pub use client::ProviderModel;
pub use ladder::{Learnt, Lesson, Rung};
pub use provider::Provider;
pub use setup::ModelSetup;
pub use table::{KnownModel, ModelTable, Price, TableError};
/// For the crates above, which call addresses themselves.
#[doc(hidden)]
pub use wire::words_of;
