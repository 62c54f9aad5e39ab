//! Editing: fields, native selects, checkboxes. Each ends with a look at what really stands there.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;
use webhand_cdp::protocol::input::InsertText;
use webhand_page::{Call, Checked, PageError, World};

use super::{
    aim::{self, Aim, Spot, Wants},
    effects::{PageEffects, Watch},
    keyboard, keys,
    pointer::{self, Gesture, describe},
    value,
};
use crate::{
    catalogue::{Action, Check, Fill, FillTier, Focus, Options, Select, SelectMode},
    effects::Effect,
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    session::{Session, browser_trouble, page_trouble},
};

/// Longer texts are not tried again key by key: that would take seconds.
const KEYS_MAX: usize = 2000;
/// How long a list that is filled late is waited for.
const LATE_OPTIONS: Duration = Duration::from_millis(1500);

/// How the page says to fill a field.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Prepared {
    miss: Option<String>,
    r#use: String,
    way: String,
    kind: String,
    language: String,
    empty: bool,
    focused: bool,
}

/// What stands in a field.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Standing {
    miss: Option<String>,
    equal: bool,
    secret: bool,
    value: String,
    effects: Option<PageEffects>,
}

async fn ask<T: serde::de::DeserializeOwned>(session: &Session, world: &World, call: Call) -> Result<T, ActionError> {
    let answer: Result<T, PageError> = world.call(&call, session.settings.action_deadline).await;
    answer.map_err(|error| page_trouble(&error))
}

