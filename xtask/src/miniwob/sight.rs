//! Reading a picture of the page: colours at places, and the blobs of ink on it.
//!
//! Pure functions of pixels, in CSS pixels of the page's view. It must not know what a task asks.

use image::RgbImage;

/// A colour: red, green, blue.
pub(crate) type Colour = [u8; 3];

/// Names of colours that sentences use, as CSS defines them.
const NAMES: &[(&str, Colour)] = &[
    ("aqua", [0, 255, 255]),
    ("black", [0, 0, 0]),
    ("blue", [0, 0, 255]),
    ("brown", [165, 42, 42]),
    ("cyan", [0, 255, 255]),
    ("fuchsia", [255, 0, 255]),
    ("gold", [255, 215, 0]),
    ("gray", [128, 128, 128]),
    ("green", [0, 128, 0]),
    ("grey", [128, 128, 128]),
    ("indigo", [75, 0, 130]),
    ("lime", [0, 255, 0]),
    ("magenta", [255, 0, 255]),
    ("maroon", [128, 0, 0]),
    ("navy", [0, 0, 128]),
    ("olive", [128, 128, 0]),
    ("orange", [255, 165, 0]),
    ("pink", [255, 192, 203]),
    ("purple", [128, 0, 128]),
    ("red", [255, 0, 0]),
    ("silver", [192, 192, 192]),
    ("teal", [0, 128, 128]),
    ("violet", [238, 130, 238]),
    ("white", [255, 255, 255]),
    ("yellow", [255, 255, 0]),
];

/// What a name of a colour means.
pub(crate) fn named(name: &str) -> Option<Colour> {
    NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, colour)| *colour)
}

/// How far two colours are apart.
pub(crate) fn apart(one: Colour, other: Colour) -> u32 {
    one.iter().zip(other).map(|(left, right)| u32::from(left.abs_diff(right)).pow(2)).sum()
}

/// The hue in degrees, where a colour has one.
pub(crate) fn hue(colour: Colour) -> Option<f64> {
    let [red, green, blue] = colour.map(f64::from);
    let (most, least) = (red.max(green).max(blue), red.min(green).min(blue));
    let range = most - least;
    if range < 8.0 {
        return None;
    }
    let sixth = if most == red {
        (green - blue) / range
    } else if most == green {
        (blue - red) / range + 2.0
    } else {
        (red - green) / range + 4.0
    };
    Some((sixth * 60.0).rem_euclid(360.0))
}

/// A picture of a part of the view.
#[derive(Debug)]
pub(crate) struct Picture {
    image: RgbImage,
    left: f64,
    top: f64,
    scale: f64,
}

/// Pixels that hang together and are of the kind that was looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Blob {
    /// Left, top, right and bottom in CSS pixels of the view.
    pub(crate) sides: [f64; 4],
    /// How many pixels of the picture it has.
    pub(crate) pixels: u32,
    /// The colour in its middle, or of the pixel that it was found by.
    pub(crate) colour: Colour,
}

impl Blob {
    /// The middle of its box.
    pub(crate) fn middle(&self) -> (f64, f64) {
        let [left, top, right, bottom] = self.sides;
        (f64::midpoint(left, right), f64::midpoint(top, bottom))
    }

    /// Width and height.
    pub(crate) fn size(&self) -> (f64, f64) {
        let [left, top, right, bottom] = self.sides;
        (right - left, bottom - top)
    }
}

impl Picture {
    /// A picture of that part of the view: left, top, width and height.
    pub(crate) fn new(image: RgbImage, area: [f64; 4]) -> Self {
        let scale = f64::from(image.width()) / area[2].max(1.0);
        Self { image, left: area[0], top: area[1], scale: scale.max(0.01) }
    }

