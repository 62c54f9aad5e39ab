//! Native selects, set by script as a person's choice would set them, and whether what was chosen is what stands there.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;
use webhand_page::Call;

use super::{
    super::{
        aim::{self, Aim, Spot, Wants},
        effects::Watch,
        keyboard, keys,
        pointer::{Gesture, Precision, describe, press_on},
        readback::{UNDONE_WITHIN, ask, is_elsewhere, is_gone, landed_outcome, reject, unread},
    },
    words::{ListedOption, missing, quoted},
};
use crate::{
    catalogue::{Select, SelectMode},
    effects::Effect,
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    session::Session,
};

/// How long a list that is filled late is waited for: before somebody presses it, and after.
const SOON_OPTIONS: Duration = Duration::from_millis(800);
const LATE_OPTIONS: Duration = Duration::from_millis(1500);

/// What became of a choice.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Chosen {
    miss: Option<String>,
    want: String,
    options: Vec<ListedOption>,
    already: bool,
    wanted: Vec<String>,
    /// Whether exactly what was asked is chosen: by its options, not by their labels.
    holds: bool,
    chosen: Vec<String>,
    /// The page has something under way that may still change it.
    scheduled: bool,
}

/// Chooses in the select that was located; `local` is its number.
pub(super) async fn select(
    session: &mut Session,
    select: &Select,
    aim: &Aim,
    mut spot: Spot,
    local: u32,
) -> Result<Outcome, ActionError> {
    let mut watch = Watch::start(&session.tab);
    let mut chosen = choose(session, select, (&spot, local), &mut watch, SOON_OPTIONS).await?;
    if chosen.as_ref().is_some_and(|chosen| chosen.miss.as_deref() == Some("option_missing")) {
        come_to(session, aim, (&spot, local)).await?;
        let deadline = Instant::now() + session.settings.action_deadline;
        spot = aim::locate(session, aim, Wants::CHOOSE, deadline).await?;
        watch = Watch::start(&session.tab);
        chosen = choose(session, select, (&spot, local), &mut watch, LATE_OPTIONS).await?;
    }
    let began = Instant::now();
    let what = describe(&spot.landed);
    let mut outcome = landed_outcome(select.clone().into(), &spot);
    if let Some(chosen) = &chosen {
        if let Some(miss) = &chosen.miss {
            return Err(not_chosen(&spot, miss, chosen));
        }
        if chosen.already {
            outcome.message = format!("{what} already has {}", quoted(&chosen.chosen));
            return Ok(outcome);
        }
    }
    let seen = watch.settle(&spot.world, &session.settings).await;
    let elsewhere = session.tab.dialog().is_some() || is_elsewhere(&seen);
    outcome.effects = seen.into_effects(session, &spot.world);
    if let Some(first) = chosen.as_mut().filter(|_| !elsewhere) {
        let asked = outcome.effects.iter().any(|effect| matches!(effect, Effect::Requests { .. }));
        let left = match (asked, first.scheduled) {
            (true, _) => UNDONE_WITHIN,
            (false, true) => UNDONE_WITHIN.saturating_sub(began.elapsed()),
            (false, false) => Duration::ZERO,
        };
        match look(session, aim, (&spot, local), left).await {
            Ok(now) => (first.holds, first.chosen) = (now.holds, now.chosen),
            Err(error) if is_gone(error.code) => chosen = None,
            Err(error) => return Err(error),
        }
    }
    conclude(outcome, select, &what, chosen)
}

/// Chooses in the page, waiting for a list that is filled late. None where the page went away over it.
async fn choose(
    session: &Session,
    select: &Select,
    (spot, local): (&Spot, u32),
    watch: &mut Watch,
    late: Duration,
) -> Result<Option<Chosen>, ActionError> {
    let late = late.min(session.settings.action_deadline);
    let call =
        Call::new("chooseOptionsSoon").arg(local).arg(&select.values).arg(mode_of(select)).arg(late.as_millis() as u64);
    let asked = tokio::select! {
        biased;
        asked = ask::<Chosen>(session, &spot.world, call) => asked,
        // a page on its way out answers nothing until the next one is there
        () = watch.until_leaving() => return Ok(None),
    };
    match asked {
        Err(error) if session.tab.dialog().is_none() && !session.tab.is_closed() => Err(error),
        asked => Ok(asked.ok()),
    }
}

/// Some fill a list once somebody presses it: that is done, and the browser's own list is closed again.
async fn come_to(session: &mut Session, aim: &Aim, (spot, local): (&Spot, u32)) -> Result<(), ActionError> {
    let part = aim.beside(session, local, "combobox", &aim.seen.name, None);
    // one that cannot be pressed has what it has
    if Box::pin(press_on(session, &part, Gesture::CLICK, Precision::Pressed)).await.is_err() {
        return Ok(());
    }
    if ask::<bool>(session, &spot.world, Call::new("isPickerOpen").arg(local)).await? {
        let strokes =
            keys::parse("Escape").map_err(|error| ActionError::new(ErrorCode::Internal, error.to_string()))?;
        keyboard::send(session, &strokes).await?;
    }
    Ok(())
}

fn conclude(mut outcome: Outcome, select: &Select, what: &str, chosen: Option<Chosen>) -> Result<Outcome, ActionError> {
    let Some(chosen) = chosen else {
        unread(&mut outcome, &format!("chose {} in {what}", quoted(&select.values)));
        return Ok(outcome);
    };
    let verb = if select.mode == SelectMode::Remove { "unchose" } else { "chose" };
    outcome.message = format!("{verb} {} in {what}", quoted(&chosen.wanted));
    outcome.data = Some(json!({ "selected": chosen.chosen }));
    // a choice that was taken back is none that the list has
    outcome.effects = (outcome.effects.iter().cloned())
        .map(|effect| match effect {
            Effect::Selected { .. } => Effect::Selected { labels: chosen.chosen.clone() },
            other => other,
        })
        .collect();
    if !chosen.holds {
        reject(&mut outcome, format!("{what} shows {} instead", quoted(&chosen.chosen)));
    }
    Ok(outcome)
}

fn mode_of(select: &Select) -> &'static str {
    match select.mode {
        SelectMode::Add => "add",
        SelectMode::Remove => "remove",
        SelectMode::Set => "set",
    }
}

/// What is chosen after that time; the list may have been drawn anew meanwhile.
async fn look(
    session: &mut Session,
    aim: &Aim,
    (spot, local): (&Spot, u32),
    later: Duration,
) -> Result<Chosen, ActionError> {
    let call = |local: u32| Call::new("readChoice").arg(local).arg(later.as_millis() as u64);
    let now: Chosen = ask(session, &spot.world, call(local)).await?;
    if now.miss.is_none() {
        return Ok(now);
    }
    let again = aim::locate(session, aim, Wants::NOTHING, Instant::now() + session.settings.action_deadline).await?;
    ask(session, &again.world, call(again.local)).await
}

fn not_chosen(spot: &Spot, miss: &str, chosen: &Chosen) -> ActionError {
    missing(&describe(&spot.landed), miss, &chosen.want, &chosen.options, None)
}

/// The options of the select that was located, without choosing.
pub(super) async fn options(session: &Session, spot: &Spot, local: u32) -> Result<Vec<ListedOption>, ActionError> {
    let chosen: Chosen = ask(session, &spot.world, Call::new("listOptions").arg(local)).await?;
    match &chosen.miss {
        Some(miss) => Err(not_chosen(spot, miss, &chosen)),
        None => Ok(chosen.options),
    }
}
