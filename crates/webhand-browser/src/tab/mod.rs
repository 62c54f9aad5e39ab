//! A tab: its frames, its dialogs, its events, and the race that keeps a
//! command from waiting behind something that holds the page up.

use std::fmt;
use std::sync::{Arc, atomic::Ordering};
use std::time::Duration;

use webhand_cdp::protocol::{emulation, page, runtime, target};
use webhand_cdp::{CdpError, Session};

use crate::context::Context;
use crate::dialog::{Dialog, DialogKind};
use crate::error::BrowserError;
use crate::events::{Events, TabEvent};
use crate::ids::{DocumentId, FrameId, TabId};
use crate::shell::{Room, Shared, WORLD, locked, tab_state, title_in};
use crate::state::TabState;

mod capture;
mod navigation;
pub(crate) mod saving;

pub use capture::{CaptureOptions, Clip, ImageFormat};
pub use navigation::Loaded;
pub use saving::{Saved, Saving};

/// How long a tab may take to close, or a dialog to be gone.
const SHORT: Duration = Duration::from_secs(5);
/// How long a page that was not left may take to say so.
const STAYED_WITHIN: Duration = Duration::from_secs(1);
/// How long a page may be silent before a dialog of a tab that it is kin to is thought to hold it.
const ELSEWHERE_AFTER: Duration = Duration::from_millis(1500);
/// How long a page that was silent may take to show that it lives.
const ALIVE_WITHIN: Duration = Duration::from_millis(500);
/// Takes all timers of a page away.
const NO_TIMERS: &str = "for (let id = setTimeout(() => 0); id > 0; id--) clearTimeout(id)";
/// How long a world may take to be made.
const WORLD_WITHIN: Duration = Duration::from_secs(10);

/// A tab. Cheap to clone; it does not keep the tab open, but it keeps the
/// browser.
#[derive(Clone)]
pub struct Tab {
    shared: Arc<Shared>,
    room: Arc<Room>,
    session: Session,
}

/// A frame of a tab, as it is now.
#[derive(Clone)]
#[non_exhaustive]
pub struct FrameInfo {
    /// Its id, which stays when it changes its process.
    pub id: FrameId,
    /// The frame that it is in; `None` for the main frame.
    pub parent: Option<FrameId>,
    /// The address of its document.
    pub url: String,
    /// The name in its tag.
    pub name: String,
    /// Its document.
    pub document: DocumentId,
    /// The session that its document is reached by. Frames of one process share
    /// it.
    pub session: Session,
    /// Whether its document is parsed.
    pub dom_ready: bool,
    /// Whether its document and what belongs to it is loaded.
    pub loaded: bool,
    /// The address that could not be loaded, when it shows an error page.
    pub unreachable: Option<String>,
}

impl fmt::Debug for Tab {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Tab({}, {:?})", self.id(), self.url())
    }
}

impl fmt::Debug for FrameInfo {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("FrameInfo")
            .field("id", &self.id.as_str())
            .field("parent", &self.parent.as_ref().map(FrameId::as_str))
            .field("url", &self.url)
            .field("name", &self.name)
            .field("document", &format_args!("{}", self.document))
            .field("session", &self.session.id().map(|id| id.as_str()))
            .field("dom_ready", &self.dom_ready)
            .field("loaded", &self.loaded)
            .finish_non_exhaustive()
    }
}

impl Tab {
    pub(crate) fn of(shared: &Arc<Shared>, id: TabId) -> Option<Self> {
        let room = shared.room(id)?;
        Some(Self { session: shared.connection.session(room.session.clone()), shared: Arc::clone(shared), room })
    }

    /// Its name.
    #[must_use]
    pub fn id(&self) -> TabId {
        self.room.id
    }

    /// The session of its main frame, for commands of other layers. Input goes
    /// here whatever frame it is for.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Looks at the state of the tab.
    fn look<T>(&self, look: impl FnOnce(&TabState) -> T) -> Result<T, BrowserError> {
        let machine = self.shared.machine();
        tab_state(&machine, &self.shared, self.room.id).map(look)
    }

