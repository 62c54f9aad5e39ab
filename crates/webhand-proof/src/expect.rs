//! Whether what an engine shows of a page is what a case expects. Pure.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::{
    case::{DialogExpected, Look, Matcher},
    sight::{NodeSeen, Sight},
};

/// The looks of a case that carry a label, with `last` as the latest.
#[derive(Debug, Default)]
pub struct Looks {
    labelled: BTreeMap<String, Sight>,
    last: Option<Sight>,
}

impl Looks {
    /// Keeps a look as the last one, and under its label.
    pub fn keep(&mut self, sight: Sight, label: Option<&str>) {
        if let Some(label) = label {
            self.labelled.insert(label.to_owned(), sight.clone());
        }
        self.last = Some(sight);
    }

    /// The look of that label, or the last one.
    ///
    /// # Errors
    /// When there is none.
    pub fn get(&self, label: Option<&str>) -> Result<&Sight, String> {
        match label {
            Some(label) => self.labelled.get(label).ok_or_else(|| format!("there is no look labelled {label:?}")),
            None => self.last.as_ref().ok_or_else(|| "there was no look yet".to_owned()),
        }
    }
}

/// The controls that a matcher describes. With `nth`, that one of its role and name, if its state agrees.
#[must_use]
pub fn matching<'a>(matcher: &Matcher, sight: &'a Sight, looks: &Looks) -> Vec<&'a NodeSeen> {
    let alike = sight.controls().filter(|node| is_named(matcher, node));
    let chosen: Vec<&NodeSeen> = match matcher.nth {
        Some(nth) => alike.skip(nth.saturating_sub(1)).take(1).collect(),
        None => alike.collect(),
    };
    chosen.into_iter().filter(|node| fits(matcher, node, looks)).collect()
}

/// Finds the control that a matcher describes: the first, where several do.
///
/// # Errors
/// When there is none, with what there is.
pub fn find_control<'a>(matcher: &Matcher, sight: &'a Sight, looks: &Looks) -> Result<&'a NodeSeen, String> {
    let found = matching(matcher, sight, looks).first().copied();
    found.ok_or_else(|| format!("no control {}; seen: {}", told(matcher), sight.brief(40)))
}

/// Everything in which a look falls short of what is expected; empty when all holds.
#[must_use]
pub fn faults(look: &Look, sight: &Sight, looks: &Looks) -> Vec<String> {
    let mut faults = Vec::new();
    faults.extend(look.lists.iter().filter_map(|matcher| find_control(matcher, sight, looks).err()));
    for matcher in &look.lacks {
        if let Ok(node) = find_control(matcher, sight, looks) {
            faults.push(format!("{} must not be listed", node.brief()));
        }
    }
    for matcher in &look.unusable {
        let offered = matching(matcher, sight, looks).into_iter().filter(|node| usable(node));
        faults.extend(offered.map(|node| format!("{} must not be offered as usable", node.brief())));
    }
    for matcher in &look.nodes {
        if !sight.nodes.iter().any(|node| fits(matcher, node, looks)) {
            faults.push(format!("no node {}", told(matcher)));
        }
    }
    for count in &look.counts {
        let found = matching(&count.of, sight, looks).len();
        if found != count.is {
            let seen = sight.brief(40);
            faults.push(format!("{found} of {} where {} must be; seen: {seen}", told(&count.of), count.is));
        }
    }
    faults.extend(look.text.iter().filter_map(|text| missing_text(text, sight)));
    if let Some(usual) = sight.outputs.first() {
        let absent = look.output.iter().filter(|part| !usual.text.contains(part.as_str()));
        faults.extend(absent.map(|part| format!("the {} lacks {part:?}:\n{}", usual.name, usual.text)));
        let present = look.output_lacks.iter().filter(|part| usual.text.contains(part.as_str()));
        faults.extend(present.map(|part| format!("the {} must not hold {part:?}:\n{}", usual.name, usual.text)));
        faults.extend(order_fault(&look.order, usual.text.as_str(), usual.name.as_str()));
        if look.all_counted {
            faults.extend(uncounted(sight, &usual.text));
        }
    }
    let seen: Vec<&str> = sight.nodes.iter().map(|node| node.name.as_str()).collect();
    faults.extend(order_fault(&look.order, &seen.join("\n"), "nodes"));
    faults.extend(look.no_text.iter().filter_map(|text| leaked_text(text, sight)));
    if !look.table.is_empty() {
        let seen = table_of(sight);
        if seen != look.table {
            faults.push(format!("the table reads {seen:?}, must be {:?}", look.table));
        }
    }
    faults.extend(page_faults(look, sight, looks));
    faults
}

