//! Pictures of a page.

use std::time::Duration;

use base64::Engine;
use webhand_cdp::protocol::page;

use super::Tab;
use crate::error::BrowserError;

/// How long a picture may take.
const CAPTURED_WITHIN: Duration = Duration::from_secs(15);
/// Chromium cannot paint more than this in one piece.
const MAX_SIDE: f64 = 16_384.0;

/// How a picture is encoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImageFormat {
    /// Without loss.
    #[default]
    Png,
    /// Small and fast.
    Jpeg,
    /// Smallest.
    Webp,
}

/// A part of the page in CSS pixels, from the top left of the document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clip {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
    /// How wide.
    pub width: f64,
    /// How high.
    pub height: f64,
}

/// What a picture shows and how.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CaptureOptions {
    /// Only this part.
    pub clip: Option<Clip>,
    /// The whole document instead of what is in view.
    pub full_page: bool,
    /// How it is encoded.
    pub format: ImageFormat,
    /// 0 to 100, for JPEG and WebP.
    pub quality: Option<u8>,
    /// Pixels of the picture for each CSS pixel; 1 by default.
    pub scale: Option<f64>,
}

impl Tab {
    /// Takes a picture.
    ///
    /// # Errors
    /// Whatever holds the page up, as in [`Tab::race`].
    pub async fn capture(&self, options: &CaptureOptions) -> Result<Vec<u8>, BrowserError> {
        let scale = options.scale.filter(|scale| scale.is_finite()).map_or(1.0, |scale| scale.clamp(0.05, 4.0));
        let clip = match options.clip {
            Some(clip) => Some(clip),
            None if options.full_page || scale != 1.0 => Some(self.area(options.full_page).await?),
            None => None,
        };
        let beyond = options.full_page || options.clip.is_some();
        let command = page::CaptureScreenshot {
            format: Some(match options.format {
                ImageFormat::Png => page::CaptureScreenshotFormat::Png,
                ImageFormat::Jpeg => page::CaptureScreenshotFormat::Jpeg,
                ImageFormat::Webp => page::CaptureScreenshotFormat::Webp,
            }),
            quality: options
                .quality
                .filter(|_| options.format != ImageFormat::Png)
                .map(|quality| i64::from(quality.min(100))),
            clip: clip.map(|clip| page::Viewport {
                x: clip.x.max(0.0),
                y: clip.y.max(0.0),
                width: (clip.width + clip.x.min(0.0)).clamp(1.0, MAX_SIDE),
                height: (clip.height + clip.y.min(0.0)).clamp(1.0, MAX_SIDE),
                scale,
            }),
            capture_beyond_viewport: beyond.then_some(true),
            optimize_for_speed: Some(true),
            ..page::CaptureScreenshot::default()
        };
        let reply = self.race(self.session().send(&command), CAPTURED_WITHIN).await?;
        base64::engine::general_purpose::STANDARD.decode(reply.data).map_err(|error| {
            BrowserError::Cdp(webhand_cdp::CdpError::Decode {
                method: "Page.captureScreenshot".to_owned(),
                detail: error.to_string(),
            })
        })
    }

    /// The whole document, or what is in view.
    async fn area(&self, full_page: bool) -> Result<Clip, BrowserError> {
        let metrics = page::GetLayoutMetrics {};
        let metrics = self.race(self.session().send(&metrics), CAPTURED_WITHIN).await?;
        let view = metrics.css_visual_viewport;
        Ok(if full_page {
            Clip { x: 0.0, y: 0.0, width: metrics.css_content_size.width, height: metrics.css_content_size.height }
        } else {
            Clip { x: view.page_x, y: view.page_y, width: view.client_width, height: view.client_height }
        })
    }
}
