//! The outline with its data tables, and runs of items of one shape, as comma-separated values.

use super::{FormatOptions, SnapshotFormat, budget, header, line::Lines, outline, view};
use crate::snapshot::Snapshot;

/// Tables and repeated cards as CSV: one line a row, the refs of its controls in the first column, and the heads of the
/// columns before it. All else is as in the [`Outline`](super::Outline). It is the shortest where a page is mostly rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Table;

impl SnapshotFormat for Table {
    fn name(&self) -> &str {
        "table"
    }

    fn write(&self, snapshot: &Snapshot, options: &FormatOptions) -> String {
        let options = &*options.of(snapshot);
        let mut lines = Lines::default();
        header::write(&mut lines, snapshot, options);
        let mut lines = outline::body_with_tables(lines, snapshot, options);
        view::mark(&mut lines);
        budget::render(&lines, options)
    }
}
