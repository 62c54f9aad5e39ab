//! What planner and judge answer: their schemas, and how their answers are read. Pure.

use std::sync::{Arc, LazyLock};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use webhand_action::decode::{DecodeError, decode_data};

use crate::{model::ModelReply, prompt::Asked};

/// So much of what one says is kept, in characters.
const SAID: usize = 600;
/// So many points of a list are kept.
const POINTS: usize = 10;

/// What a judge says of a claim.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Verdict {
    /// Whether the claim stands.
    pub accepted: bool,
    /// Why, naming the evidence.
    pub reason: String,
    /// What of the task is not borne out.
    pub missing: Vec<String>,
}

/// What a planner says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct PlanNote {
    /// What of the task is done.
    pub stands: String,
    /// The next goals.
    pub next: Vec<String>,
    /// What not to try again.
    pub avoid: Vec<String>,
    /// All that the task asks for was observed.
    pub finished: bool,
}

fn object(fields: Value) -> Value {
    let required: Vec<&String> = fields.as_object().map(|fields| fields.keys().collect()).unwrap_or_default();
    json!({ "type": "object", "properties": fields, "required": required, "additionalProperties": false })
}

static VERDICT: LazyLock<Arc<Value>> = LazyLock::new(|| {
    let list = json!({ "type": "array", "items": { "type": "string" } });
    Arc::new(object(json!({ "reason": { "type": "string" }, "missing": list, "accepted": { "type": "boolean" } })))
});

static PLAN: LazyLock<Arc<Value>> = LazyLock::new(|| {
    let list = json!({ "type": "array", "items": { "type": "string" } });
    let fields =
        json!({ "stands": { "type": "string" }, "next": list, "avoid": list, "finished": { "type": "boolean" } });
    Arc::new(object(fields))
});

impl Verdict {
    pub(crate) fn asked() -> Asked {
        Asked::Data { name: "verdict", schema: Arc::clone(&VERDICT) }
    }

    /// Reads a reply. One that names something missing and accepts all the same accepts nothing.
    pub(crate) fn of(reply: &ModelReply) -> Result<Self, DecodeError> {
        let value = decode_data(&reply.text, reply.finish, &["accepted"])?;
        let mut verdict: Self = typed(value)?;
        verdict.reason = short(&verdict.reason);
        points(&mut verdict.missing);
        verdict.accepted &= verdict.missing.is_empty();
        Ok(verdict)
    }

    /// What goes back to the model whose claim is refused.
    pub(crate) fn feedback(&self) -> String {
        let mut out = format!("Your claim that the task is done was checked and not accepted: {}", self.reason);
        for point in &self.missing {
            out.push_str(&format!("\n- not shown: {point}"));
        }
        out
    }
}

impl PlanNote {
    pub(crate) fn asked() -> Asked {
        Asked::Data { name: "plan", schema: Arc::clone(&PLAN) }
    }

    /// Reads a reply.
    pub(crate) fn of(reply: &ModelReply) -> Result<Self, DecodeError> {
        let value = decode_data(&reply.text, reply.finish, &["next", "stands"])?;
        let mut plan: Self = typed(value)?;
        plan.stands = short(&plan.stands);
        points(&mut plan.next);
        points(&mut plan.avoid);
        Ok(plan)
    }

    /// As the navigator reads it.
    pub(crate) fn words(&self) -> String {
        let mut out = self.stands.clone();
        for goal in &self.next {
            out.push_str(&format!("\n- next: {goal}"));
        }
        for what in &self.avoid {
            out.push_str(&format!("\n- avoid: {what}"));
        }
        if self.finished {
            out.push_str("\nAll is done: end with done.");
        }
        out
    }
}

fn typed<T: serde::de::DeserializeOwned>(value: Value) -> Result<T, DecodeError> {
    serde_json::from_value(value).map_err(|error| DecodeError::NoJson(Some(error.to_string())))
}

fn short(words: &str) -> String {
    words.trim().chars().take(SAID).collect()
}

fn points(list: &mut Vec<String>) {
    list.retain(|point| !point.trim().is_empty());
    list.truncate(POINTS);
    for point in list {
        *point = short(point);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_that_misses_something_accepts_nothing() {
        let read = |text: &str| Verdict::of(&ModelReply::text(text)).unwrap();
        assert!(read(r#"{"accepted": true, "reason": "the order number is shown", "missing": []}"#).accepted);
        let verdict = read(r#"{"accepted": true, "missing": ["the invoice"], "reason": "mostly"}"#);
        assert!(!verdict.accepted);
        assert!(verdict.feedback().ends_with("- not shown: the invoice"));
        assert!(Verdict::of(&ModelReply::text("looks fine to me")).is_err());
        assert!(Verdict::of(&ModelReply::text(r#"{"accepted": "perhaps"}"#)).is_err());
    }

    #[test]
    fn a_plan_is_short_however_long_it_was() {
        let long = json!({"stands": "x".repeat(9_000), "next": vec!["go on"; 50], "avoid": [" "], "finished": true});
        let plan = PlanNote::of(&ModelReply::text(long.to_string())).unwrap();
        assert_eq!((plan.stands.len(), plan.next.len(), plan.avoid.len()), (SAID, POINTS, 0));
        assert!(plan.words().ends_with("end with done."));
    }
}
