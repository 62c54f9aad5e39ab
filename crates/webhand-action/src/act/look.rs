//! Looking without touching: reading, finding, pictures; and the actions that only keep or say something.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::json;
use webhand_browser::{CaptureOptions, Clip};
use tokio::time::Instant;

use super::aim::{self, Wants};
use crate::{
    catalogue::{Done, Find, Read, Remember, Screenshot},
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    session::{Fact, Session, browser_trouble, page_trouble},
};

pub(super) fn remember(session: &mut Session, remember: &Remember) -> Outcome {
    let fact = Fact { key: remember.key.clone(), value: remember.value.clone(), url: session.tab.url() };
    match session.facts.iter_mut().find(|known| known.key == fact.key) {
        Some(known) => *known = fact,
        None => session.facts.push(fact),
    }
    Outcome::done(remember.clone().into(), format!("remembered {:?}", remember.key))
}

pub(super) fn done(done: &Done) -> Outcome {
    let mut outcome = Outcome::done(done.clone().into(), done.text.clone());
    outcome.data.clone_from(&done.data);
    outcome
}
