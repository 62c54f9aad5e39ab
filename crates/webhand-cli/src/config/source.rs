//! A value that a file of settings does not hold itself: where it comes from.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use webhand::{
    CommandSecret,
    action::{SecretSource, VaultError},
    guard::Secret,
};

/// As a file writes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub(crate) enum From {
    /// Of a variable of the environment, read when it is needed.
    Env(String),
    /// The first line that a command prints: program and arguments.
    Command(Vec<String>),
}

#[async_trait]
impl SecretSource for From {
    async fn fetch(&self) -> Result<Secret, VaultError> {
        match self {
            From::Env(variable) => {
                let value = std::env::var(variable).ok().filter(|value| !value.is_empty());
                value.map(Secret::new).ok_or_else(|| VaultError::unavailable(variable, "the variable is not set"))
            }
            From::Command(words) => match words.split_first() {
                Some((program, arguments)) => CommandSecret::new(program, arguments).fetch().await,
                None => Err(VaultError::unavailable("command", "it names no program")),
            },
        }
    }
}

impl From {
    /// What makes it useless, if anything does.
    pub(crate) fn fault(&self) -> Option<&'static str> {
        match self {
            From::Env(variable) if variable.is_empty() => Some("env names no variable"),
            From::Command(words) if words.is_empty() => Some("command names no program"),
            _ => None,
        }
    }
}
