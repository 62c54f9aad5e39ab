//! The policy of addresses in the form in which a browser asks it.

use webhand_guard::{Place, UrlJudge, UrlPolicy};

/// Judges each document that a browser is to load, also those that a page loads by itself: links, forms, redirects, popups
/// and frames. What is refused is not requested.
///
/// ```
/// use std::sync::Arc;
/// use webhand::{Judge, engine::Launch, guard::UrlPolicy};
///
/// let policy = UrlPolicy::parse(["*"], ["ads.example"])?;
/// let launch = Launch::default().url_judge(Arc::new(Judge::new(policy)));
/// # drop(launch);
/// # Ok::<(), webhand::guard::PatternError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Judge(UrlJudge);

impl Judge {
    /// A judge by that policy.
    #[must_use]
    pub fn new(policy: UrlPolicy) -> Self {
        Self(UrlJudge::new(policy))
    }
}

impl webhand_browser::UrlJudge for Judge {
    fn judge(&self, url: &url::Url, place: webhand_browser::Place) -> Result<(), String> {
        let place = match place {
            webhand_browser::Place::Popup => Place::Popup,
            webhand_browser::Place::Frame => Place::Frame,
            _ => Place::Top,
        };
        let verdict = self.0.judge(url.as_str(), place);
        if verdict.allowed { Ok(()) } else { Err(verdict.to_string()) }
    }
}
