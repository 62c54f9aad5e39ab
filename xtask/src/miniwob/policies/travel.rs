//! Tickets and flights: `Buy the ticket with the longest duration`, `Book the cheapest one-way flight from: Cincinnati, OH to: LEX on
//! 10/16/2016`.

use std::sync::Arc;

use async_trait::async_trait;
use webhand::prelude::{Ref, Snapshot};

use super::{Policy, calendar, suggest};
use crate::miniwob::hand::{Hand, Played, Stop};
use crate::miniwob::see::{self, Seen};
use crate::miniwob::words::numbers;

/// The policy.
#[derive(Debug)]
pub(crate) struct Travel;

/// What is best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Best {
    Cheapest,
    Dearest,
    Shortest,
    Longest,
}

/// A flight that is looked for.
#[derive(Debug, PartialEq, Eq)]
struct Route<'g> {
    from: &'g str,
    to: &'g str,
}

#[async_trait]
impl Policy for Travel {
    fn name(&self) -> &'static str {
        "travel"
    }

    fn about(&self) -> &'static str {
        "tickets and flights: searched by places and date, chosen by price or duration"
    }

    fn understands(&self, goal: &str, _page: &Snapshot) -> bool {
        (goal.starts_with("Buy the ticket") || route(goal).is_some()) && best(goal).is_some()
    }

    async fn play(&self, goal: &str, page: Arc<Snapshot>, hand: &mut Hand<'_>) -> Played {
        if let Some(route) = route(goal) {
            search(&page, &route, goal, hand).await?;
        }
        let page = hand.look().await?;
        let best = best(goal).ok_or_else(|| Stop::lost("not understood"))?;
        let button = choose(&page, best).ok_or_else(|| Stop::lost("nothing can be booked"))?;
        hand.click(button).await.map(drop)
    }
}

fn best(goal: &str) -> Option<Best> {
    let words = [
        ("most expensive", Best::Dearest),
        ("cheapest", Best::Cheapest),
        ("shortest", Best::Shortest),
        ("longest", Best::Longest),
    ];
    words.iter().find(|(word, _)| goal.contains(word)).map(|(_, best)| *best)
}

fn route(goal: &str) -> Option<Route<'_>> {
    let (_, rest) = goal.split_once("from: ")?;
    let (from, rest) = rest.split_once(" to: ")?;
    let (to, _) = rest.split_once(" on ")?;
    Some(Route { from, to })
}

async fn search(page: &Snapshot, route: &Route<'_>, goal: &str, hand: &mut Hand<'_>) -> Played {
    for (label, place) in [("from", route.from), ("to", route.to)] {
        let fields = see::fields(page);
        let is_it = |seen: &&Seen<'_>| see::called(page, **seen).to_lowercase().starts_with(label);
        let field = fields.iter().find(is_it).ok_or_else(|| Stop::lost(format!("no field for {label:?}")))?;
        suggest::choose(*field, place, |item| item.contains(place), hand).await?;
    }
    let page = hand.look().await?;
    let day = calendar::day(goal).ok_or_else(|| Stop::lost("no date"))?;
    let field = calendar::field(&page).ok_or_else(|| Stop::lost("no field for a date"))?;
    calendar::pick(field, day, hand).await?;
    let page = hand.look().await?;
    let button = see::pressed(&page, "Search").ok_or_else(|| Stop::lost("nothing searches"))?;
    hand.click(button.r#ref()).await.map(drop)
}

/// The button of the offer that is best. An offer's duration stands above its button, its price on it.
fn choose(page: &Snapshot, best: Best) -> Option<Ref> {
    let mut duration = 0;
    let mut offers = Vec::new();
    for node in &page.nodes {
        if node.control.is_none()
            && let Some(minutes) = minutes(&node.name)
        {
            duration = minutes;
        }
        if let Some(control) = node.control.as_ref().filter(|_| node.name.starts_with("Book")) {
            offers.push((numbers(&node.name).first().copied().unwrap_or_default(), duration, control.r#ref));
        }
    }
    let chosen = match best {
        Best::Cheapest => offers.iter().min_by_key(|offer| offer.0),
        Best::Dearest => offers.iter().max_by_key(|offer| offer.0),
        Best::Shortest => offers.iter().min_by_key(|offer| offer.1),
        Best::Longest => offers.iter().max_by_key(|offer| offer.1),
    };
    chosen.map(|offer| offer.2)
}

/// How long `14h 18m` is.
fn minutes(text: &str) -> Option<i64> {
    let mut words = text.split_whitespace();
    let hours = words.find_map(|word| word.strip_suffix('h')?.parse::<i64>().ok())?;
    let minutes = words.next().and_then(|word| word.strip_suffix('m')?.parse::<i64>().ok()).unwrap_or_default();
    Some(hours * 60 + minutes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_durations_are_read() {
        let goal = "Book the shortest one-way flight from: Cincinnati, OH to: LEX on 10/16/2016.";
        assert_eq!(route(goal), Some(Route { from: "Cincinnati, OH", to: "LEX" }));
        assert_eq!(best("Buy the ticket with the most expensive cost."), Some(Best::Dearest));
        assert_eq!((minutes("14h 18m"), minutes("5h"), minutes("$390")), (Some(858), Some(300), None));
    }
}
