//! Going somewhere, and knowing what came of it.
//!
//! A navigation is over when its document is parsed and loaded; where slow
//! parts hold the load event up, it counts as over three seconds after the
//! document was parsed. A page that comes back from the back/forward cache does
//! not load, and a change of the address alone loads nothing: both are over at
//! once. Nothing here sleeps.

use std::time::{Duration, SystemTime};

use tokio::time::Instant;
use url::Url;
use webhand_cdp::protocol::page;
use webhand_cdp::{CdpError, Command};

use super::Tab;
use crate::error::{BrowserError, NavigationError};
use crate::ids::DocumentId;
use crate::judge::Place;
use crate::shell::{locked, tab_state};
use crate::state::TabState;

/// How long the load event is waited for after the document is parsed.
const LOAD_GRACE: Duration = Duration::from_secs(3);
/// How long a change that was told in a reply may take to show in the events.
const TOLD_WITHIN: Duration = Duration::from_secs(2);
/// How long after a stop a page may still be shown.
const SHOWN_WITHIN: Duration = Duration::from_millis(300);
/// How long the browser may take to tell of the history.
const HISTORY_WITHIN: Duration = Duration::from_secs(2);
const BLANK: &str = "about:blank";

/// A page that was loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loaded {
    /// Where it ended.
    pub url: String,
    /// The server's status, where there was a server: not for `about:blank`, a
    /// change of the hash, or a page from the back/forward cache.
    pub status: Option<u16>,
    /// The addresses that redirected, first to last.
    pub redirects: Vec<String>,
    /// The document it ended at.
    pub document: DocumentId,
    /// Whether everything that belongs to the page is there. False when the
    /// page can be read but some of its parts are still loading.
    pub complete: bool,
}

/// Where the tab was before.
#[derive(Clone, Copy, Debug)]
struct Before {
    commits: u64,
    moves: u64,
    stops: u64,
    crashed: bool,
}

/// How far a navigation is.
#[derive(Debug, PartialEq)]
enum Stage {
    Parsed,
    Loaded,
    /// It ended, and the tab shows what it showed before.
    Stopped,
}

/// The direction in the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Back,
    Forward,
}

/// Why the browser shows a page of its own in place of the one at that address.
fn load_error(url: String, status: Option<u16>, failed: Option<&str>) -> NavigationError {
    match status {
        Some(status) if status >= 400 => NavigationError::Http { url, status },
        _ => NavigationError::from_net_error(&url, failed.unwrap_or("the page could not be loaded")),
    }
}

/// The same error with the reason of the judge, where it was one.
fn judged(error: NavigationError, blocked: Option<&(String, String)>) -> NavigationError {
    match (error, blocked) {
        (NavigationError::Blocked { .. }, Some((url, reason))) => {
            NavigationError::Blocked { url: url.clone(), reason: reason.clone() }
        }
        (error, _) => error,
    }
}

/// Whether a load was ended on purpose: what there is of the page is the page.
fn is_stopped(word: &str) -> bool {
    word.ends_with("ERR_ABORTED")
}

impl Tab {
    /// Why the page that the tab shows is not the one that was wanted, or not the whole of it: it could not be loaded, or
    /// broke off.
    #[must_use]
    pub fn load_error(&self) -> Option<NavigationError> {
        self.look(|state| {
            let main = state.frames.main()?;
            let document = state.documents.get(main.document.loader()).cloned().unwrap_or_default();
            let broken = document.failed.as_deref().filter(|word| !is_stopped(word));
            let url = main.unreachable.clone().or_else(|| broken.map(|_| main.url.clone()))?;
            let error = load_error(url, document.status, document.failed.as_deref());
            Some(judged(error, state.blocked.as_ref()))
        })
        .ok()
        .flatten()
    }

    /// The server's status for the document that the tab shows, where there was a server.
    #[must_use]
    pub fn document_status(&self) -> Option<u16> {
        self.look(|state| state.documents.get(state.frames.main()?.document.loader())?.status).ok().flatten()
    }

