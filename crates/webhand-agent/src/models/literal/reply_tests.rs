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
