//! Several fields in one action.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::setters;
use crate::catalogue::{ActionFamily, ActionType, Alias, Risk, Target};

/// Sets several fields of a form; stops at the first that fails.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct FillForm {
    /// The fields and what each shall hold.
    #[schemars(length(min = 1, max = 100))]
    pub fields: Vec<FormField>,
    /// Whether to send the form after it.
    #[serde(default)]
    pub submit: bool,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

/// One field of a form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FormField {
    /// The field.
    #[serde(rename = "ref", with = "by_ref")]
    pub target: Target,
    /// What it shall hold.
    pub value: FieldValue,
}

/// What a field shall hold: a text, an option, `true` or `false` for a box; or several options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum FieldValue {
    /// One.
    One(String),
    /// Several options.
    Many(Vec<String>),
}

impl From<&str> for FieldValue {
    fn from(text: &str) -> Self {
        FieldValue::One(text.to_owned())
    }
}

impl From<String> for FieldValue {
    fn from(text: String) -> Self {
        FieldValue::One(text)
    }
}

impl From<bool> for FieldValue {
    fn from(on: bool) -> Self {
        FieldValue::One(on.to_string())
    }
}

impl From<Vec<String>> for FieldValue {
    fn from(options: Vec<String>) -> Self {
        FieldValue::Many(options)
    }
}

impl FormField {
    /// That value for that field.
    #[must_use]
    pub fn new(target: impl Into<Target>, value: impl Into<FieldValue>) -> Self {
        Self { target: target.into(), value: value.into() }
    }
}

/// A target as the text of its ref.
mod by_ref {
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::catalogue::Target;

    pub(super) fn serialize<S: Serializer>(target: &Target, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(target)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Target, D::Error> {
        String::deserialize(deserializer).map(Target::from)
    }
}

impl JsonSchema for FormField {
    fn schema_name() -> Cow<'static, str> {
        "FormField".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "properties": {
                "ref": { "type": "string", "x-kind": "ref" },
                "value": {
                    "type": "string", "x-kind": "texts",
                    "description": "or true or false for a box",
                },
            },
            "required": ["ref", "value"],
            "additionalProperties": false,
        })
    }
}

impl ActionType for FillForm {
    const NAME: &'static str = "fill_form";
    const ALIASES: &'static [Alias] = &[Alias::of("browser_fill_form"), Alias::of("fill_fields")];
    const PARAM_ALIASES: &'static [(&'static str, &'static str)] =
        &[("values", "fields"), ("inputs", "fields"), ("press_enter", "submit")];
    const FAMILY: ActionFamily = ActionFamily::Element;
    const RISK: Risk = Risk::Edit;

    /// Fields as an object (`{"I3": "Ada"}`), and what other engines call a field's parts.
    fn reshape(params: &mut Map<String, Value>) {
        if let Some(fields) = params.get_mut("fields") {
            if let Value::Object(by_ref) = fields
                && !["ref", "value"].iter().any(|key| by_ref.contains_key(*key))
            {
                let listed = std::mem::take(by_ref).into_iter();
                *fields = listed.map(|(target, value)| serde_json::json!({ "ref": target, "value": value })).collect();
            }
            for field in fields.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
                rename(field, &["index", "element", "id"], "ref");
                rename(field, &["text", "content", "values", "option", "checked", "on"], "value");
                for words in ["name", "type", "label"] {
                    field.remove(words);
                }
            }
        }
    }
}

fn rename(field: &mut Map<String, Value>, others: &[&str], own: &str) {
    if field.contains_key(own) {
        // a model may name the element in words beside its ref
        field.remove("element");
        return;
    }
    if let Some(value) = others.iter().find_map(|other| field.remove(*other)) {
        field.insert(own.to_owned(), value);
    }
}

impl FillForm {
    /// Sets those fields.
    ///
    /// ```
    /// use webhand_action::catalogue::{FillForm, FormField};
    /// let form = FillForm::of([FormField::new("I3", "Ada"), FormField::new("X4", true)]).submit(true);
    /// assert_eq!(form.fields.len(), 2);
    /// ```
    #[must_use]
    pub fn of(fields: impl IntoIterator<Item = FormField>) -> Self {
        Self { fields: fields.into_iter().collect(), submit: false, intent: String::new() }
    }
}
setters!(FillForm { submit: bool });
