//! Dates that are chosen in a calendar: it is opened where it has to be, leafed through to the month by whatever leads there,
//! and the day is pressed. What the field shows then, or the day says of itself, is what is told.

use std::collections::HashMap;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;
use webhand_page::Call;

use super::{Filling, finish, prepare, ways};
use crate::{
    act::{
        aim::{self, Aim, Spot, Wants},
        pointer::{self, Gesture, Precision, describe},
        popups,
        readback::{TAKEN_BACK_WITHIN, ask, is_elsewhere, landed_outcome, reject, unread},
        value,
    },
    catalogue::{Fill, Target},
    effects::Effects,
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    session::Session,
};

/// How long a calendar may take to come up, and to show another month.
const OPENS_WITHIN: Duration = Duration::from_millis(300);
const TURNS_WITHIN: Duration = Duration::from_millis(400);
/// How long a date that was chosen may take to show.
const SHOWS_WITHIN: Duration = Duration::from_millis(600);
/// How long a calendar may take to tell its page of a time that was typed: such changes are gathered before they are told.
const TELLS_WITHIN: Duration = Duration::from_millis(350);
/// So many presses lead to a month at most.
const TURNS_MAX: u32 = 150;
/// A longer text, in bytes, is no date.
const LONGEST: usize = 120;
/// A date may take so many times as long as an element may take to be found usable.
const PATIENCE: u32 = 5;

/// A day of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Date {
    year: i32,
    month: i32,
    day: u32,
}

impl Date {
    /// From an ISO date.
    fn parse(iso: &str) -> Option<Self> {
        let mut parts = iso.splitn(3, '-');
        let year = parts.next()?.parse().ok().filter(|year| *year >= 1000)?;
        Some(Self { year, month: parts.next()?.parse().ok()?, day: parts.next()?.parse().ok()? })
    }

    /// The dates that a text means: one, or the two ends of a range. None where it is anything else.
    fn all_in(text: &str, language: &str) -> Option<Vec<Self>> {
        let one = |text: &str| value::normalise("date", text, language).ok().and_then(|iso| Self::parse(&iso));
        if let Some(date) = one(text) {
            return Some(vec![date]);
        }
        [" to ", " - ", " – ", " — ", "..", " bis ", "/"].iter().find_map(|parted| {
            let (from, to) = text.split_once(parted)?;
            Some(vec![one(from)?, one(to)?])
        })
    }

    fn iso(self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }

    fn months(self) -> i32 {
        self.year * 12 + self.month - 1
    }
}

/// What is to be chosen: a day, or the two ends of a range; and a time, if one was given.
struct Wanted {
    dates: Vec<Date>,
    clock: Option<String>,
}

impl Wanted {
    fn of(text: &str, language: &str) -> Option<Self> {
        if text.len() > LONGEST {
            return None;
        }
        if let Some(dates) = Date::all_in(text, language) {
            return Some(Self { dates, clock: None });
        }
        let whole = value::normalise("datetime-local", text, language).ok()?;
        let (day, clock) = whole.split_once('T')?;
        Some(Self { dates: vec![Date::parse(day)?], clock: Some(clock.to_owned()) })
    }

    /// Whether a text shows the time, if one is wanted.
    fn is_timed(&self, text: &str) -> bool {
        let Some(clock) = &self.clock else { return true };
        let words: Vec<&str> =
            text.split([' ', '\u{202f}', '\u{a0}', ',', 'T']).filter(|word| !word.is_empty()).collect();
        words.iter().enumerate().filter(|(_, word)| word.contains(':')).any(|(at, word)| {
            let half = words.get(at + 1).filter(|half| matches!(half.to_lowercase().as_str(), "am" | "pm"));
            let whole = half.map_or_else(|| (*word).to_owned(), |half| format!("{word} {half}"));
            value::normalise("time", &whole, "").is_ok_and(|time| value::same("time", &time, clock))
        })
    }
}

/// Whether a text is a date or a time.
pub(super) fn is_dated(text: &str) -> bool {
    text.len() <= LONGEST && (Wanted::of(text, "").is_some() || value::normalise("time", text, "").is_ok())
}

