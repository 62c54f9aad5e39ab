//! Numbers that are judged: in ascending order, odd or even, guessed with higher and lower, drawn until one fits, the
//! greatest of what is turned up.

use std::sync::Arc;

use async_trait::async_trait;
use webhand::prelude::Snapshot;

use super::Policy;
use crate::miniwob::hand::{Hand, Played, Stop};
use crate::miniwob::see::{self, Seen};
use crate::miniwob::words::numbers;

/// The policy.
#[derive(Debug)]
pub(crate) struct Numbers;

/// No guess or draw takes more.
const TRIES: usize = 100;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Ascending,
    Parity,
    Guess(i64, i64),
    Draw(Fits),
    Greatest,
}

/// Which numbers fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fits {
    Less(i64),
    Greater(i64),
    Even,
    Odd,
}

impl Fits {
    fn has(self, number: i64) -> bool {
        match self {
            Fits::Less(bound) => number < bound,
            Fits::Greater(bound) => number > bound,
            Fits::Even => number % 2 == 0,
            Fits::Odd => number % 2 != 0,
        }
    }
}

#[async_trait]
impl Policy for Numbers {
    fn name(&self) -> &'static str {
        "numbers"
    }

    fn about(&self) -> &'static str {
        "numbers put in order, told odd from even, guessed, drawn until one fits, or compared"
    }

    fn understands(&self, goal: &str, _page: &Snapshot) -> bool {
        asked(goal).is_some()
    }

    async fn play(&self, goal: &str, page: Arc<Snapshot>, hand: &mut Hand<'_>) -> Played {
        match asked(goal) {
            Some(Asked::Ascending) => ascending(&page, hand).await,
            Some(Asked::Parity) => parity(&page, hand).await,
            Some(Asked::Guess(low, high)) => guess(low, high, hand).await,
            Some(Asked::Draw(fits)) => draw(fits, &page, hand).await,
            Some(Asked::Greatest) => greatest(&page, hand).await,
            None => Err(Stop::lost("not understood")),
        }
    }
}

fn asked(goal: &str) -> Option<Asked> {
    if goal.contains("numbers in ascending order") {
        return Some(Asked::Ascending);
    }
    if goal.contains("odd or even") {
        return Some(Asked::Parity);
    }
    if goal.contains("with the greatest number") {
        return Some(Asked::Greatest);
    }
    if goal.starts_with("Guess the number between") {
        // between 0-9: the dash is no sign
        let bounds = numbers(goal);
        return Some(Asked::Guess(bounds.first()?.abs(), bounds.get(1)?.abs()));
    }
    let rest = goal.strip_prefix("Generate a")?;
    let bound = numbers(rest).first().copied();
    Some(Asked::Draw(match bound {
        Some(bound) if rest.contains("less than") => Fits::Less(bound),
        Some(bound) if rest.contains("greater than") => Fits::Greater(bound),
        None if rest.contains("even") => Fits::Even,
        None if rest.contains("odd") => Fits::Odd,
        _ => return None,
    }))
}

fn number_of(seen: &Seen<'_>) -> Option<i64> {
    seen.name().trim().parse().ok()
}

