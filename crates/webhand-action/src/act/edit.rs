//! Filling fields. It ends with a look at what really stands there, and no text is put in twice: only where the page took
//! nothing at all of it is it tried again key by key. Neither Enter nor Tab is pressed to bring a text in.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;
use webhand_cdp::protocol::input::InsertText;
use webhand_page::Call;

use super::{
    aim::{self, Aim, Spot, Wants},
    effects::{PageEffects, Watch},
    guard::{KeyGuard, Others},
    keyboard,
    keys::{self, Key, Stroke},
    pointer::describe,
    readback::{TAKEN_BACK_WITHIN, ask, is_elsewhere, is_gone, landed_outcome, reject, unread},
    value,
};
use crate::{
    catalogue::{Fill, FillTier, Focus},
    effects::{Effect, Effects},
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    session::{Session, browser_trouble},
};

/// Longer texts are not tried again key by key: that would take seconds.
const KEYS_MAX: usize = 2000;
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
    /// It shows what is no value of its kind.
    bad: bool,
    empty: bool,
    value: String,
    /// Where keys would have gone instead.
    astray: Option<String>,
    /// Nothing of the text arrived anywhere: the field was drawn anew just then.
    lost: bool,
    /// The page has something under way that may still change it.
    scheduled: bool,
    /// The page was told of input.
    input: bool,
    /// Something in the page changed.
    changed: bool,
    /// Nothing at all was taken of the text.
    untouched: bool,
    effects: Option<PageEffects>,
}

/// A text on its way into a field.
struct Filling<'a> {
    fill: &'a Fill,
    aim: &'a Aim,
    /// The text, with line breaks of one kind.
    text: String,
}

/// One try to bring the text in.
struct Attempt {
    spot: Spot,
    kind: String,
    watch: Watch,
    began: Instant,
    by_keys: bool,
    /// What was read back; none where the page could not be asked any more.
    standing: Option<Standing>,
}

impl Attempt {
    /// Whether something else stands there than was asked, in that way.
    fn failed(&self, how: impl Fn(&Standing) -> bool) -> bool {
        self.standing.as_ref().is_some_and(|standing| !standing.equal && how(standing))
    }
}

pub(super) async fn fill(session: &mut Session, fill: &Fill) -> Result<Outcome, ActionError> {
    let aim = aim::aim(session, &fill.target).await?;
    let filling = Filling { fill, aim: &aim, text: fill.text.replace("\r\n", "\n").replace('\r', "\n") };
    let (spot, prepared) = prepare(session, &filling).await?;
    if prepared.way == "set" {
        return set(session, &filling, spot, &prepared).await;
    }
    let by_keys = fill.tier == FillTier::Keys;
    let mut tried = attempt(session, &filling, spot, prepared, by_keys).await?;
    if tried.failed(|standing| standing.lost) {
        let (spot, prepared) = prepare(session, &filling).await?;
        tried = attempt(session, &filling, spot, prepared, by_keys).await?;
    }
    let untouched = tried.failed(|standing| standing.untouched);
    let length = filling.text.chars().count();
    if untouched && fill.tier == FillTier::Auto && (1..=KEYS_MAX).contains(&length) && !tried.watch.has_begun() {
        let (spot, prepared) = prepare(session, &filling).await?;
        tried = attempt(session, &filling, spot, prepared, true).await?;
    }
    let (mut outcome, spot) = finish(session, &filling, tried).await;
    if outcome.ok && fill.submit {
        submit(session, aim, &spot, &mut outcome).await;
    }
    Ok(outcome)
}

