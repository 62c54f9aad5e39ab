//! Clicking and hovering: a whole gesture in one burst, swallowed before the page sees it unless it lands on the target.

use std::time::Duration;

use serde::Deserialize;
use tokio::time::Instant;
use webhand_browser::{BrowserError, FrameInfo, Tab};
use webhand_cdp::protocol::input::{self, DispatchMouseEvent, DispatchMouseEventType};
use webhand_page::{Call, PageError, World};

use super::{
    aim::{self, Aim, Spot, Wants},
    effects::{BLANK, Popup, Seen, Watch},
};
use crate::{
    catalogue::{Action, Click, Hover, Modifier, MouseButton, OpenedTab, Target},
    effects::Effect,
    error::{ActionError, ErrorCode},
    outcome::{Landed, Located, Outcome},
    session::{Session, browser_trouble, page_trouble},
};

/// How long the browser may take to carry a gesture out.
const GESTURE_WITHIN: Duration = Duration::from_secs(5);

/// What a gesture is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gesture {
    pub(crate) button: MouseButton,
    pub(crate) count: u8,
    pub(crate) modifiers: i64,
    pub(crate) hold: Duration,
}

impl Gesture {
    pub(crate) const CLICK: Gesture =
        Gesture { button: MouseButton::Left, count: 1, modifiers: 0, hold: Duration::ZERO };

    fn of(click: &Click) -> Self {
        let modifiers = click.modifiers.iter().fold(0, |bits, modifier| bits | modifier_bit(*modifier));
        let hold = Duration::from_millis(u64::from(click.hold_ms));
        Self { button: click.button, count: click.count.max(1), modifiers, hold }
    }
}

pub(crate) fn modifier_bit(modifier: Modifier) -> i64 {
    match modifier {
        Modifier::Alt => 1,
        Modifier::Control => 2,
        Modifier::Meta => 4,
        Modifier::Shift => 8,
    }
}

/// How a gesture ended.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Report {
    verdict: String,
    on: String,
    /// Whether the target is still in the page.
    there: bool,
}

pub(super) async fn click(session: &mut Session, click: &Click) -> Result<Outcome, ActionError> {
    let action = Action::from(click.clone());
    if let Target::Point { x, y } = click.target {
        return click_point(session, click, x, y).await;
    }
    let aim = aim::aim(session, &click.target).await?;
    let landing = gesture_on(session, &aim, Gesture::of(click)).await?;
    finish_click(session, action, landing, click.new_tab == OpenedTab::Follow).await
}

/// A gesture that landed, and what followed.
pub(crate) struct Landing {
    pub(crate) spot: Spot,
    pub(crate) seen: Seen,
}

/// Performs a gesture on an element; tries again while it lands elsewhere, which then sees nothing of it.
pub(crate) async fn gesture_on(session: &mut Session, aim: &Aim, gesture: Gesture) -> Result<Landing, ActionError> {
    let deadline = Instant::now() + session.settings.action_deadline;
    let mut tried = 0;
    loop {
        let spot = aim::locate_from(session, aim, Wants::CLICK, deadline, tried).await?;
        tried = spot.attempts;
        let Some((x, y)) = spot.point else {
            return Err(ActionError::new(ErrorCode::Internal, "located without a point"));
        };
        let watch = Watch::start(&session.tab);
        let performed = perform(&session.tab, x, y, gesture).await;
        match performed {
            // the gesture's own dialog holds its reply back: it arrived
            Err(BrowserError::DialogOpen(_) | BrowserError::TabClosed) => {}
            other => {
                other.map_err(|error| browser_trouble(&error))?;
                let report = disarm(&spot.world).await?;
                if report.verdict == "miss" {
                    if Instant::now() >= deadline {
                        return Err(ActionError::new(
                            ErrorCode::NotInteractable,
                            format!(
                                "{} moved away each time; {} stood there and got nothing",
                                aim::label(aim),
                                report.on
                            ),
                        )
                        .with_kind("moving"));
                    }
                    continue;
                }
                if report.verdict == "lost" && report.there {
                    return Err(ActionError::new(
                        ErrorCode::NotInteractable,
                        format!(
                            "{} moved away under the press; no click reached it, and none reached {}",
                            aim::label(aim),
                            report.on
                        ),
                    )
                    .with_kind("moving")
                    .with_hint("the press itself was seen by the page; look again"));
                }
            }
        }
        let seen = watch.settle(&spot.world, &session.settings).await;
        return Ok(Landing { spot, seen });
    }
}

