//! The budget: which lines stand when not all can, and what is said where others stood.
//!
//! Ranks: the page's own lines, open dialogs and the focus; then what is in view; then fields; then landmarks and
//! headings; then the rest by its distance from the view, the tails of long runs of alike lines last. A stretch left out
//! becomes one counted line. The text never holds more tokens than allowed, by the bound of [`super::tokens`]; the same
//! lines give the same bytes; the work grows with the number of lines only.

use std::fmt::Write as _;

use super::{
    FormatOptions,
    line::{Kind, Line, Lines, NO_PARENT},
    tokenizer::fitted,
    tokens::token_bound,
};
use crate::refs::Ref;

/// From a run of at least this many alike lines …
const RUN: usize = 24;
/// … the first few always rank as the rest does, …
const RUN_HEAD: usize = 5;
/// … and so do those this near to the view.
const NEAR: u32 = 20;
/// A class stops being tried after so many lines that did not fit.
const MISSES: u32 = 32;
/// What a line that stands alone costs beside its own words.
const ALONE: u32 = 16;
const CLASSES: usize = 6;

/// The lines as text, of at most as many tokens as the options allow.
pub(super) fn render(lines: &Lines, options: &FormatOptions) -> String {
    fitted(|limit| bounded(lines, limit), options.max_tokens, options.tokenizer.as_ref())
}

/// The lines as text, of at most `max_tokens` tokens by the bound (0 = all of them).
fn bounded(lines: &Lines, max_tokens: u32) -> String {
    choose(lines, max_tokens, 0, || gap_cost(lines)).map_or_else(String::new, |chosen| write(lines, &chosen))
}

/// Which lines stand, each costing `more` than its words, and one that says what is left out costing `gap`. `None` where not
/// even that has room.
fn choose(lines: &Lines, max_tokens: u32, more: u32, gap: impl FnOnce() -> u32) -> Option<Vec<bool>> {
    let mut total = 0u32;
    let fits = max_tokens == 0
        || lines.lines.iter().all(|line| {
            total = total.saturating_add(cost(lines, line) + more);
            total <= max_tokens
        });
    if fits { Some(vec![true; lines.lines.len()]) } else { Choice::make(lines, max_tokens, gap(), more) }
}

/// What a line may cost that says what is left out.
fn gap_cost(lines: &Lines) -> u32 {
    let most = lines.lines.iter().filter_map(|line| line.first).map(|handle| handle.number).max().unwrap_or(0);
    token_bound(&format!("… {0} more headings, {0}000 controls, expand B{most}", lines.lines.len())) + 3
}

/// Lines that are JSON values, the first of them about the page, as one JSON object; what is left out is a value, too.
pub(super) fn render_json(lines: &Lines, texts_left_out: usize, options: &FormatOptions) -> String {
    fitted(|limit| bounded_json(lines, texts_left_out, limit), options.max_tokens, options.tokenizer.as_ref())
}

fn bounded_json(lines: &Lines, texts_left_out: usize, max_tokens: u32) -> String {
    // the frame around the values takes its part of a limit; no limit stays none
    let room = if max_tokens == 0 { 0 } else { max_tokens.saturating_sub(FRAME).max(1) };
    let chosen = choose(lines, room, COMMA, || GAP_JSON);
    chosen.map_or_else(String::new, |chosen| write_json(lines, &chosen, texts_left_out))
}

/// What the frame of the object may cost, with the count of texts that the options left out.
const FRAME: u32 = 40;
/// What a line costs more as a value in a list.
const COMMA: u32 = 1;
/// What a value costs that says what is left out.
const GAP_JSON: u32 = 24;

fn write_json(lines: &Lines, chosen: &[bool], texts_left_out: usize) -> String {
    let mut out = String::with_capacity(lines.text.len() + lines.lines.len() * 2 + 64);
    let head = lines.lines.first().filter(|_| chosen.first() == Some(&true));
    let _ = write!(out, "{{\"page\":{},\"nodes\":[", head.map_or("{}", |line| lines.words(line)));
    let mut index = 1;
    while let Some(line) = lines.lines.get(index) {
        out.push_str(if index == 1 { "\n" } else { ",\n" });
        if chosen[index] {
            out.push_str(lines.words(line));
            index += 1;
            continue;
        }
        let end = gap_end(chosen, index);
        let _ = write!(out, "{{\"left_out\":{}", end - index);
        if let Some(handle) = handle(&lines.lines[..end], index) {
            let _ = write!(out, ",\"expand\":\"{handle}\"");
        }
        out.push('}');
        index = end;
    }
    out.push_str("\n]");
    if texts_left_out > 0 {
        let _ = write!(out, ",\"texts_left_out\":{texts_left_out}");
    }
    out.push_str("}\n");
    out
}

