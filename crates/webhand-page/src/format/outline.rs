//! The outline: one line a node, children indented, every wrapper that carries nothing left out.
//!
//! ```text
//! page "Orders" http://shop.example/orders
//! view: 0 pages above, 3.4 below
//! nav "Main":
//! L1 "Home" current page
//! main:
//! # Orders
//! C4 | L5 "Order 17" | Ann | open | B6 "Cancel" disabled
//! I7 "Search" hint "number or name" focused
//! --- below the view ---
//! F8 "Chat" https://chat.example/
//!   *B9 "Start a chat"
//! ```

use std::fmt::Write as _;

use super::{
    FormatOptions, SnapshotFormat, Texts, budget, header,
    inline::{BETWEEN, ITEM_NODES, Inline, ROW_NODES},
    line::{Kind, Line, Lines, NO_PARENT},
    quote::quoted,
    section::{Shape, is_block, shape},
    view, words,
};
use crate::{
    refs::Family,
    snapshot::{Control, Node, Snapshot},
};

/// Text on one line goes on until it is this long, in bytes.
const RUN: usize = 160;
/// Deeper is not indented further.
const DEEPEST: u16 = 12;

/// The default format: see the module's example in [`SnapshotFormat`]'s documentation.
///
/// Refs carry their role in their letter (`B12` a button, `L` link, `I` field, `C` checkbox, `O` option, `S` select, `E`
/// anything else, `F` frame, `X` scroll area, `D` dialog); a role word follows only where the letter does not say it.
/// Names and values stand in quotes, `*` before a ref says that it is new, `?` behind a name that it is a guess.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outline;

impl SnapshotFormat for Outline {
    fn name(&self) -> &str {
        "outline"
    }

    fn write(&self, snapshot: &Snapshot, options: &FormatOptions) -> String {
        let options = &*options.of(snapshot);
        let mut lines = Lines::default();
        header::write(&mut lines, snapshot, options);
        let mut lines = body(lines, snapshot, options);
        view::mark(&mut lines);
        budget::render(&lines, options)
    }
}

/// The nodes as lines, after those given.
pub(crate) fn body(lines: Lines, snapshot: &Snapshot, options: &FormatOptions) -> Lines {
    let mut builder = Builder { lines, ..Builder::new(snapshot, options) };
    builder.body();
    builder.lines
}

/// The same with tables, and runs of items of one shape, as comma-separated values.
pub(super) fn body_with_tables(lines: Lines, snapshot: &Snapshot, options: &FormatOptions) -> Lines {
    let mut builder = Builder { lines, tables: true, ..Builder::new(snapshot, options) };
    builder.body();
    builder.lines
}

/// What is indented under a line.
struct Block {
    end: usize,
    line: u32,
    indent: u16,
    urgent: bool,
    /// The landmark whose label was printed last.
    printed: Option<usize>,
}

/// A landmark that is open, and in how many blocks it stands.
struct Section {
    node: usize,
    end: usize,
    blocks: usize,
}

struct Builder<'a> {
    snapshot: &'a Snapshot,
    options: &'a FormatOptions,
    inline: Inline<'a>,
    lines: Lines,
    blocks: Vec<Block>,
    sections: Vec<Section>,
    /// The line of plain text that may still grow.
    run: Option<u32>,
    /// Whether rows are written as comma-separated values.
    tables: bool,
    /// Where the run of items ends that is being written so.
    items_until: usize,
}

impl<'a> Builder<'a> {
    fn new(snapshot: &'a Snapshot, options: &'a FormatOptions) -> Self {
        let whole = Block { end: snapshot.nodes.len(), line: NO_PARENT, indent: 0, urgent: false, printed: None };
        Self {
            snapshot,
            options,
            inline: Inline::new(snapshot, options),
            lines: Lines::default(),
            blocks: vec![whole],
            sections: Vec::new(),
            run: None,
            tables: false,
            items_until: 0,
        }
    }

    fn body(&mut self) {
        let mut index = 0;
        while index < self.snapshot.nodes.len() {
            while self.blocks.len() > 1 && self.blocks.last().is_some_and(|block| block.end <= index) {
                self.blocks.pop();
            }
            while self.sections.last().is_some_and(|section| section.end <= index) {
                self.sections.pop();
            }
            index = self.node(index);
        }
        if self.inline.left_out > 0 {
            let start = self.lines.text.len();
            let _ = write!(self.lines.text, "… {} texts left out", self.inline.left_out);
            self.lines.close(start, Line::new(Kind::Header));
        }
    }

