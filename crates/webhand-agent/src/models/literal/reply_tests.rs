//! Whole replies: what the literal model answers to a page and a record.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{matching_tests::page, reply};
use crate::{
    prompt::Prompt,
    record::{ActionRecord, RecordEntry},
};

fn prompt(task: &str, outline: &str) -> Prompt {
    Prompt { task: task.to_owned(), snapshot: Arc::new(page(outline)), step: 1, ..Prompt::default() }
}

fn entry(memory: &str, name: &str, action: Value, ok: bool) -> RecordEntry {
    let action = ActionRecord { name: name.to_owned(), action, ran: true, ok, ..ActionRecord::default() };
    RecordEntry { memory: memory.to_owned(), actions: vec![action], ..RecordEntry::default() }
}

fn only(reply: &Value) -> &Value {
    let actions = reply["actions"].as_array().unwrap();
    assert_eq!(actions.len(), 1, "{reply}");
    &actions[0]
}

const FORM: &str = "
form
  !textbox Name
  !combobox Shipping
  group Colour
    !radio Red
    !radio Blue
  !checkbox I agree
  !button Save
";

#[test]
fn each_kind_of_line_becomes_its_action() {
    for (line, expected) in [
        ("Open localhost:80/x", json!({"type": "navigate", "url": "http://localhost:80/x", "new_tab": false})),
        ("Type \"Ann\" into Name", json!({"type": "fill", "ref": "I2", "text": "Ann"})),
        ("Choose \"Express\" in \"Shipping\"", json!({"type": "select", "ref": "S3", "values": ["Express"]})),
        ("Choose \"Blue\" in \"Colour\"", json!({"type": "check", "ref": "C6", "on": true})),
        ("Choose \"Red\"", json!({"type": "check", "ref": "C5", "on": true})),
        ("Check \"I agree\"", json!({"type": "check", "ref": "C7", "on": true})),
        ("双击“Save”按钮", json!({"type": "click", "ref": "B8", "count": 2})),
        ("Press Ctrl+S", json!({"type": "press", "keys": "Control+S"})),
        ("Scroll down 2 pages", json!({"type": "scroll", "to": "down", "amount": 2})),
        ("Wait for \"Saved\"", json!({"type": "wait", "for": "text", "value": "Saved"})),
        ("Read \"Name\"", json!({"type": "read", "ref": "I2", "format": "value"})),
        ("Go back", json!({"type": "back"})),
    ] {
        let reply = reply(&prompt(line, FORM));
        let mut expected = expected;
        expected["intent"] = Value::from(line);
        assert_eq!(only(&reply), &expected, "{line}");
        assert_eq!(reply["state"]["memory"], "line 1 of 1", "{line}");
    }
}

#[test]
fn a_ref_is_used_and_one_that_is_not_there_is_said_at_once() {
    assert_eq!(only(&reply(&prompt("click B8", FORM)))["ref"], "B8");
    assert_eq!(only(&reply(&prompt("choose Express in S3", FORM)))["values"], json!(["Express"]));
    for (line, says) in
        [("click B84", "not on the page"), ("click L8", "B8"), ("read I99", "I99"), ("choose x in S9", "S9")]
    {
        let reply = reply(&prompt(line, FORM));
        assert_eq!(only(&reply)["success"], false, "{line}: {reply}");
        assert!(only(&reply)["text"].as_str().unwrap().contains(says), "{line}: {reply}");
    }
    let seats = "main\n  !button B3\n  !button Book\n  !button B4";
    assert!(only(&reply(&prompt("click B3", seats)))["text"].as_str().unwrap().contains("several"));
    assert_eq!(only(&reply(&prompt("click \"B3\"", seats)))["ref"], "B2");
    assert_eq!(only(&reply(&prompt("click [B4]", seats)))["ref"], "B4");
    assert_eq!(only(&reply(&prompt("click [B3]", seats)))["ref"], "B3");
}

#[test]
fn an_option_is_looked_for_in_the_lists_of_the_page() {
    let lists = "main\n  !combobox Size\n  !combobox Colour\n  text Green is nice";
    let mut prompt = prompt("choose \"Green\"", lists);
    let first = reply(&prompt);
    let asked: Vec<&Value> = first["actions"].as_array().unwrap().iter().map(|action| &action["ref"]).collect();
    assert_eq!(asked, ["S2", "S3"]);
    let look = |lists: &[(&str, &[&str])]| {
        let actions = lists.iter().map(|(list, labels)| {
            let options: Vec<Value> = labels.iter().map(|label| json!({"label": label})).collect();
            ActionRecord {
                name: "options".to_owned(),
                action: json!({"type": "options", "ref": list}),
                data: Some(json!({"options": options})),
                ran: true,
                ok: true,
                ..ActionRecord::default()
            }
        });
        let memory = first["state"]["memory"].as_str().unwrap().to_owned();
        vec![RecordEntry { memory, actions: actions.collect(), ..RecordEntry::default() }]
    };
    prompt.record = look(&[("S2", &["Small"]), ("S3", &["Red", "green"])]);
    let chosen = reply(&prompt);
    assert_eq!((&only(&chosen)["type"], &only(&chosen)["ref"]), (&json!("select"), &json!("S3")), "{chosen}");
    prompt.record = look(&[("S2", &["Green"]), ("S3", &["Green"])]);
    assert!(only(&reply(&prompt))["text"].as_str().unwrap().contains("in several lists"));
    prompt.record = look(&[("S2", &["Small"]), ("S3", &["Red"])]);
    assert_eq!(only(&reply(&prompt))["for"], "time", "the text is there already");
}

