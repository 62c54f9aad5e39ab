//! Where a control stands: whether it is in the row, card, group, form, dialog or frame that a phrase names.
//!
//! Pure. Works on the snapshot's tree, which is a list with depths.

use webhand_page::Snapshot;

use super::names::{contains_words, normal};

/// Things of which a page has many alike: what one of them says decides whether a control belongs to the named one.
const ITEMS: &[&str] = &["row", "listitem", "article", "treeitem", "option", "cell", "gridcell"];

/// The parents of every node, nearest ancestors first when walked.
#[derive(Debug)]
pub(super) struct Places<'a> {
    snapshot: &'a Snapshot,
    parents: Vec<Option<usize>>,
    /// One past the last node of each node's subtree.
    ends: Vec<usize>,
}

impl<'a> Places<'a> {
    pub(super) fn new(snapshot: &'a Snapshot) -> Self {
        let count = snapshot.nodes.len();
        let mut parents = vec![None; count];
        let mut ends = vec![count; count];
        let mut open: Vec<usize> = Vec::new();
        for (index, node) in snapshot.nodes.iter().enumerate() {
            while let Some(&last) = open.last().filter(|last| snapshot.nodes[**last].depth >= node.depth) {
                ends[last] = index;
                open.pop();
            }
            parents[index] = open.last().copied();
            open.push(index);
        }
        Self { snapshot, parents, ends }
    }

    /// Whether one node stands inside another.
    pub(super) fn inside(&self, inner: usize, outer: usize) -> bool {
        outer < inner && inner < self.ends[outer]
    }

    /// How far out the named place begins, 0 for the nearest; nothing when the node is not in it.
    pub(super) fn distance(&self, index: usize, place: &str) -> Option<u32> {
        let place = normal(place);
        if place.is_empty() {
            return None;
        }
        let mut steps = 0;
        let mut inner = index;
        while let Some(outer) = self.parents[inner] {
            let node = &self.snapshot.nodes[outer];
            if self.says(&node.name, &place) || self.headed(outer, &place) {
                return Some(steps);
            }
            let item = ITEMS.contains(&node.role.as_str());
            if item && self.mentions(outer, index, &place) {
                return Some(steps);
            }
            // A row that does not say the name is another row, however far the named one is. Cells are parts of rows.
            if item && !matches!(node.role.as_str(), "cell" | "gridcell") {
                return None;
            }
            inner = outer;
            steps += 1;
        }
        self.under_heading(index, &place).then_some(steps)
    }

    fn says(&self, text: &str, place: &str) -> bool {
        contains_words(&normal(text), place)
    }

    /// Whether something in this subtree, other than the control itself, says the name.
    fn mentions(&self, outer: usize, control: usize, place: &str) -> bool {
        (outer + 1..self.ends[outer])
            .any(|index| index != control && self.says(&self.snapshot.nodes[index].name, place))
    }

    /// Whether the part has that name as the first heading or text directly in it.
    fn headed(&self, outer: usize, place: &str) -> bool {
        let role = self.snapshot.nodes[outer].role.as_str();
        let titled = matches!(
            role,
            "group"
                | "radiogroup"
                | "form"
                | "region"
                | "dialog"
                | "alertdialog"
                | "article"
                | "table"
                | "list"
                | "layer"
        );
        titled
            && (outer + 1..self.ends[outer])
                .filter(|index| self.parents[*index] == Some(outer))
                .find(|index| self.snapshot.nodes[*index].control.is_none())
                .is_some_and(|index| {
                    let node = &self.snapshot.nodes[index];
                    matches!(node.role.as_str(), "heading" | "text" | "legend" | "caption")
                        && self.says(&node.name, place)
                })
    }

    /// Whether the nearest heading before the node, in the same part of the page, says the name.
    fn under_heading(&self, index: usize, place: &str) -> bool {
        let parent = self.parents[index];
        (0..index)
            .rev()
            .take_while(|before| parent.is_none_or(|parent| *before > parent))
            .find(|before| self.snapshot.nodes[*before].role.as_str() == "heading" && self.parents[*before] == parent)
            .is_some_and(|before| self.says(&self.snapshot.nodes[before].name, place))
    }
}
