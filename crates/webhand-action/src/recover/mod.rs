//! Recovering without the model: loads that fail for a moment are tried again, a page that crashed is loaded again, and a
//! browser that is gone comes again with the session's tabs, cookies, storage and scroll.
//!
//! What was under way then is in doubt: only what changes nothing is done again, all else is told as in doubt. It must not
//! know how a browser is started: see [`webhand_browser::Browser::revive`].

mod backoff;
mod keep;
mod restore;
mod state;

use std::time::Duration;

use webhand_browser::{Tab, TabId};

use crate::{
    catalogue::{Action, TabOp},
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    session::{Session, SessionError, browser_trouble},
};

pub(crate) use backoff::Retries;
pub(crate) use keep::Keeper;
pub(crate) use restore::Owed;
pub use state::{SessionState, TabLeft};

/// How long a browser may take to be there again with all pages.
const RECOVERS_WITHIN: Duration = Duration::from_secs(90);
/// How long an outcome may wait until what it changed is noted.
const NOTED_WITHIN: Duration = Duration::from_millis(100);

/// What is mended without asking anybody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recovery {
    /// How often a load is tried again that failed for a moment (nobody answers, 503). Default 3; 0 switches it off.
    pub retries: u32,
    /// How long after the first failure; twice as long after each further one. Default 0.5 s.
    pub first_pause: Duration,
    /// Whether a page that crashed is loaded again, and a browser that is gone comes again. Default yes.
    pub lost: bool,
}

impl Default for Recovery {
    fn default() -> Self {
        Self { retries: 3, first_pause: Duration::from_millis(500), lost: true }
    }
}

impl Recovery {
    /// Nothing is mended: every failure is told at once.
    #[must_use]
    pub fn off() -> Self {
        Self { retries: 0, lost: false, ..Self::default() }
    }
}

/// What is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loss {
    /// The browser, or the connection to it.
    Browser,
    /// The current tab's page.
    Page,
}

impl Loss {
    fn words(self) -> &'static str {
        match self {
            Loss::Browser => "the browser went away",
            Loss::Page => "the page crashed",
        }
    }
}

impl Session {
    /// Whether something is gone.
    pub(crate) fn is_lost(&self) -> bool {
        self.settings.recovery.lost && self.loss().is_some()
    }

    /// What is gone now.
    fn loss(&self) -> Option<Loss> {
        if self.context.is_lost() {
            Some(Loss::Browser)
        } else if self.tab.is_crashed() {
            Some(Loss::Page)
        } else {
            None
        }
    }

    /// Makes sure that there is a browser with the session's pages. Ends at once where nothing is missing.
    pub(crate) async fn stand_up(&mut self) -> Result<(), ActionError> {
        let loss = self.loss();
        if !self.settings.recovery.lost || (loss.is_none() && self.owed.is_empty()) {
            return Ok(());
        }
        let mut stops = self.stops();
        let _under_way = self.desk.begin("recover", self.tab.id());
        let recovered = tokio::select! {
            recovered = tokio::time::timeout(RECOVERS_WITHIN, Box::pin(self.recover(loss))) => recovered,
            () = stops.wait() => {
                return Err(ActionError::new(ErrorCode::Stopped, "it was stopped while what was lost was opened again"));
            }
        };
        recovered.unwrap_or_else(|_| {
            Err(ActionError::new(ErrorCode::BrowserLost, "what was lost was not there again in time"))
        })
    }

    /// The same before the page is read.
    pub(crate) async fn stand_up_to_look(&mut self) -> Result<(), SessionError> {
        self.stand_up().await.map_err(SessionError::NotRecovered)
    }

    async fn recover(&mut self, loss: Option<Loss>) -> Result<(), ActionError> {
        match loss {
            Some(Loss::Browser) => self.come_again().await.map_err(|error| browser_trouble(&error))?,
            Some(Loss::Page) => self.owe_page(),
            None => {}
        }
        self.pay_owed().await
    }

    /// The tabs whose pages have crashed: they are loaded again when they come to be current.
    pub(crate) fn crashed_tabs(&self) -> Vec<TabId> {
        self.context.tabs().iter().filter(|tab| tab.is_crashed()).map(Tab::id).collect()
    }

