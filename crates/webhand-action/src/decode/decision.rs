//! A value becomes a decision: the model's state and its actions, in every shape in which models write them.

use std::collections::HashSet;

use super::{
    Decision, DecodeError, MAX_NESTED, ModelState,
    candidates::Recognise,
    envelope::{self, Call, Inside},
    json::{self, Json},
    read_text,
};
use crate::{
    catalogue::{Action, Catalogue},
    validate::{Fault, FaultCode, unknown_action},
};

const STATE: &[&str] = &["state", "current_state", "currentState"];
const EVALUATION: &[&str] = &["evaluation", "evaluation_previous_goal", "evaluationPreviousGoal"];
const MEMORY: &[&str] = &["memory"];
const NEXT_GOAL: &[&str] = &["next_goal", "nextGoal"];
/// What a model may say beside its actions that is neither state nor action.
const ASIDE: &[&str] = &["thinking", "reasoning", "thought", "thoughts", "plan", "observation", "explanation"];

/// How many faults are kept.
const MAX_FAULTS: usize = 100;

/// A decision as far as it has been read.
#[derive(Debug)]
pub(super) struct Draft<'a> {
    pub(super) catalogue: &'a Catalogue,
    pub(super) nested: u8,
    state: ModelState,
    /// Each action with its place in the reply.
    pub(super) actions: Vec<(String, Action)>,
    faults: Vec<Fault>,
    /// Something lacks its own closer.
    pub(super) cut: bool,
    too_deep: bool,
    too_long: bool,
    pub(super) repaired: bool,
    pub(super) notes: Vec<String>,
    /// Why a text inside could not be read.
    inner: Option<DecodeError>,
}

impl<'a> Draft<'a> {
    pub(super) fn new(catalogue: &'a Catalogue, nested: u8) -> Self {
        Self {
            catalogue,
            nested,
            state: ModelState::default(),
            actions: Vec::new(),
            faults: Vec::new(),
            cut: false,
            too_deep: false,
            too_long: false,
            repaired: false,
            notes: Vec::new(),
            inner: None,
        }
    }

    /// What a value says.
    pub(super) fn of(json: &Json, repaired: bool, catalogue: &'a Catalogue, nested: u8) -> Self {
        let mut draft = Self::new(catalogue, nested);
        draft.repaired = repaired;
        draft.add(json);
        draft
    }

    /// Notes a fault, once for each place, and no more of them than anyone can use.
    pub(super) fn fault(&mut self, fault: Fault) {
        let known = |known: &Fault| known.path == fault.path && known.code == fault.code;
        if self.faults.len() < MAX_FAULTS && !self.faults.iter().any(known) {
            self.faults.push(fault);
        }
    }

    pub(super) fn note(&mut self, note: impl Into<String>) {
        self.repaired = true;
        self.notes.push(note.into());
    }

    /// The decision, or why there is none.
    pub(super) fn into_decision(mut self) -> Result<Decision, DecodeError> {
        if self.too_long {
            return Err(DecodeError::TooLong);
        }
        if self.too_deep {
            return Err(DecodeError::NoAction(Some(format!("it is nested deeper than {}", json::MAX_DEPTH))));
        }
        if self.faults.is_empty() {
            self.check_order();
        }
        if !self.faults.is_empty() {
            return Err(DecodeError::Invalid(self.faults));
        }
        if self.actions.is_empty() {
            return Err(match self.inner {
                Some(inner) => inner,
                None if self.cut => DecodeError::Incomplete,
                None => DecodeError::NoAction(None),
            });
        }
        if self.cut {
            self.note("the reply was cut off: what was not whole is left out");
        }
        Ok(Decision {
            state: self.state,
            actions: self.actions.into_iter().map(|(_, action)| action).collect(),
            repaired: self.repaired,
            notes: self.notes,
        })
    }

