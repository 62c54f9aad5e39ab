//! What changed between two snapshots of one page: what appeared, went, changed and moved.
//!
//! A pure function of the two. It compares the lines of the outline without their refs: content that was only numbered
//! anew or drawn anew has not changed.

mod align;
mod text;

#[cfg(test)]
mod tests;

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    ops::Range,
    sync::Arc,
};

use serde::{Deserialize, Serialize};

use crate::{
    format::{FormatOptions, Kind, Lines, body, screen, write_header},
    refs::Ref,
    snapshot::{Control, Node, Snapshot},
};

/// A moved text must be at least this long, in bytes, to be known again.
const TELLING: usize = 20;

/// How a later snapshot differs from an earlier one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Diff {
    /// The number of the earlier snapshot.
    pub base: u64,
    /// It shows another document, or so much changed that only the whole tells it: there are no changes then.
    pub whole: bool,
    /// The page was scrolled.
    pub scrolled: bool,
    /// The lines about the page as a whole (title, address, tabs, scroll position, an open dialog) that read otherwise.
    pub page: Vec<String>,
    /// What changed, in the order of the later snapshot; what went stands where it was.
    pub changes: Vec<Change>,
}

/// One line that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Change {
    /// What happened to it.
    pub kind: ChangeKind,
    /// The line as the outline shows it: as it is now, or, if it went, as it was.
    pub line: String,
    /// The first ref in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r#ref: Option<Ref>,
    /// The heading or landmark that it stands under.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub under: Option<String>,
}

/// What happened to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ChangeKind {
    /// It was not there before.
    Appeared,
    /// It is not there any more.
    Went,
    /// It reads otherwise.
    Changed,
    /// It stands elsewhere.
    Moved,
}

impl Diff {
    /// Whether nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.whole && self.page.is_empty() && self.changes.is_empty()
    }
}

impl Snapshot {
    /// What changed since an earlier snapshot of the session.
    ///
    /// ```
    /// use webhand_page::Snapshot;
    /// let page = Snapshot::default();
    /// assert!(page.diff(&page).is_empty());
    /// ```
    #[must_use]
    pub fn diff(&self, before: &Snapshot) -> Diff {
        let mut diff = Diff { base: before.number, ..Diff::default() };
        let document = |snapshot: &Snapshot| snapshot.frames.first().map(|frame| frame.document.clone());
        if self.page.tab != before.page.tab || document(self) != document(before) {
            diff.whole = true;
            return diff;
        }
        diff.page = page_lines(before, self);
        diff.scrolled = (self.page.pages_above - before.page.pages_above).abs() >= 0.05;
        let (was, is) = (Side::of(before), Side::of(self));
        match align::align(&was.keys, &is.keys) {
            None => {
                diff.whole = true;
                diff.page.clear();
            }
            Some(steps) => diff.changes = Comparison { was, is }.changes(&steps),
        }
        diff
    }
}

/// The lines about the page that read otherwise now.
fn page_lines(before: &Snapshot, after: &Snapshot) -> Vec<String> {
    let lines = |snapshot: &Snapshot| {
        let mut lines = Lines::default();
        write_header(&mut lines, snapshot, &FormatOptions::default().of(snapshot));
        lines.lines.iter().map(|line| lines.words(line).to_owned()).collect::<Vec<_>>()
    };
    let was = lines(before);
    let mut changed: Vec<String> = lines(after).into_iter().filter(|line| !was.contains(line)).collect();
    if before.dialog.is_some() && after.dialog.is_none() {
        changed.push("the dialog is gone".to_owned());
    }
    if let Some(by) = screen(before).filter(|_| screen(after).is_none()) {
        changed.push(format!("{by} covers the page no more"));
    }
    changed
}

/// One of the two, as lines that can be compared and read.
struct Side<'a> {
    snapshot: &'a Snapshot,
    lines: Lines,
    keys: Vec<u64>,
}

impl<'a> Side<'a> {
    fn of(snapshot: &'a Snapshot) -> Self {
        let options = FormatOptions { max_tokens: 0, ..FormatOptions::default() }.of(snapshot).into_owned();
        let lines = body(Lines::default(), snapshot, &options);
        let compared = body(Lines::default(), snapshot, &FormatOptions { keys: true, ..options });
        let keys = compared.lines.iter().map(|line| key(compared.words(line), line.indent)).collect();
        Self { snapshot, lines, keys }
    }

    fn words(&self, line: usize) -> &str {
        self.lines.words(&self.lines.lines[line])
    }

    fn first(&self, line: usize) -> Option<Ref> {
        self.lines.lines[line].first
    }

    fn kind(&self, line: usize) -> Kind {
        self.lines.lines[line].kind
    }

    /// The controls that a line shows.
    fn controls(&self, line: usize) -> impl Iterator<Item = (&'a Node, &'a Control)> {
        let from = self.lines.lines[line].node;
        let following = self.lines.lines[line + 1..].iter().map(|line| line.node);
        let to = following.take(8).find(|node| *node > from).unwrap_or(self.snapshot.nodes.len());
        let nodes = self.snapshot.nodes.get(from..to).unwrap_or_default();
        nodes.iter().filter_map(|node| node.control.as_deref().map(|control| (node, control)))
    }

    /// The heading or landmark that a line stands under.
    fn under(&self, line: usize) -> Option<String> {
        let over = (0..line).rev().find(|at| matches!(self.kind(*at), Kind::Heading | Kind::Label))?;
        Some(self.words(over).to_owned())
    }
}

