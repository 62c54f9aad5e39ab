//! The literal model: it takes a task at its word, one imperative sentence or line a step, English or Chinese.
//!
//! It goes the way of every model: prompt in, reply text out, decoded and carried out like any other. What it cannot take
//! literally it says; it never guesses. Parsing ([`parse`]) and matching ([`find`]) are pure and can be used alone.
//!
//! ```
//! use webhand_agent::models::literal::{Step, parse};
//! let lines = parse("打开 example.org，在“搜索”中输入“台灯”，按回车键").unwrap();
//! assert!(matches!(&lines[2].step, Step::Press { keys } if keys == "Enter"));
//! ```

mod answer;
mod chinese;
mod chinese_phrase;
mod english;
mod keys;
mod lines;
mod matcher;
mod names;
mod phrase;
mod place;
mod progress;
mod quotes;
mod reading;
mod refs;
mod roles;
mod step;
mod unclear;

use async_trait::async_trait;
use serde_json::{Map, Value, json};
use webhand_page::Ref;

pub use lines::{TaskLine, Unparsable, parse};
pub use matcher::{Found, Match, find};
pub use roles::Purpose;
pub use step::{ClickKind, Ordinal, ReadWhat, Reading, RoleWord, ScrollTo, Step, WaitFor, Wanted};

use self::{
    answer::{Answer, answer},
    progress::{Next, Note, memory, next, remembered},
};
use crate::{
    model::{Model, ModelError, ModelReply},
    prompt::Prompt,
    record::RecordEntry,
};

/// The literal model. It keeps nothing between replies: all it goes by is in the prompt.
#[derive(Clone, Copy, Debug, Default)]
pub struct Literal;

impl Literal {
    /// The literal model.
    #[must_use]
    pub fn new() -> Self {
        Self
    }
}

#[async_trait]
impl Model for Literal {
    fn name(&self) -> &str {
        "literal"
    }

    async fn reply(&self, prompt: &Prompt) -> Result<ModelReply, ModelError> {
        Ok(ModelReply::text(reply(prompt).to_string()))
    }
}

/// Whether a step of this model only made ready for its line: a wait for what the line names, a look at what lists hold.
#[must_use]
pub fn only_prepared(entry: &RecordEntry) -> bool {
    matches!(remembered(&entry.memory), Some((_, Note::Waited | Note::Looked)))
}

/// The whole reply to a prompt.
fn reply(prompt: &Prompt) -> Value {
    let lines = match parse(&prompt.task) {
        Ok(lines) => lines,
        Err(error) => return written("", "", "say what cannot be taken literally", vec![given_up(error.to_string())]),
    };
    let evaluation = prompt.record.last().map(evaluation).unwrap_or_default();
    let line = |number: usize| lines.get(number.saturating_sub(1));
    let failed = |number: usize, reason: &str| {
        let text = line(number).map(|line| line.text.as_str()).unwrap_or_default();
        let report = format!("line {number} of {}, {text:?}, was not done: {reason}", lines.len());
        written(&evaluation, "", "say what could not be done", vec![given_up(report)])
    };
    let upcoming = next(&prompt.record, lines.len());
    if let (Some(fault), Next::Line { number, .. }) = (prompt.refused(), &upcoming) {
        // The same words would be refused again.
        let faults: Vec<&str> = fault.lines().map(|line| line.strip_prefix("actions[0].").unwrap_or(line)).collect();
        return failed(*number, &faults.join("; "));
    }
    match upcoming {
        Next::Finished => written(&evaluation, "", "say that all is done", vec![finished(&lines, &prompt.record)]),
        Next::Failed { number, reason } => failed(number, &reason),
        Next::Line { number, already } => match line(number) {
            Some(line) => for_line(line, lines.len(), prompt, already, &evaluation),
            None => written(&evaluation, "", "say that all is done", vec![finished(&lines, &prompt.record)]),
        },
    }
}

