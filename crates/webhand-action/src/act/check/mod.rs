//! Checkboxes, radio buttons, switches and toggles: set, not toggled. A real click, or Space where a click does nothing at
//! all, and then whether they stand as asked.

mod reading;

use tokio::time::Instant;
use webhand_page::{Call, Checked};

use self::reading::{Reading, note_state};
use super::{
    aim::{self, Aim, Wants},
    focus::give_focus,
    guard::KeyGuard,
    keyboard::{self, Keep},
    keys,
    pointer::{self, Gesture, describe},
    readback::{ask, is_elsewhere, landed_outcome, reject, unread},
};
use crate::{
    catalogue::Check,
    effects::{Effect, Effects},
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    session::Session,
};

/// One of three states is reached by so many clicks at most.
const CLICKS_MAX: u32 = 3;

/// What came of one press.
struct Pressed {
    effects: Effects,
    /// Anything at all was seen to follow.
    any: bool,
    /// A dialog holds the page.
    dialog: bool,
    /// Another document stands there.
    went_on: bool,
}

pub(super) async fn check(session: &mut Session, check: &Check) -> Result<Outcome, ActionError> {
    let aim = aim::aim(session, &check.target).await?;
    let deadline = Instant::now() + session.settings.action_deadline;
    let before = aim::locate(session, &aim, Wants { enabled: true, ..Wants::NOTHING }, deadline).await?;
    let what = describe(&before.landed);
    let wanted = if check.on { Checked::True } else { Checked::False };
    let now = settable(&what, before.state.checked.or(before.state.pressed))?;
    let mut outcome = landed_outcome(check.clone().into(), &before);
    if now == wanted {
        outcome.message = format!("{what} is {} already", word(check));
        return Ok(outcome);
    }
    if !check.on && (before.kind == "radio" || matches!(before.landed.role.as_str(), "radio" | "menuitemradio")) {
        let detail = format!("{what} is a radio button: it cannot be unchecked");
        return Err(ActionError::new(ErrorCode::InvalidAction, detail).with_hint("check another one of its group"));
    }
    let reading = Reading::begin(session, &before).await?;
    let (pressed, stands) = press_until(session, &aim, &reading, (now, wanted)).await?;
    outcome.effects = pressed.effects;
    outcome.message = format!("{} {what}", word(check));
    note_state(&mut outcome.effects, stands, wanted);
    match stands {
        None => unread(&mut outcome, &format!("clicked {what}")),
        Some(stands) if stands == wanted && pressed.went_on => {
            outcome.notes.push(format!("the page was loaded anew, and there it is {}", word(check)));
        }
        Some(stands) if stands == wanted => {}
        Some(_) if pressed.any => reject(&mut outcome, format!("{what} is not {} after the click", word(check))),
        Some(_) => {
            let detail = format!("clicked {what}, and it did not change");
            outcome.fail(ActionError::new(ErrorCode::NoEffect, detail));
        }
    }
    Ok(outcome)
}

/// The state that can be set; an error for what has none.
fn settable(what: &str, state: Option<Checked>) -> Result<Checked, ActionError> {
    state.ok_or_else(|| {
        ActionError::new(ErrorCode::InvalidAction, format!("{what} is nothing that can be checked"))
            .with_kind("wrong_action")
            .with_hint("use click on it")
    })
}

fn word(check: &Check) -> &'static str {
    if check.on { "checked" } else { "unchecked" }
}

/// Presses it until it stands as wanted, as long as each press changes it; by a key where a click does nothing at all.
async fn press_until(
    session: &mut Session,
    aim: &Aim,
    reading: &Reading,
    (mut now, wanted): (Checked, Checked),
) -> Result<(Pressed, Option<Checked>), ActionError> {
    let mut clicks = 0;
    loop {
        clicks += 1;
        let mut pressed = click(session, aim).await?;
        let mut stands = stands_now(session, aim, reading, &pressed, wanted).await?;
        if stands == Some(now)
            && !pressed.any
            && let Some(struck) = strike(session, aim).await?
        {
            pressed = struck;
            stands = stands_now(session, aim, reading, &pressed, wanted).await?;
        }
        match stands {
            Some(stands) if stands != wanted && stands != now && clicks < CLICKS_MAX => now = stands,
            stands => return Ok((pressed, stands)),
        }
    }
}

async fn stands_now(
    session: &mut Session,
    aim: &Aim,
    reading: &Reading,
    pressed: &Pressed,
    wanted: Checked,
) -> Result<Option<Checked>, ActionError> {
    match pressed {
        Pressed { dialog: true, .. } => Ok(None),
        Pressed { went_on: true, .. } => Ok(reading::by_name(session, aim).await),
        _ => {
            let asked = pressed.effects.iter().any(|effect| matches!(effect, Effect::Requests { .. }));
            reading.stands(session, aim, wanted, asked).await
        }
    }
}

async fn click(session: &mut Session, aim: &Aim) -> Result<Pressed, ActionError> {
    let landing = pointer::gesture_on(session, aim, Gesture::CLICK).await?;
    let dialog = session.tab.dialog().is_some();
    let went_on = is_elsewhere(&landing.seen);
    let any = landing.seen.any();
    let effects = landing.seen.into_effects(session, &landing.spot.world);
    Ok(Pressed { effects, any, dialog, went_on })
}

/// Strikes the key that toggles it. None where it does not take the focus.
async fn strike(session: &mut Session, aim: &Aim) -> Result<Option<Pressed>, ActionError> {
    let deadline = Instant::now() + session.settings.action_deadline;
    let spot = aim::locate(session, aim, Wants { enabled: true, ..Wants::NOTHING }, deadline).await?;
    if give_focus(session, &spot).await.is_err() {
        return Ok(None);
    }
    let _: serde_json::Value = ask(session, &spot.world, Call::new("noteCheck").arg(spot.local)).await?;
    let guard = KeyGuard::arm(session, aim, &spot, false).await?;
    let strokes = keys::parse("Space").map_err(|error| ActionError::new(ErrorCode::Internal, error.to_string()))?;
    let keep = Keep::Element(Box::new((guard, aim.clone())));
    let followed = keyboard::strike(session, &spot.world, &strokes, keep).await?;
    let dialog = session.tab.dialog().is_some();
    let went_on = followed.effects.new_document();
    Ok(Some(Pressed { any: followed.any, dialog, went_on, effects: followed.effects }))
}
