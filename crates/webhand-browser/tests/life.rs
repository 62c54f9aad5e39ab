//! Browsers come up or say why not, and leave nothing behind, however they or
//! their owner end.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

mod support;

use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use support::{BOTH, PATIENCE, Site, alone, launch, launch_with};
use webhand_browser::cdp::protocol::runtime;
use webhand_browser::{Browser, BrowserError, Headless, Launch, TabEvent};

/// The processes whose command line names that folder, dead ones apart.
fn processes_on(folder: &Path) -> Vec<i32> {
    let needle = folder.to_str().unwrap().to_owned();
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|pid| {
            let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).contains(&needle)
        })
        .collect()
}

fn reaper_of(folder: &Path) -> i32 {
    let is_reaper = |pid: &i32| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let parent = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let session: i32 = parent.rsplit(") ").next().unwrap().split(' ').nth(3).unwrap().parse().unwrap();
        String::from_utf8_lossy(&line).contains("webhand-reaper") && session == *pid
    };
    processes_on(folder).into_iter().find(is_reaper).expect("the reaper")
}

fn signal(pid: i32, signal: Signal) {
    kill_process(Pid::from_raw(pid).unwrap(), signal).unwrap();
}

/// Waits for it, and gives how long that took.
fn wait_for(what: &str, limit: Duration, is_so: impl Fn() -> bool) -> Duration {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < limit, "{what}: not within {limit:?}");
        std::thread::yield_now();
    }
    began.elapsed()
}

fn is_gone(folder: &Path) -> bool {
    !folder.exists() && processes_on(folder).is_empty()
}

/// This very program, as the owner of a browser that is to be killed.
struct Owner {
    process: Child,
    profile: PathBuf,
}

impl Owner {
    fn start(headless: Headless, root: &Path) -> Self {
        let mut process = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "owner_of_a_browser", "--ignored", "--nocapture", "--test-threads=1"])
            .env("OWNER_KIND", format!("{headless:?}"))
            .env("OWNER_ROOT", root)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let out = std::io::BufReader::new(process.stdout.take().unwrap());
        let profile = out
            .lines()
            .map_while(Result::ok)
            .find_map(|line| line.split_once("profile: ").map(|(_, profile)| PathBuf::from(profile)))
            .expect("the owner tells its profile");
        Self { process, profile }
    }

    fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

#[test]
#[ignore = "run by the other tests as a process of its own"]
fn owner_of_a_browser() {
    let Ok(root) = std::env::var("OWNER_ROOT") else { return };
    let headless = match std::env::var("OWNER_KIND").as_deref() {
        Ok("New") => Headless::New,
        _ => Headless::Shell,
    };
    alone(async {
        let browser = launch_with(headless, |launch| launch.profile_root(root)).await;
        let tab = browser.default_context().new_tab(None).await.unwrap();
        println!("profile: {}", browser.info().profile.as_ref().unwrap().display());
        // Until it is killed, or the test that wanted it gave up.
        let _ = tokio::time::timeout(PATIENCE, browser.lost()).await;
        drop(tab);
    });
}

#[test]
fn an_owner_that_is_killed_leaves_nothing_behind() {
    for headless in BOTH {
        let root = tempfile::tempdir().unwrap();
        let mut owner = Owner::start(headless, root.path());
        assert!(owner.profile.starts_with(root.path()) && owner.profile.is_dir());
        assert!(processes_on(&owner.profile).len() >= 3);
        owner.kill();
        wait_for("everything gone", Duration::from_secs(2), || is_gone(&owner.profile));
        assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 0);
    }
}

#[test]
fn when_the_reaper_is_killed_too_the_next_launch_sweeps() {
    let root = tempfile::tempdir().unwrap();
    let mut owner = Owner::start(Headless::Shell, root.path());
    let owner_pid = i32::try_from(owner.process.id()).unwrap();
    signal(owner_pid, Signal::STOP);
    let reaper = Pid::from_raw(reaper_of(&owner.profile)).unwrap();
    kill_process_group(reaper, Signal::KILL).unwrap();
    owner.kill();
    let over = || processes_on(&owner.profile).is_empty();
    wait_for("the browser gone", Duration::from_secs(5), over);
    assert!(owner.profile.is_dir(), "nobody was there to remove it");
    // A process lets go of its files a moment after it can no longer be seen.
    let lock = std::fs::File::open(owner.profile.join("lock")).unwrap();
    wait_for("the lock free", Duration::from_secs(5), || lock.try_lock().is_ok());
    drop(lock);
    alone(async {
        let browser = launch_with(Headless::Shell, |launch| launch.profile_root(root.path())).await;
        assert!(!owner.profile.exists(), "swept");
        let own = browser.info().profile.clone().unwrap();
        assert!(own.is_dir());
        browser.close().await;
        assert!(is_gone(&own));
    });
}

#[test]
fn when_owner_and_reaper_are_killed_the_rest_of_it_cleans_up() {
    let root = tempfile::tempdir().unwrap();
    let mut owner = Owner::start(Headless::Shell, root.path());
    signal(i32::try_from(owner.process.id()).unwrap(), Signal::STOP);
    signal(reaper_of(&owner.profile), Signal::KILL);
    owner.kill();
    wait_for("everything gone", Duration::from_secs(5), || is_gone(&owner.profile));
}

