//! What is done to a picture after it was taken: each control in view boxed and lettered with its ref, secrets painted
//! over, the whole scaled to a limit. All of it on the image, never in the page.
//!
//! Pure functions of a [`Snapshot`] and an encoded image; how the picture is taken is not known here.

mod draw;
mod font;
mod place;

#[cfg(test)]
mod tests;

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, ImageReader, Limits, imageops::FilterType};

use crate::{
    refs::Ref,
    snapshot::{Node, Snapshot},
};

/// At most so many marks on one picture.
const MOST: usize = 600;
/// The most memory that a decoded picture may take.
const MEMORY: u64 = 512 << 20;

/// Where one control stands in the page's view, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Mark {
    /// Its ref.
    pub r#ref: Ref,
    /// Left, top, width and height.
    pub rect: [f64; 4],
}

impl Mark {
    /// A mark at a place of the page's view.
    #[must_use]
    pub fn new(r#ref: Ref, rect: [f64; 4]) -> Self {
        Self { r#ref, rect }
    }
}

/// Which part of the page's view a picture shows: left, top, width and height in CSS pixels. The top is negative where a
/// picture of the whole page begins above the view. How many image pixels a CSS pixel has follows from the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PictureFrame {
    /// Left, top, width and height.
    pub area: [f64; 4],
}

impl PictureFrame {
    /// A picture of that part of the view.
    #[must_use]
    pub fn of(area: [f64; 4]) -> Self {
        Self { area }
    }

    fn scale(self, image_width: u32) -> f64 {
        let scale = f64::from(image_width) / self.area[2];
        if scale.is_finite() { scale.clamp(0.05, 16.0) } else { 1.0 }
    }
}

/// What is done to a picture after it was taken.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Retouch {
    /// Drawn on it.
    pub marks: Vec<Mark>,
    /// Places of the page's view that are painted over: left, top, width and height in CSS pixels.
    pub masked: Vec<[f64; 4]>,
    /// The longer side is scaled down to so many image pixels; 0 = as it is.
    pub max_side: u32,
}

/// A picture that cannot be marked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// Neither PNG nor JPEG nor WebP, or damaged, or too large.
    #[error("the picture cannot be read: {0}")]
    Unreadable(String),
    /// The marked picture could not be written.
    #[error("the picture cannot be written: {0}")]
    Unwritable(String),
}

impl PictureError {
    /// The error's code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            PictureError::Unreadable(_) => "picture_unreadable",
            PictureError::Unwritable(_) => "picture_unwritable",
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        Some("take the screenshot without marks".to_owned())
    }
}

