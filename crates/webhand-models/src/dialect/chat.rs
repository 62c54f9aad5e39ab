//! OpenAI's chat completions, which many speak: OpenAI, Azure, OpenRouter, Groq, DeepSeek, xAI, Mistral, vLLM, llama.cpp,
//! LM Studio. What differs between them is told by the provider's name.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use url::Url;
use webhand_agent::Finish;

use super::{below, finish, held_back};
use crate::{
    order::{Answer, Calls, Form, Misread, Order, count},
    provider::Provider,
};

/// A deployment's address; that of the newer API, where the address is one.
pub(super) fn azure_url(base: &Url, deployment: &str, version: &str) -> Url {
    if base.path().trim_end_matches('/').ends_with("/v1") {
        return below(base, &[("v1", true), ("chat", false), ("completions", false)]);
    }
    let mut url = super::without(base, &["openai"]);
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty().extend(["openai", "deployments", deployment, "chat", "completions"]);
    }
    url.set_query(Some(&format!("api-version={version}")));
    url
}

/// The question. What stays the same over a run stands first.
pub(super) fn write(order: &Order<'_>) -> Value {
    let mut body = json!({ "model": order.model });
    write_form(order, &mut body);
    body["messages"] = json!([
        { "role": "system", "content": order.system },
        { "role": "user", "content": content(order) },
    ]);
    if let Some(temperature) = order.temperature {
        body["temperature"] = json!(temperature);
    }
    if let Some(longest) = order.longest_answer {
        let newer = matches!(order.provider, Provider::OpenAi | Provider::Azure) != order.other_limit;
        body[if newer { "max_completion_tokens" } else { "max_tokens" }] = json!(longest);
    }
    body
}

fn write_form(order: &Order<'_>, body: &mut Value) {
    match &order.form {
        Form::Words => return,
        Form::Object => body["response_format"] = json!({ "type": "json_object" }),
        Form::Schema { name, schema } => {
            let wanted = json!({ "name": name, "strict": true, "schema": schema });
            body["response_format"] = json!({ "type": "json_schema", "json_schema": wanted });
        }
        Form::Tools { tools, whole } => {
            let tools: Vec<Value> = tools.iter().map(|tool| json!({ "type": "function", "function": tool })).collect();
            body["tool_choice"] = match tools.first().map(|tool| &tool["function"]["name"]) {
                // one tool, and it must be called
                Some(_) if *whole && order.provider == Provider::Mistral => json!("any"),
                Some(name) if *whole => json!({ "type": "function", "function": { "name": name } }),
                _ => json!("required"),
            };
            body["tools"] = Value::Array(tools);
        }
    }
    if order.provider == Provider::OpenRouter {
        // without that, a host that knows no schemas answers as if none had been sent
        body["provider"] = json!({ "require_parameters": true });
    }
}

fn content(order: &Order<'_>) -> Value {
    if order.images.is_empty() {
        return Value::String(order.message());
    }
    let mut parts = vec![json!({ "type": "text", "text": order.message() })];
    parts.extend(order.images.iter().map(|image| {
        let url = format!("data:{};base64,{}", image.mime, STANDARD.encode(&image.bytes));
        json!({ "type": "image_url", "image_url": { "url": url } })
    }));
    Value::Array(parts)
}

/// The answer.
pub(super) fn read(body: &Value, order: &Order<'_>) -> Result<Answer, Misread> {
    let choice = body.pointer("/choices/0");
    if body.get("error").is_some_and(|error| !error.is_null())
        || choice.and_then(|choice| choice.get("error")).is_some_and(|error| !error.is_null())
    {
        return Err(Misread::Complaint);
    }
    let choice = choice.ok_or(Misread::NoAnswer("it holds no choices"))?;
    let message = choice.get("message").filter(|message| message.is_object());
    let message = message.ok_or(Misread::NoAnswer("its choice holds no message"))?;
    let mut calls = Calls::default();
    for call in message.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
        if let Some(name) = call.pointer("/function/name").and_then(Value::as_str) {
            calls.add(name, call.pointer("/function/arguments").cloned().unwrap_or_default());
        }
    }
    let mut answer = usage(body);
    answer.finish = finish(choice.get("finish_reason").and_then(Value::as_str));
    answer.model = body.get("model").and_then(Value::as_str).map(str::to_owned);
    let refusal = message.get("refusal").and_then(Value::as_str).filter(|refusal| !refusal.is_empty());
    if refusal.is_some() {
        answer.finish = Finish::Filtered;
    }
    answer.text = match refusal {
        Some(refusal) => refusal.to_owned(),
        None => calls.text(spoken(message.get("content")), &order.form),
    };
    if answer.finish == Finish::Filtered {
        answer.text = held_back(answer.text, "content_filter");
    }
    Ok(answer)
}

/// The text of a message: whole, or in parts, of which thoughts are none.
fn spoken(content: Option<&Value>) -> String {
    match content {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => {
            let texts = parts.iter().filter(|part| part.get("type").is_none_or(|kind| kind == "text"));
            texts.filter_map(|part| part.get("text").and_then(Value::as_str)).collect()
        }
        _ => String::new(),
    }
}

fn usage(body: &Value) -> Answer {
    let input = count(body, "/usage/prompt_tokens");
    let written = count(body, "/usage/completion_tokens");
    // some count what was thought apart
    let output = count(body, "/usage/total_tokens").saturating_sub(input).max(written);
    let cached =
        count(body, "/usage/prompt_tokens_details/cached_tokens").max(count(body, "/usage/prompt_cache_hit_tokens"));
    let cost = body.pointer("/usage/cost").and_then(Value::as_f64).filter(|cost| (0.0..1e6).contains(cost));
    Answer {
        input,
        output,
        cached: cached.min(input),
        micro_usd: cost.map(|dollars| (dollars * 1e6).round() as u64),
        ..Answer::default()
    }
}
