//! Dates and times whose parts are spin buttons beside each other: a whole one is set part by part, and each is read back.

use serde::Deserialize;
use serde_json::json;

use super::{Filling, scale};
use crate::{
    act::{
        aim::Spot,
        effects::Watch,
        pointer::describe,
        readback::{is_elsewhere, landed_outcome, reject, unread},
        value,
    },
    error::ActionError,
    outcome::Outcome,
    session::Session,
};

/// A part of a date or time.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct DatePart {
    pub(super) id: u32,
    /// `year`, `month`, `day`, `hour`, `hour12`, `minute`, `second` or `half`.
    pub(super) kind: String,
    pub(super) name: String,
}

/// What each part is to say, the largest first, where the text is a date or time and they are the parts of one.
pub(super) fn wanted(text: &str, parts: &[DatePart]) -> Option<Vec<(DatePart, String)>> {
    if parts.len() < 2 {
        return None;
    }
    let whole = value::normalise("datetime-local", text, "").ok();
    let (day, clock) = match &whole {
        Some(whole) => whole.split_once('T').map(|(day, clock)| (Some(day.to_owned()), Some(clock.to_owned())))?,
        None => (value::normalise("date", text, "").ok(), value::normalise("time", text, "").ok()),
    };
    let mut told: Vec<(&str, String)> = Vec::new();
    if let Some(day) = &day {
        // a day that no part takes would be lost
        parts.iter().find(|part| part.kind == "day")?;
        told.extend(["year", "month", "day"].into_iter().zip(day.split('-').map(plain)));
    }
    if let Some(clock) = &clock {
        let mut numbers = clock.split(':');
        let hour: u32 = numbers.next()?.parse().ok()?;
        told.push(("hour", hour.to_string()));
        told.push(("hour12", (if hour.is_multiple_of(12) { 12 } else { hour % 12 }).to_string()));
        told.push(("minute", plain(numbers.next()?)));
        told.push(("second", plain(numbers.next().unwrap_or("0"))));
        told.push(("half", if hour < 12 { "AM" } else { "PM" }.to_owned()));
    }
    let wanted: Vec<(DatePart, String)> = told
        .into_iter()
        .filter_map(|(kind, text)| parts.iter().find(|part| part.kind == kind).map(|part| (part.clone(), text)))
        .collect();
    let is_day = |kind: &str| matches!(kind, "year" | "month" | "day");
    let asked = |part: &&DatePart| if is_day(&part.kind) { day.is_some() } else { clock.is_some() };
    (wanted.len() >= 2 && wanted.len() == parts.iter().filter(asked).count()).then_some(wanted)
}

fn plain(number: &str) -> String {
    number.parse::<u32>().map_or_else(|_| number.to_owned(), |number| number.to_string())
}

/// Sets each part, and looks at all of them in the end: one may change another.
pub(super) async fn set(
    session: &mut Session,
    filling: &Filling<'_>,
    spot: Spot,
    wanted: Vec<(DatePart, String)>,
) -> Result<Outcome, ActionError> {
    let what = describe(&spot.landed);
    let watch = Watch::start(&session.tab);
    for (part, text) in &wanted {
        let aim = filling.aim.beside(session, part.id, "spinbutton", &part.name, None);
        Box::pin(scale::move_part(session, aim, &spot.world, text)).await?;
    }
    let seen = watch.settle(&spot.world, &session.settings).await;
    let elsewhere = session.tab.dialog().is_some() || is_elsewhere(&seen);
    let mut outcome = landed_outcome(filling.fill.clone().into(), &spot);
    outcome.effects = seen.into_effects(session, &spot.world);
    if elsewhere {
        unread(&mut outcome, &format!("set {what} and the parts beside it"));
        return Ok(outcome);
    }
    let mut others = Vec::new();
    for (part, text) in &wanted {
        if let Some(says) = scale::differs(session, &spot.world, part.id, text).await? {
            others.push(format!("{:?} says {says}, not {text}", part.name));
        }
    }
    if others.is_empty() {
        let told: Vec<String> = wanted.iter().map(|(part, text)| format!("{} {text}", part.name)).collect();
        outcome.message = format!("set {what} and the parts beside it: {}", told.join(", "));
        outcome.data = Some(json!({ "value": filling.text }));
    } else {
        reject(&mut outcome, format!("{what} and the parts beside it: {}", others.join("; ")));
    }
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(kinds: &[&str]) -> Vec<DatePart> {
        kinds.iter().map(|kind| DatePart { kind: (*kind).to_owned(), ..DatePart::default() }).collect()
    }

    #[test]
    fn a_whole_date_is_parted_and_a_number_is_none() {
        let told = |text: &str, kinds: &[&str]| {
            let wanted = wanted(text, &parts(kinds))?;
            Some(wanted.iter().map(|(part, text)| format!("{} {text}", part.kind)).collect::<Vec<_>>().join(", "))
        };
        let day = ["month", "day", "year"];
        assert_eq!(told("2031-02-03", &day).as_deref(), Some("year 2031, month 2, day 3"));
        assert_eq!(told("11", &day), None);
        assert_eq!(told("2:05 pm", &["hour12", "minute", "half"]).as_deref(), Some("hour12 2, minute 5, half PM"));
        assert_eq!(told("14:05", &["hour", "minute"]).as_deref(), Some("hour 14, minute 5"));
        assert_eq!(told("14:05", &day), None);
        let whole = ["day", "month", "year", "hour", "minute"];
        assert_eq!(told("2031-02-03 7:09", &whole).as_deref(), Some("year 2031, month 2, day 3, hour 7, minute 9"));
        assert_eq!(told("2031-02-03", &["month", "year", "week"]).as_deref(), None);
    }
}
