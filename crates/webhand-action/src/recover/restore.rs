//! Opening again what was open: contexts, tabs under their names, cookies and storage before the first request, then the
//! pages and their scroll.

use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use tokio::time::{Instant, sleep_until};
use webhand_browser::{BrowserError, LeftTab, NavigationError, Tab, TabId};
use webhand_cdp::protocol::runtime::Evaluate;
use webhand_page::{Call, World};

use super::{Retries, keep};
use crate::{
    error::{ActionError, ErrorCode},
    session::Session,
};

/// So many tabs are opened again; older ones are not.
const TABS: usize = 32;
/// So many pages load side by side.
const AT_ONCE: usize = 4;
/// How long one try to load a page again may take.
const TRIED_FOR: Duration = Duration::from_secs(6);
/// How long a page that is loaded may take to scroll.
const SCROLLS_WITHIN: Duration = Duration::from_secs(2);

/// A page that a tab has yet to show again.
#[derive(Clone, Debug)]
pub(crate) struct Owed {
    tab: TabId,
    url: String,
    scroll: Option<(f64, f64)>,
    stores: Option<String>,
    posted: bool,
}

impl Owed {
    /// What a tab owes of an earlier session.
    pub(super) fn of(tab: TabId, left: &super::TabLeft, stores: String) -> Self {
        Self { tab, url: left.url.clone(), scroll: left.scroll, stores: Some(stores), posted: left.posted }
    }
}

impl Session {
    /// Gets a browser again, with the session's tabs in it, which owe their pages yet.
    pub(super) async fn come_again(&mut self) -> Result<(), BrowserError> {
        let context = self.context.again().await?;
        let mut left = self.context.left();
        left.drain(..left.len().saturating_sub(TABS));
        self.store.moves(&self.settings.files);
        // the folder for what comes, before anything can come
        if let Err(error) = self.store.prepare(&context).await {
            tracing::warn!(%error, "downloads are not kept");
        }
        let forgetful = context.is_forgetful();
        if forgetful {
            context.set_cookies(&self.keeper.cookies()).await?;
        }
        let mut owed = Vec::new();
        let mut tabs = Vec::new();
        for tab in &left {
            if context.tab(tab.id).is_none() {
                owed.push(self.owed_by(tab, forgetful));
            }
            tabs.push(context.tab_again(tab).await?);
        }
        if tabs.is_empty() {
            tabs.push(context.new_tab(None).await?);
        }
        let current = tabs.iter().find(|tab| tab.id() == self.tab.id()).or(tabs.last()).cloned();
        if let Some(current) = current {
            self.tab = current;
        }
        self.desk.moves_to(context.clone());
        self.desk.is_on(self.tab.id());
        self.context = context;
        self.status.clear();
        self.echoing.clear();
        self.owed = owed;
        let tabs = if left.len() == 1 { "its tab was".to_owned() } else { format!("its {} tabs were", left.len()) };
        self.mended
            .push(format!("the browser was gone: it came again, and {tabs} opened again; earlier refs are void"));
        Ok(())
    }

    fn owed_by(&self, tab: &LeftTab, forgetful: bool) -> Owed {
        // what was not loaded again yet when the browser went once more is still to come
        if let Some(owed) = self.owed.iter().find(|owed| owed.tab == tab.id) {
            return owed.clone();
        }
        let stores = forgetful.then(|| self.keeper.stores_of(tab.id)).filter(|stores| !stores.is_empty());
        Owed {
            tab: tab.id,
            scroll: self.keeper.scroll_of(tab.id, &tab.url),
            url: tab.url.clone(),
            stores: stores.map(|stores| keep::script_of(&stores)),
            posted: tab.posted,
        }
    }

    /// The current tab's page crashed: it is to be loaded again. The browser has kept all else.
    pub(super) fn owe_page(&mut self) {
        let (tab, url) = (self.tab.id(), self.tab.url());
        self.mended.push(format!("the page of tab {tab} had crashed: it was loaded again; its earlier refs are void"));
        self.owed.retain(|owed| owed.tab != tab);
        let scroll = self.keeper.scroll_of(tab, &url);
        self.owed.push(Owed { tab, url, scroll, stores: None, posted: self.tab.came_of_form() });
    }

