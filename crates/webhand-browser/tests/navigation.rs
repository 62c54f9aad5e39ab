//! Going to pages, in both kinds of headless browser.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::sync::Arc;
use std::time::{Duration, Instant};

use support::{PATIENCE, Stage, alone, evaluate, evaluate_in, heard, launch_with, on_both, on_stage, until};
use webhand_browser::{BrowserError, Headless, NavigationError, Place, Tab, TabEvent, UrlJudge};

async fn fails(stage: &Stage, tab: &Tab, path: &str) -> NavigationError {
    let url = if path.contains("://") { path.to_owned() } else { stage.site.url(path) };
    match tab.navigate(&url, PATIENCE).await {
        Err(error) => error,
        Ok(loaded) => panic!("{url} was loaded: {loaded:?}"),
    }
}

#[test]
fn a_page_is_loaded_and_has_a_world() {
    on_both(|stage| async move {
        let tab = stage.tab().await;
        let loaded = tab.navigate(&stage.site.url("/one"), PATIENCE).await.unwrap();
        assert_eq!(loaded.status, Some(200));
        assert_eq!(loaded.url, stage.site.url("/one"));
        assert!(loaded.redirects.is_empty() && loaded.complete);
        let frames = tab.frames();
        assert_eq!(frames.len(), 1);
        assert_eq!(frames[0].document, loaded.document);
        let text = evaluate_in(&tab, &frames[0], "globalThis.mine = 1; document.querySelector('h1').textContent").await;
        assert_eq!(text, "\"one\"");
        assert_eq!(evaluate(&tab, "typeof globalThis.mine").await, "\"undefined\"");
        // The same world again, and another one after a navigation.
        assert_eq!(evaluate_in(&tab, &frames[0], "globalThis.mine").await, "1");
        tab.navigate(&stage.site.url("/two"), PATIENCE).await.unwrap();
        assert_eq!(evaluate_in(&tab, &tab.frames()[0], "typeof globalThis.mine").await, "\"undefined\"");
    });
}

#[test]
fn redirects_are_followed_and_named() {
    on_both(|stage| async move {
        let tab = stage.tab().await;
        let loaded = tab.navigate(&stage.site.url("/hop1"), PATIENCE).await.unwrap();
        assert_eq!(loaded.url, stage.site.url("/one?x=1"));
        assert_eq!(loaded.redirects, [stage.site.url("/hop1"), stage.site.url("/hop2")]);
        assert_eq!(loaded.status, Some(200));
        let hopped = tab.navigate(&stage.site.url("/script-hop"), PATIENCE).await.unwrap();
        assert_eq!(hopped.url, stage.site.url("/two"), "a redirect by script is followed");
        assert_eq!(fails(&stage, &tab, "/loop").await.kind(), "redirects");
    });
}

#[test]
fn an_error_of_the_server_is_a_failure_and_its_page_can_be_read() {
    on_both(|stage| async move {
        let tab = stage.tab().await;
        let url = stage.site.url("/missing");
        assert_eq!(fails(&stage, &tab, "/missing").await, NavigationError::Http { url, status: 404 });
        let text = evaluate_in(&tab, &tab.frames()[0], "document.body.textContent").await;
        assert_eq!(text, "\"nothing here\"");
        let error = fails(&stage, &tab, "/bare-error").await;
        assert_eq!(error, NavigationError::Http { url: stage.site.url("/bare-error"), status: 503 });
        assert!(error.is_transient());
        tab.navigate(&stage.site.url("/one"), PATIENCE).await.unwrap();
    });
}

#[test]
fn what_cannot_be_loaded_says_why() {
    on_both(|stage| async move {
        let tab = stage.tab_at("/one").await;
        for (path, kind) in [
            ("http://nowhere.invalid/", "dns"),
            ("http://127.0.0.1:9/", "blocked"),
            ("not an address", "invalid_url"),
            ("/no-content", "aborted"),
            ("/file", "download"),
        ] {
            let error = fails(&stage, &tab, path).await;
            assert_eq!(error.kind(), kind, "{path}: {error}");
        }
        // A port that nobody listens on: bound and let go again.
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let refused = fails(&stage, &tab, &format!("http://127.0.0.1:{port}/")).await;
        assert_eq!(refused.kind(), "refused", "{refused}");
        assert!(refused.is_transient());
        let tls = stage.site.url("/one").replace("http://", "https://");
        assert_eq!(fails(&stage, &tab, &tls).await.kind(), "tls");
        // And the tab is none the worse for it.
        let loaded = tab.navigate(&stage.site.url("/two"), PATIENCE).await.unwrap();
        assert_eq!(loaded.status, Some(200));
    });
}

