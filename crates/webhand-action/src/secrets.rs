//! The vault: values that a model names by a handle and never sees.
//!
//! A handle such as `<secret>shop.password</secret>` stands in the text of a `fill`. It becomes its value in the moment of
//! typing, if the field stands in a frame of an origin that the entry names and is of a kind that fits; the value is in no
//! outcome, snapshot or picture.

use std::{
    collections::{BTreeMap, HashMap},
    fmt,
    sync::Arc,
    time::SystemTime,
};

use async_trait::async_trait;
use totp_rs::{Algorithm, TOTP};
use webhand_guard::{Pattern, PatternError, Place, Secret, UrlJudge, UrlPolicy};

use crate::{catalogue::CodeKind, people::CodeSource};

const OPENS: &str = "<secret>";
const CLOSES: &str = "</secret>";
/// How long a one-time code holds, seconds (RFC 6238, section 5.2), and how many digits it has.
const STEP: u64 = 30;
const DIGITS: usize = 6;

/// Where a value comes from, in the moment in which it is needed.
#[async_trait]
pub trait SecretSource: fmt::Debug + Send + Sync {
    /// Gets the value.
    ///
    /// # Errors
    /// Why there is none, without the value in it.
    async fn fetch(&self) -> Result<Secret, VaultError>;
}

/// A value that is at hand.
#[async_trait]
impl SecretSource for Secret {
    async fn fetch(&self) -> Result<Secret, VaultError> {
        Ok(self.clone())
    }
}

/// Why a handle does not become a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VaultError {
    /// The vault has no such entry or field.
    #[error("there is no secret {handle}; there are {known}")]
    Unknown {
        /// What was asked for.
        handle: String,
        /// What there is.
        known: String,
    },
    /// The source gave nothing.
    #[error("the secret {handle} cannot be had: {reason}")]
    Unavailable {
        /// What was asked for.
        handle: String,
        /// Why, without the value.
        reason: String,
    },
    /// The value is none that is sent or computed as a one-time code.
    #[error("{handle} gives no one-time codes; {known} do")]
    NoCodes {
        /// What was asked for.
        handle: String,
        /// What gives some.
        known: String,
    },
    /// The seed of a one-time code is no base32 text of at least 128 bits.
    #[error("the seed of {handle} is no base32 text of at least 128 bits")]
    Seed {
        /// What was asked for.
        handle: String,
    },
}

impl VaultError {
    /// The source, named by what is at its root, gave nothing.
    #[must_use]
    pub fn unavailable(handle: &str, reason: &str) -> Self {
        Self::Unavailable { handle: handle.to_owned(), reason: reason.to_owned() }
    }
}

/// One named value of an entry.
#[derive(Clone, Debug)]
enum Field {
    Value(Arc<dyn SecretSource>),
    /// The seed from which codes are computed.
    Totp(Arc<dyn SecretSource>),
    /// Where codes arrive that the site sends.
    Codes(CodeKind, Arc<dyn CodeSource>),
}

impl Field {
    fn code_kind(&self) -> Option<CodeKind> {
        match self {
            Field::Value(_) => None,
            Field::Totp(_) => Some(CodeKind::Totp),
            Field::Codes(kind, _) => Some(*kind),
        }
    }
}

/// What belongs to one site: its origins, and named values.
///
/// ```
/// use webhand_action::VaultEntry;
/// use webhand_guard::Secret;
///
/// let shop = VaultEntry::of(["https://shop.example"])?
///     .with("login", Secret::new("ada"))
///     .with("password", Secret::new("hunter2"));
/// assert!(shop.serves("https://shop.example/login"));
/// assert!(!shop.serves("https://shop.example.evil.test/login"));
/// # Ok::<(), webhand_guard::PatternError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct VaultEntry {
    judge: UrlJudge,
    fields: BTreeMap<String, Field>,
}

