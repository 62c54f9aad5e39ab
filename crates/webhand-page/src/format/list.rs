//! The list: every control as `[12] button "Save"`, flat, with the texts as plain lines between.

use std::fmt::Write as _;

use super::{
    FormatOptions, SnapshotFormat, Texts, budget, header,
    line::{Kind, Line, Lines},
    quote::plain,
    view, words,
};
use crate::{refs::Family, snapshot::Snapshot};

/// The flat numbered map, as classic engines print it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct List;

impl SnapshotFormat for List {
    fn name(&self) -> &str {
        "list"
    }

    fn write(&self, snapshot: &Snapshot, options: &FormatOptions) -> String {
        let options = &*options.of(snapshot);
        let mut lines = Lines::default();
        header::write(&mut lines, snapshot, options);
        let left_out = body(&mut lines, snapshot, options);
        if left_out > 0 {
            let start = lines.text.len();
            let _ = write!(lines.text, "… {left_out} texts left out");
            lines.close(start, Line::new(Kind::Header));
        }
        view::mark(&mut lines);
        budget::render(&lines, options)
    }
}

/// Writes the nodes; gives how many texts the options left out.
fn body(lines: &mut Lines, snapshot: &Snapshot, options: &FormatOptions) -> usize {
    let mut left_out = 0;
    for node in &snapshot.nodes {
        let start = lines.text.len();
        let heading = node.role.as_str() == "heading";
        let mut line = Line::new(if heading { Kind::Heading } else { Kind::Text });
        line.in_view = node.in_view;
        if let Some(control) = &node.control {
            line.kind = Kind::of(control.r#ref.family);
            (line.controls, line.first) = (1, Some(control.r#ref));
            line.urgent = control.state.focused || control.r#ref.family == Family::Dialog;
            let star = if control.new { "*" } else { "" };
            let _ = write!(lines.text, "{star}[{}] ", control.r#ref.number);
            lines.text.push_str(if words::is_word(node.role.as_str()) { node.role.as_str() } else { "generic" });
            words::name_and_state(&mut lines.text, node, control, options);
            if control.r#ref.family == Family::Frame {
                words::frame(&mut lines.text, snapshot, control.r#ref);
            }
        } else if node.name.is_empty() {
            continue;
        } else if options.texts == Texts::None || (options.texts == Texts::Headings && !heading) {
            left_out += 1;
            continue;
        } else {
            plain(&mut lines.text, &node.name, options.max_text);
        }
        lines.close(start, line);
    }
    left_out
}
