//! The thin shell around the state machine: it feeds the protocol's events to
//! it, carries its effects out and wakes who waits for a change.
//!
//! One task takes in the events of all sessions, in order, and never waits for
//! a reply. When the last handle to a browser goes, so does the connection, and
//! with it a browser that was launched.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak, atomic::AtomicBool};
use std::time::Duration;

use tokio::sync::{broadcast, mpsc, oneshot, watch};
use webhand_cdp::protocol::browser::{self, BrowserContextId, SetDownloadBehaviorBehavior};
use webhand_cdp::protocol::{emulation, fetch, inspector, network, page, runtime, target};
use webhand_cdp::{CdpError, Connection, EventFilter, EventItem, EventStream, Pending, RawEvent, SessionId};

use crate::browser::BrowserInfo;
use crate::dialog::DialogPolicy;
use crate::error::BrowserError;
use crate::events::{CONTEXT_EVENTS, ContextEvent, Events, TAB_EVENTS, TabEvent};
use crate::ids::{DocumentId, FrameId, TabId};
use crate::judge::{Place, UrlJudge};
use crate::lineage::Lineage;
use crate::process::Running;
use crate::state::{EVENTS, Effect, Happening, Listing, Machine, TabState, Target};
use crate::tab::saving::{Saved, as_download};

/// The name of the isolated world in every frame.
pub(crate) const WORLD: &str = "webhand";
/// How long the setting up of a session may take before its tab counts as
/// ready nevertheless.
const INITIALISED_WITHIN: Duration = Duration::from_secs(20);
/// Bodies are not read through the browser's buffers: keep them small.
const NETWORK_BUFFER: i64 = 1 << 20;
/// Events that may wait to be taken in.
const BACKLOG: usize = 65_536;

/// Replies that may wait to be taken in.
const LATER: usize = 256;

/// What holds for all tabs of a browser.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    pub(crate) document_scripts: Vec<String>,
    pub(crate) judge: Option<Arc<dyn UrlJudge>>,
    pub(crate) dialogs: DialogPolicy,
    pub(crate) downloads: Option<PathBuf>,
    /// The folder of a private profile, which goes with the browser.
    pub(crate) private: Option<PathBuf>,
    pub(crate) viewport: Option<(u32, u32)>,
}

/// What all handles to one browser share.
pub(crate) struct Shared {
    /// How another one is got when this one is lost.
    pub(crate) lineage: Arc<Lineage>,
    pub(crate) info: OnceLock<Arc<BrowserInfo>>,
    pub(crate) connection: Connection,
    pub(crate) running: Option<Running>,
    pub(crate) options: Mutex<Options>,
    /// The tabs whose documents are saved instead of shown.
    pub(crate) saving: Mutex<HashMap<TabId, Saved>>,
    machine: Mutex<Machine>,
    changed: watch::Sender<u64>,
    later: mpsc::Sender<Later>,
    later_inbox: Mutex<Option<mpsc::Receiver<Later>>>,
    rooms: Mutex<HashMap<TabId, Arc<Room>>>,
    contexts: Mutex<HashMap<Option<BrowserContextId>, broadcast::Sender<ContextEvent>>>,
}

/// A reply that the state machine waits for. It is taken in only when all events
/// that came before it are.
#[derive(Debug)]
enum Later {
    Frames { session: SessionId, tree: Option<Box<page::FrameTree>>, why: Listing },
    Probed { session: SessionId, lost: SessionId, frame: FrameId },
    Title { session: SessionId, title: String },
    Asked(oneshot::Sender<()>),
}

/// What belongs to one tab beside its state.
#[derive(Debug)]
pub(crate) struct Room {
    pub(crate) id: TabId,
    pub(crate) session: SessionId,
    events: Mutex<Option<broadcast::Sender<TabEvent>>>,
    pub(crate) worlds: Mutex<HashMap<FrameId, (DocumentId, runtime::ExecutionContextId)>>,
    /// Whether the page left a command unanswered, and answered none since.
    pub(crate) silent: AtomicBool,
}

pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Shared")
            .field("pid", &self.running.as_ref().map(Running::pid))
            .field("lost", &self.connection.is_closed())
            .finish_non_exhaustive()
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.connection.close();
    }
}

