//! Boxes and labels on the image.

use image::{Rgb, RgbImage};

use super::{
    Mark, font,
    place::{self, Area},
};
use crate::refs::Family;

/// Draws the marks: boxes first, the larger ones under the smaller, then the labels. A box whose label finds no room
/// stays without one.
pub(super) fn marks(image: &mut RgbImage, marks: &[Mark], scale: f64, origin: (f64, f64)) -> Vec<Area> {
    let picture = (i64::from(image.width()), i64::from(image.height()));
    let mut boxes: Vec<(&Mark, Area)> =
        marks.iter().filter_map(|mark| Some((mark, area(mark.rect, scale, origin, picture)?))).collect();
    boxes.sort_by_key(|(mark, area)| (std::cmp::Reverse(area.width * area.height), mark.r#ref.number));
    let line = whole(scale * 1.5).max(1);
    for (mark, area) in &boxes {
        outline(image, area, line, colour(mark.r#ref.family));
    }
    let pixel = whole(scale * 1.6).max(1);
    let mut taken = Vec::with_capacity(boxes.len());
    // Small boxes first: they have the least room of their own.
    for (mark, area) in boxes.iter().rev() {
        let text = mark.r#ref.to_string();
        let letters = i64::try_from(text.len()).unwrap_or(0);
        let size = ((letters * i64::from(font::WIDTH + 1) + 1) * pixel, i64::from(font::HEIGHT + 2) * pixel);
        if let Some(place) = place::label(area, size, picture, &taken) {
            label(image, &place, &text, pixel, colour(mark.r#ref.family));
            taken.push(place);
        }
    }
    taken
}

/// What paints over what must not be seen.
const MASK: Rgb<u8> = Rgb([60, 60, 60]);

/// Paints over those places.
pub(super) fn masks(image: &mut RgbImage, places: &[[f64; 4]], scale: f64, origin: (f64, f64)) {
    let picture = (i64::from(image.width()), i64::from(image.height()));
    for place in places {
        if let Some(area) = area(*place, scale, origin, picture) {
            fill(image, &area, MASK);
        }
    }
}

/// A place in image pixels, clipped to the picture.
fn area(rect: [f64; 4], scale: f64, origin: (f64, f64), picture: (i64, i64)) -> Option<Area> {
    let [left, top, width, height] = rect;
    let across = |place: f64| whole((place - origin.0) * scale).clamp(0, picture.0);
    let down = |place: f64| whole((place - origin.1) * scale).clamp(0, picture.1);
    let (left, right, top, bottom) = (across(left), across(left + width), down(top), down(top + height));
    (right > left && bottom > top).then_some(Area { left, top, width: right - left, height: bottom - top })
}

#[expect(clippy::cast_possible_truncation, reason = "a cast of a float saturates, which is what is wanted")]
fn whole(value: f64) -> i64 {
    (value.round() as i64).clamp(-1_000_000, 1_000_000)
}

fn outline(image: &mut RgbImage, area: &Area, line: i64, colour: Rgb<u8>) {
    let Area { left, top, width, height } = *area;
    let (across, down) = (line.min(width), line.min(height));
    for side in [
        Area { left, top, width, height: down },
        Area { left, top: area.bottom() - down, width, height: down },
        Area { left, top, width: across, height },
        Area { left: area.right() - across, top, width: across, height },
    ] {
        fill(image, &side, colour);
    }
}

fn fill(image: &mut RgbImage, area: &Area, colour: Rgb<u8>) {
    for y in area.top..area.bottom() {
        for x in area.left..area.right() {
            let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y)) else { continue };
            if let Some(pixel) = image.get_pixel_mut_checked(x, y) {
                *pixel = colour;
            }
        }
    }
}

fn label(image: &mut RgbImage, place: &Area, text: &str, pixel: i64, colour: Rgb<u8>) {
    fill(image, place, colour);
    let mut left = place.left + pixel;
    for letter in text.bytes() {
        for (x, y) in (0..font::WIDTH).flat_map(|x| (0..font::HEIGHT).map(move |y| (x, y))) {
            if font::is_set(letter, x, y) {
                let (left, top) = (left + i64::from(x) * pixel, place.top + (i64::from(y) + 1) * pixel);
                fill(image, &Area { left, top, width: pixel, height: pixel }, Rgb([255, 255, 255]));
            }
        }
        left += i64::from(font::WIDTH + 1) * pixel;
    }
}

/// Dark enough for white letters, and apart from each other.
pub(super) fn colour(family: Family) -> Rgb<u8> {
    Rgb(match family {
        Family::Button => [192, 38, 38],
        Family::Link => [29, 78, 216],
        Family::Input => [21, 118, 52],
        Family::Check => [126, 34, 206],
        Family::Option => [14, 116, 144],
        Family::Select => [77, 104, 13],
        Family::Element => [180, 83, 9],
        Family::Frame => [71, 85, 105],
        Family::Scroll => [87, 83, 78],
        Family::Dialog => [190, 24, 93],
    })
}
