//! Clicking and hovering: a whole gesture in one burst, swallowed before the page sees it unless it lands on the target.

use std::time::Duration;

use serde::Deserialize;
use tokio::time::{Instant, sleep};
use webhand_browser::{BrowserError, Tab};
use webhand_cdp::protocol::input::{self, DispatchMouseEvent, DispatchMouseEventType};
use webhand_page::{Call, PageError, Snapshot, World};

use super::{
    aim::{self, Aim, Spot, Wants},
    came_up::appeared,
    effects::{Place, Seen, Watch},
    guard::{self, Others, Report, Verdict},
    popups::adopt,
    stand_down,
};
use crate::{
    catalogue::{Action, Click, Hover, Modifier, MouseButton, OpenedTab, Target},
    effects::Effect,
    error::{ActionError, ErrorCode},
    outcome::{Landed, Located, Outcome},
    risk::{Approved, Sending},
    session::{Session, browser_trouble, page_trouble},
};

/// How long a page may take to say what is under the pointer.
const SAYS_WITHIN: Duration = Duration::from_secs(2);
/// However late it is, the browser has so long to carry a gesture out.
pub(super) const AT_LEAST: Duration = Duration::from_millis(500);
/// However late it is, the page has so long to say what arrived.
const ANSWERS_WITHIN: Duration = Duration::from_secs(2);
/// So often a press is repeated that the page took no notice of, since it drew its button anew under it.
const PRESSES: u32 = 5;

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

    /// One press of the left button, without holding it.
    fn is_plain(&self) -> bool {
        self.button == MouseButton::Left && self.count == 1 && self.hold.is_zero()
    }

    /// Where a tab comes up that the browser opens for a link: one pressed with the wheel, or with a key held.
    fn opens(self) -> Option<Place> {
        let held = |modifier| self.modifiers & modifier_bit(modifier) != 0;
        let wheel = self.button == MouseButton::Middle;
        let aside = wheel || held(Modifier::Control) || held(Modifier::Meta);
        match (aside, held(Modifier::Shift)) {
            (true, false) => Some(Place::Back),
            (_, true) => Some(Place::Front),
            (false, false) => None,
        }
    }

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

pub(super) async fn click(session: &mut Session, click: &Click) -> Result<Outcome, ActionError> {
    let action = Action::from(click.clone());
    if let Target::Point { x, y } = click.target {
        return click_point(session, click, x, y).await;
    }
    let aim = aim::aim(session, &click.target).await?;
    let landing = gesture_on(session, &aim, Gesture::of(click)).await?;
    let short = shortfall(&landing, click);
    finish_click(session, action, landing, short, click.new_tab == OpenedTab::Follow).await
}

/// A gesture that landed, and what followed.
pub(crate) struct Landing {
    pub(crate) spot: Spot,
    pub(crate) seen: Seen,
    pub(crate) report: Report,
}

/// How exactly a gesture must land.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Precision {
    /// On the target and no other control in it, pressed and released, so that a click comes of it.
    Exact,
    /// Its release may come elsewhere: what was chosen may be gone by then.
    Pressed,
    /// The same, and another control in the target will do: what opens a list may be made of several, and lie under it then.
    Within,
}

/// Performs a gesture on an element; tries again while it lands elsewhere, which then sees nothing of it.
pub(crate) async fn gesture_on(session: &mut Session, aim: &Aim, gesture: Gesture) -> Result<Landing, ActionError> {
    Box::pin(press_on(session, aim, gesture, Precision::Exact)).await
}

