//! Fields that take no keys: dates, times, colours, ranges.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;
use webhand_page::Call;

use super::{
    Filling, Prepared,
    finish::note_value,
    unfillable,
    ways::{Standing, look},
};
use crate::{
    act::{
        aim::Spot,
        effects::Watch,
        pointer::describe,
        readback::{TAKEN_BACK_WITHIN, ask, is_elsewhere, landed_outcome, reject, unread},
        value,
    },
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    session::Session,
};

/// What the page says of a value that was to be set.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Set {
    miss: Option<String>,
    value: String,
    /// The browser's words where the value is none for the field.
    why: String,
    min: String,
    max: String,
    step: String,
    scheduled: bool,
}

pub(super) async fn set(
    session: &mut Session,
    filling: &Filling<'_>,
    mut spot: Spot,
    prepared: &Prepared,
) -> Result<Outcome, ActionError> {
    let what = describe(&spot.landed);
    let wanted = wanted(&what, &filling.fill.text, prepared)?;
    let watch = Watch::start(&session.tab);
    let began = Instant::now();
    let asked = ask(session, &spot.world, Call::new("setField").arg(spot.local).arg(&wanted)).await;
    let cut_short = session.tab.dialog().is_some() || session.tab.is_closed();
    let set: Set = if cut_short { Set::default() } else { asked? };
    match set.miss.as_deref() {
        Some("unfit") => return Err(unfit(&what, &wanted, &set)),
        Some(_) => return Err(unfillable(&spot, "gone", "")),
        None => {}
    }
    let seen = watch.settle(&spot.world, &session.settings).await;
    let elsewhere = session.tab.dialog().is_some() || is_elsewhere(&seen);
    let mut outcome = landed_outcome(filling.fill.clone().into(), &spot);
    outcome.effects = seen.into_effects(session, &spot.world);
    if cut_short {
        unread(&mut outcome, &format!("set {what}"));
        return Ok(outcome);
    }
    let stands = if elsewhere {
        Standing { value: set.value, ..Standing::default() }
    } else {
        let left = if set.scheduled { TAKEN_BACK_WITHIN.saturating_sub(began.elapsed()) } else { Duration::ZERO };
        let whole = Filling { fill: &filling.fill.clone().clear(true), aim: filling.aim, text: wanted.clone() };
        look(session, &whole, &mut spot, Some(left)).await?
    };
    note_value(&mut outcome.effects, Some(&stands));
    if !stands.bad && value::same(&prepared.kind, &stands.value, &wanted) {
        outcome.message = format!("set {what} to {:?}", stands.value);
        outcome.data = Some(json!({ "value": stands.value }));
    } else {
        let bounds = value::bounds(&set.min, &set.max, &set.step);
        reject(&mut outcome, format!("{what} holds {:?} instead of {wanted:?}{bounds}", stands.value));
    }
    Ok(outcome)
}

/// The text in the field's own form.
fn wanted(what: &str, text: &str, prepared: &Prepared) -> Result<String, ActionError> {
    if text.is_empty() {
        return Ok(String::new());
    }
    match value::normalise(&prepared.kind, text, &prepared.language) {
        Ok(value) => Ok(value),
        Err(_) if !prepared.css.is_empty() => Ok(prepared.css.clone()),
        Err(form) => {
            let detail = format!("{what} takes {form}, not {text:?}");
            Err(ActionError::new(ErrorCode::ValueRejected, detail).with_kind("form"))
        }
    }
}

/// The field cannot hold that; what stood there stands there still.
fn unfit(what: &str, wanted: &str, set: &Set) -> ActionError {
    let bounds = value::bounds(&set.min, &set.max, &set.step);
    let why = if set.why.is_empty() { String::new() } else { format!(": {}", set.why) };
    let detail = format!("{what} does not take {wanted:?}{bounds}{why}; it holds {:?} as before", set.value);
    ActionError::new(ErrorCode::ValueRejected, detail)
        .with_kind("out_of_range")
        .with_hint("give a value that the field takes")
}
