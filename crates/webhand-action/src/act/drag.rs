//! Dragging with real input: by the pointer, or as data where the browser takes the drag up so.
//!
//! The press is guarded like that of a click. What the drag came to is what differs once it is over: a page that puts
//! everything back did not take it.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tokio::time::{Instant, sleep_until, timeout_at};
use webhand_browser::{BrowserError, Tab};
use webhand_cdp::{
    Event as _, EventStream,
    protocol::input::{
        DispatchDragEvent, DispatchDragEventType as DragKind, DispatchMouseEvent, DispatchMouseEventType as MouseKind,
        DragData, DragIntercepted, MouseButton, SetInterceptDrags,
    },
};
use webhand_page::{Call, World};

use super::{
    aim::{self, Aim, Spot, Wants},
    effects::{Seen, Watch},
    guard::{self, Others, Verdict},
    pointer::{AT_LEAST, describe, main_world},
    popups,
    readback::{ask, is_elsewhere, landed_outcome},
};
use crate::{
    catalogue::{Drag, DragMode, Target},
    effects::{Effect, Effects},
    error::{ActionError, ErrorCode},
    outcome::{Landed, Located, Outcome},
    session::{Session, browser_trouble},
};

/// How long the browser may take for one move.
const MOVE_WITHIN: Duration = Duration::from_secs(5);
/// How long a drag of data may be behind the move that begins it.
const TAKEN_UP_WITHIN: Duration = Duration::from_secs(2);
/// How far the first moves go, CSS pixels: pages take a drag up only beyond some distance.
const FIRST: [f64; 3] = [2.0, 6.0, 12.0];
/// In how many moves the rest is gone.
const STEPS: u32 = 12;
/// How far beyond the middle of what it is dropped on, at most: which half it is dropped on says to many lists whether it
/// is to stand before or after.
const BEYOND: f64 = 8.0;

type Point = (f64, f64);

/// Where something is dragged to.
enum Goal {
    Element(Box<Aim>),
    Point(Point),
    Offset(Point),
}

/// A drag that is under way.
struct Course<'a> {
    session: &'a mut Session,
    /// The source's frame.
    world: World,
    at: Point,
}

/// How a drag went, before it is known what it came to.
enum Went {
    /// It was let go at its end.
    Released,
    /// What was dragged as data would not be taken there.
    Refused,
    /// It did not get to its target; what is named was there.
    Missed(String),
    /// It could not be dragged as data.
    NoData,
}

pub(super) async fn drag(session: &mut Session, order: &Drag) -> Result<Outcome, ActionError> {
    let goal = goal(session, order).await?;
    if let Goal::Element(to) = &goal {
        // both ends must be usable before the page sees any of it
        let deadline = Instant::now() + session.settings.action_deadline;
        let wants = Wants { stable: true, point: true, ..Wants::NOTHING };
        aim::locate(session, to, wants, deadline).await?;
    }
    let intercepts = order.mode != DragMode::Pointer;
    if intercepts {
        let told = session.tab.race(session.tab.session().send(&SetInterceptDrags::new(true)), MOVE_WITHIN).await;
        told.map_err(|error| browser_trouble(&error))?;
    }
    let dragged = match &order.target {
        Target::Point { x, y } => from_point(session, order, (*x, *y), &goal).await,
        target => {
            let aim = aim::aim(session, target).await?;
            Box::pin(from_element(session, order, &aim, &goal)).await
        }
    };
    if intercepts {
        drop(session.tab.session().send(&SetInterceptDrags::new(false)));
    }
    dragged
}

/// Drags an element by the pointer so far, for those who see for themselves what it came to.
pub(super) async fn by(session: &mut Session, aim: &Aim, offset: Point) -> Result<(), ActionError> {
    let order = Drag::by(Target::selector(""), offset.0, offset.1).mode(DragMode::Pointer);
    Box::pin(from_element(session, &order, aim, &Goal::Offset(offset))).await.map(|_| ())
}

