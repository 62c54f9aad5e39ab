//! Phrases against pages: which control is meant, and when none may be chosen.

use proptest::prelude::*;
use serde_json::json;
use webhand_page::{Node, Role, Snapshot, family_of};

use super::{Match, Purpose, Step, Wanted, find, parse};

/// A page from an outline: two spaces a level, `role name`, controls marked by `!`, covered ones by `~`.
pub(super) fn page(outline: &str) -> Snapshot {
    let mut snapshot = Snapshot::default();
    for (number, line) in (1u32..).zip(outline.lines().filter(|line| !line.trim().is_empty())) {
        let text = line.trim_start();
        let mut node = Node::default();
        node.depth = u16::try_from((line.len() - text.len()) / 2).unwrap();
        let (marks, text) = text.split_at(text.len() - text.trim_start_matches(['!', '~', '-']).len());
        let (role, name) = text.split_once(' ').unwrap_or((text, ""));
        node.role = Role::new(role);
        node.name = name.into();
        node.in_view = true;
        if marks.contains('!') {
            let tag = match role {
                "combobox" => "select",
                "textbox" => "input",
                _ => "button",
            };
            let mut state = json!({});
            if marks.contains('~') {
                state["covered"] = json!({"ref": null, "name": "overlay"});
            }
            if marks.contains('-') {
                state["disabled"] = json!("disabled");
            }
            let control = json!({
                "ref": format!("{}{number}", family_of(role).letter()), "new": false, "tag": tag, "kind": null,
                "rect": [0.0, 0.0, 10.0, 10.0], "attributes": {}, "item": 0, "guessed_name": false, "state": state,
            });
            node.control = Some(serde_json::from_value(control).unwrap());
        }
        snapshot.nodes.push(node);
    }
    snapshot
}

fn wanted(sentence: &str) -> (Wanted, Purpose) {
    match parse(sentence).unwrap().remove(0).step {
        Step::Click { target, .. } => (target, Purpose::Click),
        Step::Type { target: Some(target), .. } => (target, Purpose::Type),
        Step::Choose { target: Some(target), .. } => (target, Purpose::List),
        Step::Check { target, .. } => (target, Purpose::Check),
        other => panic!("{other:?} has no target"),
    }
}

