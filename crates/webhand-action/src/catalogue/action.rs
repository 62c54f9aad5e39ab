//! [`Action`]: any action as one value, and its JSON form.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::{Map, Value};

use super::{
    ActionType, AskHuman, Back, Catalogue, Check, Click, Dialog, Done, Download, Drag, Evaluate, Expand, Extract, File,
    Fill, FillForm, Find, Focus, Forward, Hover, Navigate, OneTimeCode, Options, Pdf, Press, Read, Reload, Remember,
    Screenshot, Scroll, Search, Select, SolveCaptcha, Tab, Target, Type, Upload, Viewport, Wait, spec::ActionSpec,
};

/// An action that a user registered: its name and parameters, checked against its own type.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CustomAction {
    /// The name it was registered under.
    pub name: String,
    /// Its parameters.
    pub params: Map<String, Value>,
    /// Why this step.
    pub intent: String,
}

impl CustomAction {
    /// The action of that name and these parameters.
    #[must_use]
    pub fn new(name: impl Into<String>, params: Map<String, Value>) -> Self {
        let intent = params.get("intent").and_then(Value::as_str).unwrap_or_default().to_owned();
        Self { name: name.into(), params, intent }
    }
}

/// How an action names its element.
trait Targeted {
    fn target(&self) -> Option<&Target>;
}

impl Targeted for Target {
    fn target(&self) -> Option<&Target> {
        Some(self)
    }
}

impl Targeted for Option<Target> {
    fn target(&self) -> Option<&Target> {
        self.as_ref()
    }
}

macro_rules! actions {
    ($($name:ident $(: $target:ident)?),+ $(,)?) => {
        /// One action of the catalogue.
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum Action {
            $(
                #[doc = concat!("See [`", stringify!($name), "`].")]
                $name($name),
            )+
            /// An action that a user registered.
            Custom(CustomAction),
        }

        $(
            impl From<$name> for Action {
                fn from(action: $name) -> Self {
                    Action::$name(action)
                }
            }
        )+

        impl Action {
            /// Its name in the catalogue.
            #[must_use]
            pub fn name(&self) -> &str {
                match self {
                    $(Action::$name(_) => $name::NAME,)+
                    Action::Custom(custom) => &custom.name,
                }
            }

            /// Why this step, as the model or the caller put it; may be empty.
            #[must_use]
            pub fn intent(&self) -> &str {
                match self {
                    $(Action::$name(action) => &action.intent,)+
                    Action::Custom(custom) => &custom.intent,
                }
            }

            /// The element that it names, where it names one.
            #[must_use]
            pub fn target(&self) -> Option<&Target> {
                match self {
                    $($(Action::$name(action) => Targeted::target(&action.$target),)?)+
                    _ => None,
                }
            }

            /// All its parameters, those at their defaults and absent ones (as null) too.
            #[must_use]
            pub fn params(&self) -> Map<String, Value> {
                let value = match self {
                    $(Action::$name(action) => serde_json::to_value(action),)+
                    Action::Custom(custom) => return custom.params.clone(),
                };
                match value {
                    Ok(Value::Object(params)) => params,
                    _ => Map::new(),
                }
            }
        }

        /// The entries of all actions that the engine performs, in the order in which a model reads them.
        pub(super) fn built_in() -> Vec<ActionSpec> {
            vec![$(ActionSpec::built_in::<$name>()),+]
        }
    };
}

actions!(
    Click: target,
    Fill: target,
    FillForm,
    Select: target,
    Options: target,
    Check: target,
    Drag: target,
    Upload: target,
    Download: target,
    Hover: target,
    Focus: target,
    Press: target,
    Type,
    Scroll: target,
    Navigate,
    Search,
    Back,
    Forward,
    Reload,
    Tab,
    Wait,
    Dialog,
    Read: target,
    Expand: target,
    Find,
    Extract: target,
    Screenshot: target,
    Pdf,
    File,
    AskHuman,
    SolveCaptcha,
    OneTimeCode,
    Viewport,
    Evaluate: target,
    Remember,
    Done,
);

impl From<CustomAction> for Action {
    fn from(action: CustomAction) -> Self {
        Action::Custom(action)
    }
}

impl Action {
    /// The action as JSON in the `union` form, without parameters that are absent or at their defaults.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut whole = Map::new();
        whole.insert("type".to_owned(), self.name().into());
        let catalogue = Catalogue::shared();
        let spec = catalogue.get(self.name());
        for (name, value) in self.params() {
            let default = spec.and_then(|spec| spec.param(&name)).and_then(|param| param.default.as_ref());
            if !value.is_null() && !default.is_some_and(|default| same(default, &value)) {
                whole.insert(name, value);
            }
        }
        Value::Object(whole)
    }
}

/// Equal as JSON, a whole float and an integer alike.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.as_f64() == right.as_f64(),
        _ => left == right,
    }
}

impl Serialize for Action {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_json().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Action {
    /// Reads the `union` form; a name that the engine does not have is taken for a registered action.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut params = Map::deserialize(deserializer)?;
        let Some(Value::String(name)) = params.remove("type") else {
            return Err(D::Error::custom("an action needs a type"));
        };
        let Some(spec) = Catalogue::shared().get(&name) else {
            return Ok(Action::Custom(CustomAction::new(name, params)));
        };
        crate::validate::action(spec, params).map_err(|faults| {
            let texts: Vec<String> = faults.iter().map(ToString::to_string).collect();
            D::Error::custom(format!("{name}: {}", texts.join("; ")))
        })
    }
}
