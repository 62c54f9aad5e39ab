//! Carries out what was decided, and keeps what came of it.

use std::time::Duration;

use async_trait::async_trait;
use serde_json::Value;
use tokio::time::Instant;
use webhand_action::{SessionState, catalogue::Action, effects::Effect, error::ErrorCode, outcome::Outcome};
use webhand_page::Snapshot;

use super::{Runner, milliseconds, tell};
use crate::{
    end::shows,
    event::Event,
    hands::{Acted, Onlook},
    journal::{Control, Entry, Journal, JournalError},
    record::{ActionRecord, Fact},
};

/// So long may an action take to notice that it is to stop.
const STOPS_WITHIN: Duration = Duration::from_millis(150);
/// At so many refused addresses one after the other the planner is asked.
const DENIED: u32 = 3;

/// Tells of each action before it is begun, and writes down what is to be done and what came of it.
struct Onlooker<'r> {
    tell: &'r mut (dyn FnMut(Event) + Send),
    journal: Option<&'r dyn Journal>,
    page: &'r Snapshot,
    step: u32,
    fault: Option<JournalError>,
}

#[async_trait]
impl Onlook for Onlooker<'_> {
    fn wants_state(&self) -> bool {
        self.journal.is_some()
    }

    async fn before(&mut self, index: usize, action: &Action) -> Result<(), String> {
        let written = action.to_json();
        if let Some(journal) = self.journal {
            let control = named_control(&written, self.page);
            let url = self.page.page.url.clone();
            let entry = Entry::Intent { step: self.step, index, action: written.clone(), control, url };
            // what is not written down is not done
            if let Err(error) = journal.write(entry).await {
                let why = error.to_string();
                self.fault = Some(error);
                return Err(why);
            }
        }
        let intent = written.get("intent").and_then(Value::as_str).unwrap_or_default().to_owned();
        if let Action::AskHuman(ask) = action {
            (self.tell)(Event::HumanAsked { step: self.step, question: ask.question.clone() });
        }
        (self.tell)(Event::Acting { step: self.step, action: written, intent });
        Ok(())
    }

    async fn after(&mut self, index: usize, outcome: &Outcome, state: Option<SessionState>) {
        let Some(journal) = self.journal else { return };
        let left = outcome.effects.iter().any(|effect| matches!(effect, Effect::Navigated { new_document: true, .. }));
        let opened = outcome.effects.iter().any(|effect| matches!(effect, Effect::DialogOpened { .. }));
        let held = opened && !matches!(outcome.action, Action::Dialog(_));
        let record = ActionRecord::ran(outcome);
        let entry = Entry::Outcome { step: self.step, index, record, left, held, state };
        if let Err(error) = journal.write(entry).await {
            self.fault = Some(error);
        }
    }
}

/// The control that an action names, as the page shows it.
fn named_control(action: &Value, page: &Snapshot) -> Option<Control> {
    Control::of(action.get("ref")?.as_str()?.parse().ok()?, page)
}

impl Runner<'_> {
    /// Carries actions out, as many as one answer may have; the rest is reported as not tried.
    pub(super) async fn act(&mut self, actions: &[Action], page: &Snapshot) -> Vec<ActionRecord> {
        let most = self.plan.limits.actions;
        let (tried, too_many) = actions.split_at(actions.len().min(most));
        let mut records = match self.carried(tried, page).await {
            Ok(acted) => acted.into_iter().map(|one| self.record_of(one, page)).collect(),
            Err(why) => {
                let out = |action: &Action| self.record_of(Acted::LeftOut(action.clone(), why.clone()), page);
                tried.iter().map(out).collect::<Vec<_>>()
            }
        };
        let why = format!("one answer may have {most} actions");
        records.extend(too_many.iter().map(|action| self.record_of(Acted::LeftOut(action.clone(), why.clone()), page)));
        records
    }

    /// Carries them out within the step's time, unless the run is stopped. An error says why nothing is known of them.
    async fn carried(&mut self, actions: &[Action], page: &Snapshot) -> Result<Vec<Acted>, String> {
        let limit = self.plan.limits.step;
        let (step, control, stopper) = (self.steps, self.plan.control.clone(), self.stopper.clone());
        let listener = &mut self.plan.listener;
        let mut tell = |event: Event| tell(listener, &event);
        let journal = self.plan.journal.as_deref();
        let mut onlooker = Onlooker { tell: &mut tell, journal, page, step, fault: None };
        let mut acting = self.hands.act(actions, &mut onlooker);
        let deadline = Instant::now() + limit;
        let acted = tokio::select! {
            acted = &mut acting => Ok(acted),
            () = tokio::time::sleep_until(deadline) => {
                Err(format!("the step took longer than {} s; what was done of it is in doubt", limit.as_secs()))
            }
            () = control.stopped() => {
                stopper.stop();
                let why = "the run was stopped; what was done of it is in doubt";
                tokio::time::timeout(STOPS_WITHIN, &mut acting).await.map_err(|_| why.to_owned())
            }
        };
        drop(acting);
        self.journal_fault = onlooker.fault;
        acted
    }

    fn record_of(&mut self, acted: Acted, page: &Snapshot) -> ActionRecord {
        let (record, target, elapsed) = match acted {
            Acted::Ran(outcome) => {
                self.remember(&outcome, page);
                self.count_denied(&outcome);
                let record = ActionRecord::ran(&outcome);
                let target = outcome.target.as_ref().map(|target| {
                    let handle = target.r#ref.map(|handle| format!("{handle} ")).unwrap_or_default();
                    format!("{handle}{} {:?}", target.role, target.name)
                });
                let elapsed = outcome.elapsed;
                self.last_results.push(*outcome);
                (record, target, elapsed)
            }
            Acted::LeftOut(action, why) => (ActionRecord::left_out(&action, &why), None, Duration::ZERO),
        };
        let elapsed_ms = milliseconds(elapsed);
        self.tell(Event::Acted { step: self.steps, action: record.clone(), target, elapsed_ms });
        record
    }

    /// Keeps what the model asked to be kept, and what was taken out of a page.
    fn remember(&mut self, outcome: &Outcome, page: &Snapshot) {
        if !outcome.ok {
            return;
        }
        let source = page.page.url.clone();
        match (&outcome.action, &outcome.data) {
            (Action::Remember(fact), _) => {
                let said = fact.value.trim();
                let from_page = !said.is_empty() && shows(page, said);
                self.memory.keep(Fact { key: fact.key.clone(), value: fact.value.clone(), source, from_page });
            }
            (Action::Extract(_), Some(data)) => {
                let key = format!("extracted in step {}", self.steps);
                self.memory.keep(Fact { key, value: data.to_string(), source, from_page: true });
            }
            _ => {}
        }
    }

    /// Who wants to go again and again where that is not allowed needs another plan.
    fn count_denied(&mut self, outcome: &Outcome) {
        let denied = outcome.error.as_ref().is_some_and(|error| error.code == ErrorCode::BlockedByPolicy);
        self.denied = match (denied, outcome.ok) {
            (true, _) => self.denied + 1,
            (false, true) => 0,
            (false, false) => self.denied,
        };
        if denied && self.denied >= DENIED {
            self.denied = 0;
            self.plan_due = self.plan.crew.planner.is_some();
            self.say("That address is not allowed, in whatever form it is written. Do the task without it, or say that it cannot be done.".to_owned());
        }
    }
}
