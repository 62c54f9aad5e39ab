//! What every contender can be asked for, webhand and the floors alike, so that the course treats them the same.
//!
//! It must not know how any of them does it.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use thiserror::Error;
use webhand_cdp::protocol::runtime;
use webhand_cdp::{CdpError, Session};

/// Why a contender did not do what it was asked for.
#[derive(Debug, Error)]
#[non_exhaustive]
pub(crate) enum Failure {
    /// It says no, with its words.
    #[error("refused: {0}")]
    Refused(String),
    /// It does not offer that control.
    #[error("{0} is not offered")]
    NotOffered(String),
    /// The protocol or the page gave an answer that was no answer.
    #[error("{0}")]
    Broken(String),
    /// The wire.
    #[error(transparent)]
    Wire(#[from] CdpError),
}

/// What a contender says of the controls on a page, by the page's own tokens.
#[derive(Clone, Debug, Default)]
pub(crate) struct Offers {
    /// Offered as usable, with the contender's handle.
    pub(crate) usable: BTreeMap<String, String>,
    /// Shown, but said to be disabled, covered, or otherwise out of use.
    pub(crate) unusable: BTreeMap<String, String>,
}

impl Offers {
    /// Notes one control that a contender lists under that name; names without a token are nobody's.
    pub(crate) fn note(&mut self, name: &str, handle: &str, usable: bool) {
        let Some(token) = token_in(name) else { return };
        let side = if usable { &mut self.usable } else { &mut self.unusable };
        side.entry(token.to_owned()).or_insert_with(|| handle.to_owned());
    }

    /// The handle of that control, usable or not.
    pub(crate) fn handle(&self, token: &str) -> Result<&str, Failure> {
        let handle = self.usable.get(token).or_else(|| self.unusable.get(token));
        handle.map(String::as_str).ok_or_else(|| Failure::NotOffered(token.to_owned()))
    }
}

/// The first token (`T` or `D` and five digits) in a name.
pub(crate) fn token_in(name: &str) -> Option<&str> {
    name.char_indices().find_map(|(at, letter)| {
        let token = matches!(letter, 'T' | 'D').then(|| name.get(at..at + 6))??;
        token.bytes().skip(1).all(|byte| byte.is_ascii_digit()).then_some(token)
    })
}

/// One that can read a page and use it.
pub(crate) trait Contender {
    /// What reading gives; what it says of the page is worked out outside the measured time.
    type Sight;

    /// Its name in the report.
    fn name(&self) -> &'static str;
    /// Goes to that address and waits for its load.
    async fn open(&mut self, address: &str) -> Result<(), Failure>;
    /// Reads the page and makes the text that a model would get.
    async fn look(&mut self) -> Result<Self::Sight, Failure>;
    /// What it offers there.
    fn offers(&self, sight: &Self::Sight) -> Offers;
    /// The length in bytes of the text that a model would get.
    fn text_length(&self, sight: &Self::Sight) -> usize;
    /// How much of the reading, in milliseconds, went into making that text, where it is known.
    fn text_time(&self, _: &Self::Sight) -> Option<f64> {
        None
    }
    /// Clicks the control with that handle.
    async fn click(&mut self, handle: &str) -> Result<(), Failure>;
    /// Makes that text the field's content.
    async fn fill(&mut self, handle: &str, text: &str) -> Result<(), Failure>;
    /// The protocol session of its page, for the page's witness and for counting.
    fn session(&self) -> Session;
}

/// What the page's witness noted.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Noted {
    /// The event's type.
    #[serde(rename = "type")]
    pub(crate) kind: String,
    /// The token of the control it landed on.
    pub(crate) token: Option<String>,
    /// When the page's handler ran: milliseconds since the epoch on the page's clock.
    pub(crate) at: f64,
    /// Whether the browser vouches for it.
    pub(crate) trusted: bool,
}

/// Evaluates an expression in the page's own world and takes its value.
pub(crate) async fn ask<T: DeserializeOwned>(session: &Session, expression: &str) -> Result<T, Failure> {
    let reply = session.call(&evaluation(expression)).await?;
    value_of(reply.result, reply.exception_details)
}

/// An evaluation in the page's own world that answers by value.
pub(crate) fn evaluation(expression: &str) -> runtime::Evaluate {
    let mut evaluate = runtime::Evaluate::new(expression);
    evaluate.return_by_value = Some(true);
    evaluate
}

/// The value of an evaluation or a call.
pub(crate) fn value_of<T: DeserializeOwned>(
    result: runtime::RemoteObject,
    thrown: Option<runtime::ExceptionDetails>,
) -> Result<T, Failure> {
    if let Some(details) = thrown {
        let what = details.exception.and_then(|object| object.description).unwrap_or(details.text);
        return Err(Failure::Broken(format!("the page threw: {what}")));
    }
    let raw = result.value.ok_or_else(|| Failure::Broken("the page gave no value".to_owned()))?;
    serde_json::from_str(raw.get()).map_err(|error| Failure::Broken(format!("not the value asked for: {error}")))
}

/// How far the page's clock stands before ours, in milliseconds: from the quickest of some round trips.
pub(crate) async fn clock_offset(session: &Session) -> Result<f64, Failure> {
    let mut best = (f64::INFINITY, 0.0);
    for _ in 0..9 {
        let before = now_ms();
        let page: f64 = ask(session, "performance.timeOrigin+performance.now()").await?;
        let after = now_ms();
        if after - before < best.0 {
            best = (after - before, page - f64::midpoint(before, after));
        }
    }
    Ok(best.1)
}

/// Milliseconds since the epoch.
pub(crate) fn now_ms() -> f64 {
    milliseconds(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
}

/// A duration in milliseconds.
pub(crate) fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_found_anywhere_and_only_whole() {
        assert_eq!(token_in("T00012 amber"), Some("T00012"));
        assert_eq!(token_in("press D00003 now"), Some("D00003"));
        assert_eq!(token_in("Total T0001"), None);
        assert_eq!(token_in("Ünï T00007"), Some("T00007"));
        assert_eq!(token_in("T1234é"), None);
        assert_eq!(token_in(""), None);
    }

    #[test]
    fn the_first_handle_of_a_token_counts() {
        let mut offers = Offers::default();
        offers.note("T00001 a", "B1", true);
        offers.note("T00001 a", "B2", true);
        offers.note("D00001 b", "B3", false);
        offers.note("plain", "B4", true);
        assert_eq!(offers.handle("T00001").expect("offered"), "B1");
        assert_eq!(offers.handle("D00001").expect("shown"), "B3");
        assert_eq!(offers.usable.len(), 1);
        assert!(matches!(offers.handle("T00002"), Err(Failure::NotOffered(_))));
    }
}