/// A date or time was written: what came up to take it, a button called `OK` or so, is pressed, and the field looked at again.
pub(super) async fn confirm(
    session: &mut Session,
    filling: &Filling<'_>,
    spot: &Spot,
    outcome: &mut Outcome,
) -> Result<(), ActionError> {
    let part: Option<Part> = ask(session, &spot.world, Call::new("confirmCame")).await?;
    let Some(part) = part else { return Ok(()) };
    let aim = filling.aim.beside(session, part.id, &part.role, &part.name, Some(&part.words));
    let landing = Box::pin(pointer::press_on(session, &aim, Gesture::CLICK, Precision::Within)).await?;
    let elsewhere = session.tab.dialog().is_some() || is_elsewhere(&landing.seen);
    outcome.effects.extend(landing.seen.into_effects(session, &spot.world).iter().cloned());
    if elsewhere {
        unread(outcome, &format!("filled {} and clicked {:?}", describe(&spot.landed), part.name));
        return Ok(());
    }
    let call = Call::new("readBackLater")
        .arg(spot.local)
        .arg(&filling.text)
        .arg(false)
        .arg(TAKEN_BACK_WITHIN.as_millis() as u64);
    let now: ways::Standing = ask(session, &spot.world, call).await?;
    if now.miss.is_none() && now.settles() {
        outcome.notes.push(format!("taken by {:?}", part.name));
    } else {
        reject(outcome, format!("{} holds {:?} once {:?} was clicked", describe(&spot.landed), now.value, part.name));
    }
    Ok(())
}

/// How a calendar is come to.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Begun {
    /// `here`, `press`, or `none`.
    way: String,
    language: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
struct Month {
    year: i32,
    month: i32,
}

impl Month {
    fn months(self) -> i32 {
        self.year * 12 + self.month - 1
    }
}

/// The months that are shown.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Shown {
    months: Vec<Month>,
    key: String,
}

impl Shown {
    /// How many months lie between what is shown and a date. None where it is not known what is shown.
    fn away(&self, date: Date) -> Option<i32> {
        let known = self.months.iter().filter(|month| month.year > 0);
        known.map(|month| date.months() - month.months()).min_by_key(|away| away.abs())
    }
}

/// A part of it that can be pressed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Part {
    id: u32,
    role: String,
    name: String,
    words: String,
    disabled: bool,
    /// Whether a day says that it is chosen.
    chosen: Option<bool>,
    /// Which way a part of its head seems to lead.
    side: i32,
    /// What a part of its clock is for.
    kind: String,
}

/// A native list of months or years.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct List {
    id: u32,
    kind: String,
    labels: Vec<String>,
    months: Vec<i32>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Pagers {
    pagers: Vec<Part>,
    lists: Vec<List>,
}

/// How dates stand.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Stand {
    /// The control shows them.
    shown: bool,
    /// Their days say that they are chosen.
    chosen: bool,
    text: String,
    field: bool,
    /// The control shows some date.
    dated: bool,
}

impl Stand {
    fn holds(&self) -> bool {
        self.shown || (!self.field && !self.dated && self.chosen)
    }
}

/// A calendar at work.
struct Calendar<'a> {
    session: &'a mut Session,
    aim: Aim,
    spot: Spot,
    effects: Effects,
    elsewhere: bool,
    until: Instant,
}

/// Chooses the dates that a text means in the calendar of a field. None where the text is no date or there is no calendar.
pub(super) async fn fill(session: &mut Session, filling: &Filling<'_>) -> Result<Option<Outcome>, ActionError> {
    if Wanted::of(&filling.text, "").is_none() || !filling.fill.clear {
        return Ok(None);
    }
    let deadline = Instant::now() + session.settings.action_deadline;
    let spot = aim::locate(session, filling.aim, Wants::CHOOSE, deadline).await?;
    let begun: Begun = ask(session, &spot.world, Call::new("beginCalendar").arg(spot.local)).await?;
    let Some(wanted) = Wanted::of(&filling.text, &begun.language) else { return Ok(None) };
    if begun.way == "none" || begun.way.is_empty() {
        return Ok(None);
    }
    let until = Instant::now() + session.settings.action_deadline * PATIENCE;
    let mut calendar =
        Calendar { session, aim: filling.aim.clone(), spot, effects: Effects::none(), elsewhere: false, until };
    if begun.way == "press" && !calendar.open().await? {
        if calendar.elsewhere {
            let mut outcome = landed_outcome(filling.fill.clone().into(), &calendar.spot);
            outcome.effects = calendar.effects.clone();
            unread(&mut outcome, &format!("clicked {}", describe(&calendar.spot.landed)));
            return Ok(Some(outcome));
        }
        return Ok(None);
    }
    Box::pin(calendar.choose(filling, &wanted)).await.map(Some)
}

