//! Dialogs that a page opens, as values, and the rule for who answers them.

use webhand_cdp::protocol::page;

/// What kind of dialog it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DialogKind {
    /// A message with one button.
    Alert,
    /// A question with two buttons.
    Confirm,
    /// A question with a field.
    Prompt,
    /// The question whether to leave the page.
    BeforeUnload,
}

impl DialogKind {
    /// Its name in lower case.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Alert => "alert",
            Self::Confirm => "confirm",
            Self::Prompt => "prompt",
            Self::BeforeUnload => "beforeunload",
        }
    }
}

/// A dialog.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Dialog {
    /// What kind of dialog it is.
    pub kind: DialogKind,
    /// What it says.
    pub message: String,
    /// What stands in a prompt's field.
    pub default_prompt: Option<String>,
    /// The address of the frame that opened it.
    pub url: String,
}

impl Dialog {
    pub(crate) fn from_event(event: page::JavascriptDialogOpening) -> Self {
        let kind = match event.kind {
            page::DialogType::Alert => DialogKind::Alert,
            page::DialogType::Prompt => DialogKind::Prompt,
            page::DialogType::Beforeunload => DialogKind::BeforeUnload,
            // A kind that does not exist yet is a question for safety's sake.
            _ => DialogKind::Confirm,
        };
        Self {
            kind,
            message: event.message,
            default_prompt: event.default_prompt.filter(|_| kind == DialogKind::Prompt),
            url: event.url,
        }
    }
}

/// Who answers a dialog.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DialogRule {
    /// It stays open until somebody calls for an answer.
    #[default]
    Hold,
    /// Accepted at once and reported.
    Accept,
    /// Dismissed at once and reported.
    Dismiss,
}

/// The rule for each kind of dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DialogPolicy {
    /// For alerts; accepted at once by default, because there is no choice.
    pub alert: DialogRule,
    /// For confirms; held by default.
    pub confirm: DialogRule,
    /// For prompts; held by default.
    pub prompt: DialogRule,
    /// For the question whether to leave the page; held by default.
    pub before_unload: DialogRule,
}

impl Default for DialogPolicy {
    fn default() -> Self {
        Self {
            alert: DialogRule::Accept,
            confirm: DialogRule::Hold,
            prompt: DialogRule::Hold,
            before_unload: DialogRule::Hold,
        }
    }
}

impl DialogPolicy {
    /// The same rule for every kind.
    #[must_use]
    pub const fn all(rule: DialogRule) -> Self {
        Self { alert: rule, confirm: rule, prompt: rule, before_unload: rule }
    }

    /// The rule for that kind.
    #[must_use]
    pub const fn rule(&self, kind: DialogKind) -> DialogRule {
        match kind {
            DialogKind::Alert => self.alert,
            DialogKind::Confirm => self.confirm,
            DialogKind::Prompt => self.prompt,
            DialogKind::BeforeUnload => self.before_unload,
        }
    }
}
