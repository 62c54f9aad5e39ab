//! All tabs of one browser, and the sessions that their parts live in.

use std::collections::{BTreeMap, HashMap};

use webhand_cdp::SessionId;
use webhand_cdp::protocol::browser::{self, BrowserContextId};
use webhand_cdp::protocol::{fetch, page, target};

use super::downloads::{DownloadState, Downloads};
use super::frames::Listing;
use super::happening::Happening;
use super::heritage::{Awaited, Heritage, LeftTab};
use super::tab::{OpenDialog, TabState};
use crate::dialog::{Dialog, DialogPolicy, DialogRule};
use crate::events::{ContextEvent, TabEvent};
use crate::ids::{FrameId, TabId};
use crate::judge::Place;

/// What the shell has to do.
#[derive(Debug)]
pub(crate) enum Effect {
    /// Set up a session that was just attached, and let its target run.
    Initialise { session: SessionId, target: Target },
    /// Let a target run and let go of it: it is none of ours.
    Release { parent: Option<SessionId>, session: SessionId },
    /// Make sure that all events of that session so far were taken in, then
    /// call [`Machine::probed`].
    Probe { session: SessionId, lost: SessionId, frame: FrameId },
    /// Ask for the frames of that session, then call [`Machine::adopt`].
    ListFrames { session: SessionId },
    /// Ask for the title of that session's tab, then call
    /// [`Machine::set_title`].
    AskTitle { session: SessionId },
    /// Judge a request for a document that waits for it: go on with it, or refuse it and call [`Machine::blocked`].
    Judge { session: SessionId, tab: TabId, request: fetch::RequestId, url: String, place: Place },
    /// The answer to a request for a document waits: let it go on, as it is or as a download.
    Answered { session: SessionId, tab: TabId, main: bool, paused: Box<fetch::RequestPaused> },
    /// Answer a dialog as the policy says.
    Answer { session: SessionId, accept: bool },
    /// Tell who listens to that tab.
    Tab { tab: TabId, event: TabEvent },
    /// Tell who listens to that context.
    Context { context: Option<BrowserContextId>, event: ContextEvent },
}

/// What a session is attached to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// The top of a tab.
    Page,
    /// A frame in a process of its own.
    Frame,
}

#[derive(Debug)]
struct Attached {
    tab: TabId,
    target: Target,
    /// Frames that went before the session's list of frames came.
    gone: Option<Vec<FrameId>>,
}

/// The state of all tabs.
#[derive(Debug, Default)]
pub(crate) struct Machine {
    sessions: HashMap<SessionId, Attached>,
    tabs: BTreeMap<TabId, TabState>,
    downloads: Downloads,
    last_tab: u32,
    /// The tabs that there were when the connection was lost.
    left: Vec<LeftTab>,
    default_context: Option<BrowserContextId>,
    policy: DialogPolicy,
    heritage: Heritage,
}

impl Machine {
    /// Goes on after one whose browser was lost, where there was one.
    pub(crate) fn new(policy: DialogPolicy, heritage: Heritage) -> Self {
        Self { policy, last_tab: heritage.last_tab, heritage, ..Self::default() }
    }

    /// What the machine of the browser that comes next must know of this one, whose browser is lost.
    pub(crate) fn heritage(&self) -> Heritage {
        Heritage::of(self.last_tab, &self.left)
    }

    /// The tabs that there were when the browser was lost.
    pub(crate) fn left(&self) -> &[LeftTab] {
        &self.left
    }

    /// The next tab of that context is to have that name again; no other one is opened there meanwhile.
    pub(crate) fn await_tab(&mut self, awaited: Awaited) {
        self.heritage.awaited.push(awaited);
    }

    /// That tab did not come.
    pub(crate) fn await_no_more(&mut self, id: TabId) {
        self.heritage.awaited.retain(|awaited| awaited.id != id);
    }

    pub(crate) fn tab(&self, id: TabId) -> Option<&TabState> {
        self.tabs.get(&id)
    }

    pub(crate) fn tabs(&self) -> impl Iterator<Item = &TabState> {
        self.tabs.values()
    }

