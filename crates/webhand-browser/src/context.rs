//! A context: tabs that share cookies and storage, apart from all others.

use std::sync::Arc;
use std::time::Duration;

use webhand_cdp::protocol::browser::BrowserContextId;
use webhand_cdp::protocol::target;

use crate::error::BrowserError;
use crate::events::{ContextEvent, Events};
use crate::ids::TabId;
use crate::shell::Shared;
use crate::tab::Tab;

/// How long a new tab may take to be there.
const OPENS_WITHIN: Duration = Duration::from_secs(30);
/// How long [`Context::new_tab`] lets the first page load.
const LOADS_WITHIN: Duration = Duration::from_secs(30);

/// Tabs that share cookies and storage. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Context {
    shared: Arc<Shared>,
    id: Option<BrowserContextId>,
}

impl Context {
    pub(crate) fn new(shared: Arc<Shared>, id: Option<BrowserContextId>) -> Self {
        Self { shared, id }
    }

    pub(crate) fn shared(&self) -> &Shared {
        &self.shared
    }

    /// The browser's id for it; `None` for the default one.
    #[must_use]
    pub fn id(&self) -> Option<&BrowserContextId> {
        self.id.as_ref()
    }

    /// Opens a tab, and loads that address in it.
    ///
    /// # Errors
    /// [`BrowserError::Navigation`] where the address could not be loaded: the
    /// tab is there nevertheless, as the last of [`Context::tabs`].
    pub async fn new_tab(&self, url: Option<&str>) -> Result<Tab, BrowserError> {
        let opened = tokio::time::timeout(OPENS_WITHIN, self.open_blank()).await;
        let tab =
            opened.map_err(|_| BrowserError::Timeout { what: "opening a tab".to_owned(), after: OPENS_WITHIN })??;
        if let Some(url) = url {
            tab.navigate(url, LOADS_WITHIN).await?;
        }
        Ok(tab)
    }

    async fn open_blank(&self) -> Result<Tab, BrowserError> {
        let mut create = target::CreateTarget::new("about:blank");
        create.browser_context_id = self.id.clone();
        let target = self.shared.connection.root().call(&create).await?.target_id;
        let connection = &self.shared.connection;
        let id = self
            .shared
            .wait(|machine| match machine.tab_of_target(&target) {
                Some(tab) if tab.ready => Some(Some(tab.id)),
                _ if connection.is_closed() => Some(None),
                _ => None,
            })
            .await;
        id.and_then(|id| Tab::of(&self.shared, id)).ok_or_else(|| self.shared.gone())
    }

    /// Its tabs, oldest first.
    #[must_use]
    pub fn tabs(&self) -> Vec<Tab> {
        self.tab_ids().into_iter().filter_map(|id| Tab::of(&self.shared, id)).collect()
    }

    /// Its tabs with their titles as they are now: the browser does not tell of
    /// a title that a script changed. A page that is stuck does not hold this up.
    ///
    /// # Errors
    /// [`BrowserError::Lost`] where the browser is gone.
    pub async fn titled_tabs(&self) -> Result<Vec<Tab>, BrowserError> {
        let known = self.shared.connection.root().call(&target::GetTargets::default()).await?;
        {
            let mut machine = self.shared.machine();
            for info in known.target_infos {
                machine.described(info);
            }
        }
        Ok(self.tabs())
    }

    fn tab_ids(&self) -> Vec<TabId> {
        self.shared.machine().tabs().filter(|tab| tab.context == self.id).map(|tab| tab.id).collect()
    }

    /// Its tab of that name.
    #[must_use]
    pub fn tab(&self, id: TabId) -> Option<Tab> {
        if self.tab_ids().contains(&id) { Tab::of(&self.shared, id) } else { None }
    }

    /// Tabs that come and go, from now on.
    #[must_use]
    pub fn events(&self) -> Events<ContextEvent> {
        self.shared.context_events(self.id.clone())
    }

    /// Closes its tabs, and drops its cookies and storage unless it is the
    /// default context.
    ///
    /// # Errors
    /// [`BrowserError::Lost`] where the browser is gone.
    pub async fn close(&self) -> Result<(), BrowserError> {
        match &self.id {
            Some(id) => {
                let dispose = target::DisposeBrowserContext::new(id.clone());
                self.shared.connection.root().call(&dispose).await?;
                self.shared.forget_context(Some(id));
            }
            None => {
                for tab in self.tabs() {
                    tab.close().await?;
                }
            }
        }
        Ok(())
    }
}
