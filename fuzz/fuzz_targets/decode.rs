//! Any text as a model's reply: no panic, and what is read can be written down and read again.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use webhand_action::{
    catalogue::Catalogue,
    decode::{Finish, decode},
};

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::built_in);

fuzz_target!(|reply: &str| {
    match decode(reply, Finish::Stop, &CATALOGUE) {
        Ok(decision) => {
            assert!(!decision.actions.is_empty(), "a decision holds an action");
            let written = serde_json::json!({ "actions": decision.actions }).to_string();
            let again = decode(&written, Finish::Stop, &CATALOGUE).expect("what was read is a reply");
            let rewritten = serde_json::json!({ "actions": again.actions });
            let read = serde_json::from_str(&written).expect("what was written is JSON");
            assert!(alike(&read, &rewritten), "{written}\n{rewritten}");
        }
        Err(error) => assert!(!error.feedback().is_empty(), "an error says what is wrong"),
    }
});

/// Equal, but for the last digits of a number.
fn alike(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => {
            let (left, right) = (left.as_f64().unwrap_or(f64::NAN), right.as_f64().unwrap_or(f64::NAN));
            (left - right).abs() <= left.abs() * 1e-12
        }
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| alike(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(key, left)| right.get(key).is_some_and(|right| alike(left, right)))
        }
        _ => left == right,
    }
}
