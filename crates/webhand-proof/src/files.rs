//! Files of a case: those that the page may be given, those that it must not, and what the engine kept.
//!
//! All of them lie in one temporary folder that goes with the case.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

/// The folder from which files may be uploaded, the one that is the run's, and one that is neither.
const UPLOADS: &str = "uploads";
const RUN: &str = "run";
const OUTSIDE: &str = "outside";

/// A file that there is before the case begins.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FileFixture {
    /// Its name; a path below its folder.
    pub name: String,
    /// What it holds.
    pub text: String,
    /// The same in base64, for what is no text.
    pub base64: Option<String>,
    /// It lies where nothing may be uploaded from.
    pub outside: bool,
    /// It is a link to the file of that name, wherever that lies.
    pub link_to: Option<String>,
}

/// A file that the engine must have kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SavedExpected {
    /// Its name in the run's folder; any when absent.
    pub name: Option<String>,
    /// What it holds.
    pub text: Option<String>,
    /// How many bytes it has.
    pub bytes: Option<usize>,
    /// Its SHA-256.
    pub sha256: Option<String>,
    /// What it begins with.
    pub begins: Option<String>,
}

/// What there is after a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// The files of the run's folder, by name.
    pub files: BTreeMap<String, Vec<u8>>,
    /// What lies beside the folders, where nothing may be.
    pub stray: Vec<String>,
}

/// The folders of one case.
#[derive(Debug)]
pub struct Folders {
    root: TempDir,
    fixtures: Vec<FileFixture>,
    forbidden: bool,
}

impl Folders {
    /// Makes the folders and the files. Where uploads are forbidden, no folder is allowed.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn make(fixtures: &[FileFixture], forbidden: bool) -> io::Result<Self> {
        let root = tempfile::Builder::new().prefix("webhand-case-").tempdir()?;
        for folder in [UPLOADS, RUN, OUTSIDE] {
            fs::create_dir(root.path().join(folder))?;
        }
        let folders = Self { root, fixtures: fixtures.to_vec(), forbidden };
        for fixture in fixtures {
            folders.write(fixture)?;
        }
        Ok(folders)
    }

    fn write(&self, fixture: &FileFixture) -> io::Result<()> {
        let path = self.place(fixture);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        if let Some(target) = &fixture.link_to {
            let target = self.path_of(target).ok_or_else(|| io::Error::other(format!("no file {target:?}")))?;
            #[cfg(unix)]
            return std::os::unix::fs::symlink(target, path);
            #[cfg(not(unix))]
            return fs::copy(target, path).map(|_| ());
        }
        let content = match &fixture.base64 {
            Some(text) => STANDARD.decode(text).map_err(io::Error::other)?,
            None => fixture.text.clone().into_bytes(),
        };
        fs::write(path, content)
    }

    fn place(&self, fixture: &FileFixture) -> PathBuf {
        self.root.path().join(if fixture.outside { OUTSIDE } else { UPLOADS }).join(&fixture.name)
    }

    /// Where the file of that name lies.
    #[must_use]
    pub fn path_of(&self, name: &str) -> Option<PathBuf> {
        self.fixtures.iter().find(|fixture| fixture.name == name).map(|fixture| self.place(fixture))
    }

    /// The folder from which files may be uploaded; none where that is forbidden.
    #[must_use]
    pub fn uploads(&self) -> Option<PathBuf> {
        (!self.forbidden).then(|| self.root.path().join(UPLOADS))
    }

    /// The folder for what the engine keeps.
    #[must_use]
    pub fn run(&self) -> PathBuf {
        self.root.path().join(RUN)
    }

    /// What there is now.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn kept(&self) -> io::Result<Kept> {
        let mut kept = Kept::default();
        collect(&self.run(), "", &mut kept.files)?;
        for entry in fs::read_dir(self.root.path())? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if ![UPLOADS, RUN, OUTSIDE].contains(&name.as_str()) {
                kept.stray.push(name);
            }
        }
        Ok(kept)
    }
}

