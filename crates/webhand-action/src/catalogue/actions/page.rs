//! What concerns the page as a whole: its dialog, its picture.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::setters;
use crate::catalogue::{ActionFamily, ActionType, Alias, Preset, Risk, Target};

/// Answers the dialog that the page holds open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Dialog {
    /// Whether to accept it.
    pub accept: bool,
    /// What to write into a prompt.
    #[serde(default)]
    #[schemars(extend("x-tell" = "for a prompt"))]
    pub text: Option<String>,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for Dialog {
    const NAME: &'static str = "dialog";
    const ALIASES: &'static [Alias] = &[
        Alias::of("handle_dialog"),
        Alias::of("accept_dialog").set(&[("accept", Preset::Flag(true))]),
        Alias::of("dismiss_dialog").set(&[("accept", Preset::Flag(false))]),
    ];
    const PARAM_ALIASES: &'static [(&'static str, &'static str)] = &[("prompt_text", "text"), ("promptText", "text")];
    const FAMILY: ActionFamily = ActionFamily::Browser;
    const RISK: Risk = Risk::Edit;
}

impl Dialog {
    /// Accepts it.
    #[must_use]
    pub fn accept() -> Self {
        Self { accept: true, text: None, intent: String::new() }
    }

    /// Dismisses it.
    #[must_use]
    pub fn dismiss() -> Self {
        Self { accept: false, ..Self::accept() }
    }
}
setters!(Dialog { text: Option<String> });

/// Takes a picture of the view, the whole page or the element of ref.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Screenshot {
    /// The element to show alone.
    #[serde(default, flatten)]
    pub target: Option<Target>,
    /// Whether to show the whole page.
    #[serde(default)]
    pub full_page: bool,
    /// Whether to draw the refs on it; usual, but for the picture of one element.
    #[serde(default = "Screenshot::default_marks")]
    pub marks: bool,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for Screenshot {
    const NAME: &'static str = "screenshot";
    const ALIASES: &'static [Alias] = &[Alias::of("take_screenshot")];
    const PARAM_ALIASES: &'static [(&'static str, &'static str)] = &[("fullPage", "full_page")];
    const FAMILY: ActionFamily = ActionFamily::Browser;
    const RISK: Risk = Risk::Read;

    /// Marks would hide what a small element shows: on the picture of one element they are drawn only when asked for.
    fn reshape(params: &mut Map<String, Value>) {
        if ["ref", "selector"].iter().any(|key| params.get(*key).is_some_and(|value| !value.is_null())) {
            params.entry("marks").or_insert(Value::Bool(false));
        }
    }
}

impl Screenshot {
    fn default_marks() -> bool {
        true
    }

    /// A picture of the view.
    #[must_use]
    pub fn view() -> Self {
        Self { target: None, full_page: false, marks: true, intent: String::new() }
    }

    /// A picture of that element, without marks.
    #[must_use]
    pub fn of(target: impl Into<Target>) -> Self {
        Self { target: Some(target.into()), marks: false, ..Self::view() }
    }
}
setters!(Screenshot { full_page: bool, marks: bool });
