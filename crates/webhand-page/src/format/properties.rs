//! What holds of every snapshot and every limit.

use proptest::prelude::*;

use super::{FormatOptions, Json, List, Outline, SnapshotFormat, Table, sample::Sample, token_bound};
use crate::snapshot::{Node, Snapshot};

const ROLES: &[&str] = &[
    "text",
    "heading",
    "list",
    "listitem",
    "row",
    "cell",
    "table",
    "main",
    "navigation",
    "region",
    "group",
    "dialog",
    "img",
    "generic",
    "status",
];
const CONTROLS: &[&str] =
    &["button", "link", "textbox", "checkbox", "combobox", "iframe", "scroll", "dialog", "row", "tab"];

fn node() -> impl Strategy<Value = (u16, usize, bool, String, bool)> {
    let name = prop_oneof![
        3 => "[a-z]{1,8}( [a-z]{1,8}){0,3}",
        1 => Just(String::new()),
        1 => "[ -~]{0,30}",
        1 => "\\PC{0,12}",
        1 => "(\n|\r|\u{2028}|\\*|B1 \"4x\"|main:|--- in view ---|… 3 more rows| \\| ){1,3}",
    ];
    (0u16..5, 0usize..30, any::<bool>(), name, prop::bool::weighted(0.2))
}

/// Any tree of up to 200 nodes.
fn snapshot() -> impl Strategy<Value = Snapshot> {
    prop::collection::vec(node(), 0..200).prop_map(|nodes| {
        let mut page = Sample::new("Any");
        let mut depths = Vec::new();
        for (depth, role, is_control, name, seen) in nodes {
            page.out_of_view(!seen);
            if is_control {
                page.control(CONTROLS[role % CONTROLS.len()], &name);
            } else {
                page.part(ROLES[role % ROLES.len()], &name);
            }
            depths.push(depth);
        }
        let mut page = page.done();
        page.nodes.iter_mut().zip(depths).for_each(|(node, depth)| node.depth = depth);
        page
    })
}

fn limited(max_tokens: u32) -> FormatOptions {
    FormatOptions { max_tokens, ..FormatOptions::default() }
}

/// How many lines a text stands for: those it shows and those it counts.
fn stands_for(text: &str) -> usize {
    let counted = |line: &str| line.trim_start().strip_prefix("… ")?.split(' ').next()?.parse::<usize>().ok();
    text.lines().map(|line| counted(line).unwrap_or(1)).sum()
}

fn refs(page: &Snapshot) -> Vec<String> {
    page.controls().map(|(_, control)| control.r#ref.to_string()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_text_never_goes_over_its_limit_and_counts_all_it_leaves_out(page in snapshot(), max_tokens in 1u32..900) {
        for format in [&Outline as &dyn SnapshotFormat, &List, &Table] {
            let text = format.write(&page, &limited(max_tokens));
            prop_assert!(token_bound(&text) <= max_tokens, "{} > {max_tokens}:\n{text}", token_bound(&text));
            let whole = format.write(&page, &limited(0));
            prop_assert!(text.is_empty() || stands_for(&text) == stands_for(&whole), "{text}\n---\n{whole}");
            prop_assert_eq!(&text, &format.write(&page, &limited(max_tokens)), "same input, same bytes");
        }
    }

    #[test]
    fn json_is_json_within_its_limit_and_counts_all_it_leaves_out(page in snapshot(), max_tokens in 1u32..900) {
        let nodes = |text: &str| -> Option<u64> {
            let value: serde_json::Value = serde_json::from_str(text).ok()?;
            value["nodes"].as_array()?.iter().map(|node| node.get("left_out").map_or(Some(1), |count| count.as_u64())).sum()
        };
        let (text, whole) = (Json.write(&page, &limited(max_tokens)), Json.write(&page, &limited(0)));
        prop_assert!(token_bound(&text) <= max_tokens, "{} > {max_tokens}:\n{text}", token_bound(&text));
        prop_assert!(text.is_empty() || nodes(&text) == nodes(&whole), "{text}\n---\n{whole}");
        prop_assert!(nodes(&whole).is_some(), "{whole}");
    }

    #[test]
    fn a_table_has_a_column_for_each_cell(page in snapshot()) {
        let text = Table.write(&page, &limited(0));
        for r#ref in refs(&page) {
            let named = text.split(|char: char| !char.is_ascii_alphanumeric()).any(|word| word == r#ref);
            prop_assert!(named, "{} is missing:\n{text}", r#ref);
        }
    }

    #[test]
    fn a_diff_of_a_page_with_itself_is_empty_and_one_with_another_is_told(page in snapshot(), cut in 0usize..200) {
        prop_assert!(page.diff(&page).is_empty());
        let mut less = page.clone();
        less.nodes.truncate(cut.min(page.nodes.len()));
        let same = less.outline(&limited(0)) == page.outline(&limited(0));
        prop_assert_eq!(less.diff(&page).is_empty(), same, "{}", less.diff(&page));
        prop_assert_eq!(page.diff(&less).is_empty(), same, "{}", page.diff(&less));
    }

    #[test]
    fn without_a_limit_every_control_and_every_text_is_there(page in snapshot()) {
        let text = page.outline(&limited(0));
        for r#ref in refs(&page) {
            let named = text.split(|char: char| !char.is_ascii_alphanumeric()).any(|word| word == r#ref);
            prop_assert!(named, "{} is missing:\n{text}", r#ref);
        }
        let letters = |text: &str| text.chars().filter(char::is_ascii_lowercase).collect::<String>();
        let shown = letters(&text);
        let is_plain = |node: &&Node| node.control.is_none() && node.role.as_str() == "text";
        for node in page.nodes.iter().filter(is_plain) {
            prop_assert!(shown.contains(&letters(&node.name)), "{:?} is missing:\n{text}", node.name);
        }
    }

    #[test]
    fn no_text_of_the_page_stands_as_a_line_of_ours(page in snapshot()) {
        // No control of these pages is named 4x, so a line that begins so was forged.
        let text = page.outline(&limited(0));
        for line in text.lines().map(|line| line.trim_start().trim_start_matches('*')) {
            prop_assert!(!line.starts_with("B1 \"4x\""), "{line:?} in\n{text}");
        }
        let marks = text.lines().filter(|line| line.trim_start().starts_with("---")).count();
        prop_assert!(marks <= 12, "{text}");
    }
}
