//! What was left of a run whose process ended, read from its journal. Pure.

use std::collections::HashMap;

use serde_json::Value;
use webhand_action::{
    SessionState,
    catalogue::{Catalogue, Risk},
    decode::decode,
};
use webhand_guard::Fence;
use webhand_page::Snapshot;

use crate::{
    end::Condition,
    journal::{Control, Entry, Head, JournalError, Progress},
    prompt::Role,
    record::{ActionRecord, RecordEntry},
    task::Task,
};

/// How it is found out whether an action was carried out that was under way when a run was interrupted: by what an address
/// shows.
///
/// ```
/// use webhand_agent::{Condition, DoubtCheck};
/// let check = DoubtCheck::of("Place order", Condition::Shows("Order WH-".into())).at("http://127.0.0.1:8080/orders");
/// assert!(check.is_for("click B12 button \"Place order\""));
/// ```
#[derive(Clone, Debug)]
pub struct DoubtCheck {
    words: String,
    at: Option<String>,
    /// None where it may be done once more in any case.
    done: Option<Condition>,
}

impl DoubtCheck {
    /// For actions whose name, control, text or reason contains these words (in any case; all where they are empty): it was
    /// carried out if that condition holds.
    #[must_use]
    pub fn of(words: impl Into<String>, done: Condition) -> Self {
        Self { words: words.into().to_lowercase(), at: None, done: Some(done) }
    }

    /// For actions that contain these words (all where they are empty): they may be done once more.
    #[must_use]
    pub fn repeatable(words: impl Into<String>) -> Self {
        Self { words: words.into().to_lowercase(), at: None, done: None }
    }

    /// At that address, which is opened in a tab of its own. Without one the present page is looked at.
    #[must_use]
    pub fn at(mut self, url: impl Into<String>) -> Self {
        self.at = Some(url.into());
        self
    }

    /// Whether it is for an action that reads so.
    #[must_use]
    pub fn is_for(&self, action: &str) -> bool {
        action.to_lowercase().contains(&self.words)
    }

    pub(super) fn address(&self) -> Option<&str> {
        self.at.as_deref()
    }

    pub(super) fn is_repeatable(&self) -> bool {
        self.done.is_none()
    }

    pub(super) fn holds(&self, page: &Snapshot) -> bool {
        self.done.as_ref().is_some_and(|done| done.holds(page))
    }
}

/// An action that had begun, as it was written down.
#[derive(Clone, Debug)]
pub(crate) struct Begun {
    pub(crate) action: Value,
    pub(crate) control: Option<Control>,
    pub(crate) url: String,
}

impl Begun {
    /// `click button "Place order" for: finish the order`.
    pub(crate) fn words(&self) -> String {
        let text = |key: &str| self.action.get(key).and_then(Value::as_str).unwrap_or_default();
        let control = self.control.as_ref().map(|control| format!(" {} {:?}", control.role, control.name));
        let intent = Some(text("intent")).filter(|intent| !intent.is_empty()).map(|intent| format!(" for: {intent}"));
        format!("{}{}{}", text("type"), control.unwrap_or_default(), intent.unwrap_or_default())
    }

    /// Whether doing it once more makes no difference: it only looks, goes somewhere, or sets a value.
    pub(crate) fn may_be_repeated(&self, catalogue: &Catalogue) -> bool {
        let name = self.action.get("type").and_then(Value::as_str).unwrap_or_default();
        let looks = catalogue.get(name).is_some_and(|spec| matches!(spec.risk, Risk::Read | Risk::Navigate));
        looks || self.sets_a_value()
    }

    /// Whether it answers a dialog.
    pub(crate) fn answers_a_dialog(&self) -> bool {
        self.action.get("type").is_some_and(|name| name == "dialog")
    }

    /// Whether it sets a value that is gone with its document.
    pub(crate) fn sets_a_value(&self) -> bool {
        let name = self.action.get("type").and_then(Value::as_str).unwrap_or_default();
        matches!(name, "fill" | "select" | "check") && !self.action.get("submit").is_some_and(|submit| submit == true)
    }
}