#[test]
fn when_only_the_reaper_is_killed_its_work_is_done_here() {
    alone(async {
        let root = tempfile::tempdir().unwrap();
        let browser = launch_with(Headless::Shell, |launch| launch.profile_root(root.path())).await;
        let profile = browser.info().profile.clone().unwrap();
        signal(reaper_of(&profile), Signal::KILL);
        let lost = tokio::time::timeout(PATIENCE, browser.lost()).await.unwrap();
        assert_eq!(lost.code(), "browser_lost");
        wait_for("everything gone", Duration::from_secs(5), || is_gone(&profile));
    });
}

#[test]
fn closing_waits_until_all_is_gone() {
    alone(async {
        for headless in BOTH {
            let root = tempfile::tempdir().unwrap();
            let browser = launch_with(headless, |launch| launch.profile_root(root.path())).await;
            let profile = browser.info().profile.clone().unwrap();
            assert!(profile.join("data").is_dir());
            browser.close().await;
            assert!(!profile.exists());
            assert!(browser.is_lost());
            let late = browser.new_context().await.unwrap_err();
            assert_eq!(late.code(), "browser_lost");
            wait_for("helpers gone", Duration::from_secs(2), || is_gone(&profile));
        }
    });
}

#[test]
fn the_last_handle_takes_the_browser_with_it() {
    alone(async {
        let root = tempfile::tempdir().unwrap();
        let browser = launch_with(Headless::Shell, |launch| launch.profile_root(root.path())).await;
        let profile = browser.info().profile.clone().unwrap();
        let tab = browser.default_context().new_tab(None).await.unwrap();
        drop(browser);
        assert_eq!(support::evaluate(&tab, "1").await, "1", "a tab is a handle too");
        drop(tab);
        wait_for("everything gone", Duration::from_secs(2), || is_gone(&profile));
    });
}

#[test]
fn a_profile_of_the_callers_own_is_kept() {
    alone(async {
        let folder = tempfile::tempdir().unwrap();
        let browser = launch_with(Headless::Shell, |launch| launch.profile(folder.path())).await;
        assert_eq!(browser.info().profile.as_deref(), Some(folder.path()));
        browser.close().await;
        assert!(std::fs::read_dir(folder.path()).unwrap().count() > 0);
        wait_for("processes gone", Duration::from_secs(2), || processes_on(folder.path()).is_empty());
    });
}

#[test]
fn a_browser_that_dies_in_mid_command_is_a_typed_error() {
    alone(async {
        let site = Site::start().await;
        let browser = launch(Headless::Shell).await;
        let profile = browser.info().profile.clone().unwrap();
        let tab = browser.default_context().new_tab(Some(&site.url("/one"))).await.unwrap();
        let mut events = tab.events();
        let mut endless = runtime::Evaluate::new("new Promise(() => {})");
        endless.await_promise = Some(true);
        let pending = tab.session().send(&endless);
        let group = i32::try_from(browser.info().pid.unwrap()).unwrap();
        kill_process_group(Pid::from_raw(group).unwrap(), Signal::KILL).unwrap();
        let error = tab.race(pending, PATIENCE).await.unwrap_err();
        assert_eq!(error.code(), "browser_lost", "{error}");
        support::heard(&mut events, |event| *event == TabEvent::Closed).await;
        assert_eq!(events.next().await, None);
        assert!(tab.is_closed() && tab.frames().is_empty() && browser.tabs().is_empty());
        let error = tab.navigate(&site.url("/two"), PATIENCE).await.unwrap_err();
        assert_eq!(error.code(), "browser_lost");
        assert_eq!(tab.close().await.ok(), Some(()), "closing what is gone is no error");
        let again = browser.default_context().new_tab(None).await.unwrap_err();
        assert_eq!(again.code(), "browser_lost");
        wait_for("everything gone", Duration::from_secs(5), || is_gone(&profile));
    });
}

fn script(folder: &Path, text: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join("browser");
    std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[test]
fn a_launch_that_fails_says_why_and_leaves_nothing() {
    alone(async {
        let root = tempfile::tempdir().unwrap();
        let bin = tempfile::tempdir().unwrap();
        let broken = script(bin.path(), "echo 'libnss3.so: cannot open' >&2; exit 127");
        let start = |path: &Path| Launch::default().executable(path).profile_root(root.path());
        let error = Browser::launch(start(&broken)).await.unwrap_err();
        assert_eq!(error.code(), "launch_failed");
        assert!(error.to_string().contains("libnss3.so: cannot open"), "{error}");
        assert!(error.hint().is_some());

        let blind = script(bin.path(), "echo 'ERROR: Missing X server or $DISPLAY' >&2; exit 1");
        let error = Browser::launch(start(&blind).headless(Headless::Off)).await.unwrap_err();
        assert_eq!(error.code(), "no_display", "{error}");
        assert!(error.hint().is_some_and(|hint| hint.contains("xvfb-run") && hint.contains("--headed")));

        let silent = script(bin.path(), "exec sleep 600");
        let began = Instant::now();
        let launch = start(&silent).deadline(Duration::from_millis(500));
        let error = Browser::launch(launch).await.unwrap_err();
        assert!(matches!(error, BrowserError::LaunchFailed { .. }), "{error}");
        assert!(began.elapsed() < Duration::from_secs(5));

        let missing = Browser::launch(start(Path::new("/nowhere/chrome"))).await.unwrap_err();
        assert_eq!(missing.code(), "browser_not_found");
        wait_for("nothing left", Duration::from_secs(3), || {
            std::fs::read_dir(root.path()).unwrap().count() == 0 && processes_on(root.path()).is_empty()
        });
    });
}