/// Gives the field the focus, with what stands there selected.
async fn prepare(session: &mut Session, filling: &Filling<'_>) -> Result<(Spot, Prepared), ActionError> {
    let deadline = Instant::now() + session.settings.action_deadline;
    let mut drawn_anew = false;
    loop {
        let spot = aim::locate(session, filling.aim, Wants::EDIT, deadline).await?;
        let call = Call::new("prepareFill").arg(spot.local).arg(&filling.text).arg(filling.fill.clear);
        let prepared: Prepared = ask(session, &spot.world, call).await?;
        match prepared.miss.as_deref() {
            Some("gone") if !drawn_anew => drawn_anew = true,
            Some(miss) => return Err(unfillable(&spot, miss, &prepared.r#use)),
            None if prepared.way == "type" && !prepared.focused => return Err(no_focus(&spot)),
            None => return Ok((spot, prepared)),
        }
    }
}

fn unfillable(spot: &Spot, miss: &str, instead: &str) -> ActionError {
    let what = describe(&spot.landed);
    match miss {
        "gone" => ActionError::new(ErrorCode::ElementNotFound, format!("{what} went away")),
        "one_line" => {
            ActionError::new(ErrorCode::ValueRejected, format!("{what} has one line, and the text has several"))
                .with_kind("one_line")
                .with_hint("leave the line breaks out; submit presses Enter after the text")
        }
        _ => ActionError::new(ErrorCode::InvalidAction, format!("{what} is not a text field"))
            .with_kind("wrong_action")
            .with_hint(match instead {
                "upload" => "files cannot be given to a page yet: a person must choose the file".to_owned(),
                _ => format!("use {instead} on it"),
            }),
    }
}

fn no_focus(spot: &Spot) -> ActionError {
    ActionError::new(ErrorCode::NotInteractable, format!("{} does not take the focus", describe(&spot.landed)))
}

/// Brings the text in, once, and reads back what stands there then.
async fn attempt(
    session: &mut Session,
    filling: &Filling<'_>,
    mut spot: Spot,
    prepared: Prepared,
    by_keys: bool,
) -> Result<Attempt, ActionError> {
    let others = Others::of(session, filling.aim);
    others.forbid(Duration::ZERO).await;
    let mut watch = Watch::start(&session.tab);
    let began = Instant::now();
    let put = put(session, filling, &prepared, by_keys).await;
    let read = match put {
        Ok(()) => tokio::select! {
            biased;
            read = look(session, filling, &mut spot, None) => read.map(Some),
            // a page on its way out answers nothing until the next one is there
            () = watch.until_leaving() => Ok(None),
        },
        Err(error) => Err(error),
    };
    let strayed = others.allow().await;
    let standing = match read {
        Ok(standing) => standing,
        Err(_) if session.tab.dialog().is_some() || session.tab.is_closed() => None,
        Err(error) if is_gone(error.code) => None,
        Err(error) => return Err(error),
    };
    let astray = standing.as_ref().and_then(|standing| standing.astray.clone());
    // of a text that is all there, only the last key's release went astray
    let all_there = standing.as_ref().is_some_and(|standing| standing.equal);
    if let Some(on) = astray.or(strayed).filter(|_| !all_there) {
        return Err(lost_focus(&spot, &on, standing.as_ref()));
    }
    Ok(Attempt { spot, kind: prepared.kind, watch, began, by_keys, standing })
}

fn lost_focus(spot: &Spot, on: &str, standing: Option<&Standing>) -> ActionError {
    let what = describe(&spot.landed);
    let mut detail = format!("{what} lost the focus to {on}, which got none of the text");
    if let Some(standing) = standing.filter(|standing| !standing.secret && standing.miss.is_none()) {
        detail.push_str(&format!("; it holds {:?}", standing.value));
    }
    ActionError::new(ErrorCode::NotInteractable, detail)
        .with_kind("focus_lost")
        .with_hint("click it first, or use what took the focus")
}

/// Sends the text: what is selected goes.
async fn put(session: &Session, filling: &Filling<'_>, prepared: &Prepared, by_keys: bool) -> Result<(), ActionError> {
    let text = &filling.text;
    if text.is_empty() {
        return if prepared.empty || !filling.fill.clear {
            Ok(())
        } else {
            keyboard::send(session, &strokes_of("Delete")?).await
        };
    }
    if by_keys {
        let strokes: Vec<Stroke> = text.chars().map(typed).collect();
        return keyboard::send(session, &strokes).await;
    }
    let insert = session.tab.session().send(&InsertText::new(text.as_str()));
    session.tab.race(insert, session.settings.action_deadline).await.map_err(|error| browser_trouble(&error))?;
    Ok(())
}

fn strokes_of(key: &str) -> Result<Vec<Stroke>, ActionError> {
    keys::parse(key).map_err(|error| ActionError::new(ErrorCode::Internal, error.to_string()))
}

/// The stroke that gives a character of a text; what Enter and Tab would give is inserted, since they do more than that.
fn typed(character: char) -> Stroke {
    match character {
        '\n' | '\t' => Stroke { modifiers: 0, key: Key::Inserted(character) },
        _ => keys::stroke_of(character),
    }
}

/// What stands in the field, one turn of the page's loop later or after that time; it may have been drawn anew meanwhile.
async fn look(
    session: &mut Session,
    filling: &Filling<'_>,
    spot: &mut Spot,
    later: Option<Duration>,
) -> Result<Standing, ActionError> {
    let call = |local: u32| {
        let call = Call::new(if later.is_some() { "readBackLater" } else { "readBackSoon" })
            .arg(local)
            .arg(&filling.text)
            .arg(!filling.fill.clear);
        later.iter().fold(call, |call, later| call.arg(later.as_millis() as u64))
    };
    let standing: Standing = ask(session, &spot.world, call(spot.local)).await?;
    if standing.miss.is_none() {
        return Ok(standing);
    }
    let deadline = Instant::now() + session.settings.action_deadline;
    *spot = aim::locate(session, filling.aim, Wants::NOTHING, deadline).await?;
    let again: Standing = ask(session, &spot.world, call(spot.local)).await?;
    Ok(Standing { astray: standing.astray, ..again })
}

/// Waits for what the text set off, and looks again where that may have changed the field.
async fn finish(session: &mut Session, filling: &Filling<'_>, tried: Attempt) -> (Outcome, Spot) {
    let Attempt { mut spot, kind, mut watch, began, by_keys, standing } = tried;
    let begun = watch.has_begun();
    let seen =
        if begun || standing.is_none() { Some(watch.settle(&spot.world, &session.settings).await) } else { None };
    let elsewhere = session.tab.dialog().is_some() || seen.as_ref().is_some_and(is_elsewhere);
    let mut outcome = landed_outcome(filling.fill.clone().into(), &spot);
    if let Some(seen) = seen {
        outcome.effects = seen.into_effects(session, &spot.world);
    }
    let Some(mut first) = standing else {
        unread(&mut outcome, &format!("filled {}", describe(&spot.landed)));
        return (outcome, spot);
    };
    if let Some(page) = first.effects.take_if(|_| outcome.effects.iter().len() == 0) {
        page.add_to(&mut outcome.effects, session, &spot.world);
    }
    let mut last = None;
    if !elsewhere && (begun || first.scheduled) {
        let left = TAKEN_BACK_WITHIN.saturating_sub(began.elapsed());
        last = look(session, filling, &mut spot, Some(left)).await.ok();
        note_value(&mut outcome.effects, last.as_ref());
    }
    if filling.text.contains(char::REPLACEMENT_CHARACTER) {
        outcome.notes.push("the text has a \u{fffd} in it: a character was lost before it came here".to_owned());
    }
    if by_keys && filling.fill.tier == FillTier::Auto {
        outcome.notes.push("typed key by key: the page did not take it at once".to_owned());
    }
    let taken = first.input && (first.changed || begun);
    judge(&mut outcome, filling, &kind, &spot, (first.equal, taken), last.as_ref().unwrap_or(&first));
    (outcome, spot)
}

/// A value that was taken back is none that the field has.
fn note_value(effects: &mut Effects, last: Option<&Standing>) {
    let Some(last) = last.filter(|last| !last.secret) else { return };
    let now = effects.iter().map(|effect| match effect {
        Effect::Value { value: Some(_) } => Effect::Value { value: Some(last.value.clone()) },
        other => other.clone(),
    });
    *effects = now.collect();
}

fn judge(
    outcome: &mut Outcome,
    filling: &Filling<'_>,
    kind: &str,
    spot: &Spot,
    (held, taken): (bool, bool),
    now: &Standing,
) {
    let what = describe(&spot.landed);
    if now.equal {
        outcome.message = match (filling.text.is_empty(), filling.fill.clear) {
            (true, true) => format!("cleared {what}"),
            (true, false) => format!("left {what} as it is"),
            _ => format!("filled {what}"),
        };
        outcome.data = (!now.secret).then(|| json!({ "value": now.value }));
        return;
    }
    if now.empty && taken && !filling.text.is_empty() {
        let detail = format!("{what} is empty: the page took the text out of it and did something with it");
        let error = ActionError::new(ErrorCode::ValueRejected, detail)
            .with_kind("taken")
            .with_hint("look at the page before you repeat it: an entry may have been made of it");
        return outcome.fail(error);
    }
    let stands = match (now.bad, now.secret) {
        (true, _) if kind == "number" => "shows what is not a number".to_owned(),
        (true, _) => "shows what is no value of its kind".to_owned(),
        (false, true) => "holds something else instead".to_owned(),
        (false, false) => format!("holds {:?} instead", now.value),
    };
    let detail =
        if held { format!("{what} took the text, and a moment later {stands}") } else { format!("{what} {stands}") };
    reject(outcome, detail);
}

/// Presses Enter in the field; not where the focus went on.
async fn submit(session: &mut Session, aim: Aim, spot: &Spot, outcome: &mut Outcome) {
    let struck = async {
        let strokes = strokes_of("Enter")?;
        let guard = KeyGuard::arm(session, &aim, spot, false).await?;
        keyboard::strike(session, &spot.world, &strokes, keyboard::Keep::Element(Box::new((guard, aim)))).await
    };
    match struck.await {
        Ok(followed) => {
            outcome.effects.extend(followed.effects.iter().cloned());
            outcome.message.push_str(", pressed Enter");
            if !followed.any {
                outcome.notes.push("nothing was seen to follow Enter".to_owned());
            }
        }
        Err(mut error) => {
            error.detail = format!("{}, but Enter could not be pressed in it: {}", outcome.message, error.detail);
            outcome.fail(error);
        }
    }
}

/// Fields that take no keys: dates, times, colours, ranges.
async fn set(
    session: &mut Session,
    filling: &Filling<'_>,
    mut spot: Spot,
    prepared: &Prepared,
) -> Result<Outcome, ActionError> {
    #[derive(Debug, Default, Deserialize)]
    #[serde(default)]
    struct Set {
        miss: Option<String>,
        value: String,
        min: String,
        max: String,
        step: String,
        scheduled: bool,
    }
    let what = describe(&spot.landed);
    let text = &filling.fill.text;
    let wanted = if text.is_empty() {
        String::new()
    } else {
        value::normalise(&prepared.kind, text, &prepared.language).map_err(|form| {
            ActionError::new(ErrorCode::ValueRejected, format!("{what} takes {form}, not {text:?}")).with_kind("form")
        })?
    };
    let watch = Watch::start(&session.tab);
    let began = Instant::now();
    let asked = ask(session, &spot.world, Call::new("setField").arg(spot.local).arg(&wanted)).await;
    let cut_short = session.tab.dialog().is_some() || session.tab.is_closed();
    let set: Set = if cut_short { Set::default() } else { asked? };
    if set.miss.is_some() {
        return Err(unfillable(&spot, "gone", ""));
    }
    let seen = watch.settle(&spot.world, &session.settings).await;
    let elsewhere = session.tab.dialog().is_some() || is_elsewhere(&seen);
    let mut outcome = landed_outcome(filling.fill.clone().into(), &spot);
    outcome.effects = seen.into_effects(session, &spot.world);
    if cut_short {
        unread(&mut outcome, &format!("set {what}"));
        return Ok(outcome);
    }
    let stands = if elsewhere {
        Standing { value: set.value, ..Standing::default() }
    } else {
        let left = if set.scheduled { TAKEN_BACK_WITHIN.saturating_sub(began.elapsed()) } else { Duration::ZERO };
        let whole = Filling { fill: &filling.fill.clone().clear(true), aim: filling.aim, text: wanted.clone() };
        look(session, &whole, &mut spot, Some(left)).await?
    };
    note_value(&mut outcome.effects, Some(&stands));
    if !stands.bad && value::same(&prepared.kind, &stands.value, &wanted) {
        outcome.message = format!("set {what} to {:?}", stands.value);
        outcome.data = Some(json!({ "value": stands.value }));
    } else {
        let bounds = value::bounds(&set.min, &set.max, &set.step);
        reject(&mut outcome, format!("{what} holds {:?} instead of {wanted:?}{bounds}", stands.value));
    }
    Ok(outcome)
}

pub(super) async fn focus(session: &mut Session, focus: &Focus) -> Result<Outcome, ActionError> {
    let aim = aim::aim(session, &focus.target).await?;
    let deadline = Instant::now() + session.settings.action_deadline;
    let spot = aim::locate(session, &aim, Wants { enabled: true, observe: true, ..Wants::NOTHING }, deadline).await?;
    give_focus(session, &spot).await?;
    let mut outcome = landed_outcome(focus.clone().into(), &spot);
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
    if focused.focused { Ok(()) } else { Err(no_focus(spot)) }
}
