//! What became of one action: said the same to the agent, the command line and the library.

use std::{fmt, time::Duration};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use webhand_page::Ref;

use crate::{
    catalogue::{Action, Catalogue, Risk},
    effects::Effects,
    error::{ActionError, ErrorCode},
};

/// Which level found the element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Located {
    /// The very node that was seen.
    Live,
    /// A selector of stable attributes that found exactly one.
    Selector,
    /// What makes it itself: role, name, the words of its row. Only one has them.
    Identity,
    /// What stands around it: several have all that makes it itself, one of them is in its place.
    Place,
    /// Where it leads: the only link to that address, its name the same but for figures.
    Address,
    /// A [`Locator`](crate::Locator) of the user's own.
    Custom,
    /// The point that was asked for.
    Coordinates,
}

impl Located {
    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Located::Live => "live",
            Located::Selector => "selector",
            Located::Identity => "identity",
            Located::Place => "place",
            Located::Address => "address",
            Located::Custom => "custom",
            Located::Coordinates => "coordinates",
        }
    }
}

/// The element on which an action landed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Landed {
    /// Its ref, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#ref: Option<Ref>,
    /// Its role.
    pub role: String,
    /// Its name.
    pub name: String,
}

impl Landed {
    /// An element as a snapshot knows it.
    #[must_use]
    pub fn new(target: Option<Ref>, role: impl Into<String>, name: impl Into<String>) -> Self {
        Self { r#ref: target, role: role.into(), name: name.into() }
    }
}

/// What became of one action.
///
/// `ok` is true only for what was observed. [`into_result`](Outcome::into_result) turns a failure into an error, for
/// scripts in which wrong means stop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Outcome {
    /// What was asked.
    pub action: Action,
    /// Whether it was done.
    pub ok: bool,
    /// What it might do to the world: what the catalogue says of its kind, or more, by what its element would set off.
    pub risk: Risk,
    /// What happened, for a model: short English.
    pub message: String,
    /// What was read or found, where the action reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ActionError>,
    /// What was seen to follow.
    #[serde(default)]
    pub effects: Effects,
    /// What else is worth knowing: never a reason for failure.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The element on which it landed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Landed>,
    /// Which level found it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub located_by: Option<Located>,
    /// How many tries it took.
    pub attempts: u32,
    /// How long it took, settling included.
    #[serde(with = "milliseconds", rename = "elapsed_ms")]
    pub elapsed: Duration,
}

impl Outcome {
    /// An action that was done.
    #[must_use]
    pub fn done(action: Action, message: impl Into<String>) -> Self {
        Self {
            risk: Catalogue::shared().get(action.name()).map_or(Risk::Commit, |spec| spec.risk),
            action,
            ok: true,
            message: message.into(),
            data: None,
            error: None,
            effects: Effects::none(),
            notes: Vec::new(),
            target: None,
            located_by: None,
            attempts: 1,
            elapsed: Duration::ZERO,
        }
    }

    /// An action that failed; the message is made of the error.
    #[must_use]
    pub fn failed(action: Action, error: ActionError) -> Self {
        let message = error.detail.clone();
        Self { ok: false, error: Some(error), ..Self::done(action, message) }
    }

    /// Makes a failure of it: what was seen to follow stays.
    pub(crate) fn fail(&mut self, error: ActionError) {
        self.ok = false;
        self.message.clone_from(&error.detail);
        self.error = Some(error);
    }

    /// The error's code, where it failed.
    #[must_use]
    pub fn code(&self) -> Option<ErrorCode> {
        self.error.as_ref().map(|error| error.code)
    }

    /// The outcome if it was done, else its error.
    ///
    /// # Errors
    /// When the action failed.
    pub fn into_result(self) -> Result<Self, ActionError> {
        if self.ok {
            return Ok(self);
        }
        Err(self.error.unwrap_or_else(|| ActionError::new(ErrorCode::Internal, self.message)))
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.error {
            Some(error) if !self.ok => {
                write!(f, "failed, {}: {}", error.code, self.message)?;
                if let Some(hint) = &error.hint {
                    write!(f, "; {hint}")?;
                }
            }
            _ => f.write_str(&self.message)?,
        }
        if self.effects.any() {
            write!(f, " [{}]", self.effects)?;
        }
        for note in &self.notes {
            write!(f, " ({note})")?;
        }
        Ok(())
    }
}

mod milliseconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(elapsed: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64((elapsed.as_secs_f64() * 10_000.0).round() / 10.0)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        let milliseconds = f64::deserialize(deserializer)?;
        Duration::try_from_secs_f64(milliseconds / 1000.0).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{catalogue::Click, effects::Effect};

    #[test]
    fn a_failure_says_code_cause_and_hint() {
        let error =
            ActionError::new(ErrorCode::NotInteractable, "B12 is covered by D4").with_hint("close the dialog D4 first");
        let outcome = Outcome::failed(Click::on("B12").into(), error.clone());
        assert_eq!(outcome.to_string(), "failed, not_interactable: B12 is covered by D4; close the dialog D4 first");
        assert_eq!(outcome.into_result(), Err(error));
    }

    #[test]
    fn an_outcome_comes_back_from_json_as_it_was() {
        let mut outcome = Outcome::done(Click::on("B12").count(2).into(), "Clicked B12 \"Save\"");
        outcome.effects.push(Effect::Navigated { url: "http://a.b/".into(), status: Some(200), new_document: true });
        outcome.elapsed = Duration::from_micros(12_300);
        let json = serde_json::to_string(&outcome).unwrap();
        assert_eq!(serde_json::from_str::<Outcome>(&json).unwrap(), outcome, "{json}");
        assert_eq!(outcome.to_string(), "Clicked B12 \"Save\" [page is now http://a.b/ (status 200)]");
    }
}