    /// The address it shows; empty when it is closed.
    #[must_use]
    pub fn url(&self) -> String {
        self.look(|tab| tab.frames.main().map(|main| main.url.clone())).ok().flatten().unwrap_or_default()
    }

    /// The title last heard of: when the page was loaded, or when it was asked
    /// for by [`Tab::current_title`]; empty when the tab is closed.
    #[must_use]
    pub fn title(&self) -> String {
        self.look(|tab| tab.title.clone()).unwrap_or_default()
    }

    /// The title now. The browser knows it, so a page that is stuck does not
    /// hold this up.
    ///
    /// # Errors
    /// [`BrowserError::TabClosed`] or [`BrowserError::Lost`].
    pub async fn current_title(&self) -> Result<String, BrowserError> {
        let history = self.session.send(&page::GetNavigationHistory {}).within(SHORT).await?;
        let title = title_in(history).unwrap_or_default();
        self.shared.machine().set_title(&self.room.session, title.clone());
        Ok(title)
    }

    /// The context that it belongs to; `None` when it is closed.
    #[must_use]
    pub fn context(&self) -> Option<Context> {
        let context = self.look(|tab| tab.context.clone()).ok()?;
        Some(Context::new(Arc::clone(&self.shared), context))
    }

    /// The tab whose page opened it.
    #[must_use]
    pub fn opener(&self) -> Option<TabId> {
        self.look(|tab| tab.opener).ok().flatten()
    }

    /// The id of its main frame.
    #[must_use]
    pub fn main_frame(&self) -> Option<FrameId> {
        self.look(|tab| tab.frames.main_id().clone()).ok()
    }

    /// Its frames, those in processes of their own included: the main frame
    /// first, each before its children. Empty when it is closed.
    #[must_use]
    pub fn frames(&self) -> Vec<FrameInfo> {
        self.look(|tab| tab.frames.in_order().into_iter().map(|frame| self.describe(frame)).collect())
            .unwrap_or_default()
    }

    /// One of its frames.
    #[must_use]
    pub fn frame(&self, id: &FrameId) -> Option<FrameInfo> {
        self.look(|tab| tab.frames.get(id).map(|frame| self.describe(frame))).ok().flatten()
    }

    fn describe(&self, frame: &crate::state::Frame) -> FrameInfo {
        let session = if frame.session == self.room.session {
            self.session.clone()
        } else {
            self.shared.connection.session(frame.session.clone())
        };
        FrameInfo {
            id: frame.id.clone(),
            parent: frame.parent.clone(),
            url: frame.url.clone(),
            name: frame.name.clone(),
            document: frame.document.clone(),
            session,
            dom_ready: frame.progress.dom_ready,
            loaded: frame.progress.loaded,
            unreachable: frame.unreachable.clone(),
        }
    }

    /// The isolated world `webhand` of a frame: made when it is first asked
    /// for, and remembered until the frame shows another document. Call
    /// [`Tab::forget_world`] when the browser says that it is gone.
    ///
    /// # Errors
    /// [`BrowserError::FrameGone`], and whatever holds the page up.
    pub async fn world(&self, frame: &FrameId) -> Result<runtime::ExecutionContextId, BrowserError> {
        let info = self.frame_or_gone(frame)?;
        if let Some((document, world)) = locked(&self.room.worlds).get(frame)
            && *document == info.document
        {
            return Ok(*world);
        }
        let mut create = page::CreateIsolatedWorld::new(frame.clone());
        create.world_name = Some(WORLD.to_owned());
        let made = self.race(info.session.send(&create), WORLD_WITHIN).await;
        let world = match made {
            Ok(reply) => reply.execution_context_id,
            // The session or the frame went in the meantime.
            Err(BrowserError::TabClosed | BrowserError::Cdp(CdpError::Protocol { .. })) => {
                return Err(match self.look(|_| ()) {
                    Ok(()) => BrowserError::FrameGone,
                    Err(gone) => gone,
                });
            }
            Err(error) => return Err(error),
        };
        // Remembered only for the document that it was asked for: if the frame
        // moved on meanwhile, the next call makes another.
        locked(&self.room.worlds).insert(frame.clone(), (info.document, world));
        Ok(world)
    }

