//! The private profile of one browser: a folder of its own, open to nobody
//! else, with a lock that says whether anyone still looks after it.
//!
//! The lock is an advisory file lock held by this process **and** by the
//! reaper, which inherits the open file. It is free only when both are gone,
//! and that is exactly when [`sweep`] may remove the folder.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::BrowserError;

/// What the names of private profiles begin with.
pub(crate) const PREFIX: &str = "webhand-profile-";
const LOCK: &str = "lock";
/// What a private profile begins with. A document that the browser can only show in a viewer of its own, which no script
/// can read, is a file to keep.
const PREFERENCES: &str = r#"{"plugins":{"always_open_pdf_externally":true}}"#;
/// A folder without a lock may be one that is just being made.
const UNLOCKED_GRACE: Duration = Duration::from_secs(60);

/// The profile a browser runs on.
#[derive(Debug)]
pub(crate) enum Profile {
    /// Made by us, removed with the browser.
    Private {
        /// The folder that holds everything.
        folder: PathBuf,
        /// The lock, held as long as this value lives.
        #[cfg_attr(not(unix), allow(dead_code, reason = "only held"))]
        lock: File,
    },
    /// The caller's own: never removed.
    Kept(PathBuf),
}

impl Profile {
    /// Makes a fresh private profile below `root`.
    pub(crate) fn private(root: &Path) -> Result<Self, BrowserError> {
        let failed = |error: std::io::Error| BrowserError::LaunchFailed {
            detail: format!("no profile could be made in {}: {error}", root.display()),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).rand_bytes(10);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(std::fs::Permissions::from_mode(0o700));
        }
        let folder = builder.tempdir_in(root).map_err(failed)?;
        // Locked under another name first: nobody ever sees a free `lock`.
        let unready = folder.path().join("lock.new");
        let lock = File::create_new(&unready).map_err(failed)?;
        lock.lock().map_err(failed)?;
        std::fs::rename(&unready, folder.path().join(LOCK)).map_err(failed)?;
        let data = folder.path().join("data");
        std::fs::create_dir_all(data.join("Default")).map_err(failed)?;
        std::fs::write(data.join("Default").join("Preferences"), PREFERENCES).map_err(failed)?;
        std::fs::create_dir(folder.path().join("tmp")).map_err(failed)?;
        Ok(Self::Private { folder: folder.keep(), lock })
    }

    /// Where the browser keeps its data.
    pub(crate) fn data(&self) -> PathBuf {
        match self {
            Self::Private { folder, .. } => folder.join("data"),
            Self::Kept(folder) => folder.clone(),
        }
    }

    /// What is to be removed when the browser is gone.
    pub(crate) fn to_remove(&self) -> Option<&Path> {
        match self {
            Self::Private { folder, .. } => Some(folder),
            Self::Kept(_) => None,
        }
    }

    /// A folder for the browser's temporary files, so that those go with the
    /// profile. `None` where the path is too long for the sockets that
    /// Chromium puts there (108 bytes on Linux, 104 on macOS).
    #[cfg(any(unix, test))]
    pub(crate) fn temporary(&self) -> Option<PathBuf> {
        let folder = self.to_remove()?.join("tmp");
        let socket = "/org.chromium.Chromium.XXXXXX/SingletonSocket".len();
        (folder.as_os_str().len() + socket < 100).then_some(folder)
    }
}

/// Removes the folder, trying again while a dying browser still writes to it.
pub(crate) fn remove(folder: &Path) {
    for _ in 0..20 {
        match std::fs::remove_dir_all(folder) {
            Ok(()) => return,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return,
            Err(error) => {
                tracing::debug!(folder = %folder.display(), %error, "profile not removed yet");
                std::thread::park_timeout(Duration::from_millis(50));
            }
        }
    }
}

/// Removes the profiles below `root` that nobody looks after any more, first
/// ending the browser that may still run on one. Gives how many went.
pub(crate) fn sweep(root: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(root) else {
        return 0;
    };
    entries
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX))
        .filter(|entry| is_own_folder(&entry.path()))
        .filter(|entry| sweep_one(&entry.path()))
        .count()
}

fn sweep_one(folder: &Path) -> bool {
    let lock = match File::open(folder.join(LOCK)) {
        Ok(lock) => lock,
        Err(_) if is_older_than_grace(folder) => {
            remove(folder);
            return true;
        }
        Err(_) => return false,
    };
    match lock.try_lock() {
        Ok(()) => {
            super::end_processes_on(folder);
            remove(folder);
            true
        }
        Err(TryLockError::WouldBlock | TryLockError::Error(_)) => false,
    }
}

fn is_older_than_grace(folder: &Path) -> bool {
    folder
        .metadata()
        .and_then(|data| data.modified())
        .is_ok_and(|at| at.elapsed().is_ok_and(|age| age > UNLOCKED_GRACE))
}

/// Not a link, and ours: the temporary folder is shared with strangers.
fn is_own_folder(path: &Path) -> bool {
    let Ok(data) = path.symlink_metadata() else {
        return false;
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        data.is_dir() && data.uid() == rustix::process::geteuid().as_raw()
    }
    #[cfg(not(unix))]
    data.is_dir()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_is_private_and_goes_when_its_lock_is_free() {
        let root = tempfile::tempdir().unwrap();
        let profile = Profile::private(root.path()).unwrap();
        let folder = profile.to_remove().unwrap().to_owned();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = folder.metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o700);
        }
        assert_eq!(sweep(root.path()), 0, "a held lock keeps the folder");
        assert!(folder.join("data").is_dir());
        drop(profile);
        assert_eq!(sweep(root.path()), 1);
        assert!(!folder.exists());
    }

    #[test]
    fn the_sweep_leaves_everything_else_alone() {
        let root = tempfile::tempdir().unwrap();
        let young = root.path().join(format!("{PREFIX}young"));
        std::fs::create_dir(&young).unwrap();
        std::fs::create_dir(root.path().join("other")).unwrap();
        #[cfg(unix)]
        {
            let elsewhere = root.path().join("other");
            let link = root.path().join(format!("{PREFIX}link"));
            std::os::unix::fs::symlink(elsewhere, link).unwrap();
        }
        assert_eq!(sweep(root.path()), 0);
        assert!(young.is_dir());
        assert_eq!(sweep(&root.path().join("missing")), 0);
    }

    #[test]
    fn a_long_path_gets_no_folder_for_sockets() {
        let root = tempfile::tempdir().unwrap();
        let deep = root.path().join("x".repeat(90));
        std::fs::create_dir(&deep).unwrap();
        let profile = Profile::private(&deep).unwrap();
        assert_eq!(profile.temporary(), None);
    }
}
