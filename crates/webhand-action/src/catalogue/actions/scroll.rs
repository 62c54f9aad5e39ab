//! Scrolling: the page or one of its areas, by steps, to an edge, a text or an element.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use webhand_page::RefText;

use super::{choice, setters};
use crate::{
    catalogue::{ActionFamily, ActionType, Alias, Preset, Risk, Target},
    validate::ParamFault,
};

choice!(
    /// Where to scroll.
    ScrollTo {
        /// Up.
        Up = "up",
        /// Down.
        Down = "down",
        /// Left.
        Left = "left",
        /// Right.
        Right = "right",
        /// To the beginning.
        Top = "top",
        /// To the end.
        Bottom = "bottom",
        /// To a percentage of the whole.
        Percent = "percent",
        /// To a text.
        Text = "text",
        /// To an element.
        Ref = "ref",
    }
);
choice!(
    /// What a scroll's amount counts.
    ScrollUnit {
        /// Views.
        Pages = "pages",
        /// CSS pixels.
        Pixels = "pixels",
        /// Hundredths of the whole.
        Percent = "percent",
    }
);

/// Scrolls the page, or the scroll area named by ref.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Scroll {
    /// Where to.
    pub to: ScrollTo,
    /// The text or the ref to scroll to.
    #[serde(default)]
    #[schemars(extend("x-tell" = "the text or ref to scroll to"))]
    pub value: Option<String>,
    /// How far (one page where nothing is said), or the percentage.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1_000_000), extend("x-tell" = "1 page by default"))]
    pub amount: Option<f64>,
    /// What amount counts.
    #[serde(default = "Scroll::default_unit")]
    pub unit: ScrollUnit,
    /// The scroll area; the page where none is named.
    #[serde(default, flatten)]
    pub target: Option<Target>,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for Scroll {
    const NAME: &'static str = "scroll";
    const ALIASES: &'static [Alias] = &[
        Alias::of("scroll_down").set(&[("to", Preset::Text("down"))]),
        Alias::of("scroll_up").set(&[("to", Preset::Text("up"))]),
        Alias::of("scroll_to_percent").set(&[("to", Preset::Text("percent"))]).rename(&[
            ("yPercent", "amount"),
            ("y_percent", "amount"),
            ("percent", "amount"),
            ("value", "amount"),
        ]),
        Alias::of("scroll_to_text").set(&[("to", Preset::Text("text"))]).rename(&[("text", "value")]).drop(&["nth"]),
        Alias::of("scroll_to_top").set(&[("to", Preset::Text("top"))]),
        Alias::of("scroll_to_bottom").set(&[("to", Preset::Text("bottom"))]),
        Alias::of("scroll_to_element").set(&[("to", Preset::Text("ref"))]).rename(&[
            ("ref", "value"),
            ("index", "value"),
            ("element", "value"),
            ("id", "value"),
        ]),
        Alias::of("scroll_into_view").set(&[("to", Preset::Text("ref"))]).rename(&[
            ("ref", "value"),
            ("index", "value"),
            ("element", "value"),
            ("id", "value"),
        ]),
        Alias::of("next_page").set(&[("to", Preset::Text("down"))]),
        Alias::of("previous_page").set(&[("to", Preset::Text("up"))]),
    ];
    const PARAM_ALIASES: &'static [(&'static str, &'static str)] =
        &[("direction", "to"), ("pages", "amount"), ("num_pages", "amount"), ("frame_element_index", "ref")];
    const FAMILY: ActionFamily = ActionFamily::Browser;
    const RISK: Risk = Risk::Read;

    fn reshape(params: &mut Map<String, Value>) {
        if !params.contains_key("to")
            && let Some(Value::Bool(down)) = params.get("down").cloned()
        {
            params.remove("down");
            params.insert("to".to_owned(), if down { "down" } else { "up" }.into());
        }
        if let Some(pixels) = params.get("pixels").cloned()
            && !params.contains_key("amount")
        {
            params.remove("pixels");
            params.insert("amount".to_owned(), pixels);
            params.insert("unit".to_owned(), "pixels".into());
        }
        let percent = params.get("to").and_then(Value::as_str).is_some_and(|to| to.eq_ignore_ascii_case("percent"));
        if percent
            && !params.contains_key("amount")
            && let Some(value) = params.remove("value")
        {
            params.insert("amount".to_owned(), value);
        }
    }

    fn check(&self) -> Vec<ParamFault> {
        let mut faults = Vec::new();
        let value = self.value.as_deref().unwrap_or_default();
        match self.to {
            ScrollTo::Text if value.is_empty() => faults.push(ParamFault::missing("value", "the text to scroll to")),
            ScrollTo::Ref if value.is_empty() => faults.push(ParamFault::missing("value", "the ref to scroll to")),
            ScrollTo::Ref if value.parse::<RefText>().is_err() => {
                faults
                    .push(ParamFault::bad("value", "is not a ref").hint("write it as the page shows it, such as B12"));
            }
            ScrollTo::Percent if self.amount.is_none() => {
                faults.push(ParamFault::missing("amount", "the percentage to scroll to"));
            }
            ScrollTo::Percent if self.amount.is_some_and(|amount| amount > 100.0) => {
                faults.push(ParamFault::bad("amount", "is over 100 percent"));
            }
            _ => {}
        }
        faults
    }
}

impl Scroll {
    fn default_unit() -> ScrollUnit {
        ScrollUnit::Pages
    }

    /// Scrolls there.
    #[must_use]
    pub fn to(to: ScrollTo) -> Self {
        Self { to, value: None, amount: None, unit: ScrollUnit::Pages, target: None, intent: String::new() }
    }

    /// Scrolls down one page.
    #[must_use]
    pub fn down() -> Self {
        Self::to(ScrollTo::Down)
    }

    /// Scrolls up one page.
    #[must_use]
    pub fn up() -> Self {
        Self::to(ScrollTo::Up)
    }

    /// Scrolls to a text.
    #[must_use]
    pub fn to_text(text: impl Into<String>) -> Self {
        Self { value: Some(text.into()), ..Self::to(ScrollTo::Text) }
    }

    /// Scrolls to an element.
    #[must_use]
    pub fn to_ref(target: impl Into<RefText>) -> Self {
        Self { value: Some(target.into().to_string()), ..Self::to(ScrollTo::Ref) }
    }

    /// The same inside that scroll area.
    #[must_use]
    pub fn within(mut self, target: impl Into<Target>) -> Self {
        self.target = Some(target.into());
        self
    }
}
setters!(Scroll { amount: Option<f64>, unit: ScrollUnit });
