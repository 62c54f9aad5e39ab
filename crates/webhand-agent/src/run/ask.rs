//! Asks models: with patience where they are overloaded, with a shorter prompt where it is too long, and another one where the
//! first is lost.

use std::{sync::Arc, time::Duration};

use rand::Rng as _;
use tokio::time::Instant;
use webhand_page::Snapshot;

use super::{Runner, milliseconds};
use crate::{
    agent::AgentError,
    event::Event,
    memory::{Trimmer, tokens},
    model::{Model, ModelError, ModelReply},
    prompt::{Image, Prompt, Role, Words},
    verdict::PlanNote,
};

/// So long is waited before a model is asked again; each time twice as long.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// Longer than that is never waited, whatever a provider says.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// How long a picture for a model may take.
const PICTURE_WITHIN: Duration = Duration::from_secs(10);

/// How asking ended.
pub(super) enum Heard {
    /// With an answer.
    Reply(ModelReply),
    /// The run was stopped meanwhile.
    Stopped,
}

impl Runner<'_> {
    /// Asks the navigator. None where the run was stopped meanwhile.
    pub(super) async fn ask_navigator(&mut self, prompt: &mut Prompt) -> Result<Option<ModelReply>, ModelError> {
        let navigator = Arc::clone(&self.plan.crew.navigator);
        let mut heard = self.hear(&navigator, prompt).await;
        if matches!(heard, Err(ModelError::TooLong { .. })) && self.memory.halve(prompt) {
            heard = self.hear(&navigator, prompt).await;
        }
        if let (Err(error), Some(fallback)) = (&heard, &self.plan.crew.fallback) {
            let fallback = Arc::clone(fallback);
            self.fault(Role::Navigator, error);
            heard = self.hear(&fallback, prompt).await;
            if heard.is_ok() {
                // it stays: whoever failed after all that patience fails again
                self.plan.crew.navigator = fallback;
                self.plan.crew.fallback = None;
            }
        }
        Ok(match heard? {
            Heard::Reply(reply) => Some(reply),
            Heard::Stopped => None,
        })
    }

    /// Asks a model, again where it may be another time.
    pub(super) async fn hear(&mut self, model: &Arc<dyn Model>, prompt: &Prompt) -> Result<Heard, ModelError> {
        let mut pause = FIRST_PAUSE;
        for _ in 0..self.plan.limits.retries {
            match self.hear_once(model, prompt).await {
                Err(error) if error.may_pass() => {
                    let asked_for = match &error {
                        ModelError::Limited { again_after, .. } => *again_after,
                        _ => None,
                    };
                    self.fault(prompt.role, &error);
                    if asked_for.is_some_and(|pause| pause > LONGEST_PAUSE) {
                        return Err(error);
                    }
                    let some = pause.mul_f64(rand::rng().random_range(0.75..1.25));
                    let within = asked_for.unwrap_or(some).min(LONGEST_PAUSE);
                    if tokio::time::timeout(within, self.plan.control.stopped()).await.is_ok() {
                        return Ok(Heard::Stopped);
                    }
                    pause *= 2;
                }
                heard => return heard,
            }
        }
        self.hear_once(model, prompt).await
    }

    async fn hear_once(&mut self, model: &Arc<dyn Model>, prompt: &Prompt) -> Result<Heard, ModelError> {
        if let Err(error) = self.write_asked(prompt, model.name()).await {
            return self.unwritten(error);
        }
        let began = Instant::now();
        let limit = self.plan.limits.model;
        let control = self.plan.control.clone();
        // an answer that comes after that is dropped with its future: it is never carried out
        let reply = tokio::select! {
            () = control.stopped() => return Ok(Heard::Stopped),
            reply = tokio::time::timeout(limit, model.reply(prompt)) => reply,
        };
        let reply = reply
            .unwrap_or_else(|_| Err(ModelError::Timeout { name: model.name().to_owned(), seconds: limit.as_secs() }))?;
        self.usage += reply.usage;
        if let Err(error) = self.write_replied(prompt.role, &reply).await {
            return self.unwritten(error);
        }
        self.tell(Event::Replied {
            step: self.steps,
            role: prompt.role,
            model: reply.answered_by.clone().unwrap_or_else(|| model.name().to_owned()),
            elapsed_ms: milliseconds(began.elapsed()),
            usage: reply.usage,
            estimated: tokens(prompt, self.room()),
        });
        Ok(Heard::Reply(reply))
    }

    /// What cannot be written down is not gone on with: the step that follows says so.
    fn unwritten(&mut self, error: AgentError) -> Result<Heard, ModelError> {
        if let AgentError::Journal(error) = error {
            self.journal_fault = Some(error);
        }
        Ok(Heard::Stopped)
    }

    pub(super) fn fault(&mut self, role: Role, error: &ModelError) {
        let (code, reason) = (error.code().to_owned(), error.to_string());
        self.tell(Event::ModelFault { step: self.steps, role, code, reason });
    }

    /// Makes a prompt fit into the room that there is.
    pub(super) async fn trim(&mut self, prompt: &mut Prompt) {
        let room = self.room();
        let compaction = Arc::clone(&self.plan.compaction);
        let trimmer = Trimmer {
            compaction: compaction.as_ref(),
            model: &self.plan.crew.navigator,
            fence: &self.fence,
            task: &self.plan.task.text,
            within: self.plan.limits.model,
        };
        let trimmed = self.memory.fit(prompt, room, &trimmer).await;
        self.usage += trimmed.usage;
        if let Some(error) = &trimmed.fault {
            self.fault(Role::Summary, error);
        }
        if trimmed.steps > 0 {
            self.tell(Event::Trimmed { step: self.steps, steps: trimmed.steps, tokens: trimmed.tokens });
        }
    }

    /// Pictures for a model that sees, where this page asks for them.
    pub(super) async fn images(&mut self, snapshot: &Snapshot) -> Vec<Image> {
        if !self.plan.crew.navigator.abilities().images {
            return Vec::new();
        }
        let sight = self.plan.vision.picture(snapshot, self.in_trouble);
        self.hands.vision(&sight, PICTURE_WITHIN).await
    }

    /// Asks the planner where the run stands. Without an answer the run goes on without.
    pub(super) async fn ask_planner(&mut self, page: &str) {
        self.plan_due = false;
        let Some(planner) = self.plan.crew.planner.clone() else { return };
        let mut prompt = self.aside(Role::Planner, PlanNote::asked());
        prompt.state = format!("# The page now\n{}", self.fence.wrap("page", page));
        prompt.feedback.clone_from(&self.feedback);
        match self.hear(&planner, &prompt).await {
            Ok(Heard::Reply(reply)) => match PlanNote::of(&reply) {
                Ok(plan) => {
                    self.memory.plan = Some(plan.words());
                    self.tell(Event::Planned { step: self.steps, plan });
                }
                Err(error) => {
                    let (code, reason) = (error.code().to_owned(), error.to_string());
                    self.tell(Event::ModelFault { step: self.steps, role: Role::Planner, code, reason });
                }
            },
            Ok(Heard::Stopped) => {}
            Err(error) => self.fault(Role::Planner, &error),
        }
    }

    /// A prompt beside the navigator's, with what is remembered.
    pub(super) fn aside(&self, role: Role, asked: crate::prompt::Asked) -> Prompt {
        let mut prompt = Prompt {
            role,
            system: Words::of(role, false).text(&self.fence),
            task: self.plan.task.text.clone(),
            asked,
            step: self.steps,
            fence: self.fence.clone(),
            ..Prompt::default()
        };
        self.memory.fill(&mut prompt);
        prompt
    }
}
