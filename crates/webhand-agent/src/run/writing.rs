//! Writes a run down as it goes, where it has a journal.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::{Runner, milliseconds};
use crate::{
    agent::AgentError,
    end::{Check, End},
    event::Event,
    journal::{Entry, Progress},
    model::ModelReply,
    prompt::{Prompt, Role},
    record::RecordEntry,
};

impl Runner<'_> {
    /// What the journal calls the run.
    pub(super) fn id(&self) -> Option<String> {
        self.plan.journal.as_ref().map(|journal| journal.run().to_owned())
    }

    pub(super) async fn write(&mut self, entry: Entry) -> Result<(), AgentError> {
        if let Some(error) = self.journal_fault.take() {
            return Err(error.into());
        }
        match &self.plan.journal {
            Some(journal) => Ok(journal.write(entry).await?),
            None => Ok(()),
        }
    }

    async fn kept(&mut self, bytes: Vec<u8>) -> Result<String, AgentError> {
        match &self.plan.journal {
            Some(journal) if !bytes.is_empty() => Ok(journal.keep(bytes).await?),
            _ => Ok(String::new()),
        }
    }

    pub(super) async fn write_asked(&mut self, prompt: &Prompt, model: &str) -> Result<(), AgentError> {
        if self.plan.journal.is_none() {
            return Ok(());
        }
        let text = self.kept(prompt.text().into_bytes()).await?;
        let entry = Entry::Asked { step: self.steps, role: prompt.role, model: model.to_owned(), prompt: text };
        self.write(entry).await
    }

    pub(super) async fn write_replied(&mut self, role: Role, reply: &ModelReply) -> Result<(), AgentError> {
        self.write(Entry::Replied { step: self.steps, role, reply: reply.clone() }).await
    }

    /// A step is complete: where the run stands now.
    pub(super) async fn write_step(
        &mut self,
        entry: &RecordEntry,
        page: (&str, &str),
        picture: Option<&Vec<u8>>,
        took: Duration,
    ) -> Result<(), AgentError> {
        if self.plan.journal.is_none() {
            return Ok(());
        }
        let (url, text) = page;
        let page = self.kept(text.as_bytes().to_vec()).await?;
        let picture = match picture {
            Some(picture) => Some(self.kept(picture.clone()).await?),
            None => None,
        };
        let progress = Progress {
            entry: entry.clone(),
            url: url.to_owned(),
            page,
            picture,
            facts: self.memory.facts.clone(),
            plan: self.memory.plan.clone(),
            usage: self.usage,
            failures: self.failures,
            refusals: self.refusals,
            feedback: self.feedback.clone(),
            elapsed_ms: milliseconds(self.spent().time),
            step_ms: milliseconds(took),
        };
        self.write(Entry::Stepped(Box::new(progress))).await?;
        self.tell(Event::Checkpoint { step: self.steps });
        Ok(())
    }

    pub(super) async fn write_end(
        &mut self,
        end: &End,
        checks: &[Check],
        partial: Option<&String>,
    ) -> Result<(), AgentError> {
        let at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, milliseconds);
        let (end, checks, verdict) = (end.clone(), checks.to_vec(), self.verdict.clone());
        self.write(Entry::Ended { end, checks, verdict, partial: partial.cloned(), at }).await
    }
}
