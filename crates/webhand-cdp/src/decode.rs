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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_replaced_and_pairs_are_kept() {
        for (json, expected) in [
            (r#""\ud83d""#, "\u{fffd}"),
            (r#""\ud83d\ud83d\ude00""#, "\u{fffd}\u{1f600}"),
            (r#""\ude00\ud83d""#, "\u{fffd}\u{fffd}"),
            (r#""a\uD83Dz""#, "a\u{fffd}z"),
            (r#""\\ud83d \ud83d""#, "\\ud83d \u{fffd}"),
            (r#""\ud83d\n""#, "\u{fffd}\n"),
            (r#""\ud83d\u0041""#, "\u{fffd}A"),
        ] {
            assert_eq!(decode_str::<String>("test", json), Ok(expected.to_owned()), "{json}");
        }
    }

    #[test]
    fn text_without_halves_is_left_alone() {
        for json in [r#""""#, r#""\ud83d\ude00""#, r#""\\ud83d""#, r#""\u00e9""#, "\"\\", "\"\\ud8", "\"\\ud83d\\u"] {
            let repaired = without_lone_surrogates(json);
            assert!(repaired.is_none() || json.ends_with("\\u"), "{json} became {repaired:?}");
        }
    }

    #[test]
    fn the_error_names_the_source() {
        let error = decode_str::<u8>("Page.enable", "\"x\"").unwrap_err();
        assert!(error.to_string().contains("Page.enable"), "{error}");
    }

    proptest::proptest! {
        #[test]
        fn any_sequence_of_code_units_becomes_a_string(units in proptest::collection::vec(0xd7f0u16..0xe010, 0..20)) {
            let json: String = units.iter().map(|unit| format!("\\u{unit:04x}")).collect();
            let expected = String::from_utf16_lossy(&units);
            proptest::prop_assert_eq!(decode_str::<String>("test", &format!("\"{json}\"")), Ok(expected));
        }

        #[test]
        fn no_text_makes_it_panic(text in ".{0,40}|(\\\\|u|d|8|3|\"|c){0,40}") {
            let _ = without_lone_surrogates(&text);
            let _ = decode_str::<String>("test", &text);
        }
    }
}
