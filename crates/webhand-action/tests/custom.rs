//! Actions of a user's own: offered, checked and run like any other.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test stops where its ground is not as it must be")]

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use webhand_action::{
    catalogue::{Action, ActionContext, ActionType, Catalogue, CustomError, RegisterError, Risk, Tool},
    decode::{Finish, decode},
    schema::{PageNeeds, SchemaOptions, Shape},
};
use webhand_guard::Pattern;

/// Sends an alert by mail.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SendAlert {
    /// Who gets it.
    to: Vec<String>,
    /// What it says.
    #[schemars(length(min = 1, max = 20))]
    text: String,
    /// How urgent it is.
    #[serde(default)]
    level: Option<u8>,
}

impl ActionType for SendAlert {
    const NAME: &'static str = "send_alert";
    const RISK: Risk = Risk::Commit;
}

async fn send(alert: SendAlert, context: ActionContext) -> Result<Value, CustomError> {
    if alert.to.is_empty() {
        return Err(CustomError::new("nobody to send to").hint("name someone"));
    }
    Ok(json!({"sent": alert.to.len(), "from": context.url}))
}

fn catalogue() -> Catalogue {
    let mut catalogue = Catalogue::built_in();
    catalogue.register::<SendAlert>(send).unwrap();
    catalogue
}

#[tokio::test]
async fn a_reply_runs_the_handler() {
    let catalogue = catalogue();
    let reply = r#"{"actions":[{"sendAlert":{"to":["a","b"],"text":"fire","intent":"warn"}}]}"#;
    let decision = decode(reply, Finish::Stop, &catalogue).unwrap();
    let Action::Custom(custom) = &decision.actions[0] else { panic!("a custom action") };
    assert_eq!((custom.name.as_str(), custom.intent.as_str()), ("send_alert", "warn"));
    let context = ActionContext::new("http://shop.test/", "t1");
    assert_eq!(catalogue.run_custom(custom, context).await, Ok(json!({"sent": 2, "from": "http://shop.test/"})));
}

#[tokio::test]
async fn a_handler_may_fail() {
    let catalogue = catalogue();
    let decision = decode(r#"{"send_alert":{"to":[],"text":"x"}}"#, Finish::Stop, &catalogue).unwrap();
    let Action::Custom(custom) = &decision.actions[0] else { panic!("a custom action") };
    let failed = catalogue.run_custom(custom, ActionContext::default()).await.unwrap_err();
    assert_eq!((failed.message.as_str(), failed.hint.as_deref()), ("nobody to send to", Some("name someone")));
}

#[test]
fn its_parameters_are_checked_like_any_other() {
    let check = |reply: &str| decode(reply, Finish::Stop, &catalogue()).unwrap_err().to_string();
    let faults = check(r#"{"actions":[{"send_alert":{"to":[["x"]],"text":"","volume":3,"level":300}}]}"#);
    insta::assert_snapshot!("custom_faults", faults);
    assert!(check(r#"{"send_alert":{"text":"x"}}"#).contains("actions[0].to: is missing: who gets it"));
}

#[test]
fn a_model_is_told_of_it() {
    let schema = catalogue().schema(&SchemaOptions::new(Shape::Tools).offer(["send_alert"]));
    insta::assert_snapshot!("custom_tool", format!("{schema:#}"));
}

#[test]
fn a_name_that_is_taken_or_none_is_refused() {
    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Taken {}
    impl ActionType for Taken {
        const NAME: &'static str = "goto";
    }
    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Unnamed {}
    impl ActionType for Unnamed {
        const NAME: &'static str = "Do It";
    }
    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Endless {
        next: Option<Box<Endless>>,
    }
    impl ActionType for Endless {
        const NAME: &'static str = "endless";
    }
    async fn nothing<T>(_: T, _: ActionContext) -> Result<Value, CustomError> {
        Ok(Value::Null)
    }
    let mut catalogue = catalogue();
    assert_eq!(
        catalogue.register::<Taken>(nothing),
        Err(RegisterError::Taken("goto".to_owned(), "navigate".to_owned()))
    );
    assert_eq!(catalogue.register::<Unnamed>(nothing), Err(RegisterError::BadName("Do It".to_owned())));
    assert_eq!(catalogue.register::<Endless>(nothing), Err(RegisterError::Recursive("endless".to_owned())));
    assert!(catalogue.clone().without(&["send_alert"]).register::<SendAlert>(send).is_ok());
}

#[tokio::test]
async fn a_tool_of_a_schema_is_offered_checked_and_run_like_any_other() {
    let schema = json!({
        "type": "object",
        "properties": {"to": {"type": "string", "maxLength": 5}, "times": {"type": "integer", "minimum": 1}},
        "required": ["to"],
    });
    let mut catalogue = Catalogue::built_in();
    let tool = Tool::new("ring_bell", "Rings.", schema).risk(Risk::Read);
    let ring =
        |params: Map<String, Value>, _: ActionContext| async move { Ok::<_, CustomError>(Value::Object(params)) };
    catalogue.register_tool(tool.clone(), ring).unwrap();
    assert!(matches!(catalogue.register_tool(tool, ring), Err(RegisterError::Taken(..))));
    let bad = Tool::new("Ring bell", "", json!({}));
    assert!(matches!(catalogue.register_tool(bad, ring), Err(RegisterError::BadName(_))));
    let action = |params: Value| catalogue.action("ring_bell", params.as_object().unwrap().clone());
    assert!(action(json!({"to": "front"})).is_ok());
    for wrong in
        [json!({}), json!({"to": "the front"}), json!({"to": "x", "times": 0}), json!({"to": "x", "hard": true})]
    {
        assert!(action(wrong.clone()).is_err(), "{wrong}");
    }
    let Ok(Action::Custom(custom)) = action(json!({"to": "front", "times": "2"})) else { panic!("no action") };
    let said = catalogue.run_custom(&custom, ActionContext::default()).await.unwrap();
    assert_eq!(said, json!({"to": "front", "times": 2}));
    let schema = catalogue.schema(&SchemaOptions::new(Shape::Keyed));
    assert!(schema.pointer("/properties/actions/items/properties/ring_bell").is_some(), "{schema}");
}

#[test]
fn an_action_may_be_offered_at_some_addresses_only() {
    let shop = Pattern::parse("shop.example").unwrap();
    let catalogue = Catalogue::built_in().only_at("hover", [shop]);
    let at = |url: &str| catalogue.offered(&PageNeeds::default().at(url)).contains(&"hover");
    assert!(at("https://shop.example/x"));
    assert!(!at("https://other.example/") && !at("about:blank"));
}
