//! Where browsers are: the well-known names on the search path, then the
//! well-known places of each system.
//!
//! Must not know how a browser is started or spoken to. An explicit path comes
//! in as a value; reading a variable such as `WEBHAND_BROWSER` is offered by
//! [`Find::from_env`] but never done behind the caller's back.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::error::BrowserError;
use crate::install::System;

/// What a browser binary is able to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The headless shell: starts fastest, has no window, no cache of pages
    /// to go back to, and keeps frames of other sites in the same process.
    Shell,
    /// A full browser: headed, or headless with `--headless=new`.
    Full,
}

/// How the browser shows itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Headless {
    /// The headless shell where there is one, else [`Headless::New`].
    #[default]
    Auto,
    /// A full browser with `--headless=new`.
    New,
    /// The headless shell only.
    Shell,
    /// With a window.
    Off,
}

/// A browser binary that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The executable.
    pub path: PathBuf,
    /// What it is able to do.
    pub kind: Kind,
}

/// A search for browsers.
#[derive(Clone, Debug, Default)]
pub struct Find {
    explicit: Option<PathBuf>,
    headless: Headless,
    search_path: Option<OsString>,
    only_search_path: bool,
}

const SHELLS: &[&str] = &["chromium-headless-shell", "chrome-headless-shell", "headless_shell"];

const FULL: &[&str] = &[
    "google-chrome-stable",
    "google-chrome",
    "chrome",
    "chromium",
    "chromium-browser",
    "microsoft-edge-stable",
    "microsoft-edge",
    "msedge",
];

const PLACES: &[(&str, Kind)] = &[
    ("/usr/lib/chromium/chromium-headless-shell", Kind::Shell),
    ("/opt/google/chrome/chrome", Kind::Full),
    ("/usr/lib/chromium/chromium", Kind::Full),
    ("/usr/lib64/chromium-browser/chromium-browser", Kind::Full),
    ("/opt/microsoft/msedge/msedge", Kind::Full),
    ("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", Kind::Full),
    ("/Applications/Chromium.app/Contents/MacOS/Chromium", Kind::Full),
    ("/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge", Kind::Full),
    (r"C:\Program Files\Google\Chrome\Application\chrome.exe", Kind::Full),
    (r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe", Kind::Full),
    (r"C:\Program Files\Chromium\Application\chrome.exe", Kind::Full),
    (r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe", Kind::Full),
    (r"C:\Program Files\Microsoft\Edge\Application\msedge.exe", Kind::Full),
];

impl Find {
    /// A search of the search path of this process and the well-known places.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// As [`Find::new`], with the path in the variable `WEBHAND_BROWSER`, if it
    /// is set, as the explicit choice.
    #[must_use]
    pub fn from_env() -> Self {
        Self {
            explicit: std::env::var_os("WEBHAND_BROWSER").filter(|value| !value.is_empty()).map(PathBuf::from),
            ..Self::default()
        }
    }

    /// Takes exactly this executable: a path, or a name on the search path.
    #[must_use]
    pub fn explicit(mut self, executable: impl Into<PathBuf>) -> Self {
        self.explicit = Some(executable.into());
        self
    }

    /// Which kinds of browser are wanted.
    #[must_use]
    pub fn headless(mut self, headless: Headless) -> Self {
        self.headless = headless;
        self
    }

    /// Searches these folders (in the form of `PATH`) and nowhere else.
    #[must_use]
    pub fn only_in(mut self, search_path: impl Into<OsString>) -> Self {
        self.search_path = Some(search_path.into());
        self.only_search_path = true;
        self
    }

    /// The browser to use.
    ///
    /// # Errors
    /// [`BrowserError::NotFound`], with the command that installs one as its
    /// hint, when there is none that fits; [`BrowserError::NotThere`] when the
    /// one that was asked for is not there.
    pub fn first(&self) -> Result<Found, BrowserError> {
        if let Some(explicit) = &self.explicit {
            return self.explicit_choice(explicit);
        }
        self.all().into_iter().next().ok_or_else(|| BrowserError::NotFound {
            wanted: self.wanted().to_owned(),
            install: System::detect().command(),
        })
    }

    /// Every browser that fits, best first, each real file once.
    #[must_use]
    pub fn all(&self) -> Vec<Found> {
        let shells = self.named(SHELLS, Kind::Shell);
        let full = self.named(FULL, Kind::Full);
        let candidates = match self.headless {
            Headless::Auto => shells.chain(full).collect::<Vec<_>>(),
            Headless::Shell => shells.collect(),
            Headless::New | Headless::Off => full.collect(),
        };
        let mut seen = Vec::new();
        candidates
            .into_iter()
            .filter(|found| {
                let real = found.path.canonicalize().unwrap_or_else(|_| found.path.clone());
                let fresh = !seen.contains(&real);
                seen.push(real);
                fresh
            })
            .collect()
    }

    fn named<'a>(&'a self, names: &'a [&str], kind: Kind) -> impl Iterator<Item = Found> + 'a {
        let on_path = names.iter().filter_map(|name| self.on_path(name));
        let in_places = PLACES
            .iter()
            .filter(move |(_, place_kind)| !self.only_search_path && *place_kind == kind)
            .map(|(place, _)| PathBuf::from(place))
            .filter(|place| is_executable(place));
        on_path.chain(in_places).map(move |path| Found { path, kind })
    }

    fn explicit_choice(&self, explicit: &Path) -> Result<Found, BrowserError> {
        let path = if explicit.components().count() == 1 && !explicit.exists() {
            self.on_path(&explicit.to_string_lossy())
        } else {
            Some(explicit.to_owned())
        };
        match path.filter(|path| is_executable(path)) {
            Some(path) => Ok(Found { kind: kind_of(&path), path }),
            None => Err(BrowserError::NotThere { path: explicit.display().to_string() }),
        }
    }

    fn on_path(&self, name: &str) -> Option<PathBuf> {
        let own;
        let search_path = match &self.search_path {
            Some(search_path) => search_path,
            None => {
                own = std::env::var_os("PATH").unwrap_or_default();
                &own
            }
        };
        on_search_path(search_path, name)
    }

    fn wanted(&self) -> &'static str {
        match self.headless {
            Headless::Auto => "Chrome, Chromium, Edge or the headless shell",
            Headless::Shell => "the headless shell",
            Headless::New | Headless::Off => "Chrome, Chromium or Edge",
        }
    }
}

/// The first executable of that name in a list of folders.
pub(crate) fn on_search_path(search_path: &OsStr, name: &str) -> Option<PathBuf> {
    std::env::split_paths(search_path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX)))
        .find(|path| is_executable(path))
}

