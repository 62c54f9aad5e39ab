//! What becomes of older steps when a prompt does not fit any more.

use std::{fmt::Debug, sync::Arc};

use async_trait::async_trait;
use webhand_guard::Fence;

use crate::{
    model::{Model, ModelError, Usage},
    prompt::{Asked, Prompt, Role, Words, entry_text},
    record::RecordEntry,
};

/// Steps that may go, oldest first, and how much must.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Older<'a> {
    /// What is to be done.
    pub task: &'a str,
    /// What was made of the steps before these, if anything was.
    pub summary: Option<&'a str>,
    /// The steps that may go. The last two of a run are never among them.
    pub steps: &'a [RecordEntry],
    /// How many tokens each of them is.
    pub tokens: &'a [u64],
    /// So many tokens must go at least, if there are so many.
    pub to_free: u64,
    /// The run's own model.
    pub model: &'a Arc<dyn Model>,
    /// What fences page text in this run.
    pub fence: &'a Fence,
}

impl Older<'_> {
    /// How many of the oldest steps free enough.
    #[must_use]
    pub fn enough(&self) -> usize {
        let mut freed = 0_u64;
        let tokens = self.tokens.iter().take_while(|tokens| {
            let before = freed;
            freed = freed.saturating_add(**tokens);
            before < self.to_free
        });
        tokens.count()
    }
}

/// What became of older steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Compacted {
    /// So many of the oldest go.
    pub gone: usize,
    /// What stands for all steps that are gone, those of earlier times too.
    pub summary: Option<String>,
    /// What that cost.
    pub usage: Usage,
}

impl Compacted {
    /// So many of the oldest go, and nothing stands for them.
    #[must_use]
    pub fn gone(gone: usize) -> Self {
        Self { gone, ..Self::default() }
    }

    /// With what stands for them.
    #[must_use]
    pub fn with_summary(mut self, summary: impl Into<String>) -> Self {
        self.summary = Some(summary.into());
        self
    }
}

/// Decides what becomes of older steps. [`KeepLast`] leaves them out, [`Summarise`] has a model write what came of them.
///
/// ```
/// use async_trait::async_trait;
/// use webhand_agent::{Compacted, Compaction, ModelError, Older};
///
/// /// Keeps the goals of what goes.
/// #[derive(Debug)]
/// struct Goals;
///
/// #[async_trait]
/// impl Compaction for Goals {
///     async fn compact(&self, older: &Older<'_>) -> Result<Compacted, ModelError> {
///         let gone = older.enough();
///         let goals: Vec<&str> = older.steps[..gone].iter().map(|step| step.goal.as_str()).collect();
///         let before = older.summary.unwrap_or_default();
///         Ok(Compacted::gone(gone).with_summary(format!("{before} {}", goals.join("; "))))
///     }
/// }
/// ```
#[async_trait]
pub trait Compaction: Send + Sync + Debug {
    /// Decides.
    ///
    /// # Errors
    /// When a model that was asked gave no answer: the steps are then left out.
    async fn compact(&self, older: &Older<'_>) -> Result<Compacted, ModelError>;
}

/// Leaves the oldest out. What must be known later is in the facts.
#[derive(Clone, Copy, Debug, Default)]
pub struct KeepLast;

#[async_trait]
impl Compaction for KeepLast {
    async fn compact(&self, older: &Older<'_>) -> Result<Compacted, ModelError> {
        let compacted = Compacted::gone(older.enough());
        Ok(match older.summary {
            Some(summary) => compacted.with_summary(summary),
            None => compacted,
        })
    }
}

/// Has a model write what came of the oldest: one call each time that it is needed. Without a model of its own the run's is
/// asked.
#[derive(Clone, Debug, Default)]
pub struct Summarise {
    model: Option<Arc<dyn Model>>,
}

impl Summarise {
    /// Asks the run's own model.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks that model.
    #[must_use]
    pub fn with(model: Arc<dyn Model>) -> Self {
        Self { model: Some(model) }
    }
}

/// A summary is at most so many characters; what a model writes beyond that is cut.
const LONGEST: usize = 4_000;

#[async_trait]
impl Compaction for Summarise {
    async fn compact(&self, older: &Older<'_>) -> Result<Compacted, ModelError> {
        let gone = older.enough();
        let mut state = String::new();
        if let Some(summary) = older.summary {
            state.push_str(&format!("What stood for the steps before these:\n{}\n", older.fence.inside(summary)));
        }
        state.push_str("The steps:\n");
        for step in older.steps.iter().take(gone) {
            state.push_str(&entry_text(step, false, older.fence));
        }
        let prompt = Prompt {
            role: Role::Summary,
            system: Words::of(Role::Summary, false).text(older.fence),
            task: older.task.to_owned(),
            state,
            asked: Asked::Words,
            fence: older.fence.clone(),
            ..Prompt::default()
        };
        let model = self.model.as_ref().unwrap_or(older.model);
        let reply = model.reply(&prompt).await?;
        let summary: String = reply.text.trim().chars().take(LONGEST).collect();
        if summary.is_empty() {
            return Err(ModelError::Garbled {
                name: model.name().to_owned(),
                reason: "the summary is empty".to_owned(),
            });
        }
        Ok(Compacted { gone, summary: Some(summary), usage: reply.usage })
    }
}
