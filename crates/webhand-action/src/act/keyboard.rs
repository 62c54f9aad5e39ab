//! Keys for what has the focus: chords, sequences and text, as real key events.

use tokio::time::Instant;
use webhand_cdp::protocol::input::InsertText;
use webhand_page::{Call, PageError, World};

use super::{
    aim::{self, Aim, Wants},
    effects::Watch,
    focus::give_focus,
    guard::{KeyGuard, Report},
    keys::{self, Key, Stroke},
    pointer::{describe, main_world},
    popups::adopt,
    stand_down,
};
use crate::{
    catalogue::{Press, Type},
    effects::Effects,
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    risk::{Approved, Sending},
    session::{Session, browser_trouble, page_trouble},
};

/// How many strokes are in flight at once.
const IN_FLIGHT: usize = 64;

/// What followed some strokes.
pub(super) struct Followed {
    pub(super) effects: Effects,
    pub(super) any: bool,
    /// What took the focus while text was typed, though it takes none.
    astray: Option<String>,
}

/// Where keys may go, and whether each that may send something is asked for.
pub(super) enum Keep {
    /// Wherever the focus is.
    Free,
    /// To one element, or nowhere.
    Element(Box<(KeyGuard, Aim)>),
    /// To what takes text, once they began there.
    Text,
}

pub(super) async fn press(session: &mut Session, press: &Press) -> Result<Outcome, ActionError> {
    let strokes = keys::parse(&press.keys)
        .map_err(|error| ActionError::new(ErrorCode::InvalidAction, error.to_string()).with_kind("bad_parameter"))?;
    let mut outcome = Outcome::done(press.clone().into(), format!("pressed {}", press.keys));
    let mut keep = Keep::Free;
    let world = match &press.target {
        Some(target) => {
            let aim = aim::aim(session, target).await?;
            let deadline = Instant::now() + session.settings.action_deadline;
            let spot = aim::locate(session, &aim, Wants { enabled: true, ..Wants::NOTHING }, deadline).await?;
            give_focus(session, &spot).await?;
            keep = Keep::Element(Box::new((KeyGuard::arm(session, &aim, &spot, false).await?, aim)));
            outcome.message = format!("pressed {} on {}", press.keys, describe(&spot.landed));
            outcome.attempts = spot.attempts;
            outcome.located_by = Some(spot.by);
            outcome.target = Some(spot.landed);
            spot.world
        }
        None => main_world(session)?,
    };
    let followed = strike_judged(session, &world, &strokes, keep).await?;
    outcome.effects = followed.effects;
    if !followed.any {
        outcome.notes.push("nothing was seen to follow".to_owned());
    }
    Ok(outcome)
}

pub(super) async fn type_text(session: &mut Session, text: &Type) -> Result<Outcome, ActionError> {
    let strokes = keys::strokes_of_text(&text.text);
    let followed = strike_judged(session, &main_world(session)?, &strokes, Keep::Text).await?;
    let mut outcome = Outcome::done(
        text.clone().into(),
        match text.text.chars().count() {
            1 => "typed 1 character".to_owned(),
            count => format!("typed {count} characters"),
        },
    );
    outcome.effects = followed.effects;
    if let Some(on) = followed.astray {
        let detail = format!("the focus went to {on} while the text was typed; that takes no text, and got none of it");
        let error = ActionError::new(ErrorCode::NotInteractable, detail).with_kind("focus_lost");
        outcome.fail(error.with_hint("look at the page again: a part of the text may have arrived before"));
        return Ok(outcome);
    }
    if !followed.any {
        let error = ActionError::new(
            ErrorCode::NoEffect,
            "typed, and nothing was seen to follow: no field seems to have the focus",
        )
        .with_hint("use fill with the field's ref, or click the field first");
        outcome.ok = false;
        outcome.message.clone_from(&error.detail);
        outcome.error = Some(error);
    }
    Ok(outcome)
}

/// Strikes keys and waits for what follows. A guard keeps them from going elsewhere than to the element that it is for.
pub(super) async fn strike(
    session: &mut Session,
    world: &World,
    strokes: &[Stroke],
    keep: Keep,
) -> Result<Followed, ActionError> {
    Box::pin(strike_as(session, world, strokes, keep, Asks::Nothing)).await
}

/// The same for keys that were asked for as such: what they would set off is judged, as that of a press is.
pub(super) async fn strike_judged(
    session: &mut Session,
    world: &World,
    strokes: &[Stroke],
    keep: Keep,
) -> Result<Followed, ActionError> {
    let asks = if matches!(keep, Keep::Text) { Asks::OfText } else { Asks::OfEach };
    Box::pin(strike_as(session, world, strokes, keep, asks)).await
}

/// Which keys are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asks {
    Nothing,
    OfEach,
    /// A space that goes into a text is followed by others that do.
    OfText,
}