    /// After how long the server of the page that the tab shows wants to be asked again, where it said so.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        let said = self.look(|state| state.documents.get(state.frames.main()?.document.loader())?.retry_after.clone());
        let said = said.ok().flatten()?;
        if let Ok(seconds) = said.trim().parse() {
            return Some(Duration::from_secs(seconds));
        }
        let at = httpdate::parse_http_date(said.trim()).ok()?;
        Some(at.duration_since(SystemTime::now()).unwrap_or_default())
    }

    /// Goes to an address.
    ///
    /// # Errors
    /// A [`NavigationError`] that says why the page was not loaded. After
    /// [`NavigationError::Http`] the server's error page is there to be read.
    pub async fn navigate(&self, url: &str, deadline: Duration) -> Result<Loaded, NavigationError> {
        let parsed = Url::parse(url)
            .map_err(|error| NavigationError::InvalidUrl { url: url.to_owned(), detail: error.to_string() })?;
        self.judge(&parsed)?;
        let trip = Trip::new(self, url, deadline)?;
        self.revive().await;
        let reply = trip.command(&page::Navigate::new(url)).await?;
        if let Some(word) = reply.error_text.filter(|word| !word.is_empty()) {
            let download = reply.is_download == Some(true);
            trip.come_to_rest().await;
            return Err(trip.failure(&word, reply.loader_id.as_ref().map(|id| id.as_str()), download));
        }
        match reply.loader_id {
            Some(_) => trip.arrive().await,
            None => trip.arrive_within().await,
        }
    }

    /// Loads the page again.
    ///
    /// # Errors
    /// [`NavigationError::Resubmission`] where that would send a form again, and as [`Tab::navigate`].
    pub async fn reload(&self, deadline: Duration) -> Result<Loaded, NavigationError> {
        let url = self.url();
        if self.came_of_form() {
            return Err(NavigationError::Resubmission { url });
        }
        let trip = Trip::new(self, &url, deadline)?;
        self.revive().await;
        trip.command(&page::Reload::default()).await?;
        trip.arrive().await
    }

    /// Whether there is a page before the one that is shown, and one after it. A page that is stuck does not hold this up.
    ///
    /// # Errors
    /// [`BrowserError::TabClosed`] or [`BrowserError::Lost`].
    pub async fn history(&self) -> Result<(bool, bool), BrowserError> {
        let history = self.session.send(&page::GetNavigationHistory {}).within(HISTORY_WITHIN).await?;
        let there = |direction| destination(history.clone(), direction).is_ok();
        Ok((there(Direction::Back), there(Direction::Forward)))
    }

    /// Goes back in the history.
    ///
    /// # Errors
    /// [`NavigationError::NoHistory`], and as [`Tab::navigate`].
    pub async fn back(&self, deadline: Duration) -> Result<Loaded, NavigationError> {
        self.travel(Direction::Back, deadline).await
    }

    /// Goes forward in the history.
    ///
    /// # Errors
    /// [`NavigationError::NoHistory`], and as [`Tab::navigate`].
    pub async fn forward(&self, deadline: Duration) -> Result<Loaded, NavigationError> {
        self.travel(Direction::Forward, deadline).await
    }

    async fn travel(&self, direction: Direction, deadline: Duration) -> Result<Loaded, NavigationError> {
        let here = self.url();
        let mut trip = Trip::new(self, &here, deadline)?;
        let history = trip.command(&page::GetNavigationHistory {}).await?;
        let entry = destination(history, direction)?;
        if let Ok(url) = Url::parse(&entry.url) {
            self.judge(&url)?;
        }
        trip.url = entry.url;
        self.revive().await;
        trip.command(&page::NavigateToHistoryEntry::new(entry.id)).await?;
        trip.arrive().await
    }

    /// Whether the page is the answer to a form that was sent: to load it again would send the form again.
    #[must_use]
    pub fn came_of_form(&self) -> bool {
        self.look(TabState::came_of_form).unwrap_or_default()
    }

    fn judge(&self, url: &Url) -> Result<(), NavigationError> {
        let judge = locked(&self.shared.options).judge.clone();
        match judge {
            Some(judge) => {
                judge.judge(url, Place::Tab).map_err(|reason| NavigationError::Blocked { url: url.to_string(), reason })
            }
            None => Ok(()),
        }
    }
}

/// The entry to go to. The blank page that every tab begins with is not one.
fn destination(
    history: page::GetNavigationHistoryReply,
    direction: Direction,
) -> Result<page::NavigationEntry, NavigationError> {
    let (step, name) = match direction {
        Direction::Back => (-1, "back"),
        Direction::Forward => (1, "forward"),
    };
    let at = history.current_index.checked_add(step);
    let at = at.and_then(|at| usize::try_from(at).ok());
    at.and_then(|at| {
        let entry = history.entries.into_iter().nth(at)?;
        (at > 0 || entry.url != BLANK).then_some(entry)
    })
    .ok_or(NavigationError::NoHistory { direction: name })
}

/// One navigation under way.
struct Trip<'a> {
    tab: &'a Tab,
    url: String,
    after: Duration,
    at: Instant,
    before: Before,
}