fn for_line(line: &TaskLine, of: usize, prompt: &Prompt, already: Option<Note>, evaluation: &str) -> Value {
    match answer(&line.step, &prompt.snapshot, already, &listed(&prompt.record)) {
        Answer::Act(mut actions, note) => {
            for action in &mut actions {
                action["intent"] = Value::from(line.text.clone());
            }
            let note = if note == Note::Do && already == Some(Note::Again) { Note::Again } else { note };
            let goal = match note {
                Note::Waited => format!("wait until this can be done: {}", line.text),
                Note::Looked => format!("look what the lists hold: {}", line.text),
                _ => line.text.clone(),
            };
            written(evaluation, &memory(line.number, of, note), &goal, actions)
        }
        Answer::No(reason) => {
            let report = format!("line {} of {of}, {:?}, was not done: {reason}", line.number, line.text);
            written(evaluation, "", "say what could not be done", vec![given_up(report)])
        }
    }
}

/// What the lists hold that were asked in the last step.
fn listed(record: &[RecordEntry]) -> Vec<(Ref, Vec<String>)> {
    let Some(entry) = record.last() else { return Vec::new() };
    let options = |data: &Value| -> Option<Vec<String>> {
        let options = data.get("options")?.as_array()?;
        Some(options.iter().filter_map(|option| Some(option.get("label")?.as_str()?.to_owned())).collect())
    };
    let list = |action: &crate::record::ActionRecord| {
        let list: Ref = action.action.get("ref")?.as_str()?.parse().ok()?;
        Some((list, options(action.data.as_ref()?)?))
    };
    entry.actions.iter().filter(|action| action.ok && action.name == "options").filter_map(list).collect()
}

fn written(evaluation: &str, memory: &str, goal: &str, actions: Vec<Value>) -> Value {
    json!({
        "state": {"evaluation": evaluation, "memory": memory, "next_goal": goal},
        "actions": actions,
    })
}

fn evaluation(entry: &RecordEntry) -> String {
    match entry.failure() {
        Some(failure) => format!("not done: {}", failure.message),
        None if entry.went_well() => "done".to_owned(),
        None => "nothing was done".to_owned(),
    }
}

fn given_up(report: String) -> Value {
    json!({"type": "done", "text": report, "success": false})
}

/// The end of a task all of whose lines are done; what was read is the answer.
fn finished(lines: &[TaskLine], record: &[RecordEntry]) -> Value {
    let mut read = Map::new();
    let mut last = None;
    for entry in record {
        let Some((number, Note::Do | Note::Again)) = remembered(&entry.memory) else { continue };
        let Some(line) = number.checked_sub(1).and_then(|index| lines.get(index)) else { continue };
        let Step::Read(what) = &line.step else { continue };
        let Some(text) = entry.actions.iter().find_map(what_was_read) else { continue };
        read.insert(called(what), Value::from(text.clone()));
        last = Some((number, text));
    }
    let text = match last {
        Some((number, text)) if number == lines.len() => text,
        _ if lines.len() == 1 => "the line is done".to_owned(),
        _ => format!("all {} lines are done", lines.len()),
    };
    let mut done = json!({"type": "done", "text": text, "success": true});
    if !read.is_empty() {
        done["data"] = json!({"read": read});
    }
    done
}

fn called(what: &ReadWhat) -> String {
    match what {
        ReadWhat::Page => "page".to_owned(),
        ReadWhat::Title => "title".to_owned(),
        ReadWhat::Address => "address".to_owned(),
        ReadWhat::Named(wanted) => wanted.label().to_owned(),
    }
}

/// The text that a reading action gave.
fn what_was_read(action: &crate::record::ActionRecord) -> Option<String> {
    if !action.ok {
        return None;
    }
    let text = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Object(fields) => {
            ["text", "value", "content"].iter().find_map(|key| fields.get(*key)?.as_str().map(str::to_owned))
        }
        _ => None,
    };
    match action.name.as_str() {
        "remember" => action.action.get("value").and_then(text),
        "read" => action.data.as_ref().and_then(text).or_else(|| Some(action.message.clone())),
        _ => None,
    }
}

#[cfg(test)]
mod matching_tests;
#[cfg(test)]
mod reply_tests;
#[cfg(test)]
mod sentence_tests;
