//! Marks on a picture: each control in view boxed and lettered with its ref, drawn on the image and never in the page.
//!
//! Pure functions of a [`Snapshot`] and an encoded image; how the picture is taken is not known here.

mod draw;
mod font;
mod place;

#[cfg(test)]
mod tests;

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, ImageReader, Limits};

use crate::{refs::Ref, snapshot::Snapshot};

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

/// How a picture lies over the page's view.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PictureFrame {
    /// Image pixels for one CSS pixel (the device pixel ratio, times how much the picture was scaled).
    pub scale: f64,
    /// The place of the picture's left top corner in the page's view, in CSS pixels: negative where a picture of the
    /// whole page begins above the view.
    pub origin: (f64, f64),
}

impl Default for PictureFrame {
    fn default() -> Self {
        Self { scale: 1.0, origin: (0.0, 0.0) }
    }
}

impl PictureFrame {
    /// A picture of the view at this many image pixels for one CSS pixel.
    #[must_use]
    pub fn scaled(scale: f64) -> Self {
        Self { scale, ..Self::default() }
    }
}

/// A picture that cannot be marked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// Neither PNG nor JPEG, or damaged, or too large.
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
        let offsets = offsets(self);
        let seen = |offset: &Option<Area>, rect: [f64; 4]| {
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
        };
        self.nodes
            .iter()
            .filter(|node| node.in_view)
            .filter_map(|node| {
                let control = node.control.as_deref().filter(|control| control.state.covered.is_none())?;
                let rect = seen(offsets.get(node.frame as usize)?, control.rect)?;
                Some(Mark::new(control.r#ref, rect))
            })
            .collect()
    }
}

/// Where a frame's view lies in the page's view, and what of it can be seen (left, top, right, bottom).
#[derive(Clone, Copy, Debug)]
struct Area {
    left: f64,
    top: f64,
    clip: [f64; 4],
}

/// The area of each frame; none where a frame's place is not known.
fn offsets(snapshot: &Snapshot) -> Vec<Option<Area>> {
    let (width, height) = snapshot.page.viewport;
    let clip = if width > 0.0 && height > 0.0 { [0.0, 0.0, width, height] } else { [0.0, 0.0, f64::MAX, f64::MAX] };
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

/// Draws the marks on a PNG or JPEG picture, and gives it in the same format.
///
/// ```
/// use webhand_page::{PictureFrame, mark_picture};
/// assert_eq!(mark_picture(b"no picture", &[], PictureFrame::default()).unwrap_err().code(), "picture_unreadable");
/// ```
///
/// # Errors
/// [`PictureError`] where the picture cannot be read or written.
pub fn mark_picture(picture: &[u8], marks: &[Mark], frame: PictureFrame) -> Result<Vec<u8>, PictureError> {
    let unreadable = |error: &dyn std::fmt::Display| PictureError::Unreadable(error.to_string());
    let mut reader =
        ImageReader::new(Cursor::new(picture)).with_guessed_format().map_err(|error| unreadable(&error))?;
    let format = reader.format().unwrap_or(ImageFormat::Png);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MEMORY);
    reader.limits(limits);
    let mut image = reader.decode().map_err(|error| unreadable(&error))?.into_rgb8();
    draw::marks(&mut image, &marks[..marks.len().min(MOST)], frame);
    let mut out = Cursor::new(Vec::with_capacity(picture.len() + picture.len() / 4));
    let written = DynamicImage::ImageRgb8(image).write_to(&mut out, format);
    written.map_err(|error| PictureError::Unwritable(error.to_string()))?;
    Ok(out.into_inner())
}