impl Calendar<'_> {
    fn what(&self) -> String {
        describe(&self.spot.landed)
    }

    async fn ask<T: serde::de::DeserializeOwned>(&self, call: Call) -> Result<T, ActionError> {
        ask(self.session, &self.spot.world, call).await
    }

    async fn shown(&self, within: Duration, was: &str) -> Result<Shown, ActionError> {
        self.ask(Call::new("readCalendar").arg(within.as_millis() as u64).arg(was)).await
    }

    /// Presses the field or button, else what opens the calendar beside a field, and looks whether one comes up.
    async fn open(&mut self) -> Result<bool, ActionError> {
        let aim = self.aim.clone();
        self.press(&aim).await?;
        if self.elsewhere || !self.shown(OPENS_WITHIN, "").await?.months.is_empty() {
            return Ok(!self.elsewhere);
        }
        let opener: Option<Part> = self.ask(Call::new("calendarOpener")).await?;
        let Some(opener) = opener else { return Ok(false) };
        let part = self.part(&opener);
        self.press(&part).await?;
        Ok(!self.elsewhere && !self.shown(OPENS_WITHIN, "").await?.months.is_empty())
    }

    /// Sets the clock of the calendar.
    async fn set_clock(&mut self, clock: &str) -> Result<(), ActionError> {
        let parts: Vec<Part> = self.ask(Call::new("clockParts")).await?;
        let numbers: Vec<u32> = clock.split(':').filter_map(|number| number.parse().ok()).collect();
        let (Some(&hour), Some(&minute)) = (numbers.first(), numbers.get(1)) else { return Ok(()) };
        let half = parts.iter().find(|part| part.kind == "half");
        let shown_hour = match (half.is_some(), hour % 12) {
            (false, _) => hour,
            (true, 0) => 12,
            (true, hour) => hour,
        };
        let wanted = [("hour", Some(shown_hour)), ("minute", Some(minute)), ("second", numbers.get(2).copied())];
        for (kind, number) in wanted {
            let part = parts.iter().find(|part| part.kind == kind);
            match (part, number) {
                (Some(part), number) => self.fill_part(part, &number.unwrap_or(0).to_string()).await?,
                (None, Some(_)) if kind != "second" => {
                    let detail = format!("the calendar of {} has no field for the {kind}", self.what());
                    return Err(ActionError::new(ErrorCode::ValueRejected, detail).with_kind("form"));
                }
                _ => {}
            }
        }
        let wants = if hour < 12 { "AM" } else { "PM" };
        if let Some(half) = half.filter(|half| !half.name.eq_ignore_ascii_case(wants)) {
            let part = self.part(half);
            self.press(&part).await?;
        }
        Ok(())
    }

    async fn fill_part(&mut self, part: &Part, text: &str) -> Result<(), ActionError> {
        let aim = self.part(part);
        let order = Fill::on(Target::selector(""), text);
        let filling = Filling { fill: &order, aim: &aim, text: text.to_owned() };
        let (spot, prepared) = Box::pin(prepare(self.session, &filling)).await?;
        let tried = Box::pin(ways::bring_in(self.session, &filling, spot, prepared)).await?;
        let (outcome, _) = Box::pin(finish::finish(self.session, &filling, tried)).await;
        outcome.error.map_or(Ok(()), Err)
    }

    async fn press(&mut self, part: &Aim) -> Result<(), ActionError> {
        if Instant::now() >= self.until {
            let detail = format!("the calendar of {} took too long", self.what());
            return Err(
                ActionError::new(ErrorCode::Timeout, detail).with_hint("look at the page before it is tried again")
            );
        }
        let landing = Box::pin(pointer::press_on(self.session, part, Gesture::CLICK, Precision::Within)).await?;
        self.elsewhere = self.session.tab.dialog().is_some() || is_elsewhere(&landing.seen);
        let opened = landing.seen.popups.clone();
        self.effects = landing.seen.into_effects(self.session, &self.spot.world);
        popups::adopt(self.session, opened, true, &mut self.effects).await;
        Ok(())
    }

    fn part(&self, part: &Part) -> Aim {
        self.aim.beside(self.session, part.id, &part.role, &part.name, Some(&part.words))
    }

    async fn choose(&mut self, filling: &Filling<'_>, wanted: &Wanted) -> Result<Outcome, ActionError> {
        let what = self.what();
        let dates = &wanted.dates;
        let isos: Vec<String> = dates.iter().map(|date| date.iso()).collect();
        let mut outcome = landed_outcome(filling.fill.clone().into(), &self.spot);
        let stand = Call::new("datesStand").arg(&isos);
        let before: Stand = self.ask(stand.clone().arg(0)).await?;
        for date in dates {
            self.turn_to(*date).await?;
            let day: Option<Part> = self.ask(Call::new("dayPart").arg(date.year).arg(date.month).arg(date.day)).await?;
            let Some(day) = day else { return Err(self.unreached(*date)) };
            if day.disabled {
                let detail = format!("the calendar of {what} does not let {} be chosen", date.iso());
                return Err(ActionError::new(ErrorCode::ValueRejected, detail).with_kind("out_of_range"));
            }
            if before.holds() && day.chosen == Some(true) && dates.len() == 1 && wanted.is_timed(&before.text) {
                outcome.message = format!("{what} already has {}", date.iso());
                outcome.data = Some(json!({ "value": before.text }));
                return Ok(outcome);
            }
            let part = self.part(&day);
            self.press(&part).await?;
            if self.elsewhere {
                outcome.effects = self.effects.clone();
                unread(&mut outcome, &format!("chose {} in {what}", date.iso()));
                return Ok(outcome);
            }
        }
        let effects = self.effects.clone();
        if let Some(clock) = &wanted.clock {
            self.set_clock(clock).await?;
        }
        let mut now: Stand = self.ask(stand.clone().arg(SHOWS_WITHIN.as_millis() as u64)).await?;
        let confirm: Option<Part> = self.ask(Call::new("calendarConfirm")).await?;
        if let Some(confirm) = confirm {
            let part = self.part(&confirm);
            self.press(&part).await?;
            now = self.ask(stand.clone().arg(SHOWS_WITHIN.as_millis() as u64)).await?;
        }
        if now.holds() {
            let rest = if wanted.clock.is_some() { TELLS_WITHIN } else { TAKEN_BACK_WITHIN };
            let rest = Call::new("awaitChange").arg(rest.as_millis() as u64);
            let _: Option<serde_json::Value> = self.ask(rest).await.ok();
            now = self.ask(stand.arg(0)).await?;
        }
        outcome.effects = effects;
        let told = [isos.join(" to "), wanted.clock.clone().unwrap_or_default()].join(" ").trim_end().to_owned();
        if now.holds() && wanted.is_timed(&now.text) {
            let shows = if now.text.is_empty() { String::new() } else { format!("; it shows {:?}", now.text) };
            outcome.message = format!("chose {told} in the calendar of {what}{shows}");
            outcome.data = Some(json!({ "value": told, "shown": now.text }));
        } else {
            let shows =
                if now.text.is_empty() { "nothing shows it".to_owned() } else { format!("it shows {:?}", now.text) };
            reject(&mut outcome, format!("chose {told} in the calendar of {what}, and {shows}"));
        }
        Ok(outcome)
    }

    fn unreached(&self, date: Date) -> ActionError {
        let detail =
            format!("the calendar of {} could not be brought to {:04}-{:02}", self.what(), date.year, date.month);
        ActionError::new(ErrorCode::ValueRejected, detail)
            .with_kind("out_of_range")
            .with_hint("it may have bounds; look at it, and click its own parts")
    }

    /// Leafs through it until it shows the month of a date.
    async fn turn_to(&mut self, date: Date) -> Result<(), ActionError> {
        let mut shown = self.shown(OPENS_WITHIN, "").await?;
        let Some(mut away) = shown.away(date) else { return Err(self.unreached(date)) };
        if away != 0 && self.by_lists(date).await? {
            shown = self.shown(TURNS_WITHIN, &shown.key).await?;
            away = shown.away(date).unwrap_or(away);
        }
        // what leads where, once it was pressed: by its words and which way it seems to lead
        let mut leads: HashMap<String, i32> = HashMap::new();
        for _ in 0..TURNS_MAX {
            if away == 0 {
                return Ok(());
            }
            let Pagers { pagers, .. } = self.ask(Call::new("calendarPagers")).await?;
            let Some((key, pager)) = best(&pagers, &leads, away) else { break };
            let part = self.part(&pager);
            self.press(&part).await?;
            if self.elsewhere {
                break;
            }
            let now = self.shown(TURNS_WITHIN, &shown.key).await?;
            let Some(left) = now.away(date) else { break };
            leads.insert(key, away - left);
            (shown, away) = (now, left);
        }
        if away == 0 { Ok(()) } else { Err(self.unreached(date)) }
    }

    /// Sets native lists of years and months, where there are such.
    async fn by_lists(&mut self, date: Date) -> Result<bool, ActionError> {
        let mut set = false;
        for kind in ["year", "month"] {
            let Pagers { lists, .. } = self.ask(Call::new("calendarPagers")).await?;
            let Some(list) = lists.into_iter().find(|list| list.kind == kind) else { continue };
            let at = match kind {
                "year" => list.labels.iter().position(|label| label.trim() == date.year.to_string()),
                _ => list.months.iter().position(|month| *month == date.month),
            };
            let Some(label) = at.and_then(|at| list.labels.get(at)) else { continue };
            let call = Call::new("chooseOptionsSoon").arg(list.id).arg([label]).arg("set").arg(0);
            let _: serde_json::Value = self.ask(call).await?;
            let rest = Call::new("awaitRest").arg(TURNS_WITHIN.as_millis() as u64);
            let _: Option<serde_json::Value> = self.ask(rest).await.ok();
            set = true;
        }
        Ok(set)
    }
}

