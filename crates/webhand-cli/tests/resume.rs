//! A run whose process is killed hard is taken up again and comes to its right end, with nothing done twice.

#![allow(clippy::unwrap_used, missing_docs)]

use std::{
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Command, Output, Stdio},
};

use serde_json::Value;

fn webhand(home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_webhand"));
    command.env("XDG_STATE_HOME", home.join("state")).env("WEBHAND_LOG", "warn").stdin(Stdio::null());
    command
}

fn lines(output: &Output) -> Vec<Value> {
    String::from_utf8_lossy(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Runs the demo until that many actions are told, and kills it in the middle of what comes next.
fn killed_after(home: &Path, actions: usize) {
    let out = home.join("run");
    let mut demo = webhand(home)
        .args(["demo", "--slow", "20ms", "--out"])
        .arg(&out)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let told = BufReader::new(demo.stdout.take().unwrap()).lines().map_while(Result::ok);
    let acted = told.filter(|line| line.trim_start().starts_with("-> ")).take(actions).count();
    assert_eq!(acted, actions, "the demo was over before it could be killed");
    demo.kill().unwrap();
    demo.wait().unwrap();
}

fn comes_to_its_end(actions: usize) {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    killed_after(home, actions);
    let listed = lines(&webhand(home).args(["runs", "--json"]).output().unwrap());
    assert_eq!(listed[0]["state"], "interrupted", "{listed:?}");
    let id = listed[0]["id"].as_str().unwrap();
    let resumed = webhand(home).args(["resume", id, "--json"]).output().unwrap();
    let last = lines(&resumed).pop().unwrap();
    assert_eq!(last["ok"], true, "{}\n{last:#}", String::from_utf8_lossy(&resumed.stderr));
    let shop: Value = serde_json::from_slice(&std::fs::read(home.join("run/shop.json")).unwrap()).unwrap();
    assert_eq!(shop["orders"].as_array().unwrap().len(), 1, "one order, whatever was done again");
    assert_eq!(shop["orders"][0][1]["number"], last["order"]);

    let listed = lines(&webhand(home).args(["runs", "--json"]).output().unwrap());
    assert_eq!((listed.len(), &listed[0]["state"], &listed[0]["end"]), (1, &"over".into(), &"done".into()));
    let again = webhand(home).args(["resume", id, "--json"]).output().unwrap();
    assert_eq!(lines(&again)[0]["error"]["code"], "run_over");
    let seen = webhand(home).args(["show", &id[..6], "--step", "1", "--prompt"]).output().unwrap();
    let seen = String::from_utf8_lossy(&seen.stdout).into_owned();
    assert!(seen.contains("# Task\nOpen http://127.0.0.1:") && seen.contains("# Step 1: the page now"), "{seen}");
    let shown = webhand(home).args(["show", id]).output().unwrap();
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(shown.contains("taken up again") && shown.contains("end: done: WH-"), "{shown}");
}

#[test]
fn a_run_that_was_killed_at_its_beginning_comes_to_its_end() {
    comes_to_its_end(2);
}

#[test]
fn a_run_that_was_killed_over_a_half_filled_form_comes_to_its_end() {
    comes_to_its_end(11);
}

#[test]
fn a_run_that_was_killed_with_a_dialog_open_comes_to_its_end() {
    comes_to_its_end(17);
}

#[test]
fn a_run_that_is_not_there_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let output = webhand(folder.path()).args(["resume", "nothing", "--json"]).output().unwrap();
    let told = lines(&output).remove(0);
    assert_eq!((told["error"]["code"].as_str(), told["ok"].as_bool()), (Some("no_run"), Some(false)));
    assert!(told["error"]["hint"].as_str().unwrap().contains("webhand runs"));
}
