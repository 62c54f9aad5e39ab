//! A subtree on one line: the cells of a row, the pieces of an item or a heading.

use super::{
    FormatOptions, Texts,
    quote::{plain, quoted},
    section::{Shape, is_block, shape},
    tree::subtree_ends,
    words,
};
use crate::{
    refs::Ref,
    snapshot::{Node, Snapshot},
};

/// The most nodes that fold into one row …
pub(crate) const ROW_NODES: usize = 64;
/// … and into one item or heading.
pub(crate) const ITEM_NODES: usize = 12;
/// The most bytes of names that fold into one line.
const FOLD_BYTES: usize = 800;
/// Stands between two pieces.
pub(super) const BETWEEN: &str = " · ";

/// Writes subtrees on one line.
pub(crate) struct Inline<'a> {
    pub(crate) snapshot: &'a Snapshot,
    pub(super) options: &'a FormatOptions,
    /// Where each node's subtree ends.
    pub(crate) ends: Vec<usize>,
    /// How many texts the options left out.
    pub(super) left_out: usize,
}

impl<'a> Inline<'a> {
    pub(crate) fn new(snapshot: &'a Snapshot, options: &'a FormatOptions) -> Self {
        Self { snapshot, options, ends: subtree_ends(&snapshot.nodes), left_out: 0 }
    }

    /// Whether a subtree can stand on one line.
    pub(crate) fn folds(&self, index: usize, most: usize) -> bool {
        let end = self.ends[index];
        if end - index > most {
            return false;
        }
        let inner = &self.snapshot.nodes[index + 1..end];
        inner.iter().map(|node| node.name.len()).sum::<usize>() <= FOLD_BYTES
            && !inner.iter().any(|node| is_block(node.role.as_str()))
    }

    /// Writes a row: its own ref if it has one, then its cells. Gives how many controls that shows.
    pub(crate) fn row(&mut self, out: &mut String, index: usize) -> u32 {
        let (node, end) = (&self.snapshot.nodes[index], self.ends[index]);
        let mut controls = 0;
        if let Some(control) = &node.control {
            controls = 1;
            words::reference(out, control, self.options);
            out.push_str(" row");
            words::name_and_state(out, &Node::default(), control, self.options);
            out.push_str(": ");
        }
        if end == index + 1 && !node.name.is_empty() {
            plain(out, &node.name, self.options.max_text);
        }
        controls + self.cells(out, index)
    }

    /// Writes a row's cells, empty ones kept in their place.
    fn cells(&mut self, out: &mut String, row: usize) -> u32 {
        let (start, end) = (out.len(), self.ends[row]);
        let (mut controls, mut cell, mut filled) = (0, row + 1, false);
        while cell < end {
            let parted = out.len();
            if cell > row + 1 && (filled || self.options.texts == Texts::All) {
                out.push_str(if out.len() == start { "| " } else { " | " });
            }
            let before = out.len();
            controls += self.pieces(out, cell, self.ends[cell]);
            let empty = out.len() == before;
            filled |= !empty;
            if empty && self.options.texts != Texts::All {
                out.truncate(parted);
            }
            cell = self.ends[cell];
        }
        let kept = out.trim_end_matches(' ').len();
        out.truncate(if filled { kept.max(start) } else { start });
        controls
    }

    /// Writes a run of nodes as pieces; gives how many controls they are.
    pub(crate) fn pieces(&mut self, out: &mut String, from: usize, to: usize) -> u32 {
        let (mut controls, mut first) = (0, true);
        for index in from..to {
            let node = &self.snapshot.nodes[index];
            if node.control.is_none() && self.is_silent(index, to) {
                continue;
            }
            if node.control.is_none() && self.options.texts != Texts::All && node.role.as_str() != "heading" {
                self.left_out += 1;
                continue;
            }
            if !first {
                out.push_str(BETWEEN);
            }
            first = false;
            controls += u32::from(node.control.is_some());
            self.piece(out, index);
        }
        controls
    }

    /// The first control of a run of nodes.
    pub(super) fn first(&self, from: usize, to: usize) -> Option<Ref> {
        self.snapshot.nodes[from..to].iter().find_map(|node| node.control.as_deref()).map(|control| control.r#ref)
    }

    /// Whether a node without a ref says nothing, or nothing that the next node does not say.
    pub(super) fn is_silent(&self, index: usize, to: usize) -> bool {
        let node = &self.snapshot.nodes[index];
        if node.name.is_empty() {
            return true;
        }
        if index + 1 >= to {
            return false;
        }
        let child = &self.snapshot.nodes[index + 1];
        self.names_the_next(index) || (child.depth > node.depth && child.name == node.name)
    }

    /// Whether this text is the label of the control that follows at once, and so is printed as its name.
    pub(super) fn names_the_next(&self, index: usize) -> bool {
        let node = &self.snapshot.nodes[index];
        self.snapshot.nodes.get(index + 1).is_some_and(|next| {
            next.control.is_some() && next.depth == node.depth && next.name == node.name && next.in_view == node.in_view
        })
    }

    /// Writes one node as a piece.
    pub(crate) fn piece(&self, out: &mut String, index: usize) {
        let node = &self.snapshot.nodes[index];
        let role = node.role.as_str();
        match &node.control {
            Some(control) => words::control(out, node, control, self.options),
            None if shape(role, true) == Shape::Named && words::is_word(role) => {
                out.push_str(role);
                out.push(' ');
                quoted(out, &node.name, self.options.max_text);
            }
            None => plain(out, &node.name, self.options.max_text),
        }
    }
}