impl VaultEntry {
    /// An entry for these origins: `https://shop.example` is that scheme, host and port (here 443) and nothing else; a pattern
    /// with a `*` in it may stand for more.
    ///
    /// # Errors
    /// The first pattern that cannot be used.
    pub fn of<'a>(origins: impl IntoIterator<Item = &'a str>) -> Result<Self, PatternError> {
        let exactly = |origin: &str| match origin.contains("://") && !origin.contains('*') {
            true => Pattern::origin_of(origin),
            false => Pattern::parse(origin),
        };
        let allow = origins.into_iter().map(exactly).collect::<Result<Vec<_>, _>>()?;
        let policy = UrlPolicy { allow, ..UrlPolicy::default() };
        Ok(Self { judge: UrlJudge::new(policy), fields: BTreeMap::new() })
    }

    /// The same with one more value. One that is called `password`, `passphrase` or `pin` goes into password fields only.
    #[must_use]
    pub fn with(mut self, name: &str, source: impl SecretSource + 'static) -> Self {
        self.fields.insert(name.to_owned(), Field::Value(Arc::new(source)));
        self
    }

    /// The same with one-time codes (RFC 6238: SHA-1, 6 digits, 30 s) of a base32 seed.
    #[must_use]
    pub fn with_totp(mut self, name: &str, seed: impl SecretSource + 'static) -> Self {
        self.fields.insert(name.to_owned(), Field::Totp(Arc::new(seed)));
        self
    }

    /// The same with one-time codes that the site sends by mail or text message. The `one_time_code` action waits for one;
    /// a `fill` with the handle types it.
    #[must_use]
    pub fn with_codes(mut self, name: &str, kind: CodeKind, source: impl CodeSource + 'static) -> Self {
        self.fields.insert(name.to_owned(), Field::Codes(kind, Arc::new(source)));
        self
    }

    /// Whether values may be typed on a page of that address. Without an origin it serves none.
    #[must_use]
    pub fn serves(&self, url: &str) -> bool {
        let web = url.starts_with("https://") || url.starts_with("http://");
        web && !self.judge.policy().allow.is_empty() && self.judge.judge(url, Place::Top).allowed
    }

    /// Its origins, as they were given.
    pub(crate) fn origins(&self) -> String {
        self.judge.policy().allow.iter().map(Pattern::as_str).collect::<Vec<_>>().join(", ")
    }
}

/// Entries by name.
///
/// ```
/// use webhand_action::{Vault, VaultEntry};
/// use webhand_guard::Secret;
///
/// let shop = VaultEntry::of(["https://shop.example"])?.with("password", Secret::new("hunter2"));
/// let vault = Vault::default().with("shop", shop);
/// assert_eq!(vault.handles().collect::<Vec<_>>(), ["<secret>shop.password</secret>"]);
/// # Ok::<(), webhand_guard::PatternError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Vault {
    entries: BTreeMap<String, VaultEntry>,
}

impl Vault {
    /// The same with one more entry.
    #[must_use]
    pub fn with(mut self, name: &str, entry: VaultEntry) -> Self {
        self.entries.insert(name.to_owned(), entry);
        self
    }

    /// The handles of all values, for whoever is to use them.
    pub fn handles(&self) -> impl Iterator<Item = String> {
        self.names().map(|name| format!("{OPENS}{name}{CLOSES}"))
    }

    fn names(&self) -> impl Iterator<Item = String> {
        let fields = self.entries.iter().flat_map(|(entry, of)| of.fields.keys().map(move |field| (entry, field)));
        fields.map(|(entry, field)| format!("{entry}.{field}"))
    }

    /// The entry and the field's name behind a handle.
    pub(crate) fn entry(&self, handle: &str) -> Result<(&VaultEntry, String), VaultError> {
        let found = handle.split_once('.').and_then(|(entry, field)| Some((self.entries.get(entry)?, field)));
        match found.filter(|(entry, field)| entry.fields.contains_key(*field)) {
            Some((entry, field)) => Ok((entry, field.to_owned())),
            None => {
                let known = self.names().collect::<Vec<_>>().join(", ");
                let known = if known.is_empty() { "none".to_owned() } else { known };
                Err(VaultError::Unknown { handle: handle.to_owned(), known })
            }
        }
    }

    /// The value behind a handle, as it is now; of codes that are sent, the next one since then.
    pub(crate) async fn value(&self, handle: &str, since: SystemTime) -> Result<Secret, VaultError> {
        let (entry, field) = self.entry(handle)?;
        match entry.fields.get(&field) {
            Some(Field::Value(source)) => source.fetch().await,
            Some(Field::Totp(seed)) => code(handle, &seed.fetch().await?),
            Some(Field::Codes(_, source)) => source.code(since).await,
            None => Err(VaultError::Unknown { handle: handle.to_owned(), known: String::new() }),
        }
    }

    /// How the codes of a handle come.
    pub(crate) fn code_kind(&self, handle: &str) -> Result<CodeKind, VaultError> {
        let (entry, field) = self.entry(handle)?;
        entry.fields.get(&field).and_then(Field::code_kind).ok_or_else(|| {
            let known: Vec<String> = self.codes().collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            VaultError::NoCodes { handle: handle.to_owned(), known }
        })
    }

    /// Whether there are handles of one-time codes.
    #[must_use]
    pub fn has_codes(&self) -> bool {
        self.codes().next().is_some()
    }

    /// The names of all values that are one-time codes.
    pub(crate) fn codes(&self) -> impl Iterator<Item = String> {
        self.names().filter(|name| {
            self.entry(name).is_ok_and(|(entry, field)| entry.fields.get(&field).and_then(Field::code_kind).is_some())
        })
    }
}