    /// Writes one node, and gives the index of the next one to write.
    fn node(&mut self, index: usize) -> usize {
        let node = &self.snapshot.nodes[index];
        let shape = shape(node.role.as_str(), !node.name.is_empty());
        match (&node.control, shape) {
            (_, Shape::Landmark(_)) => {
                self.sections.push(Section { node: index, end: self.inline.ends[index], blocks: self.blocks.len() });
                if node.control.is_some() {
                    self.label_section();
                }
                index + 1
            }
            (_, Shape::Row) => self.row(index),
            (None, Shape::Item) => self.item(index),
            (_, Shape::Heading) => self.heading(index),
            (Some(control), _) => self.control(index, control),
            (None, Shape::Group { word, bare }) if bare || !node.name.is_empty() => self.group(index, word),
            (None, Shape::Group { .. }) => index + 1,
            (None, Shape::Text) if node.name.is_empty() => index + 1,
            (None, Shape::Named) if node.name.is_empty() => index + 1,
            (None, Shape::Text | Shape::Named) => self.text(index),
        }
    }

    /// The place a line of this node's stands in, its landmark labelled.
    fn place(&mut self, kind: Kind, index: usize) -> Line {
        self.label_section();
        self.run = None;
        let node = &self.snapshot.nodes[index];
        let mut line = Line::new(kind);
        line.node = index;
        line.in_view = node.in_view;
        if let Some(block) = self.blocks.last() {
            line.indent = block.indent;
            line.parent = block.line;
            line.urgent = block.urgent;
        }
        if let Some(control) = &node.control {
            line.urgent |= control.state.focused || self.snapshot.page.focus == Some(control.r#ref);
        }
        line
    }

    /// Writes the label of the landmark that the next line stands in, where another one was written last.
    fn label_section(&mut self) {
        let depth = self.blocks.len();
        let wanted = self.sections.last().filter(|section| section.blocks == depth).map(|section| section.node);
        let Some(block) = self.blocks.last_mut() else { return };
        if block.printed == wanted {
            return;
        }
        block.printed = wanted;
        let mut line = Line::new(Kind::Label);
        (line.indent, line.parent, line.urgent) = (block.indent, block.line, block.urgent);
        let start = self.lines.text.len();
        match wanted.map(|index| (index, &self.snapshot.nodes[index])) {
            Some((index, node)) => {
                line.node = index;
                line.in_view = node.in_view;
                if let Some(control) = &node.control {
                    (line.controls, line.first) = (1, Some(control.r#ref));
                    words::reference(&mut self.lines.text, control, self.options);
                    self.lines.text.push(' ');
                }
                if let Shape::Landmark(word) = shape(node.role.as_str(), !node.name.is_empty()) {
                    label(&mut self.lines.text, word, &node.name, self.options);
                }
            }
            None => self.lines.text.push_str("body:"),
        }
        self.lines.close(start, line);
        self.run = None;
    }

    fn open(&mut self, index: usize, line: u32, urgent: bool) {
        let indent = self.blocks.last().map_or(0, |block| block.indent);
        let urgent = urgent || self.blocks.last().is_some_and(|block| block.urgent);
        let indent = (indent + 1).min(DEEPEST);
        self.blocks.push(Block { end: self.inline.ends[index], line, indent, urgent, printed: None });
    }

    fn control(&mut self, index: usize, control: &Control) -> usize {
        let node = &self.snapshot.nodes[index];
        let family = control.r#ref.family;
        let kind = match family {
            Family::Frame | Family::Scroll | Family::Dialog => Kind::Block,
            other => Kind::of(other),
        };
        let mut line = self.place(kind, index);
        (line.controls, line.first) = (1, Some(control.r#ref));
        line.urgent |= family == Family::Dialog;
        let urgent = line.urgent && family == Family::Dialog;
        let start = self.lines.text.len();
        words::control(&mut self.lines.text, node, control, self.options);
        if family == Family::Frame {
            words::frame(&mut self.lines.text, self.snapshot, control.r#ref);
        }
        let line = self.lines.close(start, line);
        if self.inline.ends[index] > index + 1 {
            self.open(index, line, urgent);
        }
        index + 1
    }

    fn group(&mut self, index: usize, word: &'static str) -> usize {
        let node = &self.snapshot.nodes[index];
        let dialog = word.ends_with("dialog");
        let mut line = self.place(Kind::Label, index);
        line.urgent |= dialog;
        let start = self.lines.text.len();
        label(&mut self.lines.text, word, &node.name, self.options);
        let line = self.lines.close(start, line);
        self.open(index, line, dialog);
        index + 1
    }

    fn heading(&mut self, index: usize) -> usize {
        let node = &self.snapshot.nodes[index];
        if self.options.texts == Texts::None && node.control.is_none() {
            self.inline.left_out += usize::from(!node.name.is_empty());
            return index + 1;
        }
        let end = self.inline.ends[index];
        let folds = self.inline.folds(index, ITEM_NODES);
        if !folds && node.name.is_empty() && node.control.is_none() {
            return index + 1;
        }
        let mut line = self.place(Kind::Heading, index);
        let start = self.lines.text.len();
        for _ in 0..node.level.unwrap_or(2).clamp(1, 6) {
            self.lines.text.push('#');
        }
        self.lines.text.push(' ');
        let words = self.lines.text.len();
        let shown = if folds { end } else { index + 1 };
        line.controls = self.inline.pieces(&mut self.lines.text, index, shown);
        line.first = self.inline.first(index, shown);
        if self.lines.text.len() == words {
            self.lines.text.truncate(start);
        } else {
            self.lines.close(start, line);
        }
        shown
    }

    fn row(&mut self, index: usize) -> usize {
        let node = &self.snapshot.nodes[index];
        let end = self.inline.ends[index];
        if !self.inline.folds(index, ROW_NODES) {
            return match &node.control {
                Some(control) => self.control(index, control),
                None if node.name.is_empty() => index + 1,
                None => self.text(index),
            };
        }
        let mut line = self.place(Kind::Row, index);
        let start = self.lines.text.len();
        line.controls = if self.tables {
            self.inline.csv_row(&mut self.lines.text, index)
        } else {
            self.inline.row(&mut self.lines.text, index)
        };
        line.first = self.inline.first(index, end);
        if self.lines.text.len() > start {
            self.lines.close(start, line);
        }
        end
    }

    fn item(&mut self, index: usize) -> usize {
        let end = self.inline.ends[index];
        if self.tables && self.is_in_run(index) {
            return self.csv_item(index);
        }
        let folds = self.inline.folds(index, ITEM_NODES);
        if folds && self.is_one_control(index, end) {
            return index + 1;
        }
        let mut line = self.place(Kind::Item, index);
        let start = self.lines.text.len();
        self.lines.text.push_str("- ");
        let shown = if folds { end } else { self.lead(index, end) };
        let words = self.lines.text.len();
        line.controls = self.inline.pieces(&mut self.lines.text, index, shown);
        line.first = self.inline.first(index, shown);
        let nothing = self.lines.text.len() == words;
        if nothing {
            self.lines.text.truncate(start);
        }
        if nothing && folds {
            return end;
        }
        if !nothing {
            let line = self.lines.close(start, line);
            if shown < end {
                self.open(index, line, false);
            }
        }
        shown
    }

    /// Whether an item stands in a run of items of one shape; the heads of the columns are written where one begins.
    fn is_in_run(&mut self, index: usize) -> bool {
        if index < self.items_until {
            return true;
        }
        let around = self.blocks.last().map_or(0, |block| block.end);
        let Some(until) = self.inline.run_of_items(index, around) else { return false };
        self.items_until = until;
        let line = self.place(Kind::Label, index);
        let start = self.lines.text.len();
        self.inline.csv_item_head(&mut self.lines.text, index);
        self.lines.close(start, line);
        true
    }

    fn csv_item(&mut self, index: usize) -> usize {
        let end = self.inline.ends[index];
        let mut line = self.place(Kind::Item, index);
        let start = self.lines.text.len();
        line.controls = self.inline.csv_item(&mut self.lines.text, index);
        line.first = self.inline.first(index, end);
        self.lines.close(start, line);
        end
    }

    /// Whether a list item is nothing but one control without anything in it.
    fn is_one_control(&self, index: usize, end: usize) -> bool {
        let own = &self.snapshot.nodes[index];
        own.name.is_empty()
            && self.snapshot.nodes[index + 1..end]
                .iter()
                .filter(|node| node.control.is_some() || !node.name.is_empty())
                .count()
                == 1
    }

    /// How far the leading part of an item reaches that can stand on its line.
    fn lead(&self, index: usize, end: usize) -> usize {
        let mut next = index + 1;
        while next < end && next <= index + ITEM_NODES {
            let node = &self.snapshot.nodes[next];
            if is_block(node.role.as_str()) || !self.inline.folds(next, ITEM_NODES) {
                break;
            }
            next = self.inline.ends[next];
        }
        next
    }

    fn text(&mut self, index: usize) -> usize {
        let node = &self.snapshot.nodes[index];
        if self.options.texts != Texts::All {
            self.inline.left_out += 1;
            return index + 1;
        }
        if self.inline.names_the_next(index) {
            return index + 1;
        }
        if self.grows(node) {
            self.lines.text.push_str(BETWEEN);
            self.inline.piece(&mut self.lines.text, index);
            let end = self.lines.text.len();
            if let Some(line) = self.lines.lines.last_mut() {
                line.span.end = end;
            }
            return index + 1;
        }
        let line = self.place(Kind::Text, index);
        let start = self.lines.text.len();
        self.inline.piece(&mut self.lines.text, index);
        self.run = Some(self.lines.close(start, line));
        index + 1
    }

    /// Whether the last line is plain text of the same place and can take this text in.
    fn grows(&mut self, node: &Node) -> bool {
        if self.run.is_none() {
            return false;
        }
        self.label_section();
        let (Some(run), Some(block)) = (self.run, self.blocks.last()) else { return false };
        self.lines.lines.get(run as usize).is_some_and(|line| {
            line.parent == block.line && line.in_view == node.in_view && line.span.len() + node.name.len() <= RUN
        })
    }
}

fn label(out: &mut String, word: &str, name: &str, options: &FormatOptions) {
    out.push_str(word);
    if !name.is_empty() {
        out.push(' ');
        quoted(out, name, options.max_name);
    }
    out.push(':');
}
