//! Waiting for what is to come.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use webhand_page::RefText;

use super::{choice, setters};
use crate::{
    catalogue::{ActionFamily, ActionType, Alias, Preset, Risk},
    validate::ParamFault,
};

choice!(
    /// What to wait for.
    WaitFor {
        /// A text that appears.
        Text = "text",
        /// A text that goes.
        TextGone = "text_gone",
        /// A state of an element.
        RefState = "ref_state",
        /// An address that contains the value.
        Url = "url",
        /// A quiet network.
        Network = "network",
        /// The page's load.
        Load = "load",
        /// A download, from its begin to its end.
        Download = "download",
        /// A plain time.
        Time = "time",
    }
);

/// Waits until something holds, or for a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Wait {
    /// What to wait for.
    pub r#for: WaitFor,
    /// The text, in any case and in any frame; a part of the address; or the state: visible, hidden, enabled, disabled,
    /// checked, unchecked.
    #[serde(default)]
    #[schemars(extend(
        "x-tell" = "the text (any case), part of the URL, or state: visible, hidden, enabled, disabled, checked, unchecked"
    ))]
    pub value: Option<String>,
    /// The element whose state is awaited.
    #[serde(default, rename = "ref")]
    #[schemars(with = "Option<String>", extend("x-kind" = "ref"))]
    pub r#ref: Option<RefText>,
    /// How long at most.
    #[serde(default = "Wait::default_seconds")]
    #[schemars(range(min = 0, max = 60), extend("x-tell" = "at most; 10 by default, up to 60"))]
    pub seconds: f64,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for Wait {
    const NAME: &'static str = "wait";
    const ALIASES: &'static [Alias] = &[
        Alias::of("wait_for"),
        Alias::of("sleep").set(&[("for", Preset::Text("time"))]),
        Alias::of("wait_for_text").set(&[("for", Preset::Text("text"))]).rename(&[("text", "value")]),
        Alias::of("wait_for_download").set(&[("for", Preset::Text("download"))]),
        Alias::of("wait_for_load").set(&[("for", Preset::Text("load"))]),
    ];
    const PARAM_ALIASES: &'static [(&'static str, &'static str)] =
        &[("time", "seconds"), ("duration", "seconds"), ("timeout", "seconds"), ("state", "value")];
    const FAMILY: ActionFamily = ActionFamily::Browser;
    const RISK: Risk = Risk::Read;

    fn reshape(params: &mut Map<String, Value>) {
        let bare_time =
            params.contains_key("seconds") && !["for", "value", "ref"].iter().any(|key| params.contains_key(*key));
        if bare_time {
            params.insert("for".to_owned(), "time".into());
        }
        let timed = params.get("for").and_then(Value::as_str).is_some_and(|what| what.eq_ignore_ascii_case("time"));
        if timed
            && !params.contains_key("seconds")
            && let Some(value) = params.remove("value")
        {
            params.insert("seconds".to_owned(), value);
        }
    }

    fn check(&self) -> Vec<ParamFault> {
        let mut faults = Vec::new();
        let value = self.value.as_deref().unwrap_or_default();
        match self.r#for {
            WaitFor::Text | WaitFor::TextGone | WaitFor::Url if value.is_empty() => {
                faults.push(ParamFault::missing("value", "what to wait for"));
            }
            WaitFor::RefState => {
                if self.r#ref.is_none() {
                    faults.push(ParamFault::missing("ref", "the element whose state is awaited"));
                }
                if value.is_empty() {
                    faults.push(ParamFault::missing("value", "the state to wait for, such as visible"));
                } else if !Self::STATES.contains(&value) {
                    let hint = format!("allowed: {}", Self::STATES.join(", "));
                    faults.push(ParamFault::bad("value", "is not a state").hint(hint));
                }
            }
            WaitFor::Time if !value.is_empty() => {
                faults.push(ParamFault::bad("value", "means nothing with for=time").hint("give the time as seconds"));
            }
            _ => {}
        }
        faults
    }
}

impl Wait {
    /// The states that can be awaited.
    pub const STATES: &'static [&'static str] = &["visible", "hidden", "enabled", "disabled", "checked", "unchecked"];

    fn default_seconds() -> f64 {
        10.0
    }

    fn new(what: WaitFor, value: Option<String>) -> Self {
        Self { r#for: what, value, r#ref: None, seconds: Self::default_seconds(), intent: String::new() }
    }

    /// Waits for a text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(WaitFor::Text, Some(text.into()))
    }

    /// Waits until a text is gone.
    #[must_use]
    pub fn text_gone(text: impl Into<String>) -> Self {
        Self::new(WaitFor::TextGone, Some(text.into()))
    }

    /// Waits for an address that contains this.
    #[must_use]
    pub fn url(part: impl Into<String>) -> Self {
        Self::new(WaitFor::Url, Some(part.into()))
    }

    /// Waits for a state of an element.
    #[must_use]
    pub fn state(target: impl Into<RefText>, state: impl Into<String>) -> Self {
        Self { r#ref: Some(target.into()), ..Self::new(WaitFor::RefState, Some(state.into())) }
    }

    /// Waits for the page's load.
    #[must_use]
    pub fn load() -> Self {
        Self::new(WaitFor::Load, None)
    }

    /// Waits for a quiet network.
    #[must_use]
    pub fn network() -> Self {
        Self::new(WaitFor::Network, None)
    }

    /// Waits for downloads that are under way, or for the next one.
    #[must_use]
    pub fn download() -> Self {
        Self::new(WaitFor::Download, None)
    }

    /// Waits that long.
    #[must_use]
    pub fn time(seconds: f64) -> Self {
        Self { seconds, ..Self::new(WaitFor::Time, None) }
    }
}
setters!(Wait { seconds: f64 });