/// The same, where it is enough for some that the press landed.
pub(crate) async fn press_on(
    session: &mut Session,
    aim: &Aim,
    gesture: Gesture,
    precision: Precision,
) -> Result<Landing, ActionError> {
    let mut deadline = Instant::now() + session.settings.action_deadline;
    let others = Others::of(session, aim);
    let within = precision == Precision::Within;
    let wants = Wants { hold: gesture.hold.as_millis() as u64, within, ..Wants::CLICK };
    let mut tried = 0;
    let mut presses = 0;
    loop {
        let ((), spot) =
            tokio::join!(others.forbid(gesture.hold), aim::locate_from(session, aim, wants, deadline, tried));
        let spot = match spot {
            Ok(spot) => spot,
            Err(error) => {
                others.allow().await;
                return Err(error);
            }
        };
        tried = spot.attempts;
        let Some((x, y)) = spot.point else {
            return Err(ActionError::new(ErrorCode::Internal, "located without a point"));
        };
        match approve_press(session, &spot, gesture).await {
            Ok(Approved::Now) => {}
            Ok(Approved::After(took)) => {
                deadline += took;
                continue;
            }
            Err(error) => {
                stand_down(&session.tab);
                return Err(error);
            }
        }
        let mut watch = Watch::start(&session.tab).expecting_tabs(gesture.opens());
        presses += 1;
        let within = deadline.saturating_duration_since(Instant::now()).max(AT_LEAST);
        let report = match perform(&session.tab, x, y, gesture, within).await {
            // the gesture's own dialog holds its reply back: it arrived
            Err(BrowserError::DialogOpen(_) | BrowserError::TabClosed) => Report::cut_off(),
            other => {
                other.map_err(|error| browser_trouble(&error))?;
                match guard::disarm(&spot, aim, &others, &mut watch, within.max(ANSWERS_WITHIN)).await? {
                    Verdict::Landed(report)
                        if precision == Precision::Exact
                            && gesture.is_plain()
                            && presses < PRESSES
                            && report.came_to_nothing()
                            && !watch.has_begun() =>
                    {
                        sleep(aim::pause_after(presses)).await;
                        continue;
                    }
                    Verdict::Landed(report) => report,
                    Verdict::Lost(report) if precision != Precision::Exact => report,
                    Verdict::Lost(report) => return Err(guard::lost(&report, aim)),
                    Verdict::Missed(on) if Instant::now() >= deadline => {
                        let detail = format!(
                            "{} moved away or was covered each time; {on} stood there and got nothing",
                            aim::label(aim)
                        );
                        return Err(ActionError::new(ErrorCode::NotInteractable, detail).with_kind("moving"));
                    }
                    Verdict::Missed(_) => {
                        sleep(aim::pause_after(tried)).await;
                        continue;
                    }
                }
            }
        };
        let seen = watch.settle(&spot.world, &session.settings).await;
        return Ok(Landing { spot, seen, report });
    }
}

/// Asks whether the press may be done, where it would commit; other buttons than the left one set nothing off.
async fn approve_press(session: &mut Session, spot: &Spot, gesture: Gesture) -> Result<Approved, ActionError> {
    let sending = spot.sending.as_ref().filter(|_| gesture.button == MouseButton::Left);
    session.approve_sending(sending, Some(&spot.landed)).await
}

/// Move, press and release in one write: the page cannot change between press and release.
async fn perform(tab: &Tab, x: f64, y: f64, gesture: Gesture, within: Duration) -> Result<(), BrowserError> {
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
            let release = event(DispatchMouseEventType::MouseReleased, count, false);
            let held = Held { tab, release: Some(release) };
            tokio::time::sleep(gesture.hold).await;
            held.let_go();
            burst = tab.session().burst();
        }
        pending.push(burst.add(&event(DispatchMouseEventType::MouseReleased, count, false)));
    }
    burst.send();
    for reply in pending {
        tab.race(reply, within).await?;
    }
    Ok(())
}

/// A button that is held down. Where the holding is broken off, the button does not stay down.
struct Held<'a> {
    tab: &'a Tab,
    release: Option<DispatchMouseEvent>,
}

impl Held<'_> {
    /// The release comes from elsewhere.
    fn let_go(mut self) {
        self.release = None;
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        if let Some(release) = &self.release {
            drop(self.tab.session().send(release));
        }
    }
}

/// What of a click did not arrive, though its press did.
enum Shortfall {
    None,
    /// The press was taken, and no click came of it.
    Press,
    /// Some of several clicks arrived.
    Some(u32),
}

fn shortfall(landing: &Landing, click: &Click) -> Shortfall {
    let Report { clicks, menu, gone, .. } = landing.report;
    let wanted = if click.button == MouseButton::Right { u32::from(!menu) } else { u32::from(click.count.max(1)) };
    match clicks {
        // what a long press does is done when its time is up
        _ if gone || click.hold_ms > 0 || (click.button == MouseButton::Right && menu) => Shortfall::None,
        clicks if clicks >= wanted => Shortfall::None,
        0 => Shortfall::Press,
        clicks => Shortfall::Some(clicks),
    }
}

