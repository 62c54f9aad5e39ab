//! What a fault looks like: where it is, which kind, and what to do.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The kind of a fault in an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FaultCode {
    /// No action has that name.
    UnknownAction,
    /// A parameter that must be given is not.
    MissingParameter,
    /// A parameter is not of the right form, out of range, unknown or given twice.
    BadParameter,
    /// Something follows an action that ends the reply.
    DoneNotLast,
}

impl FaultCode {
    /// The stable code.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            FaultCode::UnknownAction => "unknown_action",
            FaultCode::MissingParameter => "missing_parameter",
            FaultCode::BadParameter => "bad_parameter",
            FaultCode::DoneNotLast => "done_not_last",
        }
    }
}

/// One thing that is wrong with an action, with its place in the reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Fault {
    /// Where, such as `actions[1].ref`.
    pub path: String,
    /// Which kind.
    pub code: FaultCode,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Fault {
    /// A fault without a hint.
    #[must_use]
    pub fn new(path: impl Into<String>, code: FaultCode, message: impl Into<String>) -> Self {
        Self { path: path.into(), code, message: message.into(), hint: None }
    }

    /// The same with a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

/// One thing that is wrong with a parameter, before the action's place is known.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParamFault {
    /// The parameter (with what is inside it, such as `values[2]`); empty for the action as a whole.
    pub param: String,
    /// Which kind.
    pub code: FaultCode,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl ParamFault {
    /// A parameter that must be given and is not; `what` says what it should be.
    #[must_use]
    pub fn missing(param: &str, what: &str) -> Self {
        let message = if what.is_empty() { "is missing".to_owned() } else { format!("is missing: {}", lower(what)) };
        Self { param: param.to_owned(), code: FaultCode::MissingParameter, message, hint: None }
    }

    /// A parameter that is not as it should be.
    #[must_use]
    pub fn bad(param: &str, message: impl Into<String>) -> Self {
        Self { param: param.to_owned(), code: FaultCode::BadParameter, message: message.into(), hint: None }
    }

    /// The same with a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The fault of this parameter in the action at `path`.
    #[must_use]
    pub fn at(self, path: &str) -> Fault {
        let path = if self.param.is_empty() { path.to_owned() } else { format!("{path}.{}", self.param) };
        Fault { path, code: self.code, message: self.message, hint: self.hint }
    }
}

fn lower(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next();
    let second = letters.clone().next();
    match first {
        Some(first) if !second.is_some_and(char::is_uppercase) => first.to_lowercase().chain(letters).collect(),
        _ => text.to_owned(),
    }
}

impl fmt::Display for ParamFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.param.is_empty() { "" } else { ": " };
        write!(f, "{}{separator}{}", self.param, self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}
