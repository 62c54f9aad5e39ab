//! File choosers of a tab, told instead of opened.

use std::time::Duration;

use tokio::time::{Instant, timeout_at};
use webhand_browser::Tab;
use webhand_cdp::{
    Event as _, EventFilter, EventItem, EventStream, Session,
    protocol::page::{FileChooserOpened, SetInterceptFileChooserDialog},
};

use crate::{error::ActionError, session::browser_trouble};

/// How long the browser may take to be told.
const TOLD_WITHIN: Duration = Duration::from_secs(5);
/// Choosers that may wait to be looked at.
const BACKLOG: usize = 64;

/// The choosers of a tab while they are kept from opening.
#[derive(Debug)]
pub(super) struct Choosers {
    wires: Vec<Session>,
    events: EventStream,
}

impl Choosers {
    pub(super) async fn intercept(tab: &Tab) -> Result<Self, ActionError> {
        let mut wires = vec![tab.session().clone()];
        for frame in tab.frames() {
            if wires.iter().all(|known| known.id() != frame.session.id()) {
                wires.push(frame.session);
            }
        }
        let filter = EventFilter::methods(&[FileChooserOpened::METHOD]).capacity(BACKLOG);
        let events = tab.session().connection().events(filter);
        for wire in &wires {
            let told = tab.race(wire.send(&SetInterceptFileChooserDialog::new(true)), TOLD_WITHIN).await;
            told.map_err(|error| browser_trouble(&error))?;
        }
        Ok(Self { wires, events })
    }

    /// The first that was to open, within that time.
    pub(super) async fn opened(&mut self, within: Duration) -> Option<FileChooserOpened> {
        let limit = Instant::now() + within;
        loop {
            let EventItem::Event(event) = timeout_at(limit, self.events.next()).await.ok()?? else { continue };
            let own = self.wires.iter().any(|wire| wire.id() == event.session.as_ref());
            if let Ok(opened) = event.decode()
                && own
            {
                return Some(opened);
            }
        }
    }

    /// Lets them open again.
    pub(super) async fn release(self) {
        for wire in &self.wires {
            // a frame's process may be gone
            let _ = wire.send(&SetInterceptFileChooserDialog::new(false)).within(TOLD_WITHIN).await;
        }
    }
}
