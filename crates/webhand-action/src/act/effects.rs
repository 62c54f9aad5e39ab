//! What an action did: events of the tab and changes of the page, waited for until what the action began has settled.
//!
//! Causal: only requests, navigations and changes that began after the action count, and only those hold its outcome
//! back. Nothing polls and nothing sleeps for a fixed time.

use std::{collections::HashSet, time::Duration};

use futures_util::stream::{FuturesUnordered, StreamExt as _};
use serde::Deserialize;
use serde_json::Value;
use tokio::time::{Instant, timeout_at};
use webhand_browser::{
    Context, ContextEvent, Dialog, DialogKind, DownloadId, Events, FrameId, Heard, Tab, TabEvent, TabId,
};
use webhand_cdp::{Event as _, EventItem, EventStream, protocol::page::WindowOpen};
use webhand_page::{Call, Checked, PageError, World};

use crate::{
    effects::{Effect, Effects},
    session::Session,
};

/// Kinds of requests that a page's next state may hang on. Pictures, streams, beacons and the like do not count.
const CAUSAL: &[&str] = &["Document", "XHR", "Fetch", "Script", "Stylesheet"];

/// The address of a tab's first, empty document.
pub(crate) const BLANK: &str = "about:blank";
/// How long a window that the page asked for may take to be there; one that was refused never is.
const WINDOW_WITHIN: Duration = Duration::from_secs(1);
/// How long the news that a frame went may lag behind its page's silence.
const LOST_FRAME_WITHIN: Duration = Duration::from_millis(200);

/// Listens to the tab from before an action.
#[derive(Debug)]
pub(crate) struct Watch {
    tab: Tab,
    events: Events<TabEvent>,
    /// What happens among the tabs and downloads of its context.
    around: Option<(Context, Events<ContextEvent>)>,
    /// Tabs that no page says it opened: with which place they come.
    strangers: Option<Place>,
    /// The word of each process of the page that it opens a window: it comes well before the window does.
    windows: Vec<EventStream>,
    url: String,
    seen: Seen,
}

/// Where a tab comes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Before the one that is shown.
    Front,
    /// Behind it.
    Back,
}

/// A tab that the page opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Popup {
    pub(crate) tab: TabId,
    pub(crate) place: Place,
    /// Whether an address was asked for, so that its first, empty document is not its page.
    pub(crate) has_page: bool,
}

/// What was seen to follow.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) navigated: Option<(String, bool)>,
    pub(crate) popups: Vec<Popup>,
    /// The addresses of windows that were asked for, and since when the first of them is missing.
    windows: Vec<String>,
    missing_since: Option<Instant>,
    pub(crate) dialogs: Vec<Dialog>,
    pub(crate) answered: Vec<bool>,
    pub(crate) downloads: Vec<DownloadId>,
    pub(crate) closed: bool,
    pub(crate) crashed: bool,
    loading: bool,
    begun: u32,
    failed: u32,
    open: HashSet<String>,
    documents: HashSet<String>,
    status: Option<u16>,
    detached: HashSet<FrameId>,
    frame_gone: bool,
    pub(crate) page: Option<PageEffects>,
}

/// What the page's own observer saw.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PageEffects {
    pub(crate) near: u32,
    pub(crate) far: u32,
    pub(crate) changed: serde_json::Map<String, Value>,
    focus: Option<u32>,
    scrolled: Option<(f64, f64)>,
    pub(crate) any: bool,
    pub(crate) recurring: bool,
    /// Fields that kept the browser from sending their form.
    refused: Vec<Refusal>,
}

/// A field that is not valid.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Refusal {
    id: u32,
    name: String,
    message: String,
}

impl Watch {
    pub(crate) fn start(tab: &Tab) -> Self {
        let mut sessions = vec![tab.session().clone()];
        for frame in tab.frames() {
            if sessions.iter().all(|known| known.id() != frame.session.id()) {
                sessions.push(frame.session);
            }
        }
        let windows = sessions.iter().map(|session| session.events(&[WindowOpen::METHOD])).collect();
        let around = tab.context().map(|context| (context.clone(), context.events()));
        let (events, url) = (tab.events(), tab.url());
        Self { tab: tab.clone(), events, around, strangers: None, windows, url, seen: Seen::default() }
    }

