//! Checkboxes, radio buttons and switches: a real click, and then whether they stand as asked.

use tokio::time::Instant;
use webhand_page::{Call, Checked};

use super::{
    aim::{self, Aim, Spot, Wants},
    pointer::{self, Gesture, describe},
    readback::{TAKEN_BACK_WITHIN, ask, is_elsewhere, is_gone, landed_outcome, reject, unread},
};
use crate::{
    catalogue::Check,
    effects::{Effect, Effects},
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    session::Session,
};

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
    let mut outcome = landed_outcome(check.clone().into(), &before);
    if now == wanted {
        outcome.message = format!("{what} is {} already", word(check));
        return Ok(outcome);
    }
    if !check.on && (before.kind == "radio" || before.landed.role == "radio") {
        let detail = format!("{what} is a radio button: it cannot be unchecked");
        return Err(ActionError::new(ErrorCode::InvalidAction, detail).with_hint("check another one of its group"));
    }
    let _: Option<bool> = ask(session, &before.world, Call::new("noteClick")).await?;
    let landing = pointer::gesture_on(session, &aim, Gesture::CLICK).await?;
    let dialog = session.tab.dialog().is_some();
    let went_on = is_elsewhere(&landing.seen);
    let any = landing.seen.any();
    outcome.effects = landing.seen.into_effects(session, &landing.spot.world);
    outcome.message = format!("{} {what}", word(check));
    let stands = if dialog {
        None
    } else if went_on {
        on_next_page(session, &aim).await
    } else {
        match read_back(session, &aim, &landing.spot, wanted).await {
            Ok(stands) => stands,
            Err(error) if is_gone(error.code) => None,
            Err(error) => return Err(error),
        }
    };
    note_state(&mut outcome.effects, stands, wanted);
    match stands {
        None => unread(&mut outcome, &format!("clicked {what}")),
        Some(stands) if stands == wanted && went_on => {
            outcome.notes.push(format!("the page was loaded anew, and there it is {}", word(check)));
        }
        Some(stands) if stands == wanted => {}
        Some(_) if any => reject(&mut outcome, format!("{what} is not {} after the click", word(check))),
        Some(_) => {
            let detail = format!("clicked {what}, and it did not change");
            outcome.fail(ActionError::new(ErrorCode::NoEffect, detail));
        }
    }
    Ok(outcome)
}

fn word(check: &Check) -> &'static str {
    if check.on { "checked" } else { "unchecked" }
}

/// How it stands, also after what the click set off had the time to change it.
async fn read_back(
    session: &mut Session,
    aim: &Aim,
    spot: &Spot,
    wanted: Checked,
) -> Result<Option<Checked>, ActionError> {
    let stands = state_now(session, aim).await?;
    if stands != Some(wanted) {
        return Ok(stands);
    }
    let wait = Call::new("waitOnClick").arg(TAKEN_BACK_WITHIN.as_millis() as u64);
    if ask::<bool>(session, &spot.world, wait).await? { state_now(session, aim).await } else { Ok(stands) }
}

async fn state_now(session: &mut Session, aim: &Aim) -> Result<Option<Checked>, ActionError> {
    let deadline = Instant::now() + session.settings.action_deadline;
    let spot = aim::locate(session, aim, Wants::NOTHING, deadline).await?;
    Ok(spot.state.checked.or(spot.state.pressed))
}

/// How it stands on the page that came, where only one of that role and name is there.
async fn on_next_page(session: &mut Session, aim: &Aim) -> Option<Checked> {
    let snapshot = session.glance().await.ok()?;
    let mut equal =
        snapshot.controls().filter(|(node, _)| node.role.as_str() == aim.seen.role && *node.name == *aim.seen.name);
    let (_, only) = equal.next()?;
    if equal.next().is_some() { None } else { only.state.checked.or(only.state.pressed) }
}

/// Makes the effects say how it stands in the end.
fn note_state(effects: &mut Effects, stands: Option<Checked>, wanted: Checked) {
    let Some(state) = stands else { return };
    let mut told = false;
    let now = effects.iter().map(|effect| match effect {
        Effect::Checked { .. } | Effect::Pressed { .. } => {
            told = true;
            if matches!(effect, Effect::Checked { .. }) { Effect::Checked { state } } else { Effect::Pressed { state } }
        }
        other => other.clone(),
    });
    let mut now: Effects = now.collect();
    if !told && state == wanted {
        now.push(Effect::Checked { state });
    }
    *effects = now;
}
