//! Goes on with a run whose process ended: opens again what its browser held, sets again what stood in its form, and finds out
//! about the action that was under way, before anything else is done.

use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Value, json};
use webhand_action::{
    SessionState,
    catalogue::Action,
    decode::{Finish, decode},
    outcome::Outcome,
};
use webhand_page::Snapshot;

use super::{
    Runner,
    left::{Begun, Left},
};
use crate::{
    agent::AgentError,
    end::End,
    event::Event,
    hands::{Acted, Onlook, Unseen},
    journal::Control,
    record::{ActionRecord, RecordEntry},
};

/// Nobody looks on while a form is filled again: what was written down of it stands.
struct Nobody;

#[async_trait]
impl Onlook for Nobody {
    fn wants_state(&self) -> bool {
        false
    }

    async fn before(&mut self, _index: usize, _action: &Action) -> Result<(), String> {
        Ok(())
    }

    async fn after(&mut self, _index: usize, _outcome: &Outcome, _state: Option<SessionState>) {}
}

/// What is known of an action that had begun.
enum Known {
    Done(String),
    NotDone(String),
    Unknown,
}

impl Runner<'_> {
    /// Takes up what was left of the run, if anything was. An end where it cannot go on.
    pub(super) async fn take_up(&mut self) -> Result<Option<End>, AgentError> {
        let Some(mut left) = self.plan.left.take() else { return Ok(None) };
        let mut notes = Vec::new();
        let held = left.is_held();
        // the answer to a dialog may have been under way: then what it was for may be done
        let answering = held && left.doubt.as_ref().is_some_and(Begun::answers_a_dialog);
        if held && !answering && left.undo_held() {
            notes.push(
                "a dialog that stood open is gone with its browser; what opened it is to be done again".to_owned(),
            );
        }
        self.remember_all(&mut left);
        if let Some(state) = &left.state {
            match self.hands.restore(state).await {
                Ok(told) => notes.extend(told),
                Err(Unseen::Lost(reason) | Unseen::Unread(reason)) => return Ok(Some(End::BrowserLost { reason })),
            }
            notes.push("the pages were opened again in another browser; earlier refs are void".to_owned());
        }
        self.set_again(&left, &mut notes).await;
        let known = match &left.doubt {
            Some(begun) => self.find_out(begun).await,
            None => Known::NotDone(String::new()),
        };
        if answering && matches!(known, Known::NotDone(_)) && left.undo_held() {
            self.memory.record = left.record.clone();
            self.steps = left.progress.entry.step;
        }
        let written = self.memory.record.len();
        let end = self.settle(left, known, &mut notes);
        self.tell(Event::TakenUp { step: self.steps, notes: notes.clone() });
        if self.plan.crew.navigator.abilities().judges {
            self.say(format!("The run was interrupted and is taken up again: {}.", notes.join("; ")));
        }
        // the steps before were written when they were complete
        if let Some(entry) = self.memory.record.get(written).filter(|_| end.is_none()).cloned() {
            self.write_step(&entry, ("", ""), None, Duration::ZERO).await?;
        }
        Ok(end)
    }

    fn remember_all(&mut self, left: &mut Left) {
        self.memory.record.clone_from(&left.record);
        self.memory.facts = std::mem::take(&mut left.progress.facts);
        self.memory.plan = left.progress.plan.take();
        self.feedback = left.progress.feedback.take();
        self.usage = left.progress.usage;
        (self.failures, self.refusals) = (left.progress.failures, left.progress.refusals);
        self.steps = left.progress.entry.step;
        self.before_that = Duration::from_millis(left.progress.elapsed_ms);
        for (role, replies) in &left.replies.0 {
            self.plan.crew.navigator.given(*role, *replies);
        }
    }

    /// Sets the values again that stood in the document that was shown.
    async fn set_again(&mut self, left: &Left, notes: &mut Vec<String>) {
        for begun in &left.values {
            let Ok(seen) = self.hands.look().await else { return };
            let there = seen.snapshot.page.url == begun.url;
            let action = begun
                .control
                .as_ref()
                .filter(|_| there)
                .and_then(|control| renewed(begun, control, &seen.snapshot, self.hands.catalogue()));
            let name = begun.control.as_ref().map(|control| control.name.clone()).unwrap_or_default();
            let Some(action) = action else {
                notes.push(format!("{name:?} is not there to be set again"));
                continue;
            };
            match self.hands.act(std::slice::from_ref(&action), &mut Nobody).await.pop() {
                Some(Acted::Ran(outcome)) if outcome.ok => notes.push(format!("{name:?} was set again")),
                Some(Acted::Ran(outcome)) => {
                    notes.push(format!("{name:?} could not be set again: {}", outcome.message))
                }
                _ => notes.push(format!("{name:?} could not be set again")),
            }
        }
    }

    /// Whether an action was carried out that had begun.
    async fn find_out(&mut self, begun: &Begun) -> Known {
        let words = begun.words();
        if begun.may_be_repeated(self.hands.catalogue()) {
            return Known::NotDone(format!("{words} may have been done, and may be done again"));
        }
        let Some(check) = self.plan.doubts.iter().find(|check| check.is_for(&words)).cloned() else {
            return Known::Unknown;
        };
        if check.is_repeatable() {
            return Known::NotDone(format!("{words} may have been done, and may be done again"));
        }
        let seen = match check.address() {
            Some(url) => self.hands.peek(url).await,
            None => self.hands.look().await.map(|seen| seen.snapshot),
        };
        match seen {
            Ok(page) if check.holds(&page) => Known::Done(format!("{words} had been done, as {} shows", page.page.url)),
            Ok(page) => Known::NotDone(format!("{words} had not been done, as {} shows", page.page.url)),
            Err(_) => Known::Unknown,
        }
    }

    /// Puts the incomplete step into the record, as far as it is known.
    fn settle(&mut self, left: Left, known: Known, notes: &mut Vec<String>) -> Option<End> {
        let mut entry =
            left.incomplete.unwrap_or_else(|| RecordEntry { step: self.steps + 1, ..RecordEntry::default() });
        entry.actions = left.done;
        let mut end = None;
        if let Some(begun) = left.doubt {
            let action = |ok: bool, message: String| ActionRecord {
                name: begun.action.get("type").and_then(Value::as_str).unwrap_or_default().to_owned(),
                action: begun.action.clone(),
                ran: true,
                ok,
                message,
                ..ActionRecord::default()
            };
            match known {
                Known::Done(why) => {
                    notes.push(why.clone());
                    entry.actions.push(action(true, why));
                }
                Known::NotDone(why) => notes.push(why),
                Known::Unknown => {
                    let why =
                        format!("whether this was done before the run was interrupted is not known: {}", begun.words());
                    notes.push(why.clone());
                    if !self.plan.crew.navigator.abilities().judges {
                        end = Some(End::NeedsHuman { question: why.clone() });
                    }
                    let mut unknown = action(false, why);
                    unknown.code = Some("in_doubt".to_owned());
                    unknown.hint = Some("look at the page whether it was done, before it is done again".to_owned());
                    entry.actions.push(unknown);
                }
            }
        }
        if !entry.actions.is_empty() {
            for (role, replies) in &left.replies.1 {
                self.plan.crew.navigator.given(*role, *replies);
            }
            self.steps = entry.step;
            self.memory.record.push(entry);
        }
        end
    }
}

/// An action for the control that is now what that one was.
fn renewed(
    begun: &Begun,
    control: &Control,
    page: &Snapshot,
    catalogue: &webhand_action::catalogue::Catalogue,
) -> Option<Action> {
    let mut action = begun.action.clone();
    action["ref"] = Value::from(control.on(page)?.to_string());
    let reply = json!({ "actions": [action] }).to_string();
    decode(&reply, Finish::Stop, catalogue).ok()?.actions.pop()
}
