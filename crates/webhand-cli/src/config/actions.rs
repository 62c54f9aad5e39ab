//! The `[actions]` part of the settings: actions of the user's own, each a command.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::Duration,
};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use webhand::{
    CommandTool,
    action::catalogue::{Catalogue, Risk, Tool},
    guard::Pattern,
};

/// As a file writes it: actions by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct ActionsPart {
    actions: BTreeMap<String, Entry>,
}

/// One action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// What it does: a model reads it.
    description: String,
    /// Program and arguments.
    command: Vec<String>,
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
        for (name, entry) in &self.actions {
            let Some((program, arguments)) = entry.command.split_first() else {
                return Err(format!("actions.{name}.command names no program"));
            };
            for wanted in &entry.required {
                if !entry.parameters.contains_key(wanted) {
                    return Err(format!("actions.{name}.required names {wanted}, and there is no such parameter"));
                }
            }
            let schema = json!({"type": "object", "properties": entry.parameters, "required": entry.required});
            let mut tool = Tool::new(name, &entry.description, schema);
            if let Some(risk) = entry.risk {
                tool = tool.risk(risk);
            }
            let mut command = CommandTool::new(program, arguments);
            if let Some(folder) = &entry.folder {
                command = command.folder(folder);
            }
            if let Some(seconds) = entry.seconds {
                command = command.deadline(Duration::from_secs(seconds.min(3600)));
            }
            catalogue.register_tool(tool, command).map_err(|error| format!("actions.{name}: {error}"))?;
            let at = entry.at.iter().map(|address| Pattern::parse(address)).collect::<Result<Vec<_>, _>>();
            catalogue = catalogue.only_at(name, at.map_err(|error| format!("actions.{name}.at: {error}"))?);
        }
        Ok(catalogue)
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
    fn what_cannot_be_used_is_told_by_its_path() {
        for (text, says) in [
            ("[click]\ndescription = 'x'\ncommand = ['x']", "actions.click: "),
            ("[tell]\ndescription = 'x'\ncommand = []", "actions.tell.command"),
            ("[tell]\ndescription = 'x'\ncommand = ['x']\nrequired = ['y']", "actions.tell.required"),
            ("[tell]\ndescription = 'x'\ncommand = ['x']\nat = ['http://']", "actions.tell.at"),
        ] {
            let error = part(text).catalogue().unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }
}
