//! Several actions of one reply: in order, each checked against what the model saw, with a brake.
//!
//! A brake is no failure: the page went on in a way that the model did not know of when it wrote the reply, so the rest
//! is handed back untried.

use std::fmt;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::{
    catalogue::Action,
    effects::Effect,
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    session::Session,
};

/// How a batch is run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BatchOptions {
    /// How many actions of one reply are tried. Default 10.
    pub max_actions: usize,
    /// How many failures a batch may go on after. Default 0: the first one stops it.
    pub failures_allowed: usize,
    /// Whether any new control brakes, not only what touches a remaining target. Default off.
    pub brake_on_new_controls: bool,
}

impl Default for BatchOptions {
    fn default() -> Self {
        Self { max_actions: 10, failures_allowed: 0, brake_on_new_controls: false }
    }
}

impl BatchOptions {
    /// Goes on after up to that many failures.
    #[must_use]
    pub fn continue_after(mut self, failures: usize) -> Self {
        self.failures_allowed = failures;
        self
    }

    /// Tries at most that many actions.
    #[must_use]
    pub fn max_actions(mut self, actions: usize) -> Self {
        self.max_actions = actions;
        self
    }
}

/// What became of one action of a batch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ReportItem {
    /// It was performed.
    Done {
        /// What was observed.
        outcome: Outcome,
    },
    /// It was tried and failed.
    Failed {
        /// Why.
        outcome: Outcome,
    },
    /// It was not tried.
    NotTried {
        /// The action.
        action: Action,
        /// Why not.
        why: String,
    },
}

impl ReportItem {
    /// `done`, `failed` or `not_tried`.
    #[must_use]
    pub fn status(&self) -> &'static str {
        match self {
            ReportItem::Done { .. } => "done",
            ReportItem::Failed { .. } => "failed",
            ReportItem::NotTried { .. } => "not_tried",
        }
    }

    /// The outcome, where it was tried.
    #[must_use]
    pub fn outcome(&self) -> Option<&Outcome> {
        match self {
            ReportItem::Done { outcome } | ReportItem::Failed { outcome } => Some(outcome),
            ReportItem::NotTried { .. } => None,
        }
    }
}

/// What became of each action of a batch, in order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Report {
    /// One item an action.
    pub items: Vec<ReportItem>,
}

impl Report {
    /// Whether all were done.
    #[must_use]
    pub fn all_done(&self) -> bool {
        self.items.iter().all(|item| matches!(item, ReportItem::Done { .. }))
    }

    /// The outcomes of those that were tried.
    pub fn outcomes(&self) -> impl Iterator<Item = &Outcome> {
        self.items.iter().filter_map(ReportItem::outcome)
    }
}

impl fmt::Display for Report {
    /// One line an action, as a model reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, item) in self.items.iter().enumerate() {
            let number = index + 1;
            match item {
                ReportItem::Done { outcome } | ReportItem::Failed { outcome } => writeln!(f, "{number}. {outcome}")?,
                ReportItem::NotTried { action, why } => writeln!(f, "{number}. {} not tried: {why}", action.name())?,
            }
        }
        Ok(())
    }
}

/// Sees each action of a batch right before it is begun and right after it is over: a journal, a log, a person.
#[async_trait]
pub trait Witness: Send {
    /// An action is about to begin. An error keeps it from that, and the rest with it; it says why.
    ///
    /// # Errors
    /// Whatever keeps the action from being begun, in words.
    async fn before(&mut self, index: usize, action: &Action) -> Result<(), String>;

    /// It is over. The session may be asked how it stands; what comes next waits.
    async fn after(&mut self, index: usize, outcome: &Outcome, session: &mut Session);
}

/// Nobody looks on.
struct Nobody;

#[async_trait]
impl Witness for Nobody {
    async fn before(&mut self, _index: usize, _action: &Action) -> Result<(), String> {
        Ok(())
    }

    async fn after(&mut self, _index: usize, _outcome: &Outcome, _session: &mut Session) {}
}

impl Session {
    /// Performs the actions of one reply in order, until all are done, one fails, or the page went on so that the rest no
    /// longer stands on what the model saw.
    pub async fn perform_all(&mut self, actions: &[Action], options: &BatchOptions) -> Report {
        self.perform_witnessed(actions, options, &mut Nobody).await
    }

