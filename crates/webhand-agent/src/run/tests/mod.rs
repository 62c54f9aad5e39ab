//! The loop without a browser: scripted models, hands that play a page.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use async_trait::async_trait;
use serde_json::{Value, json};
use webhand_action::{
    catalogue::{Action, Catalogue},
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    schema::Shape,
};
use webhand_page::Snapshot;

use crate::{
    Agent, AgentError, Budget, Condition, End, Event, Limits, Model, ModelError, ModelReply, Prompt,
    hands::{Acted, Hands, Onlook, Seen, Unseen},
    models::{Literal, Script},
};

/// Hands on a page with a button B1; a click adds its number to the page, unless clicks fail.
#[derive(Default)]
struct Pretend {
    catalogue: Arc<Catalogue>,
    clicks: u32,
    deaf: bool,
    failing: Option<ErrorCode>,
    lost: bool,
    /// How many looks fail before one succeeds.
    unread: u32,
    /// Everything after the first action of a reply is left out.
    brake: bool,
}

fn button() -> Value {
    json!({
        "depth": 0, "frame": 0, "role": "button", "name": "Save", "level": null, "in_view": true,
        "control": {"ref": "B1", "new": false, "tag": "button", "kind": null, "rect": [0.0, 0.0, 9.0, 9.0],
            "attributes": {}, "item": 0, "guessed_name": false, "state": {}},
    })
}

#[async_trait]
impl Hands for Pretend {
    fn catalogue(&self) -> &Arc<Catalogue> {
        &self.catalogue
    }

    async fn look(&mut self) -> Result<Seen, Unseen> {
        if self.lost {
            return Err(Unseen::Lost("it is gone".to_owned()));
        }
        if self.unread > 0 {
            self.unread -= 1;
            return Err(Unseen::Unread("it does not answer".to_owned()));
        }
        let mut snapshot = Snapshot::default();
        snapshot.page.url = "http://127.0.0.1/".to_owned();
        snapshot.nodes.push(serde_json::from_value(button()).unwrap());
        let mut text = json!({"depth": 0, "frame": 0, "role": "text", "name": "", "level": null, "in_view": true, "control": null});
        text["name"] = Value::from(format!("clicked {} times", self.clicks));
        snapshot.nodes.push(serde_json::from_value(text).unwrap());
        Ok(Seen {
            text: format!("B1 button \"Save\"\nclicked {} times", self.clicks),
            snapshot: Arc::new(snapshot),
            ..Seen::default()
        })
    }

    async fn act(&mut self, actions: &[Action], onlooker: &mut dyn Onlook) -> Vec<Acted> {
        let mut acted = Vec::new();
        for (index, action) in actions.iter().enumerate() {
            if let Err(why) = onlooker.before(index, action).await {
                acted.push(Acted::LeftOut(action.clone(), why));
                continue;
            }
            if self.brake && !acted.is_empty() {
                acted.push(Acted::LeftOut(action.clone(), "the page changed".to_owned()));
                continue;
            }
            let outcome = match self.failing {
                Some(code) => Outcome::failed(action.clone(), ActionError::new(code, "it did not work")),
                None => Outcome::done(action.clone(), "ok"),
            };
            if outcome.ok && action.name() == "click" && !self.deaf {
                self.clicks += 1;
            }
            onlooker.after(index, &outcome, None).await;
            acted.push(Acted::Ran(Box::new(outcome)));
        }
        acted
    }

    async fn picture(&mut self, _within: Duration) -> Option<Vec<u8>> {
        Some(vec![0xFF, 0xD8])
    }
}

fn agent(model: impl Model + 'static, mut hands: Pretend) -> Agent {
    hands.catalogue = Arc::new(Catalogue::built_in());
    Agent::with_hands(Arc::new(model), Box::new(hands)).task("click \"Save\"")
}

const CLICK: &str = r#"{"state":{"next_goal":"save"},"actions":[{"type":"click","ref":"B1"}]}"#;
const DONE: &str = r#"{"state":{},"actions":[{"type":"done","text":"saved","success":true}]}"#;

#[tokio::test]
async fn a_run_ends_with_the_models_word_and_the_stated_conditions() {
    let run = agent(Script::new([CLICK, DONE]), Pretend::default())
        .expect(Condition::Shows("clicked 1 times".to_owned()))
        .run()
        .await
        .unwrap();
    assert_eq!(run.end, End::Done { text: "saved".to_owned(), success: true, data: None });
    assert!(run.succeeded());
    assert_eq!(run.steps, 2);
    assert!(run.record[0].went_well());
}

#[tokio::test]
async fn a_claim_that_the_page_does_not_bear_out_is_no_success() {
    let run = agent(Script::new([DONE]), Pretend::default())
        .expect(Condition::Shows("clicked 1 times".to_owned()))
        .run()
        .await
        .unwrap();
    assert!(matches!(run.end, End::Done { success: true, .. }));
    assert!(!run.succeeded());
}