    /// Forgets the world of a frame, so that the next [`Tab::world`] makes it
    /// anew.
    pub fn forget_world(&self, frame: &FrameId) {
        locked(&self.room.worlds).remove(frame);
    }

    fn frame_or_gone(&self, frame: &FrameId) -> Result<FrameInfo, BrowserError> {
        let found = self.look(|tab| tab.frames.get(frame).map(|frame| self.describe(frame)))?;
        found.ok_or(BrowserError::FrameGone)
    }

    /// What happens in it, from now on.
    #[must_use]
    pub fn events(&self) -> Events<TabEvent> {
        self.room.events()
    }

    /// Waits until the tab is set up and its first document is known. A tab
    /// from [`Context::new_tab`](crate::Context::new_tab) is; a popup that was
    /// just told of may not be yet.
    ///
    /// # Errors
    /// [`BrowserError::Timeout`], [`BrowserError::TabClosed`] or
    /// [`BrowserError::Lost`].
    pub async fn ready(&self, deadline: Duration) -> Result<(), BrowserError> {
        let id = self.room.id;
        let ready = self.shared.wait(|machine| match tab_state(machine, &self.shared, id) {
            Err(gone) => Some(Err(gone)),
            Ok(tab) => tab.ready.then_some(Ok(())),
        });
        let timeout = BrowserError::Timeout { what: "setting the tab up".to_owned(), after: deadline };
        tokio::time::timeout(deadline, ready).await.unwrap_or(Err(timeout))
    }

    /// Waits until every event that the browser has sent so far shows in the
    /// state of its tabs. The reply to a command does not wait for events that
    /// came before it; after this, frames, dialog and address are as new as
    /// the last reply.
    pub async fn caught_up(&self) {
        self.shared.caught_up().await;
    }

    /// How many requests are under way.
    #[must_use]
    pub fn requests_under_way(&self) -> usize {
        self.look(|tab| tab.requests_under_way().len()).unwrap_or_default()
    }

    /// Those of them that are of these kinds, by the browser's ids.
    #[must_use]
    pub fn open_requests(&self, kinds: &[&str]) -> Vec<String> {
        let of_kind = |tab: &TabState| {
            let open = tab.requests_under_way().filter(|(_, kind)| kinds.contains(kind));
            open.map(|(id, _)| id.to_owned()).collect()
        };
        self.look(of_kind).unwrap_or_default()
    }

    /// Says that these requests were the doing of an action: they tell nothing of what the page asks for by itself, again
    /// and again.
    pub fn caused(&self, requests: &[String]) {
        self.shared.machine().caused(self.room.id, requests);
    }

    /// The dialog that is open and waits for an answer.
    #[must_use]
    pub fn dialog(&self) -> Option<Dialog> {
        self.look(|tab| tab.held_dialog().cloned()).ok().flatten()
    }

    /// Answers the dialog that is open, and waits until it is gone.
    ///
    /// # Errors
    /// [`BrowserError::NoDialog`] where none is open.
    pub async fn answer_dialog(&self, accept: bool, text: Option<String>) -> Result<Dialog, BrowserError> {
        let open = self.look(|tab| tab.dialog.clone())?;
        let open = open.ok_or(BrowserError::NoDialog)?;
        let mut answer = page::HandleJavaScriptDialog::new(accept);
        answer.prompt_text = text;
        let session = self.shared.connection.session(open.session);
        let answered = session.send(&answer).within(SHORT).await;
        if let Err(CdpError::Protocol { .. }) = answered {
            return Err(BrowserError::NoDialog);
        }
        answered?;
        let id = self.room.id;
        let gone = self.shared.wait(|machine| {
            let Some(tab) = machine.tab(id) else { return Some(()) };
            let still = tab.dialog.as_ref().is_some_and(|now| now.serial == open.serial);
            (!still).then_some(())
        });
        let _ = tokio::time::timeout(SHORT, gone).await;
        if open.dialog.kind == DialogKind::BeforeUnload && !accept {
            // The page tells the browser that it stays only now, and that calls
            // off whatever navigation has begun by then. An answer from the page
            // comes after it.
            let _ = session.send(&runtime::Evaluate::new("0")).within(STAYED_WITHIN).await;
        }
        Ok(open.dialog)
    }

