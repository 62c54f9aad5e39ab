//! The `[secrets]` part of the settings: values that are named by handles, and where they come from. It holds no value.

use std::{collections::BTreeMap, sync::Arc};

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use webhand::{
    CommandSecret,
    action::{SecretSource, Vault, VaultEntry, VaultError},
    guard::Secret,
};

/// As a file writes it: entries by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct SecretsPart {
    entries: BTreeMap<String, Entry>,
}

/// One site's values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    origins: Vec<String>,
    #[serde(flatten)]
    fields: BTreeMap<String, Field>,
}

/// One value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
enum Field {
    /// Of a variable of the environment.
    Env(String),
    /// What a command prints: program and arguments.
    Command(Vec<String>),
    /// One-time codes of a seed.
    Totp(Box<Field>),
}

impl SecretsPart {
    /// The names of the values, as handles name them.
    pub(crate) fn names(&self) -> Vec<String> {
        let fields =
            |(entry, of): (&String, &Entry)| of.fields.keys().map(|field| format!("{entry}.{field}")).collect();
        self.entries.iter().flat_map(|entry| -> Vec<String> { fields(entry) }).collect()
    }

    /// The vault of a session.
    ///
    /// # Errors
    /// In words, for whoever wrote it.
    pub(crate) fn vault(&self) -> Result<Arc<Vault>, String> {
        let mut vault = Vault::default();
        for (name, entry) in &self.entries {
            let origins = entry.origins.iter().map(String::as_str);
            let mut built = VaultEntry::of(origins).map_err(|error| format!("secrets.{name}.origins: {error}"))?;
            if entry.origins.is_empty() {
                return Err(format!("secrets.{name}.origins names no origin: then it could be typed nowhere"));
            }
            for (field, from) in &entry.fields {
                let path = format!("secrets.{name}.{field}");
                built = match from {
                    Field::Totp(seed) => match seed.source() {
                        Some(Source::Env(seed)) => built.with_totp(field, seed),
                        Some(Source::Command(seed)) => built.with_totp(field, seed),
                        None => return Err(format!("{path}.totp takes its seed from env or command")),
                    },
                    other => match other.source() {
                        Some(Source::Env(value)) => built.with(field, value),
                        Some(Source::Command(value)) => built.with(field, value),
                        None => return Err(format!("{path}.command names no program")),
                    },
                };
            }
            vault = vault.with(name, built);
        }
        Ok(Arc::new(vault))
    }
}

/// The value of a variable of the environment, read when it is needed.
#[derive(Clone, Debug)]
struct EnvSecret {
    variable: String,
}

#[async_trait]
impl SecretSource for EnvSecret {
    async fn fetch(&self) -> Result<Secret, VaultError> {
        let value = std::env::var(&self.variable).ok().filter(|value| !value.is_empty());
        value.map(Secret::new).ok_or_else(|| VaultError::unavailable(&self.variable, "the variable is not set"))
    }
}

enum Source {
    Env(EnvSecret),
    Command(CommandSecret),
}

impl Field {
    fn source(&self) -> Option<Source> {
        match self {
            Field::Env(variable) => Some(Source::Env(EnvSecret { variable: variable.clone() })),
            Field::Command(words) => {
                let (program, arguments) = words.split_first()?;
                Some(Source::Command(CommandSecret::new(program, arguments)))
            }
            Field::Totp(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(text: &str) -> SecretsPart {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn entries_become_handles() {
        let part = part(
            "[shop]\norigins = ['https://shop.example']\nlogin = { env = 'SHOP_LOGIN' }\n\
             password = { command = ['pass', 'show', 'shop'] }\ncode = { totp = { env = 'SHOP_SEED' } }\n",
        );
        assert_eq!(part.names(), ["shop.code", "shop.login", "shop.password"]);
        assert_eq!(part.vault().unwrap().handles().count(), 3);
        let again: SecretsPart = serde_json::from_str(&serde_json::to_string(&part).unwrap()).unwrap();
        assert_eq!(again, part, "it goes to the session's process as it is");
    }

    #[test]
    fn what_cannot_be_used_is_told_by_its_path() {
        for (text, says) in [
            ("[a]\norigins = []\nx = { env = 'X' }", "secrets.a.origins"),
            ("[a]\norigins = ['http://']\nx = { env = 'X' }", "secrets.a.origins"),
            ("[a]\norigins = ['https://a.example']\nx = { command = [] }", "secrets.a.x.command"),
            ("[a]\norigins = ['https://a.example']\nx = { totp = { totp = { env = 'X' } } }", "secrets.a.x.totp"),
        ] {
            let error = part(text).vault().unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }
}
