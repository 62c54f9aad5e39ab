//! The state of one tab.

use std::collections::HashMap;

use webhand_cdp::SessionId;
use webhand_cdp::protocol::browser::BrowserContextId;
use webhand_cdp::protocol::target::TargetId;
use webhand_cdp::protocol::{network, page};

use super::documents::{Documents, full_url, status_of};
use super::frames::{Frame, FrameTree, Listing};
use super::habits::Habits;
use crate::dialog::Dialog;
use crate::events::{Expected, TabEvent};
use crate::ids::{FrameId, TabId};

/// Requests under way that are remembered, at most.
const MAX_REQUESTS: usize = 4_096;

/// What is known about one tab.
#[derive(Debug)]
pub(crate) struct TabState {
    pub(crate) id: TabId,
    pub(crate) target: TargetId,
    pub(crate) context: Option<BrowserContextId>,
    pub(crate) opener: Option<TabId>,
    pub(crate) session: SessionId,
    pub(crate) title: String,
    pub(crate) frames: FrameTree,
    pub(crate) documents: Documents,
    /// Where the main frame is about to go: loader and address.
    pub(crate) pending: Option<(String, String)>,
    /// How often the main frame changed its document.
    pub(crate) commits: u64,
    /// How often the main frame changed only its address.
    pub(crate) moves: u64,
    /// How often a navigation of the main frame ended without a document.
    pub(crate) stops: u64,
    /// Downloads that began, by address, so that a navigation can be told
    /// apart from one; only the last.
    pub(crate) last_download: Option<String>,
    /// The document that was refused last, and why.
    pub(crate) blocked: Option<(String, String)>,
    /// The address and the type of the document that was answered last.
    answered: Option<(String, String)>,
    pub(crate) dialog: Option<OpenDialog>,
    pub(crate) dialogs: u64,
    pub(crate) crashed: bool,
    /// The frames that the tab was found with are known.
    pub(crate) ready: bool,
    requests: HashMap<network::RequestId, UnderWay>,
    habits: Habits,
}

/// A request that is under way.
#[derive(Debug)]
struct UnderWay {
    kind: String,
    status: Option<u16>,
}

/// A dialog that is open, and who was told of it.
#[derive(Clone, Debug)]
pub(crate) struct OpenDialog {
    pub(crate) dialog: Dialog,
    pub(crate) session: SessionId,
    /// Which dialog of the tab it is.
    pub(crate) serial: u64,
    /// Whether it waits for the caller (or is being answered by the policy).
    pub(crate) held: bool,
}

impl TabState {
    pub(crate) fn new(id: TabId, session: SessionId, target: TargetId, url: &str) -> Self {
        let main = FrameId(target.as_str().to_owned());
        Self {
            id,
            target,
            context: None,
            opener: None,
            session: session.clone(),
            title: String::new(),
            frames: FrameTree::new(main, session, url),
            documents: Documents::default(),
            pending: None,
            commits: 0,
            moves: 0,
            stops: 0,
            last_download: None,
            blocked: None,
            answered: None,
            dialog: None,
            dialogs: 0,
            crashed: false,
            ready: false,
            requests: HashMap::new(),
            habits: Habits::default(),
        }
    }

    /// The dialog that waits for the caller.
    pub(crate) fn held_dialog(&self) -> Option<&Dialog> {
        self.dialog.as_ref().filter(|open| open.held).map(|open| &open.dialog)
    }

    /// The address that it shows, or that could not be loaded.
    pub(crate) fn address(&self) -> String {
        let main = self.frames.main();
        main.map(|main| main.unreachable.clone().unwrap_or_else(|| main.url.clone())).unwrap_or_default()
    }

    /// Whether the page is the answer to a form that was sent. A script that gave it another address made it another entry.
    pub(crate) fn came_of_form(&self) -> bool {
        let plain = |url: &str| url.split('#').next().unwrap_or_default().to_owned();
        let Some(main) = self.frames.main() else { return false };
        let document = self.documents.get(main.document.loader());
        document.is_some_and(|document| document.posted && plain(&document.url) == plain(&main.url))
    }

    fn is_main(&self, frame: &FrameId) -> bool {
        frame == self.frames.main_id()
    }

    pub(crate) fn started_navigating(&mut self, event: page::FrameStartedNavigating) -> Option<TabEvent> {
        use page::FrameStartedNavigatingNavigationType as Kind;
        if matches!(event.navigation_type, Kind::SameDocument | Kind::HistorySameDocument) {
            return None;
        }
        let main = self.is_main(&event.frame_id);
        if main {
            self.pending = Some((event.loader_id.to_string(), event.url.clone()));
        }
        self.frames.get(&event.frame_id).is_some().then_some(TabEvent::NavigationStarted {
            frame: event.frame_id,
            main,
            url: event.url,
        })
    }

    pub(crate) fn stopped_loading(&mut self, frame: FrameId) -> Option<TabEvent> {
        let main = self.is_main(&frame);
        if main && self.pending.take().is_some() {
            self.stops += 1;
        }
        self.frames.get(&frame).is_some().then_some(TabEvent::LoadingStopped { frame, main })
    }

