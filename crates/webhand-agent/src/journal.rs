//! What is written down of a run so that it survives anything: what is to be done before it is done, what came of it after.
//!
//! A journal is a list of entries, only ever added to. From them a run can be taken up again after its process was killed, and
//! everything that its models saw and said can be shown. Where it is kept is behind the [`Journal`] trait.

use std::{fmt::Debug, sync::Arc};

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use webhand_action::SessionState;
use webhand_page::{Control as PageControl, Node, Ref, RefText, Snapshot};

use crate::{
    end::{Check, Condition, End},
    model::{ModelReply, Usage},
    prompt::Role,
    record::{ActionRecord, Fact, RecordEntry},
    verdict::Verdict,
};

/// One thing that was written down.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Entry {
    /// The run began.
    Began(Head),
    /// It was taken up again after its process had ended.
    Resumed {
        /// When, in milliseconds since 1970.
        at: u64,
    },
    /// A model is about to be asked.
    Asked {
        /// Counted from one.
        step: u32,
        /// As what.
        role: Role,
        /// Which model.
        model: String,
        /// The artefact that holds the prompt's text, exactly.
        prompt: String,
    },
    /// It answered.
    Replied {
        /// Counted from one.
        step: u32,
        /// As what it was asked.
        role: Role,
        /// Its answer, as it came.
        reply: ModelReply,
    },
    /// An action is about to be carried out.
    Intent {
        /// Counted from one.
        step: u32,
        /// Its place in the answer, from zero.
        index: usize,
        /// As the model wrote it.
        action: Value,
        /// The control it is for, as the page showed it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        control: Option<Control>,
        /// The page's address.
        url: String,
    },
    /// It was carried out.
    Outcome {
        /// Counted from one.
        step: u32,
        /// Its place in the answer, from zero.
        index: usize,
        /// What came of it.
        record: ActionRecord,
        /// The page was another document afterwards.
        left: bool,
        /// A dialog stood open afterwards: it is gone with its browser.
        #[serde(default)]
        held: bool,
        /// What the browser held then.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        state: Option<SessionState>,
    },
    /// A step is complete.
    Stepped(Box<Progress>),
    /// A task that followed became the task.
    Follows {
        /// What is to be done.
        task: String,
    },
    /// The run is over.
    Ended {
        /// How.
        end: End,
        /// What was checked.
        checks: Vec<Check>,
        /// What the judge said last.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        verdict: Option<Verdict>,
        /// What is known of the answer though the run did not come to its end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        partial: Option<String>,
        /// When, in milliseconds since 1970.
        at: u64,
    },
}

/// What a run began with.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Head {
    /// What is to be done.
    pub task: String,
    /// The schema of the data that is to come of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Value>,
    /// What must hold at the end.
    #[serde(default)]
    pub conditions: Vec<Condition>,
    /// The model.
    pub model: String,
    /// Which version of the words the model was told.
    pub words: u32,
    /// What fences page text in this run.
    pub fence: String,
    /// When it began, in milliseconds since 1970.
    pub at: u64,
    /// What whoever began it needs to take it up again.
    #[serde(default)]
    pub origin: Value,
}

/// A control as a page showed it: what it is found by in another document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Control {
    /// Its role.
    pub role: String,
    /// Its name.
    pub name: String,
    /// The how manieth of that role and name it was, from zero.
    pub nth: usize,
}

impl Control {
    /// The control that a ref names on that page.
    pub(crate) fn of(handle: RefText, page: &Snapshot) -> Option<Self> {
        let (node, control) = page.named(handle)?;
        let (role, name) = (node.role.as_str(), &*node.name);
        let nth = alike(page, role, name).take_while(|other| *other != control.r#ref).count();
        Some(Self { role: role.to_owned(), name: name.to_owned(), nth })
    }

    /// The ref that it has on that page.
    pub(crate) fn on(&self, page: &Snapshot) -> Option<Ref> {
        alike(page, &self.role, &self.name).nth(self.nth)
    }
}

/// The controls of that role and name, in order.
fn alike<'a>(page: &'a Snapshot, role: &'a str, name: &'a str) -> impl Iterator<Item = Ref> + 'a {
    let of_both = move |(node, _): &(&Node, &PageControl)| node.role.as_str() == role && *node.name == *name;
    page.controls().filter(of_both).map(|(_, control)| control.r#ref)
}

/// Where a run stands after a step.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Progress {
    /// The step.
    pub entry: RecordEntry,
    /// The page's address, as it was read for the step.
    pub url: String,
    /// The artefact that holds the page as text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub page: String,
    /// The artefact that holds a picture of the page after the step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
    /// Everything that is kept to the end.
    pub facts: Vec<Fact>,
    /// What the planner said last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// What all models cost so far.
    pub usage: Usage,
    /// Failed steps in a row.
    pub failures: u32,
    /// Claims that were refused.
    pub refusals: u32,
    /// What the next prompt has to say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
    /// How long the run has taken, without pauses, in milliseconds.
    pub elapsed_ms: u64,
    /// How long this step took.
    pub step_ms: u64,
}

/// Why something could not be written down, or read again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// It cannot be written or read.
    #[error("the journal {at} cannot be used: {reason}")]
    Unusable {
        /// Where it is.
        at: String,
        /// Why.
        reason: String,
    },
    /// There is no such run.
    #[error("there is no run {id}")]
    NoRun {
        /// Its name.
        id: String,
    },
    /// Another process has the run in hand.
    #[error("the run {id} is under way in the process {pid}")]
    UnderWay {
        /// Its name.
        id: String,
        /// The process.
        pid: u32,
    },
    /// The run is over: there is nothing to take up.
    #[error("the run {id} is over: {end}")]
    Over {
        /// Its name.
        id: String,
        /// How it ended.
        end: String,
    },
}

impl JournalError {
    /// The stable word for it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            JournalError::Unusable { .. } => "journal",
            JournalError::NoRun { .. } => "no_run",
            JournalError::UnderWay { .. } => "run_under_way",
            JournalError::Over { .. } => "run_over",
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            JournalError::Unusable { .. } => "check that its folder can be written, and is not full".to_owned(),
            JournalError::NoRun { .. } => "webhand runs lists those that there are".to_owned(),
            JournalError::UnderWay { .. } => "wait for it, or end that process".to_owned(),
            JournalError::Over { .. } => "begin another run with the same task".to_owned(),
        })
    }
}

/// Where the entries of one run go. What was written is there even if the process is killed the moment after.
#[async_trait]
pub trait Journal: Send + Sync + Debug {
    /// What the run is called.
    fn run(&self) -> &str;

    /// Adds an entry. It is safe once this comes back.
    ///
    /// # Errors
    /// When it cannot be written: what it announces must then not be done.
    async fn write(&self, entry: Entry) -> Result<(), JournalError>;

    /// Keeps bytes, once, and gives the name that their content has.
    ///
    /// # Errors
    /// When they cannot be written.
    async fn keep(&self, bytes: Vec<u8>) -> Result<String, JournalError>;
}

/// Where journals of new runs are begun.
#[async_trait]
pub trait Journals: Send + Sync + Debug {
    /// Begins the journal of a run, with that as its first entry.
    ///
    /// # Errors
    /// When it cannot be written.
    async fn begin(&self, head: Head) -> Result<Arc<dyn Journal>, JournalError>;
}
