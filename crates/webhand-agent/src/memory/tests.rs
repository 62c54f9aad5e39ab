//! What is remembered and how much of it a prompt holds, over many steps.

use std::time::Duration;

use super::*;
use crate::{model::ModelReply, models::Script, prompt::Role, record::ActionRecord};

fn step(number: u32, words: usize) -> RecordEntry {
    let action = ActionRecord {
        name: "click".to_owned(),
        ran: true,
        ok: true,
        message: format!("clicked B{number} {}", "and something followed ".repeat(words)),
        ..ActionRecord::default()
    };
    RecordEntry {
        step: number,
        goal: format!("go on with part {number}"),
        memory: format!("{number} of many parts are done"),
        actions: vec![action],
        changed: format!("+ text \"part {number}\""),
        ..RecordEntry::default()
    }
}

fn prompt() -> Prompt {
    Prompt { task: "do many parts".to_owned(), state: "page ".repeat(300), step: 1, ..Prompt::default() }
}

async fn fitted(
    memory: &mut Memory,
    room: u64,
    compaction: &dyn Compaction,
    model: &Arc<dyn Model>,
) -> (Prompt, Trimmed) {
    let fence = Fence::with_token("k7Qx");
    let by = Trimmer { compaction, model, fence: &fence, task: "do many parts", within: Duration::from_secs(5) };
    let mut prompt = prompt();
    memory.fill(&mut prompt);
    let trimmed = memory.fit(&mut prompt, room, &by).await;
    (prompt, trimmed)
}

fn nobody() -> Arc<dyn Model> {
    Arc::new(Script::new(["never asked"]))
}

#[tokio::test]
async fn a_prompt_never_exceeds_its_room_and_its_growth_is_flat() {
    let mut memory = Memory::default();
    memory.keep(Fact { key: "order".into(), value: "WH-1042".into(), source: "http://shop/".into(), from_page: true });
    let (room, mut sizes, mut trims) = (4_000, Vec::new(), 0);
    for number in 1..=300 {
        let (prompt, trimmed) = fitted(&mut memory, room, &KeepLast, &nobody()).await;
        assert!(tokens(&prompt, room) <= room, "step {number}");
        assert!(prompt.message().contains("WH-1042"), "step {number}");
        let last: Vec<u32> = prompt.record.iter().rev().take(2).map(|entry| entry.step).collect();
        assert!(
            last.iter().enumerate().all(|(back, step)| *step == number - 1 - back as u32),
            "step {number}: {last:?}"
        );
        trims += usize::from(trimmed.steps > 0);
        sizes.push(trimmed.tokens);
        memory.record.push(step(number, 12));
    }
    assert!((3..60).contains(&trims), "{trims}: the beginning stays the same over many steps");
    let most = |part: &[u64]| part.iter().max().copied().unwrap();
    assert!(most(&sizes[200..]) <= most(&sizes[50..150]) + 50, "it grows no more");
}

#[tokio::test]
async fn what_a_summary_says_stands_for_the_steps_that_went() {
    let mut memory = Memory::default();
    memory.record.extend((1..=40).map(|number| step(number, 12)));
    let model: Arc<dyn Model> = Arc::new(Script::new(["x"]).and_as(Role::Summary, "Parts 1 to 30 are done; code 77."));
    let (prompt, trimmed) = fitted(&mut memory, 2_500, &Summarise::new(), &model).await;
    assert!(trimmed.steps > 10 && trimmed.fault.is_none(), "{trimmed:?}");
    let text = prompt.message();
    assert!(text.contains("as a summary that a model made\nParts 1 to 30 are done; code 77."), "{text}");
    assert_eq!(prompt.record.len() + trimmed.steps, 40);
}

#[tokio::test]
async fn without_an_answer_the_steps_are_left_out_all_the_same() {
    let mut memory = Memory::default();
    memory.record.extend((1..=40).map(|number| step(number, 12)));
    let (prompt, trimmed) = fitted(&mut memory, 2_500, &Summarise::new(), &nobody()).await;
    assert!(trimmed.steps > 10 && trimmed.tokens <= 2_500, "{trimmed:?}");
    assert_eq!(trimmed.fault.unwrap().code(), "script_ended");
    assert!(prompt.message().contains(" are not shown any more"));
}

#[tokio::test]
async fn the_last_two_steps_stay_and_are_cut_where_nothing_else_helps() {
    let mut memory = Memory::default();
    memory.record.extend([step(1, 5), step(2, 4_000), step(3, 4_000)]);
    let (prompt, trimmed) = fitted(&mut memory, 2_500, &KeepLast, &nobody()).await;
    assert_eq!(prompt.record.iter().map(|entry| entry.step).collect::<Vec<_>>(), [2, 3]);
    assert!(trimmed.tokens <= 2_500 && prompt.message().contains(" … (cut)"), "{trimmed:?}");
}

#[test]
fn facts_are_kept_by_name_and_the_models_own_notes_go_first() {
    let mut memory = Memory::default();
    let fact = |key: &str, from_page: bool| Fact { key: key.to_owned(), from_page, ..Fact::default() };
    memory.keep(fact("seen", true));
    memory.keep(Fact { value: "x".repeat(9_000), ..fact("noted", false) });
    memory.keep(fact("noted", false));
    assert_eq!(memory.facts.len(), 2);
    for number in 0..FACTS {
        memory.keep(fact(&format!("seen {number}"), true));
    }
    assert!(memory.facts.len() == FACTS && memory.facts.iter().all(|fact| fact.key != "noted"));
}

#[test]
fn a_reply_that_costs_adds_up() {
    let mut usage = Usage::default();
    usage += ModelReply::text("x").costing(Usage { micro_usd: Some(5), cached: 2, ..Usage::tokens(10, 3) }).usage;
    usage += Usage::tokens(1, 1);
    assert_eq!(usage, Usage { input: 11, output: 4, cached: 2, micro_usd: Some(5) });
}
