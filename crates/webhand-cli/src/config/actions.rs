//! The `[actions]` part of the settings: actions of the user's own: a command, a call of an address, or the tools of an MCP
//! server.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::Duration,
};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use webhand::{
    CommandTool, HttpTool, McpError, McpServer,
    action::catalogue::{Catalogue, CustomError, Risk, Tool},
    guard::Pattern,
};

/// As a file writes it: actions by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct ActionsPart {
    actions: BTreeMap<String, Entry>,
}

/// One action, or all of an MCP server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// What it does: a model reads it.
    #[serde(default)]
    description: String,
    /// Program and arguments.
    #[serde(default)]
    command: Option<Vec<String>>,
    /// The address that is called instead.
    #[serde(default)]
    http: Option<Call>,
    /// The server whose tools are actions.
    #[serde(default)]
    mcp: Option<Server>,
    /// Its parameters: a JSON Schema each, by name.
    #[serde(default)]
    parameters: BTreeMap<String, Value>,
    /// The parameters that must be given.
    #[serde(default)]
    required: Vec<String>,
    #[serde(default)]
    risk: Option<Risk>,
    /// Addresses at which it is offered.
    #[serde(default)]
    at: Vec<String>,
    /// How many seconds it may take.
    #[serde(default)]
    seconds: Option<u64>,
    /// Where it runs: the folder of the file. Not written there.
    #[serde(default, rename = "in folder")]
    folder: Option<PathBuf>,
}

/// A call of an address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    url: String,
    /// `POST` where none is named.
    #[serde(default)]
    method: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, Header>,
}

/// An MCP server: a program, or an address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Server {
    #[serde(default)]
    command: Vec<String>,
    #[serde(default)]
    url: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, Header>,
}

/// A header's value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum Header {
    Plain(String),
    /// Of a variable of the environment.
    Env {
        env: String,
    },
}

impl Header {
    /// Its value; a variable that is not set is an empty one, which the server will refuse.
    fn value(&self) -> String {
        match self {
            Header::Plain(value) => value.clone(),
            Header::Env { env } => std::env::var(env).unwrap_or_default(),
        }
    }
}

impl ActionsPart {
    /// The same, of a file in that folder: there its commands run.
    pub(crate) fn beside(mut self, folder: &Path) -> Self {
        self.actions.values_mut().for_each(|entry| entry.folder = Some(folder.to_owned()));
        self
    }

    pub(crate) fn names(&self) -> Vec<&str> {
        self.actions.keys().map(String::as_str).collect()
    }

    /// The engine's actions and these.
    ///
    /// # Errors
    /// In words, for whoever wrote it.
    pub(crate) fn catalogue(&self) -> Result<Catalogue, String> {
        let mut catalogue = Catalogue::built_in();
        for (name, entry) in self.actions.iter().filter(|(_, entry)| entry.mcp.is_none()) {
            entry.register(name, &mut catalogue).map_err(|fault| format!("actions.{name}{fault}"))?;
            let at = entry.places().map_err(|fault| format!("actions.{name}.at: {fault}"))?;
            catalogue = catalogue.only_at(name, at);
        }
        for (name, entry) in &self.actions {
            let Some(server) = &entry.mcp else { continue };
            if server.command.is_empty() == server.url.is_none() {
                return Err(format!("actions.{name}.mcp takes a command or a url"));
            }
            if entry.command.is_some() || entry.http.is_some() || !entry.parameters.is_empty() {
                return Err(format!("actions.{name} is an MCP server, which says itself what its tools are"));
            }
            entry.places().map_err(|fault| format!("actions.{name}.at: {fault}"))?;
        }
        Ok(catalogue)
    }

    /// Whether there are servers whose tools are not known before they are asked.
    pub(crate) fn has_servers(&self) -> bool {
        self.actions.values().any(|entry| entry.mcp.is_some())
    }

    /// The engine's actions, these, and the tools of all servers, which are started for it.
    ///
    /// # Errors
    /// When a server cannot be used; in words.
    pub(crate) async fn with_servers(&self) -> Result<Catalogue, String> {
        let mut catalogue = self.catalogue()?;
        for (name, entry) in &self.actions {
            let Some(server) = &entry.mcp else { continue };
            let server = server.reach(name, entry).await.map_err(|error| format!("actions.{name}: {error}"))?;
            let names = server.register(&mut catalogue).await.map_err(|error| format!("actions.{name}: {error}"))?;
            for tool in names {
                catalogue = catalogue.only_at(&tool, entry.places().unwrap_or_default());
            }
        }
        Ok(catalogue)
    }
}

impl Server {
    async fn reach(&self, name: &str, entry: &Entry) -> Result<McpServer, McpError> {
        let server = match &self.url {
            Some(url) => {
                let headers: Vec<(&str, String)> =
                    self.headers.iter().map(|(key, value)| (key.as_str(), value.value())).collect();
                McpServer::connect(name, url, headers.iter().map(|(key, value)| (*key, value.as_str()))).await?
            }
            None => {
                let mut words = self.command.iter();
                let mut command = tokio::process::Command::new(words.next().map(String::as_str).unwrap_or_default());
                command.args(words).kill_on_drop(true);
                if let Some(folder) = &entry.folder {
                    command.current_dir(folder);
                }
                McpServer::run(name, command).await?
            }
        };
        Ok(match entry.seconds {
            Some(seconds) => server.deadline(Duration::from_secs(seconds.min(3600))),
            None => server,
        })
    }
}

