//! The published description of the protocol, as far as the generator reads it. Knows nothing of Rust output.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

#[derive(Deserialize)]
pub(crate) struct Document {
    pub(crate) domains: Vec<Domain>,
}

#[derive(Deserialize)]
pub(crate) struct Domain {
    pub(crate) domain: String,
    #[serde(default)]
    pub(crate) types: Vec<Type>,
    #[serde(default)]
    pub(crate) commands: Vec<Command>,
    #[serde(default)]
    pub(crate) events: Vec<Event>,
}

#[derive(Deserialize)]
pub(crate) struct Type {
    pub(crate) id: String,
    #[serde(default)]
    pub(crate) description: String,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    #[serde(default, rename = "enum")]
    pub(crate) values: Option<Vec<String>>,
    #[serde(default)]
    pub(crate) items: Option<Box<Field>>,
    #[serde(default)]
    pub(crate) properties: Vec<Field>,
}

#[derive(Deserialize)]
pub(crate) struct Command {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) description: String,
    #[serde(default)]
    pub(crate) parameters: Vec<Field>,
    #[serde(default)]
    pub(crate) returns: Vec<Field>,
}

#[derive(Deserialize)]
pub(crate) struct Event {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) description: String,
    #[serde(default)]
    pub(crate) parameters: Vec<Field>,
}

#[derive(Deserialize)]
pub(crate) struct Field {
    #[serde(default)]
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) description: String,
    #[serde(default, rename = "type")]
    pub(crate) kind: Option<String>,
    #[serde(default, rename = "$ref")]
    pub(crate) reference: Option<String>,
    #[serde(default, rename = "enum")]
    pub(crate) values: Option<Vec<String>>,
    #[serde(default)]
    pub(crate) items: Option<Box<Field>>,
    #[serde(default)]
    pub(crate) optional: bool,
    #[serde(default)]
    pub(crate) experimental: bool,
    #[serde(default)]
    pub(crate) deprecated: bool,
}

/// The list of what is wanted: the committed `protocol.slice.toml`.
#[derive(Deserialize)]
pub(crate) struct Slice {
    pub(crate) package: String,
    #[serde(default)]
    pub(crate) leave_out: BTreeSet<String>,
    #[serde(flatten)]
    pub(crate) domains: BTreeMap<String, Wanted>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    #[serde(default)]
    pub(crate) commands: Vec<String>,
    #[serde(default)]
    pub(crate) events: Vec<String>,
}