    pub(crate) fn tab_of_target(&self, target: &target::TargetId) -> Option<&TabState> {
        self.tabs.values().find(|tab| tab.target == *target)
    }

    /// The downloads of all contexts.
    pub(crate) fn downloads(&self) -> &Downloads {
        &self.downloads
    }

    /// The browser has a name for its default context too; here it has none.
    pub(crate) fn set_default_context(&mut self, id: Option<BrowserContextId>) {
        self.default_context = id;
        for tab in self.tabs.values_mut() {
            if tab.context == self.default_context {
                tab.context = None;
            }
        }
    }

    pub(crate) fn policy(&self) -> DialogPolicy {
        self.policy
    }

    pub(crate) fn set_policy(&mut self, policy: DialogPolicy) {
        self.policy = policy;
    }

    /// The sessions of a tab, its own first.
    pub(crate) fn sessions_of(&self, tab: TabId) -> Vec<SessionId> {
        let top = self.tabs.get(&tab).map(|tab| tab.session.clone());
        let parts = self
            .sessions
            .iter()
            .filter(|(id, attached)| attached.tab == tab && Some(*id) != top.as_ref())
            .map(|(id, _)| id.clone());
        top.iter().cloned().chain(parts).collect()
    }

    /// All sessions, for when events were lost.
    pub(crate) fn sessions(&self) -> Vec<SessionId> {
        self.sessions.keys().cloned().collect()
    }

    /// Takes in one event.
    pub(crate) fn feed(&mut self, session: Option<&SessionId>, happening: Happening) -> Vec<Effect> {
        match happening {
            Happening::TargetAttached(event) => self.attached(session, *event),
            Happening::TargetDetached(event) => self.detached(&event.session_id),
            Happening::DownloadBegan(event) => self.download_began(*event),
            Happening::DownloadProgress(event) => self.download_progressed(&event),
            other => match session {
                Some(session) => self.feed_session(session, other),
                None => Vec::new(),
            },
        }
    }

    fn feed_session(&mut self, session: &SessionId, happening: Happening) -> Vec<Effect> {
        let Some(attached) = self.sessions.get_mut(session) else {
            return Vec::new();
        };
        let id = attached.tab;
        let top = attached.target == Target::Page;
        if let (Some(gone), Happening::FrameDetached(event)) = (&mut attached.gone, &happening) {
            gone.push(event.frame_id.clone());
        }
        let Some(tab) = self.tabs.get_mut(&id) else {
            return Vec::new();
        };
        let mut effects = Vec::new();
        let event = match happening {
            Happening::RequestStarted(event) => Some(tab.request_started(*event)),
            Happening::ResponseReceived(event) => {
                tab.response_received(&event);
                None
            }
            Happening::LoadingFinished(event) => Some(tab.request_finished(event.request_id, None)),
            Happening::LoadingFailed(event) => Some(tab.request_finished(event.request_id, Some(event.error_text))),
            Happening::Lifecycle(event) => {
                let event = tab.progressed(session, *event);
                if let Some(TabEvent::DomReady { main: true, .. } | TabEvent::Loaded { main: true, .. }) = event {
                    effects.push(Effect::AskTitle { session: session.clone() });
                }
                event
            }
            Happening::FrameAttached(event) => tab
                .frames
                .attached(session, &event.frame_id, &event.parent_frame_id)
                .then(|| TabEvent::FrameAttached { frame: event.frame_id.clone() }),
            Happening::FrameNavigated(event) => {
                // A page that comes back has its frames already.
                if event.kind == Some(page::NavigationType::BackForwardCacheRestore) {
                    effects.push(Effect::ListFrames { session: session.clone() });
                }
                tab.navigated(session, &event)
            }
            Happening::FrameDetached(event) => {
                let swapped = event.reason == Some(page::FrameDetachedReason::Swap);
                let gone = tab.frames.detached(session, &event.frame_id, swapped);
                effects.extend(frames_gone(id, gone));
                None
            }
            Happening::FrameStartedNavigating(event) => tab.started_navigating(*event),
            Happening::FrameStoppedLoading(event) => tab.stopped_loading(event.frame_id),
            Happening::NavigatedWithinDocument(event) => tab.moved_within(session, &event),
            Happening::DialogOpening(event) => {
                let dialog = Dialog::from_event(*event);
                return dialog_opened(tab, session, dialog, &self.policy);
            }
            Happening::DialogClosed(event) => dialog_closed(tab, *event),
            Happening::PageCrashed(_) if top => return crashed(tab),
            Happening::RequestPaused(event) => return vec![request_paused(tab, session, *event)],
            _ => None,
        };
        effects.extend(event.map(|event| Effect::Tab { tab: id, event }));
        effects
    }