/// The part that leads nearest to so many months away: one that is known, else the next that seems to lead that way.
fn best(pagers: &[Part], leads: &HashMap<String, i32>, away: i32) -> Option<(String, Part)> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let named: Vec<(String, &Part)> = pagers
        .iter()
        .map(|pager| {
            let name = format!("{} {} {}", pager.side, pager.name, pager.words);
            let count = seen.entry(name.clone()).or_default();
            *count += 1;
            (format!("{name} {count}"), pager)
        })
        .collect();
    let known = named
        .iter()
        .filter_map(|(key, pager)| leads.get(key).map(|by| (key, *pager, *by)))
        .filter(|(_, _, by)| *by != 0 && (away - by).abs() < away.abs())
        .min_by_key(|(_, _, by)| (away - by).abs());
    let fresh = named.iter().find(|(key, pager)| !leads.contains_key(key) && pager.side == away.signum());
    // a year at a time is worth a look where it is far
    if let (Some((_, _, by)), Some((key, pager))) = (&known, fresh)
        && by.abs() < 12
        && away.abs() >= 12
    {
        return Some((key.clone(), (*pager).clone()));
    }
    if let Some((key, pager, _)) = known {
        return Some((key.clone(), pager.clone()));
    }
    fresh.map(|(key, pager)| (key.clone(), (*pager).clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_a_date_or_two_or_neither() {
        let isos =
            |text| Date::all_in(text, "en").map(|dates| dates.into_iter().map(Date::iso).collect::<Vec<_>>().join(" "));
        assert_eq!(isos("June 12, 2030").as_deref(), Some("2030-06-12"));
        assert_eq!(isos("2030-06-03 to 2030-06-07").as_deref(), Some("2030-06-03 2030-06-07"));
        assert_eq!(isos("06/03/2030 - 06/07/2030").as_deref(), Some("2030-06-03 2030-06-07"));
        assert_eq!(isos("next week"), None);
        assert_eq!(isos("555-1234"), None);
    }

    #[test]
    fn the_nearest_step_is_taken() {
        let part = |name: &str, side| Part { name: name.to_owned(), side, ..Part::default() };
        let pagers = [part("Next month", 1), part("Previous month", -1), part("Next year", 1)];
        let (key, first) = best(&pagers, &HashMap::new(), 14).unwrap();
        assert_eq!(first.name, "Next month");
        let mut leads = HashMap::from([(key, 1)]);
        let (key, second) = best(&pagers, &leads, 13).unwrap();
        assert_eq!(second.name, "Next year");
        leads.insert(key, 12);
        assert_eq!(best(&pagers, &leads, 2).unwrap().1.name, "Next month");
        assert_eq!(best(&pagers, &leads, -2).unwrap().1.name, "Previous month");
    }
}
