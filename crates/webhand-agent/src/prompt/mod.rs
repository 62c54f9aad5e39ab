//! What a model is shown: a stable beginning, then what was done, and the present page last.
//!
//! Page text stands inside a fence that no page can forge. This module asks no model and reads no page.

mod asked;
mod render;
mod words;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use webhand_action::outcome::Outcome;
use webhand_guard::Fence;
use webhand_page::Snapshot;

pub(crate) use self::render::entry_text;
pub use self::{
    asked::{ActionSchema, Asked},
    words::{Words, system},
};
use crate::record::{Fact, RecordEntry};

/// What stands before the reason in the feedback on an answer that was not carried out.
pub(crate) const REFUSED: &str = "Your last answer was not carried out.\n";

/// As what a model is asked. One model may be asked as all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Role {
    /// Chooses the actions of a step.
    #[default]
    Navigator,
    /// Says where the run stands, what comes next and what to avoid.
    Planner,
    /// Checks the claim that the task is done.
    Judge,
    /// Takes data out of a page's text.
    Extractor,
    /// Makes older steps short.
    Summary,
}

impl Role {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Role::Navigator => "navigator",
            Role::Planner => "planner",
            Role::Judge => "judge",
            Role::Extractor => "extractor",
            Role::Summary => "summary",
        }
    }
}

/// A picture that goes with a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Image {
    /// Its kind, such as `image/jpeg`.
    pub mime: &'static str,
    /// The file.
    pub bytes: Arc<[u8]>,
    /// What it shows, in words.
    pub what: String,
}

impl Image {
    /// A JPEG picture.
    #[must_use]
    pub fn jpeg(bytes: impl Into<Arc<[u8]>>, what: impl Into<String>) -> Self {
        Self { mime: "image/jpeg", bytes: bytes.into(), what: what.into() }
    }
}

/// What a model is shown at one step, as values; [`text`](Self::text) has it as words.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Prompt {
    /// As what it is asked.
    pub role: Role,
    /// Who it is and how it answers. The same over a whole run.
    pub system: String,
    /// What is to be done. The same over a whole run, but for tasks that follow.
    pub task: String,
    /// What became of the steps that the record does not hold any more.
    pub earlier: Option<Earlier>,
    /// What was done so far, as far as there is room for it.
    pub record: Vec<RecordEntry>,
    /// What the model asked to be kept. Always whole.
    pub facts: Vec<Fact>,
    /// What the planner said last.
    pub plan: Option<String>,
    /// What the step is about, as text with page text fenced: the page, or what is to be judged.
    pub state: String,
    /// The page as a value, for models that take it so.
    pub snapshot: Arc<Snapshot>,
    /// Pictures of it, for models that see.
    pub images: Vec<Image>,
    /// In what form the answer is asked for.
    pub asked: Asked,
    /// Counted from one.
    pub step: u32,
    /// What came of the last reply's actions.
    pub last_results: Vec<Outcome>,
    /// What was wrong with the last reply, or what the run has to say to the model.
    pub feedback: Option<String>,
    /// What a person had to say since the last step.
    pub notes: Vec<String>,
    /// What fences page text in this run.
    pub fence: Fence,
}

/// Steps that the record of a prompt does not hold any more.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Earlier {
    /// How many they are, counted from the first.
    pub steps: u32,
    /// What a model made of them; none where they were only left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
}

impl Earlier {
    /// So many steps, with what was made of them.
    #[must_use]
    pub fn new(steps: u32, summary: Option<String>) -> Self {
        Self { steps, summary }
    }
}

impl Prompt {
    /// Why the last answer to this very page was not carried out, where that is so.
    pub(crate) fn refused(&self) -> Option<&str> {
        self.feedback.as_deref()?.strip_prefix(REFUSED)
    }
}
