//! The `[urls]` part of the settings: which addresses may be loaded.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use webhand::{Judge, guard::UrlPolicy};

/// As a file writes it, and as a session is asked for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct UrlsPart {
    /// Patterns of addresses that may be loaded; with any, no others.
    pub(crate) allow: Vec<String>,
    /// Patterns of addresses that may not.
    pub(crate) deny: Vec<String>,
}

impl UrlsPart {
    /// The judge that a browser asks; none where nothing is said.
    ///
    /// # Errors
    /// In words, for whoever wrote it.
    pub(crate) fn judge(&self) -> Result<Option<Arc<Judge>>, String> {
        if *self == Self::default() {
            return Ok(None);
        }
        let (allow, deny) = (self.allow.iter().map(String::as_str), self.deny.iter().map(String::as_str));
        let policy = UrlPolicy::parse(allow, deny).map_err(|error| format!("urls: {error}"))?;
        Ok(Some(Arc::new(Judge::new(policy))))
    }
}

#[cfg(test)]
mod tests {
    use webhand::engine::{Place, UrlJudge as _};

    use super::*;

    #[test]
    fn nothing_said_is_no_judge_and_a_bad_pattern_is_told() {
        assert!(UrlsPart::default().judge().unwrap().is_none());
        let bad = UrlsPart { allow: vec!["http://".to_owned()], deny: Vec::new() };
        assert!(bad.judge().unwrap_err().starts_with("urls: "));
    }

    #[test]
    fn what_is_denied_is_denied_and_the_rest_of_the_web_is_open() {
        let part = UrlsPart { allow: Vec::new(), deny: vec!["ads.example".to_owned()] };
        let judge = part.judge().unwrap().unwrap();
        assert!(judge.judge(&"https://shop.example/".parse().unwrap(), Place::Tab).is_ok());
        assert!(judge.judge(&"https://x.ads.example/".parse().unwrap(), Place::Frame).is_err());
    }
}
