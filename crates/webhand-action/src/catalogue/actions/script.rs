//! What scripts use, and models are offered only where it is allowed: code in the page, and the size of its view.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{choice, setters};
use crate::{
    catalogue::{ActionFamily, ActionType, Alias, Risk, Target},
    validate::ParamFault,
};

/// Runs JavaScript in the page, and tells as JSON what it gives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Evaluate {
    /// The element that a function is called with.
    #[serde(default, flatten)]
    pub target: Option<Target>,
    /// An expression; a function is called (with the element of ref), a promise is waited for.
    #[schemars(length(min = 1), extend("x-tell" = "an expression; a function is called with the element of ref"))]
    pub code: String,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for Evaluate {
    const NAME: &'static str = "evaluate";
    const ALIASES: &'static [Alias] = &[
        Alias::of("execute_javascript"),
        Alias::of("run_javascript"),
        Alias::of("execute_js"),
        Alias::of("execute_script"),
        Alias::of("eval"),
    ];
    const PARAM_ALIASES: &'static [(&'static str, &'static str)] =
        &[("script", "code"), ("expression", "code"), ("javascript", "code"), ("function", "code"), ("js", "code")];
    const FAMILY: ActionFamily = ActionFamily::Tool;
    const RISK: Risk = Risk::Script;

    fn check(&self) -> Vec<ParamFault> {
        let empty = self.code.trim().is_empty();
        empty.then(|| ParamFault::bad("code", "is empty")).into_iter().collect()
    }
}

impl Evaluate {
    /// Runs that in the page.
    #[must_use]
    pub fn code(code: impl Into<String>) -> Self {
        Self { target: None, code: code.into(), intent: String::new() }
    }

    /// The same with an element that a function is called with.
    #[must_use]
    pub fn on(mut self, target: impl Into<Target>) -> Self {
        self.target = Some(target.into());
        self
    }
}
setters!(Evaluate {});

choice!(
    /// A size that screens have.
    Device {
        /// A small phone.
        SmallPhone = "small_phone",
        /// A phone.
        Phone = "phone",
        /// A tablet, upright.
        Tablet = "tablet",
        /// A laptop.
        Laptop = "laptop",
        /// A screen on a desk.
        Desktop = "desktop",
    }
);

impl Device {
    /// Width and height, and how many pixels of the screen one of them takes.
    #[must_use]
    pub fn size(self) -> (u32, u32, f64) {
        match self {
            Device::SmallPhone => (360, 640, 3.0),
            Device::Phone => (390, 844, 3.0),
            Device::Tablet => (820, 1180, 2.0),
            Device::Laptop => (1366, 768, 1.0),
            Device::Desktop => (1920, 1080, 1.0),
        }
    }
}

/// Sets the size of the view of the current tab.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Viewport {
    /// Its width.
    #[serde(default)]
    #[schemars(range(min = 50, max = 10_000))]
    pub width: Option<u32>,
    /// Its height.
    #[serde(default)]
    #[schemars(range(min = 50, max = 10_000))]
    pub height: Option<u32>,
    /// How many pixels of the screen one of it takes; as it is where nothing is said.
    #[serde(default)]
    #[schemars(range(min = 0.1, max = 10.0), extend("x-untold" = true))]
    pub scale: Option<f64>,
    /// A size that screens have, instead of width and height.
    #[serde(default)]
    #[schemars(extend("x-untold" = true))]
    pub device: Option<Device>,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for Viewport {
    const NAME: &'static str = "viewport";
    const ALIASES: &'static [Alias] = &[
        Alias::of("set_viewport"),
        Alias::of("set_viewport_size"),
        Alias::of("resize"),
        Alias::of("resize_page"),
        Alias::of("resize_window"),
    ];
    const PARAM_ALIASES: &'static [(&'static str, &'static str)] =
        &[("device_scale_factor", "scale"), ("deviceScaleFactor", "scale"), ("dpr", "scale")];
    const FAMILY: ActionFamily = ActionFamily::Browser;
    const RISK: Risk = Risk::Read;

    fn check(&self) -> Vec<ParamFault> {
        match (self.width, self.height, self.device) {
            (Some(_), None, None) => vec![ParamFault::missing("height", "its height")],
            (None, Some(_), None) => vec![ParamFault::missing("width", "its width")],
            (None, None, None) => vec![ParamFault::missing("width", "width and height, or a device")],
            _ => Vec::new(),
        }
    }
}

impl Viewport {
    /// A view of that width and height.
    #[must_use]
    pub fn of(width: u32, height: u32) -> Self {
        Self { width: Some(width), height: Some(height), ..Self::default() }
    }

    /// A view of the size that such screens have.
    #[must_use]
    pub fn like(device: Device) -> Self {
        Self { device: Some(device), ..Self::default() }
    }

    /// Width, height and scale, as they are wanted; what is given goes before what the device has.
    #[must_use]
    pub fn wanted(&self) -> (u32, u32, Option<f64>) {
        let device = self.device.map(Device::size);
        let (width, height) = device.map_or((0, 0), |(width, height, _)| (width, height));
        let scale = self.scale.or(device.map(|(.., scale)| scale));
        (self.width.unwrap_or(width), self.height.unwrap_or(height), scale)
    }
}
setters!(Viewport { scale: Option<f64> });
