//! The errors of this crate: what went wrong with a browser, a tab or a
//! navigation, each with a stable code and, where the knowledge is here, a
//! hint for the person or the model that has to deal with it.

use std::time::Duration;

use webhand_cdp::CdpError;

use crate::{TabId, dialog::Dialog};

/// What can go wrong with a browser or a tab.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum BrowserError {
    /// There is no browser that fits.
    #[error("no browser found: looked for {wanted}")]
    NotFound {
        /// What was looked for.
        wanted: String,
        /// The command that installs one on this system.
        install: String,
    },
    /// The executable that was asked for is not there, or cannot be run.
    #[error("no browser found: there is nothing that can be run at {path}")]
    NotThere {
        /// What was asked for.
        path: String,
    },
    /// Installing a browser was tried and did not succeed.
    #[error("installing a browser failed: {detail}")]
    InstallFailed {
        /// What the package manager said.
        detail: String,
        /// The command to try by hand.
        install: String,
    },
    /// The browser did not come up.
    #[error("the browser did not start: {detail}")]
    LaunchFailed {
        /// What happened, with the end of what the browser printed.
        detail: String,
    },
    /// A window was asked for, and there is no display to show it on.
    #[error("the browser did not start: there is no display to show a window on")]
    NoDisplay,
    /// No browser answered at the address that was given.
    #[error("no browser to connect to: {detail}")]
    ConnectFailed {
        /// The address, and what went wrong.
        detail: String,
        /// What to do about it.
        advice: Option<String>,
    },
    /// The browser is gone, or the connection to it.
    #[error("the browser is gone: {detail}")]
    Lost {
        /// What is known about why.
        detail: String,
    },
    /// A dialog is open and holds the page up.
    #[error("a dialog is open: {} {:?}", .0.kind.name(), .0.message)]
    DialogOpen(Box<Dialog>),
    /// A dialog is open in another tab, and holds this one up, too.
    #[error("a dialog is open in tab {tab}, and this tab waits for it: {} {:?}", .dialog.kind.name(), .dialog.message)]
    DialogElsewhere {
        /// The tab with the dialog.
        tab: TabId,
        /// The dialog.
        dialog: Box<Dialog>,
    },
    /// No dialog is open where one was to be answered.
    #[error("no dialog is open")]
    NoDialog,
    /// The tab was closed.
    #[error("the tab was closed")]
    TabClosed,
    /// The page's process crashed.
    #[error("the page crashed")]
    TabCrashed,
    /// That frame is not there any more.
    #[error("the frame is gone")]
    FrameGone,
    /// The page did not answer in time.
    #[error("{what} took longer than {after:?}")]
    Timeout {
        /// What was waited for.
        what: String,
        /// How long.
        after: Duration,
    },
    /// A navigation failed.
    #[error(transparent)]
    Navigation(#[from] NavigationError),
    /// The browser refused a command, or its answer made no sense.
    #[error(transparent)]
    Cdp(CdpError),
}

impl BrowserError {
    /// A stable word for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotFound { .. } | Self::NotThere { .. } => "browser_not_found",
            Self::InstallFailed { .. } => "install_failed",
            Self::LaunchFailed { .. } => "launch_failed",
            Self::NoDisplay => "no_display",
            Self::ConnectFailed { .. } => "connect_failed",
            Self::Lost { .. } | Self::TabCrashed => "browser_lost",
            Self::DialogOpen(_) | Self::DialogElsewhere { .. } => "dialog_open",
            Self::NoDialog => "no_dialog",
            Self::TabClosed => "tab_closed",
            Self::FrameGone => "frame_gone",
            Self::Timeout { .. } => "timeout",
            Self::Navigation(error) => error.code(),
            Self::Cdp(_) => "internal",
        }
    }

    /// One sentence on what to do.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::NotFound { install, .. } | Self::InstallFailed { install, .. } => {
                return Some(format!("to install one: {install}"));
            }
            Self::DialogOpen(dialog) => return Some(format!("accept or dismiss the {} first", dialog.kind.name())),
            Self::DialogElsewhere { tab, dialog } => {
                return Some(format!("switch to tab {tab} and accept or dismiss the {} there", dialog.kind.name()));
            }
            Self::ConnectFailed { advice, .. } => {
                return advice.clone().or_else(|| Some("check that a browser listens there".to_owned()));
            }
            Self::Navigation(error) => return error.hint(),
            Self::Cdp(error) => {
                return error.hint().or_else(|| Some("read the page again, and try once more".to_owned()));
            }
            Self::NotThere { .. } => {
                "correct the path (WEBHAND_BROWSER, or browser.path in webhand.toml), or leave it out: then the best \
                 browser that is found is taken"
            }
            Self::LaunchFailed { .. } => {
                "check that the browser starts by hand, or choose another with WEBHAND_BROWSER"
            }
            Self::NoDisplay => {
                "start it without a window (drop --headed), set $DISPLAY, or run the command under xvfb-run"
            }
            Self::Lost { .. } => {
                "nothing of its pages is left, and what was under way may have happened: open the page again and look"
            }
            Self::TabCrashed => "load the page again",
            Self::TabClosed => "what was under way may have happened: list the tabs, and switch to one or open one",
            Self::FrameGone => "read the page again: its refs are new",
            Self::NoDialog => "read the page: what is shown there is part of the page, if anything is",
            Self::Timeout { .. } => {
                "what was begun may have happened: read the page before it is tried again; where the page hangs, go on \
                 in another tab (tab new), close this one (tab close), or end the session (close)"
            }
        };
        Some(hint.to_owned())
    }
}

