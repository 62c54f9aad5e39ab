//! The tables of a page as rows of cells, and as comma-separated values (RFC 4180). Pure.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{ReadForm, ReadOptions, blocks::inline};
use crate::{
    format::subtree_ends,
    refs::{Ref, RefText},
    snapshot::{Node, Snapshot},
};

/// One table, as its rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TableRows {
    /// What it is called; empty where it has no name.
    pub name: String,
    /// The headings of its columns; none where its first row holds none.
    pub columns: Vec<String>,
    /// Its rows, without the one of the headings.
    pub rows: Vec<Vec<String>>,
    /// The controls of each of them.
    pub refs: Vec<Vec<Ref>>,
}

impl TableRows {
    /// The table as comma-separated values, its headings first.
    ///
    /// ```
    /// let mut table = webhand_page::TableRows::default();
    /// table.columns = vec!["Item".to_owned(), "Price".to_owned()];
    /// table.rows = vec![vec!["Tea, green".to_owned(), "4".to_owned()]];
    /// assert_eq!(table.csv(), "Item,Price\n\"Tea, green\",4\n");
    /// ```
    #[must_use]
    pub fn csv(&self) -> String {
        let head = Some(&self.columns).filter(|columns| !columns.is_empty());
        let mut csv = String::new();
        for row in head.into_iter().chain(&self.rows) {
            let cells: Vec<String> = row.iter().map(|cell| value(cell)).collect();
            csv.push_str(&cells.join(","));
            csv.push('\n');
        }
        csv
    }

    /// The names under which the cells of a row stand: the headings, each once, and numbers where there is none.
    #[must_use]
    pub fn keys(&self) -> Vec<String> {
        let width = self.rows.iter().map(Vec::len).max().unwrap_or_default().max(self.columns.len());
        let mut keys: Vec<String> = Vec::with_capacity(width);
        for at in 0..width {
            let heading = self.columns.get(at).filter(|heading| !heading.is_empty());
            let mut key = heading.cloned().unwrap_or_else(|| (at + 1).to_string());
            if keys.contains(&key) {
                key = format!("{key} ({})", at + 1);
            }
            keys.push(key);
        }
        keys
    }
}

/// One value, in quotes where it needs them.
fn value(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

fn is_table(node: &Node) -> bool {
    matches!(node.role.as_str(), "table" | "grid" | "treegrid")
}

impl Snapshot {
    /// The tables of the page, those under a ref, or the one that the ref stands in. `None` where the snapshot has no such
    /// ref.
    #[must_use]
    pub fn tables(&self, within: Option<RefText>) -> Option<Vec<TableRows>> {
        let ends = subtree_ends(&self.nodes);
        let found = |range: Range<usize>| range.filter(|at| is_table(&self.nodes[*at])).collect::<Vec<usize>>();
        let tables = match within {
            None => found(0..self.nodes.len()),
            Some(text) => {
                let named = |node: &Node| node.control.as_deref().is_some_and(|control| text.names(control.r#ref));
                let start = self.nodes.iter().position(named)?;
                let inner = found(start..ends[start]);
                let around = (0..start).rev().find(|at| is_table(&self.nodes[*at]) && ends[*at] > start);
                if inner.is_empty() { around.into_iter().collect() } else { inner }
            }
        };
        Some(tables.into_iter().map(|at| self.table(&ends, at)).filter(|table| !table.rows.is_empty()).collect())
    }

    fn table(&self, ends: &[usize], at: usize) -> TableRows {
        let options = ReadOptions { form: ReadForm::Text, ..ReadOptions::default() };
        let mut table = TableRows { name: self.nodes[at].name.to_string(), ..TableRows::default() };
        let mut index = at + 1;
        while index < ends[at] {
            match self.nodes[index].role.as_str() {
                "row" => {
                    self.row(ends, index, &options, &mut table);
                    index = ends[index];
                }
                // one in it is a table of its own
                _ if is_table(&self.nodes[index]) => index = ends[index],
                _ => index += 1,
            }
        }
        table
    }

    fn row(&self, ends: &[usize], at: usize, options: &ReadOptions, table: &mut TableRows) {
        let (mut cells, mut head, mut cell) = (Vec::new(), true, at + 1);
        while cell < ends[at] {
            head &= self.nodes[cell].role.as_str() == "columnheader";
            cells.push(inline(self, ends, options, cell..ends[cell]));
            cell = ends[cell];
        }
        if cells.iter().all(String::is_empty) {
            return;
        }
        if head && table.columns.is_empty() && table.rows.is_empty() {
            table.columns = cells;
            return;
        }
        let controls = self.nodes[at..ends[at]].iter().filter_map(|node| node.control.as_deref());
        table.refs.push(controls.map(|control| control.r#ref).collect());
        table.rows.push(cells);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A reader of comma-separated values, to the letter of RFC 4180.
    fn read(csv: &str) -> Vec<Vec<String>> {
        let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
        let (mut quoted, mut letters) = (false, csv.chars().peekable());
        while let Some(letter) = letters.next() {
            match letter {
                '"' if quoted && letters.peek() == Some(&'"') => {
                    cell.push('"');
                    letters.next();
                }
                '"' => quoted = !quoted,
                ',' if !quoted => row.push(std::mem::take(&mut cell)),
                '\n' if !quoted => {
                    row.push(std::mem::take(&mut cell));
                    rows.push(std::mem::take(&mut row));
                }
                other => cell.push(other),
            }
        }
        rows
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(rows in prop::collection::vec(prop::collection::vec("[a-z\",\n\r ]{0,6}", 2..4), 1..4)) {
            let table = TableRows { rows: rows.clone(), ..TableRows::default() };
            prop_assert_eq!(read(&table.csv()), rows);
        }
    }

    #[test]
    fn columns_without_a_name_of_their_own_get_a_number() {
        let mut table =
            TableRows { columns: vec!["Name".into(), String::new(), "Name".into()], ..TableRows::default() };
        table.rows.push(vec!["a".into(); 4]);
        assert_eq!(table.keys(), ["Name", "2", "Name (3)", "4"]);
    }
}
