//! The question whether a tab may be sent to an address.

use std::fmt::Debug;

/// Decides where tabs may be sent. Asked before each navigation that is called
/// for through this crate; what a page does by itself is not asked here.
pub trait UrlJudge: Debug + Send + Sync {
    /// Whether a tab may go there.
    ///
    /// # Errors
    /// The reason why not, in one short sentence.
    fn judge(&self, url: &url::Url) -> Result<(), String>;
}