    /// What ends a reply must stand last.
    fn check_order(&mut self) {
        let catalogue = self.catalogue;
        let ends = |action: &Action| catalogue.get(action.name()).is_some_and(|spec| spec.ends_reply);
        let before = self.actions.len().saturating_sub(1);
        let early: Vec<Fault> = self.actions[..before]
            .iter()
            .filter(|(_, action)| ends(action))
            .map(|(path, action)| {
                let message = format!("{} must stand alone or last", action.name());
                Fault::new(path, FaultCode::DoneNotLast, message).hint("do the other actions first, then end")
            })
            .collect();
        early.into_iter().for_each(|fault| self.fault(fault));
    }

    /// Reads a whole reply's value: a decision, a list of items, one item, or a wrapping around any of them.
    pub(super) fn add(&mut self, json: &Json) {
        self.too_deep |= json.too_deep();
        if self.too_deep {
            return;
        }
        if let Json::Object(fields) = json.open() {
            self.repeated(fields, "");
        }
        match envelope::open(json) {
            Some(Inside::Calls(calls)) => return self.add_calls(&calls),
            Some(Inside::Message(text)) => return self.add_text(&text),
            Some(Inside::CutOff) => {
                self.too_long = true;
                return;
            }
            None => {}
        }
        match json.open() {
            Json::Text(text) => self.add_text(text),
            Json::List(_) if is_actions(json) => self.add_items(json, "actions"),
            Json::Object(fields) => self.add_object(json, fields),
            Json::List(_) => {}
            _ => self.inner = Some(DecodeError::NoJson(None)),
        }
    }

    /// A text in which the decision stands.
    fn add_text(&mut self, text: &str) {
        self.repaired = true;
        if self.nested >= MAX_NESTED {
            return;
        }
        match read_text(text, self.catalogue, self.nested + 1) {
            Ok(decision) => {
                self.state = decision.state;
                self.notes.extend(decision.notes);
                let places = decision.actions.into_iter().enumerate();
                self.actions.extend(places.map(|(index, action)| (format!("actions[{index}]"), action)));
            }
            Err(DecodeError::Invalid(faults)) => faults.into_iter().for_each(|fault| self.fault(fault)),
            Err(error) => self.inner = Some(error),
        }
    }

    /// Tool calls in order: of `act`, whose arguments are a decision, or of single actions.
    pub(super) fn add_calls(&mut self, calls: &[Call]) {
        for (index, call) in calls.iter().enumerate() {
            self.add_call(call, &format!("actions[{index}]"));
        }
    }

    /// One tool call.
    pub(super) fn add_call(&mut self, call: &Call, path: &str) {
        self.too_deep |= call.arguments.too_deep();
        let is_act = call.name.eq_ignore_ascii_case("act") && self.catalogue.get("act").is_none();
        match (&call.arguments, is_act) {
            (Json::Text(_), true) => self.add_text_arguments(call, path),
            (arguments, true) => self.add(arguments),
            _ if self.catalogue.lookup(&call.name).is_none() => {
                self.fault(unknown_action(self.catalogue, &call.name, path));
            }
            _ if !call.whole => self.cut = true,
            (arguments, false) => self.add_keyed(&call.name, arguments, path, None),
        }
    }

    /// The arguments of `act` are a text that is not one JSON value.
    fn add_text_arguments(&mut self, call: &Call, path: &str) {
        let Json::Text(text) = &call.arguments else { return };
        let before = self.actions.len() + self.faults.len();
        self.add_text(text);
        if before == self.actions.len() + self.faults.len() && self.inner.is_none() {
            self.fault(Fault::new(path, FaultCode::BadParameter, "the arguments are not JSON"));
        }
    }

    fn add_object(&mut self, json: &Json, fields: &[(String, Json)]) {
        self.read_state(json);
        let actions: Vec<&(String, Json)> = fields
            .iter()
            .filter(|(key, value)| (key == "actions" || key == "action") && *value != Json::Null)
            .filter(|(key, value)| key == "actions" || !self.names_one(value, fields))
            .collect();
        match actions.as_slice() {
            [] => {
                let aside = |key: &str| is_beside(key) && self.catalogue.lookup(key).is_none();
                let item: Vec<(String, Json)> = fields.iter().filter(|(key, _)| !aside(key)).cloned().collect();
                if self.looks_like_item(&item) {
                    let item = Json::Object(item);
                    let item = if matches!(json, Json::Cut(_)) { Json::Cut(Box::new(item)) } else { item };
                    self.repaired = true;
                    self.add_item(&item, "actions[0]");
                }
                self.cut |= matches!(json, Json::Cut(_));
            }
            [(key, value)] => self.add_items(value, key),
            [(first, one), (second, other), ..] => {
                let empty = |value: &Json| matches!(value.open(), Json::List(items) if items.is_empty());
                match (empty(one), empty(other)) {
                    (true, _) => self.add_items(other, second),
                    (_, true) => self.add_items(one, first),
                    _ => self.fault(Fault::new(
                        "actions",
                        FaultCode::BadParameter,
                        "the actions are given twice, as action and as actions",
                    )),
                }
            }
        }
    }

