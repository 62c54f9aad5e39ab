//! What moves: `Keep your mouse inside the circle as it moves around`, `Click as many moving circles as possible`. Where it is is
//! seen on one picture after another; the pointer goes there with a click, which does no harm to what is only followed.

use std::sync::Arc;

use async_trait::async_trait;
use webhand::prelude::{Click, Snapshot, Wait};

use super::Policy;
use crate::miniwob::hand::{Hand, Played, Stop};
use crate::miniwob::sight::{Blob, is_dark};

/// The policy.
#[derive(Debug)]
pub(crate) struct Follow;

/// No page moves things for more looks than this.
const LOOKS: usize = 1_000;
/// What moves is larger than this each way, CSS pixels.
const LEAST: f64 = 16.0;

#[async_trait]
impl Policy for Follow {
    fn name(&self) -> &'static str {
        "follow"
    }

    fn about(&self) -> &'static str {
        "moving things followed with the pointer, or clicked while they move"
    }

    fn understands(&self, goal: &str, _page: &Snapshot) -> bool {
        (goal.starts_with("Keep your mouse inside") && goal.contains("moves"))
            || goal.starts_with("Click as many moving ")
    }

    async fn play(&self, _goal: &str, _page: Arc<Snapshot>, hand: &mut Hand<'_>) -> Played {
        for _ in 0..LOOKS {
            let picture = hand.picture_of([0.0, 0.0, 160.0, 210.0]).await?;
            let moving = |blob: &Blob| blob.size().0 > LEAST && blob.size().1 > LEAST;
            let seen = picture.blobs(is_dark).into_iter().filter(moving).max_by_key(|blob| blob.pixels);
            match seen.map(|blob| blob.middle()) {
                Some((x, y)) => hand.attempt(Click::at(x, y)).await?,
                None => hand.act(Wait::time(0.05)).await?,
            };
        }
        Err(Stop::lost("it goes on moving"))
    }
}
