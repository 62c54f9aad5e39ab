//! What stands behind a run: anything that answers a [`Prompt`] with text.
//!
//! The trait knows no provider and no page; how a reply is read is the decoder's business. Providers, local weights, scripts
//! and people's own are all behind it.

use std::{fmt::Debug, time::Duration};

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

pub use webhand_action::decode::Finish;

use crate::prompt::{Prompt, Role};

/// A model: prompt in, text out.
#[async_trait]
pub trait Model: Send + Sync + Debug {
    /// What it is called in events and records.
    fn name(&self) -> &str;

    /// What it can do, as far as a run has to know.
    fn abilities(&self) -> Abilities {
        Abilities::default()
    }

    /// A run goes on in which it gave so many answers already, as that role. Only who answers by count has to know.
    fn given(&self, _role: Role, _replies: usize) {}

    /// Answers a prompt.
    ///
    /// # Errors
    /// When there is no answer: see [`ModelError`].
    async fn reply(&self, prompt: &Prompt) -> Result<ModelReply, ModelError>;
}

/// What a model can do, as far as a run has to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Abilities {
    /// How many tokens fit in, those of the answer among them.
    pub window: u64,
    /// It sees pictures.
    pub images: bool,
    /// It can judge a claim against evidence, and plan. Models that take words at their word cannot.
    pub judges: bool,
    /// It is small: the page and the words it is told are kept short for it.
    pub small: bool,
}

impl Abilities {
    /// The window that is taken for granted where a model does not say.
    pub const WINDOW: u64 = 128_000;

    /// A model with the usual window that does not judge and sees no pictures.
    #[must_use]
    pub const fn usual() -> Self {
        Self { window: Self::WINDOW, images: false, judges: false, small: false }
    }

    /// With a window of so many tokens.
    #[must_use]
    pub const fn window(mut self, tokens: u64) -> Self {
        self.window = tokens;
        self
    }

    /// Whether it sees pictures.
    #[must_use]
    pub const fn images(mut self, images: bool) -> Self {
        self.images = images;
        self
    }

    /// Whether it judges.
    #[must_use]
    pub const fn judges(mut self, judges: bool) -> Self {
        self.judges = judges;
        self
    }

    /// Whether it is small.
    #[must_use]
    pub const fn small(mut self, small: bool) -> Self {
        self.small = small;
        self
    }
}

impl Default for Abilities {
    fn default() -> Self {
        Self::usual()
    }
}

/// A model's answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ModelReply {
    /// The text, as it came; tool calls as the JSON that they are.
    pub text: String,
    /// Why it ended.
    pub finish: Finish,
    /// What it cost.
    pub usage: Usage,
    /// Which model answered, where that is not the one that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered_by: Option<String>,
}

impl ModelReply {
    /// A whole answer that cost nothing.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// With why it ended.
    #[must_use]
    pub fn finished(mut self, finish: Finish) -> Self {
        self.finish = finish;
        self
    }

    /// With what it cost.
    #[must_use]
    pub fn costing(mut self, usage: Usage) -> Self {
        self.usage = usage;
        self
    }
}

impl From<&str> for ModelReply {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for ModelReply {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

/// What a reply, or a whole run, cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the prompt, those from the provider's cache among them.
    pub input: u64,
    /// Tokens of the reply.
    pub output: u64,
    /// How many of the prompt's tokens the provider had in its cache.
    #[serde(default)]
    pub cached: u64,
    /// Its price in millionths of a US dollar, where the prices are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub micro_usd: Option<u64>,
}

impl Usage {
    /// That many tokens in and out.
    #[must_use]
    pub const fn tokens(input: u64, output: u64) -> Self {
        Self { input, output, cached: 0, micro_usd: None }
    }

