//! Acting on real pages in a real browser: what the page's own script saw, beside what the outcome says.

#![allow(clippy::unwrap_used)]

use serde_json::Value;
use webhand_action::{
    BatchOptions, Recovery, Session, Settings,
    catalogue::{Action, Check, Click, Fill, Press, Scroll, Select, Target, Wait},
    error::ErrorCode,
    outcome::{Located, Outcome},
};
use webhand_browser::{Browser, Headless, Launch};
use webhand_cdp::protocol::runtime::Evaluate;

async fn open(html: &str) -> (Browser, Session) {
    let launch = Launch::default().headless(Headless::Auto).document_script(webhand_page::LIBRARY);
    let browser = Browser::launch(launch).await.unwrap();
    let mut url = "data:text/html;charset=utf-8,".to_owned();
    for byte in html.bytes() {
        url.push_str(&format!("%{byte:02x}"));
    }
    let mut session = Session::open(&browser, &url).await.unwrap();
    session.snapshot().await.unwrap();
    (browser, session)
}

fn on(session: &Session, role: &str, name: &str) -> Target {
    let shown = session.shown().unwrap();
    let (_, control) =
        shown.by_role_and_name(role, name).unwrap_or_else(|| panic!("no {role} {name:?} in {:#?}", shown.nodes));
    control.r#ref.into()
}

async fn js(session: &Session, expression: &str) -> Value {
    let mut evaluate = Evaluate::new(expression);
    evaluate.return_by_value = Some(true);
    let reply = session.tab().session().call(&evaluate).await.unwrap();
    serde_json::from_str(reply.result.value.unwrap().get()).unwrap()
}

fn code(outcome: &Outcome) -> Option<ErrorCode> {
    outcome.error.as_ref().map(|error| error.code)
}

#[tokio::test]
async fn a_click_lands_trusted_and_says_what_followed() {
    let html = "<p id=n>0</p><button onclick='window.t=event.isTrusted;n.textContent=+n.textContent+1'>Add</button>";
    let (browser, mut session) = open(html).await;
    let outcome = session.perform(Click::on(on(&session, "button", "Add"))).await;
    assert!(outcome.ok, "{outcome}");
    assert_eq!(outcome.located_by, Some(Located::Live));
    assert!(outcome.effects.any(), "{outcome}");
    assert_eq!(js(&session, "[t, n.textContent]").await, serde_json::json!([true, "1"]));
    browser.close().await;
}

#[tokio::test]
async fn what_a_script_moves_is_waited_for_to_its_end() {
    // a section that slides open step by step, as libraries do it; on a busy page a step comes late
    let script = "let step = 0; const slide = () => { part.style.height = `${++step * 10}px`; if (step < 12) setTimeout(slide, step === 1 ? 25 : step % 4 ? 13 : 60) }";
    let html = format!(
        "<button onclick='slide()'>Open</button><div id=part style='height:0;overflow:hidden'>text</div><script>{script}</script>"
    );
    let (browser, mut session) = open(&html).await;
    let outcome = session.perform(Click::on(on(&session, "button", "Open"))).await;
    assert!(outcome.ok, "{outcome}");
    assert_eq!(js(&session, "step").await, serde_json::json!(12), "{outcome}");
    browser.close().await;
}

#[tokio::test]
async fn a_click_that_does_nothing_is_no_success() {
    let html = "<button>Idle</button><p id=clock>0</p><script>setInterval(() => clock.textContent++, 100)</script>";
    let (browser, mut session) = open(html).await;
    let outcome = session.perform(Click::on(on(&session, "button", "Idle"))).await;
    assert_eq!(code(&outcome), Some(ErrorCode::NoEffect), "{outcome}");
    browser.close().await;
}

