//! Ollama's own chat. Not its OpenAI-compatible one: there the window cannot be set, and a prompt that is longer than the
//! server's small one loses its beginning in silence.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use webhand_agent::Finish;

use super::finish;
use crate::order::{Answer, Calls, Form, Misread, Order, count};

/// The question.
pub(super) fn write(order: &Order<'_>) -> Value {
    let mut user = json!({ "role": "user", "content": order.message() });
    if !order.images.is_empty() {
        user["images"] = order.images.iter().map(|image| STANDARD.encode(&image.bytes)).collect();
    }
    let mut options = json!({ "num_ctx": order.window });
    if let Some(temperature) = order.temperature {
        options["temperature"] = json!(temperature);
    }
    if let Some(longest) = order.longest_answer {
        options["num_predict"] = json!(longest);
    }
    let mut body = json!({
        "model": order.model,
        "stream": false,
        "messages": [{ "role": "system", "content": order.system }, user],
        "options": options,
    });
    match &order.form {
        Form::Words => {}
        Form::Object => body["format"] = json!("json"),
        Form::Schema { schema, .. } => body["format"] = schema.clone(),
        Form::Tools { tools, .. } => {
            body["tools"] = tools.iter().map(|tool| json!({ "type": "function", "function": tool })).collect();
        }
    }
    body
}

/// The answer.
pub(super) fn read(body: &Value, order: &Order<'_>) -> Result<Answer, Misread> {
    if body.get("error").is_some() {
        return Err(Misread::Complaint);
    }
    let message = body.get("message").filter(|message| message.is_object());
    let message = message.ok_or(Misread::NoAnswer("it holds no message"))?;
    if body.get("done") == Some(&Value::Bool(false)) {
        return Err(Misread::NoAnswer("it is only the beginning of an answer"));
    }
    let mut calls = Calls::default();
    for call in message.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
        let name = call.pointer("/function/name").and_then(Value::as_str).unwrap_or_default();
        calls.add(name, call.pointer("/function/arguments").cloned().unwrap_or_default());
    }
    let finish = match finish(body.get("done_reason").and_then(Value::as_str)) {
        Finish::Stop if !calls.is_empty() => Finish::ToolCalls,
        finish => finish,
    };
    let said = message.get("content").and_then(Value::as_str).unwrap_or_default().to_owned();
    Ok(Answer {
        text: calls.text(said, &order.form),
        finish,
        input: count(body, "/prompt_eval_count"),
        output: count(body, "/eval_count"),
        model: body.get("model").and_then(Value::as_str).map(str::to_owned),
        ..Answer::default()
    })
}