async fn goal(session: &Session, order: &Drag) -> Result<Goal, ActionError> {
    let target = match (&order.to, &order.to_selector) {
        (Some(text), _) => Some(Target::Ref(*text)),
        (None, Some(selector)) => Some(Target::selector(selector)),
        (None, None) => None,
    };
    if let Some(target) = target {
        return Ok(Goal::Element(Box::new(aim::aim(session, &target).await?)));
    }
    Ok(match (order.to_x, order.to_y) {
        (Some(x), Some(y)) => Goal::Point((x, y)),
        _ => Goal::Offset((order.dx.unwrap_or_default(), order.dy.unwrap_or_default())),
    })
}

async fn from_element(session: &mut Session, order: &Drag, aim: &Aim, goal: &Goal) -> Result<Outcome, ActionError> {
    let deadline = Instant::now() + session.settings.action_deadline;
    let others = Others::of(session, aim);
    let wants = Wants { thumb: true, ..Wants::CLICK };
    let mut tried = 0;
    let (spot, watch, at) = loop {
        let ((), spot) =
            tokio::join!(others.forbid(Duration::ZERO), aim::locate_from(session, aim, wants, deadline, tried));
        let spot = match spot {
            Ok(spot) => spot,
            Err(error) => {
                others.allow().await;
                return Err(error);
            }
        };
        tried = spot.attempts;
        let Some(at) = spot.point else {
            return Err(ActionError::new(ErrorCode::Internal, "located without a point"));
        };
        let _: serde_json::Value = ask(session, &spot.world, Call::new("beginDrag").arg(spot.local)).await?;
        let mut watch = Watch::start(&session.tab);
        press(&session.tab, at).await?;
        if press_strayed(session, &spot.world).await? {
            release(&session.tab, at).await?;
        }
        let within = deadline.saturating_duration_since(Instant::now()).max(AT_LEAST);
        match guard::disarm(&spot, aim, &others, &mut watch, within).await? {
            Verdict::Landed(_) | Verdict::Lost(_) => break (spot, watch, at),
            Verdict::Missed(on) if Instant::now() >= deadline => {
                let detail = format!(
                    "{} moved away or was covered each time; {on} stood there and got nothing",
                    aim::label(aim)
                );
                return Err(ActionError::new(ErrorCode::NotInteractable, detail).with_kind("moving"));
            }
            Verdict::Missed(_) => sleep_until(Instant::now() + aim::pause_after(tried)).await,
        }
    };
    let world = spot.world.clone();
    let went = Course { session: &mut *session, world: world.clone(), at }.go(goal, order.mode).await?;
    let seen = watch.settle(&world, &session.settings).await;
    let mut outcome = landed_outcome(order.clone().into(), &spot);
    outcome.message = format!("dragged {}{}", describe(&spot.landed), words(goal));
    finish(session, outcome, &world, seen, went, &spot.tag).await
}

/// The same for whatever stands at a point.
async fn from_point(session: &mut Session, order: &Drag, at: Point, goal: &Goal) -> Result<Outcome, ActionError> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Stands {
        ok: bool,
        id: u32,
        on: String,
        tag: String,
    }
    let world = main_world(session)?;
    let stands: Stands = ask(session, &world, Call::new("locatePoint").arg(at.0).arg(at.1)).await?;
    if !stands.ok {
        let detail = format!("nothing stands at {},{} in view", at.0, at.1);
        return Err(ActionError::new(ErrorCode::NotInteractable, detail).with_kind("out_of_view"));
    }
    let _: serde_json::Value = ask(session, &world, Call::new("beginDrag").arg(stands.id)).await?;
    let mut watch = Watch::start(&session.tab);
    press(&session.tab, at).await?;
    if press_strayed(session, &world).await? {
        release(&session.tab, at).await?;
    }
    guard::disarm_point(&world, at.0, at.1, &mut watch).await?;
    let went = Course { session: &mut *session, world: world.clone(), at }.go(goal, order.mode).await?;
    let seen = watch.settle(&world, &session.settings).await;
    let mut outcome = Outcome::done(order.clone().into(), String::new());
    outcome.message = format!("dragged {} from {},{}{}", stands.on, at.0, at.1, words(goal));
    outcome.located_by = Some(Located::Coordinates);
    outcome.target = Some(Landed::new(None, "point", stands.on));
    finish(session, outcome, &world, seen, went, &stands.tag).await
}

