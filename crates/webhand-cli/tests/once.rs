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
}
