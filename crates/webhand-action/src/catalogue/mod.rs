//! The catalogue: every action, declared once, as a struct with its facts beside it.
//!
//! From here come the model's schema, the decoding and validation of its replies, and the command line's verbs. Pure:
//! it knows what may be asked, not how it is done.

mod action;
mod actions;
mod custom;
mod facts;
pub(crate) mod params;
mod spec;
mod target;

use std::{collections::HashMap, sync::OnceLock};

use serde_json::{Map, Value};
use webhand_guard::Pattern;

pub use self::{
    action::{Action, CustomAction},
    actions::{
        AskHuman, Back, Check, Click, CodeKind, Device, Dialog, Done, Download, Drag, DragMode, Evaluate, Expand,
        Extract, FieldValue, File, FileOp, Fill, FillForm, FillTier, Find, Focus, FormField, Forward, Hover, Modifier,
        MouseButton, Navigate, OneTimeCode, OpenedTab, Options, Paper, Pdf, Press, Read, ReadFormat, Reload, Remember,
        Screenshot, Scroll, ScrollTo, ScrollUnit, Search, Select, SelectMode, SolveCaptcha, Tab, TabOp, Type, Upload,
        Viewport, Wait, WaitFor,
    },
    custom::{ActionContext, CustomError, Handler, Tool},
    facts::{ActionFamily, ActionType, Alias, Preset, Risk},
    params::{ParamKind, ParamSpec},
    spec::ActionSpec,
    target::Target,
};
use crate::validate::Fault;

/// All actions that may be asked for.
#[derive(Clone, Debug)]
pub struct Catalogue {
    specs: Vec<ActionSpec>,
    /// Index by name and alias, without case and separators.
    names: HashMap<String, (usize, Option<&'static Alias>)>,
    handlers: HashMap<String, custom::ErasedHandler>,
}

impl Default for Catalogue {
    fn default() -> Self {
        Self::built_in()
    }
}

/// Why an action of the user's own cannot be registered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegisterError {
    /// The name is not of small letters, digits and underscores.
    #[error("{0:?} is not a name for an action: use small letters, digits and underscores")]
    BadName(String),
    /// Another action has that name or alias.
    #[error("{0:?} is taken by the action {1}")]
    Taken(String, String),
    /// The parameters refer to themselves, which no model's schema can say.
    #[error("the parameters of {0} refer to themselves")]
    Recursive(String),
}

impl RegisterError {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            RegisterError::BadName(_) => "bad_name",
            RegisterError::Taken(..) => "name_taken",
            RegisterError::Recursive(_) => "recursive_schema",
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            RegisterError::BadName(_) => "choose a name such as send_alert".to_owned(),
            RegisterError::Taken(..) => "choose another name, or take that action out with `without`".to_owned(),
            RegisterError::Recursive(_) => "flatten the type".to_owned(),
        })
    }
}

impl Catalogue {
    /// The actions that the engine performs itself.
    #[must_use]
    pub fn built_in() -> Self {
        let mut catalogue = Self { specs: Vec::new(), names: HashMap::new(), handlers: HashMap::new() };
        for spec in action::built_in() {
            catalogue.add(spec);
        }
        catalogue
    }

