//! What is printed: data to standard output, everything else to standard error. The only module that prints.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is where the face speaks")]

use std::{
    fmt::Write as _,
    io::{self, IsTerminal as _, Write as _},
};

use serde::Serialize;
use serde_json::{Value, json};
use webhand::{
    agent::{ActionRecord, End, models::literal},
    prelude::{Action, Outcome, Report},
};

use crate::{
    exit::Exit,
    session::protocol::{Answer, Ran, Seen, Status},
    trouble::Trouble,
};

/// How things are printed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Output {
    pub(crate) json: bool,
    pub(crate) colour: bool,
}

impl Output {
    /// As it is asked for, and as the terminal allows.
    pub(crate) fn new(json: bool, no_colour: bool) -> Self {
        Self { json, colour: !no_colour && io::stderr().is_terminal() }
    }

    /// A text for people, or for the program behind the pipe.
    pub(crate) fn text(self, text: &str) {
        let mut out = io::stdout().lock();
        // Whoever closed the pipe wants no more.
        let _ = out.write_all(text.as_bytes());
        if !text.ends_with('\n') && !text.is_empty() {
            let _ = out.write_all(b"\n");
        }
        let _ = out.flush();
    }

    /// Bytes that are no text.
    pub(crate) fn bytes(self, bytes: &[u8]) {
        let mut out = io::stdout().lock();
        let _ = out.write_all(bytes).and_then(|()| out.flush());
    }

    /// One object on a line of its own.
    pub(crate) fn object(self, value: &impl Serialize) {
        match serde_json::to_string(value) {
            Ok(line) => self.text(&line),
            Err(error) => {
                let _ = writeln!(io::stderr(), "this cannot be written as JSON: {error}");
            }
        }
    }

    /// A word for people at a terminal; nobody else gets it.
    pub(crate) fn aside(self, text: &str) {
        if !self.json && io::stderr().is_terminal() {
            let _ = writeln!(io::stderr(), "{text}");
        }
    }

    /// What went wrong.
    pub(crate) fn trouble(self, trouble: &Trouble) -> Exit {
        if self.json {
            self.object(&json!({ "ok": false, "error": trouble }));
        } else {
            let _ = write!(io::stderr(), "{}", self.drawn(trouble));
        }
        trouble.exit()
    }

    fn drawn(self, trouble: &Trouble) -> String {
        let theme = match (io::stderr().is_terminal(), self.colour) {
            (true, true) => miette::GraphicalTheme::unicode(),
            (true, false) => miette::GraphicalTheme::unicode_nocolor(),
            (false, _) => miette::GraphicalTheme::none(),
        };
        let handler = miette::GraphicalReportHandler::new_themed(theme).with_wrap_lines(false);
        let mut drawn = String::new();
        match handler.render_report(&mut drawn, trouble) {
            Ok(()) => drawn,
            Err(_) => format!("{trouble}\n"),
        }
    }

    /// What came of an order.
    pub(crate) fn answer(self, answer: &Answer) -> Exit {
        match answer {
            Answer::Outcome(outcome) => self.outcome(outcome),
            Answer::Report(report) => self.report(report),
            Answer::Run(ran) => self.run(ran),
            Answer::Snapshot(seen) => self.seen(seen),
            Answer::Status(status) => self.status(status),
            Answer::Closed => Exit::Ok,
            Answer::Trouble(trouble) => self.trouble(trouble),
        }
    }

    fn outcome(self, outcome: &Outcome) -> Exit {
        if self.json {
            self.object(outcome);
            return outcome.error.as_ref().map_or(Exit::Ok, |error| Trouble::from(error).exit());
        }
        match &outcome.error {
            Some(error) => self.trouble(&Trouble::from(error)),
            None => {
                match read_text(outcome) {
                    Some(data) => {
                        self.text(&data);
                        self.aside(&outcome.to_string());
                    }
                    None => self.text(&outcome.to_string()),
                }
                Exit::Ok
            }
        }
    }

