//! What would be lost with the browser, noted as the session goes along: cookies, what pages stored, how far they are
//! scrolled. Where its tabs are is known without asking.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use futures_util::future::join_all;
use serde::{Deserialize, Serialize};
use tokio::task::JoinHandle;
use webhand_browser::{Context, DocumentId, Tab, TabId};
use webhand_cdp::protocol::network::Cookie;
use webhand_page::{Call, World};

/// How long a page may take to say what it would lose.
const SAYS_WITHIN: Duration = Duration::from_secs(1);
/// So many origins are kept in mind, and so many cookies.
const ORIGINS: usize = 64;
const COOKIES: usize = 4_096;

/// Keys and values.
pub(super) type Entries = Vec<(String, String)>;

/// What pages of one origin stored.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub(super) struct Stores {
    pub(super) local: Entries,
    pub(super) session: Entries,
}

/// A page's own words.
#[derive(Debug, Deserialize)]
struct Keepsake {
    url: String,
    origin: String,
    scroll: (f64, f64),
    digest: u32,
    stores: Option<Stores>,
}

/// What is kept of one tab.
#[derive(Clone, Debug, Default)]
struct TabKept {
    url: String,
    scroll: (f64, f64),
    digest: u32,
    session: HashMap<String, Entries>,
}

#[derive(Debug, Default)]
struct Kept {
    cookies: Vec<Cookie>,
    tabs: HashMap<TabId, TabKept>,
    local: HashMap<String, Entries>,
    /// The document that was asked last.
    asked: Option<(TabId, DocumentId)>,
}

/// Keeps it.
#[derive(Debug, Default)]
pub(crate) struct Keeper {
    kept: Arc<Mutex<Kept>>,
    /// Whether it is being noted just now.
    busy: Arc<AtomicBool>,
}

impl Keeper {
    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes it down beside whatever comes next; not twice at once.
    pub(super) fn note(&self, context: &Context, tab: &Tab, left: Option<&Tab>) -> Option<JoinHandle<()>> {
        if !context.is_forgetful() || tab.dialog().is_some() || self.busy.swap(true, Ordering::AcqRel) {
            return None;
        }
        let tabs: Vec<_> =
            [Some(tab), left].into_iter().flatten().map(|tab| (tab.clone(), self.known(tab.id()))).collect();
        let (kept, busy) = (Arc::clone(&self.kept), Arc::clone(&self.busy));
        let context = context.clone();
        self.kept().asked = asked_of(tab);
        Some(tokio::spawn(async move {
            let said = join_all(tabs.iter().map(|(tab, known)| ask(tab, *known)));
            let (said, cookies) = tokio::join!(said, context.cookies());
            {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                if let Ok(mut cookies) = cookies {
                    cookies.truncate(COOKIES);
                    kept.cookies = cookies;
                }
                for (tab, said) in said.into_iter().flatten() {
                    kept.take_in(tab, said);
                }
            }
            busy.store(false, Ordering::Release);
        }))
    }

    fn known(&self, tab: TabId) -> u32 {
        self.kept().tabs.get(&tab).map_or(0, |kept| kept.digest)
    }

    /// Whether the tab shows a document that was never asked.
    pub(crate) fn is_new(&self, tab: &Tab) -> bool {
        self.kept().asked != asked_of(tab)
    }

    pub(super) fn cookies(&self) -> Vec<Cookie> {
        self.kept().cookies.clone()
    }

    /// How far that page of a tab was scrolled.
    pub(super) fn scroll_of(&self, tab: TabId, url: &str) -> Option<(f64, f64)> {
        let kept = self.kept();
        let kept = kept.tabs.get(&tab).filter(|kept| kept.url == url)?;
        (kept.scroll != (0.0, 0.0)).then_some(kept.scroll)
    }

