//! What people read before they do anything: help, and what is said of a mistake.

mod support;

use support::Person;

#[tokio::test]
async fn help_is_as_it_was_read_over() {
    let person = Person::new();
    for words in [
        &[][..],
        &["click"],
        &["fill"],
        &["check"],
        &["dialog"],
        &["remember"],
        &["done"],
        &["screenshot"],
        &["wait"],
        &["act"],
        &["do"],
        &["demo"],
        &["snapshot"],
        &["config"],
    ] {
        let args: Vec<&str> = words.iter().copied().chain(["--help"]).collect();
        let ran = person.run(&args).await;
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{args:?}");
        let name = words.first().copied().unwrap_or("webhand");
        insta::assert_snapshot!(format!("help_{name}"), ran.stdout);
    }
}

#[tokio::test]
async fn a_mistake_is_usage_and_says_what_was_meant() {
    let person = Person::new();
    person.run(&["clikc", "B1"]).await.fails(2, "click");
    person.run(&["click"]).await.fails(2, "<REF>");
    person.run(&["dialog"]).await.fails(2, "<--accept|--no-accept>");
    person.run(&["done", "x"]).await.fails(2, "<--success|--no-success>");
    person.run(&["press", "Bogus+Q"]).await.fails(2, "not a key");
    person.run(&["click", "B1", "--buton", "left"]).await.fails(2, "--button");
    person.run(&["click", "the save button"]).await.fails(2, "ref");
    person.run(&["schema", "clik"]).await.fails(2, "did you mean click?");
    person.run(&["open", "file:///etc/passwd"]).await.fails(2, "http");
    person.run(&["snapshot", "--session", "../up"]).await.fails(2, "session_name");
    let ran = person.run(&["clikc", "--json"]).await;
    let said = ran.json();
    assert_eq!((ran.code, &said["ok"], &said["error"]["code"]), (2, &false.into(), &"usage".into()), "{said}");
    assert_eq!(person.run(&[]).await.code, 2);
    assert!(person.left_behind().is_empty(), "no browser was started for any of it");
}

#[test]
fn every_error_code_stands_in_the_docs() {
    let docs = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/outcomes.md")).unwrap();
    for code in webhand::prelude::ErrorCode::ALL {
        assert!(docs.contains(&format!("\n| `{code}` |")), "{code}");
    }
}

#[tokio::test]
async fn schemas_and_completions_are_data() {
    let person = Person::new();
    for shape in ["union", "keyed", "tools"] {
        let ran = person.run(&["schema", "--shape", shape, "--json"]).await;
        assert!(ran.json().to_string().contains("\"click\""), "{ran:?}");
    }
    let one = person.run(&["schema", "click"]).await;
    assert!(one.stdout.contains("click") && !one.stdout.contains("navigate"), "{one:?}");
    person.run(&["completions", "bash"]).await.says("webhand");
}
