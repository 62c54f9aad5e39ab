//! The control plane of a session: what can be seen and done while an action is under way, whatever its page does.
//!
//! It shares no lock with the work on pages, and asks no page anything.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use serde::Serialize;
use tokio::{
    sync::watch,
    time::{Instant, timeout},
};
use webhand_browser::{BrowserError, Context as BrowserContext, Dialog as OpenDialog, Tab, TabId};
use webhand_guard::Secret;
use webhand_page::TabMeta;

use crate::{
    act,
    catalogue::{self, Action, TabOp},
    effects::Effect,
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    session::browser_trouble,
};

/// So long at most does the browser keep a control waiting for what is not needed.
const SHORT: Duration = Duration::from_millis(40);

/// Ends what is under way: an action, a reply of several, a run of the agent. Cheap to clone; all clones are one.
///
/// What is under way at that moment ends; what begins later does not know of it.
#[derive(Clone, Debug)]
pub struct Stopper {
    times: Arc<watch::Sender<u64>>,
}

impl Default for Stopper {
    fn default() -> Self {
        Self { times: Arc::new(watch::Sender::new(0)) }
    }
}

impl Stopper {
    /// Ends what is under way.
    pub fn stop(&self) {
        self.times.send_modify(|times| *times += 1);
    }

    /// Hears of stops from now on.
    #[must_use]
    pub fn listen(&self) -> Stops {
        Stops { heard: self.times.subscribe(), _kept: Arc::clone(&self.times) }
    }
}

/// Whether what began with it was told to stop.
#[derive(Clone, Debug)]
pub struct Stops {
    heard: watch::Receiver<u64>,
    _kept: Arc<watch::Sender<u64>>,
}

impl Stops {
    /// Whether it was told so already.
    #[must_use]
    pub fn told(&self) -> bool {
        self.heard.has_changed().unwrap_or(false)
    }

    /// Waits until it is told so.
    pub async fn wait(&mut self) {
        if self.heard.changed().await.is_err() {
            // nobody is left who could say it; `_kept` makes sure that there is
            std::future::pending::<()>().await;
        }
    }
}

/// What the session and its controls share: small facts, each locked for a moment and never across a wait.
#[derive(Debug)]
pub(crate) struct Desk {
    facts: Mutex<Facts>,
    pub(crate) stopper: Stopper,
}

#[derive(Debug)]
struct Facts {
    /// Another one once the browser was lost and came again.
    context: BrowserContext,
    current: TabId,
    /// The tab that is to be current when the session goes on.
    wanted: Option<TabId>,
    under_way: Option<UnderWay>,
    /// Values that were typed: no text that leaves holds one.
    secrets: Vec<Secret>,
}

/// An action that is under way.
#[derive(Clone, Debug, PartialEq, Eq)]
struct UnderWay {
    action: String,
    since: Instant,
}

impl Desk {
    pub(crate) fn new(context: BrowserContext, current: TabId) -> Arc<Self> {
        let facts = Mutex::new(Facts { context, current, wanted: None, under_way: None, secrets: Vec::new() });
        Arc::new(Self { facts, stopper: Stopper::default() })
    }

    fn facts(&self) -> MutexGuard<'_, Facts> {
        self.facts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An action begins on that tab; it is under way until the value is dropped.
    pub(crate) fn begin(self: &Arc<Self>, action: &str, current: TabId) -> Under {
        let mut facts = self.facts();
        facts.current = current;
        let before = facts.under_way.replace(UnderWay { action: action.to_owned(), since: Instant::now() });
        Under { desk: Arc::clone(self), before }
    }

    /// Another value was typed.
    pub(crate) fn keep_secret(&self, secret: Secret) {
        self.facts().secrets.push(secret);
    }

    /// That tab is current now.
    pub(crate) fn is_on(&self, current: TabId) {
        self.facts().current = current;
    }

    /// The tabs are in that context now.
    pub(crate) fn moves_to(&self, context: BrowserContext) {
        self.facts().context = context;
    }

    fn context(&self) -> BrowserContext {
        self.facts().context.clone()
    }

    /// The tab that a control made current since.
    pub(crate) fn take_wanted(&self) -> Option<TabId> {
        self.facts().wanted.take()
    }

    fn want(&self, tab: TabId) {
        self.facts().wanted = Some(tab);
    }

    fn current(&self) -> TabId {
        let facts = self.facts();
        facts.wanted.unwrap_or(facts.current)
    }
}

/// An action under way; when it is dropped, what was under way before is so again.
#[derive(Debug)]
pub(crate) struct Under {
    desk: Arc<Desk>,
    before: Option<UnderWay>,
}

impl Drop for Under {
    fn drop(&mut self) {
        self.desk.facts().under_way = self.before.take();
    }
}

