//! Secrets: typed into their own site's field, and in nothing that leaves the session.

#![allow(clippy::unwrap_used)]

mod page;

use std::sync::Arc;

use page::{Page, kind};
use serde_json::json;
use webhand_action::{
    PictureOptions, Settings, Vault, VaultEntry,
    catalogue::{Click, Fill, FillForm, Find, FormField, Read, Risk, Type},
    error::ErrorCode,
    outcome::Outcome,
};
use webhand_guard::Secret;
use webhand_page::{FormatOptions, Json, SnapshotFormat};

const CANARY: &str = "canary-hunter2";
const HANDLE: &str = "<secret>shop.password</secret>";

const LOGIN: &str = "<!doctype html><title>Login</title>
    <label>Login <input id=l></label> <label>Password <input id=p type=password></label>
    <label>Search <input type=search></label>
    <button onclick='say.textContent = `You typed ${p.value}`; document.title = p.value; p.type = `text`'>Echo</button>
    <p id=say></p>";

/// The page at an address of its own, with a vault for that address, or for another.
async fn with_vault(html: &'static str, own: bool) -> Page {
    let mut page = Page::served(html, "").await;
    let url = page.session.tab().url();
    let origin = if own { url.trim_end_matches('/') } else { "https://shop.example" };
    let entry = VaultEntry::of([origin]).unwrap();
    let entry = entry.with("password", Secret::new(CANARY)).with("login", Secret::new("ada"));
    let mut settings = Settings::default();
    settings.vault = Arc::new(Vault::default().with("shop", entry));
    page.session = page.session.with_settings(settings);
    page
}

#[track_caller]
fn blocked(outcome: &Outcome) {
    assert_eq!((outcome.code(), kind(outcome)), (Some(ErrorCode::BlockedByPolicy), Some("secret")), "{outcome}");
}

#[tokio::test]
async fn a_handle_becomes_its_value_in_the_field_and_nowhere_else() {
    let mut page = with_vault(LOGIN, true).await;
    let outcome = page.perform(Fill::on(page.on("Password"), HANDLE)).await;
    assert!(outcome.ok, "{outcome}");
    assert_eq!(page.js("p.value").await, json!(CANARY));
    let mut told = vec![format!("{outcome:?}"), serde_json::to_string(&outcome).unwrap()];
    assert!(told[1].contains("<secret>shop.password</secret>"), "the action is told as it was asked: {}", told[1]);
    // the page echoes it: in a text, in its title, and in a field that is no password field any more
    let outcome = page.perform(Click::on(page.on("Echo"))).await;
    assert!(outcome.ok, "{outcome}");
    told.push(format!("{outcome:?}"));
    let snapshot = page.session.snapshot().await.unwrap();
    told.push(snapshot.to_string());
    told.push(Json.write(&snapshot, &FormatOptions::default()));
    let mut find = Find::text("You typed");
    find.limit = 5;
    for outcome in [page.perform(Read::page()).await, page.perform(find).await] {
        assert!(outcome.ok, "{outcome}");
        told.push(format!("{outcome:?}"));
    }
    for text in &told {
        assert!(!text.contains(CANARY), "{text}");
    }
    assert!(told.iter().any(|text| text.contains("You typed [secret]")), "{told:#?}");
    page.close().await;
}

#[tokio::test]
async fn another_site_another_field_and_another_action_get_nothing() {
    let mut page = with_vault(LOGIN, false).await;
    blocked(&page.perform(Fill::on(page.on("Password"), HANDLE)).await);
    assert_eq!(page.js("p.value").await, json!(""));
    page.close().await;

    let mut page = with_vault(LOGIN, true).await;
    blocked(&page.perform(Fill::on(page.on("Login"), HANDLE)).await);
    blocked(&page.perform(Fill::on(page.on("Search"), "<secret>shop.login</secret>")).await);
    blocked(&page.perform(Type::text(HANDLE)).await);
    let unknown = page.perform(Fill::on(page.on("Password"), "<secret>shop.pin</secret>")).await;
    assert_eq!(unknown.code(), Some(ErrorCode::InvalidAction), "{unknown}");
    assert_eq!(page.js("p.value + l.value").await, json!(""));
    let outcome = page.perform(Fill::on(page.on("Login"), "<secret>shop.login</secret>")).await;
    assert!(outcome.ok, "{outcome}");
    assert_eq!(page.js("l.value").await, json!("ada"));
    page.close().await;
}

