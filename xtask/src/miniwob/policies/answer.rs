//! Questions whose answer stands on the page and is written into a field: a word of a text, a value of a table, a sum.

use std::sync::Arc;

use async_trait::async_trait;
use webhand::prelude::Snapshot;

use super::Policy;
use crate::miniwob::hand::{Hand, Played, Stop};
use crate::miniwob::see::{self, Seen};
use crate::miniwob::words::{equation, ordinal};

/// The policy.
#[derive(Debug)]
pub(crate) struct Answer;

#[async_trait]
impl Policy for Answer {
    fn name(&self) -> &'static str {
        "answer"
    }

    fn about(&self) -> &'static str {
        "answers read off the page and written into its fields: words and copies of texts, values of tables, sums, equations"
    }

    fn understands(&self, goal: &str, page: &Snapshot) -> bool {
        !answers(goal, page).is_empty()
    }

    async fn play(&self, goal: &str, page: Arc<Snapshot>, hand: &mut Hand<'_>) -> Played {
        for (field, text) in answers(goal, &page) {
            hand.fill(field.r#ref(), text).await?;
        }
        let submit = see::pressed(&page, "Submit").ok_or_else(|| Stop::lost("there is no Submit"))?;
        hand.click(submit.r#ref()).await.map(drop)
    }
}

/// What is written into which field.
fn answers<'p>(goal: &str, page: &'p Snapshot) -> Vec<(Seen<'p>, String)> {
    let long = |seen: &Seen<'_>| seen.control.tag == "textarea";
    let fields = see::fields(page);
    let areas: Vec<Seen<'p>> = fields.iter().copied().filter(long).collect();
    let lines: Vec<Seen<'p>> = fields.into_iter().filter(|seen| !long(seen)).collect();
    if goal.contains("corresponds with each label") {
        let value = |field: &Seen<'p>| value_of(page, see::called(page, *field));
        return lines.iter().filter_map(|field| Some((*field, value(field)?))).collect();
    }
    let Some(field) = lines.first().copied() else { return Vec::new() };
    let text = one_answer(goal, page, &areas);
    text.map(|text| (field, text)).into_iter().collect()
}

fn one_answer(goal: &str, page: &Snapshot, areas: &[Seen<'_>]) -> Option<String> {
    let shown = || see::texts(page).map(|(_, text)| text).collect::<Vec<_>>();
    if let Some(rest) = goal.strip_prefix("Enter the value of ") {
        return value_of(page, rest.split(" into ").next()?);
    }
    if goal.contains("word in the paragraph") {
        let text = shown().join(" ");
        return text.split_whitespace().nth(ordinal(goal)? - 1).map(str::to_owned);
    }
    if goal.contains("last word in the text area") {
        return areas.first()?.value().split_whitespace().last().map(str::to_owned);
    }
    if goal.starts_with("Copy the text") {
        return areas.get(ordinal(goal).unwrap_or(1) - 1).map(|area| area.value().to_owned());
    }
    if goal.starts_with("Type the text below") {
        return Some(shown().concat());
    }
    if goal.starts_with("Solve") {
        return shown().into_iter().find_map(equation).map(|number| number.to_string());
    }
    None
}

/// The value beside a label in a table.
fn value_of(page: &Snapshot, label: &str) -> Option<String> {
    let label = label.trim().trim_end_matches(':');
    let mut texts = see::texts(page).skip_while(|(_, text)| *text != label);
    let (at, _) = texts.next()?;
    texts.find(|(next, _)| *next > at).map(|(_, text)| text.to_owned())
}
