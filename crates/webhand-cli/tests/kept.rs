//! Kept sessions: one browser behind several commands, which ends with all that belongs to it.

#![cfg(target_os = "linux")]

mod support;

use std::os::unix::fs::PermissionsExt as _;

use support::{Person, kill, lives, site};

#[tokio::test]
async fn commands_share_a_page_until_it_is_closed() {
    let person = Person::new();
    let url = format!("{}/form", site().await);
    person.run(&["open", &url]).await.says("loaded");
    person.run(&["snapshot"]).await.says("I1 \"Name\"");
    person.run(&["fill", "I1", "-5 tea"]).await.says("filled I1");
    person.run(&["select", "S2", "Blue"]).await.says("Blue");
    person.run(&["click", "B3"]).await.says("clicked B3");
    person.run(&["wait", "text", "Saved -5 tea", "--seconds", "5"]).await.says("Saved");
    person.run(&["tabs"]).await.says(&url);
    let unknown = person.run(&["click", "B99", "--json"]).await;
    assert_eq!((unknown.code, &unknown.json()["error"]["kind"]), (1, &"unknown_ref".into()), "{unknown:?}");
    person.run(&["act", "Click the \"Other page\" link"]).await.says("clicked");
    person.run(&["back"]).await.says("loaded");

    let status = person.status().await;
    let (host, browser) = (status["pid"].as_u64().unwrap(), status["browser_pid"].as_u64().unwrap());
    assert!(lives(host) && lives(browser), "{status}");
    assert_eq!(status["url"], url.as_str());
    let mode = |path: &str| std::fs::metadata(person.path(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("run/webhand"), mode("run/webhand/default.socket")), (0o700, 0o600));

    person.run(&["close"]).await.says("ended");
    assert!(!lives(browser), "the browser is gone when close says so");
    person.gone("default").await;
    assert!(!person.path("run/webhand/default.socket").exists());
    assert!(person.left_behind().is_empty(), "{:?}", person.left_behind());
    person.run(&["close"]).await.says("there was none");
    assert_eq!(person.run(&["sessions"]).await.stdout, "");
}

#[tokio::test]
async fn the_page_is_told_by_what_changed_and_opened_where_it_was_folded() {
    let person = Person::new();
    let url = format!("{}/form", site().await);
    person.run(&["open", &url]).await.says("loaded");
    person.run(&["snapshot", "--diff"]).await.says("page \"Form\"");
    person.run(&["snapshot", "--diff"]).await.says("no changes since snapshot");
    person.run(&["fill", "I1", "tea"]).await.says("filled I1");
    let changed = person.run(&["snapshot", "--diff"]).await;
    changed.says("changes since snapshot").says("~ I1 \"Name\" =\"tea\"");
    assert!(!changed.stdout.contains("Save"), "{changed:?}");
    person.run(&["snapshot", "--format", "table"]).await.says("I1 \"Name\"");
    let folded = person.run(&["snapshot", "--max-tokens", "40"]).await;
    folded.says(", expand ");
    person.run(&["expand", "B3"]).await.says("B3 \"Save\"");
    person.run(&["expand", "B99"]).await.fails(1, "unknown_ref");
    person.run(&["close"]).await.says("ended");
}

#[tokio::test]
async fn sessions_have_nothing_to_do_with_each_other() {
    let person = Person::new();
    let origin = site().await;
    let (form, other) = (format!("{origin}/form"), format!("{origin}/other"));
    let (by_flag, by_variable) = (["open", &form, "--session", "one"], [("WEBHAND_SESSION", "two")]);
    let open_other = ["open", &other];
    let (first, second) = tokio::join!(person.run(&by_flag), person.run_with(&open_other, "", &by_variable));
    first.says("/form");
    second.says("/other");
    person.run(&["snapshot", "--session", "one"]).await.says("Form");
    person.run(&["snapshot", "--session", "two"]).await.says("Other");
    assert_eq!(person.run(&["sessions"]).await.stdout.lines().count(), 2);
    person.run(&["close", "--all"]).await.says("session one: ended").says("session two: ended");
    person.gone("one").await;
    person.gone("two").await;
    assert!(person.left_behind().is_empty());
}

#[tokio::test]
async fn commands_that_start_at_once_start_one_session() {
    let person = Person::new();
    let url = format!("{}/form", site().await);
    let open = ["open", url.as_str()];
    let (a, b, c) = tokio::join!(person.run(&open), person.run(&open), person.run(&open));
    for ran in [a, b, c] {
        ran.says("loaded");
    }
    assert_eq!(person.run(&["sessions"]).await.stdout.lines().count(), 1);
    person.run(&["close"]).await.says("ended");
    person.gone("default").await;
    assert!(person.left_behind().is_empty());
}

#[tokio::test]
async fn an_interrupted_command_hurts_nobody() {
    let person = Person::new();
    let url = format!("{}/form", site().await);
    person.run(&["open", &url]).await.says("loaded");
    let mut waiting = person.command(&["wait", "text", "Never", "--seconds", "60"]).spawn().unwrap();
    while person.status().await["busy"] != true {}
    waiting.kill().await.unwrap();
    let began = std::time::Instant::now();
    person.run(&["snapshot"]).await.says("Form");
    assert!(began.elapsed().as_secs() < 30, "nobody waits for what nobody wants");
    person.run(&["close"]).await.says("ended");
    person.gone("default").await;
}