fn answer(page_outline: &str, sentence: &str) -> String {
    let (wanted, purpose) = wanted(sentence);
    match find(&page(page_outline), &wanted, purpose) {
        Match::One(found) => found.r#ref.to_string(),
        Match::Ambiguous(found) => {
            format!("one of {}", found.iter().map(|found| found.r#ref.to_string()).collect::<Vec<_>>().join(" "))
        }
        Match::None => "none".to_owned(),
    }
}

const TABLE: &str = "
main
  heading People
  table People
    row Header
      columnheader Name
    row
      cell Alice
      cell
        !button Edit
        !button Delete
    row
      cell Bob
      cell
        !button Edit
        !button Delete
    row
      cell Carol
      cell
        !button Edit
  !button Save changes
  !link Save
  !textbox Search
  !button Search
  !-button Send
";

#[test]
fn one_control_is_found_or_nothing_is_chosen() {
    for (sentence, expected) in [
        ("click \"Delete\" in the row \"Alice\"", "B10"),
        ("click the Delete button in the row Bob", "B15"),
        ("点击“Bob”这一行的“Delete”按钮", "B15"),
        ("click \"Delete\" in the row \"Carol\"", "none"),
        ("click \"Delete\"", "one of B10 B15"),
        ("click the second \"Delete\" button", "B15"),
        ("click the third \"Delete\" button", "none"),
        ("click the last \"Edit\" button", "B19"),
        ("click \"Save\"", "L21"),
        ("click \"save\"", "L21"),
        ("click \"Save changes\"", "B20"),
        ("click \"Changes\"", "B20"),
        ("click \"Change\"", "none"),
        ("click \"Search\"", "B23"),
        ("type \"x\" into \"Search\"", "I22"),
        ("type \"x\" into \"Save\"", "none"),
        ("check \"Save\"", "none"),
        ("click \"Send\"", "B24"),
        ("click \"Nowhere\"", "none"),
    ] {
        assert_eq!(answer(TABLE, sentence), expected, "{sentence}");
    }
}

#[test]
fn a_name_that_looks_like_an_ordinal_is_taken_whole_first() {
    let form = "form\n  !textbox First name\n  !textbox Last name\n  !textbox Name on card";
    assert_eq!(answer(form, "type \"Ann\" into the First name field"), "I2");
    assert_eq!(answer(form, "type \"Lee\" into Last name"), "I3");
    let buttons = "main\n  !button Delete\n  !button Delete";
    assert_eq!(answer(buttons, "click the second Delete button"), "B3");
}

#[test]
fn what_is_covered_loses_against_what_is_not() {
    let covered = "main\n  !~button Close\n!dialog Cookies\n  !button Close";
    assert_eq!(answer(covered, "click \"Close\""), "B4");
    assert_eq!(answer("main\n  !~button Pay", "click \"Pay\""), "B2", "alone it is still the one that was named");
}

#[test]
fn places_are_rows_groups_frames_and_headings() {
    let cards = "
list
  listitem
    heading Oak lamp
    !link Details
  listitem
    heading Ash lamp
    !link Details
group Colour
  !radio Red
group Lid
  !radio Red
iframe Address
  !textbox Street
heading Billing
!textbox City
heading Shipping
!textbox City
";
    assert_eq!(answer(cards, "click \"Details\" in the item \"Ash lamp\""), "L7");
    assert_eq!(answer(cards, "click \"Red\" in the \"Lid\" group"), "C11");
    assert_eq!(answer(cards, "type \"x\" into \"Street\" in the \"Address\" frame"), "I13");
    assert_eq!(answer(cards, "type \"x\" into \"City\" in the section \"Shipping\""), "I17");
    assert_eq!(answer(cards, "type \"x\" into \"City\""), "one of I15 I17");
}

#[test]
fn a_control_inside_its_twin_is_the_one() {
    assert_eq!(answer("main\n  !listitem Lamp\n    !button Lamp", "click \"Lamp\""), "B3");
}

fn outline() -> impl Strategy<Value = String> {
    let line = (
        0usize..4,
        prop::sample::select(vec![
            "button", "link", "textbox", "checkbox", "combobox", "row", "heading", "text", "radio",
        ]),
        prop::sample::select(vec!["Save", "Save as", "Delete", "Alice", "Name", "保存", ""]),
        prop::sample::select(vec!["!", "!~", "!-", ""]),
    );
    prop::collection::vec(line, 1..20).prop_map(|lines| {
        lines.iter().map(|(depth, role, name, mark)| format!("{}{mark}{role} {name}\n", "  ".repeat(*depth))).collect()
    })
}

fn phrase() -> impl Strategy<Value = String> {
    (
        prop::sample::select(vec!["", "second ", "last "]),
        prop::sample::select(vec!["Save", "Delete", "Name", "保存", "Sav"]),
        prop::sample::select(vec!["", " button", " field"]),
        prop::sample::select(vec!["", " in the row \"Alice\""]),
    )
        .prop_map(|(ordinal, name, role, place)| format!("click the {ordinal}\"{name}\"{role}{place}"))
}

proptest! {
    #[test]
    fn what_is_found_carries_the_name_as_whole_words(outline in outline(), phrase in phrase()) {
        let (wanted, purpose) = wanted(&phrase);
        if let Match::One(found) = find(&page(&outline), &wanted, purpose) {
            let name = wanted.label().to_lowercase();
            let words = found.name.to_lowercase();
            prop_assert!(words == name || words.split(' ').any(|word| word == name), "{} is not {}", found, phrase);
        }
    }

    #[test]
    fn a_twin_makes_it_ambiguous(outline in outline(), phrase in phrase()) {
        let (wanted, purpose) = wanted(&phrase);
        prop_assume!(wanted.readings[0].ordinal.is_none());
        let doubled: String = ["main\n", &indented(&outline), "main\n", &indented(&outline)].concat();
        prop_assert!(!matches!(find(&page(&doubled), &wanted, purpose), Match::One(_)), "{phrase} in\n{doubled}");
    }

    #[test]
    fn the_same_page_gives_the_same_answer(outline in outline(), phrase in phrase()) {
        let (wanted, purpose) = wanted(&phrase);
        let page = page(&outline);
        prop_assert_eq!(find(&page, &wanted, purpose), find(&page, &wanted, purpose));
    }
}

fn indented(outline: &str) -> String {
    outline.lines().map(|line| format!("  {line}\n")).collect()
}
