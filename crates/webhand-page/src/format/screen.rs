//! What stands in front of the whole page: told once, instead of at every control behind it.

use std::{borrow::Cow, collections::HashMap};

use super::{FormatOptions, tree::subtree_ends};
use crate::{
    refs::{Family, Ref},
    snapshot::Snapshot,
};

/// Of fewer covered controls each says so itself.
const LEAST: u32 = 4;

/// The layer that covers controls, where every control outside of it is covered or cannot be used. What stands in a covered
/// frame is behind the layer with its frame.
pub(crate) fn screen(snapshot: &Snapshot) -> Option<Ref> {
    let mut counts: HashMap<Ref, u32> = HashMap::new();
    for (_, control) in snapshot.controls() {
        if let Some(by) = control.state.covered.as_ref().and_then(|cover| cover.r#ref) {
            *counts.entry(by).or_default() += 1;
        }
    }
    let (by, count) = counts.into_iter().max_by_key(|(by, count)| (*count, by.number))?;
    (count >= LEAST && hides_all_else(snapshot, by)).then_some(by)
}

fn hides_all_else(snapshot: &Snapshot, by: Ref) -> bool {
    let ends = subtree_ends(&snapshot.nodes);
    let mut index = 0;
    while let Some(node) = snapshot.nodes.get(index) {
        let Some(control) = node.control.as_deref() else {
            index += 1;
            continue;
        };
        if control.r#ref == by || (control.r#ref.family == Family::Frame && !control.usable()) {
            index = ends[index];
        } else if control.usable() && control.r#ref.family != Family::Scroll {
            return false;
        } else {
            index += 1;
        }
    }
    true
}

impl FormatOptions {
    /// These options for one snapshot: with what stands in front of all of it.
    pub(crate) fn of(&self, snapshot: &Snapshot) -> Cow<'_, Self> {
        match screen(snapshot) {
            None => Cow::Borrowed(self),
            by => Cow::Owned(Self { screen: by, ..self.clone() }),
        }
    }
}
