//! Fields with a datalist: the browser draws that list itself, where no page and no pointer of ours reaches it. What stands
//! in it is known, and choosing puts the value into the field.

use serde::Deserialize;
use serde_json::json;
use webhand_page::Call;

use super::{
    super::{
        aim::Spot,
        effects::Watch,
        pointer::describe,
        readback::{ask, is_elsewhere, landed_outcome, reject, unread},
    },
    words::{ListedOption, missing},
};
use crate::{
    catalogue::{Select, SelectMode},
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    session::Session,
};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Suggested {
    miss: Option<String>,
    options: Vec<ListedOption>,
    already: bool,
    label: String,
    value: String,
    holds: bool,
}

/// Puts the value of a suggestion into the field, as choosing it does.
pub(super) async fn select(
    session: &mut Session,
    select: &Select,
    spot: &Spot,
    local: u32,
) -> Result<Outcome, ActionError> {
    let what = describe(&spot.landed);
    let [want] = select.values.as_slice() else {
        return Err(ActionError::new(ErrorCode::InvalidAction, format!("{what} takes one value")).with_kind("single"));
    };
    if select.mode == SelectMode::Remove {
        return Err(ActionError::new(ErrorCode::InvalidAction, format!("{what} is a text field"))
            .with_kind("wrong_action")
            .with_hint("fill it with an empty text to clear it"));
    }
    let watch = Watch::start(&session.tab);
    let asked: Suggested = ask(session, &spot.world, Call::new("takeSuggestion").arg(local).arg(want)).await?;
    if let Some(miss) = &asked.miss {
        return Err(missing(&what, miss, want, &asked.options, None));
    }
    let mut outcome = landed_outcome(select.clone().into(), spot);
    if asked.already {
        outcome.message = format!("{what} already has {:?}", asked.label);
        return Ok(outcome);
    }
    let seen = watch.settle(&spot.world, &session.settings).await;
    let elsewhere = session.tab.dialog().is_some() || is_elsewhere(&seen);
    outcome.effects = seen.into_effects(session, &spot.world);
    outcome.message = format!("chose {:?} in {what}", asked.label);
    if elsewhere {
        unread(&mut outcome, &format!("chose {:?} in {what}", asked.label));
        return Ok(outcome);
    }
    let now: Suggested = ask(session, &spot.world, Call::new("readSuggestion").arg(local).arg(&asked.value)).await?;
    outcome.data = Some(json!({ "selected": [&now.value] }));
    if !now.holds {
        reject(&mut outcome, format!("{what} holds {:?} instead", now.value));
    }
    Ok(outcome)
}

/// The suggestions.
pub(super) async fn options(session: &Session, spot: &Spot, local: u32) -> Result<Vec<ListedOption>, ActionError> {
    let asked: Suggested = ask(session, &spot.world, Call::new("listSuggestions").arg(local)).await?;
    Ok(asked.options)
}