    fn attached(&mut self, parent: Option<&SessionId>, event: target::AttachedToTarget) -> Vec<Effect> {
        let info = event.target_info;
        let session = event.session_id;
        match info.kind.as_str() {
            "page" if !info.url.starts_with("devtools://") => self.tab_attached(session, info),
            "iframe" => self.frame_attached(parent, session, info),
            _ => vec![Effect::Release { parent: parent.cloned(), session }],
        }
    }

    fn tab_attached(&mut self, session: SessionId, info: target::TargetInfo) -> Vec<Effect> {
        if self.tab_of_target(&info.target_id).is_some() {
            // Attached twice: the first session stays.
            return vec![Effect::Release { parent: None, session }];
        }
        let context = info.browser_context_id.filter(|context| Some(context) != self.default_context.as_ref());
        let known = self.heritage.claim(&info.target_id, context.as_ref());
        let known = known.filter(|known| !self.tabs.contains_key(&known.id));
        let id = known.as_ref().map_or(TabId::new(self.last_tab + 1), |known| known.id);
        self.last_tab = self.last_tab.max(id.number());
        let opener = info.opener_id.as_ref().and_then(|opener| self.tab_of_target(opener)).map(|tab| tab.id);
        let mut tab = TabState::new(id, session.clone(), info.target_id, &info.url);
        tab.context = context;
        tab.opener = opener;
        if let Some(known) = known {
            tab.opener = tab.opener.or(known.opener);
            tab.frames.count_on_after(known.documents);
        }
        tab.title = info.title;
        let context = tab.context.clone();
        self.tabs.insert(id, tab);
        self.sessions.insert(session.clone(), Attached { tab: id, target: Target::Page, gone: Some(Vec::new()) });
        let mut effects = vec![
            Effect::Initialise { session, target: Target::Page },
            Effect::Context { context, event: ContextEvent::TabOpened { tab: id, opener } },
        ];
        effects.extend(opener.map(|opener| Effect::Tab { tab: opener, event: TabEvent::PopupOpened { tab: id } }));
        effects
    }

    fn frame_attached(
        &mut self,
        parent: Option<&SessionId>,
        session: SessionId,
        info: target::TargetInfo,
    ) -> Vec<Effect> {
        let owner = parent.and_then(|parent| self.sessions.get(parent));
        let Some(id) = owner.map(|owner| owner.tab) else {
            return vec![Effect::Release { parent: parent.cloned(), session }];
        };
        let frame = FrameId(info.target_id.as_str().to_owned());
        let mut effects = vec![Effect::Initialise { session: session.clone(), target: Target::Frame }];
        if let Some(tab) = self.tabs.get_mut(&id) {
            let parent = info.parent_frame_id.as_ref();
            if tab.frames.moved(&session, &frame, parent, &info.url) {
                let event = TabEvent::FrameAttached { frame };
                effects.push(Effect::Tab { tab: id, event });
            }
        }
        self.sessions.insert(session, Attached { tab: id, target: Target::Frame, gone: Some(Vec::new()) });
        effects
    }

