//! The snapshot as JSON, one node a line, for programs and for models that were taught on it.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{
    Addresses, FormatOptions, SnapshotFormat, Texts, budget, cut,
    line::{Kind, Line, Lines},
};
use crate::{
    refs::Family,
    snapshot::{Control, Node, Snapshot},
};

/// One JSON object: `page` (with `tabs`, `dialog` and unread `frames` where there are any) and `nodes`, each on a line of
/// its own with its depth, role, name and, for a control, its ref and live state. What the limit leaves out stands as
/// `{"left_out": n, …}` where it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Json;

impl SnapshotFormat for Json {
    fn name(&self) -> &str {
        "json"
    }

    fn write(&self, snapshot: &Snapshot, options: &FormatOptions) -> String {
        let mut lines = Lines::default();
        let head = head(snapshot);
        let start = lines.text.len();
        lines.text.push_str(&head);
        lines.close(start, Line { in_view: true, ..Line::new(Kind::Header) });
        let mut left_out = 0;
        for (index, node) in snapshot.nodes.iter().enumerate() {
            let Some(value) = node_value(node, options, &mut left_out) else { continue };
            let start = lines.text.len();
            // a map of strings and numbers is always written
            lines.text.push_str(&serde_json::to_string(&value).unwrap_or_default());
            lines.close(start, line_of(node, index, snapshot));
        }
        budget::render_json(&lines, left_out, options)
    }
}

/// The page as a whole.
fn head(snapshot: &Snapshot) -> String {
    let page = &snapshot.page;
    let mut head = Map::new();
    let mut put = |key: &str, value: Value| {
        let empty = matches!(&value, Value::Null) || matches!(&value, Value::Array(list) if list.is_empty());
        if !empty {
            head.insert(key.to_owned(), value);
        }
    };
    put("title", json!(page.title));
    put("url", json!(page.url));
    put("status", json!(page.status));
    put("language", json!(page.language));
    put("focus", json!(page.focus));
    put("pages_above", json!(page.pages_above));
    put("pages_below", json!(page.pages_below));
    put("unlooked", if page.unlooked > 0 { json!(page.unlooked) } else { Value::Null });
    put("tabs", if snapshot.tabs.len() > 1 { json!(snapshot.tabs) } else { Value::Null });
    put("dialog", json!(snapshot.dialog));
    let unread: Vec<_> = snapshot.frames.iter().filter(|frame| frame.unread.is_some()).collect();
    put("unread", json!(unread));
    Value::Object(head).to_string()
}

fn line_of(node: &Node, index: usize, snapshot: &Snapshot) -> Line {
    let kind = match (node.control.as_deref(), node.role.as_str()) {
        (Some(control), _) => Kind::of(control.r#ref.family),
        (None, "heading") => Kind::Heading,
        (None, "row") => Kind::Row,
        (None, "listitem") => Kind::Item,
        _ => Kind::Text,
    };
    let mut line = Line { node: index, in_view: node.in_view, ..Line::new(kind) };
    if let Some(control) = node.control.as_deref() {
        (line.controls, line.first) = (1, Some(control.r#ref));
        line.urgent = control.state.focused
            || control.r#ref.family == Family::Dialog
            || snapshot.page.focus == Some(control.r#ref);
    }
    line
}

/// A node as it is written; `None` where it says nothing, or the options leave it out.
fn node_value(node: &Node, options: &FormatOptions, left_out: &mut usize) -> Option<Value> {
    #[derive(Serialize)]
    struct Written<'a> {
        depth: u16,
        #[serde(skip_serializing_if = "is_zero")]
        frame: u32,
        #[serde(skip_serializing_if = "Option::is_none")]
        r#ref: Option<crate::refs::Ref>,
        role: &'a str,
        #[serde(skip_serializing_if = "str::is_empty")]
        name: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        level: Option<u8>,
        in_view: bool,
    }
    let role = node.role.as_str();
    if node.control.is_none() && node.name.is_empty() {
        return None;
    }
    let keeps = match options.texts {
        Texts::All => true,
        Texts::Headings => role == "heading",
        Texts::None => false,
    };
    if node.control.is_none() && !keeps {
        *left_out += 1;
        return None;
    }
    let limit = if node.control.is_some() { options.max_name } else { options.max_text };
    let (name, rest) = cut(&node.name, limit);
    let control = node.control.as_deref();
    let own = control.map(|control| control.r#ref);
    let written = Written {
        depth: node.depth,
        frame: node.frame,
        r#ref: own,
        role,
        name,
        level: node.level,
        in_view: node.in_view,
    };
    let mut value = serde_json::to_value(written).ok()?;
    let map = value.as_object_mut()?;
    if rest > 0 {
        map.insert("more_chars".to_owned(), json!(rest));
    }
    if let Some(control) = control {
        control_values(map, control, options);
    }
    Some(value)
}

fn control_values(map: &mut Map<String, Value>, control: &Control, options: &FormatOptions) {
    if control.new {
        map.insert("new".to_owned(), json!(true));
    }
    if control.guessed_name {
        map.insert("guessed_name".to_owned(), json!(true));
    }
    if let Some(kind) = &control.kind {
        map.insert("type".to_owned(), json!(kind));
    }
    if let Some(href) = control.attributes.href.as_deref().filter(|_| options.addresses != Addresses::Hidden) {
        let limit = if options.addresses == Addresses::Short { 60 } else { usize::MAX };
        map.insert("href".to_owned(), json!(cut(href, limit).0));
    }
    let mut state = serde_json::to_value(&control.state).unwrap_or_default();
    shorten(&mut state, options.max_name);
    if state.as_object().is_some_and(|state| !state.is_empty()) {
        map.insert("state".to_owned(), state);
    }
}

/// Cuts the texts of a state; it is two levels deep at most.
fn shorten(value: &mut Value, limit: usize) {
    match value {
        Value::String(text) => {
            if let (shown, 1..) = cut(text, limit) {
                *text = format!("{shown}…");
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| shorten(value, limit)),
        Value::Object(map) => map.values_mut().for_each(|value| shorten(value, limit)),
        _ => {}
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for this form")]
fn is_zero(value: &u32) -> bool {
    *value == 0
}
