//! Every way in which a run can end, reached by scripted models.

use super::*;
use crate::{Abilities, Finish, RunControl, Usage, prompt::Role};

const REFUSED: &str = r#"{"accepted": false, "reason": "the page shows no order", "missing": ["the order number"]}"#;
const ACCEPTED: &str = r#"{"accepted": true, "reason": "the page says clicked 1 times", "missing": []}"#;

/// A model that fails in turn with these, then answers as the script does.
#[derive(Debug)]
struct Failing {
    errors: Mutex<Vec<ModelError>>,
    then: Script,
}

impl Failing {
    fn with(errors: impl IntoIterator<Item = ModelError>, then: Script) -> Self {
        Self { errors: Mutex::new(errors.into_iter().collect()), then }
    }
}

#[async_trait]
impl Model for Failing {
    fn name(&self) -> &str {
        "failing"
    }

    async fn reply(&self, prompt: &Prompt) -> Result<ModelReply, ModelError> {
        let next = {
            let mut errors = self.errors.lock().unwrap();
            if errors.is_empty() { None } else { Some(errors.remove(0)) }
        };
        match next {
            Some(error) => Err(error),
            None => self.then.reply(prompt).await,
        }
    }
}

fn unreachable() -> ModelError {
    ModelError::Unreachable { name: "failing".to_owned(), reason: "503".to_owned() }
}

fn limited(seconds: u64) -> ModelError {
    let again_after = Some(Duration::from_secs(seconds));
    ModelError::Limited { name: "failing".to_owned(), reason: "429".to_owned(), again_after }
}

fn heard() -> (Arc<Mutex<Vec<Event>>>, impl FnMut(&Event) + Send + 'static) {
    let kept = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&kept);
    (kept, move |event: &Event| keep.lock().unwrap().push(event.clone()))
}

#[tokio::test]
async fn a_claim_that_the_judge_refuses_goes_back_twice_and_then_ends_as_judged_wrong() {
    let script =
        Script::new([DONE; 3]).and_as(Role::Judge, REFUSED).and_as(Role::Judge, REFUSED).and_as(Role::Judge, REFUSED);
    let (events, hear) = heard();
    let run = agent(script, Pretend::default()).on_event(hear).run().await.unwrap();
    assert_eq!(run.end, End::JudgedWrong { claim: "saved".to_owned(), reason: "the page shows no order".to_owned() });
    assert!(!run.succeeded() && run.steps == 3);
    let judged = events.lock().unwrap().iter().filter(|event| matches!(event, Event::Judged { .. })).count();
    assert_eq!(judged, 3);
}

#[tokio::test]
async fn a_claim_may_be_made_good_after_a_refusal() {
    let script = Script::new([DONE, CLICK, DONE]).and_as(Role::Judge, REFUSED).and_as(Role::Judge, ACCEPTED);
    let run = agent(script, Pretend::default()).run().await.unwrap();
    assert!(run.succeeded() && run.steps == 3, "{run:?}");
    assert!(run.verdict.unwrap().accepted);
}

#[tokio::test]
async fn a_judge_that_gives_no_verdict_bears_nothing_out() {
    let script = Script::new([DONE; 3]).and_as(Role::Judge, "looks fine").and_as(Role::Judge, "very fine");
    let run = agent(script, Pretend::default()).run().await.unwrap();
    assert!(matches!(&run.end, End::JudgedWrong { reason, .. } if reason.contains("could not be judged")), "{run:?}");
}

#[tokio::test]
async fn a_run_that_admits_failure_is_not_judged() {
    let script = Script::new([DONE.replace("true", "false")]).and_as(Role::Judge, REFUSED);
    let run = agent(script, Pretend::default()).run().await.unwrap();
    assert!(matches!(run.end, End::Done { success: false, .. }) && run.verdict.is_none());
}

