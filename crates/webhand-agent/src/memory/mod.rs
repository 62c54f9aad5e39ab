//! What a run remembers: the record of its steps, the facts, the plan. How much of it a prompt holds is decided here.
//!
//! Trimmed is by rank: the oldest steps first; never the task, the facts, the last two steps or the present page. Each time
//! so much goes that there is room for many steps to come: between two trimmings the beginning of the prompt stays the same,
//! and providers find it in their caches.

mod compaction;
mod estimate;

use std::{sync::Arc, time::Duration};

use webhand_guard::Fence;

pub use self::compaction::{Compacted, Compaction, KeepLast, Older, Summarise};
pub(crate) use self::estimate::{bound, tokens};
use crate::{
    model::{Model, ModelError, Usage},
    prompt::{Earlier, Prompt, entry_text},
    record::{Fact, RecordEntry},
};

/// So many of the last steps are never trimmed.
const LAST: usize = 2;
/// To so many hundredths of the room a prompt is brought down where it does not fit.
const DOWN_TO: u64 = 70;
/// A fact is at most so many characters; what is longer is cut, and says so.
const FACT: usize = 2_000;
/// So many facts are kept; after that the oldest that no page said goes first.
const FACTS: usize = 100;
/// The shortest to which the text of one result of the last steps is cut where nothing else helps, in characters.
const SHORTEST: usize = 200;

/// What a run remembers.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// All steps, those of earlier times too.
    pub(crate) record: Vec<RecordEntry>,
    pub(crate) facts: Vec<Fact>,
    pub(crate) plan: Option<String>,
    /// So many of the oldest steps are in no prompt any more.
    trimmed: usize,
    summary: Option<String>,
}

/// What a trimming did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Trimmed {
    /// So many steps went.
    pub(crate) steps: usize,
    /// How many tokens the prompt has now.
    pub(crate) tokens: u64,
    /// What it cost.
    pub(crate) usage: Usage,
    /// Why no summary was made, where one was to be.
    pub(crate) fault: Option<ModelError>,
}

/// What decides about older steps.
pub(crate) struct Trimmer<'a> {
    pub(crate) compaction: &'a dyn Compaction,
    pub(crate) model: &'a Arc<dyn Model>,
    pub(crate) fence: &'a Fence,
    pub(crate) task: &'a str,
    /// So long a model may take with a summary.
    pub(crate) within: Duration,
}

impl Memory {
    /// Keeps a fact; one of the same name gives way.
    pub(crate) fn keep(&mut self, mut fact: Fact) {
        if fact.value.chars().count() > FACT {
            fact.value = fact.value.chars().take(FACT).collect::<String>() + " … (cut)";
        }
        self.facts.retain(|known| known.key != fact.key);
        self.facts.push(fact);
        if self.facts.len() > FACTS {
            let least = self.facts.iter().position(|fact| !fact.from_page).unwrap_or(0);
            self.facts.remove(least);
        }
    }

    /// Puts what is remembered into a prompt.
    pub(crate) fn fill(&self, prompt: &mut Prompt) {
        prompt.record = self.record.get(self.trimmed..).unwrap_or_default().to_vec();
        prompt.facts.clone_from(&self.facts);
        prompt.plan.clone_from(&self.plan);
        let steps = u32::try_from(self.trimmed).unwrap_or(u32::MAX);
        prompt.earlier = (steps > 0).then(|| Earlier::new(steps, self.summary.clone()));
    }

    /// Makes a prompt fit into that many tokens, if it does not. What cannot be trimmed stays.
    pub(crate) async fn fit(&mut self, prompt: &mut Prompt, room: u64, by: &Trimmer<'_>) -> Trimmed {
        let mut done = Trimmed { tokens: tokens(prompt, room), ..Trimmed::default() };
        if done.tokens <= room {
            return done;
        }
        let wanted = room.saturating_mul(DOWN_TO) / 100;
        let may_go = self.record.len().saturating_sub(self.trimmed).saturating_sub(LAST);
        if may_go > 0 {
            let steps = &self.record[self.trimmed..self.trimmed + may_go];
            let sizes: Vec<u64> = steps.iter().map(|step| bound(&entry_text(step, false, by.fence))).collect();
            let older = Older {
                task: by.task,
                summary: self.summary.as_deref(),
                steps,
                tokens: &sizes,
                to_free: done.tokens.saturating_sub(wanted),
                model: by.model,
                fence: by.fence,
            };
            let asked = tokio::time::timeout(by.within, by.compaction.compact(&older)).await;
            let compacted = asked.unwrap_or_else(|_| {
                let seconds = by.within.as_secs();
                Err(ModelError::Timeout { name: by.model.name().to_owned(), seconds })
            });
            let compacted = compacted.unwrap_or_else(|fault| {
                done.fault = Some(fault);
                let mut least = Compacted::gone(older.enough());
                least.summary = self.summary.clone();
                least
            });
            done.steps = compacted.gone.min(may_go);
            done.usage = compacted.usage;
            self.trimmed += done.steps;
            self.summary = compacted.summary;
            self.fill(prompt);
            done.tokens = tokens(prompt, room);
        }
        if done.tokens > room {
            shorten(prompt, done.tokens - room);
            done.tokens = tokens(prompt, room);
        }
        done
    }

    /// Leaves out half of the steps that are left, whatever they are: a provider said that it is too much. Whether any went.
    pub(crate) fn halve(&mut self, prompt: &mut Prompt) -> bool {
        let left = self.record.len().saturating_sub(self.trimmed);
        let gone = if left > LAST { (left / 2).max(1).min(left - LAST) } else { 0 };
        self.trimmed += gone;
        self.fill(prompt);
        let shortened = shorten(prompt, u64::MAX);
        gone > 0 || shortened
    }
}

/// Cuts what results say in the last steps, the longest most, until so many tokens are saved. Whether anything was cut.
fn shorten(prompt: &mut Prompt, too_many: u64) -> bool {
    let mut saved = 0_u64;
    let mut cut_any = false;
    for action in prompt.record.iter_mut().flat_map(|entry| &mut entry.actions) {
        if saved >= too_many {
            break;
        }
        if let Some(data) = action.data.take_if(|data| data.to_string().len() > SHORTEST) {
            saved = saved.saturating_add(bound(&data.to_string()));
            cut_any = true;
        }
        if action.message.chars().count() > SHORTEST * 2 {
            saved = saved.saturating_add(bound(&action.message));
            action.message = action.message.chars().take(SHORTEST).collect::<String>() + " … (cut)";
            cut_any = true;
        }
    }
    cut_any
}

#[cfg(test)]
mod tests;
