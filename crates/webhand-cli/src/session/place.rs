//! Where the sockets of kept sessions are: a folder that only this user can enter, three files a session.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use crate::{config::Environment, trouble::Trouble};

/// A socket's path has room for about a hundred bytes.
const LONGEST_PATH: usize = 100;

/// The folder of the sockets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Folder(PathBuf);

/// The files of one session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) name: String,
    /// Where it listens.
    pub(crate) socket: PathBuf,
    /// Held as long as it lives.
    pub(crate) alive: PathBuf,
    /// Held by whoever starts it.
    pub(crate) start: PathBuf,
    /// What its process has to say.
    pub(crate) log: PathBuf,
    /// Says how its pages were lost, until a new one is opened or it is closed.
    pub(crate) lost: PathBuf,
}

impl Folder {
    /// The folder of this user, made where it is not there.
    pub(crate) fn open(environment: &Environment) -> Result<Self, Trouble> {
        let runtime = environment.runtime.as_deref().filter(|folder| is_own_folder(folder));
        let folder = match (runtime, &environment.cache) {
            (Some(runtime), _) => runtime.join("webhand"),
            (None, Some(cache)) => cache.join("webhand").join("sessions"),
            (None, None) => std::env::temp_dir().join(format!("webhand-sessions-{}", user())),
        };
        make_private(&folder).map_err(|error| {
            Trouble::new("session_folder", format!("{} cannot hold sessions: {error}", folder.display()))
                .hint("set XDG_RUNTIME_DIR to a folder of your own, or use --url, which keeps nothing")
        })?;
        Ok(Self(folder))
    }

    /// The files of the session of that name.
    pub(crate) fn session(&self, name: &str) -> Result<Place, Trouble> {
        let allowed = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
        if name.is_empty() || name.len() > 40 || name.starts_with('.') || !name.chars().all(allowed) {
            return Err(Trouble::new("session_name", format!("{name:?} is not a name for a session"))
                .hint("use at most 40 letters, digits, - and _"));
        }
        let file = |ending: &str| self.0.join(format!("{name}.{ending}"));
        let socket = file("socket");
        if socket.as_os_str().len() > LONGEST_PATH {
            return Err(Trouble::new("session_folder", format!("{} is too long for a socket", socket.display()))
                .hint("set XDG_RUNTIME_DIR to a shorter path"));
        }
        let name = name.to_owned();
        Ok(Place { name, socket, alive: file("alive"), start: file("start"), log: file("log"), lost: file("lost") })
    }

    /// The names of the sessions that have a socket here, in order.
    pub(crate) fn names(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(&self.0) else { return Vec::new() };
        let name = |entry: fs::DirEntry| Some(entry.file_name().to_str()?.strip_suffix(".socket")?.to_owned());
        let mut names: Vec<String> = entries.flatten().filter_map(name).collect();
        names.sort_unstable();
        names
    }
}

impl Place {
    /// Takes away the socket of a session whose process is gone. Whether it did.
    pub(crate) fn sweep(&self) -> bool {
        let Ok(alive) = open_lock(&self.alive) else { return false };
        if alive.try_lock().is_err() {
            return false;
        }
        fs::remove_file(&self.socket).is_ok()
    }

    /// How its pages were lost, where they were.
    pub(crate) fn how_lost(&self) -> Option<String> {
        if self.sweep() {
            mark_lost(&self.lost, "its process was ended by force");
        }
        let bytes = crate::files::read(&self.lost, LONGEST_REASON).ok()?;
        Some(String::from_utf8_lossy(&bytes).trim().to_owned())
    }

    /// Forgets that they were.
    pub(crate) fn forget_lost(&self) {
        let _ = fs::remove_file(&self.lost);
    }
}

/// The longest reason that is read back.
const LONGEST_REASON: u64 = 1000;

/// Writes down how a session's pages were lost. Where that cannot be written, the next command starts with an empty page.
pub(crate) fn mark_lost(path: &Path, how: &str) {
    if let Err(error) = fs::write(path, how) {
        tracing::warn!(%error, "that the pages were lost cannot be written down");
    }
}

/// A file to be locked.
pub(crate) fn open_lock(path: &Path) -> io::Result<File> {
    File::options().create(true).truncate(false).read(true).write(true).open(path)
}

#[cfg(unix)]
fn user() -> u32 {
    rustix::process::geteuid().as_raw()
}

#[cfg(not(unix))]
fn user() -> u32 {
    0
}

#[cfg(unix)]
fn is_own_folder(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::symlink_metadata(folder).is_ok_and(|meta| meta.is_dir() && meta.uid() == user())
}

#[cfg(not(unix))]
fn is_own_folder(folder: &Path) -> bool {
    folder.is_dir()
}

/// Makes a folder that nobody else can enter, and makes sure of it where it is there already.
#[cfg(unix)]
fn make_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
    if let Some(parent) = folder.parent() {
        fs::create_dir_all(parent)?;
    }
    match fs::DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    if !is_own_folder(folder) {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is not a folder of this user"));
    }
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))
}

#[cfg(not(unix))]
fn make_private(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(runtime: &Path) -> Environment {
        Environment { runtime: Some(runtime.to_owned()), ..Environment::default() }
    }

    #[cfg(unix)]
    #[test]
    fn the_folder_is_private_and_no_link() {
        use std::os::unix::fs::PermissionsExt;
        let runtime = tempfile::tempdir().unwrap();
        let folder = runtime.path().join("webhand");
        fs::create_dir(&folder).unwrap();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).unwrap();
        Folder::open(&environment(runtime.path())).unwrap();
        assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
        fs::remove_dir(&folder).unwrap();
        std::os::unix::fs::symlink(runtime.path(), &folder).unwrap();
        assert_eq!(Folder::open(&environment(runtime.path())).unwrap_err().code, "session_folder");
    }

    #[test]
    fn names_stay_inside_the_folder() {
        let runtime = tempfile::tempdir().unwrap();
        let folder = Folder::open(&environment(runtime.path())).unwrap();
        for bad in ["", "../x", "a/b", ".x", "a b", "é", &"x".repeat(41)] {
            let trouble = folder.session(bad).unwrap_err();
            assert_eq!((trouble.code.as_str(), trouble.exit() as u8), ("session_name", 2), "{bad}");
        }
        let place = folder.session("work-1").unwrap();
        fs::write(&place.socket, "").unwrap();
        assert_eq!(folder.names(), ["work-1"]);
        let held = open_lock(&place.alive).unwrap();
        held.lock().unwrap();
        assert!(!place.sweep(), "its process lives");
        drop(held);
        assert!(place.how_lost().is_some_and(|how| how.contains("by force")));
        assert!(folder.names().is_empty());
        place.forget_lost();
        assert_eq!(place.how_lost(), None);
    }

    #[test]
    fn a_path_that_no_socket_can_have_is_refused() {
        let root = tempfile::tempdir().unwrap();
        let deep = root.path().join("x".repeat(90));
        fs::create_dir(&deep).unwrap();
        let folder = Folder::open(&environment(&deep)).unwrap();
        assert_eq!(folder.session("default").unwrap_err().code, "session_folder");
    }
}