impl Entry {
    fn places(&self) -> Result<Vec<Pattern>, String> {
        let places: Result<Vec<_>, _> = self.at.iter().map(|address| Pattern::parse(address)).collect();
        places.map_err(|error| error.to_string())
    }

    /// Adds it to a catalogue; else says what is wrong with it, as it goes on after its name.
    fn register(&self, name: &str, catalogue: &mut Catalogue) -> Result<(), String> {
        if self.description.trim().is_empty() {
            return Err(".description is missing: a model is to read what it does".to_owned());
        }
        if let Some(wanted) = self.required.iter().find(|wanted| !self.parameters.contains_key(*wanted)) {
            return Err(format!(".required names {wanted}, and there is no such parameter"));
        }
        let schema = json!({"type": "object", "properties": self.parameters, "required": self.required});
        let mut tool = Tool::new(name, &self.description, schema);
        if let Some(risk) = self.risk {
            tool = tool.risk(risk);
        }
        let within = self.seconds.map(|seconds| Duration::from_secs(seconds.min(3600)));
        let registered = match (&self.command, &self.http) {
            (Some(words), None) => {
                let (program, arguments) = words.split_first().ok_or(".command names no program")?;
                let mut command = CommandTool::new(program, arguments);
                if let Some(folder) = &self.folder {
                    command = command.folder(folder);
                }
                if let Some(within) = within {
                    command = command.deadline(within);
                }
                catalogue.register_tool(tool, command)
            }
            (None, Some(call)) => {
                let mut http = call.tool().map_err(|error| format!(".http: {error}"))?;
                if let Some(within) = within {
                    http = http.deadline(within);
                }
                catalogue.register_tool(tool, http)
            }
            _ => return Err(" takes a command, an http call or an mcp server".to_owned()),
        };
        registered.map_err(|error| format!(": {error}"))
    }
}

impl Call {
    fn tool(&self) -> Result<HttpTool, CustomError> {
        let mut tool = HttpTool::new(self.method.as_deref().unwrap_or("POST"), &self.url)?;
        for (name, value) in &self.headers {
            tool = tool.header(name, &value.value())?;
        }
        Ok(tool)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(text: &str) -> ActionsPart {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn an_action_of_a_file_is_in_the_catalogue() {
        let part = part(
            "[notify]\ndescription = 'Tells the team.'\ncommand = ['notify-send', 'webhand']\nrisk = 'commit'\n\
             at = ['shop.example']\nrequired = ['text']\nparameters.text = { type = 'string', maxLength = 200 }\n",
        );
        let catalogue = part.catalogue().unwrap();
        let spec = catalogue.get("notify").unwrap();
        assert_eq!((spec.doc.as_str(), spec.risk), ("Tells the team.", Risk::Commit));
        assert!(spec.param("text").is_some_and(|text| text.required));
        assert!(spec.serves_at("https://shop.example/") && !spec.serves_at("https://other.example/"));
    }

    #[test]
    fn a_call_of_an_address_is_an_action_and_its_keys_come_of_the_environment() {
        let part = part(
            "[alert]\ndescription = 'Tells the team.'\n\
             http = { url = 'https://team.example/hook', headers = { authorization = { env = 'TEAM_KEY' }, x-a = 'b' } }\n",
        );
        assert!(part.catalogue().unwrap().get("alert").is_some() && !part.has_servers());
    }

    #[tokio::test]
    async fn a_server_that_cannot_be_started_is_told_by_its_path() {
        let part = part("[notes]\nmcp.command = ['webhand-no-such-program']\n");
        assert!(part.has_servers() && part.catalogue().unwrap().get("notes").is_none());
        let error = part.with_servers().await.unwrap_err();
        assert!(error.starts_with("actions.notes: "), "{error}");
    }

    #[test]
    fn what_cannot_be_used_is_told_by_its_path() {
        for (text, says) in [
            ("[click]\ndescription = 'x'\ncommand = ['x']", "actions.click: "),
            ("[tell]\ndescription = 'x'\ncommand = []", "actions.tell.command"),
            ("[tell]\ndescription = 'x'\ncommand = ['x']\nrequired = ['y']", "actions.tell.required"),
            ("[tell]\ndescription = 'x'\ncommand = ['x']\nat = ['http://']", "actions.tell.at"),
            ("[tell]\ncommand = ['x']", "actions.tell.description"),
            ("[tell]\ndescription = 'x'", "actions.tell takes a command"),
            (
                "[tell]\ndescription = 'x'\ncommand = ['x']\nhttp.url = 'http://a.example'",
                "actions.tell takes a command",
            ),
            ("[tell]\ndescription = 'x'\nhttp.url = 'ftp://a.example'", "actions.tell.http"),
            ("[notes]\nmcp.command = []", "actions.notes.mcp"),
            ("[notes]\ncommand = ['x']\nmcp.command = ['y']", "actions.notes is an MCP server"),
        ] {
            let error = part(text).catalogue().unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }
}
