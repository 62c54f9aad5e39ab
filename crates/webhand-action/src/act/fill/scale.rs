//! Values on a scale that stand in no field: sliders and spin buttons by role. They are moved by keys, else by the buttons
//! beside them, else by a drag of the thumb; how far a key or a pixel goes is measured, and what they say in the end is what
//! is told. A value that none of it reaches is put back.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;
use webhand_page::{Call, World};

use super::{
    Filling,
    parts::{self, DatePart},
    strokes_of,
};
use crate::{
    act::{
        aim::{self, Aim, Spot, Wants},
        drag,
        effects::Watch,
        keyboard, keys,
        pointer::{self, Gesture, Precision, describe},
        readback::{TAKEN_BACK_WITHIN, ask, is_elsewhere, landed_outcome, reject, unread},
        value::{self, number_in},
    },
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    session::Session,
};

/// How long one step may take to show.
const SHOWS_WITHIN: Duration = Duration::from_millis(250);
/// How long one of many steps may take.
const STEP_WITHIN: Duration = Duration::from_millis(60);
/// So often it is moved and looked at, each time by as many steps as seem to be left.
const ROUNDS: u32 = 40;
/// So often it may come no nearer: the page holds it where it is.
const STALLS_MAX: u32 = 2;
/// So many steps at a time.
const STEPS_MAX: u32 = 250;
/// From so many steps on it is tried whether a larger one goes further.
const MANY: f64 = 30.0;
/// So many steps are gone one by one where words are looked for.
const WORDS_MAX: u32 = 120;
/// Moving may take so many times as long as an element may take to be found usable.
const PATIENCE: u32 = 3;

/// What a scale says of itself.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Says {
    miss: Option<String>,
    now: Option<f64>,
    min: Option<f64>,
    max: Option<f64>,
    text: String,
    /// All of it, to see it change.
    key: String,
    /// Where keys would have gone instead.
    astray: Option<String>,
}

impl Says {
    /// `70`, or `70 (shown as "70 kg")`.
    fn told(&self) -> String {
        match self.now {
            Some(now) if self.text.is_empty() || self.text == now.to_string() => now.to_string(),
            Some(now) => format!("{now} (shown as {:?})", self.text),
            None if self.text.is_empty() => "no value".to_owned(),
            None => format!("{:?}", self.text),
        }
    }

    fn bounds(&self) -> String {
        let bound = |bound: Option<f64>| bound.map(|bound| bound.to_string()).unwrap_or_default();
        value::bounds(&bound(self.min), &bound(self.max), "")
    }
}

/// A button beside it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Part {
    id: u32,
    role: String,
    name: String,
    words: String,
}

/// By what it may be moved.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Ready {
    #[serde(flatten)]
    says: Says,
    id: u32,
    role: String,
    focused: bool,
    /// Text can be typed into it.
    editor: bool,
    upright: bool,
    /// How long its track is, in pixels.
    length: f64,
    more: Option<Part>,
    less: Option<Part>,
    /// The parts of a date or time that it is one of.
    parts: Vec<DatePart>,
}

/// What it is to say in the end.
enum Goal {
    Number(f64),
    Words(String),
}

impl Goal {
    fn of(text: &str, says: &Says) -> Self {
        let within =
            |number: &f64| says.min.is_none_or(|min| *number >= min) && says.max.is_none_or(|max| *number <= max);
        match (text.trim().parse::<f64>(), number_in(text)) {
            (Ok(number), _) if number.is_finite() => Goal::Number(number),
            (_, Some(number)) if says.now.is_some() && within(&number) => Goal::Number(number),
            _ => Goal::Words(text.trim().to_owned()),
        }
    }

    fn is_reached(&self, says: &Says) -> bool {
        match self {
            Goal::Number(number) => says.now.is_some_and(|now| same(now, *number)),
            Goal::Words(words) => says.text.eq_ignore_ascii_case(words),
        }
    }
}

fn same(left: f64, right: f64) -> bool {
    (left - right).abs() <= 1e-6 * left.abs().max(right.abs()).max(1.0)
}

