//! Rows and repeated items as comma-separated values (RFC 4180), the refs of each in one column before the rest.

use super::{
    inline::{ITEM_NODES, Inline},
    quote::clean,
    words,
};
use crate::{refs::Ref, snapshot::Node};

/// So many items of one shape are a table.
const ALIKE: usize = 3;
/// The name of the column of refs.
const REFS: &str = "ref";

impl Inline<'_> {
    /// Whether every cell of a row heads a column.
    pub(super) fn is_head(&self, row: usize) -> bool {
        let mut cells = self.children(row).peekable();
        cells.peek().is_some() && cells.all(|cell| self.snapshot.nodes[cell].role.as_str() == "columnheader")
    }

    /// Writes a row; gives how many controls that shows.
    pub(super) fn csv_row(&self, out: &mut String, row: usize) -> u32 {
        let cells: Vec<_> = self.children(row).map(|cell| cell..self.ends[cell]).collect();
        let refs = self.refs(row, self.ends[row]);
        let head = refs.is_empty() && self.is_head(row);
        self.values(out, if head { REFS.to_owned() } else { joined(&refs) }, cells.into_iter());
        count(refs.len())
    }

    /// How many items of one shape stand side by side from this one on, if they are enough for a table.
    pub(super) fn run_of_items(&self, index: usize, end: usize) -> Option<usize> {
        let first = &self.snapshot.nodes[index];
        let shape = self.item_shape(index)?;
        let (mut next, mut alike) = (self.ends[index], 1);
        while next < end.min(self.snapshot.nodes.len()) {
            let node = &self.snapshot.nodes[next];
            if node.depth != first.depth || node.role != first.role || self.item_shape(next).as_ref() != Some(&shape) {
                break;
            }
            next = self.ends[next];
            alike += 1;
        }
        (alike >= ALIKE).then_some(next)
    }

    /// Writes the heads of the columns of a run of items: what each piece is.
    pub(super) fn csv_item_head(&self, out: &mut String, index: usize) {
        out.push_str(REFS);
        for role in self.item_shape(index).unwrap_or_default() {
            out.push(',');
            value(out, role);
        }
    }

    /// Writes an item of such a run; gives how many controls that shows.
    pub(super) fn csv_item(&self, out: &mut String, index: usize) -> u32 {
        let end = self.ends[index];
        let pieces: Vec<_> = self.said(index, end).map(|piece| piece..piece + 1).collect();
        let refs = self.refs(index, end);
        self.values(out, joined(&refs), pieces.into_iter());
        count(refs.len())
    }

    /// The roles of what an item says; two pieces at least, or it is no row.
    fn item_shape(&self, index: usize) -> Option<Vec<&str>> {
        if !self.folds(index, ITEM_NODES) {
            return None;
        }
        let shape: Vec<&str> =
            self.said(index, self.ends[index]).map(|piece| self.snapshot.nodes[piece].role.as_str()).collect();
        (shape.len() > 1).then_some(shape)
    }

    /// The nodes that say something.
    fn said(&self, from: usize, to: usize) -> impl Iterator<Item = usize> {
        (from..to).filter(move |index| {
            let node = &self.snapshot.nodes[*index];
            node.control.is_some() || !self.is_silent(*index, to)
        })
    }

    fn children(&self, row: usize) -> impl Iterator<Item = usize> {
        let mut next = row + 1;
        std::iter::from_fn(move || {
            let child = next;
            (child < self.ends[row]).then(|| {
                next = self.ends[child];
                child
            })
        })
    }

    fn refs(&self, from: usize, to: usize) -> Vec<(bool, Ref)> {
        let controls = self.snapshot.nodes[from..to].iter().filter_map(|node| node.control.as_deref());
        controls.map(|control| (control.new, control.r#ref)).collect()
    }

    /// Writes one line: the first column, then what each range of nodes says.
    fn values(&self, out: &mut String, first: String, cells: impl Iterator<Item = std::ops::Range<usize>>) {
        out.push_str(&first);
        for cell in cells {
            out.push(',');
            let mut words = String::new();
            for index in self.said(cell.start, cell.end) {
                if !words.is_empty() {
                    words.push_str(" / ");
                }
                self.say(&mut words, &self.snapshot.nodes[index]);
            }
            value(out, &words);
        }
    }

    fn say(&self, out: &mut String, node: &Node) {
        let (shown, rest) = super::cut(&node.name, self.options.max_name);
        clean(out, shown);
        out.push_str(if rest > 0 { "…" } else { "" });
        if let Some(control) = node.control.as_deref() {
            words::state(out, node, control, self.options);
        }
    }
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

fn joined(refs: &[(bool, Ref)]) -> String {
    refs.iter().map(|(new, own)| format!("{}{own}", if *new { "*" } else { "" })).collect::<Vec<_>>().join(" ")
}

/// Writes one value, in quotes where it needs them.
fn value(out: &mut String, text: &str) {
    let text = text.trim();
    if !text.contains(['"', ',']) {
        out.push_str(text);
        return;
    }
    out.push('"');
    out.push_str(&text.replace('"', "\"\""));
    out.push('"');
}