#[tokio::test]
async fn the_literal_model_goes_the_way_of_every_model() {
    let run = agent(Literal::new(), Pretend::default()).run().await.unwrap();
    assert!(run.succeeded(), "{:?}", run.end);
    let run = agent(Literal::new(), Pretend::default()).task("click \"Delete\"").run().await.unwrap();
    assert!(matches!(&run.end, End::Done { success: false, text, .. } if text.contains("Delete")), "{:?}", run.end);
}

#[tokio::test]
async fn an_answer_that_cannot_be_used_goes_back_once_with_the_reason() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&seen);
    let run = agent(Script::new(["I would click.", CLICK, DONE]), Pretend::default())
        .on_event(move |event| keep.lock().unwrap().push(event.clone()))
        .run()
        .await
        .unwrap();
    assert!(run.succeeded());
    assert_eq!(run.steps, 2, "the second try is part of the same step");
    let seen = seen.lock().unwrap();
    assert!(seen.iter().any(|event| matches!(event, Event::Refused { code, .. } if code == "no_json")), "{seen:?}");
    assert!(matches!(seen.last(), Some(Event::RunEnded { .. })));
}

#[tokio::test]
async fn an_unknown_ref_runs_nothing_and_of_many_actions_the_first_are_tried() {
    let unknown = r#"{"actions":[{"type":"click","ref":"B1"},{"type":"click","ref":"B99"}]}"#;
    let click = json!({"type": "click", "ref": "B1"});
    let many = json!({"actions": vec![click; 40]}).to_string();
    let run = agent(Script::new([unknown, many.as_str(), DONE]), Pretend::default()).run().await.unwrap();
    assert_eq!(run.steps, 2);
    let tried = run.record[0].actions.iter().filter(|action| action.ran).count();
    assert_eq!((tried, run.record[0].actions.len()), (10, 40));
    assert!(run.record[0].actions[10].message.contains("10 actions"), "{:?}", run.record[0].actions[10]);
}

#[tokio::test]
async fn failures_in_a_row_end_the_run() {
    let hands = Pretend { failing: Some(ErrorCode::NotInteractable), ..Pretend::default() };
    let replies: Vec<String> =
        (0..9).map(|number| CLICK.replace("}]}", &format!(",\"count\":{}}}]}}", number % 3 + 1))).collect();
    let run = agent(Script::new(replies), hands).run().await.unwrap();
    assert_eq!(run.end, End::Failed { failures: 5, reason: "it did not work".to_owned() });
}

#[tokio::test]
async fn done_after_a_failed_action_is_not_taken() {
    let hands = Pretend { failing: Some(ErrorCode::NoEffect), ..Pretend::default() };
    let both = r#"{"actions":[{"type":"click","ref":"B1"},{"type":"done","text":"saved","success":true}]}"#;
    let give_up = DONE.replace("true", "false");
    let run = agent(Script::new([both, give_up.as_str()]), hands).run().await.unwrap();
    assert!(matches!(run.end, End::Done { success: false, .. }), "{:?}", run.end);
    assert_eq!(run.steps, 2);
}

#[tokio::test]
async fn the_same_over_and_over_on_the_same_page_is_stuck() {
    let hands = Pretend { deaf: true, ..Pretend::default() };
    let run = agent(Script::new(vec![CLICK; 9]), hands).run().await.unwrap();
    assert!(matches!(run.end, End::Stuck { .. }), "{:?}", run.end);
    assert_eq!(run.steps, 6);
    let run = agent(Script::new(vec![CLICK; 60]), Pretend::default()).max_steps(8).run().await.unwrap();
    assert_eq!(
        run.end,
        End::OutOfBudget { budget: Budget::Steps, spent: "8 of 8 steps".to_owned() },
        "a page that changes is no repetition"
    );
}

#[tokio::test]
async fn a_lost_browser_and_a_failing_model_are_said() {
    let run = agent(Script::new([CLICK]), Pretend { lost: true, ..Pretend::default() }).run().await.unwrap();
    assert_eq!(run.end, End::BrowserLost { reason: "it is gone".to_owned() });
    let hands = Pretend { failing: Some(ErrorCode::BrowserLost), ..Pretend::default() };
    let run = agent(Script::new([CLICK]), hands).run().await.unwrap();
    assert!(matches!(run.end, End::BrowserLost { .. }), "{:?}", run.end);
    let run = agent(Script::new([CLICK]), Pretend::default()).run().await.unwrap();
    assert!(matches!(&run.end, End::ModelFailed { code, .. } if code == "script_ended"), "{:?}", run.end);
}

#[tokio::test]
async fn a_page_that_cannot_be_read_is_tried_again_and_then_given_up() {
    let run = agent(Script::new([CLICK, DONE]), Pretend { unread: 4, ..Pretend::default() }).run().await.unwrap();
    assert!(run.succeeded() && run.steps == 6, "{run:?}");
    let run = agent(Script::new([CLICK, DONE]), Pretend { unread: 5, ..Pretend::default() }).run().await.unwrap();
    assert_eq!(run.end, End::Failed { failures: 5, reason: "it does not answer".to_owned() });
}

