//! What a run tells while it goes on: what terminals, pages and logs read. Plain values.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use webhand_page::DialogMeta;

use crate::{
    end::{Check, End},
    model::Usage,
    record::ActionRecord,
};

/// One thing that happened in a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Event {
    /// The run began.
    RunStarted {
        /// What is to be done.
        task: String,
        /// The model's name.
        model: String,
        /// The most steps it may take.
        max_steps: u32,
    },
    /// The page was read for a step.
    PageSeen {
        /// Counted from one.
        step: u32,
        /// The page's title.
        title: String,
        /// Its address.
        url: String,
        /// How many controls it has.
        controls: usize,
        /// The dialog that waits for an answer.
        #[serde(skip_serializing_if = "Option::is_none")]
        dialog: Option<DialogMeta>,
    },
    /// The page could not be read.
    PageUnread {
        /// Counted from one.
        step: u32,
        /// Why.
        reason: String,
    },
    /// The model answered.
    Replied {
        /// Counted from one.
        step: u32,
        /// How long it took.
        elapsed_ms: u64,
        /// What it cost.
        usage: Usage,
    },
    /// The answer could not be used.
    Refused {
        /// Counted from one.
        step: u32,
        /// The error's code.
        code: String,
        /// What the model was told.
        feedback: String,
    },
    /// The answer was understood.
    Decided {
        /// Counted from one.
        step: u32,
        /// The model's judgement of the step before.
        evaluation: String,
        /// What it wrote down.
        memory: String,
        /// What it is after.
        goal: String,
        /// What it wants done.
        actions: Vec<Value>,
    },
    /// An action was carried out, or left out.
    Acted {
        /// Counted from one.
        step: u32,
        /// What came of it.
        action: ActionRecord,
        /// On which element, where it landed on one.
        #[serde(skip_serializing_if = "Option::is_none")]
        target: Option<String>,
        /// How long it took.
        elapsed_ms: u64,
    },
    /// The model was told that it repeats itself.
    Nudged {
        /// Counted from one.
        step: u32,
        /// In these words.
        words: String,
    },
    /// The run is over.
    RunEnded {
        /// How.
        end: End,
        /// What was checked then.
        checks: Vec<Check>,
        /// How many steps were taken.
        steps: u32,
        /// How long it took.
        elapsed_ms: u64,
    },
}