impl From<CdpError> for BrowserError {
    fn from(error: CdpError) -> Self {
        match error {
            CdpError::Closed { .. } => Self::Lost { detail: error.to_string() },
            CdpError::Handshake { .. } => Self::ConnectFailed { detail: error.to_string(), advice: error.hint() },
            CdpError::SessionGone { .. } => Self::TabClosed,
            CdpError::Timeout { method, after } => Self::Timeout { what: method.to_string(), after },
            other => Self::Cdp(other),
        }
    }
}

/// The browser's words for an answer that broke off.
const BROKE_OFF: [&str; 6] = [
    "ERR_CONTENT_LENGTH_MISMATCH",
    "ERR_HTTP2_PROTOCOL_ERROR",
    "ERR_INCOMPLETE_CHUNKED_ENCODING",
    "ERR_INCOMPLETE_HTTP2_HEADERS",
    "ERR_QUIC_PROTOCOL_ERROR",
    "ERR_SOCKET_NOT_CONNECTED",
];

/// Why a page was not loaded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NavigationError {
    /// The name of the host is not known.
    #[error("{url}: the host name could not be resolved")]
    Dns {
        /// Where to.
        url: String,
        /// Whether only the asking failed: the name may be known.
        passing: bool,
    },
    /// The certificate or the handshake was bad.
    #[error("{url}: no secure connection ({detail})")]
    Tls {
        /// Where to.
        url: String,
        /// The browser's word for it.
        detail: String,
    },
    /// Nobody answered at that address.
    #[error("{url}: connection failed ({detail})")]
    Refused {
        /// Where to.
        url: String,
        /// The browser's word for it.
        detail: String,
    },
    /// It took too long.
    #[error("{url}: not loaded within {after:?}")]
    Timeout {
        /// Where to.
        url: String,
        /// The deadline.
        after: Duration,
    },
    /// The server answered with an error; its page can still be read.
    #[error("{url}: the server answered {status}")]
    Http {
        /// Where it ended.
        url: String,
        /// The status, 400 or more.
        status: u16,
    },
    /// The page or another navigation stopped it.
    #[error("{url}: the navigation was aborted")]
    Aborted {
        /// Where to.
        url: String,
    },
    /// The address is a file that is downloaded, not a page.
    #[error("{url}: this is a download, not a page")]
    Download {
        /// Where to.
        url: String,
    },
    /// That is not an address.
    #[error("{url}: not a valid address ({detail})")]
    InvalidUrl {
        /// What was given.
        url: String,
        /// What is wrong with it.
        detail: String,
    },
    /// A rule forbids the address.
    #[error("{url}: blocked ({reason})")]
    Blocked {
        /// Where to.
        url: String,
        /// The rule's reason.
        reason: String,
    },
    /// There is no page to go back or forward to.
    #[error("there is no page to go {direction} to")]
    NoHistory {
        /// `back` or `forward`.
        direction: &'static str,
    },
    /// The addresses redirect to each other without end.
    #[error("{url}: redirects that never end")]
    Redirects {
        /// Where to.
        url: String,
    },
    /// The page came of a form: to load it again would send the form again.
    #[error("{url}: this page came of a form that was sent, and loading it again would send the form a second time")]
    Resubmission {
        /// The page's address.
        url: String,
    },
    /// A dialog holds the navigation up.
    #[error("{url}: a dialog is open: {} {message:?}", kind.name())]
    Dialog {
        /// Where to.
        url: String,
        /// The kind of dialog.
        kind: crate::dialog::DialogKind,
        /// What it says.
        message: String,
    },
    /// The tab or the browser went away in the middle of it.
    #[error("{url}: {detail}")]
    Lost {
        /// Where to.
        url: String,
        /// What is known.
        detail: String,
    },
    /// Anything else.
    #[error("{url}: {detail}")]
    Other {
        /// Where to.
        url: String,
        /// The browser's word for it.
        detail: String,
    },
}

