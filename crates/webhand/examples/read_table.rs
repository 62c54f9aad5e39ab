//! A table is read, and one row's button is found by what the row says.
//!
//! `cargo run -p webhand --example read_table`

#![allow(clippy::print_stdout, reason = "an example speaks to a person")]

use webhand::{actions, prelude::*};

const PAGE: &str = "data:text/html,<title>People</title><table><tr><th>Name<th>City<th>\
    <tr><td>Alice<td>Bern<td><button>Call</button>\
    <tr><td>Bob<td>Basel<td><button onclick=\"this.textContent = 'Calling Bob'\">Call</button></table>";

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let browser = Browser::launch(Launch::from_env()).await?;
    let read = read(&browser).await;
    browser.close().await;
    read
}

async fn read(browser: &Browser) -> Result<(), Box<dyn std::error::Error>> {
    let mut session = browser.open(PAGE).await?;
    let outcome = session.perform(actions::Read::page()).await.into_result()?;
    let text = outcome.data.as_ref().and_then(|data| data["text"].as_str()).unwrap_or_default();
    for row in text.lines().filter(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        println!("{cells:?}");
    }

    // The same sentences that `webhand act` takes can be used as a model: it names rows.
    let agent = Agent::new(std::sync::Arc::new(Literal::new()), session);
    let run = agent.task("Click \"Call\" in the row \"Bob\". Make sure \"Calling Bob\" is shown").run().await?;
    println!("{}", run.end);
    Ok(())
}
