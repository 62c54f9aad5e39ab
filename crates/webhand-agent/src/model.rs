//! What stands behind a run: anything that answers a [`Prompt`] with text.
//!
//! The trait knows no provider and no page; how a reply is read is the decoder's business.

use std::fmt::Debug;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

pub use webhand_action::decode::Finish;

use crate::prompt::Prompt;

/// A model: prompt in, text out.
#[async_trait]
pub trait Model: Send + Sync + Debug {
    /// What it is called in events and records.
    fn name(&self) -> &str;

    /// Answers a prompt.
    ///
    /// # Errors
    /// When there is no answer: see [`ModelError`].
    async fn reply(&self, prompt: &Prompt) -> Result<ModelReply, ModelError>;
}

/// A model's answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelReply {
    /// The text, as it came.
    pub text: String,
    /// Why it ended.
    pub finish: Finish,
    /// What it cost.
    pub usage: Usage,
}

impl ModelReply {
    /// A whole answer that cost nothing.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}

/// What a reply, or a whole run, cost in tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the prompt.
    pub input: u64,
    /// Tokens of the reply.
    pub output: u64,
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, more: Self) {
        self.input = self.input.saturating_add(more.input);
        self.output = self.output.saturating_add(more.output);
    }
}

/// Why a model gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// It did not answer in time.
    #[error("the model {name} did not answer within {seconds} s")]
    Timeout {
        /// The model.
        name: String,
        /// How long it was given.
        seconds: u64,
    },
    /// A script has no more replies.
    #[error("the script has {had} replies, and one more was asked for")]
    ScriptEnded {
        /// How many there were.
        had: usize,
    },
    /// A script cannot be read.
    #[error("the script {path} cannot be read: {reason}")]
    Script {
        /// Which file.
        path: String,
        /// Why.
        reason: String,
    },
    /// The model's own failure.
    #[error("the model {name} failed: {reason}")]
    Failed {
        /// The model.
        name: String,
        /// Why.
        reason: String,
    },
}

impl ModelError {
    /// The stable word for it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            ModelError::Timeout { .. } => "model_timeout",
            ModelError::ScriptEnded { .. } => "script_ended",
            ModelError::Script { .. } => "script_unreadable",
            ModelError::Failed { .. } => "model_failed",
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            ModelError::ScriptEnded { .. } => Some("end the script with a reply whose last action is done".to_owned()),
            ModelError::Script { .. } => {
                Some("a script is JSON lines, each a text or an object, or one JSON array of them".to_owned())
            }
            ModelError::Timeout { .. } | ModelError::Failed { .. } => None,
        }
    }
}
