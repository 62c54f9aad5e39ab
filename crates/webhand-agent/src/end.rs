//! How a run ends, and what is checked then. Plain values and pure checks.

use std::{path::PathBuf, time::Duration};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use webhand_page::Snapshot;

use crate::{
    budget::Budget,
    model::Usage,
    record::{Fact, RecordEntry},
    verdict::Verdict,
};

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "end", rename_all = "snake_case")]
#[non_exhaustive]
pub enum End {
    /// The model said that it is done.
    Done {
        /// Its answer.
        text: String,
        /// Whether it says that all of the task was done.
        success: bool,
        /// Data it gave with the answer.
        #[serde(skip_serializing_if = "Option::is_none")]
        data: Option<Value>,
    },
    /// Too many steps failed one after the other.
    Failed {
        /// How many.
        failures: u32,
        /// What the last of them failed at.
        reason: String,
    },
    /// A budget is spent. What is known so far is in [`Run::partial`], and the browser is left as it is.
    OutOfBudget {
        /// Which one.
        budget: Budget,
        /// How much there was of it, such as `50 of 50 steps`.
        spent: String,
    },
    /// The same was done over and over, and nothing came of it.
    Stuck {
        /// What was repeated.
        repeated: String,
    },
    /// The model claimed that the task is done, and the judge refused that more often than is allowed.
    JudgedWrong {
        /// What was claimed last.
        claim: String,
        /// Why it was refused.
        reason: String,
    },
    /// The model will not do the task.
    Refused {
        /// What it said.
        reason: String,
    },
    /// A person is needed, and nobody is there, or nobody answered.
    NeedsHuman {
        /// What for.
        question: String,
    },
    /// It was stopped from outside.
    Stopped,
    /// The model gave no answer.
    ModelFailed {
        /// The error's code.
        code: String,
        /// What happened.
        reason: String,
        /// What to do about it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hint: Option<String>,
    },
    /// The browser or its tab went away.
    BrowserLost {
        /// What happened.
        reason: String,
    },
}

impl End {
    /// The stable word for it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            End::Done { success: true, .. } => "done",
            End::Done { success: false, .. } => "not_done",
            End::Failed { .. } => "failed",
            End::OutOfBudget { budget: Budget::Steps, .. } => "step_limit",
            End::OutOfBudget { budget: Budget::Tokens, .. } => "token_limit",
            End::OutOfBudget { budget: Budget::Time, .. } => "time_limit",
            End::OutOfBudget { budget: Budget::Cost, .. } => "cost_limit",
            End::Stuck { .. } => "stuck",
            End::JudgedWrong { .. } => "judged_wrong",
            End::Refused { .. } => "refused",
            End::NeedsHuman { .. } => "needs_human",
            End::Stopped => "stopped",
            End::ModelFailed { .. } => "model_failed",
            End::BrowserLost { .. } => "browser_lost",
        }
    }
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            End::Done { text, success: true, .. } => write!(f, "done: {text}"),
            End::Done { text, success: false, .. } => write!(f, "not done: {text}"),
            End::Failed { failures: 1, reason } => write!(f, "failed: {reason}"),
            End::Failed { failures, reason } => write!(f, "failed {failures} times in a row, the last time: {reason}"),
            End::OutOfBudget { spent, .. } => write!(f, "not done within its budget: {spent} spent"),
            End::Stuck { repeated } => write!(f, "stuck: {repeated} again and again, and nothing came of it"),
            End::JudgedWrong { claim, reason } => write!(f, "claimed {claim:?}, which does not hold: {reason}"),
            End::Refused { reason } => write!(f, "the model will not do it: {reason}"),
            End::NeedsHuman { question } => write!(f, "a person is needed: {question}"),
            End::Stopped => f.write_str("stopped"),
            End::ModelFailed { reason, .. } => f.write_str(reason),
            End::BrowserLost { reason } => write!(f, "the browser was lost: {reason}"),
        }
    }
}

/// Something that must hold at the end of a run, whatever the model says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "condition", content = "of", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Condition {
    /// The page shows this text.
    Shows(String),
    /// The page does not show this text.
    ShowsNot(String),
    /// The page's address contains this.
    Address(String),
}

impl Condition {
    /// Whether it holds on that page.
    ///
    /// ```
    /// use webhand_agent::Condition;
    /// let page = webhand_page::Snapshot::default();
    /// assert!(!Condition::Shows("Thank you".into()).holds(&page));
    /// ```
    #[must_use]
    pub fn holds(&self, snapshot: &Snapshot) -> bool {
        match self {
            Condition::Shows(text) => shows(snapshot, text),
            Condition::ShowsNot(text) => !shows(snapshot, text),
            Condition::Address(part) => snapshot.page.url.contains(part.as_str()),
        }
    }
}

impl std::fmt::Display for Condition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Condition::Shows(text) => write!(f, "the page shows {text:?}"),
            Condition::ShowsNot(text) => write!(f, "the page does not show {text:?}"),
            Condition::Address(part) => write!(f, "the address contains {part:?}"),
        }
    }
}

/// Whether a page shows a text, in any case, as far as it was read.
pub(crate) fn shows(snapshot: &Snapshot, text: &str) -> bool {
    let wanted = text.to_lowercase();
    snapshot.nodes.iter().any(|node| node.name.to_lowercase().contains(&wanted))
}

/// A condition, and whether it held.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Check {
    /// What had to hold.
    pub condition: Condition,
    /// Whether it did.
    pub held: bool,
}

/// A run that is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Run {
    /// What its journal calls it, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// How it ended.
    #[serde(flatten)]
    pub end: End,
    /// What was checked at the end.
    pub checks: Vec<Check>,
    /// What the judge said of the last claim, where one was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// What is known of the answer though the run did not come to its end: incomplete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partial: Option<String>,
    /// How many steps were taken.
    pub steps: u32,
    /// What was done.
    #[serde(skip)]
    pub record: Vec<RecordEntry>,
    /// What was kept.
    pub facts: Vec<Fact>,
    /// What the model cost.
    pub usage: Usage,
    /// How long it took.
    #[serde(rename = "elapsed_seconds", with = "seconds")]
    pub elapsed: Duration,
    /// Where the record and the pictures are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
}

impl Run {
    /// Whether the model says that the task is done, and every stated condition held.
    #[must_use]
    pub fn succeeded(&self) -> bool {
        matches!(self.end, End::Done { success: true, .. }) && self.checks.iter().all(|check| check.held)
    }

    /// The model's answer, where it gave one.
    #[must_use]
    pub fn answer(&self) -> Option<&str> {
        match &self.end {
            End::Done { text, .. } => Some(text),
            _ => None,
        }
    }

    /// The data of the answer, of the task's schema where it has one.
    #[must_use]
    pub fn data(&self) -> Option<&Value> {
        match &self.end {
            End::Done { data, .. } => data.as_ref(),
            _ => None,
        }
    }
}

mod seconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(elapsed: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64((elapsed.as_secs_f64() * 1000.0).round() / 1000.0)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        Duration::try_from_secs_f64(f64::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}