#[test]
fn a_text_that_is_no_control_is_named_as_that() {
    let mut prompt = prompt("hover over \"Products\"", "main\n  text Products\n  !button Save");
    let first = reply(&prompt);
    assert_eq!((&only(&first)["type"], &only(&first)["for"]), (&json!("wait"), &json!("time")));
    prompt.record = vec![entry(first["state"]["memory"].as_str().unwrap(), "wait", json!({}), true)];
    let text = only(&reply(&prompt))["text"].as_str().unwrap().to_owned();
    assert!(text.contains("is no control"), "{text}");
}

#[test]
fn what_is_refused_is_not_tried_again() {
    let mut prompt = prompt("go to file:///etc/passwd", FORM);
    let text = only(&reply(&prompt))["text"].as_str().unwrap().to_owned();
    assert!(text.contains("file: addresses are not opened"), "{text}");
    prompt.task = "scroll to \"x\"".to_owned();
    prompt.feedback = Some(format!("{}actions[0].value: is missing", crate::prompt::REFUSED));
    let end = reply(&prompt);
    assert_eq!(only(&end)["success"], false);
    assert!(only(&end)["text"].as_str().unwrap().ends_with("was not done: value: is missing"), "{end}");
}

#[test]
fn it_goes_on_only_when_the_line_was_done() {
    let task = "Type \"Ann\" into Name\nClick \"Save\"";
    let mut prompt = prompt(task, FORM);
    prompt.record = vec![entry("line 1 of 2", "fill", json!({}), true)];
    assert_eq!(only(&reply(&prompt))["ref"], "B8");
    prompt.record = vec![entry("line 1 of 2", "fill", json!({}), false)];
    let end = reply(&prompt);
    assert_eq!(only(&end)["success"], false);
    assert!(only(&end)["text"].as_str().unwrap().starts_with("line 1 of 2"), "{end}");
}

#[test]
fn what_is_missing_is_waited_for_once_and_then_reported() {
    let mut prompt = prompt("Click \"Save all\"", FORM);
    let first = reply(&prompt);
    assert_eq!(only(&first)["type"], "wait");
    prompt.record = vec![entry(first["state"]["memory"].as_str().unwrap(), "wait", json!({}), false)];
    let second = reply(&prompt);
    assert_eq!(only(&second)["success"], false);
    assert!(only(&second)["text"].as_str().unwrap().contains("B8 button \"Save\""), "{second}");
}

#[test]
fn several_that_fit_are_named_and_none_is_taken() {
    let reply = reply(&prompt("Click \"Edit\"", "main\n  !button Edit\n  !button Edit"));
    let done = only(&reply);
    assert_eq!(done["success"], false);
    assert!(done["text"].as_str().unwrap().contains("B2") && done["text"].as_str().unwrap().contains("B3"), "{done}");
}

#[test]
fn what_was_read_last_is_the_answer() {
    let mut prompt = prompt("Read \"Order number\"", "main\n  text Order number\n  text WH-1");
    let first = reply(&prompt);
    assert_eq!(only(&first)["value"], "WH-1");
    prompt.record = vec![entry("line 1 of 1", "remember", only(&first).clone(), true)];
    let done = reply(&prompt);
    assert_eq!(only(&done)["text"], "WH-1");
    assert_eq!(only(&done)["success"], true);
    assert_eq!(only(&done)["data"]["read"]["Order number"], "WH-1");
}

#[test]
fn an_open_dialog_must_be_answered_by_a_line() {
    let mut held = page(FORM);
    held.dialog =
        Some(serde_json::from_value(json!({"kind": "confirm", "message": "Sure?", "default_text": ""})).unwrap());
    let mut prompt = prompt("Click \"Save\"", FORM);
    prompt.snapshot = Arc::new(held);
    assert!(only(&reply(&prompt))["text"].as_str().unwrap().contains("Sure?"));
    prompt.task = "Accept the dialog".to_owned();
    assert_eq!(only(&reply(&prompt))["accept"], true);
}

#[test]
fn a_task_that_is_not_literal_is_refused_with_the_reason() {
    let reply = reply(&prompt("Find me something nice", FORM));
    assert_eq!(only(&reply)["success"], false);
    assert!(only(&reply)["text"].as_str().unwrap().contains("no known verb"));
}