/// Judges by the name: every headless shell in the wild has both words in it.
fn kind_of(path: &Path) -> Kind {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    if name.contains("headless") && name.contains("shell") { Kind::Shell } else { Kind::Full }
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn folder_with(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            let path = folder.path().join(name);
            std::fs::write(&path, "#!/bin/sh\n").unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        folder
    }

    fn names(found: &[Found]) -> Vec<String> {
        found.iter().map(|found| found.path.file_name().unwrap().to_string_lossy().into()).collect()
    }

    #[test]
    fn auto_prefers_the_shell_then_chrome_chromium_edge() {
        let folder = folder_with(&["microsoft-edge", "chromium", "google-chrome", "chromium-headless-shell"]);
        let find = Find::new().only_in(folder.path());
        assert_eq!(names(&find.all()), ["chromium-headless-shell", "google-chrome", "chromium", "microsoft-edge"]);
        assert_eq!(find.first().unwrap().kind, Kind::Shell);
        let full = find.clone().headless(Headless::New).first().unwrap();
        assert_eq!(full.kind, Kind::Full);
        let shells = find.headless(Headless::Shell).all();
        assert_eq!(names(&shells), ["chromium-headless-shell"]);
    }

    #[test]
    fn the_same_file_under_two_names_counts_once() {
        let folder = folder_with(&["google-chrome-stable"]);
        std::os::unix::fs::symlink(folder.path().join("google-chrome-stable"), folder.path().join("google-chrome"))
            .unwrap();
        let all = Find::new().only_in(folder.path()).all();
        assert_eq!(names(&all), ["google-chrome-stable"]);
    }

    #[test]
    fn a_file_that_cannot_run_is_not_a_browser() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("chromium"), "").unwrap();
        std::fs::create_dir(folder.path().join("google-chrome")).unwrap();
        let error = Find::new().only_in(folder.path()).first().unwrap_err();
        assert_eq!(error.code(), "browser_not_found");
        assert!(error.hint().is_some_and(|hint| !hint.is_empty()));
    }

    #[test]
    fn an_explicit_choice_wins_and_must_exist() {
        let folder = folder_with(&["chromium", "my_headless_shell"]);
        let find = Find::new().only_in(folder.path());
        let by_name = find.clone().explicit("my_headless_shell").first().unwrap();
        assert_eq!(by_name.kind, Kind::Shell);
        let by_path = find.clone().explicit(folder.path().join("chromium")).first().unwrap();
        assert_eq!(by_path.kind, Kind::Full);
        let missing = find.explicit("/nowhere/chrome").first().unwrap_err();
        assert!(missing.to_string().contains("/nowhere/chrome"), "{missing}");
        assert_eq!(missing.code(), "browser_not_found");
        assert!(missing.hint().is_some_and(|hint| !hint.contains("install") && hint.contains("WEBHAND_BROWSER")));
    }

    #[test]
    fn folders_that_are_not_absolute_are_not_searched() {
        assert_eq!(on_search_path(OsStr::new(".:bin:"), "sh"), None);
        assert!(on_search_path(OsStr::new("/usr/bin:/bin"), "sh").is_some());
    }
}
