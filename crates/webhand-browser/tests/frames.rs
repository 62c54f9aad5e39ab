//! Frames in the process of the page and in processes of their own.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use support::{PATIENCE, Stage, evaluate, evaluate_in, heard, launch_with, on_both, on_stage, until};
use webhand_browser::{BrowserError, FrameInfo, Headless, Tab, TabEvent};

fn names(tab: &Tab) -> Vec<String> {
    tab.frames().iter().map(|frame| frame.name.clone()).collect()
}

fn named(tab: &Tab, name: &str) -> Option<FrameInfo> {
    tab.frames().into_iter().find(|frame| frame.name == name)
}

/// A frame whose document is loaded.
fn is_there(tab: &Tab, name: &str, url: &str) -> bool {
    named(tab, name).is_some_and(|frame| frame.loaded && frame.url == url)
}

#[test]
fn every_frame_has_a_place_a_session_and_a_world() {
    on_both(|stage| async move {
        let tab = stage.tab().await;
        tab.navigate(&stage.site.url("/frames"), PATIENCE).await.unwrap();
        let inner = stage.site.other("/two");
        until(&tab, || is_there(&tab, "inner", &inner) && is_there(&tab, "box", "about:srcdoc")).await;
        assert_eq!(names(&tab), ["", "near", "far", "inner", "box"]);
        let frames = tab.frames();
        let far = &frames[2];
        assert_eq!(frames[3].parent.as_ref(), Some(&far.id));
        assert_eq!(far.parent.as_ref(), Some(&frames[0].id));
        for (at, text) in [(0, ""), (1, "one"), (2, ""), (3, "two"), (4, "boxed")] {
            let found = evaluate_in(&tab, &frames[at], "document.body.textContent.trim()").await;
            assert_eq!(found, format!("{text:?}"), "{}", frames[at].url);
        }
        let of_page = |frame: &FrameInfo| frame.session.id() == tab.session().id();
        assert!(of_page(&frames[1]), "the same site shares the page's process");
        // Site isolation is off in the shell.
        assert_eq!(of_page(far), stage.headless == Headless::Shell);
        assert_eq!(of_page(&frames[4]), stage.headless == Headless::Shell);
        assert_eq!(far.session.id(), frames[3].session.id());
    });
}

async fn move_frame(stage: &Stage, tab: &Tab, to: &str) {
    let script = format!("document.querySelector('iframe').src = {to:?}");
    evaluate(tab, &script).await;
    let far = to.to_owned();
    until(tab, || is_there(tab, "f", &far)).await;
    assert_eq!(names(tab), ["", "f"], "{:?}", stage.headless);
    let frame = named(tab, "f").unwrap();
    let text = evaluate_in(tab, &frame, "document.querySelector('h1').textContent").await;
    assert_eq!(text, if to.ends_with("/one") { "\"one\"" } else { "\"two\"" });
}

#[test]
fn a_frame_keeps_its_id_while_it_moves_between_processes() {
    on_both(|stage| async move {
        let tab = stage.tab().await;
        tab.navigate(&stage.site.url("/switch"), PATIENCE).await.unwrap();
        let far = stage.site.other("/one");
        until(&tab, || is_there(&tab, "f", &far)).await;
        let first = named(&tab, "f").unwrap();
        for _ in 0..3 {
            move_frame(&stage, &tab, &stage.site.url("/two")).await;
            let here = named(&tab, "f").unwrap();
            assert_eq!(here.session.id(), tab.session().id());
            move_frame(&stage, &tab, &stage.site.other("/one")).await;
        }
        let last = named(&tab, "f").unwrap();
        assert_eq!(last.id, first.id);
        assert_ne!(last.document, first.document);
        let mut events = tab.events();
        evaluate(&tab, "document.querySelector('iframe').remove()").await;
        heard(&mut events, |event| matches!(event, TabEvent::FrameDetached { frame } if *frame == first.id)).await;
        assert_eq!(tab.frames().len(), 1);
        let gone = tab.world(&first.id).await.unwrap_err();
        assert!(matches!(gone, BrowserError::FrameGone), "{gone}");
    });
}

#[test]
fn frames_of_a_page_from_the_cache_are_there_again() {
    on_stage(Headless::New, |stage| async move {
        let tab = stage.tab().await;
        tab.navigate(&stage.site.url("/nest"), PATIENCE).await.unwrap();
        let inner = stage.site.url("/two");
        until(&tab, || is_there(&tab, "inner", &inner)).await;
        let page = tab.frames()[0].document.clone();
        tab.navigate(&stage.site.other("/one"), PATIENCE).await.unwrap();
        assert_eq!(tab.frames().len(), 1);
        let back = tab.back(PATIENCE).await.unwrap();
        assert_eq!(back.document.loader(), page.loader());
        if named(&tab, "inner").is_none() {
            until(&tab, || named(&tab, "inner").is_some()).await;
        }
        let frame = named(&tab, "inner").unwrap();
        assert_eq!(evaluate_in(&tab, &frame, "document.querySelector('h1').textContent").await, "\"two\"");
    });
}

#[test]
fn document_scripts_run_first_in_every_frame_and_popup() {
    for headless in support::BOTH {
        support::alone(async {
            let site = support::Site::start().await;
            let script = "globalThis.seen = (globalThis.seen || 0) + 1; globalThis.state = document.readyState";
            let browser = launch_with(headless, |launch| launch.document_script(script)).await;
            let tab = browser.default_context().new_tab(None).await.unwrap();
            let mut events = tab.events();
            tab.navigate(&site.url("/frames"), PATIENCE).await.unwrap();
            let inner = site.other("/two");
            until(&tab, || is_there(&tab, "inner", &inner) && is_there(&tab, "box", "about:srcdoc")).await;
            evaluate(&tab, "open('/one', 'pop'), 0").await;
            let popup = heard(&mut events, |event| matches!(event, TabEvent::PopupOpened { .. })).await;
            let TabEvent::PopupOpened { tab: id } = popup else { unreachable!() };
            let popup = browser.tab(id).unwrap();
            assert_eq!(popup.opener(), Some(tab.id()));
            let popped = site.url("/one");
            until(&popup, || popup.frames().first().is_some_and(|main| main.loaded && main.url == popped)).await;
            // The shell runs it only in documents with scripts of their own.
            if headless == Headless::New {
                for frame in tab.frames() {
                    // A sandboxed srcdoc is there before its session is.
                    let ran = evaluate_in(&tab, &frame, "globalThis.state").await;
                    assert!(ran == "\"loading\"" || frame.url == "about:srcdoc", "{}: {ran}", frame.url);
                }
                // A popup goes on with the globals of its empty document,
                // where it ran already.
                let seen = evaluate_in(&popup, &popup.frames()[0], "globalThis.seen || 0").await;
                assert_ne!(seen, "0");
            }
            browser.close().await;
        });
    }
}
