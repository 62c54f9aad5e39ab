//! The run's folder: the one place of a session for files that come to it, and nothing outside.
//!
//! Names go through a handle to the folder, so that no name and no link leads out of it.

use std::{
    fs, io,
    io::{Read as _, Write as _},
    path::{Component, Path, PathBuf},
};

use cap_std::{
    ambient_authority,
    fs::{Dir, OpenOptions},
};
use sha2::{Digest as _, Sha256};

use super::name::{numbered, safe_name};

/// The most of a file that is read as text, in bytes.
const READ_MAX: u64 = 256 * 1024;
/// The most files that are listed.
const LIST_MAX: usize = 1000;
/// How many files of one name there may be.
const CLASHES_MAX: u32 = 10_000;
/// How deep a name may lead into folders.
const DEPTH_MAX: usize = 8;

/// An open folder.
#[derive(Debug)]
pub(crate) struct RunFolder {
    path: PathBuf,
    dir: Dir,
}

/// A file that was put there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) path: PathBuf,
    pub(crate) name: String,
    pub(crate) bytes: u64,
    /// SHA-256 in hexadecimal digits.
    pub(crate) sha256: String,
}

/// Why something could not be done with a file of the folder.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FolderError {
    #[error("{0:?} does not stay inside the run's folder")]
    Outside(String),
    #[error("there is no file {0:?} in the run's folder")]
    Missing(String),
    #[error("{0:?} is no text, or too long to be read")]
    NoText(String),
    #[error("{name:?}: {source}")]
    Io { name: String, source: io::Error },
}

impl RunFolder {
    /// Opens the folder; it is made where it is not there.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        fs::create_dir_all(path)?;
        let path = path.canonicalize()?;
        let dir = Dir::open_ambient_dir(&path, ambient_authority())?;
        Ok(Self { path, dir })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Moves a file in, under a name like the one proposed.
    pub(crate) fn take_in(&self, file: &Path, proposed: &str) -> io::Result<Kept> {
        let (bytes, sha256) = digest(&mut fs::File::open(file)?)?;
        let (name, mut place) = self.reserve(&safe_name(proposed))?;
        let path = self.path.join(&name);
        // the file of that name is ours: nobody else's is written over
        if fs::rename(file, &path).is_err() {
            io::copy(&mut fs::File::open(file)?, &mut place)?;
            let _ = fs::remove_file(file);
        }
        Ok(Kept { path, name, bytes, sha256 })
    }

    /// Puts a new file there, under a name like the one proposed.
    pub(crate) fn put(&self, proposed: &str, content: &[u8]) -> io::Result<Kept> {
        let (name, mut file) = self.reserve(&safe_name(proposed))?;
        file.write_all(content)?;
        let (bytes, sha256) = digest(&mut &*content)?;
        Ok(Kept { path: self.path.join(&name), name, bytes, sha256 })
    }

    /// An empty file of that name, or the next free one like it.
    fn reserve(&self, name: &str) -> io::Result<(String, cap_std::fs::File)> {
        for number in 1..=CLASHES_MAX {
            let name = numbered(name, number);
            match self.dir.open_with(&name, OpenOptions::new().write(true).create_new(true)) {
                Ok(file) => return Ok((name, file)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::new(io::ErrorKind::AlreadyExists, "too many files of that name"))
    }

    /// The text of a file.
    pub(crate) fn read(&self, name: &str) -> Result<String, FolderError> {
        let file = self.dir.open(inside(name)?).map_err(|source| failed(name, source))?;
        let metadata = file.metadata().map_err(|source| failed(name, source))?;
        if !metadata.is_file() {
            return Err(FolderError::Missing(name.to_owned()));
        }
        let mut bytes = Vec::new();
        file.take(READ_MAX + 1).read_to_end(&mut bytes).map_err(|source| failed(name, source))?;
        if bytes.len() as u64 > READ_MAX {
            return Err(FolderError::NoText(name.to_owned()));
        }
        String::from_utf8(bytes).map_err(|_| FolderError::NoText(name.to_owned()))
    }

    /// Writes a text: over what the file held, or after it. How many bytes it has then.
    pub(crate) fn write(&self, name: &str, text: &str, after: bool) -> Result<u64, FolderError> {
        let place = inside(name)?;
        if let Some(parent) = place.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            self.dir.create_dir_all(parent).map_err(|source| failed(name, source))?;
        }
        let mut options = OpenOptions::new();
        options.create(true).write(!after).truncate(!after).append(after);
        let mut file = self.dir.open_with(place, &options).map_err(|source| failed(name, source))?;
        file.write_all(text.as_bytes()).map_err(|source| failed(name, source))?;
        Ok(file.metadata().map_err(|source| failed(name, source))?.len())
    }

    /// The files there with their sizes, by name.
    pub(crate) fn list(&self) -> io::Result<Vec<(String, u64)>> {
        let mut found = Vec::new();
        let mut folders = vec![(self.dir.try_clone()?, String::new(), 0)];
        while let Some((folder, before, depth)) = folders.pop() {
            for entry in folder.entries()? {
                let entry = entry?;
                let (kind, name) = (entry.file_type()?, entry.file_name().to_string_lossy().into_owned());
                let name = format!("{before}{name}");
                if kind.is_dir() && depth < DEPTH_MAX {
                    folders.push((entry.open_dir()?, format!("{name}/"), depth + 1));
                } else if kind.is_file() && found.len() < LIST_MAX {
                    found.push((name, entry.metadata()?.len()));
                }
            }
        }
        found.sort();
        Ok(found)
    }
}

/// A name as a path inside the folder.
fn inside(name: &str) -> Result<PathBuf, FolderError> {
    let path = Path::new(name);
    let plain = path.components().all(|part| matches!(part, Component::Normal(_)));
    if !plain || path.components().count() == 0 || path.components().count() > DEPTH_MAX || name.contains('\\') {
        return Err(FolderError::Outside(name.to_owned()));
    }
    Ok(path.to_owned())
}

fn failed(name: &str, source: io::Error) -> FolderError {
    match source.kind() {
        io::ErrorKind::NotFound => FolderError::Missing(name.to_owned()),
        // a link that leads out
        io::ErrorKind::PermissionDenied => FolderError::Outside(name.to_owned()),
        _ => FolderError::Io { name: name.to_owned(), source },
    }
}

/// How many bytes there are, and their SHA-256.
fn digest(content: &mut impl io::Read) -> io::Result<(u64, String)> {
    use std::fmt::Write as _;
    let mut hasher = Sha256::new();
    let bytes = io::copy(content, &mut hasher)?;
    let sum = hasher.finalize().iter().fold(String::with_capacity(64), |mut out, byte| {
        // writing to a String cannot fail
        let _ = write!(out, "{byte:02x}");
        out
    });
    Ok((bytes, sum))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, RunFolder) {
        let outer = tempfile::tempdir().unwrap();
        fs::write(outer.path().join("secret.txt"), "secret").unwrap();
        let run = RunFolder::open(&outer.path().join("run")).unwrap();
        (outer, run)
    }