    fn detached(&mut self, session: &SessionId) -> Vec<Effect> {
        let Some(attached) = self.sessions.remove(session) else {
            return Vec::new();
        };
        let id = attached.tab;
        match attached.target {
            Target::Page => self.closed(id),
            Target::Frame => {
                let Some(tab) = self.tabs.get(&id) else {
                    return Vec::new();
                };
                // The frame is gone, or came back into its parent's process
                // and the parent's session has yet to say so.
                tab.frames
                    .orphans(session)
                    .into_iter()
                    .map(|frame| Effect::Probe { session: tab.session.clone(), lost: session.clone(), frame })
                    .collect()
            }
        }
    }

    /// The answer to [`Effect::Probe`].
    pub(crate) fn probed(&mut self, top: &SessionId, lost: &SessionId, frame: &FrameId) -> Vec<Effect> {
        let Some(id) = self.sessions.get(top).map(|attached| attached.tab) else {
            return Vec::new();
        };
        match self.tabs.get_mut(&id) {
            Some(tab) => frames_gone(id, tab.frames.remove_orphan(lost, frame)).collect(),
            None => Vec::new(),
        }
    }

    /// The answer to [`Effect::ListFrames`]. After lost events the list is the
    /// only truth.
    pub(crate) fn adopt(&mut self, session: &SessionId, tree: &page::FrameTree, why: Listing) -> Vec<Effect> {
        let Some(attached) = self.sessions.get_mut(session) else {
            return Vec::new();
        };
        let gone = attached.gone.take().unwrap_or_default();
        let id = attached.tab;
        let top = attached.target == Target::Page;
        let Some(tab) = self.tabs.get_mut(&id) else {
            return Vec::new();
        };
        let mut effects = Vec::new();
        if why == Listing::Lagged {
            effects.extend(frames_gone(id, tab.frames.prune(session, tree)));
        }
        let events = tab.adopt(session, tree, &gone, why);
        effects.extend(events.into_iter().map(|event| Effect::Tab { tab: id, event }));
        tab.ready |= top;
        effects
    }

    /// The setting up of a session is over, well or badly.
    pub(crate) fn settled(&mut self, session: &SessionId) {
        if let Some(attached) = self.sessions.get_mut(session) {
            attached.gone = None;
            if attached.target == Target::Page
                && let Some(tab) = self.tabs.get_mut(&attached.tab)
            {
                tab.ready = true;
            }
        }
    }

    /// A document was refused.
    pub(crate) fn blocked(&mut self, tab: TabId, url: String, reason: String) {
        if let Some(tab) = self.tabs.get_mut(&tab) {
            tab.blocked = Some((url, reason));
        }
    }

    /// What the browser says of a target that may be a tab.
    pub(crate) fn described(&mut self, info: target::TargetInfo) {
        let tab = self.tabs.values_mut().find(|tab| tab.target == info.target_id);
        if let Some(tab) = tab {
            tab.title = info.title;
        }
    }

    /// These requests of a tab were the doing of an action.
    pub(crate) fn caused(&mut self, tab: TabId, ids: &[String]) {
        if let Some(tab) = self.tabs.get_mut(&tab) {
            tab.caused(ids);
        }
    }

    /// The answer to [`Effect::AskTitle`].
    pub(crate) fn set_title(&mut self, session: &SessionId, title: String) {
        let tab = self.sessions.get(session).map(|attached| attached.tab);
        if let Some(tab) = tab.and_then(|tab| self.tabs.get_mut(&tab)) {
            tab.title = title;
        }
    }

    /// The connection is gone, and every tab with it.
    pub(crate) fn lost(&mut self) -> Vec<Effect> {
        self.left = self.tabs.values().map(LeftTab::of).collect();
        let tabs: Vec<TabId> = self.tabs.keys().copied().collect();
        tabs.into_iter().flat_map(|id| self.closed(id)).collect()
    }

    fn closed(&mut self, id: TabId) -> Vec<Effect> {
        let Some(tab) = self.tabs.remove(&id) else {
            return Vec::new();
        };
        self.sessions.retain(|_, attached| attached.tab != id);
        vec![
            Effect::Tab { tab: id, event: TabEvent::Closed },
            Effect::Context { context: tab.context, event: ContextEvent::TabClosed { tab: id } },
        ]
    }