async fn finish_click(
    session: &mut Session,
    action: Action,
    landing: Landing,
    short: Shortfall,
    follow: bool,
) -> Result<Outcome, ActionError> {
    let Landing { spot, seen, report } = landing;
    if seen.crashed {
        return Err(ActionError::new(ErrorCode::BrowserLost, "the page crashed on the click; what it did is in doubt"));
    }
    let doubt = Doubt::of(&seen);
    let popups = seen.popups.clone();
    let mut effects = seen.into_effects(session, &spot.world);
    adopt(session, popups, follow, &mut effects).await;
    let what = describe(&spot.landed);
    let mut outcome = Outcome::done(action, format!("clicked {what}"));
    outcome.attempts = spot.attempts;
    outcome.located_by = Some(spot.by);
    outcome.target = Some(spot.landed);
    outcome.effects = effects;
    match short {
        Shortfall::None => {}
        Shortfall::Press => {
            if !report.took_it_away() {
                let detail = format!(
                    "pressed {what}, and no click came of it: the page drew it anew or disabled it under the press"
                );
                let error = ActionError::new(ErrorCode::NotInteractable, detail).with_kind("no_click");
                outcome.fail(error.with_hint("the press itself was seen by the page: look at it again"));
                return Ok(outcome);
            }
            outcome.message = format!("pressed {what}");
            outcome.notes.push("no click came of the press: it took the target away".to_owned());
        }
        Shortfall::Some(clicks) => {
            let detail =
                format!("{clicks} of the clicks arrived at {what}; then {} stood there and got nothing", report.on());
            outcome.fail(ActionError::new(ErrorCode::TargetChanged, detail).with_hint("look at the page again"));
            return Ok(outcome);
        }
    }
    doubt.settle(&mut outcome, &spot.tag);
    Ok(outcome)
}

/// Why a click that arrived may be no success.
enum Doubt {
    None,
    /// The page has not answered since.
    Hangs,
    /// Nothing was seen to follow; in words.
    Nothing(&'static str),
    /// What was seen may be the late doing of an action before it.
    Earlier,
}

impl Doubt {
    fn of(seen: &Seen) -> Self {
        match seen.nothing() {
            _ if seen.silent && !seen.heard() => Doubt::Hangs,
            Some(nothing) => Doubt::Nothing(nothing),
            None if seen.may_be_earlier() => Doubt::Earlier,
            None => Doubt::None,
        }
    }

    fn settle(self, outcome: &mut Outcome, tag: &str) {
        match self {
            Doubt::None => {}
            Doubt::Hangs => {
                let detail = format!("{}, and the page has not answered since", outcome.message);
                outcome.fail(ActionError::new(ErrorCode::Timeout, detail));
            }
            Doubt::Nothing(nothing) => without_effect(outcome, nothing, tag),
            Doubt::Earlier => {
                let detail = format!(
                    "{}, and all that was seen to follow came later, and may be the doing of an action before it",
                    outcome.message
                );
                let error = ActionError::new(ErrorCode::NoEffect, detail).with_kind("in_doubt");
                outcome.fail(error.with_hint("look at the page before you repeat it"));
            }
        }
    }
}

/// Nothing was seen to follow: a failure, but where nothing could be seen.
fn without_effect(outcome: &mut Outcome, nothing: &str, tag: &str) {
    if guard::is_frame(tag) || matches!(tag, "canvas" | "video" | "audio") {
        outcome.notes.push("unobserved: what a canvas, player or plug-in does cannot be seen from outside".to_owned());
        return;
    }
    let detail = format!("{}, and {nothing}", outcome.message);
    outcome.fail(
        ActionError::new(ErrorCode::NoEffect, detail)
            .with_hint("look again; it may need another control, or a value first"),
    );
}

async fn click_point(session: &mut Session, click: &Click, x: f64, y: f64) -> Result<Outcome, ActionError> {
    let world = main_world(session)?;
    let gesture = Gesture::of(click);
    let observed = stands_at(session, &world, gesture, x, y).await?;
    let mut watch = Watch::start(&session.tab).expecting_tabs(gesture.opens());
    match perform(&session.tab, x, y, gesture, session.settings.action_deadline).await {
        Ok(()) => guard::disarm_point(&world, x, y, &mut watch).await?,
        Err(BrowserError::DialogOpen(_) | BrowserError::TabClosed) => {}
        Err(error) => return Err(browser_trouble(&error)),
    }
    let seen = watch.settle(&world, &session.settings).await;
    let doubt = Doubt::of(&seen);
    let popups = seen.popups.clone();
    let on = observed.on;
    let mut outcome = Outcome::done(click.clone().into(), format!("clicked at {x},{y} on {on}"));
    outcome.effects = seen.into_effects(session, &world);
    adopt(session, popups, click.new_tab == OpenedTab::Follow, &mut outcome.effects).await;
    outcome.located_by = Some(Located::Coordinates);
    outcome.target = Some(Landed::new(None, "point", on));
    doubt.settle(&mut outcome, &observed.tag);
    Ok(outcome)
}

/// What stands at a point.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Stands {
    ok: bool,
    on: String,
    tag: String,
    sending: Option<Sending>,
}

