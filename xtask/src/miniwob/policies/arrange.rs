//! Lists put in order by hand: `Drag Gerda to the 3rd position`, `Drag Marcille up by one`, `Drag Willa to the bottom right`,
//! `Sort the numbers in increasing order`.
//!
//! Items stand in the snapshot, in rows by their places; an item is dragged to where another stands.

use std::sync::Arc;

use async_trait::async_trait;
use webhand::actions::Drag;
use webhand::actions::Target;
use webhand::prelude::Snapshot;

use super::Policy;
use crate::miniwob::hand::{Hand, Played, Stop};
use crate::miniwob::see::{self, Seen};
use crate::miniwob::words::ordinal;

/// The policy.
#[derive(Debug)]
pub(crate) struct Arrange;

/// Where an item goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goes {
    /// To that place, from 1.
    Nth(usize),
    Top,
    Bottom,
    /// To a row and a column, each 0 for the first, 1 for the middle, 2 for the last.
    Corner(usize, usize),
    /// So many rows down and columns to the right.
    By(isize, isize),
}

#[async_trait]
impl Policy for Arrange {
    fn name(&self) -> &'static str {
        "arrange"
    }

    fn about(&self) -> &'static str {
        "items of a list or grid dragged to a place among them, and lists of numbers sorted"
    }

    fn understands(&self, goal: &str, page: &Snapshot) -> bool {
        let items = items(page);
        if goal.starts_with("Sort the numbers in increasing order") {
            return items.iter().all(|item| number_of(item).is_some()) && !items.is_empty();
        }
        asked(goal).is_some_and(|(name, _)| items.iter().any(|item| item.name().trim() == name))
    }

    async fn play(&self, goal: &str, page: Arc<Snapshot>, hand: &mut Hand<'_>) -> Played {
        let Some((name, goes)) = asked(goal) else { return sort(hand).await };
        let items = items(&page);
        let from = items.iter().position(|item| item.name().trim() == name);
        let from = from.ok_or_else(|| Stop::lost(format!("there is no {name}")))?;
        let columns = items.iter().filter(|item| (item.middle().1 - items[0].middle().1).abs() < 3.0).count();
        let to = place(from, goes, items.len(), columns).ok_or_else(|| Stop::lost("there is no such place"))?;
        drag(&items, from, to, hand).await
    }
}

/// What is dragged, and where.
fn asked(goal: &str) -> Option<(&str, Goes)> {
    let (name, rest) = goal.strip_prefix("Drag ")?.split_once(' ')?;
    let rest = rest.trim_end_matches('.');
    if let Some(way) = rest.strip_suffix(" by one").or_else(|| rest.strip_suffix(" by one position")) {
        let way = match way {
            "up" => Goes::By(-1, 0),
            "down" => Goes::By(1, 0),
            "left" => Goes::By(0, -1),
            "right" => Goes::By(0, 1),
            _ => return None,
        };
        return Some((name, way));
    }
    let place = rest.strip_prefix("to the ")?;
    if place.ends_with(" position") {
        return ordinal(place).map(|nth| (name, Goes::Nth(nth)));
    }
    let end = |word: &str| match word {
        "top" | "left" => Some(0),
        "center" | "middle" => Some(1),
        "bottom" | "right" => Some(2),
        _ => None,
    };
    match (place.split_once(' '), place) {
        (Some((row, column)), _) => Some((name, Goes::Corner(end(row)?, end(column)?))),
        (None, "top") => Some((name, Goes::Top)),
        (None, "bottom") => Some((name, Goes::Bottom)),
        (None, "center") => Some((name, Goes::Corner(1, 1))),
        _ => None,
    }
}

/// The index that an item gets.
fn place(from: usize, goes: Goes, count: usize, columns: usize) -> Option<usize> {
    let columns = columns.max(1);
    let rows = count.div_ceil(columns);
    let end = |third: usize, all: usize| (all.saturating_sub(1)) * third / 2;
    let to = match goes {
        Goes::Nth(nth) => nth.checked_sub(1)?,
        Goes::Top => 0,
        Goes::Bottom => count.checked_sub(1)?,
        Goes::Corner(row, column) => end(row, rows) * columns + end(column, columns),
        Goes::By(down, right) => {
            let down = if down < 0 { from.checked_sub(columns)? } else { from + columns * down.unsigned_abs() };
            if right < 0 { down.checked_sub(1)? } else { down + right.unsigned_abs() }
        }
    };
    (to < count).then_some(to)
}

/// What can be put in order: things of one size, in the order of the page.
fn items(page: &Snapshot) -> Vec<Seen<'_>> {
    see::of_role(page, &["generic"]).into_iter().filter(|seen| !seen.name().trim().is_empty()).collect()
}

fn number_of(seen: &Seen<'_>) -> Option<i64> {
    seen.name().trim().parse().ok()
}

/// Drags an item over the one whose place it takes: a little past its middle, seen from where it comes.
async fn drag(items: &[Seen<'_>], from: usize, to: usize, hand: &mut Hand<'_>) -> Played {
    let [left, top, width, height] = items[to].control.rect;
    let (start, end) = (items[from].middle(), items[to].middle());
    let past = |from: f64, to: f64, size: f64| match to - from {
        way if way > 3.0 => to + size / 4.0,
        way if way < -3.0 => to - size / 4.0,
        _ => to,
    };
    let x = past(start.0, end.0, width).clamp(left, left + width);
    let y = past(start.1, end.1, height).clamp(top, top + height);
    hand.act(Drag::to_point(Target::from(items[from].r#ref()), x, y)).await.map(drop)
}

/// Brings the least number to the top, then the next below it, and so on; then it is sent.
async fn sort(hand: &mut Hand<'_>) -> Played {
    for place in 0.. {
        let page = hand.look().await?;
        let items = items(&page);
        let Some(least) = (place..items.len()).min_by_key(|index| number_of(&items[*index])) else { break };
        if least != place {
            drag(&items, least, place, hand).await?;
        }
    }
    let page = hand.look().await?;
    let submit = see::pressed(&page, "Submit").ok_or_else(|| Stop::lost("there is no Submit"))?;
    hand.click(submit.r#ref()).await.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_say_where_an_item_goes() {
        let cases = [
            ("Drag Gerda to the 3rd position.", Goes::Nth(3)),
            ("Drag Gerda to the top.", Goes::Top),
            ("Drag Gerda down by one position.", Goes::By(1, 0)),
            ("Drag Gerda left by one.", Goes::By(0, -1)),
            ("Drag Gerda to the bottom center.", Goes::Corner(2, 1)),
            ("Drag Gerda to the center.", Goes::Corner(1, 1)),
        ];
        for (sentence, goes) in cases {
            assert_eq!(asked(sentence), Some(("Gerda", goes)), "{sentence}");
        }
        assert_eq!(asked("Drag the circle left then press Submit."), None);
    }

    #[test]
    fn places_are_counted_in_rows() {
        assert_eq!(place(4, Goes::Corner(2, 1), 9, 3), Some(7));
        assert_eq!(place(4, Goes::By(-1, 0), 9, 3), Some(1));
        assert_eq!(place(1, Goes::By(0, 1), 9, 3), Some(2));
        assert_eq!((place(0, Goes::By(-1, 0), 5, 1), place(0, Goes::Nth(9), 5, 1)), (None, None));
    }
}
