//! The `[secrets]` part of the settings: values that are named by handles, and where they come from. It holds no value.

use std::{collections::BTreeMap, sync::Arc, time::SystemTime};

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use webhand::{
    CommandCodes, HttpCodes,
    action::{SecretSource as _, Vault, VaultEntry, VaultError, catalogue::CodeKind, people::CodeSource},
    guard::Secret,
};

use super::source::From;

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
    Totp(From),
    /// One-time codes that come by mail.
    Email(Inbox),
    /// One-time codes that come by text message.
    Sms(Inbox),
}

/// Where messages arrive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, untagged)]
enum Inbox {
    /// A program that waits for one and prints it.
    Command { command: Vec<String> },
    /// An address that lists them.
    Http {
        url: String,
        /// The value of the `Authorization` header.
        #[serde(default)]
        authorization: Option<From>,
        /// The field of a message that holds its time.
        #[serde(default)]
        time: Option<String>,
        /// Those that hold its words.
        #[serde(default)]
        texts: Vec<String>,
    },
}

/// Messages at an address, with the key to it got when it is needed.
#[derive(Clone, Debug)]
struct Listed {
    codes: HttpCodes,
    authorization: Option<From>,
}

#[async_trait]
impl CodeSource for Listed {
    async fn code(&self, since: SystemTime) -> Result<Secret, VaultError> {
        let mut codes = self.codes.clone();
        if let Some(from) = &self.authorization {
            codes = codes.authorization(from.fetch().await?);
        }
        codes.code(since).await
    }
}

impl Inbox {
    /// The entry with these codes, or what is wrong with them.
    fn add_to(&self, entry: VaultEntry, field: &str, kind: CodeKind) -> Result<VaultEntry, String> {
        match self {
            Inbox::Command { command } => {
                let (program, arguments) = command.split_first().ok_or("command names no program")?;
                Ok(entry.with_codes(field, kind, CommandCodes::new(program, arguments)))
            }
            Inbox::Http { url, authorization, time, texts } => {
                if !url.starts_with("https://") && !url.starts_with("http://") {
                    return Err("url is no http or https address".to_owned());
                }
                if let Some(fault) = authorization.as_ref().and_then(From::fault) {
                    return Err(format!("authorization.{fault}"));
                }
                let mut words: Vec<&str> = texts.iter().map(String::as_str).collect();
                if words.is_empty() {
                    words.push("text");
                }
                let codes = HttpCodes::at(url).fields(time.as_deref().unwrap_or("received"), &words);
                Ok(entry.with_codes(field, kind, Listed { codes, authorization: authorization.clone() }))
            }
        }
    }
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
            for (field, value) in &entry.fields {
                built = value.add_to(built, field).map_err(|fault| format!("secrets.{name}.{field}.{fault}"))?;
            }
            vault = vault.with(name, built);
        }
        Ok(Arc::new(vault))
    }
}

impl Field {
    /// The entry with this value, or what is wrong with it.
    fn add_to(&self, entry: VaultEntry, field: &str) -> Result<VaultEntry, String> {
        let usable = |from: From| match from.fault() {
            Some(fault) => Err(fault.to_owned()),
            None => Ok(from),
        };
        match self {
            Field::Env(variable) => Ok(entry.with(field, usable(From::Env(variable.clone()))?)),
            Field::Command(words) => Ok(entry.with(field, usable(From::Command(words.clone()))?)),
            Field::Totp(seed) => {
                let seed = usable(seed.clone()).map_err(|fault| format!("totp.{fault}"))?;
                Ok(entry.with_totp(field, seed))
            }
            Field::Email(inbox) => {
                inbox.add_to(entry, field, CodeKind::Email).map_err(|fault| format!("email.{fault}"))
            }
            Field::Sms(inbox) => inbox.add_to(entry, field, CodeKind::Sms).map_err(|fault| format!("sms.{fault}")),
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
             password = { command = ['pass', 'show', 'shop'] }\ncode = { totp = { env = 'SHOP_SEED' } }\n\
             mail = { email = { url = 'https://mail.example/m', authorization = { env = 'MAIL_KEY' }, texts = ['body'] } }\n\
             sms = { sms = { command = ['next-sms'] } }\n",
        );
        assert_eq!(part.names(), ["shop.code", "shop.login", "shop.mail", "shop.password", "shop.sms"]);
        let vault = part.vault().unwrap();
        assert!(vault.handles().count() == 5 && vault.has_codes());
        let again: SecretsPart = serde_json::from_str(&serde_json::to_string(&part).unwrap()).unwrap();
        assert_eq!(again, part, "it goes to the session's process as it is");
    }

    #[test]
    fn what_cannot_be_used_is_told_by_its_path() {
        for (text, says) in [
            ("[a]\norigins = []\nx = { env = 'X' }", "secrets.a.origins"),
            ("[a]\norigins = ['http://']\nx = { env = 'X' }", "secrets.a.origins"),
            ("[a]\norigins = ['https://a.example']\nx = { command = [] }", "secrets.a.x.command"),
            ("[a]\norigins = ['https://a.example']\nx = { totp = { command = [] } }", "secrets.a.x.totp.command"),
            ("[a]\norigins = ['https://a.example']\nx = { sms = { command = [] } }", "secrets.a.x.sms.command"),
            ("[a]\norigins = ['https://a.example']\nx = { email = { url = 'ftp://m' } }", "secrets.a.x.email.url"),
        ] {
            let error = part(text).vault().unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }
}
