//! Tools that are commands: an action of the user's own without a line of Rust.

use std::{path::PathBuf, process::Stdio, time::Duration};

use futures_util::{FutureExt as _, future::BoxFuture};
use serde_json::{Map, Value, json};
use tokio::{io::AsyncWriteExt as _, process::Command};
use webhand_action::catalogue::{ActionContext, CustomError, Handler};

use super::{MAX_OUTPUT, WITHIN};

/// Runs a program for each call: the parameters go to its standard input as one JSON object, with the page's `url` and `tab`
/// beside them as `{"params": {…}, "url": "…", "tab": "…"}`; what it prints is the result, read as JSON where it is JSON. No
/// shell. A program that fails is a failed action, with what it printed to standard error.
///
/// ```
/// use webhand::{CommandTool, action::catalogue::{Catalogue, Tool}};
///
/// let schema = serde_json::json!({"type": "object", "properties": {"text": {"type": "string"}}});
/// let mut catalogue = Catalogue::built_in();
/// catalogue.register_tool(Tool::new("note", "Writes a note down.", schema), CommandTool::new("tee", ["notes.json"]))?;
/// # Ok::<(), webhand::action::catalogue::RegisterError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CommandTool {
    program: String,
    arguments: Vec<String>,
    folder: Option<PathBuf>,
    deadline: Duration,
}

impl CommandTool {
    /// That program with these arguments. It may take 30 s.
    #[must_use]
    pub fn new(program: impl Into<String>, arguments: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let arguments = arguments.into_iter().map(Into::into).collect();
        Self { program: program.into(), arguments, folder: None, deadline: WITHIN }
    }

    /// The same, run in that folder.
    #[must_use]
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
        self
    }

    /// The same with another deadline; a program that is not over by then is killed.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    async fn run(self, params: Map<String, Value>, context: ActionContext) -> Result<Value, CustomError> {
        let named = |what: &str| CustomError::new(format!("{}: {what}", self.program));
        let input = json!({"params": params, "url": context.url, "tab": context.tab}).to_string();
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).kill_on_drop(true);
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let work = async {
            let mut child = command.spawn().map_err(|error| named(&error.to_string()))?;
            let stdin = child.stdin.take();
            let feed = async move {
                if let Some(mut stdin) = stdin {
                    // a program that does not read is none that fails
                    let _ = stdin.write_all(input.as_bytes()).await;
                }
            };
            let (output, ()) = tokio::join!(child.wait_with_output(), feed);
            output.map_err(|error| named(&error.to_string()))
        };
        let output = tokio::time::timeout(self.deadline, work).await;
        let output = output.map_err(|_| named(&format!("not over after {} s", self.deadline.as_secs_f32())))??;
        if !output.status.success() {
            let said = text_of(&output.stderr);
            return Err(named(&format!("{}{}{said}", output.status, if said.is_empty() { "" } else { ": " })));
        }
        let said = text_of(&output.stdout);
        Ok(serde_json::from_str(&said).unwrap_or(Value::String(said)))
    }
}

fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_OUTPUT)]).trim().to_owned()
}

impl Handler<Map<String, Value>> for CommandTool {
    fn call(
        &self,
        params: Map<String, Value>,
        context: ActionContext,
    ) -> BoxFuture<'static, Result<Value, CustomError>> {
        self.clone().run(params, context).boxed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn run(program: &str, arguments: &[&str]) -> Result<Value, String> {
        let tool = CommandTool::new(program, arguments.iter().copied()).deadline(Duration::from_secs(5));
        let params = json!({"text": "hello"}).as_object().cloned().unwrap_or_default();
        let context = ActionContext::new("https://a.example/", "t1");
        tool.call(params, context).await.map_err(|error| error.to_string())
    }

    #[tokio::test]
    async fn parameters_go_in_and_what_is_printed_comes_out() {
        let said = run("cat", &[]).await.unwrap();
        assert_eq!(said, json!({"params": {"text": "hello"}, "url": "https://a.example/", "tab": "t1"}));
        assert_eq!(run("printf", &["plain words"]).await.unwrap(), json!("plain words"));
        assert_eq!(run("true", &[]).await.unwrap(), json!(""), "one that reads nothing");
    }

    #[tokio::test]
    async fn a_program_that_fails_is_told_with_what_it_said() {
        let failed = run("sh", &["-c", "echo no paper >&2; exit 3"]).await.unwrap_err();
        assert!(failed.contains("sh: ") && failed.contains('3') && failed.contains("no paper"), "{failed}");
        assert!(run("webhand-no-such-program", &[]).await.unwrap_err().contains("webhand-no-such-program"));
    }

    #[tokio::test]
    async fn one_that_does_not_end_is_ended() {
        let tool = CommandTool::new("tail", ["-f", "/dev/null"]).deadline(Duration::from_millis(50));
        let error = tool.call(Map::new(), ActionContext::default()).await.unwrap_err();
        assert!(error.message.contains("not over"), "{error}");
    }
}