fn page_faults(look: &Look, sight: &Sight, looks: &Looks) -> Vec<String> {
    let mut faults = Vec::new();
    if let Some(title) = look.title.as_ref().filter(|title| **title != sight.title) {
        faults.push(format!("the title is {:?}, must be {title:?}", sight.title));
    }
    if let Some(part) = look.url_has.as_ref().filter(|part| !sight.url.contains(part.as_str())) {
        faults.push(format!("the address is {}, must contain {part:?}", sight.url));
    }
    if let Some(count) = look.tabs.filter(|count| *count != sight.tabs.len()) {
        faults.push(format!("{} tabs where {count} must be: {:?}", sight.tabs.len(), sight.tabs));
    }
    if let Some(label) = &look.keeps_tabs_of {
        match looks.get(Some(label)) {
            Ok(before) => faults.extend(before.tabs.iter().filter_map(|old| {
                let kept = sight.tabs.iter().any(|tab| tab.id == old.id && tab.url == old.url);
                (!kept).then(|| format!("tab {} ({}) is no longer there as it was", old.id, old.url))
            })),
            Err(why) => faults.push(why),
        }
    }
    faults.extend(look.dialog.as_ref().and_then(|expected| dialog_fault(expected, sight)));
    faults
}

fn dialog_fault(expected: &DialogExpected, sight: &Sight) -> Option<String> {
    match (&sight.dialog, expected.kind.as_str()) {
        (None, "") => None,
        (Some(open), "") => Some(format!("a dialog is open: {open:?}")),
        (None, kind) => Some(format!("no {kind} dialog is open")),
        (Some(open), kind) if open.kind == kind && open.message.contains(&expected.message) => None,
        (Some(open), _) => Some(format!("the dialog is {open:?}, must be {expected:?}")),
    }
}

/// Whether a node has the role and name that the matcher asks for.
fn is_named(matcher: &Matcher, node: &NodeSeen) -> bool {
    matcher.role.as_ref().is_none_or(|role| *role == node.role)
        && matcher.name.as_ref().is_none_or(|name| *name == node.name)
        && matcher.name_has.as_ref().is_none_or(|part| node.name.contains(part.as_str()))
}

/// Whether a node is what the matcher describes.
fn fits(matcher: &Matcher, node: &NodeSeen, looks: &Looks) -> bool {
    let same_ref = |label: &String| {
        let Ok(before) = looks.get(Some(label)) else { return false };
        before.controls().any(|old| old.reference == node.reference && old.role == node.role)
    };
    is_named(matcher, node)
        && matcher.same_ref_as.as_ref().is_none_or(same_ref)
        && matcher.state.iter().all(|(key, wanted)| state_fits(key, wanted, node))
}

fn state_fits(key: &str, wanted: &Value, node: &NodeSeen) -> bool {
    let seen = match key {
        "usable" => Value::Bool(usable(node)),
        _ => node.state.get(key).cloned().unwrap_or(Value::Null),
    };
    match (wanted, &seen) {
        (Value::Bool(true), seen) => !matches!(seen, Value::Null | Value::Bool(false)) && seen != "false",
        (Value::Bool(false), seen) => matches!(seen, Value::Null | Value::Bool(false)) || seen == "false",
        (Value::String(part), Value::String(whole)) if matches!(key, "disabled" | "invalid" | "covered") => {
            whole.to_lowercase().contains(&part.to_lowercase())
        }
        (wanted, seen) => same(wanted, seen),
    }
}