fn words(goal: &Goal) -> String {
    match goal {
        Goal::Element(to) => format!(" to {}", aim::label(to)),
        Goal::Point((x, y)) => format!(" to {x},{y}"),
        Goal::Offset((dx, dy)) => format!(" by {dx} right, {dy} down"),
    }
}

/// Whether the press did not arrive: then its release must not either.
async fn press_strayed(session: &Session, world: &World) -> Result<bool, ActionError> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Pressed {
        verdict: String,
    }
    let pressed: Pressed = ask(session, world, Call::new("pressed")).await?;
    Ok(pressed.verdict == "miss")
}

impl Course<'_> {
    /// From the press to the release, whatever comes between.
    async fn go(mut self, goal: &Goal, mode: DragMode) -> Result<Went, ActionError> {
        let went = self.way_there(goal, mode).await;
        if went.is_err() {
            let _ = release(&self.session.tab, self.at).await;
        }
        went
    }

    async fn way_there(&mut self, goal: &Goal, mode: DragMode) -> Result<Went, ActionError> {
        let mut intercepted = self.session.tab.session().events(&[DragIntercepted::METHOD]);
        let start = self.at;
        let toward = self.direction(goal, start).await?;
        self.first_moves(start, toward).await?;
        let data = if mode == DragMode::Pointer { None } else { self.taken_up(&mut intercepted).await? };
        if mode == DragMode::Html5 && data.is_none() {
            release(&self.session.tab, self.at).await?;
            return Ok(Went::NoData);
        }
        // what it is dropped on may have made way by now, or look different
        let end = self.end(goal, start).await?;
        match data {
            Some(data) => self.carry(goal, end, data).await,
            None => {
                self.travel(end).await?;
                release(&self.session.tab, self.at).await?;
                Ok(Went::Released)
            }
        }
    }

    /// A point toward which the drag begins. Nothing may scroll before it did.
    async fn direction(&self, goal: &Goal, start: Point) -> Result<Point, ActionError> {
        Ok(match goal {
            Goal::Point(point) => *point,
            Goal::Offset((dx, dy)) => (start.0 + dx, start.1 + dy),
            Goal::Element(to) if to.world.frame() == self.world.frame() => {
                let middle: Option<Point> = ask(self.session, &self.world, Call::new("middleOf").arg(to.local)).await?;
                middle.unwrap_or((start.0, start.1 + FIRST[2]))
            }
            Goal::Element(_) => (start.0, start.1 + FIRST[2]),
        })
    }

    /// Where it ends, as things are now.
    async fn end(&mut self, goal: &Goal, start: Point) -> Result<Point, ActionError> {
        match goal {
            Goal::Point(point) => Ok(*point),
            Goal::Offset((dx, dy)) => Ok((start.0 + dx, start.1 + dy)),
            Goal::Element(to) => {
                let deadline = Instant::now() + self.session.settings.action_deadline;
                let wants = Wants { point: true, blind: true, ..Wants::NOTHING };
                let spot = aim::locate(self.session, to, wants, deadline).await?;
                Ok(beyond(&spot, start))
            }
        }
    }

    async fn first_moves(&mut self, start: Point, end: Point) -> Result<(), ActionError> {
        let (dx, dy) = (end.0 - start.0, end.1 - start.1);
        let length = dx.hypot(dy);
        for first in FIRST.into_iter().filter(|first| *first < length) {
            self.step((start.0 + dx * first / length, start.1 + dy * first / length)).await?;
        }
        if length <= FIRST[0] {
            self.step(end).await?;
        }
        Ok(())
    }

    /// The rest of the way, at the pace at which the page draws; at the end once more, for what is measured move by move.
    async fn travel(&mut self, end: Point) -> Result<(), ActionError> {
        for point in way(self.at, end) {
            self.step(point).await?;
        }
        self.step(end).await
    }

    async fn step(&mut self, point: Point) -> Result<(), ActionError> {
        let mut event = DispatchMouseEvent::new(MouseKind::MouseMoved, point.0, point.1);
        (event.button, event.buttons) = (Some(MouseButton::Left), Some(1));
        self.at = point;
        send(&self.session.tab, &event).await
    }

    /// The data that the browser drags, where it took the drag up as one of data.
    async fn taken_up(&self, intercepted: &mut EventStream) -> Result<Option<DragData>, ActionError> {
        let is_data: bool = ask(self.session, &self.world, Call::new("isDataDrag")).await?;
        if !is_data {
            return Ok(None);
        }
        let limit = Instant::now() + TAKEN_UP_WITHIN;
        let told = timeout_at(limit, intercepted.next_of::<DragIntercepted>()).await;
        Ok(told.ok().flatten().and_then(Result::ok).map(|told| told.data))
    }

    /// Carries data to its end, and drops it where it is taken.
    async fn carry(&mut self, goal: &Goal, end: Point, data: DragData) -> Result<Went, ActionError> {
        let target = match goal {
            Goal::Element(to) => Some((to.world.clone(), to.local)),
            _ => None,
        };
        if let Some((world, local)) = &target {
            // a list may make way as soon as something comes over it
            let _: serde_json::Value = ask(self.session, world, Call::new("aimDrag").arg(local)).await?;
        }
        let held = |kind, point: Point| DispatchDragEvent::new(kind, point.0, point.1, data.clone());
        self.drag(&held(DragKind::DragEnter, self.at)).await?;
        for point in way(self.at, end) {
            self.drag(&held(DragKind::DragOver, point)).await?;
        }
        let judge = target.as_ref().map_or(&self.world, |(world, _)| world).clone();
        for _ in 0..2 {
            self.drag(&held(DragKind::DragOver, end)).await?;
        }
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Offer {
            taken: bool,
            hits: u32,
            on: String,
        }
        let offer: Offer = ask(self.session, &judge, Call::new("dragOffer")).await?;
        let missed = target.is_some() && offer.hits == 0;
        let unseen = target.is_none() && guard::is_frame(&offer.on);
        if missed || (!offer.taken && !unseen) {
            self.drag(&held(DragKind::DragCancel, end)).await?;
            return Ok(if missed { Went::Missed(offer.on) } else { Went::Refused });
        }
        let dropped = self.drag(&held(DragKind::Drop, end)).await;
        dropped?;
        if let Some((world, _)) = target.filter(|(world, _)| world.frame() != self.world.frame()) {
            let _: Option<serde_json::Value> = ask(self.session, &world, Call::new("endDrag")).await.ok();
        }
        Ok(Went::Released)
    }

    async fn drag(&mut self, event: &DispatchDragEvent) -> Result<(), ActionError> {
        self.at = (event.x, event.y);
        send(&self.session.tab, event).await
    }
}

