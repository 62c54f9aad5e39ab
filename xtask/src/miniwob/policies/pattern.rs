//! A picture made of boxes: `Draw the number "3" in the checkboxes using the example on the right`. The example is seen on a
//! picture, cell by cell.

use std::sync::Arc;

use async_trait::async_trait;
use webhand::prelude::{Check, Snapshot};

use super::Policy;
use crate::miniwob::hand::{Hand, Played, Stop};
use crate::miniwob::see::{self, Seen};
use crate::miniwob::sight::{Blob, Picture, is_dark};

/// The policy.
#[derive(Debug)]
pub(crate) struct Pattern;

#[async_trait]
impl Policy for Pattern {
    fn name(&self) -> &'static str {
        "pattern"
    }

    fn about(&self) -> &'static str {
        "checkboxes checked as the cells of an example are drawn"
    }

    fn understands(&self, goal: &str, page: &Snapshot) -> bool {
        goal.contains("in the checkboxes using the example") && boxes(page).len() > 1
    }

    async fn play(&self, _goal: &str, page: Arc<Snapshot>, hand: &mut Hand<'_>) -> Played {
        let boxes = boxes(&page);
        let right = boxes.iter().map(|seen| seen.control.rect[0] + seen.control.rect[2]).fold(0.0, f64::max);
        let picture = hand.picture().await?;
        let example = example(&picture, right).ok_or_else(|| Stop::lost("there is no example"))?;
        let (columns, rows) = (lines(&boxes, |seen| seen.middle().0), lines(&boxes, |seen| seen.middle().1));
        for seen in &boxes {
            let (x, y) = seen.middle();
            let across = share(&columns, x) * example.size().0 + example.sides[0];
            let down = share(&rows, y) * example.size().1 + example.sides[1];
            if !is_dark(picture.colour((across, down))) {
                hand.act(Check::on(seen.r#ref())).await?;
            }
        }
        let submit = see::pressed(&page, "Submit").ok_or_else(|| Stop::lost("there is no Submit"))?;
        hand.click(submit.r#ref()).await.map(drop)
    }
}

fn boxes(page: &Snapshot) -> Vec<Seen<'_>> {
    see::of_role(page, &["checkbox"])
}

/// The largest dark thing to the right: the example, whose marked cells are light.
fn example(picture: &Picture, right: f64) -> Option<Blob> {
    picture
        .blobs(is_dark)
        .into_iter()
        .filter(|blob| blob.sides[0] > right && blob.sides[2] < 170.0)
        .max_by_key(|blob| blob.pixels)
}

/// Where the columns or rows of boxes are.
fn lines(boxes: &[Seen<'_>], place: impl Fn(&Seen<'_>) -> f64) -> Vec<f64> {
    let mut found: Vec<f64> = boxes.iter().map(place).collect();
    found.sort_by(f64::total_cmp);
    found.dedup_by(|one, other| (*one - *other).abs() < 3.0);
    found
}

/// The middle of the cell of that line, as a part of the whole.
fn share(lines: &[f64], place: f64) -> f64 {
    let before = lines.iter().filter(|line| **line < place - 3.0).count();
    #[expect(clippy::cast_precision_loss, reason = "there are few lines")]
    let (before, all) = (before as f64, lines.len().max(1) as f64);
    (before + 0.5) / all
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn cells_share_the_whole() {
        assert!((share(&[10.0, 30.0, 50.0, 70.0], 50.0) - 0.625).abs() < 1e-9);
    }
}
