//! A part of the page in whole: from one ref on, with nothing left out, as far as a limit reaches.
//!
//! What the budget folded is opened by the ref that stands beside the count of it.

use std::fmt::Write as _;

use super::{
    Addresses, FormatOptions, budget,
    line::{Kind, Lines},
    outline, token_bound, words,
};
use crate::{
    refs::RefText,
    snapshot::{Node, Snapshot},
};

/// What saying that there is more may cost.
const REST: u32 = 24;

impl Snapshot {
    /// The control with that ref in whole (its name, value and address), then the page from it on, as the outline shows
    /// it but with nothing folded, up to `options.max_tokens` (0 = no limit); what is left after that is counted, with
    /// the ref to go on from. `None` where the snapshot has no such ref.
    ///
    /// ```
    /// use webhand_page::{FormatOptions, Snapshot};
    /// let options = FormatOptions::default();
    /// assert_eq!(Snapshot::default().expand("B12".parse().unwrap(), &options), None);
    /// ```
    #[must_use]
    pub fn expand(&self, text: RefText, options: &FormatOptions) -> Option<String> {
        let at = self
            .nodes
            .iter()
            .position(|node| node.control.as_deref().is_some_and(|control| text.names(control.r#ref)))?;
        let lines = outline::body(Lines::default(), self, options);
        let start = holding(&lines, at);
        let mut out = self.heading_over(start.map_or(at, |index| lines.lines[index].node), options);
        let limit = if options.max_tokens == 0 { u32::MAX } else { options.max_tokens };
        whole(&mut out, &self.nodes[at], options, limit);
        let mut used = token_bound(&out).saturating_add(REST);
        let Some(start) = start else { return Some(out) };
        let base = lines.lines[start].indent;
        let mut next = start;
        while let Some(line) = lines.lines.get(next) {
            used = used.saturating_add(budget::cost(&lines, line));
            if used > limit && next > start {
                budget::gap(&mut out, &lines.lines, next);
                out.push('\n');
                break;
            }
            budget::indent(&mut out, line.indent.saturating_sub(base));
            out.push_str(lines.words(line));
            out.push('\n');
            next += 1;
        }
        Some(out)
    }

    /// Names the heading that a node stands under.
    fn heading_over(&self, at: usize, options: &FormatOptions) -> String {
        let mut out = String::new();
        let over = self.nodes[..at].iter().rfind(|node| node.role.as_str() == "heading" && !node.name.is_empty());
        if let Some(heading) = over {
            out.push_str("under ");
            super::quoted(&mut out, &heading.name, options.max_name.min(80));
            out.push_str(":\n");
        }
        out
    }
}

/// The line that shows a node.
fn holding(lines: &Lines, node: usize) -> Option<usize> {
    let shows = |line: &super::line::Line| !matches!(line.kind, Kind::Header | Kind::Mark) && line.node <= node;
    // of several with the same node, the last
    let nearest = lines.lines.iter().enumerate().filter(|(_, line)| shows(line)).max_by_key(|(_, line)| line.node)?;
    Some(nearest.0)
}

/// Writes a control in whole, where the outline would cut it or leave something out.
fn whole(out: &mut String, node: &Node, options: &FormatOptions, limit: u32) {
    let Some(control) = node.control.as_deref() else { return };
    let full = FormatOptions { max_name: usize::MAX, addresses: Addresses::Whole, ..options.clone() };
    let (mut shown, mut whole) = (String::new(), String::new());
    words::control(&mut shown, node, control, options);
    words::control(&mut whole, node, control, &full);
    if shown == whole {
        return;
    }
    // no token is shorter than a character
    let longest =
        if token_bound(&whole) <= limit { usize::MAX } else { usize::try_from(limit / 2).unwrap_or(usize::MAX) };
    let (start, left) = super::cut(&whole, longest);
    out.push_str(start);
    if left > 0 {
        let _ = write!(out, "…(+{left} chars)");
    }
    out.push('\n');
}
