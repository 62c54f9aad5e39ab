//! The loop: look, ask, understand, act, keep; until it is over.
//!
//! It knows no browser (only [`Hands`]) and no provider (only the model trait).

use std::{
    hash::{DefaultHasher, Hash as _, Hasher as _},
    sync::Arc,
    time::{Duration, Instant},
};

use serde_json::Value;
use webhand_action::{
    catalogue::Action,
    decode::{Decision, decode},
    outcome::Outcome,
    schema::{PageNeeds, SchemaOptions, Shape},
    validate::validate_refs,
};
use webhand_guard::Fence;
use webhand_page::Snapshot;

use crate::{
    agent::{AgentError, Plan},
    end::{Check, End, Run},
    event::Event,
    folder::{StepLine, sha256},
    hands::{Acted, Hands, Seen, Unseen},
    model::{ModelError, ModelReply, Usage},
    prompt::{self, Prompt},
    record::{ActionRecord, Fact, RecordEntry},
    stuck::{Repetition, Repetitions},
};

/// How long a step's picture may take.
const PICTURE_WITHIN: Duration = Duration::from_secs(10);

/// A page that did not answer for that long is not asked again.
const UNREAD_AT_MOST: Duration = Duration::from_secs(10);

/// A run under way.
pub(crate) struct Runner<'a> {
    hands: &'a mut dyn Hands,
    plan: Plan,
    fence: Fence,
    system: String,
    record: Vec<RecordEntry>,
    facts: Vec<Fact>,
    /// What decides which actions can serve.
    needs: PageNeeds,
    last_results: Vec<Outcome>,
    feedback: Option<String>,
    repetitions: Repetitions,
    usage: Usage,
    failures: u32,
    steps: u32,
}

/// What a step came to.
enum StepEnd {
    /// The run goes on; the step went well.
    Well,
    /// The run goes on; the step failed, for this reason.
    Failed(String),
    /// The run is over.
    Over(End),
}

/// An answer that was understood, or the reason why not.
struct Answer {
    reply: ModelReply,
    decision: Result<Decision, String>,
    prompt_sha256: String,
}

impl<'a> Runner<'a> {
    pub(crate) fn new(hands: &'a mut dyn Hands, plan: Plan) -> Self {
        let fence = Fence::new();
        Self {
            system: prompt::system(&fence),
            hands,
            plan,
            fence,
            record: Vec::new(),
            facts: Vec::new(),
            needs: PageNeeds::default(),
            last_results: Vec::new(),
            feedback: None,
            repetitions: Repetitions::default(),
            usage: Usage::default(),
            failures: 0,
            steps: 0,
        }
    }

