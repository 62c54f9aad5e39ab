//! The browser's process: started under a reaper, watched, and ended with all
//! of its helpers.
//!
//! Must not know the debugging protocol. On Unix the browser speaks over a
//! pipe and is the child of a small shell script in a session of its own
//! (`reaper.sh`), so that neither a process nor a profile stays behind, even
//! when this program is killed hard. Elsewhere the browser is simply killed
//! when its owner goes.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

pub(crate) mod profile;

#[cfg(not(unix))]
mod plain;
#[cfg(unix)]
mod reaper;

#[cfg(not(unix))]
pub(crate) use plain::{Running, start};
#[cfg(unix)]
pub(crate) use reaper::{Running, start};

use profile::Profile;

/// What to start.
#[derive(Debug)]
pub(crate) struct Start {
    /// The browser.
    pub(crate) executable: PathBuf,
    /// Its arguments, without those that concern the debugging channel.
    pub(crate) arguments: Vec<String>,
    /// What it runs on.
    pub(crate) profile: Profile,
}

/// How the browser is spoken to.
#[derive(Debug)]
pub(crate) enum Channel {
    /// Over the two ends of its pipe that are ours.
    #[cfg(unix)]
    Pipe { read: tokio::net::unix::pipe::Receiver, write: tokio::net::unix::pipe::Sender },
    /// Over a WebSocket at that address.
    #[cfg(not(unix))]
    Address(String),
}

/// The last lines that the browser printed, for error messages.
#[derive(Debug, Default)]
pub(crate) struct Tail(Mutex<VecDeque<String>>);

impl Tail {
    const LINES: usize = 12;
    const LINE_BYTES: usize = 400;

    pub(crate) fn push(&self, line: &str) {
        let mut end = line.len().min(Self::LINE_BYTES);
        while !line.is_char_boundary(end) {
            end -= 1;
        }
        let line = line[..end].trim_end();
        if line.is_empty() {
            return;
        }
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == Self::LINES {
            lines.pop_front();
        }
        lines.push_back(line.to_owned());
    }

    pub(crate) fn text(&self) -> String {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.iter().cloned().collect::<Vec<_>>().join("\n")
    }
}

/// Ends every process whose command line names that profile folder, with its
/// whole group. The folder's name is random, so nobody else's can be meant.
#[cfg(target_os = "linux")]
pub(crate) fn end_processes_on(folder: &std::path::Path) {
    use rustix::process::{Pid, Signal, getpgid, getpgrp, kill_process, kill_process_group};
    use std::os::unix::ffi::OsStrExt;

    let needle = folder.as_os_str().as_bytes();
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let pid = name.to_str().and_then(|name| name.parse::<i32>().ok()).and_then(Pid::from_raw);
        let Some(pid) = pid else { continue };
        let command = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let on_folder = command.windows(needle.len().max(1)).any(|window| window == needle);
        if !on_folder || pid == rustix::process::getpid() {
            continue;
        }
        match getpgid(Some(pid)) {
            Ok(group) if group != getpgrp() => {
                let _ = kill_process_group(group, Signal::KILL);
            }
            _ => {
                let _ = kill_process(pid, Signal::KILL);
            }
        }
    }
}

/// Without `/proc` there is no cheap way to find them; they end by themselves
/// when their pipe closes.
#[cfg(not(target_os = "linux"))]
pub(crate) fn end_processes_on(_folder: &std::path::Path) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_is_bounded_both_ways() {
        let tail = Tail::default();
        for number in 0..100 {
            tail.push(&format!("{number} {}", "é".repeat(1000)));
            tail.push("   ");
        }
        let text = tail.text();
        assert_eq!(text.lines().count(), Tail::LINES);
        assert!(text.starts_with("88 "));
        assert!(text.lines().all(|line| line.len() <= Tail::LINE_BYTES));
    }
}