/// One step of it.
#[derive(Clone, Debug)]
enum Step {
    Key(&'static str),
    Button(Part),
}

/// Pairs of keys: one more, one less, and each for a larger step.
const KEYS: [[&str; 4]; 2] =
    [["ArrowRight", "ArrowLeft", "PageUp", "PageDown"], ["ArrowUp", "ArrowDown", "PageUp", "PageDown"]];

/// A scale that is being moved.
struct Scale<'a> {
    session: &'a mut Session,
    aim: Aim,
    world: World,
    id: u32,
    ready: Ready,
    says: Says,
    goal: Goal,
    /// Steps are taken one by one: the page does not keep up with several.
    careful: bool,
    until: Instant,
}

pub(super) async fn set(session: &mut Session, filling: &Filling<'_>, spot: Spot) -> Result<Outcome, ActionError> {
    let what = describe(&spot.landed);
    let ready: Ready = ask(session, &spot.world, Call::new("prepareScale").arg(spot.local).arg(false)).await?;
    if ready.says.miss.is_some() {
        return Err(ActionError::new(ErrorCode::ElementNotFound, format!("{what} went away")));
    }
    if let Some(wanted) = parts::wanted(&filling.text, &ready.parts) {
        return Box::pin(parts::set(session, filling, spot, wanted)).await;
    }
    let goal = Goal::of(&filling.text, &ready.says);
    refuse_outside(&what, &goal, &ready)?;
    let mut outcome = landed_outcome(filling.fill.clone().into(), &spot);
    if goal.is_reached(&ready.says) {
        outcome.message = format!("{what} already stands at {}", ready.says.told());
        outcome.data = Some(json!({ "value": ready.says.told() }));
        return Ok(outcome);
    }
    let watch = Watch::start(&session.tab);
    // what was named, unless it is only around it
    let aim = match ready.id == spot.local {
        true => filling.aim.clone(),
        false => filling.aim.beside(session, ready.id, &ready.role, &filling.aim.seen.name, None),
    };
    let before = ready.says.clone();
    let mut scale = Scale::new(session, aim, spot.world.clone(), ready, goal);
    let moved = Box::pin(scale.reach()).await;
    let Scale { goal, says: last, id, .. } = scale;
    let way = match moved {
        Ok(way) => way,
        Err(_) if session.tab.dialog().is_some() || session.tab.is_closed() => None,
        Err(error) => return Err(error),
    };
    let seen = watch.settle(&spot.world, &session.settings).await;
    let elsewhere = session.tab.dialog().is_some() || is_elsewhere(&seen);
    outcome.effects = seen.into_effects(session, &spot.world);
    let stands = if elsewhere { None } else { stand(session, filling.aim, &spot.world, id, TAKEN_BACK_WITHIN).await? };
    let Some(stands) = stands else {
        unread(&mut outcome, &format!("moved {what}"));
        return Ok(outcome);
    };
    if goal.is_reached(&stands) {
        outcome.message = format!("set {what} to {}", stands.told());
        outcome.data = Some(json!({ "value": stands.told() }));
        if let Some(way) = way {
            outcome.notes.push(format!("moved by {way}"));
        }
    } else {
        let held = if goal.is_reached(&last) { "took it, and a moment later stands" } else { "stands" };
        let still = if stands.key == before.key { ", as before" } else { "" };
        reject(
            &mut outcome,
            format!("{what} {held} at {}{still}, not {:?}{}", stands.told(), filling.text, stands.bounds()),
        );
    }
    Ok(outcome)
}

/// Moves one part of several to a value. None where it took it, else what it says instead.
pub(super) async fn move_part(
    session: &mut Session,
    aim: Aim,
    world: &World,
    text: &str,
) -> Result<Option<String>, ActionError> {
    let ready: Ready = ask(session, world, Call::new("prepareScale").arg(aim.local).arg(false)).await?;
    if ready.says.miss.is_some() {
        return Ok(Some("nothing any more".to_owned()));
    }
    let goal = Goal::of(text, &ready.says);
    refuse_outside(&aim::label(&aim), &goal, &ready)?;
    if !goal.is_reached(&ready.says) {
        let mut scale = Scale::new(session, aim, world.clone(), ready, goal);
        Box::pin(scale.reach()).await?;
        return Ok((!scale.goal.is_reached(&scale.says)).then(|| scale.says.told()));
    }
    Ok(None)
}