    /// The same for a gesture on which the browser may open a tab without a word of the page's: with the wheel, or with
    /// a key held.
    pub(crate) fn expecting_tabs(mut self, place: Option<Place>) -> Self {
        self.strangers = place;
        self
    }

    fn take_around(&mut self, event: ContextEvent) {
        let own = |tab: TabId, seen: &Seen| tab == self.tab.id() || seen.popups.iter().any(|popup| popup.tab == tab);
        match (event, self.strangers) {
            (ContextEvent::TabOpened { tab, opener: None }, Some(place)) => {
                self.seen.popups.push(Popup { tab, place, has_page: true });
            }
            (ContextEvent::DownloadBegan { download }, _) => {
                let of = self.around.as_ref().and_then(|(context, _)| context.download(download));
                if of.is_some_and(|of| own(of.tab, &self.seen)) {
                    self.seen.downloads.push(download);
                }
            }
            _ => {}
        }
    }

    /// Whether a download that began since is under way.
    fn is_downloading(&self) -> bool {
        let Some((context, _)) = &self.around else { return false };
        self.seen.downloads.iter().any(|id| context.download(*id).is_some_and(|download| !download.is_over()))
    }

    /// Takes in the next thing that happens. False at the end of the tab.
    async fn hear(&mut self) -> bool {
        let around = async {
            match &mut self.around {
                Some((_, events)) => events.next().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            heard = self.events.next() => match heard {
                Some(Heard::Event(event)) => self.take(event),
                Some(_) => {}
                None => return false,
            },
            Some(heard) = around => if let Heard::Event(event) = heard { self.take_around(event) },
        }
        true
    }

    fn take(&mut self, event: TabEvent) {
        let seen = &mut self.seen;
        match event {
            TabEvent::NavigationStarted { main: true, .. } => seen.loading = true,
            TabEvent::Navigated { main: true, url, same_document, .. } => {
                if same_document && url == self.url {
                    return;
                }
                if !same_document {
                    seen.loading = true;
                    seen.status = None;
                }
                let new_document = !same_document || seen.navigated.as_ref().is_some_and(|(_, new)| *new);
                seen.navigated = Some((url, new_document));
            }
            TabEvent::DomReady { main: true, .. } | TabEvent::LoadingStopped { main: true, .. } => seen.loading = false,
            TabEvent::DialogOpened(dialog) => seen.dialogs.push(dialog),
            TabEvent::DialogClosed { dialog, accepted, .. } => {
                // one that the policy answers at once is never told as opened
                if dialog.kind == DialogKind::Alert && seen.dialogs.last() != Some(&dialog) {
                    seen.dialogs.push(dialog);
                }
                seen.answered.push(accepted);
            }
            TabEvent::PopupOpened { tab } => seen.popups.push(Popup { tab, place: Place::Front, has_page: false }),
            TabEvent::RequestStarted { id, kind, redirected: false, .. } if CAUSAL.contains(&kind.as_str()) => {
                seen.begun += 1;
                if kind == "Document" {
                    seen.documents.insert(id.clone());
                }
                seen.open.insert(id);
            }
            TabEvent::RequestFinished { id, status, failed } => {
                // an answer without content is told as aborted, and is an answer
                if seen.open.remove(&id) && failed.is_some() && status.is_none_or(|status| status >= 400) {
                    seen.failed += 1;
                }
                if seen.documents.contains(&id) && status.is_some() {
                    seen.status = status;
                }
            }
            TabEvent::DownloadStarted { .. } => seen.loading = false,
            TabEvent::FrameDetached { frame } => {
                seen.detached.insert(frame);
            }
            TabEvent::Crashed => seen.crashed = true,
            TabEvent::Closed => seen.closed = true,
            _ => {}
        }
    }

    fn drain(&mut self) {
        for stream in &mut self.windows {
            while let Some(item) = stream.try_next() {
                if let EventItem::Event(event) = item
                    && let Ok(window) = event.decode::<WindowOpen>()
                {
                    self.seen.windows.push(window.url);
                    self.seen.missing_since.get_or_insert_with(Instant::now);
                }
            }
        }
        while let Some(heard) = self.events.ready() {
            if let Heard::Event(event) = heard {
                self.take(event);
            }
        }
        while let Some(heard) = self.around.as_mut().and_then(|(_, events)| events.ready()) {
            if let Heard::Event(event) = heard {
                self.take_around(event);
            }
        }
    }

    /// Whether anything was heard that is an effect by itself.
    fn heard_any(&self) -> bool {
        let seen = &self.seen;
        seen.navigated.is_some()
            || seen.loading
            || !seen.popups.is_empty()
            || self.window_missing()
            || !seen.dialogs.is_empty()
            || !seen.downloads.is_empty()
            || seen.begun > 0
            || seen.closed
    }

    /// Whether a window was asked for that is not there yet, though it may still come.
    fn window_missing(&self) -> bool {
        let missing = self.seen.windows.len() > self.seen.popups.len();
        missing && self.seen.missing_since.is_some_and(|since| since.elapsed() < WINDOW_WITHIN)
    }

    /// Whether anything is under way that began since.
    pub(crate) fn has_begun(&mut self) -> bool {
        self.drain();
        self.heard_any() || self.busy()
    }

    /// Whether there is nothing to wait for any more, whatever else may come.
    fn is_over(&self) -> bool {
        self.seen.closed || self.seen.crashed || self.tab.dialog().is_some()
    }

    /// Waits until anything is under way that began since.
    pub(crate) async fn until_begun(&mut self) {
        while !self.has_begun() {
            match self.events.next().await {
                Some(Heard::Event(event)) => self.take(event),
                Some(_) => {}
                None => std::future::pending().await,
            }
        }
    }

    /// Waits until the page is on its way to another one. From then on it answers no calls until that is there.
    pub(crate) async fn until_leaving(&mut self) {
        loop {
            self.drain();
            if self.seen.loading || self.is_over() {
                return;
            }
            if !self.hear().await {
                std::future::pending().await
            }
        }
    }

    /// Waits until what began has settled.
    pub(crate) async fn settle(mut self, world: &World, settings: &crate::session::Settings) -> Seen {
        let started = Instant::now();
        let cap = started + settings.settle_cap;
        let mut patience = settings.patience;
        loop {
            self.drain();
            if self.is_over() {
                break;
            }
            if self.busy() && !self.await_quiet(cap.max(self.load_limit(started, settings))).await {
                break;
            }
            if self.is_over() || self.seen.navigated.as_ref().is_some_and(|(_, new)| *new) {
                break;
            }
            let sure = self.heard_any();
            if sure {
                patience = Duration::from_millis(20);
            }
            let page = self.ask_page(world, patience, cap, sure).await;
            self.drain();
            if page.is_none() && !sure && self.heard_any() && !self.is_over() && !self.seen.loading {
                continue; // asked again, knowing that something followed
            }
            if let Some(page) = page {
                self.seen.page = Some(page);
            }
            if self.is_over() || !self.busy() || Instant::now() >= cap.max(self.load_limit(started, settings)) {
                break;
            }
        }
        if self.seen.page.is_none() && !self.is_over() && !self.heard_any() {
            self.seen.frame_gone = self.lost_frame(world.frame()).await;
        }
        if !self.is_over() && self.seen.navigated.is_none() && !self.seen.frame_gone {
            let _: Result<Value, PageError> = world.call(&Call::new("stopObserving"), Duration::from_millis(200)).await;
        }
        let asked = self.seen.popups.iter_mut().filter(|popup| !popup.has_page);
        for (popup, url) in asked.zip(&self.seen.windows) {
            popup.has_page = !url.is_empty() && url != BLANK;
        }
        self.seen
    }

    /// Whether the frame went away: why its page could not tell of anything.
    async fn lost_frame(&mut self, frame: &FrameId) -> bool {
        let limit = Instant::now() + LOST_FRAME_WITHIN;
        while !self.seen.detached.contains(frame) && !self.is_over() {
            if !timeout_at(limit, self.hear()).await.unwrap_or(false) {
                return false;
            }
        }
        self.seen.detached.contains(frame)
    }

    fn busy(&self) -> bool {
        self.seen.loading || !self.seen.open.is_empty() || self.window_missing() || self.is_downloading()
    }

    /// A navigation is waited for longer than other consequences: until its page can be read.
    fn load_limit(&self, started: Instant, settings: &crate::session::Settings) -> Instant {
        if self.seen.loading { started + settings.navigation_deadline } else { started }
    }

    /// Hears events until nothing that counts is under way. False when the limit passed.
    async fn await_quiet(&mut self, limit: Instant) -> bool {
        while self.busy() && !self.is_over() {
            let missing = self.seen.missing_since.filter(|_| self.window_missing()).map(|since| since + WINDOW_WITHIN);
            let until = missing.map_or(limit, |missing| missing.min(limit));
            match timeout_at(until, self.hear()).await {
                Ok(true) => {}
                Ok(false) => {
                    self.seen.closed = true;
                    return false;
                }
                Err(_) if until < limit => {}
                Err(_) => return false,
            }
        }
        true
    }

    /// The worlds of the frames around a frame: what a click in it does may show in any of them.
    fn outer_worlds(&self, world: &World) -> Vec<World> {
        let mut worlds = Vec::new();
        let mut frame = self.tab.frame(world.frame());
        while let Some(parent) = frame.and_then(|frame| frame.parent) {
            worlds.push(World::new(&self.tab, parent.clone()));
            frame = self.tab.frame(&parent);
        }
        worlds
    }

    /// The page's own account, unless events make it needless first, or make `sure` what was not: that something followed.
    async fn ask_page(&mut self, world: &World, patience: Duration, cap: Instant, sure: bool) -> Option<PageEffects> {
        let left = cap.saturating_duration_since(Instant::now()).max(Duration::from_millis(100));
        let call = Call::new("effects").arg(patience.as_millis() as u64).arg(left.as_millis() as u64).arg(sure);
        let within = left + Duration::from_secs(3);
        let worlds = [world.clone()].into_iter().chain(self.outer_worlds(world)).enumerate();
        let mut asking: FuturesUnordered<_> = worlds
            .map(|(level, world)| {
                let call = &call;
                async move {
                    let answer: Result<Option<PageEffects>, PageError> = world.call(call, within).await;
                    (level, answer.ok().flatten())
                }
            })
            .collect();
        let mut own = None;
        loop {
            tokio::select! {
                Some((level, page)) = asking.next() => match page {
                    Some(page) if level > 0 && page.any => return Some(page.seen_from_outside()),
                    Some(page) if level == 0 && page.any => return Some(page),
                    page => {
                        if level == 0 {
                            own = page;
                        }
                        if asking.is_empty() {
                            return own;
                        }
                    }
                },
                there = self.hear() => {
                    if !there {
                        self.seen.closed = true;
                        return None;
                    }
                    let gone = self.seen.loading || self.seen.navigated.as_ref().is_some_and(|(_, new)| *new);
                    if self.is_over() || gone || (!sure && self.heard_any()) {
                        return None;
                    }
                },
            }
        }
    }
}

impl Seen {
    /// Whether anything at all was seen to follow.
    pub(crate) fn any(&self) -> bool {
        self.any_beside_page() || self.page.as_ref().is_some_and(|page| page.any)
    }

