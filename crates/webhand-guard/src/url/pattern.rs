//! One rule's text: `[scheme://]host[:port][/path]`.
//!
//! - host: a name or address for itself; `*.good.com` for exactly one label
//!   more, `**.good.com` for one or more; `*` for every host.
//! - port: none named means any.
//! - path: whole segments, with everything below; `*` stands for one segment.
//!
//! A pattern matches canonical locations, never strings. It does not know
//! whether it allows or denies beyond the one question that hangs on it: a
//! plain name covers what is below it only in a deny list ([`Reach`]).

use std::cmp::Ordering;
use std::fmt;
use std::net::Ipv6Addr;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::location::{Host, Location};
use super::path::{self, Segments};

/// A parsed pattern. Compares and prints as the text it came from.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pattern {
    text: String,
    scheme: Option<String>,
    host: HostPattern,
    port: Option<u16>,
    path: Segments,
}

#[derive(Clone, Debug)]
enum HostPattern {
    Any,
    Exactly(Host),
    /// The suffix starts with a dot.
    OneLabelBefore(String),
    AnyLabelsBefore(String),
}

/// How far a plain host name reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Itself alone, as in an allow list.
    Itself,
    /// Itself and all names below it, as in a deny list.
    Below,
}

/// What makes one matching rule win over another: exact host before `*` before
/// `**`, then the longer path, then a named scheme or port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Specificity {
    host: HostRank,
    path: usize,
    scheme_and_port: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum HostRank {
    Any,
    AnyLabels,
    OneLabel,
    Exact,
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// When it could never match, or means something else than it says.
    pub fn parse(text: &str) -> Result<Pattern, PatternError> {
        let text = text.trim();
        let refuse = |problem| PatternError::new(text, problem);
        if text.is_empty() {
            return Err(refuse(Problem::Empty));
        }
        if text.contains(['?', '#']) {
            return Err(refuse(Problem::QueryOrFragment));
        }
        if text.contains(|it: char| it.is_whitespace() || it.is_control() || it == '\\') {
            return Err(refuse(Problem::Character));
        }
        let (scheme, rest) = match text.split_once("://") {
            Some((scheme, rest)) => (Some(scheme.to_ascii_lowercase()), rest),
            None => (None, text),
        };
        if let Some(scheme) = &scheme
            && !matches!(scheme.as_str(), "http" | "https" | "ws" | "wss" | "*")
        {
            return Err(refuse(Problem::Scheme));
        }
        let (authority, path) = match rest.find('/') {
            Some(slash) => rest.split_at(slash),
            None => (rest, ""),
        };
        if authority.contains('@') {
            return Err(refuse(Problem::UserInfo));
        }
        let (host, port) = split_port(authority).ok_or_else(|| refuse(Problem::Port))?;
        Ok(Pattern {
            text: text.to_owned(),
            scheme: scheme.filter(|it| it != "*"),
            host: HostPattern::parse(host).map_err(refuse)?,
            port,
            path: path_pattern(path).map_err(refuse)?,
        })
    }

    /// The pattern that names a URL's origin: its scheme, host and port.
    ///
    /// # Errors
    /// When the URL is not an http(s) or ws(s) one with a host.
    pub fn origin_of(url: &str) -> Result<Pattern, PatternError> {
        let refuse = |problem| PatternError::new(url, problem);
        let parsed = ::url::Url::parse(url.trim()).map_err(|_| refuse(Problem::Host))?;
        if !matches!(parsed.scheme(), "http" | "https" | "ws" | "wss") {
            return Err(refuse(Problem::Scheme));
        }
        match (parsed.host_str(), parsed.port_or_known_default()) {
            (Some(host), Some(port)) => Pattern::parse(&format!("{}://{host}:{port}", parsed.scheme())),
            _ => Err(refuse(Problem::Host)),
        }
    }

    /// The text it was read from.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it names one host, and so can grant what is not public.
    #[must_use]
    pub fn names_one_host(&self) -> bool {
        matches!(self.host, HostPattern::Exactly(_))
    }

    /// Whether an http(s) or ws(s) address lies in it, as an allow list reads it: a plain host stands for itself alone.
    ///
    /// ```
    /// let orders = webhand_guard::Pattern::parse("*.shop.test/orders")?;
    /// assert!(orders.covers("https://www.shop.test/orders/17"));
    /// assert!(!orders.covers("https://www.shop.test/goods"));
    /// # Ok::<(), webhand_guard::PatternError>(())
    /// ```
    #[must_use]
    pub fn covers(&self, url: &str) -> bool {
        let Some(location) = ::url::Url::parse(url.trim()).ok().and_then(|url| Location::of(&url).ok()) else {
            return false;
        };
        location.readings.iter().all(|reading| self.matches(&location, reading, Reach::Itself).is_some())
    }

    /// Whether it names one IP address.
    pub(crate) fn names_an_address(&self) -> bool {
        matches!(self.host, HostPattern::Exactly(Host::Address(_)))
    }

    /// How specifically it matches one reading of a location, if it does.
    pub(crate) fn matches(&self, location: &Location, reading: &Segments, reach: Reach) -> Option<Specificity> {
        let scheme_fits = self.scheme.as_deref().is_none_or(|scheme| scheme_covers(scheme, &location.scheme));
        let port_fits = self.port.is_none_or(|port| port == location.port);
        if !scheme_fits || !port_fits || !self.path_covers(reading) {
            return None;
        }
        Some(Specificity {
            host: self.host.matches(&location.host, reach)?,
            path: self.path.len(),
            scheme_and_port: usize::from(self.scheme.is_some()) + usize::from(self.port.is_some()),
        })
    }

    fn path_covers(&self, reading: &Segments) -> bool {
        self.path.len() <= reading.len()
            && self.path.iter().zip(reading).all(|(pattern, segment)| pattern == b"*" || pattern == segment)
    }
}

