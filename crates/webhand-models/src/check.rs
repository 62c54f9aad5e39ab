//! One tiny question, to see that a model is set up as it must be.

use std::{
    sync::{Arc, LazyLock},
    time::Duration,
};

use serde_json::{Value, json};
use tokio::time::{Instant, timeout};
use webhand_action::decode::decode_data;
use webhand_agent::{Asked, Model, ModelError, Prompt, Role, Usage};

/// How a model answered to a tiny question.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checked {
    /// Which model answered.
    pub answered_by: String,
    /// How long it took.
    pub elapsed: Duration,
    /// What it cost.
    pub usage: Usage,
    /// It answered in the form that it was asked for.
    pub understood: bool,
}

static READY: LazyLock<Arc<Value>> = LazyLock::new(|| {
    Arc::new(json!({
        "type": "object",
        "properties": { "ready": { "type": "boolean" } },
        "required": ["ready"],
        "additionalProperties": false,
    }))
});

/// Asks a model one tiny thing, within that time.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), webhand_agent::ModelError> {
/// use std::time::Duration;
/// use webhand_agent::{Role, models::Script};
/// let model = Script::new(Vec::<String>::new()).and_as(Role::Extractor, r#"{"ready": true}"#);
/// let checked = webhand_models::check(&model, Duration::from_secs(5)).await?;
/// assert!(checked.understood && checked.answered_by == "script");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// When it does not answer; see [`ModelError`].
pub async fn check(model: &dyn Model, within: Duration) -> Result<Checked, ModelError> {
    let mut prompt = Prompt::default();
    prompt.role = Role::Extractor;
    prompt.system = "You check that a connection works. Answer with one JSON object, nothing else.".to_owned();
    prompt.task = "Answer with {\"ready\": true}.".to_owned();
    prompt.asked = Asked::Data { name: "ready", schema: Arc::clone(&READY) };
    let began = Instant::now();
    let reply = timeout(within, model.reply(&prompt)).await;
    let late = || ModelError::Timeout { name: model.name().to_owned(), seconds: within.as_secs() };
    let reply = reply.unwrap_or_else(|_| Err(late()))?;
    Ok(Checked {
        understood: decode_data(&reply.text, reply.finish, &["ready"]).is_ok(),
        answered_by: reply.answered_by.unwrap_or_else(|| model.name().to_owned()),
        elapsed: began.elapsed(),
        usage: reply.usage,
    })
}
