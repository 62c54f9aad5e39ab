//! Data of tables, of several parts, and where it came from. Pure.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use webhand_page::{Ref, Snapshot, TableRows};

/// So many values are looked for on the page.
const LOOKED_FOR: usize = 500;

/// The rows of a table as objects, by its headings; those that a schema asks for, where there is one. `None` where no table
/// fits, or more than one does.
pub(crate) fn from_tables(tables: &[TableRows], schema: Option<&Value>) -> Option<(Value, BTreeMap<String, Ref>)> {
    let wanted = schema.and_then(|schema| schema.get("items").unwrap_or(schema).get("properties")?.as_object());
    if schema.is_some() && wanted.is_none() {
        return None;
    }
    let mut fitting = tables.iter().filter_map(|table| Some((table, columns(table, wanted)?)));
    let (table, columns) = fitting.next()?;
    if fitting.next().is_some() {
        return None;
    }
    let mut sources = BTreeMap::new();
    let rows = table.rows.iter().enumerate().map(|(at, row)| {
        if let Some(first) = table.refs.get(at).and_then(|refs| refs.first()) {
            sources.insert(format!("/{at}"), *first);
        }
        let cells =
            columns.iter().filter_map(|(key, column)| Some((key.clone(), Value::from(row.get(*column)?.as_str()))));
        Value::Object(cells.collect::<Map<_, _>>())
    });
    let rows: Value = rows.collect();
    Some((rows, sources))
}

/// Which column stands under which key.
fn columns(table: &TableRows, wanted: Option<&Map<String, Value>>) -> Option<Vec<(String, usize)>> {
    let keys = table.keys();
    let Some(wanted) = wanted else { return Some(keys.into_iter().enumerate().map(|(at, key)| (key, at)).collect()) };
    let folded = |text: &str| {
        text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>()
    };
    let found = wanted.iter().map(|(key, of)| {
        let title = of.get("title").and_then(Value::as_str).unwrap_or(key);
        let at = keys.iter().position(|heading| folded(heading) == folded(title) || folded(heading) == folded(key))?;
        Some((key.clone(), at))
    });
    found.collect()
}

/// What several parts gave, as one: lists one after the other, of objects the fields that are there.
pub(crate) fn merge(before: Value, more: Value) -> Value {
    match (before, more) {
        (Value::Array(mut all), Value::Array(more)) => {
            all.extend(more);
            all.into()
        }
        (Value::Object(mut all), Value::Object(more)) => {
            for (key, value) in more {
                let known = all.remove(&key).unwrap_or(Value::Null);
                all.insert(key, merge(known, value));
            }
            all.into()
        }
        (Value::Null, more) => more,
        (before, _) => before,
    }
}

/// For each value the control at which it stands, and the places of those that stand nowhere on the page.
pub(crate) fn sources_in(snapshot: &Snapshot, data: &Value, text: &str) -> (BTreeMap<String, Ref>, Vec<String>) {
    let mut leaves = Vec::new();
    leaves_of(data, String::new(), &mut leaves);
    let folded = tidy(text);
    let (mut sources, mut unfound) = (BTreeMap::new(), Vec::new());
    for (place, leaf) in leaves.into_iter().take(LOOKED_FOR) {
        let leaf = tidy(&leaf);
        if leaf.is_empty() {
            continue;
        }
        let node = snapshot.nodes.iter().find(|node| node.control.is_some() && tidy(&node.name).contains(&leaf));
        match node.and_then(|node| node.control.as_deref()) {
            Some(control) => drop(sources.insert(place, control.r#ref)),
            None if !folded.contains(&leaf) => unfound.push(place),
            None => {}
        }
    }
    (sources, unfound)
}

fn leaves_of(data: &Value, place: String, leaves: &mut Vec<(String, String)>) {
    match data {
        Value::String(text) => leaves.push((place, text.clone())),
        Value::Number(number) => leaves.push((place, number.to_string())),
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                leaves_of(item, format!("{place}/{at}"), leaves);
            }
        }
        Value::Object(fields) => {
            for (key, field) in fields {
                leaves_of(field, format!("{place}/{}", key.replace('~', "~0").replace('/', "~1")), leaves);
            }
        }
        _ => {}
    }
}

fn tidy(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn table(columns: &[&str], rows: &[&[&str]]) -> TableRows {
        let texts = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
        let mut table = TableRows::default();
        table.columns = texts(columns);
        table.rows = rows.iter().map(|row| texts(row)).collect();
        table
    }

    #[test]
    fn the_only_table_that_fits_is_taken() {
        let prices = table(&["Item", "Unit price"], &[&["Tea", "4"], &["Cake"]]);
        let other = table(&["Day"], &[&["Monday"]]);
        let schema = json!({"type": "array", "items": {"properties": {"item": {}, "price": {"title": "Unit Price"}}}});
        let both = [prices.clone(), other.clone()];
        let (data, _) = from_tables(&both, Some(&schema)).unwrap();
        assert_eq!(data, json!([{"item": "Tea", "price": "4"}, {"item": "Cake"}]));
        assert!(from_tables(&both, None).is_none(), "which one is not said");
        assert!(from_tables(&[prices.clone(), prices], Some(&schema)).is_none());
        assert_eq!(from_tables(&[other], None).unwrap().0, json!([{"Day": "Monday"}]));
    }

    #[test]
    fn parts_are_put_together() {
        assert_eq!(merge(json!([1]), json!([2])), json!([1, 2]));
        let before = json!({"rows": [1], "name": "a", "none": null});
        assert_eq!(
            merge(before, json!({"rows": [2], "name": "b", "none": 3})),
            json!({"rows": [1, 2], "name": "a", "none": 3})
        );
    }
}
