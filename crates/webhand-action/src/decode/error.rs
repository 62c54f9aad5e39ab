//! Why a reply cannot be run, in words that go back to the model.

use std::fmt;

use crate::validate::Fault;

/// Why a reply holds no decision that can be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// There is no text.
    #[error("the reply is empty")]
    Empty,
    /// There is text, but no JSON that can be read.
    #[error("the reply holds no JSON that can be read{}", Detail(.0))]
    NoJson(Option<String>),
    /// It was cut off.
    #[error("the reply was cut off before its first action was whole")]
    Incomplete,
    /// It reached its length limit: what is whole in it is not run either.
    #[error("the reply was cut off at its length limit")]
    TooLong,
    /// There is JSON, but no action in it.
    #[error("the reply holds no action{}", Detail(.0))]
    NoAction(Option<String>),
    /// There are actions, and these faults in them: nothing is run.
    #[error("{}", Listed(.0))]
    Invalid(Vec<Fault>),
}

impl DecodeError {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            DecodeError::Empty => "empty",
            DecodeError::NoJson(_) => "no_json",
            DecodeError::Incomplete | DecodeError::TooLong => "incomplete",
            DecodeError::NoAction(_) => "no_action",
            DecodeError::Invalid(faults) => faults.first().map_or("bad_parameter", |fault| fault.code.as_str()),
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            DecodeError::Empty | DecodeError::NoJson(_) => "reply with one JSON object as the schema says".to_owned(),
            DecodeError::Incomplete => "send the whole reply again".to_owned(),
            DecodeError::TooLong => "send a shorter reply, with fewer actions".to_owned(),
            DecodeError::NoAction(_) => "name at least one action; use done when the task is over".to_owned(),
            DecodeError::Invalid(faults) => {
                let hints: Vec<&str> = faults.iter().filter_map(|fault| fault.hint.as_deref()).collect();
                return (!hints.is_empty()).then(|| hints.join("; "));
            }
        })
    }

    /// All that is wrong with the actions, where there are any.
    #[must_use]
    pub fn faults(&self) -> &[Fault] {
        match self {
            DecodeError::Invalid(faults) => faults,
            _ => &[],
        }
    }

    /// The error in the words that go back to the model: what is wrong, and what to do.
    #[must_use]
    pub fn feedback(&self) -> String {
        match (self, self.hint()) {
            (DecodeError::Invalid(_), _) | (_, None) => self.to_string(),
            (_, Some(hint)) => format!("{self}; {hint}"),
        }
    }

    /// Whether it tells of something that was meant as a decision.
    pub(super) fn tells(&self) -> bool {
        self.rank() > 2
    }

    /// How much it says: the more, the nearer the reply was to a decision.
    pub(super) fn rank(&self) -> u8 {
        match self {
            DecodeError::Empty => 0,
            DecodeError::NoJson(None) => 1,
            DecodeError::NoAction(_) => 2,
            DecodeError::NoJson(Some(_)) => 3,
            DecodeError::Incomplete | DecodeError::TooLong => 4,
            DecodeError::Invalid(_) => 5,
        }
    }
}

struct Detail<'a>(&'a Option<String>);

impl fmt::Display for Detail<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(detail) => write!(f, ": {detail}"),
            None => Ok(()),
        }
    }
}

struct Listed<'a>(&'a [Fault]);

/// How many faults are named at most.
const NAMED: usize = 20;

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.0.iter().take(NAMED).enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(f, "{separator}{fault}")?;
        }
        match self.0.len().saturating_sub(NAMED) {
            0 => Ok(()),
            more => write!(f, "\nand {more} more faults"),
        }
    }
}
