//! Whether a text is an address that can be loaded, and what is added to it where its scheme is left out.

use url::Url;

use super::ParamFault;

/// What a text is as an address.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UrlForm {
    /// An address that can be loaded as it stands.
    Whole,
    /// A host without its scheme: the whole address.
    Completed(String),
    /// An address of a scheme that is not loaded.
    Scheme(String),
    /// No address.
    Unreadable,
}

impl UrlForm {
    /// What that text is.
    ///
    /// ```
    /// use webhand_action::validate::UrlForm;
    /// assert_eq!(UrlForm::of("https://example.com"), UrlForm::Whole);
    /// assert_eq!(UrlForm::of("example.com/a"), UrlForm::Completed("https://example.com/a".to_owned()));
    /// assert_eq!(UrlForm::of("localhost:8080"), UrlForm::Completed("http://localhost:8080".to_owned()));
    /// assert_eq!(UrlForm::of("javascript:alert(1)"), UrlForm::Scheme("javascript".to_owned()));
    /// assert_eq!(UrlForm::of("cats and dogs"), UrlForm::Unreadable);
    /// ```
    #[must_use]
    pub fn of(text: &str) -> Self {
        let trimmed = text.trim();
        if trimmed.is_empty() || trimmed.contains(|letter: char| letter.is_control() || letter.is_whitespace()) {
            return UrlForm::Unreadable;
        }
        if let Some(scheme) = scheme_of(trimmed) {
            return Self::with_scheme(text, trimmed, &scheme);
        }
        let bare = trimmed.trim_start_matches("//");
        let Ok(address) = Url::parse(&format!("https://{bare}")) else { return UrlForm::Unreadable };
        let loopback = match address.host() {
            Some(url::Host::Domain(name)) if name == "localhost" || name.ends_with(".localhost") => true,
            Some(url::Host::Domain(name)) if name.contains('.') && !name.starts_with('.') => false,
            Some(url::Host::Ipv4(address)) => address.is_loopback(),
            Some(url::Host::Ipv6(address)) => address.is_loopback(),
            _ => return UrlForm::Unreadable,
        };
        UrlForm::Completed(format!("{}://{bare}", if loopback { "http" } else { "https" }))
    }

    fn with_scheme(text: &str, trimmed: &str, scheme: &str) -> Self {
        match scheme {
            "http" | "https" => match Url::parse(trimmed) {
                Ok(address) if address.has_host() && text == trimmed => UrlForm::Whole,
                Ok(address) if address.has_host() => UrlForm::Completed(trimmed.to_owned()),
                _ => UrlForm::Unreadable,
            },
            "about" if trimmed.eq_ignore_ascii_case("about:blank") => UrlForm::Whole,
            _ => UrlForm::Scheme(scheme.to_owned()),
        }
    }

    /// The fault of a parameter that holds such a text, unless it can be loaded.
    pub(crate) fn fault(&self, param: &str) -> Option<ParamFault> {
        match self {
            UrlForm::Whole | UrlForm::Completed(_) => None,
            UrlForm::Scheme(scheme) => Some(
                ParamFault::bad(param, format!("{scheme}: addresses are not loaded"))
                    .hint("only http, https and about:blank are"),
            ),
            UrlForm::Unreadable => Some(
                ParamFault::bad(param, "is not an address").hint("write a whole one, such as https://example.com/page"),
            ),
        }
    }
}

/// The scheme, unless what stands before the colon is a host and what follows a port.
fn scheme_of(text: &str) -> Option<String> {
    let (before, after) = text.split_once(':')?;
    let mut letters = before.chars();
    let is_scheme = letters.next().is_some_and(|first| first.is_ascii_alphabetic())
        && letters.all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '+' | '-' | '.'));
    let port: String = after.chars().take_while(|letter| !matches!(letter, '/' | '?' | '#')).collect();
    let is_port = !port.is_empty() && port.len() <= 5 && port.bytes().all(|byte| byte.is_ascii_digit());
    let is_host = before.contains('.') || before.eq_ignore_ascii_case("localhost");
    (is_scheme && !(is_host && is_port)).then(|| before.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_with_a_port_is_not_a_scheme() {
        assert_eq!(UrlForm::of("127.0.0.1:80/x"), UrlForm::Completed("http://127.0.0.1:80/x".to_owned()));
        assert_eq!(UrlForm::of("example.com:8443"), UrlForm::Completed("https://example.com:8443".to_owned()));
        assert_eq!(UrlForm::of("[::1]:9/"), UrlForm::Completed("http://[::1]:9/".to_owned()));
    }

    #[test]
    fn what_must_not_be_loaded_is_refused_by_scheme() {
        for text in [
            "file:///etc/passwd",
            "data:text/html,x",
            "chrome://settings",
            "JavaScript:1",
            "ftp://a.b",
            "about:config",
            "view-source:http://a.b",
        ] {
            assert!(matches!(UrlForm::of(text), UrlForm::Scheme(_)), "{text}");
        }
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in [
            "",
            " ",
            "google",
            "http://",
            "https://",
            "a b.com",
            "http://[::1",
            "..",
            "java\nscript:1",
            "https://exa mple.com",
        ] {
            assert_eq!(UrlForm::of(text), UrlForm::Unreadable, "{text}");
        }
    }
}
