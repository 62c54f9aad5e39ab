//! The loop: look, ask, understand, act, keep; until it is over.
//!
//! It knows no browser (only [`Hands`]) and no provider (only the model trait). Here is what a run holds and how it goes from
//! step to step; [`step`] is one step, [`ask`] asks models, [`acting`] carries out, [`ending`] decides about claims and ends.

mod acting;
mod ask;
mod ending;
mod left;
mod step;
mod taking_up;
mod writing;

use std::{sync::Arc, time::Duration};

use tokio::time::Instant;
use webhand_action::{Stopper, outcome::Outcome, schema::PageNeeds};
use webhand_guard::Fence;
use webhand_page::Snapshot;

use crate::{
    agent::{AgentError, Listener, Plan},
    budget::{Budgets, Spent},
    control::Pace,
    end::{End, Run},
    event::Event,
    hands::Hands,
    journal::{Entry, JournalError},
    memory::Memory,
    model::Usage,
    prompt::{Role, Words},
    stuck::Repetitions,
    verdict::Verdict,
};

pub use self::left::DoubtCheck;
pub(crate) use self::left::Left;

/// What an answer may need beside the prompt, in tokens.
const ANSWER: u64 = 4_096;
/// The least room that a prompt is given, whatever the window.
const LEAST_ROOM: u64 = 1_500;
/// A page may fill so many hundredths of a prompt.
const PAGE_SHARE: u64 = 40;

/// A run under way.
pub(crate) struct Runner<'a> {
    hands: &'a mut dyn Hands,
    plan: Plan,
    stopper: Stopper,
    fence: Fence,
    system: String,
    memory: Memory,
    /// What decides which actions can serve.
    needs: PageNeeds,
    last_results: Vec<Outcome>,
    feedback: Option<String>,
    /// The page as it was in the step before.
    before: Option<Arc<Snapshot>>,
    /// The action before did not do what it should: a picture may help.
    in_trouble: bool,
    repetitions: Repetitions,
    /// Refused addresses, one after the other.
    denied: u32,
    /// The planner is to be asked before the next step.
    plan_due: bool,
    budgets: Budgets,
    usage: Usage,
    failures: u32,
    /// Claims that were refused.
    refusals: u32,
    verdict: Option<Verdict>,
    steps: u32,
    began: Instant,
    paused: Duration,
    /// How long the run had taken before it was interrupted.
    before_that: Duration,
    /// Why something could not be written down.
    journal_fault: Option<JournalError>,
}

/// What a step came to.
#[derive(Debug)]
enum StepEnd {
    /// The run goes on; the step went well.
    Well,
    /// The run goes on; the step failed, for this reason.
    Failed(String),
    /// The run is over.
    Over(End),
}

impl<'a> Runner<'a> {
    pub(crate) async fn new(hands: &'a mut dyn Hands, plan: Plan) -> Self {
        let fence = plan.fence.clone();
        let abilities = plan.crew.navigator.abilities();
        let stopper = hands.stopper().await;
        let runner = Self {
            system: Words::of(Role::Navigator, abilities.small).text(&fence),
            hands,
            stopper,
            fence,
            memory: Memory::default(),
            needs: PageNeeds::default(),
            last_results: Vec::new(),
            feedback: None,
            before: None,
            in_trouble: false,
            repetitions: Repetitions::default(),
            denied: 0,
            plan_due: plan.crew.planner.is_some(),
            budgets: Budgets::default(),
            usage: Usage::default(),
            failures: 0,
            refusals: 0,
            verdict: None,
            steps: 0,
            began: Instant::now(),
            paused: Duration::ZERO,
            before_that: Duration::ZERO,
            journal_fault: None,
            plan,
        };
        let room = runner.room();
        let page = if abilities.small { SMALL_PAGE } else { room.saturating_mul(PAGE_SHARE) / 100 };
        runner.hands.limit_page(u32::try_from(page).unwrap_or(u32::MAX)).await;
        runner
    }

    /// How many tokens a prompt may have.
    fn room(&self) -> u64 {
        let window = self.plan.crew.navigator.abilities().window.saturating_sub(ANSWER).max(LEAST_ROOM);
        self.plan.limits.prompt.map_or(window, |limit| limit.min(window))
    }

    fn spent(&self) -> Spent {
        let time = self.before_that + self.began.elapsed().saturating_sub(self.paused);
        Spent { steps: self.steps, usage: self.usage, time }
    }

