//! A browser started by hand over a pipe, with the same program and flags as the engine's own.
//!
//! It must not know what is done in it.

use std::io::{PipeReader, PipeWriter};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use command_fds::{CommandFdExt as _, FdMapping};
use tempfile::TempDir;
use tokio::net::unix::pipe;
use tokio::process::{Child, Command};
use webhand_cdp::protocol::{browser, emulation, page, target};
use webhand_cdp::{Connection, Session};

use crate::bench::contender::Failure;

/// How long the browser may take to end by itself.
const FAREWELL: Duration = Duration::from_secs(5);

/// Which program to start, and with which flags.
#[derive(Clone, Debug)]
pub(crate) struct Recipe {
    program: PathBuf,
    flags: Vec<String>,
}

impl Recipe {
    /// The program and flags of a browser process that runs already.
    ///
    /// The profile is left out: every browser has its own.
    pub(crate) fn of_running(program: &Path, command_line: &[String]) -> Self {
        let flags = command_line
            .iter()
            .filter(|flag| flag.starts_with("--") && !flag.starts_with("--user-data-dir"))
            .cloned()
            .collect();
        Self { program: program.to_owned(), flags }
    }

    /// That program with the least flags that a test machine needs.
    pub(crate) fn plain(program: &Path) -> Self {
        let flags = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--remote-debugging-pipe",
            "--window-size=1280,720",
        ];
        Self { program: program.to_owned(), flags: flags.map(str::to_owned).to_vec() }
    }
}

/// A running browser with one tab.
#[derive(Debug)]
pub(crate) struct FloorBrowser {
    connection: Connection,
    tab: Session,
    child: Child,
    profile: Option<TempDir>,
}

impl FloorBrowser {
    /// Starts it and attaches to its tab.
    pub(crate) async fn start(recipe: &Recipe) -> Result<Self, Failure> {
        let profile = tempfile::Builder::new().prefix("webhand-floor-").tempdir().map_err(broken)?;
        let (to_browser, from_us) = pipe_ends().map_err(broken)?;
        let (from_browser, to_us) = pipe_ends().map_err(broken)?;
        let mut command = Command::new(&recipe.program);
        command
            .args(&recipe.flags)
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .kill_on_drop(true);
        command
            .fd_mappings(vec![
                FdMapping { parent_fd: OwnedFd::from(to_browser), child_fd: 3 },
                FdMapping { parent_fd: OwnedFd::from(to_us), child_fd: 4 },
            ])
            .map_err(|error| Failure::Broken(error.to_string()))?;
        let child = command.spawn().map_err(broken)?;
        // The command holds our copies of the browser's ends; an end must not outlive the browser here.
        drop(command);
        let read = pipe::Receiver::from_owned_fd(OwnedFd::from(from_browser)).map_err(broken)?;
        let write = pipe::Sender::from_owned_fd(OwnedFd::from(from_us)).map_err(broken)?;
        let connection = Connection::over_pipe(read, write);
        let tab = first_tab(&connection).await?;
        Ok(Self { connection, tab, child, profile: Some(profile) })
    }

    /// The session of its tab.
    pub(crate) fn tab(&self) -> &Session {
        &self.tab
    }

    /// Ends it and removes its profile.
    pub(crate) async fn close(mut self) {
        let farewell = self.connection.root().send(&browser::Close::default());
        let _ = farewell.within(FAREWELL).await;
        self.connection.close();
        if tokio::time::timeout(FAREWELL, self.child.wait()).await.is_err() {
            let _ = self.child.kill().await;
        }
        let Some(profile) = self.profile.take() else { return };
        let path = profile.keep();
        // Helper processes may still write for a moment after the main one is gone.
        for _ in 0..40 {
            if tokio::fs::remove_dir_all(&path).await.is_ok() || !path.exists() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

fn pipe_ends() -> std::io::Result<(PipeReader, PipeWriter)> {
    std::io::pipe()
}

fn broken(error: std::io::Error) -> Failure {
    Failure::Broken(format!("cannot start the floor's browser: {error}"))
}

/// The tab that the browser opened, or a new one where it opened none, with all that a floor needs switched on.
async fn first_tab(connection: &Connection) -> Result<Session, Failure> {
    let root = connection.root();
    let targets = root.call(&target::GetTargets::default()).await?.target_infos;
    let existing = targets.into_iter().find(|info| info.kind == "page").map(|info| info.target_id);
    let id = match existing {
        Some(id) => id,
        None => root.call(&target::CreateTarget::new("about:blank")).await?.target_id,
    };
    let mut attach = target::AttachToTarget::new(id);
    attach.flatten = Some(true);
    let tab = connection.session(root.call(&attach).await?.session_id);
    let mut frames = target::SetAutoAttach::new(true, false);
    frames.flatten = Some(true);
    let mut setup = tab.burst();
    let enabled = setup.add(&page::Enable::default());
    let sized = setup.add(&emulation::SetDeviceMetricsOverride::new(1280, 720, 1.0, false));
    let attached = setup.add(&frames);
    setup.send();
    enabled.in_time().await?;
    sized.in_time().await?;
    attached.in_time().await?;
    Ok(tab)
}