fn collect(folder: &Path, before: &str, files: &mut BTreeMap<String, Vec<u8>>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{before}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &format!("{name}/"), files)?;
        } else {
            files.insert(name, fs::read(entry.path())?);
        }
    }
    Ok(())
}

/// In what the files that were kept differ from what must be there: exactly these.
#[must_use]
pub fn saved_faults(expected: &[SavedExpected], kept: &Kept) -> Vec<String> {
    let mut faults: Vec<String> =
        kept.stray.iter().map(|name| format!("{name:?} was written outside the run's folder")).collect();
    let mut left: Vec<&String> = kept.files.keys().collect();
    for wanted in expected {
        let fits = |name: &&&String| kept.files.get(**name).is_some_and(|content| wanted.fits(name, content));
        match left.iter().find(fits).map(|name| (*name).clone()) {
            Some(name) => left.retain(|other| **other != name),
            None => faults.push(format!("no file is {wanted:?}; there are {}", listed(kept))),
        }
    }
    if !left.is_empty() && faults.is_empty() {
        faults.push(format!("{left:?} was not to be kept"));
    }
    faults
}

impl SavedExpected {
    fn fits(&self, name: &str, content: &[u8]) -> bool {
        self.name.as_deref().is_none_or(|wanted| wanted == name)
            && self.text.as_deref().is_none_or(|wanted| wanted.as_bytes() == content)
            && self.bytes.is_none_or(|wanted| wanted == content.len())
            && self.begins.as_deref().is_none_or(|wanted| content.starts_with(wanted.as_bytes()))
            && self.sha256.as_deref().is_none_or(|wanted| wanted.eq_ignore_ascii_case(&sha256(content)))
    }
}

fn sha256(content: &[u8]) -> String {
    use std::fmt::Write as _;
    Sha256::digest(content).iter().fold(String::with_capacity(64), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

fn listed(kept: &Kept) -> String {
    let files: Vec<String> =
        kept.files.iter().map(|(name, content)| format!("{name:?} ({} bytes)", content.len())).collect();
    if files.is_empty() { "none".to_owned() } else { files.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixture(name: &str) -> FileFixture {
        FileFixture { name: name.to_owned(), text: "abc".to_owned(), ..FileFixture::default() }
    }

    #[test]
    fn files_lie_where_they_are_meant() {
        let outside = FileFixture { outside: true, ..fixture("secret.txt") };
        let link = FileFixture { link_to: Some("secret.txt".to_owned()), ..fixture("link.txt") };
        let folders = Folders::make(&[fixture("deep/a.txt"), outside, link], false).unwrap();
        let uploads = folders.uploads().unwrap();
        assert_eq!(fs::read_to_string(uploads.join("deep/a.txt")).unwrap(), "abc");
        assert_eq!(fs::read_to_string(uploads.join("link.txt")).unwrap(), "abc");
        assert!(!folders.path_of("secret.txt").unwrap().starts_with(&uploads));
        assert_eq!(folders.kept().unwrap(), Kept::default());
        assert!(Folders::make(&[], true).unwrap().uploads().is_none());
    }

    #[test]
    fn exactly_what_was_to_be_kept_must_be_there() {
        let folders = Folders::make(&[], false).unwrap();
        fs::write(folders.run().join("a.csv"), "abc").unwrap();
        let kept = folders.kept().unwrap();
        let named = |name: &str| SavedExpected { name: Some(name.to_owned()), ..SavedExpected::default() };
        let sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad".to_owned();
        let whole = SavedExpected {
            text: Some("abc".to_owned()),
            bytes: Some(3),
            sha256: Some(sum),
            begins: Some("ab".to_owned()),
            ..named("a.csv")
        };
        assert_eq!(saved_faults(&[whole], &kept), Vec::<String>::new());
        assert_eq!(saved_faults(&[], &kept).len(), 1);
        assert_eq!(saved_faults(&[named("b.csv")], &kept).len(), 1);
        assert_eq!(saved_faults(&[named("a.csv"), named("a.csv")], &kept).len(), 1);
        fs::write(folders.root.path().join("x"), "").unwrap();
        assert_eq!(saved_faults(&[named("a.csv")], &folders.kept().unwrap()).len(), 1);
    }
}