    fn download_began(&mut self, event: browser::DownloadWillBegin) -> Vec<Effect> {
        let tab = self.tabs.values_mut().find(|tab| tab.frames.get(&event.frame_id).is_some());
        let Some(tab) = tab else {
            return Vec::new();
        };
        tab.last_download = Some(event.url.clone());
        let (id, context, media_type) = (tab.id, tab.context.clone(), tab.media_type_of(&event.url));
        let told = TabEvent::DownloadStarted {
            id: event.guid.clone(),
            url: event.url.clone(),
            name: event.suggested_filename.clone(),
        };
        let download = self.downloads.began(context.clone(), id, media_type, event);
        vec![
            Effect::Tab { tab: id, event: told },
            Effect::Context { context, event: ContextEvent::DownloadBegan { download } },
        ]
    }

    fn download_progressed(&mut self, event: &browser::DownloadProgress) -> Vec<Effect> {
        let Some((context, download)) = self.downloads.progressed(event) else {
            return Vec::new();
        };
        let path = match &download.state {
            DownloadState::Complete { path } => path.clone(),
            _ => None,
        };
        let complete = matches!(download.state, DownloadState::Complete { .. });
        let told = TabEvent::DownloadFinished { id: download.guid.clone(), path, bytes: download.received, complete };
        vec![
            Effect::Tab { tab: download.tab, event: told },
            Effect::Context { context, event: ContextEvent::DownloadOver { download: download.id } },
        ]
    }
}

fn frames_gone(tab: TabId, gone: Vec<FrameId>) -> impl Iterator<Item = Effect> {
    gone.into_iter().map(move |frame| Effect::Tab { tab, event: TabEvent::FrameDetached { frame } })
}

fn crashed(tab: &mut TabState) -> Vec<Effect> {
    if tab.pending.take().is_some() {
        // the process that was to show the next document went, too: nothing will come of it
        tab.stops += 1;
    }
    if std::mem::replace(&mut tab.crashed, true) {
        return Vec::new();
    }
    tab.dialog = None;
    vec![Effect::Tab { tab: tab.id, event: TabEvent::Crashed }]
}

fn request_paused(tab: &TabState, session: &SessionId, event: fetch::RequestPaused) -> Effect {
    let main = tab.frames.main().is_some_and(|main| main.id.0 == event.frame_id.as_str());
    if event.response_status_code.is_some() || event.response_error_reason.is_some() {
        return Effect::Answered { session: session.clone(), tab: tab.id, main, paused: Box::new(event) };
    }
    let place = match (main, tab.opener.is_some() && tab.commits == 0) {
        (true, true) => Place::Popup,
        (true, false) => Place::Tab,
        (false, _) => Place::Frame,
    };
    let url = event.request.url + event.request.url_fragment.as_deref().unwrap_or_default();
    Effect::Judge { session: session.clone(), tab: tab.id, request: event.request_id, url, place }
}

fn dialog_opened(tab: &mut TabState, session: &SessionId, dialog: Dialog, policy: &DialogPolicy) -> Vec<Effect> {
    let rule = policy.rule(dialog.kind);
    tab.dialogs += 1;
    tab.dialog = Some(OpenDialog {
        serial: tab.dialogs,
        dialog: dialog.clone(),
        session: session.clone(),
        held: rule == DialogRule::Hold,
    });
    vec![match rule {
        DialogRule::Hold => Effect::Tab { tab: tab.id, event: TabEvent::DialogOpened(dialog) },
        DialogRule::Accept | DialogRule::Dismiss => {
            Effect::Answer { session: session.clone(), accept: rule == DialogRule::Accept }
        }
    }]
}

fn dialog_closed(tab: &mut TabState, event: page::JavascriptDialogClosed) -> Option<TabEvent> {
    let dialog = tab.dialog.take()?.dialog;
    let asked = dialog.kind == crate::dialog::DialogKind::Prompt && event.result;
    Some(TabEvent::DialogClosed { dialog, accepted: event.result, text: asked.then_some(event.user_input) })
}
