//! `cargo xtask replies [FILE]`: a corpus of model replies against the decoder.
//!
//! A line is `{"id", "reply", "expect": [actions] | null, "error"?, "hint"?}`: `expect` lists the parameters that are not
//! at their default (the reason counts only where it is listed; refs compare normalised), else `error` names the code and
//! `hint` what must be said. Knows the corpus's form, nothing of how a reply is read.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use miette::{Context as _, IntoDiagnostic as _};
use serde::Deserialize;
use serde_json::Value;
use webhand::action::{
    catalogue::{Action, Catalogue},
    decode::{Decision, DecodeError, Finish, decode},
};

/// What to read.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The corpus
    #[arg(default_value = "tests/cases/replies.jsonl")]
    file: PathBuf,
}

/// One line of the corpus.
#[derive(Debug, Deserialize)]
struct Case {
    id: String,
    reply: String,
    /// Why the model stopped writing, where the case says.
    #[serde(default)]
    finish: Finish,
    expect: Option<Vec<Value>>,
    error: Option<String>,
    hint: Option<String>,
}

/// Prints every case that came out otherwise, then `replies: N/M`.
pub(crate) fn run(arguments: &Arguments) -> miette::Result<ExitCode> {
    let file = arguments.file.display();
    let corpus =
        std::fs::read_to_string(&arguments.file).into_diagnostic().wrap_err_with(|| format!("cannot read {file}"))?;
    let catalogue = Catalogue::built_in();
    let (mut cases, mut right) = (0, 0);
    for (number, line) in (1..).zip(corpus.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        cases += 1;
        match compare(line, &catalogue) {
            Ok(()) => right += 1,
            Err(difference) => println!("{file}:{number}: {difference}"),
        }
    }
    println!("replies: {right}/{cases}");
    Ok(if right == cases && cases > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What the decoder makes of a line against what the line says.
fn compare(line: &str, catalogue: &Catalogue) -> Result<(), String> {
    let case: Case = serde_json::from_str(line).map_err(|error| format!("not a case: {error}"))?;
    let read = decode(&case.reply, case.finish, catalogue);
    let holds = match (&case.expect, &read) {
        (Some(expected), Ok(decision)) => same_actions(expected, &decision.actions)?,
        (None, Err(error)) => same_error(&case, error),
        _ => false,
    };
    if holds { Ok(()) } else { Err(format!("{}: {}", case.id, found(&read))) }
}

fn same_actions(expected: &[Value], actions: &[Action]) -> Result<bool, String> {
    if expected.len() != actions.len() {
        return Ok(false);
    }
    for (expected, action) in expected.iter().zip(actions) {
        let mut read = action.to_json();
        if let Some(fields) = read.as_object_mut().filter(|_| expected.get("intent").is_none()) {
            fields.remove("intent");
        }
        let canonical = |value: &Value| {
            serde_json::from_value::<Action>(value.clone()).map_err(|error| format!("the expectation: {error}"))
        };
        if canonical(expected)? != canonical(&read)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn same_error(case: &Case, error: &DecodeError) -> bool {
    let hint = error.hint().unwrap_or_default();
    case.error.as_deref() == Some(error.code())
        && case.hint.as_ref().is_none_or(|wanted| hint.contains(wanted.as_str()))
}

fn found(read: &Result<Decision, DecodeError>) -> String {
    match read {
        Ok(decision) => {
            let actions: Vec<String> = decision.actions.iter().map(|action| action.to_json().to_string()).collect();
            format!("read as [{}]", actions.join(", "))
        }
        Err(error) => format!("{}: {error}", error.code()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, right: bool) {
        assert_eq!(compare(line, &Catalogue::built_in()).is_ok(), right, "{line}");
    }

    #[test]
    fn a_wrong_expectation_is_told() {
        let reply = r#""reply": "{\"click\":{\"index\":5,\"intent\":\"x\"}}""#;
        check(&format!(r#"{{"id":"a",{reply},"expect":[{{"type":"click","ref":"5"}}]}}"#), true);
        check(&format!(r#"{{"id":"a",{reply},"expect":[{{"type":"click","ref":"6"}}]}}"#), false);
        check(&format!(r#"{{"id":"a",{reply},"expect":[{{"type":"click","ref":"5","intent":"y"}}]}}"#), false);
        check(&format!(r#"{{"id":"a",{reply},"expect":[]}}"#), false);
        check(&format!(r#"{{"id":"a",{reply},"expect":null,"error":"empty"}}"#), false);
    }

    #[test]
    fn a_wrong_code_or_hint_is_told() {
        let reply = r#""reply": "{\"clik\":{\"index\":5}}","expect":null"#;
        check(&format!(r#"{{"id":"a",{reply},"error":"unknown_action","hint":"click"}}"#), true);
        check(&format!(r#"{{"id":"a",{reply},"error":"no_action"}}"#), false);
        check(&format!(r#"{{"id":"a",{reply},"error":"unknown_action","hint":"fill"}}"#), false);
    }
}
