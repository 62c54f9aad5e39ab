//! One parameter's schema in the form that strict modes accept.

use serde_json::{Map, Value, json};

use crate::catalogue::params::{ParamKind, ParamSpec};

/// The schema of a parameter: its type and words, null where it may be absent, and a description where it needs one.
pub(super) fn param(spec: &ParamSpec, custom: bool) -> Value {
    let mut schema = match spec.kind {
        ParamKind::Ref => json!({"type": "string"}),
        _ if custom => closed(&spec.schema),
        _ => undescribed(closed(&spec.schema)),
    };
    if let Value::Object(fields) = &mut schema {
        fields.remove("description");
        if !spec.required && spec.name != "intent" {
            nullable(fields);
        }
        if let Some(text) = described(spec, custom) {
            fields.insert("description".to_owned(), text.into());
        }
    }
    schema
}

/// The schema without descriptions further in: our own words say enough.
fn undescribed(mut schema: Value) -> Value {
    if let Some(Value::Object(items)) = schema.get_mut("items") {
        items.remove("description");
    }
    schema
}

/// What a model must be told about a parameter beyond its name and type. Names that say it all go without.
fn described(spec: &ParamSpec, custom: bool) -> Option<String> {
    let told = spec.schema.get("x-tell").and_then(Value::as_str);
    match (told, custom) {
        (Some(told), _) => Some(told.to_owned()),
        (None, true) if spec.name != "intent" && !spec.doc.is_empty() => Some(spec.doc.clone()),
        _ => None,
    }
}

/// A schema without bounds, formats, defaults and our own marks; objects closed, all their keys required.
pub(super) fn closed(schema: &Value) -> Value {
    let Value::Object(fields) = schema else { return json!({"type": "string"}) };
    let mut kept = Map::new();
    for key in ["type", "enum", "description", "const"] {
        if let Some(value) = fields.get(key) {
            kept.insert(key.to_owned(), value.clone());
        }
    }
    if let Some(items) = fields.get("items") {
        kept.insert("items".to_owned(), closed(items));
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(Value::Array(alternatives)) = fields.get(key) {
            kept.insert("anyOf".to_owned(), alternatives.iter().map(closed).collect());
        }
    }
    if fields.get("type") == Some(&Value::from("object")) || fields.contains_key("properties") {
        close_object(fields, &mut kept);
    }
    if kept.is_empty() {
        return json!({"type": "string"});
    }
    kept.into()
}

fn close_object(fields: &Map<String, Value>, kept: &mut Map<String, Value>) {
    let required: Vec<&Value> = fields.get("required").and_then(Value::as_array).into_iter().flatten().collect();
    let mut properties = Map::new();
    for (name, property) in fields.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let mut property = closed(property);
        if !required.iter().any(|required| *required == name)
            && let Value::Object(fields) = &mut property
        {
            nullable(fields);
        }
        properties.insert(name.clone(), property);
    }
    kept.insert("type".to_owned(), "object".into());
    kept.insert("required".to_owned(), properties.keys().cloned().collect());
    kept.insert("properties".to_owned(), properties.into());
    kept.insert("additionalProperties".to_owned(), false.into());
}

/// Lets null stand for absent.
pub(super) fn nullable(fields: &mut Map<String, Value>) {
    if let Some(Value::Array(words)) = fields.get_mut("enum") {
        words.push(Value::Null);
    }
    match fields.get_mut("type") {
        Some(Value::String(name)) => {
            let both = json!([name, "null"]);
            fields.insert("type".to_owned(), both);
        }
        Some(Value::Array(types)) => types.push("null".into()),
        _ => {
            if let Some(Value::Array(alternatives)) = fields.get_mut("anyOf") {
                alternatives.push(json!({"type": "null"}));
            }
        }
    }
}