/// Looks what stands there, and whether it may be pressed.
async fn stands_at(
    session: &mut Session,
    world: &World,
    gesture: Gesture,
    x: f64,
    y: f64,
) -> Result<Stands, ActionError> {
    loop {
        let observed: Result<Stands, PageError> =
            world.call(&Call::new("locatePoint").arg(x).arg(y), session.settings.action_deadline).await;
        let observed = observed.map_err(|error| page_trouble(&error))?;
        if !observed.ok {
            return Err(ActionError::new(ErrorCode::NotInteractable, format!("nothing stands at {x},{y} in view"))
                .with_kind("out_of_view"));
        }
        let sending = observed.sending.as_ref().filter(|_| gesture.button == MouseButton::Left);
        let on = Landed::new(None, "point", &observed.on);
        match session.approve_sending(sending, Some(&on)).await {
            Ok(Approved::Now) => return Ok(observed),
            // each reason is asked for once
            Ok(Approved::After(_)) => {}
            Err(error) => {
                stand_down(&session.tab);
                return Err(error);
            }
        }
    }
}

pub(super) async fn hover(session: &mut Session, hover: &Hover) -> Result<Outcome, ActionError> {
    let aim = aim::aim(session, &hover.target).await?;
    // what stood there before is told apart from what comes up
    let before = session.glanced().await?;
    let (spot, watch) = move_onto(session, &aim).await?;
    let limit = Instant::now() + session.settings.patience;
    let seen = watch.settle(&spot.world, &session.settings).await;
    let (silent, any) = (seen.silent, seen.any());
    let came = if silent || seen.heard() { Vec::new() } else { came_up(session, &spot, &before, limit).await };
    let mut outcome = Outcome::done(hover.clone().into(), format!("pointer is on {}", describe(&spot.landed)));
    outcome.effects = seen.into_effects(session, &spot.world);
    outcome.attempts = spot.attempts;
    outcome.located_by = Some(spot.by);
    outcome.target = Some(spot.landed);
    if silent {
        let detail = format!("{}, and the page has not answered since", outcome.message);
        outcome.fail(ActionError::new(ErrorCode::Timeout, detail));
    } else if !any && came.is_empty() {
        outcome.notes.push("nothing was seen to follow".to_owned());
    }
    outcome.effects.extend(came);
    Ok(outcome)
}

/// Moves the pointer onto an element, and sees to it that it is there.
pub(crate) async fn move_onto(session: &mut Session, aim: &Aim) -> Result<(Spot, Watch), ActionError> {
    let deadline = Instant::now() + session.settings.action_deadline;
    let mut tried = 0;
    loop {
        let spot = aim::locate_from(session, aim, Wants::HOVER, deadline, tried).await?;
        tried = spot.attempts;
        let Some((x, y)) = spot.point else {
            return Err(ActionError::new(ErrorCode::Internal, "located without a point"));
        };
        let watch = Watch::start(&session.tab);
        let within = deadline.saturating_duration_since(Instant::now()).max(AT_LEAST);
        let moved = session.tab.session().send(&DispatchMouseEvent::new(DispatchMouseEventType::MouseMoved, x, y));
        session.tab.race(moved, within).await.map_err(|error| browser_trouble(&error))?;
        let call = Call::new("isHovered").arg(spot.local);
        let on: Result<bool, PageError> = spot.world.call(&call, within.min(SAYS_WITHIN)).await;
        // a page that went cannot say: the move did that
        if on.unwrap_or(true) {
            return Ok((spot, watch));
        }
        if Instant::now() >= deadline {
            let detail = format!("{} moved away from under the pointer each time", aim::label(aim));
            return Err(ActionError::new(ErrorCode::NotInteractable, detail).with_kind("moving"));
        }
        sleep(aim::pause_after(tried)).await;
    }
}

/// What came up under the pointer, once it is at rest. Style rules open menus without a word, and scripts often after a
/// moment: until the limit it is looked for again whenever something changed.
async fn came_up(session: &mut Session, spot: &Spot, before: &Snapshot, limit: Instant) -> Vec<Effect> {
    loop {
        let within = session.settings.settle_cap;
        let rest = Call::new("awaitRest").arg(within.as_millis() as u64);
        let _: Result<bool, PageError> = spot.world.call(&rest, within + AT_LEAST).await;
        let Ok(now) = session.glance().await else { return Vec::new() };
        let came = appeared(before, &now);
        let left = limit.saturating_duration_since(Instant::now());
        if !came.is_empty() || left.is_zero() {
            return came;
        }
        let change = Call::new("awaitChange").arg(left.as_millis() as u64);
        let changed: Result<bool, PageError> = spot.world.call(&change, left + AT_LEAST).await;
        if !matches!(changed, Ok(true)) {
            return came;
        }
    }
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
