//! Where the view begins and ends, marked by a line of its own instead of a word on every line.

use super::line::{Kind, Line, Lines, NO_PARENT};

/// Shorter stretches of lines in view are not marked (where there is a longer one), …
const SHORTEST_SEEN: usize = 3;
/// … nor are shorter ones out of view.
const SHORTEST_UNSEEN: usize = 5;
/// At most so many marks.
const MOST: usize = 12;

/// Puts marks where the lines pass into or out of the view.
pub(super) fn mark(lines: &mut Lines) {
    let runs = runs(&lines.lines);
    let Some(first) = runs.iter().position(|run| run.in_view) else { return };
    let last = runs.iter().rposition(|run| run.in_view).unwrap_or(first);
    let mut marks = Vec::new();
    for (index, run) in runs.iter().enumerate().take(MOST) {
        let words = match index {
            0 if run.in_view => continue,
            _ if run.in_view => "--- in view ---",
            _ if index < first => "--- above the view ---",
            _ if index > last => "--- below the view ---",
            _ => "--- out of view ---",
        };
        marks.push((run.start, words));
    }
    insert(lines, &marks);
}

struct Run {
    start: usize,
    length: usize,
    in_view: bool,
}

/// The stretches of lines in and out of view, those too short to be marked taken into what stands around them.
fn runs(lines: &[Line]) -> Vec<Run> {
    let mut whole: Vec<Run> = Vec::new();
    for (index, line) in lines.iter().enumerate().filter(|(_, line)| line.kind != Kind::Header) {
        match whole.last_mut() {
            Some(run) if run.in_view == line.in_view => run.length += 1,
            _ => whole.push(Run { start: index, length: 1, in_view: line.in_view }),
        }
    }
    let any_seen = whole.iter().any(|run| run.in_view && run.length >= SHORTEST_SEEN);
    let seen = absorb(whole, |run| any_seen && run.in_view && run.length < SHORTEST_SEEN);
    absorb(seen, |run| !run.in_view && run.length < SHORTEST_UNSEEN)
}

/// Takes short stretches into those around them.
fn absorb(whole: Vec<Run>, short: impl Fn(&Run) -> bool) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for run in whole {
        match runs.as_mut_slice() {
            [.., around, between] if short(between) => {
                around.length += between.length + run.length;
                runs.pop();
            }
            [first] if short(first) => *first = Run { start: first.start, length: first.length + run.length, ..run },
            _ => runs.push(run),
        }
    }
    if runs.len() > 1 {
        runs.pop_if(|last| short(last));
    }
    runs
}

fn insert(lines: &mut Lines, marks: &[(usize, &'static str)]) {
    if marks.is_empty() {
        return;
    }
    let old = std::mem::take(&mut lines.lines);
    lines.lines.reserve(old.len() + marks.len());
    let mut moved = Vec::with_capacity(old.len());
    let mut next = marks.iter().peekable();
    for (index, mut line) in old.into_iter().enumerate() {
        if let Some((_, words)) = next.next_if(|(at, _)| *at == index) {
            let start = lines.text.len();
            lines.text.push_str(words);
            let mut mark = Line::new(Kind::Mark);
            mark.in_view = true;
            lines.close(start, mark);
        }
        if line.parent != NO_PARENT {
            line.parent = moved.get(line.parent as usize).copied().unwrap_or(NO_PARENT);
        }
        moved.push(u32::try_from(lines.lines.len()).unwrap_or(NO_PARENT));
        lines.lines.push(line);
    }
}
