//! A webhand snapshot as a [`Sight`]. Pure.

use serde_json::{Map, Value};
use webhand::page::{self, Cover, FormatOptions, List, Node, Outline, Snapshot, SnapshotFormat as _, TabMeta};

use crate::sight::{Addresses, DialogSeen, NodeSeen, Output, Sight, TabSeen, View};

/// What a snapshot shows, with every form in which a model could get it; only the outline is cut, if the view asks for it.
pub(super) fn sight_of(snapshot: &Snapshot, view: View) -> Sight {
    let mut options = FormatOptions::default();
    options.max_tokens = 0;
    let mut usual = options.clone();
    usual.max_tokens = view.max_tokens;
    match view.addresses {
        Addresses::Usual => {}
        Addresses::Short => usual.addresses = page::Addresses::Short,
        Addresses::Whole => usual.addresses = page::Addresses::Whole,
    }
    let mut outputs = vec![
        Output { name: "outline".to_owned(), text: Outline.write(snapshot, &usual) },
        Output { name: "list".to_owned(), text: List.write(snapshot, &options) },
    ];
    if let Ok(json) = serde_json::to_string(snapshot) {
        outputs.push(Output { name: "JSON".to_owned(), text: json });
    }
    let tab = |tab: &TabMeta| TabSeen {
        id: tab.id.clone(),
        title: tab.title.clone(),
        url: tab.url.clone(),
        active: tab.active,
    };
    Sight {
        url: snapshot.page.url.clone(),
        title: snapshot.page.title.clone(),
        tabs: snapshot.tabs.iter().map(tab).collect(),
        dialog: snapshot
            .dialog
            .as_ref()
            .map(|dialog| DialogSeen { kind: dialog.kind.clone(), message: dialog.message.clone() }),
        nodes: snapshot
            .nodes
            .iter()
            .map(|node| NodeSeen {
                depth: u32::from(node.depth),
                role: node.role.as_str().to_owned(),
                name: node.name.to_string(),
                reference: node.control.as_ref().map(|control| control.r#ref.to_string()),
                state: state_of(node),
            })
            .collect(),
        outputs,
    }
}

/// The state as it is serialised, but for what covers it: that becomes `D4 Cookie settings`.
fn state_of(node: &Node) -> Map<String, Value> {
    let Some(control) = &node.control else { return Map::from_iter(in_view(node)) };
    let mut state = match serde_json::to_value(&control.state) {
        Ok(Value::Object(state)) => state,
        _ => Map::new(),
    };
    state.extend(in_view(node));
    if let Some(address) = &control.attributes.href {
        state.insert("address".to_owned(), Value::String(address.to_string()));
    }
    if let Some(cover) = &control.state.covered {
        state.insert("covered".to_owned(), Value::String(told(cover)));
    }
    if control.new {
        state.insert("new".to_owned(), Value::Bool(true));
    }
    state
}

fn in_view(node: &Node) -> Option<(String, Value)> {
    node.in_view.then(|| ("in_view".to_owned(), Value::Bool(true)))
}

fn told(cover: &Cover) -> String {
    match cover.r#ref {
        Some(reference) => format!("{reference} {}", cover.name),
        None => cover.name.clone(),
    }
}
