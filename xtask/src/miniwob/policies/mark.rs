//! Marking text as a reader would: `Highlight the text in the 2nd paragraph and click submit`. Where a paragraph stands is seen
//! on a picture; three clicks mark it.

use std::sync::Arc;

use async_trait::async_trait;
use webhand::prelude::{Click, Snapshot};

use super::Policy;
use crate::miniwob::hand::{Hand, Played, Stop};
use crate::miniwob::see;
use crate::miniwob::sight::{Blob, Picture, is_dark};
use crate::miniwob::words::ordinal;

/// The policy.
#[derive(Debug)]
pub(crate) struct Mark;

/// Lines of one paragraph are nearer to each other than this, CSS pixels.
const LINE_GAP: f64 = 7.0;

#[async_trait]
impl Policy for Mark {
    fn name(&self) -> &'static str {
        "mark"
    }

    fn about(&self) -> &'static str {
        "a paragraph marked with the pointer"
    }

    fn understands(&self, goal: &str, _page: &Snapshot) -> bool {
        goal.starts_with("Highlight the text in the ") && goal.contains("paragraph")
    }

    async fn play(&self, goal: &str, page: Arc<Snapshot>, hand: &mut Hand<'_>) -> Played {
        let submit = see::pressed(&page, "Submit").ok_or_else(|| Stop::lost("there is no Submit"))?;
        let picture = hand.picture().await?;
        let paragraphs = paragraphs(&picture, submit.control.rect);
        let place = paragraphs.get(ordinal(goal).unwrap_or(1) - 1).ok_or_else(|| Stop::lost("no such paragraph"))?;
        hand.act(Click::at(place.0, place.1).count(3)).await?;
        hand.click(submit.r#ref()).await.map(drop)
    }
}

/// A place on the first line of each paragraph, from the top down.
fn paragraphs(picture: &Picture, button: [f64; 4]) -> Vec<(f64, f64)> {
    let beside = |blob: &Blob| {
        let (x, y) = blob.middle();
        x < 160.0 && (y < button[1] - 2.0 || y > button[1] + button[3] + 2.0)
    };
    let mut letters: Vec<Blob> =
        picture.blobs(is_dark).into_iter().filter(beside).filter(|blob| blob.size().1 < 20.0).collect();
    letters.sort_by(|one, other| one.sides[1].total_cmp(&other.sides[1]));
    let mut found = Vec::new();
    let mut bottom = f64::MIN;
    for letter in letters {
        if letter.sides[1] > bottom + LINE_GAP {
            found.push(letter.middle());
        }
        bottom = bottom.max(letter.sides[3]);
    }
    found
}
