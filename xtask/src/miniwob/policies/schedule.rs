//! Events entered into a day: `Create a 1.5 hours event named "Party", between 4PM and 8PM`. The day's slots stand under their
//! hours; those from the first to the last of the event are swept with the pointer.

use std::sync::Arc;

use async_trait::async_trait;
use webhand::actions::Drag;
use webhand::prelude::Snapshot;

use super::Policy;
use crate::miniwob::hand::{Hand, Played, Stop};
use crate::miniwob::see::{self, Seen};
use crate::miniwob::words::quoted;

/// The policy.
#[derive(Debug)]
pub(crate) struct Schedule;

/// Minutes of a day.
type Minutes = u32;

/// What is asked.
#[derive(Debug, PartialEq)]
struct Asked<'g> {
    name: &'g str,
    lasts: Minutes,
    from: Minutes,
    until: Minutes,
}

#[async_trait]
impl Policy for Schedule {
    fn name(&self) -> &'static str {
        "schedule"
    }

    fn about(&self) -> &'static str {
        "an event of a given length swept into free slots of a day, and named"
    }

    fn understands(&self, goal: &str, page: &Snapshot) -> bool {
        asked(goal).is_some() && !slots(page).is_empty()
    }

    async fn play(&self, goal: &str, page: Arc<Snapshot>, hand: &mut Hand<'_>) -> Played {
        let asked = asked(goal).ok_or_else(|| Stop::lost("not understood"))?;
        let slots = slots(&page);
        let (first, last) = free(&slots, &asked).ok_or_else(|| Stop::lost("no slot is free"))?;
        let sweep = if first.at == last.at {
            Drag::by(first.r#ref(), 8.0, 0.0)
        } else {
            Drag::onto(first.r#ref(), last.r#ref())
        };
        hand.act(sweep).await?;
        let page = hand.look().await?;
        let field = see::fields(&page).first().copied().ok_or_else(|| Stop::lost("nothing asks for its name"))?;
        hand.fill(field.r#ref(), asked.name).await?;
        let page = hand.look().await?;
        let create = see::pressed(&page, "Create").ok_or_else(|| Stop::lost("nothing creates it"))?;
        hand.click(create.r#ref()).await.map(drop)
    }
}

fn asked(goal: &str) -> Option<Asked<'_>> {
    let rest = goal.strip_prefix("Create a ").or_else(|| goal.strip_prefix("Create an "))?;
    let (length, rest) = rest.split_once(" event named ")?;
    let name = quoted(rest).first().copied()?;
    let (from, until) = rest.split_once(" between ")?.1.trim_end_matches('.').split_once(" and ")?;
    Some(Asked { name, lasts: lasts(length)?, from: time(from)?, until: time(until)? })
}

/// How long `1.5 hours` or `30 mins` is.
fn lasts(text: &str) -> Option<Minutes> {
    let (number, unit) = text.split_once(' ')?;
    let number: f64 = number.parse().ok()?;
    let minutes = if unit.starts_with("hour") { number * 60.0 } else { number };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a day")]
    Some(minutes.clamp(0.0, 1440.0).round() as Minutes)
}

/// The time of day that `4PM` is.
fn time(text: &str) -> Option<Minutes> {
    let text = text.trim().to_lowercase();
    let (hour, half) =
        text.strip_suffix("am").map(|hour| (hour, 0)).or(text.strip_suffix("pm").map(|hour| (hour, 12)))?;
    let hour: Minutes = hour.parse().ok().filter(|hour| (1..=12).contains(hour))?;
    Some((hour % 12 + half) * 60)
}

/// The slots of the day, each with the time at which it begins: those under one hour share it evenly.
fn slots(page: &Snapshot) -> Vec<(Minutes, Minutes, Seen<'_>)> {
    let hours: Vec<(usize, Minutes)> = see::texts(page).filter_map(|(at, text)| Some((at, time(text)?))).collect();
    let mut slots = Vec::new();
    for (index, (at, begins)) in hours.iter().enumerate() {
        let end = hours.get(index + 1).map_or(usize::MAX, |(next, _)| *next);
        let under: Vec<Seen<'_>> =
            see::of_role(page, &["generic"]).into_iter().filter(|seen| seen.at > *at && seen.at < end).collect();
        let each = 60 / Minutes::try_from(under.len().max(1)).unwrap_or(60).min(60);
        slots.extend(under.into_iter().zip(0..).map(|(seen, nth)| (begins + each * nth, each, seen)));
    }
    slots
}

/// The first and the last slot of the first time in which it can take place.
fn free<'p>(slots: &[(Minutes, Minutes, Seen<'p>)], asked: &Asked<'_>) -> Option<(Seen<'p>, Seen<'p>)> {
    let fits = |slot: &&(Minutes, Minutes, Seen<'p>)| {
        slot.0 >= asked.from && slot.0 + slot.1 <= asked.until && slot.2.control.usable()
    };
    slots.iter().filter(fits).find_map(|(begins, _, first)| {
        let within = |slot: &&(Minutes, Minutes, Seen<'p>)| slot.0 >= *begins && slot.0 < begins + asked.lasts;
        let run: Vec<_> = slots.iter().filter(fits).filter(within).collect();
        let length: Minutes = run.iter().map(|slot| slot.1).sum();
        (length == asked.lasts).then_some((*first, run.last()?.2))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_say_how_long_and_when() {
        let goal = "Create a 1.5 hours event named \"Gym\", between 8AM and 12PM.";
        assert_eq!(asked(goal), Some(Asked { name: "Gym", lasts: 90, from: 480, until: 720 }));
        assert_eq!(asked("Create a 30 mins event named \"Gym\", between 12PM and 4PM.").unwrap().lasts, 30);
        assert_eq!((time("12am"), time("12pm"), time("13pm"), time("noon")), (Some(0), Some(720), None, None));
    }
}