    /// Tokens in and out together.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.input.saturating_add(self.output)
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, more: Self) {
        self.input = self.input.saturating_add(more.input);
        self.output = self.output.saturating_add(more.output);
        self.cached = self.cached.saturating_add(more.cached);
        self.micro_usd = match (self.micro_usd, more.micro_usd) {
            (None, None) => None,
            (known, more) => Some(known.unwrap_or(0).saturating_add(more.unwrap_or(0))),
        };
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
    /// It is not set up as it must be: nothing but a person mends that.
    #[error("the model {name} cannot be used: {reason}")]
    SetUp {
        /// The model.
        name: String,
        /// Which kind of fault.
        fault: SetUpFault,
        /// In words.
        reason: String,
    },
    /// The prompt does not fit into its window.
    #[error("the prompt is too long for the model {name}: {reason}")]
    TooLong {
        /// The model.
        name: String,
        /// What it said.
        reason: String,
    },
    /// It was asked too often, or more than is paid for.
    #[error("the model {name} takes no more for now: {reason}")]
    Limited {
        /// The model.
        name: String,
        /// What it said.
        reason: String,
        /// When it may be asked again, where it said that.
        again_after: Option<Duration>,
    },
    /// It, or the way to it, is down.
    #[error("the model {name} cannot be reached: {reason}")]
    Unreachable {
        /// The model.
        name: String,
        /// What happened.
        reason: String,
    },
    /// What came is no answer.
    #[error("the model {name} sent what is no answer: {reason}")]
    Garbled {
        /// The model.
        name: String,
        /// What came.
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

/// What is wrong with how a model is set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SetUpFault {
    /// There is no key.
    NoKey,
    /// The key is not taken.
    BadKey,
    /// There is no such model.
    NoModel,
    /// There is nobody at that address.
    BadAddress,
    /// It is not known whose model that is.
    NoProvider,
    /// The account is empty.
    NoCredit,
    /// The provider refuses the shape of the answer in every form it could be asked for.
    SchemaRefused,
    /// Something else in the request is refused.
    BadRequest,
}

impl ModelError {
    /// The stable word for it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            ModelError::Timeout { .. } => "model_timeout",
            ModelError::ScriptEnded { .. } => "script_ended",
            ModelError::Script { .. } => "script_unreadable",
            ModelError::SetUp { .. } => "model_setup",
            ModelError::TooLong { .. } => "context_too_long",
            ModelError::Limited { .. } => "model_limited",
            ModelError::Unreachable { .. } => "model_unreachable",
            ModelError::Garbled { .. } => "model_garbled",
            ModelError::Failed { .. } => "model_failed",
        }
    }

    /// Whether the same may well work a little later.
    #[must_use]
    pub fn may_pass(&self) -> bool {
        match self {
            ModelError::Timeout { .. }
            | ModelError::Limited { .. }
            | ModelError::Unreachable { .. }
            | ModelError::Garbled { .. } => true,
            ModelError::ScriptEnded { .. }
            | ModelError::Script { .. }
            | ModelError::SetUp { .. }
            | ModelError::TooLong { .. }
            | ModelError::Failed { .. } => false,
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            ModelError::ScriptEnded { .. } => "end the script with a reply whose last action is done",
            ModelError::Script { .. } => "a script is JSON lines, each a text or an object, or one JSON array of them",
            ModelError::SetUp { fault, .. } => match fault {
                SetUpFault::NoKey => "put the provider's key into the environment, as docs/models.md names it",
                SetUpFault::BadKey => "check the key: it is wrong, has expired, or is another provider's",
                SetUpFault::NoModel => "check the model's name; the provider's own list tells which there are",
                SetUpFault::BadAddress => "check the address, and that the server runs",
                SetUpFault::NoProvider => "name the provider before the model, as in openai/gpt-4.1",
                SetUpFault::NoCredit => "the account has no credit left: see the provider's billing page",
                SetUpFault::SchemaRefused => "this model cannot be asked for such answers: choose another one",
                SetUpFault::BadRequest => "see what the provider says; another model may take it",
            },
            ModelError::TooLong { .. } => "choose a model with a larger window, or a smaller page budget",
            ModelError::Limited { .. } => "wait, or set a fallback model",
            ModelError::Unreachable { .. } => "check the network and the provider's status page",
            ModelError::Garbled { .. } => "check that the address is that of the model's API and not of a web page",
            ModelError::Timeout { .. } | ModelError::Failed { .. } => return None,
        };
        Some(hint.to_owned())
    }
}
