//! Things that are dragged: `Drag the circle left then press Submit`, `Drag the smaller box so that it is completely inside the
//! larger box`, `Drag all circles into the black box`, `Drag all red shapes into the left box, and everything else into the
//! right box`, `Resize the textarea so that the width is larger than its initial size`.
//!
//! What is dragged stands in the snapshot; where boxes are that nothing listens to is seen on a picture.

use std::sync::Arc;

use async_trait::async_trait;
use webhand::actions::{Drag as DragTo, Target};
use webhand::prelude::Snapshot;

use super::{Policy, shapes};
use crate::miniwob::hand::{Hand, Played, Stop};
use crate::miniwob::see::{self, Seen};
use crate::miniwob::sight::{self, Blob, Picture};

/// The policy.
#[derive(Debug)]
pub(crate) struct Drag;

/// How far a thing is dragged that only has to go some way.
const WAY: f64 = 20.0;
/// A box that things are put into is larger than this each way, CSS pixels.
const BOX: f64 = 35.0;

/// What is asked.
#[derive(Debug, PartialEq)]
enum Asked {
    /// The only thing goes some way.
    Way(f64, f64),
    /// The smaller thing goes into the larger one.
    Inside,
    /// What fits goes into a box (of those from the left), and the rest into another where one is said.
    Sort { fits: String, into: usize, rest: Option<usize> },
    /// The corner of a field is dragged.
    Corner(f64, f64),
}

#[async_trait]
impl Policy for Drag {
    fn name(&self) -> &'static str {
        "drag"
    }

    fn about(&self) -> &'static str {
        "things dragged some way, into one another or into boxes by their kind, and fields resized"
    }

    fn understands(&self, goal: &str, page: &Snapshot) -> bool {
        asked(goal).is_some() && see::pressed(page, "Submit").is_some()
    }

    async fn play(&self, goal: &str, page: Arc<Snapshot>, hand: &mut Hand<'_>) -> Played {
        let things = see::of_role(&page, &["generic"]);
        match asked(goal).ok_or_else(|| Stop::lost("not understood"))? {
            Asked::Way(right, down) => {
                let thing = things.first().ok_or_else(|| Stop::lost("nothing can be dragged"))?;
                hand.act(DragTo::by(thing.r#ref(), right, down)).await?;
            }
            Asked::Inside => {
                let size = |seen: &&Seen<'_>| seen.control.rect[2] * seen.control.rect[3];
                let small = things.iter().min_by(|one, other| size(one).total_cmp(&size(other)));
                let large = things.iter().max_by(|one, other| size(one).total_cmp(&size(other)));
                let (Some(small), Some(large)) = (small, large) else { return Err(Stop::lost("there are no boxes")) };
                let (x, y) = large.middle();
                hand.act(DragTo::to_point(small.r#ref(), x, y)).await?;
            }
            Asked::Sort { fits, into, rest } => {
                let picture = hand.picture().await?;
                let described = shapes::described_as(&fits);
                let boxes = boxes(&picture);
                for thing in shapes::figures(&page) {
                    let place = if shapes::fits(thing, &described, &picture) { Some(into) } else { rest };
                    let Some(place) = place else { continue };
                    let (x, y) = boxes.get(place).ok_or_else(|| Stop::lost("there is no such box"))?.middle();
                    hand.act(DragTo::to_point(thing.r#ref(), x, y)).await?;
                }
            }
            Asked::Corner(right, down) => {
                let field = see::fields(&page).first().copied().ok_or_else(|| Stop::lost("there is no field"))?;
                let [left, top, width, height] = field.control.rect;
                let corner = (left + width - 5.0, top + height - 5.0);
                let to = DragTo::to_point(Target::point(corner.0, corner.1), corner.0 + right, corner.1 + down);
                hand.act(to).await?;
            }
        }
        let page = hand.look().await?;
        let submit = see::pressed(&page, "Submit").ok_or_else(|| Stop::lost("there is no Submit"))?;
        hand.click(submit.r#ref()).await.map(drop)
    }
}

fn asked(goal: &str) -> Option<Asked> {
    if let Some((_, rest)) = goal.split_once("Resize the textarea so that the ") {
        let way = if rest.contains("larger") { WAY } else { -WAY };
        let wide = rest.starts_with("width");
        return Some(if wide { Asked::Corner(way, 0.0) } else { Asked::Corner(0.0, way) });
    }
    let rest = goal.strip_prefix("Drag ")?;
    if rest.contains("smaller") && rest.contains("inside the larger") {
        return Some(Asked::Inside);
    }
    if let Some((fits, rest)) = rest.strip_prefix("all ").and_then(|rest| rest.split_once(" into the ")) {
        let place = |words: &str| usize::from(words.starts_with("right"));
        let others = rest.split_once("everything else into the ").map(|(_, rest)| place(rest));
        return Some(Asked::Sort { fits: fits.to_owned(), into: place(rest), rest: others });
    }
    let way = rest.strip_suffix(" then press Submit.")?.rsplit(' ').next()?;
    match way {
        "left" => Some(Asked::Way(-WAY, 0.0)),
        "right" => Some(Asked::Way(WAY, 0.0)),
        "up" => Some(Asked::Way(0.0, -WAY)),
        "down" => Some(Asked::Way(0.0, WAY)),
        _ => None,
    }
}

/// The boxes that are drawn as black outlines, from the left: large, and empty but for what lies in them.
fn boxes(picture: &Picture) -> Vec<Blob> {
    let outlined = |blob: &Blob| {
        let (width, height) = blob.size();
        width > BOX && height > BOX && f64::from(blob.pixels) < width * height / 2.0
    };
    let black = |colour| sight::apart(colour, [0, 0, 0]) < 15_000;
    let mut found: Vec<Blob> = picture.blobs(black).into_iter().filter(outlined).collect();
    found.sort_by(|one, other| one.sides[0].total_cmp(&other.sides[0]));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_say_what_goes_where() {
        let sort = |fits: &str, into, rest| Asked::Sort { fits: fits.to_owned(), into, rest };
        let cases = [
            ("Drag the circle left then press Submit.", Asked::Way(-WAY, 0.0)),
            ("Drag the item down then press Submit.", Asked::Way(0.0, WAY)),
            ("Drag the smaller box so that it is completely inside the larger box.", Asked::Inside),
            ("Drag all circles into the black box.", sort("circles", 0, None)),
            (
                "Drag all red shapes into the left box, and everything else into the right box.",
                sort("red shapes", 0, Some(1)),
            ),
            (
                "Resize the textarea so that the height is smaller than its initial size then press Submit.",
                Asked::Corner(0.0, -WAY),
            ),
        ];
        for (sentence, expected) in cases {
            assert_eq!(asked(sentence), Some(expected), "{sentence}");
        }
        assert_eq!(asked("Drag Gerda to the 3rd position."), None);
    }
}
