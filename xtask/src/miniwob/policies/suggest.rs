//! Items of which only the ends are known, from what a field suggests: `Enter an item that starts with "Ce" and ends with "lic"`.

use std::sync::Arc;

use async_trait::async_trait;
use webhand::prelude::{Fill, Snapshot, Wait};

use super::Policy;
use crate::miniwob::hand::{Hand, Played, Stop};
use crate::miniwob::see::{self, Seen};
use crate::miniwob::words::quoted;

/// The policy.
#[derive(Debug)]
pub(crate) struct Suggest;

#[async_trait]
impl Policy for Suggest {
    fn name(&self) -> &'static str {
        "suggest"
    }

    fn about(&self) -> &'static str {
        "an item that begins and ends in given ways, chosen from what a field suggests"
    }

    fn understands(&self, goal: &str, page: &Snapshot) -> bool {
        goal.contains("item that starts with") && !quoted(goal).is_empty() && !see::fields(page).is_empty()
    }

    async fn play(&self, goal: &str, page: Arc<Snapshot>, hand: &mut Hand<'_>) -> Played {
        let quotes = quoted(goal);
        let (start, end) = (quotes.first().copied().unwrap_or_default(), quotes.get(1).copied().unwrap_or_default());
        let field = see::fields(&page).first().copied().ok_or_else(|| Stop::lost("no field"))?;
        choose(field, start, |item| item.starts_with(start) && item.ends_with(end), hand).await?;
        let page = hand.look().await?;
        let submit = see::pressed(&page, "Submit").ok_or_else(|| Stop::lost("there is no Submit"))?;
        hand.click(submit.r#ref()).await.map(drop)
    }
}

/// Types what is known, waits for suggestions, takes the first that fits.
pub(super) async fn choose(field: Seen<'_>, typed: &str, fits: impl Fn(&str) -> bool, hand: &mut Hand<'_>) -> Played {
    let before = field.r#ref();
    hand.act(Fill::on(before, typed)).await?;
    for _ in 0..10 {
        let page = hand.look().await?;
        let suggestions = see::of_role(&page, &["generic", "option", "menuitem", "link"]);
        if let Some(found) = suggestions.into_iter().find(|seen| fits(seen.name())) {
            return hand.click(found.r#ref()).await.map(drop);
        }
        // they may come a little later
        hand.act(Wait::time(0.1)).await?;
    }
    Err(Stop::lost("nothing that fits is suggested"))
}