    /// The engine's own actions, made once.
    pub(crate) fn shared() -> &'static Self {
        static SHARED: OnceLock<Catalogue> = OnceLock::new();
        SHARED.get_or_init(Self::built_in)
    }

    /// Adds an action of the user's own: offered to models, checked and reported like any other.
    ///
    /// # Errors
    /// When the name is not one or is taken, or when the type refers to itself.
    pub fn register<T: ActionType>(&mut self, handler: impl Handler<T>) -> Result<(), RegisterError> {
        let name = T::NAME;
        self.free(std::iter::once(name).chain(T::ALIASES.iter().map(|alias| alias.name)))?;
        let spec = ActionSpec::custom::<T>();
        if spec.params.iter().any(|param| mentions_itself(&param.schema)) {
            return Err(RegisterError::Recursive(name.to_owned()));
        }
        self.handlers.insert(name.to_owned(), custom::ErasedHandler::of::<T>(handler));
        self.add(spec);
        Ok(())
    }

    /// Adds a tool that is known by a description and a JSON Schema of its parameters (an object), as files of settings and
    /// MCP servers describe theirs. Its parameters are checked by kind, choices and bounds; the rest is the tool's own to
    /// check.
    ///
    /// ```
    /// use serde_json::{Map, Value, json};
    /// use webhand_action::catalogue::{ActionContext, Catalogue, CustomError, Risk, Tool};
    ///
    /// let schema = json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]});
    /// let tool = Tool::new("shout", "Says it aloud.", schema).risk(Risk::Read);
    /// let shout = |params: Map<String, Value>, _: ActionContext| async move {
    ///     Ok::<_, CustomError>(json!(params["text"].as_str().unwrap_or_default().to_uppercase()))
    /// };
    /// let mut catalogue = Catalogue::built_in();
    /// catalogue.register_tool(tool, shout)?;
    /// assert!(catalogue.action("shout", Map::new()).is_err(), "text is missing");
    /// # Ok::<(), webhand_action::catalogue::RegisterError>(())
    /// ```
    ///
    /// # Errors
    /// When the name is not one or is taken, or when the schema refers to itself.
    pub fn register_tool(
        &mut self,
        tool: Tool,
        handler: impl Handler<Map<String, Value>>,
    ) -> Result<(), RegisterError> {
        self.free([tool.name.as_str()])?;
        if mentions_itself(&tool.schema) {
            return Err(RegisterError::Recursive(tool.name));
        }
        let spec = ActionSpec::tool(tool.name.clone(), tool.doc, &tool.schema, tool.risk);
        self.handlers.insert(tool.name, custom::ErasedHandler::raw(handler));
        self.add(spec);
        Ok(())
    }

    /// The same catalogue with an action that is offered to models only at these addresses.
    #[must_use]
    pub fn only_at(mut self, name: &str, addresses: impl IntoIterator<Item = Pattern>) -> Self {
        if let Some(spec) = self.specs.iter_mut().find(|spec| spec.name == name) {
            spec.only_at.extend(addresses);
        }
        self
    }

    /// Whether these words are names, and free.
    fn free<'a>(&self, words: impl IntoIterator<Item = &'a str>) -> Result<(), RegisterError> {
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        for (place, word) in words.into_iter().enumerate() {
            // an alias may be written in any way
            let good = !word.is_empty() && word.len() <= 64 && word.bytes().all(allowed) && word != "act";
            if place == 0 && !good {
                return Err(RegisterError::BadName(word.to_owned()));
            }
            if let Some((index, _)) = self.names.get(&folded(word)) {
                return Err(RegisterError::Taken(word.to_owned(), self.specs[*index].name.to_string()));
            }
        }
        Ok(())
    }

    /// The same catalogue without these actions.
    #[must_use]
    pub fn without(self, names: &[&str]) -> Self {
        self.keep(|spec| !names.contains(&&*spec.name))
    }

    /// The same catalogue with only these actions.
    #[must_use]
    pub fn only(self, names: &[&str]) -> Self {
        self.keep(|spec| names.contains(&&*spec.name))
    }

    fn keep(self, keep: impl Fn(&ActionSpec) -> bool) -> Self {
        let mut kept = Self { specs: Vec::new(), names: HashMap::new(), handlers: self.handlers };
        for spec in self.specs {
            if keep(&spec) {
                kept.add(spec);
            } else {
                kept.handlers.remove(&*spec.name);
            }
        }
        kept
    }

    fn add(&mut self, spec: ActionSpec) {
        let index = self.specs.len();
        self.names.insert(folded(&spec.name), (index, None));
        for alias in spec.aliases {
            self.names.entry(folded(alias.name)).or_insert((index, Some(alias)));
        }
        self.specs.push(spec);
    }

    /// Its actions, in the order in which a model reads them.
    #[must_use]
    pub fn specs(&self) -> &[ActionSpec] {
        &self.specs
    }

    /// The action of exactly that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&ActionSpec> {
        self.specs.iter().find(|spec| spec.name == name)
    }

    /// The action that a reply means by that name: its own or an alias, whatever the case and separators.
    #[must_use]
    pub fn lookup(&self, name: &str) -> Option<(&ActionSpec, Option<&'static Alias>)> {
        let (index, alias) = self.names.get(&folded(name))?;
        Some((&self.specs[*index], *alias))
    }

    /// The action whose name or alias is nearest to that, at most two letters away.
    #[must_use]
    pub fn nearest(&self, name: &str) -> Option<&str> {
        if name.len() > LONGEST_NAME {
            return None;
        }
        let name = folded(name);
        let near = |known: &String| {
            let distance = strsim::osa_distance(known, &name);
            (distance <= 2 && distance < known.len().min(name.len())).then_some(distance)
        };
        let (index, _, _) = self
            .names
            .iter()
            .filter_map(|(known, (index, alias))| Some((*index, near(known)?, alias.is_some())))
            .min_by_key(|(index, distance, alias)| (*distance, *alias, *index))?;
        Some(&*self.specs[index].name)
    }

    /// The action of that name, its own or an alias, with these parameters, as a person or a program gives them: the
    /// checks that a model's reply goes through, but selectors are fine.
    ///
    /// ```
    /// use webhand_action::catalogue::Catalogue;
    /// let params = serde_json::from_str(r##"{"selector": "#save"}"##).unwrap();
    /// let action = Catalogue::built_in().action("double_click", params).unwrap();
    /// assert_eq!(action.to_json(), serde_json::json!({"type": "click", "selector": "#save", "count": 2}));
    /// ```
    ///
    /// # Errors
    /// All that is wrong with it, each with its place, such as `action.url`.
    pub fn action(&self, name: &str, mut params: Map<String, Value>) -> Result<Action, Vec<Fault>> {
        let Some((spec, alias)) = self.lookup(name) else {
            return Err(vec![crate::validate::unknown_action(self, name, "action")]);
        };
        for (implied, value) in alias.map(|alias| alias.set).unwrap_or_default() {
            params.entry(*implied).or_insert_with(|| (*value).into());
        }
        spec.reshape(&mut params);
        crate::validate::action(spec, params)
            .map_err(|faults| faults.into_iter().map(|fault| fault.at("action")).collect())
    }

    /// What is wrong with an action that a program made: the same checks that a model's reply goes through.
    #[must_use]
    pub fn check(&self, action: &Action) -> Vec<Fault> {
        let Some(spec) = self.get(action.name()) else {
            return vec![crate::validate::unknown_action(self, action.name(), "action")];
        };
        let mut params = action.params();
        params.retain(|_, value| !value.is_null());
        match crate::validate::action(spec, params) {
            Ok(_) => Vec::new(),
            Err(faults) => faults.into_iter().map(|fault| fault.at("action")).collect(),
        }
    }

    /// Runs an action of the user's own.
    ///
    /// # Errors
    /// When no such action is registered, or when its handler says so.
    pub async fn run_custom(&self, action: &CustomAction, context: ActionContext) -> Result<Value, CustomError> {
        let Some(handler) = self.handlers.get(action.name.as_str()) else {
            return Err(CustomError::new(format!("no action {:?} is registered", action.name)));
        };
        handler.call(action.params.clone(), context).await
    }
}

/// The longest name that is compared with those of the catalogue.
const LONGEST_NAME: usize = 80;

/// A name without case and separators.
fn folded(name: &str) -> String {
    name.chars().filter(|letter| !matches!(letter, '_' | '-' | ' ' | '.')).flat_map(char::to_lowercase).collect()
}

fn mentions_itself(schema: &Value) -> bool {
    match schema {
        Value::Object(fields) => fields.iter().any(|(key, value)| key == "$ref" || mentions_itself(value)),
        Value::Array(items) => items.iter().any(mentions_itself),
        _ => false,
    }
}
