//! Keys for what has the focus.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::setters;
use crate::{
    act::keys,
    catalogue::{ActionFamily, ActionType, Alias, Risk, Target},
    validate::ParamFault,
};

/// Presses keys: chords and sequences such as "Enter", "Control+A", "Tab Tab Enter".
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Press {
    /// The keys.
    #[schemars(length(min = 1, max = 1000))]
    pub keys: String,
    /// The element to focus first.
    #[serde(default, flatten)]
    pub target: Option<Target>,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for Press {
    const NAME: &'static str = "press";
    const ALIASES: &'static [Alias] =
        &[Alias::of("send_keys"), Alias::of("press_key"), Alias::of("press_keys"), Alias::of("keypress")];
    const PARAM_ALIASES: &'static [(&'static str, &'static str)] = &[("key", "keys")];
    const FAMILY: ActionFamily = ActionFamily::Browser;
    const RISK: Risk = Risk::Edit;
    const MAY_OPEN_TAB: bool = true;

    fn check(&self) -> Vec<ParamFault> {
        // An empty text is the schema's to refuse.
        match keys::parse(&self.keys) {
            Ok(strokes) if strokes.is_empty() && !self.keys.is_empty() => {
                vec![ParamFault::bad("keys", "name no key").hint("write a key such as Enter, or Space")]
            }
            Ok(_) => Vec::new(),
            Err(unknown) => {
                let hint = "use names such as Enter, Tab, ArrowDown, F5, a character, or chords such as Control+A";
                vec![ParamFault::bad("keys", format!("{:?} is not a key", unknown.0)).hint(hint)]
            }
        }
    }
}

impl Press {
    /// Presses those keys, wherever the focus is.
    #[must_use]
    pub fn keys(keys: impl Into<String>) -> Self {
        Self { keys: keys.into(), target: None, intent: String::new() }
    }

    /// The same on that element.
    #[must_use]
    pub fn on(mut self, target: impl Into<Target>) -> Self {
        self.target = Some(target.into());
        self
    }
}
setters!(Press {});

/// Types text with real keys into what has the focus; use fill for a field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Type {
    /// The text.
    #[schemars(length(min = 1))]
    pub text: String,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for Type {
    const NAME: &'static str = "type";
    const ALIASES: &'static [Alias] = &[Alias::of("type_text"), Alias::of("keyboard_type")];
    const FAMILY: ActionFamily = ActionFamily::Browser;
    const RISK: Risk = Risk::Edit;
}

impl Type {
    /// Types that text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), intent: String::new() }
    }
}
setters!(Type {});
