//! Noticing that a run gets nowhere. Pure: it sees what is to be done, on which element, and a digest of the page.
//!
//! What is counted is the action with the fingerprint of its element on a state of the page, so that going round in circles
//! counts as much as standing still; and actions that fail, whatever the page.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash as _, Hasher as _},
};

use serde_json::Value;
use webhand_action::catalogue::Action;
use webhand_page::Snapshot;

use crate::journal::Control;

/// At this repetition the model is told.
const NUDGE: u32 = 3;
/// At this one the planner is asked.
const PLAN: u32 = 4;
/// At this one what is repeated is refused.
const REFUSE: u32 = 5;
/// At this one the run ends.
const STOP: u32 = 6;
/// So many steps in a row may do nothing but wait.
const WAITS: u32 = 5;

/// What a repetition calls for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Repetition {
    /// Nothing.
    Fine,
    /// The model should be told.
    Nudge(u32),
    /// The planner should be asked, where there is one.
    Plan(u32),
    /// It should not be done again.
    Refuse(u32),
    /// The run should end.
    Stuck,
}

impl Repetition {
    fn at(times: u32) -> Self {
        match times {
            STOP.. => Repetition::Stuck,
            REFUSE => Repetition::Refuse(times),
            PLAN => Repetition::Plan(times),
            NUDGE => Repetition::Nudge(times),
            _ => Repetition::Fine,
        }
    }
}

/// How often the same was wanted in the same state.
#[derive(Debug, Default)]
pub(crate) struct Repetitions {
    wanted: HashMap<(u64, u64), u32>,
    failed: HashMap<u64, u32>,
    waits: u32,
}

impl Repetitions {
    /// Counts one more step that wants these actions on that page.
    pub(crate) fn count(&mut self, actions: &[Action], page: &Snapshot) -> Repetition {
        let only_waits = actions.iter().all(|action| matches!(action, Action::Wait(_)));
        self.waits = if only_waits { self.waits + 1 } else { 0 };
        let what = digest_of(actions, page);
        let times = self.wanted.entry((what, state_of(page))).or_default();
        *times += 1;
        let failed = self.failed.get(&what).copied().unwrap_or(0) + 1;
        let waits = if self.waits > WAITS { Repetition::at(self.waits - WAITS + NUDGE - 1) } else { Repetition::Fine };
        Repetition::at((*times).max(failed)).max(waits)
    }

    /// Notes what came of the actions that were counted last.
    pub(crate) fn came_to(&mut self, actions: &[Action], page: &Snapshot, failed: bool) {
        let what = digest_of(actions, page);
        if failed {
            *self.failed.entry(what).or_default() += 1;
        } else {
            self.failed.remove(&what);
        }
    }
}

/// What is to be done on which elements, without its reason. How long a wait is makes no difference.
fn digest_of(actions: &[Action], page: &Snapshot) -> u64 {
    let mut hasher = DefaultHasher::new();
    for action in actions {
        action.name().hash(&mut hasher);
        if matches!(action, Action::Wait(_)) {
            continue;
        }
        let mut params = action.params();
        params.remove("intent");
        // an element that was drawn anew has another ref, and is the same to whom it is shown
        for key in ["ref", "to"] {
            let named = params.get(key).and_then(Value::as_str).and_then(|handle| handle.parse().ok());
            if let Some(Control { role, name, nth }) = named.and_then(|handle| Control::of(handle, page)) {
                params.insert(key.to_owned(), Value::from(format!("{role} {name:?} {nth}")));
            }
        }
        Value::Object(params).to_string().hash(&mut hasher);
    }
    hasher.finish()
}

/// The state of a page: where it is, what it says, and how its controls stand. Which of it is new does not matter.
fn state_of(page: &Snapshot) -> u64 {
    let mut hasher = DefaultHasher::new();
    page.page.url.hash(&mut hasher);
    for node in &page.nodes {
        (node.role.as_str(), &*node.name).hash(&mut hasher);
        if let Some(control) = &node.control {
            format!("{:?}", control.state).hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// Actions as words without their reasons, for whoever is told that they repeat.
pub(crate) fn words_of(actions: &[Action]) -> String {
    let plain = |action: &Action| {
        let mut params = action.params();
        params.remove("intent");
        format!("{} {}", action.name(), Value::Object(params))
    };
    actions.iter().map(plain).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use webhand_action::catalogue::Catalogue;

    use super::*;

    fn action(value: Value) -> Action {
        let reply = json!({ "actions": [value] }).to_string();
        let decision =
            webhand_action::decode::decode(&reply, webhand_action::decode::Finish::Stop, &Catalogue::built_in());
        decision.unwrap().actions.remove(0)
    }

    fn page(url: &str) -> Snapshot {
        let mut page = Snapshot::default();
        page.page.url = url.to_owned();
        page
    }

    #[test]
    fn the_same_on_the_same_page_goes_from_a_nudge_to_the_end() {
        let mut repetitions = Repetitions::default();
        let click = [action(json!({"type": "click", "ref": "B1"}))];
        let counts: Vec<Repetition> = (0..6).map(|_| repetitions.count(&click, &page("a"))).collect();
        use Repetition::{Fine, Nudge, Plan, Refuse, Stuck};
        assert_eq!(counts, [Fine, Fine, Nudge(3), Plan(4), Refuse(5), Stuck]);
    }

    #[test]
    fn going_round_in_circles_counts_as_much() {
        let mut repetitions = Repetitions::default();
        let there = [action(json!({"type": "click", "ref": "B1"}))];
        let back = [action(json!({"type": "back"}))];
        let mut last = Repetition::Fine;
        for _ in 0..6 {
            repetitions.count(&there, &page("a"));
            last = repetitions.count(&back, &page("b"));
        }
        assert_eq!(last, Repetition::Stuck);
    }

    #[test]
    fn another_page_or_another_action_is_no_repetition() {
        let mut repetitions = Repetitions::default();
        let click = |at: u32| [action(json!({"type": "click", "ref": format!("B{at}")}))];
        assert!((0..100).all(|at| repetitions.count(&click(0), &page(&at.to_string())) == Repetition::Fine));
        assert!((1..100).all(|at| repetitions.count(&click(at), &page("a")) == Repetition::Fine));
    }

    #[test]
    fn what_fails_counts_on_every_page_until_it_works() {
        let mut repetitions = Repetitions::default();
        let click = [action(json!({"type": "click", "ref": "B1"}))];
        for at in 0..4 {
            repetitions.count(&click, &page(&at.to_string()));
            repetitions.came_to(&click, &page(&at.to_string()), true);
        }
        assert_eq!(repetitions.count(&click, &page("other")), Repetition::Refuse(5));
        repetitions.came_to(&click, &page("other"), false);
        assert_eq!(repetitions.count(&click, &page("another")), Repetition::Fine);
    }

    #[test]
    fn waits_are_counted_however_long_they_are() {
        let mut repetitions = Repetitions::default();
        let wait = |seconds: u32| [action(json!({"type": "wait", "for": "text", "value": "x", "seconds": seconds}))];
        let counts: Vec<Repetition> =
            (0..9).map(|at| repetitions.count(&wait(at % 7 + 1), &page(&at.to_string()))).collect();
        assert_eq!(counts[4], Repetition::Fine);
        assert_eq!(counts[5], Repetition::Nudge(3));
        assert_eq!(counts[8], Repetition::Stuck);
    }
}