/// A socket belongs to the site that serves the page, so `https` covers `wss`.
fn scheme_covers(pattern: &str, scheme: &str) -> bool {
    pattern == scheme || matches!((pattern, scheme), ("http", "ws") | ("https", "wss"))
}

/// Splits a trailing `:port` off; `None` when it is not a port number. A bare
/// IPv6 address is a host without a port.
fn split_port(authority: &str) -> Option<(&str, Option<u16>)> {
    let bracketed_end = authority.rfind(']').map_or(0, |end| end + 1);
    if bracketed_end == 0 && authority.parse::<Ipv6Addr>().is_ok() {
        return Some((authority, None));
    }
    match authority[bracketed_end..].rfind(':') {
        None => Some((authority, None)),
        Some(colon) => {
            let (host, port) = authority.split_at(bracketed_end + colon);
            match &port[1..] {
                "*" => Some((host, None)),
                digits if digits.bytes().all(|it| it.is_ascii_digit()) => {
                    digits.parse().ok().map(|port| (host, Some(port)))
                }
                _ => None,
            }
        }
    }
}

/// A path pattern's segments. `**` at the end says what holds anyway.
fn path_pattern(path: &str) -> Result<Segments, Problem> {
    let path = path.strip_suffix("/**").unwrap_or(path);
    let path = if path == "/*" { "" } else { path };
    let segments = path::segments(path);
    let partly_wild = |segment: &Vec<u8>| segment.len() > 1 && segment.contains(&b'*');
    if segments.iter().any(partly_wild) {
        return Err(Problem::PathWildcard);
    }
    Ok(segments)
}

impl HostPattern {
    fn parse(host: &str) -> Result<HostPattern, Problem> {
        if matches!(host, "*" | "**") {
            return Ok(HostPattern::Any);
        }
        let name_after = |suffix: &str| match parse_host(suffix)? {
            Host::Name(name) => Ok(format!(".{name}")),
            Host::Address(_) => Err(Problem::HostWildcard),
        };
        if let Some(suffix) = host.strip_prefix("**.") {
            Ok(HostPattern::AnyLabelsBefore(name_after(suffix)?))
        } else if let Some(suffix) = host.strip_prefix("*.") {
            Ok(HostPattern::OneLabelBefore(name_after(suffix)?))
        } else {
            Ok(HostPattern::Exactly(parse_host(host)?))
        }
    }

