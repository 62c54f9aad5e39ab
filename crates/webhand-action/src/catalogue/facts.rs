//! What is stated once beside an action's struct: its name, its aliases and what it does to the world.
//!
//! Facts only: no parsing and no browser.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use crate::validate::ParamFault;

/// What an action needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ActionFamily {
    /// The page or the browser as a whole.
    Browser,
    /// One element on which it must land.
    Element,
    /// Neither: it reads, computes or asks.
    Tool,
}

/// What an action may do to the world, for policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Risk {
    /// Only looks.
    Read,
    /// Loads another address.
    Navigate,
    /// Changes what stands on the page.
    Edit,
    /// Submits, pays, deletes or sends.
    Commit,
    /// Touches files.
    Files,
    /// Touches a secret.
    Secret,
    /// Runs code in the page.
    Script,
    /// Needs a person.
    Human,
}

impl Risk {
    /// The word for it, as policies write it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Risk::Read => "read",
            Risk::Navigate => "navigate",
            Risk::Edit => "edit",
            Risk::Commit => "commit",
            Risk::Files => "files",
            Risk::Secret => "secret",
            Risk::Script => "script",
            Risk::Human => "human",
        }
    }
}

impl fmt::Display for Risk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Another name by which models know an action, with what that name implies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alias {
    /// The other name.
    pub name: &'static str,
    /// Parameters that the name implies, where the reply does not give them.
    pub set: &'static [(&'static str, Preset)],
    /// Parameters that are called otherwise under this name: from, to.
    pub rename: &'static [(&'static str, &'static str)],
    /// Parameters of other engines that mean nothing here and are left out.
    pub drop: &'static [&'static str],
}

impl Alias {
    /// A name that differs in nothing else.
    #[must_use]
    pub const fn of(name: &'static str) -> Self {
        Self { name, set: &[], rename: &[], drop: &[] }
    }

    /// The same, with implied parameters.
    #[must_use]
    pub const fn set(mut self, set: &'static [(&'static str, Preset)]) -> Self {
        self.set = set;
        self
    }

    /// The same, with parameters called otherwise.
    #[must_use]
    pub const fn rename(mut self, rename: &'static [(&'static str, &'static str)]) -> Self {
        self.rename = rename;
        self
    }

    /// The same, with parameters to leave out.
    #[must_use]
    pub const fn drop(mut self, drop: &'static [&'static str]) -> Self {
        self.drop = drop;
        self
    }
}

/// A parameter value that an [`Alias`] implies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Preset {
    /// A text or a choice.
    Text(&'static str),
    /// A switch.
    Flag(bool),
    /// A number.
    Count(i64),
}

impl From<Preset> for Value {
    fn from(preset: Preset) -> Self {
        match preset {
            Preset::Text(text) => Value::from(text),
            Preset::Flag(flag) => Value::from(flag),
            Preset::Count(count) => Value::from(count),
        }
    }
}

/// An action: a struct whose fields are its parameters, and the facts about it.
///
/// The struct's doc comment is what a model reads about the action. For an action of your own, derive the three traits,
/// state `NAME`, and hand it to [`Catalogue::register`](crate::catalogue::Catalogue::register).
pub trait ActionType: Serialize + DeserializeOwned + JsonSchema + Send + 'static {
    /// Its name: small letters and underscores.
    const NAME: &'static str;
    /// Other names for it.
    const ALIASES: &'static [Alias] = &[];
    /// Other names for its parameters under any of its names: from, to.
    const PARAM_ALIASES: &'static [(&'static str, &'static str)] = &[];
    /// What it needs.
    const FAMILY: ActionFamily = ActionFamily::Tool;
    /// What it may do to the world. An action of your own is held to be of the heavier kind unless it says otherwise.
    const RISK: Risk = Risk::Commit;
    /// Whether it must name one element.
    const NEEDS_ELEMENT: bool = false;
    /// Whether its element may be given as a point (`x`, `y`).
    const BY_POINT: bool = false;
    /// Whether it may open a tab.
    const MAY_OPEN_TAB: bool = false;
    /// Whether nothing may follow it in a reply.
    const ENDS_REPLY: bool = false;

    /// Puts parameters as other engines write them into this action's own form; what it does not know it leaves alone.
    fn reshape(_params: &mut Map<String, Value>) {}

    /// What is wrong with the parameters together, beyond what their types say.
    fn check(&self) -> Vec<ParamFault> {
        Vec::new()
    }
}
