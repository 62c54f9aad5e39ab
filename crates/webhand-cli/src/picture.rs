//! A screenshot as a file: where the person said, or under the first free name.

use std::{
    fs::File,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::Value;
use webhand::prelude::{Action, Outcome};

use crate::trouble::Trouble;

/// How many names are tried.
const NAMES: usize = 10_000;

/// The bytes of the picture that an outcome holds, and the ending for a file.
pub(crate) fn of(outcome: &Outcome) -> Option<(Vec<u8>, &'static str)> {
    if !matches!(outcome.action, Action::Screenshot(_)) {
        return None;
    }
    let data = outcome.data.as_ref()?;
    let bytes = STANDARD.decode(data.get("base64")?.as_str()?).ok()?;
    let ending = if data.get("media_type").and_then(Value::as_str) == Some("image/jpeg") { "jpg" } else { "png" };
    Some((bytes, ending))
}

/// Writes it; without a name, beside what is there in that folder.
pub(crate) fn write(bytes: &[u8], to: Option<&Path>, folder: &Path, ending: &str) -> Result<PathBuf, Trouble> {
    let failed = |path: &Path, error: &io::Error| {
        Trouble::new("file", format!("{} cannot be written: {error}", path.display())).hint("name another with --out")
    };
    if let Some(path) = to {
        std::fs::write(path, bytes).map_err(|error| failed(path, &error))?;
        return Ok(path.to_owned());
    }
    for number in 1..=NAMES {
        let path = folder.join(format!("screenshot-{number}.{ending}"));
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
        let first = write(b"a", None, folder.path(), "png").unwrap();
        let second = write(b"b", None, folder.path(), "png").unwrap();
        assert_ne!(first, second);
        write(b"c", Some(&first), folder.path(), "png").unwrap();
        assert_eq!(std::fs::read(&first).unwrap(), b"c");
        let nowhere = write(b"d", Some(Path::new("/nowhere/x.png")), folder.path(), "png").unwrap_err();
        assert_eq!(nowhere.exit() as u8, 2);
    }

    #[test]
    fn only_a_screenshot_holds_a_picture() {
        let mut outcome = Outcome::done(Screenshot::view().into(), "took it");
        assert_eq!(of(&outcome), None);
        outcome.data = Some(json!({"media_type": "image/png", "base64": "aGk="}));
        assert_eq!(of(&outcome), Some((b"hi".to_vec(), "png")));
    }
}
