//! The binary as people run it, with a home of its own, and pages on loopback.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    missing_docs,
    missing_debug_implementations
)]

use std::{
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use axum::{Router, response::Html, routing::get};
use serde_json::Value;
use tempfile::TempDir;
use tokio::{io::AsyncWriteExt as _, process::Command, time::timeout};

/// Enough for a busy machine; no command takes that long when all is well.
pub const PATIENCE: Duration = Duration::from_secs(60);

const FORM: &str = r#"<!doctype html><title>Form</title><h1>A form</h1>
<form onsubmit="event.preventDefault(); document.getElementById('said').textContent = 'Saved ' + this.name.value">
<label>Name <input name="name"></label>
<label>Colour <select><option>Red<option>Blue</select></label>
<button>Save</button></form><p id="said"></p><a href="/other">Other page</a>"#;

/// Serves the pages; gives the origin.
pub async fn site() -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://127.0.0.1:{}", listener.local_addr().unwrap().port());
    let router = Router::new()
        .route("/form", get(|| async { Html(FORM) }))
        .route(
            "/file",
            get(|| async { Html("<!doctype html><title>File</title><label>Letter <input type=file></label>") }),
        )
        .route("/other", get(|| async { Html("<!doctype html><title>Other</title><h1>Other page</h1>") }));
    tokio::spawn(async move { axum::serve(listener, router).await });
    origin
}

/// An address at which nobody listens.
pub fn nobody_there() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    format!("http://{}/", listener.local_addr().unwrap())
}

/// What a command printed, and how it ended.
#[derive(Clone)]
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    /// The only line of standard output, as JSON.
    pub fn json(&self) -> Value {
        assert_eq!(self.stdout.trim_end().lines().count(), 1, "{self:?}");
        assert_eq!(self.stderr, "", "{self:?}");
        serde_json::from_str(&self.stdout).unwrap()
    }

    /// Went well, and printed that.
    #[track_caller]
    pub fn says(&self, part: &str) -> &Self {
        assert!(self.code == 0 && self.stdout.contains(part), "{part:?} is not in {self:?}");
        self
    }

    /// Went badly in that way, said so on standard error, and printed nothing.
    #[track_caller]
    pub fn fails(&self, code: i32, part: &str) -> &Self {
        assert!(self.code == code && self.stderr.contains(part), "{part:?} is not in {self:?}");
        assert_eq!(self.stdout, "", "only data goes to standard output");
        self
    }
}

impl std::fmt::Debug for Ran {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "code {}\n--- stdout\n{}\n--- stderr\n{}", self.code, self.stdout, self.stderr)
    }
}

/// A person with a home, a folder for sessions and a folder for temporary files, all of them fresh.
pub struct Person {
    pub home: TempDir,
}

impl Person {
    pub fn new() -> Self {
        let home = tempfile::Builder::new().prefix("wh").tempdir().unwrap();
        for folder in ["run", "tmp", "work", ".config/webhand"] {
            std::fs::create_dir_all(home.path().join(folder)).unwrap();
        }
        Self { home }
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.home.path().join(path)
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_webhand"));
        command
            .args(args)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.home.path())
            .env("XDG_RUNTIME_DIR", self.path("run"))
            .env("TMPDIR", self.path("tmp"))
            .current_dir(self.path("work"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        command
    }

    pub async fn run(&self, args: &[&str]) -> Ran {
        self.run_with(args, "", &[]).await
    }

    pub async fn run_with(&self, args: &[&str], input: &str, variables: &[(&str, &str)]) -> Ran {
        let mut child = self.command(args).envs(variables.iter().copied()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // A command that reads nothing may be gone before it is fed.
        let _ = stdin.write_all(input.as_bytes()).await;
        drop(stdin);
        let output = timeout(PATIENCE, child.wait_with_output()).await.expect("the command should end").unwrap();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        Ran { code: output.status.code().unwrap_or(-1), stdout: text(&output.stdout), stderr: text(&output.stderr) }
    }

    /// How the session is, as JSON.
    pub async fn status(&self) -> Value {
        self.run(&["sessions", "--json"]).await.json()
    }

    /// Waits until the process of the session is gone: until then it holds its lock.
    pub async fn gone(&self, session: &str) {
        let lock = std::fs::File::open(self.path("run/webhand").join(format!("{session}.alive"))).unwrap();
        let held = tokio::task::spawn_blocking(move || lock.lock());
        timeout(PATIENCE, held).await.expect("the session's process should end").unwrap().unwrap();
    }

    /// What is left of browsers in the folder for temporary files.
    pub fn left_behind(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.path("tmp")).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    }
}

impl Drop for Person {
    /// A test that broke off leaves no session behind.
    fn drop(&mut self) {
        let sessions = std::fs::read_dir(self.path("run/webhand")).into_iter().flatten().flatten();
        if sessions.into_iter().any(|entry| entry.path().extension().is_some_and(|ending| ending == "socket")) {
            let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_webhand"));
            command.args(["close", "--all"]).env("HOME", self.home.path()).env("XDG_RUNTIME_DIR", self.path("run"));
            let _ = command.current_dir(self.home.path()).output();
        }
    }
}

/// Whether a process is there.
pub fn lives(pid: u64) -> bool {
    Path::new("/proc").join(pid.to_string()).join("cmdline").exists()
        && std::fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|command| !command.is_empty())
}

/// Ends a process that a test started, hard.
pub fn kill(pid: u64) {
    let pid = rustix::process::Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
}