/// Ends the guard. When the page is gone meanwhile, the gesture did that: it landed.
async fn disarm(world: &World) -> Result<Report, ActionError> {
    match world.call(&Call::new("disarm"), GESTURE_WITHIN).await {
        Ok(report) => Ok(report),
        Err(PageError::Browser(
            BrowserError::DialogOpen(_) | BrowserError::TabClosed | BrowserError::FrameGone | BrowserError::Cdp(_),
        )) => Ok(Report { verdict: "hit".to_owned(), on: String::new(), there: false }),
        Err(error) => Err(page_trouble(&error)),
    }
}

/// Move, press and release in one write: the page cannot change between press and release.
async fn perform(tab: &Tab, x: f64, y: f64, gesture: Gesture) -> Result<(), BrowserError> {
    let button = match gesture.button {
        MouseButton::Right => (input::MouseButton::Right, 2),
        MouseButton::Middle => (input::MouseButton::Middle, 4),
        _ => (input::MouseButton::Left, 1),
    };
    let event = |kind: DispatchMouseEventType, count: i64, down: bool| {
        let mut event = DispatchMouseEvent::new(kind, x, y);
        event.modifiers = Some(gesture.modifiers);
        if count > 0 {
            event.button = Some(button.0.clone());
            event.buttons = Some(if down { button.1 } else { 0 });
            event.click_count = Some(count);
        }
        event
    };
    let mut burst = tab.session().burst();
    let mut pending = vec![burst.add(&event(DispatchMouseEventType::MouseMoved, 0, false))];
    for count in 1..=i64::from(gesture.count) {
        pending.push(burst.add(&event(DispatchMouseEventType::MousePressed, count, true)));
        if !gesture.hold.is_zero() {
            burst.send();
            tokio::time::sleep(gesture.hold).await;
            burst = tab.session().burst();
        }
        pending.push(burst.add(&event(DispatchMouseEventType::MouseReleased, count, false)));
    }
    burst.send();
    for reply in pending {
        tab.race(reply, GESTURE_WITHIN).await?;
    }
    Ok(())
}

async fn finish_click(
    session: &mut Session,
    action: Action,
    landing: Landing,
    follow: bool,
) -> Result<Outcome, ActionError> {
    let Landing { spot, seen } = landing;
    if seen.crashed {
        return Err(ActionError::new(ErrorCode::BrowserLost, "the page crashed on the click; what it did is in doubt"));
    }
    let any = seen.any();
    let popups = seen.popups.clone();
    let mut effects = seen.into_effects(session, &spot.world);
    for popup in popups {
        effects.push(adopt(session, popup, follow).await);
    }
    let what = describe(&spot.landed);
    let mut outcome = Outcome::done(action, format!("clicked {what}"));
    outcome.attempts = spot.attempts;
    outcome.located_by = Some(spot.by);
    outcome.target = Some(spot.landed);
    outcome.effects = effects;
    if !any {
        if spot.tag == "canvas" || spot.tag == "video" || spot.tag == "audio" {
            outcome.notes.push("unobserved: what a canvas or player does cannot be seen from outside".to_owned());
        } else {
            outcome.ok = false;
            let error =
                ActionError::new(ErrorCode::NoEffect, format!("clicked {what}, and nothing was seen to follow"))
                    .with_hint("look again; it may need another control, or a value first");
            outcome.message.clone_from(&error.detail);
            outcome.error = Some(error);
        }
    }
    Ok(outcome)
}