    /// Whether the text under `action` names the action of an object that is itself one item.
    fn names_one(&self, value: &Json, fields: &[(String, Json)]) -> bool {
        let Json::Text(name) = value else { return false };
        let json = name.trim_start().starts_with(['{', '[', '"', '`']);
        !json && (self.catalogue.lookup(name).is_some() || fields.iter().all(|(key, _)| key != "actions"))
    }

    fn looks_like_item(&self, fields: &[(String, Json)]) -> bool {
        fields.iter().any(|(key, value)| match (key.as_str(), value.open()) {
            (_, Json::Null) => false,
            ("type" | "action", Json::Text(_)) => true,
            (_, Json::Object(_)) => true,
            (key, _) => self.catalogue.lookup(key).is_some(),
        })
    }

    /// Notes keys that are given twice.
    pub(super) fn repeated(&mut self, fields: &[(String, Json)], path: &str) {
        let mut seen = HashSet::new();
        for (key, _) in fields {
            if !seen.insert(key.as_str()) {
                let shown: String = key.chars().take(40).collect();
                let path = if path.is_empty() { shown } else { format!("{path}.{shown}") };
                self.fault(Fault::new(path, FaultCode::BadParameter, "is given twice").hint("give it once"));
            }
        }
    }

    fn read_state(&mut self, json: &Json) {
        let state = STATE.iter().find_map(|key| json.get(key)).filter(|state| matches!(state.open(), Json::Object(_)));
        let read = |keys: &[&str]| {
            let inside = state.and_then(|state| keys.iter().find_map(|key| state.get(key)));
            let beside = || keys.iter().find_map(|key| json.get(key));
            inside.or_else(beside).and_then(Json::text).map(str::to_owned)
        };
        for (place, keys) in [
            (&mut self.state.evaluation, EVALUATION),
            (&mut self.state.memory, MEMORY),
            (&mut self.state.next_goal, NEXT_GOAL),
        ] {
            if let Some(text) = read(keys) {
                *place = text;
            }
        }
    }
}

/// A key of a decision that is no action's.
fn is_beside(key: &str) -> bool {
    [STATE, EVALUATION, MEMORY, NEXT_GOAL, ASIDE].iter().any(|keys| keys.contains(&key))
}

/// Whether a list can be one of actions: lists in prose, such as `[1]`, are not.
fn is_actions(json: &Json) -> bool {
    let Json::List(items) = json.open() else { return false };
    items.iter().any(|item| match item.open() {
        Json::Object(_) => true,
        Json::List(_) => is_actions(item),
        _ => false,
    })
}

/// Tells whether a value that lacks its closer, or the keys of a broken one, were meant as a decision.
#[derive(Debug)]
pub(super) struct Recogniser<'a>(pub(super) &'a Catalogue);

impl Recognise for Recogniser<'_> {
    fn value(&self, json: &Json) -> bool {
        match json.open() {
            Json::Object(fields) => fields.iter().any(|(key, _)| self.key(key)),
            Json::List(items) => items.iter().any(|item| self.value(item)),
            _ => false,
        }
    }

    fn key(&self, key: &str) -> bool {
        const TELLING: &[&str] = &[
            "actions",
            "action",
            "type",
            "tool_calls",
            "function",
            "function_call",
            "functionCall",
            "arguments",
            "parameters",
        ];
        TELLING.contains(&key) || STATE.contains(&key) || self.0.lookup(key).is_some()
    }
}
