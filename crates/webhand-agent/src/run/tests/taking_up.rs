//! A run that goes on after its process had ended, from the entries of its journal.

use super::*;
use crate::journal::{Entry, Head, Journal, JournalError, Journals};

/// A journal in memory.
#[derive(Clone, Debug, Default)]
struct Kept(Arc<Mutex<Vec<Entry>>>);

impl Kept {
    fn entries(&self) -> Vec<Entry> {
        self.0.lock().unwrap().clone()
    }

    /// The steps that were written as complete.
    fn steps(&self) -> Vec<u32> {
        let step = |entry: &Entry| match entry {
            Entry::Stepped(progress) => Some(progress.entry.step),
            _ => None,
        };
        self.entries().iter().filter_map(step).collect()
    }
}

#[async_trait]
impl Journal for Kept {
    fn run(&self) -> &str {
        "kept"
    }

    async fn write(&self, entry: Entry) -> Result<(), JournalError> {
        self.0.lock().unwrap().push(entry);
        Ok(())
    }

    async fn keep(&self, _bytes: Vec<u8>) -> Result<String, JournalError> {
        Ok("hash".to_owned())
    }
}

#[async_trait]
impl Journals for Kept {
    async fn begin(&self, head: Head) -> Result<Arc<dyn Journal>, JournalError> {
        self.write(Entry::Began(head)).await?;
        Ok(Arc::new(self.clone()))
    }
}

/// What is left of a run of three steps that was interrupted once its first `steps` were complete.
async fn left_after(steps: usize) -> Vec<Entry> {
    let kept = Kept::default();
    let whole = agent(Script::new([CLICK, CLICK, DONE]), Pretend::default());
    whole.journal(Arc::new(kept.clone()), Value::Null).run().await.unwrap();
    let mut complete = 0;
    let written = kept.entries().into_iter().take_while(|entry| {
        let before = complete;
        complete += usize::from(matches!(entry, Entry::Stepped(_)));
        before < steps
    });
    written.collect()
}

#[tokio::test]
async fn a_complete_step_is_written_once_whatever_comes_after_it() {
    let entries = left_after(1).await;
    let kept = Kept(Arc::new(Mutex::new(entries.clone())));
    assert_eq!(kept.steps(), [1]);
    let run = agent(Script::new([CLICK, CLICK, DONE]), Pretend { clicks: 1, ..Pretend::default() })
        .take_up(Arc::new(kept.clone()), entries)
        .run()
        .await
        .unwrap();
    assert!(run.succeeded() && run.steps == 3, "{run:?}");
    assert_eq!(kept.steps(), [1, 2, 3]);
    assert_eq!(run.record.iter().map(|entry| entry.step).collect::<Vec<_>>(), [1, 2, 3]);
}
