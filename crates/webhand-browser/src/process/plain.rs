//! Starts a browser where there is neither `/bin/sh` nor a way to hand pipes
//! down: it listens on a port of loopback, and is ended with its owner.

use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{ChildStderr, Command};
use tokio::sync::{Notify, oneshot, watch};

use super::profile;
use super::{Channel, Start, Tail};
use crate::error::BrowserError;

/// How long the browser may take to tell its address.
const TOLD_WITHIN: Duration = Duration::from_secs(20);
const TOLD_BY: &str = "DevTools listening on ";

/// A running browser. Dropping it ends the browser.
#[derive(Debug)]
pub(crate) struct Running {
    pid: u32,
    end: Arc<Notify>,
    over: watch::Receiver<bool>,
    tail: Arc<Tail>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end.notify_one();
    }
}

impl Running {
    /// The browser's process id.
    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }

    /// The last lines that the browser printed.
    pub(crate) fn said(&self) -> String {
        self.tail.text()
    }

    /// Ends the browser at once instead of letting it end by itself.
    pub(crate) fn end_now(&self) {
        self.end.notify_one();
    }

    /// Waits until the browser and its private profile are gone.
    pub(crate) async fn over(&self) {
        let mut over = self.over.clone();
        let _ = over.wait_for(|over| *over).await;
    }
}

/// Starts the browser.
pub(crate) async fn start(start: Start) -> Result<(Running, Channel), BrowserError> {
    let mut data = std::ffi::OsString::from("--user-data-dir=");
    data.push(start.profile.data());
    let mut child = Command::new(&start.executable)
        .arg("--remote-debugging-port=0")
        .arg(data)
        .args(&start.arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| BrowserError::LaunchFailed {
            detail: format!("{} could not be started: {error}", start.executable.display()),
        })?;
    let tail = Arc::new(Tail::default());
    let (tell, told) = oneshot::channel();
    if let Some(errors) = child.stderr.take() {
        tokio::spawn(keep_tail(errors, Arc::clone(&tail), tell));
    }
    let (tell_over, over) = watch::channel(false);
    let end = Arc::new(Notify::new());
    let running = Running { pid: child.id().unwrap_or_default(), end: Arc::clone(&end), over, tail: Arc::clone(&tail) };
    tokio::spawn(async move {
        tokio::select! {
            _ = child.wait() => {}
            () = end.notified() => {
                let _ = child.kill().await;
            }
        }
        let profile = start.profile;
        let _ = tokio::task::spawn_blocking(move || {
            let folder = profile.to_remove().map(ToOwned::to_owned);
            // An open file cannot be removed on every system.
            drop(profile);
            if let Some(folder) = folder {
                profile::remove(&folder);
            }
        })
        .await;
        let _ = tell_over.send(true);
    });
    match tokio::time::timeout(TOLD_WITHIN, told).await {
        Ok(Ok(address)) => Ok((running, Channel::Address(address))),
        _ => Err(BrowserError::LaunchFailed { detail: format!("it told no address; it said: {}", tail.text()) }),
    }
}

async fn keep_tail(errors: ChildStderr, tail: Arc<Tail>, tell: oneshot::Sender<String>) {
    let mut tell = Some(tell);
    let mut errors = BufReader::new(errors);
    let mut line = Vec::new();
    loop {
        line.clear();
        // A line without an end must not be kept in memory whole.
        match (&mut errors).take(4096).read_until(b'\n', &mut line).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let text = String::from_utf8_lossy(&line);
        match text.trim().strip_prefix(TOLD_BY) {
            Some(address) => {
                if let Some(tell) = tell.take() {
                    let _ = tell.send(address.to_owned());
                }
            }
            None => tail.push(&text),
        }
    }
}
