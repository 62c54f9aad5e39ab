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

#[cfg(unix)]
#[tokio::test]
async fn what_is_no_file_of_settings_neither_hangs_nor_is_passed_over() {
    let person = Person::new();
    let file = person.path("work/webhand.toml");
    let link = |to: &str| std::os::unix::fs::symlink(to, &file).unwrap();
    let refuse = || async {
        for args in [&["config"][..], &["snapshot"], &["demo"]] {
            person.run(args).await.fails(2, "webhand.toml").fails(2, "help:");
        }
        std::fs::remove_file(&file).unwrap();
    };
    assert!(std::process::Command::new("mkfifo").arg(&file).status().unwrap().success());
    refuse().await;
    for target in ["/dev/zero", "webhand.toml", "not-there"] {
        link(target);
        refuse().await;
    }
    std::fs::write(&file, "#".repeat((1 << 20) + 1)).unwrap();
    refuse().await;
    assert!(person.left_behind().is_empty());
}

#[tokio::test]
async fn the_demo_goes_by_the_settings() {
    let person = Person::new();
    std::fs::write(person.path("work/webhand.toml"), "[browser]\npath = \"/nowhere/chrome\"").unwrap();
    let ran = person.run(&["demo"]).await;
    assert!(ran.code == 3 && ran.stderr.contains("browser.path in") && !ran.stderr.contains("apt"), "{ran:?}");
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
    let looked: Vec<&str> = ran.stdout.lines().filter(|line| line.starts_with("looked for")).collect();
    assert!(looked.len() == 2 && looked.iter().all(|line| line.ends_with("webhand.toml: read")), "{ran:?}");
    std::fs::remove_file(person.path("work/webhand.toml")).unwrap();
    person.run(&["config"]).await.says("and the folders above it: not there");
}

#[tokio::test]
async fn a_variable_that_leads_nowhere_is_named() {
    let person = Person::new();
    let nowhere = [("WEBHAND_BROWSER", "/nowhere/chrome")];
    for args in [&["snapshot"][..], &["snapshot", "--url", "http://127.0.0.1:9/"]] {
        let ran = person.run_with(args, "", &nowhere).await;
        ran.fails(3, "browser_not_found").fails(3, "WEBHAND_BROWSER names /nowhere/chrome").fails(3, "help:");
        assert!(!ran.stderr.contains("install"), "a variable that leads nowhere is no missing browser: {ran:?}");
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
