//! A session: the tabs of one context, one of them current, with what its user has seen of them.
//!
//! It is the one place where actions are performed; agent, command line and library all come through here.

use std::{collections::HashMap, sync::Arc};

use serde::Serialize;
use tokio::time::Instant;
use webhand_browser::{Browser, BrowserError, Context as BrowserContext, FrameInfo, NavigationError, Tab, TabId};
use webhand_guard::Secret;
use webhand_page::{Context, Control, Node, PageError, Reader, Snapshot, TabMeta};

use crate::{
    act,
    catalogue::{Action, Catalogue, Target},
    control::{Desk, SessionControl, Stops, successor, tabs_of},
    effects::Effect,
    error::{ActionError, ErrorCode},
    files::{FileRules, Store},
    locator::{Stage, Wanted},
    outcome::Outcome,
    policy::Policy,
    recover::{Keeper, Owed},
    risk::Judged,
    secrets::Codes,
    settings::Settings,
    view::View,
};

/// Something to keep, told by `remember`.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct Fact {
    /// Under which name.
    pub key: String,
    /// What.
    pub value: String,
    /// The address of the page that was shown then.
    pub url: String,
}

/// What makes a control itself, as it was when the user saw it; in the form in which the page's library takes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Fingerprint {
    pub(crate) role: String,
    pub(crate) name: String,
    pub(crate) item: u64,
    pub(crate) tag: String,
    pub(crate) id: Option<String>,
    pub(crate) attr_name: Option<String>,
    pub(crate) test_id: Option<String>,
    /// No control that was listed, but any element that a script's selector named, or a part of a control.
    pub(crate) plain: bool,
    /// Others on the page that the user saw are like it in all of this.
    pub(crate) twins: bool,
    /// The words that a part of a control must have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) words: Option<String>,
}

impl Fingerprint {
    pub(crate) fn of(node: &Node, control: &Control) -> Self {
        Self {
            role: node.role.as_str().to_owned(),
            name: node.name.to_string(),
            item: control.item,
            tag: control.tag.clone(),
            id: control.attributes.id.clone(),
            attr_name: control.attributes.name.clone(),
            test_id: control.attributes.test_id.clone(),
            plain: false,
            twins: false,
            words: None,
        }
    }

    /// That of a part of a control, which was found a moment ago and is used at once.
    pub(crate) fn of_part(role: &str, name: &str, words: Option<&str>) -> Self {
        Self {
            role: role.to_owned(),
            name: name.to_owned(),
            item: 0,
            tag: String::new(),
            id: None,
            attr_name: None,
            test_id: None,
            plain: true,
            twins: false,
            words: words.map(str::to_owned),
        }
    }

    /// Whether it is that of a part of a control.
    pub(crate) fn is_part(&self) -> bool {
        self.plain && self.tag.is_empty()
    }

    /// Whether another control of the page has all that makes this one itself.
    pub(crate) fn has_twins(&self, page: &Snapshot) -> bool {
        page.controls().filter(|(node, control)| self.is_of(node, control)).nth(1).is_some()
    }

    fn is_of(&self, node: &Node, control: &Control) -> bool {
        self.role == node.role.as_str() && *self.name == *node.name && self.item == control.item
    }
}

/// The tabs of one context, and how to look at and act on them.
///
/// ```no_run
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use webhand_action::{Session, catalogue::Click};
/// use webhand_browser::{Browser, Launch};
///
/// let browser = Browser::launch(Launch::default()).await?;
/// let mut session = Session::open(&browser, "https://example.com").await?;
/// let snapshot = session.snapshot().await?;
/// let (_, more) = snapshot.by_role_and_name("link", "More information...").ok_or("no such link")?;
/// session.perform(Click::on(more.r#ref)).await.into_result()?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Session {
    pub(crate) context: BrowserContext,
    pub(crate) tab: Tab,
    pub(crate) reader: Reader,
    pub(crate) catalogue: Arc<Catalogue>,
    pub(crate) settings: Settings,
    pub(crate) facts: Vec<Fact>,
    pub(crate) store: Store,
    pub(crate) status: HashMap<TabId, u16>,
    pub(crate) shown: Option<Arc<Snapshot>>,
    pub(crate) desk: Arc<Desk>,
    pub(crate) codes: Codes,
    fingerprints: HashMap<u32, Fingerprint>,
    /// Values of the vault that were typed: no text that leaves holds one.
    pub(crate) secrets: Vec<Secret>,
    /// Frames whose own text showed one of them when it was read last.
    pub(crate) echoing: Vec<(u32, webhand_browser::FrameId)>,
    /// The action under way, and what was said of it.
    pub(crate) judged: Judged,
    /// The tab in which an action that commits brought a dialog up, and why it does.
    pub(crate) held_commit: Option<(TabId, String)>,
    /// What would be lost with the browser.
    pub(crate) keeper: Keeper,
    /// Pages that tabs have yet to show again after a loss.
    pub(crate) owed: Vec<Owed>,
    /// What was mended since the last outcome, for the next one.
    pub(crate) mended: Vec<String>,
}