#[tokio::test]
async fn each_budget_ends_the_run_with_what_is_known() {
    let keep = r#"{"state":{"memory":"half way"},"actions":[{"type":"remember","key":"order","value":"WH-1"},{"type":"click","ref":"B1"}]}"#;
    let reply = || ModelReply::text(keep).costing(Usage { micro_usd: Some(400), ..Usage::tokens(900, 100) });
    let script = || (0..9).fold(Script::new([""; 0]), |script, _| script.and_as(Role::Navigator, reply()));
    for (limits, code, steps) in [
        (Limits { steps: 2, ..Limits::default() }, "step_limit", 2),
        (Limits { tokens: Some(2_500), ..Limits::default() }, "token_limit", 3),
        (Limits { micro_usd: Some(1_000), ..Limits::default() }, "cost_limit", 3),
        (Limits { time: Some(Duration::ZERO), ..Limits::default() }, "time_limit", 0),
    ] {
        let run = agent(script(), Pretend::default()).limits(limits).run().await.unwrap();
        assert_eq!((run.end.code(), run.steps), (code, steps), "{:?}", run.end);
        if steps > 0 {
            assert_eq!(run.partial.as_deref(), Some("order: WH-1\nhalf way"));
        }
        assert!(!run.succeeded());
    }
}

#[tokio::test]
async fn three_quarters_of_a_budget_are_told_and_on_the_last_step_it_is_said() {
    let asked = Asked::default();
    let prompts = Arc::clone(&asked.1);
    let (events, hear) = heard();
    let run = agent(asked, Pretend::default()).max_steps(4).on_event(hear).run().await.unwrap();
    assert_eq!(run.end.code(), "step_limit");
    let warned: Vec<u32> = events
        .lock()
        .unwrap()
        .iter()
        .filter_map(|event| match event {
            Event::BudgetWarning { step, .. } => Some(*step),
            _ => None,
        })
        .collect();
    assert_eq!(warned, [3]);
    let prompts = prompts.lock().unwrap();
    assert!(prompts[2].contains("3 of 4 steps are spent"), "{}", prompts[2]);
    assert!(prompts[3].contains("This is the last step"), "{}", prompts[3]);
}

#[tokio::test]
async fn a_refusal_ends_the_run_or_goes_to_the_fallback() {
    let unwilling = "I'm sorry, but I can't help with that request.";
    let run = agent(Script::new([unwilling]), Pretend::default()).run().await.unwrap();
    assert_eq!(run.end, End::Refused { reason: unwilling.to_owned() });
    let filtered = Script::new([""; 0]).and_as(Role::Navigator, ModelReply::text("").finished(Finish::Filtered));
    let run = agent(filtered, Pretend::default()).run().await.unwrap();
    assert_eq!(run.end.code(), "refused");
    let other = Arc::new(Script::new([CLICK, DONE]));
    let run = agent(Script::new([unwilling]), Pretend::default()).fallback(other).run().await.unwrap();
    assert!(run.succeeded(), "{:?}", run.end);
}