    /// Waits for a command, but not beyond a dialog that holds the page up, the
    /// end of the tab or the deadline.
    ///
    /// # Errors
    /// [`BrowserError::DialogOpen`], [`BrowserError::TabClosed`],
    /// [`BrowserError::TabCrashed`], [`BrowserError::Lost`],
    /// [`BrowserError::Timeout`], or the command's own.
    pub async fn race<R>(
        &self,
        command: impl Future<Output = Result<R, CdpError>>,
        deadline: Duration,
    ) -> Result<R, BrowserError> {
        let answer = async {
            tokio::select! {
                biased;
                reply = command => reply.map_err(BrowserError::from),
                trouble = self.trouble(true) => Err(trouble),
            }
        };
        tokio::pin!(answer);
        let raced = async {
            // a dialog elsewhere is thought of only where no answer came for a while
            match tokio::time::timeout(ELSEWHERE_AFTER, &mut answer).await {
                Ok(answer) => answer,
                Err(_) => tokio::select! {
                    biased;
                    answer = &mut answer => answer,
                    trouble = self.trouble_elsewhere() => Err(trouble),
                },
            }
        };
        let raced = tokio::time::timeout(deadline, raced).await;
        match &raced {
            Ok(Ok(_)) => self.room.silent.store(false, Ordering::Relaxed),
            Ok(Err(_)) => {}
            Err(_) => self.room.silent.store(true, Ordering::Relaxed),
        }
        raced.unwrap_or_else(|_| {
            let what = self.leaving_for().map_or_else(
                || "a command to the page".to_owned(),
                |url| format!("a command to the page: it is on its way to {url}, which has not answered yet, and it"),
            );
            Err(BrowserError::Timeout { what, after: deadline })
        })
    }

    /// Ends the scripts of a page that answers nothing, so that it can be left: a load of the same site would wait behind
    /// them for ever.
    async fn revive(&self) {
        if !self.room.silent.swap(false, Ordering::Relaxed) || self.dialog().is_some() {
            return;
        }
        let ask = || self.session.send(&runtime::Evaluate::new("0")).within(ALIVE_WITHIN);
        if ask().await.is_ok() {
            return;
        }
        // timers must not set the same scripts going before the page is left
        drop(self.session.send(&emulation::SetScriptExecutionDisabled::new(true)));
        let _ = self.session.send(&runtime::TerminateExecution {}).within(ALIVE_WITHIN).await;
        let _ = ask().await;
        let _ = self.session.send(&runtime::Evaluate::new(NO_TIMERS)).within(ALIVE_WITHIN).await;
        let _ = self.session.send(&emulation::SetScriptExecutionDisabled::new(false)).within(ALIVE_WITHIN).await;
    }

    /// Where the tab is on its way to, from the start of a navigation until the new document is there.
    #[must_use]
    pub fn leaving_for(&self) -> Option<String> {
        let machine = self.shared.machine();
        let tab = machine.tabs().find(|tab| tab.id == self.room.id)?;
        tab.pending.as_ref().map(|(_, url)| url.clone())
    }

