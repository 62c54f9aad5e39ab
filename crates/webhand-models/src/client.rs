//! A provider's model: asks once, in the surest form that it takes, and says exactly what came or why nothing did.

use std::{
    fmt,
    sync::atomic::{AtomicBool, Ordering},
};

use async_trait::async_trait;
use reqwest::{Client, StatusCode};
use serde_json::Value;
use webhand_action::schema::Shape;
use webhand_agent::{Abilities, Asked, Finish, Model, ModelError, ModelReply, Prompt, SetUpFault, Usage};

use crate::{
    complaint::{Complaint, short},
    fault::{Refusal, Trouble, judge},
    ladder::{Lesson, Rung},
    order::{self, Answer, Misread, Order},
    provider::Provider,
    setup::Built,
    wire::{self, Came, LARGEST, WireFault},
};

/// So often one question is put another way: all rungs, and what else a provider may not take.
const WAYS: usize = 8;

/// A provider's model, built by [`ModelSetup`](crate::ModelSetup).
///
/// ```
/// use webhand_agent::Model as _;
/// let model = webhand_models::ModelSetup::new("ollama/qwen3").build()?;
/// assert_eq!(model.name(), "ollama/qwen3");
/// assert_eq!(model.provider(), webhand_models::Provider::Ollama);
/// # Ok::<(), webhand_agent::ModelError>(())
/// ```
pub struct ProviderModel {
    built: Built,
    client: Client,
    /// It has answered before: the address is right.
    answered: AtomicBool,
}

impl ProviderModel {
    pub(crate) fn new(built: Built, client: Client) -> Self {
        Self { built, client, answered: AtomicBool::new(false) }
    }

    /// Whose model it is.
    #[must_use]
    pub fn provider(&self) -> Provider {
        self.built.provider
    }

    /// In which form it would be asked for such an answer now.
    #[must_use]
    pub fn rung(&self, asked: &Asked) -> Rung {
        let lesson = self.built.learnt.of(&self.built.remembered);
        self.rung_of(asked, &lesson)
    }

    fn rung_of(&self, asked: &Asked, lesson: &Lesson) -> Rung {
        if matches!(asked, Asked::Words) {
            return Rung::Words;
        }
        let tools = self.built.shape == Shape::Tools && matches!(asked, Asked::Actions(_));
        let first = if tools { Rung::Tools } else { self.first() };
        order::learnt(lesson, asked).unwrap_or(first)
    }

    fn first(&self) -> Rung {
        self.built.provider.rungs().first().copied().unwrap_or(Rung::Words)
    }

    /// The next lower rung; none below the last.
    fn below(&self, rung: Rung) -> Option<Rung> {
        let rungs = self.built.provider.rungs();
        match rungs.iter().position(|one| *one == rung) {
            Some(at) => rungs.get(at + 1).copied(),
            None => rungs.first().copied(),
        }
    }

    fn order<'a>(&'a self, prompt: &'a Prompt, lesson: &Lesson, rung: Rung) -> Order<'a> {
        let built = &self.built;
        let form = order::form(&prompt.asked, rung, built.shape);
        let (task, rest) = order::halves(prompt);
        let sees = built.abilities.images && !lesson.no_images;
        Order {
            provider: built.provider,
            model: &built.model,
            system: order::system(prompt, &form, built.provider, built.shape),
            task,
            rest,
            images: if sees { &prompt.images } else { &[] },
            form,
            temperature: built.temperature.filter(|_| !lesson.no_temperature),
            longest_answer: built.longest_answer,
            window: built.abilities.window,
            other_limit: lesson.other_limit,
        }
    }

    async fn ask(&self, order: &Order<'_>) -> Result<Answer, Trouble> {
        let dialect = self.built.provider.dialect();
        let body = dialect.write(order);
        let came = wire::post(&self.client, &self.built.url, self.built.headers.clone(), &body).await;
        let came = came.map_err(|fault| Trouble::Fault(self.wire_fault(fault)))?;
        self.answered.store(true, Ordering::Relaxed);
        if !came.status.is_success() {
            return Err(self.refused(order, &came, came.status));
        }
        let Ok(body) = serde_json::from_slice::<Value>(&came.body) else {
            return Err(Trouble::Fault(self.garbled(&no_json(&came))));
        };
        dialect.read(&body, order).map_err(|misread| match misread {
            Misread::Complaint => {
                let status = Complaint::of(&came.body).status.and_then(|code| StatusCode::from_u16(code).ok());
                let status = status.filter(|status| status.as_u16() >= 400).unwrap_or(StatusCode::BAD_GATEWAY);
                self.refused(order, &came, status)
            }
            Misread::NoAnswer(why) => Trouble::Fault(self.garbled(why)),
        })
    }

