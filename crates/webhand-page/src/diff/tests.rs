//! Diffs of small pages, and what holds of all.

use insta::assert_snapshot;

use super::*;
use crate::format::{Outline, sample::Sample, token_bound};

/// A list of orders, those with the given names.
fn orders(names: &[&str]) -> Sample {
    let mut page = Sample::new("Orders");
    page.part("navigation", "Main");
    for link in ["Home", "Orders", "Goods", "Account", "Help", "Imprint"] {
        page.control("link", link);
    }
    page.part("main", "");
    page.part("heading", "Open orders");
    for name in names {
        page.part("text", &format!("Order of {name}, to be sent within two days"));
        page.control("button", &format!("Cancel {name}"));
    }
    page.control("textbox", "Search");
    page
}

/// The same page with every element numbered anew.
fn renumbered(mut page: Snapshot) -> Snapshot {
    for node in &mut page.nodes {
        if let Some(control) = &mut node.control {
            std::sync::Arc::make_mut(control).r#ref.number += 100;
        }
    }
    page
}

#[test]
fn what_is_only_numbered_anew_has_not_changed() {
    let page = orders(&["Ann", "Bob"]).done();
    let diff = renumbered(page.clone()).diff(&page);
    assert!(diff.is_empty(), "{diff}");
}

#[test]
fn twins_that_are_numbered_anew_are_told_since_their_old_refs_lead_nowhere() {
    let mut page = Sample::new("Twins");
    for _ in 0..2 {
        page.control("button", "More");
    }
    let page = page.done();
    let diff = renumbered(page.clone()).diff(&page);
    assert_eq!(diff.to_string(), "changes since snapshot 0:\n~ B101 \"More\"\n~ B102 \"More\"\n");
}

#[test]
fn what_came_and_went_is_told_where_it_stands() {
    let before = orders(&["Ann", "Bob", "Cem"]).done();
    let mut after = orders(&["Ann", "Dee", "Cem"]);
    after.control("button", "Undo");
    assert_snapshot!(after.done().diff(&before));
}

#[test]
fn a_state_that_changed_is_a_line_that_reads_otherwise() {
    let before = orders(&["Ann"]).done();
    let mut after = before.clone();
    let field = after.nodes.iter_mut().find(|node| node.role.as_str() == "textbox").unwrap();
    std::sync::Arc::make_mut(field.control.as_mut().unwrap()).state.value = Some("17".to_owned());
    let diff = after.diff(&before);
    assert_eq!(diff.changes.len(), 1);
    assert_eq!((diff.changes[0].kind, diff.changes[0].line.as_str()), (ChangeKind::Changed, "I8 \"Search\" =\"17\""));
}

#[test]
fn what_stands_elsewhere_has_moved() {
    let before = orders(&["Ann", "Bob", "Cem", "Dee"]).done();
    let mut after = before.clone();
    let moved: Vec<_> = after.nodes.drain(9..11).collect();
    after.nodes.splice(13..13, moved);
    let diff = after.diff(&before);
    let kinds: Vec<_> = diff.changes.iter().map(|change| change.kind).collect();
    assert!(!kinds.is_empty() && kinds.iter().all(|kind| *kind == ChangeKind::Moved), "{diff}");
}

#[test]
fn another_document_gives_the_whole() {
    let before = orders(&["Ann"]).done();
    let mut after = before.clone();
    after.frames[0].document = "another".to_owned();
    assert!(after.diff(&before).whole);
    let whole = after.since(&before, &Outline, &FormatOptions::default());
    assert!(whole.starts_with("page "), "{whole}");
}

#[test]
fn many_that_went_are_counted_and_a_limit_is_kept() {
    let names: Vec<String> = (0..60).map(|number| format!("Person {number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (before, after) = (orders(&names).done(), orders(&names[..20]).done());
    let text = after.diff(&before).to_string();
    assert!(text.contains("more lines went, B") && text.lines().count() < 10, "{text}");
    let back = before.diff(&after);
    let short = back.write(200);
    assert!(token_bound(&short) <= 200 && short.contains("more changes"), "{short}");
}

/// The page of orders behind a dialog that covers it, or with one of its controls still within reach.
fn behind_a_dialog(reachable: bool) -> Snapshot {
    let mut page = orders(&["Ann", "Bob"]);
    page.control("dialog", "Settings").within(|page| {
        page.control("button", "Close");
    });
    let mut page = page.done();
    let dialog = page.by_role_and_name("dialog", "Settings").unwrap().1.r#ref;
    for node in &mut page.nodes {
        let within_reach = matches!(&*node.name, "Settings" | "Close") || (reachable && &*node.name == "Help");
        if let Some(control) = node.control.as_mut().filter(|_| !within_reach) {
            let cover = crate::snapshot::Cover { r#ref: Some(dialog), name: "Settings".to_owned() };
            std::sync::Arc::make_mut(control).state.covered = Some(cover);
        }
    }
    page
}

#[test]
fn what_stands_in_front_of_all_else_is_told_once() {
    let before = orders(&["Ann", "Bob"]).done();
    let after = behind_a_dialog(false);
    assert_snapshot!(after.diff(&before));
    assert_snapshot!(before.diff(&after));
    let outline = after.to_string();
    assert_eq!(outline.matches("cover").count(), 1, "{outline}");
}

#[test]
fn where_one_control_is_within_reach_each_covered_one_says_so() {
    let outline = behind_a_dialog(true).to_string();
    assert_eq!(outline.matches(" covered by D10").count(), 8, "{outline}");
    assert!(!outline.contains("everything outside"), "{outline}");
}