    pub(crate) async fn run(mut self) -> Result<Run, AgentError> {
        self.tell(Event::RunStarted {
            task: self.plan.task.text.clone(),
            model: self.plan.crew.navigator.name().to_owned(),
            max_steps: self.plan.limits.steps,
            id: self.id(),
        });
        let end = match self.take_up().await? {
            Some(end) => end,
            None => self.steps().await?,
        };
        let checks = self.checks(&end).await;
        let partial = self.partial(&end);
        let elapsed = self.began.elapsed();
        self.tell(Event::RunEnded {
            end: end.clone(),
            checks: checks.clone(),
            partial: partial.clone(),
            usage: self.usage,
            steps: self.steps,
            elapsed_ms: milliseconds(elapsed),
        });
        self.write_end(&end, &checks, partial.as_ref()).await?;
        let id = self.id();
        let folder = self.plan.folder.take();
        let run = Run {
            id,
            end,
            checks,
            verdict: self.verdict,
            partial,
            steps: self.steps,
            record: self.memory.record,
            facts: self.memory.facts,
            usage: self.usage,
            elapsed,
            folder: folder.as_ref().map(|folder| folder.path().to_owned()),
        };
        if let Some(folder) = folder {
            let path = folder.path().to_owned();
            folder.result(&run).map_err(|source| AgentError::Folder { path, source })?;
        }
        Ok(run)
    }

    async fn steps(&mut self) -> Result<End, AgentError> {
        loop {
            if let Some(level) = Budgets::spent(&self.plan.limits, &self.spent()) {
                return Ok(End::OutOfBudget { budget: level.budget, spent: level.words() });
            }
            if self.wait_for_going().await == Pace::Stopped {
                return Ok(End::Stopped);
            }
            self.steps += 1;
            self.tell(Event::StepStarted { step: self.steps });
            self.tell_budgets();
            match self.step().await? {
                StepEnd::Over(end @ End::Done { success: true, .. }) => match self.plan.control.next_task() {
                    Some(task) => self.follow(task).await?,
                    None => return Ok(end),
                },
                StepEnd::Over(end) => return Ok(end),
                StepEnd::Well => self.failures = 0,
                StepEnd::Failed(reason) => {
                    self.failures += 1;
                    if self.failures >= self.plan.limits.failures {
                        return Ok(End::Failed { failures: self.failures, reason });
                    }
                }
            }
        }
    }

    /// Takes up a task that follows, with the same browser and the same memory.
    async fn follow(&mut self, task: String) -> Result<(), AgentError> {
        self.write(Entry::Follows { task: task.clone() }).await?;
        self.tell(Event::TaskFollows { step: self.steps, task: task.clone() });
        self.plan.task.text = task;
        self.plan.task.output = None;
        self.plan.task.conditions.clear();
        (self.failures, self.refusals, self.verdict) = (0, 0, None);
        self.repetitions = Repetitions::default();
        self.plan_due = self.plan.crew.planner.is_some();
        self.memory.plan = None;
        Ok(())
    }

    /// Waits while the run is paused or taken over.
    async fn wait_for_going(&mut self) -> Pace {
        let pace = self.plan.control.pace();
        if matches!(pace, Pace::Going | Pace::Stopped) {
            return pace;
        }
        let since = Instant::now();
        self.tell(Event::Pace { step: self.steps, pace });
        let next = self.plan.control.going().await;
        self.paused += since.elapsed();
        self.tell(Event::Pace { step: self.steps, pace: next });
        if pace == Pace::TakenOver {
            self.say("A person used the browser meanwhile. Look at the page anew: it may be another one.".to_owned());
        }
        next
    }

    fn tell_budgets(&mut self) {
        let spent = self.spent();
        for level in self.budgets.notices(&self.plan.limits, &spent) {
            self.tell(Event::BudgetWarning { step: self.steps, budget: level.budget, spent: level.words() });
            self.say(format!(
                "{} are spent. Come to an end: do what matters most, and keep what is known.",
                level.words()
            ));
        }
    }

    /// Puts something into the note of the next prompt.
    fn say(&mut self, words: String) {
        self.feedback = Some(match self.feedback.take() {
            Some(before) => format!("{before}\n{words}"),
            None => words,
        });
    }

    /// What is known of an answer where the run did not come to its end.
    fn partial(&self, end: &End) -> Option<String> {
        if matches!(end, End::Done { .. }) {
            return None;
        }
        let facts = self.memory.facts.iter().map(|fact| format!("{}: {}", fact.key, fact.value));
        let noted = self.memory.record.iter().rev().find(|entry| !entry.memory.is_empty());
        let parts: Vec<String> = facts.chain(noted.map(|entry| entry.memory.clone())).collect();
        (!parts.is_empty()).then(|| parts.join("\n"))
    }

    fn tell(&mut self, event: Event) {
        tell(&mut self.plan.listener, &event);
    }
}

/// Tells whoever listens.
fn tell(listener: &mut Option<Listener>, event: &Event) {
    tracing::debug!(?event, "run");
    if let Some(listener) = listener {
        listener(event);
    }
}

/// How many tokens a small model is shown of a page.
const SMALL_PAGE: u64 = 400;

fn milliseconds(elapsed: Duration) -> u64 {
    u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
