//! The tasks' package: MiniWoB++ as it is published on PyPI, fetched once, kept under `target/`, never committed.
//!
//! It must not know what a task asks.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use miette::{Context as _, IntoDiagnostic as _, ensure};

/// What is fetched: pip refuses another file under this name.
const REQUIREMENT: &str =
    "miniwob==1.1.0 --hash=sha256:297006e84219d56ad037e843527ed773a4a82509dc43b6031ec4a3ad3e3e61d9\n";
/// Where it is kept.
const CACHE: &str = "target/miniwob-1.1.0";

/// The folder of the package's pages (`core`, `miniwob` and what they load); fetches it where it is missing.
pub(crate) fn pages() -> miette::Result<PathBuf> {
    let cache = PathBuf::from(CACHE);
    let pages = cache.join("miniwob/html");
    if !pages.is_dir() {
        fetch(&cache)?;
    }
    ensure!(pages.is_dir(), "the package has no folder {}", pages.display());
    Ok(pages)
}

/// The names of its tasks, sorted.
pub(crate) fn tasks(pages: &Path) -> miette::Result<Vec<String>> {
    let folder = pages.join("miniwob");
    let entries = std::fs::read_dir(&folder).into_diagnostic().wrap_err_with(|| folder.display().to_string())?;
    let mut tasks = Vec::new();
    for entry in entries {
        let name = entry.into_diagnostic()?.file_name();
        tasks.extend(name.to_str().and_then(|name| name.strip_suffix(".html")).map(str::to_owned));
    }
    tasks.sort();
    Ok(tasks)
}

/// Fetches into a folder beside the cache first, so that a broken fetch leaves none.
fn fetch(cache: &Path) -> miette::Result<()> {
    let parent = cache.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(parent).into_diagnostic()?;
    let folder = tempfile::tempdir_in(parent).into_diagnostic()?;
    let requirement = folder.path().join("requirement.txt");
    std::fs::write(&requirement, REQUIREMENT).into_diagnostic()?;
    let unpacked = folder.path().join("unpacked");
    let pip = Command::new("python3")
        .args(["-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes", "--target"])
        .arg(&unpacked)
        .arg("--requirement")
        .arg(&requirement)
        .stdin(Stdio::null())
        .output()
        .into_diagnostic()
        .wrap_err("the tasks are fetched with python3 and its pip, which could not be run")?;
    ensure!(pip.status.success(), "pip could not fetch miniwob: {}", String::from_utf8_lossy(&pip.stderr));
    std::fs::rename(&unpacked, cache).into_diagnostic()
}
