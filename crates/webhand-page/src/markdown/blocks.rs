//! Nodes to blocks: headings, paragraphs, list items, table rows.

use std::ops::Range;

use super::{ReadForm, ReadOptions, words};
use crate::snapshot::{Node, Snapshot};

/// A row with more nodes than this is a layout, not a row of a table.
const ROW_NODES: usize = 400;
/// Deeper lists are not indented further.
const DEEPEST: usize = 8;

/// Writes a range of nodes.
pub(super) fn write(snapshot: &Snapshot, ends: &[usize], range: Range<usize>, options: &ReadOptions) -> String {
    let mut writer = Writer {
        snapshot,
        ends,
        options,
        out: String::new(),
        items: Vec::new(),
        line: String::new(),
        last_link: false,
        tight: false,
        in_table: false,
    };
    let mut index = range.start;
    while index < range.end {
        while writer.items.last().is_some_and(|item| item.end <= index) {
            writer.flush();
            writer.items.pop();
        }
        index = writer.node(index).min(range.end);
    }
    writer.flush();
    writer.out
}

/// A list item that is open.
struct Item {
    end: usize,
    /// Its bullet is written.
    begun: bool,
}

struct Writer<'a> {
    snapshot: &'a Snapshot,
    ends: &'a [usize],
    options: &'a ReadOptions,
    out: String,
    items: Vec<Item>,
    /// The paragraph in the making.
    line: String,
    /// The paragraph's last piece is a link.
    last_link: bool,
    /// The last block was an item or row, which the next of its kind follows without an empty line.
    tight: bool,
    /// The last block was a row of the table that is being written.
    in_table: bool,
}

