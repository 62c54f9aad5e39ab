//! What a text that is in set off: waited for, looked at again, and said.

use std::time::Duration;

use serde_json::json;
use tokio::time::Instant;
use webhand_page::Call;

use super::{
    Filling,
    ways::{Attempt, Standing, Way, look_later},
};
use crate::{
    act::{
        aim::Spot,
        appeared,
        effects::{Seen, Watch},
        pointer::describe,
        readback::{TAKEN_BACK_WITHIN, ask, is_elsewhere, landed_outcome, reject, unread},
    },
    catalogue::FillTier,
    effects::{Effect, Effects},
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    session::Session,
};

/// How long a page may take to answer what was written, where it has something under way: suggestions wait so long for more
/// characters.
const ANSWER_WITHIN: Duration = Duration::from_millis(400);

/// Waits for what the text set off, and looks again where that may have changed the field.
pub(super) async fn finish(session: &mut Session, filling: &Filling<'_>, tried: Attempt) -> (Outcome, Spot) {
    let Attempt { mut spot, kind, mut watch, began, way, before, standing } = tried;
    let mut answered = false;
    if let Some(now) = standing.as_ref().filter(|now| now.settles() && now.scheduled && !now.changed) {
        answered = !now.secret && await_answer(session, &spot, &mut watch).await;
    }
    let begun = watch.has_begun();
    let seen = if begun || standing.is_none() || answered {
        Some(watch.settle(&spot.world, &session.settings).await)
    } else {
        None
    };
    let elsewhere = session.tab.dialog().is_some() || seen.as_ref().is_some_and(is_elsewhere);
    let mut outcome = landed_outcome(filling.fill.clone().into(), &spot);
    if let Some(seen) = seen {
        outcome.effects = seen.into_effects(session, &spot.world);
    }
    let Some(mut first) = standing else {
        unread(&mut outcome, &format!("filled {}", describe(&spot.landed)));
        return (outcome, spot);
    };
    let changed = first.changed || answered || begun;
    if let Some(page) = first.effects.take_if(|_| outcome.effects.iter().len() == 0) {
        page.add_to(&mut outcome.effects, session, &spot.world);
    }
    let mut last = None;
    if !elsewhere && (begun || first.scheduled) {
        last = read_later(session, filling, &mut spot, began).await;
    }
    let offers = changed && !elsewhere && appeared::note(session, &spot.world, &mut outcome.effects).await;
    let holds = last.as_ref().unwrap_or(&first).settles();
    if holds && !elsewhere && !offers && !first.committed {
        last = commit(session, filling, &mut spot, &mut outcome).await.or(last);
    }
    note_value(&mut outcome.effects, last.as_ref());
    tell_way(&mut outcome, filling, way, before);
    let taken = first.input && changed;
    judge(
        &mut outcome,
        filling,
        &kind,
        &spot,
        (first.equal || first.committed, taken),
        last.as_ref().unwrap_or(&first),
    );
    if let Some(data) = outcome.data.as_mut().filter(|_| !filling.text.is_empty()) {
        data["tier"] = way.tier().as_str().into();
    }
    (outcome, spot)
}

/// Whether the page answers what was written, in a while.
async fn await_answer(session: &Session, spot: &Spot, watch: &mut Watch) -> bool {
    let limit = ANSWER_WITHIN.min(session.settings.patience);
    let call = Call::new("awaitAnswer").arg(limit.as_millis() as u64);
    tokio::select! {
        biased;
        answered = ask::<bool>(session, &spot.world, call) => answered.unwrap_or(false),
        () = watch.until_begun() => true,
    }
}

async fn read_later(session: &mut Session, filling: &Filling<'_>, spot: &mut Spot, began: Instant) -> Option<Standing> {
    let left = TAKEN_BACK_WITHIN.saturating_sub(began.elapsed());
    look_later(session, filling, spot, left).await.ok()
}

/// Tells the page that the entry has ended, waits for what that sets off, and looks what stands there then.
async fn commit(
    session: &mut Session,
    filling: &Filling<'_>,
    spot: &mut Spot,
    outcome: &mut Outcome,
) -> Option<Standing> {
    let mut watch = Watch::start(&session.tab);
    let began = Instant::now();
    let call = Call::new("commitFill").arg(spot.local).arg(&filling.text).arg(!filling.fill.clear);
    let now: Option<Standing> = ask(session, &spot.world, call).await.ok();
    let told = now.as_ref().is_none_or(|now| now.committed || now.miss.is_some());
    if !told {
        return None;
    }
    let begun = watch.has_begun();
    if begun {
        let seen: Seen = watch.settle(&spot.world, &session.settings).await;
        let elsewhere = session.tab.dialog().is_some() || is_elsewhere(&seen);
        outcome.effects.extend(seen.into_effects(session, &spot.world).iter().cloned());
        if elsewhere {
            return now;
        }
    }
    if begun || now.as_ref().is_none_or(|now| now.scheduled || now.miss.is_some()) {
        return read_later(session, filling, spot, began).await.or(now);
    }
    now
}

/// A value that was taken back is none that the field has.
pub(super) fn note_value(effects: &mut Effects, last: Option<&Standing>) {
    let Some(last) = last.filter(|last| !last.secret) else { return };
    let now = effects.iter().map(|effect| match effect {
        Effect::Value { value: Some(_) } => Effect::Value { value: Some(last.value.clone()) },
        other => other.clone(),
    });
    *effects = now.collect();
}

/// Says how the text came in, where that is not the usual way.
fn tell_way(outcome: &mut Outcome, filling: &Filling<'_>, way: Way, before: usize) {
    if filling.text.contains(char::REPLACEMENT_CHARACTER) {
        outcome.notes.push("the text has a \u{fffd} in it: a character was lost before it came here".to_owned());
    }
    if filling.fill.tier != FillTier::Auto || filling.text.is_empty() {
        return;
    }
    let why = if before > 0 { "the page did not take it otherwise" } else { "the field listens for keys" };
    match way {
        Way::Bulk => {}
        Way::Keys => outcome.notes.push(format!("typed key by key: {why}")),
        Way::Paste if before > 0 => outcome.notes.push(format!("pasted: {why}")),
        Way::Paste => {}
    }
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
    if now.equal || now.formatted {
        outcome.message = match (filling.text.is_empty(), filling.fill.clear) {
            (true, true) => format!("cleared {what}"),
            (true, false) => format!("left {what} as it is"),
            _ if now.formatted && !now.secret => format!("filled {what}, which writes it as {:?}", now.value),
            _ => format!("filled {what}"),
        };
        outcome.data = (!now.secret).then(|| json!({ "value": now.value }));
        if !now.why.is_empty() {
            outcome.notes.push(format!("the browser says of it: {}", now.why));
        }
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
    let cut = if now.cut > 0 { format!(" (it takes {} characters)", now.cut) } else { String::new() };
    let detail = if held {
        format!("{what} took the text, and a moment later {stands}{cut}")
    } else {
        format!("{what} {stands}{cut}")
    };
    reject(outcome, detail);
}