    pub(crate) async fn run(mut self) -> Result<Run, AgentError> {
        let began = Instant::now();
        self.tell(Event::RunStarted {
            task: self.plan.task.clone(),
            model: self.plan.model.name().to_owned(),
            max_steps: self.plan.limits.steps,
        });
        let end = self.steps().await?;
        let checks = self.checks(&end).await;
        let elapsed = began.elapsed();
        let ended = Event::RunEnded {
            end: end.clone(),
            checks: checks.clone(),
            steps: self.steps,
            elapsed_ms: milliseconds(elapsed),
        };
        self.tell(ended);
        let folder = self.plan.folder.take();
        let run = Run {
            end,
            checks,
            steps: self.steps,
            record: self.record,
            facts: self.facts,
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
        while self.steps < self.plan.limits.steps {
            self.steps += 1;
            match self.step().await? {
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
        Ok(End::StepLimit { steps: self.steps })
    }

    async fn step(&mut self) -> Result<StepEnd, AgentError> {
        let began = Instant::now();
        let seen = match self.look().await {
            Ok(seen) => seen,
            Err(Unseen::Lost(reason)) => return Ok(StepEnd::Over(End::BrowserLost { reason })),
            Err(Unseen::Unread(reason)) => {
                self.tell(Event::PageUnread { step: self.steps, reason: reason.clone() });
                if began.elapsed() >= UNREAD_AT_MOST {
                    return Ok(StepEnd::Over(End::Failed { failures: self.failures + 1, reason }));
                }
                return Ok(StepEnd::Failed(reason));
            }
        };
        let snapshot = seen.snapshot;
        self.needs = seen.needs;
        let page = self.fence.wrap("page", &seen.text);
        let answer = match self.ask(&snapshot, &page).await {
            Ok(answer) => answer,
            Err(error) => {
                let end = End::ModelFailed { code: error.code().to_owned(), reason: error.to_string() };
                return Ok(StepEnd::Over(end));
            }
        };
        let url = snapshot.page.url.clone();
        let (end, entry) = match &answer.decision {
            Ok(decision) => self.carry_out(decision, &snapshot, &seen.text).await,
            Err(fault) => {
                self.feedback = Some(fault.clone());
                let entry = RecordEntry { step: self.steps, fault: Some(fault.clone()), ..RecordEntry::default() };
                (StepEnd::Failed(fault.clone()), entry)
            }
        };
        self.keep(entry, &answer, &url, began).await?;
        Ok(end)
    }

    async fn look(&mut self) -> Result<Seen, Unseen> {
        let seen = self.hands.look().await?;
        let page = &seen.snapshot.page;
        self.tell(Event::PageSeen {
            step: self.steps,
            title: page.title.clone(),
            url: page.url.clone(),
            controls: seen.snapshot.controls().count(),
            dialog: seen.snapshot.dialog.clone(),
        });
        Ok(seen)
    }

    /// The schema of a reply to this page; on the last step there is nothing left but to end.
    fn schema(&self, page: &Snapshot) -> Value {
        let catalogue = self.hands.catalogue();
        let last = self.steps >= self.plan.limits.steps;
        let needs = self.needs.clone().and_dialog(page.dialog.is_some()).at(&page.page.url);
        let offered = if last { vec!["done"] } else { catalogue.offered(&needs) };
        catalogue.schema(&SchemaOptions::new(Shape::Union).offer(offered))
    }

    /// Asks the model; an answer that cannot be used goes back once, with the reason.
    async fn ask(&mut self, snapshot: &Arc<Snapshot>, page: &str) -> Result<Answer, ModelError> {
        let mut prompt = Prompt {
            system: self.system.clone(),
            task: self.plan.task.clone(),
            record: self.record.clone(),
            facts: self.facts.clone(),
            state: page.to_owned(),
            snapshot: Arc::clone(snapshot),
            schema: self.schema(snapshot),
            step: self.steps,
            last_results: std::mem::take(&mut self.last_results),
            feedback: self.feedback.take(),
        };
        let first = self.ask_once(&prompt, snapshot).await?;
        let Err(fault) = &first.decision else { return Ok(first) };
        prompt.feedback = Some(format!("{}{fault}", prompt::REFUSED));
        self.ask_once(&prompt, snapshot).await
    }

    async fn ask_once(&mut self, prompt: &Prompt, snapshot: &Snapshot) -> Result<Answer, ModelError> {
        let began = Instant::now();
        let limit = self.plan.limits.model;
        let model = Arc::clone(&self.plan.model);
        let reply = tokio::time::timeout(limit, model.reply(prompt))
            .await
            .unwrap_or_else(|_| Err(ModelError::Timeout { name: model.name().to_owned(), seconds: limit.as_secs() }))?;
        self.usage += reply.usage;
        let elapsed_ms = milliseconds(began.elapsed());
        self.tell(Event::Replied { step: self.steps, elapsed_ms, usage: reply.usage });
        let decision = self.understand(&reply, snapshot);
        let prompt_sha256 = if self.plan.folder.is_some() { sha256(&prompt.text(&self.fence)) } else { String::new() };
        Ok(Answer { reply, decision, prompt_sha256 })
    }

    fn understand(&mut self, reply: &ModelReply, snapshot: &Snapshot) -> Result<Decision, String> {
        let refused = match decode(&reply.text, reply.finish, self.hands.catalogue()) {
            Err(error) => (error.code().to_owned(), error.feedback()),
            Ok(decision) => {
                let faults = validate_refs(&decision.actions, snapshot);
                let most = self.plan.limits.actions;
                if let Some(first) = faults.first() {
                    let words: Vec<String> = faults.iter().map(ToString::to_string).collect();
                    (first.code.as_str().to_owned(), words.join("\n"))
                } else if decision.actions.len() > most {
                    let many = decision.actions.len();
                    ("bad_parameter".to_owned(), format!("{many} actions in one answer; at most {most} are taken"))
                } else {
                    return Ok(decision);
                }
            }
        };
        let (code, feedback) = refused;
        self.tell(Event::Refused { step: self.steps, code, feedback: feedback.clone() });
        Err(feedback)
    }

    /// Does what was decided, and says what the step came to.
    async fn carry_out(&mut self, decision: &Decision, snapshot: &Snapshot, text: &str) -> (StepEnd, RecordEntry) {
        let state = &decision.state;
        self.tell(Event::Decided {
            step: self.steps,
            evaluation: state.evaluation.clone(),
            memory: state.memory.clone(),
            goal: state.next_goal.clone(),
            actions: decision.actions.iter().map(Action::to_json).collect(),
        });
        let mut entry = RecordEntry {
            step: self.steps,
            evaluation: state.evaluation.clone(),
            memory: state.memory.clone(),
            goal: state.next_goal.clone(),
            ..RecordEntry::default()
        };
        if let Some(end) = self.repetition(&decision.actions, text) {
            return (StepEnd::Over(end), entry);
        }
        let (doing, done) = match decision.actions.split_last() {
            Some((Action::Done(done), before)) => (before, Some(done)),
            _ => (decision.actions.as_slice(), None),
        };
        if !doing.is_empty() {
            entry.actions = self.act(doing, &snapshot.page.url).await;
        }
        // where it is there again, what was in doubt is looked at like any other failure
        let gone = |action: &&ActionRecord| {
            action.code.as_deref() == Some("browser_lost") && action.kind.as_deref() != Some("in_doubt")
        };
        let lost = entry.actions.iter().find(gone);
        if let Some(lost) = lost {
            let end = End::BrowserLost { reason: lost.message.clone() };
            return (StepEnd::Over(end), entry);
        }
        if let Some(failure) = entry.failure() {
            let reason = failure.message.clone();
            return (StepEnd::Failed(reason), entry);
        }
        match done {
            Some(done) => {
                let end = End::Done { text: done.text.clone(), success: done.success, data: done.data.clone() };
                (StepEnd::Over(end), entry)
            }
            None => (StepEnd::Well, entry),
        }
    }

    fn repetition(&mut self, actions: &[Action], text: &str) -> Option<End> {
        let what: Vec<String> = actions.iter().map(plain).collect();
        match self.repetitions.count(digest(&what.join("\n")), digest(text)) {
            Repetition::Fine => None,
            Repetition::Nudge(times) => {
                let words =
                    format!("You want this for the {times}th time on a page that did not change: {}", what.join(", "));
                self.tell(Event::Nudged { step: self.steps, words: words.clone() });
                self.feedback = Some(words);
                None
            }
            Repetition::Stuck => Some(End::Stuck { repeated: what.join(", ") }),
        }
    }

    async fn act(&mut self, actions: &[Action], url: &str) -> Vec<ActionRecord> {
        let limit = self.plan.limits.step;
        let Ok(acted) = tokio::time::timeout(limit, self.hands.act(actions)).await else {
            let why = format!("the step took longer than {} s; what was done of it is in doubt", limit.as_secs());
            let records: Vec<ActionRecord> =
                actions.iter().map(|action| ActionRecord::left_out(action, &why)).collect();
            for action in records.clone() {
                self.tell(Event::Acted { step: self.steps, action, target: None, elapsed_ms: milliseconds(limit) });
            }
            return records;
        };
        let mut records = Vec::with_capacity(acted.len());
        for one in acted {
            let (record, target, elapsed) = match one {
                Acted::Ran(outcome) => {
                    self.remember(&outcome, url);
                    let record = ActionRecord::ran(&outcome);
                    let target = outcome.target.as_ref().map(|target| {
                        let handle = target.r#ref.map(|handle| format!("{handle} ")).unwrap_or_default();
                        format!("{handle}{} {:?}", target.role, target.name)
                    });
                    let elapsed = outcome.elapsed;
                    self.last_results.push(*outcome);
                    (record, target, elapsed)
                }
                Acted::LeftOut(action, why) => (ActionRecord::left_out(&action, &why), None, Duration::ZERO),
            };
            let elapsed_ms = milliseconds(elapsed);
            self.tell(Event::Acted { step: self.steps, action: record.clone(), target, elapsed_ms });
            records.push(record);
        }
        records
    }

    fn remember(&mut self, outcome: &Outcome, url: &str) {
        let Action::Remember(fact) = &outcome.action else { return };
        if !outcome.ok {
            return;
        }
        self.facts.retain(|known| known.key != fact.key);
        self.facts.push(Fact { key: fact.key.clone(), value: fact.value.clone(), source: url.to_owned() });
    }

    /// Keeps the step: in the record, and in the folder where there is one.
    async fn keep(&mut self, entry: RecordEntry, answer: &Answer, url: &str, began: Instant) -> Result<(), AgentError> {
        if let Some(folder) = &mut self.plan.folder {
            let image = self.hands.picture(PICTURE_WITHIN).await;
            let path = folder.path().to_owned();
            let write = |source| AgentError::Folder { path: path.clone(), source };
            let picture = folder.picture(self.steps, image).map_err(write)?;
            let decision = answer.decision.as_ref().ok().and_then(|decision| serde_json::to_value(decision).ok());
            let line = StepLine {
                step: self.steps,
                url,
                prompt_sha256: answer.prompt_sha256.clone(),
                reply: &answer.reply.text,
                decision,
                fault: entry.fault.as_deref(),
                outcomes: &entry.actions,
                picture,
                elapsed_ms: milliseconds(began.elapsed()),
            };
            folder.step(&line).map_err(write)?;
        }
        self.record.push(entry);
        Ok(())
    }

    /// Looks once more and checks what was stated, where the model says that the task is done.
    async fn checks(&mut self, end: &End) -> Vec<Check> {
        if self.plan.conditions.is_empty() || !matches!(end, End::Done { success: true, .. }) {
            return Vec::new();
        }
        let snapshot = self.hands.look().await.ok().map(|seen| seen.snapshot);
        let conditions = self.plan.conditions.iter();
        conditions
            .map(|condition| Check {
                condition: condition.clone(),
                held: snapshot.as_ref().is_some_and(|snapshot| condition.holds(snapshot)),
            })
            .collect()
    }

    fn tell(&mut self, event: Event) {
        tracing::debug!(?event, "run");
        if let Some(listener) = &mut self.plan.listener {
            listener(&event);
        }
    }
}

/// An action without its reason, by which repetitions are known.
fn plain(action: &Action) -> String {
    let mut params = action.params();
    params.remove("intent");
    format!("{} {}", action.name(), Value::Object(params))
}

fn digest(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

fn milliseconds(elapsed: Duration) -> u64 {
    u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