impl Writer<'_> {
    /// Writes one node, and gives the index of the next.
    fn node(&mut self, index: usize) -> usize {
        let node = &self.snapshot.nodes[index];
        let end = self.ends[index];
        match node.role.as_str() {
            "heading" => {
                self.flush();
                let words = inline(self.snapshot, self.ends, self.options, index..end);
                if !words.is_empty() {
                    let marks = match self.options.form {
                        ReadForm::Markdown => "#".repeat(usize::from(node.level.unwrap_or(2).clamp(1, 6))) + " ",
                        ReadForm::Text => String::new(),
                    };
                    self.block(&format!("{marks}{words}"), false);
                }
                end
            }
            "row" if self.is_row(index) => {
                self.flush();
                self.row(index);
                end
            }
            "listitem" | "treeitem" if node.control.is_none() => {
                self.flush();
                self.items.push(Item { end, begun: false });
                self.words(node, false);
                index + 1
            }
            "table" | "grid" | "treegrid" => {
                self.flush();
                self.in_table = false;
                self.words(node, true);
                index + 1
            }
            _ => {
                let repeats = end > index + 1 && self.snapshot.nodes[index + 1].name == node.name;
                if node.control.is_some() || !repeats {
                    self.words(node, is_apart(node));
                }
                index + 1
            }
        }
    }

    /// Adds a node's words to the paragraph, or begins a new one.
    fn words(&mut self, node: &Node, apart: bool) {
        let words = words::node(node, self.options);
        if words.is_empty() {
            return;
        }
        let link = node.role.as_str() == "link";
        if apart || !goes_on(&self.line, &words, self.last_link, link) {
            self.flush();
        }
        self.last_link = link;
        if !self.line.is_empty() && !words.starts_with([',', '.', ';', ':', '!', '?', ')']) {
            self.line.push(' ');
        }
        self.line.push_str(&words);
        if apart {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if !self.line.is_empty() {
            let line = std::mem::take(&mut self.line);
            self.block(&line, !self.items.is_empty());
        }
    }

    /// Writes a block, with its bullet and indent if it stands in an item.
    fn block(&mut self, text: &str, tight: bool) {
        let follows_tightly = tight && self.tight;
        if !self.out.is_empty() && !follows_tightly {
            self.out.push('\n');
        }
        self.tight = tight;
        self.in_table = false;
        if let Some(item) = self.items.last_mut() {
            let bullet = if item.begun { "  " } else { "- " };
            item.begun = true;
            let depth = (self.items.len() - 1).min(DEEPEST);
            self.out.push_str(&"  ".repeat(depth));
            self.out.push_str(bullet);
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Whether a row is one of a table: not too large, and no row in it.
    fn is_row(&self, index: usize) -> bool {
        let end = self.ends[index];
        end - index <= ROW_NODES && !self.snapshot.nodes[index + 1..end].iter().any(|node| node.role.as_str() == "row")
    }

    fn row(&mut self, index: usize) {
        let end = self.ends[index];
        let (mut cells, mut cell, mut head) = (Vec::new(), index + 1, true);
        while cell < end {
            head &= matches!(self.snapshot.nodes[cell].role.as_str(), "columnheader");
            cells.push(inline(self.snapshot, self.ends, self.options, cell..self.ends[cell]));
            cell = self.ends[cell];
        }
        if cells.is_empty() {
            cells.push(inline(self.snapshot, self.ends, self.options, index..end));
        }
        if cells.iter().all(String::is_empty) {
            return;
        }
        let first = !self.in_table;
        if self.options.form == ReadForm::Text {
            self.block(&cells.join("\t"), !first);
        } else if first {
            let rule = "|".to_owned() + &" --- |".repeat(cells.len());
            let blank = "|".to_owned() + &"  |".repeat(cells.len());
            let row = line(&cells);
            self.block(&if head { format!("{row}\n{rule}") } else { format!("{blank}\n{rule}\n{row}") }, false);
        } else {
            self.block(&line(&cells), true);
        }
        self.tight = true;
        self.in_table = true;
    }
}

/// All words of a range of nodes, on one line.
pub(super) fn inline(snapshot: &Snapshot, ends: &[usize], options: &ReadOptions, range: Range<usize>) -> String {
    let mut line = String::new();
    let end = range.end;
    for index in range {
        let node = &snapshot.nodes[index];
        let repeats = index + 1 < end
            && node.control.is_none()
            && ends[index] > index + 1
            && snapshot.nodes[index + 1].name == node.name;
        let words = if repeats { String::new() } else { words::node(node, options) };
        if !words.is_empty() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(&words);
        }
    }
    line
}

fn line(cells: &[String]) -> String {
    let mut line = "|".to_owned();
    for cell in cells {
        line.push(' ');
        line.push_str(&cell.replace('|', "\\|"));
        line.push_str(" |");
    }
    line
}

/// Whether a node's words make a paragraph of their own.
fn is_apart(node: &Node) -> bool {
    match node.control.as_deref() {
        Some(control) => {
            let state = &control.state;
            state.value.is_some() || state.selected.is_some() || state.secret.is_some() || state.checked.is_some()
        }
        None => !matches!(
            node.role.as_str(),
            "text"
                | "generic"
                | "strong"
                | "emphasis"
                | "code"
                | "mark"
                | "time"
                | "img"
                | "subscript"
                | "superscript"
                | "insertion"
                | "deletion"
        ),
    }
}

/// Whether words go on with a paragraph rather than begin a new one. Texts of their own never do; a link in the middle of
/// a sentence does, and so does what follows it as the middle or end of one.
fn goes_on(line: &str, words: &str, after_link: bool, is_link: bool) -> bool {
    let Some(first) = words.chars().next() else { return false };
    if line.is_empty() || after_link == is_link {
        return false;
    }
    if after_link {
        return first.is_lowercase() || matches!(first, ',' | '.' | ';' | ':' | '!' | '?' | ')' | '，' | '。');
    }
    line.contains(' ') && line.ends_with(|last: char| last.is_lowercase() || matches!(last, ',' | '('))
}