impl Snapshot {
    /// Where the controls in view stand, frames taken into account. Covered controls are left out: they are not seen.
    #[must_use]
    pub fn marks(&self) -> Vec<Mark> {
        let (width, height) = self.page.viewport;
        let view = if width > 0.0 && height > 0.0 { [0.0, 0.0, width, height] } else { EVERYWHERE };
        let offsets = offsets(self, view);
        self.nodes
            .iter()
            .filter(|node| node.in_view)
            .filter_map(|node| {
                let control = node.control.as_deref().filter(|control| control.state.covered.is_none())?;
                let rect = shown(offsets.get(node.frame as usize)?, control.rect)?;
                Some(Mark::new(control.r#ref, rect))
            })
            .collect()
    }

    /// Where fields stand that hold what must not be shown (passwords, card numbers), in CSS pixels of the page's view;
    /// those out of view, too.
    #[must_use]
    pub fn secret_places(&self) -> Vec<[f64; 4]> {
        let secret = |node: &&Node| node.control.as_deref().is_some_and(|control| control.state.secret == Some(true));
        let holding: Vec<&Node> = self.nodes.iter().filter(secret).collect();
        if holding.is_empty() {
            return Vec::new();
        }
        let offsets = offsets(self, EVERYWHERE);
        holding
            .into_iter()
            .filter_map(|node| shown(offsets.get(node.frame as usize)?, node.control.as_deref()?.rect))
            .collect()
    }

    /// Where a box of a frame's view stands in the page's view; `None` where nothing of it is shown. The frame is named by its
    /// index in [`Snapshot::frames`].
    #[must_use]
    pub fn place_in_page(&self, frame: u32, rect: [f64; 4]) -> Option<[f64; 4]> {
        shown(offsets(self, EVERYWHERE).get(frame as usize)?, rect)
    }

    /// Where a control stands in the page's view, frames taken into account: left, top, width and height in CSS pixels.
    #[must_use]
    pub fn place_of(&self, number: u32) -> Option<[f64; 4]> {
        let (node, control) = self.control(number)?;
        shown(offsets(self, EVERYWHERE).get(node.frame as usize)?, control.rect)
    }
}

/// No clip.
const EVERYWHERE: [f64; 4] = [f64::MIN, f64::MIN, f64::MAX, f64::MAX];

/// What of a place in a frame's view is seen, in the page's view.
fn shown(offset: &Option<Area>, rect: [f64; 4]) -> Option<[f64; 4]> {
    let area = (*offset)?;
    let [left, top, width, height] = rect;
    let moved = [left + area.left, top + area.top, left + area.left + width, top + area.top + height];
    let [left, top, right, bottom] = [
        moved[0].max(area.clip[0]),
        moved[1].max(area.clip[1]),
        moved[2].min(area.clip[2]),
        moved[3].min(area.clip[3]),
    ];
    (right - left >= 1.0 && bottom - top >= 1.0).then_some([left, top, right - left, bottom - top])
}

/// Where a frame's view lies in the page's view, and what of it can be seen (left, top, right, bottom).
#[derive(Clone, Copy, Debug)]
struct Area {
    left: f64,
    top: f64,
    clip: [f64; 4],
}

/// The area of each frame; none where a frame's place is not known.
fn offsets(snapshot: &Snapshot, clip: [f64; 4]) -> Vec<Option<Area>> {
    let mut areas = vec![None; snapshot.frames.len().max(1)];
    areas[0] = Some(Area { left: 0.0, top: 0.0, clip });
    // A frame's element stands before its content, so one pass in document order finds outer frames first.
    for node in &snapshot.nodes {
        let Some(control) = node.control.as_deref() else { continue };
        let Some(inner) = snapshot.frames.iter().skip(1).position(|frame| frame.r#ref == Some(control.r#ref)) else {
            continue;
        };
        let Some(outer) = areas.get(node.frame as usize).copied().flatten() else { continue };
        let (left, top) = (outer.left + control.rect[0], outer.top + control.rect[1]);
        let clip = [
            outer.clip[0].max(left),
            outer.clip[1].max(top),
            outer.clip[2].min(left + control.rect[2]),
            outer.clip[3].min(top + control.rect[3]),
        ];
        areas[inner + 1] = Some(Area { left, top, clip });
    }
    areas
}

/// Scales a PNG, JPEG or WebP picture, paints over what must not be seen, draws the marks, and gives it in the same format
/// (WebP without loss).
///
/// ```
/// use webhand_page::{PictureFrame, Retouch, retouch};
/// let frame = PictureFrame::of([0.0, 0.0, 800.0, 600.0]);
/// assert_eq!(retouch(b"no picture", &Retouch::default(), frame).unwrap_err().code(), "picture_unreadable");
/// ```
///
/// # Errors
/// [`PictureError`] where the picture cannot be read or written.
pub fn retouch(picture: &[u8], work: &Retouch, frame: PictureFrame) -> Result<Vec<u8>, PictureError> {
    let unreadable = |error: &dyn std::fmt::Display| PictureError::Unreadable(error.to_string());
    let mut reader =
        ImageReader::new(Cursor::new(picture)).with_guessed_format().map_err(|error| unreadable(&error))?;
    let format = reader.format().unwrap_or(ImageFormat::Png);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MEMORY);
    reader.limits(limits);
    let mut image = reader.decode().map_err(|error| unreadable(&error))?;
    if work.max_side > 0 && image.width().max(image.height()) > work.max_side {
        image = image.resize(work.max_side, work.max_side, FilterType::Triangle);
    }
    let mut image = image.into_rgb8();
    let scale = frame.scale(image.width());
    let origin = (frame.area[0], frame.area[1]);
    draw::masks(&mut image, &work.masked, scale, origin);
    draw::marks(&mut image, &work.marks[..work.marks.len().min(MOST)], scale, origin);
    let mut out = Cursor::new(Vec::with_capacity(picture.len() + picture.len() / 4));
    let written = DynamicImage::ImageRgb8(image).write_to(&mut out, format);
    written.map_err(|error| PictureError::Unwritable(error.to_string()))?;
    Ok(out.into_inner())
}
