//! The outer shape of a message: who it is for. Pure.
//!
//! Chromium puts a reply's number at the very front, so the reader routes a reply without looking at the rest; the
//! waiter reads envelope and content in one pass, in its own task. Only events are looked through here.

use std::ops::Range;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::{CdpError, SessionId, decode_str};

/// Who a message is for.
#[derive(Debug, PartialEq, Eq)]
pub enum Route {
    /// An answer, good or bad, to the command of this number.
    Reply(u64),
    /// An event.
    Event {
        /// The flat session that it comes from.
        session: Option<SessionId>,
        /// Its full name.
        method: String,
        /// Where its parameters lie in the text; empty where there are none.
        params: Range<usize>,
    },
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Outer<'a> {
    id: Option<u64>,
    session_id: Option<SessionId>,
    method: Option<String>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(bound = "R: DeserializeOwned")]
struct Answer<R> {
    #[serde(default = "Option::default")]
    result: Option<R>,
    error: Option<Refused>,
}

#[derive(Deserialize)]
struct Refused {
    #[serde(default)]
    code: i64,
    #[serde(default)]
    message: String,
}

/// Finds out who a message is for, or says what is wrong with it.
pub fn route(text: &str) -> Result<Route, String> {
    if let Some(id) = leading_id(text.as_bytes()) {
        return Ok(Route::Reply(id));
    }
    let outer: Outer<'_> = serde_json::from_str(text).map_err(|e| e.to_string())?;
    match outer {
        Outer { id: Some(id), .. } => Ok(Route::Reply(id)),
        Outer { method: Some(method), session_id: session, params, .. } => {
            Ok(Route::Event { session, method, params: place(text, params) })
        }
        _ => Err("neither a reply nor an event".to_owned()),
    }
}

/// Reads a reply into its type, in one pass over the text.
pub fn reply<R: DeserializeOwned>(text: &str, method: &str, session: Option<&SessionId>) -> Result<R, CdpError> {
    let answer: Answer<R> = decode_str(method, text)?;
    match answer {
        Answer { error: Some(refused), .. } => Err(CdpError::refused(refused.code, refused.message, method, session)),
        Answer { result: Some(result), .. } => Ok(result),
        Answer { .. } => decode_str(method, "{}"),
    }
}

/// The number at the very front; all that can be saved of a message cut short.
pub fn leading_id(bytes: &[u8]) -> Option<u64> {
    let digits = bytes.strip_prefix(b"{\"id\":")?;
    let end = digits.iter().position(|b| !b.is_ascii_digit())?;
    if !matches!(digits.get(end), Some(b',' | b'}')) {
        return None;
    }
    std::str::from_utf8(digits.get(..end)?).ok()?.parse().ok()
}

/// Where a borrowed value lies in the text that it was borrowed from; empty for none.
fn place(text: &str, raw: Option<&RawValue>) -> Range<usize> {
    let Some(raw) = raw else { return 0..0 };
    let start = (raw.get().as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    start..start + raw.get().len()
}

/// A command on its way out.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Outgoing<'a, P: ?Sized> {
    pub(crate) id: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) session_id: Option<&'a str>,
    pub(crate) method: &'a str,
    pub(crate) params: &'a P,
}
