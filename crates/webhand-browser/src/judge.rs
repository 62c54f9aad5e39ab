//! The question whether a document may be loaded.

use std::fmt::Debug;

/// Where a document is to be loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Place {
    /// In a tab.
    Tab,
    /// In a tab that a page just opened.
    Popup,
    /// In a frame of a page.
    Frame,
}

/// Decides which documents may be loaded. Asked before each navigation that is called for through this crate, and before
/// each request for a document that a page makes by itself: links, forms, scripts, redirects, popups and frames. What is
/// refused is not requested.
pub trait UrlJudge: Debug + Send + Sync {
    /// Whether that document may be loaded there.
    ///
    /// # Errors
    /// The reason why not, in one short sentence.
    fn judge(&self, url: &url::Url, place: Place) -> Result<(), String>;
}
