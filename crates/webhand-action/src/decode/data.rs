//! Reads a reply that is data and no decision: a verdict, a plan, what was extracted. Form is forgiven as in decisions.

use serde_json::Value;

use super::{
    DecodeError, Finish, candidates,
    candidates::{Candidate, Recognise},
    json::{self, Json},
    reasoning, trimmed,
};

/// Objects with one of these keys; any list or object where none are named.
struct Wanted<'a>(&'a [&'a str]);

impl Recognise for Wanted<'_> {
    fn value(&self, json: &Json) -> bool {
        match json.open() {
            Json::Object(fields) => self.0.is_empty() || fields.iter().any(|(key, _)| self.key(key)),
            Json::List(_) => self.0.is_empty(),
            _ => false,
        }
    }

    fn key(&self, key: &str) -> bool {
        self.0.is_empty() || self.0.contains(&key)
    }
}

/// Reads the JSON value that a reply holds: an object with one of these keys, or any value where none are named.
///
/// ```
/// use webhand_action::decode::{Finish, decode_data};
/// let reply = "Here is my verdict:\n```json\n{\"accepted\": false, \"reason\": \"the cart is empty\",}\n```";
/// let verdict = decode_data(reply, Finish::Stop, &["accepted"]).unwrap();
/// assert_eq!(verdict["accepted"], false);
/// ```
///
/// # Errors
/// When there is none that is whole; see [`DecodeError`].
pub fn decode_data(reply: &str, finish: Finish, keys: &[&str]) -> Result<Value, DecodeError> {
    if finish == Finish::Length {
        return Err(DecodeError::TooLong);
    }
    let wanted = Wanted(keys);
    let text = trimmed(reply);
    if text.is_empty() {
        return Err(DecodeError::Empty);
    }
    if let Some(parsed) = json::parse_all(text).filter(|parsed| keys.is_empty() || wanted.value(&parsed.value)) {
        return plain(&parsed.value);
    }
    let spoken = reasoning::strip(text, &wanted);
    let found = candidates::find(trimmed(&spoken.text), &wanted);
    let mut values = found.iter().filter_map(|candidate| match candidate {
        Candidate::Value { json, .. } if wanted.value(json) => Some(json),
        _ => None,
    });
    // after thoughts that were left open, drafts stand before what counts
    match if spoken.last_counts { values.next_back() } else { values.next() } {
        Some(json) => plain(json),
        None => Err(DecodeError::NoJson(None)),
    }
}

fn plain(json: &Json) -> Result<Value, DecodeError> {
    if !json.whole() {
        return Err(DecodeError::Incomplete);
    }
    json.to_value().map_err(|why| DecodeError::NoJson(Some(why.to_string())))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn data_is_found_in_what_models_write_around_it() {
        let keys = ["accepted"];
        let read = |text: &str| decode_data(text, Finish::Stop, &keys).map(|value| value["accepted"].clone());
        assert_eq!(read("{\"accepted\": true}").unwrap(), true);
        assert_eq!(read("Sure.\n```json\n{'accepted': false,}\n```\nDone.").unwrap(), false);
        assert_eq!(read("<think>{\"accepted\": true}</think>{\"accepted\": false}").unwrap(), false);
        assert_eq!(read("{\"other\": 1} and {\"accepted\": true}").unwrap(), true);
        assert_eq!(read("I accept.").unwrap_err().code(), "no_json");
        assert_eq!(read("").unwrap_err().code(), "empty");
        assert_eq!(read("{\"accepted\": true, \"reason\": \"the").unwrap_err().code(), "incomplete");
        assert_eq!(decode_data("{}", Finish::Length, &[]).unwrap_err().code(), "incomplete");
        assert_eq!(decode_data("the rows: [1, 2]", Finish::Stop, &[]).unwrap(), json!([1, 2]));
    }
}
