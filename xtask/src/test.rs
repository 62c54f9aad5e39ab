//! `cargo xtask test`: makes sure that the browsers are there that the tests
//! drive, then runs every test of the workspace. The runner is `cargo test`,
//! which every toolchain has; its summary is the last thing printed.

use std::process::{Command, ExitCode, Stdio};

use clap::Args;
use miette::{Context as _, IntoDiagnostic as _, bail};

/// What to hand on.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Handed on to `cargo test`, such as `-p webhand-guard` or a test's name
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    for_the_runner: Vec<String>,
}

impl Arguments {
    /// The whole workspace, unless a package is named: cargo would take the
    /// one and ignore the other.
    fn scope(&self) -> Option<&'static str> {
        let names_a_package = |argument: &String| argument.starts_with("-p") || argument.starts_with("--package");
        let mut own = self.for_the_runner.iter().take_while(|argument| *argument != "--");
        (!own.any(names_a_package)).then_some("--workspace")
    }
}

/// A kind of browser that tests run in: its names, and Debian's package.
#[derive(Debug)]
struct Kind {
    executables: &'static [&'static str],
    package: &'static str,
}

const KINDS: &[Kind] = &[
    Kind {
        executables: &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"],
        package: "chromium",
    },
    Kind {
        executables: &["chromium-headless-shell", "chrome-headless-shell", "headless_shell"],
        package: "chromium-headless-shell",
    },
];

/// Runs the tests and answers as they do.
pub(crate) fn run(arguments: &Arguments) -> miette::Result<ExitCode> {
    install_missing_browsers()?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["test", "--locked"])
        .args(arguments.scope())
        .args(&arguments.for_the_runner)
        .stdin(Stdio::null())
        .status()
        .into_diagnostic()
        .wrap_err("cargo could not be run")?;
    Ok(match status.code() {
        Some(0) => ExitCode::SUCCESS,
        code => ExitCode::from(code.and_then(|it| u8::try_from(it).ok()).unwrap_or(1)),
    })
}

/// Installs what is missing where that needs no question asked: Debian and its
/// kin, as root. Elsewhere one browser of any kind is enough to go on with.
fn install_missing_browsers() -> miette::Result<()> {
    let missing: Vec<&str> = KINDS.iter().filter(|kind| !kind.is_there()).map(|kind| kind.package).collect();
    if missing.is_empty() || std::env::var_os("WEBHAND_BROWSER").is_some() {
        return Ok(());
    }
    if is_there("apt-get") && is_root() {
        eprintln!("installing {}", missing.join(" and "));
        apt_get(&["update", "-qq"])?;
        for package in &missing {
            apt_get(&["install", "-y", "-qq", "--no-install-recommends", package])?;
        }
    } else if missing.len() == KINDS.len() {
        bail!(
            help = "install Chrome, Chromium or Edge (`cargo run -- install` prints the command for this system), \
                    or set WEBHAND_BROWSER to one",
            "no browser found, and the tests drive one"
        );
    }
    Ok(())
}

impl Kind {
    fn is_there(&self) -> bool {
        self.executables.iter().any(|name| is_there(name)) || (cfg!(target_os = "macos") && self.package == "chromium")
    }
}

fn is_there(executable: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(executable).is_file())
}

/// Who runs this, by the owner of its own entry in `/proc`: no dependency for
/// a question that only Debian's case asks.
fn is_root() -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        std::path::Path::new("/proc/self").metadata().is_ok_and(|entry| entry.uid() == 0)
    }
    #[cfg(not(unix))]
    false
}

/// Quiet unless it fails.
fn apt_get(arguments: &[&str]) -> miette::Result<()> {
    let output = Command::new("apt-get")
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .stdin(Stdio::null())
        .output()
        .into_diagnostic()
        .wrap_err("apt-get could not be run")?;
    if output.status.success() {
        return Ok(());
    }
    bail!("apt-get {} failed: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr).trim());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_named_package_narrows_the_scope() {
        let scope = |arguments: &[&str]| {
            let for_the_runner = arguments.iter().map(|it| (*it).to_owned()).collect();
            Arguments { for_the_runner }.scope()
        };
        assert_eq!(scope(&[]), Some("--workspace"));
        assert_eq!(scope(&["judge"]), Some("--workspace"));
        assert_eq!(scope(&["-p", "webhand-guard"]), None);
        assert_eq!(scope(&["--package=webhand-guard"]), None);
        assert_eq!(scope(&["--", "-p"]), Some("--workspace"));
    }
}
