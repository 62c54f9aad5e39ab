//! What has to be found first: `Expand the sections below, to find and click on the link "nulla"`, `Navigate through the file
//! tree. Find and click on the folder or file named "Truman"`, `Click the "Menu" button, and then find and click on the item
//! labeled "Save"`, `Find Sayre in the contact book and click on their address`.
//!
//! It opens what is closed, one after another, and goes on from page to page, until it is there.

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use webhand::prelude::{Ref, Snapshot};

use super::Policy;
use crate::miniwob::hand::{Hand, Played, Stop};
use crate::miniwob::see::{self, Seen};
use crate::miniwob::words::{ordinal, quoted};

/// The policy.
#[derive(Debug)]
pub(crate) struct Seek;

/// No page has more to open.
const TRIES: usize = 40;

/// What is sought.
#[derive(Debug, PartialEq, Eq)]
enum Sought<'g> {
    /// A thing of that name.
    Named(&'g str),
    /// The button under what is opened.
    Button(&'static str),
    /// What stands for a word under a heading.
    Entry { heading: &'g str, word: &'g str },
}

#[async_trait]
impl Policy for Seek {
    fn name(&self) -> &'static str {
        "seek"
    }

    fn about(&self) -> &'static str {
        "things that show only after sections, tabs, menus or folders were opened or pages turned"
    }

    fn understands(&self, goal: &str, _page: &Snapshot) -> bool {
        sought(goal).is_some()
    }

    async fn play(&self, goal: &str, page: Arc<Snapshot>, hand: &mut Hand<'_>) -> Played {
        let Some(sought) = sought(goal) else { return Err(Stop::lost("not understood")) };
        let mut page = page;
        let mut tried = BTreeSet::new();
        for _ in 0..TRIES {
            if let Some(found) = find(&page, &sought) {
                hand.click(found).await?;
                // what has a menu of its own opens first, and is what was sought all the same
                page = hand.look().await?;
                if matches!(sought, Sought::Button(_)) || find(&page, &sought).is_none_or(|again| again == found) {
                    return Ok(());
                }
                continue;
            }
            let next = cover(&page, &sought)
                .or_else(|| opener(&page, &tried))
                .ok_or_else(|| Stop::lost("there is nothing left to open"))?;
            tried.insert(next.1);
            hand.click(next.0).await?;
            page = hand.look_still().await?;
        }
        Err(Stop::lost("it was not found"))
    }
}

fn sought(goal: &str) -> Option<Sought<'_>> {
    if goal.starts_with("Expand the section below and click submit") {
        return Some(Sought::Button("Submit"));
    }
    if let Some((person, what)) = goal.strip_prefix("Find ").and_then(|rest| rest.split_once(" in the contact book")) {
        let word = what.rsplit("their ").next().unwrap_or_default().trim_end_matches('.');
        return Some(Sought::Entry { heading: person, word });
    }
    let lower = goal.to_lowercase();
    let finds = lower.contains("find and click on") || lower.starts_with("expand ");
    if !finds || ordinal(goal).is_some() {
        return None;
    }
    quoted(goal).last().map(|name| Sought::Named(name))
}

fn find(page: &Snapshot, sought: &Sought<'_>) -> Option<Ref> {
    match sought {
        Sought::Named(name) => {
            let found = |exact: bool| {
                see::controls(page)
                    .filter(|seen| seen.control.usable() && seen.role() != "tab")
                    .find(|seen| if exact { seen.name() == *name } else { seen.name().trim() == name.trim() })
            };
            found(true).or_else(|| found(false)).map(|seen| seen.r#ref())
        }
        Sought::Button(name) => see::named(page, &["button"], name)
            .filter(|seen| seen.role() == "button" && seen.node.in_view && seen.control.usable())
            .filter(|_| !closed(page))
            .map(|seen| seen.r#ref()),
        Sought::Entry { heading, word } => {
            let headed = page.nodes.iter().any(|node| node.role.as_str() == "heading" && *node.name == **heading);
            let stem = word.split(' ').next().unwrap_or_default();
            let label = see::texts(page).find(|(_, text)| text.to_lowercase().starts_with(stem)).map(|(at, _)| at);
            let entry = see::controls(page).find(|seen| label.is_some_and(|label| seen.at > label));
            entry.filter(|_| headed).map(|seen| seen.r#ref())
        }
    }
}

/// What lies over the thing that is sought, where it is a control itself: it opens what is under it.
fn cover(page: &Snapshot, sought: &Sought<'_>) -> Option<(Ref, (String, String))> {
    let Sought::Named(name) = sought else { return None };
    let covered = see::controls(page).find(|seen| seen.name() == *name)?.control.state.covered.as_ref()?;
    let over = covered.r#ref?;
    page.control(over.number).map(|(node, _)| (over, (node.name.to_string(), over.to_string())))
}

/// Whether every section is closed.
fn closed(page: &Snapshot) -> bool {
    see::controls(page).all(|seen| seen.control.state.expanded != Some(true))
        && see::controls(page).any(|seen| seen.control.state.expanded == Some(false))
}

/// What is opened next: what says that it is closed; what leads on to the next page; a menu's button; what has things under it.
/// With the key under which it counts as tried.
fn opener(page: &Snapshot, tried: &BTreeSet<(String, String)>) -> Option<(Ref, (String, String))> {
    let key = |seen: &Seen<'_>| (seen.name().to_owned(), seen.r#ref().to_string());
    let fresh = |seen: &Seen<'_>| seen.control.usable() && !tried.contains(&key(seen));
    let closed = |seen: &Seen<'_>| seen.control.state.expanded == Some(false) || seen.control.state.popup.is_some();
    let expands = |seen: &Seen<'_>| seen.control.guessed_name && seen.name().to_lowercase().contains("expandable");
    let onward = |seen: &Seen<'_>| [">", "Next", "»", "›"].contains(&seen.name());
    let all: Vec<Seen<'_>> = see::controls(page).collect();
    let found = all
        .iter()
        .find(|seen| fresh(seen) && (closed(seen) || expands(seen)))
        .or_else(|| all.iter().find(|seen| onward(seen) && seen.control.usable()))
        .or_else(|| {
            all.iter().find(|seen| fresh(seen) && seen.role() == "tab" && seen.control.state.chosen != Some(true))
        })
        .or_else(|| all.iter().find(|seen| fresh(seen) && seen.role() == "button"))
        .or_else(|| all.iter().find(|seen| fresh(seen) && see::PRESSED.contains(&seen.role())))?;
    Some((found.r#ref(), key(found)))
}