    fn report(self, report: &Report) -> Exit {
        if self.json {
            self.object(&json!({ "ok": report.all_done(), "items": report.items }));
        } else {
            self.text(&report.to_string());
            for data in report.outcomes().filter_map(read_text) {
                self.text(&data);
            }
        }
        let tried = report.outcomes().any(|outcome| outcome.ok);
        let error = report.outcomes().find_map(|outcome| outcome.error.as_ref());
        match error.map(|error| Trouble::from(error).exit()) {
            // Something was done before it: it is not as if nothing had been tried.
            Some(Exit::Usage) if tried => Exit::Failed,
            Some(exit) => exit,
            None if report.all_done() => Exit::Ok,
            None => Exit::Failed,
        }
    }

    fn run(self, ran: &Ran) -> Exit {
        let actions: Vec<&ActionRecord> = ran.record.iter().flat_map(|entry| &entry.actions).collect();
        if self.json {
            self.object(&json!({ "ok": ran.succeeded, "run": ran.run, "actions": actions }));
        } else {
            self.text(&steps_text(ran));
            if !ran.succeeded {
                self.trouble(&of_run(&ran.run.end));
            }
        }
        if ran.succeeded {
            return Exit::Ok;
        }
        // What a step failed at is the run's own affair, unless nothing can be done about it.
        let exits = actions.iter().rev().filter_map(|action| action.code.as_deref()).map(|code| Exit::of(code, None));
        let lost = Exit::of(ran.run.end.code(), None);
        exits.chain([lost]).find(|exit| exit.is_out_of_reach()).unwrap_or(Exit::Failed)
    }

    fn seen(self, seen: &Seen) -> Exit {
        match (&seen.page, self.json) {
            (Value::String(text), false) => self.text(text),
            (Value::String(text), true) => {
                let Seen { url, title, format, .. } = seen;
                self.object(&json!({ "ok": true, "url": url, "title": title, "format": format, "text": text }));
            }
            (page, _) => self.object(page),
        }
        Exit::Ok
    }

    fn status(self, status: &Status) -> Exit {
        if self.json {
            self.object(status);
        } else {
            let at = if status.url.is_empty() { "no browser yet" } else { &status.url };
            let busy = if status.busy { ", busy" } else { "" };
            self.text(&format!("{}  process {}{busy}  {}  {at}", status.name, status.pid, status.browser));
        }
        Exit::Ok
    }
}

/// What was done, a line a step, and what was read: without what only prepared it, and without what the trouble at the end
/// says.
fn steps_text(ran: &Ran) -> String {
    let done = ran.record.iter().filter(|entry| !literal::only_prepared(entry)).flat_map(|entry| &entry.actions);
    let end = if ran.succeeded { String::new() } else { ran.run.end.to_string() };
    let mut text = String::new();
    for action in done.filter(|action| action.name != "done") {
        let line = match (action.ok, what_was_read(action)) {
            (true, Some(read)) => read,
            (true, None) => action.message.clone(),
            // It was tried again, and then it went well.
            (false, _) if ran.succeeded => format!("failed, and tried again: {}", action.message),
            (false, _) if end.contains(action.message.trim_end_matches('.')) => continue,
            (false, _) => {
                let hint = action.hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default();
                format!("failed: {}{hint}", action.message)
            }
        };
        let _ = writeln!(text, "{line}");
    }
    text
}

/// The text that a reading step gave.
fn what_was_read(action: &ActionRecord) -> Option<String> {
    match action.name.as_str() {
        "read" => action.data.as_ref().and_then(data_text),
        "remember" => action.action.get("value").and_then(data_text),
        _ => None,
    }
}