/// The one-time code of a seed, now.
fn code(handle: &str, seed: &Secret) -> Result<Secret, VaultError> {
    let bad = || VaultError::Seed { handle: handle.to_owned() };
    let compact: String = seed.expose().chars().filter(|letter| !letter.is_whitespace() && *letter != '-').collect();
    let bytes = totp_rs::Secret::Encoded(compact.to_uppercase()).to_bytes().map_err(|_| bad())?;
    let totp = TOTP::new(Algorithm::SHA1, DIGITS, 1, STEP, bytes).map_err(|_| bad())?;
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_err(|_| bad())?;
    Ok(Secret::new(totp.generate(now.as_secs())))
}

/// The one-time codes of a session that came, each until the next of its handle.
#[derive(Debug)]
pub(crate) struct Codes {
    started: SystemTime,
    came: HashMap<String, (Secret, SystemTime)>,
}

impl Default for Codes {
    fn default() -> Self {
        Self { started: SystemTime::now(), came: HashMap::new() }
    }
}

impl Codes {
    /// Since when the next code of a handle may have been sent: an older one is used or stale.
    pub(crate) fn since(&self, handle: &str) -> SystemTime {
        self.came.get(handle).map_or(self.started, |(_, asked)| *asked)
    }

    pub(crate) fn keep(&mut self, handle: &str, code: Secret, asked: SystemTime) {
        self.came.insert(handle.to_owned(), (code, asked));
    }

    /// The one that came last.
    pub(crate) fn last(&self, handle: &str) -> Option<Secret> {
        self.came.get(handle).map(|(code, _)| code.clone())
    }
}

/// The name in a handle, with or without its tags.
pub(crate) fn handle_of(text: &str) -> &str {
    let text = text.trim();
    text.strip_prefix(OPENS).and_then(|text| text.strip_suffix(CLOSES)).unwrap_or(text).trim()
}

/// A text in pieces: plain, and handles.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    Plain(&'a str),
    Handle(&'a str),
}

/// The pieces of a text that may hold handles.
pub(crate) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(OPENS) {
        let Some((handle, behind)) = after.split_once(CLOSES) else { break };
        if !before.is_empty() {
            pieces.push(Piece::Plain(before));
        }
        pieces.push(Piece::Handle(handle.trim()));
        rest = behind;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Plain(rest));
    }
    pieces
}

/// Whether a text holds a handle.
pub(crate) fn holds_handle(text: &str) -> bool {
    pieces(text).iter().any(|piece| matches!(piece, Piece::Handle(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_falls_into_plain_pieces_and_handles() {
        assert_eq!(pieces("a<secret> s.p </secret>b"), [Piece::Plain("a"), Piece::Handle("s.p"), Piece::Plain("b")]);
        assert_eq!(pieces("<secret>unclosed"), [Piece::Plain("<secret>unclosed")]);
        assert!(pieces("").is_empty());
        assert!(!holds_handle("</secret><secret>"));
    }

    #[test]
    fn an_entry_serves_its_origins_and_no_look_alikes() {
        let entry = VaultEntry::of(["https://shop.example", "http://127.0.0.1:8000"]).unwrap();
        for good in ["https://shop.example/x", "http://127.0.0.1:8000/login"] {
            assert!(entry.serves(good), "{good}");
        }
        for bad in [
            "http://shop.example/",
            "https://shop.example:8443/",
            "https://www.shop.example/",
            "https://shop.example@evil.test/",
            "https://shop-example.test/",
            "http://127.0.0.1:8001/",
            "about:blank",
            "data:text/html,x",
            "",
        ] {
            assert!(!entry.serves(bad), "{bad}");
        }
        assert!(!VaultEntry::default().serves("https://shop.example/"));
    }

    /// RFC 6238, appendix B: the seed is "12345678901234567890".
    #[tokio::test]
    async fn codes_are_those_of_the_standard() {
        let seed = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
        let bytes = totp_rs::Secret::Encoded(seed.to_owned()).to_bytes().unwrap();
        let totp = TOTP::new(Algorithm::SHA1, 8, 1, STEP, bytes).unwrap();
        assert_eq!(totp.generate(59), "94287082");
        let entry = VaultEntry::of(["https://a.example"]).unwrap().with_totp("code", Secret::new(seed.to_lowercase()));
        let vault = Vault::default().with("a", entry);
        let code = vault.value("a.code", SystemTime::now()).await.unwrap();
        assert!(code.expose().len() == 6 && code.expose().bytes().all(|digit| digit.is_ascii_digit()));
        let short = VaultEntry::default().with_totp("code", Secret::new("abc"));
        let error = Vault::default().with("b", short).value("b.code", SystemTime::now()).await.unwrap_err();
        assert!(matches!(error, VaultError::Seed { .. }), "{error}");
    }

    #[tokio::test]
    async fn what_is_not_there_is_told_with_what_is() {
        let entry = VaultEntry::default().with("password", Secret::new("x"));
        let error = Vault::default().with("shop", entry).value("shop.pasword", SystemTime::now()).await.unwrap_err();
        assert_eq!(error.to_string(), "there is no secret shop.pasword; there are shop.password");
    }
}