fn usable(node: &NodeSeen) -> bool {
    !node.state.contains_key("disabled") && !node.state.contains_key("covered")
}

/// Whether two values are the same; numbers by value, so that `1` is `1.0`.
#[must_use]
pub fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.as_f64() == right.as_f64(),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(key, value)| right.get(key).is_some_and(|other| same(value, other)))
        }
        (left, right) => left == right,
    }
}

/// A text must be seen in a node and in the usual output. One of one or two characters must stand as a word of its own,
/// or any handle or number would do.
fn missing_text(text: &str, sight: &Sight) -> Option<String> {
    let short = text.chars().count() <= 2;
    let holds = |whole: &str| if short { words(whole).any(|word| word == text) } else { whole.contains(text) };
    let value_holds = |node: &NodeSeen| node.state.get("value").and_then(Value::as_str).is_some_and(holds);
    if !sight.nodes.iter().any(|node| holds(&node.name) || value_holds(node)) {
        return Some(format!("the text {text:?} was not seen"));
    }
    let usual = sight.outputs.first()?;
    (!holds(&usual.text)).then(|| format!("the text {text:?} is not in the {}", usual.name))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace().map(|word| word.trim_matches(|mark| "\"'`,;:()[]{}|".contains(mark)))
}

fn leaked_text(text: &str, sight: &Sight) -> Option<String> {
    let leak = sight.outputs.iter().find(|output| output.text.contains(text))?;
    let line = leak.text.lines().find(|line| line.contains(text)).unwrap_or_default();
    Some(format!("the text {text:?} must not be in the {}: {}", leak.name, line.chars().take(200).collect::<String>()))
}

/// Each text must be found behind the one before it.
fn order_fault(order: &[String], whole: &str, place: &str) -> Option<String> {
    let mut rest = whole;
    for text in order {
        match rest.split_once(text.as_str()) {
            Some((_, behind)) => rest = behind,
            None if whole.contains(text.as_str()) => {
                return Some(format!("{text:?} is out of order in the {place}:\n{whole}"));
            }
            None => return Some(format!("the {place} lacks {text:?}:\n{whole}")),
        }
    }
    None
}

/// Every control stands in the text by its handle, or is counted in a line about what was left out.
fn uncounted(sight: &Sight, text: &str) -> Option<String> {
    let (gaps, lines): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.trim_start().starts_with(FOLD));
    let words: BTreeSet<&str> =
        lines.iter().flat_map(|line| line.split(|mark: char| !mark.is_alphanumeric())).collect();
    let shown =
        sight.controls().filter(|node| node.reference.as_deref().is_some_and(|handle| words.contains(handle))).count();
    let counted: usize = gaps.iter().map(|line| controls_left_out(line)).sum();
    let all = sight.controls().count();
    (shown + counted != all).then(|| {
        format!("{shown} controls are shown and {counted} counted as left out, of {all}:\n{}", gaps.join("\n"))
    })
}

/// How a line begins that says what was left out: `… 41 more lines, 7 controls` or `… 412 more links`.
const FOLD: char = '…';

