//! The three shapes in which the same actions are asked for.

use serde_json::{Map, Value, json};

use super::{
    SchemaOptions,
    strict::{closed, param},
};
use crate::catalogue::{ActionSpec, ParamKind, ParamSpec};

/// `actions` is a list of variants told apart by `type`.
pub(super) fn union(specs: &[&ActionSpec], options: &SchemaOptions) -> Value {
    let variants: Vec<Value> = specs
        .iter()
        .map(|spec| {
            let mut properties = Map::new();
            properties.insert("type".to_owned(), json!({"type": "string", "enum": [spec.name]}));
            properties.extend(params(spec, options));
            object(properties, Some(&spec.doc))
        })
        .collect();
    reply(json!({"anyOf": variants}))
}

/// `actions` is a list of objects in which every action is a key that may be null.
pub(super) fn keyed(specs: &[&ActionSpec], options: &SchemaOptions) -> Value {
    let mut properties = Map::new();
    for spec in specs {
        let mut action = object(params(spec, options), Some(&spec.doc));
        if let Value::Object(fields) = &mut action {
            fields.insert("type".to_owned(), json!(["object", "null"]));
        }
        properties.insert(spec.name.to_string(), action);
    }
    reply(object(properties, Some("One action: its key is set, all others are null.")))
}

/// One tool an action.
pub(super) fn tools(specs: &[&ActionSpec], options: &SchemaOptions) -> Value {
    let tools = specs.iter().map(|spec| {
        json!({
            "name": spec.name,
            "description": spec.doc,
            "parameters": object(params(spec, options), None),
        })
    });
    tools.collect()
}

fn reply(item: Value) -> Value {
    let text = json!({"type": "string"});
    let state = json!({"evaluation": text, "memory": text, "next_goal": text});
    let Value::Object(state) = state else { return item };
    let mut properties = Map::new();
    properties.insert("state".to_owned(), object(state, None));
    properties.insert("actions".to_owned(), json!({"type": "array", "items": item}));
    object(properties, None)
}

/// A closed object in which every key is required.
fn object(properties: Map<String, Value>, description: Option<&str>) -> Value {
    let mut fields = Map::new();
    fields.insert("type".to_owned(), "object".into());
    if let Some(description) = description.filter(|description| !description.is_empty()) {
        fields.insert("description".to_owned(), description.into());
    }
    fields.insert("required".to_owned(), properties.keys().cloned().collect());
    fields.insert("properties".to_owned(), properties.into());
    fields.insert("additionalProperties".to_owned(), false.into());
    fields.into()
}

/// The parameters that a model is told of.
fn params(spec: &ActionSpec, options: &SchemaOptions) -> Map<String, Value> {
    let told = spec
        .params
        .iter()
        .filter(|one| !one.script_only && !one.untold && (one.kind != ParamKind::Data || one.required || spec.custom));
    let mut properties: Map<String, Value> =
        told.map(|one| (one.name.clone(), nullable_target(spec, one, param(one, spec.custom)))).collect();
    if let Some(data) = options.done_data.as_ref().filter(|_| spec.name == "done") {
        properties.insert("data".to_owned(), closed(data));
    }
    properties
}

/// The ref of an action that can do without a point must be given: it is not nullable.
fn nullable_target(spec: &ActionSpec, one: &ParamSpec, schema: Value) -> Value {
    if one.kind == ParamKind::Ref && spec.needs_element && spec.param("x").is_none() {
        return json!({"type": "string"});
    }
    schema
}