#[test]
fn a_silent_server_costs_no_more_than_the_deadline() {
    on_both(|stage| async move {
        let tab = stage.tab_at("/one").await;
        let began = Instant::now();
        let deadline = Duration::from_millis(300);
        let error = tab.navigate(&stage.site.url("/silent"), deadline).await.unwrap_err();
        assert_eq!(error.kind(), "timeout");
        assert!(began.elapsed() < Duration::from_secs(3));
        assert_eq!(tab.url(), stage.site.url("/one"));
        tab.navigate(&stage.site.url("/two"), PATIENCE).await.unwrap();
    });
}

#[test]
fn a_page_that_hangs_can_be_left_for_its_own_site() {
    on_both(|stage| async move {
        let tab = stage.tab_at("/one").await;
        for hang in ["for (;;);", "setInterval(() => { for (;;); }, 1); for (;;);"] {
            evaluate(&tab, &format!("setTimeout(() => {{ {hang} }}), 0")).await;
            let ask = tab.session().send(&webhand_browser::cdp::protocol::runtime::Evaluate::new("1"));
            let asked = tab.race(ask, Duration::from_millis(300)).await;
            assert!(matches!(asked, Err(BrowserError::Timeout { .. })), "{asked:?}");
            let began = Instant::now();
            for path in ["/two", "/one"] {
                assert_eq!(tab.navigate(&stage.site.url(path), PATIENCE).await.unwrap().status, Some(200), "{hang}");
            }
            assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
            assert_eq!(evaluate(&tab, "document.querySelector('h1').textContent").await, "\"one\"");
        }
    });
}

#[test]
fn a_form_is_not_sent_again_by_loading_its_answer_anew() {
    on_both(|stage| async move {
        let tab = stage.tab_at("/form").await;
        let mut events = tab.events();
        evaluate(&tab, "document.forms[0].submit(), 0").await;
        heard(&mut events, |event| matches!(event, TabEvent::Loaded { main: true, .. })).await;
        assert_eq!(evaluate(&tab, "document.querySelector('h1').textContent").await, "\"sent\"");
        assert_eq!(tab.reload(PATIENCE).await.unwrap_err().kind(), "resubmission");
        // under another address it is another entry of the history, and comes of no form
        evaluate(&tab, "history.replaceState(null, '', '/one'), 0").await;
        assert_eq!(tab.reload(PATIENCE).await.unwrap().url, stage.site.url("/one"));
        tab.reload(PATIENCE).await.unwrap();
    });
}

#[test]
fn a_page_counts_as_loaded_when_only_parts_of_it_hang() {
    on_stage(Headless::Shell, |stage| async move {
        let tab = stage.tab().await;
        let began = Instant::now();
        let loaded = tab.navigate(&stage.site.url("/slow-image"), PATIENCE).await.unwrap();
        assert!(!loaded.complete);
        let took = began.elapsed();
        assert!(took > Duration::from_secs(2) && took < Duration::from_secs(8), "{took:?}");
    });
}

#[test]
fn a_change_of_the_hash_keeps_the_document() {
    on_both(|stage| async move {
        let tab = stage.tab_at("/one").await;
        let before = tab.frames()[0].document.clone();
        let loaded = tab.navigate(&stage.site.url("/one#part"), PATIENCE).await.unwrap();
        assert_eq!(loaded.url, stage.site.url("/one#part"));
        assert_eq!((loaded.status, &loaded.document), (None, &before));
        let back = tab.back(PATIENCE).await.unwrap();
        assert_eq!((back.url, back.document), (stage.site.url("/one"), before));
    });
}

#[test]
fn history_goes_both_ways_and_ends() {
    on_both(|stage| async move {
        let tab = stage.tab().await;
        let none = tab.back(PATIENCE).await.unwrap_err();
        assert_eq!(none, NavigationError::NoHistory { direction: "back" });
        let first = tab.navigate(&stage.site.url("/one"), PATIENCE).await.unwrap();
        let none = tab.back(PATIENCE).await.unwrap_err();
        assert_eq!(none.kind(), "no_history", "the blank page at the start is no page");
        // Another site: where there is a back/forward cache, it is used.
        tab.navigate(&stage.site.other("/two"), PATIENCE).await.unwrap();
        let back = tab.back(PATIENCE).await.unwrap();
        assert_eq!(back.url, stage.site.url("/one"));
        assert!(back.complete);
        assert_ne!(back.document, first.document);
        if stage.headless == Headless::New {
            assert_eq!(back.document.loader(), first.document.loader(), "from the cache");
        }
        assert_eq!(evaluate_in(&tab, &tab.frames()[0], "document.querySelector('h1').textContent").await, "\"one\"");
        let forward = tab.forward(PATIENCE).await.unwrap();
        assert_eq!(forward.url, stage.site.other("/two"));
        let none = tab.forward(PATIENCE).await.unwrap_err();
        assert_eq!(none, NavigationError::NoHistory { direction: "forward" });
        let again = tab.reload(PATIENCE).await.unwrap();
        assert_eq!((again.status, again.url), (Some(200), stage.site.other("/two")));
        assert_ne!(again.document, forward.document);
    });
}