/// A field that changes what is typed must not tell the value in its other form.
#[tokio::test]
async fn what_stands_there_instead_is_not_told() {
    let mut page = with_vault(
        "<label>Password <input type=password oninput='this.value = this.value.toUpperCase()'></label>",
        true,
    )
    .await;
    let outcome = page.perform(Fill::on(page.on("Password"), HANDLE)).await;
    assert_eq!(outcome.code(), Some(ErrorCode::ValueRejected), "{outcome}");
    assert!(!format!("{outcome:?}").to_lowercase().contains(CANARY), "{outcome:?}");
    page.close().await;
}

/// Where the value stood the picture is as if it were not there.
#[tokio::test]
async fn an_echo_is_painted_over() {
    let html = "<!doctype html><style>body{margin:40px;font:40px monospace}</style>
        <label>Password <input id=p type=password></label><div id=say></div><button onclick='say.textContent = p.value'>Echo</button>";
    let mut page = with_vault(html, true).await;
    assert!(page.perform(Fill::on(page.on("Password"), HANDLE)).await.ok);
    let click = Click::on(page.on("Echo"));
    assert!(page.perform(click).await.ok);
    let picture = page.session.picture(&PictureOptions::default()).await.unwrap();
    let box_of = page.js("(() => { const r = document.createRange(); r.selectNodeContents(say); const b = r.getBoundingClientRect(); return [b.left, b.top, b.width, b.height].map(Math.round) })()").await;
    let [left, top, width, height] =
        [0, 1, 2, 3].map(|i| box_of[i].as_u64().and_then(|it| u32::try_from(it).ok()).unwrap());
    let image = image::load_from_memory(&picture.bytes).unwrap().to_rgb8();
    let first = *image.get_pixel(left + 3, top + 3);
    let alike = (left + 3..left + width - 3).all(|x| *image.get_pixel(x, top + height / 2) == first);
    assert!(alike, "letters can be seen");
    page.close().await;
}

/// A form with a handle in it: the values of its fields are as absent as those of a field alone, and its rules are the same.
#[tokio::test]
async fn a_form_takes_handles_under_the_same_rules() {
    let mut page = with_vault(LOGIN, true).await;
    let fields =
        [FormField::new(page.on("Login"), "<secret>shop.login</secret>"), FormField::new(page.on("Password"), HANDLE)];
    let outcome = page.perform(FillForm::of(fields)).await;
    assert!(outcome.ok, "{outcome}");
    assert_eq!(outcome.risk, Risk::Secret);
    assert_eq!(page.js("[l.value, p.value]").await, json!(["ada", CANARY]));
    let told = [
        format!("{outcome:?}"),
        serde_json::to_string(&outcome).unwrap(),
        page.session.snapshot().await.unwrap().to_string(),
    ];
    for text in &told {
        assert!(!text.contains(CANARY), "{text}");
    }
    assert!(told[1].contains(HANDLE), "the action is told as it was asked: {}", told[1]);
    page.close().await;

    let mut page = with_vault(LOGIN, false).await;
    let fields = [FormField::new(page.on("Login"), "ben"), FormField::new(page.on("Password"), HANDLE)];
    let outcome = page.perform(FillForm::of(fields)).await;
    blocked(&outcome);
    assert_eq!(page.js("[l.value, p.value]").await, json!(["ben", ""]), "what came before it is told: {outcome}");
    page.close().await;

    let mut page = with_vault(LOGIN, true).await;
    blocked(&page.perform(FillForm::of([FormField::new(page.on("Login"), HANDLE)])).await);
    page.close().await;
    // no choice and no box is made of a secret
    let mut page =
        with_vault("<label><input type=checkbox> Stay</label><label>Which <select><option>a</select></label>", true)
            .await;
    for name in ["Stay", "Which"] {
        let outcome = page.perform(FillForm::of([FormField::new(page.on(name), HANDLE)])).await;
        assert!(!outcome.ok && !format!("{outcome:?}").contains(CANARY), "{outcome}");
    }
    page.close().await;
}
