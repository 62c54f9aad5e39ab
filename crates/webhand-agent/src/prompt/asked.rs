//! In what form an answer is asked for.

use std::sync::Arc;

use serde_json::Value;
use webhand_action::{
    catalogue::Catalogue,
    schema::{SchemaOptions, Shape},
};

/// In what form an answer is asked for.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum Asked {
    /// Words, in no form.
    #[default]
    Words,
    /// The actions of a step.
    Actions(ActionSchema),
    /// An object of this JSON Schema.
    Data {
        /// What the object is, in one word: `verdict`.
        name: &'static str,
        /// The schema, within what strict modes accept.
        schema: Arc<Value>,
    },
}

impl Asked {
    /// The JSON Schema in that shape; none for words. Data has one shape only.
    #[must_use]
    pub fn schema(&self, shape: Shape) -> Option<Value> {
        match self {
            Asked::Words => None,
            Asked::Actions(actions) => Some(actions.schema(shape)),
            Asked::Data { schema, .. } => Some(schema.as_ref().clone()),
        }
    }

    /// What the answer is, in one word.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Asked::Words => "answer",
            Asked::Actions(_) => "step",
            Asked::Data { name, .. } => name,
        }
    }
}

/// The actions that an answer may be made of: one catalogue in every shape that models take.
#[derive(Clone, Debug)]
pub struct ActionSchema {
    catalogue: Arc<Catalogue>,
    options: SchemaOptions,
}

impl ActionSchema {
    /// Actions of that catalogue.
    #[must_use]
    pub fn new(catalogue: Arc<Catalogue>, options: SchemaOptions) -> Self {
        Self { catalogue, options }
    }

    /// The JSON Schema in that shape: for [`Shape::Tools`] a list of tools, else one object.
    #[must_use]
    pub fn schema(&self, shape: Shape) -> Value {
        let mut options = self.options.clone();
        options.shape = shape;
        self.catalogue.schema(&options)
    }
}
