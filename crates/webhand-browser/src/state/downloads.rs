//! Downloads of all contexts, as far as the browser told of them.

use std::collections::{BTreeMap, HashMap};

use webhand_cdp::protocol::browser::{self, BrowserContextId};

use crate::ids::{DownloadId, TabId};

/// Downloads that are remembered; the oldest that are over are forgotten first.
const MAX_DOWNLOADS: usize = 1_024;

/// A file that a page or a server gave.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Download {
    /// Which one it is.
    pub id: DownloadId,
    /// The browser's own name for it, which is also that of its file.
    pub guid: String,
    /// The tab in which it began, which may be gone.
    pub tab: TabId,
    /// From where.
    pub url: String,
    /// The name that is proposed for it. It is not to be trusted as a path.
    pub name: String,
    /// What the server says that it is, where that was heard.
    pub media_type: Option<String>,
    /// How many bytes have come.
    pub received: u64,
    /// How many there will be, where that is known.
    pub total: Option<u64>,
    /// How far it is.
    pub state: DownloadState,
}

/// How far a download is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DownloadState {
    /// Under way.
    Running,
    /// All of it is there.
    Complete {
        /// The file.
        path: Option<String>,
    },
    /// It broke off, was refused or was called off.
    Cancelled,
}

impl Download {
    /// Whether nothing more will come.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.state != DownloadState::Running
    }
}

/// All of them.
#[derive(Debug, Default)]
pub(crate) struct Downloads {
    known: BTreeMap<DownloadId, (Option<BrowserContextId>, Download)>,
    by_guid: HashMap<String, DownloadId>,
    last: u64,
}

impl Downloads {
    pub(crate) fn began(
        &mut self,
        context: Option<BrowserContextId>,
        tab: TabId,
        media_type: Option<String>,
        event: browser::DownloadWillBegin,
    ) -> DownloadId {
        self.make_room();
        self.last += 1;
        let id = DownloadId::new(self.last);
        let download = Download {
            id,
            guid: event.guid.clone(),
            tab,
            url: event.url,
            name: event.suggested_filename,
            media_type,
            received: 0,
            total: None,
            state: DownloadState::Running,
        };
        self.by_guid.insert(event.guid, id);
        self.known.insert(id, (context, download));
        id
    }

    /// Takes in how far one is. It and its context, where it is over now.
    pub(crate) fn progressed(
        &mut self,
        event: &browser::DownloadProgress,
    ) -> Option<(Option<BrowserContextId>, &Download)> {
        let id = self.by_guid.get(&event.guid)?;
        let (context, download) = self.known.get_mut(id)?;
        if download.is_over() {
            return None;
        }
        // Chromium counts in doubles; a negative or absurd count is 0.
        download.received = event.received_bytes.max(0.0) as u64;
        download.total = (event.total_bytes > 0.0).then_some(event.total_bytes as u64);
        download.state = match event.state {
            browser::DownloadProgressState::InProgress => return None,
            browser::DownloadProgressState::Completed => DownloadState::Complete { path: event.file_path.clone() },
            _ => DownloadState::Cancelled,
        };
        Some((context.clone(), download))
    }

    pub(crate) fn get(&self, id: DownloadId) -> Option<&Download> {
        self.known.get(&id).map(|(_, download)| download)
    }

    /// Those of a context that began after that one, oldest first.
    pub(crate) fn since<'a>(
        &'a self,
        context: Option<&'a BrowserContextId>,
        last: DownloadId,
    ) -> impl Iterator<Item = &'a Download> {
        self.known
            .range(last.next()..)
            .filter(move |(_, (own, _))| own.as_ref() == context)
            .map(|(_, (_, download))| download)
    }

    pub(crate) fn last(&self) -> DownloadId {
        DownloadId::new(self.last)
    }

    fn make_room(&mut self) {
        while self.known.len() >= MAX_DOWNLOADS {
            let over = self.known.iter().find(|(_, (_, download))| download.is_over());
            let Some(id) = over.or_else(|| self.known.iter().next()).map(|(id, _)| *id) else { return };
            if let Some((_, download)) = self.known.remove(&id) {
                self.by_guid.remove(&download.guid);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::*;

    fn begin(downloads: &mut Downloads, context: Option<&str>, guid: &str) -> DownloadId {
        let event =
            from_value(json!({"frameId": "F", "guid": guid, "url": "http://a.b/x", "suggestedFilename": "x"})).unwrap();
        let context = context.map(|id| from_value(json!(id)).unwrap());
        downloads.began(context, TabId::new(1), None, event)
    }

    fn progress(guid: &str, state: &str) -> browser::DownloadProgress {
        from_value(json!({"guid": guid, "totalBytes": 9, "receivedBytes": 4, "state": state})).unwrap()
    }

    #[test]
    fn a_download_is_over_once() {
        let mut downloads = Downloads::default();
        let id = begin(&mut downloads, None, "g");
        assert!(downloads.progressed(&progress("g", "inProgress")).is_none());
        assert_eq!(downloads.get(id).map(|it| (it.received, it.total, it.is_over())), Some((4, Some(9), false)));
        assert!(downloads.progressed(&progress("g", "canceled")).is_some_and(|(_, it)| it.is_over()));
        assert!(downloads.progressed(&progress("g", "completed")).is_none());
        assert!(downloads.progressed(&progress("other", "completed")).is_none());
    }

    #[test]
    fn each_context_has_its_own() {
        let mut downloads = Downloads::default();
        let before = downloads.last();
        let own = begin(&mut downloads, Some("c"), "a");
        begin(&mut downloads, None, "b");
        let context = from_value(json!("c")).unwrap();
        let ids: Vec<DownloadId> = downloads.since(Some(&context), before).map(|it| it.id).collect();
        assert_eq!(ids, [own]);
        assert_eq!(downloads.since(Some(&context), own).count(), 0);
    }

    #[test]
    fn no_more_are_kept_than_may_be() {
        let mut downloads = Downloads::default();
        let first = begin(&mut downloads, None, "running");
        for number in 0..2 * MAX_DOWNLOADS {
            let guid = number.to_string();
            begin(&mut downloads, None, &guid);
            downloads.progressed(&progress(&guid, "completed"));
        }
        assert_eq!((downloads.known.len(), downloads.by_guid.len()), (MAX_DOWNLOADS, MAX_DOWNLOADS));
        assert!(downloads.get(first).is_some(), "one that is under way is not forgotten");
    }
}
