//! What an action's parameters are, read off the schema that its struct derives.
//!
//! One list serves validation, the model's schema, the command line and the reference page.

use serde::Serialize;
use serde_json::{Map, Value};

/// The kind of a parameter's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ParamKind {
    /// A text.
    Text,
    /// An address.
    Url,
    /// A ref such as `B12`.
    Ref,
    /// One word of a closed list.
    Choice,
    /// Yes or no.
    Flag,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// A list of texts or words.
    List,
    /// Any structured value.
    Data,
}

/// One parameter of an action.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ParamSpec {
    /// Its name.
    pub name: String,
    /// The kind of its value.
    pub kind: ParamKind,
    /// Whether it must be given.
    pub required: bool,
    /// What is taken where it is not given.
    pub default: Option<Value>,
    /// The words allowed (for a list: in its items).
    pub choices: Vec<String>,
    /// Smallest number, or fewest characters or items.
    pub min: Option<f64>,
    /// Largest number, or most characters or items.
    pub max: Option<f64>,
    /// What it is, in a sentence.
    pub doc: String,
    /// For scripts only: never in a model's schema.
    pub script_only: bool,
    /// Taken where a model gives it, but not told of: a shorter schema is a better one.
    pub untold: bool,
    /// Its own JSON Schema, with bounds.
    #[serde(skip)]
    pub(crate) schema: Value,
}

/// The most characters that a text may have where its parameter says nothing.
pub(crate) const MAX_TEXT: f64 = 100_000.0;

/// Reads the parameters off an object schema, in the order of its properties.
pub(crate) fn params_of(schema: &Value) -> Vec<ParamSpec> {
    let required: Vec<&str> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return Vec::new() };
    let mut params: Vec<ParamSpec> =
        properties.iter().map(|(name, property)| param(name, property, required.contains(&name.as_str()))).collect();
    // The reason comes last, whatever the order of declaration, and what must be given first.
    params.sort_by_key(|param| (param.name == "intent", param.kind != ParamKind::Ref, !param.required));
    params
}

fn param(name: &str, property: &Value, required: bool) -> ParamSpec {
    let schema = plain(property.clone());
    let marked = schema.get("x-kind").and_then(Value::as_str);
    let items = schema.get("items");
    let choices = words(&schema).or_else(|| items.and_then(words)).unwrap_or_default();
    let kind = match (marked, schema.get("type").and_then(Value::as_str)) {
        (Some("ref"), _) => ParamKind::Ref,
        (Some("url"), _) => ParamKind::Url,
        (Some("data"), _) => ParamKind::Data,
        (_, Some("string")) if choices.is_empty() => ParamKind::Text,
        (_, Some("string")) => ParamKind::Choice,
        (_, Some("boolean")) => ParamKind::Flag,
        (_, Some("integer")) => ParamKind::Integer,
        (_, Some("number")) => ParamKind::Number,
        (_, Some("array")) if items.and_then(|items| items.get("type")) == Some(&Value::from("string")) => {
            ParamKind::List
        }
        _ if !choices.is_empty() => ParamKind::Choice,
        _ => ParamKind::Data,
    };
    let bound = |keys: [&str; 3]| keys.iter().find_map(|key| schema.get(key).and_then(Value::as_f64));
    ParamSpec {
        name: name.to_owned(),
        kind,
        required: required && schema.get("default").is_none(),
        default: schema.get("default").filter(|default| !default.is_null()).cloned(),
        choices,
        min: bound(["minimum", "minLength", "minItems"]),
        max: bound(["maximum", "maxLength", "maxItems"]),
        doc: schema.get("description").and_then(Value::as_str).unwrap_or_default().to_owned(),
        script_only: marked == Some("script"),
        untold: schema.get("x-untold") == Some(&Value::Bool(true)),
        schema,
    }
}

fn words(schema: &Value) -> Option<Vec<String>> {
    let list = schema.get("enum")?.as_array()?;
    Some(list.iter().filter_map(|word| word.as_str().map(str::to_owned)).collect())
}

/// A schema in its plain form: no null alternatives (absence is said by `required`), and a list of constants as an `enum`.
pub(crate) fn plain(mut schema: Value) -> Value {
    if let Value::Bool(_) = schema {
        return Value::Object(Map::new());
    }
    let Value::Object(fields) = &mut schema else { return schema };
    if let Some(Value::Array(types)) = fields.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            fields.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(list)) = fields.get_mut("enum") {
        list.retain(|word| !word.is_null());
    }
    for key in ["anyOf", "oneOf"] {
        unite(fields, key);
    }
    for key in ["items", "additionalProperties"] {
        if let Some(inner) = fields.get_mut(key).filter(|inner| inner.is_object()) {
            *inner = plain(inner.take());
        }
    }
    if let Some(Value::Object(properties)) = fields.get_mut("properties") {
        for inner in properties.values_mut() {
            *inner = plain(inner.take());
        }
    }
    schema
}

/// Makes `anyOf` and `oneOf` plain where they only say "or null" or list constants.
fn unite(fields: &mut Map<String, Value>, key: &str) {
    let Some(Value::Array(alternatives)) = fields.remove(key) else { return };
    let mut left: Vec<Value> =
        alternatives.into_iter().filter(|one| one.get("type") != Some(&Value::from("null"))).map(plain).collect();
    let constants: Vec<Value> = left.iter().filter_map(|one| one.get("const").cloned()).collect();
    if !left.is_empty() && constants.len() == left.len() {
        fields.insert("type".to_owned(), "string".into());
        fields.insert("enum".to_owned(), constants.into());
        return;
    }
    if left.len() == 1
        && let Some(Value::Object(only)) = left.pop()
    {
        for (name, value) in only {
            fields.entry(name).or_insert(value);
        }
        return;
    }
    fields.insert(key.to_owned(), left.into());
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_optional_choice_becomes_a_plain_list_of_words() {
        let schema =
            json!({"anyOf": [{"oneOf": [{"const": "a", "description": "A."}, {"const": "b"}]}, {"type": "null"}]});
        assert_eq!(plain(schema), json!({"type": "string", "enum": ["a", "b"]}));
        assert_eq!(plain(json!({"type": ["string", "null"]})), json!({"type": "string"}));
    }

    #[test]
    fn what_must_be_given_comes_first_and_the_reason_last() {
        let params = params_of(&json!({
            "properties": {"intent": {"type": "string", "default": ""}, "a": {"type": "boolean", "default": true},
                "b": {"type": "string"}},
            "required": ["b"],
        }));
        let names: Vec<_> = params.iter().map(|param| (param.name.as_str(), param.required)).collect();
        assert_eq!(names, [("b", true), ("a", false), ("intent", false)]);
    }
}
