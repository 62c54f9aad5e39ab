//! Weighs a URL against a policy: scheme and place first, then the rules, then
//! whether the address is public. Total: every string has a verdict.

use std::net::IpAddr;

use ::url::Url;

use super::address::AddressKind;
use super::location::{Location, Unlocated};
use super::path::Segments;
use super::pattern::{Pattern, Reach, Specificity};
use super::policy::UrlPolicy;
use super::verdict::{Place, Reason, Verdict};

/// Browsers open nothing longer; `data:` is judged by its first bytes.
const MAX_LENGTH: usize = 2 * 1024 * 1024;

/// Judges URLs by one policy.
#[derive(Clone, Debug, Default)]
pub struct UrlJudge {
    policy: UrlPolicy,
}

/// The best rule of each list for one reading of a location.
#[derive(Clone, Copy, Debug)]
struct Weighed<'a> {
    allow: Option<(Specificity, &'a Pattern)>,
    deny: Option<(Specificity, &'a Pattern)>,
}

impl UrlJudge {
    /// A judge with this policy.
    #[must_use]
    pub fn new(policy: UrlPolicy) -> UrlJudge {
        UrlJudge { policy }
    }

    /// The policy in force.
    #[must_use]
    pub fn policy(&self) -> &UrlPolicy {
        &self.policy
    }

    /// Whether a URL may be used in a place. Total and pure.
    pub fn judge(&self, url: &str, place: Place) -> Verdict {
        let url = trimmed(url);
        if url.len() > MAX_LENGTH {
            let is_data = url.get(..5).is_some_and(|it| it.eq_ignore_ascii_case("data:"));
            return if is_data && takes_page_content(place) {
                Verdict::allowed(Reason::PageContent, None)
            } else {
                Verdict::denied(Reason::TooLong, None)
            };
        }
        match Url::parse(url) {
            Ok(parsed) => self.judge_parsed(&parsed, place),
            Err(::url::ParseError::RelativeUrlWithoutBase) => Verdict::denied(Reason::NotAUrl, None),
            Err(_) => Verdict::denied(Reason::Host, None),
        }
    }

    /// Whether an address that a URL's host resolved to may be connected to.
    /// Ask this besides [`judge`](UrlJudge::judge), which knows only the name.
    pub fn resolved(&self, url: &str, address: IpAddr) -> Verdict {
        let parsed = Url::parse(trimmed(url)).ok();
        let location = parsed.filter(is_web).map(|it| Location::of(&it));
        match location {
            Some(Ok(location)) => self.judge_location(&location, AddressKind::of(address)),
            _ => Verdict::denied(Reason::Host, None),
        }
    }

    fn judge_parsed(&self, url: &Url, place: Place) -> Verdict {
        match url.scheme() {
            "http" | "https" => self.judge_web(url),
            "ws" | "wss" if matches!(place, Place::SubResource | Place::WebSocket) => self.judge_web(url),
            "data" if takes_page_content(place) => Verdict::allowed(Reason::PageContent, None),
            "blob" if takes_page_content(place) => self.judge_blob(url),
            _ if is_internal(url, place) => Verdict::allowed(Reason::Internal, None),
            _ => Verdict::denied(Reason::Scheme, None),
        }
    }

    /// A blob belongs to the origin that stands in its URL; an opaque one can
    /// only be read by the document that made it.
    fn judge_blob(&self, url: &Url) -> Verdict {
        match Url::parse(url.path()) {
            Ok(inner) if is_web(&inner) => self.judge_web(&inner),
            Err(_) if url.path().starts_with("null/") => Verdict::allowed(Reason::PageContent, None),
            _ => Verdict::denied(Reason::Scheme, None),
        }
    }

    fn judge_web(&self, url: &Url) -> Verdict {
        match Location::of(url) {
            Ok(location) => {
                let kind = location.host.kind();
                self.judge_location(&location, kind)
            }
            Err(Unlocated::Host) => Verdict::denied(Reason::Host, None),
            Err(Unlocated::Path) => Verdict::denied(Reason::Path, None),
        }
    }

    /// A server may read the path in any of its readings, so all must be fine.
    fn judge_location(&self, location: &Location, kind: AddressKind) -> Verdict {
        let mut last = Verdict::denied(Reason::Path, None);
        for reading in &location.readings {
            last = self.judge_reading(location, reading, kind);
            if !last.allowed {
                break;
            }
        }
        last
    }

    fn judge_reading(&self, location: &Location, reading: &Segments, kind: AddressKind) -> Verdict {
        let Weighed { allow, deny } = self.weigh(location, reading);
        if let Some((denied, rule)) = deny
            && allow.is_none_or(|(allowed, _)| denied >= allowed)
        {
            return Verdict::denied(Reason::Rule, Some(rule.as_str()));
        }
        match allow {
            Some((_, rule)) if kind.is_public() || grants(rule, kind) => {
                Verdict::allowed(Reason::Rule, Some(rule.as_str()))
            }
            _ if !kind.is_public() => Verdict::denied(Reason::NotGranted(kind), None),
            _ if self.policy.allow.is_empty() => Verdict::allowed(Reason::Open, None),
            _ => Verdict::denied(Reason::NotNamed, None),
        }
    }

    fn weigh(&self, location: &Location, reading: &Segments) -> Weighed<'_> {
        let allow = self.policy.allow.iter().chain(&self.policy.grants);
        Weighed {
            allow: best(allow, location, reading, Reach::Itself),
            deny: best(&self.policy.deny, location, reading, Reach::Below),
        }
    }
}

fn best<'a>(
    patterns: impl IntoIterator<Item = &'a Pattern>,
    location: &Location,
    reading: &Segments,
    reach: Reach,
) -> Option<(Specificity, &'a Pattern)> {
    patterns
        .into_iter()
        .filter_map(|pattern| Some((pattern.matches(location, reading, reach)?, pattern)))
        .max_by_key(|(specificity, _)| *specificity)
}

/// Whether a rule that matched is a grant for an address that is not public:
/// it must name the one host, and the address itself where a name is not enough.
fn grants(rule: &Pattern, kind: AddressKind) -> bool {
    rule.names_an_address() || (rule.names_one_host() && kind.is_granted_by_name())
}

/// The URL standard drops these around a URL.
fn trimmed(url: &str) -> &str {
    url.trim_matches(|it: char| it <= ' ')
}

fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https" | "ws" | "wss")
}

fn takes_page_content(place: Place) -> bool {
    matches!(place, Place::SubResource | Place::Worker | Place::Download)
}

fn is_internal(url: &Url, place: Place) -> bool {
    const PDF_VIEWER: &str = "mhjfbmdgcfjbbpaeojofohoefgiehjai";
    match (url.scheme(), url.path(), place) {
        ("about", "blank", _) => true,
        ("about", "srcdoc", Place::Frame | Place::Shown) => true,
        ("chrome-error", _, Place::Shown) => url.host_str() == Some("chromewebdata"),
        ("chrome-extension", _, Place::Shown) => url.host_str() == Some(PDF_VIEWER),
        ("chrome", "" | "/", Place::Shown) => {
            matches!(url.host_str(), Some("newtab" | "new-tab-page"))
        }
        _ => false,
    }
}
