//! Floors that only read, for comparison: the bare walk without frames and closed roots, and the browser's own
//! accessibility tree.
//!
//! It must not know webhand.

use webhand_cdp::Session;
use webhand_cdp::protocol::accessibility;

use crate::bench::contender::{Failure, evaluation, value_of};

/// A floor that only reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reference {
    /// One evaluation of the walk in the main frame's own world.
    Walker,
    /// `Accessibility.getFullAXTree`.
    AccessibilityTree,
}

impl Reference {
    /// Its name in the report.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Walker => "floor-walker",
            Self::AccessibilityTree => "floor-axtree",
        }
    }

    /// Reads the page that the floor's tab shows; answers the size of what came, so that nothing can be left out.
    pub(crate) async fn look(self, tab: &Session) -> Result<usize, Failure> {
        match self {
            Self::Walker => {
                let reply = tab.call(&evaluation("floor.read()")).await?;
                value_of::<String>(reply.result, reply.exception_details).map(|text| text.len())
            }
            Self::AccessibilityTree => Ok(tab.call(&accessibility::GetFullAXTree::default()).await?.nodes.len()),
        }
    }
}
