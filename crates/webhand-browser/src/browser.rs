//! A browser: launched by us or reached over its debugging address.

use std::path::PathBuf;
use std::sync::Arc;
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
use crate::shell::{Shared, download_behavior, locked};
use crate::tab::Tab;

/// How long a browser may take to end by itself.
const ENDS_WITHIN: Duration = Duration::from_secs(5);

/// A running browser. Cheap to clone. When the last handle to it goes (tabs and
/// contexts are handles too), a browser that was launched ends, and its private
/// profile is removed.
#[derive(Clone, Debug)]
pub struct Browser {
    shared: Arc<Shared>,
    info: Arc<BrowserInfo>,
}

/// What is known about a browser.
#[derive(Clone, Debug, PartialEq, Eq)]
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
        launch::launch(launch).await
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
        let connection = Connection::over_websocket(url).await?;
        let info = BrowserInfo {
            product: String::new(),
            kind: None,
            executable: None,
            pid: None,
            sandbox: None,
            profile: None,
        };
        launch::take_up(connection, None, launch.options, info).await
    }

    pub(crate) fn new(shared: Arc<Shared>, info: BrowserInfo) -> Self {
        Self { shared, info: Arc::new(info) }
    }

    /// What is known about it.
    #[must_use]
    pub fn info(&self) -> &BrowserInfo {
        &self.info
    }

    /// The wire to it.
    #[must_use]
    pub fn connection(&self) -> &Connection {
        &self.shared.connection
    }

    /// The context that is always there, with the profile's own cookies.
    #[must_use]
    pub fn default_context(&self) -> Context {
        Context::new(Arc::clone(&self.shared), None)
    }

    /// A fresh context: its cookies, storage and cache are its own, and gone
    /// when it is closed.
    ///
    /// # Errors
    /// [`BrowserError::Lost`] where the browser is gone.
    pub async fn new_context(&self) -> Result<Context, BrowserError> {
        let create =
            target::CreateBrowserContext { dispose_on_detach: Some(true), ..target::CreateBrowserContext::default() };
        let root = self.shared.connection.root();
        let context = root.call(&create).await?.browser_context_id;
        let downloads = locked(&self.shared.options).downloads.clone();
        drop(root.send(&download_behavior(Some(context.clone()), downloads)));
        Ok(Context::new(Arc::clone(&self.shared), Some(context)))
    }

    /// The tab of that name, whatever its context.
    #[must_use]
    pub fn tab(&self, id: TabId) -> Option<Tab> {
        Tab::of(&self.shared, id)
    }

    /// All tabs of all contexts, oldest first.
    #[must_use]
    pub fn tabs(&self) -> Vec<Tab> {
        let ids: Vec<TabId> = self.shared.machine().tabs().map(|tab| tab.id).collect();
        ids.into_iter().filter_map(|id| Tab::of(&self.shared, id)).collect()
    }

    /// Changes who answers dialogs, for those that open from now on.
    pub fn set_dialog_policy(&self, policy: DialogPolicy) {
        self.shared.machine().set_policy(policy);
    }

    /// One more script for every document of every frame of every tab, those
    /// that are there included, in the isolated world of
    /// [`Tab::world`](crate::Tab::world).
    pub fn add_document_script(&self, source: impl Into<String>) {
        let source = source.into();
        // New sessions first: one that comes in between gets it twice, never
        // not at all.
        locked(&self.shared.options).document_scripts.push(source.clone());
        let sessions = self.shared.machine().sessions();
        for session in sessions {
            self.shared.add_document_script(session, &source);
        }
    }

    /// Whether the connection to it is gone.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.shared.connection.is_closed()
    }

    /// Waits until the connection is gone, and says why.
    pub async fn lost(&self) -> BrowserError {
        self.shared.connection.closed().await.into()
    }

    /// Ends a browser that was launched, and waits until its processes and its
    /// private profile are gone. A browser that was connected to is only let
    /// go.
    pub async fn close(&self) {
        let Some(running) = &self.shared.running else {
            self.shared.connection.close();
            return;
        };
        drop(self.shared.connection.root().send(&Close {}));
        if tokio::time::timeout(ENDS_WITHIN, running.over()).await.is_err() {
            running.end_now();
            let _ = tokio::time::timeout(ENDS_WITHIN, running.over()).await;
        }
        self.shared.connection.close();
    }
}