impl<'a> Trip<'a> {
    fn new(tab: &'a Tab, url: &str, deadline: Duration) -> Result<Self, NavigationError> {
        let before = tab.look(|state| Before {
            commits: state.commits,
            moves: state.moves,
            stops: state.stops,
            crashed: state.crashed,
        });
        let now = Instant::now();
        let mut trip = Self {
            tab,
            url: url.to_owned(),
            after: deadline,
            at: now.checked_add(deadline).unwrap_or(now),
            before: Before { commits: 0, moves: 0, stops: 0, crashed: false },
        };
        trip.before = before.map_err(|gone| trip.trouble(gone))?;
        Ok(trip)
    }

    /// Sends a command and waits for its reply within the deadline.
    async fn command<C: Command>(&self, command: &C) -> Result<C::Reply, NavigationError> {
        let reply = self.tab.session.send(command);
        let raced = async {
            tokio::select! {
                biased;
                reply = reply => reply.map_err(|error| self.refused(error)),
                trouble = self.tab.trouble(!self.before.crashed) => Err(self.trouble(trouble)),
            }
        };
        match tokio::time::timeout_at(self.at, raced).await {
            Ok(reply) => reply,
            Err(_) => Err(self.timed_out()),
        }
    }

    /// Waits for the new document.
    async fn arrive(&self) -> Result<Loaded, NavigationError> {
        loop {
            let stage = tokio::time::timeout_at(self.at, self.reach(Stage::Parsed)).await;
            match stage {
                Ok(Ok(Stage::Parsed)) => {}
                Ok(Ok(Stage::Loaded)) => return self.result(),
                Ok(Ok(Stage::Stopped)) if self.stays_stopped().await => return Err(self.stopped()),
                Ok(Ok(Stage::Stopped)) => continue,
                Ok(Err(trouble)) => return Err(trouble),
                Err(_) => return Err(self.timed_out()),
            }
            let patience = self.at.min(Instant::now() + LOAD_GRACE);
            match tokio::time::timeout_at(patience, self.reach(Stage::Loaded)).await {
                Ok(Ok(_)) => return self.result(),
                Ok(Err(trouble)) => return Err(trouble),
                // The page may have gone on to another one meanwhile.
                Err(_) if self.is_parsed() => return self.result(),
                Err(_) => {}
            }
        }
    }

    /// Waits for a change of the address alone.
    async fn arrive_within(&self) -> Result<Loaded, NavigationError> {
        let id = self.tab.room.id;
        let told = self.tab.shared.wait(|machine| match machine.tab(id) {
            Some(state) if state.moves == self.before.moves => None,
            _ => Some(()),
        });
        let _ = tokio::time::timeout(TOLD_WITHIN, told).await;
        self.result()
    }

    /// A page from the back/forward cache stops loading just before it is
    /// shown: so a stop counts only when nothing is shown right after it.
    async fn stays_stopped(&self) -> bool {
        let id = self.tab.room.id;
        let shown = self.tab.shared.wait(|machine| match machine.tab(id) {
            Some(state) if state.commits == self.before.commits => None,
            _ => Some(()),
        });
        let patience = self.at.min(Instant::now() + SHOWN_WITHIN);
        tokio::time::timeout_at(patience, shown).await.is_err()
    }

    /// Waits until a navigation that failed has shown its error page or given
    /// up, so that it does not get in the way of the next.
    async fn come_to_rest(&self) {
        let id = self.tab.room.id;
        let rest = self.tab.shared.wait(|machine| match machine.tab(id) {
            Some(state)
                if state.commits == self.before.commits
                    && state.stops == self.before.stops
                    && (!state.crashed || self.before.crashed) =>
            {
                None
            }
            _ => Some(()),
        });
        let _ = tokio::time::timeout_at(self.at.min(Instant::now() + TOLD_WITHIN), rest).await;
    }

    /// Waits until the navigation is as far as that, or further.
    async fn reach(&self, least: Stage) -> Result<Stage, NavigationError> {
        let id = self.tab.room.id;
        let shared = &self.tab.shared;
        shared
            .wait(|machine| {
                let state = match tab_state(machine, shared, id) {
                    Ok(state) => state,
                    Err(gone) => return Some(Err(self.trouble(gone))),
                };
                if let Some(trouble) = self.held_up(state) {
                    return Some(Err(trouble));
                }
                match self.stage(state)? {
                    Stage::Parsed if least == Stage::Loaded => None,
                    stage => Some(Ok(stage)),
                }
            })
            .await
    }

