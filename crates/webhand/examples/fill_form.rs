//! A form is looked at, filled and sent; each step says what really happened.
//!
//! `cargo run -p webhand --example fill_form`

#![allow(clippy::print_stdout, reason = "an example speaks to a person")]

use webhand::prelude::*;

const PAGE: &str = "data:text/html,<title>Order</title><h1>Order</h1>\
    <form onsubmit=\"event.preventDefault(); said.textContent = 'Thank you, ' + who.value\">\
    <label>Name <input id=who></label> <label>Colour <select><option>Sand<option>Sage</select></label>\
    <label><input type=checkbox> I accept the terms</label> <button>Send</button></form><p id=said></p>";

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let browser = Browser::launch(Launch::from_env()).await?;
    let sent = send(&browser).await;
    // Also where something went wrong: it ends with all that belongs to it.
    browser.close().await;
    sent
}

async fn send(browser: &Browser) -> Result<(), Box<dyn std::error::Error>> {
    let mut session = browser.open(PAGE).await?;
    let page = session.snapshot().await?;
    println!("{}", page.outline(&FormatOptions::default()));

    // Programs find controls by role and name; models write the refs that the outline shows.
    let control = |role: &str, name: &str| {
        let found = page.by_role_and_name(role, name).map(|(_, control)| control.r#ref);
        found.ok_or_else(|| format!("there is no {role} {name:?}"))
    };
    let (name, colour) = (control("textbox", "Name")?, control("combobox", "Colour")?);
    let (terms, button) = (control("checkbox", "I accept the terms")?, control("button", "Send")?);

    // Wrong means stop.
    session.perform(Fill::on(name, "Mira Holm")).await.into_result()?;
    session.perform(Select::on(colour, "Sage")).await.into_result()?;
    session.perform(Check::on(terms)).await.into_result()?;

    // Or look at what happened.
    let outcome = session.perform(Click::on(button)).await;
    println!("{outcome}");
    let outcome = session.perform(Wait::text("Thank you, Mira Holm").seconds(5.0)).await;
    println!("{outcome}");
    Ok(())
}
