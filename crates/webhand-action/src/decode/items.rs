//! The items of a decision: each an action, in the `union` or the `keyed` shape or as a call.

use super::{
    MAX_NESTED,
    decision::Draft,
    envelope,
    json::{self, Json},
    params,
};
use crate::validate::{Fault, FaultCode, unknown_action};

/// How many actions a reply may hold; how many of them are run is decided elsewhere.
const MAX_ACTIONS: usize = 1000;

impl Draft<'_> {
    /// The items under `actions`: a list, one object, or a text that is either.
    pub(super) fn add_items(&mut self, json: &Json, path: &str) {
        match json.open() {
            Json::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.add_item(item, &format!("{path}[{index}]"));
                }
                self.cut |= !json.whole();
            }
            Json::Text(_) if !matches!(json, Json::Text(_)) => self.cut = true,
            Json::Text(text) => {
                self.repaired = true;
                match json::parse_all(text) {
                    Some(parsed) if self.nested < MAX_NESTED => {
                        self.nested += 1;
                        self.add_items(&parsed.value, path);
                        self.nested -= 1;
                    }
                    _ => self.add_item(json, &format!("{path}[0]")),
                }
            }
            _ => {
                self.repaired = true;
                self.add_item(json, &format!("{path}[0]"));
            }
        }
    }

    /// One item: counts only with its own closer.
    pub(super) fn add_item(&mut self, json: &Json, path: &str) {
        match json {
            Json::Cut(_) => self.cut = true,
            Json::Null => {}
            Json::List(_) => self.add_items(json, path),
            Json::Text(text) => self.add_word(text, path),
            Json::Object(_) if !json.whole() => self.cut = true,
            Json::Object(fields) => self.add_fields(json, fields, path),
            _ => self.fault(
                Fault::new(path, FaultCode::BadParameter, "is not an action").hint("write an object with its type"),
            ),
        }
    }

    /// An item that is only a text: JSON in it, or the name of an action that needs nothing.
    fn add_word(&mut self, text: &str, path: &str) {
        self.repaired = true;
        if let Some(parsed) =
            json::parse_all(text).filter(|parsed| matches!(parsed.value, Json::Object(_) | Json::List(_)))
        {
            self.add_item(&parsed.value, path);
            return;
        }
        let word = text.trim();
        if word.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-')) && !word.is_empty() {
            self.add_keyed(word, &Json::Object(Vec::new()), path, None);
        }
    }

    fn add_fields(&mut self, json: &Json, fields: &[(String, Json)], path: &str) {
        if fields.iter().all(|(_, value)| *value == Json::Null) {
            return;
        }
        if let Some(call) = envelope::call(json) {
            self.repeated(fields, path);
            return self.add_call(&call, path);
        }
        let name_key = |key: &str| json.get(key).and_then(Json::text);
        match (name_key("type"), name_key("action")) {
            (Some(kind), Some(_)) if envelope::is_call_type(kind) => self.add_union(fields, "action", path),
            (Some(_), Some(_)) if !self.knows_param(name_key("type"), "action") => {
                self.fault(
                    Fault::new(path, FaultCode::BadParameter, "names its action twice, as type and as action")
                        .hint("name it once, as type"),
                );
            }
            (Some(_), _) => self.add_union(fields, "type", path),
            (None, Some(_)) => {
                self.repaired = true;
                self.add_union(fields, "action", path);
            }
            (None, None) => match json.get("action") {
                Some(inner @ Json::Object(_)) if fields.iter().all(|(key, _)| key == "action" || is_reason(key)) => {
                    self.add_item(inner, path);
                }
                _ => self.add_keys(fields, path),
            },
        }
    }

    fn knows_param(&self, name: Option<&str>, param: &str) -> bool {
        let spec = name.and_then(|name| self.catalogue.lookup(name)).map(|(spec, _)| spec);
        spec.is_some_and(|spec| {
            spec.param(param).is_some() || spec.param_aliases.iter().any(|(alias, _)| *alias == param)
        })
    }

    /// `{"type": "click", "ref": "B5"}`, the parameters perhaps apart under a key of their own.
    fn add_union(&mut self, fields: &[(String, Json)], name_key: &str, path: &str) {
        self.repeated(fields, path);
        let Some(name) = fields.iter().find(|(key, _)| key == name_key).and_then(|(_, value)| value.text()) else {
            return;
        };
        let mut params: Vec<(String, Json)> = Vec::new();
        for (key, value) in fields.iter().filter(|(key, _)| key != name_key) {
            let apart = envelope::is_arguments_key(key) && !self.knows_param(Some(name), key);
            match envelope::plain_arguments(value, 0) {
                Json::Object(inner) if apart => {
                    self.repaired = true;
                    params.extend(inner);
                }
                _ => params.push((key.clone(), value.clone())),
            }
        }
        self.act(name, &params, path);
    }

    /// `{"click": {"ref": "B5"}}`: each key that is not null is an action.
    fn add_keys(&mut self, fields: &[(String, Json)], path: &str) {
        self.repeated(fields, path);
        let reason = fields.iter().find(|(key, value)| is_reason(key) && value.text().is_some());
        let live: Vec<&(String, Json)> = fields
            .iter()
            .filter(|(key, value)| *value != Json::Null && !(is_reason(key) && value.text().is_some()))
            .collect();
        let names_none =
            live.iter().all(|(key, value)| self.catalogue.lookup(key).is_none() && !matches!(value, Json::Object(_)));
        if names_none {
            self.fault(Fault::new(
                format!("{path}.type"),
                FaultCode::MissingParameter,
                "is missing: which action it is",
            ));
            return;
        }
        for (key, value) in live {
            self.add_keyed(key, value, path, reason.and_then(|(_, value)| value.text()));
        }
    }

    /// One action under its name.
    pub(super) fn add_keyed(&mut self, name: &str, params: &Json, path: &str, reason: Option<&str>) {
        let Some((spec, _)) = self.catalogue.lookup(name) else {
            self.fault(unknown_action(self.catalogue, name, path));
            return;
        };
        let mut fields = match params {
            Json::Object(fields) => fields.clone(),
            Json::Null => Vec::new(),
            other if spec.params.len() == 1 && is_nothing(other) => Vec::new(),
            _ => {
                let message = format!("{} needs its parameters as an object", spec.name);
                self.fault(Fault::new(path, FaultCode::BadParameter, message));
                return;
            }
        };
        self.repeated(&fields, path);
        if let Some(reason) = reason.filter(|_| !fields.iter().any(|(key, _)| is_reason(key))) {
            fields.push(("intent".to_owned(), Json::Text(reason.to_owned())));
        }
        self.act(name, &fields, path);
    }

    fn act(&mut self, name: &str, fields: &[(String, Json)], path: &str) {
        if self.actions.len() >= MAX_ACTIONS {
            let message = format!("holds more than {MAX_ACTIONS} actions");
            self.fault(Fault::new("actions", FaultCode::BadParameter, message).hint("do the first few now"));
            return;
        }
        let read = params::read(self.catalogue, name, fields, path);
        self.repaired |= read.repaired;
        self.notes.extend(read.notes);
        match read.action {
            Ok(action) => self.actions.push((path.to_owned(), action)),
            Err(faults) => {
                for fault in faults {
                    self.fault(fault);
                }
            }
        }
    }
}

fn is_reason(key: &str) -> bool {
    matches!(key, "intent" | "description")
}

fn is_nothing(json: &Json) -> bool {
    match json {
        Json::Bool(true) => true,
        Json::Text(text) => text.is_empty(),
        Json::List(items) => items.is_empty(),
        _ => false,
    }
}