    /// Whether something went while the action was under way; then what is to be said of it is not what it says.
    pub(crate) async fn after_loss(&mut self, action: &Action, outcome: Outcome, crashed: &[TabId]) -> Outcome {
        let Some(loss) = self.loss().filter(|_| self.settings.recovery.lost) else { return outcome };
        if loss == Loss::Page && crashed.contains(&self.tab.id()) {
            // it is another tab that is current now, and its page had crashed long before
            return outcome;
        }
        if stands_anyway(action, &outcome) {
            return outcome;
        }
        if outcome.code() == Some(ErrorCode::Stopped) {
            return outcome;
        }
        let recovered = self.stand_up().await;
        match recovered {
            Ok(()) if changes_nothing(action) => {
                let mut again = Box::pin(self.perform_once(action)).await;
                again.attempts += outcome.attempts;
                match self.loss() {
                    Some(loss) if !stands_anyway(action, &again) => in_doubt(again, loss, None),
                    _ => again,
                }
            }
            Ok(()) => in_doubt(outcome, loss, None),
            Err(error) => in_doubt(outcome, loss, Some(&error)),
        }
    }

    /// Notes down what would be lost with the browser, beside whatever comes next. What an action is known to have changed
    /// is waited for a moment. `before` is the tab that was current until then.
    pub(crate) async fn keep_in_mind(&self, outcome: Option<&Outcome>, before: Option<&Tab>) {
        if !self.settings.recovery.lost || self.loss().is_some() {
            return;
        }
        let left = before.filter(|tab| tab.id() != self.tab.id() && !tab.is_closed());
        let Some(noting) = self.keeper.note(&self.context, &self.tab, left) else { return };
        if outcome.is_some_and(|outcome| outcome.effects.reach_out()) {
            let _ = tokio::time::timeout(NOTED_WITHIN, noting).await;
        }
    }
}

/// Whether an action can be done again as if it had never begun.
fn changes_nothing(action: &Action) -> bool {
    match action {
        Action::Navigate(navigate) => !navigate.new_tab,
        Action::Extract(order) => order.pages <= 1,
        Action::Tab(order) => order.op == TabOp::List,
        Action::Search(_)
        | Action::Reload(_)
        | Action::Read(_)
        | Action::Expand(_)
        | Action::Find(_)
        | Action::Screenshot(_)
        | Action::Options(_)
        | Action::Wait(_) => true,
        _ => false,
    }
}

/// Whether what an action says holds whatever went since.
fn stands_anyway(action: &Action, outcome: &Outcome) -> bool {
    let untouched = matches!(action, Action::File(_) | Action::Remember(_) | Action::Done(_) | Action::Custom(_));
    let refused = matches!(
        outcome.code(),
        Some(ErrorCode::InvalidAction | ErrorCode::BlockedByPolicy | ErrorCode::Unsupported | ErrorCode::NeedsHuman)
    );
    untouched || refused || (outcome.ok && changes_nothing(action))
}

/// What is said of an action in whose middle something went: nothing that was seen of it counts as done.
fn in_doubt(mut outcome: Outcome, loss: Loss, unmended: Option<&ActionError>) -> Outcome {
    let name = outcome.action.name();
    let mut detail = format!("{} while {name} was under way: whether it was done is in doubt", loss.words());
    let error = match unmended {
        None => ActionError::new(ErrorCode::BrowserLost, detail).with_kind("in_doubt").with_hint(
            "what was open is open again: read the page to see whether it was done; it is not repeated by itself",
        ),
        Some(error) => {
            detail.push_str(&format!("; it did not come again: {}", error.detail));
            let hint = error.hint.clone();
            let error = ActionError::new(ErrorCode::BrowserLost, detail).with_kind("gone");
            match hint {
                Some(hint) => error.with_hint(hint),
                None => error,
            }
        }
    };
    outcome.data = None;
    outcome.effects.forget_tabs();
    outcome.fail(error);
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        catalogue::{Click, Navigate, Wait},
        effects::Effect,
    };

    #[test]
    fn only_what_changes_nothing_is_done_again() {
        assert!(changes_nothing(&Navigate::to("http://a.b/").into()) && changes_nothing(&Wait::text("x").into()));
        assert!(!changes_nothing(&Click::on("B1").into()));
    }

    #[test]
    fn what_is_in_doubt_is_never_told_as_done() {
        let mut outcome = Outcome::done(Click::on("B1").into(), "clicked");
        outcome.effects.push(Effect::TabClosed { tab: "t1".into() });
        outcome.effects.push(Effect::Requests { begun: 1, failed: 0 });
        assert!(!stands_anyway(&outcome.action, &outcome));
        let said = in_doubt(outcome, Loss::Browser, None);
        assert!(!said.ok && said.message.contains("in doubt"), "{said}");
        assert_eq!(said.code(), Some(ErrorCode::BrowserLost));
        assert_eq!(said.effects.iter().count(), 1, "that its tabs went is not its doing");
    }
}
