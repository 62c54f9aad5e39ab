//! Questions and answers of the judge: where a URL is to be used, and what was
//! found. Plain data.

use std::fmt;

use serde::Serialize;

use super::address::AddressKind;

/// Where a URL is to be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Place {
    /// A tab's own document, form posts and redirects of it included.
    Top,
    /// The document of a tab that a page opens.
    Popup,
    /// A document inside another.
    Frame,
    /// What an allowed page loads: scripts, pictures, fetch and XHR.
    SubResource,
    /// A socket of an allowed page.
    WebSocket,
    /// The script of a worker of an allowed page.
    Worker,
    /// A file that an allowed page hands over.
    Download,
    /// Where a tab or frame already is, which is no request: also the
    /// browser's own error page, its PDF viewer and its empty tab.
    Shown,
}

/// What the judge found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Verdict {
    /// Whether the URL may be used there.
    pub allowed: bool,
    /// Why.
    pub reason: Reason,
    /// The text of the rule that decided, if one did.
    pub rule: Option<String>,
}

/// Why the judge said what it said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// A rule names it.
    Rule,
    /// Nothing speaks against it.
    Open,
    /// A page of the browser's own that is always fine in that place.
    Internal,
    /// Content of the page that asks for it.
    PageContent,
    /// The allow list does not name it.
    NotNamed,
    /// It is not on the public internet and nobody granted it.
    NotGranted(AddressKind),
    /// A scheme that is never opened in that place.
    Scheme,
    /// No absolute URL.
    NotAUrl,
    /// No usable host.
    Host,
    /// A path that can be read in too many ways.
    Path,
    /// Longer than any browser opens.
    TooLong,
}

impl Verdict {
    pub(crate) fn allowed(reason: Reason, rule: Option<&str>) -> Verdict {
        Verdict { allowed: true, reason, rule: rule.map(str::to_owned) }
    }

    pub(crate) fn denied(reason: Reason, rule: Option<&str>) -> Verdict {
        Verdict { allowed: false, reason, rule: rule.map(str::to_owned) }
    }

    /// What a person can do about a denial.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        if self.allowed {
            return None;
        }
        let hint = match self.reason {
            Reason::NotGranted(_) => "a person can grant it by naming its host and port in the allow list",
            Reason::NotNamed => "stay on the allowed sites, or have a person allow this one",
            Reason::Rule => "this site is off limits for this run; go on without it",
            Reason::NotAUrl => "give a whole address, such as https://example.com/",
            _ => return None,
        };
        Some(hint.to_owned())
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = if self.allowed { "allowed" } else { "denied" };
        write!(f, "{verb}: {}", self.reason)?;
        match &self.rule {
            Some(rule) => write!(f, " ({rule})"),
            None => Ok(()),
        }
    }
}

impl Reason {
    /// A stable name for this reason.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Reason::Rule => "rule",
            Reason::Open => "open",
            Reason::Internal => "internal",
            Reason::PageContent => "page-content",
            Reason::NotNamed => "not-named",
            Reason::NotGranted(_) => "not-granted",
            Reason::Scheme => "scheme",
            Reason::NotAUrl => "not-a-url",
            Reason::Host => "host",
            Reason::Path => "path",
            Reason::TooLong => "too-long",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Rule => f.write_str("a rule names it"),
            Reason::Open => f.write_str("nothing is against it"),
            Reason::Internal => f.write_str("a page of the browser's own"),
            Reason::PageContent => f.write_str("content of the page itself"),
            Reason::NotNamed => f.write_str("not in the allow list"),
            Reason::NotGranted(kind) => write!(f, "{kind} that nobody granted"),
            Reason::Scheme => f.write_str("a scheme that is not opened here"),
            Reason::NotAUrl => f.write_str("not an absolute URL"),
            Reason::Host => f.write_str("no valid host"),
            Reason::Path => f.write_str("a path that cannot be read"),
            Reason::TooLong => f.write_str("too long"),
        }
    }
}

impl Serialize for Reason {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