    /// By origin, what a tab's pages find stored.
    pub(super) fn stores_of(&self, tab: TabId) -> HashMap<String, Stores> {
        let kept = self.kept();
        let mut stores: HashMap<String, Stores> = HashMap::new();
        for (origin, entries) in &kept.local {
            stores.entry(origin.clone()).or_default().local.clone_from(entries);
        }
        for (origin, entries) in kept.tabs.get(&tab).map(|kept| &kept.session).into_iter().flatten() {
            stores.entry(origin.clone()).or_default().session.clone_from(entries);
        }
        stores.retain(|_, stores| *stores != Stores::default());
        stores
    }
}

async fn ask(tab: &Tab, known: u32) -> Option<(TabId, Keepsake)> {
    let world = World::new(tab, tab.main_frame()?);
    let said = world.call(&Call::new("keepsake").arg(known), SAYS_WITHIN).await;
    Some((tab.id(), said.ok()?))
}

fn asked_of(tab: &Tab) -> Option<(TabId, DocumentId)> {
    let main = tab.main_frame().and_then(|main| tab.frame(&main))?;
    Some((tab.id(), main.document))
}

impl Kept {
    fn take_in(&mut self, tab: TabId, said: Keepsake) {
        let room = self.local.len() < ORIGINS || self.local.contains_key(&said.origin);
        let kept = self.tabs.entry(tab).or_default();
        (kept.url, kept.scroll, kept.digest) = (said.url, said.scroll, said.digest);
        let Some(stores) = said.stores.filter(|_| said.origin != "null") else { return };
        if kept.session.len() < ORIGINS || kept.session.contains_key(&said.origin) {
            kept.session.insert(said.origin.clone(), stores.session);
        }
        if room {
            self.local.insert(said.origin, stores.local);
        }
    }
}

/// Puts what was stored back before any script of a page runs, where nothing is stored. Run again in the same document it
/// does nothing: what the page took out since stays out.
pub(super) fn script_of(stores: &HashMap<String, Stores>) -> String {
    let stores = serde_json::to_string(stores).unwrap_or_else(|_| "{}".to_owned());
    // what stands between tags in a page's store ends no script here: it is no part of a document
    format!(
        "(() => {{ if (globalThis.storesBack) return; globalThis.storesBack = true; \
         const kept = {stores}[location.origin]; if (!kept) return; \
         const fill = (store, entries) => {{ try {{ if (store().length === 0) \
         for (const [key, value] of entries) store().setItem(key, value); }} catch {{}} }}; \
         fill(() => localStorage, kept.local); fill(() => sessionStorage, kept.session); }})()"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(origin: &str, stores: Option<Stores>) -> Keepsake {
        Keepsake { url: format!("{origin}/a"), origin: origin.to_owned(), scroll: (0.0, 40.0), digest: 7, stores }
    }

    fn stores(key: &str) -> Stores {
        let entries = |value: &str| vec![(key.to_owned(), value.to_owned())];
        Stores { local: entries("l"), session: entries("s") }
    }

    #[test]
    fn what_is_unchanged_stays_and_tabs_have_their_own() {
        let (first, second) = (TabId::new(1), TabId::new(2));
        let keeper = Keeper::default();
        keeper.kept().take_in(first, said("http://a", Some(stores("k"))));
        keeper.kept().take_in(first, said("http://a", None));
        assert_eq!(keeper.stores_of(first)["http://a"], stores("k"));
        let second = keeper.stores_of(second);
        assert_eq!((second["http://a"].local.len(), second["http://a"].session.len()), (1, 0));
        assert_eq!(keeper.scroll_of(first, "http://a/a"), Some((0.0, 40.0)));
        assert_eq!(keeper.scroll_of(first, "http://a/b"), None, "another page");
        keeper.kept().take_in(first, said("null", Some(stores("k"))));
        assert_eq!(keeper.stores_of(first).len(), 1, "an origin that is none");
        for at in 0..100 {
            keeper.kept().take_in(first, said(&format!("http://b{at}"), Some(stores("k"))));
        }
        assert_eq!(keeper.stores_of(first).len(), ORIGINS);
    }
}
