//! Starts a browser under the reaper script (`reaper.sh`) and watches both.
//!
//! The reaper needs nothing but `/bin/sh`. It is put in a session of its own
//! by `setsid` (util-linux, busybox) or `perl`, whichever there is; without
//! either it gets at least a process group of its own.

use std::io::{PipeWriter, Write};
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use command_fds::{CommandFdExt, FdMapping};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::process::{Child, ChildStderr, ChildStdout, Command};
use tokio::sync::watch;

use super::profile::{self, Profile};
use super::{Channel, Start, Tail};
use crate::error::BrowserError;
use crate::find::on_search_path;

const SCRIPT: &str = include_str!("reaper.sh");
/// How long the reaper may take to tell the browser's process id.
const TOLD_WITHIN: Duration = Duration::from_secs(10);
/// What a pipe holds, where the system allows it: snapshots and screenshots
/// then pass in few writes.
#[cfg(target_os = "linux")]
const PIPE_BYTES: usize = 1 << 20;

/// The reaper reads its end: when it closes, the browser has to go.
type Lifeline = Arc<Mutex<Option<PipeWriter>>>;

/// A running browser. Dropping it lets the browser go.
#[derive(Debug)]
pub(crate) struct Running {
    pid: u32,
    lifeline: Lifeline,
    over: watch::Receiver<bool>,
    tail: Arc<Tail>,
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.lifeline.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

impl Running {
    /// The browser's process id, which is also that of its group.
    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }

    /// The last lines that the browser printed.
    pub(crate) fn said(&self) -> String {
        self.tail.text()
    }

    /// Ends the browser at once instead of letting it end by itself.
    pub(crate) fn end_now(&self) {
        let lifeline = self.lifeline.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(mut lifeline) = lifeline {
            let _ = lifeline.write_all(b"now\n");
        }
    }

    /// Waits until the browser, its helpers and its private profile are gone.
    pub(crate) async fn over(&self) {
        let mut over = self.over.clone();
        let _ = over.wait_for(|over| *over).await;
    }
}

/// Starts the browser.
pub(crate) async fn start(start: Start) -> Result<(Running, Channel), BrowserError> {
    let failed = |what: &str, error: std::io::Error| BrowserError::LaunchFailed { detail: format!("{what}: {error}") };
    let no_pipe = |error| failed("no pipe could be made", error);
    let (their_read, our_write) = std::io::pipe().map_err(no_pipe)?;
    let (our_read, their_write) = std::io::pipe().map_err(no_pipe)?;
    let (their_life, lifeline) = std::io::pipe().map_err(no_pipe)?;
    let (their_read, our_read) = (OwnedFd::from(their_read), OwnedFd::from(our_read));
    widen(&their_read);
    widen(&our_read);

    let mut mappings = vec![mapping(their_read, 3), mapping(their_write.into(), 4)];
    if let Profile::Private { lock, .. } = &start.profile {
        let lock = lock.try_clone().map_err(|error| failed("the profile's lock", error))?;
        mappings.push(mapping(lock.into(), 6));
    }
    let mut command = command(&start);
    command.stdin(Stdio::from(OwnedFd::from(their_life)));
    command.fd_mappings(mappings).map_err(|error| BrowserError::LaunchFailed { detail: error.to_string() })?;
    let mut child = command.spawn().map_err(|error| failed("/bin/sh could not be started", error))?;
    // The command holds our copies of the browser's ends: without this the
    // browser's death would not be seen.
    drop(command);

    let tail = Arc::new(Tail::default());
    if let Some(errors) = child.stderr.take() {
        tokio::spawn(keep_tail(errors, Arc::clone(&tail)));
    }
    let told = child.stdout.take();
    let pid = match tokio::time::timeout(TOLD_WITHIN, told_pid(told)).await {
        Ok(Some(pid)) => pid,
        _ => {
            return Err(BrowserError::LaunchFailed { detail: format!("the shell did not start it. {}", tail.text()) });
        }
    };
    let (tell_over, over) = watch::channel(false);
    let lifeline: Lifeline = Arc::new(Mutex::new(Some(lifeline)));
    tokio::spawn(watch_over(child, pid, start.profile, Arc::clone(&lifeline), tell_over));
    let running = Running { pid, lifeline, over, tail };
    let channel = Channel::Pipe {
        read: Receiver::from_owned_fd(our_read).map_err(no_pipe)?,
        write: Sender::from_owned_fd(our_write.into()).map_err(no_pipe)?,
    };
    Ok((running, channel))
}