    /// The colour at a point of the view; white outside the picture.
    pub(crate) fn colour(&self, (x, y): (f64, f64)) -> Colour {
        let (x, y) = ((x - self.left) * self.scale, (y - self.top) * self.scale);
        if x < 0.0 || y < 0.0 || x >= f64::from(self.image.width()) || y >= f64::from(self.image.height()) {
            return [255, 255, 255];
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "just compared with the size")]
        self.image.get_pixel(x as u32, y as u32).0
    }

    /// The blobs of what counts as ink, the first found first: from the top down, each row from the left.
    pub(crate) fn blobs(&self, is_ink: impl Fn(Colour) -> bool) -> Vec<Blob> {
        let (width, height) = self.image.dimensions();
        let mut seen = vec![false; (width * height) as usize];
        let mut blobs = Vec::new();
        for start in 0..width * height {
            let colour = self.image.get_pixel(start % width, start / width).0;
            if seen[start as usize] || !is_ink(colour) {
                continue;
            }
            let [left, top, right, bottom, pixels] = self.flood(start, &is_ink, &mut seen);
            let sides = [
                f64::from(left) / self.scale + self.left,
                f64::from(top) / self.scale + self.top,
                f64::from(right + 1) / self.scale + self.left,
                f64::from(bottom + 1) / self.scale + self.top,
            ];
            let mut blob = Blob { sides, pixels, colour };
            let middle = self.colour(blob.middle());
            if is_ink(middle) {
                blob.colour = middle;
            }
            blobs.push(blob);
        }
        blobs
    }

    /// The centre of all ink in the box of a blob.
    pub(crate) fn centre(&self, is_ink: impl Fn(Colour) -> bool, blob: Blob) -> Option<(f64, f64)> {
        let (width, height) = self.image.dimensions();
        let (mut across, mut down, mut count) = (0.0, 0.0, 0.0);
        for at in 0..width * height {
            let (x, y) = (f64::from(at % width) + 0.5, f64::from(at / width) + 0.5);
            let (x, y) = (x / self.scale + self.left, y / self.scale + self.top);
            let inside = x > blob.sides[0] && y > blob.sides[1] && x < blob.sides[2] && y < blob.sides[3];
            if inside && is_ink(self.colour((x, y))) {
                (across, down, count) = (across + x, down + y, count + 1.0);
            }
        }
        (count > 0.0).then(|| (across / count, down / count))
    }

    /// Marks all that hangs together with a pixel: its left, top, right, bottom, and how much it is.
    fn flood(&self, start: u32, is_ink: &impl Fn(Colour) -> bool, seen: &mut [bool]) -> [u32; 5] {
        let (width, height) = self.image.dimensions();
        let mut found = [u32::MAX, u32::MAX, 0, 0, 0];
        let mut open = vec![start];
        seen[start as usize] = true;
        while let Some(at) = open.pop() {
            let (x, y) = (at % width, at / width);
            found = [found[0].min(x), found[1].min(y), found[2].max(x), found[3].max(y), found[4] + 1];
            for next_y in y.saturating_sub(1)..=(y + 1).min(height - 1) {
                for next_x in x.saturating_sub(1)..=(x + 1).min(width - 1) {
                    let next = next_y * width + next_x;
                    if !seen[next as usize] && is_ink(self.image.get_pixel(next_x, next_y).0) {
                        seen[next as usize] = true;
                        open.push(next);
                    }
                }
            }
        }
        found
    }
}

/// Whether a colour is darker than paper.
pub(crate) fn is_dark(colour: Colour) -> bool {
    colour.iter().map(|part| u32::from(*part)).sum::<u32>() < 384
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgb;

    #[test]
    fn colours_have_names_and_hues() {
        assert_eq!(named("Grey"), Some([128, 128, 128]));
        assert_eq!(hue([255, 0, 0]), Some(0.0));
        assert_eq!(hue([0, 0, 200]), Some(240.0));
        assert_eq!(hue([120, 120, 121]), None);
        assert!(apart([255, 0, 0], [250, 0, 0]) < apart([255, 0, 0], [0, 255, 0]));
    }

    #[test]
    fn blobs_hang_together_and_are_told_in_pixels_of_the_view() {
        let mut image = RgbImage::from_pixel(40, 20, Rgb([255, 255, 255]));
        for (x, y) in [(4, 4), (5, 5), (6, 4), (30, 10)] {
            image.put_pixel(x, y, Rgb([0, 0, 0]));
        }
        let picture = Picture::new(image, [100.0, 50.0, 20.0, 10.0]);
        let blobs = picture.blobs(is_dark);
        assert_eq!(blobs.len(), 2);
        assert_eq!((blobs[0].sides, blobs[0].pixels), ([102.0, 52.0, 103.5, 53.0], 3));
        assert_eq!(blobs[1].middle(), (115.25, 55.25));
        assert_eq!(picture.colour((115.0, 55.0)), [0, 0, 0]);
        assert_eq!(picture.colour((0.0, 0.0)), [255, 255, 255]);
    }
}
