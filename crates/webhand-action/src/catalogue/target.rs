//! Which element an action is for: exactly one of a ref, a selector (scripts only) or a point.
//!
//! It says what was asked, not what is there: finding the element is the resolver's work.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use webhand_page::{Ref, RefText};

/// Which element an action is for.
///
/// ```
/// use webhand_action::catalogue::Target;
/// assert_eq!(Target::from("[b12]").to_string(), "B12");
/// assert_eq!(Target::point(10.0, 20.0).to_string(), "10,20");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "TargetFields", into = "TargetFields")]
#[non_exhaustive]
pub enum Target {
    /// The element of that ref.
    Ref(RefText),
    /// The one element that this CSS selector finds: for scripts, never offered to a model.
    Selector(String),
    /// Whatever stands at that point of the view, CSS pixels.
    Point {
        /// From the left.
        x: f64,
        /// From the top.
        y: f64,
    },
    /// A text that is no ref: kept so that validation can say so.
    Unreadable(String),
}

impl Target {
    /// The one element that a CSS selector finds.
    #[must_use]
    pub fn selector(selector: impl Into<String>) -> Self {
        Target::Selector(selector.into())
    }

    /// Whatever stands at that point of the view.
    #[must_use]
    pub fn point(x: f64, y: f64) -> Self {
        Target::Point { x, y }
    }

    /// The ref, where it is one.
    #[must_use]
    pub fn as_ref_text(&self) -> Option<RefText> {
        match self {
            Target::Ref(text) => Some(*text),
            _ => None,
        }
    }
}

impl From<&str> for Target {
    fn from(text: &str) -> Self {
        text.parse().map_or_else(|_| Target::Unreadable(text.to_owned()), Target::Ref)
    }
}

impl From<String> for Target {
    fn from(text: String) -> Self {
        Target::from(text.as_str())
    }
}

impl From<&String> for Target {
    fn from(text: &String) -> Self {
        Target::from(text.as_str())
    }
}

impl From<Ref> for Target {
    fn from(target: Ref) -> Self {
        Target::Ref(target.into())
    }
}

impl From<RefText> for Target {
    fn from(target: RefText) -> Self {
        Target::Ref(target)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Ref(text) => write!(f, "{text}"),
            Target::Selector(selector) => write!(f, "selector {selector:?}"),
            Target::Point { x, y } => write!(f, "{x},{y}"),
            Target::Unreadable(text) => write!(f, "{text:?}"),
        }
    }
}

/// The target as it stands among an action's parameters.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct TargetFields {
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
    r#ref: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    selector: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    x: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    y: Option<f64>,
}

impl TryFrom<TargetFields> for Target {
    type Error = &'static str;

    fn try_from(fields: TargetFields) -> Result<Self, Self::Error> {
        match fields {
            TargetFields { r#ref: Some(text), selector: None, x: None, y: None } => Ok(Target::from(text)),
            TargetFields { r#ref: None, selector: Some(selector), x: None, y: None } => Ok(Target::Selector(selector)),
            TargetFields { r#ref: None, selector: None, x: Some(x), y: Some(y) } => Ok(Target::Point { x, y }),
            _ => Err("an element is named by exactly one of ref, selector or x with y"),
        }
    }
}

impl From<Target> for TargetFields {
    fn from(target: Target) -> Self {
        let mut fields = TargetFields::default();
        match target {
            Target::Ref(text) => fields.r#ref = Some(text.to_string()),
            Target::Selector(selector) => fields.selector = Some(selector),
            Target::Point { x, y } => (fields.x, fields.y) = (Some(x), Some(y)),
            Target::Unreadable(text) => fields.r#ref = Some(text),
        }
        fields
    }
}

impl JsonSchema for Target {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Target".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "properties": {
                "ref": { "type": "string", "x-kind": "ref", "description": "The element's ref, such as B12." },
                "selector": {
                    "type": "string", "x-kind": "script",
                    "description": "A CSS selector that finds exactly one element (scripts only)."
                },
                "x": { "type": "number", "description": "Instead of ref: pixels from the left of the view.",
                    "minimum": 0, "maximum": 100_000 },
                "y": { "type": "number", "description": "Pixels from the top.", "minimum": 0, "maximum": 100_000 },
            },
        })
    }
}
