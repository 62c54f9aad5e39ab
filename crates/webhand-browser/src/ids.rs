//! The names of things: tabs and documents.

use std::fmt;
use std::str::FromStr;

pub use webhand_cdp::protocol::page::FrameId;

/// A tab, by a short name that stays the same for its whole life: `t1`, `t2` …
/// Numbers are given once a browser and never again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TabId(u32);

impl TabId {
    /// The tab with that number.
    #[must_use]
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// Its number.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }
}

impl fmt::Display for TabId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "t{}", self.0)
    }
}

/// The text is not the name of a tab.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a tab: tabs are t1, t2 …")]
pub struct NotATab(String);

impl FromStr for TabId {
    type Err = NotATab;

    fn from_str(text: &str) -> Result<Self, NotATab> {
        let digits = text.strip_prefix(['t', 'T']).unwrap_or("");
        match digits.parse() {
            Ok(number) if digits.bytes().all(|byte| byte.is_ascii_digit()) => Ok(Self(number)),
            _ => Err(NotATab(text.chars().take(40).collect())),
        }
    }
}

impl serde::Serialize for TabId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for TabId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// A download, by the order in which they began in the browser.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DownloadId(u64);

impl DownloadId {
    pub(crate) const fn new(number: u64) -> Self {
        Self(number)
    }

    pub(crate) const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// One document in one frame. A page that comes back from the back/forward
/// cache keeps the browser's loader id, and that of a frame which has just come
/// from another process is not known at first: so the counter alone is what
/// makes two the same.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct DocumentId {
    loader: String,
    serial: u64,
}

impl DocumentId {
    /// The document of that loader, shown by that navigation of its tab.
    #[must_use]
    pub fn new(loader: impl Into<String>, serial: u64) -> Self {
        Self { loader: loader.into(), serial }
    }

    /// The browser's loader id; empty where it is not known yet.
    #[must_use]
    pub fn loader(&self) -> &str {
        &self.loader
    }

    /// Which navigation of its tab showed it.
    #[must_use]
    pub fn serial(&self) -> u64 {
        self.serial
    }
}

impl PartialEq for DocumentId {
    fn eq(&self, other: &Self) -> bool {
        self.serial == other.serial
    }
}

impl Eq for DocumentId {}

impl std::hash::Hash for DocumentId {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.serial.hash(state);
    }
}

impl fmt::Display for DocumentId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "d{}", self.serial)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_stays_the_same_when_its_loader_becomes_known() {
        assert_eq!(DocumentId::new("", 4), DocumentId::new("L", 4));
        assert_ne!(DocumentId::new("L", 4), DocumentId::new("L", 5));
    }

    #[test]
    fn tabs_are_read_as_they_are_written() {
        assert_eq!("t12".parse::<TabId>().unwrap(), TabId::new(12));
        assert_eq!("T3".parse::<TabId>().unwrap().to_string(), "t3");
        for bad in ["", "t", "12", "t-1", "t+1", "tt1", "t1 ", "t99999999999"] {
            assert!(bad.parse::<TabId>().is_err(), "{bad:?}");
        }
        let json = serde_json::to_string(&TabId::new(7)).unwrap();
        assert_eq!(json, "\"t7\"");
        assert_eq!(serde_json::from_str::<TabId>(&json).unwrap(), TabId::new(7));
    }
}
