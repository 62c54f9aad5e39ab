//! A browser that runs already: it stays as it was, but for a tab of our own.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a helper of tests may panic")]

mod support;

use std::process::Stdio;

use support::{Person, nobody_there, site};
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{Child, Command},
};

/// A browser as a person would start it; it ends with the test, with all that it started.
struct Running {
    process: Child,
    address: String,
}

impl Drop for Running {
    fn drop(&mut self) {
        // Often it is a script that starts the browser: the group has both.
        let group = self.process.id().and_then(|id| rustix::process::Pid::from_raw(i32::try_from(id).ok()?));
        if let Some(group) = group {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
    }
}

async fn running(person: &Person) -> Running {
    let found = webhand::engine::Find::new().first().unwrap();
    let mut process = Command::new(found.path)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"])
        .arg(format!("--user-data-dir={}", person.path("profile").display()))
        .arg("about:blank#mine")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .unwrap();
    let mut said = BufReader::new(process.stderr.take().unwrap()).lines();
    let address = async {
        loop {
            let line = said.next_line().await.unwrap().expect("it should say where it listens");
            if let Some((_, address)) = line.split_once("DevTools listening on ") {
                // It goes on to speak: somebody must listen.
                tokio::spawn(async move { while let Ok(Some(_)) = said.next_line().await {} });
                return address.trim().to_owned();
            }
        }
    };
    let address = tokio::time::timeout(support::PATIENCE, address).await.unwrap();
    Running { process, address }
}

#[tokio::test]
async fn a_running_browser_is_used_and_stays() {
    let person = Person::new();
    let url = format!("{}/form", site().await);
    let mut browser = running(&person).await;
    let address = browser.address.clone();
    person.run(&["snapshot", "--cdp", &address, "--url", &url]).await.says("I1 \"Name\"");
    person.run(&["open", &url, "--cdp", &address]).await.says("loaded");
    person.run(&["fill", "--selector", "input", "tea"]).await.says("filled");
    let tabs = person.run(&["tabs"]).await;
    tabs.says("about:blank#mine").says(&url);
    assert_eq!(tabs.stdout.lines().count(), 2, "the tab of the first command is gone: {tabs:?}");
    person.run(&["close"]).await.says("ended");
    person.gone("default").await;
    assert!(browser.process.try_wait().unwrap().is_none(), "it is not ours to end");
    let tabs = person.run(&["tabs", "--cdp", &address]).await;
    assert!(tabs.stdout.contains("about:blank#mine") && !tabs.stdout.contains(&url), "{tabs:?}");
    person.run(&["close"]).await.says("ended");
    person.gone("default").await;
}

#[tokio::test]
async fn where_no_browser_listens_it_says_so() {
    let person = Person::new();
    let nowhere = nobody_there().replace("http://", "ws://");
    person.run(&["snapshot", "--cdp", &nowhere, "--url", "about:blank"]).await.fails(3, "not_attached");
    person.run(&["snapshot", "--cdp", "9222"]).await.fails(3, "webSocketDebuggerUrl");
    person.gone("default").await;
}
