//! Claims, checks and ends: what a run comes to is decided by what was observed.

use webhand_action::catalogue::Done;

use super::{Runner, StepEnd, ask::Heard};
use crate::{
    end::{Check, End},
    event::Event,
    model::ModelError,
    prompt::Role,
    record::{ActionRecord, RecordEntry},
    verdict::Verdict,
};

impl End {
    /// The end of a run whose model gives no answer.
    pub(super) fn of_model(error: &ModelError) -> Self {
        End::ModelFailed { code: error.code().to_owned(), reason: error.to_string(), hint: error.hint() }
    }
}

impl Runner<'_> {
    /// What the actions of a step came to, unless all went well.
    pub(super) fn ended_by(&self, entry: &RecordEntry) -> Option<StepEnd> {
        if self.plan.control.pace() == crate::control::Pace::Stopped {
            return Some(StepEnd::Over(End::Stopped));
        }
        // where it is there again, what was in doubt is looked at like any other failure
        let gone = |action: &&ActionRecord| {
            action.code.as_deref() == Some("browser_lost") && action.kind.as_deref() != Some("in_doubt")
        };
        if let Some(lost) = entry.actions.iter().find(gone) {
            return Some(StepEnd::Over(End::BrowserLost { reason: lost.message.clone() }));
        }
        let failure = entry.failure()?;
        if failure.code.as_deref() == Some("needs_human") {
            let asked = failure.action.get("question").and_then(|question| question.as_str());
            let question = asked.unwrap_or(&failure.message).to_owned();
            return Some(StepEnd::Over(End::NeedsHuman { question }));
        }
        Some(StepEnd::Failed(failure.message.clone()))
    }

    /// What becomes of the model's word that it is done.
    pub(super) async fn claimed(&mut self, done: &Done, entry: &RecordEntry) -> StepEnd {
        let data = match self.plan.task.fit(done.data.clone()) {
            Ok(data) => data,
            // who says that it was not done owes no data
            Err(_) if !done.success => done.data.clone(),
            Err(fault) => {
                self.say(fault.clone());
                return StepEnd::Failed(fault);
            }
        };
        let end = End::Done { text: done.text.clone(), success: done.success, data };
        if !done.success {
            return StepEnd::Over(end);
        }
        let verdict = match self.judged(&end, entry).await {
            Judgement::Verdict(verdict) => verdict,
            Judgement::Nobody => return StepEnd::Over(end),
            Judgement::Stopped => return StepEnd::Over(End::Stopped),
        };
        self.tell(Event::Judged { step: self.steps, verdict: verdict.clone() });
        self.verdict = Some(verdict.clone());
        if verdict.accepted {
            return StepEnd::Over(end);
        }
        self.refusals += 1;
        if self.refusals > self.plan.limits.refusals {
            return StepEnd::Over(End::JudgedWrong { claim: done.text.clone(), reason: verdict.reason });
        }
        let feedback = verdict.feedback();
        self.say(feedback.clone());
        StepEnd::Failed(feedback)
    }

    /// Has a claim judged by the page as it is then, and by the record.
    async fn judged(&mut self, end: &End, entry: &RecordEntry) -> Judgement {
        let Some(judge) = self.plan.crew.judge.clone() else { return Judgement::Nobody };
        let page = match self.hands.look().await {
            Ok(seen) => self.fence.wrap("page", &seen.text),
            Err(_) => "The page could not be read.".to_owned(),
        };
        let mut prompt = self.aside(Role::Judge, Verdict::asked());
        // the actions of the very step that ends with the claim are evidence, too
        prompt.record.push(entry.clone());
        let data = match end {
            End::Done { data: Some(data), .. } => format!("\nWith this data: {data}"),
            _ => String::new(),
        };
        let conditions: String = self
            .plan
            .task
            .conditions
            .iter()
            .map(|condition| format!("\nIt must also hold that {condition}."))
            .collect();
        let claim = match end {
            End::Done { text, .. } => text.as_str(),
            _ => "",
        };
        let claim = self.fence.wrap("claim", &format!("{claim}{data}"));
        prompt.state = format!("# The claim\n{claim}{conditions}\n\n# The page now\n{page}");
        self.trim(&mut prompt).await;
        let mut why = String::new();
        for _ in 0..2 {
            match self.hear(&judge, &prompt).await {
                Ok(Heard::Stopped) => return Judgement::Stopped,
                Ok(Heard::Reply(reply)) => match Verdict::of(&reply) {
                    Ok(verdict) => return Judgement::Verdict(verdict),
                    Err(error) => {
                        why = error.to_string();
                        prompt.feedback = Some(format!("Your answer cannot be used: {}", error.feedback()));
                    }
                },
                Err(error) => {
                    self.fault(Role::Judge, &error);
                    why = error.to_string();
                    break;
                }
            }
        }
        let reason = format!("the claim could not be judged: {why}");
        Judgement::Verdict(Verdict { reason, ..Verdict::default() })
    }

    /// Looks once more and checks what was stated, where the model says that the task is done.
    pub(super) async fn checks(&mut self, end: &End) -> Vec<Check> {
        let conditions = self.plan.task.conditions.clone();
        if conditions.is_empty() || !matches!(end, End::Done { success: true, .. }) {
            return Vec::new();
        }
        let snapshot = self.hands.look().await.ok().map(|seen| seen.snapshot);
        let check = |condition: crate::end::Condition| {
            let held = snapshot.as_ref().is_some_and(|snapshot| condition.holds(snapshot));
            Check { condition, held }
        };
        conditions.into_iter().map(check).collect()
    }
}

/// What came of judging.
enum Judgement {
    /// A verdict; one that accepts nothing where the judge gave none.
    Verdict(Verdict),
    /// Nobody judges.
    Nobody,
    /// The run was stopped meanwhile.
    Stopped,
}