    /// Loads the pages that are owed. One that cannot be loaded is told and no failure: its tab shows why.
    pub(super) async fn pay_owed(&mut self) -> Result<(), ActionError> {
        let (recovery, deadline) = (self.settings.recovery, self.settings.navigation_deadline);
        let owed: Vec<_> =
            self.owed.iter().filter_map(|owed| Some((self.context.tab(owed.tab)?, owed.clone()))).collect();
        let mut paid = stream::iter(owed)
            .map(|(tab, owed)| async move {
                let until = Instant::now() + deadline;
                let loaded = pay(&tab, &owed, Retries::new(recovery, until), until).await;
                (owed, loaded)
            })
            .buffer_unordered(AT_ONCE);
        let mut told = Vec::new();
        let mut over = Vec::new();
        while let Some((owed, loaded)) = paid.next().await {
            match loaded {
                Err(NavigationError::Lost { detail, .. }) => {
                    drop(paid);
                    self.owed.retain(|owed| !over.contains(&owed.tab));
                    let lost = format!("{}: {detail} while it was opened again", owed.url);
                    return Err(ActionError::new(ErrorCode::BrowserLost, lost));
                }
                Err(error) => told.push(format!("tab {} does not show its page again: {error}", owed.tab)),
                Ok(()) if owed.posted => told.push(format!(
                    "the page of tab {} had come of a form, which was not sent again: its address was opened",
                    owed.tab
                )),
                Ok(()) => {}
            }
            over.push(owed.tab);
        }
        drop(paid);
        self.owed.clear();
        self.mended.append(&mut told);
        self.note_status(self.tab.document_status());
        Ok(())
    }
}

/// Loads a page again, as it was as far as can be.
async fn pay(tab: &Tab, owed: &Owed, mut retries: Retries, until: Instant) -> Result<(), NavigationError> {
    if owed.url.is_empty() || owed.url == "about:blank" {
        // a page that crashed is left, even where it was empty
        return if tab.is_crashed() { tab.navigate("about:blank", SCROLLS_WITHIN).await.map(|_| ()) } else { Ok(()) };
    }
    let script = match &owed.stores {
        Some(stores) => tab.add_script(stores).await.ok(),
        None => None,
    };
    let loaded = loop {
        let patience = until.saturating_duration_since(Instant::now()).min(TRIED_FOR);
        let loaded = tab.navigate(&owed.url, patience).await;
        let Err(error) = &loaded else { break loaded };
        // a try that hangs is given up before the deadline, and so is one whose new process went like the old one
        let went = matches!(error, NavigationError::Timeout { .. })
            || (tab.is_crashed() && matches!(error, NavigationError::Aborted { .. }));
        if !error.is_transient() && !went {
            break loaded;
        }
        match retries.next(error.to_string(), tab.retry_after(), Instant::now()) {
            Some(at) => sleep_until(at).await,
            None => break loaded,
        }
    };
    if let Some(script) = script {
        tab.remove_script(script);
    }
    loaded?;
    if let Some(stores) = &owed.stores {
        put_back(tab, stores).await;
    }
    if let (Some((x, y)), Some(main)) = (owed.scroll, tab.main_frame()) {
        let scrolled = World::new(tab, main).call(&Call::new("standAt").arg(x).arg(y), SCROLLS_WITHIN).await;
        let _: Result<(), _> = scrolled.inspect_err(|error| tracing::debug!(%error, "it is not scrolled as it was"));
    }
    Ok(())
}

/// A document without a script of its own runs none of ours when it begins.
async fn put_back(tab: &Tab, stores: &str) {
    let Some(main) = tab.main_frame() else { return };
    let Ok(world) = tab.world(&main).await else { return };
    let mut evaluate = Evaluate::new(stores);
    evaluate.context_id = Some(world);
    if let Err(error) = tab.race(tab.session().send(&evaluate), SCROLLS_WITHIN).await {
        tracing::debug!(%error, "what the page stored is not put back");
    }
}
