//! Filling fields. It ends with a look at what really stands there. Where that is not what was asked, the text comes in
//! another way, from all at once over key by key to a paste; but no text is put in again that the page took and did
//! something with, and neither Enter nor Tab is pressed to bring one in. The focus stays: what a field opens stays open.
//!
//! The way of a text: [`prepare`] gives the field the focus, [`ways`] puts the text in and looks, [`finish`] waits for what
//! it set off and says what stands there. [`boxes`] are the several fields of one code, [`set`] is for fields that take no
//! keys, [`scale`] for sliders and spin buttons that are no fields, [`parts`] for those of one date, [`calendar`] for dates that are chosen in
//! one.

mod boxes;
mod calendar;
mod finish;
mod parts;
mod scale;
mod set;
mod ways;

use serde::Deserialize;
use tokio::time::Instant;
use webhand_page::Call;

use super::{
    aim::{self, Aim, Spot, Wants},
    focus::no_focus,
    guard::KeyGuard,
    keyboard,
    keys::{self, Stroke},
    pointer::describe,
    readback::ask,
};
use crate::{
    catalogue::{Fill, FillTier},
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    session::Session,
};

/// How the page says to fill a field.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Prepared {
    miss: Option<String>,
    r#use: String,
    way: String,
    kind: String,
    language: String,
    /// A colour in the field's own form, where the browser knows the text as one.
    css: String,
    empty: bool,
    focused: bool,
    /// It takes text otherwise than by a value: rich text, code.
    editor: bool,
    /// It listens for keys itself.
    keys: bool,
    /// The fields that the text goes into, a character each.
    boxes: Vec<u32>,
}

/// A text on its way into a field.
struct Filling<'a> {
    fill: &'a Fill,
    aim: &'a Aim,
    /// The text, with line breaks of one kind.
    text: String,
}

impl Filling<'_> {
    fn lines(&self) -> usize {
        self.text.split('\n').count()
    }
}

pub(super) async fn fill(session: &mut Session, fill: &Fill) -> Result<Outcome, ActionError> {
    let aim = aim::aim(session, &fill.target).await?;
    let filling = Filling { fill, aim: &aim, text: fill.text.replace("\r\n", "\n").replace('\r', "\n") };
    // what is chosen in a calendar is told in another form than it was given, in which a secret would not be known
    let secret = session.holds_secret(&filling.text);
    if !secret && let Some(outcome) = Box::pin(calendar::fill(session, &filling)).await? {
        return Ok(outcome);
    }
    let dated = !secret && calendar::is_dated(&filling.text);
    if dated {
        let _: Option<serde_json::Value> = ask(session, &aim.world, Call::new("noteConfirms")).await?;
    }
    let (spot, prepared) = prepare(session, &filling).await?;
    if prepared.way == "scale" {
        return Box::pin(scale::set(session, &filling, spot)).await;
    }
    if prepared.way == "set" {
        return Box::pin(set::set(session, &filling, spot, &prepared)).await;
    }
    let in_boxes = !prepared.boxes.is_empty() && fill.tier != FillTier::Keys;
    let (mut outcome, spot) = if in_boxes {
        Box::pin(boxes::fill(session, &filling, spot, prepared)).await?
    } else {
        let tried = Box::pin(ways::bring_in(session, &filling, spot, prepared)).await?;
        Box::pin(finish::finish(session, &filling, tried)).await
    };
    if outcome.ok && dated {
        Box::pin(calendar::confirm(session, &filling, &spot, &mut outcome)).await?;
    }
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

fn strokes_of(key: &str) -> Result<Vec<Stroke>, ActionError> {
    keys::parse(key).map_err(|error| ActionError::new(ErrorCode::Internal, error.to_string()))
}

/// Presses Enter in the field; not where the focus went on.
async fn submit(session: &mut Session, aim: Aim, spot: &Spot, outcome: &mut Outcome) {
    let struck = async {
        let strokes = strokes_of("Enter")?;
        let guard = KeyGuard::arm(session, &aim, spot, false).await?;
        keyboard::strike_judged(session, &spot.world, &strokes, keyboard::Keep::Element(Box::new((guard, aim)))).await
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