impl Room {
    fn new(id: TabId, session: SessionId) -> Self {
        Self {
            id,
            session,
            events: Mutex::new(Some(broadcast::Sender::new(TAB_EVENTS))),
            worlds: Mutex::default(),
            silent: AtomicBool::new(false),
        }
    }

    /// A stream that has ended already when the tab is gone.
    pub(crate) fn events(&self) -> Events<TabEvent> {
        Events::new(match &*locked(&self.events) {
            Some(sender) => sender.subscribe(),
            None => broadcast::Sender::new(1).subscribe(),
        })
    }

    fn tell(&self, event: TabEvent) {
        let mut events = locked(&self.events);
        let last = event == TabEvent::Closed;
        if let Some(sender) = &*events {
            // Nobody listening is fine.
            let _ = sender.send(event);
        }
        if last {
            *events = None;
        }
    }
}

impl Shared {
    pub(crate) fn new(
        lineage: Arc<Lineage>,
        connection: Connection,
        running: Option<Running>,
        options: Options,
    ) -> Arc<Self> {
        let machine = Machine::new(options.dialogs, lineage.heritage());
        let (later, later_inbox) = mpsc::channel(LATER);
        Arc::new(Self {
            lineage,
            info: OnceLock::new(),
            connection,
            running,
            options: Mutex::new(options),
            saving: Mutex::default(),
            machine: Mutex::new(machine),
            changed: watch::Sender::new(0),
            later,
            later_inbox: Mutex::new(Some(later_inbox)),
            rooms: Mutex::default(),
            contexts: Mutex::default(),
        })
    }

    /// Begins to listen and asks for everything that is needed, in one write.
    /// The reply is the browser's first sign of life.
    pub(crate) fn open(self: &Arc<Self>) -> impl Future<Output = Result<browser::GetVersionReply, CdpError>> + use<> {
        let shared = Arc::clone(self);
        let events = self.connection.events(EventFilter::methods(EVENTS).capacity(BACKLOG));
        if let Some(later) = locked(&self.later_inbox).take() {
            tokio::spawn(take_in_all(Arc::downgrade(self), events, later));
        }
        let mut burst = self.connection.root().burst();
        let contexts = burst.add(&target::GetBrowserContexts {});
        drop(burst.add(&auto_attach("page")));
        let downloads = locked(&self.options).downloads.clone();
        drop(burst.add(&download_behavior(None, downloads)));
        let version = burst.add(&browser::GetVersion {});
        burst.send();
        async move {
            let contexts = contexts.await?;
            shared.machine().set_default_context(contexts.default_browser_context_id);
            version.await
        }
    }

