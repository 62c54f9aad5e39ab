//! How the documents of a tab's main frame came to be loaded: status,
//! redirects, failures. Only the last few are remembered.

use std::collections::VecDeque;

use webhand_cdp::protocol::network;

/// How one document was loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Document {
    /// The loader's id, which is also the id of its request.
    pub(crate) loader: String,
    /// The address, after the redirects so far.
    pub(crate) url: String,
    /// The addresses that redirected, first to last.
    pub(crate) redirects: Vec<String>,
    /// The server's status.
    pub(crate) status: Option<u16>,
    /// The browser's word for why it failed.
    pub(crate) failed: Option<String>,
    /// When the server wants to be asked again, in its words.
    pub(crate) retry_after: Option<String>,
    /// Whether it came of a form that was sent: to load it again would send the form again.
    pub(crate) posted: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Documents {
    recent: VecDeque<Document>,
}

/// More than one navigation is rarely under way; the rest is history.
const REMEMBERED: usize = 16;
/// Chromium gives up after 20.
const MAX_REDIRECTS: usize = 32;

impl Documents {
    pub(crate) fn get(&self, loader: &str) -> Option<&Document> {
        self.recent.iter().rev().find(|known| known.loader == loader)
    }

    fn entry(&mut self, loader: &str) -> &mut Document {
        let at = match self.recent.iter().position(|known| known.loader == loader) {
            Some(at) => at,
            None => {
                if self.recent.len() == REMEMBERED {
                    self.recent.pop_front();
                }
                self.recent.push_back(Document { loader: loader.to_owned(), ..Document::default() });
                self.recent.len() - 1
            }
        };
        &mut self.recent[at]
    }

    pub(crate) fn requested(&mut self, event: &network::RequestWillBeSent) {
        let document = self.entry(event.loader_id.as_str());
        document.posted = event.request.method.eq_ignore_ascii_case("POST");
        let from = std::mem::replace(&mut document.url, full_url(&event.request));
        if event.redirect_response.is_some() && document.redirects.len() < MAX_REDIRECTS {
            document.redirects.push(from);
        }
    }

    pub(crate) fn answered(&mut self, event: &network::ResponseReceived) {
        let status = status_of(event.response.status);
        if let Some(status) = status {
            let headers = event.response.headers.iter();
            let mut retry = headers.filter(|(name, _)| name.eq_ignore_ascii_case("retry-after"));
            let document = self.entry(event.loader_id.as_str());
            document.status = Some(status);
            document.retry_after = retry.next().map(|(_, value)| value.clone());
        }
    }

    pub(crate) fn failed(&mut self, loader: &str, word: &str) {
        if self.get(loader).is_some() {
            self.entry(loader).failed = Some(word.to_owned());
        }
    }
}

/// A status of 0 stands for an answer without one (data:, blob:, file:).
pub(crate) fn status_of(status: i64) -> Option<u16> {
    u16::try_from(status).ok().filter(|status| *status > 0)
}

pub(crate) fn full_url(request: &network::Request) -> String {
    let mut url = request.url.clone();
    if let Some(fragment) = &request.url_fragment {
        url.push_str(fragment);
    }
    url
}
