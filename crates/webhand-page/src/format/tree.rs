//! Where each node's subtree ends: the flat node list read as a tree, without recursion.

use crate::snapshot::Node;

/// For each node, the index after the last node of its subtree.
pub(crate) fn subtree_ends(nodes: &[Node]) -> Vec<usize> {
    let mut ends = vec![nodes.len(); nodes.len()];
    let mut open: Vec<usize> = Vec::new();
    for (index, node) in nodes.iter().enumerate() {
        while let Some(&last) = open.last() {
            if nodes[last].depth < node.depth {
                break;
            }
            ends[last] = index;
            open.pop();
        }
        open.push(index);
    }
    ends
}