    /// The same, with somebody who sees each action before it is begun and after it is over.
    pub async fn perform_witnessed(
        &mut self,
        actions: &[Action],
        options: &BatchOptions,
        witness: &mut dyn Witness,
    ) -> Report {
        let mut report = Report::default();
        let mut failures = 0;
        let mut stopped: Option<String> = misplaced_done(actions);
        let none_run = stopped.is_some();
        let stops = self.stops();
        for (index, action) in actions.iter().enumerate() {
            if stopped.is_none() && index >= options.max_actions {
                stopped = Some(format!("one reply may have {} actions", options.max_actions));
            }
            if let Some(why) = &stopped {
                report.items.push(ReportItem::NotTried { action: action.clone(), why: why.clone() });
                continue;
            }
            let controls = if options.brake_on_new_controls { self.control_count().await } else { None };
            if let Err(why) = witness.before(index, action).await {
                report.items.push(ReportItem::NotTried { action: action.clone(), why: why.clone() });
                stopped = Some(why);
                continue;
            }
            let outcome = self.perform(action.clone()).await;
            witness.after(index, &outcome, self).await;
            if outcome.ok {
                stopped = brake_after(&outcome);
                if stopped.is_none() && controls.is_some() && controls < self.control_count().await {
                    stopped = Some("new controls came up".to_owned());
                }
                report.items.push(ReportItem::Done { outcome });
            } else if let Some(why) = outcome.error.as_ref().filter(|_| index > 0 && failures == 0).and_then(brakes) {
                report.items.push(ReportItem::NotTried { action: action.clone(), why: why.clone() });
                stopped = Some(why);
            } else {
                failures += 1;
                if failures > options.failures_allowed {
                    stopped = Some(format!("action {} failed", index + 1));
                } else {
                    stopped = brake_after(&outcome);
                }
                report.items.push(ReportItem::Failed { outcome });
            }
            if stops.told() {
                stopped = Some("it was told to stop".to_owned());
            }
        }
        if none_run {
            refuse_first(&mut report, actions);
        }
        report
    }

    async fn control_count(&mut self) -> Option<usize> {
        self.glance().await.ok().map(|snapshot| snapshot.controls().count())
    }
}

/// `done` ends a reply: anywhere but at its end nothing of the reply is run.
fn misplaced_done(actions: &[Action]) -> Option<String> {
    let place = actions.iter().position(|action| matches!(action, Action::Done(_)))?;
    (place + 1 < actions.len()).then(|| "done must be the last action; nothing was run".to_owned())
}

fn refuse_first(report: &mut Report, actions: &[Action]) {
    if let (Some(first), Some(action)) = (report.items.first_mut(), actions.first()) {
        let error =
            ActionError::new(ErrorCode::InvalidAction, "done must be the last action").with_kind("done_not_last");
        *first = ReportItem::Failed { outcome: Outcome::failed(action.clone(), error) };
    }
}

/// What an action that was done changes so much that the rest must be thought over.
fn brake_after(outcome: &Outcome) -> Option<String> {
    // what was asked for by name is no surprise, but the refs of the old page are gone all the same
    outcome.effects.iter().find_map(|effect| match effect {
        Effect::Navigated { new_document: true, url, .. } => Some(format!("another document was loaded: {url}")),
        Effect::TabOpened { tab, followed: true, .. } => Some(format!("tab {tab} opened and is current")),
        Effect::TabSwitched { tab } => Some(format!("tab {tab} is current now")),
        Effect::DialogOpened { dialog, message } => Some(format!("a {dialog} dialog came up: {message:?}")),
        _ => None,
    })
}

/// Whether a refusal means that the page is no longer what the model saw.
fn brakes(error: &ActionError) -> Option<String> {
    let kind = error.kind.as_deref();
    let moved_on = match error.code {
        ErrorCode::TargetChanged | ErrorCode::StaleRef => true,
        ErrorCode::ElementNotFound => kind != Some("option_missing"),
        ErrorCode::NotInteractable => matches!(kind, Some("covered" | "dialog_open" | "hidden")),
        _ => false,
    };
    moved_on.then(|| error.to_string())
}