/// A point in the middle of an element, or a little beyond that on the way that it is dragged.
fn beyond(spot: &Spot, start: Point) -> Point {
    let Some((x, y)) = spot.point else { return start };
    let [_, _, width, height] = spot.rect;
    let (dx, dy) = (x - start.0, y - start.1);
    let by = |length: f64, along: f64| along.signum() * (length * 0.2).min(BEYOND);
    if dx.abs() > dy.abs() { (x + by(width, dx), y) } else { (x, y + by(height, dy)) }
}

fn way(from: Point, to: Point) -> impl Iterator<Item = Point> {
    (1..=STEPS).map(move |step| {
        let share = f64::from(step) / f64::from(STEPS);
        (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share)
    })
}

async fn press(tab: &Tab, (x, y): Point) -> Result<(), ActionError> {
    let mut down = DispatchMouseEvent::new(MouseKind::MousePressed, x, y);
    (down.button, down.buttons, down.click_count) = (Some(MouseButton::Left), Some(1), Some(1));
    let mut burst = tab.session().burst();
    let pending = [burst.add(&DispatchMouseEvent::new(MouseKind::MouseMoved, x, y)), burst.add(&down)];
    burst.send();
    for reply in pending {
        tab.race(reply, MOVE_WITHIN).await.map_err(|error| browser_trouble(&error))?;
    }
    Ok(())
}