/// Why a session could not be opened or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// The first page did not load.
    #[error(transparent)]
    Navigation(#[from] NavigationError),
    /// The browser failed.
    #[error(transparent)]
    Browser(#[from] BrowserError),
    /// The page could not be read.
    #[error(transparent)]
    Page(#[from] PageError),
    /// It was told to stop.
    #[error("stopped")]
    Stopped,
    /// The browser was lost, and did not come again.
    #[error("{}", .0.detail)]
    NotRecovered(ActionError),
}

impl SessionError {
    /// The stable word for it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            SessionError::Navigation(_) => "navigation",
            SessionError::Browser(error) => error.code(),
            SessionError::Page(error) => error.code(),
            SessionError::Stopped => "stopped",
            SessionError::NotRecovered(error) => error.code(),
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            SessionError::Navigation(error) => error.hint(),
            SessionError::Browser(error) => error.hint(),
            SessionError::Page(error) => error.hint(),
            SessionError::Stopped => None,
            SessionError::NotRecovered(error) => error.hint(),
        }
    }
}

impl Session {
    /// A session in a context of its own, at that address.
    ///
    /// # Errors
    /// When no tab can be opened or the page does not load.
    pub async fn open(browser: &Browser, url: &str) -> Result<Self, SessionError> {
        let mut session = Self::blank(browser).await?;
        let deadline = session.settings.navigation_deadline;
        let loaded = session.tab.navigate(url, deadline).await?;
        session.note_status(loaded.status);
        Ok(session)
    }

    /// A session in a context of its own, with one empty tab.
    ///
    /// # Errors
    /// When no tab can be opened.
    pub async fn blank(browser: &Browser) -> Result<Self, SessionError> {
        let context = browser.new_context().await?;
        let tab = context.new_tab(None).await?;
        let mut session = Self::of(context, tab);
        session.prepare_downloads().await;
        Ok(session)
    }

    /// A session over tabs that are already there.
    #[must_use]
    pub fn of(context: BrowserContext, tab: Tab) -> Self {
        Self {
            desk: Desk::new(context.clone(), tab.id()),
            context,
            codes: Codes::default(),
            tab,
            reader: Reader::default(),
            catalogue: Arc::new(Catalogue::built_in()),
            settings: Settings::default(),
            facts: Vec::new(),
            store: Store::default(),
            status: HashMap::new(),
            shown: None,
            fingerprints: HashMap::new(),
            secrets: Vec::new(),
            echoing: Vec::new(),
            judged: Judged::default(),
            held_commit: None,
            keeper: Keeper::default(),
            owed: Vec::new(),
            mended: Vec::new(),
        }
    }

    /// The same with other settings.
    #[must_use]
    pub fn with_settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// The same with another catalogue: with actions of the user's own, or with fewer.
    #[must_use]
    pub fn with_catalogue(mut self, catalogue: Catalogue) -> Self {
        self.catalogue = Arc::new(catalogue);
        self
    }

    /// What can be asked of this session.
    #[must_use]
    pub fn catalogue(&self) -> &Arc<Catalogue> {
        &self.catalogue
    }

    /// How patient it is, and what it may do.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What may be done from now on.
    pub fn set_policy(&mut self, policy: Arc<dyn Policy>) {
        self.settings.policy = policy;
    }

    /// How pages are written from now on.
    pub fn set_view(&mut self, view: View) {
        self.settings.view = view;
    }

    /// What may be done with files from now on.
    pub fn set_file_rules(&mut self, rules: FileRules) {
        if rules.folder != self.settings.files.folder {
            self.store.change_folder();
        }
        self.settings.files = rules;
    }

    /// The current tab.
    #[must_use]
    pub fn tab(&self) -> &Tab {
        &self.tab
    }

    /// The context whose tabs these are.
    #[must_use]
    pub fn context(&self) -> &BrowserContext {
        &self.context
    }