/// What was left of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Left {
    pub(crate) head: Head,
    task_now: Option<String>,
    pub(crate) record: Vec<RecordEntry>,
    /// Where it stood after its last complete step.
    pub(crate) progress: Progress,
    /// What the browser held last.
    pub(crate) state: Option<SessionState>,
    /// Values that were set in the document that was shown last, in order.
    pub(crate) values: Vec<Begun>,
    /// What the last, incomplete step had done.
    pub(crate) done: Vec<ActionRecord>,
    /// The last of them left a dialog open, which is gone with its browser: what it asked for was not done yet.
    held: bool,
    /// The action that had begun and of which nothing more is known.
    pub(crate) doubt: Option<Begun>,
    /// The step that was not completed, as its answer had it.
    pub(crate) incomplete: Option<RecordEntry>,
    /// How many answers of each role are behind the complete steps, and behind the incomplete one.
    pub(crate) replies: (HashMap<Role, usize>, HashMap<Role, usize>),
}

impl Left {
    /// Reads it from the entries of a journal.
    pub(crate) fn of(entries: &[Entry], catalogue: &Catalogue) -> Result<Self, JournalError> {
        let Some(Entry::Began(head)) = entries.first() else {
            let reason = "it does not begin with what the run began with".to_owned();
            return Err(JournalError::Unusable { at: "of the run".to_owned(), reason });
        };
        let mut left = Self { head: head.clone(), ..Self::default() };
        for entry in entries {
            left.take(entry, catalogue);
        }
        Ok(left)
    }

    fn take(&mut self, entry: &Entry, catalogue: &Catalogue) {
        match entry {
            Entry::Replied { step, role, reply } => {
                *self.replies.1.entry(*role).or_default() += 1;
                if *role == Role::Navigator
                    && let Ok(decision) = decode(&reply.text, reply.finish, catalogue)
                {
                    self.incomplete = Some(RecordEntry {
                        step: *step,
                        evaluation: decision.state.evaluation,
                        memory: decision.state.memory,
                        goal: decision.state.next_goal,
                        ..RecordEntry::default()
                    });
                }
            }
            Entry::Intent { action, control, url, .. } => {
                let begun = Begun { action: action.clone(), control: control.clone(), url: url.clone() };
                self.doubt = Some(begun);
            }
            Entry::Outcome { record, left, held, state, .. } => {
                let begun = self.doubt.take();
                self.held = *held;
                if *left {
                    self.values.clear();
                } else {
                    self.values.extend(begun.filter(|begun| record.ok && begun.sets_a_value()));
                }
                if state.is_some() {
                    self.state.clone_from(state);
                }
                self.done.push(record.clone());
            }
            Entry::Stepped(progress) => {
                self.record.push(progress.entry.clone());
                self.progress = progress.as_ref().clone();
                for (role, replies) in std::mem::take(&mut self.replies.1) {
                    *self.replies.0.entry(role).or_default() += replies;
                }
                (self.done, self.doubt, self.incomplete) = (Vec::new(), None, None);
            }
            Entry::Follows { task } => self.task_now = Some(task.clone()),
            _ => {}
        }
    }

    /// Whether a dialog stood open.
    pub(crate) fn is_held(&self) -> bool {
        self.held
    }

    /// Takes out what had only opened a dialog that is gone: it is to be done again. Whether there was such.
    pub(crate) fn undo_held(&mut self) -> bool {
        if !std::mem::take(&mut self.held) {
            return false;
        }
        if self.done.pop().is_some() {
            return true;
        }
        if let Some(entry) = self.record.last_mut() {
            entry.actions.pop();
            if entry.actions.is_empty() {
                self.record.pop();
                self.progress.entry.step = self.progress.entry.step.saturating_sub(1);
            }
        }
        true
    }

    /// What is to be done.
    pub(crate) fn task(&self) -> Task {
        match &self.task_now {
            Some(task) => Task { text: task.clone(), ..Task::default() },
            None => Task {
                text: self.head.task.clone(),
                output: self.head.output.clone(),
                conditions: self.head.conditions.clone(),
            },
        }
    }

    pub(crate) fn fence(&self) -> Fence {
        Fence::with_token(&self.head.fence)
    }
}
