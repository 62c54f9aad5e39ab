//! Bedrock's Converse, with a Bedrock API key. Signed requests would need a signer of their own: they are not supported.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use webhand_agent::Finish;

use super::{finish, held_back};
use crate::order::{Answer, Calls, Form, Misread, Order, count};

/// The question.
pub(super) fn write(order: &Order<'_>) -> Value {
    let mut content = vec![json!({ "text": order.message() })];
    content.extend(order.images.iter().map(|image| {
        let format = image.mime.strip_prefix("image/").unwrap_or("jpeg");
        json!({ "image": { "format": format, "source": { "bytes": STANDARD.encode(&image.bytes) } } })
    }));
    let mut body = json!({ "messages": [{ "role": "user", "content": content }] });
    if !order.system.is_empty() {
        body["system"] = json!([{ "text": order.system }]);
    }
    if let Form::Tools { tools, whole } = &order.form {
        let list: Vec<Value> = tools
            .iter()
            .map(|tool| {
                json!({ "toolSpec": {
                    "name": tool["name"],
                    "description": tool["description"],
                    "inputSchema": { "json": tool["parameters"] },
                } })
            })
            .collect();
        let choice = match tools.first() {
            Some(tool) if *whole => json!({ "tool": { "name": tool["name"] } }),
            _ => json!({ "any": {} }),
        };
        body["toolConfig"] = json!({ "tools": list, "toolChoice": choice });
    }
    let mut config = json!({});
    if let Some(longest) = order.longest_answer {
        config["maxTokens"] = json!(longest);
    }
    if let Some(temperature) = order.temperature {
        config["temperature"] = json!(temperature);
    }
    if config.as_object().is_some_and(|config| !config.is_empty()) {
        body["inferenceConfig"] = config;
    }
    body
}

/// The answer.
pub(super) fn read(body: &Value, order: &Order<'_>) -> Result<Answer, Misread> {
    let blocks = body.pointer("/output/message/content").and_then(Value::as_array);
    let blocks = blocks.ok_or(Misread::NoAnswer("it holds no message"))?;
    let mut said = String::new();
    let mut calls = Calls::default();
    for block in blocks {
        if let Some(text) = block.get("text").and_then(Value::as_str) {
            said.push_str(text);
        } else if let Some(call) = block.get("toolUse") {
            let name = call.get("name").and_then(Value::as_str).unwrap_or_default();
            calls.add(name, call.get("input").cloned().unwrap_or_default());
        }
    }
    let why = body.get("stopReason").and_then(Value::as_str);
    let cached = count(body, "/usage/cacheReadInputTokens");
    let written = count(body, "/usage/cacheWriteInputTokens");
    let mut answer = Answer {
        text: calls.text(said, &order.form),
        finish: finish(why),
        input: count(body, "/usage/inputTokens").saturating_add(cached).saturating_add(written),
        cached,
        written,
        output: count(body, "/usage/outputTokens"),
        ..Answer::default()
    };
    if answer.finish == Finish::Filtered {
        answer.text = held_back(answer.text, why.unwrap_or_default());
    }
    Ok(answer)
}
