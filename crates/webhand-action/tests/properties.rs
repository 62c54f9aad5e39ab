//! What holds of every reply and of every decision.

use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use webhand_action::{
    catalogue::{
        Action, Catalogue, Check, Click, Dialog, Done, Fill, Find, MouseButton, Navigate, Press, Read, Remember,
        Scroll, ScrollTo, Select, Tab, Type, Wait,
    },
    decode::{Decision, DecodeError, Finish, decode},
};

fn read(reply: &str) -> Result<Decision, DecodeError> {
    static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::built_in);
    decode(reply, Finish::Stop, &CATALOGUE)
}

fn reference() -> impl Strategy<Value = String> {
    ("[BLICOSEFXD]", 1_u32..100_000).prop_map(|(letter, number)| format!("{letter}{number}"))
}

/// Texts with all that may trouble a reader: quotes, braces, tags, fences, other scripts.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z ]{1,8}",
        Just("\"".to_owned()),
        Just("'".to_owned()),
        Just("\\".to_owned()),
        Just("```".to_owned()),
        Just("```json\n{\"a\":1}\n```".to_owned()),
        Just("</think>".to_owned()),
        Just("<think>".to_owned()),
        Just("{\"actions\":[{\"type\":\"back\"}]}".to_owned()),
        Just("<tool_call>".to_owned()),
        Just("{]},:".to_owned()),
        Just("// x /* y".to_owned()),
        Just("\n\t".to_owned()),
        "\\PC{1,3}",
        Just("“好”，：".to_owned()),
    ];
    prop::collection::vec(piece, 1..6).prop_map(|pieces| pieces.concat())
}

fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        (reference(), 1_u8..4, text()).prop_map(|(target, count, intent)| {
            Click::on(target).count(count).button(MouseButton::Right).intent(intent).into()
        }),
        (0_u32..2000, 0_u32..2000).prop_map(|(x, y)| Click::at(f64::from(x), f64::from(y)).into()),
        (reference(), text(), any::<bool>())
            .prop_map(|(target, text, submit)| Fill::on(target, text).submit(submit).into()),
        (reference(), prop::collection::vec(text(), 1..4))
            .prop_map(|(target, values)| Select::many(target, values).into()),
        (reference(), any::<bool>())
            .prop_map(|(target, on)| if on { Check::on(target) } else { Check::off(target) }.into()),
        "[a-z0-9.]{1,10}\\.example/[a-z]{0,5}"
            .prop_map(|url| Navigate::to(format!("https://x{url}")).new_tab(true).into()),
        Just(Press::keys("Control+A").into()),
        reference().prop_map(|target| Press::keys("Enter").on(target).into()),
        text().prop_map(|text| Type::text(text).into()),
        Just(Scroll::to(ScrollTo::Percent).amount(50.0).into()),
        reference().prop_map(|target| Scroll::down().within(target).into()),
        Just(Tab::switch("t2").into()),
        text().prop_map(|text| Wait::text(text).seconds(3.5).into()),
        any::<bool>().prop_map(|yes| if yes { Dialog::accept() } else { Dialog::dismiss() }.into()),
        reference().prop_map(|target| Read::of(target).into()),
        text().prop_map(|text| Find::text(text).limit(5_u32).into()),
        (text(), text()).prop_map(|(key, value)| Remember::fact(key, value).into()),
    ]
}

fn actions() -> impl Strategy<Value = Vec<Action>> {
    (prop::collection::vec(action(), 1..5), prop::option::of(text())).prop_map(|(mut actions, done)| {
        actions.extend(done.map(|text| Done::success(text).data(Some(json!({"a": [1, null]}))).into()));
        actions
    })
}

fn union(actions: &[Action]) -> Value {
    json!({"state": {"evaluation": "", "memory": "m", "next_goal": ""}, "actions": actions})
}

/// Every action a key, absent ones null, as a strict mode makes a model write it.
fn keyed(actions: &[Action]) -> Value {
    let items = actions.iter().map(|action| {
        let Value::Object(mut params) = action.to_json() else { return Value::Null };
        params.remove("type");
        let mut item: Map<String, Value> =
            ["back", "find", "done"].into_iter().map(|name| (name.to_owned(), Value::Null)).collect();
        params.insert("cursor".to_owned(), Value::Null);
        item.insert(action.name().to_owned(), params.into());
        item.into()
    });
    json!({"current_state": {"memory": "m"}, "action": items.collect::<Vec<Value>>()})
}

