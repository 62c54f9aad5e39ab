//! Anthropic's messages. Its cache is told what stays: the system words, and the task.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use webhand_agent::Finish;

use super::{finish, held_back};
use crate::order::{Answer, Calls, Form, Misread, Order, count};

/// The API wants a limit; a step's answer is far below this one.
const LONGEST: u64 = 8_192;

/// The question.
pub(super) fn write(order: &Order<'_>) -> Value {
    let mut body = json!({ "model": order.model, "max_tokens": order.longest_answer.unwrap_or(LONGEST) });
    match &order.form {
        // there is no JSON mode: the schema in the words has to do
        Form::Words | Form::Object => {}
        Form::Schema { schema, .. } => {
            body["output_config"] = json!({ "format": { "type": "json_schema", "schema": schema } });
        }
        Form::Tools { tools, whole } => {
            let list: Vec<Value> = tools
                .iter()
                .map(|tool| {
                    json!({
                        "name": tool["name"],
                        "description": tool["description"],
                        "input_schema": tool["parameters"],
                    })
                })
                .collect();
            body["tool_choice"] = match list.first() {
                Some(tool) if *whole => {
                    json!({ "type": "tool", "name": tool["name"], "disable_parallel_tool_use": true })
                }
                _ => json!({ "type": "any" }),
            };
            body["tools"] = Value::Array(list);
        }
    }
    if !order.system.is_empty() {
        body["system"] = json!([kept(&order.system)]);
    }
    body["messages"] = json!([{ "role": "user", "content": content(order) }]);
    if let Some(temperature) = order.temperature {
        body["temperature"] = json!(temperature);
    }
    body
}

/// A text up to whose end the provider keeps what was read.
fn kept(text: &str) -> Value {
    json!({ "type": "text", "text": text, "cache_control": { "type": "ephemeral" } })
}

fn content(order: &Order<'_>) -> Vec<Value> {
    let mut parts = Vec::new();
    if !order.task.trim().is_empty() {
        parts.push(kept(&order.task));
    }
    parts.extend(order.images.iter().map(|image| {
        let source = json!({ "type": "base64", "media_type": image.mime, "data": STANDARD.encode(&image.bytes) });
        json!({ "type": "image", "source": source })
    }));
    if !order.rest.trim().is_empty() {
        parts.push(json!({ "type": "text", "text": order.rest }));
    }
    parts
}

/// The answer.
pub(super) fn read(body: &Value, order: &Order<'_>) -> Result<Answer, Misread> {
    if body.get("type").is_some_and(|kind| kind == "error") {
        return Err(Misread::Complaint);
    }
    let blocks = body.get("content").and_then(Value::as_array).ok_or(Misread::NoAnswer("it holds no content"))?;
    let mut said = String::new();
    let mut calls = Calls::default();
    for block in blocks {
        match block.get("type").and_then(Value::as_str) {
            Some("text") => said.push_str(block.get("text").and_then(Value::as_str).unwrap_or_default()),
            Some("tool_use") => {
                let name = block.get("name").and_then(Value::as_str).unwrap_or_default();
                calls.add(name, block.get("input").cloned().unwrap_or_default());
            }
            // thoughts, and what later versions bring
            _ => {}
        }
    }
    let why = body.get("stop_reason").and_then(Value::as_str);
    let cached = count(body, "/usage/cache_read_input_tokens");
    let written = count(body, "/usage/cache_creation_input_tokens");
    let mut answer = Answer {
        text: calls.text(said, &order.form),
        finish: finish(why),
        // those of the cache are not among its input
        input: count(body, "/usage/input_tokens").saturating_add(cached).saturating_add(written),
        cached,
        written,
        output: count(body, "/usage/output_tokens"),
        micro_usd: None,
        model: body.get("model").and_then(Value::as_str).map(str::to_owned),
    };
    if answer.finish == Finish::Filtered {
        answer.text = held_back(answer.text, why.unwrap_or("refusal"));
    }
    Ok(answer)
}
