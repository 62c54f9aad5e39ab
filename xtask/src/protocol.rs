//! `cargo xtask protocol`: writes `crates/webhand-cdp/src/protocol/` from the published protocol description and the
//! committed slice. Only this command goes to the network (npm), and only when it writes or compares in full.

mod names;
mod render;
mod schema;
mod select;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use schema::{Document, Slice};
use select::Selection;

const SLICE: &str = "crates/webhand-cdp/protocol.slice.toml";
const OUTPUT: &str = "crates/webhand-cdp/src/protocol";
const STAMP: &str = "stamp.txt";
const DOCUMENTS: [&str; 2] = ["browser_protocol.json", "js_protocol.json"];

/// What the stamp covers besides the slice and the output, so that a changed generator shows.
const SOURCES: [&str; 4] = [
    include_str!("protocol/names.rs"),
    include_str!("protocol/render.rs"),
    include_str!("protocol/schema.rs"),
    include_str!("protocol/select.rs"),
];

/// Generates the protocol types, or checks them.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Only say whether the committed output is current; without --from this needs no network.
    #[arg(long)]
    check: bool,
    /// A folder with browser_protocol.json and js_protocol.json, instead of the npm package.
    #[arg(long, value_name = "DIR")]
    from: Option<PathBuf>,
}

/// Why the types could not be written, or are not current.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProtocolError {
    #[error("{path}: {detail}")]
    File { path: String, detail: String },
    #[error("the slice asks for {name}, which the protocol does not have")]
    Unknown { name: String },
    #[error("{command} failed: {detail}")]
    Tool { command: String, detail: String },
    #[error("{OUTPUT} is not current: run `cargo xtask protocol` ({detail})")]
    Stale { detail: String },
}

/// Files by their name in the output folder.
type Files = BTreeMap<String, String>;

/// Writes or checks; stale output is a verdict, not a failure of the chore.
pub(crate) fn run(arguments: &Arguments) -> miette::Result<ExitCode> {
    match write_or_check(arguments) {
        Ok(verdict) => {
            println!("{verdict}");
            Ok(ExitCode::SUCCESS)
        }
        Err(stale @ ProtocolError::Stale { .. }) => {
            println!("protocol: {stale}");
            Ok(ExitCode::FAILURE)
        }
        Err(error) => Err(miette::miette!("{error}")),
    }
}

fn write_or_check(arguments: &Arguments) -> Result<String, ProtocolError> {
    let root = root();
    let slice_text = read(&root.join(SLICE))?;
    let committed = read_folder(&root.join(OUTPUT));
    if arguments.check && arguments.from.is_none() {
        return check_stamp(&root, &slice_text, &committed);
    }
    let slice: Slice = toml::from_str(&slice_text).map_err(|e| file_error(Path::new(SLICE), e))?;
    let files = match &arguments.from {
        Some(folder) => generate(folder, &slice)?,
        None => {
            let folder = tempfile::tempdir().map_err(|e| file_error(Path::new("temporary folder"), e))?;
            download(&slice.package, folder.path())?;
            generate(&folder.path().join("package/json"), &slice)?
        }
    };
    if arguments.check {
        return compare(&files, &committed);
    }
    write(&root.join(OUTPUT), &files, &stamp(&slice_text, &files))?;
    Ok(format!("protocol: {} files written", files.len()))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

fn generate(folder: &Path, slice: &Slice) -> Result<Files, ProtocolError> {
    let mut documents: Vec<Document> = Vec::new();
    for name in DOCUMENTS {
        let path = folder.join(name);
        documents.push(serde_json::from_str(&read(&path)?).map_err(|e| file_error(&path, e))?);
    }
    let selection = Selection::new(&documents, slice)?;
    let mut files = Files::new();
    files.insert("mod.rs".to_owned(), render::module(&selection, &slice.package));
    for domain in selection.domains() {
        files.insert(format!("{}.rs", names::snake(domain)), rustfmt(&render::domain(&selection, domain))?);
    }
    Ok(files)
}

/// Takes the package with npm's ordinary client.
fn download(package: &str, folder: &Path) -> Result<(), ProtocolError> {
    tool(Command::new("npm").args(["pack", "--silent", package]).current_dir(folder))?;
    let archive = std::fs::read_dir(folder)
        .map_err(|e| file_error(folder, e))?
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|e| e == "tgz"))
        .ok_or_else(|| file_error(folder, "npm left no archive"))?;
    tool(Command::new("tar").arg("xzf").arg(archive).current_dir(folder))
}

