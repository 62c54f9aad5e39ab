//! What has to be counted: `Type the total number of blocks into the textbox`, `Press the button that correctly denotes how many
//! sides the shape has`. It is seen on a picture.

use std::f64::consts::TAU;
use std::sync::Arc;

use async_trait::async_trait;
use webhand::prelude::Snapshot;

use super::Policy;
use crate::miniwob::hand::{Hand, Played, Stop};
use crate::miniwob::see;
use crate::miniwob::sight::{Blob, Picture, is_dark};

/// The policy.
#[derive(Debug)]
pub(crate) struct Count;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counted {
    Blocks,
    Sides,
}

/// A block is larger than this each way, CSS pixels.
const BLOCK: f64 = 5.0;
/// In how many directions an outline is measured.
const RAYS: u32 = 360;

#[async_trait]
impl Policy for Count {
    fn name(&self) -> &'static str {
        "count"
    }

    fn about(&self) -> &'static str {
        "coloured blocks, or the sides of a drawn polygon, counted on a picture"
    }

    fn understands(&self, goal: &str, page: &Snapshot) -> bool {
        match counted(goal) {
            Some(Counted::Blocks) => !see::fields(page).is_empty(),
            Some(Counted::Sides) => !see::of_role(page, &["canvas", "generic", "img"]).is_empty(),
            None => false,
        }
    }

    async fn play(&self, goal: &str, page: Arc<Snapshot>, hand: &mut Hand<'_>) -> Played {
        match counted(goal).ok_or_else(|| Stop::lost("not understood"))? {
            Counted::Blocks => {
                let picture = hand.picture().await?;
                let field = see::fields(&page).first().copied().ok_or_else(|| Stop::lost("no field"))?;
                let above = |blob: &&Blob| blob.sides[3] <= field.control.rect[1];
                let block = |blob: &&Blob| blob.size().0 > BLOCK && blob.size().1 > BLOCK;
                let count = picture.blobs(is_coloured).iter().filter(above).filter(block).count();
                hand.fill(field.r#ref(), count.to_string()).await?;
                let submit = see::pressed(&page, "Submit").ok_or_else(|| Stop::lost("there is no Submit"))?;
                hand.click(submit.r#ref()).await.map(drop)
            }
            Counted::Sides => {
                let drawing = see::of_role(&page, &["canvas", "generic", "img"]);
                let drawing = drawing.first().ok_or_else(|| Stop::lost("there is no drawing"))?.control.rect;
                let picture = hand.picture_of(drawing).await?;
                let sides = sides(&picture).ok_or_else(|| Stop::lost("the drawing is not understood"))?;
                let button = see::named(&page, &["button"], &sides.to_string());
                let button = button.ok_or_else(|| Stop::lost(format!("no button says {sides}")))?;
                hand.click(button.r#ref()).await.map(drop)
            }
        }
    }
}

fn counted(goal: &str) -> Option<Counted> {
    if goal.contains("total number of blocks") {
        return Some(Counted::Blocks);
    }
    goal.contains("how many sides the shape has").then_some(Counted::Sides)
}

fn is_coloured(colour: [u8; 3]) -> bool {
    let (most, least) = (colour.iter().max(), colour.iter().min());
    most.zip(least).is_some_and(|(most, least)| most - least > 60)
}

/// How many corners stand out of a regular outline: the wave that its distance from the middle makes around the circle most.
fn sides(picture: &Picture) -> Option<u32> {
    let outline = picture.blobs(is_dark).into_iter().max_by_key(|blob| blob.pixels)?;
    let (middle, reach) = (picture.centre(is_dark, outline)?, outline.size().0.max(outline.size().1));
    let distances: Vec<f64> = (0..RAYS)
        .map(|step| {
            let angle = TAU * f64::from(step) / f64::from(RAYS);
            let at = |distance: f64| (middle.0 + angle.cos() * distance, middle.1 + angle.sin() * distance);
            let farthest = (0..=1000).rev().map(|part| reach * f64::from(part) / 1000.0);
            farthest.into_iter().find(|distance| is_dark(picture.colour(at(*distance)))).unwrap_or_default()
        })
        .collect();
    let strength = |waves: u32| {
        let angle = |step: u32| TAU * f64::from(waves * step) / f64::from(RAYS);
        let sum = |part: fn(f64) -> f64| -> f64 {
            distances.iter().zip(0..).map(|(distance, step)| distance * part(angle(step))).sum()
        };
        sum(f64::cos).hypot(sum(f64::sin))
    };
    (3..=12).max_by(|one, other| strength(*one).total_cmp(&strength(*other)))
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use super::*;

    #[test]
    fn sides_of_an_outline_are_counted() {
        for count in 3..=7_u32 {
            let mut image = RgbImage::from_pixel(150, 100, Rgb([255, 255, 255]));
            let corner = |index: u32| {
                let angle = 0.4 + TAU * f64::from(index) / f64::from(count);
                (75.0 + 35.0 * angle.cos(), 50.0 + 35.0 * angle.sin())
            };
            for index in 0..count {
                let (from, to) = (corner(index), corner(index + 1));
                for step in 0..200 {
                    let part = f64::from(step) / 200.0;
                    let (x, y) = (from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part);
                    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within the picture")]
                    for (across, down) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                        image.put_pixel(x as u32 + across, y as u32 + down, Rgb([0, 0, 0]));
                    }
                }
            }
            assert_eq!(sides(&Picture::new(image, [0.0, 0.0, 150.0, 100.0])), Some(count));
        }
    }
}
