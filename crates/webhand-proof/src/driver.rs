//! The two small traits that an engine must fill to be judged.
//!
//! They speak in addresses, JSON actions and page scripts, so that an engine of another house can stand behind them too.

use std::{fmt::Debug, future::Future, path::PathBuf};

use serde_json::Value;

use crate::{
    case::{BatchRules, Kind, Setting},
    fault::{Fault, Hold},
    sight::{Heard, Said, Sight, View},
};

/// An engine with a running browser.
pub trait Engine: Debug + Send + Sync {
    /// One session of it.
    type Driver: Driver;

    /// Which kind of browser it drives.
    fn kind(&self) -> Kind;

    /// Opens a page in a fresh, isolated session.
    fn open(&self, url: &str, opening: &Opening) -> impl Future<Output = Result<Self::Driver, DriverError>> + Send;

    /// Ends the browser.
    fn close(self) -> impl Future<Output = ()> + Send;
}

/// How a session is wanted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Opening {
    /// The case's own screen and patience.
    pub setting: Setting,
    /// The folder from which files may be uploaded; none where nothing may be.
    pub uploads: Option<PathBuf>,
    /// The folder for what comes.
    pub run: PathBuf,
    /// How its browser must be got.
    pub hold: Hold,
}

/// One session of an engine: a page that is looked at and acted on.
pub trait Driver: Debug + Send {
    /// What can be done while an action is under way.
    type Beside: Beside;

    /// A handle for that.
    fn beside(&self) -> Self::Beside;

    /// Looks at the page; the usual output is to be as `view` asks.
    fn look(&mut self, view: View) -> impl Future<Output = Result<Sight, DriverError>> + Send;

    /// Performs one action, given in the union shape (`{"type": "click", "ref": "B5"}`).
    fn act(&mut self, action: &Value) -> impl Future<Output = Result<Said, DriverError>> + Send;

    /// Performs several actions as one reply.
    fn act_all(
        &mut self,
        actions: &[Value],
        rules: BatchRules,
    ) -> impl Future<Output = Result<Heard, DriverError>> + Send;

    /// Decodes a model's reply and performs what it asks.
    fn reply(&mut self, text: &str) -> impl Future<Output = Result<Heard, DriverError>> + Send;

    /// Evaluates an expression in the page's own world and gives its value. A promise is awaited.
    fn evaluate(&mut self, expression: &str, place: Place) -> impl Future<Output = Result<Value, DriverError>> + Send;

    /// Ends the session and everything that it opened.
    fn close(self) -> impl Future<Output = ()> + Send;
}

/// What an engine can do while an action of its session is under way.
pub trait Beside: Debug + Send + Sync {
    /// Performs an action that needs no page.
    fn act(&self, action: &Value) -> impl Future<Output = Said> + Send;

    /// Ends what is under way.
    fn stop(&self);

    /// Takes something away from the engine, whatever it is doing.
    fn hurt(&self, _: Fault) -> impl Future<Output = Result<(), DriverError>> + Send {
        async { Err(DriverError::Unsupported("be hurt")) }
    }
}

/// For an engine that can do nothing of the kind.
impl Beside for () {
    async fn act(&self, _: &Value) -> Said {
        Said { code: Some("unsupported".to_owned()), ..Said::default() }
    }

    fn stop(&self) {}
}

/// Which page of a session is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// The session's current tab.
    #[default]
    Current,
    /// The tab that the case began in.
    First,
}

/// Why a driver could not do what the case asks: a fault of the engine's plumbing, not a claim about the page.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DriverError {
    /// The engine failed.
    #[error("{doing}: {why}")]
    Engine {
        /// What it was doing.
        doing: &'static str,
        /// Its own words.
        why: String,
    },
    /// The page's own script threw.
    #[error("the page's script threw: {0}")]
    Script(String),
    /// The engine has no such ability.
    #[error("this engine cannot {0}")]
    Unsupported(&'static str),
}
