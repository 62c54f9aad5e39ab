//! Actions that set what a field holds.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{choice, setters};
use crate::catalogue::{ActionFamily, ActionType, Alias, Preset, Risk, Target};

choice!(
    /// How a text is brought into a field.
    FillTier {
        /// Whatever works: all at once, and where that is not what stands there then, in the other ways.
        Auto = "auto",
        /// All at once.
        Bulk = "bulk",
        /// Key by key.
        Keys = "keys",
        /// A character a box, for codes.
        Otp = "otp",
        /// As a paste.
        Paste = "paste",
    }
);

/// Writes text into a field and reads it back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Fill {
    /// The field.
    #[serde(flatten)]
    pub target: Target,
    /// What it shall hold; empty to clear it.
    #[schemars(extend("x-tell" = "empty to clear"))]
    pub text: String,
    /// Whether what stands there goes first.
    #[serde(default = "Fill::default_clear")]
    pub clear: bool,
    /// How the text is brought in.
    #[serde(default = "Fill::default_tier")]
    pub tier: FillTier,
    /// Whether to press Enter after it.
    #[serde(default)]
    #[schemars(extend("x-tell" = "press Enter after"))]
    pub submit: bool,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for Fill {
    const NAME: &'static str = "fill";
    const ALIASES: &'static [Alias] = &[
        Alias::of("input_text").drop(&["xpath"]),
        Alias::of("input"),
        Alias::of("fill_text"),
        Alias::of("fill_field"),
        Alias::of("set_value"),
        Alias::of("fallback_fill").set(&[("tier", Preset::Text("keys"))]),
        Alias::of("multi_factor_fill").set(&[("tier", Preset::Text("otp"))]),
    ];
    const PARAM_ALIASES: &'static [(&'static str, &'static str)] = &[
        ("value", "text"),
        ("content", "text"),
        ("clear_existing", "clear"),
        ("clear_before_fill", "clear"),
        ("press_enter", "submit"),
    ];
    const FAMILY: ActionFamily = ActionFamily::Element;
    const RISK: Risk = Risk::Edit;
    const NEEDS_ELEMENT: bool = true;
}

impl Fill {
    fn default_clear() -> bool {
        true
    }

    fn default_tier() -> FillTier {
        FillTier::Auto
    }

    /// Writes that text into that field.
    #[must_use]
    pub fn on(target: impl Into<Target>, text: impl Into<String>) -> Self {
        Self {
            target: target.into(),
            text: text.into(),
            clear: true,
            tier: FillTier::Auto,
            submit: false,
            intent: String::new(),
        }
    }
}
setters!(Fill { clear: bool, tier: FillTier, submit: bool });

choice!(
    /// What happens to the options that are chosen already.
    SelectMode {
        /// Only the given ones stay chosen.
        Set = "set",
        /// The given ones come to them.
        Add = "add",
        /// The given ones go.
        Remove = "remove",
    }
);

/// Chooses options of a select, listbox, combobox, menu or tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Select {
    /// The choice widget.
    #[serde(flatten)]
    pub target: Target,
    /// Labels or values of the options, or their places: `#1` is the first. What stands below others is also named by its
    /// path: `Europe > France`.
    #[schemars(length(max = 1000), extend("x-tell" = "labels, values, places (#1 is the first) or paths (A > B)"))]
    pub values: Vec<String>,
    /// What happens to those chosen already.
    #[serde(default = "Select::default_mode")]
    pub mode: SelectMode,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for Select {
    const NAME: &'static str = "select";
    const ALIASES: &'static [Alias] = &[
        Alias::of("select_dropdown_option"),
        Alias::of("select_option"),
        Alias::of("select_dropdown"),
        Alias::of("choose_option"),
    ];
    const PARAM_ALIASES: &'static [(&'static str, &'static str)] = &[
        ("text", "values"),
        ("value", "values"),
        ("option", "values"),
        ("options", "values"),
        ("label", "values"),
        ("option_text", "values"),
    ];
    const FAMILY: ActionFamily = ActionFamily::Element;
    const RISK: Risk = Risk::Edit;
    const NEEDS_ELEMENT: bool = true;
}

impl Select {
    fn default_mode() -> SelectMode {
        SelectMode::Set
    }

    /// Chooses that option.
    #[must_use]
    pub fn on(target: impl Into<Target>, value: impl Into<String>) -> Self {
        Self::many(target, [value.into()])
    }

    /// Chooses those options.
    #[must_use]
    pub fn many(target: impl Into<Target>, values: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            target: target.into(),
            values: values.into_iter().map(Into::into).collect(),
            mode: SelectMode::Set,
            intent: String::new(),
        }
    }
}
setters!(Select { mode: SelectMode });

/// Lists the options of a select, listbox, combobox, menu or tree without choosing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Options {
    /// The choice widget.
    #[serde(flatten)]
    pub target: Target,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for Options {
    const NAME: &'static str = "options";
    const ALIASES: &'static [Alias] =
        &[Alias::of("get_dropdown_options"), Alias::of("dropdown_options"), Alias::of("get_options")];
    const FAMILY: ActionFamily = ActionFamily::Element;
    const RISK: Risk = Risk::Read;
    const NEEDS_ELEMENT: bool = true;
}

impl Options {
    /// Lists the options of that widget.
    #[must_use]
    pub fn of(target: impl Into<Target>) -> Self {
        Self { target: target.into(), intent: String::new() }
    }
}
setters!(Options {});

/// Sets a checkbox, radio button or switch; already so is fine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Check {
    /// The control.
    #[serde(flatten)]
    pub target: Target,
    /// On or off.
    #[serde(default = "Check::default_on")]
    pub on: bool,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for Check {
    const NAME: &'static str = "check";
    const ALIASES: &'static [Alias] =
        &[Alias::of("set_checked"), Alias::of("uncheck").set(&[("on", Preset::Flag(false))])];
    const PARAM_ALIASES: &'static [(&'static str, &'static str)] =
        &[("checked", "on"), ("value", "on"), ("state", "on")];
    const FAMILY: ActionFamily = ActionFamily::Element;
    const RISK: Risk = Risk::Edit;
    const NEEDS_ELEMENT: bool = true;
}

impl Check {
    fn default_on() -> bool {
        true
    }

    /// Sets that control.
    #[must_use]
    pub fn on(target: impl Into<Target>) -> Self {
        Self { target: target.into(), on: true, intent: String::new() }
    }

    /// Unsets that control.
    #[must_use]
    pub fn off(target: impl Into<Target>) -> Self {
        Self { on: false, ..Self::on(target) }
    }
}
setters!(Check {});
