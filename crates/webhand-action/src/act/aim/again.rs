//! Finding an element again where neither its node nor what makes it itself leads to exactly one: by the place it stands
//! in, by the address it leads to, and by locators of the user's own.

use std::sync::Arc;

use webhand_page::{Ref, World};

use super::{Aim, selector::aim_selector};
use crate::{
    Stage, Wanted,
    error::ActionError,
    outcome::Located,
    session::{Fingerprint, Session},
};

/// The element by what surrounds it or where it leads, from a fresh look beside what the user saw.
pub(super) async fn by_sight(session: &mut Session, aim: &Aim) -> Option<Aim> {
    let wanted = aim.r#ref?;
    let before = Arc::clone(session.shown()?);
    before.control(wanted.number)?;
    let now = session.glance().await.ok()?;
    let place = now.same_place(&before, wanted).map(|found| (found, Located::Place));
    let (found, by) = place.or_else(|| now.same_address(&before, wanted).map(|found| (found, Located::Address)))?;
    let (node, control) = now.control(found.number)?;
    let seen = Fingerprint::of(node, control);
    known_at(session, found, seen, by)
}

/// An element that was just read, as the aim of an action.
fn known_at(session: &Session, found: Ref, seen: Fingerprint, by: Located) -> Option<Aim> {
    let (handle, _) = session.reader.handle(found.number)?;
    let frame = session.frame_of(&handle.frame).filter(|frame| frame.document == handle.document)?;
    let world = World::new(&session.tab, frame.id.clone());
    Some(Aim { frame, world, local: handle.local, r#ref: Some(found), seen, by: Some(by) })
}

/// A control that was seen, as the first locator of that stage finds it that knows one of its role and name.
pub(super) async fn by_locators(session: &Session, aim: &Aim, stage: Stage) -> Option<Aim> {
    let asked = aim.r#ref.map(|own| own.to_string()).unwrap_or_default();
    let url = session.tab.url();
    let wanted = Wanted {
        asked: &asked,
        role: &aim.seen.role,
        name: &aim.seen.name,
        tag: &aim.seen.tag,
        id: aim.seen.id.as_deref(),
        test_id: aim.seen.test_id.as_deref(),
        url: &url,
    };
    for locator in session.settings.locators.iter().filter(|locator| locator.stage() == stage) {
        let Some(selector) = locator.locate(&wanted) else { continue };
        let Ok(found) = aim_selector(session, &selector).await else { continue };
        if found.seen.role == aim.seen.role && found.seen.name == aim.seen.name {
            return Some(Aim { by: Some(Located::Custom), r#ref: found.r#ref.or(aim.r#ref), ..found });
        }
    }
    None
}

/// What words that are no ref mean to a locator; `None` where none knows them.
pub(super) async fn by_words(session: &Session, asked: &str) -> Option<Result<Aim, ActionError>> {
    let url = session.tab.url();
    let wanted = Wanted { asked, url: &url, ..Wanted::default() };
    let first = session.settings.locators.iter().filter(|locator| locator.stage() == Stage::First);
    let selector = first.into_iter().find_map(|locator| locator.locate(&wanted))?;
    Some(aim_selector(session, &selector).await.map(|found| Aim { by: Some(Located::Custom), ..found }))
}
