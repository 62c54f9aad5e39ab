//! The tools of MCP servers, as actions.
//!
//! The protocol is the official SDK's, which is seen nowhere outside of this file: its majors come fast.

use std::{collections::HashMap, fmt, process::Stdio, sync::Arc, time::Duration};

use futures_util::{FutureExt as _, future::BoxFuture};
use reqwest::header::{HeaderName, HeaderValue};
use rmcp::{
    RoleClient, ServiceExt as _,
    model::{CallToolRequestParams, CallToolResult, ContentBlock},
    service::RunningService,
    transport::{
        StreamableHttpClientTransport, TokioChildProcess, streamable_http_client::StreamableHttpClientTransportConfig,
    },
};
use serde_json::{Map, Value};
use tokio::{process::Command, time::timeout};
use webhand_action::catalogue::{ActionContext, Catalogue, CustomError, Handler, RegisterError, Risk, Tool};

use super::{MAX_OUTPUT, WITHIN};
use crate::web;

/// So many tools of a server are taken.
const TOOLS_MAX: usize = 200;

/// Why the tools of a server cannot be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum McpError {
    /// It could not be started or reached, or does not speak the protocol.
    #[error("the MCP server {server} cannot be used: {reason}")]
    Unusable {
        /// Which.
        server: String,
        /// Why.
        reason: String,
    },
    /// A tool of it can be no action.
    #[error("the tool {tool} of the MCP server {server} cannot be an action: {source}")]
    Tool {
        /// Which server.
        server: String,
        /// Which tool.
        tool: String,
        /// Why.
        #[source]
        source: RegisterError,
    },
}

/// An MCP server whose tools become actions. It runs until this and all catalogues that know its tools are dropped.
///
/// ```no_run
/// use webhand::{McpServer, action::catalogue::Catalogue};
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let notes = McpServer::start("notes", "uvx", ["mcp-server-notes"]).await?;
/// let mut catalogue = Catalogue::built_in();
/// notes.register(&mut catalogue).await?; // its tool `add` is the action `notes_add`
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct McpServer {
    name: String,
    service: Arc<RunningService<RoleClient, ()>>,
    deadline: Duration,
}

impl fmt::Debug for McpServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpServer").field("name", &self.name).field("deadline", &self.deadline).finish_non_exhaustive()
    }
}

impl McpServer {
    /// Starts a program that speaks the protocol on its standard input and output; no shell. Its names begin with `name`.
    ///
    /// # Errors
    /// When it does not start, or says nothing that is understood within 30 s.
    pub async fn start(
        name: &str,
        program: impl AsRef<std::ffi::OsStr>,
        arguments: impl IntoIterator<Item = impl AsRef<std::ffi::OsStr>>,
    ) -> Result<Self, McpError> {
        let mut command = Command::new(program);
        command.args(arguments).kill_on_drop(true);
        Box::pin(Self::run(name, command)).await
    }