/// A popup becomes the current tab, unless told not to; its page is waited for.
pub(crate) async fn adopt(session: &mut Session, popup: Popup, follow: bool) -> Effect {
    let id = popup.tab.to_string();
    let Some(tab) = session.context.tab(popup.tab) else {
        return Effect::TabClosed { tab: id };
    };
    let mut events = tab.events();
    let limit = Instant::now() + session.settings.settle_cap;
    let ready = |frame: &FrameInfo| frame.dom_ready && !(popup.has_page && matches!(frame.url.as_str(), "" | BLANK));
    // a popup that has its page already has nothing to say
    while !tab.is_closed() && !tab.frames().first().is_some_and(ready) {
        if !matches!(tokio::time::timeout_at(limit, events.next()).await, Ok(Some(_))) {
            break;
        }
    }
    if tab.is_closed() {
        return Effect::TabClosed { tab: id };
    }
    let url = tab.url();
    if follow {
        session.tab = tab;
    }
    Effect::TabOpened { tab: id, url, followed: follow }
}

async fn click_point(session: &mut Session, click: &Click, x: f64, y: f64) -> Result<Outcome, ActionError> {
    let world = main_world(session)?;
    let observed: Result<serde_json::Value, PageError> =
        world.call(&Call::new("locatePoint").arg(x).arg(y), session.settings.action_deadline).await;
    let observed = observed.map_err(|error| page_trouble(&error))?;
    if observed.get("ok").is_none() {
        return Err(ActionError::new(ErrorCode::NotInteractable, format!("nothing stands at {x},{y} in view"))
            .with_kind("out_of_view"));
    }
    let watch = Watch::start(&session.tab);
    match perform(&session.tab, x, y, Gesture::of(click)).await {
        Ok(()) | Err(BrowserError::DialogOpen(_) | BrowserError::TabClosed) => {}
        Err(error) => return Err(browser_trouble(&error)),
    }
    let seen = watch.settle(&world, &session.settings).await;
    let any = seen.any();
    let popups = seen.popups.clone();
    let on = observed.get("on").and_then(serde_json::Value::as_str).unwrap_or("the page").to_owned();
    let mut outcome = Outcome::done(click.clone().into(), format!("clicked at {x},{y} on {on}"));
    outcome.effects = seen.into_effects(session, &world);
    for popup in popups {
        let follow = click.new_tab == OpenedTab::Follow;
        let opened = adopt(session, popup, follow).await;
        outcome.effects.push(opened);
    }
    outcome.located_by = Some(Located::Coordinates);
    outcome.target = Some(Landed::new(None, "point", on));
    if !any {
        outcome.notes.push("unobserved: nothing was seen to follow".to_owned());
    }
    Ok(outcome)
}

pub(super) async fn hover(session: &mut Session, hover: &Hover) -> Result<Outcome, ActionError> {
    let aim = aim::aim(session, &hover.target).await?;
    let deadline = Instant::now() + session.settings.action_deadline;
    let spot = aim::locate(session, &aim, Wants::HOVER, deadline).await?;
    let Some((x, y)) = spot.point else {
        return Err(ActionError::new(ErrorCode::Internal, "located without a point"));
    };
    let watch = Watch::start(&session.tab);
    let moved = session.tab.session().send(&DispatchMouseEvent::new(DispatchMouseEventType::MouseMoved, x, y));
    session.tab.race(moved, GESTURE_WITHIN).await.map_err(|error| browser_trouble(&error))?;
    let mut settings = session.settings.clone();
    settings.patience = settings.patience.min(Duration::from_millis(300));
    let seen = watch.settle(&spot.world, &settings).await;
    let any = seen.any();
    let mut outcome = Outcome::done(hover.clone().into(), format!("pointer is on {}", describe(&spot.landed)));
    outcome.effects = seen.into_effects(session, &spot.world);
    outcome.attempts = spot.attempts;
    outcome.located_by = Some(spot.by);
    outcome.target = Some(spot.landed);
    if !any {
        outcome.notes.push("nothing was seen to follow".to_owned());
    }
    Ok(outcome)
}

pub(crate) fn main_world(session: &Session) -> Result<World, ActionError> {
    let frame = session.tab.main_frame().ok_or_else(|| ActionError::new(ErrorCode::BrowserLost, "the tab is gone"))?;
    Ok(World::new(&session.tab, frame))
}

/// `B12 "Save"`.
pub(crate) fn describe(landed: &Landed) -> String {
    match landed.r#ref {
        Some(own) => format!("{own} {:?}", landed.name),
        None => format!("{} {:?}", landed.role, landed.name),
    }
}
