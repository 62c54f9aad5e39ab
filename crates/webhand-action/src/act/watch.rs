//! Waits for what an action began to settle: events of the tab and changes of the page.
//!
//! Causal: only requests, navigations and changes that began after the action count, and only those hold its outcome back.
//! What the page asks for again and again by itself does neither. Nothing polls and nothing sleeps for a fixed time.

use std::time::Duration;

use futures_util::{
    FutureExt as _,
    future::BoxFuture,
    stream::{FuturesUnordered, StreamExt as _},
};
use serde_json::Value;
use tokio::time::{Instant, timeout_at};
use webhand_browser::{
    BrowserError, Context, ContextEvent, DialogKind, Events, Expected, FrameId, Heard, Tab, TabEvent, TabId,
};
use webhand_cdp::{Event as _, EventItem, EventStream, protocol::page::WindowOpen};
use webhand_page::{Call, PageError, World};

use super::effects::{BLANK, PageEffects, Place, Popup, Seen};
use crate::settings::Settings;

/// Kinds of requests that a page's next state may hang on. Pictures, streams, beacons and the like do not count.
const CAUSAL: &[&str] = &["Document", "XHR", "Fetch", "Script", "Stylesheet"];
/// How long a window that the page asked for may take to be there; one that was refused never is.
const WINDOW_WITHIN: Duration = Duration::from_secs(1);
/// How long the news that a frame went may lag behind its page's silence.
const LOST_FRAME_WITHIN: Duration = Duration::from_millis(200);
/// After the last answer that it waited for, the page must be quiet for this long.
const QUIET_AFTER_ANSWER: Duration = Duration::from_millis(60);
/// How much longer than it has a page may take to say what it saw; one that takes longer hangs.
const ANSWERS_WITHIN: Duration = Duration::from_millis(1_900);
/// In so many frames at most is looked for what an action did.
const FRAMES: usize = 40;

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
    /// Requests that were under way before.
    earlier: Vec<String>,
    seen: Seen,
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
        let earlier = tab.open_requests(CAUSAL);
        let around = tab.context().map(|context| (context.clone(), context.events()));
        let (events, url) = (tab.events(), tab.url());
        Self { tab: tab.clone(), events, around, strangers: None, windows, url, earlier, seen: Seen::default() }
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
            TabEvent::Navigated { main: true, url, same_document, .. } => self.navigated(url, same_document),
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
            TabEvent::RequestStarted { id, kind, redirected: false, expected, .. }
                if CAUSAL.contains(&kind.as_str()) =>
            {
                self.requested(id, &kind, expected);
            }
            TabEvent::RequestFinished { id, status, failed } => self.answered(&id, status, failed.is_some()),
            TabEvent::DownloadStarted { .. } => seen.loading = false,
            TabEvent::FrameDetached { frame } => {
                seen.detached.insert(frame);
            }
            TabEvent::Crashed => seen.crashed = true,
            TabEvent::Closed => seen.closed = true,
            _ => {}
        }
    }

    fn navigated(&mut self, url: String, same_document: bool) {
        let seen = &mut self.seen;
        if same_document {
            // whose doing that is, the page knows
            match &mut seen.navigated {
                Some((at, true)) => *at = url,
                _ => seen.moved = Some(url).filter(|url| *url != self.url),
            }
            return;
        }
        seen.loading = true;
        seen.status = None;
        seen.navigated = Some((url, true));
    }

    fn requested(&mut self, id: String, kind: &str, expected: Expected) {
        let seen = &mut self.seen;
        let expected = if kind == "Document" && seen.loading { Expected::No } else { expected };
        match expected {
            Expected::Yes => return,
            Expected::Perhaps => {}
            Expected::No => {
                seen.begun += 1;
                seen.caused.push(id.clone());
            }
        }
        if kind == "Document" {
            seen.documents.insert(id.clone());
        }
        seen.open.insert(id);
    }

    fn answered(&mut self, id: &str, status: Option<u16>, failed: bool) {
        let seen = &mut self.seen;
        // an answer without content is told as aborted, and is an answer
        let failed = failed && status.is_none_or(|status| status >= 400);
        if seen.open.remove(id) && failed && seen.caused.iter().any(|own| own == id) {
            seen.failed += 1;
        }
        if seen.documents.contains(id) && status.is_some() {
            seen.status = status;
        }
        if self.earlier.iter().any(|earlier| earlier == id) {
            seen.earlier_answers.push(Instant::now());
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
        self.seen.heard() || self.window_missing()
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
            if !self.hear().await {
                std::future::pending().await
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
    pub(crate) fn settle<'a>(self, world: &'a World, settings: &'a Settings) -> BoxFuture<'a, Seen> {
        Box::pin(self.settled(world, settings))
    }

    async fn settled(mut self, world: &World, settings: &Settings) -> Seen {
        let worlds = self.worlds(world);
        self.observe(&worlds, settings).await;
        if self.seen.page.is_none() && !self.is_over() && !self.heard_any() {
            self.seen.frame_gone = self.lost_frame(world.frame()).await;
        }
        if !self.is_over() && self.seen.navigated.is_none() && !self.seen.frame_gone && !self.seen.silent {
            end_observing(&worlds).await;
        }
        let asked = self.seen.popups.iter_mut().filter(|popup| !popup.has_page);
        for (popup, url) in asked.zip(&self.seen.windows) {
            popup.has_page = !url.is_empty() && url != BLANK;
        }
        self.tab.caused(&self.seen.caused);
        self.seen
    }

    async fn observe(&mut self, worlds: &[World], settings: &Settings) {
        let started = Instant::now();
        let cap = started + settings.settle_cap;
        let mut patience = settings.patience;
        loop {
            self.drain();
            if self.is_over() {
                return;
            }
            let waited = self.busy();
            if waited && !self.await_quiet(cap.max(self.load_limit(started, settings))).await {
                return;
            }
            if self.is_over() || self.seen.navigated.is_some() {
                return;
            }
            let sure = self.heard_any();
            if sure {
                patience = QUIET_AFTER_ANSWER;
            }
            let asked = Asked { patience, cap, sure, quiet: if waited { QUIET_AFTER_ANSWER } else { Duration::ZERO } };
            let page = self.ask_page(worlds, asked).await;
            self.drain();
            if page.is_none() && !sure && self.heard_any() && !self.is_over() && !self.seen.loading {
                continue; // asked again, knowing that something followed
            }
            if let Some(page) = page {
                self.seen.page = Some(page);
            }
            if self.is_over() || !self.busy() || Instant::now() >= cap.max(self.load_limit(started, settings)) {
                return;
            }
        }
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
    fn load_limit(&self, started: Instant, settings: &Settings) -> Instant {
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

    /// The worlds of the frames in which what an action does may show: first its own, then those around it, then the others.
    fn worlds(&self, own: &World) -> Vec<World> {
        let mut worlds = vec![own.clone()];
        let mut frame = self.tab.frame(own.frame());
        while let Some(parent) = frame.and_then(|frame| frame.parent) {
            worlds.push(World::new(&self.tab, parent.clone()));
            frame = self.tab.frame(&parent);
        }
        for frame in self.tab.frames() {
            if worlds.len() < FRAMES && frame.dom_ready && worlds.iter().all(|known| *known.frame() != frame.id) {
                worlds.push(World::new(&self.tab, frame.id));
            }
        }
        worlds
    }

    /// The page's own account, unless events make it needless first, or make `sure` what was not: that something followed.
    async fn ask_page(&mut self, worlds: &[World], asked: Asked) -> Option<PageEffects> {
        let left = asked.cap.saturating_duration_since(Instant::now()).max(Duration::from_millis(100));
        let call = Call::new("effects").arg(milliseconds(asked.patience)).arg(milliseconds(left));
        let call = &call.arg(asked.sure).arg(milliseconds(asked.quiet));
        let within = (left + asked.patience).min(left.max(asked.patience) + ANSWERS_WITHIN);
        let mut asking: FuturesUnordered<_> = worlds
            .iter()
            .enumerate()
            .map(|(index, world)| async move {
                let within = if index == 0 { within } else { within.min(asked.patience + ANSWERS_WITHIN) };
                (index, world.call::<Option<PageEffects>>(call, within).await)
            })
            .collect();
        let mut own = None;
        loop {
            tokio::select! {
                Some((index, answer)) = asking.next() => {
                    self.seen.silent |= index == 0 && is_silent(&answer);
                    let page = answer.ok().flatten();
                    match page {
                        Some(page) if page.any => return Some(if index == 0 { page } else { page.seen_from_outside() }),
                        page if index == 0 => own = page,
                        _ => {}
                    }
                    if asking.is_empty() || self.seen.silent {
                        return own;
                    }
                },
                there = self.hear() => {
                    if !there {
                        self.seen.closed = true;
                        return None;
                    }
                    let gone = self.seen.loading || self.seen.navigated.is_some();
                    if self.is_over() || gone || (!asked.sure && self.heard_any()) {
                        return None;
                    }
                },
            }
        }
    }
}

/// How the page is asked for its account.
#[derive(Clone, Copy, Debug)]
struct Asked {
    /// How long it waits for a first effect.
    patience: Duration,
    cap: Instant,
    /// Whether it is known that something followed.
    sure: bool,
    /// For how long nothing must change.
    quiet: Duration,
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Whether a page had its time and said nothing.
fn is_silent<T>(answer: &Result<T, PageError>) -> bool {
    matches!(answer, Err(PageError::Browser(BrowserError::Timeout { .. })))
}

/// Tells all that it is over; only the first is waited for, and not for long.
async fn end_observing(worlds: &[World]) {
    let call = &Call::new("stopObserving");
    let mut telling = worlds.iter().map(|world| world.call::<Value>(call, LOST_FRAME_WITHIN));
    let own = telling.next();
    for told in telling {
        let _ = told.now_or_never();
    }
    if let Some(own) = own {
        let _ = own.await;
    }
}
