//! Pictures of a session's page: what the browser painted, with secrets painted over and, where wanted, refs drawn on.

use webhand_browser::{CaptureOptions, Clip, ImageFormat};
use webhand_page::{Call, Mark, PageError, PictureFrame, Retouch, Sight, Snapshot, retouch};

use crate::{
    act::main_world,
    error::{ActionError, ErrorCode},
    session::{Session, browser_trouble, page_trouble},
};

/// How often a picture is taken anew when the page scrolled meanwhile.
const TRIES: u32 = 3;

/// What a picture shows, and how.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PictureOptions {
    /// Which part.
    pub part: Part,
    /// Whether the refs are drawn on it.
    pub marks: bool,
    /// How it is encoded.
    pub format: ImageFormat,
    /// 0 to 100, for JPEG and WebP where nothing is drawn on them.
    pub quality: Option<u8>,
    /// The longer side is scaled down to so many image pixels; 0 = as it is.
    pub max_side: u32,
}

/// Which part of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Part {
    /// What is in view.
    #[default]
    View,
    /// The whole document.
    FullPage,
    /// Left, top, width and height in CSS pixels of the view.
    Region([f64; 4]),
}

impl Default for PictureOptions {
    fn default() -> Self {
        Self { part: Part::View, marks: false, format: ImageFormat::Png, quality: None, max_side: 0 }
    }
}

impl PictureOptions {
    /// The picture that a snapshot calls for; `None` where the text is enough.
    #[must_use]
    pub fn for_sight(sight: Sight) -> Option<Self> {
        let part = match sight {
            Sight::View => Part::View,
            Sight::Region(region) => Part::Region(region),
            _ => return None,
        };
        Some(Self { part, marks: true, ..Self::default() })
    }
}

/// A picture.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Picture {
    /// The encoded image.
    pub bytes: Vec<u8>,
    /// Its media type, such as `image/png`.
    pub media_type: &'static str,
    /// What it shows: left, top, width and height in CSS pixels of the page's view.
    pub area: [f64; 4],
}

/// How the page lies, as it says itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Deserialize)]
struct Extents {
    scrolled: (f64, f64),
    view: [f64; 4],
    size: (f64, f64),
}

impl Session {
    /// Takes a picture of the current tab. Fields that hold passwords or card numbers are painted over.
    ///
    /// # Errors
    /// [`ActionError`] where the page cannot be painted or read: a dialog is open, the tab is gone.
    pub async fn picture(&mut self, options: &PictureOptions) -> Result<Picture, ActionError> {
        let seen = self.glanced().await?;
        let mut masked = seen.secret_places();
        masked.extend(self.echoes(&seen).await);
        let mut tried = 0;
        loop {
            tried += 1;
            let before = self.extents().await?;
            let (clip, area) = place(options.part, &before);
            let capture = CaptureOptions {
                clip,
                full_page: options.part == Part::FullPage,
                format: options.format,
                quality: options.quality,
                ..CaptureOptions::default()
            };
            let bytes = self.tab.capture(&capture).await.map_err(|error| browser_trouble(&error))?;
            let after = self.glanced().await?;
            if self.extents().await?.scrolled != before.scrolled && tried < TRIES {
                continue;
            }
            // what was typed while the picture was taken may be on it
            masked.extend(after.secret_places());
            masked.extend(self.echoes(&after).await);
            let marks = if options.marks { after.marks() } else { Vec::new() };
            return finish(bytes, options, marks, masked, area);
        }
    }

    /// A glance, for an action.
    pub(crate) async fn glanced(&mut self) -> Result<Snapshot, ActionError> {
        self.glance().await.map_err(|error| page_trouble(&error))
    }

    async fn extents(&self) -> Result<Extents, ActionError> {
        let within = self.settings.action_deadline;
        let extents: Result<Extents, PageError> = main_world(self)?.call(&Call::new("extents"), within).await;
        extents.map_err(|error| page_trouble(&error))
    }
}

/// What the browser is asked for, and which part of the view that shows.
fn place(part: Part, page: &Extents) -> (Option<Clip>, [f64; 4]) {
    let (right, down) = page.scrolled;
    match part {
        Part::View => (None, page.view),
        Part::FullPage => (None, [-right, -down, page.size.0, page.size.1]),
        Part::Region([left, top, width, height]) => {
            (Some(Clip { x: left + right, y: top + down, width, height }), [left, top, width, height])
        }
    }
}

fn finish(
    bytes: Vec<u8>,
    options: &PictureOptions,
    marks: Vec<Mark>,
    masked: Vec<[f64; 4]>,
    area: [f64; 4],
) -> Result<Picture, ActionError> {
    let media_type = match options.format {
        ImageFormat::Png => "image/png",
        ImageFormat::Jpeg => "image/jpeg",
        ImageFormat::Webp => "image/webp",
    };
    if marks.is_empty() && masked.is_empty() && options.max_side == 0 {
        return Ok(Picture { bytes, media_type, area });
    }
    let mut work = Retouch::default();
    (work.marks, work.masked, work.max_side) = (marks, masked, options.max_side);
    // a picture that cannot be masked is not shown
    let bytes = retouch(&bytes, &work, PictureFrame::of(area))
        .map_err(|error| ActionError::new(ErrorCode::Internal, format!("the picture cannot be finished: {error}")))?;
    Ok(Picture { bytes, media_type, area })
}
