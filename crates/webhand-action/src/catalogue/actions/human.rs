//! What a person, a solver or a mailbox must do.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{choice, setters};
use crate::{
    catalogue::{ActionFamily, ActionType, Alias, Preset, Risk},
    validate::ParamFault,
};

/// Asks a person; with take_over, to do something on the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct AskHuman {
    /// What is asked.
    #[schemars(length(min = 1, max = 2_000))]
    pub question: String,
    /// What may be answered; anything where there is none.
    #[serde(default)]
    #[schemars(length(max = 20))]
    pub choices: Vec<String>,
    /// Whether the person is to do it on the page.
    #[serde(default)]
    pub take_over: bool,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for AskHuman {
    const NAME: &'static str = "ask_human";
    const ALIASES: &'static [Alias] = &[
        Alias::of("ask_user"),
        Alias::of("ask_person"),
        Alias::of("human_input"),
        Alias::of("take_over").set(&[("take_over", Preset::Flag(true))]),
    ];
    const PARAM_ALIASES: &'static [(&'static str, &'static str)] =
        &[("text", "question"), ("message", "question"), ("prompt", "question"), ("options", "choices")];
    const FAMILY: ActionFamily = ActionFamily::Tool;
    const RISK: Risk = Risk::Human;

    fn check(&self) -> Vec<ParamFault> {
        match self.question.trim().is_empty() {
            true => vec![ParamFault::bad("question", "is empty")],
            false => Vec::new(),
        }
    }
}

impl AskHuman {
    /// Asks that.
    #[must_use]
    pub fn question(question: impl Into<String>) -> Self {
        Self { question: question.into(), choices: Vec::new(), take_over: false, intent: String::new() }
    }
}
setters!(AskHuman { choices: Vec<String>, take_over: bool });

/// Has the captcha of the page solved, by a program or a person.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SolveCaptcha {
    /// Whose it is, where the page does not tell.
    #[serde(default)]
    #[schemars(extend("x-untold" = true))]
    pub kind: Option<String>,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for SolveCaptcha {
    const NAME: &'static str = "solve_captcha";
    const ALIASES: &'static [Alias] = &[Alias::of("captcha_solve"), Alias::of("captcha")];
    const FAMILY: ActionFamily = ActionFamily::Tool;
    const RISK: Risk = Risk::Human;
}

impl SolveCaptcha {
    /// The captcha that the page shows.
    #[must_use]
    pub fn shown() -> Self {
        Self::default()
    }
}
setters!(SolveCaptcha { kind: Option<String> });

choice!(
    /// How a one-time code comes.
    CodeKind {
        /// Computed of a seed.
        Totp = "totp",
        /// By mail.
        Email = "email",
        /// By text message.
        Sms = "sms",
    }
);

/// Gets a one-time code; fill it with the handle that comes back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct OneTimeCode {
    /// How it comes; as its handle says where none is named.
    #[serde(default)]
    pub source: Option<CodeKind>,
    /// The handle of a mailbox, telephone or seed, such as shop.code.
    #[schemars(length(min = 1, max = 200), extend("x-tell" = "its handle, such as shop.code"))]
    pub of: String,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for OneTimeCode {
    const NAME: &'static str = "one_time_code";
    const ALIASES: &'static [Alias] =
        &[Alias::of("get_2fa_code"), Alias::of("get_otp"), Alias::of("sms_read"), Alias::of("email_read")];
    const PARAM_ALIASES: &'static [(&'static str, &'static str)] =
        &[("handle", "of"), ("name", "of"), ("kind", "source")];
    const FAMILY: ActionFamily = ActionFamily::Tool;
    const RISK: Risk = Risk::Secret;
}

impl OneTimeCode {
    /// A code of that handle.
    #[must_use]
    pub fn of(handle: impl Into<String>) -> Self {
        Self { source: None, of: handle.into(), intent: String::new() }
    }
}
setters!(OneTimeCode { source: Option<CodeKind> });
