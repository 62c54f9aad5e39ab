//! A model of one's own in the loop: prompt in, text out. This one writes one reply and then ends.
//!
//! `cargo run -p webhand --example agent`

#![allow(clippy::print_stdout, reason = "an example speaks to a person")]

use std::sync::Arc;

use webhand::{
    agent::{Condition, Model, ModelError, ModelReply, Prompt},
    prelude::*,
};

const PAGE: &str = "data:text/html,<title>Lamp</title><p id=lamp>Dark</p>\
    <button onclick=\"lamp.textContent = 'Bright'\">Switch on</button>";

/// Where a provider would be asked.
#[derive(Debug)]
struct Mine;

#[async_trait::async_trait]
impl Model for Mine {
    fn name(&self) -> &str {
        "mine"
    }

    async fn reply(&self, prompt: &Prompt) -> Result<ModelReply, ModelError> {
        // `prompt.text(…)` is the whole as text, `prompt.schema` what a reply must be, `prompt.snapshot` the page as a value.
        let button = prompt.snapshot.by_role_and_name("button", "Switch on").map(|(_, control)| control.r#ref);
        Ok(ModelReply::text(match (prompt.record.is_empty(), button) {
            (true, Some(button)) => format!(r#"{{"actions": [{{"type": "click", "ref": "{button}"}}]}}"#),
            _ => r#"{"actions": [{"type": "done", "text": "the lamp is on", "success": true}]}"#.to_owned(),
        }))
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let browser = Browser::launch(Launch::from_env()).await?;
    let session = browser.open(PAGE).await?;
    let run = Agent::new(Arc::new(Mine), session)
        .task("Switch the lamp on")
        // Whatever the model says: this must hold at the end.
        .expect(Condition::Shows("Bright".to_owned()))
        .on_event(|event| println!("{event:?}"))
        .run()
        .await;
    browser.close().await;
    println!("{}", run?.end);
    Ok(())
}
