//! One step: the page is read, the model asked, its answer carried out, and all of it kept.

use std::{sync::Arc, time::Duration};

use tokio::time::Instant;
use webhand_action::{
    catalogue::Action,
    decode::{Decision, Finish, decode},
    people::Captcha,
    schema::{SchemaOptions, Shape},
    validate::validate_refs,
};
use webhand_page::Snapshot;

use super::{Runner, StepEnd, milliseconds};
use crate::{
    agent::AgentError,
    end::End,
    event::Event,
    folder::{StepLine, sha256},
    hands::{Seen, Unseen},
    memory::bound,
    model::{ModelError, ModelReply},
    prompt::{self, ActionSchema, Asked, Prompt, Role},
    record::RecordEntry,
    stuck::{Repetition, words_of},
};

/// How long a step's picture may take.
const PICTURE_WITHIN: Duration = Duration::from_secs(10);
/// A page that did not answer for that long is not asked again.
const UNREAD_AT_MOST: Duration = Duration::from_secs(10);
/// What a step changed is kept in so many tokens.
const CHANGED: u32 = 80;

/// An answer that was understood, or the reason why not.
struct Answer {
    reply: ModelReply,
    decision: Result<Decision, Fault>,
    /// Of the prompt; only for the folder.
    prompt_sha256: String,
}

/// Why an answer cannot be used.
enum Fault {
    /// What is wrong with it, for the model.
    Words(String),
    /// The model will not do it, in its own words.
    Refused(String),
}

