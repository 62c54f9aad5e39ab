//! Tabs that an action opened: which becomes the current one, and which came only for a file.

use tokio::time::{Instant, timeout_at};
use webhand_browser::{FrameInfo, Tab, TabId};

use super::effects::{BLANK, Place, Popup};
use crate::{
    effects::{Effect, Effects},
    session::Session,
};

/// Waits for the pages of tabs that were opened, and makes the newest that stands in front the current one, unless told not
/// to.
pub(crate) async fn adopt(session: &mut Session, popups: Vec<Popup>, follow: bool, effects: &mut Effects) {
    for popup in popups {
        effects.extend(adopt_one(session, popup, follow).await);
    }
}

async fn adopt_one(session: &mut Session, popup: Popup, follow: bool) -> Option<Effect> {
    let id = popup.tab;
    let closed = Effect::TabClosed { tab: id.to_string() };
    let Some(tab) = session.context.tab(id) else {
        return (!has_download(session, id)).then_some(closed);
    };
    let mut events = tab.events();
    let limit = Instant::now() + session.settings.settle_cap;
    // a popup that has its page already has nothing to say
    while !tab.is_closed() && !is_ready(&tab, &popup) && !has_download(session, id) {
        if !matches!(timeout_at(limit, events.next()).await, Ok(Some(_))) {
            break;
        }
    }
    if has_download(session, id) && is_blank(&tab) {
        // the headless shell leaves it where a window of Chromium's would close
        let _ = tab.close().await;
        return None;
    }
    if tab.is_closed() {
        return Some(closed);
    }
    let followed = follow && popup.place == Place::Front;
    let url = tab.url();
    if followed {
        session.tab = tab;
    }
    Some(Effect::TabOpened { tab: id.to_string(), url, followed })
}

fn is_ready(tab: &Tab, popup: &Popup) -> bool {
    let ready = |frame: &FrameInfo| frame.dom_ready && !(popup.has_page && matches!(frame.url.as_str(), "" | BLANK));
    tab.frames().first().is_some_and(ready)
}

fn is_blank(tab: &Tab) -> bool {
    matches!(tab.url().as_str(), "" | BLANK)
}

fn has_download(session: &Session, tab: TabId) -> bool {
    session.context.downloads_since(session.store.met()).iter().any(|download| download.tab == tab)
}
