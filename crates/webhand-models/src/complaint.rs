//! What a provider complains of, out of all the shapes in which they write it. Pure; any bytes in, no panic out.

use std::time::Duration;

use serde_json::Value;

use crate::wait;

/// So many characters of what a provider says are kept.
const SAID: usize = 400;

/// A provider's complaint.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Complaint {
    /// In its words, short.
    pub(crate) words: String,
    /// All that names the kind of fault: types, codes, parameters, in small letters.
    pub(crate) kinds: String,
    /// The parameter that it names.
    pub(crate) param: String,
    /// The status that stands in the body.
    pub(crate) status: Option<u16>,
    /// When it may be asked again.
    pub(crate) again_after: Option<Duration>,
    /// What the model wrote, where the provider refused it for its form.
    pub(crate) written: Option<String>,
    /// It is JSON.
    pub(crate) json: bool,
    /// It is a web page.
    pub(crate) html: bool,
}

impl Complaint {
    /// Reads a body.
    pub(crate) fn of(body: &[u8]) -> Self {
        match serde_json::from_slice::<Value>(body) {
            Ok(value) if value.is_object() || value.is_array() => Self::of_json(&value),
            _ => Self::of_text(&String::from_utf8_lossy(body)),
        }
    }

    /// Words and kinds together, in small letters.
    pub(crate) fn all(&self) -> String {
        format!("{} {}", self.words.to_lowercase(), self.kinds)
    }

    fn of_json(value: &Value) -> Self {
        // some answer with a list of one
        let value = value.get(0).unwrap_or(value);
        let choice = value.pointer("/choices/0/error");
        let inner = value.get("error").or(choice).filter(|inner| !inner.is_null());
        let mut complaint = Self { json: true, ..Self::default() };
        let mut words: Vec<String> = Vec::new();
        for object in [inner, Some(value)].into_iter().flatten() {
            complaint.take(object, &mut words);
        }
        words.dedup();
        complaint.words = short(&words.join(": "));
        if complaint.words.is_empty() {
            complaint.words = short(&value.to_string());
        }
        complaint
    }

    fn take(&mut self, object: &Value, words: &mut Vec<String>) {
        if let Value::String(said) = object {
            words.push(said.clone());
        }
        if words.is_empty() {
            for key in ["message", "Message", "error", "detail"] {
                match object.get(key) {
                    Some(Value::String(said)) => words.push(said.clone()),
                    // what checks requests says of each fault where it is
                    Some(Value::Array(faults)) if key == "detail" => {
                        words.extend(faults.iter().take(3).map(Value::to_string));
                    }
                    Some(said @ Value::Object(_)) if key != "error" => words.push(said.to_string()),
                    _ => {}
                }
            }
            // what the host behind the provider said
            if let Some(raw) = object.pointer("/metadata/raw").and_then(Value::as_str) {
                words.push(raw.to_owned());
            }
        }
        for key in ["type", "code", "status", "param", "__type", "object"] {
            match object.get(key) {
                Some(Value::String(kind)) => {
                    self.kinds.push_str(&kind.to_lowercase());
                    self.kinds.push(' ');
                    if key == "param" {
                        self.param = kind.to_lowercase();
                    }
                    if key == "code" {
                        self.status = self.status.or_else(|| kind.parse().ok());
                    }
                }
                Some(Value::Number(code)) => {
                    self.status = self.status.or_else(|| u16::try_from(code.as_u64()?).ok());
                }
                _ => {}
            }
        }
        for detail in object.get("details").and_then(Value::as_array).into_iter().flatten() {
            let again = detail.get("retryDelay").and_then(Value::as_str).and_then(wait::duration);
            self.again_after = self.again_after.or(again);
            if let Some(reason) = detail.get("reason").and_then(Value::as_str) {
                self.kinds.push_str(&reason.to_lowercase());
                self.kinds.push(' ');
            }
        }
        let written = object.get("failed_generation").and_then(Value::as_str).filter(|text| !text.trim().is_empty());
        self.written = self.written.take().or(written.map(str::to_owned));
    }

    fn of_text(text: &str) -> Self {
        let text = text.trim_start_matches('\u{feff}').trim();
        let start: String = text.chars().take(200).collect::<String>().to_lowercase();
        let html = start.starts_with('<')
            && ["<!doctype", "<html", "<head", "<body", "<center", "<h1"].iter().any(|mark| start.contains(mark));
        if !html {
            return Self { words: short(text), ..Self::default() };
        }
        let title = text.split_once("<title>").and_then(|(_, after)| after.split_once("</title>"));
        let words = match title {
            Some((title, _)) => format!("a web page titled \"{}\"", short(title.trim())),
            None => "a web page".to_owned(),
        };
        Self { words, html, ..Self::default() }
    }
}

/// A text in one line, not too long.
pub(crate) fn short(text: &str) -> String {
    let mut out = String::new();
    for word in text.split_whitespace() {
        if out.chars().count() + word.chars().count() > SAID {
            out.extend(word.chars().take(SAID.saturating_sub(out.chars().count())));
            out.push('…');
            return out;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(body: &str) -> String {
        Complaint::of(body.as_bytes()).words
    }

    #[test]
    fn every_providers_shape_is_read() {
        assert_eq!(words(r#"{"error":{"message":"No key","type":"invalid_request_error","code":null}}"#), "No key");
        assert_eq!(
            words(r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#),
            "Overloaded"
        );
        assert_eq!(words(r#"[{"error":{"code":429,"message":"Slow","status":"RESOURCE_EXHAUSTED"}}]"#), "Slow");
        assert_eq!(words(r#"{"error":"model \"x\" not found"}"#), "model \"x\" not found");
        assert_eq!(words(r#"{"code":"Client error","error":"Incorrect API key"}"#), "Incorrect API key");
        assert_eq!(words(r#"{"message":"Unauthorized","request_id":"1"}"#), "Unauthorized");
        assert_eq!(words(r#"{"Message":"Denied"}"#), "Denied");
        assert!(words(r#"{"detail":[{"loc":["body","response_format"],"msg":"bad"}]}"#).contains("response_format"));
        let routed = r#"{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"too long"}}}"#;
        assert_eq!(words(routed), "Provider returned error: too long");
        assert_eq!(words("upstream connect error"), "upstream connect error");
        assert_eq!(words("<html><head><title>502 Bad Gateway</title>"), "a web page titled \"502 Bad Gateway\"");
        assert_eq!(words("{}"), "{}");
        assert_eq!(words(""), "");
        assert!(words(&"x".repeat(9_000)).chars().count() <= SAID + 1);
    }

    #[test]
    fn kinds_and_times_are_kept() {
        let body = r#"{"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED","details":[
            {"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"},
            {"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.5s"}]}}"#;
        let complaint = Complaint::of(body.as_bytes());
        assert_eq!(complaint.again_after, Some(Duration::from_millis(34_500)));
        assert_eq!(complaint.status, Some(429));
        assert!(complaint.kinds.contains("resource_exhausted") && complaint.kinds.contains("api_key_invalid"));
    }
}
