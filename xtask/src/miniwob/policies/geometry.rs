//! Points on a drawing: the centre of a circle, the middle between two points, a right angle, half an angle; and lines drawn
//! through a dot. The drawing is seen on a picture, the point is clicked by its place.

use std::sync::Arc;

use async_trait::async_trait;
use webhand::actions::{Drag, Target};
use webhand::prelude::{Click, Snapshot};

use super::Policy;
use crate::miniwob::hand::{Hand, Played, Stop};
use crate::miniwob::see;
use crate::miniwob::sight::{Blob, Colour, Picture};

/// The policy.
#[derive(Debug)]
pub(crate) struct Geometry;

type Point = (f64, f64);

/// How far from the edge of the paper a line begins and ends.
const MARGIN: f64 = 8.0;

/// What is sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sought {
    Centre,
    Midpoint,
    RightAngle,
    Bisector,
    /// A dot through which a line is drawn.
    Upright,
    Level,
}

#[async_trait]
impl Policy for Geometry {
    fn name(&self) -> &'static str {
        "geometry"
    }

    fn about(&self) -> &'static str {
        "points on a drawing: centre of a circle, middle of two points, right angle, half of an angle, and lines through a dot"
    }

    fn understands(&self, goal: &str, page: &Snapshot) -> bool {
        sought(goal).is_some() && paper(page).is_some()
    }

    async fn play(&self, goal: &str, page: Arc<Snapshot>, hand: &mut Hand<'_>) -> Played {
        let sought = sought(goal).ok_or_else(|| Stop::lost("not understood"))?;
        let paper = paper(&page).ok_or_else(|| Stop::lost("there is no drawing"))?;
        let picture = hand.picture_of(paper).await?;
        let (x, y) = find(sought, &picture, paper).ok_or_else(|| Stop::lost("the drawing is not understood"))?;
        let [left, top, width, height] = paper;
        let line = match sought {
            Sought::Upright => Some(((x, top + MARGIN), (x, top + height - MARGIN))),
            Sought::Level => Some(((left + MARGIN, y), (left + width - MARGIN, y))),
            _ => None,
        };
        match line {
            Some((from, to)) => hand.act(Drag::to_point(Target::point(from.0, from.1), to.0, to.1)).await?,
            None => hand.act(Click::at(x.round(), y.round())).await?,
        };
        let page = hand.look().await?;
        let submit = see::pressed(&page, "Submit").ok_or_else(|| Stop::lost("there is no Submit"))?;
        hand.click(submit.r#ref()).await.map(drop)
    }
}

fn sought(goal: &str) -> Option<Sought> {
    let phrases = [
        ("center of the circle", Sought::Centre),
        ("mid-point between the two points", Sought::Midpoint),
        ("create a right angle", Sought::RightAngle),
        ("bisects the angle", Sought::Bisector),
        ("vertical line that runs through the dot", Sought::Upright),
        ("horizontal line that runs through the dot", Sought::Level),
    ];
    phrases.iter().find(|(phrase, _)| goal.contains(phrase)).map(|(_, sought)| *sought)
}

/// Where the drawing is: left, top, width and height.
fn paper(page: &Snapshot) -> Option<[f64; 4]> {
    let large = |rect: &[f64; 4]| rect[2] > 80.0 && rect[3] > 80.0;
    let mut paper = see::of_role(page, &["generic"]).iter().map(|seen| seen.control.rect).find(large)?;
    // what stands over it is no part of the drawing
    for button in see::of_role(page, &["button"]) {
        paper[3] = paper[3].min((button.control.rect[1] - paper[1]).max(1.0));
    }
    Some(paper)
}

