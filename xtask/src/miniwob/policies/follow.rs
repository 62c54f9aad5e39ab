//! What moves: `Keep your mouse inside the circle as it moves around`, `Click as many moving circles as possible`. Where it is is
//! seen on one picture after another.

use std::sync::Arc;

use async_trait::async_trait;
use webhand::actions::Target;
use webhand::prelude::{Click, Hover, Snapshot};

use super::Policy;
use crate::miniwob::hand::{Hand, Played, Stop};
use crate::miniwob::sight::{Blob, is_dark};

/// The policy.
#[derive(Debug)]
pub(crate) struct Follow;

/// No page moves things for more looks than this.
const LOOKS: usize = 2_000;
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
        clicks(goal).is_some()
    }

    async fn play(&self, goal: &str, _page: Arc<Snapshot>, hand: &mut Hand<'_>) -> Played {
        let clicks = clicks(goal).ok_or_else(|| Stop::lost("not understood"))?;
        for _ in 0..LOOKS {
            let picture = hand.picture_of([0.0, 0.0, 160.0, 210.0]).await?;
            let moving = |blob: &Blob| blob.size().0 > LEAST && blob.size().1 > LEAST;
            // what came last is longest there
            let seen = picture.blobs(is_dark).into_iter().filter(moving).max_by_key(|blob| blob.pixels);
            let Some((x, y)) = seen.map(|blob| blob.middle()) else { continue };
            if clicks {
                hand.attempt(Click::at(x, y)).await?;
            } else {
                hand.attempt(Hover::on(Target::point(x, y))).await?;
            }
        }
        Err(Stop::lost("it goes on moving"))
    }
}

/// Whether what moves is clicked, and not only followed.
fn clicks(goal: &str) -> Option<bool> {
    if goal.starts_with("Keep your mouse inside") && goal.contains("moves") {
        return Some(false);
    }
    (goal.starts_with("Click as many moving ")).then_some(true)
}
