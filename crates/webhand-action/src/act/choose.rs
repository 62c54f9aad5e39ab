//! Native selects: choosing options, and whether what was chosen is what stands there.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;
use webhand_page::Call;

use super::{
    aim::{self, Aim, Spot, Wants},
    effects::Watch,
    pointer::describe,
    readback::{TAKEN_BACK_WITHIN, ask, is_elsewhere, is_gone, landed_outcome, reject, unread},
};
use crate::{
    catalogue::{Options, Select, SelectMode},
    effects::Effect,
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    session::Session,
};

/// How long a list that is filled late is waited for.
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

#[derive(Debug, Default, Deserialize, serde::Serialize)]
#[serde(default)]
struct ListedOption {
    label: String,
    value: String,
    chosen: bool,
    disabled: bool,
}

pub(super) async fn select(session: &mut Session, select: &Select) -> Result<Outcome, ActionError> {
    let aim = aim::aim(session, &select.target).await?;
    let deadline = Instant::now() + session.settings.action_deadline;
    let spot = aim::locate(session, &aim, Wants::CHOOSE, deadline).await?;
    let late = LATE_OPTIONS.min(session.settings.action_deadline);
    let mode = mode_of(select);
    let mut watch = Watch::start(&session.tab);
    let call =
        Call::new("chooseOptionsSoon").arg(spot.local).arg(&select.values).arg(mode).arg(late.as_millis() as u64);
    let asked = tokio::select! {
        biased;
        asked = ask::<Chosen>(session, &spot.world, call) => Some(asked),
        // a page on its way out answers nothing until the next one is there
        () = watch.until_leaving() => None,
    };
    let began = Instant::now();
    let mut chosen = match asked {
        Some(Err(error)) if session.tab.dialog().is_none() && !session.tab.is_closed() => return Err(error),
        Some(Ok(chosen)) => Some(chosen),
        _ => None,
    };
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
        let left = if first.scheduled { TAKEN_BACK_WITHIN.saturating_sub(began.elapsed()) } else { Duration::ZERO };
        match look(session, &aim, &spot, left).await {
            Ok(now) => (first.holds, first.chosen) = (now.holds, now.chosen),
            Err(error) if is_gone(error.code) => chosen = None,
            Err(error) => return Err(error),
        }
    }
    conclude(outcome, select, &what, chosen)
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
async fn look(session: &mut Session, aim: &Aim, spot: &Spot, later: Duration) -> Result<Chosen, ActionError> {
    let call = |local: u32| Call::new("readChoice").arg(local).arg(later.as_millis() as u64);
    let now: Chosen = ask(session, &spot.world, call(spot.local)).await?;
    if now.miss.is_none() {
        return Ok(now);
    }
    let again = aim::locate(session, aim, Wants::NOTHING, Instant::now() + session.settings.action_deadline).await?;
    ask(session, &again.world, call(again.local)).await
}

fn quoted(labels: &[String]) -> String {
    let labels: Vec<String> = labels.iter().map(|label| format!("{label:?}")).collect();
    if labels.is_empty() { "nothing".to_owned() } else { labels.join(", ") }
}

fn not_chosen(spot: &Spot, miss: &str, chosen: &Chosen) -> ActionError {
    let what = describe(&spot.landed);
    let labels: Vec<String> = chosen.options.iter().map(|option| option.label.clone()).collect();
    let list = format!("it has: {}", quoted(&labels));
    match miss {
        "not_select" => ActionError::new(ErrorCode::Unsupported, format!("{what} is not a native select"))
            .with_hint("click it, look again, and click the option"),
        "option_disabled" => {
            ActionError::new(ErrorCode::NotInteractable, format!("the option {:?} of {what} is disabled", chosen.want))
                .with_kind("disabled")
                .with_hint(list)
        }
        "option_ambiguous" => {
            ActionError::new(ErrorCode::ElementNotFound, format!("{what} has several options {:?}", chosen.want))
                .with_kind("ambiguous")
                .with_hint("name it by its value, or by its place: #1 is the first")
        }
        "single" => ActionError::new(ErrorCode::InvalidAction, format!("{what} has exactly one option chosen"))
            .with_kind("single")
            .with_hint(list),
        "gone" => ActionError::new(ErrorCode::ElementNotFound, format!("{what} went away")),
        _ => ActionError::new(ErrorCode::ElementNotFound, format!("{what} has no option {:?}", chosen.want))
            .with_kind("option_missing")
            .with_hint(list),
    }
}

pub(super) async fn options(session: &mut Session, options: &Options) -> Result<Outcome, ActionError> {
    let aim = aim::aim(session, &options.target).await?;
    let deadline = Instant::now() + session.settings.action_deadline;
    let spot = aim::locate(session, &aim, Wants::NOTHING, deadline).await?;
    let chosen: Chosen = ask(session, &spot.world, Call::new("listOptions").arg(spot.local)).await?;
    if let Some(miss) = &chosen.miss {
        return Err(not_chosen(&spot, miss, &chosen));
    }
    let labels: Vec<String> = chosen.options.iter().map(|option| option.label.clone()).collect();
    let mut outcome = landed_outcome(options.clone().into(), &spot);
    outcome.message = format!("{} has {}", describe(&spot.landed), quoted(&labels));
    outcome.data = Some(json!({ "options": chosen.options }));
    Ok(outcome)
}
