//! A date that a calendar takes: `Select 03/05/2016 as the date and hit submit`.
//!
//! The field opens a calendar; it is turned month by month until its head names the one that is wanted.

use std::sync::Arc;

use async_trait::async_trait;
use webhand::prelude::Snapshot;

use super::Policy;
use crate::miniwob::hand::{Hand, Played, Stop};
use crate::miniwob::see::{self, Seen};
use crate::miniwob::words::numbers;

/// The policy.
#[derive(Debug)]
pub(crate) struct Calendar;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
/// No calendar is turned further.
const TURNS: usize = 60;

/// A day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Day {
    month: i64,
    day: i64,
    year: i64,
}

#[async_trait]
impl Policy for Calendar {
    fn name(&self) -> &'static str {
        "calendar"
    }

    fn about(&self) -> &'static str {
        "a date chosen in a calendar that a field opens"
    }

    fn understands(&self, goal: &str, page: &Snapshot) -> bool {
        goal.contains("as the date") && day(goal).is_some() && field(page).is_some()
    }

    async fn play(&self, goal: &str, page: Arc<Snapshot>, hand: &mut Hand<'_>) -> Played {
        let day = day(goal).ok_or_else(|| Stop::lost("no date"))?;
        let field = field(&page).ok_or_else(|| Stop::lost("no field for a date"))?;
        pick(field, day, hand).await?;
        let page = hand.look().await?;
        let submit = see::pressed(&page, "Submit").ok_or_else(|| Stop::lost("there is no Submit"))?;
        hand.click(submit.r#ref()).await.map(drop)
    }
}

/// The date in a sentence, month first.
pub(super) fn day(text: &str) -> Option<Day> {
    let date = text.split_whitespace().find(|word| word.matches('/').count() == 2)?;
    match numbers(date)[..] {
        [month, day, year] => Some(Day { month, day, year }),
        _ => None,
    }
}

/// The field that opens a calendar: it takes no typing.
pub(super) fn field(page: &Snapshot) -> Option<Seen<'_>> {
    see::fields(page).into_iter().find(|seen| seen.control.state.readonly)
}

/// Opens the calendar of a field and picks a day.
pub(super) async fn pick(field: Seen<'_>, day: Day, hand: &mut Hand<'_>) -> Played {
    hand.click(field.r#ref()).await?;
    for _ in 0..TURNS {
        let page = hand.look().await?;
        let (month, year) = head(&page).ok_or_else(|| Stop::lost("the calendar does not say which month it shows"))?;
        let away = (day.year - year) * 12 + day.month - month;
        if away == 0 {
            let label = day.day.to_string();
            let cell = see::controls(&page).find(|seen| seen.name() == label && seen.control.usable());
            let cell = cell.ok_or_else(|| Stop::lost(format!("the calendar has no {label}")))?;
            return hand.click(cell.r#ref()).await.map(drop);
        }
        let names: &[&str] = if away > 0 { &["Next", "next", ">"] } else { &["Prev", "Previous", "prev", "<"] };
        let turn = names.iter().find_map(|name| see::controls(&page).find(|seen| seen.name() == *name));
        let turn = turn.ok_or_else(|| Stop::lost("the calendar cannot be turned"))?;
        hand.click(turn.r#ref()).await?;
    }
    Err(Stop::lost("the month was not reached"))
}

/// Month and year that stand above the days.
fn head(page: &Snapshot) -> Option<(i64, i64)> {
    let texts: Vec<&str> = page.nodes.iter().map(|node| &*node.name).collect();
    for (index, text) in texts.iter().enumerate() {
        let Some(place) = MONTHS.iter().position(|month| text.starts_with(month)) else { continue };
        let rest = texts[index..].iter().take(3).flat_map(|text| numbers(text)).find(|number| *number > 1000);
        if let (Some(year), Ok(month)) = (rest, i64::try_from(place)) {
            return Some((month + 1, year));
        }
    }
    None
}
