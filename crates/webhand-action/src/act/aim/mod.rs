//! Which element, surely: from a ref to the live node, checked against what the user saw, and to a point that a real
//! event reaches.

mod again;
mod locate;
mod refuse;
mod selector;

use serde::Serialize;
use webhand_browser::FrameInfo;
use webhand_page::{Ref, RefText, State, World};

pub(crate) use self::{
    locate::{locate, locate_from, pause_after},
    refuse::label,
};
use crate::{
    Stage,
    catalogue::Target,
    error::{ActionError, ErrorCode},
    outcome::{Landed, Located},
    risk::Sending,
    session::{Fingerprint, Session},
    validate::nearest_by_number,
};

/// An element that an action is for, before it was looked at.
#[derive(Clone, Debug)]
pub(crate) struct Aim {
    pub(crate) frame: FrameInfo,
    pub(crate) world: World,
    pub(crate) local: u32,
    pub(crate) r#ref: Option<Ref>,
    pub(crate) seen: Fingerprint,
    /// What found it, where that was not its ref or selector.
    pub(crate) by: Option<Located>,
}

impl Aim {
    /// Another element of the same frame, which must still have those words when it is used.
    pub(crate) fn beside(&self, session: &Session, local: u32, role: &str, name: &str, words: Option<&str>) -> Self {
        Self {
            frame: self.frame.clone(),
            world: self.world.clone(),
            local,
            r#ref: session.reader.existing(&session.tab, &self.frame, local),
            seen: Fingerprint::of_part(role, name, words),
            by: self.by,
        }
    }
}

/// What an action wants of its element before it begins.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Wants {
    pub(crate) enabled: bool,
    pub(crate) editable: bool,
    pub(crate) stable: bool,
    /// A point at which a pointer reaches it.
    pub(crate) point: bool,
    /// That the point is that of its thumb, where it is a slider.
    pub(crate) thumb: bool,
    /// That the point is told whatever is drawn over it.
    pub(crate) blind: bool,
    /// That the coming gesture is swallowed unless it lands on it.
    pub(crate) arm: bool,
    /// That another control in it will do as well: what opens a list may be made of several.
    pub(crate) within: bool,
    /// For how many milliseconds that gesture holds its press.
    pub(crate) hold: u64,
    /// That what follows is noted.
    pub(crate) observe: bool,
}

impl Wants {
    pub(crate) const NOTHING: Wants = Wants {
        enabled: false,
        editable: false,
        stable: false,
        point: false,
        thumb: false,
        blind: false,
        arm: false,
        within: false,
        hold: 0,
        observe: false,
    };
    pub(crate) const CLICK: Wants =
        Wants { enabled: true, stable: true, point: true, arm: true, observe: true, ..Wants::NOTHING };
    pub(crate) const HOVER: Wants = Wants { enabled: false, arm: false, ..Wants::CLICK };
    pub(crate) const EDIT: Wants = Wants { enabled: true, editable: true, observe: true, ..Wants::NOTHING };
    pub(crate) const CHOOSE: Wants = Wants { editable: false, ..Wants::EDIT };
}

/// The element, found and ready.
#[derive(Debug)]
pub(crate) struct Spot {
    pub(crate) world: World,
    pub(crate) local: u32,
    pub(crate) landed: Landed,
    pub(crate) by: Located,
    pub(crate) state: State,
    pub(crate) tag: String,
    pub(crate) kind: String,
    /// In CSS pixels of the tab's view.
    pub(crate) point: Option<(f64, f64)>,
    /// Left, top, width and height in CSS pixels of the tab's view, where a point was asked for.
    pub(crate) rect: [f64; 4],
    /// What a press on it would set off, where one was to come.
    pub(crate) sending: Option<Sending>,
    pub(crate) attempts: u32,
}

/// Which element a target means, as far as that can be said without looking at the page again.
pub(crate) async fn aim(session: &Session, target: &Target) -> Result<Aim, ActionError> {
    match target {
        Target::Ref(text) => {
            let aim = aim_ref(session, *text)?;
            Ok(again::by_locators(session, &aim, Stage::First).await.unwrap_or(aim))
        }
        Target::Selector(selector) => selector::aim_selector(session, selector).await,
        Target::Unreadable(text) => match again::by_words(session, text).await {
            Some(found) => found,
            None => Err(no_element(target)),
        },
        Target::Point { .. } => Err(no_element(target)),
    }
}

fn no_element(target: &Target) -> ActionError {
    ActionError::new(ErrorCode::InvalidAction, format!("{target} names no element"))
}

fn aim_ref(session: &Session, text: RefText) -> Result<Aim, ActionError> {
    let unknown = || {
        ActionError::new(ErrorCode::InvalidAction, format!("{text} is not on the page"))
            .with_kind("unknown_ref")
            .with_hint(session.shown().map_or_else(
                || "take a snapshot first: refs come from it".to_owned(),
                |shown| nearest_by_number(text, shown),
            ))
    };
    let (handle, family) = session.reader.handle(text.number).ok_or_else(unknown)?;
    let own = Ref::new(family, text.number);
    if !text.names(own) {
        return Err(ActionError::new(ErrorCode::InvalidAction, format!("{text} has the wrong letter"))
            .with_kind("wrong_letter")
            .with_hint(format!("{} is {own}", text.number)));
    }
    if handle.tab != session.tab.id() {
        return Err(ActionError::new(ErrorCode::InvalidAction, format!("{own} is on tab {}", handle.tab))
            .with_kind("other_tab")
            .with_hint(format!("switch to tab {} first", handle.tab)));
    }
    let mut seen = session.fingerprint(text.number).cloned().ok_or_else(unknown)?;
    seen.twins = session.shown().is_some_and(|shown| seen.has_twins(shown));
    let stale = || {
        ActionError::new(ErrorCode::StaleRef, format!("{own} {:?} was on a page that is gone", seen.name))
            .with_hint("look at the page again and use its refs")
    };
    let frame = session.frame_of(&handle.frame).ok_or_else(stale)?;
    if frame.document != handle.document {
        return Err(stale());
    }
    let world = World::new(&session.tab, frame.id.clone());
    Ok(Aim { frame, world, local: handle.local, r#ref: Some(own), seen, by: None })
}
