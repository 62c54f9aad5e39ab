//! One entry of the catalogue: an action's facts and parameters, with its type erased.

use std::{borrow::Cow, fmt, sync::Arc};

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};
use webhand_guard::Pattern;

use super::{
    Action, ActionFamily, ActionType, Alias, CustomAction, Risk,
    params::{ParamKind, ParamSpec, params_of},
};
use crate::validate::ParamFault;

type Params = Map<String, Value>;
type Build = dyn Fn(Params) -> Result<Action, Vec<ParamFault>> + Send + Sync;

/// What the catalogue knows about one action.
#[derive(Clone)]
#[non_exhaustive]
pub struct ActionSpec {
    /// Its name.
    pub name: Cow<'static, str>,
    /// Other names for it.
    pub aliases: &'static [Alias],
    /// Other names for its parameters.
    pub param_aliases: &'static [(&'static str, &'static str)],
    /// What it needs.
    pub family: ActionFamily,
    /// What it may do to the world.
    pub risk: Risk,
    /// Whether it must name one element.
    pub needs_element: bool,
    /// Whether it may open a tab.
    pub may_open_tab: bool,
    /// Whether nothing may follow it in a reply.
    pub ends_reply: bool,
    /// Whether it was registered by a user.
    pub custom: bool,
    /// What it does, in a sentence.
    pub doc: String,
    /// Its parameters, the required ones first.
    pub params: Vec<ParamSpec>,
    /// The addresses at which it is offered; all where there are none.
    pub only_at: Vec<Pattern>,
    reshape: fn(&mut Params),
    build: Arc<Build>,
}

impl fmt::Debug for ActionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ActionSpec").field("name", &self.name).field("risk", &self.risk).finish_non_exhaustive()
    }
}

impl ActionSpec {
    /// The entry of an action that the engine performs.
    pub(super) fn built_in<T: ActionType + Into<Action>>() -> Self {
        Self::new::<T>(false, Arc::new(|params| checked::<T>(params).map(Into::into)))
    }

    /// The entry of an action that a user's handler performs.
    pub(super) fn custom<T: ActionType>() -> Self {
        let build = |params: Params| {
            checked::<T>(own_params::<T>(params.clone()))?;
            Ok(Action::Custom(CustomAction::new(T::NAME, params)))
        };
        Self::new::<T>(true, Arc::new(build))
    }

    fn new<T: ActionType>(custom: bool, build: Arc<Build>) -> Self {
        let schema = schema_of::<T>();
        let mut params = params_of(&schema);
        if !T::BY_POINT && !custom {
            params.retain(|param| param.name != "x" && param.name != "y");
        }
        if !params.iter().any(|param| param.name == "intent") {
            params.push(ParamSpec::intent());
        }
        let doc = schema.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
        Self {
            name: Cow::Borrowed(T::NAME),
            aliases: T::ALIASES,
            param_aliases: T::PARAM_ALIASES,
            family: T::FAMILY,
            risk: T::RISK,
            needs_element: T::NEEDS_ELEMENT,
            may_open_tab: T::MAY_OPEN_TAB,
            ends_reply: T::ENDS_REPLY,
            custom,
            doc,
            params,
            only_at: Vec::new(),
            reshape: T::reshape,
            build,
        }
    }

    /// The entry of a tool that is described by a schema only.
    pub(super) fn tool(name: String, doc: String, schema: &Value, risk: Risk) -> Self {
        let mut params = params_of(schema);
        if !params.iter().any(|param| param.name == "intent") {
            params.push(ParamSpec::intent());
        }
        let own = name.clone();
        Self {
            name: Cow::Owned(name),
            aliases: &[],
            param_aliases: &[],
            family: ActionFamily::Tool,
            risk,
            needs_element: false,
            may_open_tab: false,
            ends_reply: false,
            custom: true,
            doc,
            params,
            only_at: Vec::new(),
            reshape: |_| {},
            build: Arc::new(move |params| Ok(Action::Custom(CustomAction::new(own.clone(), params)))),
        }
    }

    /// Whether it is offered at that address.
    #[must_use]
    pub fn serves_at(&self, url: &str) -> bool {
        self.only_at.is_empty() || self.only_at.iter().any(|pattern| pattern.covers(url))
    }

    /// The parameter of that name.
    #[must_use]
    pub fn param(&self, name: &str) -> Option<&ParamSpec> {
        self.params.iter().find(|param| param.name == name)
    }

    /// Puts parameters as other engines write them into this action's form.
    pub(crate) fn reshape(&self, params: &mut Params) {
        (self.reshape)(params);
    }

    /// The action of these parameters, which are of the right types already.
    pub(crate) fn build(&self, params: Params) -> Result<Action, Vec<ParamFault>> {
        (self.build)(params)
    }
}

impl ParamSpec {
    fn intent() -> Self {
        Self {
            name: "intent".to_owned(),
            kind: ParamKind::Text,
            required: false,
            default: Some("".into()),
            choices: Vec::new(),
            min: None,
            max: None,
            doc: "Why this step.".to_owned(),
            script_only: false,
            untold: false,
            schema: serde_json::json!({"type": "string"}),
        }
    }
}

/// The parameters that the type itself declares: the reason is every action's, and a strict type may not know it.
pub(super) fn own_params<T: ActionType>(mut params: Params) -> Params {
    if schema_of::<T>().pointer("/properties/intent").is_none() {
        params.remove("intent");
    }
    params
}

fn checked<T: ActionType>(params: Params) -> Result<T, Vec<ParamFault>> {
    let typed: T =
        serde_json::from_value(Value::Object(params)).map_err(|error| vec![ParamFault::bad("", error.to_string())])?;
    let faults = typed.check();
    if faults.is_empty() { Ok(typed) } else { Err(faults) }
}

fn schema_of<T: ActionType>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    settings.into_generator().into_root_schema_for::<T>().to_value()
}