#[tokio::test(start_paused = true)]
async fn a_model_that_is_out_of_reach_for_a_moment_is_asked_again_and_its_wait_is_honoured() {
    let began = tokio::time::Instant::now();
    let model = Failing::with([unreachable(), limited(7)], Script::new([CLICK, DONE]));
    let run = agent(model, Pretend::default()).run().await.unwrap();
    assert!(run.succeeded(), "{:?}", run.end);
    let took = began.elapsed();
    assert!(took >= Duration::from_millis(7_700) && took < Duration::from_secs(9), "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn a_model_that_stays_away_gives_way_to_the_fallback_or_ends_the_run() {
    let gone = || Failing::with(vec![unreachable(); 9], Script::new([DONE]));
    let run = agent(gone(), Pretend::default()).run().await.unwrap();
    assert!(matches!(&run.end, End::ModelFailed { code, .. } if code == "model_unreachable"), "{:?}", run.end);
    let run = agent(gone(), Pretend::default()).fallback(Arc::new(Script::new([CLICK, DONE]))).run().await.unwrap();
    assert!(run.succeeded() && run.steps == 2, "{:?}", run.end);
    let long = Failing::with([limited(3_600)], Script::new([DONE]));
    let run = agent(long, Pretend::default()).run().await.unwrap();
    assert!(matches!(&run.end, End::ModelFailed { code, .. } if code == "model_limited"), "{:?}", run.end);
}

#[tokio::test]
async fn what_is_set_up_wrongly_is_said_at_once() {
    let fault = crate::SetUpFault::NoKey;
    let error = ModelError::SetUp { name: "x".to_owned(), fault, reason: "there is no key".to_owned() };
    let run = agent(Failing::with([error], Script::new([DONE])), Pretend::default()).run().await.unwrap();
    assert!(matches!(&run.end, End::ModelFailed { hint: Some(hint), .. } if hint.contains("key")), "{:?}", run.end);
}

#[tokio::test]
async fn a_person_who_is_needed_and_not_there_ends_the_run_with_the_question() {
    let ask = r#"{"actions":[{"type":"ask_human","question":"Which account?"}]}"#;
    let hands = Pretend { failing: Some(ErrorCode::NeedsHuman), ..Pretend::default() };
    let (events, hear) = heard();
    let run = agent(Script::new([ask]), hands).on_event(hear).run().await.unwrap();
    assert_eq!(run.end, End::NeedsHuman { question: "Which account?".to_owned() });
    let asked = |event: &Event| matches!(event, Event::HumanAsked { question, .. } if question == "Which account?");
    assert!(events.lock().unwrap().iter().any(asked));
}

#[tokio::test(start_paused = true)]
async fn a_run_is_stopped_while_its_model_thinks() {
    let control = RunControl::new();
    let run = tokio::spawn(agent(Silent, Pretend::default()).controlled_by(&control).run());
    tokio::task::yield_now().await;
    let began = tokio::time::Instant::now();
    control.stop();
    let run = run.await.unwrap().unwrap();
    assert_eq!(run.end, End::Stopped);
    assert!(began.elapsed() < Duration::from_millis(200));
}

#[tokio::test]
async fn a_paused_run_goes_on_and_hears_what_was_said_meanwhile() {
    let control = RunControl::new();
    let (asked, other) = (Asked::default(), control.clone());
    let prompts = Arc::clone(&asked.1);
    control.take_over();
    let hear = move |event: &Event| {
        if matches!(event, Event::Pace { pace: crate::Pace::TakenOver, .. }) {
            other.note("the red one, please");
            other.hand_back();
        }
    };
    let run = agent(asked, Pretend::default()).max_steps(1).controlled_by(&control).on_event(hear).run().await.unwrap();
    assert_eq!(run.end.code(), "step_limit");
    let prompt = prompts.lock().unwrap()[0].clone();
    assert!(prompt.contains("# From the person you work for\nthe red one, please"), "{prompt}");
    assert!(prompt.contains("A person used the browser meanwhile"), "{prompt}");
}

#[tokio::test]
async fn a_task_that_follows_keeps_browser_and_memory() {
    let remember = r#"{"actions":[{"type":"remember","key":"number","value":"WH-1"},{"type":"done","text":"one","success":true}]}"#;
    let control = RunControl::new();
    control.follow_up("and now the other");
    let (events, hear) = heard();
    let run = agent(Script::new([remember, CLICK, DONE]), Pretend::default())
        .controlled_by(&control)
        .on_event(hear)
        .run()
        .await
        .unwrap();
    assert_eq!((run.answer(), run.steps, run.facts.len()), (Some("saved"), 3, 1));
    let follows = |event: &Event| matches!(event, Event::TaskFollows { task, .. } if task == "and now the other");
    assert!(events.lock().unwrap().iter().any(follows));
}

#[tokio::test]
async fn data_that_breaks_the_tasks_schema_goes_back_with_the_fields_name() {
    let schema = json!({"type": "object", "properties": {"total": {"type": "number"}}, "required": ["total"]});
    let done =
        |data: Value| json!({"actions": [{"type": "done", "text": "x", "success": true, "data": data}]}).to_string();
    let replies = [done(json!({"total": "a lot"})), done(json!({"total": "12.5"}))];
    let run = agent(Script::new(replies), Pretend::default()).output_schema(schema).run().await.unwrap();
    assert_eq!((run.steps, run.data()), (2, Some(&json!({"total": 12.5}))));
    let wrong = agent(Script::new([DONE]), Pretend::default()).output_schema(json!({"type": "colour"})).run().await;
    assert_eq!(wrong.unwrap_err().code(), "bad_schema");
}

#[tokio::test]
async fn who_gets_nowhere_is_nudged_then_planned_for_then_refused_then_stuck() {
    let plan = r#"{"stands": "nothing is saved", "next": ["reload the page"], "avoid": ["the Save button"], "finished": false}"#;
    let hands = Pretend { deaf: true, ..Pretend::default() };
    let (events, hear) = heard();
    let planner = Arc::new(Script::new([""; 0]).and_as(Role::Planner, plan).and_as(Role::Planner, plan));
    let run = agent(Script::new(vec![CLICK; 9]), hands).planner(planner).on_event(hear).run().await.unwrap();
    assert!(matches!(run.end, End::Stuck { .. }), "{:?}", run.end);
    let events = events.lock().unwrap();
    let planned: Vec<u32> = events
        .iter()
        .filter_map(|event| match event {
            Event::Planned { step, .. } => Some(*step),
            _ => None,
        })
        .collect();
    assert_eq!(planned, [1, 5], "at the start, and once the same was wanted four times");
    assert_eq!(run.steps, 6);
    assert!(run.record[4].fault.as_deref().unwrap().contains("Not carried out"), "{:?}", run.record[4]);
}

#[tokio::test]
async fn going_back_and_forth_is_stuck() {
    let other = CLICK.replace("}]}", ",\"count\":2}]}");
    let hands = Pretend { deaf: true, ..Pretend::default() };
    let replies: Vec<&str> = (0..20).map(|step| if step % 2 == 0 { CLICK } else { other.as_str() }).collect();
    let run = agent(Script::new(replies), hands).run().await.unwrap();
    assert!(matches!(run.end, End::Stuck { .. }) && run.steps == 11, "{:?} {}", run.end, run.steps);
}

/// A model whose window is small, and that says so where a prompt is too long all the same.
#[derive(Debug)]
struct Narrow(Script, Mutex<u32>);

#[async_trait]
impl Model for Narrow {
    fn name(&self) -> &str {
        "narrow"
    }

    fn abilities(&self) -> Abilities {
        Abilities::usual().window(16_000)
    }

    async fn reply(&self, prompt: &Prompt) -> Result<ModelReply, ModelError> {
        let complains = prompt.record.len() > 6 && std::mem::replace(&mut *self.1.lock().unwrap(), 1) == 0;
        if complains {
            return Err(ModelError::TooLong { name: "narrow".to_owned(), reason: "too many tokens".to_owned() });
        }
        self.0.reply(prompt).await
    }
}

#[tokio::test]
async fn a_prompt_that_is_too_long_is_trimmed_and_sent_once_more() {
    let replies: Vec<&str> = std::iter::repeat_n(CLICK, 9).chain([DONE]).collect();
    let run = agent(Narrow(Script::new(replies), Mutex::new(0)), Pretend::default()).run().await.unwrap();
    assert!(run.succeeded() && run.steps == 10, "{:?}", run.end);
}

#[tokio::test]
async fn a_fact_of_the_second_step_is_there_at_the_sixtieth() {
    let remember = r#"{"actions":[{"type":"remember","key":"order","value":"WH-1042"}]}"#;
    let long = json!({"state": {"next_goal": "go on ".repeat(40), "memory": "so far so good ".repeat(40)},
        "actions": [{"type": "click", "ref": "B1"}]})
    .to_string();
    let replies: Vec<&str> =
        [long.as_str(), remember].into_iter().chain(std::iter::repeat_n(long.as_str(), 57)).chain([DONE]).collect();
    let model = Narrow(Script::new(replies), Mutex::new(1));
    let (events, hear) = heard();
    let limits = Limits { steps: 70, ..Limits::default() };
    let run = agent(model, Pretend::default()).limits(limits).on_event(hear).run().await.unwrap();
    assert!(run.succeeded() && run.steps == 60, "{:?}", run.end);
    assert_eq!(run.facts[0].value, "WH-1042");
    let estimates: Vec<u64> = events
        .lock()
        .unwrap()
        .iter()
        .filter_map(|event| match event {
            Event::Replied { estimated, .. } => Some(*estimated),
            _ => None,
        })
        .collect();
    assert!(estimates.iter().all(|tokens| *tokens <= 16_000 - 4_096), "{estimates:?}");
    assert!(events.lock().unwrap().iter().any(|event| matches!(event, Event::Trimmed { .. })));
}
