//! Data out of page text by a model: an order becomes a prompt, the answer is read as data. What is done with it, and whether
//! it stands on the page, is checked by whoever ordered it.

use std::{
    fmt::Write as _,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use serde_json::Value;
use webhand_action::{ExtractError, ExtractOrder, Extractor, decode::decode_data};
use webhand_guard::Fence;

use crate::{
    model::{Finish, Model, ModelError, Usage},
    prompt::{Prompt, Role, Words},
};

/// So long is waited for an answer, where nothing else is said.
const WITHIN: Duration = Duration::from_secs(90);

/// An [`Extractor`] that asks a model.
///
/// The schema stands in the words only: one that a person wrote is seldom within what providers' strict modes accept.
///
/// ```
/// use std::sync::Arc;
/// use webhand_agent::{ModelExtractor, Role, models::Script};
/// let model = Script::new(Vec::<String>::new()).and_as(Role::Extractor, r#"{"price": 12}"#);
/// let settings_extractor = Arc::new(ModelExtractor::new(Arc::new(model)));
/// assert_eq!(settings_extractor.usage().total(), 0);
/// ```
#[derive(Debug)]
pub struct ModelExtractor {
    model: Arc<dyn Model>,
    fence: Fence,
    within: Duration,
    usage: Mutex<Usage>,
}

impl ModelExtractor {
    /// Asks that model.
    #[must_use]
    pub fn new(model: Arc<dyn Model>) -> Self {
        Self { model, fence: Fence::new(), within: WITHIN, usage: Mutex::default() }
    }

    /// With that fence around page text: the run's own.
    #[must_use]
    pub fn fence(mut self, fence: Fence) -> Self {
        self.fence = fence;
        self
    }

    /// With so much time for an answer.
    #[must_use]
    pub fn within(mut self, within: Duration) -> Self {
        self.within = within;
        self
    }

    /// What all its answers cost so far.
    #[must_use]
    pub fn usage(&self) -> Usage {
        *self.usage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn prompt(&self, order: &ExtractOrder<'_>) -> Prompt {
        Prompt {
            role: Role::Extractor,
            system: Words::of(Role::Extractor, false).text(&self.fence),
            task: wanted(order),
            state: self.state(order),
            fence: self.fence.clone(),
            ..Prompt::default()
        }
    }

    fn state(&self, order: &ExtractOrder<'_>) -> String {
        let mut out = String::new();
        if let Some(before) = order.before {
            let before = self.fence.wrap("before", &before.to_string());
            let _ = write!(out, "# What earlier parts gave\n{before}\n\n");
        }
        if !order.faults.is_empty() {
            out.push_str("# What was wrong with your last answer for this part\n");
            for fault in order.faults {
                let _ = writeln!(out, "- {}", self.fence.inside(fault));
            }
            out.push('\n');
        }
        let page = format!("{}\n\n{}", order.url, order.text);
        let _ = write!(out, "# This part of the page\n{}", self.fence.wrap("page", &page));
        out
    }
}

/// What is to be taken, in words and as a schema.
fn wanted(order: &ExtractOrder<'_>) -> String {
    let mut out = match order.instruction.trim() {
        "" => "Take the data that the schema describes out of the page.".to_owned(),
        instruction => format!("Take this out of the page: {instruction}"),
    };
    if let Some(schema) = order.schema {
        let _ = write!(out, "\nThe answer must fit this JSON Schema:\n{schema}");
    }
    out
}

#[async_trait]
impl Extractor for ModelExtractor {
    async fn extract(&self, order: &ExtractOrder<'_>) -> Result<Value, ExtractError> {
        let prompt = self.prompt(order);
        let reply = tokio::time::timeout(self.within, self.model.reply(&prompt)).await;
        let late = || ModelError::Timeout { name: self.model.name().to_owned(), seconds: self.within.as_secs() };
        let reply = reply.unwrap_or_else(|_| Err(late())).map_err(|error| ExtractError::new(error.to_string()))?;
        *self.usage.lock().unwrap_or_else(PoisonError::into_inner) += reply.usage;
        if reply.finish == Finish::Filtered {
            let said: String = reply.text.chars().take(200).collect();
            return Err(ExtractError::new(format!("the model {} declined: {said}", self.model.name())));
        }
        decode_data(&reply.text, reply.finish, &[])
            .map_err(|error| ExtractError::new(format!("the model's answer is no data: {error}")))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::ModelReply;

    /// Gives its replies in turn and keeps what it was shown.
    #[derive(Debug, Default)]
    struct Kept {
        replies: Mutex<Vec<Result<ModelReply, ModelError>>>,
        shown: Mutex<Vec<String>>,
    }

    #[async_trait]
    impl Model for Kept {
        fn name(&self) -> &str {
            "kept"
        }

        async fn reply(&self, prompt: &Prompt) -> Result<ModelReply, ModelError> {
            assert_eq!(prompt.role, Role::Extractor);
            self.shown.lock().unwrap().push(prompt.text());
            let next = self.replies.lock().unwrap().pop();
            match next {
                Some(reply) => reply,
                None => std::future::pending().await,
            }
        }
    }

    fn told(reply: Result<ModelReply, ModelError>) -> (Arc<Kept>, ModelExtractor) {
        let model = Arc::new(Kept { replies: Mutex::new(vec![reply]), ..Kept::default() });
        let extractor = ModelExtractor::new(Arc::clone(&model) as Arc<dyn Model>).fence(Fence::with_token("k7Qx"));
        (model, extractor)
    }

    fn settings() -> (Value, Value, Vec<String>) {
        (json!({ "type": "object" }), json!([{ "name": "Ada" }]), vec!["rows[0].price: is no number".to_owned()])
    }

    async fn extract(extractor: &ModelExtractor) -> Result<Value, ExtractError> {
        let (schema, before, faults) = settings();
        // an order is made by whoever performs the action: here only its parts matter
        let order = ExtractOrder::new("the prices", "| lamp | 12 |", "https://shop.test/")
            .schema(&schema)
            .before(&before)
            .faults(&faults);
        extractor.extract(&order).await
    }

    #[tokio::test]
    async fn an_order_becomes_a_prompt_and_the_answer_data() {
        let reply = ModelReply::text("Here:\n```json\n[{\"price\": 12}]\n```").costing(Usage::tokens(90, 10));
        let (model, extractor) = told(Ok(reply));
        assert_eq!(extract(&extractor).await.unwrap(), json!([{ "price": 12 }]));
        assert_eq!(extractor.usage(), Usage::tokens(90, 10));
        let shown = model.shown.lock().unwrap().remove(0);
        for part in
            ["the prices", "{\"type\":\"object\"}", "| lamp | 12 |", "https://shop.test/", "Ada", "is no number"]
        {
            assert!(shown.contains(part), "{part}\n{shown}");
        }
        let page = shown.find("| lamp | 12 |").unwrap();
        assert!(shown[..page].rfind("k7Qx").is_some() && shown[page..].contains("k7Qx"), "the page is fenced\n{shown}");
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_no_data_is_said() {
        let refused = ModelReply::text("I can't help with that.").finished(Finish::Filtered);
        let cut = ModelReply::text("[{\"price\"").finished(Finish::Length);
        for (reply, says) in [
            (Ok(refused), "declined: I can't"),
            (Ok(cut), "no data"),
            (Ok(ModelReply::text("there is none")), "no data"),
            (Err(ModelError::ScriptEnded { had: 1 }), "one more was asked for"),
        ] {
            let (_, extractor) = told(reply);
            let error = extract(&extractor).await.unwrap_err();
            assert!(error.message.contains(says), "{error}");
        }
        let (model, extractor) = told(Ok(ModelReply::default()));
        model.replies.lock().unwrap().clear();
        assert!(extract(&extractor).await.unwrap_err().message.contains("within 90 s"));
    }
}
