//! The component pages: installs what they are made of and bundles them, where that is not done yet.
//!
//! Both are npm's and esbuild's work; it must not know what is on the pages.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use miette::{Context as _, IntoDiagnostic as _, bail};

/// Where the pages are written.
const SOURCES: &str = "tests/widgets";
/// Where they are bundled to: below the folder for build output.
const BUNDLES: &str = "target/widgets";
/// The lock that was installed from, kept beside what it named.
const INSTALLED: &str = "node_modules/.installed-lock.json";

/// The folder of bundled pages, and their names in order.
#[derive(Debug)]
pub(crate) struct Pages {
    pub(crate) folder: PathBuf,
    pub(crate) names: Vec<String>,
}

/// Makes sure that every page is there and as new as what it is made of.
pub(crate) fn pages(root: &Path) -> miette::Result<Pages> {
    let (sources, folder) = (root.join(SOURCES), root.join(BUNDLES));
    install(&sources)?;
    let listed = folder.join("pages.json");
    if !is_newer(&listed, &sources).into_diagnostic()? {
        println!("bundling the component pages");
        run("node", &["build.mjs", &folder.display().to_string()], &sources)?;
    }
    let text = fs::read_to_string(&listed).into_diagnostic()?;
    Ok(Pages { folder, names: serde_json::from_str(&text).into_diagnostic()? })
}

/// Installs exactly what the lock names, unless that was done.
fn install(sources: &Path) -> miette::Result<()> {
    let lock = fs::read(sources.join("package-lock.json")).into_diagnostic().wrap_err("the lock of the pages")?;
    let installed = sources.join(INSTALLED);
    if fs::read(&installed).is_ok_and(|known| known == lock) {
        return Ok(());
    }
    println!("installing the component libraries");
    run("npm", &["ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"], sources)?;
    fs::write(&installed, lock).into_diagnostic()
}

/// Whether a file is there and newer than the pages and all that tells how they are made.
fn is_newer(file: &Path, sources: &Path) -> io::Result<bool> {
    let Ok(made) = fs::metadata(file).and_then(|metadata| metadata.modified()) else { return Ok(false) };
    let mut newest = SystemTime::UNIX_EPOCH;
    let written = fs::read_dir(sources.join("src"))?.map(|entry| entry.map(|entry| entry.path()));
    let others = ["build.mjs", "package-lock.json"].map(|name| Ok(sources.join(name)));
    for path in written.chain(others) {
        newest = newest.max(fs::metadata(path?)?.modified()?);
    }
    Ok(made > newest)
}

fn run(program: &str, arguments: &[&str], folder: &Path) -> miette::Result<()> {
    let told = format!("{program} {}", arguments.join(" "));
    let output = Command::new(program).args(arguments).current_dir(folder).output();
    let output = output.into_diagnostic().wrap_err_with(|| format!("cannot run {told}: is Node installed?"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("{told} failed ({}):\n{}{said}", output.status, String::from_utf8_lossy(&output.stdout));
    }
    Ok(())
}
