//! A journal is there for whoever comes after: other processes, later versions, a run that goes on.

use std::sync::Arc;

use webhand_agent::{
    ActionRecord, End, RecordEntry,
    journal::{Entry, Head, Journal, JournalError, Progress},
};
use webhand_journal::{RunState, Store};

fn head(task: &str) -> Head {
    let mut head = Head::default();
    (head.task, head.model) = (task.to_owned(), "literal".to_owned());
    head
}

fn stepped(step: u32) -> Entry {
    let mut progress = Progress::default();
    progress.entry.step = step;
    Entry::Stepped(Box::new(progress))
}

fn ended() -> Entry {
    let end = End::Done { text: "all".to_owned(), success: true, data: None };
    Entry::Ended { end, checks: Vec::new(), verdict: None, partial: None, at: 5 }
}

#[tokio::test]
async fn runs_are_listed_newest_first_and_say_how_they_stand() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let (mut old, mut new) = (head("old"), head("new"));
    (old.at, new.at) = (1_000, 900_000);
    let first = store.begin_run(old).await.unwrap();
    let second = store.begin_run(new).await.unwrap();
    first.write(stepped(3)).await.unwrap();
    first.write(ended()).await.unwrap();
    let other = Store::open(folder.path()).unwrap();
    let runs = other.runs(10).unwrap();
    assert_eq!(runs.iter().map(|run| run.task.as_str()).collect::<Vec<_>>(), ["new", "old"]);
    assert_eq!((runs[0].state, runs[1].state), (RunState::Running, RunState::Over));
    assert_eq!((runs[1].steps, runs[1].end.as_deref()), (3, Some("done")));
    assert!(first.run() < second.run(), "names go by time");
    assert_eq!(other.run(&second.run()[..8]).unwrap().task, "new", "the beginning of a name will do");
    assert_eq!(other.entries(first.run()).unwrap().len(), 3);
    let over = other.take_up(first.run()).await.unwrap_err();
    assert!(matches!(&over, JournalError::Over { end, .. } if end == "done") && over.hint().is_some());
    assert_eq!(other.take_up("nothing").await.unwrap_err().code(), "no_run");
    assert_eq!(store.forget(2_000).await.unwrap(), 1);
    assert_eq!(store.runs(10).unwrap().len(), 1);
}

#[tokio::test]
async fn what_is_the_same_is_kept_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let run = store.begin_run(head("x")).await.unwrap();
    let first = run.keep(b"a page".to_vec()).await.unwrap();
    assert_eq!(run.keep(b"a page".to_vec()).await.unwrap(), first);
    assert_eq!(store.artefact(&first).unwrap(), b"a page");
    assert_eq!(store.artefact("none").unwrap_err().code(), "journal");
}

#[tokio::test]
async fn many_writers_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let stores: Vec<Store> = (0..3).map(|_| Store::open(folder.path()).unwrap()).collect();
    let run = Arc::new(stores[0].begin_run(head("x")).await.unwrap());
    let writes = (0..90).map(|number| {
        let run = Arc::clone(&run);
        let store = stores[number % 3].clone();
        tokio::spawn(async move {
            let mut entry = RecordEntry::default();
            entry.actions.push(ActionRecord::default());
            run.write(stepped(u32::try_from(number).unwrap())).await.unwrap();
            store.begin_run(head(&number.to_string())).await.unwrap();
        })
    });
    for write in writes.collect::<Vec<_>>() {
        write.await.unwrap();
    }
    assert_eq!(stores[1].entries(run.run()).unwrap().len(), 91);
    assert_eq!(stores[2].runs(200).unwrap().len(), 91);
}

#[test]
fn what_is_no_journal_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("journal.db");
    std::fs::write(&file, "no database at all, but a text of some length ".repeat(50)).unwrap();
    let before = std::fs::read(&file).unwrap();
    let error = Store::open(folder.path()).unwrap_err();
    assert!(matches!(&error, JournalError::Unusable { reason, .. } if reason.contains("not a database")), "{error}");
    assert_eq!(std::fs::read(&file).unwrap(), before);
}

#[cfg(unix)]
#[test]
fn nobody_else_may_read_it() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("runs");
    Store::open(&inner).unwrap();
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&inner), mode(&inner.join("journal.db"))), (0o700, 0o600));
}