impl Runner<'_> {
    pub(super) async fn step(&mut self) -> Result<StepEnd, AgentError> {
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
        self.note_walls(&snapshot);
        if self.plan_due || (self.steps > 1 && (self.steps - 1).is_multiple_of(self.plan.limits.plan_every.max(1))) {
            self.ask_planner(&seen.text).await;
        }
        let page = self.fence.wrap("page", &seen.text);
        let answer = match self.ask(&snapshot, &page).await {
            Ok(Some(answer)) => answer,
            Ok(None) => match self.journal_fault.take() {
                Some(fault) => return Err(fault.into()),
                None => return Ok(StepEnd::Over(End::Stopped)),
            },
            Err(error) => return Ok(StepEnd::Over(End::of_model(&error))),
        };
        let url = snapshot.page.url.clone();
        let (end, entry) = match &answer.decision {
            Ok(decision) => self.carry_out(decision, &snapshot).await,
            Err(Fault::Refused(reason)) => {
                let entry = RecordEntry { step: self.steps, fault: Some(reason.clone()), ..RecordEntry::default() };
                (StepEnd::Over(End::Refused { reason: reason.clone() }), entry)
            }
            Err(Fault::Words(fault)) => {
                self.say(fault.clone());
                let entry = RecordEntry { step: self.steps, fault: Some(fault.clone()), ..RecordEntry::default() };
                (StepEnd::Failed(fault.clone()), entry)
            }
        };
        self.in_trouble = !matches!(end, StepEnd::Well);
        if let Some(fault) = self.journal_fault.take() {
            return Err(fault.into());
        }
        self.failures = if matches!(end, StepEnd::Well) { 0 } else { self.failures };
        self.keep(entry, &answer, (&url, &seen.text), began).await?;
        self.before = Some(snapshot);
        Ok(end)
    }

    async fn look(&mut self) -> Result<Seen, Unseen> {
        let seen = self.hands.look().await?;
        let page = &seen.snapshot.page;
        let diff = self.before.as_ref().map(|before| seen.snapshot.diff(before));
        let changed = diff.as_ref().is_none_or(|diff| !diff.is_empty());
        // what the last step changed stands for the page that it was, once that is not shown any more
        if let (Some(entry), Some(diff)) = (self.memory.record.last_mut(), diff.filter(|diff| !diff.is_empty())) {
            entry.changed = diff.write(CHANGED).lines().skip(1).collect::<Vec<_>>().join("\n");
        }
        self.tell(Event::PageSeen {
            step: self.steps,
            title: page.title.clone(),
            url: page.url.clone(),
            controls: seen.snapshot.controls().count(),
            changed,
            dialog: seen.snapshot.dialog.clone(),
        });
        Ok(seen)
    }

    /// Tells the model of what stands between it and the page: a captcha, or a login that nobody gave it.
    fn note_walls(&mut self, snapshot: &Snapshot) {
        if Captcha::seen_in(snapshot).is_some() {
            self.say("The page shows a captcha. Use solve_captcha or ask_human; do not guess at it.".to_owned());
        }
    }

    /// Whether nothing is left but to end.
    fn is_last(&self) -> bool {
        self.steps >= self.plan.limits.steps
    }

    /// The actions that can serve on this page; on the last step there is nothing left but to end.
    fn asked(&self, page: &Snapshot) -> Asked {
        let catalogue = self.hands.catalogue();
        let needs = self.needs.clone().and_dialog(page.dialog.is_some()).at(&page.page.url);
        let mut offered = if self.is_last() { vec!["done"] } else { catalogue.offered(&needs) };
        if self.plan.crew.navigator.abilities().small {
            offered.retain(|name| SMALL.contains(name));
        }
        let mut options = SchemaOptions::new(Shape::Union).offer(offered);
        options.done_data.clone_from(&self.plan.task.output);
        Asked::Actions(ActionSchema::new(Arc::clone(catalogue), options))
    }

    /// Asks the model; an answer that cannot be used goes back once, with the reason. None where the run was stopped meanwhile.
    async fn ask(&mut self, snapshot: &Arc<Snapshot>, page: &str) -> Result<Option<Answer>, ModelError> {
        if self.is_last() {
            self.say("This is the last step: answer with done, honestly, with what is known.".to_owned());
        }
        let mut prompt = Prompt {
            role: Role::Navigator,
            system: self.system.clone(),
            task: self.plan.task.text.clone(),
            state: page.to_owned(),
            snapshot: Arc::clone(snapshot),
            asked: self.asked(snapshot),
            step: self.steps,
            last_results: std::mem::take(&mut self.last_results),
            feedback: self.feedback.take(),
            notes: self.plan.control.notes(),
            fence: self.fence.clone(),
            images: self.images(snapshot).await,
            ..Prompt::default()
        };
        self.memory.fill(&mut prompt);
        self.trim(&mut prompt).await;
        let Some(first) = self.ask_once(&mut prompt, snapshot).await? else { return Ok(None) };
        match &first.decision {
            Ok(_) => Ok(Some(first)),
            Err(Fault::Refused(_)) => self.ask_fallback(prompt, snapshot, first).await,
            Err(Fault::Words(fault)) => {
                prompt.feedback = Some(format!("{}{fault}", prompt::REFUSED));
                self.ask_once(&mut prompt, snapshot).await
            }
        }
    }

    /// Asks the other model, where there is one, what the first will not do.
    async fn ask_fallback(
        &mut self,
        mut prompt: Prompt,
        snapshot: &Arc<Snapshot>,
        first: Answer,
    ) -> Result<Option<Answer>, ModelError> {
        let Some(fallback) = self.plan.crew.fallback.take() else { return Ok(Some(first)) };
        self.plan.crew.navigator = fallback;
        self.ask_once(&mut prompt, snapshot).await
    }

    async fn ask_once(&mut self, prompt: &mut Prompt, snapshot: &Snapshot) -> Result<Option<Answer>, ModelError> {
        let Some(reply) = self.ask_navigator(prompt).await? else { return Ok(None) };
        let decision = self.understand(&reply, snapshot);
        let prompt_sha256 = if self.plan.folder.is_some() { sha256(&prompt.text()) } else { String::new() };
        Ok(Some(Answer { reply, decision, prompt_sha256 }))
    }

    fn understand(&mut self, reply: &ModelReply, snapshot: &Snapshot) -> Result<Decision, Fault> {
        if let Some(words) = refusal(reply) {
            self.tell(Event::Refused { step: self.steps, code: "refused".to_owned(), feedback: words.clone() });
            return Err(Fault::Refused(words));
        }
        let (code, feedback) = match decode(&reply.text, reply.finish, self.hands.catalogue()) {
            Err(error) => (error.code().to_owned(), error.feedback()),
            Ok(decision) => {
                let faults = validate_refs(&decision.actions, snapshot);
                let Some(first) = faults.first() else { return Ok(decision) };
                let words: Vec<String> = faults.iter().map(ToString::to_string).collect();
                (first.code.as_str().to_owned(), words.join("\n"))
            }
        };
        self.tell(Event::Refused { step: self.steps, code, feedback: feedback.clone() });
        Err(Fault::Words(feedback))
    }

    /// Does what was decided, and says what the step came to.
    async fn carry_out(&mut self, decision: &Decision, snapshot: &Snapshot) -> (StepEnd, RecordEntry) {
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
        let (doing, done) = match decision.actions.split_last() {
            Some((Action::Done(done), before)) => (before, Some(done)),
            _ => (decision.actions.as_slice(), None),
        };
        if !doing.is_empty() {
            match self.repetition(doing, snapshot) {
                Ok(()) => entry.actions = self.act(doing, snapshot).await,
                Err(StepEnd::Failed(why)) => {
                    entry.fault = Some(why.clone());
                    return (StepEnd::Failed(why), entry);
                }
                Err(over) => return (over, entry),
            }
            self.repetitions.came_to(doing, snapshot, entry.failure().is_some());
        }
        if let Some(end) = self.ended_by(&entry) {
            return (end, entry);
        }
        match done {
            Some(done) => (self.claimed(done, &entry).await, entry),
            None => (StepEnd::Well, entry),
        }
    }

    /// Counts what is wanted, and says what is to become of the step where it is wanted again and again.
    fn repetition(&mut self, actions: &[Action], page: &Snapshot) -> Result<(), StepEnd> {
        let times = match self.repetitions.count(actions, page) {
            Repetition::Fine => return Ok(()),
            Repetition::Stuck => return Err(StepEnd::Over(End::Stuck { repeated: words_of(actions) })),
            Repetition::Refuse(times) => {
                let words = format!(
                    "Not carried out: this was wanted {times} times, and nothing came of it: {}. Do something else, or end \
                     with done and say what stands in the way.",
                    words_of(actions)
                );
                self.tell(Event::Nudged { step: self.steps, words: words.clone() });
                self.say(words.clone());
                return Err(StepEnd::Failed(words));
            }
            Repetition::Plan(times) => {
                self.plan_due = self.plan.crew.planner.is_some();
                times
            }
            Repetition::Nudge(times) => times,
        };
        let words =
            format!("You want this for the {times}th time, and nothing came of it so far: {}", words_of(actions));
        self.tell(Event::Nudged { step: self.steps, words: words.clone() });
        self.say(words);
        Ok(())
    }

    /// Keeps the step: in the record, in the folder and the journal where there are such.
    async fn keep(
        &mut self,
        entry: RecordEntry,
        answer: &Answer,
        page: (&str, &str),
        began: Instant,
    ) -> Result<(), AgentError> {
        let pictured = self.plan.folder.is_some() || self.plan.journal.is_some();
        let image = if pictured { self.hands.picture(PICTURE_WITHIN).await } else { None };
        self.write_step(&entry, page, image.as_ref(), began.elapsed()).await?;
        if let Some(folder) = &mut self.plan.folder {
            let path = folder.path().to_owned();
            let write = |source| AgentError::Folder { path: path.clone(), source };
            let picture = folder.picture(self.steps, image).map_err(write)?;
            let decision = answer.decision.as_ref().ok().and_then(|decision| serde_json::to_value(decision).ok());
            let line = StepLine {
                step: self.steps,
                url: page.0,
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
        self.memory.record.push(entry);
        Ok(())
    }
}

/// What a small model is offered: more than it can tell apart serves nobody.
const SMALL: &[&str] = &["click", "fill", "select", "check", "press", "scroll", "navigate", "done"];

/// How a model begins that will not do a task.
const UNWILLING: &[&str] = &[
    "i can't",
    "i cannot",
    "i can’t",
    "i'm sorry",
    "i’m sorry",
    "i am sorry",
    "sorry, ",
    "i won't",
    "i won’t",
    "i will not",
    "i'm unable",
    "i’m unable",
    "i am unable",
    "i'm not able",
    "i’m not able",
    "i must decline",
    "as an ai",
    "抱歉",
    "对不起",
    "很抱歉",
    "我无法",
    "我不能",
];
/// A refusal is short.
const REFUSAL_TOKENS: u64 = 400;

/// The words of a model that will not do the task; none where it answers in any way.
fn refusal(reply: &ModelReply) -> Option<String> {
    let text = reply.text.trim();
    if reply.finish == Finish::Filtered {
        let words = if text.is_empty() { "the provider held the answer back" } else { text };
        return Some(words.chars().take(500).collect());
    }
    let starts = text.to_lowercase();
    let unwilling = UNWILLING.iter().any(|words| starts.starts_with(words)) && !text.contains('{');
    (unwilling && bound(text) <= REFUSAL_TOKENS).then(|| text.to_owned())
}
