//! A model that waits a moment before it answers, for people who watch.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use webhand::agent::{Abilities, Model, ModelError, ModelReply, Prompt, Role};

/// Another model, slowed down.
#[derive(Debug)]
pub(super) struct Slow {
    model: Arc<dyn Model>,
    pause: Duration,
}

impl Slow {
    pub(super) fn new(model: Arc<dyn Model>, pause: Duration) -> Self {
        Self { model, pause }
    }
}

#[async_trait]
impl Model for Slow {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn abilities(&self) -> Abilities {
        self.model.abilities()
    }

    fn given(&self, role: Role, replies: usize) {
        self.model.given(role, replies);
    }

    async fn reply(&self, prompt: &Prompt) -> Result<ModelReply, ModelError> {
        tokio::time::sleep(self.pause).await;
        self.model.reply(prompt).await
    }
}
