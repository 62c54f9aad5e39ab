//! The script model: replies from a list or a file, one after the other, for tests and for replay of recorded replies.
//!
//! It never looks at the prompt.

use std::{io::Read as _, path::Path, sync::Mutex};

use async_trait::async_trait;
use serde_json::Value;

use crate::{
    model::{Model, ModelError, ModelReply},
    prompt::Prompt,
};

/// The largest script that is read, in bytes.
const LARGEST: u64 = 16 * 1024 * 1024;

/// Replies given beforehand.
#[derive(Debug)]
pub struct Script {
    replies: Vec<String>,
    given: Mutex<usize>,
}

impl Script {
    /// A model that gives these replies in order.
    #[must_use]
    pub fn new(replies: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { replies: replies.into_iter().map(Into::into).collect(), given: Mutex::new(0) }
    }

    /// Reads a script file: JSON lines, each the reply as text, as an object, or a line of a run's `record.jsonl` (its
    /// `reply`); or one JSON array of such values.
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
        replies(&text).map(Self::new).map_err(fail)
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

fn replies(text: &str) -> Result<Vec<String>, String> {
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
    Ok(values
        .into_iter()
        .map(|value| match value {
            Value::String(text) => text,
            Value::Object(mut fields) => match fields.remove("reply") {
                Some(Value::String(text)) => text,
                Some(reply) => reply.to_string(),
                None => Value::Object(fields).to_string(),
            },
            other => other.to_string(),
        })
        .collect())
}

#[async_trait]
impl Model for Script {
    fn name(&self) -> &str {
        "script"
    }

    async fn reply(&self, _prompt: &Prompt) -> Result<ModelReply, ModelError> {
        let mut given = self.given.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let reply = self.replies.get(*given).ok_or(ModelError::ScriptEnded { had: self.replies.len() })?;
        *given += 1;
        Ok(ModelReply::text(reply.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_lines_or_an_array_or_a_record() {
        assert_eq!(replies("\"go\"\n{\"actions\":[]}\n").unwrap(), ["go", "{\"actions\":[]}"]);
        assert_eq!(replies("[\"a\", {\"b\":1}]").unwrap(), ["a", "{\"b\":1}"]);
        assert_eq!(replies("{\"step\":1,\"reply\":\"{x}\"}\n{\"step\":2,\"reply\":\"y\"}").unwrap(), ["{x}", "y"]);
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