fn command(start: &Start) -> Command {
    let leader = session_leader();
    let mut words: Vec<std::ffi::OsString> = leader.clone();
    words.extend(["/bin/sh".into(), "-c".into(), script().into()]);
    words.push("webhand-reaper".into());
    words.push(match start.profile.to_remove() {
        Some(folder) => folder.into(),
        None => "".into(),
    });
    words.push(if leader.is_empty() { "" } else { "group" }.into());
    words.extend(leader.iter().cloned());
    words.push(start.executable.clone().into());
    words.push("--remote-debugging-pipe".into());
    let mut data = std::ffi::OsString::from("--user-data-dir=");
    data.push(start.profile.data());
    words.push(data);
    words.extend(start.arguments.iter().map(Into::into));

    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Some(temporary) = start.profile.temporary() {
        command.env("TMPDIR", temporary);
    }
    if let Some(folder) = start.profile.to_remove() {
        // A full browser writes crash reports even when told not to (and its
        // pages do not start when that is switched off wholly).
        command.env("BREAKPAD_DUMP_LOCATION", folder.join("crash"));
    }
    if leader.is_empty() {
        command.process_group(0);
    }
    command
}

/// The words that run the rest as the leader of a new session, in the same
/// process.
fn session_leader() -> Vec<std::ffi::OsString> {
    let search_path = std::env::var_os("PATH").unwrap_or_else(|| "/usr/bin:/bin".into());
    let path_of = |name: &str| -> Option<PathBuf> { on_search_path(&search_path, name) };
    if let Some(setsid) = path_of("setsid") {
        return vec![setsid.into()];
    }
    if let Some(perl) = path_of("perl") {
        let program = "POSIX::setsid(); exec { $ARGV[0] } @ARGV";
        return vec![perl.into(), "-MPOSIX".into(), "-e".into(), program.into(), "--".into()];
    }
    Vec::new()
}

/// The script without its comments: it shows in process listings.
fn script() -> String {
    SCRIPT.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).collect::<Vec<_>>().join("\n")
}

fn mapping(parent_fd: OwnedFd, child_fd: i32) -> FdMapping {
    FdMapping { parent_fd, child_fd }
}

#[cfg(target_os = "linux")]
fn widen(end: &OwnedFd) {
    let _ = rustix::pipe::fcntl_setpipe_size(end, PIPE_BYTES);
}

#[cfg(not(target_os = "linux"))]
fn widen(_end: &OwnedFd) {}

async fn told_pid(told: Option<ChildStdout>) -> Option<u32> {
    let mut line = String::new();
    // A shell that fails may print anything: read no more than a number.
    BufReader::new(told?.take(32)).read_line(&mut line).await.ok()?;
    line.trim().parse().ok()
}

async fn keep_tail(errors: ChildStderr, tail: Arc<Tail>) {
    let mut errors = BufReader::new(errors);
    let mut line = Vec::new();
    loop {
        line.clear();
        // A line without an end must not be kept in memory whole.
        match (&mut errors).take(4096).read_until(b'\n', &mut line).await {
            Ok(0) | Err(_) => return,
            Ok(_) => tail.push(&String::from_utf8_lossy(&line)),
        }
    }
}