#[tokio::test]
async fn close_does_not_wait_for_what_is_under_way() {
    let person = Person::new();
    let url = format!("{}/form", site().await);
    person.run(&["open", &url]).await.says("loaded");
    let waiting = person.command(&["wait", "text", "Never", "--seconds", "60"]).spawn().unwrap();
    while person.status().await["busy"] != true {}
    person.run(&["close"]).await.says("ended");
    let ran = tokio::time::timeout(support::PATIENCE, waiting.wait_with_output()).await.unwrap().unwrap();
    assert_eq!(ran.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&ran.stderr).contains("session_ended"), "{ran:?}");
    person.gone("default").await;
    assert!(person.left_behind().is_empty());
}

#[tokio::test]
async fn a_session_whose_process_was_killed_is_replaced() {
    let person = Person::new();
    let url = format!("{}/form", site().await);
    person.run(&["open", &url]).await.says("loaded");
    let first = person.status().await["pid"].as_u64().unwrap();
    kill(first);
    person.gone("default").await;
    assert!(person.path("run/webhand/default.socket").exists(), "it could not clean up");
    person.run(&["open", &url]).await.says("loaded");
    assert_ne!(person.status().await["pid"].as_u64(), Some(first));
    person.run(&["close"]).await.says("ended");
    person.gone("default").await;
}

/// Waiting changes nothing, so it goes on in the browser that comes instead, on the page that was shown.
#[tokio::test]
async fn a_browser_that_dies_under_a_wait_comes_again() {
    let person = Person::new();
    let url = format!("{}/form", site().await);
    person.run(&["open", &url]).await.says("loaded");
    let waiting = person.command(&["wait", "text", "Never", "--seconds", "10"]).spawn().unwrap();
    let mut status = person.status().await;
    while status["busy"] != true {
        status = person.status().await;
    }
    kill(status["browser_pid"].as_u64().unwrap());
    let ran = tokio::time::timeout(support::PATIENCE, waiting.wait_with_output()).await.unwrap().unwrap();
    assert_eq!(ran.status.code(), Some(5), "{ran:?}");
    let now = person.status().await;
    assert_ne!(now["browser_pid"], status["browser_pid"], "{now}");
    person.run(&["snapshot"]).await.says(&url);
    person.run(&["close"]).await.says("ended");
    person.gone("default").await;
    assert!(person.left_behind().is_empty(), "{:?}", person.left_behind());
}

#[tokio::test]
async fn what_was_lost_is_not_replaced_in_silence() {
    let person = Person::new();
    let url = format!("{}/form", site().await);
    person.run(&["open", &url]).await.says("loaded");
    let status = person.status().await;
    kill(status["browser_pid"].as_u64().unwrap());
    person.gone("default").await;
    for args in [&["snapshot"][..], &["click", "B3"], &["act", "click \"Save\""], &["snapshot"]] {
        person.run(args).await.fails(3, "session_lost").fails(3, "webhand open");
    }
    person.run(&["act", &format!("open {url}. click \"Save\"")]).await.says("clicked");
    kill(person.status().await["pid"].as_u64().unwrap());
    person.gone("default").await;
    person.run(&["snapshot"]).await.fails(3, "by force");
    person.run(&["close"]).await.says("there was none");
    person.run(&["snapshot"]).await.says("about:blank");
    person.run(&["close"]).await.says("ended");
    person.gone("default").await;
    assert!(person.left_behind().is_empty(), "{:?}", person.left_behind());
}

#[tokio::test]
async fn a_window_cannot_be_asked_of_a_session_that_runs_without() {
    let person = Person::new();
    let url = format!("{}/form", site().await);
    person.run(&["open", &url]).await.says("loaded");
    person.run(&["snapshot", "--headed"]).await.fails(2, "--headed").fails(2, "webhand close");
    person.run(&["snapshot", "--cdp", "ws://127.0.0.1:9/x"]).await.fails(2, "another browser");
    person.run(&["snapshot"]).await.says("Form");
    person.run(&["close"]).await.says("ended");
    person.gone("default").await;
}

#[tokio::test]
async fn a_window_needs_a_display() {
    let person = Person::new();
    let headed = person.run(&["snapshot", "--headed", "--url", "about:blank"]).await;
    headed.fails(3, "no_display").fails(3, "xvfb-run");
    assert!(person.left_behind().is_empty(), "{:?}", person.left_behind());
}

#[tokio::test]
async fn it_ends_by_itself_when_nobody_needs_it() {
    let person = Person::new();
    std::fs::write(person.path("work/webhand.toml"), "[session]\nidle = \"1s\"").unwrap();
    let url = format!("{}/form", site().await);
    person.run(&["open", &url]).await.says("loaded");
    person.gone("default").await;
    assert!(!person.path("run/webhand/default.socket").exists());
    assert!(person.left_behind().is_empty());
}
