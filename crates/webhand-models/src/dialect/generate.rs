//! Gemini's generateContent.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use url::Url;
use webhand_agent::Finish;

use super::{finish, held_back};
use crate::order::{Answer, Calls, Form, Misread, Order, count};

/// The model's address. It goes with the model's name and no key: that is in a header.
pub(super) fn url(base: &Url, model: &str) -> Url {
    let mut url = base.clone();
    let versioned = ["/v1beta", "/v1", "/v1alpha"].iter().any(|end| url.path().trim_end_matches('/').ends_with(end));
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty();
        if !versioned {
            segments.push("v1beta");
        }
        let model = model.strip_prefix("models/").unwrap_or(model);
        segments.push("models").push(&format!("{model}:generateContent"));
    }
    url
}

/// The question.
pub(super) fn write(order: &Order<'_>) -> Value {
    let mut body = json!({});
    let mut config = json!({});
    match &order.form {
        Form::Words => {}
        Form::Object => config["responseMimeType"] = json!("application/json"),
        Form::Schema { schema, .. } => {
            config["responseMimeType"] = json!("application/json");
            config["responseJsonSchema"] = schema.clone();
        }
        Form::Tools { tools, .. } => {
            let list: Vec<Value> = tools
                .iter()
                .map(|tool| {
                    json!({
                        "name": tool["name"],
                        "description": tool["description"],
                        "parametersJsonSchema": tool["parameters"],
                    })
                })
                .collect();
            let names: Vec<&Value> = tools.iter().map(|tool| &tool["name"]).collect();
            body["toolConfig"] = json!({ "functionCallingConfig": { "mode": "ANY", "allowedFunctionNames": names } });
            body["tools"] = json!([{ "functionDeclarations": list }]);
        }
    }
    if let Some(temperature) = order.temperature {
        config["temperature"] = json!(temperature);
    }
    if let Some(longest) = order.longest_answer {
        config["maxOutputTokens"] = json!(longest);
    }
    if !order.system.is_empty() {
        body["systemInstruction"] = json!({ "parts": [{ "text": order.system }] });
    }
    let mut parts = vec![json!({ "text": order.message() })];
    parts.extend(
        order
            .images
            .iter()
            .map(|image| json!({ "inlineData": { "mimeType": image.mime, "data": STANDARD.encode(&image.bytes) } })),
    );
    body["contents"] = json!([{ "role": "user", "parts": parts }]);
    if config.as_object().is_some_and(|config| !config.is_empty()) {
        body["generationConfig"] = config;
    }
    body
}

/// The answer. A prompt that was blocked has no candidates, but a reason.
pub(super) fn read(body: &Value, order: &Order<'_>) -> Result<Answer, Misread> {
    if body.get("error").is_some() {
        return Err(Misread::Complaint);
    }
    let mut answer = Answer {
        input: count(body, "/usageMetadata/promptTokenCount"),
        cached: count(body, "/usageMetadata/cachedContentTokenCount"),
        output: count(body, "/usageMetadata/candidatesTokenCount")
            .saturating_add(count(body, "/usageMetadata/thoughtsTokenCount")),
        model: body.get("modelVersion").and_then(Value::as_str).map(str::to_owned),
        ..Answer::default()
    };
    let Some(candidate) = body.pointer("/candidates/0") else {
        let blocked = body.pointer("/promptFeedback/blockReason").and_then(Value::as_str);
        let why = blocked.ok_or(Misread::NoAnswer("it holds no candidates"))?;
        answer.finish = Finish::Filtered;
        answer.text = held_back(String::new(), why);
        return Ok(answer);
    };
    let mut said = String::new();
    let mut calls = Calls::default();
    for part in candidate.pointer("/content/parts").and_then(Value::as_array).into_iter().flatten() {
        let thought = part.get("thought").and_then(Value::as_bool).unwrap_or(false);
        if let Some(call) = part.get("functionCall") {
            let name = call.get("name").and_then(Value::as_str).unwrap_or_default();
            calls.add(name, call.get("args").cloned().unwrap_or_default());
        } else if let Some(text) = part.get("text").and_then(Value::as_str).filter(|_| !thought) {
            said.push_str(text);
        }
    }
    let why = candidate.get("finishReason").and_then(Value::as_str);
    answer.finish = match finish(why) {
        Finish::Stop if !calls.is_empty() => Finish::ToolCalls,
        finish => finish,
    };
    answer.text = calls.text(said, &order.form);
    if answer.finish == Finish::Filtered {
        answer.text = held_back(answer.text, why.unwrap_or_default());
    }
    Ok(answer)
}
