//! Documents that are saved instead of shown: what a tab would load is made a
//! download by a header on its answer, so that it is fetched only once.

use std::sync::{Arc, Weak};

use webhand_cdp::protocol::fetch::{self, HeaderEntry, RequestPaused};

use super::Tab;
use crate::error::BrowserError;
use crate::ids::TabId;
use crate::shell::{Shared, locked};
use crate::state::TabState;

/// Which documents are saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saved {
    /// All.
    Everything,
    /// Only those that are no web pages.
    ButPages,
}

/// As long as it lives, the documents of a tab, and of tabs that its page
/// opens, are saved instead of shown. Error pages and frames are shown as ever.
#[derive(Debug)]
#[must_use = "it holds only as long as it lives"]
pub struct Saving {
    shared: Weak<Shared>,
    tab: TabId,
}

impl Tab {
    /// Saves what the tab would show from now on; where it goes is said by
    /// [`Context::keep_downloads`](crate::Context::keep_downloads).
    ///
    /// # Errors
    /// [`BrowserError::TabClosed`] or [`BrowserError::Lost`].
    pub async fn save_documents(&self, which: Saved) -> Result<Saving, BrowserError> {
        locked(&self.shared.saving).insert(self.id(), which);
        let saving = Saving { shared: Arc::downgrade(&self.shared), tab: self.id() };
        if let Some(pauses) = self.shared.pauses(true) {
            self.session.call(&pauses).await?;
        }
        Ok(saving)
    }
}

impl Drop for Saving {
    fn drop(&mut self) {
        let Some(shared) = self.shared.upgrade() else { return };
        locked(&shared.saving).remove(&self.tab);
        let sessions = {
            let machine = shared.machine();
            let own = |tab: &&TabState| tab.id == self.tab || tab.opener == Some(self.tab);
            machine.tabs().filter(own).map(|tab| tab.session.clone()).collect::<Vec<_>>()
        };
        for session in sessions {
            let session = shared.connection.session(session);
            match shared.pauses(false) {
                Some(pauses) => drop(session.send(&pauses)),
                None => drop(session.send(&fetch::Disable {})),
            }
        }
    }
}

/// The headers that make a download of an answer; `None` where it stays what it is.
pub(crate) fn as_download(paused: &RequestPaused, which: Saved) -> Option<Vec<HeaderEntry>> {
    const DISPOSITION: &str = "content-disposition";
    if !matches!(paused.response_status_code, Some(200..=203 | 206)) {
        return None;
    }
    let mut headers = paused.response_headers.clone().unwrap_or_default();
    let value = |name: &str| headers.iter().find(|header| header.name.eq_ignore_ascii_case(name)).map(|it| &it.value);
    let lower = |name: &str| value(name).map(|value| value.trim().to_ascii_lowercase()).unwrap_or_default();
    let media_type = lower("content-type");
    let is_page = ["text/html", "application/xhtml+xml"].iter().any(|page| media_type.starts_with(page));
    if lower(DISPOSITION).starts_with("attachment") || (is_page && which == Saved::ButPages) {
        return None;
    }
    // the name that it was to be shown under stays
    let named = value(DISPOSITION).and_then(|value| value.split_once(';')).map(|(_, named)| named.to_owned());
    headers.retain(|header| !header.name.eq_ignore_ascii_case(DISPOSITION));
    let value = named.map_or_else(|| "attachment".to_owned(), |named| format!("attachment;{named}"));
    headers.push(HeaderEntry { name: "Content-Disposition".to_owned(), value });
    Some(headers)
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::*;

    fn disposition(status: i64, headers: serde_json::Value, which: Saved) -> Option<String> {
        let paused = from_value(json!({"requestId": "1", "frameId": "F", "responseStatusCode": status,
            "responseHeaders": headers}))
        .unwrap();
        let headers = as_download(&paused, which)?;
        let mut named = headers.into_iter().filter(|header| header.name.eq_ignore_ascii_case("content-disposition"));
        let only = named.next().unwrap().value;
        assert!(named.next().is_none());
        Some(only)
    }

    #[test]
    fn what_would_be_shown_is_saved_under_its_name() {
        let text = json!([{"name": "Content-Type", "value": "text/plain"}]);
        assert_eq!(disposition(200, text, Saved::ButPages).as_deref(), Some("attachment"));
        let named = json!([{"name": "content-disposition", "value": "inline; filename=\"a.pdf\""}]);
        assert_eq!(disposition(200, named, Saved::ButPages).as_deref(), Some("attachment; filename=\"a.pdf\""));
        let page = json!([{"name": "content-type", "value": "Text/HTML; charset=utf-8"}]);
        assert_eq!(disposition(200, page.clone(), Saved::Everything).as_deref(), Some("attachment"));
        assert_eq!(disposition(200, page, Saved::ButPages), None);
    }

    #[test]
    fn errors_redirects_and_what_is_saved_anyway_stay() {
        let own = json!([{"name": "Content-Disposition", "value": "attachment; filename=x"}]);
        assert_eq!(disposition(200, own, Saved::Everything), None);
        for status in [204, 302, 304, 404, 500] {
            assert_eq!(disposition(status, json!([]), Saved::Everything), None, "{status}");
        }
    }
}
