//! A model's reply becomes a [`Decision`], or an error that tells the model what was wrong. Total: any text in, no panic
//! out, nothing guessed in silence.
//!
//! The way of a reply: reasoning is taken out (`reasoning`), calls written with a provider's marks are read
//! (`calls`), else the JSON is found (`candidates`, `json`), unwrapped (`envelope`) and read as actions
//! (`decision`, `items`), each of which is put into the catalogue's form (`params`) and validated. No browser, no
//! provider.

mod calls;
mod candidates;
mod data;
mod decision;
mod envelope;
mod error;
mod items;
mod json;
mod params;
mod reasoning;

use serde::{Deserialize, Serialize};

use self::{candidates::Candidate, decision::Draft};
pub use self::{data::decode_data, error::DecodeError};
use crate::catalogue::{Action, Catalogue};

/// Why the model stopped writing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Finish {
    /// It was done.
    #[default]
    Stop,
    /// It reached its length limit: whatever it wrote may be half.
    Length,
    /// It called a tool.
    ToolCalls,
    /// The provider held something back.
    Filtered,
    /// The provider does not say.
    Unknown,
}

/// What the model says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ModelState {
    /// How the last step went.
    pub evaluation: String,
    /// What it wants to keep in mind.
    pub memory: String,
    /// What it wants to reach next.
    pub next_goal: String,
}

/// A reply that was understood.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Decision {
    /// What the model says about itself.
    pub state: ModelState,
    /// What it wants done, in order; never empty.
    pub actions: Vec<Action>,
    /// Whether the reply's form had to be forgiven.
    pub repaired: bool,
    /// What was forgiven or left out.
    pub notes: Vec<String>,
}

/// Reads a reply.
///
/// ```
/// use webhand_action::{catalogue::Catalogue, decode::{Finish, decode}};
/// let reply = "Sure: ```json\n{\"actions\": [{\"type\": \"click\", \"ref\": \"[b5]\"}]}\n```";
/// let decision = decode(reply, Finish::Stop, &Catalogue::built_in()).unwrap();
/// assert_eq!(decision.actions[0].name(), "click");
/// assert!(decision.repaired);
/// ```
///
/// # Errors
/// When the reply holds no decision that can be run as it stands; see [`DecodeError`].
pub fn decode(reply: &str, finish: Finish, catalogue: &Catalogue) -> Result<Decision, DecodeError> {
    if finish == Finish::Length {
        return Err(DecodeError::TooLong);
    }
    read_text(reply, catalogue, 0)
}

/// How often a text may stand in a text.
const MAX_NESTED: u8 = 3;

/// The decision that a text holds.
fn read_text(text: &str, catalogue: &Catalogue, nested: u8) -> Result<Decision, DecodeError> {
    let text = trimmed(text);
    if text.is_empty() {
        return Err(DecodeError::Empty);
    }
    if let Some(parsed) = json::parse_all(text).filter(|parsed| parsed.value.whole()) {
        return Draft::of(&parsed.value, parsed.repaired, catalogue, nested).into_decision();
    }
    let spoken = reasoning::strip(text, &decision::Recogniser(catalogue));
    let text = trimmed(&spoken.text);
    if text.is_empty() {
        return Err(DecodeError::Empty);
    }
    let decision = match calls::read(text, catalogue, nested) {
        Some(draft) => draft.into_decision(),
        None => search(text, spoken.last_counts, catalogue, nested),
    };
    decision.map(|decision| if spoken.changed { decision.noted("reasoning was taken out") } else { decision })
}

/// The decision that counts among the values in a text: the first that can be run, or, among drafts, the last.
fn search(text: &str, last_counts: bool, catalogue: &Catalogue, nested: u8) -> Result<Decision, DecodeError> {
    let mut found = candidates::find(text, &decision::Recogniser(catalogue));
    if found.is_empty()
        && let Some(plain) = unescaped(text)
        && nested < MAX_NESTED
    {
        return read_text(&plain, catalogue, nested + 1).map(|decision| decision.noted("the JSON was escaped"));
    }
    if last_counts {
        found.sort_by_key(|candidate| std::cmp::Reverse(candidate.at()));
    }
    let mut best = DecodeError::NoJson(None);
    for candidate in found {
        let read = match candidate {
            Candidate::Value { json, repaired, .. } => Draft::of(&json, repaired, catalogue, nested).into_decision(),
            Candidate::Damaged { detail, .. } => Err(DecodeError::NoJson(Some(detail))),
        };
        match read {
            Ok(decision) if best.tells() => return Ok(decision.noted(&format!("passed over before it: {best}"))),
            Ok(decision) => return Ok(decision.noted("the decision stood inside other text")),
            Err(error) if last_counts && error.tells() => return Err(error),
            Err(error) if error.rank() > best.rank() => best = error,
            Err(_) => {}
        }
    }
    Err(best)
}

impl Decision {
    fn noted(mut self, note: &str) -> Self {
        self.repaired = true;
        self.notes.push(note.to_owned());
        self
    }
}

/// The text without white space and invisible marks around it.
fn trimmed(text: &str) -> &str {
    let invisible = |letter: char| {
        letter.is_whitespace()
            || matches!(letter, '\u{feff}' | '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{2060}' | '\0')
    };
    text.trim_matches(invisible)
}

/// The text with one level of escapes taken off, where its JSON is escaped.
fn unescaped(text: &str) -> Option<String> {
    let escaped = ["{\\\"", "[{\\\""].iter().any(|opener| text.starts_with(opener));
    let quoted = if escaped { format!("\"{}\"", text.trim_end_matches('"')) } else { return None };
    match json::parse_all(&quoted)?.value {
        json::Json::Text(plain) => Some(plain),
        _ => None,
    }
}

/// How much reading a text is worth: bounds what a text full of false starts can cost.
#[derive(Debug)]
struct Work {
    left: usize,
}

impl Work {
    fn for_text(text: &str) -> Self {
        Self { left: text.len().saturating_mul(8).saturating_add(1 << 20) }
    }

    fn allows(&self) -> bool {
        self.left > 0
    }

    fn spend(&mut self, bytes: usize) {
        self.left = self.left.saturating_sub(bytes.saturating_add(16));
    }
}
