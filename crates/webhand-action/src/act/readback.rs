//! What edits have in common: asking the page, and saying what was read back or could not be.

use std::time::Duration;

use serde::de::DeserializeOwned;
use webhand_page::{Call, PageError, World};

use super::{aim::Spot, effects::Seen};
use crate::{
    catalogue::Action,
    effects::Effect,
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    session::{Session, page_trouble},
};

/// How long a page that has something under way may take to take a change back.
pub(super) const TAKEN_BACK_WITHIN: Duration = Duration::from_millis(120);
/// How long a page may take to undo what was switched or chosen, where that set off a timer or a request: a switch that shows
/// itself on at once, and off again when its server says no.
pub(super) const UNDONE_WITHIN: Duration = Duration::from_millis(450);

/// Asks the page within an action's deadline.
pub(super) async fn ask<T: DeserializeOwned>(session: &Session, world: &World, call: Call) -> Result<T, ActionError> {
    let answer: Result<T, PageError> = world.call(&call, session.settings.action_deadline).await;
    answer.map_err(|error| page_trouble(&error))
}

/// Whether an element that was there before cannot be found any more.
pub(super) fn is_gone(code: ErrorCode) -> bool {
    use ErrorCode::{ElementNotFound, NotInteractable, StaleRef, TargetChanged};
    matches!(code, ElementNotFound | TargetChanged | StaleRef | NotInteractable)
}

/// Whether the page that was acted on is not there any more.
pub(super) fn is_elsewhere(seen: &Seen) -> bool {
    seen.closed || seen.navigated.as_ref().is_some_and(|(_, new_document)| *new_document)
}

/// Something else stands there than what was asked.
pub(super) fn reject(outcome: &mut Outcome, detail: String) {
    let error = ActionError::new(ErrorCode::ValueRejected, detail);
    outcome.fail(error.with_hint("the page changed or refused it; look at what it takes"));
}

/// No success: what was done could not be seen any more.
pub(super) fn unread(outcome: &mut Outcome, did: &str) {
    let gone = outcome.effects.iter().find_map(|effect| match effect {
        Effect::DialogOpened { .. } => Some("a dialog came up".to_owned()),
        Effect::Navigated { url, new_document: true, .. } => {
            Some(format!("the page went on to {}", url.chars().take(120).collect::<String>()))
        }
        Effect::TabClosed { .. } => Some("its tab was closed".to_owned()),
        _ => None,
    });
    let why = gone.unwrap_or_else(|| "it went away".to_owned());
    let error = ActionError::new(ErrorCode::NoEffect, format!("{did}, and {why} before that could be read back"));
    outcome.fail(error.with_kind("unread").with_hint("look at the page before you repeat it"));
}

/// An outcome of an action on that element, with nothing said yet.
pub(super) fn landed_outcome(action: Action, spot: &Spot) -> Outcome {
    let mut outcome = Outcome::done(action, String::new());
    outcome.attempts = spot.attempts;
    outcome.located_by = Some(spot.by);
    outcome.target = Some(spot.landed.clone());
    outcome
}
