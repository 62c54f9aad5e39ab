//! The lists that a judge weighs. Plain data: no matching here.

use serde::{Deserialize, Serialize};

use super::pattern::{Pattern, PatternError};

/// What may be opened and what may not.
///
/// An empty `allow` leaves every public address open; any entry closes all
/// that it does not name. `grants` are addresses that a person gave (command
/// line, library call, task): they count like entries of `allow`, and leave an
/// open list open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct UrlPolicy {
    /// Allowed; a plain host stands for itself alone.
    pub allow: Vec<Pattern>,
    /// Denied; a plain host stands for itself and all below it.
    pub deny: Vec<Pattern>,
    /// Allowed besides, without closing the rest.
    pub grants: Vec<Pattern>,
}

impl UrlPolicy {
    /// Reads both lists.
    ///
    /// # Errors
    /// The first pattern that cannot be used: no half a policy is ever in force.
    pub fn parse<'a>(
        allow: impl IntoIterator<Item = &'a str>,
        deny: impl IntoIterator<Item = &'a str>,
    ) -> Result<UrlPolicy, PatternError> {
        Ok(UrlPolicy {
            allow: allow.into_iter().map(Pattern::parse).collect::<Result<_, _>>()?,
            deny: deny.into_iter().map(Pattern::parse).collect::<Result<_, _>>()?,
            grants: Vec::new(),
        })
    }

    /// Grants one more pattern, public or not.
    #[must_use]
    pub fn grant(mut self, pattern: Pattern) -> UrlPolicy {
        self.grants.push(pattern);
        self
    }

    /// Grants the origin of a URL that a person gave.
    ///
    /// # Errors
    /// When it is not a web URL.
    pub fn grant_origin(self, url: &str) -> Result<UrlPolicy, PatternError> {
        Ok(self.grant(Pattern::origin_of(url)?))
    }

    /// Grants the origin of every http(s) URL in a text that a person wrote,
    /// such as a task. Never give it text from a page or a model.
    #[must_use]
    pub fn grant_named_in(mut self, text: &str) -> UrlPolicy {
        let starts = text
            .match_indices("http")
            .map(|(start, _)| &text[start..])
            .filter(|rest| rest.starts_with("http://") || rest.starts_with("https://"));
        for rest in starts {
            let end =
                rest.find(|it: char| it.is_whitespace() || "\"'`<>()，。；、）（".contains(it)).unwrap_or(rest.len());
            let url = rest[..end].trim_end_matches(['.', ',', ';', ':', '!', '?']);
            if let Ok(pattern) = Pattern::origin_of(url)
                && !self.grants.contains(&pattern)
            {
                self.grants.push(pattern);
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_grants_what_it_names() {
        let policy = UrlPolicy::default().grant_named_in(
            "Buy tea at http://127.0.0.1:8080/shop, then look at (https://Good.com) \
             and http://127.0.0.1:8080/again. 打开http://localhost:3000/，买茶 http:// ",
        );
        let grants: Vec<_> = policy.grants.iter().map(Pattern::as_str).collect();
        assert_eq!(grants, ["http://127.0.0.1:8080", "https://good.com:443", "http://localhost:3000"]);
    }
}
