//! An action of one's own: a struct, an async function, and it is offered to models, checked and reported like any other.
//!
//! `cargo run -p webhand --example custom_action`

#![allow(clippy::print_stdout, reason = "an example speaks to a person")]

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use webhand::{
    action::{
        decode::{Finish, decode},
        schema::{SchemaOptions, Shape},
    },
    prelude::*,
};

/// Writes a note for the person.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct WriteNote {
    /// What it says.
    #[schemars(length(min = 1, max = 200))]
    text: String,
}

impl ActionType for WriteNote {
    const NAME: &'static str = "write_note";
    const RISK: Risk = Risk::Read;
}

/// What a model may not write is told to it in the error, with what to do.
async fn write_note(note: WriteNote, context: ActionContext) -> Result<Value, CustomError> {
    if note.text.contains("http") {
        return Err(CustomError::new("a note holds no address").hint("the page's own is kept with it"));
    }
    Ok(json!({ "note": note.text, "page": context.url }))
}

/// What a model wrote; the page below has a button with that ref.
const REPLY: &str = r#"{"actions": [
    {"type": "click", "ref": "B1"},
    {"type": "write_note", "text": "The button was pressed"}
]}"#;
const PAGE: &str = "data:text/html,<title>One</title><button onclick=\"this.textContent = 'Pressed'\">Press</button>";

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut catalogue = Catalogue::built_in();
    catalogue.register::<WriteNote>(write_note)?;
    let schema = catalogue.schema(&SchemaOptions::new(Shape::Union).offer(["write_note"]));
    println!("a model is told: {schema}");

    let decision = decode(REPLY, Finish::Stop, &catalogue)?;
    let browser = Browser::launch(Launch::from_env()).await?;
    let report = carry_out(&browser, catalogue, &decision.actions).await;
    browser.close().await;
    print!("{}", report?);
    Ok(())
}

async fn carry_out(browser: &Browser, catalogue: Catalogue, actions: &[Action]) -> Result<Report, SessionError> {
    let mut session = browser.open(PAGE).await?.with_catalogue(catalogue);
    session.snapshot().await?;
    Ok(session.perform_all(actions, &BatchOptions::default()).await)
}
