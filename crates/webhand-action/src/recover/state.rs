//! What a browser holds for a session, as a value: to go on from in another browser, tomorrow or after a crash.

use std::{collections::BTreeMap, time::Duration};

use serde::{Deserialize, Serialize};
use webhand_browser::Tab;
use webhand_cdp::protocol::network::Cookie;

use super::{
    keep::{self, Stores},
    restore::Owed,
};
use crate::{
    error::ActionError,
    session::{Session, browser_trouble},
};

/// How long a page may take to say what it would lose.
const NOTED_WITHIN: Duration = Duration::from_millis(500);
/// So many tabs are opened again.
const TABS: usize = 32;

/// What a browser holds for a session: cookies, what pages stored, and the tabs with their addresses and scroll.
///
/// Whoever has it has the session's logins: keep it as one keeps a password.
#[derive(Clone, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SessionState {
    cookies: Vec<Cookie>,
    /// What is open, in order.
    pub tabs: Vec<TabLeft>,
    /// Which of them is current.
    pub current: usize,
}

/// A tab of a [`SessionState`].
#[derive(Clone, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TabLeft {
    /// The address it shows.
    pub url: String,
    /// How far its page is scrolled, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scroll: Option<(f64, f64)>,
    /// Its page came of a form that was sent.
    #[serde(default)]
    pub posted: bool,
    #[serde(default)]
    stores: BTreeMap<String, Stores>,
}

impl std::fmt::Debug for SessionState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let tabs: Vec<&str> = self.tabs.iter().map(|tab| tab.url.as_str()).collect();
        f.debug_struct("SessionState").field("cookies", &self.cookies.len()).field("tabs", &tabs).finish()
    }
}

impl std::fmt::Debug for TabLeft {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TabLeft").field("url", &self.url).field("scroll", &self.scroll).finish_non_exhaustive()
    }
}

impl Session {
    /// What the browser holds for this session now. What a page does not say in time is as it was said last.
    pub async fn state(&mut self) -> SessionState {
        if let Some(noting) = self.keeper.note(&self.context, &self.tab, None) {
            let _ = tokio::time::timeout(NOTED_WITHIN, noting).await;
        }
        let tabs: Vec<Tab> = self.context.tabs().into_iter().filter(|tab| !tab.is_closed()).collect();
        let current = tabs.iter().position(|tab| tab.id() == self.tab.id()).unwrap_or(0);
        let left = |tab: &Tab| {
            let url = tab.url();
            TabLeft {
                scroll: self.keeper.scroll_of(tab.id(), &url),
                posted: tab.came_of_form(),
                stores: self.keeper.stores_of(tab.id()).into_iter().collect(),
                url,
            }
        };
        SessionState { cookies: self.keeper.cookies(), tabs: tabs.iter().map(left).collect(), current }
    }

    /// Opens again what a state holds: meant for a session that has opened nothing yet. Forms are not sent again; what could
    /// not be opened is told by the notes that come back.
    ///
    /// # Errors
    /// When the browser is lost on the way.
    pub async fn restore(&mut self, state: &SessionState) -> Result<Vec<String>, ActionError> {
        self.context.set_cookies(&state.cookies).await.map_err(|error| browser_trouble(&error))?;
        let mut tabs = vec![self.tab.clone()];
        let wanted = &state.tabs[..state.tabs.len().min(TABS)];
        for _ in 1..wanted.len() {
            tabs.push(self.context.new_tab(None).await.map_err(|error| browser_trouble(&error))?);
        }
        for (tab, left) in tabs.iter().zip(wanted) {
            let stores = left.stores.clone().into_iter().collect();
            self.owed.push(Owed::of(tab.id(), left, keep::script_of(&stores)));
        }
        if let Some(current) = tabs.get(state.current) {
            self.tab = current.clone();
            self.desk.is_on(self.tab.id());
        }
        self.pay_owed().await?;
        Ok(std::mem::take(&mut self.mended))
    }
}
