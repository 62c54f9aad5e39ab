//! Taking structured data out of the page.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::setters;
use crate::{
    catalogue::{ActionFamily, ActionType, Alias, Risk, Target},
    validate::ParamFault,
};

/// Takes data out of the page, or of the element of ref.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Extract {
    /// The part of the page; all of it where none is named.
    #[serde(default, flatten)]
    pub target: Option<Target>,
    /// What to take, in words.
    #[serde(default)]
    #[schemars(length(max = 4000))]
    pub instruction: Option<String>,
    /// The JSON Schema of the data. With `x-selector` (CSS) and `x-attribute` in it, or where a table fits it, no model is
    /// asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-kind" = "data"))]
    pub schema: Option<Value>,
    /// Where to go on, as the last time said.
    #[serde(default)]
    #[schemars(extend("x-tell" = "from the last time, to go on"))]
    pub cursor: Option<String>,
    /// How many pages: further ones are reached by the control that leads to the next.
    #[serde(default = "Extract::default_pages")]
    #[schemars(range(min = 1, max = 50), extend("x-tell" = "go on through next pages"))]
    pub pages: u32,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for Extract {
    const NAME: &'static str = "extract";
    const ALIASES: &'static [Alias] = &[Alias::of("extract_data"), Alias::of("extract_structured_data")];
    const PARAM_ALIASES: &'static [(&'static str, &'static str)] = &[
        ("query", "instruction"),
        ("goal", "instruction"),
        ("instructions", "instruction"),
        ("output_schema", "schema"),
    ];
    const FAMILY: ActionFamily = ActionFamily::Tool;
    const RISK: Risk = Risk::Read;

    fn check(&self) -> Vec<ParamFault> {
        let mut faults = Vec::new();
        if self.schema.as_ref().is_some_and(|schema| !schema.is_object()) {
            faults.push(
                ParamFault::bad("schema", "is not a JSON Schema").hint("write an object with type and properties"),
            );
        }
        if self.pages > 1 && self.cursor.is_some() {
            faults.push(ParamFault::bad("cursor", "stands beside several pages").hint("give one of them"));
        }
        faults
    }
}

impl Extract {
    fn default_pages() -> u32 {
        1
    }

    /// Takes the rows of the page's table.
    #[must_use]
    pub fn table() -> Self {
        Self { target: None, instruction: None, schema: None, cursor: None, pages: 1, intent: String::new() }
    }

    /// Takes data of that schema.
    #[must_use]
    pub fn schema(schema: Value) -> Self {
        Self { schema: Some(schema), ..Self::table() }
    }

    /// Takes what these words ask for.
    #[must_use]
    pub fn asking(instruction: impl Into<String>) -> Self {
        Self { instruction: Some(instruction.into()), ..Self::table() }
    }

    /// The same in that element only.
    #[must_use]
    pub fn within(mut self, target: impl Into<Target>) -> Self {
        self.target = Some(target.into());
        self
    }
}
setters!(Extract { instruction: Option<String>, cursor: Option<String>, pages: u32 });