    fn refused(&self, order: &Order<'_>, came: &Came, status: StatusCode) -> Trouble {
        let mut complaint = Complaint::of(&came.body);
        if let Some(kind) = came.headers.get("x-amzn-errortype").and_then(|kind| kind.to_str().ok()) {
            complaint.kinds.push_str(&kind.to_lowercase());
        }
        if status.is_redirection() {
            complaint.words =
                "it answers with a redirect, which is not followed; give the address it leads to".to_owned();
        }
        complaint.words = self.redacted(&complaint.words);
        judge(&self.built.name, order, Refusal { status, headers: &came.headers, complaint })
    }

    fn wire_fault(&self, fault: WireFault) -> ModelError {
        let name = self.built.name.clone();
        match fault {
            WireFault::NoConnection(reason) if self.built.own_address && !self.answered.load(Ordering::Relaxed) => {
                let reason = self.redacted(&reason);
                ModelError::SetUp { name, fault: SetUpFault::BadAddress, reason }
            }
            WireFault::NoConnection(reason) | WireFault::Broken(reason) => {
                ModelError::Unreachable { name, reason: self.redacted(&reason) }
            }
            WireFault::Cut(reason) => {
                self.garbled(&format!("the answer ended in its middle: {}", self.redacted(&reason)))
            }
            WireFault::TooLarge => self.garbled(&format!("it is larger than {LARGEST} bytes")),
        }
    }

    fn garbled(&self, reason: &str) -> ModelError {
        ModelError::Garbled { name: self.built.name.clone(), reason: self.redacted(reason) }
    }

    /// A text without keys: providers do repeat them.
    fn redacted(&self, text: &str) -> String {
        self.built.secrets.iter().fold(text.to_owned(), |text, secret| secret.redact(&text).into_owned())
    }

    fn learn(&self, lesson: impl FnOnce(&mut Lesson)) {
        self.built.learnt.learn(&self.built.remembered, lesson);
    }

    fn given(&self, answer: Answer) -> ModelReply {
        let price = || {
            let price = self.built.price?;
            Some(price.micro_usd(answer.input, answer.cached, answer.written, answer.output))
        };
        let usage = Usage {
            input: answer.input,
            output: answer.output,
            cached: answer.cached,
            micro_usd: answer.micro_usd.or_else(price),
        };
        let mut reply = ModelReply::text(answer.text).finished(answer.finish).costing(usage);
        reply.answered_by = answer.model.filter(|model| *model != self.built.model);
        reply
    }

    /// It takes no form at all; where no form was asked for, it is something else that it does not take.
    fn no_form(&self, asked: &Asked, reason: String) -> ModelError {
        let fault = match asked {
            Asked::Words => SetUpFault::BadRequest,
            _ => SetUpFault::SchemaRefused,
        };
        ModelError::SetUp { name: self.built.name.clone(), fault, reason }
    }
}

#[async_trait]
impl Model for ProviderModel {
    fn name(&self) -> &str {
        &self.built.name
    }

    fn abilities(&self) -> Abilities {
        let mut abilities = self.built.abilities;
        abilities.images &= !self.built.learnt.of(&self.built.remembered).no_images;
        abilities
    }

    async fn reply(&self, prompt: &Prompt) -> Result<ModelReply, ModelError> {
        let mut refused = String::new();
        for _ in 0..WAYS {
            let lesson = self.built.learnt.of(&self.built.remembered);
            let rung = self.rung_of(&prompt.asked, &lesson);
            let order = self.order(prompt, &lesson, rung);
            match self.ask(&order).await {
                Ok(answer) => return Ok(self.given(answer)),
                Err(Trouble::Fault(error)) => return Err(error),
                Err(Trouble::Filtered(words)) => return Ok(ModelReply::text(words).finished(Finish::Filtered)),
                Err(Trouble::Written(text)) => return Ok(ModelReply::text(text).finished(Finish::Unknown)),
                Err(Trouble::Temperature) => self.learn(|lesson| lesson.no_temperature = true),
                Err(Trouble::Limit) => self.learn(|lesson| lesson.other_limit = !order.other_limit),
                Err(Trouble::Images) => self.learn(|lesson| lesson.no_images = true),
                Err(Trouble::Form(words)) => {
                    let Some(lower) = self.below(rung).filter(|_| rung != Rung::Words) else {
                        return Err(self.no_form(&prompt.asked, words));
                    };
                    refused = words;
                    self.learn(|lesson| match &prompt.asked {
                        Asked::Actions(_) => lesson.actions = Some(lower),
                        _ => lesson.data = Some(lower),
                    });
                }
            }
        }
        Err(self.no_form(&prompt.asked, refused))
    }
}

/// Why a body is no JSON, in words.
fn no_json(came: &Came) -> String {
    let complaint = Complaint::of(&came.body);
    match (came.body.is_empty(), complaint.html) {
        (true, _) => "it is empty".to_owned(),
        (false, true) => format!("it is {}, no JSON", complaint.words),
        (false, false) => {
            let start: String = complaint.words.chars().take(80).collect();
            format!("it is no JSON; it begins with \"{}\"", short(&start))
        }
    }
}

impl fmt::Debug for ProviderModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProviderModel")
            .field("name", &self.built.name)
            .field("abilities", &self.built.abilities)
            .finish_non_exhaustive()
    }
}
