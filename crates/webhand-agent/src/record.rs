//! What a run keeps of each step, for the model and for the record file. Plain values.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use webhand_action::{
    catalogue::{Action, Risk},
    outcome::Outcome,
};

/// One step of a run: what was meant, what was done, what came of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RecordEntry {
    /// Counted from one.
    pub step: u32,
    /// The model's judgement of the step before.
    pub evaluation: String,
    /// What the model wrote down for itself.
    pub memory: String,
    /// What it was after.
    pub goal: String,
    /// What was done, in order.
    pub actions: Vec<ActionRecord>,
    /// What the steps changed on the page, in a few lines; it stands for the page that is not shown any more.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub changed: String,
    /// Why nothing was done, where the reply could not be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

/// One action of a step and what came of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ActionRecord {
    /// The action's name.
    pub name: String,
    /// The action as it was run.
    pub action: Value,
    /// Whether it was run; what follows a failure or a changed page is left out.
    pub ran: bool,
    /// Whether it did what it should.
    pub ok: bool,
    /// What it might do to the world, where it was run: what its kind says, or more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub risk: Option<Risk>,
    /// What was observed, in words.
    pub message: String,
    /// What it read or computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
    /// The error's code, where it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Within that, which kind of failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// What would help.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl ActionRecord {
    /// An action that was run, and what came of it.
    #[must_use]
    pub fn ran(outcome: &Outcome) -> Self {
        let error = outcome.error.as_ref();
        let mut message = outcome.message.clone();
        if outcome.effects.any() {
            message = format!("{message} [{}]", outcome.effects);
        }
        Self {
            name: outcome.action.name().to_owned(),
            action: outcome.action.to_json(),
            ran: true,
            ok: outcome.ok,
            risk: Some(outcome.risk),
            message,
            data: outcome.data.clone(),
            code: error.map(|error| error.code().to_owned()),
            kind: error.and_then(|error| error.kind.clone()),
            hint: error.and_then(|error| error.hint()),
        }
    }

    /// An action that was left out, and why.
    #[must_use]
    pub fn left_out(action: &Action, why: &str) -> Self {
        let name = action.name().to_owned();
        Self { name, action: action.to_json(), message: why.to_owned(), ..Self::default() }
    }
}

impl RecordEntry {
    /// The first action that failed or was left out.
    #[must_use]
    pub fn failure(&self) -> Option<&ActionRecord> {
        self.actions.iter().find(|action| !action.ok)
    }

    /// Whether something was done and all of it went well.
    #[must_use]
    pub fn went_well(&self) -> bool {
        self.fault.is_none() && !self.actions.is_empty() && self.failure().is_none()
    }
}

/// Something that is kept to the end: what the model asked to be kept, and what was taken out of pages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Fact {
    /// What it is called.
    pub key: String,
    /// What it is.
    pub value: String,
    /// The page on which it was kept.
    pub source: String,
    /// It was taken from that page, and not only noted there by the model.
    #[serde(default)]
    pub from_page: bool,
}
