//! Searches with several fields: `Search for crime movies directed by Curry from year 1995`. Which word goes where is said by
//! the fields' labels, in whatever order and words they stand.

use std::sync::Arc;

use async_trait::async_trait;
use webhand::prelude::Snapshot;

use super::Policy;
use crate::miniwob::hand::{Hand, Played, Stop};
use crate::miniwob::see::{self, Seen};

/// The policy.
#[derive(Debug)]
pub(crate) struct Form;

#[async_trait]
impl Policy for Form {
    fn name(&self) -> &'static str {
        "form"
    }

    fn about(&self) -> &'static str {
        "searches whose parts go into fields by their labels"
    }

    fn understands(&self, goal: &str, page: &Snapshot) -> bool {
        parts(goal).is_some() && see::fields(page).len() > 1
    }

    async fn play(&self, goal: &str, page: Arc<Snapshot>, hand: &mut Hand<'_>) -> Played {
        let parts = parts(goal).ok_or_else(|| Stop::lost("not understood"))?;
        for (labels, text) in parts {
            let fields = see::fields(&page);
            // where a field comes first, each label stands below its field
            let labels_follow =
                see::texts(&page).next().is_some_and(|(at, _)| fields.first().is_some_and(|field| field.at < at));
            let is_it = |seen: &&Seen<'_>| {
                let label = if labels_follow { see::text_after(&page, seen.at) } else { see::called(&page, **seen) };
                labels.iter().any(|word| label.to_lowercase().contains(word))
            };
            let field = fields.iter().find(is_it).ok_or_else(|| Stop::lost(format!("no field for {labels:?}")))?;
            hand.fill(field.r#ref(), text).await?;
        }
        let sends = ["Search", "Submit", "Go!", "Go", "Find"];
        let button = sends.iter().find_map(|name| see::controls(&page).find(|seen| seen.name() == *name));
        let button = button.or_else(|| see::of_role(&page, &["button"]).last().copied());
        let button = button.ok_or_else(|| Stop::lost("nothing sends the form"))?;
        hand.click(button.r#ref()).await.map(drop)
    }
}

/// What goes into which field, by the words that its label may have.
fn parts(goal: &str) -> Option<Vec<(&'static [&'static str], &str)>> {
    let rest = goal.strip_prefix("Search for ")?;
    let (genre, rest) = rest.split_once(" movies directed by ")?;
    let (director, year) = rest.split_once(" from year ")?;
    Some(vec![(&["genre", "type"], genre), (&["director"], director), (&["year", "date"], year.trim_end_matches('.'))])
}
