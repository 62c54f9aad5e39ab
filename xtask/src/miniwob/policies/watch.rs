//! A price that is watched: `Buy EFN stock when the price is less than $49.60`.

use std::sync::Arc;

use async_trait::async_trait;
use webhand::prelude::Snapshot;

use super::Policy;
use crate::miniwob::hand::{Hand, Played, Stop};
use crate::miniwob::see;

/// The policy.
#[derive(Debug)]
pub(crate) struct Watch;

/// No price is watched longer.
const LOOKS: usize = 3_000;

#[async_trait]
impl Policy for Watch {
    fn name(&self) -> &'static str {
        "watch"
    }

    fn about(&self) -> &'static str {
        "a button pressed when a changing price falls below a bound"
    }

    fn understands(&self, goal: &str, _page: &Snapshot) -> bool {
        goal.contains("when the price is less than") && cents(goal).is_some()
    }

    async fn play(&self, goal: &str, page: Arc<Snapshot>, hand: &mut Hand<'_>) -> Played {
        let bound = cents(goal).ok_or_else(|| Stop::lost("no bound"))?;
        let verb = goal.split(' ').next().unwrap_or_default();
        let button = see::pressed(&page, verb).ok_or_else(|| Stop::lost("nothing buys"))?.r#ref();
        let mut before = None;
        for _ in 0..LOOKS {
            let page = hand.look().await?;
            let price = see::texts(&page).find_map(|(_, text)| cents(text));
            // right after a change there is the most time to press before the next one
            let fresh = before.is_some() && price != before;
            before = price;
            if fresh && price.is_some_and(|price| price < bound) {
                return hand.click(button).await.map(drop);
            }
        }
        Err(Stop::lost("the price did not fall so far"))
    }
}

/// The last amount of dollars in a text, in cents.
fn cents(text: &str) -> Option<i64> {
    let amount = text.rsplit('$').next().filter(|_| text.contains('$'))?;
    let (dollars, rest) = amount.split_once('.')?;
    let cents: String = rest.chars().take_while(char::is_ascii_digit).take(2).collect();
    Some(dollars.trim().parse::<i64>().ok()? * 100 + cents.parse::<i64>().ok()?)
}

#[cfg(test)]
mod tests {
    #[test]
    fn amounts_are_read() {
        assert_eq!(super::cents("when the price is less than $49.60."), Some(4960));
        assert_eq!(super::cents("$7.00"), Some(700));
        assert_eq!(super::cents("Stock price:"), None);
    }
}
