//! Actions of a user's own: a struct, and a function that does what it says.

use std::{fmt, future::Future, sync::Arc};

use futures_util::future::BoxFuture;
use serde_json::{Map, Value};

use super::{ActionType, Risk, spec::own_params};

/// What a handler may know about where it runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ActionContext {
    /// The address of the current page.
    pub url: String,
    /// The id of the current tab, such as `t1`.
    pub tab: String,
}

impl ActionContext {
    /// The context of a page at that address in that tab.
    #[must_use]
    pub fn new(url: impl Into<String>, tab: impl Into<String>) -> Self {
        Self { url: url.into(), tab: tab.into() }
    }
}

/// Why a user's handler did not do what was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct CustomError {
    /// What went wrong: the model reads it.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl CustomError {
    /// An error with that message.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None }
    }

    /// The same with a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// A tool that is known by a description and a schema.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Tool {
    /// Its name: small letters, digits and underscores.
    pub name: String,
    /// What it does, in a sentence: the model reads it.
    pub doc: String,
    /// The JSON Schema of its parameters, an object.
    pub schema: Value,
    /// What it may do to the world. [`Risk::Commit`] unless said otherwise.
    pub risk: Risk,
}

impl Tool {
    /// A tool of that name, description and schema.
    #[must_use]
    pub fn new(name: impl Into<String>, doc: impl Into<String>, schema: Value) -> Self {
        Self { name: name.into(), doc: doc.into(), schema, risk: Risk::Commit }
    }

    /// The same with another risk.
    #[must_use]
    pub fn risk(mut self, risk: Risk) -> Self {
        self.risk = risk;
        self
    }
}

/// Does what an action of the user's own says. Every async function of the action and the context is one.
pub trait Handler<T>: Send + Sync + 'static {
    /// Does it.
    fn call(&self, action: T, context: ActionContext) -> BoxFuture<'static, Result<Value, CustomError>>;
}

impl<T, F, Fut> Handler<T> for F
where
    F: Fn(T, ActionContext) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Value, CustomError>> + Send + 'static,
{
    fn call(&self, action: T, context: ActionContext) -> BoxFuture<'static, Result<Value, CustomError>> {
        Box::pin(self(action, context))
    }
}

type Run = dyn Fn(Map<String, Value>, ActionContext) -> BoxFuture<'static, Result<Value, CustomError>> + Send + Sync;

/// A handler with its type erased.
#[derive(Clone)]
pub(super) struct ErasedHandler(Arc<Run>);

impl fmt::Debug for ErasedHandler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ErasedHandler")
    }
}

impl ErasedHandler {
    pub(super) fn of<T: ActionType>(handler: impl Handler<T>) -> Self {
        Self(Arc::new(move |params, context| {
            match serde_json::from_value::<T>(Value::Object(own_params::<T>(params))) {
                Ok(action) => handler.call(action, context),
                Err(error) => Box::pin(std::future::ready(Err(CustomError::new(error.to_string())))),
            }
        }))
    }

    /// A handler that takes the parameters as they are.
    pub(super) fn raw(handler: impl Handler<Map<String, Value>>) -> Self {
        Self(Arc::new(move |params, context| handler.call(params, context)))
    }

    pub(super) fn call(
        &self,
        params: Map<String, Value>,
        context: ActionContext,
    ) -> BoxFuture<'static, Result<Value, CustomError>> {
        (self.0)(params, context)
    }
}
