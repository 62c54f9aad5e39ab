//! The generated types: what the slice asks for is there, and a browser may say more, less or other than expected.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "the parts of a test outside its functions")]

use serde_json::json;
use webhand_cdp::protocol::{input, network, page, runtime, target};

/// `CARGO_MANIFEST_DIR` is set by cargo for every test.
fn read(path: &str) -> String {
    std::fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).expect(path)
}

#[test]
fn every_wish_of_the_slice_is_generated() {
    let generated: String = std::fs::read_dir(format!("{}/src/protocol", env!("CARGO_MANIFEST_DIR")))
        .expect("the generated folder")
        .map(|entry| std::fs::read_to_string(entry.expect("an entry").path()).expect("text"))
        .collect();
    let mut domain = String::new();
    let mut wishes = 0;
    for line in read("protocol.slice.toml").lines() {
        if let Some(name) = line.strip_prefix('[') {
            domain = name.trim_end_matches(']').to_owned();
        }
        if domain.is_empty() {
            continue;
        }
        for wish in line.split('"').skip(1).step_by(2) {
            wishes += 1;
            assert!(generated.contains(&format!(", \"{domain}.{wish}\");")), "{domain}.{wish} is not generated");
        }
    }
    assert!(wishes > 100, "only {wishes} wishes were read");
}

#[test]
fn unset_fields_are_not_sent() {
    let command = input::DispatchMouseEvent {
        button: Some(input::MouseButton::Left),
        click_count: Some(1),
        ..input::DispatchMouseEvent::new(input::DispatchMouseEventType::MousePressed, 1.5, 2.0)
    };
    let expected = json!({"type": "mousePressed", "x": 1.5, "y": 2.0, "button": "left", "clickCount": 1});
    assert_eq!(serde_json::to_value(&command).unwrap(), expected);
}

#[test]
fn values_of_tomorrow_are_kept() {
    let kind: network::ResourceType = serde_json::from_str("\"Hologram\"").unwrap();
    assert_eq!(kind, network::ResourceType::Other("Hologram".to_owned()));
    assert_eq!(serde_json::to_string(&kind).unwrap(), "\"Hologram\"");
    let known: network::ResourceType = serde_json::from_str("\"Document\"").unwrap();
    assert_eq!(known, network::ResourceType::Document);
}

#[test]
fn missing_and_unknown_fields_are_no_error() {
    let reply: target::GetTargetsReply = serde_json::from_str(r#"{"news":[1,{"a":2}]}"#).unwrap();
    assert!(reply.target_infos.is_empty());
    let event: page::FrameNavigated = serde_json::from_str(r#"{"frame":{"id":"F","loaderId":"L"},"news":1}"#).unwrap();
    assert_eq!(event.frame.id.as_str(), "F");
    assert_eq!(event.frame.url, "");
}

#[test]
fn an_identifier_that_is_missing_is_an_error() {
    let reply: Result<target::AttachToTargetReply, _> = serde_json::from_str("{}");
    assert!(reply.is_err(), "commands to an invented session would go to the browser");
}

#[test]
fn a_value_stays_as_it_came() {
    let reply: runtime::EvaluateReply =
        serde_json::from_str(r#"{"result":{"type":"object","value":{"b":1, "a":1e400}}}"#).unwrap();
    assert_eq!(reply.result.value.as_ref().map(|raw| raw.get()), Some(r#"{"b":1, "a":1e400}"#));
}