fn calls(actions: &[Action]) -> Value {
    let calls = actions.iter().map(|action| {
        let Value::Object(mut params) = action.to_json() else { return Value::Null };
        params.remove("type");
        json!({"id": "c", "type": "function",
            "function": {"name": action.name(), "arguments": Value::Object(params).to_string()}})
    });
    json!({"role": "assistant", "content": null, "tool_calls": calls.collect::<Vec<Value>>()})
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_without_panic(reply in "\\PC{0,200}") {
        let _ = read(&reply);
    }

    #[test]
    fn any_pile_of_marks_is_read_without_panic(
        pieces in prop::collection::vec(prop_oneof![
            Just("{"), Just("}"), Just("["), Just("]"), Just("\""), Just("'"), Just(":"), Just(","), Just("\\"),
            Just("\\u"), Just("\\ud83d"), Just("actions"), Just("\"actions\":"), Just("\"type\":\"click\""),
            Just("\"ref\":\"B5\""), Just("click"), Just("(ref="), Just("null"), Just("-"), Just("1e999"), Just("NaN"),
            Just("```"), Just("```json\n"), Just("<think>"), Just("</think>"), Just("<tool_call>"), Just("</tool_call>"),
            Just("[TOOL_CALLS]"), Just("<|python_tag|>"), Just("<function=click>"), Just("<parameter=ref>"),
            Just("</parameter>"), Just("<|channel|>analysis"), Just("//"), Just("/*"), Just("é"), Just("“"), Just("\u{feff}"),
            Just("{\"name\":\"act\",\"arguments\":"), Just("{\"type\":\"back\"}"),
        ], 0..40),
    ) {
        let _ = read(&pieces.concat());
    }

    #[test]
    fn a_decision_comes_back_as_it_was_in_every_form(actions in actions()) {
        for value in [union(&actions), keyed(&actions), calls(&actions)] {
            let whole = value.to_string();
            let pretty = serde_json::to_string_pretty(&value).unwrap();
            for reply in [
                whole.clone(),
                pretty.clone(),
                format!("```json\n{pretty}\n```"),
                format!("I do this now:\n{whole}\nand then look."),
                format!("<think>shall I? {{\"actions\":[{{\"type\":\"reload\"}}]}}</think>\n{whole}"),
                serde_json::to_string(&whole).unwrap(),
                format!("\u{feff}{}", whole.trim_end_matches(['}', ']'])) + &whole[whole.trim_end_matches(['}', ']']).len()..],
            ] {
                let read = read(&reply);
                let read = read.map_err(|error| TestCaseError::fail(format!("{error}\n{reply}")))?;
                prop_assert_eq!(&read.actions, &actions, "{}", reply);
            }
        }
    }

    #[test]
    fn a_cut_reply_never_gives_what_was_not_whole(actions in actions(), wrap in 0..4) {
        let value = if wrap % 2 == 0 { union(&actions) } else { keyed(&actions) };
        let reply = if wrap < 2 { value.to_string() } else { format!("So:\n```json\n{}\n```", serde_json::to_string_pretty(&value).unwrap()) };
        for end in (0..reply.len()).filter(|end| reply.is_char_boundary(*end)) {
            if let Ok(read) = read(&reply[..end]) {
                prop_assert!(read.actions.len() <= actions.len());
                prop_assert_eq!(&read.actions[..], &actions[..read.actions.len()], "{}", &reply[..end]);
            }
        }
    }

    #[test]
    fn a_changed_byte_never_gives_a_later_action_alone(actions in actions(), at in any::<prop::sample::Index>(), with in "[\\PC\"{}\\[\\]]") {
        let reply = union(&actions).to_string();
        let at = at.index(reply.len());
        prop_assume!(reply.is_char_boundary(at) && reply.is_char_boundary(at + 1));
        // the end of a thought in a text whose quote is lost cannot be told from the end of the model's own
        prop_assume!(!reply.contains("</think>"));
        let changed = format!("{}{with}{}", &reply[..at], &reply[at + 1..]);
        if let Ok(read) = read(&changed) {
            let left_out = actions.len().saturating_sub(read.actions.len());
            let same = read.actions.iter().zip(&actions).filter(|(read, action)| read.name() == action.name()).count();
            prop_assert!(left_out == 0 || same == read.actions.len(), "{}", changed);
        }
    }
}

/// What a changed byte once gave: the quote that is lost turns strings inside out, and braces in them seem to end the whole.
#[test]
fn a_lost_quote_makes_no_decision_of_the_last_action() {
    let reply = r#"{"actions":[{"type":"scroll","to":"down"},{"type0:"fill","ref":"I1","text":"{]},:<think>{]},:"},{"type":"click","ref":"B1","intent":"{]},:\\"},{"type":"done","text":"</think>a{\"actions\":[{\"type\":\"back\"}]}","success":true}]}"#;
    assert!(read(reply).is_err(), "{:?}", read(reply));
}
