//! Which risk an action really has: raised to `commit` by what its element would set off, and asked of the session's
//! policy before it acts.
//!
//! What a press would send is read in the page (`risk.js`); what it means is judged here. It performs nothing.

mod words;

use std::time::Duration;

use serde::Deserialize;
use tokio::time::Instant;

use self::words::{Speaker, says_commit};
use crate::{
    catalogue::{Action, Risk},
    error::{ActionError, ErrorCode},
    outcome::{Landed, Outcome},
    policy::{Deed, Ruling},
    session::Session,
};

/// A policy that took longer asked somebody: meanwhile the page may have become another.
const AT_ONCE: Duration = Duration::from_millis(50);

/// What a press, or a key, would set off, as the page's own state says just before it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct Sending {
    /// The form that would be sent: none, `get`, `post`, `search` or `sign_in`.
    sends: String,
    /// What the control is called that does it.
    name: String,
    /// Its role.
    role: String,
}

impl Sending {
    /// Why it commits, where it does.
    pub(crate) fn commits(&self) -> Option<String> {
        let speaker = if self.role == "link" { Speaker::Link } else { Speaker::Button };
        let harmless = matches!(self.sends.as_str(), "search" | "sign_in");
        match says_commit(&self.name, speaker) {
            Some(said) if said.strong || !harmless => Some(format!("{:?} says {:?}", self.name, said.word)),
            _ if self.sends == "post" => Some("it sends a form".to_owned()),
            _ => None,
        }
    }
}

/// Why the answer to a dialog commits, where it does, by what it asks.
pub(crate) fn dialog_commits(kind: &str, message: &str) -> Option<String> {
    let asks = matches!(kind, "confirm" | "prompt");
    let said = says_commit(message, Speaker::Dialog).filter(|_| asks)?;
    Some(format!("the dialog says {:?}", said.word))
}

/// The action that is under way, and what was said of it.
#[derive(Debug, Default)]
pub(crate) struct Judged {
    action: Option<Action>,
    /// The highest risk that it turned out to have.
    pub(crate) risk: Option<Risk>,
    allowed: Vec<(Risk, String)>,
}

impl Judged {
    pub(crate) fn of(action: &Action) -> Self {
        Self { action: Some(action.clone()), ..Self::default() }
    }
}

/// Whether what was looked at still holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub(crate) enum Approved {
    /// It does.
    Now,
    /// Somebody was asked, and took that long: look again.
    After(Duration),
}

impl Session {
    /// The risk that the catalogue states of an action.
    pub(crate) fn risk_of(&self, action: &Action) -> Risk {
        self.catalogue.get(action.name()).map_or(Risk::Commit, |spec| spec.risk)
    }

    /// Says of an outcome what risk the action had, and remembers what a dialog that it brought up would complete.
    pub(crate) fn note_risk(&mut self, outcome: &mut Outcome) {
        let stated = self.risk_of(&outcome.action);
        outcome.risk = self.judged.risk.map_or(stated, |risk| risk.max(stated));
        let commit = self.judged.allowed.iter().find(|(risk, _)| *risk == Risk::Commit).map(|(_, why)| why.clone());
        if self.tab.dialog().is_none() || commit.is_some() || outcome.effects.dialog() {
            let held = self.tab.dialog().is_some();
            self.held_commit = commit.filter(|_| held).map(|why| (self.tab.id(), why));
        }
    }

    /// Asks whether that may be done; each reason once an action.
    ///
    /// # Errors
    /// Where it may not.
    pub(crate) async fn approve(
        &mut self,
        risk: Risk,
        why: Option<&str>,
        target: Option<&Landed>,
    ) -> Result<Approved, ActionError> {
        self.judged.risk = self.judged.risk.max(Some(risk));
        let Some(action) = self.judged.action.clone() else { return Ok(Approved::Now) };
        let on = target.map(|target| format!("{:?} {}", target.r#ref, target.name)).unwrap_or_default();
        let reason = (risk, format!("{} {on}", why.unwrap_or_default()));
        if self.judged.allowed.contains(&reason) {
            return Ok(Approved::Now);
        }
        let policy = std::sync::Arc::clone(&self.settings.policy);
        let url = self.tab.url();
        let began = Instant::now();
        let deed = Deed { action: &action, risk, why, target, url: &url };
        match policy.judge(&deed).await {
            Ruling::Allow => {}
            Ruling::Refuse => return Err(refused(&deed, ErrorCode::BlockedByPolicy)),
            Ruling::Ask => return Err(refused(&deed, ErrorCode::NeedsHuman)),
        }
        self.judged.allowed.push(reason);
        let took = began.elapsed();
        Ok(if took > AT_ONCE { Approved::After(took) } else { Approved::Now })
    }

    /// The same for what a press or a key would set off, where that commits.
    pub(crate) async fn approve_sending(
        &mut self,
        sending: Option<&Sending>,
        target: Option<&Landed>,
    ) -> Result<Approved, ActionError> {
        match sending.and_then(Sending::commits) {
            Some(why) => self.approve(Risk::Commit, Some(&why), target).await,
            None => Ok(Approved::Now),
        }
    }
}

fn refused(deed: &Deed<'_>, code: ErrorCode) -> ActionError {
    let on = deed.target.map(|target| format!(" on {:?}", target.name)).unwrap_or_default();
    let why = deed.why.map(|why| format!(" ({why})")).unwrap_or_default();
    let what = format!("{}{on} is of the risk {}{why}", deed.action.name(), deed.risk);
    let (detail, hint) = match code {
        ErrorCode::NeedsHuman => {
            (format!("{what}, for which a person must be asked first"), "ask a person to approve it")
        }
        _ => (format!("{what}, which a rule forbids; it was not done"), "do without it, or ask a person to allow it"),
    };
    ActionError::new(code, detail).with_kind("risk").with_hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sending(sends: &str, name: &str, role: &str) -> Sending {
        Sending { sends: sends.to_owned(), name: name.to_owned(), role: role.to_owned() }
    }

    #[test]
    fn what_commits_is_told_apart() {
        for (sends, name, role) in [
            ("post", "Continue", "button"),
            ("post", "", "button"),
            ("get", "Delete", "button"),
            ("", "Pay now", "button"),
            ("", "Delete", "link"),
            ("sign_in", "Delete my account", "button"),
            ("", "Submit", "button"),
        ] {
            assert!(sending(sends, name, role).commits().is_some(), "{sends} {name}");
        }
        for (sends, name, role) in [
            ("search", "Submit", "button"),
            ("sign_in", "Confirm", "button"),
            ("get", "Show", "button"),
            ("", "How to delete it", "link"),
            ("", "", ""),
        ] {
            assert_eq!(sending(sends, name, role).commits(), None, "{sends} {name}");
        }
    }

    #[test]
    fn only_dialogs_that_ask_commit() {
        assert!(dialog_commits("confirm", "Delete it?").is_some());
        assert!(dialog_commits("alert", "You can delete it now").is_none());
        assert!(dialog_commits("beforeunload", "").is_none());
    }
}