pub(super) async fn fill(session: &mut Session, fill: &Fill) -> Result<Outcome, ActionError> {
    if matches!(fill.tier, FillTier::Otp | FillTier::Paste) {
        return Err(ActionError::new(ErrorCode::Unsupported, "this tier of fill is not built yet")
            .with_hint("use tier auto or keys"));
    }
    let aim = aim::aim(session, &fill.target).await?;
    let deadline = Instant::now() + session.settings.action_deadline;
    let spot = aim::locate(session, &aim, Wants::EDIT, deadline).await?;
    let prepared: Prepared =
        ask(session, &spot.world, Call::new("prepareFill").arg(spot.local).arg(fill.clear)).await?;
    if let Some(miss) = &prepared.miss {
        return Err(unfillable(&spot, miss, &prepared.r#use));
    }
    if prepared.way == "set" {
        return set(session, fill, spot, &prepared).await;
    }
    if !prepared.focused {
        return Err(ActionError::new(
            ErrorCode::NotInteractable,
            format!("{} does not take the focus", describe(&spot.landed)),
        ));
    }
    let by_keys = fill.tier == FillTier::Keys;
    let mut watch = Watch::start(&session.tab);
    put(session, fill, &prepared, by_keys).await?;
    let mut standing = look(session, &aim, &spot, fill).await?;
    let mut tier = if by_keys { "keys" } else { "bulk" };
    if !standing.equal && fill.tier == FillTier::Auto && fill.clear && fill.text.chars().count() <= KEYS_MAX {
        let again = aim::locate(session, &aim, Wants::EDIT, deadline).await?;
        let prepared: Prepared =
            ask(session, &again.world, Call::new("prepareFill").arg(again.local).arg(true)).await?;
        watch = Watch::start(&session.tab);
        put(session, fill, &prepared, true).await?;
        standing = look(session, &aim, &again, fill).await?;
        tier = "keys";
    }
    let seen = if watch.has_begun() { Some(watch.settle(&spot.world, &session.settings).await) } else { None };
    if seen.is_some() && standing.equal {
        // what the field's own requests brought back may have changed it
        standing = look(session, &aim, &spot, fill).await.unwrap_or(standing);
    }
    let mut outcome = filled(fill, &spot, &standing, tier);
    if let Some(seen) = seen {
        outcome.effects = seen.into_effects(session, &spot.world);
    }
    if let Some(page) = standing.effects.take_if(|_| outcome.effects.iter().len() == 0) {
        page.add_to(&mut outcome.effects, session, &spot.world);
    }
    if outcome.ok && fill.submit {
        let strokes = keys::parse("Enter").map_err(|error| ActionError::new(ErrorCode::Internal, error.to_string()))?;
        let followed = keyboard::strike(session, &spot.world, &strokes, None).await?;
        outcome.effects.extend(followed.effects.iter().cloned());
        outcome.message.push_str(", pressed Enter");
        if !followed.any {
            outcome.notes.push("nothing was seen to follow Enter".to_owned());
        }
    }
    Ok(outcome)
}

fn unfillable(spot: &Spot, miss: &str, instead: &str) -> ActionError {
    let what = describe(&spot.landed);
    match miss {
        "gone" => ActionError::new(ErrorCode::ElementNotFound, format!("{what} went away")),
        _ => ActionError::new(ErrorCode::InvalidAction, format!("{what} is not a text field"))
            .with_kind("wrong_action")
            .with_hint(format!("use {instead} on it")),
    }
}

/// Brings the text in: what is selected goes.
async fn put(session: &Session, fill: &Fill, prepared: &Prepared, by_keys: bool) -> Result<(), ActionError> {
    if fill.text.is_empty() {
        if !prepared.empty && fill.clear {
            let strokes =
                keys::parse("Delete").map_err(|error| ActionError::new(ErrorCode::Internal, error.to_string()))?;
            keyboard::send(session, &strokes).await?;
        }
        return Ok(());
    }
    if by_keys {
        let strokes: Vec<keys::Stroke> = fill.text.chars().map(keys::stroke_of).collect();
        return keyboard::send(session, &strokes).await;
    }
    let insert = session.tab.session().send(&InsertText::new(fill.text.as_str()));
    session.tab.race(insert, session.settings.action_deadline).await.map_err(|error| browser_trouble(&error))?;
    Ok(())
}

/// What stands in the field, one turn of the page's loop later; the field may have been rendered anew meanwhile.
async fn look(session: &mut Session, aim: &Aim, spot: &Spot, fill: &Fill) -> Result<Standing, ActionError> {
    let call = |local: u32| Call::new("readBackSoon").arg(local).arg(&fill.text).arg(!fill.clear);
    let standing: Standing = ask(session, &spot.world, call(spot.local)).await?;
    if standing.miss.is_none() {
        return Ok(standing);
    }
    let again = aim::locate(session, aim, Wants::NOTHING, Instant::now() + session.settings.action_deadline).await?;
    ask(session, &again.world, call(again.local)).await
}

fn filled(fill: &Fill, spot: &Spot, standing: &Standing, tier: &str) -> Outcome {
    let what = describe(&spot.landed);
    let said = if fill.text.is_empty() { format!("cleared {what}") } else { format!("filled {what}") };
    let mut outcome = Outcome::done(fill.clone().into(), said);
    outcome.attempts = spot.attempts;
    outcome.located_by = Some(spot.by);
    outcome.target = Some(spot.landed.clone());
    if tier == "keys" && fill.tier == FillTier::Auto {
        outcome.notes.push("typed key by key: the page did not take it at once".to_owned());
    }
    if !standing.equal {
        let stands = if standing.secret { "something else".to_owned() } else { format!("{:?}", standing.value) };
        reject(&mut outcome, format!("{what} holds {stands} instead"));
    } else if !standing.secret {
        outcome.data = Some(json!({ "value": standing.value }));
    }
    outcome
}

fn reject(outcome: &mut Outcome, detail: String) {
    outcome.ok = false;
    outcome.message.clone_from(&detail);
    outcome.error = Some(
        ActionError::new(ErrorCode::ValueRejected, detail)
            .with_hint("the page changed or refused it; look at what it takes"),
    );
}

/// Fields that take no keys: dates, times, colours, ranges.
async fn set(session: &mut Session, fill: &Fill, spot: Spot, prepared: &Prepared) -> Result<Outcome, ActionError> {
    #[derive(Debug, Default, Deserialize)]
    #[serde(default)]
    struct Set {
        miss: Option<String>,
        value: String,
        min: String,
        max: String,
        step: String,
    }
    let what = describe(&spot.landed);
    let wanted = if fill.text.is_empty() {
        String::new()
    } else {
        value::normalise(&prepared.kind, &fill.text, &prepared.language).map_err(|form| {
            ActionError::new(ErrorCode::ValueRejected, format!("{what} takes {form}, not {:?}", fill.text))
                .with_kind("form")
        })?
    };
    let watch = Watch::start(&session.tab);
    let set: Set = ask(session, &spot.world, Call::new("setField").arg(spot.local).arg(&wanted)).await?;
    if set.miss.is_some() {
        return Err(unfillable(&spot, "gone", ""));
    }
    let seen = watch.settle(&spot.world, &session.settings).await;
    let standing: Standing = ask(session, &spot.world, Call::new("readBack").arg(spot.local).arg(&wanted)).await?;
    let mut outcome = Outcome::done(fill.clone().into(), format!("set {what} to {:?}", standing.value));
    outcome.effects = seen.into_effects(session, &spot.world);
    outcome.attempts = spot.attempts;
    outcome.located_by = Some(spot.by);
    outcome.target = Some(spot.landed);
    if standing.equal || value::same(&prepared.kind, &standing.value, &wanted) {
        outcome.data = Some(json!({ "value": standing.value }));
    } else {
        let bounds = value::bounds(&set.min, &set.max, &set.step);
        reject(&mut outcome, format!("{what} holds {:?} instead of {wanted:?}{bounds}", standing.value));
    }
    Ok(outcome)
}

/// What became of a choice.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Chosen {
    miss: Option<String>,
    want: String,
    options: Vec<ListedOption>,
    already: bool,
    chosen: Vec<String>,
    wanted: Vec<String>,
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
    let mode = match select.mode {
        SelectMode::Add => "add",
        SelectMode::Remove => "remove",
        _ => "set",
    };
    let late = LATE_OPTIONS.min(session.settings.action_deadline);
    let watch = Watch::start(&session.tab);
    let call =
        Call::new("chooseOptionsSoon").arg(spot.local).arg(&select.values).arg(mode).arg(late.as_millis() as u64);
    let chosen: Chosen = ask(session, &spot.world, call).await?;
    if let Some(miss) = &chosen.miss {
        return Err(not_chosen(&spot, miss, &chosen));
    }
    let mut outcome = chosen_outcome(select.clone().into(), &spot);
    if chosen.already {
        outcome.message = format!("{} already has {}", describe(&spot.landed), quoted(&chosen.chosen));
        return Ok(outcome);
    }
    let seen = watch.settle(&spot.world, &session.settings).await;
    let any_page = seen.navigated.is_some() || seen.closed;
    outcome.effects = seen.into_effects(session, &spot.world);
    if any_page {
        outcome.message = format!("chose {} in {}", quoted(&chosen.wanted), describe(&spot.landed));
        return Ok(outcome);
    }
    let now = aim::locate(session, &aim, Wants::NOTHING, Instant::now() + session.settings.action_deadline).await?;
    let stands = now.state.selected.unwrap_or_default();
    outcome.message = format!("chose {} in {}", quoted(&chosen.wanted), describe(&spot.landed));
    outcome.data = Some(json!({ "selected": stands }));
    let holds = chosen.wanted.iter().all(|label| stands.contains(label));
    if holds == (select.mode == SelectMode::Remove) && !chosen.wanted.is_empty() {
        reject(&mut outcome, format!("{} shows {} instead", describe(&spot.landed), quoted(&stands)));
    }
    Ok(outcome)
}

fn chosen_outcome(action: Action, spot: &Spot) -> Outcome {
    let mut outcome = Outcome::done(action, String::new());
    outcome.attempts = spot.attempts;
    outcome.located_by = Some(spot.by);
    outcome.target = Some(spot.landed.clone());
    outcome
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
                .with_hint("name it by its value, or by its index from 0")
        }
        "single" => ActionError::new(ErrorCode::InvalidAction, format!("{what} takes one option")).with_hint(list),
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
    let mut outcome = chosen_outcome(options.clone().into(), &spot);
    outcome.message = format!("{} has {}", describe(&spot.landed), quoted(&labels));
    outcome.data = Some(json!({ "options": chosen.options }));
    Ok(outcome)
}