/// In their order, by place: what hides a number when the first is pressed stands where it stood.
async fn ascending(page: &Snapshot, hand: &mut Hand<'_>) -> Played {
    let mut all: Vec<(i64, Seen<'_>)> =
        see::controls(page).filter_map(|seen| Some((number_of(&seen)?, seen))).collect();
    all.sort_by_key(|(number, _)| *number);
    for (_, seen) in all {
        let now = hand.look().await?;
        let there = match now.control(seen.r#ref().number) {
            Some(_) => Some(seen.r#ref()),
            None => see::controls(&now)
                .min_by(|one, other| seen.distance(one).total_cmp(&seen.distance(other)))
                .map(|near| near.r#ref()),
        };
        hand.click(there.ok_or_else(|| Stop::lost("nothing stands where the number stood"))?).await?;
    }
    Ok(())
}

/// Presses Odd or Even beside each number.
async fn parity(page: &Snapshot, hand: &mut Hand<'_>) -> Played {
    for (at, text) in see::texts(page) {
        let Ok(number) = text.trim().parse::<i64>() else { continue };
        let beside = |name: &str| {
            let named = see::controls(page).filter(|seen| seen.name() == name);
            named.min_by_key(|seen| seen.at.abs_diff(at))
        };
        let button = beside(if number % 2 == 0 { "Even" } else { "Odd" });
        let button = button.ok_or_else(|| Stop::lost("nothing marks a number"))?;
        hand.click(button.r#ref()).await?;
    }
    submit(hand).await
}

/// Halves what is left by what the page answers.
async fn guess(mut low: i64, mut high: i64, hand: &mut Hand<'_>) -> Played {
    while low <= high {
        let middle = low + (high - low) / 2;
        let page = hand.look().await?;
        let field = see::fields(&page).first().copied().ok_or_else(|| Stop::lost("no field"))?;
        hand.fill(field.r#ref(), middle.to_string()).await?;
        submit(hand).await?;
        let page = hand.look().await?;
        let says = |word: &str| see::texts(&page).any(|(_, text)| text.to_lowercase().contains(word));
        if says("lower") {
            high = middle - 1;
        } else if says("higher") {
            low = middle + 1;
        } else {
            return Err(Stop::lost("the page does not say whether it is higher or lower"));
        }
    }
    Err(Stop::lost("no number is left"))
}

/// Draws until a number fits.
async fn draw(fits: Fits, page: &Snapshot, hand: &mut Hand<'_>) -> Played {
    let button = see::pressed(page, "Generate").ok_or_else(|| Stop::lost("nothing draws a number"))?;
    for _ in 0..TRIES {
        // the same number may come again: then nothing changes, and that is seen, too
        hand.attempt(webhand::prelude::Click::on(button.r#ref())).await?;
        let page = hand.look().await?;
        let drawn = see::texts(&page).find_map(|(_, text)| text.trim().parse::<i64>().ok());
        if drawn.is_some_and(|number| fits.has(number)) {
            return submit(hand).await;
        }
    }
    Err(Stop::lost("none fits"))
}

/// Turns up one after another, and then the greatest again.
async fn greatest(page: &Snapshot, hand: &mut Hand<'_>) -> Played {
    let cards: Vec<_> = see::of_role(page, &["generic"]).iter().map(Seen::r#ref).collect();
    let mut best = None;
    for card in &cards {
        hand.click(*card).await?;
        let page = hand.look().await?;
        let texts = see::texts(&page)
            .map(|(_, text)| text.to_owned())
            .chain(see::controls(&page).map(|seen| seen.name().to_owned()));
        let shown = texts.filter_map(|text| text.trim().parse::<i64>().ok()).max();
        let shown = shown.ok_or_else(|| Stop::lost("the card shows no number"))?;
        if best.is_none_or(|(number, _)| shown > number) {
            best = Some((shown, *card));
        }
    }
    let (_, card) = best.ok_or_else(|| Stop::lost("there are no cards"))?;
    if cards.last() != Some(&card) {
        let page = hand.look().await?;
        let still = page.control(card.number).is_some();
        if still {
            hand.click(card).await?;
        }
    }
    submit(hand).await
}

async fn submit(hand: &mut Hand<'_>) -> Played {
    let page = hand.look().await?;
    let submit = see::pressed(&page, "Submit").ok_or_else(|| Stop::lost("there is no Submit"))?;
    hand.click(submit.r#ref()).await.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_say_which_numbers_fit() {
        let cases = [
            ("Generate a number less than 7, then press submit.", Asked::Draw(Fits::Less(7))),
            ("Generate an even number, then press submit.", Asked::Draw(Fits::Even)),
            ("Generate an odd number, then press submit.", Asked::Draw(Fits::Odd)),
            ("Guess the number between 0-9 and press Submit. Use the feedback.", Asked::Guess(0, 9)),
            ("Click on the numbers in ascending order.", Asked::Ascending),
        ];
        for (sentence, expected) in cases {
            assert_eq!(asked(sentence), Some(expected), "{sentence}");
        }
        assert!(Fits::Odd.has(-3) && !Fits::Odd.has(4) && Fits::Greater(3).has(4) && !Fits::Greater(3).has(3));
    }
}