async fn release(tab: &Tab, (x, y): Point) -> Result<(), ActionError> {
    let mut up = DispatchMouseEvent::new(MouseKind::MouseReleased, x, y);
    (up.button, up.buttons, up.click_count) = (Some(MouseButton::Left), Some(0), Some(1));
    send(tab, &up).await
}

/// Sends one event; what it sets off may hold its reply back.
async fn send<C: webhand_cdp::Command>(tab: &Tab, event: &C) -> Result<(), ActionError> {
    match tab.race(tab.session().send(event), MOVE_WITHIN).await {
        Ok(_) | Err(BrowserError::DialogOpen(_) | BrowserError::TabClosed) => Ok(()),
        Err(error) => Err(browser_trouble(&error)),
    }
}

/// What differs after a drag.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Differs {
    miss: Option<String>,
    near: u32,
    far: u32,
    moved: (f64, f64),
    gone: bool,
    restless: bool,
}

async fn finish(
    session: &mut Session,
    mut outcome: Outcome,
    world: &World,
    seen: Seen,
    went: Went,
    tag: &str,
) -> Result<Outcome, ActionError> {
    let elsewhere = session.tab.dialog().is_some() || is_elsewhere(&seen);
    let differs: Option<Differs> = if elsewhere { None } else { ask(session, world, Call::new("endDrag")).await.ok() };
    let beside = seen.any_beside_page();
    let opened = seen.popups.clone();
    let effects = seen.into_effects(session, world);
    let differs = differs.filter(|differs| differs.miss.is_none()).unwrap_or_default();
    let changed = differs.near + differs.far > 0;

    // what the page changed on the way and put back is none
    outcome.effects =
        effects.iter().filter(|effect| !matches!(effect, Effect::Dom { .. })).cloned().collect::<Effects>();
    if changed {
        outcome.effects.push(Effect::Dom { near: differs.near, far: differs.far });
    }
    popups::adopt(session, opened, true, &mut outcome.effects).await;
    outcome.data = Some(json!({ "moved": { "right": differs.moved.0, "down": differs.moved.1 } }));
    if differs.moved != (0.0, 0.0) {
        let (right, down) = differs.moved;
        outcome.notes.push(format!("it stands {right:.0} right, {down:.0} down of where it was"));
    } else if differs.gone {
        outcome.notes.push("it is not where it was any more".to_owned());
    }
    match went {
        Went::Released if changed || beside => {}
        Went::Released if guard::is_frame(tag) || matches!(tag, "canvas" | "video" | "audio") => {
            outcome
                .notes
                .push("unobserved: what a canvas, player or plug-in does cannot be seen from outside".to_owned());
        }
        Went::Released => {
            let nothing = if differs.restless { "the page put everything back" } else { "nothing was seen to follow" };
            let detail = format!("{}, and {nothing}", outcome.message);
            outcome.fail(
                ActionError::new(ErrorCode::NoEffect, detail)
                    .with_hint("look again; it may have to be taken at a handle, or dropped on another place"),
            );
        }
        Went::Refused => {
            let detail = format!("{}, and it would not be taken there: it was not dropped", outcome.message);
            outcome.fail(ActionError::new(ErrorCode::NoEffect, detail).with_kind("drop_refused"));
        }
        Went::Missed(on) => {
            let detail = format!("{}, but {on} was there instead: it was not dropped", outcome.message);
            outcome.fail(ActionError::new(ErrorCode::NotInteractable, detail).with_kind("covered"));
        }
        Went::NoData => {
            let detail = format!("{}, and the browser drags no data from it", outcome.message);
            outcome.fail(
                ActionError::new(ErrorCode::NoEffect, detail).with_kind("not_draggable").with_hint("use mode auto"),
            );
        }
    }
    Ok(outcome)
}