pub(super) async fn check(session: &mut Session, check: &Check) -> Result<Outcome, ActionError> {
    let aim = aim::aim(session, &check.target).await?;
    let deadline = Instant::now() + session.settings.action_deadline;
    let before = aim::locate(session, &aim, Wants { enabled: true, ..Wants::NOTHING }, deadline).await?;
    let what = describe(&before.landed);
    let Some(now) = before.state.checked.or(before.state.pressed) else {
        return Err(ActionError::new(ErrorCode::InvalidAction, format!("{what} is nothing that can be checked"))
            .with_kind("wrong_action")
            .with_hint("use click on it"));
    };
    let wanted = if check.on { Checked::True } else { Checked::False };
    let word = if check.on { "checked" } else { "unchecked" };
    let mut outcome = chosen_outcome(check.clone().into(), &before);
    if now == wanted {
        outcome.message = format!("{what} is {word} already");
        return Ok(outcome);
    }
    if !check.on && (before.kind == "radio" || before.landed.role == "radio") {
        return Err(ActionError::new(
            ErrorCode::InvalidAction,
            format!("{what} is a radio button: it cannot be unchecked"),
        )
        .with_hint("check another one of its group"));
    }
    let landing = pointer::gesture_on(session, &aim, Gesture::CLICK).await?;
    let gone = landing.seen.navigated.is_some() || landing.seen.closed;
    let any = landing.seen.any();
    let dialog = session.tab.dialog().is_some();
    outcome.effects = landing.seen.into_effects(session, &landing.spot.world);
    outcome.message = format!("{word} {what}");
    if gone || dialog {
        outcome.notes.push("the page went on before its state could be read back".to_owned());
        return Ok(outcome);
    }
    let after = aim::locate(session, &aim, Wants::NOTHING, Instant::now() + session.settings.action_deadline).await?;
    let stands = after.state.checked.or(after.state.pressed);
    if stands == Some(wanted) {
        if !outcome.effects.iter().any(|effect| matches!(effect, Effect::Checked { .. })) {
            outcome.effects.push(Effect::Checked { state: wanted });
        }
        return Ok(outcome);
    }
    if any {
        reject(&mut outcome, format!("{what} is not {word} after the click"));
    } else {
        outcome.ok = false;
        let error = ActionError::new(ErrorCode::NoEffect, format!("clicked {what}, and it did not change"));
        outcome.message.clone_from(&error.detail);
        outcome.error = Some(error);
    }
    Ok(outcome)
}

pub(super) async fn focus(session: &mut Session, focus: &Focus) -> Result<Outcome, ActionError> {
    let aim = aim::aim(session, &focus.target).await?;
    let deadline = Instant::now() + session.settings.action_deadline;
    let spot = aim::locate(session, &aim, Wants { enabled: true, observe: true, ..Wants::NOTHING }, deadline).await?;
    give_focus(session, &spot).await?;
    let mut outcome = chosen_outcome(focus.clone().into(), &spot);
    outcome.message = format!("{} has the focus", describe(&spot.landed));
    Ok(outcome)
}

/// Gives an element the focus, or says that it takes none.
pub(super) async fn give_focus(session: &Session, spot: &Spot) -> Result<(), ActionError> {
    #[derive(Debug, Default, Deserialize)]
    #[serde(default)]
    struct Focused {
        focused: bool,
    }
    let focused: Focused = ask(session, &spot.world, Call::new("focusOn").arg(spot.local)).await?;
    if focused.focused {
        return Ok(());
    }
    Err(ActionError::new(ErrorCode::NotInteractable, format!("{} does not take the focus", describe(&spot.landed))))
}
