//! Dragging from one place to another.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use webhand_page::RefText;

use super::{
    choice,
    element::{pair, spread_point},
    setters,
};
use crate::{
    catalogue::{ActionFamily, ActionType, Alias, Risk, Target},
    validate::ParamFault,
};

choice!(
    /// How something is dragged.
    DragMode {
        /// As the page takes it up.
        Auto = "auto",
        /// By the pointer alone.
        Pointer = "pointer",
        /// As data (HTML drag and drop).
        Html5 = "html5",
    }
);

/// Drags an element (ref, or x and y) onto another (to), to a point (to_x, to_y) or by an offset (dx, dy).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Drag {
    /// What is dragged.
    #[serde(flatten)]
    pub target: Target,
    /// The element to drop it on.
    #[serde(default)]
    #[schemars(with = "Option<String>", extend("x-kind" = "ref"))]
    pub to: Option<RefText>,
    /// A CSS selector that finds exactly that element (scripts only).
    #[serde(default)]
    #[schemars(extend("x-kind" = "script"))]
    pub to_selector: Option<String>,
    /// Instead of to: pixels from the left of the view.
    #[serde(default)]
    #[schemars(range(min = 0, max = 100_000))]
    pub to_x: Option<f64>,
    /// Pixels from the top.
    #[serde(default)]
    #[schemars(range(min = 0, max = 100_000))]
    pub to_y: Option<f64>,
    /// Instead of to: pixels to the right, less than 0 for left.
    #[serde(default)]
    #[schemars(range(min = -100_000, max = 100_000), extend("x-tell" = "pixels to the right"))]
    pub dx: Option<f64>,
    /// Pixels down, less than 0 for up.
    #[serde(default)]
    #[schemars(range(min = -100_000, max = 100_000), extend("x-tell" = "pixels down"))]
    pub dy: Option<f64>,
    /// How it is dragged.
    #[serde(default = "Drag::default_mode")]
    #[schemars(extend("x-untold" = true))]
    pub mode: DragMode,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for Drag {
    const NAME: &'static str = "drag";
    const ALIASES: &'static [Alias] = &[
        Alias::of("drag_and_drop"),
        Alias::of("drag_drop").drop(&["steps", "delay_ms", "element_source_offset", "element_target_offset"]),
        Alias::of("drag_to"),
        Alias::of("drag_element"),
    ];
    const PARAM_ALIASES: &'static [(&'static str, &'static str)] = &[
        ("from", "ref"),
        ("source", "ref"),
        ("start_ref", "ref"),
        ("element_source", "ref"),
        ("target", "to"),
        ("to_ref", "to"),
        ("end_ref", "to"),
        ("destination", "to"),
        ("element_target", "to"),
        ("coord_source_x", "x"),
        ("coord_source_y", "y"),
        ("coord_target_x", "to_x"),
        ("coord_target_y", "to_y"),
        ("start_x", "x"),
        ("start_y", "y"),
        ("end_x", "to_x"),
        ("end_y", "to_y"),
        ("offset_x", "dx"),
        ("offset_y", "dy"),
        ("delta_x", "dx"),
        ("delta_y", "dy"),
    ];
    const FAMILY: ActionFamily = ActionFamily::Element;
    const RISK: Risk = Risk::Edit;
    const NEEDS_ELEMENT: bool = true;
    const BY_POINT: bool = true;

    fn reshape(params: &mut Map<String, Value>) {
        spread_point(params);
        spread_end(params, "to", ["to_x", "to_y"]);
        spread_end(params, "offset", ["dx", "dy"]);
    }

    fn check(&self) -> Vec<ParamFault> {
        let point = self.to_x.is_some() || self.to_y.is_some();
        let offset = self.dx.is_some() || self.dy.is_some();
        let ways = usize::from(self.to.is_some())
            + usize::from(self.to_selector.is_some())
            + usize::from(point)
            + usize::from(offset);
        match ways {
            0 => vec![ParamFault::missing("to", "the ref to drop it on, to_x and to_y, or dx and dy")],
            1 if point && (self.to_x.is_none() || self.to_y.is_none()) => {
                let absent = if self.to_x.is_none() { "to_x" } else { "to_y" };
                vec![ParamFault::missing(absent, "a point needs both to_x and to_y")]
            }
            1 if offset && self.dx.unwrap_or_default() == 0.0 && self.dy.unwrap_or_default() == 0.0 => {
                vec![ParamFault::bad("dx", "is 0, and so is dy").hint("say how far to drag it")]
            }
            1 => Vec::new(),
            _ => vec![ParamFault::bad("to", "stands beside another way of saying where to").hint("say it once")],
        }
    }
}

/// Where it goes, as a pair or an object (`to: [10, 20]`, `to: {"ref": "B5"}`), becomes this action's own parameters.
fn spread_end(params: &mut Map<String, Value>, key: &str, names: [&str; 2]) {
    let Some(value) = params.get(key) else { return };
    if let Some((first, second)) = pair(value) {
        params.remove(key);
        params.insert(names[0].to_owned(), first);
        params.insert(names[1].to_owned(), second);
    } else if let Some(inner) = value.get("ref").cloned() {
        params.insert(key.to_owned(), inner);
    }
}

impl Drag {
    fn default_mode() -> DragMode {
        DragMode::Auto
    }

    fn new(target: Target) -> Self {
        Self {
            target,
            to: None,
            to_selector: None,
            to_x: None,
            to_y: None,
            dx: None,
            dy: None,
            mode: DragMode::Auto,
            intent: String::new(),
        }
    }

    /// Drags that element onto another.
    #[must_use]
    pub fn onto(target: impl Into<Target>, to: impl Into<RefText>) -> Self {
        Self { to: Some(to.into()), ..Self::new(target.into()) }
    }

    /// Drags that element to a point of the view.
    #[must_use]
    pub fn to_point(target: impl Into<Target>, x: f64, y: f64) -> Self {
        Self { to_x: Some(x), to_y: Some(y), ..Self::new(target.into()) }
    }

    /// Drags that element so far to the right and down.
    #[must_use]
    pub fn by(target: impl Into<Target>, dx: f64, dy: f64) -> Self {
        Self { dx: Some(dx), dy: Some(dy), ..Self::new(target.into()) }
    }
}
setters!(Drag { mode: DragMode });

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::catalogue::Catalogue;

    fn read(params: serde_json::Value) -> Result<serde_json::Value, Vec<String>> {
        let serde_json::Value::Object(params) = params else { return Err(Vec::new()) };
        let read = Catalogue::built_in().action("drag", params);
        read.map(|action| action.to_json()).map_err(|faults| faults.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn where_it_goes_is_said_in_one_way() {
        assert_eq!(
            read(json!({"ref": "B1", "to": [10, 20]})).unwrap(),
            json!({"type": "drag", "ref": "B1", "to_x": 10.0, "to_y": 20.0})
        );
        assert_eq!(read(json!({"ref": "B1", "to": {"ref": "B2"}})).unwrap()["to"], "B2");
        assert_eq!(read(json!({"x": 1, "y": 2, "dx": 5})).unwrap()["dx"], 5.0);
        for (params, says) in [
            (json!({"ref": "B1"}), "to: is missing"),
            (json!({"ref": "B1", "to_x": 1}), "to_y"),
            (json!({"ref": "B1", "dx": 0}), "dx"),
            (json!({"ref": "B1", "to": "B2", "dx": 5}), "say it once"),
            (json!({"to": "B2"}), "ref"),
        ] {
            let faults = read(params.clone()).unwrap_err();
            assert!(faults.iter().any(|fault| fault.contains(says)), "{params}: {faults:?}");
        }
    }
}
