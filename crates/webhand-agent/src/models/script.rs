//! The script model: replies from a list or a file, one after the other, for tests and for replay of recorded replies.
//!
//! It never looks at the prompt.

use std::{collections::HashMap, io::Read as _, path::Path, sync::Mutex};

use async_trait::async_trait;
use serde_json::Value;

use crate::{
    model::{Abilities, Model, ModelError, ModelReply},
    prompt::{Prompt, Role},
};

/// The largest script that is read, in bytes.
const LARGEST: u64 = 16 * 1024 * 1024;

/// Replies given beforehand, those of each role in turn.
///
/// A reply is the navigator's, unless it says as whom it is given: then it is the judge's verdict, say. Without verdicts nobody
/// judges.
#[derive(Debug)]
pub struct Script {
    replies: Vec<Line>,
    given: Mutex<HashMap<Role, usize>>,
}

/// One reply of a script.
#[derive(Clone, Debug, PartialEq)]
struct Line {
    role: Role,
    reply: ModelReply,
}

impl Line {
    fn of(text: impl Into<String>) -> Self {
        Self { role: Role::Navigator, reply: ModelReply::text(text) }
    }
}

impl Script {
    /// A model that gives these replies in order.
    #[must_use]
    pub fn new(replies: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self::with(replies.into_iter().map(Line::of).collect())
    }

    fn with(replies: Vec<Line>) -> Self {
        Self { replies, given: Mutex::default() }
    }

    /// The same with one more reply, given as that role.
    #[must_use]
    pub fn and_as(mut self, role: Role, reply: impl Into<ModelReply>) -> Self {
        self.replies.push(Line { role, reply: reply.into() });
        self
    }

    /// Reads a script file: JSON lines, each the reply as text, as an object, or a line of a run's `record.jsonl` (its
    /// `reply`); or one JSON array of such values. Beside `reply` may stand `as` (`judge`, `planner`, `summary`) and `finish`
    /// (`length`, `filtered`).
    ///
    /// # Errors
    /// When the file cannot be read or holds something else.
    pub fn from_file(path: &Path) -> Result<Self, ModelError> {
        let fail = |reason: String| ModelError::Script { path: path.display().to_string(), reason };
        let unread = |error: std::io::Error| fail(error.to_string());
        let about = std::fs::metadata(path).map_err(unread)?;
        if !about.is_file() {
            return Err(fail("it is no regular file".to_owned()));
        }
        let mut text = String::new();
        std::fs::File::open(path).map_err(unread)?.take(LARGEST + 1).read_to_string(&mut text).map_err(unread)?;
        if text.len() as u64 > LARGEST {
            return Err(fail(format!("it is larger than {LARGEST} bytes")));
        }
        replies(&text).map(Self::with).map_err(fail)
    }

    /// How many replies there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.replies.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.replies.is_empty()
    }
}

fn replies(text: &str) -> Result<Vec<Line>, String> {
    let values: Vec<Value> = match serde_json::from_str(text) {
        Ok(Value::Array(values)) => values,
        Ok(one) => vec![one],
        Err(_) => text
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty())
            .map(|(index, line)| serde_json::from_str(line).map_err(|error| format!("line {}: {error}", index + 1)))
            .collect::<Result<_, _>>()?,
    };
    if values.is_empty() {
        return Err("it holds no reply".to_owned());
    }
    values.into_iter().map(line).collect()
}

fn line(value: Value) -> Result<Line, String> {
    let Value::Object(mut fields) = value else {
        return Ok(Line::of(match value {
            Value::String(text) => text,
            other => other.to_string(),
        }));
    };
    let Some(reply) = fields.remove("reply") else { return Ok(Line::of(Value::Object(fields).to_string())) };
    let mut line = Line::of(match reply {
        Value::String(text) => text,
        other => other.to_string(),
    });
    let known = |key: &str, error: serde_json::Error| format!("{key}: {error}");
    if let Some(role) = fields.remove("as") {
        line.role = serde_json::from_value(role).map_err(|error| known("as", error))?;
    }
    if let Some(finish) = fields.remove("finish") {
        line.reply.finish = serde_json::from_value(finish).map_err(|error| known("finish", error))?;
    }
    Ok(line)
}

#[async_trait]
impl Model for Script {
    fn name(&self) -> &str {
        "script"
    }

    fn abilities(&self) -> Abilities {
        Abilities::usual().judges(self.replies.iter().any(|line| line.role == Role::Judge))
    }

    fn given(&self, role: Role, replies: usize) {
        let mut given = self.given.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *given.entry(role).or_default() += replies;
    }

    async fn reply(&self, prompt: &Prompt) -> Result<ModelReply, ModelError> {
        let mut given = self.given.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let given = given.entry(prompt.role).or_default();
        let mut own = self.replies.iter().filter(|line| line.role == prompt.role);
        let had = own.clone().count();
        let line = own.nth(*given).ok_or(ModelError::ScriptEnded { had })?;
        *given += 1;
        Ok(line.reply.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Finish;

    #[test]
    fn a_script_is_lines_or_an_array_or_a_record() {
        let texts =
            |text: &str| -> Vec<String> { replies(text).unwrap().into_iter().map(|line| line.reply.text).collect() };
        assert_eq!(texts("\"go\"\n{\"actions\":[]}\n"), ["go", "{\"actions\":[]}"]);
        assert_eq!(texts("[\"a\", {\"b\":1}]"), ["a", "{\"b\":1}"]);
        assert_eq!(texts("{\"step\":1,\"reply\":\"{x}\"}\n{\"step\":2,\"reply\":\"y\"}"), ["{x}", "y"]);
        let verdict =
            replies("{\"as\":\"judge\",\"reply\":{\"accepted\":true},\"finish\":\"length\"}").unwrap().remove(0);
        assert_eq!((verdict.role, verdict.reply.finish), (Role::Judge, Finish::Length));
        assert!(replies("{\"as\":\"jury\",\"reply\":\"x\"}").unwrap_err().starts_with("as: "));
        assert!(replies("not json").unwrap_err().contains("line 1"));
        assert!(replies("\n").is_err());
    }

    #[test]
    fn only_a_regular_file_is_read() {
        for path in ["/dev/zero", "/", "/nowhere/script.jsonl"] {
            let error = Script::from_file(Path::new(path)).unwrap_err();
            assert_eq!(error.code(), "script_unreadable", "{path}");
        }
    }

    #[tokio::test]
    async fn an_ended_script_says_so() {
        let script = Script::new(["one"]);
        let prompt = Prompt::default();
        assert_eq!(script.reply(&prompt).await.unwrap().text, "one");
        assert_eq!(script.reply(&prompt).await.unwrap_err(), ModelError::ScriptEnded { had: 1 });
    }
}