#[tokio::test]
async fn a_covered_button_is_refused_with_its_cover_named() {
    let html = "<button onclick='window.hit=1'>Delete</button><div role=dialog aria-label=Cookies style='position:fixed;inset:0;background:#fff8'><button>Accept</button></div>";
    let (browser, mut session) = open(html).await;
    let shown = session.shown().unwrap().clone();
    let (_, delete) = shown.by_role_and_name("button", "Delete").unwrap();
    let cover = delete.state.covered.clone().unwrap();
    assert_eq!(cover.name, "Cookies");
    let outcome = session.perform(Click::on(delete.r#ref)).await;
    assert_eq!(code(&outcome), Some(ErrorCode::NotInteractable), "{outcome}");
    assert!(outcome.message.contains(&cover.r#ref.unwrap().to_string()), "{outcome}");
    assert_eq!(js(&session, "window.hit ?? 0").await, 0);
    browser.close().await;
}

#[tokio::test]
async fn fields_are_filled_and_read_back() {
    let html = "<label>Name <input></label><label>Up <input oninput='this.value=this.value.toUpperCase()'></label><label>Day <input type=date></label><label>Short <input maxlength=3></label><label>Text <textarea>old</textarea></label>";
    let (browser, mut session) = open(html).await;
    let outcome = session.perform(Fill::on(on(&session, "textbox", "Name"), "Ann é中")).await;
    assert!(outcome.ok, "{outcome}");
    assert_eq!(js(&session, "document.querySelector('input').value").await, "Ann é中");
    let outcome = session.perform(Fill::on(on(&session, "textbox", "Up"), "abc")).await;
    assert_eq!(code(&outcome), Some(ErrorCode::ValueRejected), "{outcome}");
    assert!(outcome.message.contains("ABC"), "{outcome}");
    let outcome = session.perform(Fill::on(on(&session, "date", "Day"), "03/15/2024")).await;
    assert!(outcome.ok, "{outcome}");
    assert_eq!(js(&session, "document.querySelectorAll('input')[2].value").await, "2024-03-15");
    let outcome = session.perform(Fill::on(on(&session, "textbox", "Short"), "abcdef")).await;
    assert_eq!(code(&outcome), Some(ErrorCode::ValueRejected), "{outcome}");
    let outcome = session.perform(Fill::on(on(&session, "textbox", "Text"), "")).await;
    assert!(outcome.ok, "{outcome}");
    assert_eq!(js(&session, "document.querySelector('textarea').value").await, "");
    browser.close().await;
}

#[tokio::test]
async fn choices_are_set_and_verified() {
    let html = "<select aria-label=Size><option>S</option><option value=m>Medium  size</option><option disabled>L</option></select><label><input type=checkbox> News</label>";
    let (browser, mut session) = open(html).await;
    let outcome = session.perform(Select::on(on(&session, "combobox", "Size"), "medium size")).await;
    assert!(outcome.ok, "{outcome}");
    assert_eq!(js(&session, "document.querySelector('select').value").await, "m");
    let outcome = session.perform(Select::on(on(&session, "combobox", "Size"), "L")).await;
    assert_eq!(code(&outcome), Some(ErrorCode::NotInteractable), "{outcome}");
    let outcome = session.perform(Check::on(on(&session, "checkbox", "News"))).await;
    assert!(outcome.ok, "{outcome}");
    let outcome = session.perform(Check::on(on(&session, "checkbox", "News"))).await;
    assert!(outcome.ok && outcome.message.contains("already"), "{outcome}");
    assert_eq!(js(&session, "document.querySelector('input').checked").await, true);
    browser.close().await;
}

#[tokio::test]
async fn a_confirm_is_held_for_an_answer() {
    let html = "<button onclick='document.title=confirm(\"Sure?\")'>Go</button>";
    let (browser, mut session) = open(html).await;
    let outcome = session.perform(Click::on(on(&session, "button", "Go"))).await;
    assert!(outcome.ok && outcome.effects.dialog(), "{outcome}");
    let held = session.perform(Press::keys("Tab")).await;
    assert_eq!(held.error.as_ref().and_then(|error| error.kind.as_deref()), Some("dialog_open"), "{held}");
    let snapshot = session.snapshot().await.unwrap();
    assert_eq!(snapshot.dialog.as_ref().map(|dialog| dialog.message.as_str()), Some("Sure?"));
    let answer: Action = serde_json::from_value(serde_json::json!({"type": "dialog", "accept": false})).unwrap();
    let outcome = session.perform(answer).await;
    assert!(outcome.ok, "{outcome}");
    assert_eq!(js(&session, "document.title").await, "false");
    browser.close().await;
}

#[tokio::test]
async fn a_changed_label_is_another_target() {
    let (browser, mut session) = open("<button id=b onclick='window.hit=1'>Save</button>").await;
    js(&session, "b.textContent = 'Buy now'").await;
    let outcome = session.perform(Click::on(on(&session, "button", "Save"))).await;
    assert_eq!(code(&outcome), Some(ErrorCode::TargetChanged), "{outcome}");
    assert!(outcome.message.contains("Save") && outcome.message.contains("Buy now"), "{outcome}");
    assert_eq!(js(&session, "window.hit ?? 0").await, 0);
    browser.close().await;
}

#[tokio::test]
async fn an_element_rendered_anew_is_found_by_what_it_is() {
    let html = "<ul><li>Ann <button onclick='window.hit=\"Ann\"'>Delete</button></li><li>Bob <button onclick='window.hit=\"Bob\"'>Delete</button></li></ul>";
    let (browser, mut session) = open(html).await;
    let second = session.shown().unwrap().controls().nth(1).unwrap().1.r#ref;
    js(&session, "document.body.innerHTML += ''; 1").await;
    let outcome = session.perform(Click::on(second)).await;
    assert_eq!(js(&session, "window.hit ?? ''").await, "Bob", "{outcome}");
    assert_eq!(outcome.located_by, Some(Located::Identity));
    browser.close().await;
}

#[tokio::test]
async fn a_link_is_followed_to_the_next_page_and_a_batch_brakes() {
    let html = "<a href='data:text/html,<h1>Next</h1>' target=_blank rel=opener>Open</a><button onclick='document.title=1'>Later</button>";
    let (browser, mut session) = open(html).await;
    let actions = [Click::on(on(&session, "link", "Open")).into(), Click::on(on(&session, "button", "Later")).into()];
    let report = session.perform_all(&actions, &BatchOptions::default()).await;
    let statuses: Vec<_> = report.items.iter().map(|item| item.status()).collect();
    assert_eq!(statuses, ["done", "not_tried"], "{report}");
    assert_eq!(session.tabs().len(), 2);
    browser.close().await;
}

#[tokio::test]
async fn scrolling_says_how_far_and_when_it_is_at_the_end() {
    let (browser, mut session) = open("<div style='height:3000px'>tall</div><p>the end</p>").await;
    let down: Scroll = serde_json::from_value(serde_json::json!({"to": "bottom"})).unwrap();
    let outcome = session.perform(down.clone()).await;
    assert!(outcome.ok, "{outcome}");
    let outcome = session.perform(down).await;
    assert_eq!(code(&outcome), Some(ErrorCode::AtEnd), "{outcome}");
    browser.close().await;
}

#[tokio::test]
async fn a_page_that_never_answers_ends_in_a_timeout_and_hangs_nothing() {
    let (browser, mut session) = open("<button onclick='for(;;);'>Stuck</button>").await;
    let target = on(&session, "button", "Stuck");
    let outcome = session.perform(Click::on(target)).await;
    assert_eq!(code(&outcome), Some(ErrorCode::Timeout), "{outcome}");
    assert!(!session.tabs().is_empty(), "the control plane still answers");
    browser.close().await;
}

#[tokio::test]
async fn a_browser_that_dies_in_mid_command_is_told_as_lost() {
    let (browser, session) = open("<p>waiting</p>").await;
    let pid = browser.info().pid.unwrap();
    let killer = async {
        let killed = std::process::Command::new("kill").args(["-9", &pid.to_string()]).status().unwrap();
        assert!(killed.success());
    };
    let mut settings = Settings::default();
    settings.recovery = Recovery::off();
    let mut session = session.with_settings(settings);
    let (outcome, ()) = tokio::join!(session.perform(Wait::text("never")), killer);
    assert_eq!(code(&outcome), Some(ErrorCode::BrowserLost), "{outcome}");
    let after = session.perform(Press::keys("Tab")).await;
    assert_eq!(code(&after), Some(ErrorCode::BrowserLost), "{after}");
    browser.close().await;
}

#[tokio::test]
async fn what_cannot_be_asked_is_refused_with_what_to_do() {
    let (browser, mut session) = open("<button>One</button>").await;
    for target in ["B99", "I1", "Z3", "nonsense"] {
        let outcome = session.perform(Click::on(target)).await;
        assert_eq!(code(&outcome), Some(ErrorCode::InvalidAction), "{target}: {outcome}");
        assert!(outcome.error.unwrap().hint.is_some(), "{target}");
    }
    browser.close().await;
}

#[tokio::test]
async fn what_a_click_in_a_frame_does_around_it_is_seen() {
    let html = "<p id=p>before</p><iframe title=inner width=300 height=80 srcdoc=\"<button onclick='setTimeout(() => parent.document.getElementById(`p`).textContent = `after`, 60)'>Tell</button>\"></iframe>";
    let (browser, mut session) = open(html).await;
    let outcome = session.perform(Click::on(on(&session, "button", "Tell"))).await;
    assert!(outcome.ok, "{outcome}");
    assert_eq!(js(&session, "p.textContent").await, "after");
    browser.close().await;
}