#[test]
fn going_back_to_an_error_is_a_failure_too() {
    on_both(|stage| async move {
        let tab = stage.tab_at("/one").await;
        fails(&stage, &tab, "/missing").await;
        tab.navigate(&stage.site.url("/two"), PATIENCE).await.unwrap();
        let error = tab.back(PATIENCE).await.unwrap_err();
        assert_eq!(error, NavigationError::Http { url: stage.site.url("/missing"), status: 404 });
    });
}

#[test]
fn a_dialog_ends_the_wait_instead_of_hanging_it() {
    on_both(|stage| async move {
        let tab = stage.tab().await;
        let error = tab.navigate(&stage.site.url("/confirm"), PATIENCE).await.unwrap_err();
        assert_eq!((error.kind(), error.code()), ("dialog", "dialog_open"));
        let answered = tab.answer_dialog(true, None).await.unwrap();
        assert_eq!(answered.message, "sure?");
        assert!(tab.dialog().is_none());
        assert_eq!(evaluate(&tab, "document.title").await, "\"yes\"");
        // Alerts hold nothing up.
        let loaded = tab.navigate(&stage.site.url("/alert"), PATIENCE).await.unwrap();
        assert_eq!(loaded.status, Some(200));
    });
}

#[derive(Debug)]
struct NoTwos;

impl UrlJudge for NoTwos {
    fn judge(&self, url: &url::Url, _: Place) -> Result<(), String> {
        if url.path() == "/two" {
            return Err("no twos today".to_owned());
        }
        Ok(())
    }
}

#[test]
fn the_judge_is_asked_before_the_request() {
    alone(async {
        let site = support::Site::start().await;
        let browser = launch_with(Headless::Shell, |launch| launch.url_judge(Arc::new(NoTwos))).await;
        let tab = browser.default_context().new_tab(Some(&site.url("/one"))).await.unwrap();
        let mut events = tab.events();
        let error = tab.navigate(&site.url("/two"), PATIENCE).await.unwrap_err();
        assert_eq!(error.code(), "blocked_by_policy");
        assert!(error.to_string().contains("no twos today"));
        assert_eq!(events.ready(), None, "nothing went out");
        let refused = browser.default_context().new_tab(Some(&site.url("/two"))).await;
        assert!(matches!(refused, Err(BrowserError::Navigation(NavigationError::Blocked { .. }))));
        browser.close().await;
    });
}

#[test]
fn what_a_page_does_by_itself_is_judged_too() {
    alone(async {
        for headless in support::BOTH {
            let site = support::Site::start().await;
            let browser = launch_with(headless, |launch| launch.url_judge(Arc::new(NoTwos))).await;
            let context = browser.default_context();
            let tab = context.new_tab(Some(&site.url("/one"))).await.unwrap();
            // a redirect
            let error = tab.navigate(&site.url("/hop-two"), PATIENCE).await.unwrap_err();
            assert_eq!(error.code(), "blocked_by_policy", "{error}");
            assert!(error.to_string().contains("/two: blocked (no twos today)"), "{error}");
            // a script
            let _ = tab.navigate(&site.url("/script-hop"), PATIENCE).await;
            until(&tab, || tab.load_error().is_some()).await;
            assert_eq!(tab.load_error().map(|error| error.code()), Some("blocked_by_policy"));
            // a frame in a frame of another site
            tab.navigate(&site.url("/frames"), PATIENCE).await.unwrap();
            let refused = || tab.frames().iter().any(|frame| frame.name == "inner" && frame.unreachable.is_some());
            until(&tab, refused).await;
            // a tab that a page opens, and that is redirected
            tab.navigate(&site.url("/pop-two"), PATIENCE).await.unwrap();
            until(&tab, || context.tabs().len() > 1).await;
            let popup = context.tabs().pop().unwrap();
            until(&popup, || popup.load_error().is_some()).await;
            assert!(popup.load_error().is_some_and(|error| error.to_string().contains("no twos today")));
            browser.close().await;
        }
    });
}