    #[test]
    fn what_comes_keeps_its_content_and_gets_a_name_of_its_own() {
        let (outer, run) = folder();
        let arrived = outer.path().join("arrived");
        for (number, name) in [(1, "x"), (2, "x-2")] {
            fs::write(&arrived, "abc").unwrap();
            let kept = run.take_in(&arrived, "../../x").unwrap();
            assert_eq!((kept.name.as_str(), kept.bytes), (name, 3), "{number}");
            assert_eq!(kept.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
            assert_eq!(fs::read_to_string(&kept.path).unwrap(), "abc");
            assert!(kept.path.starts_with(run.path()) && !arrived.exists());
        }
        assert_eq!(run.put("x", b"d").unwrap().name, "x-3");
        assert_eq!(run.list().unwrap().len(), 3);
    }

    #[test]
    fn texts_are_written_added_to_and_read() {
        let (_outer, run) = folder();
        assert_eq!(run.write("notes/a.txt", "one", false).unwrap(), 3);
        assert_eq!(run.write("notes/a.txt", "two", true).unwrap(), 6);
        assert_eq!(run.read("notes/a.txt").unwrap(), "onetwo");
        assert_eq!(run.write("notes/a.txt", "3", false).unwrap(), 1);
        assert_eq!(run.list().unwrap(), [("notes/a.txt".to_owned(), 1)]);
        assert!(matches!(run.read("none"), Err(FolderError::Missing(_))));
        assert!(matches!(run.read("notes"), Err(FolderError::Missing(_) | FolderError::Io { .. })));
        fs::write(run.path().join("raw"), [0xff, 0xfe]).unwrap();
        assert!(matches!(run.read("raw"), Err(FolderError::NoText(_))));
    }

    #[test]
    fn no_name_leads_out() {
        let (outer, run) = folder();
        let absolute = outer.path().join("secret.txt");
        for name in ["../secret.txt", "a/../../secret.txt", absolute.to_str().unwrap(), "", ".", "..\\x"] {
            assert!(matches!(run.read(name), Err(FolderError::Outside(_))), "{name}");
            assert!(matches!(run.write(name, "x", false), Err(FolderError::Outside(_))), "{name}");
        }
        assert_eq!(fs::read_to_string(absolute).unwrap(), "secret");
    }

    #[cfg(unix)]
    #[test]
    fn no_link_leads_out() {
        let (outer, run) = folder();
        std::os::unix::fs::symlink(outer.path().join("secret.txt"), run.path().join("link")).unwrap();
        std::os::unix::fs::symlink(outer.path(), run.path().join("up")).unwrap();
        for name in ["link", "up/secret.txt"] {
            assert!(run.read(name).is_err(), "{name}");
            assert!(run.write(name, "x", false).is_err() && run.write(name, "x", true).is_err(), "{name}");
        }
        assert_eq!(fs::read_to_string(outer.path().join("secret.txt")).unwrap(), "secret");
        assert!(!outer.path().join("run/up/new").exists() && run.write("up/new", "x", false).is_err());
        assert_eq!(run.list().unwrap(), [], "links are not followed");
    }
}