fn tool(command: &mut Command) -> Result<(), ProtocolError> {
    let name = command.get_program().to_string_lossy().into_owned();
    let failed = |detail: String| ProtocolError::Tool { command: name.clone(), detail };
    let output = match command.output() {
        Ok(output) => output,
        Err(e) => return Err(failed(e.to_string())),
    };
    if output.status.success() {
        return Ok(());
    }
    Err(failed(String::from_utf8_lossy(&output.stderr).trim().to_owned()))
}

fn rustfmt(text: &str) -> Result<String, ProtocolError> {
    use std::io::Write as _;
    let failed = |detail: String| ProtocolError::Tool { command: "rustfmt".to_owned(), detail };
    let mut child = Command::new("rustfmt")
        .args(["--edition", "2024", "--emit", "stdout", "--quiet"])
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| failed(e.to_string()))?;
    let stdin = child.stdin.take();
    let text = text.to_owned();
    let writer = std::thread::spawn(move || stdin.map(|mut pipe| pipe.write_all(text.as_bytes())));
    let output = child.wait_with_output().map_err(|e| failed(e.to_string()))?;
    let written = writer.join().map_err(|_| failed("the writing thread died".to_owned()))?;
    if !output.status.success() || !matches!(written, Some(Ok(()))) {
        return Err(failed(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    String::from_utf8(output.stdout).map_err(|e| failed(e.to_string()))
}

fn check_stamp(root: &Path, slice: &str, committed: &Files) -> Result<String, ProtocolError> {
    let found = read(&root.join(OUTPUT).join(STAMP))?;
    if found.trim() != stamp(slice, committed) {
        let detail = "slice, generator or output changed since the last run".to_owned();
        return Err(ProtocolError::Stale { detail });
    }
    Ok(format!("protocol: current ({} files)", committed.len()))
}

fn compare(files: &Files, committed: &Files) -> Result<String, ProtocolError> {
    let names = files.keys().chain(committed.keys());
    if let Some(name) = names.into_iter().find(|name| files.get(*name) != committed.get(*name)) {
        return Err(ProtocolError::Stale { detail: format!("{name} differs") });
    }
    Ok(format!("protocol: current ({} files, compared in full)", files.len()))
}

fn write(folder: &Path, files: &Files, stamp: &str) -> Result<(), ProtocolError> {
    let put = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|e| file_error(&path, e))
    };
    std::fs::create_dir_all(folder).map_err(|e| file_error(folder, e))?;
    for stale in read_folder(folder).keys().filter(|name| !files.contains_key(*name)) {
        let path = folder.join(stale);
        std::fs::remove_file(&path).map_err(|e| file_error(&path, e))?;
    }
    for (name, text) in files {
        put(name, text)?;
    }
    put(STAMP, &format!("{stamp}\n"))
}

/// FNV-1a over slice, generator and output: enough to notice a forgotten run, no dependency needed.
fn stamp(slice: &str, files: &Files) -> String {
    let output = files.iter().flat_map(|(name, text)| [name.as_str(), text.as_str()]);
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for part in [slice].into_iter().chain(SOURCES).chain(output) {
        for byte in part.bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}

fn read(path: &Path) -> Result<String, ProtocolError> {
    std::fs::read_to_string(path).map_err(|e| file_error(path, e))
}

/// The Rust files of a folder; none if the folder is not there.
fn read_folder(folder: &Path) -> Files {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    entries
        .filter(|entry| entry.path().extension().is_some_and(|e| e == "rs"))
        .filter_map(|entry| {
            let text = std::fs::read_to_string(entry.path()).ok()?;
            Some((entry.file_name().to_string_lossy().into_owned(), text))
        })
        .collect()
}

fn file_error(path: &Path, detail: impl std::fmt::Display) -> ProtocolError {
    ProtocolError::File { path: path.display().to_string(), detail: detail.to_string() }
}
