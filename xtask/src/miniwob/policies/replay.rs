//! What lights up, done again: `Push the buttons in the order displayed`. Which button is lit is seen on one picture after another.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use webhand::prelude::{Click, Snapshot};

use super::Policy;
use crate::miniwob::hand::{Hand, Played, Stop};
use crate::miniwob::see::{self, Seen};
use crate::miniwob::sight;

/// The policy.
#[derive(Debug)]
pub(crate) struct Replay;

/// Where nothing has lit up for so long, all was shown.
const QUIET: Duration = Duration::from_millis(1_400);
/// A colour that is so far from what it was is another.
const LIT: u32 = 2_000;

#[async_trait]
impl Policy for Replay {
    fn name(&self) -> &'static str {
        "replay"
    }

    fn about(&self) -> &'static str {
        "buttons pressed in the order in which they light up"
    }

    fn understands(&self, goal: &str, page: &Snapshot) -> bool {
        goal.contains("buttons in the order displayed") && !see::of_role(page, &["button"]).is_empty()
    }

    async fn play(&self, _goal: &str, page: Arc<Snapshot>, hand: &mut Hand<'_>) -> Played {
        let buttons = see::of_role(&page, &["button"]);
        for button in shown(&buttons, hand).await? {
            // a button that only darkens under the press shows nothing afterwards
            hand.attempt(Click::on(buttons[button].r#ref())).await?;
        }
        Ok(())
    }
}

/// Which buttons lit up, in their order.
async fn shown(buttons: &[Seen<'_>], hand: &mut Hand<'_>) -> Played<Vec<usize>> {
    let area = buttons.iter().fold([f64::MAX, f64::MAX, 0.0, 0.0], |area: [f64; 4], button| {
        let [left, top, width, height] = button.control.rect;
        [area[0].min(left), area[1].min(top), area[2].max(left + width), area[3].max(top + height)]
    });
    let area = [area[0], area[1], area[2] - area[0], area[3] - area[1]];
    let first = hand.picture_of(area).await?;
    let rest: Vec<sight::Colour> = buttons.iter().map(|button| first.colour(button.middle())).collect();
    let (mut shown, mut lit, mut since) = (Vec::new(), None, Instant::now());
    while shown.is_empty() || since.elapsed() < QUIET {
        if shown.is_empty() && since.elapsed() > QUIET * 3 {
            return Err(Stop::lost("nothing lights up"));
        }
        let picture = hand.picture_of(area).await?;
        let now =
            (0..buttons.len()).find(|index| sight::apart(picture.colour(buttons[*index].middle()), rest[*index]) > LIT);
        if now != lit {
            shown.extend(now);
            (lit, since) = (now, Instant::now());
        }
    }
    Ok(shown)
}