    /// Looks at the state. Must not be held over a wait.
    pub(crate) fn machine(&self) -> MutexGuard<'_, Machine> {
        locked(&self.machine)
    }

    /// Waits until a look at the state gives something.
    pub(crate) async fn wait<T>(&self, mut look: impl FnMut(&Machine) -> Option<T>) -> T {
        let mut changed = self.changed.subscribe();
        loop {
            let seen = look(&self.machine());
            if let Some(seen) = seen {
                return seen;
            }
            // The sender lives in `self`.
            let _ = changed.changed().await;
        }
    }

    /// Waits until every event that has come so far is taken in.
    pub(crate) async fn caught_up(&self) {
        let (answer, answered) = oneshot::channel();
        if self.later.send(Later::Asked(answer)).await.is_ok() {
            let _ = answered.await;
        }
    }

    /// Why a tab is not there: closed, or the whole browser lost.
    pub(crate) fn gone(&self) -> BrowserError {
        if self.connection.is_closed() {
            BrowserError::Lost { detail: "the connection is closed".to_owned() }
        } else {
            BrowserError::TabClosed
        }
    }

    pub(crate) fn room(&self, id: TabId) -> Option<Arc<Room>> {
        locked(&self.rooms).get(&id).cloned()
    }

    pub(crate) fn context_events(&self, context: Option<BrowserContextId>) -> Events<ContextEvent> {
        let mut contexts = locked(&self.contexts);
        let sender = contexts.entry(context).or_insert_with(|| broadcast::Sender::new(CONTEXT_EVENTS));
        Events::new(sender.subscribe())
    }

    pub(crate) fn forget_context(&self, context: Option<&BrowserContextId>) {
        locked(&self.contexts).remove(&context.cloned());
    }

    fn take_in(self: &Arc<Self>, raw: &RawEvent) {
        let happening = match Happening::from_raw(raw) {
            Some(Ok(happening)) => happening,
            Some(Err(error)) => {
                tracing::warn!(%error, "an event could not be read");
                return;
            }
            None => return,
        };
        let effects = self.machine().feed(raw.session.as_ref(), happening);
        self.carry_out(effects);
        self.changed.send_modify(|version| *version += 1);
    }

    fn update(self: &Arc<Self>, change: impl FnOnce(&mut Machine) -> Vec<Effect>) {
        let effects = change(&mut self.machine());
        self.carry_out(effects);
        self.changed.send_modify(|version| *version += 1);
    }

    fn carry_out(self: &Arc<Self>, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Initialise { session, target } => self.initialise(session, target),
                Effect::Release { parent, session } => self.release(parent, session),
                Effect::Probe { session, lost, frame } => self.probe(session, lost, frame),
                Effect::ListFrames { session } => self.list_frames(session, Listing::Restored),
                Effect::AskTitle { session } => self.ask_title(session),
                Effect::Judge { session, tab, request, url, place } => self.judge(session, tab, request, url, place),
                Effect::Answered { session, tab, main, paused } => self.answered(session, tab, main, &paused),
                Effect::Answer { session, accept } => {
                    let session = self.connection.session(session);
                    drop(session.send(&page::HandleJavaScriptDialog::new(accept)));
                }
                Effect::Tab { tab, event } => self.tell_tab(tab, event),
                Effect::Context { context, event } => {
                    if let Some(sender) = locked(&self.contexts).get(&context) {
                        let _ = sender.send(event);
                    }
                }
            }
        }
    }

    fn tell_tab(&self, tab: TabId, event: TabEvent) {
        let room = match event {
            TabEvent::Closed => locked(&self.rooms).remove(&tab),
            _ => self.room(tab),
        };
        if let Some(room) = room {
            if let TabEvent::FrameDetached { frame } = &event {
                locked(&room.worlds).remove(frame);
            }
            room.tell(event);
        }
    }

    /// Everything that a new session needs, in one write, while its target
    /// still waits; the last command lets it run.
    fn initialise(self: &Arc<Self>, id: SessionId, target: Target) {
        if target == Target::Page {
            let tab = self.machine().tabs().find(|tab| tab.session == id).map(|tab| tab.id);
            if let Some(tab) = tab {
                let room = Arc::new(Room::new(tab, id.clone()));
                locked(&self.rooms).insert(tab, room);
            }
        }
        let options = locked(&self.options).clone();
        let session = self.connection.session(id.clone());
        let mut burst = session.burst();
        drop(burst.add(&page::Enable::default()));
        drop(burst.add(&page::SetLifecycleEventsEnabled::new(true)));
        let enable = network::Enable {
            max_total_buffer_size: Some(NETWORK_BUFFER),
            max_resource_buffer_size: Some(NETWORK_BUFFER),
            max_post_data_size: Some(0),
            ..network::Enable::default()
        };
        drop(burst.add(&enable));
        drop(burst.add(&auto_attach("iframe")));
        for source in &options.document_scripts {
            drop(burst.add(&document_script(source)));
        }
        if let Some(pauses) = self.pauses(target == Target::Page && self.is_saved(&id)) {
            drop(burst.add(&pauses));
        }
        if target == Target::Page {
            drop(burst.add(&inspector::Enable {}));
            drop(burst.add(&emulation::SetFocusEmulationEnabled::new(true)));
            if let Some((width, height)) = options.viewport {
                drop(burst.add(&emulation::SetDeviceMetricsOverride::new(
                    i64::from(width),
                    i64::from(height),
                    0.0,
                    false,
                )));
            }
        }
        let tree = burst.add(&page::GetFrameTree {});
        drop(burst.add(&runtime::RunIfWaitingForDebugger {}));
        burst.send();
        self.take_in_frames(id, tree, Listing::New);
    }

    /// Lets a document be requested, or not. Without a judge none waits for that.
    fn judge(&self, session: SessionId, tab: TabId, request: fetch::RequestId, url: String, place: Place) {
        let judge = locked(&self.options).judge.clone();
        let verdict = match (judge, url::Url::parse(&url)) {
            (Some(judge), Ok(url)) => judge.judge(&url, place),
            (Some(_), Err(error)) => Err(error.to_string()),
            (None, _) => Ok(()),
        };
        let session = self.connection.session(session);
        match verdict {
            Ok(()) => drop(session.send(&fetch::ContinueRequest::new(request))),
            Err(reason) => {
                self.machine().blocked(tab, url, reason);
                drop(session.send(&fetch::FailRequest::new(request, network::ErrorReason::BlockedByClient)));
            }
        }
    }

    /// Whether the documents of a tab that was just opened are to be saved, as those of its opener are.
    fn is_saved(&self, session: &SessionId) -> bool {
        let opener = self.machine().tabs().find(|tab| tab.session == *session).and_then(|tab| tab.opener);
        opener.is_some_and(|opener| locked(&self.saving).contains_key(&opener))
    }

    /// What of documents waits for us: the request, where it is judged, and the answer, where it may be saved.
    pub(crate) fn pauses(&self, saved: bool) -> Option<fetch::Enable> {
        let documents = |stage| fetch::RequestPattern {
            url_pattern: Some("*".to_owned()),
            resource_type: Some(network::ResourceType::Document),
            request_stage: Some(stage),
        };
        let judged = locked(&self.options).judge.is_some();
        let stages = [(judged, fetch::RequestStage::Request), (saved, fetch::RequestStage::Response)];
        let patterns: Vec<_> =
            stages.into_iter().filter(|(wanted, _)| *wanted).map(|(_, stage)| documents(stage)).collect();
        (!patterns.is_empty()).then_some(fetch::Enable { patterns: Some(patterns), handle_auth_requests: None })
    }

    /// Lets the answer to a request for a document go on, as a download where it is to be saved.
    fn answered(&self, session: SessionId, tab: TabId, main: bool, paused: &fetch::RequestPaused) {
        let opener = self.machine().tab(tab).and_then(|tab| tab.opener);
        let which = {
            let saving = locked(&self.saving);
            saving.get(&tab).or_else(|| saving.get(&opener?)).copied()
        };
        let mut go_on = fetch::ContinueResponse::new(paused.request_id.clone());
        if let Some(headers) = which.filter(|_| main).and_then(|which| as_download(paused, which)) {
            go_on.response_code = paused.response_status_code;
            go_on.response_headers = Some(headers);
        }
        drop(self.connection.session(session).send(&go_on));
    }

    fn release(&self, parent: Option<SessionId>, session: SessionId) {
        let released = self.connection.session(session.clone());
        drop(released.send(&runtime::RunIfWaitingForDebugger {}));
        let parent = match parent {
            Some(parent) => self.connection.session(parent),
            None => self.connection.root(),
        };
        let detach = target::DetachFromTarget { session_id: Some(session) };
        drop(parent.send(&detach));
    }

    fn probe(self: &Arc<Self>, session: SessionId, lost: SessionId, frame: FrameId) {
        let reply = self.connection.session(session.clone()).send(&page::Enable::default());
        let weak = Arc::downgrade(self);
        tokio::spawn(async move {
            let _ = reply.within(INITIALISED_WITHIN).await;
            let probed = Later::Probed { session, lost, frame };
            if let Some(shared) = weak.upgrade() {
                let _ = shared.later.send(probed).await;
            }
        });
    }

    fn list_frames(self: &Arc<Self>, id: SessionId, why: Listing) {
        let mut burst = self.connection.session(id.clone()).burst();
        if why == Listing::Lagged {
            // Switched on anew, it tells how far each document is.
            drop(burst.add(&page::SetLifecycleEventsEnabled::new(false)));
            drop(burst.add(&page::SetLifecycleEventsEnabled::new(true)));
        }
        let reply = burst.add(&page::GetFrameTree {});
        burst.send();
        self.take_in_frames(id, reply, why);
    }

    fn take_in_frames(self: &Arc<Self>, session: SessionId, reply: Pending<page::GetFrameTreeReply>, why: Listing) {
        let weak = Arc::downgrade(self);
        tokio::spawn(async move {
            let reply = reply.within(INITIALISED_WITHIN).await;
            let frames = Later::Frames { session, tree: reply.ok().map(|reply| Box::new(reply.frame_tree)), why };
            if let Some(shared) = weak.upgrade() {
                let _ = shared.later.send(frames).await;
            }
        });
    }

    fn take_in_later(self: &Arc<Self>, later: Later) {
        self.update(|machine| match later {
            Later::Asked(answer) => {
                // Who asked may have gone.
                let _ = answer.send(());
                Vec::new()
            }
            Later::Title { session, title } => {
                machine.set_title(&session, title);
                Vec::new()
            }
            Later::Probed { session, lost, frame } => machine.probed(&session, &lost, &frame),
            Later::Frames { session, tree, why } => {
                let effects = match tree {
                    Some(tree) => machine.adopt(&session, &tree, why),
                    None => Vec::new(),
                };
                if why == Listing::New {
                    machine.settled(&session);
                }
                effects
            }
        });
    }

    fn ask_title(self: &Arc<Self>, session: SessionId) {
        let reply = self.connection.session(session.clone()).send(&page::GetNavigationHistory {});
        let weak = Arc::downgrade(self);
        tokio::spawn(async move {
            let Ok(history) = reply.within(INITIALISED_WITHIN).await else { return };
            if let (Some(title), Some(shared)) = (title_in(history), weak.upgrade()) {
                let _ = shared.later.send(Later::Title { session, title }).await;
            }
        });
    }

    /// Events were lost: the frames are asked for anew.
    fn catch_up(self: &Arc<Self>, lost: u64) {
        tracing::warn!(lost, "events were lost; asking for the frames anew");
        for session in self.machine().sessions() {
            self.list_frames(session, Listing::Lagged);
        }
    }

    /// The connection is gone, and every tab with it.
    fn lost(self: &Arc<Self>) {
        self.update(Machine::lost);
        locked(&self.contexts).clear();
    }

    /// One more script for the documents of that session.
    pub(crate) fn add_document_script(&self, session: SessionId, source: &str) {
        let session = self.connection.session(session);
        drop(session.send(&document_script(source)));
    }
}

