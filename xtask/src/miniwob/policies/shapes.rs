//! Shapes, letters and digits by what is said of them: `Click on a small green shape`, `Click on a 9`, `Click the button that best
//! describes the figure below`.
//!
//! What a thing is stands in the snapshot; its colour is seen on a picture.

use std::sync::Arc;

use async_trait::async_trait;
use webhand::prelude::Snapshot;

use super::Policy;
use crate::miniwob::hand::{Hand, Played, Stop};
use crate::miniwob::see::{self, Seen};
use crate::miniwob::sight::{self, Blob, Colour, Picture};

/// The policy.
#[derive(Debug)]
pub(crate) struct Shapes;

/// What is said of a thing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Described {
    large: Option<bool>,
    colour: Option<Colour>,
    what: Option<String>,
}

#[async_trait]
impl Policy for Shapes {
    fn name(&self) -> &'static str {
        "shapes"
    }

    fn about(&self) -> &'static str {
        "shapes, letters and digits by size, colour and kind"
    }

    fn understands(&self, goal: &str, page: &Snapshot) -> bool {
        goal.contains("describes the figure") || (described(goal).is_some() && figures(page).next().is_some())
    }

    async fn play(&self, goal: &str, page: Arc<Snapshot>, hand: &mut Hand<'_>) -> Played {
        if let Some(described) = described(goal) {
            let picture = hand.picture().await?;
            let found = figures(&page).find(|seen| fits(*seen, &described, &picture));
            let found = found.ok_or_else(|| Stop::lost(format!("nothing is {described:?}")))?;
            return hand.click(found.r#ref()).await.map(drop);
        }
        let kind = match figures(&page).next() {
            Some(figure) => kind_of(figure.name()),
            None => drawn_kind(&hand.picture().await?),
        };
        let kind = kind.ok_or_else(|| Stop::lost("the figure is of no known kind"))?;
        let button = see::pressed(&page, kind).ok_or_else(|| Stop::lost(format!("no button says {kind}")))?;
        hand.click(button.r#ref()).await.map(drop)
    }
}

/// What is drawn and can be clicked.
pub(super) fn figures(page: &Snapshot) -> impl Iterator<Item = Seen<'_>> {
    see::controls(page).filter(|seen| seen.role() == "generic" && kind_of(seen.name()).is_some())
}

/// The kind of a figure, by the one character that it is or the shape that it is drawn as.
pub(super) fn kind_of(name: &str) -> Option<&'static str> {
    let mut letters = name.chars();
    match (letters.next(), letters.next()) {
        (Some(only), None) if only.is_ascii_digit() => Some("Number"),
        (Some(only), None) if only.is_alphabetic() => Some("Letter"),
        _ => match name {
            "circle" | "ellipse" => Some("Circle"),
            "rect" => Some("Rectangle"),
            "polygon" => Some("Triangle"),
            _ => None,
        },
    }
}

/// The kind of the largest shape that is drawn, by how much of its box it fills.
fn drawn_kind(picture: &Picture) -> Option<&'static str> {
    let paper = |colour| sight::apart(colour, [255, 255, 255]) < 3_000;
    let whole = |blob: &Blob| blob.size().0 > 60.0;
    let figure = picture
        .blobs(|colour| !paper(colour))
        .into_iter()
        .filter(|blob| !whole(blob))
        .max_by_key(|blob| blob.pixels)?;
    let (width, height) = figure.size();
    match f64::from(figure.pixels) / (width * height).max(1.0) {
        full if full > 0.9 => Some("Rectangle"),
        full if full > 0.65 => Some("Circle"),
        _ => Some("Triangle"),
    }
}

/// `Click on a small green shape`.
fn described(goal: &str) -> Option<Described> {
    let words: Vec<&str> = goal.strip_prefix("Click on a ")?.split(' ').collect();
    let mut described = Described::default();
    for word in words {
        match word {
            "large" => described.large = Some(true),
            "small" => described.large = Some(false),
            "item" => {}
            // a letter is no name of a colour, and no colour's name has one letter
            _ if word.len() > 1 && sight::named(word).is_some() => described.colour = sight::named(word),
            _ if described.what.is_none() => described.what = Some(word.to_owned()),
            _ => return None,
        }
    }
    Some(described)
}

/// What `small green shapes` says: as of one, in the singular.
pub(super) fn described_as(words: &str) -> Described {
    let one = words.strip_suffix('s').unwrap_or(words);
    described(&format!("Click on a {one}")).unwrap_or_default()
}

/// Whether a figure is what was said.
pub(super) fn fits(seen: Seen<'_>, described: &Described, picture: &Picture) -> bool {
    let kind = kind_of(seen.name()).unwrap_or_default();
    let shape = !matches!(kind, "Number" | "Letter");
    let [_, _, width, height] = seen.control.rect;
    let is_kind = described.what.as_deref().is_none_or(|what| match what {
        "shape" => shape,
        "letter" => kind == "Letter",
        "digit" => kind == "Number",
        "circle" | "rectangle" | "triangle" => kind.eq_ignore_ascii_case(what),
        other => seen.name() == other,
    });
    // a letter's box is as high as its line
    let large = if shape { width.max(height) > 14.0 } else { height > 17.0 };
    is_kind
        && described.large.is_none_or(|wanted| wanted == large)
        && described
            .colour
            .is_none_or(|wanted| colour_of(seen, picture).is_some_and(|colour| sight::apart(colour, wanted) < 8_000))
}

/// The colour that a figure is drawn in: what is farthest from the paper within its box.
pub(super) fn colour_of(seen: Seen<'_>, picture: &Picture) -> Option<Colour> {
    let [left, top, width, height] = seen.control.rect;
    let steps = 24;
    let points = (0..steps * steps).map(|step| {
        let (across, down) = (f64::from(step % steps) + 0.5, f64::from(step / steps) + 0.5);
        (left + width * across / f64::from(steps), top + height * down / f64::from(steps))
    });
    points.map(|point| picture.colour(point)).max_by_key(|colour| sight::apart(*colour, [255, 255, 255]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_are_read() {
        let described = |goal| super::described(goal).unwrap();
        let small = described("Click on a small green shape");
        assert_eq!((small.large, small.colour, small.what.as_deref()), (Some(false), Some([0, 128, 0]), Some("shape")));
        assert_eq!(described("Click on a n").what.as_deref(), Some("n"));
        assert_eq!(
            described("Click on a yellow item"),
            Described { colour: Some([255, 255, 0]), ..Described::default() }
        );
    }

    #[test]
    fn kinds_are_told_by_name() {
        assert_eq!(
            (kind_of("9"), kind_of("k"), kind_of("rect"), kind_of("polygon")),
            (Some("Number"), Some("Letter"), Some("Rectangle"), Some("Triangle"))
        );
        assert_eq!(kind_of("Submit"), None);
    }
}
