//! What came up on the page by an action: suggestions, a menu, fields. From a fresh look, held against what the page
//! itself saw change.

use std::collections::HashSet;

use webhand_page::{Call, World};

use super::readback::ask;
use crate::{
    effects::{Effect, Effects},
    session::Session,
};

/// How many are named.
const NAMED_MAX: usize = 10;

/// Roles of what helps with a field or comes beside it, and is nothing to be chosen: a cross that clears, an eye, a scroll area.
const AIDS: &[&str] = &[
    "button",
    "textbox",
    "searchbox",
    "spinbutton",
    "checkbox",
    "switch",
    "slider",
    "tab",
    "scroll",
    "layer",
    "tooltip",
];

/// Adds to the effects what came up in that frame. Whether there is something to choose among it.
pub(super) async fn note(session: &mut Session, world: &World, effects: &mut Effects) -> bool {
    let offers: bool = ask(session, world, Call::new("mayOffer")).await.unwrap_or(false);
    if !offers {
        return false;
    }
    let known: HashSet<u32> = session
        .shown()
        .map(|shown| shown.controls().map(|(_, control)| control.r#ref.number).collect())
        .unwrap_or_default();
    let Ok(snapshot) = session.glance().await else { return false };
    let mut fresh = Vec::new();
    for (node, control) in snapshot.controls() {
        let number = control.r#ref.number;
        let here = session.reader.handle(number).filter(|(handle, _)| handle.frame == *world.frame());
        if let Some((handle, _)) = here.filter(|_| !known.contains(&number) && control.usable()) {
            let choice = !node.name.is_empty() && !AIDS.contains(&node.role.as_str());
            fresh.push((handle.local, choice, format!("{} {:?}", control.r#ref, node.name.as_ref())));
        }
    }
    let locals: Vec<u32> = fresh.iter().map(|(local, ..)| *local).collect();
    let own: Vec<bool> = ask(session, world, Call::new("areOffered").arg(&locals)).await.unwrap_or_default();
    let own: Vec<(bool, String)> =
        fresh.into_iter().zip(own).filter_map(|((_, choice, told), own)| own.then_some((choice, told))).collect();
    if own.is_empty() {
        return false;
    }
    let offered = own.iter().any(|(choice, _)| *choice);
    let named: Vec<String> = own.into_iter().map(|(_, told)| told).collect();
    let total = u32::try_from(named.len()).unwrap_or(u32::MAX);
    effects.push(Effect::Appeared { controls: named.into_iter().take(NAMED_MAX).collect(), total });
    offered
}