#[tokio::test]
async fn what_was_left_out_is_no_success() {
    let two = r#"{"actions":[{"type":"click","ref":"B1"},{"type":"click","ref":"B1","count":2},{"type":"done","text":"x","success":true}]}"#;
    let run = agent(Script::new([two, DONE]), Pretend { brake: true, ..Pretend::default() }).run().await.unwrap();
    assert_eq!(run.steps, 2, "a done that stands after something left out is not taken");
    let left_out = run.record[0].failure().unwrap();
    assert!(!left_out.ran && left_out.message == "the page changed");
}

/// Clicks, and keeps the schemas and the prompts it was given.
#[derive(Debug, Default)]
struct Asked(Arc<Mutex<Vec<Value>>>, Arc<Mutex<Vec<String>>>);

#[async_trait]
impl Model for Asked {
    fn name(&self) -> &str {
        "asked"
    }

    async fn reply(&self, prompt: &Prompt) -> Result<ModelReply, ModelError> {
        self.0.lock().unwrap().push(prompt.asked.schema(Shape::Union).unwrap());
        self.1.lock().unwrap().push(prompt.text());
        Ok(ModelReply::text(CLICK))
    }
}

#[tokio::test]
async fn what_can_serve_is_offered_and_at_the_end_only_done() {
    let asked = Asked::default();
    let schemas = Arc::clone(&asked.0);
    let run = agent(asked, Pretend::default()).max_steps(2).run().await.unwrap();
    assert_eq!(run.end, End::OutOfBudget { budget: Budget::Steps, spent: "2 of 2 steps".to_owned() });
    let schemas: Vec<String> = schemas.lock().unwrap().iter().map(Value::to_string).collect();
    assert!(schemas[0].contains("\"click\"") && !schemas[0].contains("\"dialog\""), "no dialog is open");
    assert!(schemas[1].contains("\"done\"") && !schemas[1].contains("\"click\""));
}

#[derive(Debug)]
struct Silent;

#[async_trait]
impl Model for Silent {
    fn name(&self) -> &str {
        "silent"
    }

    async fn reply(&self, _prompt: &Prompt) -> Result<ModelReply, ModelError> {
        std::future::pending().await
    }
}

#[tokio::test(start_paused = true)]
async fn a_model_that_never_answers_is_given_up() {
    let limits = Limits { model: Duration::from_secs(3), ..Limits::default() };
    let run = agent(Silent, Pretend::default()).limits(limits).run().await.unwrap();
    assert!(matches!(&run.end, End::ModelFailed { code, .. } if code == "model_timeout"), "{:?}", run.end);
}

#[tokio::test]
async fn facts_are_kept_with_their_page() {
    let remember = r#"{"actions":[{"type":"remember","key":"number","value":"WH-1"}]}"#;
    let run = agent(Script::new([remember, DONE]), Pretend::default()).run().await.unwrap();
    assert_eq!(run.facts.len(), 1);
    assert_eq!((run.facts[0].value.as_str(), run.facts[0].source.as_str()), ("WH-1", "http://127.0.0.1/"));
}

#[tokio::test]
async fn a_run_folder_holds_the_record_the_pictures_and_the_result() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().join("run");
    let run = agent(Script::new([CLICK, DONE]), Pretend::default()).record_to(&folder).run().await.unwrap();
    assert_eq!(run.folder.as_deref(), Some(folder.as_path()));
    let record = std::fs::read_to_string(folder.join("record.jsonl")).unwrap();
    let lines: Vec<Value> = record.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["reply"], CLICK);
    assert_eq!(lines[0]["outcomes"][0]["ok"], true);
    assert_eq!(lines[0]["prompt_sha256"].as_str().unwrap().len(), 64);
    assert_eq!(std::fs::read(folder.join("step-02.jpg")).unwrap(), [0xFF, 0xD8]);
    let result: Value = serde_json::from_slice(&std::fs::read(folder.join("result.json")).unwrap()).unwrap();
    assert_eq!((&result["end"], &result["text"]), (&json!("done"), &json!("saved")));
    // The record is a script: played again it gives the same answers.
    let again =
        agent(Script::from_file(&folder.join("record.jsonl")).unwrap(), Pretend::default()).run().await.unwrap();
    assert_eq!(again.end, run.end);
    let taken = agent(Script::new([DONE]), Pretend::default()).record_to(&folder).run().await.unwrap_err();
    assert!(matches!(taken, AgentError::Folder { .. }) && taken.hint().unwrap().contains("another folder"));
}

#[tokio::test]
async fn an_empty_task_is_refused() {
    let error = agent(Script::new([DONE]), Pretend::default()).task("  ").run().await.unwrap_err();
    assert_eq!(error.code(), "no_task");
}

mod ends;
mod taking_up;