async fn strike_as(
    session: &mut Session,
    world: &World,
    strokes: &[Stroke],
    keep: Keep,
    asks: Asks,
) -> Result<Followed, ActionError> {
    let world = &observe_focus(session, world.clone()).await?;
    if let Keep::Text = keep {
        let armed: Result<(), PageError> = world.call(&Call::new("armTyping"), session.settings.action_deadline).await;
        armed.map_err(|error| page_trouble(&error))?;
    }
    let watch = Watch::start(&session.tab);
    let sent = match asks {
        Asks::Nothing => send(session, strokes).await,
        asks => Box::pin(send_judged(session, world, strokes, asks)).await,
    };
    match sent {
        Err(error) if session.tab.dialog().is_none() && !session.tab.is_closed() => {
            stand_down(&session.tab);
            return Err(error);
        }
        _ => {}
    }
    let mut astray = None;
    if session.tab.dialog().is_none() && !session.tab.is_closed() {
        match keep {
            Keep::Free => {}
            Keep::Element(kept) => {
                let (guard, aim) = *kept;
                guard.disarm(&aim).await?;
            }
            Keep::Text => {
                let told = world.call::<Report>(&Call::new("disarmKeys"), session.settings.action_deadline).await;
                astray = told.ok().and_then(Report::astray);
            }
        }
    }
    let seen = watch.settle(world, &session.settings).await;
    let any = seen.any();
    let popups = seen.popups.clone();
    let mut effects = seen.into_effects(session, world);
    adopt(session, popups, true, &mut effects).await;
    Ok(Followed { effects, any, astray })
}

/// Sends the strokes, and asks before each that may send a form or use a control whether it may.
async fn send_judged(session: &mut Session, world: &World, strokes: &[Stroke], asks: Asks) -> Result<(), ActionError> {
    let mut rest = strokes;
    let mut in_text = false;
    let is_judged = |stroke: &Stroke, in_text: bool| stroke.uses().is_some_and(|(key, _)| key != " " || !in_text);
    while let Some(at) = rest.iter().position(|stroke| is_judged(stroke, in_text)) {
        let (before, from) = rest.split_at(at);
        send(session, before).await?;
        if session.tab.dialog().is_some() || session.tab.is_closed() {
            return send(session, from).await;
        }
        if let Some((key, held)) = from.first().and_then(Stroke::uses) {
            let harmless = approve_key(session, world, key, held).await?;
            in_text = asks == Asks::OfText && key == " " && harmless;
        }
        send(session, &from[..1]).await?;
        rest = &from[1..];
    }
    send(session, rest).await
}

/// Asks whether a key may be struck, where that would commit. A page that does not say has gone on, or hangs. Whether it
/// sets nothing off.
async fn approve_key(session: &mut Session, world: &World, key: &str, held: bool) -> Result<bool, ActionError> {
    loop {
        let call = Call::new("keySends").arg(key).arg(held);
        let sending: Result<Option<Sending>, PageError> = world.call(&call, session.settings.action_deadline).await;
        let Ok(sending) = sending else { return Ok(false) };
        // each reason is asked for once
        if session.approve_sending(sending.as_ref(), None).await? == Approved::Now {
            return Ok(sending.is_none());
        }
    }
}

/// Watches what has the focus, in the frame that has it: where the keys go.
async fn observe_focus(session: &Session, from: World) -> Result<World, ActionError> {
    let mut world = from;
    loop {
        let inner: Result<u32, PageError> =
            world.call(&Call::new("observeActive"), session.settings.action_deadline).await;
        let inner = inner.map_err(|error| page_trouble(&error))?;
        let frames = session.tab.frames();
        let inside = frames.into_iter().filter(|frame| frame.parent.as_ref() == Some(world.frame()));
        // frames are a tree: this goes no deeper than there are frames
        match inside.into_iter().find(|frame| inner > 0 && session.reader.owner(&frame.id) == Some(inner)) {
            Some(frame) => world = World::new(&session.tab, frame.id),
            None => return Ok(world),
        }
    }
}

/// Sends the strokes in order, some at a time in one write.
pub(super) async fn send(session: &Session, strokes: &[Stroke]) -> Result<(), ActionError> {
    for part in strokes.chunks(IN_FLIGHT) {
        let mut burst = session.tab.session().burst();
        let mut inserted = Vec::new();
        let mut pending = Vec::new();
        for stroke in part {
            match &stroke.key {
                Key::Inserted(text) => inserted.push(burst.add(&InsertText::new(text.as_str()))),
                Key::Struck { .. } => pending.extend(keys::events(stroke).iter().map(|event| burst.add(event))),
            }
        }
        burst.send();
        for reply in pending {
            session.tab.race(reply, session.settings.action_deadline).await.map_err(|error| browser_trouble(&error))?;
        }
        for reply in inserted {
            session.tab.race(reply, session.settings.action_deadline).await.map_err(|error| browser_trouble(&error))?;
        }
    }
    Ok(())
}