/// What a session is about, known without asking a page.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Status {
    /// The current tab's id.
    pub tab: String,
    /// The address it shows.
    pub url: String,
    /// The dialog that it holds open.
    pub dialog: Option<OpenDialog>,
    /// The name of the action that is under way.
    pub action: Option<String>,
    /// For how long it has been.
    pub since: Option<Duration>,
    /// All tabs, with the titles last heard of.
    pub tabs: Vec<TabMeta>,
}

/// What can be seen and done while an action of the session is under way. Cheap to clone, and `Send`.
///
/// ```no_run
/// # async fn example(mut session: webhand_action::Session) {
/// use std::time::Duration;
/// use webhand_action::catalogue::Click;
///
/// let control = session.control();
/// tokio::spawn(async move {
///     tokio::time::sleep(Duration::from_secs(1)).await;
///     println!("{:?}", control.status());
///     control.stop();
/// });
/// let outcome = session.perform(Click::on("B5")).await; // a second at most
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct SessionControl {
    desk: Arc<Desk>,
}

impl SessionControl {
    pub(crate) fn new(desk: Arc<Desk>) -> Self {
        Self { desk }
    }

    /// Ends what is under way, an action or a reply of several: its outcome says `stopped`. What begins later is not
    /// concerned.
    pub fn stop(&self) {
        self.desk.stopper.stop();
    }

    /// What ends it, to be handed on.
    #[must_use]
    pub fn stopper(&self) -> Stopper {
        self.desk.stopper.clone()
    }

    /// What the session is about now.
    #[must_use]
    pub fn status(&self) -> Status {
        let (under_way, secrets) = {
            let facts = self.desk.facts();
            (facts.under_way.clone(), facts.secrets.clone())
        };
        let tab = self.tab();
        let mut url = tab.as_ref().map(Tab::url).unwrap_or_default();
        act::redact_text(&secrets, &mut url);
        let mut dialog = tab.and_then(|tab| tab.dialog());
        if let Some(dialog) = &mut dialog {
            act::redact_text(&secrets, &mut dialog.message);
        }
        Status {
            tab: self.desk.current().to_string(),
            url,
            dialog,
            since: under_way.as_ref().map(|under_way| under_way.since.elapsed()),
            action: under_way.map(|under_way| under_way.action),
            tabs: self.tabs(),
        }
    }

    /// The tabs, with the titles last heard of.
    #[must_use]
    pub fn tabs(&self) -> Vec<TabMeta> {
        let mut tabs = tabs_of(&self.desk.context(), self.desk.current());
        let secrets = self.desk.facts().secrets.clone();
        for tab in &mut tabs {
            act::redact_text(&secrets, &mut tab.title);
            act::redact_text(&secrets, &mut tab.url);
        }
        tabs
    }

    /// The dialog that the current tab holds open.
    #[must_use]
    pub fn dialog(&self) -> Option<OpenDialog> {
        self.tab()?.dialog()
    }

    /// Answers that dialog.
    ///
    /// # Errors
    /// [`BrowserError::NoDialog`] where none is open.
    pub async fn answer_dialog(&self, accept: bool, text: Option<String>) -> Result<OpenDialog, BrowserError> {
        self.tab().ok_or(BrowserError::TabClosed)?.answer_dialog(accept, text).await
    }

    /// Closes the session's tabs and drops what its context keeps.
    ///
    /// # Errors
    /// [`BrowserError::Lost`] where the browser is gone.
    pub async fn close(&self) -> Result<(), BrowserError> {
        self.desk.context().close().await
    }

    /// Performs an action that needs no page, beside whatever is under way: `tab` and `dialog`. A tab that it makes
    /// current is so when the action under way is over.
    pub async fn perform(&self, action: impl Into<Action>) -> Outcome {
        let action = action.into();
        let started = Instant::now();
        let done = match &action {
            Action::Tab(order) => self.order(order).await,
            Action::Dialog(answer) => self.answer(answer).await,
            other => Err(ActionError::new(ErrorCode::Unsupported, format!("{} needs the page", other.name()))
                .with_hint("wait for the action that is under way, or stop it")),
        };
        let mut outcome = done.unwrap_or_else(|error| Outcome::failed(action, error));
        let secrets = self.desk.facts().secrets.clone();
        act::redact(&secrets, &mut outcome);
        outcome.elapsed = started.elapsed();
        outcome
    }

    /// The current tab, where it is there.
    fn tab(&self) -> Option<Tab> {
        self.desk.context().tab(self.desk.current())
    }

    async fn answer(&self, answer: &catalogue::Dialog) -> Result<Outcome, ActionError> {
        let dialog =
            self.answer_dialog(answer.accept, answer.text.clone()).await.map_err(|error| browser_trouble(&error))?;
        let word = if answer.accept { "accepted" } else { "dismissed" };
        let message = format!("{word} the {} {:?}", dialog.kind.name(), dialog.message);
        let mut outcome = Outcome::done(answer.clone().into(), message);
        outcome.effects.push(Effect::DialogClosed { accepted: answer.accept });
        Ok(outcome)
    }

