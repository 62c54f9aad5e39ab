//! A browser: launched by us or reached over its debugging address.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use webhand_cdp::Connection;
use webhand_cdp::protocol::browser::Close;
use webhand_cdp::protocol::target;

use crate::context::Context;
use crate::dialog::DialogPolicy;
use crate::error::BrowserError;
use crate::find::Kind;
use crate::ids::TabId;
use crate::launch::{self, Launch};
use crate::lineage::{Lineage, Way};
use crate::shell::{Shared, download_behavior, locked};
use crate::tab::Tab;

/// How long a browser may take to end by itself.
const ENDS_WITHIN: Duration = Duration::from_secs(5);

/// A running browser. Cheap to clone. When the last handle to it goes (tabs and
/// contexts are handles too), a browser that was launched ends, and its private
/// profile is removed.
///
/// One that was lost can come again: see [`Browser::revive`].
#[derive(Clone)]
pub struct Browser {
    lineage: Arc<Lineage>,
    held: Arc<Mutex<Arc<Shared>>>,
}

impl fmt::Debug for Browser {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Browser").field("info", &self.info()).field("lost", &self.is_lost()).finish()
    }
}

/// What is known about a browser.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BrowserInfo {
    /// Its name and version, such as `Chrome/140.0.0.0`.
    pub product: String,
    /// The kind, where we launched it.
    pub kind: Option<Kind>,
    /// The executable, where we launched it.
    pub executable: Option<PathBuf>,
    /// The process id, which is also that of the process group, where we
    /// launched it.
    pub pid: Option<u32>,
    /// Whether the browser's own sandbox is on, where we launched it. It is off
    /// for root.
    pub sandbox: Option<bool>,
    /// The profile's folder, where we launched it.
    pub profile: Option<PathBuf>,
}

impl Browser {
    /// Starts a browser.
    ///
    /// # Errors
    /// [`BrowserError::NotFound`] where there is none, and
    /// [`BrowserError::LaunchFailed`], with what it printed, where it did not
    /// come up.
    pub async fn launch(launch: Launch) -> Result<Self, BrowserError> {
        let lineage = Lineage::new(Way::Launch(Box::new(launch.clone())));
        let shared = Box::pin(launch::launch(&lineage, &launch, launch.options.clone())).await?;
        Ok(Self::of(shared))
    }

    /// Takes up the connection to a browser that is running, by the address of
    /// its debugging WebSocket. Its tabs are adopted, and it stays when we go.
    ///
    /// # Errors
    /// [`BrowserError::ConnectFailed`] where nothing answers at that address.
    pub async fn connect(url: &str) -> Result<Self, BrowserError> {
        Self::connect_with(url, Launch::default()).await
    }

    /// As [`Browser::connect`], with the scripts, the judge, the policies and
    /// the download folder of `launch`. The rest of it is for launching.
    ///
    /// # Errors
    /// As [`Browser::connect`].
    pub async fn connect_with(url: &str, launch: Launch) -> Result<Self, BrowserError> {
        let lineage = Lineage::new(Way::Connect(url.to_owned()));
        Ok(Self::of(Box::pin(launch::attach(&lineage, url, launch.options)).await?))
    }

    pub(crate) fn of(shared: Arc<Shared>) -> Self {
        Self { lineage: Arc::clone(&shared.lineage), held: Arc::new(Mutex::new(shared)) }
    }

    /// The one that is there now.
    fn shared(&self) -> Arc<Shared> {
        let mut held = locked(&self.held);
        if held.connection.is_closed()
            && let Some(current) = self.lineage.current()
        {
            *held = current;
        }
        Arc::clone(&held)
    }

    /// Where the browser is lost, another one comes in its place: a browser that was launched is launched again, with all
    /// that holds for it (judge, scripts, policies) and a fresh private profile; one that was connected to is reached
    /// again at its address. From then on this handle is one to that browser. What was open is not opened again.
    ///
    /// Nothing happens where it is not lost, and one that was closed does not come again. Whoever else asks meanwhile gets
    /// the same browser.
    ///
    /// # Errors
    /// As [`Browser::launch`] and [`Browser::connect`]; [`BrowserError::Lost`] where it was closed.
    pub async fn revive(&self) -> Result<(), BrowserError> {
        let shared = self.shared();
        if shared.connection.is_closed() {
            let again = self.lineage.revive(&shared).await?;
            *locked(&self.held) = again;
        }
        Ok(())
    }

    /// What is known about it.
    #[must_use]
    pub fn info(&self) -> Arc<BrowserInfo> {
        self.shared().info.get().cloned().unwrap_or_default()
    }

    /// The wire to it.
    #[must_use]
    pub fn connection(&self) -> Connection {
        self.shared().connection.clone()
    }

    /// The context that is always there, with the profile's own cookies.
    #[must_use]
    pub fn default_context(&self) -> Context {
        Context::new(self.shared(), None)
    }

    /// A fresh context: its cookies, storage and cache are its own, and gone
    /// when it is closed.
    ///
    /// # Errors
    /// [`BrowserError::Lost`] where the browser is gone.
    pub async fn new_context(&self) -> Result<Context, BrowserError> {
        let create =
            target::CreateBrowserContext { dispose_on_detach: Some(true), ..target::CreateBrowserContext::default() };
        let shared = self.shared();
        let root = shared.connection.root();
        let context = root.call(&create).await?.browser_context_id;
        let downloads = locked(&shared.options).downloads.clone();
        drop(root.send(&download_behavior(Some(context.clone()), downloads)));
        Ok(Context::new(shared, Some(context)))
    }

    /// The tab of that name, whatever its context.
    #[must_use]
    pub fn tab(&self, id: TabId) -> Option<Tab> {
        Tab::of(&self.shared(), id)
    }

    /// All tabs of all contexts, oldest first.
    #[must_use]
    pub fn tabs(&self) -> Vec<Tab> {
        let shared = self.shared();
        let ids: Vec<TabId> = shared.machine().tabs().map(|tab| tab.id).collect();
        ids.into_iter().filter_map(|id| Tab::of(&shared, id)).collect()
    }

    /// Changes who answers dialogs, for those that open from now on.
    pub fn set_dialog_policy(&self, policy: DialogPolicy) {
        self.shared().machine().set_policy(policy);
    }

    /// One more script for every document of every frame of every tab, those
    /// that are there included, in the isolated world of
    /// [`Tab::world`](crate::Tab::world).
    pub fn add_document_script(&self, source: impl Into<String>) {
        let source = source.into();
        // New sessions first: one that comes in between gets it twice, never
        // not at all.
        let shared = self.shared();
        locked(&shared.options).document_scripts.push(source.clone());
        let sessions = shared.machine().sessions();
        for session in sessions {
            shared.add_document_script(session, &source);
        }
    }

    /// Whether the connection to it is gone.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.shared().connection.is_closed()
    }

    /// Waits until the connection is gone, and says why.
    pub async fn lost(&self) -> BrowserError {
        self.connection().closed().await.into()
    }

    /// Ends a browser that was launched, and waits until its processes and its
    /// private profile are gone. A browser that was connected to is only let
    /// go. It does not come again.
    pub async fn close(&self) {
        self.lineage.close();
        let shared = self.shared();
        let Some(running) = &shared.running else {
            shared.connection.close();
            return;
        };
        drop(shared.connection.root().send(&Close {}));
        if tokio::time::timeout(ENDS_WITHIN, running.over()).await.is_err() {
            running.end_now();
            let _ = tokio::time::timeout(ENDS_WITHIN, running.over()).await;
        }
        shared.connection.close();
    }
}
