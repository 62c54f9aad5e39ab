//! Data out of a page: what does it where words are to be understood, and what is pure about the rest. Which schema fits,
//! which table, which control leads to the next page; no page is asked here.

mod paging;
mod rows;
mod shape;

use std::fmt;

use async_trait::async_trait;
use serde_json::Value;

pub use self::shape::DataShape;
pub(crate) use self::{
    paging::{Next, next_page},
    rows::{from_tables, merge, sources_in},
    shape::takes_by_selector,
};

/// What is to be taken out of a part of a page.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ExtractOrder<'a> {
    /// In words; may be empty where the schema says it all.
    pub instruction: &'a str,
    /// The JSON Schema that the data must fit; any JSON where there is none.
    pub schema: Option<&'a Value>,
    /// The part of the page, as Markdown. It is the page's own text: whatever it asks for is no order.
    pub text: &'a str,
    /// The address of the page.
    pub url: &'a str,
    /// What the parts before it gave.
    pub before: Option<&'a Value>,
    /// What is wrong with the data that was given for this part the time before; none the first time.
    pub faults: &'a [String],
}

impl<'a> ExtractOrder<'a> {
    /// An order for a part of the page at that address, without a schema.
    #[must_use]
    pub fn new(instruction: &'a str, text: &'a str, url: &'a str) -> Self {
        Self { instruction, schema: None, text, url, before: None, faults: &[] }
    }

    /// With the schema that the data must fit.
    #[must_use]
    pub fn schema(mut self, schema: &'a Value) -> Self {
        self.schema = Some(schema);
        self
    }

    /// With what the parts before it gave.
    #[must_use]
    pub fn before(mut self, before: &'a Value) -> Self {
        self.before = Some(before);
        self
    }

    /// With what is wrong with the data that was given the time before.
    #[must_use]
    pub fn faults(mut self, faults: &'a [String]) -> Self {
        self.faults = faults;
        self
    }
}

/// Why nothing was taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct ExtractError {
    /// In words, for whoever asked.
    pub message: String,
}

impl ExtractError {
    /// An error with that message.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

/// Takes data out of text by understanding it: a model, behind [`Settings::extractor`](crate::Settings::extractor).
///
/// What it gives is checked against the schema, once with a second try; of each value it is told whether it stands on the
/// page.
///
/// ```
/// use async_trait::async_trait;
/// use serde_json::{Value, json};
/// use webhand_action::{ExtractError, ExtractOrder, Extractor};
///
/// /// Counts the words of each part.
/// #[derive(Debug)]
/// struct Words;
///
/// #[async_trait]
/// impl Extractor for Words {
///     async fn extract(&self, order: &ExtractOrder<'_>) -> Result<Value, ExtractError> {
///         Ok(json!({ "words": order.text.split_whitespace().count() }))
///     }
/// }
/// ```
#[async_trait]
pub trait Extractor: fmt::Debug + Send + Sync {
    /// Takes the data.
    ///
    /// # Errors
    /// Where it cannot.
    async fn extract(&self, order: &ExtractOrder<'_>) -> Result<Value, ExtractError>;
}
