//! Whether the refs that a reply names are on the page that the model saw.

use serde_json::Value;
use webhand_page::{Control, Node, RefText, Snapshot};

use super::{Fault, FaultCode};
use crate::catalogue::{Action, Catalogue};

/// How many near refs a fault names at most.
const NEAR: usize = 3;

/// Every ref in the actions that is not on the page, each with what the model may have meant.
#[must_use]
pub fn validate_refs(actions: &[Action], snapshot: &Snapshot) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (index, action) in actions.iter().enumerate() {
        for (param, text) in refs_of(action) {
            if snapshot.named(text).is_none() {
                faults.push(missing_ref(&format!("actions[{index}].{param}"), text, action, snapshot));
            }
        }
    }
    faults
}

/// The refs that an action names, each with its parameter.
fn refs_of(action: &Action) -> Vec<(String, RefText)> {
    let mut refs = Vec::new();
    if let Some(text) = action.target().and_then(crate::catalogue::Target::as_ref_text) {
        refs.push(("ref".to_owned(), text));
    }
    match action {
        Action::Wait(wait) => refs.extend(wait.r#ref.map(|text| ("ref".to_owned(), text))),
        Action::FillForm(form) => refs.extend(
            form.fields
                .iter()
                .enumerate()
                .filter_map(|(index, field)| Some((format!("fields[{index}].ref"), field.target.as_ref_text()?))),
        ),
        Action::Drag(drag) => refs.extend(drag.to.map(|text| ("to".to_owned(), text))),
        Action::Scroll(scroll) if scroll.to == crate::catalogue::ScrollTo::Ref => {
            refs.extend(
                scroll.value.as_deref().and_then(|value| value.parse().ok()).map(|text| ("value".to_owned(), text)),
            );
        }
        _ => {}
    }
    refs
}

fn missing_ref(path: &str, text: RefText, action: &Action, snapshot: &Snapshot) -> Fault {
    if let Some((node, control)) = snapshot.control(text.number) {
        let hint = format!("{} is {}", text.number, named(node, control));
        return Fault::new(path, FaultCode::BadParameter, format!("{text} has the wrong letter")).hint(hint);
    }
    let fault = Fault::new(path, FaultCode::BadParameter, format!("{text} is not on the page"));
    let wanted = words_of(action);
    if let Some((node, control)) = nearest_by_name(&wanted, snapshot) {
        return fault.hint(format!("nearest by name: {}", named(node, control)));
    }
    fault.hint(nearest_by_number(text, snapshot))
}

/// What a ref that is not on the page may have meant, by the numbers alone.
pub(crate) fn nearest_by_number(text: RefText, snapshot: &Snapshot) -> String {
    let mut near: Vec<(u32, &Node, &Control)> = snapshot
        .controls()
        .filter(|(_, control)| text.family.is_none_or(|family| family == control.r#ref.family))
        .map(|(node, control)| (control.r#ref.number.abs_diff(text.number), node, control))
        .collect();
    near.sort_by_key(|(distance, ..)| *distance);
    let names: Vec<String> = near.iter().take(NEAR).map(|(_, node, control)| named(node, control)).collect();
    if names.is_empty() {
        "look at the page again".to_owned()
    } else {
        format!("nearest by number: {}", names.join(", "))
    }
}

/// The words in which the model says what it means.
fn words_of(action: &Action) -> Vec<String> {
    let kind = Catalogue::shared().get(action.name()).map_or("", |spec| &*spec.name);
    let intent = action.intent().to_lowercase();
    intent
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| word.chars().count() > 1 && *word != kind && !FILLER.contains(word))
        .map(str::to_owned)
        .collect()
}

const FILLER: &[&str] = &["the", "to", "and", "of", "in", "on", "into", "button", "link", "field", "press", "open"];

/// The control whose name holds most of the words, if any holds one and no other holds as many.
fn nearest_by_name<'a>(words: &[String], snapshot: &'a Snapshot) -> Option<(&'a Node, &'a Control)> {
    let score = |node: &Node| {
        let name = node.name.to_lowercase();
        words.iter().filter(|word| name.contains(word.as_str())).count()
    };
    let best = snapshot.controls().map(|(node, _)| score(node)).max().filter(|best| *best > 0)?;
    let mut having = snapshot.controls().filter(|(node, _)| score(node) == best);
    let first = having.next()?;
    having.next().is_none().then_some(first)
}

fn named(node: &Node, control: &Control) -> String {
    let name: String = node.name.chars().take(60).collect();
    format!("{} {}", control.r#ref, Value::from(name))
}
