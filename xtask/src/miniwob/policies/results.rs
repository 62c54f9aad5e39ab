//! A search and one of its results by number: `Use the textbox to enter "Riley" and press "Search", then find and click the 7th
//! search result`.

use std::sync::Arc;

use async_trait::async_trait;
use webhand::prelude::Snapshot;

use super::Policy;
use crate::miniwob::hand::{Hand, Played, Stop};
use crate::miniwob::see::{self, Seen};
use crate::miniwob::words::{ordinal, quoted};

/// The policy.
#[derive(Debug)]
pub(crate) struct Results;

#[async_trait]
impl Policy for Results {
    fn name(&self) -> &'static str {
        "results"
    }

    fn about(&self) -> &'static str {
        "a search, and of its results, page by page, the one of a number"
    }

    fn understands(&self, goal: &str, page: &Snapshot) -> bool {
        goal.contains("search result")
            && ordinal(goal).is_some()
            && quoted(goal).len() == 2
            && !see::fields(page).is_empty()
    }

    async fn play(&self, goal: &str, page: Arc<Snapshot>, hand: &mut Hand<'_>) -> Played {
        let [text, button] = quoted(goal)[..] else { return Err(Stop::lost("not understood")) };
        let mut left = ordinal(goal).ok_or_else(|| Stop::lost("no number"))?;
        let field = see::fields(&page).first().copied().ok_or_else(|| Stop::lost("no field"))?;
        hand.fill(field.r#ref(), text).await?;
        let search = see::pressed(&page, button).ok_or_else(|| Stop::lost("no such button"))?;
        hand.click(search.r#ref()).await?;
        loop {
            let page = hand.look().await?;
            let results: Vec<Seen<'_>> =
                see::of_role(&page, &["link", "generic"]).into_iter().filter(is_result).collect();
            if let Some(result) = results.get(left - 1) {
                return hand.click(result.r#ref()).await.map(drop);
            }
            if results.is_empty() {
                return Err(Stop::lost("there are too few results"));
            }
            left -= results.len();
            let next = [">", "Next", "»"].iter().find_map(|name| see::named(&page, &["link", "button"], name));
            let next = next.ok_or_else(|| Stop::lost("there is no next page"))?;
            hand.click(next.r#ref()).await?;
        }
    }
}

/// What is no part of the turning of pages.
fn is_result(seen: &Seen<'_>) -> bool {
    seen.name().chars().any(char::is_alphabetic) && !["First", "Last", "Next", "Previous"].contains(&seen.name())
}
