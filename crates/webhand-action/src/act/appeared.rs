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

/// Adds to the effects what came up in that frame. Whether anything did.
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
            fresh.push((handle.local, format!("{} {:?}", control.r#ref, node.name.as_ref())));
        }
    }
    let locals: Vec<u32> = fresh.iter().map(|(local, _)| *local).collect();
    let own: Vec<bool> = ask(session, world, Call::new("areOffered").arg(&locals)).await.unwrap_or_default();
    let named: Vec<String> = fresh.into_iter().zip(own).filter_map(|((_, told), own)| own.then_some(told)).collect();
    if named.is_empty() {
        return false;
    }
    let total = u32::try_from(named.len()).unwrap_or(u32::MAX);
    effects.push(Effect::Appeared { controls: named.into_iter().take(NAMED_MAX).collect(), total });
    true
}
