//! One action as a model wrote it, put into the catalogue's own form: names, aliases, and values as plain JSON.

use serde_json::{Map, Value};

use super::json::Json;
use crate::{
    catalogue::{Action, ActionSpec, Alias, Catalogue},
    validate::{self, Fault, FaultCode, unknown_action},
};

/// An action that was read.
#[derive(Debug)]
pub(super) struct Read {
    pub(super) action: Result<Action, Vec<Fault>>,
    pub(super) repaired: bool,
    pub(super) notes: Vec<String>,
}

/// Other names for the element's ref.
const REF: &[&str] = &["index", "element", "element_index", "element_id", "id"];
/// Other names for the reason.
const REASON: &[&str] = &["description", "reason", "reasoning", "explanation", "thought"];

/// The action of that name and these parameters, or every fault in them.
pub(super) fn read(catalogue: &Catalogue, name: &str, fields: &[(String, Json)], path: &str) -> Read {
    let Some((spec, alias)) = catalogue.lookup(name) else {
        let faults = vec![unknown_action(catalogue, name, path)];
        return Read { action: Err(faults), repaired: false, notes: Vec::new() };
    };
    let mut form = Form {
        spec,
        alias,
        path,
        params: Map::new(),
        spoiled: Vec::new(),
        faults: Vec::new(),
        notes: Vec::new(),
        repaired: name != spec.name,
    };
    for (key, value) in fields {
        form.add(key, value);
    }
    form.finish()
}

struct Form<'a> {
    spec: &'a ActionSpec,
    alias: Option<&'static Alias>,
    path: &'a str,
    params: Map<String, Value>,
    /// Parameters that have a fault already: not missing, but not usable.
    spoiled: Vec<String>,
    faults: Vec<Fault>,
    notes: Vec<String>,
    repaired: bool,
}

impl Form<'_> {
    fn add(&mut self, key: &str, value: &Json) {
        if *value == Json::Null {
            return;
        }
        if self.alias.is_some_and(|alias| alias.drop.contains(&key)) {
            self.notes.push(format!("{key} means nothing to {} and was left out", self.spec.name));
            self.repaired = true;
            return;
        }
        let name = self.name_of(key);
        self.repaired |= name != key;
        if self.spec.param(&name).is_some_and(|param| param.script_only) {
            self.spoil(&name, "is for scripts; name the element by its ref".to_owned());
            return;
        }
        match value.to_value() {
            Ok(value) => self.set(name, key, value),
            Err(why) => self.spoil(&name, why.to_string()),
        }
    }

    fn set(&mut self, name: String, key: &str, value: Value) {
        let Some(earlier) = self.params.get(&name) else {
            self.params.insert(name, value);
            return;
        };
        // Some models name the element in words beside its ref: the ref is what counts.
        let is_ref = |value: &Value| value.as_str().is_none_or(|text| text.parse::<webhand_page::RefText>().is_ok());
        if name == "ref" && key == "element" && is_ref(earlier) && !is_ref(&value) {
            self.notes.push("element is in words; the ref counts".to_owned());
        } else if name == "ref" && !is_ref(earlier) && is_ref(&value) && key == "ref" {
            self.notes.push("element is in words; the ref counts".to_owned());
            self.params.insert(name, value);
        } else if *earlier != value {
            self.spoil(&name, format!("is given twice, once as {key}"));
        }
    }

    fn spoil(&mut self, name: &str, message: String) {
        let path = format!("{}.{name}", self.path);
        self.faults.push(Fault::new(path, FaultCode::BadParameter, message));
        self.params.remove(name);
        self.spoiled.push(name.to_owned());
    }

    /// The parameter that a key means.
    fn name_of(&self, key: &str) -> String {
        let renamed = |list: &[(&'static str, &'static str)]| {
            list.iter().find(|(from, _)| *from == key).map(|(_, to)| (*to).to_owned())
        };
        if let Some(name) = self.alias.and_then(|alias| renamed(alias.rename)) {
            return name;
        }
        if self.spec.param(key).is_some() {
            return key.to_owned();
        }
        if let Some(name) = renamed(self.spec.param_aliases) {
            return name;
        }
        if REF.contains(&key) && self.spec.param("ref").is_some() {
            return "ref".to_owned();
        }
        if REASON.contains(&key) {
            return "intent".to_owned();
        }
        let folded = |name: &str| name.replace(['_', '-'], "").to_lowercase();
        let wanted = folded(key);
        let known = self.spec.params.iter().find(|param| folded(&param.name) == wanted);
        known.map_or_else(|| key.to_owned(), |param| param.name.clone())
    }

    fn finish(mut self) -> Read {
        for (name, preset) in self.alias.map_or(&[][..], |alias| alias.set) {
            if !self.params.contains_key(*name) {
                self.params.insert((*name).to_owned(), (*preset).into());
            }
        }
        self.spec.reshape(&mut self.params);
        let action = match validate::action_with(self.spec, self.params, &self.spoiled) {
            Ok(action) if self.faults.is_empty() => Ok(action),
            Ok(_) => Err(self.faults),
            Err(faults) => {
                self.faults.extend(faults.into_iter().map(|fault| fault.at(self.path)));
                Err(self.faults)
            }
        };
        Read { action, repaired: self.repaired, notes: self.notes }
    }
}