/// What a line costs, with its indent and end.
pub(super) fn cost(lines: &Lines, line: &Line) -> u32 {
    token_bound(lines.words(line)) + indent_cost(line.indent) + 1
}

fn indent_cost(indent: u16) -> u32 {
    if indent == 0 { 0 } else { 2 }
}

fn write(lines: &Lines, chosen: &[bool]) -> String {
    let mut out = String::with_capacity(lines.text.len() + lines.lines.len() * 3);
    let mut index = 0;
    while let Some(line) = lines.lines.get(index) {
        indent(&mut out, line.indent);
        if chosen[index] {
            out.push_str(lines.words(line));
            index += 1;
        } else {
            let end = gap_end(chosen, index);
            gap(&mut out, &lines.lines[..end], index);
            index = end;
        }
        out.push('\n');
    }
    out
}

pub(super) fn indent(out: &mut String, steps: u16) {
    for _ in 0..steps {
        out.push_str("  ");
    }
}

/// Says what is left out: the lines from `start` on.
pub(super) fn gap(out: &mut String, lines: &[Line], start: usize) {
    let left_out = &lines[start..];
    let first = left_out.first().map(|line| line.kind);
    let alike = left_out.iter().all(|line| Some(line.kind) == first);
    let what = match first {
        Some(Kind::Row) if alike => "rows",
        Some(Kind::Item) if alike => "items",
        Some(Kind::Control('L')) if alike => "links",
        Some(Kind::Control('B')) if alike => "buttons",
        Some(Kind::Field) if alike => "fields",
        Some(Kind::Heading) if alike => "headings",
        _ => "lines",
    };
    let _ = write!(out, "… {} more {what}", left_out.len());
    let controls: u64 = left_out.iter().map(|line| u64::from(line.controls)).sum();
    if controls > 0 && !matches!(what, "links" | "buttons" | "fields") {
        let _ = write!(out, ", {controls} controls");
    }
    if let Some(handle) = handle(lines, start) {
        let _ = write!(out, ", expand {handle}");
    }
}

/// The ref that opens the lines from `start` on: the first in them; texts alone are opened from the control before them.
fn handle(lines: &[Line], start: usize) -> Option<Ref> {
    let (before, left_out) = lines.split_at(start);
    left_out.iter().chain(before.iter().rev()).find_map(|line| line.first)
}

/// Where the stretch of lines ends that are left out from `start` on.
fn gap_end(chosen: &[bool], start: usize) -> usize {
    chosen[start..].iter().position(|chosen| *chosen).map_or(chosen.len(), |length| start + length)
}

/// The choice of lines in the making.
struct Choice<'a> {
    lines: &'a Lines,
    limit: u32,
    /// What one line that says what is left out may cost.
    gap: u32,
    /// What each line costs more than its words.
    more: u32,
    used: u32,
    chosen: Vec<bool>,
}

impl<'a> Choice<'a> {
    /// Makes the choice; `None` where not even a word about what is left out has room.
    fn make(lines: &'a Lines, limit: u32, gap: u32, more: u32) -> Option<Vec<bool>> {
        if gap > limit {
            return None;
        }
        let mut choice = Self { lines, limit, gap, more, used: gap, chosen: vec![false; lines.lines.len()] };
        for class in classes(lines, limit) {
            let mut misses = 0;
            for index in class {
                if !choice.add(index) {
                    misses += 1;
                    if misses == MISSES {
                        break;
                    }
                }
            }
        }
        choice.close_small_gaps();
        Some(choice.chosen)
    }

    fn cost(&self, index: usize) -> u32 {
        cost(self.lines, &self.lines.lines[index]).saturating_add(self.more)
    }

