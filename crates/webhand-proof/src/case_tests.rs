//! The form of a case file: what is read, and what is refused with which words.

use super::*;

const WALL: &str = r#"
id = "A03"
title = "cookie wall over a button"

[[route]]
path = "/slow.js"
delay_ms = 50

[[step]]
look = { as = "old", lists = [{ role = "button", name = "Delete account", covered = "privacy" }] }

[[step]]
act = { type = "click", target = { role = "button", name = "Delete account" } }
outcome = { code = "not_interactable", names = [{ role = "dialog" }] }
record = { js = "__record.clicks", is = [] }

[[step]]
act = { type = "click", ref = "B1" }
[[step.either]]
outcome = { ok = true }
record = { js = "__record.clicks.length", is = 1 }
[[step.either]]
outcome = { ok = false }
record = { js = "__record.clicks.length", is = 0 }
"#;

#[test]
fn a_case_is_read_with_its_defaults() {
    let case = Case::parse("a03-wall", WALL).unwrap();
    assert_eq!((case.page.as_str(), case.repeat), ("/a03-wall.html", 1));
    assert_eq!(case.browsers, [Kind::Shell, Kind::New]);
    assert_eq!(case.site.routes[0].delay_ms, 50);
    assert_eq!(case.steps.len(), 3);
    assert_eq!(case.steps[2].accept.len(), 2);
    let expected = case.steps[1].accept[0].outcome.as_ref().unwrap();
    assert_eq!(expected.must_claim(), Some(false), "a code means failure");
    assert_eq!(OutcomeExpected::default().must_claim(), Some(true), "success unless told otherwise");
}

#[test]
fn a_case_that_hurts_its_browser_has_its_own() {
    let hold = |step: &str| {
        let text = format!("id = \"A35\"\ntitle = \"t\"\n[[step]]\nact = {{ type = \"back\" }}\n{step}");
        Case::parse("x", &text).unwrap().hold()
    };
    assert_eq!(hold(""), Hold::Shared);
    assert_eq!(hold("meanwhile = [{ after_request = \"/a\", fault = \"tab\" }]"), Hold::Launched);
    assert_eq!(hold("[[step]]\nfault = \"socket\""), Hold::Attached);
}

#[track_caller]
fn refused(text: &str, why: &str) {
    let error = Case::parse("x", text).unwrap_err().to_string();
    assert!(error.contains(why), "{error}");
}

#[test]
fn what_makes_no_sense_is_refused_with_the_reason() {
    let head = "id = \"P01\"\ntitle = \"t\"\n";
    refused("id = \"p1\"\ntitle = \"t\"\n[[step]]\nlook = {}", "capital letters");
    refused(head, "step");
    refused(&format!("{head}[[step]]\nlook = {{}}\nreply = \"x\""), "one thing");
    refused(&format!("{head}[[step]]\nlook = {{ lists = [{{ role = \"button\", coverd = true }}] }}"), "coverd");
    refused(&format!("{head}[[step]]\nlook = {{ list = [] }}"), "list");
    refused(&format!("{head}[[step]]\nuse = \"old\""), "something to do");
    refused(&format!("{head}[[step]]\nlook = {{}}\noutcome = {{ ok = true }}"), "outcome");
    refused(&format!("{head}[[step]]\nrecord = {{ js = \"1\", is_json = \"nul\" }}"), "is_json");
    refused(&format!("{head}scale = 0\n[[step]]\nlook = {{}}"), "scale");
    refused(&format!("{head}[[step]]\nlook = {{}}\nmeanwhile = [{{ stop = true }}]"), "meanwhile");
    refused(&format!("{head}[[step]]\nact = {{ type = \"back\" }}\nmeanwhile = [{{ after_ms = 5 }}]"), "act or a stop");
    refused(&format!("{head}browsers = []\n[[step]]\nlook = {{}}"), "browser");
}