fn key(words: &str, indent: u16) -> u64 {
    let mut hasher = DefaultHasher::new();
    (words, indent).hash(&mut hasher);
    hasher.finish()
}

/// What makes two controls the same to whoever looks for one of them again.
type Identity<'a> = (&'a str, &'a str, u64);

fn identity<'a>(node: &'a Node, control: &Control) -> Identity<'a> {
    (node.role.as_str(), &*node.name, control.item)
}

struct Comparison<'a> {
    was: Side<'a>,
    is: Side<'a>,
}

/// A line in the making, with what it was compared by.
struct Draft {
    change: Change,
    key: u64,
}

impl Comparison<'_> {
    fn changes(&self, steps: &[align::Step]) -> Vec<Change> {
        let (mut was, mut is) = (0, 0);
        let mut drafts = Vec::new();
        let mut twins = None;
        for step in steps {
            match *step {
                align::Step::Keep(count) => {
                    self.renumbered(was, is, count, &mut twins, &mut drafts);
                    was += count;
                    is += count;
                }
                align::Step::Replace { drop, add } => {
                    self.hunk(was..was + drop, is..is + add, &mut drafts);
                    was += drop;
                    is += add;
                }
            }
        }
        moves(drafts)
    }

    /// Lines that read the same. Where a control was drawn anew and others are like it, its old ref leads nowhere sure.
    fn renumbered<'s>(
        &'s self,
        was: usize,
        is: usize,
        count: usize,
        twins: &mut Option<HashMap<Identity<'s>, u32>>,
        drafts: &mut Vec<Draft>,
    ) {
        for offset in 0..count {
            let (old, new) = (self.was.controls(was + offset), self.is.controls(is + offset));
            let anew = old.zip(new).any(|((_, old), (node, new))| {
                old.r#ref.number != new.r#ref.number && {
                    let twins = twins.get_or_insert_with(|| identities(self.is.snapshot));
                    twins.get(&identity(node, new)).is_some_and(|count| *count > 1)
                }
            });
            if anew {
                drafts.push(self.draft(ChangeKind::Changed, is + offset));
            }
        }
    }

    /// Lines that went and lines that came in their place.
    fn hunk(&self, went: Range<usize>, came: Range<usize>, drafts: &mut Vec<Draft>) {
        let in_step = went.len() == came.len();
        let mut replaced = vec![false; went.len()];
        let mut fresh = Vec::with_capacity(came.len());
        for (offset, line) in came.enumerate() {
            let own = self.is.first(line);
            let same = went.clone().position(|old| own.is_some() && self.was.first(old) == own);
            let beside = Some(offset).filter(|at| in_step && !replaced[*at] && self.alike(went.start + at, line));
            let old = same.or(beside);
            if let Some(old) = old {
                replaced[old] = true;
            }
            let kind = if old.is_some() { ChangeKind::Changed } else { ChangeKind::Appeared };
            fresh.push(self.draft(kind, line));
        }
        for (line, _) in went.zip(replaced).filter(|(_, replaced)| !replaced) {
            drafts.push(Draft { change: change(&self.was, ChangeKind::Went, line), key: self.was.keys[line] });
        }
        drafts.append(&mut fresh);
    }

    /// Whether a line can be another one that reads otherwise: of its kind, and, if it has a control, with the same one.
    fn alike(&self, old: usize, line: usize) -> bool {
        let first = |side: &Side<'_>, line| {
            side.controls(line).next().map(|(node, _)| (node.role.clone(), Arc::clone(&node.name)))
        };
        let controls = (self.was.first(old).is_some(), self.is.first(line).is_some());
        self.was.kind(old) == self.is.kind(line)
            && match controls {
                (false, false) => true,
                (true, true) => first(&self.was, old) == first(&self.is, line),
                _ => false,
            }
    }

    fn draft(&self, kind: ChangeKind, line: usize) -> Draft {
        Draft { change: change(&self.is, kind, line), key: self.is.keys[line] }
    }
}

fn change(side: &Side<'_>, kind: ChangeKind, line: usize) -> Change {
    Change { kind, line: side.words(line).to_owned(), r#ref: side.first(line), under: side.under(line) }
}

fn identities(snapshot: &Snapshot) -> HashMap<Identity<'_>, u32> {
    let mut counts = HashMap::new();
    for (node, control) in snapshot.controls() {
        *counts.entry(identity(node, control)).or_insert(0) += 1;
    }
    counts
}

/// What went in one place and came in another, the same, has moved.
fn moves(mut drafts: Vec<Draft>) -> Vec<Change> {
    let tells = |draft: &Draft| draft.change.r#ref.is_some() || draft.change.line.len() >= TELLING;
    let mut gone: HashMap<(u64, Option<Ref>), Vec<usize>> = HashMap::new();
    for (index, draft) in drafts.iter().enumerate().rev() {
        if draft.change.kind == ChangeKind::Went && tells(draft) {
            gone.entry((draft.key, draft.change.r#ref)).or_default().push(index);
        }
    }
    let mut moved = vec![false; drafts.len()];
    for draft in &mut drafts {
        if draft.change.kind != ChangeKind::Appeared {
            continue;
        }
        if let Some(from) = gone.get_mut(&(draft.key, draft.change.r#ref)).and_then(Vec::pop) {
            moved[from] = true;
            draft.change.kind = ChangeKind::Moved;
        }
    }
    let left = drafts.into_iter().zip(moved).filter(|(_, moved)| !moved);
    left.map(|(draft, _)| draft.change).collect()
}