/// Waits for the reaper. If somebody ended it before its work was done, its
/// work is done here.
async fn watch_over(mut child: Child, pid: u32, profile: Profile, lifeline: Lifeline, tell_over: watch::Sender<bool>) {
    let done = child.wait().await.is_ok_and(|status| status.success());
    // A part of the reaper may still be waiting on it.
    drop(lifeline.lock().unwrap_or_else(PoisonError::into_inner).take());
    let _ = tokio::task::spawn_blocking(move || {
        if !done {
            end_group(pid);
        }
        if let Some(folder) = profile.to_remove() {
            profile::remove(folder);
        }
        drop(profile);
    })
    .await;
    let _ = tell_over.send(true);
}

/// The group outlives its leader, and while it has members its number is not
/// given to anybody else.
fn end_group(pid: u32) {
    let group = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(group) = group {
        use rustix::process::{Signal, kill_process, kill_process_group};
        if kill_process_group(group, Signal::KILL).is_err() {
            let _ = kill_process(group, Signal::KILL);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn is_alive(pid: u32) -> bool {
        // A process that is dead but not yet collected is in state Z.
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let state = stat.rsplit(") ").next().unwrap_or_default();
        !matches!(state.chars().next(), None | Some('Z' | 'X'))
    }

    async fn start_script(root: &Path, script: &str) -> (Running, Channel, PathBuf) {
        use std::os::unix::fs::PermissionsExt;
        let executable = root.join("browser");
        std::fs::write(&executable, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&executable, std::fs::Permissions::from_mode(0o755)).unwrap();
        let profile = Profile::private(root).unwrap();
        let folder = profile.to_remove().unwrap().to_owned();
        let (running, channel) = super::start(Start { executable, arguments: Vec::new(), profile }).await.unwrap();
        (running, channel, folder)
    }

    async fn over_soon(running: &Running) {
        tokio::time::timeout(Duration::from_secs(5), running.over()).await.expect("the browser should be over");
    }

    #[tokio::test]
    async fn the_profile_goes_with_the_browser() {
        let root = tempfile::tempdir().unwrap();
        let (running, _channel, folder) = start_script(root.path(), "echo 'no display' >&2; exit 1").await;
        over_soon(&running).await;
        assert!(!folder.exists());
        assert!(running.said().contains("no display"), "{}", running.said());
    }

    #[tokio::test]
    async fn a_closed_pipe_is_seen_and_the_folder_goes() {
        let root = tempfile::tempdir().unwrap();
        let (running, channel, folder) = start_script(root.path(), "cat <&3 >/dev/null; exit 0").await;
        assert!(folder.exists() && is_alive(running.pid()));
        drop(channel);
        over_soon(&running).await;
        assert!(!folder.exists() && !is_alive(running.pid()));
    }

    #[tokio::test]
    async fn a_browser_that_hangs_is_ended_with_its_helpers() {
        let root = tempfile::tempdir().unwrap();
        let (running, channel, folder) =
            start_script(root.path(), "trap '' TERM; sleep 600 & echo $! >&4; while :; do sleep 600; done").await;
        let Channel::Pipe { mut read, write } = channel;
        let mut line = String::new();
        BufReader::new(&mut read).read_line(&mut line).await.unwrap();
        let helper: u32 = line.trim().parse().unwrap();
        assert!(is_alive(helper));
        running.end_now();
        over_soon(&running).await;
        assert!(!is_alive(running.pid()) && !folder.exists());
        // It was sent the signal, and dies when it is its turn to run.
        let began = std::time::Instant::now();
        while is_alive(helper) {
            assert!(began.elapsed() < Duration::from_secs(5));
            tokio::task::yield_now().await;
        }
        drop((read, write));
    }

    #[tokio::test]
    async fn a_browser_that_ignores_the_end_is_ended_after_a_grace() {
        let root = tempfile::tempdir().unwrap();
        let (running, channel, folder) = start_script(root.path(), "while :; do sleep 600; done").await;
        let pid = running.pid();
        let mut over = running.over.clone();
        drop(running);
        drop(channel);
        let gone = over.wait_for(|over| *over);
        tokio::time::timeout(Duration::from_secs(2), gone).await.expect("within two seconds").unwrap();
        assert!(!is_alive(pid) && !folder.exists());
    }
}