async fn take_in_all(shared: Weak<Shared>, mut events: EventStream, mut later: mpsc::Receiver<Later>) {
    loop {
        // Events first: a reply is taken in when no event is left before it.
        tokio::select! {
            biased;
            item = events.next() => {
                let (Some(item), Some(shared)) = (item, shared.upgrade()) else {
                    break;
                };
                match item {
                    EventItem::Event(raw) => shared.take_in(&raw),
                    EventItem::Lagged(lost) => shared.catch_up(lost),
                }
            }
            Some(reply) = later.recv() => {
                if let Some(shared) = shared.upgrade() {
                    shared.take_in_later(reply);
                }
            }
        }
    }
    if let Some(shared) = shared.upgrade() {
        shared.lost();
    }
}

/// The title of the page that is shown.
pub(crate) fn title_in(history: page::GetNavigationHistoryReply) -> Option<String> {
    let at = usize::try_from(history.current_index).ok()?;
    history.entries.into_iter().nth(at).map(|entry| entry.title)
}

fn only(kind: &str) -> Vec<target::FilterEntry> {
    vec![
        target::FilterEntry { exclude: None, kind: Some(kind.to_owned()) },
        target::FilterEntry { exclude: Some(true), kind: None },
    ]
}

fn auto_attach(kind: &str) -> target::SetAutoAttach {
    let mut attach = target::SetAutoAttach::new(true, true);
    attach.flatten = Some(true);
    attach.filter = Some(only(kind));
    attach
}

fn document_script(source: &str) -> page::AddScriptToEvaluateOnNewDocument {
    let mut script = page::AddScriptToEvaluateOnNewDocument::new(source);
    script.world_name = Some(WORLD.to_owned());
    script.run_immediately = Some(true);
    script
}

pub(crate) fn download_behavior(
    context: Option<BrowserContextId>,
    folder: Option<PathBuf>,
) -> browser::SetDownloadBehavior {
    let mut behavior = browser::SetDownloadBehavior::new(match folder {
        Some(_) => SetDownloadBehaviorBehavior::AllowAndName,
        None => SetDownloadBehaviorBehavior::Deny,
    });
    behavior.browser_context_id = context;
    behavior.download_path = folder.map(|folder| folder.to_string_lossy().into_owned());
    behavior.events_enabled = Some(true);
    behavior
}

/// The state of a tab, or why it is not there.
pub(crate) fn tab_state<'a>(machine: &'a Machine, shared: &Shared, id: TabId) -> Result<&'a TabState, BrowserError> {
    machine.tab(id).ok_or_else(|| shared.gone())
}
