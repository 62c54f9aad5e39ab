//! What a run needs of a browser: to look, to act, to take a picture.
//!
//! The loop knows only this trait, so that it is tested without a browser.

use std::{path::Path, sync::Arc, time::Duration};

use async_trait::async_trait;
use webhand_action::{
    SessionState, Stopper,
    catalogue::{Action, Catalogue},
    outcome::Outcome,
    schema::PageNeeds,
};
use webhand_page::{Sight, Snapshot};

use crate::prompt::Image;

/// A page as it was seen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    /// As a value.
    pub(crate) snapshot: Arc<Snapshot>,
    /// As text for a model, not fenced yet.
    pub(crate) text: String,
    /// What decides which actions can serve, but for the dialog.
    pub(crate) needs: PageNeeds,
}

/// Why the page could not be seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unseen {
    /// The browser or its tab went away.
    Lost(String),
    /// This time only.
    Unread(String),
}

/// One action of a reply: what came of it, or why it was left out.
#[derive(Clone, Debug)]
pub(crate) enum Acted {
    /// It was run.
    Ran(Box<Outcome>),
    /// It was left out.
    LeftOut(Action, String),
}

/// Sees each action right before it is begun and right after it is over.
#[async_trait]
pub(crate) trait Onlook: Send {
    /// Whether it wants to know what the browser holds afterwards.
    fn wants_state(&self) -> bool;
    /// An action is about to begin. An error keeps it from that; it says why.
    async fn before(&mut self, index: usize, action: &Action) -> Result<(), String>;
    /// It is over.
    async fn after(&mut self, index: usize, outcome: &Outcome, state: Option<SessionState>);
}

/// Eyes and hands.
#[async_trait]
pub(crate) trait Hands: Send {
    /// What can be done.
    fn catalogue(&self) -> &Arc<Catalogue>;
    /// What ends an action that is under way.
    async fn stopper(&mut self) -> Stopper {
        Stopper::default()
    }
    /// Writes pages in at most that many tokens, where they would be longer.
    async fn limit_page(&mut self, _tokens: u32) {}
    /// Keeps what comes in that folder, where no other one was named.
    async fn keep_files_in(&mut self, _folder: &Path) {}
    /// Reads the page.
    async fn look(&mut self) -> Result<Seen, Unseen>;
    /// Carries actions out in order, until one fails or the page changes under the next.
    async fn act(&mut self, actions: &[Action], onlooker: &mut dyn Onlook) -> Vec<Acted>;
    /// Opens again what the browser held; what could not be is told.
    async fn restore(&mut self, _state: &SessionState) -> Result<Vec<String>, Unseen> {
        Ok(Vec::new())
    }
    /// Looks at an address in a tab of its own that is closed again.
    async fn peek(&mut self, _url: &str) -> Result<Arc<Snapshot>, Unseen> {
        Err(Unseen::Unread("nothing else can be looked at here".to_owned()))
    }
    /// Takes a JPEG picture of the view, if that can be done within this time.
    async fn picture(&mut self, within: Duration) -> Option<Vec<u8>>;
    /// Takes those for a model that sees, with the refs on them, if that can be done within this time.
    async fn vision(&mut self, _sight: &Sight, _within: Duration) -> Vec<Image> {
        Vec::new()
    }
}
