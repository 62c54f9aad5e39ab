//! A screenshot as a file: where the person said, or under the first free name.

use std::{
    fs::File,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use webhand::prelude::{Action, Outcome};

use crate::trouble::Trouble;

/// How a picture is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Png,
    Jpeg,
}

impl Form {
    /// The form that a file's ending asks for; PNG where no file is named, and for standard output.
    pub(crate) fn of(out: Option<&Path>) -> Result<Self, Trouble> {
        let Some(path) = out.filter(|path| *path != Path::new("-")) else { return Ok(Form::Png) };
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
        match ending.as_str() {
            "png" => Ok(Form::Png),
            "jpg" | "jpeg" => Ok(Form::Jpeg),
            _ => Err(Trouble::usage(format!("--out {}: pictures are written as PNG or JPEG", path.display()))
                .hint("end the name with .png, .jpg or .jpeg")),
        }
    }

    /// The picture, which comes as PNG, in this form.
    pub(crate) fn encode(self, png: Vec<u8>) -> Result<Vec<u8>, Trouble> {
        if self == Form::Png {
            return Ok(png);
        }
        let failed = |error: image::ImageError| {
            Trouble::new("internal", format!("the picture cannot be written as JPEG: {error}"))
                .hint("write it as PNG: --out NAME.png")
        };
        // JPEG knows no transparency.
        let picture = image::load_from_memory_with_format(&png, image::ImageFormat::Png).map_err(failed)?.to_rgb8();
        let mut bytes = Vec::new();
        let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut bytes, QUALITY);
        picture.write_with_encoder(encoder).map_err(failed)?;
        Ok(bytes)
    }
}

/// Of 100; text stays sharp.
const QUALITY: u8 = 90;

/// How many names are tried.
const NAMES: usize = 10_000;

/// The bytes of the picture that an outcome holds.
pub(crate) fn of(outcome: &Outcome) -> Option<Vec<u8>> {
    if !matches!(outcome.action, Action::Screenshot(_)) {
        return None;
    }
    STANDARD.decode(outcome.data.as_ref()?.get("base64")?.as_str()?).ok()
}

/// Writes it; without a name, beside what is there in that folder.
pub(crate) fn write(bytes: &[u8], to: Option<&Path>, folder: &Path) -> Result<PathBuf, Trouble> {
    let failed = |path: &Path, error: &io::Error| {
        Trouble::new("file", format!("{} cannot be written: {error}", path.display())).hint("name another with --out")
    };
    if let Some(path) = to {
        std::fs::write(path, bytes).map_err(|error| failed(path, &error))?;
        return Ok(path.to_owned());
    }
    for number in 1..=NAMES {
        let path = folder.join(format!("screenshot-{number}.png"));
        match File::create_new(&path).and_then(|mut file| file.write_all(bytes)) {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(failed(&path, &error)),
        }
    }
    Err(Trouble::new("file", "there are too many screenshots here").hint("name one with --out"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use webhand::prelude::Screenshot;

    use super::*;

    #[test]
    fn nothing_is_overwritten_unless_it_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let first = write(b"a", None, folder.path()).unwrap();
        let second = write(b"b", None, folder.path()).unwrap();
        assert_ne!(first, second);
        write(b"c", Some(&first), folder.path()).unwrap();
        assert_eq!(std::fs::read(&first).unwrap(), b"c");
        let nowhere = write(b"d", Some(Path::new("/nowhere/x.png")), folder.path()).unwrap_err();
        assert_eq!(nowhere.exit() as u8, 2);
    }

    #[test]
    fn the_ending_says_the_form() {
        let mut png = Vec::new();
        let dot = image::RgbaImage::from_pixel(2, 2, image::Rgba([10, 200, 30, 255]));
        dot.write_with_encoder(image::codecs::png::PngEncoder::new(&mut png)).unwrap();
        for (name, start) in [("a.png", &b"\x89PNG"[..]), ("a.jpg", b"\xFF\xD8\xFF"), ("b.JPEG", b"\xFF\xD8\xFF")] {
            let bytes = Form::of(Some(Path::new(name))).unwrap().encode(png.clone()).unwrap();
            assert!(bytes.starts_with(start), "{name}");
        }
        for name in ["a.gif", "a", "jpg", "a.webp"] {
            assert_eq!(Form::of(Some(Path::new(name))).unwrap_err().exit() as u8, 2, "{name}");
        }
        assert_eq!((Form::of(None), Form::of(Some(Path::new("-")))), (Ok(Form::Png), Ok(Form::Png)));
        assert!(Form::Jpeg.encode(b"no picture".to_vec()).is_err());
    }

    #[test]
    fn only_a_screenshot_holds_a_picture() {
        let mut outcome = Outcome::done(Screenshot::view().into(), "took it");
        assert_eq!(of(&outcome), None);
        outcome.data = Some(json!({"media_type": "image/png", "base64": "aGk="}));
        assert_eq!(of(&outcome), Some(b"hi".to_vec()));
    }
}
