//! A prompt as words: what stays the same first, so that providers find it in their caches, and the page last.

use std::fmt::Write as _;

use webhand_guard::Fence;

use super::{Prompt, Role};
use crate::record::{ActionRecord, RecordEntry};

/// So many characters of an action's data are shown again in later steps.
const DATA_SHOWN: usize = 2_000;

impl Prompt {
    /// Everything as one text, in the order in which a model reads it.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{}\n\n{}", self.system, self.message())
    }

    /// All but the system words: the task, what was done, and the present state last.
    #[must_use]
    pub fn message(&self) -> String {
        let mut out = format!("# Task\n{}\n", self.task);
        self.write_earlier(&mut out);
        self.write_record(&mut out);
        self.write_facts(&mut out);
        if let Some(plan) = &self.plan {
            let _ = write!(out, "\n# Plan\n{plan}\n");
        }
        for note in &self.notes {
            let _ = write!(out, "\n# From the person you work for\n{note}\n");
        }
        if let Some(feedback) = &self.feedback {
            let _ = write!(out, "\n# Note\n{}\n", self.fence.inside(feedback));
        }
        for image in &self.images {
            let _ = write!(out, "\n# Picture\n{}\n", image.what);
        }
        match self.role {
            Role::Navigator => drop(write!(out, "\n# Step {}: the page now\n{}\n", self.step, self.state)),
            _ => drop(write!(out, "\n{}\n", self.state)),
        }
        out
    }

    fn write_earlier(&self, out: &mut String) {
        let Some(earlier) = &self.earlier else { return };
        match &earlier.summary {
            Some(summary) => {
                let _ = write!(
                    out,
                    "\n# Steps 1 to {}, as a summary that a model made\n{}\n",
                    earlier.steps,
                    self.fence.inside(summary)
                );
            }
            None => {
                let _ = write!(out, "\n# Steps 1 to {} are not shown any more\n", earlier.steps);
            }
        }
    }

    fn write_record(&self, out: &mut String) {
        if self.record.is_empty() {
            return;
        }
        out.push_str("\n# Done so far\n");
        let last = self.record.len() - 1;
        for (at, entry) in self.record.iter().enumerate() {
            out.push_str(&entry_text(entry, at == last, &self.fence));
        }
    }

    fn write_facts(&self, out: &mut String) {
        if self.facts.is_empty() {
            return;
        }
        out.push_str("\n# Facts kept\n");
        for fact in &self.facts {
            let from = match (fact.source.as_str(), fact.from_page) {
                ("", _) => String::new(),
                (source, true) => format!(" (said by {source})"),
                (source, false) => format!(" (noted at {source})"),
            };
            let _ = writeln!(out, "{}", self.fence.wrap("fact", &format!("{}: {}{from}", fact.key, fact.value)));
        }
    }
}

/// One step of the record as a model reads it. What an action read is whole in the newest one only: `data` is kept by facts.
pub(crate) fn entry_text(entry: &RecordEntry, newest: bool, fence: &Fence) -> String {
    let mut out = format!("{}. {}\n", entry.step, fence.inside(&entry.goal));
    if !entry.memory.is_empty() {
        let _ = writeln!(out, "   memory: {}", fence.inside(&entry.memory));
    }
    for action in &entry.actions {
        let result = if !action.ran {
            "not run"
        } else if action.ok {
            "ok"
        } else {
            "failed"
        };
        let _ = writeln!(out, "   {} {result}: {}", action.name, fence.wrap("result", &result_text(action, newest)));
    }
    if !entry.changed.is_empty() && !newest {
        let _ = writeln!(out, "   {}", fence.wrap("changed", &entry.changed));
    }
    if let Some(fault) = &entry.fault {
        let _ = writeln!(out, "   nothing was done: {}", fence.inside(fault));
    }
    out
}

fn result_text(action: &ActionRecord, newest: bool) -> String {
    let mut out = action.message.clone();
    if let Some(hint) = action.hint.as_ref().filter(|_| newest) {
        let _ = write!(out, "; {hint}");
    }
    let Some(data) = action.data.as_ref().filter(|data| newest && !data.is_null()) else { return out };
    let data = data.to_string();
    let shown: String = data.chars().take(DATA_SHOWN).collect();
    if shown.len() < data.len() {
        let _ = write!(out, "\n{shown} … (cut)");
    } else if !out.contains(data.trim_matches('"')) {
        let _ = write!(out, "\n{shown}");
    }
    out
}
