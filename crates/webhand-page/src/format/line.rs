//! Lines of a text on their way to the budget: the words in one buffer, and for each line what decides its rank.

use std::ops::Range;

use crate::refs::{Family, Ref};

/// No parent line.
pub(super) const NO_PARENT: u32 = u32::MAX;

/// What a line is, as far as its rank and the words for leaving it out go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// About the page as a whole.
    Header,
    /// Where the view begins or ends.
    Mark,
    /// A landmark or a named group.
    Label,
    Heading,
    Text,
    Row,
    Item,
    /// A control that takes a value or a choice.
    Field,
    /// A button, link, or other control.
    Control(char),
    /// A frame, scroll area or dialog.
    Block,
}

impl Kind {
    /// What the line of a control of that family is.
    pub(super) fn of(family: Family) -> Self {
        match family {
            Family::Input | Family::Select | Family::Check => Kind::Field,
            other => Kind::Control(other.letter()),
        }
    }
}

/// One line.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// Its words in [`Lines::text`], without indent and line end.
    pub(super) span: Range<usize>,
    /// How far it is indented, in steps.
    pub(crate) indent: u16,
    /// The line under which it is indented, without which it must not stand.
    pub(super) parent: u32,
    pub(crate) kind: Kind,
    /// Whether it was in view.
    pub(crate) in_view: bool,
    /// Ranks before everything: it holds the focus, or stands in an open dialog.
    pub(super) urgent: bool,
    /// How many controls it shows.
    pub(super) controls: u32,
    /// The first of them.
    pub(crate) first: Option<Ref>,
    /// Index of the first node that it shows.
    pub(crate) node: usize,
}

impl Line {
    /// A plain line of that kind, with nothing in it yet.
    pub(super) fn new(kind: Kind) -> Self {
        Self {
            span: 0..0,
            indent: 0,
            parent: NO_PARENT,
            kind,
            in_view: false,
            urgent: false,
            controls: 0,
            first: None,
            node: 0,
        }
    }
}

/// The lines of a text.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    /// The words of all lines, one after the other.
    pub(super) text: String,
    pub(crate) lines: Vec<Line>,
}

impl Lines {
    /// Ends a line that began at `start` of the text, and gives its index.
    pub(super) fn close(&mut self, start: usize, mut line: Line) -> u32 {
        line.span = start..self.text.len();
        self.lines.push(line);
        u32::try_from(self.lines.len() - 1).unwrap_or(NO_PARENT)
    }

    /// The words of a line.
    pub(crate) fn words(&self, line: &Line) -> &str {
        self.text.get(line.span.clone()).unwrap_or_default()
    }

    /// Whether a line is like another, so that a run of them may fold to a count.
    pub(super) fn alike(&self, a: usize, b: usize) -> bool {
        let (Some(a), Some(b)) = (self.lines.get(a), self.lines.get(b)) else { return false };
        a.kind == b.kind && a.indent == b.indent && a.parent == b.parent
    }
}
