//! The wrappings in which providers deliver tool calls and messages, taken off.
//!
//! Knows the shapes of many providers' JSON, and no actions: what a call's name means is told elsewhere.

use super::json::{self, Json};

/// One tool call: a name and its arguments.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Call {
    pub(super) name: String,
    pub(super) arguments: Json,
    /// Whether the call has its own closer.
    pub(super) whole: bool,
}

/// What a wrapping holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Inside {
    /// Calls, in order.
    Calls(Vec<Call>),
    /// A message's text.
    Message(String),
    /// A reply that was cut off, as its own finish reason says.
    CutOff,
}

const ARGUMENTS: &[&str] =
    &["arguments", "parameters", "args", "input", "params", "kwargs", "tool_input", "action_input"];
const NAMES: &[&str] = &["name", "tool_name", "tool", "recipient_name", "action"];
/// Types that say "a call" and name no action.
const CALL_TYPES: &[&str] = &[
    "function",
    "tool_use",
    "function_call",
    "tool_call",
    "tool-call",
    "custom_tool_call",
    "server_tool_use",
    "action",
];
/// Keys that hold a single call.
const ONE: &[&str] = &["function", "function_call", "functionCall", "tool_call", "toolCall", "toolUse", "tool_use"];
/// Keys that hold a list of calls, or of parts among which calls are.
const MANY: &[&str] = &["tool_calls", "toolCalls", "function_calls", "content", "parts", "output"];
/// Keys that hold a message.
const MESSAGES: &[&str] = &["message", "choices", "candidates", "content"];

/// Whether that type says "a call" and names no action.
pub(super) fn is_call_type(word: &str) -> bool {
    CALL_TYPES.contains(&word)
}

/// The key under which an item holds its parameters apart, where it does.
pub(super) fn is_arguments_key(key: &str) -> bool {
    ARGUMENTS.contains(&key)
}

/// What the wrapping holds, if the value is one.
pub(super) fn open(json: &Json) -> Option<Inside> {
    open_within(json, 0)
}

fn open_within(json: &Json, depth: u8) -> Option<Inside> {
    if depth > 4 {
        return None;
    }
    if let Json::List(items) = json.open() {
        return calls_among(items).map(Inside::Calls);
    }
    let Json::Object(_) = json.open() else { return None };
    if says_cut_off(json) {
        return Some(Inside::CutOff);
    }
    if let Some(call) = call(json) {
        return Some(Inside::Calls(vec![call]));
    }
    for key in MANY {
        if let Some(Json::List(items)) = json.get(key).map(Json::open)
            && let Some(calls) = calls_among(items)
        {
            return Some(Inside::Calls(calls));
        }
    }
    for key in MESSAGES {
        let inner = match json.get(key).map(Json::open) {
            Some(Json::List(items)) => items.first(),
            Some(inner @ Json::Object(_)) => Some(inner),
            _ => None,
        };
        if let Some(inside) = inner.and_then(|inner| open_within(inner, depth + 1)) {
            return Some(inside);
        }
    }
    message_text(json).map(Inside::Message)
}

fn says_cut_off(json: &Json) -> bool {
    ["finish_reason", "stop_reason", "finishReason", "done_reason"].iter().any(|key| {
        let word = json.get(key).and_then(Json::text).unwrap_or_default();
        ["length", "max_tokens", "MAX_TOKENS", "model_length"].contains(&word)
    })
}

/// The text of a chat message: `{"role": …, "content": "…"}`, or its text parts.
fn message_text(json: &Json) -> Option<String> {
    if json.get("text").is_some() && json.get("type").and_then(Json::text) == Some("text") {
        return json.get("text").and_then(Json::text).map(str::to_owned);
    }
    json.get("role").and_then(Json::text)?;
    let parts = match json.get("content").or_else(|| json.get("parts"))?.open() {
        Json::Text(text) => return Some(text.clone()),
        Json::List(parts) => parts,
        _ => return None,
    };
    let texts: Vec<&str> = parts.iter().filter_map(|part| part.get("text").and_then(Json::text)).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// The calls of a list that holds calls and, beside them, only spoken parts.
fn calls_among(items: &[Json]) -> Option<Vec<Call>> {
    let mut calls = Vec::new();
    for item in items.iter().filter(|item| **item != Json::Null) {
        match call(item) {
            Some(call) => calls.push(call),
            None if is_spoken(item) => {}
            None => return None,
        }
    }
    (!calls.is_empty()).then_some(calls)
}

/// A part in which the model only speaks or thinks.
fn is_spoken(item: &Json) -> bool {
    let kind = item.get("type").and_then(Json::text).unwrap_or_default();
    let spoken = ["text", "thinking", "redacted_thinking", "reasoning", "message", "output_text"];
    spoken.contains(&kind) || (kind.is_empty() && item.get("text").is_some() && item.get("name").is_none())
}

/// The call that a value is.
pub(super) fn call(json: &Json) -> Option<Call> {
    let Json::Object(fields) = json.open() else { return None };
    let whole = json.whole();
    let kind = json.get("type").and_then(Json::text);
    if kind.is_some_and(|kind| !is_call_type(kind)) {
        return None;
    }
    for key in ONE {
        if let Some(inner @ Json::Object(_)) = json.get(key).map(Json::open)
            && let Some(found) = named(inner, true, whole)
        {
            return Some(found);
        }
    }
    let apart = fields.iter().any(|(key, _)| is_arguments_key(key));
    if let Some(name) = json.get("function").and_then(Json::text) {
        return apart.then(|| Call { name: bare_name(name), arguments: arguments(json), whole });
    }
    named(json, kind.is_some(), whole)
}

/// The call with a name and arguments; the arguments may be absent where something else says that it is a call.
fn named(json: &Json, certain: bool, whole: bool) -> Option<Call> {
    let Json::Object(fields) = json.open() else { return None };
    if !certain && !fields.iter().any(|(key, _)| is_arguments_key(key)) {
        return None;
    }
    let name = NAMES.iter().find_map(|key| json.get(key).and_then(Json::text))?;
    Some(Call { name: bare_name(name), arguments: arguments(json), whole })
}

fn arguments(json: &Json) -> Json {
    let given = ARGUMENTS.iter().find_map(|key| json.get(key));
    given.map_or(Json::Object(Vec::new()), |given| plain_arguments(given, 0))
}

/// Arguments as an object, also where they are written as a text, even twice over.
pub(super) fn plain_arguments(given: &Json, depth: u8) -> Json {
    let Json::Text(text) = given else { return given.clone() };
    if text.trim().is_empty() {
        return Json::Object(Vec::new());
    }
    match json::parse_all(text) {
        Some(parsed) if depth < 3 => plain_arguments(&parsed.value, depth + 1),
        _ => given.clone(),
    }
}

/// A call's name without the name of the set of tools that it belongs to.
pub(super) fn bare_name(name: &str) -> String {
    let name = name.trim();
    ["functions.", "default_api.", "tools."].iter().find_map(|set| name.strip_prefix(set)).unwrap_or(name).to_owned()
}