fn controls_left_out(line: &str) -> usize {
    let words: Vec<&str> = line.split(|mark: char| !mark.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let before = |found: &dyn Fn(&str) -> bool| {
        let at = words.iter().position(|word| found(word))?;
        words.get(at.checked_sub(1)?)?.parse().ok()
    };
    let controls = before(&|word| matches!(word, "control" | "controls"));
    let alike = || {
        words.iter().any(|word| matches!(*word, "links" | "buttons" | "fields")).then(|| before(&|word| word == "more"))
    };
    controls.or_else(|| alike().flatten()).unwrap_or(0)
}

/// The handle by which the first fold of the usual output can be opened: `… 412 more rows, expand X3`.
///
/// # Errors
/// When nothing is folded, or no handle is named.
pub fn fold_handle(sight: &Sight) -> Result<String, String> {
    let text = sight.outputs.first().map_or("", |usual| usual.text.as_str());
    let gaps: Vec<&str> = text.lines().filter(|line| line.trim_start().starts_with(FOLD)).collect();
    let named = gaps.iter().find_map(|line| line.split_once("expand ")).map(|(_, rest)| rest);
    let handle = named.and_then(|rest| rest.split(|mark: char| !mark.is_alphanumeric()).next());
    handle.map(str::to_owned).ok_or_else(|| format!("no fold names a handle to open it by: {gaps:?}"))
}

/// The cells of every row, in order: a cell's own text, or the texts under it joined.
fn table_of(sight: &Sight) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for (at, row) in sight.nodes.iter().enumerate().filter(|(_, node)| node.role == "row") {
        let mut cells: Vec<String> = Vec::new();
        let mut cell_depth = None;
        for node in sight.nodes[at + 1..].iter().take_while(|node| node.depth > row.depth) {
            if matches!(node.role.as_str(), "cell" | "gridcell" | "columnheader" | "rowheader") {
                cells.push(node.name.clone());
                cell_depth = Some(node.depth);
                continue;
            }
            let inside = cell_depth.is_some_and(|depth| node.depth > depth);
            if let Some(cell) = cells.last_mut().filter(|cell| inside && !cell.contains(&node.name)) {
                cell.push_str(if cell.is_empty() { "" } else { " " });
                cell.push_str(&node.name);
            }
        }
        rows.push(cells);
    }
    rows
}