impl NavigationError {
    /// A stable word for programs: `navigation` for failures to load, and the
    /// codes of their classes for the rest.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Blocked { .. } => "blocked_by_policy",
            Self::Lost { .. } => "browser_lost",
            Self::Dialog { .. } => "dialog_open",
            _ => "navigation",
        }
    }

    /// Which failure it was, as one word.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Dns { .. } => "dns",
            Self::Tls { .. } => "tls",
            Self::Refused { .. } => "refused",
            Self::Timeout { .. } => "timeout",
            Self::Http { .. } => "http",
            Self::Aborted { .. } => "aborted",
            Self::Download { .. } => "download",
            Self::InvalidUrl { .. } => "invalid_url",
            Self::Blocked { .. } => "blocked",
            Self::NoHistory { .. } => "no_history",
            Self::Redirects { .. } => "redirects",
            Self::Resubmission { .. } => "resubmission",
            Self::Dialog { .. } => "dialog",
            Self::Lost { .. } => "lost",
            Self::Other { .. } => "other",
        }
    }

    /// Whether it may pass by itself, so that trying once more may help: nobody answered, the answer broke off, or the server
    /// said that it cannot answer *now*. What took too long is not: it had its time.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Refused { detail, .. } => !matches!(
                detail.strip_prefix("net::").unwrap_or(detail),
                "ERR_ADDRESS_INVALID" | "ERR_INTERNET_DISCONNECTED" | "ERR_PROXY_CONNECTION_FAILED"
            ),
            Self::Http { status, .. } => matches!(status, 408 | 425 | 429 | 502..=504),
            Self::Dns { passing, .. } => *passing,
            Self::Other { detail, .. } => {
                let word = detail.strip_prefix("net::").unwrap_or(detail);
                BROKE_OFF.contains(&word)
            }
            _ => false,
        }
    }

    /// One sentence on what to do.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Dns { .. } => "check the spelling of the host name",
            Self::Tls { .. } => "check the address, and whether its certificate is good; http may be what is meant",
            Self::Refused { .. } => "check host and port, and that a server listens there; then try again",
            Self::Timeout { .. } => {
                "read the page: part of it may be there; then reload, or go on in another tab (tab new)"
            }
            Self::Http { .. } => "the error page was loaded and can be read",
            Self::Aborted { .. } => "read the page: the tab shows what it showed before, or where it was sent instead",
            Self::Download { .. } => "the tab shows what it showed before: stay there, or open a page",
            Self::InvalidUrl { .. } => "give a full address such as https://example.org/",
            Self::Blocked { .. } => "stay with the addresses that are allowed, or ask a person to allow this one",
            Self::NoHistory { .. } => "open the address itself",
            Self::Redirects { .. } => "the site sends the browser round in a circle: open another of its pages first",
            Self::Resubmission { .. } => {
                "stay with the page as it is, or open its address with navigate; to send the form again, go back to it"
            }
            Self::Dialog { .. } => "accept or dismiss the dialog first",
            Self::Lost { .. } => "it may have been loaded: look at what tabs there are, or open the page again",
            Self::Other { .. } => "read the page to see what the tab shows; then try again, or another address",
        };
        Some(hint.to_owned())
    }

    /// Sorts one of the browser's network error words (`net::ERR_…`).
    pub(crate) fn from_net_error(url: &str, word: &str) -> Self {
        let url = url.to_owned();
        let detail = word.to_owned();
        let name = word.strip_prefix("net::").unwrap_or(word);
        match name {
            "ERR_NAME_NOT_RESOLVED" | "ERR_ICANN_NAME_COLLISION" => Self::Dns { url, passing: false },
            "ERR_NAME_RESOLUTION_FAILED" | "ERR_DNS_TIMED_OUT" => Self::Dns { url, passing: true },
            "ERR_ABORTED" => Self::Aborted { url },
            "ERR_TOO_MANY_REDIRECTS" => Self::Redirects { url },
            "ERR_INVALID_URL" | "ERR_UNKNOWN_URL_SCHEME" | "ERR_DISALLOWED_URL_SCHEME" => {
                Self::InvalidUrl { url, detail }
            }
            "ERR_BLOCKED_BY_CLIENT" | "ERR_BLOCKED_BY_ADMINISTRATOR" | "ERR_UNSAFE_PORT" => {
                Self::Blocked { url, reason: detail }
            }
            _ if name.starts_with("ERR_CERT_") || name.starts_with("ERR_SSL_") || name.starts_with("ERR_BAD_SSL_") => {
                Self::Tls { url, detail }
            }
            _ if name.starts_with("ERR_CONNECTION_")
                || name.starts_with("ERR_PROXY_CONNECTION_")
                || matches!(
                    name,
                    "ERR_ADDRESS_UNREACHABLE"
                        | "ERR_ADDRESS_INVALID"
                        | "ERR_INTERNET_DISCONNECTED"
                        | "ERR_NETWORK_CHANGED"
                        | "ERR_EMPTY_RESPONSE"
                        | "ERR_TUNNEL_CONNECTION_FAILED"
                        | "ERR_TIMED_OUT"
                ) =>
            {
                Self::Refused { url, detail }
            }
            _ => Self::Other { url, detail },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn network_words_are_sorted() {
        for (word, kind) in [
            ("net::ERR_NAME_NOT_RESOLVED", "dns"),
            ("net::ERR_CONNECTION_REFUSED", "refused"),
            ("net::ERR_CONNECTION_RESET", "refused"),
            ("net::ERR_EMPTY_RESPONSE", "refused"),
            ("net::ERR_CERT_AUTHORITY_INVALID", "tls"),
            ("net::ERR_SSL_PROTOCOL_ERROR", "tls"),
            ("net::ERR_ABORTED", "aborted"),
            ("net::ERR_INVALID_URL", "invalid_url"),
            ("net::ERR_UNSAFE_PORT", "blocked"),
            ("net::ERR_TOO_MANY_REDIRECTS", "redirects"),
            ("something new", "other"),
        ] {
            assert_eq!(NavigationError::from_net_error("u", word).kind(), kind);
        }
    }

    #[test]
    fn every_failure_says_what_to_do() {
        let (url, detail) = (String::from("u"), String::from("d"));
        for word in ["ERR_ABORTED", "ERR_CONNECTION_REFUSED", "ERR_CERT_INVALID", "ERR_UNSAFE_PORT", "ERR_NEW"] {
            assert!(NavigationError::from_net_error("u", word).hint().is_some(), "{word}");
        }
        for error in [
            NavigationError::Download { url: url.clone() },
            NavigationError::NoHistory { direction: "back" },
            NavigationError::Redirects { url: url.clone() },
            NavigationError::Resubmission { url: url.clone() },
            NavigationError::Lost { url, detail: detail.clone() },
        ] {
            assert!(error.hint().is_some(), "{error}");
        }
        let timeout = BrowserError::Timeout { what: "the click".into(), after: Duration::from_secs(5) };
        let hint = timeout.hint().unwrap();
        for way in ["may have happened", "tab new", "tab close", "(close)"] {
            assert!(hint.contains(way), "{hint}");
        }
        let refused = CdpError::Decode { method: "Page.x".into(), detail };
        assert!(BrowserError::Cdp(refused).hint().is_some());
        for error in [BrowserError::Lost { detail: "d".into() }, BrowserError::TabClosed, BrowserError::NoDisplay] {
            assert!(error.hint().is_some(), "{error}");
        }
    }

    #[test]
    fn only_what_may_pass_is_transient() {
        let http = |status| NavigationError::Http { url: "u".into(), status };
        assert!(http(503).is_transient());
        assert!(!http(404).is_transient() && !http(500).is_transient());
        let net = |word| NavigationError::from_net_error("u", word);
        for word in ["net::ERR_CONNECTION_RESET", "net::ERR_EMPTY_RESPONSE", "net::ERR_NAME_RESOLUTION_FAILED"] {
            assert!(net(word).is_transient(), "{word}");
        }
        for word in
            ["net::ERR_NAME_NOT_RESOLVED", "net::ERR_CERT_INVALID", "net::ERR_ABORTED", "net::ERR_ADDRESS_INVALID"]
        {
            assert!(!net(word).is_transient(), "{word}");
        }
    }
}
