//! The words in which a reply's faults go back to the model.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test stops where its ground is not as it must be")]

use serde_json::json;
use webhand_action::{
    catalogue::{Action, Catalogue, Click, Fill, Navigate, Scroll, Wait},
    decode::{Finish, decode},
    validate::validate_refs,
};
use webhand_page::{RefText, Snapshot};

fn feedback(reply: &str) -> String {
    let error = decode(reply, Finish::Stop, &Catalogue::built_in()).unwrap_err();
    format!("{}\n{}", error.code(), error.feedback())
}

#[test]
fn every_fault_is_named_at_once_with_its_place() {
    insta::assert_snapshot!(
        "every_fault",
        feedback(
            r#"{"actions":[
            {"type":"clik","ref":"B5"},
            {"type":"fill","index":-1,"txt":"x"},
            {"click":{"ref":"Save","count":7,"button":"side"}},
            {"type":"wait","for":"time","seconds":600},
            {"type":"navigate","url":"javascript:alert(1)"},
            {"type":"teleport"},
            {"type":"type","ref":"I3","text":"x"},
            {"type":"select","ref":"S1","values":["a"],"values":["b"]},
            {"type":"press","keys":NaN}
        ]}"#
        )
    );
}

#[test]
fn what_is_no_decision_says_so() {
    let replies = [
        "",
        "I cannot do that.",
        "{}",
        r#"{"actions":[{"type":"fill","text":"hel"#,
        r#"{"actions":[{"type":"fill","ref":"I1","text":"say "hi" now"}]}"#,
        r#"{"actions":[{"type":"done","text":"ok","success":true},{"type":"back"}]}"#,
    ];
    let all: Vec<String> = replies.into_iter().map(|reply| format!("{reply}\n=> {}", feedback(reply))).collect();
    insta::assert_snapshot!("no_decision", all.join("\n\n"));
}

fn page() -> Snapshot {
    let control = |name: &str, role: &str, target: &str| {
        json!({"depth": 0, "frame": 0, "role": role, "name": name, "level": null, "in_view": true, "control": {
            "ref": target, "new": false, "tag": "x", "kind": null, "rect": [0, 0, 1, 1], "attributes": {}, "item": 0,
            "guessed_name": false, "state": {},
        }})
    };
    serde_json::from_value(json!({
        "number": 1,
        "page": {"title": "", "url": "", "status": null, "language": null, "tab": "t1", "viewport": [1, 1],
            "pages_above": 0, "pages_below": 0, "focus": null},
        "tabs": [], "dialog": null, "frames": [],
        "nodes": [control("Save", "button", "B9"), control("Cancel order", "button", "B10"),
            control("Email", "textbox", "I12")],
    }))
    .expect("a snapshot")
}

#[test]
fn a_ref_that_is_not_on_the_page_is_told_with_what_may_be_meant() {
    let nowhere: RefText = "E70".parse().unwrap();
    let actions: Vec<Action> = vec![
        Click::on("B99").intent("Save the form").into(),
        Click::on("B12").into(),
        Click::on("B8").into(),
        Fill::on("I12", "fine").into(),
        Click::on("12").into(),
        Wait::state(nowhere, "visible").into(),
        Scroll::to_ref(nowhere).into(),
        Click::at(1.0, 2.0).into(),
    ];
    let faults: Vec<String> = validate_refs(&actions, &page()).iter().map(ToString::to_string).collect();
    insta::assert_snapshot!("refs", faults.join("\n"));
}

#[test]
fn an_action_that_a_program_made_goes_through_the_same_checks() {
    let catalogue = Catalogue::built_in();
    assert_eq!(catalogue.check(&Click::on("B12").count(2).into()), []);
    assert_eq!(catalogue.check(&Navigate::to("example.com").into()), []);
    let faults =
        |action: Action| catalogue.check(&action).iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!("program_ref", faults(Click::on("the button").into()));
    insta::assert_snapshot!("program_url", faults(Navigate::to("file:///etc/passwd").into()));
    insta::assert_snapshot!("program_wait", faults(Wait::time(900.0).into()));
}

#[test]
fn keys_that_are_none_stop_the_whole_reply() {
    let reply = |keys: &str| {
        format!(r#"{{"actions":[{{"type":"fill","ref":"I1","text":"x"}},{{"type":"press","keys":"{keys}"}}]}}"#)
    };
    for keys in ["Bogus+Q", "Enterr", "Control+", " \\t "] {
        let said = feedback(&reply(keys));
        assert!(said.starts_with("bad_parameter\nactions[1].keys: "), "{keys}: {said}");
    }
    assert!(decode(&reply("Control+A Delete"), Finish::Stop, &Catalogue::built_in()).is_ok());
}

#[test]
fn the_picture_of_one_element_has_marks_only_when_asked_for() {
    let marks = |reply: &str| {
        let decision = decode(reply, Finish::Stop, &Catalogue::built_in()).unwrap();
        let Action::Screenshot(screenshot) = &decision.actions[0] else { panic!("{decision:?}") };
        let back: Action = serde_json::from_value(decision.actions[0].to_json()).unwrap();
        assert_eq!(back, decision.actions[0], "it comes back as it was");
        screenshot.marks
    };
    assert!(marks(r#"{"actions":[{"type":"screenshot"}]}"#));
    assert!(!marks(r#"{"actions":[{"type":"screenshot","ref":"B4"}]}"#));
    assert!(marks(r#"{"actions":[{"type":"screenshot","ref":"B4","marks":true}]}"#));
    assert!(marks(r#"{"actions":[{"type":"screenshot","ref":null}]}"#));
}
