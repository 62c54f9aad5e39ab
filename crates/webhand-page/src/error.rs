//! Why a page could not be read.

use webhand_browser::BrowserError;
use webhand_cdp::CdpError;

/// Why a page, or a call into it, failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PageError {
    /// The browser, the tab or a dialog stands in the way.
    #[error(transparent)]
    Browser(#[from] BrowserError),
    /// The page's script engine refused a call of ours.
    #[error("the page could not run the reader: {0}")]
    Script(String),
    /// What the reader answered makes no sense.
    #[error("the reader's answer could not be understood: {0}")]
    Answer(String),
}

impl From<CdpError> for PageError {
    fn from(error: CdpError) -> Self {
        Self::Browser(error.into())
    }
}

impl PageError {
    /// The stable word for it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            PageError::Browser(error) => error.code(),
            PageError::Script(_) => "script",
            PageError::Answer(_) => "answer",
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            PageError::Browser(error) => error.hint(),
            PageError::Script(_) => Some("reload the page and read it again".to_owned()),
            PageError::Answer(_) => None,
        }
    }
}
