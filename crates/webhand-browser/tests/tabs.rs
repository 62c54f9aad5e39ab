//! Tabs, contexts, popups, pictures and downloads.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::time::{Duration, Instant};

use support::{PATIENCE, Site, alone, evaluate, heard, launch_with, on_both, on_stage, until};
use webhand_browser::cdp::protocol::runtime;
use webhand_browser::{
    Browser, CaptureOptions, Clip, ContextEvent, Headless, Heard, ImageFormat, NavigationError, TabEvent,
};

#[test]
fn contexts_share_nothing() {
    on_both(|stage| async move {
        let one = stage.tab_at("/one").await;
        evaluate(&one, "document.cookie = 'a=1', localStorage.setItem('b', '2')").await;
        let same = stage.tab_at("/two").await;
        assert_eq!(evaluate(&same, "document.cookie + localStorage.getItem('b')").await, "\"a=12\"");
        let apart = stage.browser.new_context().await.unwrap();
        let other = apart.new_tab(Some(&stage.site.url("/one"))).await.unwrap();
        assert_eq!(evaluate(&other, "document.cookie + localStorage.getItem('b')").await, "\"null\"");
        assert_eq!(stage.context.tabs().len(), 2);
        assert!(stage.context.tab(other.id()).is_none());
        assert_eq!(apart.tab(other.id()).map(|tab| tab.id()), Some(other.id()));
        assert!(stage.browser.default_context().tabs().is_empty());
        let mut events = other.events();
        apart.close().await.unwrap();
        heard(&mut events, |event| *event == TabEvent::Closed).await;
        assert!(other.is_closed() && !one.is_closed());
    });
}

#[test]
fn a_popup_is_adopted_with_its_opener() {
    on_both(|stage| async move {
        let tab = stage.tab_at("/one").await;
        let mut events = tab.events();
        let mut context = stage.context.events();
        evaluate(&tab, "window.kid = open('/two'), 0").await;
        let opened = heard(&mut events, |event| matches!(event, TabEvent::PopupOpened { .. })).await;
        let TabEvent::PopupOpened { tab: id } = opened else { unreachable!() };
        let popup = stage.context.tab(id).unwrap();
        assert_eq!(popup.opener(), Some(tab.id()));
        let told = context.next().await;
        assert_eq!(told, Some(Heard::Event(ContextEvent::TabOpened { tab: id, opener: Some(tab.id()) })));
        popup.ready(PATIENCE).await.unwrap();
        let url = stage.site.url("/two");
        until(&popup, || popup.frames().first().is_some_and(|main| main.loaded && main.url == url)).await;
        assert_eq!(evaluate(&popup, "opener.document.querySelector('h1').textContent").await, "\"one\"");
        evaluate(&tab, "kid.close(), 0").await;
        let told = tokio::time::timeout(PATIENCE, context.next()).await.unwrap();
        assert_eq!(told, Some(Heard::Event(ContextEvent::TabClosed { tab: id })));
        assert!(popup.is_closed());
    });
}

#[test]
fn titles_follow_the_page() {
    on_both(|stage| async move {
        let tab = stage.tab_at("/title").await;
        assert_eq!(tab.current_title().await.unwrap(), "Tea & cake");
        assert_eq!(tab.title(), "Tea & cake");
        evaluate(&tab, "document.title = 'Milk', 0").await;
        assert_eq!(tab.current_title().await.unwrap(), "Milk");
        drop(tab.session().send(&runtime::Evaluate::new("while (true) {}")));
        assert_eq!(tab.current_title().await.unwrap(), "Milk", "of a stuck page too");
        // It is heard of without asking, too.
        let other = stage.tab_at("/title").await;
        let began = Instant::now();
        while other.title() != "Tea & cake" {
            assert!(began.elapsed() < PATIENCE, "{:?}", other.title());
            other.caught_up().await;
        }
    });
}

#[test]
fn the_page_has_the_size_that_was_asked_for() {
    for headless in support::BOTH {
        alone(async {
            let browser = launch_with(headless, |launch| launch.viewport(900, 500)).await;
            let tab = browser.default_context().new_tab(None).await.unwrap();
            assert_eq!(evaluate(&tab, "[innerWidth, innerHeight].join()").await, "\"900,500\"");
            browser.close().await;
        });
    }
}

