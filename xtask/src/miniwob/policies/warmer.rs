//! A spot that is only told by how near it is: `Find and click on the HOT area`. The page says hot, warm or cold under the pointer.

use std::sync::Arc;

use async_trait::async_trait;
use webhand::actions::Target;
use webhand::prelude::{Click, Hover, Snapshot};

use super::Policy;
use crate::miniwob::hand::{Hand, Played, Stop};
use crate::miniwob::see::{self, Seen};

/// The policy.
#[derive(Debug)]
pub(crate) struct Warmer;

type Point = (f64, f64);

/// How far apart the first tries are, and those after each that was warmer, CSS pixels.
const STEPS: [f64; 3] = [26.0, 9.0, 4.0];
/// How warm the spot itself is, of [`warmth`].
const HOT: u32 = 3;

#[async_trait]
impl Policy for Warmer {
    fn name(&self) -> &'static str {
        "warmer"
    }

    fn about(&self) -> &'static str {
        "a spot found by what the page says of how warm the pointer is"
    }

    fn understands(&self, goal: &str, page: &Snapshot) -> bool {
        goal.contains("HOT area") && field(page).is_some()
    }

    async fn play(&self, _goal: &str, page: Arc<Snapshot>, hand: &mut Hand<'_>) -> Played {
        let field = field(&page).ok_or_else(|| Stop::lost("there is no area"))?.control.rect;
        let (mut best, mut around) = (0, (field[0] + field[2] / 2.0, field[1] + field[3] / 2.0));
        for (round, step) in STEPS.into_iter().enumerate() {
            let reach = if round == 0 { f64::MAX } else { STEPS[round - 1] * 2.0 };
            let mut warmest = Vec::new();
            for point in points(field, around, step, reach) {
                hand.attempt(Hover::on(Target::point(point.0, point.1))).await?;
                let page = hand.look().await?;
                let warmth = warmth(&page);
                if warmth == HOT {
                    return hand.act(Click::at(point.0, point.1)).await.map(drop);
                }
                if warmth > best {
                    best = warmth;
                    warmest.clear();
                }
                if warmth == best {
                    warmest.push(point);
                }
                // one that is warm is near enough for the next round
                if warmth + 1 == HOT {
                    break;
                }
            }
            if let Some(middle) = middle(&warmest) {
                around = middle;
            }
        }
        Err(Stop::lost("the spot was not found"))
    }
}

/// The largest thing on the page.
fn field(page: &Snapshot) -> Option<Seen<'_>> {
    let size = |seen: &Seen<'_>| seen.control.rect[2] * seen.control.rect[3];
    see::of_role(page, &["generic"]).into_iter().max_by(|one, other| size(one).total_cmp(&size(other)))
}

/// How warm the page says it is: 3 is hot, 0 is very cold or not said.
fn warmth(page: &Snapshot) -> u32 {
    let said = page.nodes.iter().find_map(|node| match node.name.trim().to_lowercase().as_str() {
        "hot" => Some(HOT),
        "warm" => Some(2),
        "cold" => Some(1),
        _ => None,
    });
    said.unwrap_or_default()
}

/// Points of a field, so far apart, around one and not farther from it than that; the nearest first.
fn points([left, top, width, height]: [f64; 4], around: Point, step: f64, reach: f64) -> Vec<Point> {
    let away = |point: &Point| (point.0 - around.0).hypot(point.1 - around.1);
    let inside = |point: &Point| {
        point.0 > left + 1.0 && point.0 < left + width - 1.0 && point.1 > top + 1.0 && point.1 < top + height - 1.0
    };
    let mut found: Vec<Point> = (-20..=20)
        .flat_map(|down| (-20..=20).map(move |across| (across, down)))
        .map(|(across, down)| (around.0 + step * f64::from(across), around.1 + step * f64::from(down)))
        .filter(|point| inside(point) && away(point) <= reach)
        .collect();
    found.sort_by(|one, other| away(one).total_cmp(&away(other)));
    found
}

/// The middle of some points.
fn middle(points: &[Point]) -> Option<Point> {
    let count = f64::from(u32::try_from(points.len()).ok().filter(|count| *count > 0)?);
    let sum = points.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0, sum.1 + point.1));
    Some((sum.0 / count, sum.1 / count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_go_outward_and_stay_inside() {
        let found = points([0.0, 0.0, 100.0, 100.0], (50.0, 50.0), 20.0, 30.0);
        assert_eq!(found.first(), Some(&(50.0, 50.0)));
        assert_eq!(found.len(), 9);
        assert_eq!(middle(&[(0.0, 2.0), (4.0, 4.0)]), Some((2.0, 3.0)));
        assert_eq!(middle(&[]), None);
    }
}