    /// What can be seen and done while an action is under way: status, tabs, dialogs, and stopping it.
    #[must_use]
    pub fn control(&self) -> SessionControl {
        SessionControl::new(Arc::clone(&self.desk))
    }

    /// Takes up the tab that a control made current.
    pub(crate) fn take_wanted(&mut self) {
        if let Some(tab) = self.desk.take_wanted().and_then(|wanted| self.context.tab(wanted)) {
            self.tab = tab;
        }
    }

    /// Hears of stops from now on.
    pub(crate) fn stops(&self) -> Stops {
        self.desk.stopper.listen()
    }

    /// What was remembered.
    #[must_use]
    pub fn facts(&self) -> &[Fact] {
        &self.facts
    }

    /// The snapshot that was last shown to the session's user: what refs are checked against.
    #[must_use]
    pub fn shown(&self) -> Option<&Arc<Snapshot>> {
        self.shown.as_ref()
    }

    /// Reads the current tab. Refs of later actions are checked against what this shows.
    ///
    /// While a dialog is held, the page cannot be read: then it is the last snapshot with the dialog in it.
    ///
    /// # Errors
    /// When the page cannot be read.
    pub async fn snapshot(&mut self) -> Result<Arc<Snapshot>, SessionError> {
        self.take_wanted();
        let stops = self.stops();
        self.stand_up_to_look().await?;
        let mut seen = Box::pin(self.look_unless(stops.clone())).await;
        if seen.is_err() && self.is_lost() && !stops.told() {
            // it went while it was read
            self.stand_up_to_look().await?;
            seen = Box::pin(self.look_unless(stops)).await;
        }
        if self.keeper.is_new(&self.tab) {
            self.keep_in_mind(None, None).await;
        }
        seen
    }

    async fn look_unless(&mut self, mut stops: Stops) -> Result<Arc<Snapshot>, SessionError> {
        self.leave_closed_tab();
        let _under_way = self.desk.begin("snapshot", self.tab.id());
        tokio::select! {
            snapshot = self.look() => snapshot,
            () = stops.wait() => Err(SessionError::Stopped),
        }
    }

    async fn look(&mut self) -> Result<Arc<Snapshot>, SessionError> {
        let mut read = self.read_tab().await;
        if read.is_err() && self.leave_closed_tab() {
            // it closed itself while it was read
            read = self.read_tab().await;
        }
        let snapshot = match read {
            Ok(snapshot) => snapshot,
            Err(PageError::Browser(BrowserError::DialogOpen(dialog))) => self.frozen(&dialog),
            Err(error) => return Err(error.into()),
        };
        let snapshot = Arc::new(snapshot);
        self.learn(&snapshot);
        self.desk.is_on(self.tab.id());
        self.shown = Some(Arc::clone(&snapshot));
        Ok(snapshot)
    }

    /// The text of a snapshot, in the format that holds for its address.
    #[must_use]
    pub fn text(&self, snapshot: &Snapshot) -> String {
        self.settings.view.write(snapshot)
    }

    /// The text for a reader who has that of an earlier snapshot: what changed since then where that is much shorter,
    /// with the earlier one's number; else the whole.
    #[must_use]
    pub fn text_since(&self, snapshot: &Snapshot, before: &Snapshot) -> String {
        self.settings.view.since(snapshot, before)
    }

    async fn read_tab(&mut self) -> Result<Snapshot, PageError> {
        let context = Context::new(self.titled_tabs().await, self.status.get(&self.tab.id()).copied());
        let mut snapshot = Box::pin(self.reader.read(&self.tab, context)).await?;
        self.redact_snapshot(&mut snapshot);
        Ok(snapshot)
    }

