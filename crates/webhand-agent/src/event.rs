//! What a run tells while it goes on: what terminals, pages and logs read. Plain values.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use webhand_page::DialogMeta;

use crate::{
    budget::Budget,
    control::Pace,
    end::{Check, End},
    model::Usage,
    prompt::Role,
    record::ActionRecord,
    verdict::{PlanNote, Verdict},
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
        /// What its journal calls it, where it has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
    },
    /// It goes on after its process had ended.
    TakenUp {
        /// The last step that is complete.
        step: u32,
        /// What was opened again, filled again, and what is in doubt.
        notes: Vec<String>,
    },
    /// A step began.
    StepStarted {
        /// Counted from one.
        step: u32,
    },
    /// A task that was to follow is the task now.
    TaskFollows {
        /// Counted from one.
        step: u32,
        /// What is to be done.
        task: String,
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
        /// It is not as it was in the step before.
        changed: bool,
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
    /// A model answered.
    Replied {
        /// Counted from one.
        step: u32,
        /// As what it was asked.
        role: Role,
        /// Which model.
        model: String,
        /// How long it took.
        elapsed_ms: u64,
        /// What it cost.
        usage: Usage,
        /// How many tokens the prompt was thought to have.
        estimated: u64,
    },
    /// A model gave no answer; it is asked once more, or another one is.
    ModelFault {
        /// Counted from one.
        step: u32,
        /// As what it was asked.
        role: Role,
        /// The error's code.
        code: String,
        /// What happened.
        reason: String,
    },
    /// The planner said where the run stands.
    Planned {
        /// Counted from one.
        step: u32,
        /// What it said.
        plan: PlanNote,
    },
    /// The judge said whether the claim stands that the task is done.
    Judged {
        /// Counted from one.
        step: u32,
        /// What it said.
        verdict: Verdict,
    },
    /// Older steps went out of the prompt.
    Trimmed {
        /// Counted from one.
        step: u32,
        /// How many.
        steps: usize,
        /// How many tokens the prompt has now.
        tokens: u64,
    },
    /// Most of a budget is spent.
    BudgetWarning {
        /// Counted from one.
        step: u32,
        /// Which one.
        budget: Budget,
        /// How much of it, such as `38 of 50 steps`.
        spent: String,
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
    /// An action is about to be carried out.
    Acting {
        /// Counted from one.
        step: u32,
        /// As the model wrote it.
        action: Value,
        /// Why, in the model's words.
        #[serde(skip_serializing_if = "String::is_empty")]
        intent: String,
    },
    /// A person is asked.
    HumanAsked {
        /// Counted from one.
        step: u32,
        /// What.
        question: String,
    },
    /// The run waits, or goes on.
    Pace {
        /// Counted from one.
        step: u32,
        /// As it is now.
        pace: Pace,
    },
    /// All that is needed to go on from here was written down.
    Checkpoint {
        /// Counted from one.
        step: u32,
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
        /// What is known of the answer though it did not come to its end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        partial: Option<String>,
        /// What all models cost.
        usage: Usage,
        /// How many steps were taken.
        steps: u32,
        /// How long it took.
        elapsed_ms: u64,
    },
}