    /// Carries out an order about tabs.
    pub(crate) async fn order(&self, order: &catalogue::Tab) -> Result<Outcome, ActionError> {
        let trouble = |error: BrowserError| browser_trouble(&error);
        let mut outcome = Outcome::done(order.clone().into(), String::new());
        match order.op {
            TabOp::New => {
                let tab = self.desk.context().new_tab(None).await.map_err(trouble)?.id();
                self.desk.want(tab);
                outcome.message = format!("opened tab {tab}");
                let (tab, url) = (tab.to_string(), "about:blank".to_owned());
                outcome.effects.push(Effect::TabOpened { tab, url, followed: true });
            }
            TabOp::Switch => {
                let tab = self.find(order)?;
                // a browser that takes its time over that does not hold anybody up
                if let Ok(activated) = timeout(SHORT, tab.activate()).await {
                    activated.map_err(trouble)?;
                }
                self.desk.want(tab.id());
                outcome.message = format!("tab {} is current: {}", tab.id(), tab.url());
                outcome.effects.push(Effect::TabSwitched { tab: tab.id().to_string() });
            }
            TabOp::Close => {
                let tab = if order.id.is_some() { self.find(order)? } else { self.tab().ok_or_else(gone)? };
                let next = self.close_tab(&tab).await.map_err(trouble)?;
                outcome.message = format!("closed tab {}; tab {next} is current", tab.id());
                outcome.effects.push(Effect::TabClosed { tab: tab.id().to_string() });
            }
            _ => {}
        }
        // a browser that is gone, or takes its time, has the titles that were last known
        let _ = timeout(SHORT, self.desk.context().titled_tabs()).await;
        if outcome.message.is_empty() {
            outcome.message = self.list();
        }
        outcome.data = Some(serde_json::json!({ "tabs": self.tabs() }));
        Ok(outcome)
    }

    /// Closes a tab, and says which is current then.
    async fn close_tab(&self, tab: &Tab) -> Result<TabId, BrowserError> {
        let mut next = self.desk.current();
        if self.desk.context().tabs().len() <= 1 {
            // closing the last one leaves a blank
            next = self.desk.context().new_tab(None).await?.id();
        } else if next == tab.id() {
            next = successor(&self.desk.context(), tab).map_or(next, |tab| tab.id());
        }
        tab.close().await?;
        self.desk.want(next);
        Ok(next)
    }

    fn find(&self, order: &catalogue::Tab) -> Result<Tab, ActionError> {
        let wanted = order.tab_id().unwrap_or_default();
        self.desk.context().tabs().into_iter().find(|tab| tab.id().to_string() == wanted).ok_or_else(|| {
            ActionError::new(ErrorCode::InvalidAction, format!("there is no tab {wanted}"))
                .with_kind("unknown_tab")
                .with_hint(self.list())
        })
    }

    fn list(&self) -> String {
        let tabs: Vec<String> = self
            .tabs()
            .into_iter()
            .map(|tab| format!("{}{} {:?} {}", if tab.active { "*" } else { "" }, tab.id, tab.title, tab.url))
            .collect();
        format!("{} {}: {}", tabs.len(), if tabs.len() == 1 { "tab" } else { "tabs" }, tabs.join("; "))
    }
}

fn gone() -> ActionError {
    ActionError::new(ErrorCode::BrowserLost, "the tab is gone")
}

/// Which tab is current when one goes: the one that opened it, else the newest of the others.
pub(crate) fn successor(context: &BrowserContext, gone: &Tab) -> Option<Tab> {
    let mut others: Vec<Tab> = context.tabs().into_iter().filter(|tab| tab.id() != gone.id()).collect();
    let opener = gone.opener().and_then(|opener| others.iter().position(|tab| tab.id() == opener));
    match opener {
        Some(at) => Some(others.swap_remove(at)),
        None => others.pop(),
    }
}

/// The tabs of a context, with the titles last heard of.
pub(crate) fn tabs_of(context: &BrowserContext, current: TabId) -> Vec<TabMeta> {
    let tabs = context.tabs().into_iter();
    tabs.map(|tab| {
        let opener = tab.opener().map(|opener| opener.to_string());
        TabMeta::new(tab.id().to_string(), tab.title(), tab.url(), tab.id() == current, opener)
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[test]
    fn a_stop_ends_what_is_under_way_and_nothing_that_comes_later() {
        let stopper = Stopper::default();
        stopper.stop();
        let mut under_way = stopper.listen();
        assert!(!under_way.told() && under_way.wait().now_or_never().is_none());
        stopper.clone().stop();
        assert!(under_way.told() && under_way.wait().now_or_never().is_some());
        assert!(!stopper.listen().told());
    }
}
