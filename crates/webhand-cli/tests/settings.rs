//! Settings from files and the environment, and what is said where they cannot be used.

mod support;

use support::Person;

#[tokio::test]
async fn a_file_that_cannot_be_used_stops_everything() {
    let person = Person::new();
    let file = person.path("work/webhand.toml");
    for (text, says) in [("[browser]\npaht = \"x\"", "paht"), ("[session\n", "webhand.toml"), ("[colours]", "colours")]
    {
        std::fs::write(&file, text).unwrap();
        person.run(&["snapshot"]).await.fails(2, says).fails(2, "help:");
        let ran = person.run(&["snapshot", "--json"]).await;
        assert_eq!((ran.code, &ran.json()["error"]["code"]), (2, &"config".into()));
        let doctor = person.run(&["doctor"]).await;
        assert!(doctor.code == 2 && doctor.stdout.contains("FAILS settings"), "{doctor:?}");
    }
    assert!(person.left_behind().is_empty());
}

#[tokio::test]
async fn each_value_says_where_it_comes_from() {
    let person = Person::new();
    std::fs::write(person.path(".config/webhand/webhand.toml"), "[session]\nidle = \"2h\"\nname = \"mine\"").unwrap();
    std::fs::write(person.path("work/webhand.toml"), "[session]\nidle = \"90s\"").unwrap();
    let ran = person.run_with(&["config"], "", &[("WEBHAND_SESSION", "shell")]).await;
    let line = |name: &str| ran.stdout.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    assert!(line("session.idle").contains("90 s") && line("session.idle").ends_with("work/webhand.toml"), "{ran:?}");
    assert!(line("session.name").contains("shell") && line("session.name").ends_with("WEBHAND_SESSION"), "{ran:?}");
    assert!(line("browser.path").ends_with("built in"), "{ran:?}");
}

#[tokio::test]
async fn without_a_browser_it_says_how_to_get_one() {
    let person = Person::new();
    let nowhere = [("WEBHAND_BROWSER", "/nowhere/chrome")];
    for args in [&["snapshot"][..], &["snapshot", "--url", "http://127.0.0.1:9/"]] {
        let ran = person.run_with(args, "", &nowhere).await;
        ran.fails(3, "browser_not_found").fails(3, "/nowhere/chrome").fails(3, "help:");
    }
    let doctor = person.run_with(&["doctor"], "", &nowhere).await;
    assert!(doctor.code == 3 && doctor.stdout.contains("FAILS browser"), "{doctor:?}");
    person.gone("default").await;
    assert!(person.left_behind().is_empty());
}

#[tokio::test]
async fn the_doctor_finds_all_well() {
    let person = Person::new();
    let ran = person.run(&["doctor"]).await;
    assert!(ran.code == 0 && !ran.stdout.contains("FAILS"), "{ran:?}");
    for check in ["settings", "sessions", "profiles", "browser", "launch", "sandbox"] {
        ran.says(check);
    }
    for line in person.run(&["doctor", "--json"]).await.stdout.lines() {
        let finding: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(finding["ok"], true, "{finding}");
    }
    assert!(person.left_behind().is_empty());
}