/// Width and height from the head of a PNG file.
fn png_size(bytes: &[u8]) -> (u32, u32) {
    assert_eq!(&bytes[1..4], b"PNG");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[test]
fn pictures_show_the_view_a_part_or_everything() {
    on_both(|stage| async move {
        let tab = stage.tab_at("/one").await;
        evaluate(&tab, "document.body.style.cssText = 'margin:0;height:2000px', 0").await;
        let view = tab.capture(&CaptureOptions::default()).await.unwrap();
        assert_eq!(png_size(&view), (1280, 720));
        let full = CaptureOptions { full_page: true, ..CaptureOptions::default() };
        let (width, height) = png_size(&tab.capture(&full).await.unwrap());
        assert!(width == 1280 && height >= 2000, "{width} x {height}");
        let clip = Clip { x: 10.0, y: 1000.0, width: 100.0, height: 50.0 };
        let part = CaptureOptions { clip: Some(clip), scale: Some(2.0), ..CaptureOptions::default() };
        assert_eq!(png_size(&tab.capture(&part).await.unwrap()), (200, 100));
        let small = CaptureOptions { scale: Some(0.5), ..CaptureOptions::default() };
        assert_eq!(png_size(&tab.capture(&small).await.unwrap()), (640, 360));
        let jpeg = CaptureOptions { format: ImageFormat::Jpeg, quality: Some(50), ..CaptureOptions::default() };
        assert_eq!(&tab.capture(&jpeg).await.unwrap()[..2], &[0xff, 0xd8]);
        let webp = CaptureOptions { format: ImageFormat::Webp, ..CaptureOptions::default() };
        assert_eq!(&tab.capture(&webp).await.unwrap()[8..12], b"WEBP");
    });
}

#[test]
fn a_stuck_page_does_not_hold_up_the_end_of_its_tab() {
    on_both(|stage| async move {
        let tab = stage.tab_at("/one").await;
        let other = stage.tab_at("/two").await;
        drop(tab.session().send(&runtime::Evaluate::new("while (true) {}")));
        let stuck = tab.race(tab.session().send(&runtime::Evaluate::new("1")), Duration::from_millis(300)).await;
        assert_eq!(stuck.unwrap_err().code(), "timeout");
        assert_eq!(tab.url(), stage.site.url("/one"), "what is known can be asked");
        let began = Instant::now();
        tab.close().await.unwrap();
        assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
        assert!(tab.is_closed());
        assert_eq!(evaluate(&other, "1").await, "1");
    });
}

#[test]
fn a_crash_is_told_and_a_page_cures_it() {
    on_both(|stage| async move {
        let tab = stage.tab_at("/one").await;
        let mut events = tab.events();
        let error = tab.navigate("chrome://crash", PATIENCE).await.unwrap_err();
        assert!(matches!(error, NavigationError::Lost { .. }), "{error}");
        if !tab.is_crashed() {
            heard(&mut events, |event| *event == TabEvent::Crashed).await;
        }
        let frame = tab.frames()[0].id.clone();
        assert_eq!(tab.world(&frame).await.unwrap_err().code(), "browser_lost");
        let loaded = tab.navigate(&stage.site.url("/two"), PATIENCE).await.unwrap();
        assert_eq!(loaded.status, Some(200));
        assert!(!tab.is_crashed());
        assert_eq!(evaluate(&tab, "document.querySelector('h1').textContent").await, "\"two\"");
    });
}

#[test]
fn requests_are_told_with_their_end() {
    on_stage(Headless::Shell, |stage| async move {
        let tab = stage.tab_at("/one").await;
        let mut events = tab.events();
        evaluate(&tab, "fetch('/missing'), 0").await;
        let url = stage.site.url("/missing");
        let started = heard(&mut events, |event| matches!(event, TabEvent::RequestStarted { .. })).await;
        let TabEvent::RequestStarted { id, kind, url: of, frame, redirected, .. } = started else { unreachable!() };
        assert_eq!((kind.as_str(), of, redirected), ("Fetch", url, false));
        assert_eq!(frame, tab.main_frame());
        let finished = heard(&mut events, |event| matches!(event, TabEvent::RequestFinished { .. })).await;
        assert_eq!(finished, TabEvent::RequestFinished { id, status: Some(404), failed: None });
        assert_eq!(tab.requests_under_way(), 0);
    });
}

#[test]
fn downloads_are_kept_where_a_folder_is_given() {
    for headless in support::BOTH {
        alone(async {
            let site = Site::start().await;
            let folder = tempfile::tempdir().unwrap();
            let browser = launch_with(headless, |launch| launch.downloads(folder.path())).await;
            let context = browser.new_context().await.unwrap();
            let tab = context.new_tab(Some(&site.url("/one"))).await.unwrap();
            let mut events = tab.events();
            let error = tab.navigate(&site.url("/file"), PATIENCE).await.unwrap_err();
            assert_eq!(error.kind(), "download");
            let started = heard(&mut events, |event| matches!(event, TabEvent::DownloadStarted { .. })).await;
            let TabEvent::DownloadStarted { id, name, .. } = started else { unreachable!() };
            assert_eq!(name, "report.bin");
            let finished = heard(&mut events, |event| matches!(event, TabEvent::DownloadFinished { .. })).await;
            assert!(matches!(finished, TabEvent::DownloadFinished { complete: true, bytes: 5, .. }), "{finished:?}");
            assert_eq!(std::fs::read_to_string(folder.path().join(id)).unwrap(), "12345");
            browser.close().await;
        });
    }
}

#[test]
fn a_running_browser_is_taken_up_and_let_go() {
    alone(async {
        let site = Site::start().await;
        let owner = launch_with(Headless::Shell, |launch| launch.arg("--remote-debugging-port=0")).await;
        let tab = owner.default_context().new_tab(Some(&site.url("/frames"))).await.unwrap();
        let told = owner.info().profile.clone().unwrap().join("data/DevToolsActivePort");
        let began = Instant::now();
        let address = loop {
            let text = std::fs::read_to_string(&told).unwrap_or_default();
            if let [port, path] = text.lines().collect::<Vec<_>>()[..] {
                break format!("ws://127.0.0.1:{port}{path}");
            }
            assert!(began.elapsed() < PATIENCE);
            tokio::task::yield_now().await;
        };
        let guest = Browser::connect(&address).await.unwrap();
        assert!(guest.info().pid.is_none() && !guest.info().product.is_empty());
        let began = Instant::now();
        let seen = loop {
            match guest.default_context().tabs().into_iter().next() {
                Some(seen) if seen.frames().len() == 5 => break seen,
                _ => assert!(began.elapsed() < PATIENCE),
            }
            tokio::task::yield_now().await;
        };
        assert_eq!(seen.url(), site.url("/frames"));
        seen.navigate(&site.url("/two"), PATIENCE).await.unwrap();
        guest.close().await;
        assert!(guest.is_lost());
        let url = site.url("/two");
        until(&tab, || tab.url() == url).await;
        owner.close().await;
        let nobody = Browser::connect(&address).await.unwrap_err();
        assert_eq!(nobody.code(), "connect_failed");
        assert!(nobody.hint().is_some());
    });
}
