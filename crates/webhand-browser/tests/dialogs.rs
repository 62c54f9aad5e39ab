//! Dialogs are held, told, answered, and hold nothing else up.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::time::{Duration, Instant};

use support::{PATIENCE, evaluate, heard, on_both};
use webhand_browser::cdp::protocol::runtime;
use webhand_browser::{BrowserError, DialogKind, TabEvent};

/// Lets the page open a dialog on its own, as a click would.
async fn later(tab: &webhand_browser::Tab, script: &str) {
    evaluate(tab, &format!("setTimeout(() => {{ {script} }}, 0), 0")).await;
}

#[test]
fn a_prompt_is_held_and_answered_with_a_text() {
    on_both(|stage| async move {
        let tab = stage.tab_at("/one").await;
        let mut events = tab.events();
        later(&tab, "document.title = prompt('name?', 'Ann')").await;
        heard(&mut events, |event| matches!(event, TabEvent::DialogOpened(_))).await;
        let dialog = tab.dialog().unwrap();
        assert_eq!(dialog.kind, DialogKind::Prompt);
        assert_eq!(dialog.default_prompt.as_deref(), Some("Ann"));
        assert_eq!(dialog.url, stage.site.url("/one"));
        tab.answer_dialog(true, Some("Bob".to_owned())).await.unwrap();
        let closed = heard(&mut events, |event| matches!(event, TabEvent::DialogClosed { .. })).await;
        assert!(matches!(closed, TabEvent::DialogClosed { accepted: true, text: Some(text), .. } if text == "Bob"));
        assert_eq!(evaluate(&tab, "document.title").await, "\"Bob\"");
        assert!(matches!(tab.answer_dialog(true, None).await, Err(BrowserError::NoDialog)));
    });
}

#[test]
fn an_alert_is_accepted_and_told() {
    on_both(|stage| async move {
        let tab = stage.tab_at("/one").await;
        let mut events = tab.events();
        assert_eq!(evaluate(&tab, "alert('done'), 7").await, "7");
        let closed = heard(&mut events, |event| matches!(event, TabEvent::DialogClosed { .. })).await;
        assert!(matches!(closed, TabEvent::DialogClosed { dialog, accepted: true, .. } if dialog.message == "done"));
        assert!(tab.dialog().is_none());
    });
}

#[test]
fn a_held_dialog_freezes_neither_commands_nor_other_tabs() {
    on_both(|stage| async move {
        let tab = stage.tab_at("/one").await;
        let other = stage.tab_at("/two").await;
        let evaluate_pending = runtime::Evaluate::new("confirm('sure?')");
        let began = Instant::now();
        let held = tab.race(tab.session().send(&evaluate_pending), PATIENCE).await;
        match held {
            Err(BrowserError::DialogOpen(dialog)) => assert_eq!(dialog.message, "sure?"),
            other => panic!("{other:?}"),
        }
        assert!(began.elapsed() < Duration::from_secs(2));
        // The next command is told at once.
        let began = Instant::now();
        let frame = tab.frames()[0].id.clone();
        let error = tab.world(&frame).await.unwrap_err();
        assert_eq!(error.code(), "dialog_open");
        assert!(error.hint().unwrap().contains("confirm"));
        assert!(began.elapsed() < Duration::from_millis(500));
        assert_eq!(evaluate(&other, "1 + 1").await, "2");
        let began = Instant::now();
        tab.answer_dialog(false, None).await.unwrap();
        assert!(began.elapsed() < Duration::from_secs(1));
        assert_eq!(evaluate(&tab, "2 + 2").await, "4");
    });
}

#[test]
fn leaving_a_page_that_asks_waits_for_the_answer() {
    on_both(|stage| async move {
        let tab = stage.tab_at("/leave").await;
        // Pages that nobody touched may not ask.
        evaluate(&tab, "document.body.click()").await;
        let went = tab.navigate(&stage.site.url("/one"), PATIENCE).await;
        let Err(error) = went else { panic!("it should have asked: {went:?}") };
        assert_eq!(error.kind(), "dialog");
        let dialog = tab.answer_dialog(false, None).await.unwrap();
        assert_eq!(dialog.kind, DialogKind::BeforeUnload);
        assert_eq!(tab.url(), stage.site.url("/leave"));
        let went = tab.navigate(&stage.site.url("/one"), PATIENCE).await;
        assert_eq!(went.unwrap_err().kind(), "dialog");
        let mut events = tab.events();
        tab.answer_dialog(true, None).await.unwrap();
        heard(&mut events, |event| matches!(event, TabEvent::Loaded { main: true, .. })).await;
        assert_eq!(tab.url(), stage.site.url("/one"));
    });
}

#[test]
fn a_tab_with_a_dialog_can_be_closed() {
    on_both(|stage| async move {
        let tab = stage.tab_at("/one").await;
        let mut events = tab.events();
        later(&tab, "confirm('sure?')").await;
        heard(&mut events, |event| matches!(event, TabEvent::DialogOpened(_))).await;
        tab.close().await.unwrap();
        assert!(tab.is_closed() && tab.dialog().is_none());
        let late = tab.answer_dialog(true, None).await.unwrap_err();
        assert!(matches!(late, BrowserError::TabClosed), "{late}");
    });
}