    /// Whether anything was seen to follow that is no change of the page's own document.
    pub(crate) fn any_beside_page(&self) -> bool {
        self.navigated.is_some()
            || self.loading
            || !self.popups.is_empty()
            || !self.dialogs.is_empty()
            || !self.downloads.is_empty()
            || self.begun > 0
            || self.closed
            || self.frame_gone
    }

    /// Whether requests began, and none of them failed.
    pub(crate) fn requests_went_well(&self) -> bool {
        self.begun > 0 && self.failed == 0
    }

    /// In words, that nothing was seen to follow, where it is so.
    pub(crate) fn nothing(&self) -> Option<&'static str> {
        let ticking = self.page.as_ref().is_some_and(|page| page.recurring);
        match (self.any(), ticking) {
            (true, _) => None,
            (false, true) => Some("nothing was seen to follow but what changes again and again by itself"),
            (false, false) => Some("nothing was seen to follow"),
        }
    }

    /// The effects in words, and the session brought up to what happened.
    pub(crate) fn into_effects(self, session: &mut Session, world: &World) -> Effects {
        let mut effects = Effects::none();
        if let Some((url, new_document)) = self.navigated {
            if new_document {
                session.note_status(self.status);
            }
            effects.push(Effect::Navigated { url, status: self.status.filter(|_| new_document), new_document });
        }
        if let Some(url) = session.tab.leaving_for().filter(|_| self.loading) {
            effects.push(Effect::Leaving { url });
        }
        for dialog in &self.dialogs {
            effects
                .push(Effect::DialogOpened { dialog: dialog.kind.name().to_owned(), message: dialog.message.clone() });
        }
        for accepted in self.answered {
            effects.push(Effect::DialogClosed { accepted });
        }
        if self.begun > 0 {
            effects.push(Effect::Requests { begun: self.begun, failed: self.failed });
        }
        if let Some(page) = self.page {
            page.add_to(&mut effects, session, world);
        }
        if self.frame_gone {
            // the frame itself is the change, seen from the page around it
            effects.push(Effect::Dom { near: 1, far: 0 });
        }
        if self.closed {
            effects.push(Effect::TabClosed { tab: session.tab.id().to_string() });
            if session.leave_closed_tab() {
                effects.push(Effect::TabSwitched { tab: session.tab.id().to_string() });
            }
        }
        effects
    }
}