    fn held_up(&self, state: &TabState) -> Option<NavigationError> {
        if let Some(dialog) = state.held_dialog() {
            return Some(self.trouble(BrowserError::DialogOpen(Box::new(dialog.clone()))));
        }
        (state.crashed && !self.before.crashed).then(|| self.trouble(BrowserError::TabCrashed))
    }

    fn stage(&self, state: &TabState) -> Option<Stage> {
        if state.commits == self.before.commits {
            if state.moves > self.before.moves {
                return Some(Stage::Loaded);
            }
            let stopped = state.stops > self.before.stops && state.pending.is_none();
            return stopped.then_some(Stage::Stopped);
        }
        let main = state.frames.main()?;
        match (&main.progress, &state.pending) {
            (progress, None) if progress.loaded => Some(Stage::Loaded),
            (progress, _) if progress.dom_ready => Some(Stage::Parsed),
            _ => None,
        }
    }

    fn is_parsed(&self) -> bool {
        let parsed = |state: &TabState| state.frames.main().is_some_and(|main| main.progress.dom_ready);
        self.tab.look(parsed).unwrap_or_default()
    }

    /// What the tab shows now, as the result.
    fn result(&self) -> Result<Loaded, NavigationError> {
        let seen = self.tab.look(|state| {
            let moved_only = state.commits == self.before.commits;
            state.frames.main().map(|main| {
                let document =
                    state.documents.get(main.document.loader()).filter(|_| !moved_only).cloned().unwrap_or_default();
                let loaded = Loaded {
                    url: main.url.clone(),
                    status: document.status,
                    redirects: document.redirects,
                    document: main.document.clone(),
                    complete: main.progress.loaded,
                };
                (loaded, main.unreachable.clone(), document.failed)
            })
        });
        let (loaded, unreachable, failed) = match seen {
            Ok(Some(seen)) => seen,
            Ok(None) => return Err(self.trouble(BrowserError::FrameGone)),
            Err(gone) => return Err(self.trouble(gone)),
        };
        let broken = failed.as_deref().filter(|word| !is_stopped(word));
        if let Some(unreachable) = unreachable.or_else(|| broken.map(|_| loaded.url.clone())) {
            return Err(load_error(unreachable, loaded.status, failed.as_deref()));
        }
        match loaded.status {
            Some(status) if status >= 400 => Err(NavigationError::Http { url: loaded.url, status }),
            _ => Ok(loaded),
        }
    }

    /// Why a navigation failed that the browser gave a word for.
    fn failure(&self, word: &str, loader: Option<&str>, download: bool) -> NavigationError {
        let url = self.url.clone();
        if self.tab.is_crashed() && !self.before.crashed {
            return self.trouble(BrowserError::TabCrashed);
        }
        let (document, downloaded) = self
            .tab
            .look(|state| {
                let document = loader.and_then(|loader| state.documents.get(loader)).cloned();
                (document, state.last_download.clone())
            })
            .unwrap_or_default();
        if download || (word.ends_with("ERR_ABORTED") && downloaded.as_deref() == Some(&url)) {
            return NavigationError::Download { url };
        }
        match document.and_then(|document| document.status) {
            Some(status) if status >= 400 => NavigationError::Http { url, status },
            _ => {
                let blocked = self.tab.look(|state| state.blocked.clone()).ok().flatten();
                judged(NavigationError::from_net_error(&url, word), blocked.as_ref())
            }
        }
    }

    /// Why a navigation ended without a document.
    fn stopped(&self) -> NavigationError {
        self.failure("net::ERR_ABORTED", None, false)
    }

    fn timed_out(&self) -> NavigationError {
        // Without this a tab would go on waiting for a server that is silent.
        drop(self.tab.session.send(&page::StopLoading {}));
        NavigationError::Timeout { url: self.url.clone(), after: self.after }
    }

    fn refused(&self, error: CdpError) -> NavigationError {
        match error {
            CdpError::Protocol { message, .. } if message.contains("invalid URL") => {
                NavigationError::InvalidUrl { url: self.url.clone(), detail: message }
            }
            CdpError::Closed { .. } | CdpError::SessionGone { .. } => self.trouble(error.into()),
            other => NavigationError::Other { url: self.url.clone(), detail: other.to_string() },
        }
    }

    fn trouble(&self, error: BrowserError) -> NavigationError {
        let url = self.url.clone();
        match error {
            BrowserError::DialogOpen(dialog) => {
                NavigationError::Dialog { url, kind: dialog.kind, message: dialog.message }
            }
            other => NavigationError::Lost { url, detail: other.to_string() },
        }
    }
}
