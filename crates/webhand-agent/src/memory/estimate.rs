//! How many tokens a prompt is, before it is sent.
//!
//! First by a bound that is as good as never below the truth and costs next to nothing; only where that does not fit, by the o200k
//! tokenizer itself, which takes a third of a second to load.

use webhand_action::schema::Shape;
use webhand_page::token_bound;

use crate::prompt::{Image, Prompt};

/// What a picture costs at most with the providers that say how they count: four tiles and the whole of it.
const IMAGE: u64 = 1_105;
/// What stands around the messages of a request.
const AROUND: u64 = 50;

/// At most so many tokens.
pub(crate) fn bound(text: &str) -> u64 {
    u64::from(token_bound(text))
}

/// So many tokens by the o200k tokenizer.
#[must_use]
pub(crate) fn exact(text: &str) -> u64 {
    let count = tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len();
    u64::try_from(count).unwrap_or(u64::MAX)
}

/// What surrounds the message of a prompt: the system words, the schema, the pictures.
pub(crate) fn surroundings(prompt: &Prompt, count: fn(&str) -> u64) -> u64 {
    let schema = prompt.asked.schema(Shape::Union).map_or(0, |schema| count(&schema.to_string()));
    AROUND + count(&prompt.system) + schema + images(&prompt.images)
}

fn images(images: &[Image]) -> u64 {
    IMAGE.saturating_mul(images.len() as u64)
}

/// How many tokens a prompt is, with its schema and its pictures: the bound where that is within `room`, else the truth.
#[must_use]
pub(crate) fn tokens(prompt: &Prompt, room: u64) -> u64 {
    let message = prompt.message();
    let rough = surroundings(prompt, bound).saturating_add(bound(&message));
    if rough <= room { rough } else { surroundings(prompt, exact).saturating_add(exact(&message)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_truth_is_asked_only_where_the_bound_does_not_fit() {
        let mut prompt = Prompt { state: "Save the order, please. ".repeat(400), ..Prompt::default() };
        let rough = tokens(&prompt, u64::MAX);
        let true_count = tokens(&prompt, 0);
        assert!(true_count < rough, "{true_count} {rough}");
        assert_eq!(tokens(&prompt, rough), rough);
        prompt.images.push(Image::jpeg(Vec::new(), "the page"));
        assert!(tokens(&prompt, 0) > true_count + IMAGE);
    }
}