fn find(sought: Sought, picture: &Picture, paper: [f64; 4]) -> Option<Point> {
    match sought {
        Sought::Centre => {
            // a button may stand over its lower end: as high as it is wide
            let circle = inside(picture, paper, is_drawn).into_iter().find(|blob| blob.size().0 > 20.0)?;
            let [left, top, right, _] = circle.sides;
            Some((f64::midpoint(left, right), top + (right - left) / 2.0))
        }
        Sought::Upright | Sought::Level => {
            inside(picture, paper, is_drawn).into_iter().max_by_key(|blob| blob.pixels).map(|dot| dot.middle())
        }
        Sought::Midpoint => match dots(picture, paper, is_black)[..] {
            [one, other] => Some((f64::midpoint(one.0, other.0), f64::midpoint(one.1, other.1))),
            _ => None,
        },
        Sought::RightAngle => {
            let (corner, end) = (blue_dot(picture)?, *dots(picture, paper, is_black).first()?);
            let (x, y) = (end.0 - corner.0, end.1 - corner.1);
            let length = x.hypot(y).max(1.0) / 30.0;
            // to one side or the other, wherever there is paper
            let sides =
                [(corner.0 - y / length, corner.1 + x / length), (corner.0 + y / length, corner.1 - x / length)];
            sides.into_iter().max_by(|one, other| room(*one, paper).total_cmp(&room(*other, paper)))
        }
        Sought::Bisector => {
            let corner = blue_dot(picture)?;
            let [one, other] = dots(picture, paper, is_black)[..] else { return None };
            let unit = |point: Point| {
                let (x, y) = (point.0 - corner.0, point.1 - corner.1);
                let length = x.hypot(y).max(1.0);
                (x / length, y / length)
            };
            let (one, other) = (unit(one), unit(other));
            let (x, y) = (one.0 + other.0, one.1 + other.1);
            let length = x.hypot(y).max(0.01) / 25.0;
            Some((corner.0 + x / length, corner.1 + y / length))
        }
    }
}

/// How far a point is from the nearest side of the paper.
fn room((x, y): Point, [left, top, width, height]: [f64; 4]) -> f64 {
    (x - left).min(left + width - x).min(y - top).min(top + height - y)
}

/// Thin lines are drawn in greys.
fn is_drawn(colour: Colour) -> bool {
    colour.iter().map(|part| u32::from(*part)).sum::<u32>() < 660
}

fn is_black(colour: Colour) -> bool {
    colour.iter().all(|part| *part < 110)
}

fn is_blue([red, green, blue]: Colour) -> bool {
    blue > 150 && red < 120 && green < 120
}

/// What is drawn on the paper, its border left out.
fn inside(picture: &Picture, paper: [f64; 4], is_ink: fn(Colour) -> bool) -> Vec<Blob> {
    let whole = |blob: &Blob| blob.size().0 > paper[2] - 4.0 || blob.size().1 > paper[3] - 4.0;
    picture.blobs(is_ink).into_iter().filter(|blob| !whole(blob) && blob.pixels > 6).collect()
}

/// The middle of all that is blue: lines are drawn over the dot.
fn blue_dot(picture: &Picture) -> Option<Point> {
    let blobs = picture.blobs(is_blue);
    let sides = blobs.iter().map(|blob| blob.sides).reduce(|one, other| {
        [one[0].min(other[0]), one[1].min(other[1]), one[2].max(other[2]), one[3].max(other[3])]
    })?;
    Some((f64::midpoint(sides[0], sides[2]), f64::midpoint(sides[1], sides[3])))
}

/// The middles of the dots of a colour: where nothing thinner than a dot is left of it, lines fall away.
fn dots(picture: &Picture, paper: [f64; 4], is_ink: fn(Colour) -> bool) -> Vec<Point> {
    let thick = |point: Point| {
        let offsets = [-2.0, -1.0, 0.0, 1.0, 2.0];
        offsets
            .iter()
            .all(|across| offsets.iter().all(|down| is_ink(picture.colour((point.0 + across, point.1 + down)))))
    };
    let [left, top, width, height] = paper;
    let mut found: Vec<Vec<Point>> = Vec::new();
    let (mut x, mut y) = (left + 0.5, top + 0.5);
    while y < top + height {
        if thick((x, y)) {
            let near = |dot: &&mut Vec<Point>| dot.iter().any(|point| (point.0 - x).hypot(point.1 - y) < 6.0);
            match found.iter_mut().find(near) {
                Some(dot) => dot.push((x, y)),
                None => found.push(vec![(x, y)]),
            }
        }
        x += 1.0;
        if x >= left + width {
            (x, y) = (left + 0.5, y + 1.0);
        }
    }
    let middle = |dot: Vec<Point>| {
        let (x, y) = dot.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0, sum.1 + point.1));
        #[expect(clippy::cast_precision_loss, reason = "a dot has few pixels")]
        let count = dot.len() as f64;
        (x / count, y / count)
    };
    found.into_iter().map(middle).collect()
}