    /// The same with a command that was prepared: with a folder, variables of the environment.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub async fn run(name: &str, command: Command) -> Result<Self, McpError> {
        let unusable = |reason: String| McpError::Unusable { server: name.to_owned(), reason };
        let spawned = TokioChildProcess::builder(command).stderr(Stdio::null()).spawn();
        let (transport, _) = spawned.map_err(|error| unusable(error.to_string()))?;
        let served = Box::pin(timeout(WITHIN, ().serve(transport))).await;
        let service = served.map_err(|_| unusable(silence()))?.map_err(|error| unusable(error.to_string()))?;
        Ok(Self { name: name.to_owned(), service: Arc::new(service), deadline: WITHIN })
    }

    /// Connects to one that is reached by streamable HTTP, with these headers in each request.
    ///
    /// # Errors
    /// When it cannot be reached, or says nothing that is understood within 30 s.
    pub async fn connect<'a>(
        name: &str,
        url: &str,
        headers: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, McpError> {
        let unusable = |reason: String| McpError::Unusable { server: name.to_owned(), reason };
        let mut config = StreamableHttpClientTransportConfig::with_uri(url);
        let mut sent = HashMap::new();
        for (key, value) in headers {
            let bad = |_| unusable(format!("{key:?} is no header"));
            let key = HeaderName::from_bytes(key.as_bytes()).map_err(|_| bad(()))?;
            let mut value = HeaderValue::from_str(value).map_err(|_| bad(()))?;
            value.set_sensitive(true);
            sent.insert(key, value);
        }
        config = config.custom_headers(sent);
        let client = web::client().map_err(|error| unusable(web::words_of(error)))?;
        let transport = StreamableHttpClientTransport::with_client(client, config);
        let served = Box::pin(timeout(WITHIN, ().serve(transport))).await;
        let service = served.map_err(|_| unusable(silence()))?.map_err(|error| unusable(error.to_string()))?;
        Ok(Self { name: name.to_owned(), service: Arc::new(service), deadline: WITHIN })
    }

    /// The same, whose tools may take so long. 30 s by default.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// Makes its tools actions: `add` of the server `notes` is `notes_add`. What a tool may do to the world is [`Risk::Read`]
    /// where the server says that it only reads, else [`Risk::Commit`]. Gives their names.
    ///
    /// # Errors
    /// When the server does not list them, or one can be no action; those before it are registered then.
    pub async fn register(&self, catalogue: &mut Catalogue) -> Result<Vec<String>, McpError> {
        let unusable = |reason: String| McpError::Unusable { server: self.name.clone(), reason };
        let listed = timeout(self.deadline, self.service.list_all_tools()).await;
        let listed = listed.map_err(|_| unusable(silence()))?.map_err(|error| unusable(error.to_string()))?;
        let mut names = Vec::new();
        for tool in listed.into_iter().take(TOOLS_MAX) {
            let name = action_name(&self.name, &tool.name);
            let schema = Value::Object(tool.input_schema.as_ref().clone());
            let reads = tool.annotations.as_ref().and_then(|notes| notes.read_only_hint) == Some(true);
            let risk = if reads { Risk::Read } else { Risk::Commit };
            let doc = tool.description.as_deref().unwrap_or(&tool.name).to_owned();
            let remote = McpTool { server: self.clone(), tool: tool.name.to_string() };
            catalogue
                .register_tool(Tool::new(&name, doc, schema).risk(risk), remote)
                .map_err(|source| McpError::Tool { server: self.name.clone(), tool: tool.name.to_string(), source })?;
            names.push(name);
        }
        Ok(names)
    }
}

fn silence() -> String {
    "it says nothing".to_owned()
}

/// A name that can be an action's, of a server's and a tool's: small letters, digits and underscores.
fn action_name(server: &str, tool: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '_' };
    let name: String = format!("{server}_{tool}").chars().map(plain).take(64).collect();
    name.trim_matches('_').to_owned()
}

/// One tool of a server.
#[derive(Clone, Debug)]
struct McpTool {
    server: McpServer,
    tool: String,
}

impl McpTool {
    async fn run(self, mut params: Map<String, Value>) -> Result<Value, CustomError> {
        // absent ones are told as null, which few servers take
        params.retain(|_, value| !value.is_null());
        let named = |what: &str| CustomError::new(format!("{}: {what}", self.server.name));
        let call = CallToolRequestParams::new(self.tool.clone()).with_arguments(params);
        let called = timeout(self.server.deadline, self.server.service.call_tool(call)).await;
        let called = called.map_err(|_| named(&format!("not over after {} s", self.server.deadline.as_secs_f32())))?;
        let result = called.map_err(|error| named(&error.to_string()))?;
        let said = text_of(&result);
        if result.is_error == Some(true) {
            return Err(named(if said.is_empty() { "it failed and does not say why" } else { &said }));
        }
        Ok(result.structured_content.unwrap_or_else(|| serde_json::from_str(&said).unwrap_or(Value::String(said))))
    }
}