impl PageEffects {
    /// The same as seen from a frame inside: none of it is the target's own.
    fn seen_from_outside(self) -> Self {
        Self { near: 0, far: self.near + self.far, changed: serde_json::Map::new(), focus: None, ..self }
    }

    pub(crate) fn add_to(self, effects: &mut Effects, session: &Session, world: &World) {
        for (key, value) in &self.changed {
            let switch = || match value.as_str() {
                Some("true") => Checked::True,
                Some("mixed") => Checked::Mixed,
                _ => Checked::False,
            };
            match key.as_str() {
                "value" => effects.push(Effect::Value { value: value.as_str().map(str::to_owned) }),
                "secret" => effects.push(Effect::Value { value: None }),
                "checked" => effects.push(Effect::Checked { state: switch() }),
                "pressed" => effects.push(Effect::Pressed { state: switch() }),
                "expanded" => effects.push(Effect::Expanded { open: value.as_bool().unwrap_or(false) }),
                "selected" => {
                    let labels = value.as_array().into_iter().flatten();
                    effects.push(Effect::Selected {
                        labels: labels.filter_map(|label| label.as_str().map(str::to_owned)).collect(),
                    });
                }
                _ => {}
            }
        }
        if let Some(local) = self.focus.filter(|local| *local > 0) {
            let target =
                session.frame_of(world.frame()).and_then(|frame| session.reader.existing(&session.tab, &frame, local));
            let name = target
                .and_then(|target| session.shown()?.control(target.number).map(|(node, _)| node.name.to_string()));
            if target.is_some() {
                effects.push(Effect::Focus { target, name: name.unwrap_or_default() });
            }
        }
        for Refusal { id, name, message } in self.refused {
            let frame = session.frame_of(world.frame());
            let target = frame.and_then(|frame| session.reader.existing(&session.tab, &frame, id));
            effects.push(Effect::Refused { target, name, message });
        }
        if let Some((right, down)) = self.scrolled.filter(|(right, down)| *right != 0.0 || *down != 0.0) {
            effects.push(Effect::Scrolled { right, down });
        }
        if self.near + self.far > 0 && !self.recurring {
            effects.push(Effect::Dom { near: self.near, far: self.far });
        }
    }
}