/// A matcher in words.
fn told(matcher: &Matcher) -> String {
    let mut text = matcher.role.clone().unwrap_or_else(|| "of any role".to_owned());
    if let Some(name) = &matcher.name {
        text.push_str(&format!(" {name:?}"));
    }
    if let Some(part) = &matcher.name_has {
        text.push_str(&format!(" with {part:?} in its name"));
    }
    if let Some(label) = &matcher.same_ref_as {
        text.push_str(&format!(" with its handle of {label:?}"));
    }
    if !matcher.state.is_empty() {
        text.push_str(&format!(" {}", Value::Object(matcher.state.clone())));
    }
    match matcher.nth {
        Some(nth) => format!("{text} #{nth}"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::sight::Output;

    fn node(role: &str, name: &str, reference: &str, state: Value) -> NodeSeen {
        NodeSeen {
            role: role.into(),
            name: name.into(),
            reference: (!reference.is_empty()).then(|| reference.into()),
            state: state.as_object().cloned().unwrap_or_default(),
            ..NodeSeen::default()
        }
    }

    fn page() -> Sight {
        Sight {
            nodes: vec![
                node("heading", "Quantities", "", json!({})),
                node("text", "3", "", json!({})),
                node("button", "Save", "B1", json!({})),
                node("button", "Save", "B2", json!({"covered": "D4 Cookie notice"})),
                node("checkbox", "News", "C3", json!({"checked": "false"})),
            ],
            outputs: vec![Output { name: "outline".into(), text: "- text 3\n- button \"Save\" [B1]\n".into() }],
            ..Sight::default()
        }
    }

    #[track_caller]
    fn check(look: &str, faults_have: &[&str]) {
        let look: Look = toml::from_str(look).unwrap();
        let found = faults(&look, &page(), &Looks::default());
        assert_eq!(found.len(), faults_have.len(), "{found:?}");
        for (fault, part) in found.iter().zip(faults_have) {
            assert!(fault.contains(part), "{fault}");
        }
    }

    #[test]
    fn controls_are_matched_by_role_name_place_and_state() {
        check(r#"lists = [{ role = "button", name = "Save", nth = 2, covered = "cookie" }]"#, &[]);
        check(r#"lists = [{ role = "button", name = "Save", nth = 3 }]"#, &["no control button \"Save\" #3"]);
        check(r#"lists = [{ role = "checkbox", checked = false }]"#, &[]);
        check(r#"lists = [{ role = "checkbox", checked = true }]"#, &["no control checkbox"]);
        check(r#"lacks = [{ role = "button", covered = true }]"#, &["must not be listed"]);
        check(r#"unusable = [{ name = "Save" }]"#, &["[B1] must not be offered"]);
        check(r#"unusable = [{ name = "Save", nth = 2 }]"#, &[]);
        check(r#"counts = [{ of = { role = "button" }, is = 2 }, { is = 4 }]"#, &["3 of of any role"]);
    }

    #[test]
    fn a_short_text_must_stand_as_a_word() {
        check(r#"text = ["3", "Save"]"#, &[]);
        check(r#"text = ["1"]"#, &["was not seen"]);
        check(r#"text = ["Quantities"]"#, &["not in the outline"]);
        check(r#"no_text = ["Save"]"#, &["must not be in the outline: - button"]);
    }

    #[test]
    fn order_is_judged_in_the_nodes_and_in_the_usual_output() {
        check(r#"order = ["3", "Save"]"#, &[]);
        check(r#"order = ["Save", "3"]"#, &["out of order in the outline", "out of order in the nodes"]);
        check(r#"order = ["Quantities", "3"]"#, &["the outline lacks \"Quantities\""]);
        check(r#"output_lacks = ["Quantities"]"#, &[]);
        check(r#"output_lacks = ["text 3"]"#, &["must not hold"]);
    }

    #[test]
    fn a_control_is_shown_or_counted() {
        let lost = |text: &str| uncounted(&page(), text).is_some();
        assert!(!lost("B1 \"Save\"\nB2 \"Save\"\nC3 \"News\""));
        assert!(lost("B1 \"Save\"\nB2 \"Save\""));
        assert!(!lost("B1 \"Save\"\n  … 4 more lines, 2 controls"));
        assert!(!lost("… 2 more buttons, expand X4\nC3"));
        assert!(lost("… 3 more headings\nC3"));
    }

    #[test]
    fn a_fold_is_opened_by_the_handle_that_it_names() {
        let folded = |text: &str| {
            let outputs = vec![Output { name: "outline".into(), text: text.into() }];
            fold_handle(&Sight { outputs, ..Sight::default() })
        };
        assert_eq!(
            folded("L1 expand L1\n  … 412 more rows, expand X3\n… 2 more links, expand X4").as_deref(),
            Ok("X3")
        );
        assert!(folded("… 412 more rows").is_err());
    }

    #[test]
    fn a_table_is_read_row_by_row() {
        let at = |depth, role: &str, name: &str| NodeSeen { depth, ..node(role, name, "", json!({})) };
        let sight = Sight {
            nodes: vec![
                at(0, "table", ""),
                at(1, "row", ""),
                at(2, "columnheader", "Item"),
                at(2, "columnheader", "Price"),
                at(1, "row", ""),
                at(2, "cell", ""),
                at(3, "text", "Tea"),
                at(2, "cell", "4"),
            ],
            ..Sight::default()
        };
        assert_eq!(table_of(&sight), [["Item", "Price"], ["Tea", "4"]]);
    }

    #[test]
    fn numbers_are_compared_by_value_and_keys_in_any_order() {
        assert!(same(&json!({"a": 1, "b": [2.0]}), &json!({"b": [2], "a": 1.0})));
        assert!(!same(&json!([1]), &json!([1, 2])));
        assert!(!same(&json!("1"), &json!(1)));
    }
}
