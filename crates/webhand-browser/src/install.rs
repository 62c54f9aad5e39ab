//! Installs a browser where there is none, or says how.
//!
//! Only Debian and Ubuntu as root are served directly (by `apt-get`). On every
//! other system the person is told the exact command, because a library must
//! not ask for a password or pick a package manager on its own.

use std::process::Stdio;
use std::time::Duration;

use crate::error::BrowserError;
use crate::find::{Find, Found};

/// How packages come onto this system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum System {
    /// Debian, Ubuntu and kin, and whether we may install (are root).
    Debian {
        /// Whether this process may install packages.
        root: bool,
    },
    /// Fedora, RHEL and kin.
    Fedora,
    /// Arch and kin.
    Arch,
    /// openSUSE and kin.
    Suse,
    /// Alpine.
    Alpine,
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
    /// Anything else.
    Other,
}

/// What [`install`] did.
#[derive(Clone, Debug)]
pub struct Installed {
    /// The browser that is there now.
    pub found: Found,
    /// Whether it had to be installed.
    pub fresh: bool,
}

/// Package names to try, best first: the shell is a quarter of the download,
/// and Ubuntu knows Chromium under another name.
const APT_PACKAGES: &[&str] = &["chromium-headless-shell", "chromium", "chromium-browser"];

const APT_DEADLINE: Duration = Duration::from_secs(600);

impl System {
    /// The system this process runs on.
    #[must_use]
    pub fn detect() -> Self {
        if cfg!(target_os = "macos") {
            return Self::MacOs;
        }
        if cfg!(windows) {
            return Self::Windows;
        }
        let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
        Self::from_os_release(&release, is_root())
    }

    /// Judges by the text of an `os-release` file.
    #[must_use]
    pub fn from_os_release(text: &str, root: bool) -> Self {
        let words: Vec<String> = text
            .lines()
            .filter_map(|line| line.strip_prefix("ID=").or_else(|| line.strip_prefix("ID_LIKE=")))
            .flat_map(|value| value.trim_matches(['"', '\'']).split_whitespace())
            .map(str::to_lowercase)
            .collect();
        let is = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
        if is(&["debian", "ubuntu"]) {
            Self::Debian { root }
        } else if is(&["fedora", "rhel", "centos"]) {
            Self::Fedora
        } else if is(&["arch"]) {
            Self::Arch
        } else if words.iter().any(|word| word.contains("suse")) {
            Self::Suse
        } else if is(&["alpine"]) {
            Self::Alpine
        } else {
            Self::Other
        }
    }

    /// The command a person types here to get a browser.
    #[must_use]
    pub fn command(&self) -> String {
        match self {
            Self::Debian { root: true } => "apt-get update && apt-get install -y chromium",
            Self::Debian { root: false } => "sudo apt-get update && sudo apt-get install -y chromium",
            Self::Fedora => "sudo dnf install -y chromium",
            Self::Arch => "sudo pacman -S --noconfirm chromium",
            Self::Suse => "sudo zypper install -y chromium",
            Self::Alpine => "sudo apk add chromium",
            Self::MacOs => "brew install --cask google-chrome",
            Self::Windows => "winget install --id Google.Chrome -e",
            Self::Other => "install Chrome, Chromium or Edge, or set WEBHAND_BROWSER to its executable",
        }
        .to_owned()
    }
}

/// Makes sure that there is a browser that fits the search.
///
/// # Errors
/// [`BrowserError::NotFound`] with the exact command as its hint where webhand
/// does not install by itself; [`BrowserError::InstallFailed`] where it tried.
pub async fn install(find: &Find) -> Result<Installed, BrowserError> {
    let missing = match find.first() {
        Ok(found) => {
            return Ok(Installed { found, fresh: false });
        }
        // A path that leads nowhere is a mistake that no installation mends.
        Err(missing @ BrowserError::NotThere { .. }) => return Err(missing),
        Err(missing) => missing,
    };
    match System::detect() {
        System::Debian { root: true } => {
            let found = by_apt(find).await?;
            Ok(Installed { found, fresh: true })
        }
        _ => Err(missing),
    }
}

async fn by_apt(find: &Find) -> Result<Found, BrowserError> {
    let mut last = String::new();
    for refresh in [false, true] {
        if refresh && let Err(said) = apt_get(&["update", "-qq"]).await {
            last = said;
        }
        for package in APT_PACKAGES {
            let install = ["install", "-y", "-qq", "--no-install-recommends", package];
            match apt_get(&install).await {
                Ok(()) => match find.first() {
                    Ok(found) => return Ok(found),
                    Err(missing) => last = missing.to_string(),
                },
                Err(said) => last = said,
            }
        }
    }
    Err(BrowserError::InstallFailed { detail: last, install: System::Debian { root: true }.command() })
}

async fn apt_get(arguments: &[&str]) -> Result<(), String> {
    let run = tokio::process::Command::new("apt-get")
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output = tokio::time::timeout(APT_DEADLINE, run)
        .await
        .map_err(|_| format!("apt-get {} took too long", arguments.join(" ")))?
        .map_err(|error| format!("apt-get could not be run: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let tail: Vec<&str> = said.lines().rev().take(3).collect();
    Err(tail.into_iter().rev().collect::<Vec<_>>().join(" "))
}

/// Whether this process is root: Chromium's sandbox refuses to start then.
pub(crate) fn is_root() -> bool {
    #[cfg(unix)]
    return rustix::process::geteuid().is_root();
    #[cfg(not(unix))]
    return false;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_family_has_its_command() {
        for (release, expected) in [
            ("ID=debian\nVERSION_ID=\"12\"", "sudo apt-get"),
            ("NAME=Mint\nID=linuxmint\nID_LIKE=\"ubuntu debian\"", "sudo apt-get"),
            ("ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"", "dnf"),
            ("ID=arch", "pacman"),
            ("ID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"", "zypper"),
            ("ID=alpine", "apk"),
            ("", "WEBHAND_BROWSER"),
        ] {
            let command = System::from_os_release(release, false).command();
            assert!(command.contains(expected), "{release:?} gave {command:?}");
        }
        assert_eq!(System::from_os_release("ID=debian", true), System::Debian { root: true });
    }

    #[tokio::test]
    async fn nothing_is_installed_where_one_is_there() {
        let Ok(there) = Find::new().first() else {
            panic!("these tests need a browser on this machine");
        };
        let installed = install(&Find::new()).await.unwrap();
        assert!(!installed.fresh);
        assert_eq!(installed.found, there);
    }
}