/// Why a run did not do what was asked.
fn of_run(end: &End) -> Trouble {
    let trouble = Trouble::new(end.code(), end.to_string());
    match end {
        // What the words can be is for the reader to look up; what came of a step says itself what to do.
        End::Done { .. } | End::ModelFailed { .. } => trouble,
        End::BrowserLost { .. } => trouble.hint("`webhand open ADDRESS` starts a new session"),
        _ => trouble.hint(
            "`webhand snapshot` shows where the page stands; where it hangs: `webhand tab new`, `webhand tab close` or \
             `webhand close`",
        ),
    }
}

/// What an action was there to read; what the others have beside their message is for programs.
fn read_text(outcome: &Outcome) -> Option<String> {
    match outcome.action {
        Action::Read(_)
        | Action::Expand(_)
        | Action::Find(_)
        | Action::Options(_)
        | Action::Screenshot(_)
        | Action::Custom(_) => outcome.data.as_ref().and_then(data_text),
        Action::Extract(_) => Some(outcome.data.as_ref()?.get("data")?.to_string()),
        Action::Evaluate(_) => {
            let value = outcome.data.as_ref()?.get("value")?;
            Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned))
        }
        Action::Tab(_) => outcome.data.as_ref().filter(|_| !outcome.effects.any()).and_then(data_text),
        _ => None,
    }
}

/// Data as plain text: a text as it stands, a list a line an item.
fn data_text(data: &Value) -> Option<String> {
    let lines = |items: &[Value]| items.iter().map(line_of).collect::<Vec<_>>().join("\n");
    match data {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        Value::Array(items) => Some(lines(items)),
        Value::Object(fields) => {
            let text = ["text", "content", "value"].iter().find_map(|key| fields.get(*key)?.as_str());
            let list = fields.values().find_map(Value::as_array);
            match (text, list) {
                (Some(text), _) => Some(text.to_owned()),
                (None, Some(items)) => Some(lines(items)),
                (None, None) => Some(data.to_string()),
            }
        }
        other => Some(other.to_string()),
    }
}

/// One thing that was found or listed: its line where it has one, else what it says about itself.
fn line_of(item: &Value) -> String {
    let Value::Object(fields) = item else {
        return item.as_str().map_or_else(|| item.to_string(), str::to_owned);
    };
    let word = |key: &str| fields.get(key).and_then(Value::as_str).filter(|word| !word.is_empty());
    if let Some(line) = word("line") {
        return line.to_owned();
    }
    let current = fields.get("active").and_then(Value::as_bool).map(|active| if active { "*" } else { " " });
    let named: Vec<&str> = current
        .into_iter()
        .chain(["id", "ref", "role", "name", "label", "title", "url"].into_iter().filter_map(word))
        .collect();
    if named.is_empty() { item.to_string() } else { named.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_text_where_it_is_text() {
        assert_eq!(data_text(&json!({"text": "a\nb", "cursor": null})).as_deref(), Some("a\nb"));
        assert_eq!(
            data_text(&json!({"hits": ["a", {"line": "B1 \"x\""}], "total": 2})).as_deref(),
            Some("a\nB1 \"x\"")
        );
        let tabs = json!({"tabs": [{"id": "t1", "title": "", "url": "http://a/", "active": true, "opener": null}]});
        assert_eq!(data_text(&tabs).as_deref(), Some("* t1 http://a/"));
        assert_eq!(data_text(&json!({"a": 1, "b": 2})).as_deref(), Some("{\"a\":1,\"b\":2}"));
        assert_eq!(data_text(&Value::Null), None);
    }

    #[test]
    fn trouble_is_drawn_with_code_and_hint() {
        let trouble = Trouble::new("navigation", "http://x/: nobody there").kind("refused").hint("try again");
        let drawn = Output { json: false, colour: false }.drawn(&trouble);
        for part in ["navigation (refused)", "nobody there", "try again"] {
            assert!(drawn.contains(part), "{drawn}");
        }
        assert!(!drawn.contains('\u{1b}'), "{drawn:?}");
    }
}