/// The text of an answer; of other content, what it is.
fn text_of(result: &CallToolResult) -> String {
    let mut text = String::new();
    for block in &result.content {
        if !text.is_empty() {
            text.push('\n');
        }
        match block {
            ContentBlock::Text(part) => text.push_str(&part.text),
            ContentBlock::Image(_) => text.push_str("(a picture)"),
            ContentBlock::Audio(_) => text.push_str("(a sound)"),
            _ => text.push_str("(a resource)"),
        }
        if text.len() > MAX_OUTPUT {
            text.truncate(text.floor_char_boundary(MAX_OUTPUT));
            break;
        }
    }
    text
}

impl Handler<Map<String, Value>> for McpTool {
    fn call(
        &self,
        params: Map<String, Value>,
        _context: ActionContext,
    ) -> BoxFuture<'static, Result<Value, CustomError>> {
        self.clone().run(params).boxed()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A server of a few lines: it knows the tools `add-note` (only text) and `count` (reads; structured), and `fail`.
    const SERVER: &str = r#"
import json, sys
tools = [
    {"name": "add-note", "description": "Adds a note.", "inputSchema": {"type": "object",
     "properties": {"text": {"type": "string"}, "tag": {"type": ["string", "null"]}}, "required": ["text"]}},
    {"name": "count", "description": "Counts.", "inputSchema": {"type": "object", "properties": {}},
     "annotations": {"readOnlyHint": True}},
    {"name": "fail", "inputSchema": {"type": "object", "properties": {}}}]
def answer(method, params):
    if method == "initialize":
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}},
                "serverInfo": {"name": "notes", "version": "1"}}
    if method == "tools/list":
        return {"tools": tools}
    if method == "tools/call":
        if params["name"] == "fail":
            return {"content": [{"type": "text", "text": "no paper"}], "isError": True}
        if params["name"] == "count":
            return {"content": [], "structuredContent": {"count": 2}}
        return {"content": [{"type": "text", "text": "added " + json.dumps(params["arguments"])}]}
    return {}
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message and "method" in message:
        result = answer(message["method"], message.get("params", {}))
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"#;

    async fn call(catalogue: &Catalogue, name: &str, params: Value) -> Result<Value, String> {
        let action = catalogue.action(name, params.as_object().cloned().unwrap_or_default()).unwrap();
        let webhand_action::catalogue::Action::Custom(custom) = action else { panic!("{name} is a custom action") };
        catalogue.run_custom(&custom, ActionContext::default()).await.map_err(|error| error.to_string())
    }

    #[tokio::test]
    async fn the_tools_of_a_server_are_actions() {
        let server = McpServer::start("notes", "python3", ["-c", SERVER]).await.unwrap();
        let mut catalogue = Catalogue::built_in();
        let names = server.register(&mut catalogue).await.unwrap();
        assert_eq!(names, ["notes_add_note", "notes_count", "notes_fail"]);
        assert_eq!(catalogue.get("notes_count").unwrap().risk, Risk::Read);
        assert_eq!(catalogue.get("notes_add_note").unwrap().risk, Risk::Commit);
        assert!(catalogue.action("notes_add_note", Map::new()).is_err(), "text is missing");
        let said = call(&catalogue, "notes_add_note", json!({"text": "tea"})).await.unwrap();
        assert_eq!(said, json!("added {\"text\": \"tea\"}"));
        assert_eq!(call(&catalogue, "notes_count", json!({})).await.unwrap(), json!({"count": 2}));
        assert_eq!(call(&catalogue, "notes_fail", json!({})).await.unwrap_err(), "notes: no paper");
        assert!(matches!(server.register(&mut catalogue).await, Err(McpError::Tool { .. })), "names are taken");
    }

    #[tokio::test]
    async fn what_is_no_server_is_told() {
        for (program, argument) in [("webhand-no-such-program", ""), ("true", "")] {
            let error = McpServer::start("notes", program, [argument]).await.unwrap_err();
            assert!(error.to_string().contains("notes"), "{error}");
        }
    }
}
