//! A value that never prints. Knows no vault, no page and no field.

use std::borrow::Cow;
use std::fmt;

use secrecy::{ExposeSecret, SecretString};

/// A secret text: wiped from memory when dropped, and absent from every
/// `Debug` output. It has no `Display` and no `Serialize`, so no format string,
/// event or file can hold it by accident.
///
/// ```
/// let secret = webhand_guard::Secret::new("hunter2");
/// assert_eq!(format!("{secret:?}"), "Secret(…)");
/// assert_eq!(secret.redact("it is hunter2!"), "it is [secret]!");
/// ```
#[derive(Clone)]
pub struct Secret(SecretString);

impl Secret {
    /// Takes a value in.
    #[must_use]
    pub fn new(value: impl Into<String>) -> Secret {
        Secret(SecretString::from(value.into()))
    }

    /// The value, for the one place that types or sends it.
    #[must_use]
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    /// A text with every occurrence of the value replaced, for texts that may
    /// echo it.
    #[must_use]
    pub fn redact<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let value = self.expose();
        if value.is_empty() || !text.contains(value) {
            Cow::Borrowed(text)
        } else {
            Cow::Owned(text.replace(value, "[secret]"))
        }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl From<String> for Secret {
    fn from(value: String) -> Secret {
        Secret::new(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_absent_from_debug_output_at_any_depth() {
        #[derive(Debug)]
        #[allow(dead_code, reason = "read by Debug")]
        struct Login {
            user: &'static str,
            password: Option<Secret>,
        }
        let login = Login { user: "ada", password: Some(Secret::new("canary-7")) };
        let shown = format!("{login:?} {login:#?}");
        assert!(shown.contains("ada"));
        assert!(!shown.contains("canary-7"));
    }

    #[test]
    fn an_empty_secret_redacts_nothing() {
        assert_eq!(Secret::new("").redact("abc"), "abc");
    }
}
