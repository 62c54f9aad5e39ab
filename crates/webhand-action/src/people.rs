//! Whom a session turns to where it must not go on alone: a person, a solver of captchas, a mailbox of codes.
//!
//! Traits and their data only; the session performs `ask_human`, `solve_captcha` and `one_time_code` with them.

use std::{fmt, time::SystemTime};

use async_trait::async_trait;
use webhand_browser::Tab;
use webhand_guard::Secret;
use webhand_page::Snapshot;

use crate::secrets::VaultError;

/// Someone who can be asked.
///
/// ```
/// use webhand_action::people::{Person, PersonError, Question, Reply};
///
/// /// One who always takes the first choice.
/// #[derive(Debug)]
/// struct First;
///
/// #[async_trait::async_trait]
/// impl Person for First {
///     async fn ask(&self, question: &Question) -> Result<Reply, PersonError> {
///         let first = question.choices.first().cloned();
///         first.map(Reply::Said).ok_or_else(|| PersonError::new("there is no choice"))
///     }
/// }
///
/// let mut settings = webhand_action::Settings::default();
/// settings.person = Some(std::sync::Arc::new(First));
/// ```
#[async_trait]
pub trait Person: fmt::Debug + Send + Sync {
    /// Asks, and waits for the answer. The session ends the wait at its own deadline.
    ///
    /// # Errors
    /// When nobody can be reached.
    async fn ask(&self, question: &Question) -> Result<Reply, PersonError>;
}

/// What a person is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Question {
    /// The question: a model's words, or the session's.
    pub text: String,
    /// What may be answered; anything where there is none.
    pub choices: Vec<String>,
    /// The person is to do something on the page, and to say when that is done.
    pub take_over: bool,
    /// The address of the page that is shown.
    pub url: String,
}

/// What a person answered.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reply {
    /// These words.
    Said(String),
    /// What was to be done on the page is done.
    Finished,
    /// The person declined.
    Declined,
}

/// Why a person could not be asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("nobody answered: {reason}")]
#[non_exhaustive]
pub struct PersonError {
    /// Why.
    pub reason: String,
}

impl PersonError {
    /// For that reason.
    #[must_use]
    pub fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into() }
    }
}

/// A program that solves captchas.
#[async_trait]
pub trait CaptchaSolver: fmt::Debug + Send + Sync {
    /// Solves the one that is shown in that tab.
    ///
    /// # Errors
    /// When it is not solved: then a person is asked, where one can be.
    async fn solve(&self, captcha: &Captcha, tab: &Tab) -> Result<(), SolverError>;
}

/// Why a captcha was not solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
#[non_exhaustive]
pub struct SolverError {
    /// Why.
    pub reason: String,
}

impl SolverError {
    /// For that reason.
    #[must_use]
    pub fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into() }
    }
}

/// A captcha that a page shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Captcha {
    /// Whose it is: `recaptcha`, `hcaptcha`, `turnstile`, `arkose`, `geetest`, `datadome`, or `text` for letters to be read
    /// off a picture.
    pub kind: String,
    /// The address of the page that shows it.
    pub url: String,
    /// The address of its frame, in which its site key stands; empty where it has none.
    pub frame: String,
}

/// Parts of addresses of frames in which captchas are shown.
const PROVIDERS: &[(&str, &str)] = &[
    ("/recaptcha/", "recaptcha"),
    ("hcaptcha.com/", "hcaptcha"),
    ("challenges.cloudflare.com/", "turnstile"),
    ("arkoselabs.com/", "arkose"),
    ("funcaptcha.com/", "arkose"),
    ("geetest.com/", "geetest"),
    ("captcha-delivery.com/", "datadome"),
];

impl Captcha {
    /// The first one that a page shows.
    ///
    /// Known by the addresses of frames, and by fields whose name has the word in it.
    #[must_use]
    pub fn seen_in(page: &Snapshot) -> Option<Self> {
        let url = page.page.url.clone();
        for frame in page.frames.iter().filter(|frame| frame.r#ref.is_some()) {
            if let Some((_, kind)) = PROVIDERS.iter().find(|(part, _)| frame.url.contains(part)) {
                return Some(Self { kind: (*kind).to_owned(), url, frame: frame.url.clone() });
            }
        }
        let asks = |name: &str| ["captcha", "验证码"].iter().any(|word| name.to_lowercase().contains(word));
        let field = page.controls().any(|(node, _)| node.role.as_str() == "textbox" && asks(&node.name));
        field.then(|| Self { kind: "text".to_owned(), url, frame: String::new() })
    }
}

/// Where codes arrive that a site sends: a mailbox, a telephone.
///
/// ```
/// use std::time::SystemTime;
/// use webhand_action::{VaultError, people::CodeSource};
/// use webhand_guard::Secret;
///
/// /// A telephone on which the same code always stands.
/// #[derive(Debug)]
/// struct Telephone;
///
/// #[async_trait::async_trait]
/// impl CodeSource for Telephone {
///     async fn code(&self, _since: SystemTime) -> Result<Secret, VaultError> {
///         Ok(Secret::new("204713"))
///     }
/// }
/// ```
#[async_trait]
pub trait CodeSource: fmt::Debug + Send + Sync {
    /// Waits for a code that was sent since then. The session ends the wait at its own deadline.
    ///
    /// # Errors
    /// When none can be had.
    async fn code(&self, since: SystemTime) -> Result<Secret, VaultError>;
}

#[cfg(test)]
mod tests {
    use webhand_page::{FrameMeta, Ref};

    use super::*;

    fn page(frame: &str, framed: bool) -> Snapshot {
        let mut page = Snapshot::default();
        page.frames.push(FrameMeta::default());
        let mut meta = FrameMeta::default();
        meta.url = frame.to_owned();
        meta.r#ref = framed.then(|| "F1".parse::<Ref>().unwrap());
        page.frames.push(meta);
        page
    }

    #[test]
    fn captchas_are_known_by_their_frames() {
        for (address, kind) in [
            ("https://www.google.com/recaptcha/api2/anchor?k=abc", "recaptcha"),
            ("https://newassets.hcaptcha.com/captcha/v1/x", "hcaptcha"),
            ("https://challenges.cloudflare.com/turnstile/if", "turnstile"),
        ] {
            let seen = Captcha::seen_in(&page(address, true)).unwrap();
            assert_eq!((seen.kind.as_str(), seen.frame.as_str()), (kind, address));
        }
        assert_eq!(Captcha::seen_in(&page("https://shop.example/captcha-free", true)), None);
        assert_eq!(
            Captcha::seen_in(&page("https://hcaptcha.com/x", false)),
            None,
            "the page itself is not its own frame"
        );
    }
}
