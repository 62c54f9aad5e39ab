//! Runs that were written down: listing them, showing what they saw and did, taking one up again.

use std::{fmt::Write as _, io, path::PathBuf};

use serde_json::{Value, json};
use webhand::{
    agent::{Role, journal::Entry},
    journal::{RunLine, RunState, Store},
};

use crate::{args::ShowArgs, config::Environment, demo, exit::Exit, output::Output, trouble::Trouble, work::Wanted};

/// So many runs are listed.
const LISTED: u32 = 100;

/// The folder of the journal of this user.
pub(crate) fn folder(environment: &Environment) -> Result<PathBuf, Trouble> {
    let state = environment.state.as_ref().ok_or_else(|| {
        Trouble::new("journal", "there is no folder for the journal of runs")
            .hint("set HOME, or XDG_STATE_HOME to a folder of your own")
    })?;
    Ok(state.join("webhand"))
}

fn open(environment: &Environment) -> Result<Store, Trouble> {
    Store::open(&folder(environment)?).map_err(told)
}

fn told(error: webhand::agent::journal::JournalError) -> Trouble {
    let trouble = Trouble::new(error.code(), error.to_string());
    match error.hint() {
        Some(hint) => trouble.hint(hint),
        None => trouble,
    }
}

/// Lists runs, newest first.
pub(crate) fn list(output: Output, environment: &Environment) -> Result<Exit, Trouble> {
    let runs = open(environment)?.runs(LISTED).map_err(told)?;
    for run in &runs {
        if output.json {
            output.object(run);
        } else {
            output.text(&line(run));
        }
    }
    if runs.is_empty() {
        output.aside("no run is written down yet");
    }
    Ok(Exit::Ok)
}

/// `0hk3m9x2q  interrupted  12 steps  literal  Open http://…`
fn line(run: &RunLine) -> String {
    let state = match (run.state, &run.end) {
        (RunState::Over, Some(end)) => end.as_str(),
        (RunState::Running, _) => "running",
        _ => "interrupted",
    };
    let task: String = run.task.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(70).collect();
    format!("{}  {state:<12} {:>3} steps  {}  {}", run.id, run.steps, run.model, webhand::guard::visible(&task))
}

/// Shows a run, or what its model saw at one step.
pub(crate) fn show(output: Output, environment: &Environment, args: &ShowArgs) -> Result<Exit, Trouble> {
    let store = open(environment)?;
    let run = store.run(&args.id).map_err(told)?;
    let entries = store.entries(&run.id).map_err(told)?;
    if args.prompt {
        return prompt(output, &store, &entries, args.step.unwrap_or(run.steps));
    }
    if output.json {
        for entry in &entries {
            output.object(&without_state(entry)?);
        }
        return Ok(Exit::Ok);
    }
    output.text(&line(&run));
    for entry in &entries {
        if let Some(text) = words(entry, args.step) {
            output.text(&webhand::guard::visible(&text));
        }
    }
    Ok(Exit::Ok)
}

/// An entry without what the browser held: that is for going on, and nobody's to read.
fn without_state(entry: &Entry) -> Result<Value, Trouble> {
    let mut value = serde_json::to_value(entry).map_err(|error| Trouble::new("journal", error.to_string()))?;
    if let Some(fields) = value.as_object_mut() {
        fields.remove("state");
    }
    Ok(value)
}

/// The exact text that the model was given at a step.
fn prompt(output: Output, store: &Store, entries: &[Entry], wanted: u32) -> Result<Exit, Trouble> {
    let mut found = false;
    for entry in entries {
        if let Entry::Asked { step, role: Role::Navigator, prompt, .. } = entry
            && *step == wanted
        {
            found = true;
            let text = store.artefact(prompt).map_err(told)?;
            let text = String::from_utf8_lossy(&text);
            if output.json {
                output.object(&json!({ "step": step, "prompt": text }));
            } else {
                output.text(&text);
            }
        }
    }
    if found {
        return Ok(Exit::Ok);
    }
    Err(Trouble::new("no_step", format!("no model was asked at step {wanted}"))
        .hint("webhand show RUN lists the steps"))
}

fn words(entry: &Entry, wanted: Option<u32>) -> Option<String> {
    let shown = |step: u32| wanted.is_none_or(|wanted| wanted == step);
    match entry {
        Entry::Began(head) => wanted.is_none().then(|| format!("task: {}", head.task.trim_end())),
        Entry::Resumed { .. } => wanted.is_none().then(|| "taken up again".to_owned()),
        Entry::Intent { step, action, control, .. } if shown(*step) => {
            let name = action.get("type").and_then(Value::as_str).unwrap_or_default();
            let control = control.as_ref().map(|control| format!(" {} {:?}", control.role, control.name));
            Some(format!("     {name}{}", control.unwrap_or_default()))
        }
        Entry::Outcome { step, record, .. } if shown(*step) => {
            Some(format!("       {}: {}", if record.ok { "ok" } else { "FAILED" }, record.message))
        }
        Entry::Stepped(progress) if shown(progress.entry.step) => {
            let mut out = format!("{:>3}  {}  ({} ms)", progress.entry.step, progress.entry.goal, progress.step_ms);
            if let Some(fault) = &progress.entry.fault {
                let _ = write!(out, "\n     nothing was done: {fault}");
            }
            Some(out)
        }
        Entry::Follows { task } => wanted.is_none().then(|| format!("then: {task}")),
        Entry::Ended { end, partial, .. } if wanted.is_none() => {
            let mut out = format!("end: {end}");
            if let Some(partial) = partial {
                let _ = write!(out, "\nknown so far: {partial}");
            }
            Some(out)
        }
        _ => None,
    }
}

/// Takes a run up again.
pub(crate) async fn resume(
    output: Output,
    environment: &Environment,
    wanted: &Wanted,
    id: &str,
) -> Result<Exit, Trouble> {
    let store = open(environment)?;
    let id = store.run(id).map_err(told)?.id;
    let entries = store.entries(&id).map_err(told)?;
    let is_demo = matches!(entries.first(), Some(Entry::Began(head)) if demo::origin_of(head).is_some());
    if !is_demo {
        return Err(Trouble::new("not_resumable", format!("the run {id} was begun by a program of its own"))
            .hint("take it up from there: Agent::take_up"));
    }
    let writer: Box<dyn io::Write + Send> = if output.json { Box::new(io::stderr()) } else { Box::new(io::stdout()) };
    let report = Box::pin(demo::resume(wanted, store, &id, writer)).await.map_err(|error| demo_trouble(&error))?;
    Ok(demo_told(output, &report))
}

/// A demo that could not be run.
pub(crate) fn demo_trouble(error: &demo::DemoError) -> Trouble {
    let trouble = Trouble::new(error.code(), error.to_string());
    match error.hint() {
        Some(hint) => trouble.hint(hint),
        None => trouble,
    }
}

/// Tells programs how a demo ended; people have read it.
pub(crate) fn demo_told(output: Output, report: &demo::DemoReport) -> Exit {
    if output.json {
        let order = report.order.as_ref().map(|order| order.number.as_str());
        output.object(&json!({
            "ok": report.succeeded, "order": order, "run": report.run, "folder": report.folder,
        }));
    }
    if report.succeeded { Exit::Ok } else { Exit::Failed }
}
