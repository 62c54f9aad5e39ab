//! A context: tabs that share cookies and storage, apart from all others.

use std::sync::Arc;
use std::time::Duration;

use webhand_cdp::CdpError;
use webhand_cdp::protocol::browser::BrowserContextId;
use webhand_cdp::protocol::network::{Cookie, CookieParam};
use webhand_cdp::protocol::{storage, target};

use crate::browser::Browser;
use crate::error::BrowserError;
use crate::events::{ContextEvent, Events};
use crate::ids::TabId;
use crate::shell::Shared;
use crate::state::{Awaited, LeftTab};
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

    /// The browser that it is in.
    #[must_use]
    pub fn browser(&self) -> Browser {
        Browser::of(Arc::clone(&self.shared))
    }

    /// Whether the browser is gone, and it with it.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.shared.connection.is_closed()
    }

    /// After the browser was lost: its tabs as they were then, oldest first.
    #[must_use]
    pub fn left(&self) -> Vec<LeftTab> {
        let machine = self.shared.machine();
        machine.left().iter().filter(|tab| tab.context == self.id).cloned().collect()
    }

    /// After the browser was lost: one like it in the browser that comes in its place (see [`Browser::revive`]), without
    /// its tabs, cookies and storage; but the default context of a browser that lived on has kept them.
    ///
    /// # Errors
    /// As [`Browser::revive`].
    pub async fn again(&self) -> Result<Self, BrowserError> {
        let browser = self.browser();
        browser.revive().await?;
        match &self.id {
            None => Ok(browser.default_context()),
            Some(_) => browser.new_context().await,
        }
    }

    /// A tab in place of one that was lost with the browser: empty, under the same name. It is the tab itself where it
    /// lived on.
    ///
    /// # Errors
    /// [`BrowserError::Lost`] where the browser is gone again, and [`BrowserError::Timeout`].
    pub async fn tab_again(&self, left: &LeftTab) -> Result<Tab, BrowserError> {
        if let Some(tab) = self.tab(left.id) {
            return Ok(tab);
        }
        let awaited = Awaited { id: left.id, opener: left.opener, context: self.id.clone() };
        self.shared.machine().await_tab(awaited);
        let opened = self.new_tab(None).await;
        self.shared.machine().await_no_more(left.id);
        opened
    }

    /// Whether what it keeps is gone with the browser, and must be put back: not where the browser keeps it by itself.
    #[must_use]
    pub fn is_forgetful(&self) -> bool {
        self.id.is_some() || self.shared.lineage.is_launched()
    }

    /// All its cookies.
    ///
    /// # Errors
    /// [`BrowserError::Lost`] where the browser is gone.
    pub async fn cookies(&self) -> Result<Vec<Cookie>, BrowserError> {
        let get = storage::GetCookies { browser_context_id: self.id.clone() };
        Ok(self.shared.connection.root().send(&get).in_time().await?.cookies)
    }

    /// Puts cookies of [`Context::cookies`] back.
    ///
    /// # Errors
    /// [`BrowserError::Lost`] where the browser is gone.
    pub async fn set_cookies(&self, cookies: &[Cookie]) -> Result<(), BrowserError> {
        if cookies.is_empty() {
            return Ok(());
        }
        let set = |cookies: &[Cookie]| {
            let mut set = storage::SetCookies::new(cookies.iter().map(put_back).collect());
            set.browser_context_id.clone_from(&self.id);
            self.shared.connection.root().send(&set).in_time()
        };
        match set(cookies).await {
            // one that it does not take must not keep the others out
            Err(CdpError::Protocol { .. }) => {
                let singly: Vec<_> = cookies.chunks(1).map(set).collect();
                for one in singly {
                    if let Err(error) = one.await {
                        tracing::debug!(%error, "a cookie could not be put back");
                    }
                }
                Ok(())
            }
            other => Ok(other.map(|_| ())?),
        }
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

/// A cookie as it is set, so that it is again what it was.
fn put_back(cookie: &Cookie) -> CookieParam {
    let mut param = CookieParam::new(&*cookie.name, &*cookie.value);
    // a domain with a dot is for its hosts, too; one without is for that host alone, which only an address can say
    let scheme = if cookie.secure { "https" } else { "http" };
    param.url = Some(format!("{scheme}://{}{}", cookie.domain.trim_start_matches('.'), cookie.path));
    param.domain = Some(cookie.domain.clone()).filter(|domain| domain.starts_with('.'));
    param.path = Some(cookie.path.clone());
    (param.secure, param.http_only) = (Some(cookie.secure), Some(cookie.http_only));
    param.same_site.clone_from(&cookie.same_site);
    param.priority.clone_from(&cookie.priority);
    param.source_scheme.clone_from(&cookie.source_scheme);
    param.source_port = cookie.source_port;
    param.partition_key.clone_from(&cookie.partition_key);
    param.expires = (!cookie.session).then_some(cookie.expires);
    param
}