    fn matches(&self, host: &Host, reach: Reach) -> Option<HostRank> {
        let labels_before = |suffix: &str| match host {
            Host::Name(name) => name.strip_suffix(suffix).filter(|it| !it.is_empty()),
            Host::Address(_) => None,
        };
        match self {
            HostPattern::Any => Some(HostRank::Any),
            HostPattern::Exactly(own) if own == host => Some(HostRank::Exact),
            HostPattern::Exactly(Host::Name(own)) if reach == Reach::Below => {
                labels_before(&format!(".{own}")).map(|_| HostRank::AnyLabels)
            }
            HostPattern::Exactly(_) => None,
            HostPattern::OneLabelBefore(suffix) => {
                labels_before(suffix).filter(|labels| !labels.contains('.')).map(|_| HostRank::OneLabel)
            }
            HostPattern::AnyLabelsBefore(suffix) => labels_before(suffix).map(|_| HostRank::AnyLabels),
        }
    }
}

fn parse_host(host: &str) -> Result<Host, Problem> {
    if host.contains('*') {
        return Err(Problem::HostWildcard);
    }
    let bare_v6 = host.parse::<Ipv6Addr>().map(|it| format!("[{it}]"));
    let parsed = ::url::Host::parse(bare_v6.as_deref().unwrap_or(host));
    let host = match &parsed {
        Ok(::url::Host::Domain(name)) => Host::canonical(::url::Host::Domain(name.as_str())),
        Ok(::url::Host::Ipv4(address)) => Host::canonical(::url::Host::Ipv4(*address)),
        Ok(::url::Host::Ipv6(address)) => Host::canonical(::url::Host::Ipv6(*address)),
        Err(_) => None,
    };
    host.ok_or(Problem::Host)
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Pattern) -> bool {
        self.text == other.text
    }
}

impl Eq for Pattern {}

impl PartialOrd for Pattern {
    fn partial_cmp(&self, other: &Pattern) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Pattern {
    fn cmp(&self, other: &Pattern) -> Ordering {
        self.text.cmp(&other.text)
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Pattern, PatternError> {
        Pattern::parse(text)
    }
}

impl TryFrom<String> for Pattern {
    type Error = PatternError;

    fn try_from(text: String) -> Result<Pattern, PatternError> {
        Pattern::parse(&text)
    }
}

impl From<Pattern> for String {
    fn from(pattern: Pattern) -> String {
        pattern.text
    }
}

/// A pattern that cannot be used, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the URL pattern {text:?} {problem}")]
pub struct PatternError {
    text: String,
    problem: Problem,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum Problem {
    #[error("is empty")]
    Empty,
    #[error("has a query or fragment")]
    QueryOrFragment,
    #[error("has a space, control character or backslash")]
    Character,
    #[error("names a scheme that is not the web's")]
    Scheme,
    #[error("has a user name")]
    UserInfo,
    #[error("has no valid port after the colon")]
    Port,
    #[error("has no valid host")]
    Host,
    #[error("has a wildcard in the middle of its host")]
    HostWildcard,
    #[error("has a wildcard inside a path segment")]
    PathWildcard,
}

impl PatternError {
    fn new(text: &str, problem: Problem) -> PatternError {
        const SHOWN: usize = 200;
        PatternError { text: text.chars().take(SHOWN).collect(), problem }
    }

    /// A stable name for this kind of error.
    #[must_use]
    pub fn code(&self) -> &'static str {
        "url-pattern"
    }

    /// What to write instead.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let hint = match self.problem {
            Problem::Empty => "write a host, such as good.com, or * for every host",
            Problem::QueryOrFragment => "rules end at the path: leave ? and # out",
            Problem::Character => "write one pattern, with / between path segments",
            Problem::Scheme => "only http, https, ws and wss can be named; all other schemes are denied anyway",
            Problem::UserInfo => "leave the part before @ out: the host decides",
            Problem::Port => "write host:8080, or [::1]:8080 for IPv6; no port at all means every port",
            Problem::Host => "write a host name or an address, such as good.com or 127.0.0.1",
            Problem::HostWildcard => {
                "*.good.com is one label, **.good.com any number of them, * every host; \
                 addresses take no wildcard"
            }
            Problem::PathWildcard => "* stands for one whole segment; a path covers everything below it anyway",
        };
        Some(hint.to_owned())
    }
}
