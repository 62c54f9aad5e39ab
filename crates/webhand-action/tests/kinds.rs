//! The kinds of replies that models give, beyond the corpus: each a text, and what is read in it.
//!
//! `click B5 | fill I1 text="x"` stands for the actions, `!code` for an error.

use std::sync::LazyLock;

use serde_json::Value;
use webhand_action::{
    catalogue::Catalogue,
    decode::{Finish, decode},
};

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::built_in);

/// The actions in short, or the error's code.
fn read(reply: &str) -> String {
    match decode(reply, Finish::Stop, &CATALOGUE) {
        Ok(decision) => {
            let shown = decision.actions.iter().map(|action| {
                let Value::Object(fields) = action.to_json() else { return String::new() };
                let words = fields.iter().map(|(key, value)| match (key.as_str(), value) {
                    ("type", Value::String(name)) => name.clone(),
                    ("ref", Value::String(text)) => text.clone(),
                    (key, value) => format!("{key}={value}"),
                });
                words.collect::<Vec<_>>().join(" ")
            });
            shown.collect::<Vec<_>>().join(" | ")
        }
        Err(error) => format!("!{}", error.code()),
    }
}

#[track_caller]
fn check(cases: &[(&str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter(|(reply, expected)| read(reply) != *expected)
        .map(|(reply, expected)| format!("{reply}\n  wanted {expected}\n  got    {}", read(reply)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const CLICK: &str = r#"{"actions":[{"type":"click","ref":"B5"}]}"#;

#[test]
fn reasoning_in_any_tags_is_no_decision() {
    let draft = r#"{"actions":[{"type":"click","ref":"B1"}]}"#;
    for (before, after) in [
        ("<thinking>", "</thinking>"),
        ("<reasoning>", "</reasoning>"),
        ("<THINK>", "</THINK>"),
        ("<thought>", "</thought>"),
        ("<reflection>", "</reflection>"),
        ("[THINK]", "[/THINK]"),
        ("◁think▷", "◁/think▷"),
        ("<|begin_of_thought|>", "<|end_of_thought|>"),
        ("<seed:think>", "</seed:think>"),
        ("<think>\n", "\n</think>\n\n"),
        ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
    ] {
        let reply = format!("{before}perhaps {draft}{after}{CLICK}");
        assert_eq!(read(&reply), "click B5", "{reply}");
    }
    check(&[
        (&format!("<think>first {draft} or rather {CLICK}"), "click B5"),
        (&format!("<think>a</think> {CLICK} <think>b</think>"), "click B5"),
        (&format!("first {draft}</think>{CLICK}"), "click B5"),
        ("<think>only thoughts</think>", "!empty"),
        ("<think>only thoughts", "!no_json"),
        (&format!("<think>{draft} then {{\"actions\":[{{\"type\":\"click\",\"ref\":\"B"), "!incomplete"),
        (r#"{"actions":[{"type":"fill","ref":"I1","text":"</think>"}]}"#, r#"fill I1 text="</think>""#),
        (r#"So: {"actions":[{"type":"fill","ref":"I1","text":"</think>"}]}"#, r#"fill I1 text="</think>""#),
    ]);
}

#[test]
fn calls_of_all_providers_are_unwrapped() {
    check(&[
        (r#"<tool_call>{"name":"click","arguments":{"ref":"B5"}}</tool_call>"#, "click B5"),
        (
            "<tool_call>\n{\"name\": \"act\", \"arguments\": {\"actions\": [{\"type\": \"click\", \"ref\": \"B5\"}]}}\n</tool_call>",
            "click B5",
        ),
        (
            "<tool_call>{\"name\":\"fill\",\"arguments\":{\"ref\":\"I1\",\"text\":\"x\"}}</tool_call>\n<tool_call>{\"name\":\"click\",\"arguments\":{\"ref\":\"B5\"}}</tool_call>",
            r#"fill I1 text="x" | click B5"#,
        ),
        (r#"[TOOL_CALLS][{"name":"click","arguments":{"ref":"B5"}}]"#, "click B5"),
        (r#"[TOOL_CALLS]click[ARGS]{"ref":"B5"}"#, "click B5"),
        (r#"[TOOL_CALLS]click{"ref":"B5"}"#, "click B5"),
        (
            r#"<|tool_call_start|>[click(ref="B5"), fill(ref='I1', text='a, b')]<|tool_call_end|>"#,
            r#"click B5 | fill I1 text="a, b""#,
        ),
        (r#"<|tool_call|>[{"name":"click","arguments":{"ref":"B5"}}]"#, "click B5"),
        (
            r#"<|python_tag|>{"name":"click","parameters":{"ref":"B5"}}; {"name":"back","parameters":{}}"#,
            "click B5 | back",
        ),
        (r#"<|python_tag|>{"type":"function","name":"click","parameters":{"ref":"B5"}}<|eom_id|>"#, "click B5"),
        (r#"<function=click>{"ref":"B5"}</function>"#, "click B5"),
        (
            "<tool_call>\n<function=fill>\n<parameter=ref>\nI1\n</parameter>\n<parameter=text>\na < b\n</parameter>\n</function>\n</tool_call>",
            r#"fill I1 text="a < b""#,
        ),
        (
            r#"<function_calls><invoke name="fill"><parameter name="ref">I1</parameter><parameter name="text">x</parameter></invoke></function_calls>"#,
            r#"fill I1 text="x""#,
        ),
        (
            "<tool_call>fill\n<arg_key>ref</arg_key>\n<arg_value>I1</arg_value>\n<arg_key>text</arg_key>\n<arg_value>x</arg_value>\n</tool_call>",
            r#"fill I1 text="x""#,
        ),
        (
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>click\n```json\n{\"ref\":\"B5\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
            "click B5",
        ),
        (
            r#"<|tool_calls_section_begin|><|tool_call_begin|>functions.click:0<|tool_call_argument_begin|>{"ref":"B5"}<|tool_call_end|>"#,
            "click B5",
        ),
        (r#"<|channel|>commentary to=functions.click <|constrain|>json<|message|>{"ref":"B5"}<|call|>"#, "click B5"),
        (r#"<|START_ACTION|>[{"tool_name":"click","parameters":{"ref":"B5"}}]<|END_ACTION|>"#, "click B5"),
        (r#"I use <tool_call>{"name":"teleport","arguments":{"ref":"B5"}}</tool_call>"#, "!unknown_action"),
        (r#"<tool_call>{"name":"fill","arguments":{"ref":"I1","text":"he"#, "!incomplete"),
        (
            r#"{"tool_calls":[{"id":"1","type":"function","function":{"name":"click","arguments":"{\"ref\":\"B5\"}"}},{"id":"2","type":"function","function":{"name":"back","arguments":"{}"}}]}"#,
            "click B5 | back",
        ),
        (
            r#"[{"id":"1","type":"function","function":{"name":"act","arguments":"{\"actions\":[{\"type\":\"click\",\"ref\":\"B5\"}]}"}}]"#,
            "click B5",
        ),
        (
            r#"{"choices":[{"finish_reason":"tool_calls","message":{"role":"assistant","content":null,"tool_calls":[{"function":{"name":"click","arguments":"{\"ref\":\"B5\"}"}}]}}]}"#,
            "click B5",
        ),
        (
            r#"{"choices":[{"finish_reason":"length","message":{"role":"assistant","content":"{\"actions\":[{\"type\":\"click\",\"ref\":\"B5\"}]}"}}]}"#,
            "!incomplete",
        ),
        (r#"{"role":"assistant","content":"{\"actions\":[{\"type\":\"click\",\"ref\":\"B5\"}]}"}"#, "click B5"),
        (r#"{"function_call":{"name":"click","arguments":"{\"ref\":\"B5\"}"}}"#, "click B5"),
        (r#"{"type":"function_call","name":"click","arguments":"{\"ref\":\"B5\"}","call_id":"c"}"#, "click B5"),
        (r#"{"type":"tool_use","id":"t","name":"click","input":{"ref":"B5"}}"#, "click B5"),
        (
            r#"[{"type":"text","text":"I click."},{"type":"tool_use","id":"t","name":"click","input":{"ref":"B5"}},{"type":"tool_use","id":"u","name":"back","input":{}}]"#,
            "click B5 | back",
        ),
        (
            r#"{"stop_reason":"max_tokens","content":[{"type":"tool_use","name":"click","input":{"ref":"B5"}}]}"#,
            "!incomplete",
        ),
        (r#"{"content":[{"type":"tool_use","name":"act","input":{"actions":[{"click":{"ref":"B5"}}]}}]}"#, "click B5"),
        (r#"{"functionCall":{"name":"click","args":{"ref":"B5"}}}"#, "click B5"),
        (
            r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"ok"},{"functionCall":{"name":"click","args":{"ref":"B5"}}}]},"finishReason":"STOP"}]}"#,
            "click B5",
        ),
        (r#"{"name":"click","arguments":{"ref":"B5"}}"#, "click B5"),
        (r#"{"name":"click","arguments":"{\"ref\":\"B5\"}"}"#, "click B5"),
        (
            r#"{"name":"act","input":"\"{\\\"actions\\\":[{\\\"type\\\":\\\"click\\\",\\\"ref\\\":\\\"B5\\\"}]}\""}"#,
            "click B5",
        ),
        (r#"{"action":"click","action_input":{"ref":"B5"}}"#, "click B5"),
        (r#"{"name":"AgentOutput","arguments":{"actions":[{"type":"click","ref":"B5"}]}}"#, "!unknown_action"),
        (r#"{"actions":[{"name":"click","arguments":{"ref":"B5"}}]}"#, "click B5"),
        (r#"{"name":"click","arguments":{"ref":"B5"}"#, "!incomplete"),
        (r#"{"name":"act","arguments":{"actions":[{"type":"click","ref":"B5"}]"#, "click B5"),
    ]);
}

#[test]
fn json_is_found_wherever_it_stands() {
    check(&[
        ("```json\r\n{\"actions\":[{\"type\":\"click\",\"ref\":\"B5\"}]}\r\n```\r\n", "click B5"),
        ("~ ```jsonc\n// now\n{\"actions\":[{\"type\":\"click\",\"ref\":\"B5\"},]}\n```", "click B5"),
        ("```json {\"actions\":[{\"type\":\"click\",\"ref\":\"B5\"}]} ```", "click B5"),
        ("```\n```json\n{\"actions\":[{\"type\":\"click\",\"ref\":\"B5\"}]}\n```\n```", "click B5"),
        ("````json\n{\"actions\":[{\"type\":\"click\",\"ref\":\"B5\"}]}\n````", "click B5"),
        (
            "```json\n{\"example\":1}\n```\nso\n```json\n{\"actions\":[{\"type\":\"click\",\"ref\":\"B5\"}]}\n```",
            "click B5",
        ),
        (
            "Text ```json\n{\"actions\":[{\"type\":\"fill\",\"ref\":\"I1\",\"text\":\"a ```b``` c\"}]}\n```",
            r#"fill I1 text="a ```b``` c""#,
        ),
        ("As in [1], {\"actions\":[{\"type\":\"click\",\"ref\":\"B5\"}]} [see {notes}]", "click B5"),
        ("Use { and } and {a} then {\"actions\":[{\"type\":\"click\",\"ref\":\"B5\"}]}", "click B5"),
        ("{\"actions\":[{\"type\":\"click\",\"ref\":\"B5\"}]}\n{\"actions\":[{\"type\":\"back\"}]}", "click B5"),
        ("{\"actions\":[]} no: {\"actions\":[{\"type\":\"click\",\"ref\":\"B5\"}]}", "click B5"),
        ("\u{feff}\u{200b} {\"actions\":[{\"type\":\"click\",\"ref\":\"B5\"}]}\u{200b}\n", "click B5"),
        (r#"{\"actions\":[{\"type\":\"click\",\"ref\":\"B5\"}]}"#, "click B5"),
        (r#""\"{\\\"actions\\\":[{\\\"type\\\":\\\"click\\\",\\\"ref\\\":\\\"B5\\\"}]}\"""#, "click B5"),
        ("<answer>{\"actions\":[{\"type\":\"click\",\"ref\":\"B5\"}]}</answer>", "click B5"),
        ("42", "!no_json"),
        ("null", "!no_json"),
        ("[]", "!no_action"),
        ("[1,2]", "!no_action"),
        ("\"hello\"", "!no_json"),
        (" \u{feff}\n\t", "!empty"),
        ("{", "!no_json"),
        ("{\"actions\":", "!incomplete"),
        ("{\"actions\":[", "!incomplete"),
        ("{\"state\":{\"next_goal\":\"x\"},\"act", "!incomplete"),
    ]);
}

#[test]
fn form_is_forgiven_and_content_is_not_guessed() {
    check(&[
        (
            "{'actions': [{'type': 'fill', 'ref': 'I1', 'text': 'it\\'s', 'clear': True, 'tier': None}]}",
            r#"fill I1 text="it's""#,
        ),
        ("{'actions': [{'type': 'fill', 'ref': 'I1', 'text': 'it's me'}]}", r#"fill I1 text="it's me""#),
        ("{“actions”：[{“type”：“click”，“ref”：“B5”}]}", "click B5"),
        ("{\"actions\":[{\"type\":\"fill\",\"ref\":\"I1\",\"text\":\"a\nb\"}]}", r#"fill I1 text="a\nb""#),
        (r#"{"actions":[{"type":"click","ref":"B5"}}"#, "click B5"),
        (r#"{"actions":[{"type":"click","ref":"B5"}]"#, "click B5"),
        (r#"{"actions":[{"type":"click","ref":"B5"},{"type":"fill","ref":"I1","te"#, "click B5"),
        (r#"{"actions":[{"type":"click","ref":"B5""#, "!incomplete"),
        (r#"{"type":"click","ref":"B5""#, "!incomplete"),
        (r#"{"actions":[{"click":{"ref":"B5"}"#, "!incomplete"),
        (r#"{"actions":[{"type":"select","ref":"S1","values":["a"}]}"#, "!incomplete"),
        (r#"{"actions":[{"type":"fill","ref":"I1","text":"say "hi" now"},{"type":"click","ref":"B5"}]}"#, "!no_json"),
        (r#"{"actions":[{"type":"fill","ref":"I1","text":"say "hi now"},{"type":"click","ref":"B5"}]}"#, "!no_json"),
        (r#"{"actions":[{"type":"fill","ref":"I1","text":"a\u0000b"}]}"#, "!bad_parameter"),
        (r#"{"actions":[{"type":"wait","for":"time","seconds":Infinity}]}"#, "!bad_parameter"),
        (r#"{"actions":[{"click":{"ref":"B5"},"click":{"ref":"B6"}}]}"#, "!bad_parameter"),
        (r#"{"actions":[{"type":"click","ref":"B5"}],"actions":[{"type":"back"}]}"#, "!bad_parameter"),
        (r#"{"actions":[{"type":"click","ref":"B5"}],"action":[{"type":"back"}]}"#, "!bad_parameter"),
        (r#"{"actions":[{"type":"click","index":5,"ref":"B6"}]}"#, "!bad_parameter"),
        (r#"{"actions":[{"type":"click","ref":null,"ref":"B6"}]}"#, "!bad_parameter"),
        (r#"{"name":"click","name":"fill","arguments":{"ref":"B5"}}"#, "!bad_parameter"),
        (r#"{"name":"click","arguments":"{\"ref\":\"B4\",\"ref\":\"B5\"}"}"#, "!bad_parameter"),
        (r#"{"actions":[{"type":"click","element":"the Save button","ref":"B6"}]}"#, "click B6"),
    ]);
}

#[test]
fn actions_are_read_in_every_shape() {
    check(&[
        (r#"{"actions":{"click":{"ref":"B5"},"back":{}}}"#, "click B5 | back"),
        (r#"{"action":"click","ref":"B5"}"#, "click B5"),
        (r#"{"action":{"type":"click","ref":"B5"}}"#, "click B5"),
        (r#"{"action":"[{\"click\":{\"ref\":\"B5\"}}]"}"#, "click B5"),
        (r#"{"click":{"ref":"B5"}}"#, "click B5"),
        (r#"[{"click":{"ref":"B5"}},null,{}]"#, "click B5"),
        (r#"{"actions":[[{"type":"click","ref":"B5"}]]}"#, "click B5"),
        (r#"{"actions":["back",{"type":"click","ref":"B5"}]}"#, "back | click B5"),
        (r#"{"current_state":{"memory":"m"},"click":{"ref":"B5"}}"#, "click B5"),
        (r#"{"thinking":"t","memory":"m","next_goal":"n","action":[{"click":{"index":5}}]}"#, "click 5"),
        (r#"{"actions":[{"click":{"ref":"B5"},"intent":"go"}]}"#, r#"click B5 intent="go""#),
        (r#"{"actions":[{"type":"click","parameters":{"ref":"B5"}}]}"#, "click B5"),
        (r#"{"actions":[{"type":{"text":"abc"}}]}"#, r#"type text="abc""#),
        (r#"{"actions":[{"type":"type","text":"abc"}]}"#, r#"type text="abc""#),
        (r#"{"actions":[{"back":null},{"reload":{}}]}"#, "reload"),
        (r#"{"actions":[{"click":{"ref":5.0}}]}"#, "click 5"),
        (r#"{"actions":[{"type":"Click","ref":" b5 "}]}"#, "click B5"),
        (r#"{"actions":[{"type":"clickElement","index":"5"}]}"#, "click 5"),
        (
            r#"{"actions":[{"click":{"ref":"B5","count":"2","hold_ms":10.0,"button":"Right"}}]}"#,
            r#"click B5 button="right" count=2 hold_ms=10"#,
        ),
        (r#"{"actions":[{"click":{"x":10,"y":"20"}}]}"#, "click x=10.0 y=20.0"),
        (r#"{"actions":[{"click":{"coordinate":[10,20]}}]}"#, "click x=10.0 y=20.0"),
        (r#"{"actions":[{"ref":"B5"}]}"#, "!missing_parameter"),
        (r#"{"actions":[{"click":"B5"}]}"#, "!bad_parameter"),
        (r#"{"actions":[{"action":{"name":"click","parameters":{"ref":"B5"}},"description":"go"}]}"#, "click B5"),
        (r##"{"actions":[{"click":{"selector":"#save"}}]}"##, "!bad_parameter"),
        (r#"{"actions":[7]}"#, "!bad_parameter"),
        (r#"{"state":{"memory":"m"}}"#, "!no_action"),
        (r#"{"actions":null}"#, "!no_action"),
        (r#"{"actions":[null]}"#, "!no_action"),
        (r#"{"clik":{"ref":"B5"}}"#, "!unknown_action"),
        (r#"{"actions":[{"type":"click"}]}"#, "!missing_parameter"),
        (r#"{"actions":[{"type":"click","x":1}]}"#, "!missing_parameter"),
        (r#"{"actions":[{"type":"click","ref":"B5","x":1,"y":2}]}"#, "!bad_parameter"),
        (r#"{"actions":[{"type":"click","ref":"B5","force":true}]}"#, "!bad_parameter"),
        (
            r#"{"actions":[{"type":"done","text":"a","success":true},{"type":"done","text":"b","success":true}]}"#,
            "!done_not_last",
        ),
        (
            r#"{"actions":[{"type":"click","ref":"B5"},{"type":"done","text":"a","success":true}]}"#,
            r#"click B5 | done text="a" success=true"#,
        ),
    ]);
}

#[test]
fn a_form_is_read_with_its_fields_however_they_are_written() {
    check(&[
        (
            r#"{"actions":[{"type":"fill_form","fields":[{"ref":"I3","value":"Ada"},{"ref":"X4","value":true}]}]}"#,
            r#"fill_form fields=[{"ref":"I3","value":"Ada"},{"ref":"X4","value":"true"}]"#,
        ),
        (
            r#"{"actions":[{"fill_form":{"fields":{"I3":"Ada","S5":["a","b"]},"submit":true}}]}"#,
            r#"fill_form fields=[{"ref":"I3","value":"Ada"},{"ref":"S5","value":["a","b"]}] submit=true"#,
        ),
        (
            r#"{"actions":[{"browser_fill_form":{"fields":[{"name":"Age","type":"textbox","element":"I7","text":42}]}}]}"#,
            r#"fill_form fields=[{"ref":"I7","value":"42"}]"#,
        ),
        (r#"{"actions":[{"type":"fill_form","fields":[]}]}"#, "!bad_parameter"),
        (r#"{"actions":[{"type":"fill_form","fields":[{"ref":"I3"}]}]}"#, "!missing_parameter"),
        (r#"{"actions":[{"type":"fill_form","fields":[{"ref":"the name","value":"x"}]}]}"#, "!bad_parameter"),
        (r##"{"actions":[{"type":"fill_form","fields":[{"selector":"#a","value":"x"}]}]}"##, "!bad_parameter"),
    ]);
}

#[test]
fn the_names_that_other_engines_taught_are_mapped() {
    check(&[
        (r#"{"action":[{"go_to_url":{"url":"https://a.example"}}]}"#, r#"navigate url="https://a.example""#),
        (r#"{"action":[{"open_tab":{"url":"a.example/x"}}]}"#, r#"navigate url="https://a.example/x" new_tab=true"#),
        (
            r#"{"action":[{"goto_new_tab":{"url":"localhost:80"}}]}"#,
            r#"navigate url="http://localhost:80" new_tab=true"#,
        ),
        (r#"{"action":[{"search_google":{"query":"cats"}}]}"#, r#"search query="cats" engine="google""#),
        (r#"{"action":[{"go_back":{}}]}"#, "back"),
        (r#"{"action":[{"switch_tab":{"tab_id":2}}]}"#, r#"tab op="switch" id="2""#),
        (r#"{"action":[{"close_tab":{"tab_id":"t2"}}]}"#, r#"tab op="close" id="t2""#),
        (r#"{"action":[{"wait":{"seconds":3}}]}"#, r#"wait for="time" seconds=3.0"#),
        (r#"{"action":[{"type":"wait","for":"time","value":2}]}"#, r#"wait for="time" seconds=2.0"#),
        (r#"{"action":[{"send_keys":{"keys":"Control+A"}}]}"#, r#"press keys="Control+A""#),
        (r#"{"action":[{"press_key":{"key":"Enter"}}]}"#, r#"press keys="Enter""#),
        (r#"{"action":[{"scroll_down":{}}]}"#, r#"scroll to="down""#),
        (
            r#"{"action":[{"scroll_up":{"amount":300,"unit":"pixels"}}]}"#,
            r#"scroll to="up" amount=300.0 unit="pixels""#,
        ),
        (r#"{"action":[{"scroll_to_percent":{"yPercent":50,"index":7}}]}"#, r#"scroll to="percent" amount=50.0 7"#),
        (r#"{"action":[{"scroll_to_text":{"text":"Terms","nth":1}}]}"#, r#"scroll to="text" value="Terms""#),
        (r#"{"action":[{"scroll_to_top":{}}]}"#, r#"scroll to="top""#),
        (r#"{"action":[{"next_page":{}}]}"#, r#"scroll to="down""#),
        (r#"{"action":[{"previous_page":null},{"scroll":{"direction":"up"}}]}"#, r#"scroll to="up""#),
        (r#"{"action":[{"scroll":{"down":true,"num_pages":1.5}}]}"#, r#"scroll to="down" amount=1.5"#),
        (r#"{"action":[{"input":{"index":3,"text":"a","clear":false}}]}"#, r#"fill 3 text="a" clear=false"#),
        (r#"{"action":[{"fallback_fill":{"id":"I3","value":"a"}}]}"#, r#"fill I3 text="a" tier="keys""#),
        (r#"{"action":[{"multi_factor_fill":{"id":"I3","value":123456}}]}"#, r#"fill I3 text="123456" tier="otp""#),
        (r#"{"action":[{"select_dropdown_option":{"index":4,"text":"Blue"}}]}"#, r#"select 4 values=["Blue"]"#),
        (r#"{"action":[{"get_dropdown_options":{"index":4}}]}"#, "options 4"),
        (r#"{"action":[{"cache_content":{"content":"c"}}]}"#, r#"remember key="content" value="c""#),
        (r#"{"action":[{"completion":{"success":true,"answer":"a"}}]}"#, r#"done text="a" success=true"#),
        (r#"{"action":[{"extract_content":{"goal":"prices"}}]}"#, r#"read intent="prices""#),
        (r#"{"action":[{"uncheck":{"ref":"C4"}}]}"#, "check C4 on=false"),
        (r#"{"action":[{"double_click":{"ref":"E4"}}]}"#, "click E4 count=2"),
        (r#"{"action":[{"tab":{"op":"switch","id":"t2"}}]}"#, r#"tab op="switch" id="t2""#),
    ]);
}

#[test]
fn bounds_addresses_and_types_are_checked_before_anything_runs() {
    let long = format!(r#"{{"actions":[{{"type":"fill","ref":"I1","text":"{}"}}]}}"#, "x".repeat(100_001));
    check(&[
        (&long, "!bad_parameter"),
        (r#"{"actions":[{"navigate":{"url":"javascript:alert(1)"}}]}"#, "!bad_parameter"),
        (r#"{"actions":[{"navigate":{"url":"file:///etc/passwd"}}]}"#, "!bad_parameter"),
        (r#"{"actions":[{"navigate":{"url":""}}]}"#, "!bad_parameter"),
        (r#"{"actions":[{"navigate":{"url":"about:blank"}}]}"#, r#"navigate url="about:blank""#),
        (r#"{"actions":[{"wait":{"for":"text","value":"x","seconds":61}}]}"#, "!bad_parameter"),
        (r#"{"actions":[{"wait":{"for":"text"}}]}"#, "!missing_parameter"),
        (r#"{"actions":[{"wait":{"for":"ref_state","ref":"B5","value":"sleepy"}}]}"#, "!bad_parameter"),
        (r#"{"actions":[{"wait":{"for":"moon"}}]}"#, "!bad_parameter"),
        (r#"{"actions":[{"click":{"ref":"B5","count":0}}]}"#, "!bad_parameter"),
        (r#"{"actions":[{"click":{"ref":"B5","count":1.5}}]}"#, "!bad_parameter"),
        (
            r#"{"actions":[{"click":{"ref":"B5","modifiers":["ctrl","Shift"]}}]}"#,
            r#"click B5 modifiers=["control","shift"]"#,
        ),
        (r#"{"actions":[{"click":{"ref":["B5"]}}]}"#, "!bad_parameter"),
        (r#"{"actions":[{"click":{"ref":"Save"}}]}"#, "!bad_parameter"),
        (r#"{"actions":[{"find":{}}]}"#, "!missing_parameter"),
        (r#"{"actions":[{"find":{"regex":"("}}]}"#, "!bad_parameter"),
        (r#"{"actions":[{"tab":{"op":"switch"}}]}"#, "!missing_parameter"),
        (r#"{"actions":[{"type":"type","ref":"I3","text":"x"}]}"#, "!bad_parameter"),
        (r#"{"actions":[{"check":{"ref":"C3","on":"maybe"}}]}"#, "!bad_parameter"),
        (r#"{"actions":[{"press":{"keys":""}}]}"#, "!bad_parameter"),
        (r#"{"actions":[{"scroll":{"to":"ref","value":"B7"}}]}"#, r#"scroll to="ref" value="B7""#),
    ]);
}

#[test]
fn a_length_limit_is_always_incomplete() {
    for reply in [CLICK, "", "prose"] {
        let error = decode(reply, Finish::Length, &CATALOGUE).unwrap_err();
        assert_eq!(error.code(), "incomplete", "{reply}");
    }
}

#[test]
fn huge_and_hostile_replies_end_in_time() {
    let size = 1 << 16;
    for piece in [
        "{",
        "[",
        "{\"a\":",
        "{\"actions\":[",
        "```",
        "```json\n{",
        "<think>",
        "</think>",
        "{'",
        "\\",
        "<think>{\"a\":\"",
        "<tool_call>{",
        "{a:1 b}",
        "\"",
        "[TOOL_CALLS]",
        "click(ref=",
        "<parameter=a>",
        "{\"type\" ",
        "{\"x\":{}},",
        "[TOOL_CALLS]back{}",
    ] {
        let reply = piece.repeat(size / piece.len());
        let started = std::time::Instant::now();
        let read = decode(&reply, Finish::Stop, &CATALOGUE);
        let seconds = started.elapsed().as_secs_f64();
        assert!(read.is_err(), "{piece}");
        assert!(seconds < 20.0, "{piece} took {seconds:.1} s: more than its length accounts for");
    }
    let text = "x".repeat(90_000);
    let big =
        format!("{}{{\"actions\":[{{\"type\":\"fill\",\"ref\":\"I1\",\"text\":\"{text}\"}}]}}", "word ".repeat(size));
    assert!(decode(&big, Finish::Stop, &CATALOGUE).is_ok());
}