    pub(crate) fn navigated(&mut self, session: &SessionId, event: &page::FrameNavigated) -> Option<TabEvent> {
        let restored = event.kind == Some(page::NavigationType::BackForwardCacheRestore);
        let frame = self.frames.navigated(session, &event.frame, restored)?;
        let (id, url, document) = (frame.id.clone(), frame.url.clone(), frame.document.clone());
        let main = self.is_main(&id);
        if main {
            self.commits += 1;
            self.crashed = false;
            if self.pending.as_ref().is_some_and(|(loader, _)| loader == document.loader()) || restored {
                self.pending = None;
            }
        }
        Some(TabEvent::Navigated { frame: id, main, url, document, same_document: false })
    }

    /// Takes in a list of frames. Gives what is to be told.
    pub(crate) fn adopt(
        &mut self,
        session: &SessionId,
        tree: &page::FrameTree,
        gone: &[FrameId],
        why: Listing,
    ) -> Vec<TabEvent> {
        let document = |frames: &FrameTree| frames.main().map(|main| main.document.clone());
        let before = document(&self.frames);
        let adopted = self.frames.adopt(session, tree, gone, why);
        if why == Listing::Lagged && document(&self.frames) != before {
            self.commits += 1;
        }
        let added = adopted.added.into_iter().map(|frame| TabEvent::FrameAttached { frame });
        let shown = adopted.shown.iter().filter_map(|id| self.frames.get(id)).map(|frame| self.shown(frame));
        added.chain(shown).collect()
    }

    fn shown(&self, frame: &Frame) -> TabEvent {
        TabEvent::Navigated {
            frame: frame.id.clone(),
            main: self.is_main(&frame.id),
            url: frame.url.clone(),
            document: frame.document.clone(),
            same_document: false,
        }
    }

    pub(crate) fn moved_within(
        &mut self,
        session: &SessionId,
        event: &page::NavigatedWithinDocument,
    ) -> Option<TabEvent> {
        let frame = self.frames.moved_within(session, &event.frame_id, &event.url)?;
        let document = frame.document.clone();
        let main = self.is_main(&event.frame_id);
        if main {
            self.moves += 1;
        }
        Some(TabEvent::Navigated {
            frame: event.frame_id.clone(),
            main,
            url: event.url.clone(),
            document,
            same_document: true,
        })
    }

    pub(crate) fn progressed(&mut self, session: &SessionId, event: page::LifecycleEvent) -> Option<TabEvent> {
        if !self.frames.progressed(session, &event) {
            return None;
        }
        let main = self.is_main(&event.frame_id);
        let frame = event.frame_id;
        Some(if event.name == "load" { TabEvent::Loaded { frame, main } } else { TabEvent::DomReady { frame, main } })
    }

    pub(crate) fn request_started(&mut self, event: network::RequestWillBeSent) -> TabEvent {
        let navigation = event.request_id.as_str() == event.loader_id.as_str();
        if navigation && event.frame_id.as_ref().is_some_and(|frame| self.is_main(frame)) {
            self.documents.requested(&event);
        }
        let redirected = event.redirect_response.is_some();
        let expected = if redirected { Expected::No } else { self.habits.take(&event) };
        let kind = event.kind.map(|kind| kind.as_str().to_owned()).unwrap_or_default();
        if self.requests.len() < MAX_REQUESTS {
            self.requests.insert(event.request_id.clone(), UnderWay { kind: kind.clone(), status: None });
        }
        TabEvent::RequestStarted {
            url: full_url(&event.request),
            kind,
            frame: event.frame_id,
            redirected,
            expected,
            id: event.request_id.0,
        }
    }

    pub(crate) fn response_received(&mut self, event: &network::ResponseReceived) {
        if let Some(under_way) = self.requests.get_mut(&event.request_id) {
            under_way.status = status_of(event.response.status);
        }
        if event.kind == network::ResourceType::Document {
            self.answered = Some((event.response.url.clone(), event.response.mime_type.clone()));
        }
        let navigation = event.request_id.as_str() == event.loader_id.as_str();
        if navigation && event.frame_id.as_ref().is_some_and(|frame| self.is_main(frame)) {
            self.documents.answered(event);
        }
    }

    pub(crate) fn request_finished(&mut self, id: network::RequestId, failed: Option<String>) -> TabEvent {
        if let Some(word) = &failed {
            self.documents.failed(id.as_str(), word);
        }
        let status = self.requests.remove(&id).and_then(|under_way| under_way.status);
        TabEvent::RequestFinished { status, failed, id: id.0 }
    }

    /// Requests that are under way, with their kinds.
    pub(crate) fn requests_under_way(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.requests.iter().map(|(id, under_way)| (id.as_str(), under_way.kind.as_str()))
    }

    /// What the server said that the document at that address is, where it is the one that was answered last.
    pub(crate) fn media_type_of(&self, url: &str) -> Option<String> {
        let (_, media_type) = self.answered.as_ref().filter(|(answered, _)| answered == url)?;
        Some(media_type.clone()).filter(|media_type| !media_type.is_empty())
    }

    /// These requests were the doing of an action.
    pub(crate) fn caused(&mut self, ids: &[String]) {
        self.habits.forget(ids);
    }
}
