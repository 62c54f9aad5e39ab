//! Why an action failed: classes that decide who acts on it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{decode::DecodeError, validate::Fault};

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $word:literal),+ $(,)?) => {
        /// The class of a failure. The words are stable.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[non_exhaustive]
        pub enum ErrorCode {
            $($(#[$doc])* #[serde(rename = $word)] $name),+
        }

        impl ErrorCode {
            /// All codes.
            pub const ALL: &'static [ErrorCode] = &[$(ErrorCode::$name),+];

            /// The stable word for it.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(ErrorCode::$name => $word),+ }
            }
        }
    };
}
codes!(
    /// Unknown name, bad parameter, unknown ref, wrong letter: back to the model with what is allowed.
    InvalidAction = "invalid_action",
    /// The ref's document is gone.
    StaleRef = "stale_ref",
    /// Nothing on the page is that element.
    ElementNotFound = "element_not_found",
    /// It is there, but no longer what was seen.
    TargetChanged = "target_changed",
    /// Covered, disabled, read-only, moving or out of reach.
    NotInteractable = "not_interactable",
    /// Nothing was seen to follow.
    NoEffect = "no_effect",
    /// Something else stands in the field than what was asked.
    ValueRejected = "value_rejected",
    /// Already at the end of what can be scrolled.
    AtEnd = "at_end",
    /// A load failed; the kind says how.
    Navigation = "navigation",
    /// The tab or the browser went away; what was being done is in doubt.
    BrowserLost = "browser_lost",
    /// A rule forbids it.
    BlockedByPolicy = "blocked_by_policy",
    /// The deadline passed.
    Timeout = "timeout",
    /// It was told to stop; what was begun may have happened.
    Stopped = "stopped",
    /// A person must act.
    NeedsHuman = "needs_human",
    /// What was taken out of the page does not fit the schema.
    DataInvalid = "data_invalid",
    /// Code of the caller's own threw, could not be read, or gave what cannot be told.
    ScriptFailed = "script_failed",
    /// The engine cannot do that here.
    Unsupported = "unsupported",
    /// A fault of the engine.
    Internal = "internal",
);

impl ErrorCode {
    /// What to do after a failure of that class, where its cause says nothing better.
    fn usual_hint(self) -> Option<&'static str> {
        Some(match self {
            ErrorCode::StaleRef | ErrorCode::TargetChanged => "read the page again, and use its refs",
            ErrorCode::Timeout => {
                "what was begun may have happened: read the page before it is tried again; where the page hangs, go on \
                 in another tab (tab new), close this one (tab close), or end the session (close)"
            }
            ErrorCode::Stopped => "what was begun may have happened: read the page before it is tried again",
            ErrorCode::BrowserLost => "what was being done may have happened: open the page again and look",
            ErrorCode::Navigation => "read the page to see what the tab shows now",
            ErrorCode::BlockedByPolicy => "stay with the addresses that are allowed, or ask a person to allow this one",
            ErrorCode::NeedsHuman => "ask a person",
            ErrorCode::Internal => "read the page and try once more; if it stays, it is a fault of webhand: report it",
            _ => return None,
        })
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why an action failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ActionError {
    /// The class.
    pub code: ErrorCode,
    /// Within the class, where it has kinds: `dns` of `navigation`, `bad_parameter` of `invalid_action`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// What happened, for a developer.
    pub detail: String,
    /// What to do, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl ActionError {
    /// A failure of that class, with what usually helps, where something does.
    #[must_use]
    pub fn new(code: ErrorCode, detail: impl Into<String>) -> Self {
        Self { code, kind: None, detail: detail.into(), hint: code.usual_hint().map(str::to_owned) }
    }

    /// The same with its kind.
    #[must_use]
    pub fn with_kind(mut self, kind: impl Into<String>) -> Self {
        self.kind = Some(kind.into());
        self
    }

    /// The same with what to do.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The stable word for the class.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.code.as_str()
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        self.hint.clone()
    }

    /// The failure of a reply that holds no decision that can be run.
    #[must_use]
    pub fn from_decode(error: &DecodeError) -> Self {
        let mut failure = Self::from_faults(error.faults());
        if error.faults().is_empty() {
            failure.detail = error.to_string();
            failure.hint = error.hint();
        }
        failure.kind = Some(error.code().to_owned());
        failure
    }

    /// The failure of an action that has these faults: none of it was run.
    #[must_use]
    pub fn from_faults(faults: &[Fault]) -> Self {
        let detail: Vec<String> = faults.iter().map(|fault| format!("{}: {}", fault.path, fault.message)).collect();
        let hints: Vec<&str> = faults.iter().filter_map(|fault| fault.hint.as_deref()).collect();
        let mut error = Self::new(ErrorCode::InvalidAction, detail.join("; "));
        error.kind = faults.first().map(|fault| fault.code.as_str().to_owned());
        error.hint = (!hints.is_empty()).then(|| hints.join("; "));
        error
    }
}

impl fmt::Display for ActionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.code)?;
        if let Some(kind) = &self.kind {
            write!(f, " ({kind})")?;
        }
        write!(f, ": {}", self.detail)?;
        match &self.hint {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ActionError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_undecodable_reply_is_an_invalid_action_with_its_reason() {
        let error = ActionError::from_decode(&DecodeError::Empty);
        assert_eq!((error.code(), error.kind.as_deref()), ("invalid_action", Some("empty")));
        assert_eq!(
            error.to_string(),
            "invalid_action (empty): the reply is empty; reply with one JSON object as the schema says"
        );
    }

    #[test]
    fn what_is_in_doubt_says_so_and_what_to_do() {
        for code in [ErrorCode::Timeout, ErrorCode::BrowserLost] {
            let hint = ActionError::new(code, "x").hint().unwrap();
            assert!(hint.contains("may have happened"), "{hint}");
        }
        assert!(ActionError::new(ErrorCode::Internal, "x").hint().is_some());
        assert_eq!(ActionError::new(ErrorCode::Timeout, "x").with_hint("wait").hint().as_deref(), Some("wait"));
    }

    #[test]
    fn the_words_are_what_serde_writes() {
        for code in ErrorCode::ALL {
            assert_eq!(serde_json::to_value(code).unwrap(), code.as_str());
        }
    }
}
