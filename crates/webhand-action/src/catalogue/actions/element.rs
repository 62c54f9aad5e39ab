//! Pointer actions on one element.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{choice, setters};
use crate::catalogue::{ActionFamily, ActionType, Alias, Preset, Risk, Target};

choice!(
    /// A mouse button.
    MouseButton {
        /// The main one.
        Left = "left",
        /// The one for menus.
        Right = "right",
        /// The wheel.
        Middle = "middle",
    }
);
choice!(
    /// A key held during a click.
    Modifier {
        /// Control.
        Control = "control",
        /// Shift.
        Shift = "shift",
        /// Alt or Option.
        Alt = "alt",
        /// Meta, Command or Windows.
        Meta = "meta",
    }
);
choice!(
    /// What to do with a tab that a click opens.
    OpenedTab {
        /// Make it the current one.
        Follow = "follow",
        /// Stay in this one.
        Stay = "stay",
    }
);

/// Clicks an element, by ref or by x and y.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Click {
    /// The element.
    #[serde(flatten)]
    pub target: Target,
    /// The mouse button.
    #[serde(default = "Click::default_button")]
    pub button: MouseButton,
    /// How many times, 2 for a double click.
    #[serde(default = "Click::default_count")]
    #[schemars(range(min = 1, max = 3), extend("x-tell" = "2 for a double click"))]
    pub count: u8,
    /// Keys held meanwhile.
    #[serde(default)]
    #[schemars(length(max = 4))]
    pub modifiers: Vec<Modifier>,
    /// How long to hold the button, for a long press.
    #[serde(default)]
    #[schemars(range(min = 0, max = 10_000), extend("x-tell" = "for a long press"))]
    pub hold_ms: u32,
    /// Whether to follow a tab that it opens.
    #[serde(default = "Click::default_new_tab")]
    pub new_tab: OpenedTab,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for Click {
    const NAME: &'static str = "click";
    const ALIASES: &'static [Alias] = &[
        Alias::of("click_element").drop(&["xpath"]),
        Alias::of("click_element_by_index"),
        Alias::of("left_click"),
        Alias::of("tap"),
        Alias::of("double_click").set(&[("count", Preset::Count(2))]),
        Alias::of("right_click").set(&[("button", Preset::Text("right"))]),
        Alias::of("middle_click").set(&[("button", Preset::Text("middle"))]),
    ];
    const PARAM_ALIASES: &'static [(&'static str, &'static str)] =
        &[("clicks", "count"), ("click_count", "count"), ("coordinate_x", "x"), ("coordinate_y", "y")];
    const FAMILY: ActionFamily = ActionFamily::Element;
    const RISK: Risk = Risk::Edit;
    const NEEDS_ELEMENT: bool = true;
    const BY_POINT: bool = true;
    const MAY_OPEN_TAB: bool = true;

    fn reshape(params: &mut Map<String, Value>) {
        spread_point(params);
        let Some(Value::Array(modifiers)) = params.get_mut("modifiers") else { return };
        for modifier in modifiers {
            let Some(word) = modifier.as_str().map(str::to_ascii_lowercase) else { continue };
            let known = match word.as_str() {
                "ctrl" => "control",
                "cmd" | "command" | "super" | "windows" => "meta",
                "option" => "alt",
                _ => continue,
            };
            *modifier = known.into();
        }
    }
}

/// A point as one pair (`coordinate: [10, 20]`) becomes `x` and `y`.
pub(super) fn spread_point(params: &mut Map<String, Value>) {
    if params.contains_key("x") || params.contains_key("y") {
        return;
    }
    for key in ["coordinate", "coordinates", "position", "point"] {
        let Some((x, y)) = params.get(key).and_then(pair) else { continue };
        params.remove(key);
        params.insert("x".to_owned(), x);
        params.insert("y".to_owned(), y);
        return;
    }
}

pub(super) fn pair(value: &Value) -> Option<(Value, Value)> {
    match value {
        Value::Array(items) => match items.as_slice() {
            [x @ Value::Number(_), y @ Value::Number(_)] => Some((x.clone(), y.clone())),
            _ => None,
        },
        Value::Object(fields) if fields.len() == 2 => Some((fields.get("x")?.clone(), fields.get("y")?.clone())),
        _ => None,
    }
}

impl Click {
    fn default_button() -> MouseButton {
        MouseButton::Left
    }

    fn default_count() -> u8 {
        1
    }

    fn default_new_tab() -> OpenedTab {
        OpenedTab::Follow
    }

    /// Clicks that element.
    ///
    /// ```
    /// use webhand_action::catalogue::{Click, MouseButton};
    /// let menu = Click::on("B12").button(MouseButton::Right);
    /// assert_eq!(menu.target.to_string(), "B12");
    /// ```
    #[must_use]
    pub fn on(target: impl Into<Target>) -> Self {
        Self {
            target: target.into(),
            button: MouseButton::Left,
            count: 1,
            modifiers: Vec::new(),
            hold_ms: 0,
            new_tab: OpenedTab::Follow,
            intent: String::new(),
        }
    }

    /// Clicks that point of the view.
    #[must_use]
    pub fn at(x: f64, y: f64) -> Self {
        Self::on(Target::point(x, y))
    }

    /// The same as a double click.
    #[must_use]
    pub fn double(self) -> Self {
        self.count(2)
    }
}
setters!(Click { button: MouseButton, count: u8, modifiers: Vec<Modifier>, hold_ms: u32, new_tab: OpenedTab });

macro_rules! on_element {
    ($(#[$doc:meta])* $name:ident = $word:literal, [$($alias:literal),*]) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[non_exhaustive]
        pub struct $name {
            /// The element.
            #[serde(flatten)]
            pub target: Target,
            /// Why this step.
            #[serde(default)]
            pub intent: String,
        }

        impl ActionType for $name {
            const NAME: &'static str = $word;
            const ALIASES: &'static [Alias] = &[$(Alias::of($alias)),*];
            const FAMILY: ActionFamily = ActionFamily::Element;
            const RISK: Risk = Risk::Read;
            const NEEDS_ELEMENT: bool = true;
        }

        impl $name {
            /// The action on that element.
            #[must_use]
            pub fn on(target: impl Into<Target>) -> Self {
                Self { target: target.into(), intent: String::new() }
            }
        }
        setters!($name {});
    };
}
on_element!(
    /// Moves the pointer over an element: opens menus and tips.
    Hover = "hover",
    ["hover_element", "mouse_over"]
);
on_element!(
    /// Gives an element the keyboard focus.
    Focus = "focus",
    ["focus_element"]
);
