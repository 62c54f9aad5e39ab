//! In which form a model takes a schema, and what was learnt about that. Knows no provider's JSON.

use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError},
};

use serde::{Deserialize, Serialize};

/// A form in which an answer can be asked for. Where one is refused, the next lower one is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Rung {
    /// One native tool an action.
    Tools,
    /// One native tool that must be called, with the whole answer as its arguments.
    Tool,
    /// A JSON Schema that the provider holds the answer to.
    Schema,
    /// JSON of any form; the schema stands in the words.
    Object,
    /// Text; the schema stands in the words.
    Words,
}

/// What was learnt about one model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Lesson {
    /// The form that is taken for a step's actions, where not the surest one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actions: Option<Rung>,
    /// The form that is taken for other data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Rung>,
    /// It takes no temperature.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_temperature: bool,
    /// It wants the other name for the greatest length of an answer.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub other_limit: bool,
    /// It takes no pictures.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_images: bool,
}

/// What was learnt about models: shared by all that hold it, and a plain value for a face that keeps it in a file.
///
/// ```
/// use webhand_models::{Learnt, Rung};
/// let learnt = Learnt::from_json(r#"{"ollama/qwen3@http://127.0.0.1:11434/": {"actions": "words"}}"#)?;
/// assert_eq!(learnt.lessons().values().next().unwrap().actions, Some(Rung::Words));
/// assert!(learnt.to_json().contains("qwen3"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Learnt(Arc<Mutex<BTreeMap<String, Lesson>>>);

static HERE: LazyLock<Learnt> = LazyLock::new(Learnt::default);

/// So many models are remembered at most.
const MOST: usize = 1_000;

impl Learnt {
    /// What this process has learnt: where nothing else is said, models share it.
    #[must_use]
    pub fn here() -> Self {
        HERE.clone()
    }

    /// Reads what [`to_json`](Self::to_json) wrote.
    ///
    /// # Errors
    /// When it is something else.
    pub fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        Ok(Self(Arc::new(Mutex::new(serde_json::from_str(text)?))))
    }

    /// All of it, as JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(&*self.lock()).unwrap_or_default()
    }

    /// All of it, by model and address.
    #[must_use]
    pub fn lessons(&self) -> BTreeMap<String, Lesson> {
        self.lock().clone()
    }

    pub(crate) fn of(&self, model: &str) -> Lesson {
        self.lock().get(model).cloned().unwrap_or_default()
    }

    pub(crate) fn learn(&self, model: &str, lesson: impl FnOnce(&mut Lesson)) {
        let mut lessons = self.lock();
        if lessons.len() >= MOST && !lessons.contains_key(model) {
            lessons.clear();
        }
        lesson(lessons.entry(model.to_owned()).or_default());
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Lesson>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
