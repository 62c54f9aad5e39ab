//! Hands on the web for language models.
//!
//! webhand reads a page into a short, true, numbered text; takes a model's reply as typed, validated actions; lands each
//! one on the real element with real input; and says what really happened.
//!
//! # A page, and an action on it
//!
//! ```no_run
//! use webhand::prelude::*;
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let browser = Browser::launch(Launch::default()).await?;
//! let mut session = browser.open("https://example.com").await?;
//! let page = session.snapshot().await?;
//! println!("{}", page.outline(&FormatOptions::default()));
//! session.perform(Click::on("L1")).await.into_result()?;
//! browser.close().await;
//! # Ok(())
//! # }
//! ```
//!
//! # A model's reply
//!
//! Whatever shape a model wrote it in, a reply is decoded and checked as a whole before any of it runs. The actions go in
//! order, until one fails or the page goes on in a way that the model did not know of.
//!
//! ```no_run
//! use webhand::{action::decode::{Finish, decode}, prelude::*};
//!
//! # async fn example(mut session: Session) -> Result<(), Box<dyn std::error::Error>> {
//! let reply = r#"{"actions": [{"type": "click", "ref": "B5"}, {"type": "fill", "ref": "I12", "text": "hello"}]}"#;
//! let decision = decode(reply, Finish::Stop, session.catalogue())?;
//! let report = session.perform_all(&decision.actions, &BatchOptions::default()).await;
//! print!("{report}"); // a line an action: what was observed, or why it failed, or why it was not tried
//! # Ok(())
//! # }
//! ```
//!
//! # A task, and a model in a loop
//!
//! [`agent::Agent`] looks, asks a [`agent::Model`], carries its answer out and keeps what came of it. The model
//! [`agent::models::Literal`] needs no key: it takes sentences at their word, in English or Chinese, with names or refs.
//!
//! ```no_run
//! use std::sync::Arc;
//! use webhand::prelude::*;
//!
//! # async fn example(session: Session) -> Result<(), Box<dyn std::error::Error>> {
//! let run = Agent::new(Arc::new(Literal::new()), session)
//!     .task("Type \"lamp\" into \"Search\", press Enter, then read \"Results\"")
//!     .on_event(|event| eprintln!("{event:?}"))
//!     .run()
//!     .await?;
//! println!("{}", run.end);
//! # Ok(())
//! # }
//! ```
//!
//! # An action of your own
//!
//! A struct and an async function. It appears in the schema, is validated, and its outcome goes the same way as any other.
//!
//! ```
//! use schemars::JsonSchema;
//! use serde::{Deserialize, Serialize};
//! use serde_json::{Value, json};
//! use webhand::prelude::*;
//!
//! /// Sends an alert to a person.
//! #[derive(Serialize, Deserialize, JsonSchema)]
//! struct SendAlert {
//!     /// What it says.
//!     text: String,
//! }
//!
//! impl ActionType for SendAlert {
//!     const NAME: &'static str = "send_alert";
//! }
//!
//! async fn send(alert: SendAlert, context: ActionContext) -> Result<Value, CustomError> {
//!     Ok(json!({ "sent": alert.text, "from": context.url }))
//! }
//!
//! let mut catalogue = Catalogue::built_in();
//! catalogue.register::<SendAlert>(send)?;
//! assert!(catalogue.get("send_alert").is_some());
//! // session.with_catalogue(catalogue)
//! # Ok::<(), webhand::action::catalogue::RegisterError>(())
//! ```
//!
//! The folder `examples/` has programs that run: `fill_form`, `read_table`, `custom_action`, `agent`.
//!
//! # Where things are
//!
//! The [`prelude`] has what most programs need, the actions among them but for `Read` and `Options`, whose names often
//! mean something else: they are in [`actions`], with all others and the words for their parameters. What an outcome can
//! say, and what to do about it, stands in `docs/outcomes.md`.
//!
//! This crate is the public face for Rust. It holds what every face shares (launching with the in-page library in place)
//! and re-exports the layers below; it knows no terminal and no environment, but where a program asks for it with
//! [`Launch::from_env`](engine::Launch::from_env).

mod browser;
mod codes;
#[cfg(test)]
mod echo;
mod judge;
mod secrets;
mod tools;
mod web;

pub use browser::Browser;
pub use codes::{CommandCodes, HttpCodes};
pub use judge::Judge;
pub use secrets::CommandSecret;
pub use tools::{CommandTool, HttpTool, McpError, McpServer};
pub use webhand_action as action;
pub use webhand_action::catalogue as actions;
pub use webhand_agent as agent;
pub use webhand_browser as engine;
pub use webhand_cdp as cdp;
pub use webhand_guard as guard;
pub use webhand_journal as journal;
pub use webhand_models as models;
pub use webhand_page as page;

/// What most programs need.
///
/// Two actions are left out, since a program often has another thing of that name in scope:
/// [`actions::Read`] and [`actions::Options`]. [`Check`](prelude::Check) is
/// the action; what a run checks at its end is [`agent::Check`].
pub mod prelude {
    pub use webhand_action::{
        BatchOptions, Report, ReportItem, Session, SessionError, Settings,
        catalogue::{
            Action, ActionContext, ActionType, Back, Catalogue, Check, Click, CustomError, Dialog, Done, Fill, Find,
            Focus, Forward, Handler, Hover, Navigate, Press, Reload, Remember, Risk, Screenshot, Scroll, Search,
            Select, Tab, Target, Type, Wait,
        },
        error::{ActionError, ErrorCode},
        outcome::Outcome,
    };
    pub use webhand_agent::{
        Agent, AgentError, Run,
        models::{Literal, Script},
    };
    pub use webhand_browser::{BrowserError, Headless, Launch, NavigationError};
    pub use webhand_page::{FormatOptions, Ref, Snapshot};

    pub use crate::Browser;
}
