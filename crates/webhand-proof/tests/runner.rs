//! The runner on an engine of straw: a page that is a counter in memory, and an engine that lies or tells the truth.

#![allow(clippy::unwrap_used, reason = "a fixture that cannot be written is a failed test")]

use std::path::Path;

use serde_json::{Value, json};
use webhand_proof::{
    Options,
    case::{BatchRules, Kind},
    driver::{Driver, DriverError, Engine, Opening, Place},
    run,
    sight::{Heard, ItemSaid, NodeSeen, Reached, Said, Sight, View},
};

#[derive(Clone, Copy, Debug)]
struct Straw {
    honest: bool,
}

#[derive(Debug)]
struct StrawPage {
    honest: bool,
    clicks: u32,
}

impl Engine for Straw {
    type Driver = StrawPage;

    fn kind(&self) -> Kind {
        Kind::Shell
    }

    async fn open(&self, url: &str, _: &Opening) -> Result<StrawPage, DriverError> {
        assert!(url.starts_with("http://127.0.0.1:"), "{url}");
        Ok(StrawPage { honest: self.honest, clicks: 0 })
    }

    async fn close(self) {}
}

impl Driver for StrawPage {
    type Beside = ();

    fn beside(&self) {}

    async fn look(&mut self, _: View) -> Result<Sight, DriverError> {
        let button = NodeSeen {
            role: "button".into(),
            name: "Save".into(),
            reference: Some("B1".into()),
            ..NodeSeen::default()
        };
        Ok(Sight { nodes: vec![button], ..Sight::default() })
    }

    async fn act(&mut self, action: &Value) -> Result<Said, DriverError> {
        assert_eq!(action["ref"], "B1", "a target is made a handle");
        self.clicks += u32::from(self.honest);
        Ok(Said { ok: true, ..Said::default() })
    }

    async fn act_all(&mut self, actions: &[Value], _: BatchRules) -> Result<Heard, DriverError> {
        let mut items = Vec::new();
        for action in actions {
            items.push(ItemSaid { reached: Reached::Done, said: self.act(action).await? });
        }
        Ok(Heard::Several(items))
    }

    async fn reply(&mut self, text: &str) -> Result<Heard, DriverError> {
        let action: Value = serde_json::from_str(text).map_err(|error| DriverError::Script(error.to_string()))?;
        self.act_all(&[action], BatchRules::default()).await
    }

    async fn evaluate(&mut self, _: &str, _: Place) -> Result<Value, DriverError> {
        Ok(json!(self.clicks))
    }

    async fn close(self) {}
}

const CASE: &str = r#"
id = "A01"
title = "a button"
[[step]]
look = { lists = [{ role = "button", name = "Save" }] }
[[step]]
act = { type = "click", target = { role = "button", name = "Save" } }
record = { js = "clicks", is = 1 }
[[step]]
reply = '{"type": "click", "ref": "{{ref button "Save"}}"}'
record = { js = "clicks", is = 2 }
"#;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a01-button.toml"), CASE).unwrap();
    std::fs::write(folder.path().join("a01-button.html"), "<button>Save</button>").unwrap();
    std::fs::write(folder.path().join("rows.tsv"), "A01\ta button\nA02\tanother\nB01\tmany\n").unwrap();
    folder
}

async fn report(folder: &Path, honest: bool, filter: &str) -> String {
    let options = Options { filter: filter.into(), ..Options::default() };
    match run(folder, &options, async |_| Ok(Straw { honest })).await {
        Ok(report) => report.text(),
        Err(error) => error.to_string(),
    }
}

#[tokio::test]
async fn an_honest_engine_passes_in_every_kind() {
    let folder = folder();
    let text = report(folder.path(), true, "").await;
    assert!(text.contains("A: 1/1\nB: 0/0\n") && text.contains("2/2"), "{text}");
    assert!(text.ends_with("false successes: 0\n"), "{text}");
}

#[tokio::test]
async fn a_lie_is_counted_as_such() {
    let folder = folder();
    let text = report(folder.path(), false, "A").await;
    assert!(text.contains("FALSE SUCCESS a01-button [shell] step 2 (act click)"), "{text}");
    assert!(text.contains("A: 0/1\n") && text.ends_with("false successes: 2\n"), "{text}");
}

#[tokio::test]
async fn a_row_that_is_planned_only_is_not_yet_and_an_unknown_one_an_error() {
    let folder = folder();
    let text = report(folder.path(), true, "B").await;
    assert!(text.starts_with("not yet B01") && text.ends_with("false successes: 0\n"), "{text}");
    assert!(report(folder.path(), true, "Z").await.contains("begins with \"Z\""));
}

#[tokio::test]
async fn a_case_without_its_page_is_an_error() {
    let folder = folder();
    std::fs::remove_file(folder.path().join("a01-button.html")).unwrap();
    assert!(report(folder.path(), true, "").await.contains("no page /a01-button.html"));
}
