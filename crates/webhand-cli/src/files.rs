//! Files that a person names: only regular ones are read, and only so much of them.
//!
//! A pipe would be waited for without end, and a device has none.

use std::{
    fs::{self, File},
    io::{self, Read as _},
    path::Path,
};

/// What stands in a file, links followed.
///
/// # Errors
/// When it cannot be read, is no regular file, or is longer than that many bytes.
pub(crate) fn read(path: &Path, longest: u64) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    read_from(File::open(path)?, longest)
}

/// What comes from a reader.
///
/// # Errors
/// When it cannot be read, or is longer than that many bytes.
pub(crate) fn read_from(reader: impl io::Read, longest: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(longest.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > longest {
        return Err(io::Error::other(format!("it is longer than {longest} bytes")));
    }
    Ok(bytes)
}

/// Whether something is there, be it a link that leads nowhere.
pub(crate) fn stands(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_so_much_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "12345").unwrap();
        assert_eq!(read(&path, 5).unwrap(), b"12345");
        assert!(read(&path, 4).unwrap_err().to_string().contains("longer than 4"));
        assert!(read(folder.path(), 5).unwrap_err().to_string().contains("no regular file"));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_to_what_they_lead_to() {
        let folder = tempfile::tempdir().unwrap();
        let link = |name: &str, to: &str| {
            let path = folder.path().join(name);
            std::os::unix::fs::symlink(to, &path).unwrap();
            path
        };
        fs::write(folder.path().join("file"), "x").unwrap();
        assert_eq!(read(&link("good", "file"), 5).unwrap(), b"x");
        for path in [link("zero", "/dev/zero"), link("loop", "loop"), link("nowhere", "not-there")] {
            assert!(stands(&path));
            assert!(read(&path, 5).is_err(), "{}", path.display());
        }
        assert!(!stands(&folder.path().join("none")));
    }
}
