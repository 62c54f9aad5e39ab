//! What an engine reports, in words that any engine can fill: what it sees ([`Sight`]) and what it says ([`Heard`]). Pure.
//!
//! It must not know which engine speaks.

use serde_json::{Map, Value};

/// How a page is to be shown in the usual output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// In at most so many tokens; 0 for all of it.
    pub max_tokens: u32,
    /// Whether links say where they lead.
    pub addresses: Addresses,
}

/// Whether links say where they lead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Addresses {
    /// As the engine does by itself.
    #[default]
    Usual,
    /// Shortened.
    Short,
    /// Wholly.
    Whole,
}

/// What an engine shows of a page.
#[derive(Clone, Debug, Default)]
pub struct Sight {
    /// The page's address.
    pub url: String,
    /// Its title.
    pub title: String,
    /// The tabs of this session.
    pub tabs: Vec<TabSeen>,
    /// The dialog that is held open.
    pub dialog: Option<DialogSeen>,
    /// Everything that was seen, in document order.
    pub nodes: Vec<NodeSeen>,
    /// Every form in which the page is given to a model; the first is the usual one.
    pub outputs: Vec<Output>,
}

/// One form of a page's text.
#[derive(Clone, Debug, Default)]
pub struct Output {
    /// Its name, for messages.
    pub name: String,
    /// The whole text.
    pub text: String,
}

/// One tab.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TabSeen {
    /// The engine's id for it.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its address.
    pub url: String,
    /// Whether it is the current one.
    pub active: bool,
}

/// A dialog that waits for an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DialogSeen {
    /// `alert`, `confirm`, `prompt` or `beforeunload`.
    pub kind: String,
    /// The page's words.
    pub message: String,
}

/// One node: a text, a structural part or a control.
#[derive(Clone, Debug, Default)]
pub struct NodeSeen {
    /// How deep it stands.
    pub depth: u32,
    /// Its role.
    pub role: String,
    /// Its name or text.
    pub name: String,
    /// The engine's handle, where it is a control.
    pub reference: Option<String>,
    /// Its state by the keys of [`STATE_KEYS`]; absent means not so.
    pub state: Map<String, Value>,
}

/// The state keys that an expectation may name.
pub const STATE_KEYS: &[&str] = &[
    "value",
    "placeholder",
    "secret",
    "checked",
    "selected",
    "options",
    "chosen",
    "expanded",
    "pressed",
    "current",
    "disabled",
    "readonly",
    "required",
    "invalid",
    "focused",
    "popup",
    "limits",
    "sort",
    "scroll",
    "covered",
    "in_view",
    "address",
    "usable",
    "new",
];

impl Sight {
    /// The nodes with a handle.
    pub fn controls(&self) -> impl Iterator<Item = &NodeSeen> {
        self.nodes.iter().filter(|node| node.reference.is_some())
    }

    /// The controls as one line each, for messages; at most `limit`.
    #[must_use]
    pub fn brief(&self, limit: usize) -> String {
        let mut lines: Vec<String> = self.controls().take(limit).map(NodeSeen::brief).collect();
        let more = self.controls().count().saturating_sub(limit);
        if more > 0 {
            lines.push(format!("… {more} more"));
        }
        if lines.is_empty() { "no control".to_owned() } else { lines.join(", ") }
    }
}

impl NodeSeen {
    /// `button "Save" [B3] {"disabled":"disabled"}`.
    #[must_use]
    pub fn brief(&self) -> String {
        let mut text = format!("{} {:?}", self.role, self.name);
        if let Some(reference) = &self.reference {
            text.push_str(&format!(" [{reference}]"));
        }
        let told: Map<String, Value> = self
            .state
            .iter()
            .filter(|(key, _)| !matches!(key.as_str(), "in_view" | "new" | "usable"))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        if !told.is_empty() {
            text.push_str(&format!(" {}", Value::Object(told)));
        }
        text
    }
}

/// What an engine says of one action.
#[derive(Clone, Debug, Default)]
pub struct Said {
    /// Whether it claims success.
    pub ok: bool,
    /// Its error code, where it claims none.
    pub code: Option<String>,
    /// Everything it tells in words: message, detail, hint, candidates.
    pub words: String,
    /// The effects that it observed, as text.
    pub effects: String,
    /// Everything it returned, as text.
    pub whole: String,
}

/// How far an action of a reply came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reached {
    /// Performed, and it claims success.
    Done,
    /// Performed or begun, and it claims failure.
    Failed,
    /// Not begun.
    NotTried,
}

/// What an engine says of a reply's action.
#[derive(Clone, Debug)]
pub struct ItemSaid {
    /// How far it came.
    pub reached: Reached,
    /// What it says of it; for one not tried, the reason.
    pub said: Said,
}

/// What an engine says of a step.
#[derive(Clone, Debug)]
pub enum Heard {
    /// Of one action.
    One(Said),
    /// Of several in one reply.
    Several(Vec<ItemSaid>),
    /// That the reply cannot be understood; nothing ran.
    Undecodable(Said),
}
