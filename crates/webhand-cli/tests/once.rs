//! Commands with a browser of their own: what goes where, and how they end.

mod support;

use support::{Person, nobody_there, site};

#[tokio::test]
async fn the_page_is_data_and_nothing_else_is() {
    let person = Person::new();
    let url = format!("{}/form", site().await);
    let ran = person.run(&["snapshot", "--url", &url]).await;
    ran.says("I1 \"Name\"").says("\"Save\"");
    assert_eq!(ran.stderr, "", "{ran:?}");
    let seen = person.run(&["snapshot", "--url", &url, "--json"]).await.json();
    assert_eq!((&seen["ok"], &seen["title"]), (&true.into(), &"Form".into()), "{seen}");
    let whole = person.run(&["snapshot", "--url", &url, "--format", "json"]).await.json();
    assert!(whole["nodes"].as_array().is_some_and(|nodes| !nodes.is_empty()), "{whole}");
    person.run(&["read", "--url", &url]).await.says("# A form");
    person.run(&["find", "--text", "colour", "--url", &url]).await.says("Colour");
    assert!(person.left_behind().is_empty(), "no profile is left");
}

#[tokio::test]
async fn how_it_ended_is_in_the_exit_code() {
    let person = Person::new();
    let url = format!("{}/form", site().await);
    let private = r#"{"actions": [{"type": "navigate", "url": "http://127.0.0.1:9/"}]}"#;
    let unknown = r#"{"actions": [{"type": "click", "ref": "B99"}]}"#;
    person.run(&["click", "B3", "--url", &url]).await.fails(1, "unknown_ref");
    person.run_with(&["do", "-", "--url", &url], "no JSON here", &[]).await.fails(2, "no_json");
    person
        .run_with(&["do", "-", "--url", &url], r#"{"actions": [{"type": "clck"}]}"#, &[])
        .await
        .fails(2, "did you mean");
    person.run(&["do", "nowhere.json", "--url", &url]).await.fails(2, "nowhere.json");
    person.run_with(&["do", "-", "--url", &url], unknown, &[]).await.fails(1, "B99");
    person.run_with(&["do", "-", "--url", &url], private, &[]).await.fails(4, "--allow");
    person.run(&["wait", "text", "Never", "--seconds", "0.2", "--url", &url]).await.fails(5, "timeout");
    person.run(&["snapshot", "--url", &nobody_there()]).await.fails(1, "navigation (refused)");
    assert!(person.left_behind().is_empty(), "no profile is left");
}

#[tokio::test]
async fn a_reply_is_carried_out_and_reported() {
    let person = Person::new();
    let url = format!("{}/form", site().await);
    let reply = r#"Of course! ```json
        {"actions": [{"type": "fill", "ref": "I1", "text": "tea"}, {"click": {"ref": "B3"}}]} ```"#;
    std::fs::write(person.path("work/reply.txt"), reply).unwrap();
    let ran = person.run(&["do", "reply.txt", "--url", &url]).await;
    ran.says("1. filled I1").says("2. clicked B3");
    let report = person.run_with(&["do", "-", "--url", &url, "--json"], reply, &[]).await.json();
    assert_eq!((&report["ok"], report["items"].as_array().map(Vec::len)), (&true.into(), Some(2)), "{report}");
}

#[tokio::test]
async fn a_sentence_is_taken_at_its_word() {
    let person = Person::new();
    let url = format!("{}/form", site().await);
    person.run(&["act", "Click the \"Save\" button", "--url", &url]).await.says("clicked B3");
    person.run(&["act", "点击“Save”按钮", "--url", &url]).await.says("clicked B3");
    let ran = person.run(&["act", "Click the \"Send\" button", "--url", &url]).await;
    assert!(ran.code == 1 && ran.stderr.contains("Send"), "{ran:?}");
    let ran = person.run(&["act", "Click the \"Save\" button", "--url", &url, "--json"]).await.json();
    assert_eq!((&ran["ok"], &ran["actions"][0]["name"]), (&true.into(), &"click".into()), "{ran}");
}

#[tokio::test]
async fn refs_and_options_are_understood_in_sentences() {
    let person = Person::new();
    let url = format!("{}/form", site().await);
    let act = |task: &'static str| {
        let (person, url) = (&person, &url);
        async move { person.run(&["act", task, "--url", url]).await }
    };
    act("type tea into I1, click B3").await.says("filled I1").says("clicked B3");
    act("在 I1 中输入“茶”，然后点击 B3").await.says("clicked B3");
    let chosen = act("choose \"Blue\"").await;
    chosen.says("Blue");
    assert_eq!(chosen.stdout.lines().count(), 1, "only what was done is told: {chosen:?}");
    let read = act("read \"Colour\"").await;
    assert!(read.code == 0 && read.stdout.lines().count() == 1 && read.stdout.contains("Red"), "{read:?}");
    act("click B84").await.fails(1, "B84 is not on the page");
    act("hover over \"A form\"").await.fails(1, "no control");
    assert!(person.left_behind().is_empty());
}

#[tokio::test]
async fn what_cannot_work_is_said_at_once_and_once() {
    let person = Person::new();
    let url = format!("{}/form", site().await);
    for task in ["", " ", "dance", "click", "click \"\" button", "点击“”"] {
        let ran = person.run(&["act", task, "--url", &url]).await;
        assert_eq!(ran.code, 2, "{task}: {ran:?}");
        ran.fails(2, "help:");
    }
    for (task, says) in [("go to file:///etc/passwd", "file: addresses"), ("scroll to \"\"", "text to scroll to")] {
        let ran = person.run(&["act", task, "--url", &url]).await;
        ran.fails(1, says);
        assert!(!ran.stderr.contains("in a row"), "{ran:?}");
        assert_eq!(ran.stderr.matches(says).count(), 1, "{ran:?}");
    }
    let failed = person.run(&["act", "wait for \"Never\"", "--url", &url]).await;
    assert_eq!((failed.stdout.as_str(), failed.stderr.matches("does not hold").count()), ("", 1), "{failed:?}");
}

#[tokio::test]
async fn an_address_may_lack_its_scheme() {
    let person = Person::new();
    let origin = site().await;
    let bare = format!("{}/form", origin.trim_start_matches("http://"));
    person.run(&["snapshot", "--url", &bare]).await.says("I1 \"Name\"");
    for bad in ["cats and dogs", "file:///etc/passwd", ""] {
        person.run(&["snapshot", "--url", bad]).await.fails(2, "help:");
        person.run(&["demo", "--url", bad]).await.fails(2, "help:");
    }
    person.run(&["click", "B3", "--url", &bare]).await.fails(1, "--selector");
    person.run(&["demo", "--task", "click \"x\""]).await.fails(2, "--url");
    person.run(&["demo", "--model", "gpt-4"]).await.fails(2, "literal");
    person.run(&["demo", "--url", &bare, "--task", "dance"]).await.fails(2, "no known verb");
}

#[tokio::test]
async fn a_hint_names_only_what_there_is() {
    let person = Person::new();
    let url = format!("{}/file", site().await);
    let ran = person.run(&["fill", "--selector", "input", "x", "--url", &url]).await;
    ran.fails(1, "a person must choose the file");
    assert!(!ran.stderr.contains("upload"), "{ran:?}");
}

#[cfg(unix)]
#[tokio::test]
async fn only_regular_files_are_replies() {
    let person = Person::new();
    let fifo = person.path("work/fifo");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    for file in ["fifo", "/dev/zero", "."] {
        person.run(&["do", file, "--url", "about:blank"]).await.fails(2, "regular file");
    }
    let sentence = person.run_with(&["do", "-", "--url", "about:blank"], "click B19, type hello into I1", &[]).await;
    sentence.fails(2, "no_json").fails(2, "webhand act");
}

#[tokio::test]
async fn a_picture_goes_where_it_is_wanted() {
    let person = Person::new();
    let url = format!("{}/form", site().await);
    let is_png = |path: &str| std::fs::read(person.path(path)).unwrap().starts_with(b"\x89PNG");
    person.run(&["screenshot", "--url", &url, "--out", "page.png"]).await.says("page.png");
    assert!(is_png("work/page.png"));
    let told = person.run(&["screenshot", "--url", &url, "--json"]).await.json();
    assert!(told["data"]["path"].as_str().is_some_and(|path| path.ends_with("screenshot-1.png")), "{told}");
    assert!(is_png("work/screenshot-1.png"));
    person.run(&["screenshot", "--url", &url, "--out", "no/such/folder.png"]).await.fails(2, "--out");
    person.run(&["screenshot", "--url", &url, "--out", "page.jpg"]).await.says("page.jpg");
    assert!(std::fs::read(person.path("work/page.jpg")).unwrap().starts_with(b"\xFF\xD8\xFF"));
    person.run(&["screenshot", "--url", &url, "--out", "page.gif"]).await.fails(2, ".png");
    assert!(!person.path("work/page.gif").exists());
}