/// What a part says in the end, unless that is the value.
pub(super) async fn differs(
    session: &Session,
    world: &World,
    id: u32,
    text: &str,
) -> Result<Option<String>, ActionError> {
    let says: Says = ask(session, world, Call::new("readScale").arg(id).arg(None::<&str>).arg(0)).await?;
    if says.miss.is_some() {
        return Ok(Some("nothing any more".to_owned()));
    }
    Ok((!Goal::of(text, &says).is_reached(&says)).then(|| says.told()))
}

/// What is outside its bounds, or no value of it at all, is not tried.
fn refuse_outside(what: &str, goal: &Goal, ready: &Ready) -> Result<(), ActionError> {
    let says = &ready.says;
    let told = |kind: &str, detail: String| Err(ActionError::new(ErrorCode::ValueRejected, detail).with_kind(kind));
    match goal {
        Goal::Number(number)
            if says.min.is_some_and(|min| *number < min) || says.max.is_some_and(|max| *number > max) =>
        {
            told(
                "out_of_range",
                format!("{what} does not take {number}{}; it stands at {} as before", says.bounds(), says.told()),
            )
        }
        Goal::Words(words) if !ready.editor && says.text.is_empty() => {
            told("form", format!("{what} takes a number{}, not {words:?}", says.bounds()))
        }
        _ => Ok(()),
    }
}

/// What it says after that time; none where it is not there any more.
async fn stand(
    session: &mut Session,
    aim: &Aim,
    world: &World,
    id: u32,
    within: Duration,
) -> Result<Option<Says>, ActionError> {
    let call =
        |id: u32, within: Duration| Call::new("readScale").arg(id).arg(None::<&str>).arg(within.as_millis() as u64);
    let says: Says = ask(session, world, call(id, within)).await?;
    if says.miss.is_none() {
        return Ok(Some(says));
    }
    let deadline = Instant::now() + session.settings.action_deadline;
    let spot = aim::locate(session, aim, Wants::NOTHING, deadline).await?;
    let ready: Ready = ask(session, &spot.world, Call::new("prepareScale").arg(spot.local).arg(false)).await?;
    Ok(Some(ready.says).filter(|says| says.miss.is_none()))
}