    /// Waits for a dialog of the tab that opened this one, or of one that it opened: they may share a process, which the
    /// dialog holds up.
    async fn trouble_elsewhere(&self) -> BrowserError {
        let id = self.room.id;
        self.shared
            .wait(|machine| {
                let opener = machine.tabs().find(|tab| tab.id == id)?.opener;
                let kin = machine.tabs().filter(|tab| tab.opener == Some(id) || Some(tab.id) == opener);
                let mut held = kin.filter_map(|tab| Some((tab.id, tab.held_dialog()?.clone())));
                held.next().map(|(tab, dialog)| BrowserError::DialogElsewhere { tab, dialog: Box::new(dialog) })
            })
            .await
    }

    /// Waits for what keeps the page from answering. A crash counts only where
    /// the caller does not mean to cure it.
    async fn trouble(&self, crash_counts: bool) -> BrowserError {
        let id = self.room.id;
        self.shared
            .wait(|machine| match tab_state(machine, &self.shared, id) {
                Err(gone) => Some(gone),
                Ok(tab) if tab.crashed && crash_counts => Some(BrowserError::TabCrashed),
                Ok(tab) => tab.held_dialog().map(|dialog| BrowserError::DialogOpen(Box::new(dialog.clone()))),
            })
            .await
    }

    /// One more script for every document of every frame of this tab, in the
    /// isolated world of [`Tab::world`]. Frames that get a process of their own
    /// later do not have it: for those, and for popups, use
    /// [`Launch::document_script`](crate::Launch::document_script) or
    /// [`Browser::add_document_script`](crate::Browser::add_document_script).
    pub fn add_document_script(&self, source: &str) {
        let sessions = self.shared.machine().sessions_of(self.room.id);
        for session in sessions {
            self.shared.add_document_script(session, source);
        }
    }

    /// A script for the documents that it loads until [`Tab::remove_script`], before any script of the page, in the isolated
    /// world of [`Tab::world`]; not for frames in processes of their own.
    ///
    /// # Errors
    /// [`BrowserError::TabClosed`] or [`BrowserError::Lost`].
    pub async fn add_script(&self, source: &str) -> Result<page::ScriptIdentifier, BrowserError> {
        let mut script = page::AddScriptToEvaluateOnNewDocument::new(source);
        script.world_name = Some(WORLD.to_owned());
        Ok(self.session.send(&script).within(SHORT).await?.identifier)
    }

    /// Takes a script of [`Tab::add_script`] away. What it has done stays.
    pub fn remove_script(&self, script: page::ScriptIdentifier) {
        drop(self.session.send(&page::RemoveScriptToEvaluateOnNewDocument::new(script)));
    }

    /// Brings it to the front.
    ///
    /// # Errors
    /// [`BrowserError::TabClosed`] or [`BrowserError::Lost`].
    pub async fn activate(&self) -> Result<(), BrowserError> {
        let target = self.look(|tab| tab.target.clone())?;
        let root = self.shared.connection.root();
        root.call(&target::ActivateTarget::new(target)).await?;
        Ok(())
    }

    /// Whether it is gone.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.look(|_| ()).is_err()
    }

    /// Whether its page crashed.
    #[must_use]
    pub fn is_crashed(&self) -> bool {
        self.look(|tab| tab.crashed).unwrap_or_default()
    }

    /// Closes it without asking its page, and waits until it is gone. A page
    /// that is stuck does not hold this up.
    ///
    /// # Errors
    /// [`BrowserError::Lost`] where the browser is gone.
    pub async fn close(&self) -> Result<(), BrowserError> {
        let Ok(target) = self.look(|tab| tab.target.clone()) else {
            return Ok(());
        };
        let root = self.shared.connection.root();
        let closed = root.send(&target::CloseTarget::new(target)).within(SHORT).await;
        match closed {
            // It went by itself in the meantime.
            Ok(_) | Err(CdpError::Protocol { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        let id = self.room.id;
        let gone = self.shared.wait(|machine| machine.tab(id).is_none().then_some(()));
        tokio::time::timeout(SHORT, gone)
            .await
            .map_err(|_| BrowserError::Timeout { what: "closing the tab".to_owned(), after: SHORT })
    }
}
