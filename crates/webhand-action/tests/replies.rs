//! The corpus of replies, each read as its line says.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test stops where its ground is not as it must be")]

use serde::Deserialize;
use serde_json::Value;
use webhand_action::{
    catalogue::{Action, Catalogue},
    decode::{Decision, DecodeError, Finish, decode},
};

#[derive(Deserialize)]
struct Case {
    id: String,
    reply: String,
    expect: Option<Vec<Value>>,
    error: Option<String>,
    hint: Option<String>,
}

/// Whether an action is the expected one. The reason counts only where the case names it.
fn same(expected: &Value, action: &Action) -> bool {
    let mut got = action.to_json();
    if expected.get("intent").is_none() {
        got.as_object_mut().expect("an action is an object").remove("intent");
    }
    let canonical = |value: &Value| serde_json::from_value::<Action>(value.clone()).expect("an action");
    canonical(expected) == canonical(&got)
}

/// What differs from what the case expects, if anything does.
fn difference(case: &Case, got: &Result<Decision, DecodeError>) -> Option<String> {
    match (&case.expect, got) {
        (Some(expected), Ok(decision)) => {
            let same = expected.len() == decision.actions.len()
                && expected.iter().zip(&decision.actions).all(|(expected, action)| same(expected, action));
            (!same).then(|| format!("got {}", serde_json::to_string(&decision.actions).unwrap()))
        }
        (None, Err(error)) => {
            let code_differs = case.error.as_deref() != Some(error.code());
            let hint = error.hint().unwrap_or_default();
            let hint_differs = case.hint.as_ref().is_some_and(|wanted| !hint.contains(wanted.as_str()));
            (code_differs || hint_differs).then(|| format!("got {}: {error}", error.code()))
        }
        (_, Ok(decision)) => Some(format!("got {}", serde_json::to_string(&decision.actions).unwrap())),
        (_, Err(error)) => Some(format!("got {}: {error}", error.code())),
    }
}

#[test]
fn every_reply_of_the_corpus_is_read_as_expected() {
    let corpus = include_str!("../../../tests/cases/replies.jsonl");
    let catalogue = Catalogue::built_in();
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in corpus.lines().filter(|line| !line.trim().is_empty()) {
        let case: Case = serde_json::from_str(line).expect("a line is a case");
        count += 1;
        if let Some(difference) = difference(&case, &decode(&case.reply, Finish::Stop, &catalogue)) {
            wrong.push(format!("{}: {difference}", case.id));
        }
    }
    assert!(count >= 52, "{count} cases");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