    /// Reads the current tab without showing it: what its user saw stays what refs are checked against. Elements that
    /// are new get refs, so that a message may name them.
    pub(crate) async fn glance(&mut self) -> Result<Snapshot, PageError> {
        let snapshot = self.read_tab().await?;
        for (node, control) in snapshot.controls() {
            self.fingerprints.entry(control.r#ref.number).or_insert_with(|| Fingerprint::of(node, control));
        }
        Ok(snapshot)
    }

    /// The last snapshot of the tab, marked with the dialog that holds it.
    fn frozen(&self, dialog: &webhand_browser::Dialog) -> Snapshot {
        let tab = self.tab.id().to_string();
        let last = self.shown.as_ref().filter(|shown| shown.page.tab == tab);
        let mut snapshot = last.map(|last| Snapshot::clone(last)).unwrap_or_default();
        snapshot.page.tab = tab;
        if snapshot.page.url.is_empty() {
            snapshot.page.url = self.tab.url();
        }
        snapshot.tabs = self.tabs();
        snapshot.hold(dialog.kind.name(), &dialog.message, dialog.default_prompt.as_deref().unwrap_or_default());
        snapshot
    }

    fn learn(&mut self, snapshot: &Snapshot) {
        for (node, control) in snapshot.controls() {
            let number = control.r#ref.number;
            if self.fingerprints.get(&number).is_none_or(|known| !known.is_of(node, control)) {
                self.fingerprints.insert(number, Fingerprint::of(node, control));
            }
        }
    }

    pub(crate) fn fingerprint(&self, number: u32) -> Option<&Fingerprint> {
        self.fingerprints.get(&number)
    }

    /// The session's tabs, with their titles as they are now.
    pub async fn titled_tabs(&self) -> Vec<TabMeta> {
        if self.context.tabs().len() > 1 {
            // a browser that is gone has the titles that were last known
            let _ = self.context.titled_tabs().await;
        }
        self.tabs()
    }

    /// The session's tabs, with the titles last heard of.
    #[must_use]
    pub fn tabs(&self) -> Vec<TabMeta> {
        tabs_of(&self.context, self.tab.id())
    }

    /// When the current tab is gone, the one that opened it, or the newest, is current.
    pub(crate) fn leave_closed_tab(&mut self) -> bool {
        if !self.tab.is_closed() {
            return false;
        }
        match successor(&self.context, &self.tab) {
            Some(next) => {
                self.tab = next;
                true
            }
            None => false,
        }
    }

    pub(crate) fn note_status(&mut self, status: Option<u16>) {
        match status {
            Some(status) => self.status.insert(self.tab.id(), status),
            None => self.status.remove(&self.tab.id()),
        };
    }

    pub(crate) fn frame_of(&self, id: &webhand_browser::FrameId) -> Option<FrameInfo> {
        self.tab.frame(id)
    }

    /// Performs one action and says what was observed. A failure is an outcome, not a panic and not a hang.
    ///
    /// Where the browser was gone or the page had crashed, both are there again first. Where that happens in the middle of
    /// it, they are there again afterwards, and it is told as in doubt: only what changes nothing is done once more.
    pub async fn perform(&mut self, action: impl Into<Action>) -> Outcome {
        let action = action.into();
        let started = Instant::now();
        let before = self.tab.clone();
        let mut outcome = match self.stand_up().await {
            Ok(()) => {
                let crashed = self.crashed_tabs();
                let outcome = Box::pin(self.perform_once(&action)).await;
                Box::pin(self.after_loss(&action, outcome, &crashed)).await
            }
            Err(error) => Outcome::failed(action, error),
        };
        self.keep_in_mind(Some(&outcome), Some(&before)).await;
        outcome.notes.append(&mut self.mended);
        self.redact(&mut outcome);
        outcome.elapsed = started.elapsed();
        outcome
    }

    pub(crate) async fn perform_once(&mut self, action: &Action) -> Outcome {
        self.prepare_downloads().await;
        let mark = self.context.last_download();
        self.judged = Judged::of(action);
        let mut faults = self.catalogue.check(action);
        if self.is_named_by_locator(action) {
            faults.retain(|fault| !fault.path.ends_with(".ref"));
        }
        let mut outcome = if faults.is_empty() {
            match self.carry_out(action).await {
                Ok(outcome) => outcome,
                Err(error) => Outcome::failed(action.clone(), error),
            }
        } else {
            Outcome::failed(action.clone(), ActionError::from_faults(&faults))
        };
        self.note_risk(&mut outcome);
        act::account(self, &mut outcome, mark).await;
        self.settle_accounts(&mut outcome);
        outcome
    }

    /// Whether a locator of the user's own knows the words that stand in place of a ref.
    fn is_named_by_locator(&self, action: &Action) -> bool {
        let Some(Target::Unreadable(asked)) = action.target() else { return false };
        let url = self.tab.url();
        let wanted = Wanted { asked, url: &url, ..Wanted::default() };
        let mut first = self.settings.locators.iter().filter(|locator| locator.stage() == Stage::First);
        first.any(|locator| locator.locate(&wanted).is_some())
    }

    /// Performs it, until it is over or is told to stop.
    async fn carry_out(&mut self, action: &Action) -> Result<Outcome, ActionError> {
        self.take_wanted();
        let mut stops = self.stops();
        let _under_way = self.desk.begin(action.name(), self.tab.id());
        let done = tokio::select! {
            done = Box::pin(act::perform(self, action)) => Some(done),
            () = stops.wait() => None,
        };
        self.desk.is_on(self.tab.id());
        done.unwrap_or_else(|| {
            act::stand_down(&self.tab);
            Err(ActionError::new(ErrorCode::Stopped, format!("{} was stopped", action.name())))
        })
    }

    /// Sees to it that what comes is kept; where that cannot be, the browser refuses it, and that is told.
    async fn prepare_downloads(&mut self) {
        if let Err(error) = self.store.prepare(&self.context).await {
            tracing::warn!(%error, "downloads are not kept");
        }
    }

    /// What is no success of any action, however it came about: a page that could not be loaded, a form that was not sent.
    fn settle_accounts(&mut self, outcome: &mut Outcome) {
        if !outcome.ok {
            return;
        }
        let came = outcome.effects.iter().any(|effect| {
            matches!(effect, Effect::Navigated { new_document: true, .. } | Effect::TabOpened { followed: true, .. })
        });
        if let Some(error) = self.tab.load_error().filter(|_| came) {
            self.note_status(None);
            outcome.fail(navigation_trouble(&error));
            return;
        }
        if let Some(status) = self.tab.document_status().filter(|status| came && *status >= 400) {
            outcome.fail(navigation_trouble(&NavigationError::Http { url: self.tab.url(), status }));
            return;
        }
        let leaving = outcome.effects.iter().find_map(|effect| match effect {
            Effect::Leaving { url } => Some(url.clone()),
            _ => None,
        });
        if let Some(url) = leaving.filter(|_| self.tab.dialog().is_none() && !outcome.effects.dialog()) {
            let after = self.settings.navigation_deadline;
            let late = navigation_trouble(&NavigationError::Timeout { url, after });
            outcome.fail(late.with_hint("it may still come: wait for load, or look at the page; or go on elsewhere"));
            return;
        }
        let refused = outcome.effects.iter().find(|effect| matches!(effect, Effect::Refused { .. }));
        if let Some(refused) = refused.filter(|_| !came) {
            let error = ActionError::new(ErrorCode::NoEffect, format!("{}, but {refused}", outcome.message))
                .with_kind("form_not_sent")
                .with_hint("mend the field, then send the form again");
            outcome.fail(error);
        }
    }
}

/// What a browser's trouble means for an action.
pub(crate) fn browser_trouble(error: &BrowserError) -> ActionError {
    let code = match error {
        BrowserError::DialogOpen(_) | BrowserError::DialogElsewhere { .. } => ErrorCode::NotInteractable,
        BrowserError::Timeout { .. } => ErrorCode::Timeout,
        BrowserError::Lost { .. } | BrowserError::TabClosed | BrowserError::TabCrashed => ErrorCode::BrowserLost,
        BrowserError::FrameGone => ErrorCode::StaleRef,
        BrowserError::NoDialog => ErrorCode::InvalidAction,
        BrowserError::Navigation(error) => return navigation_trouble(error),
        BrowserError::Cdp(webhand_cdp::CdpError::Timeout { .. }) => ErrorCode::Timeout,
        BrowserError::Cdp(webhand_cdp::CdpError::Closed { .. }) => ErrorCode::BrowserLost,
        _ => ErrorCode::Internal,
    };
    let mut trouble = ActionError::new(code, error.to_string());
    if matches!(error, BrowserError::DialogOpen(_)) {
        trouble = trouble.with_kind("dialog_open").with_hint("answer it with the dialog action first");
    } else if let Some(hint) = error.hint() {
        trouble = trouble.with_hint(hint);
    }
    trouble
}

pub(crate) fn navigation_trouble(error: &NavigationError) -> ActionError {
    let code = match error {
        NavigationError::Blocked { .. } => ErrorCode::BlockedByPolicy,
        NavigationError::Lost { .. } => ErrorCode::BrowserLost,
        _ => ErrorCode::Navigation,
    };
    let trouble = ActionError::new(code, error.to_string()).with_kind(error.kind().to_string());
    match error.hint() {
        Some(hint) => trouble.with_hint(hint),
        None => trouble,
    }
}

pub(crate) fn page_trouble(error: &PageError) -> ActionError {
    match error {
        PageError::Browser(error) => browser_trouble(error),
        other => ActionError::new(ErrorCode::Internal, other.to_string()),
    }
}
