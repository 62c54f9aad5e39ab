//! How providers write questions and answers: one module a dialect. Pure: values in, values out.

mod chat;
mod converse;
mod generate;
mod messages;
mod ollama;

use serde_json::Value;
use url::Url;
use webhand_agent::Finish;

use crate::{
    order::{Answer, Misread, Order},
    provider::Provider,
};

/// A way of writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// OpenAI's chat completions.
    Chat,
    /// Anthropic's messages.
    Messages,
    /// Gemini's generateContent.
    Generate,
    /// Ollama's chat.
    Ollama,
    /// Bedrock's Converse.
    Converse,
}

impl Dialect {
    /// The address of a question to that model, from the provider's.
    pub(crate) fn url(self, base: &Url, order_model: &str, provider: Provider, version: &str) -> Url {
        match self {
            Dialect::Chat if provider == Provider::Azure => chat::azure_url(base, order_model, version),
            Dialect::Chat => below(base, &[("v1", true), ("chat", false), ("completions", false)]),
            Dialect::Messages => below(base, &[("v1", true), ("messages", false)]),
            Dialect::Generate => generate::url(base, order_model),
            Dialect::Ollama => below(&without(base, &["v1", "api"]), &[("api", false), ("chat", false)]),
            Dialect::Converse => below(base, &[("model", false), (order_model, false), ("converse", false)]),
        }
    }

    /// The header that carries the key, and what stands before it.
    pub(crate) fn key_header(self, provider: Provider) -> (&'static str, &'static str) {
        match self {
            Dialect::Chat if provider == Provider::Azure => ("api-key", ""),
            Dialect::Messages => ("x-api-key", ""),
            Dialect::Generate => ("x-goog-api-key", ""),
            _ => ("authorization", "Bearer "),
        }
    }

    /// Headers that always go along.
    pub(crate) fn headers(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Dialect::Messages => &[("anthropic-version", "2023-06-01")],
            _ => &[],
        }
    }

    /// The question.
    pub(crate) fn write(self, order: &Order<'_>) -> Value {
        match self {
            Dialect::Chat => chat::write(order),
            Dialect::Messages => messages::write(order),
            Dialect::Generate => generate::write(order),
            Dialect::Ollama => ollama::write(order),
            Dialect::Converse => converse::write(order),
        }
    }

    /// The answer.
    pub(crate) fn read(self, body: &Value, order: &Order<'_>) -> Result<Answer, Misread> {
        match self {
            Dialect::Chat => chat::read(body, order),
            Dialect::Messages => messages::read(body, order),
            Dialect::Generate => generate::read(body, order),
            Dialect::Ollama => ollama::read(body, order),
            Dialect::Converse => converse::read(body, order),
        }
    }
}

/// An address below another. A step that is `true` is only taken where the address does not end with it; one with a path of
/// its own is taken as it is.
fn below(base: &Url, steps: &[(&str, bool)]) -> Url {
    let mut url = base.clone();
    let path = url.path().trim_end_matches('/').to_owned();
    let ends = steps.iter().filter(|(_, maybe)| !maybe).map(|(step, _)| *step).collect::<Vec<_>>().join("/");
    if path.ends_with(&format!("/{ends}")) {
        return url;
    }
    let has_version = path.rsplit('/').next().is_some_and(|last| last.starts_with('v') && last.len() <= 8)
        || (!path.is_empty() && steps.iter().any(|(step, _)| *step == "completions"));
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty();
        for (step, maybe) in steps {
            if !(*maybe && has_version) {
                segments.push(step);
            }
        }
    }
    url
}

/// The address without one of these steps at its end.
fn without(base: &Url, last: &[&str]) -> Url {
    let mut url = base.clone();
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty();
    }
    if last.iter().any(|last| url.path().ends_with(&format!("/{last}")))
        && let Ok(mut segments) = url.path_segments_mut()
    {
        segments.pop();
    }
    url
}

/// What a provider's word for the end of an answer means.
fn finish(word: Option<&str>) -> Finish {
    match word.map(str::to_ascii_lowercase).as_deref() {
        Some("stop" | "end_turn" | "stop_sequence" | "eos" | "completed") => Finish::Stop,
        Some("length" | "max_tokens" | "model_length" | "model_context_window_exceeded" | "max_output_tokens") => {
            Finish::Length
        }
        Some("tool_calls" | "tool_use" | "function_call") => Finish::ToolCalls,
        Some(
            "content_filter"
            | "refusal"
            | "guardrail_intervened"
            | "content_filtered"
            | "safety"
            | "recitation"
            | "blocklist"
            | "prohibited_content"
            | "spii"
            | "image_safety"
            | "language",
        ) => Finish::Filtered,
        _ => Finish::Unknown,
    }
}

/// The words of a held-back answer: what was said, else that it was held back.
fn held_back(said: String, why: &str) -> String {
    if said.trim().is_empty() { format!("the provider held the answer back ({why})") } else { said }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_taken_as_people_write_them() {
        let url = |dialect: Dialect, base: &str, provider| {
            dialect.url(&Url::parse(base).unwrap(), "m:1", provider, "2024-10-21").to_string()
        };
        let chat = |base| url(Dialect::Chat, base, Provider::Compatible);
        assert_eq!(chat("http://127.0.0.1:8080"), "http://127.0.0.1:8080/v1/chat/completions");
        assert_eq!(chat("http://127.0.0.1:8080/v1/"), "http://127.0.0.1:8080/v1/chat/completions");
        assert_eq!(chat("https://api.groq.com/openai/v1"), "https://api.groq.com/openai/v1/chat/completions");
        assert_eq!(chat("https://h/v4/chat/completions"), "https://h/v4/chat/completions");
        assert_eq!(chat("https://h/gate/openai"), "https://h/gate/openai/chat/completions");
        for base in
            ["https://api.anthropic.com", "https://api.anthropic.com/v1", "https://api.anthropic.com/v1/messages"]
        {
            let messages = url(Dialect::Messages, base, Provider::Anthropic);
            assert_eq!(messages, "https://api.anthropic.com/v1/messages");
        }
        for base in ["http://h:11434", "http://h:11434/v1", "http://h:11434/api/"] {
            assert_eq!(url(Dialect::Ollama, base, Provider::Ollama), "http://h:11434/api/chat");
        }
        let gemini = url(Dialect::Generate, "https://g", Provider::Gemini);
        assert_eq!(gemini, "https://g/v1beta/models/m:1:generateContent");
        assert_eq!(url(Dialect::Converse, "https://b", Provider::Bedrock), "https://b/model/m:1/converse");
        let azure = url(Dialect::Chat, "https://r.openai.azure.com/", Provider::Azure);
        assert_eq!(azure, "https://r.openai.azure.com/openai/deployments/m:1/chat/completions?api-version=2024-10-21");
        let azure = url(Dialect::Chat, "https://r.openai.azure.com/openai/v1/", Provider::Azure);
        assert_eq!(azure, "https://r.openai.azure.com/openai/v1/chat/completions");
    }
}
