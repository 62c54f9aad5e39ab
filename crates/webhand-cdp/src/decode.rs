//! JSON text straight into a type, forgiving what a browser really sends. Pure.

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::{CdpError, protocol::runtime::RemoteObject};

/// Decodes a raw value, such as [`RemoteObject::value`](RemoteObject). A page's text may hold half of a surrogate
/// pair (`"\ud83d"`), which no Rust string can: each becomes U+FFFD instead of failing the whole message.
pub fn decode<T: DeserializeOwned>(method: &str, raw: &RawValue) -> Result<T, CdpError> {
    decode_str(method, raw.get())
}

/// As [`decode`], from JSON text. `method` only names the source in an error.
pub fn decode_str<T: DeserializeOwned>(method: &str, json: &str) -> Result<T, CdpError> {
    let first = match serde_json::from_str(json) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    let error = match without_lone_surrogates(json) {
        Some(repaired) => match serde_json::from_str(&repaired) {
            Ok(value) => return Ok(value),
            Err(error) => error,
        },
        None => first,
    };
    Err(CdpError::Decode { method: method.to_owned(), detail: error.to_string() })
}

impl RemoteObject {
    /// The value that came with the object (`returnByValue`), decoded once. Without one it is read as `null`.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, CdpError> {
        decode_str("Runtime.RemoteObject", self.value.as_ref().map_or("null", |raw| raw.get()))
    }
}

/// The length of `\uXXXX`.
const ESCAPE: usize = 6;

/// The same JSON with `\ufffd` for every lone surrogate escape; `None` where there is none.
pub(crate) fn without_lone_surrogates(json: &str) -> Option<String> {
    let bytes = json.as_bytes();
    let mut out = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(step) = memchr::memchr(b'\\', bytes.get(at..)?) {
        at += step;
        match surrogate(bytes, at) {
            Some(Half::High) if surrogate(bytes, at + ESCAPE) == Some(Half::Low) => at += 2 * ESCAPE,
            Some(_) => {
                out.push_str(json.get(copied..at)?);
                out.push_str("\\ufffd");
                at += ESCAPE;
                copied = at;
            }
            None => at += 2,
        }
    }
    if copied == 0 {
        return None;
    }
    out.push_str(json.get(copied..)?);
    Some(out)
}

#[derive(PartialEq)]
enum Half {
    High,
    Low,
}

/// The half of a pair that is escaped at this place, if one is.
fn surrogate(bytes: &[u8], at: usize) -> Option<Half> {
    let escape = bytes.get(at..at.checked_add(ESCAPE)?)?;
    if escape[0] != b'\\' || escape[1] != b'u' || !escape[2..].iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    if !escape[2].eq_ignore_ascii_case(&b'd') {
        return None;
    }
    match escape[3].to_ascii_lowercase() {
        b'8' | b'9' | b'a' | b'b' => Some(Half::High),
        b'c'..=b'f' => Some(Half::Low),
        _ => None,
    }
}