impl<'a> Scale<'a> {
    fn new(session: &'a mut Session, aim: Aim, world: World, ready: Ready, goal: Goal) -> Self {
        let until = Instant::now() + session.settings.action_deadline * PATIENCE;
        let (id, says) = (ready.id, ready.says.clone());
        Self { session, aim, world, id, ready, says, goal, careful: false, until }
    }
    /// Moves it until it says what was asked, or nothing moves it any further. How it was moved.
    async fn reach(&mut self) -> Result<Option<&'static str>, ActionError> {
        let start = self.says.clone();
        if self.ready.editor && self.type_in().await? {
            return Ok(Some("typing"));
        }
        if self.arm().await? {
            for keys in KEYS {
                let [more, less, page_up, page_down] = keys.map(Step::Key);
                if self.walk((more, less), Some((page_up, page_down)), &start).await? {
                    return Ok(Some("keys"));
                }
            }
        }
        if let (Some(more), Some(less)) = (self.ready.more.clone(), self.ready.less.clone())
            && self.walk((Step::Button(more), Step::Button(less)), None, &start).await?
        {
            return Ok(Some("its buttons"));
        }
        if self.ready.role == "slider" && self.says.key == start.key {
            self.drag().await?;
            return Ok(Some("a drag"));
        }
        Ok(None)
    }

    /// Types the text into what takes it.
    async fn type_in(&mut self) -> Result<bool, ActionError> {
        let text = match &self.goal {
            Goal::Number(number) => number.to_string(),
            Goal::Words(words) => words.clone(),
        };
        // parts of a field may be drawn anew where the focus comes to one otherwise than by a press
        let aim = self.aim.clone();
        Box::pin(pointer::press_on(self.session, &aim, Gesture::CLICK, Precision::Within)).await?;
        if !self.arm().await? {
            return Ok(false);
        }
        for stroke in keys::strokes_of_text(&text) {
            keyboard::send(self.session, &[stroke]).await?;
            let _: Option<bool> = ask(self.session, &self.world, Call::new("turn")).await?;
        }
        // a part that is whole leads on to the next one: the last key's release may come there
        self.look_where(false, true).await?;
        Ok(self.goal.is_reached(&self.says))
    }

    /// Steps toward the goal. Whether it is settled by that: reached, or moved as near as it goes and put back.
    async fn walk(
        &mut self,
        steps: (Step, Step),
        large: Option<(Step, Step)>,
        start: &Says,
    ) -> Result<bool, ActionError> {
        match self.goal {
            Goal::Number(number) => self.walk_to(number, steps, large, Some(start)).await,
            Goal::Words(_) => self.walk_through(steps, start).await,
        }
    }

    /// Toward a number. Back to where it began where no number of steps gets there.
    async fn walk_to(
        &mut self,
        number: f64,
        (mut more, mut less): (Step, Step),
        mut large: Option<(Step, Step)>,
        start: Option<&Says>,
    ) -> Result<bool, ActionError> {
        let mut moved = false;
        let (mut nearest, mut stalls) = (f64::INFINITY, 0);
        for _ in 0..ROUNDS {
            let Some(before) = self.says.now else { return Ok(false) };
            if same(before, number) {
                return Ok(true);
            }
            let away = (number - before).abs();
            stalls = if away < nearest { 0 } else { stalls + 1 };
            if stalls > STALLS_MAX {
                return Ok(moved);
            }
            nearest = nearest.min(away);
            let up = number > before;
            self.take(if up { &more } else { &less }, 1).await?;
            let Some(now) = self.says.now else { return Ok(moved) };
            let size = (now - before).abs();
            if size == 0.0 {
                return Ok(moved);
            }
            moved = true;
            if (now > before) != up {
                std::mem::swap(&mut more, &mut less);
                continue;
            }
            let left = (number - now).abs() / size;
            if same(now, number) {
                return Ok(true);
            }
            if (number > now) != up || left < 1.0 - 1e-6 {
                // between two steps
                if let Some(began) = start.and_then(|start| start.now) {
                    Box::pin(self.walk_to(began, (more, less), large, None)).await?;
                }
                return Ok(true);
            }
            if left > MANY
                && let Some((page_up, page_down)) = large.clone()
            {
                let page = if up { page_up } else { page_down };
                let from = self.says.now.unwrap_or(now);
                self.take(&page, 1).await?;
                let by = self.says.now.map_or(0.0, |now| if up { now - from } else { from - now });
                if by > size * 1.5 && (self.says.now.is_some_and(|now| (number > now) == up)) {
                    let pages = ((number - from).abs() / by).floor() - 1.0;
                    self.take(&page, pages.clamp(0.0, f64::from(STEPS_MAX)) as u32).await?;
                } else {
                    large = None;
                }
                continue;
            }
            let count = (left + 1e-6).floor().min(f64::from(STEPS_MAX)) as u32;
            self.take(if up { &more } else { &less }, count).await?;
            // a page that works each key out later loses some that come together
            let gone = self.says.now.map_or(0.0, |then| (then - now).abs());
            self.careful |= gone < size * f64::from(count) * (1.0 - 1e-6);
        }
        Ok(moved)
    }

    /// From one end to the other, until it says those words; back to where it began where it never does.
    async fn walk_through(&mut self, (more, less): (Step, Step), start: &Says) -> Result<bool, ActionError> {
        let mut moved = false;
        for step in [&more, &less] {
            for _ in 0..WORDS_MAX {
                if self.goal.is_reached(&self.says) {
                    return Ok(true);
                }
                let was = self.says.key.clone();
                self.take(step, 1).await?;
                if self.says.key == was || (moved && self.says.key == start.key) {
                    break;
                }
                moved = true;
            }
        }
        if let (true, Some(began)) = (moved, start.now) {
            Box::pin(self.walk_to(began, (more, less), None, None)).await?;
        }
        Ok(moved)
    }

    /// Some steps, and a look at what came of them.
    async fn take(&mut self, step: &Step, count: u32) -> Result<(), ActionError> {
        if Instant::now() >= self.until {
            let detail = format!("{} moves too slowly; it stands at {}", aim::label(&self.aim), self.says.told());
            return Err(ActionError::new(ErrorCode::Timeout, detail));
        }
        if count == 0 {
            return Ok(());
        }
        match step {
            Step::Key(key) => {
                if !self.arm().await? {
                    return Ok(());
                }
                let strokes = strokes_of(key)?;
                if self.careful {
                    for _ in 0..count {
                        keyboard::send(self.session, &strokes).await?;
                        let call = Call::new("awaitScale")
                            .arg(self.id)
                            .arg(&self.says.key)
                            .arg(STEP_WITHIN.as_millis() as u64);
                        self.says.key = ask(self.session, &self.world, call).await?;
                    }
                    return self.look(false).await;
                }
                let all: Vec<_> = strokes.iter().cycle().take(strokes.len() * count as usize).cloned().collect();
                keyboard::send(self.session, &all).await?;
                self.look(true).await
            }
            Step::Button(button) => {
                for _ in 0..count {
                    let part =
                        self.aim.beside(self.session, button.id, &button.role, &button.name, Some(&button.words));
                    let landing =
                        Box::pin(pointer::press_on(self.session, &part, Gesture::CLICK, Precision::Exact)).await?;
                    if is_elsewhere(&landing.seen) {
                        return Ok(());
                    }
                    self.look(true).await?;
                }
                Ok(())
            }
        }
    }

    /// Gives it the focus, so that keys go to it and nothing else.
    async fn arm(&mut self) -> Result<bool, ActionError> {
        let ready: Ready = ask(self.session, &self.world, Call::new("prepareScale").arg(self.id).arg(true)).await?;
        if ready.says.miss.is_none() {
            return Ok(ready.focused);
        }
        let deadline = Instant::now() + self.session.settings.action_deadline;
        let spot = aim::locate(self.session, &self.aim, Wants::CHOOSE, deadline).await?;
        let ready: Ready = ask(self.session, &spot.world, Call::new("prepareScale").arg(spot.local).arg(true)).await?;
        self.world = spot.world;
        self.id = ready.id;
        Ok(ready.focused && ready.says.miss.is_none())
    }

    /// What it says now, once that is something else where it is to change.
    async fn look(&mut self, changes: bool) -> Result<(), ActionError> {
        self.look_where(changes, false).await
    }

    /// The same, where the focus may have gone on.
    async fn look_where(&mut self, changes: bool, went_on: bool) -> Result<(), ActionError> {
        let was = changes.then_some(self.says.key.as_str());
        let within = if changes { SHOWS_WITHIN } else { Duration::ZERO };
        let call = Call::new("readScale").arg(self.id).arg(was).arg(within.as_millis() as u64);
        let says: Says = ask(self.session, &self.world, call).await?;
        if let Some(on) = says.astray.as_ref().filter(|_| !went_on) {
            let detail = format!("{} lost the focus to {on}, which got none of the keys", aim::label(&self.aim));
            return Err(ActionError::new(ErrorCode::NotInteractable, detail).with_kind("focus_lost"));
        }
        if says.miss.is_some() {
            self.arm().await?;
            let call = Call::new("readScale").arg(self.id).arg(None::<&str>).arg(0);
            self.says = ask(self.session, &self.world, call).await?;
            return Ok(());
        }
        self.says = says;
        Ok(())
    }

    /// Drags its thumb: how many pixels a unit has is estimated by its track, then measured.
    async fn drag(&mut self) -> Result<(), ActionError> {
        let Goal::Number(number) = self.goal else { return Ok(()) };
        let (low, high) = (self.says.min.unwrap_or(0.0), self.says.max.unwrap_or(100.0));
        let length = if self.ready.length > 0.0 { self.ready.length } else { 100.0 };
        let mut unit = length / (high - low).abs().max(f64::MIN_POSITIVE);
        if self.ready.upright {
            unit = -unit;
        }
        for _ in 0..ROUNDS / 2 {
            let Some(before) = self.says.now.filter(|now| !same(*now, number)) else { break };
            if Instant::now() >= self.until {
                break;
            }
            let pixels = (number - before) * unit;
            let pixels = if pixels.abs() < 1.0 { pixels.signum() } else { pixels.round() };
            let offset = if self.ready.upright { (0.0, pixels) } else { (pixels, 0.0) };
            Box::pin(drag::by(self.session, &self.aim, offset)).await?;
            self.look(true).await?;
            let Some(now) = self.says.now else { break };
            let by = now - before;
            let at_end = same(now, low) || same(now, high);
            if by == 0.0 {
                if pixels.abs() > length {
                    break;
                }
                unit *= 1.6;
            } else if !at_end {
                unit = pixels / by;
            } else {
                unit *= if (by > 0.0) == (number > before) { 0.7 } else { -1.0 };
            }
        }
        Ok(())
    }
}