    /// Adds a line with all that it stands under, if that fits.
    fn add(&mut self, index: usize) -> bool {
        let (before, mut added, mut next) = (self.used, Vec::new(), index);
        while !self.chosen[next] {
            self.used = self.used.saturating_add(self.cost(next)).saturating_add_signed(self.gap_change(next));
            self.chosen[next] = true;
            added.push(next);
            match self.lines.lines[next].parent {
                NO_PARENT => break,
                parent => next = parent as usize,
            }
        }
        if self.used <= self.limit {
            return true;
        }
        for undo in added {
            self.chosen[undo] = false;
        }
        self.used = before;
        false
    }

    /// How the cost of saying what is left out changes if this line stands.
    fn gap_change(&self, index: usize) -> i32 {
        let before = index == 0 || self.chosen[index - 1];
        let after = self.chosen.get(index + 1).is_none_or(|chosen| *chosen);
        let gap = i32::try_from(self.gap).unwrap_or(i32::MAX);
        match (before, after) {
            (true, true) => -gap,
            (false, false) => gap,
            _ => 0,
        }
    }

    /// Where saying that a line is left out costs no less than the line, it stands.
    fn close_small_gaps(&mut self) {
        for index in 0..self.chosen.len() {
            let alone = !self.chosen[index] && self.gap_change(index) < 0;
            let parent = self.lines.lines[index].parent;
            if alone && (parent == NO_PARENT || self.chosen[parent as usize]) && self.cost(index) <= self.gap {
                self.chosen[index] = true;
                self.used = self.used + self.cost(index) - self.gap;
            }
        }
    }
}

/// The lines' indices by class, in each by distance from the view.
fn classes(lines: &Lines, limit: u32) -> [Vec<usize>; CLASSES] {
    let distance = distances(&lines.lines);
    let tail = tails(lines, &distance);
    let mut order: Vec<usize> = (0..lines.lines.len()).collect();
    order.sort_by_key(|index| distance[*index]);
    let (mut fields, mut headings) = (limit / 4, limit / 4);
    let mut classes: [Vec<usize>; CLASSES] = Default::default();
    for index in order {
        let line = &lines.lines[index];
        // Such a line mostly stands alone, with a word about what is left out before it.
        let within = |allowance: &mut u32| {
            let rest = (*allowance > 0).then(|| allowance.checked_sub(cost(lines, line).saturating_add(ALONE)));
            *allowance = rest.flatten().unwrap_or(0);
            *allowance > 0
        };
        let class = match line.kind {
            Kind::Header | Kind::Mark => 0,
            _ if line.urgent => 0,
            _ if line.in_view => 1,
            _ if tail[index] => 5,
            Kind::Field if within(&mut fields) => 2,
            Kind::Label | Kind::Heading | Kind::Block if within(&mut headings) => 3,
            _ => 4,
        };
        classes[class].push(index);
    }
    classes[0].sort_unstable();
    classes[1].sort_unstable();
    classes
}

/// How many lines each line is away from the nearest one in view.
fn distances(lines: &[Line]) -> Vec<u32> {
    let seen = |line: &Line| line.in_view && !matches!(line.kind, Kind::Header | Kind::Mark);
    let none = !lines.iter().any(seen);
    let mut distances = vec![u32::MAX; lines.len()];
    let mut last = if none { 0 } else { u32::MAX };
    for (index, line) in lines.iter().enumerate() {
        last = if seen(line) { 0 } else { last.saturating_add(1) };
        distances[index] = last;
    }
    last = u32::MAX;
    for (index, line) in lines.iter().enumerate().rev() {
        last = if seen(line) { 0 } else { last.saturating_add(1) };
        distances[index] = distances[index].min(last);
    }
    distances
}

/// Which lines are the tail of a long run of alike ones.
fn tails(lines: &Lines, distance: &[u32]) -> Vec<bool> {
    let count = lines.lines.len();
    let mut tails = vec![false; count];
    let mut start = 0;
    while start < count {
        let mut end = start + 1;
        while end < count && lines.alike(end - 1, end) {
            end += 1;
        }
        if end - start >= RUN {
            for index in start + RUN_HEAD..end {
                tails[index] = distance[index] > NEAR;
            }
        }
        start = end;
    }
    tails
}
