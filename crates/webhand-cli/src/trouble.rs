//! What went wrong with a command, in the one form in which it crosses the session's socket, is printed, and becomes an
//! exit code.

use std::fmt;

use serde::{Deserialize, Serialize};
use webhand::{
    action::{decode::DecodeError, validate::Fault},
    engine::BrowserError,
    prelude::{ActionError, SessionError},
};

use crate::exit::Exit;

/// What is wrong, and where.
fn line_of(fault: &Fault) -> String {
    if fault.path.is_empty() { fault.message.clone() } else { format!("{}: {}", fault.path, fault.message) }
}

/// Why a command did not do what was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Trouble {
    /// The stable word for its class.
    pub(crate) code: String,
    /// Within the class, where it has kinds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) kind: Option<String>,
    /// What happened.
    pub(crate) detail: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<String>,
}

impl Trouble {
    pub(crate) fn new(code: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { code: code.into(), kind: None, detail: detail.into(), hint: None }
    }

    pub(crate) fn kind(mut self, kind: impl Into<String>) -> Self {
        self.kind = Some(kind.into());
        self
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    fn maybe_hint(mut self, hint: Option<String>) -> Self {
        self.hint = hint;
        self
    }

    /// What was asked for cannot be asked for.
    pub(crate) fn usage(detail: impl Into<String>) -> Self {
        Self::new("usage", detail)
    }

    /// An action, or several, that are wrong by their form or by what is on the page: nothing was run.
    pub(crate) fn of_faults(kind: &str, faults: &[Fault]) -> Self {
        let lines: Vec<String> = faults.iter().map(line_of).collect();
        let hints: Vec<&str> = faults.iter().filter_map(|fault| fault.hint.as_deref()).collect();
        let trouble = Self::new("invalid_action", lines.join("\n")).kind(kind);
        trouble.maybe_hint((!hints.is_empty()).then(|| hints.join("; ")))
    }

    /// What scripts see.
    pub(crate) fn exit(&self) -> Exit {
        Exit::of(&self.code, self.kind.as_deref())
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}

impl std::error::Error for Trouble {}

impl miette::Diagnostic for Trouble {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        let code = match &self.kind {
            Some(kind) => format!("{} ({kind})", self.code),
            None => self.code.clone(),
        };
        Some(Box::new(code))
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.hint.as_ref().map(|hint| Box::new(hint) as Box<dyn fmt::Display + 'a>)
    }
}

impl From<&ActionError> for Trouble {
    fn from(error: &ActionError) -> Self {
        let ActionError { kind, detail, .. } = error;
        Self { code: error.code().to_owned(), kind: kind.clone(), detail: detail.clone(), hint: error.hint() }
    }
}

impl From<BrowserError> for Trouble {
    fn from(error: BrowserError) -> Self {
        let kind = match &error {
            BrowserError::Navigation(error) => Some(error.kind().to_owned()),
            _ => None,
        };
        Self { code: error.code().to_owned(), kind, detail: error.to_string(), hint: error.hint() }
    }
}

impl From<SessionError> for Trouble {
    fn from(error: SessionError) -> Self {
        let kind = match &error {
            SessionError::Navigation(error) => Some(error.kind().to_owned()),
            _ => None,
        };
        Self { code: error.code().to_owned(), kind, detail: error.to_string(), hint: error.hint() }
    }
}

impl From<DecodeError> for Trouble {
    /// A reply that cannot be run: with the words that a model would get.
    fn from(error: DecodeError) -> Self {
        match error.faults() {
            [] => Self::new("invalid_reply", error.to_string()).kind(error.code()).maybe_hint(error.hint()),
            faults => Self::of_faults(error.code(), faults),
        }
    }
}
