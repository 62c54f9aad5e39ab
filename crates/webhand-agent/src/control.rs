//! What a person or a program may do to a run that is under way: pause, resume, stop, take over, hand back, say something.
//!
//! It shares no lock with the run's work.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use serde::{Deserialize, Serialize};
use tokio::sync::watch;

/// So many notes and tasks wait at most; of more the oldest are forgotten.
const MAIL: usize = 50;

/// Where a run stands, as far as it is told from outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Pace {
    /// It goes on.
    #[default]
    Going,
    /// It waits before its next step.
    Paused,
    /// It waits before its next step, and a person uses the browser.
    TakenOver,
    /// It ends.
    Stopped,
}

/// The controls of a run. Cheap to clone; all clones are of one run.
///
/// ```
/// use webhand_agent::{Pace, RunControl};
/// let control = RunControl::new();
/// control.pause();
/// control.note("the red one, please");
/// assert_eq!(control.pace(), Pace::Paused);
/// control.resume();
/// control.stop();
/// control.resume();
/// assert_eq!(control.pace(), Pace::Stopped, "what is stopped stays so");
/// ```
#[derive(Clone, Debug, Default)]
pub struct RunControl {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    pace: watch::Sender<Pace>,
    mail: Mutex<Mail>,
}

#[derive(Debug, Default)]
struct Mail {
    notes: VecDeque<String>,
    tasks: VecDeque<String>,
}

impl RunControl {
    /// Controls of a run to come.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets it wait before its next step; the actions of this one are carried out.
    pub fn pause(&self) {
        self.set(Pace::Paused);
    }

    /// Lets it go on.
    pub fn resume(&self) {
        self.set(Pace::Going);
    }

    /// Ends it: within 200 ms, also while it waits for a page or a model.
    pub fn stop(&self) {
        self.set(Pace::Stopped);
    }

    /// Lets it wait, for a person who uses the browser.
    pub fn take_over(&self) {
        self.set(Pace::TakenOver);
    }

    /// Lets it go on after a person used the browser; the model is told.
    pub fn hand_back(&self) {
        self.set(Pace::Going);
    }

    /// Says something to the model, once, at its next step.
    pub fn note(&self, words: impl Into<String>) {
        push(&mut self.mail().notes, words.into());
    }

    /// One more task, for when the present one is done, in the same browser and with the same memory.
    pub fn follow_up(&self, task: impl Into<String>) {
        push(&mut self.mail().tasks, task.into());
    }

    /// Where it stands.
    #[must_use]
    pub fn pace(&self) -> Pace {
        *self.shared.pace.borrow()
    }

    fn set(&self, to: Pace) {
        self.shared.pace.send_if_modified(|pace| {
            let changes = *pace != to && *pace != Pace::Stopped;
            if changes {
                *pace = to;
            }
            changes
        });
    }

    fn mail(&self) -> MutexGuard<'_, Mail> {
        self.shared.mail.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn notes(&self) -> Vec<String> {
        self.mail().notes.drain(..).collect()
    }

    pub(crate) fn next_task(&self) -> Option<String> {
        self.mail().tasks.pop_front()
    }

    /// Comes back once it is stopped.
    pub(crate) async fn stopped(&self) {
        let mut pace = self.shared.pace.subscribe();
        // the sender lives as long as `self`: there is no error to wait for
        let _ = pace.wait_for(|pace| *pace == Pace::Stopped).await;
    }

    /// Comes back once it goes on, or is stopped.
    pub(crate) async fn going(&self) -> Pace {
        let mut pace = self.shared.pace.subscribe();
        pace.wait_for(|pace| matches!(pace, Pace::Going | Pace::Stopped)).await.map_or(Pace::Going, |pace| *pace)
    }
}

fn push(to: &mut VecDeque<String>, words: String) {
    if words.trim().is_empty() {
        return;
    }
    if to.len() >= MAIL {
        to.pop_front();
    }
    to.push_back(words);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn who_waits_hears_of_it() {
        let control = RunControl::new();
        control.take_over();
        let waiting = tokio::spawn({
            let control = control.clone();
            async move { control.going().await }
        });
        control.hand_back();
        assert_eq!(waiting.await.unwrap(), Pace::Going);
        control.stop();
        control.stopped().await;
        assert_eq!(control.going().await, Pace::Stopped);
    }

    #[test]
    fn notes_are_told_once_and_never_more_than_can_be_kept() {
        let control = RunControl::new();
        for number in 0..60 {
            control.note(number.to_string());
        }
        control.note("  ");
        let notes = control.notes();
        assert_eq!((notes.len(), notes[0].as_str()), (50, "10"));
        assert!(control.notes().is_empty());
        control.follow_up("and now the other");
        assert_eq!(control.next_task().as_deref(), Some("and now the other"));
        assert_eq!(control.next_task(), None);
    }
}
