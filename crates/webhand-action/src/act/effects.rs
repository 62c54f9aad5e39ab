//! What an action did, as a value: what was heard of the tab, and what the page's own observer saw.
//!
//! How it is waited for stands in `watch.rs`.

use std::{collections::HashSet, time::Duration};

use serde::Deserialize;
use serde_json::Value;
use tokio::time::Instant;
use webhand_browser::{Dialog, DownloadId, FrameId, TabId};
use webhand_page::{Checked, World};

pub(crate) use super::watch::Watch;

use crate::{
    effects::{Effect, Effects},
    session::Session,
};

/// The address of a tab's first, empty document.
pub(crate) const BLANK: &str = "about:blank";
/// A change that comes so soon after an answer is thought to be made of it.
const MADE_OF_ANSWER_WITHIN: Duration = Duration::from_millis(300);
/// The news of an answer may come so much later than what the page made of it.
const HEARD_WITHIN: Duration = Duration::from_millis(40);

/// Where a tab comes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Before the one that is shown.
    Front,
    /// Behind it.
    Back,
}

/// A tab that the page opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Popup {
    pub(crate) tab: TabId,
    pub(crate) place: Place,
    /// Whether an address was asked for, so that its first, empty document is not its page.
    pub(crate) has_page: bool,
}

/// What was seen to follow.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) navigated: Option<(String, bool)>,
    /// Another address of the same document, of which only the page knows whose doing it is.
    pub(super) moved: Option<String>,
    pub(crate) popups: Vec<Popup>,
    /// The addresses of windows that were asked for, and since when the first of them is missing.
    pub(super) windows: Vec<String>,
    pub(super) missing_since: Option<Instant>,
    pub(crate) dialogs: Vec<Dialog>,
    pub(crate) answered: Vec<bool>,
    pub(crate) downloads: Vec<DownloadId>,
    pub(crate) closed: bool,
    pub(crate) crashed: bool,
    pub(super) loading: bool,
    pub(super) begun: u32,
    pub(super) failed: u32,
    pub(super) open: HashSet<String>,
    /// The requests that were the action's doing.
    pub(super) caused: Vec<String>,
    pub(super) documents: HashSet<String>,
    pub(super) status: Option<u16>,
    pub(super) detached: HashSet<FrameId>,
    pub(super) frame_gone: bool,
    /// When answers came to requests from before.
    pub(super) earlier_answers: Vec<Instant>,
    /// The page did not say what it saw, though it had its time: it hangs.
    pub(crate) silent: bool,
    pub(crate) page: Option<PageEffects>,
}

/// What the page's own observer saw.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PageEffects {
    pub(crate) near: u32,
    pub(crate) far: u32,
    pub(crate) changed: serde_json::Map<String, Value>,
    focus: Option<u32>,
    moved: Option<String>,
    scrolled: Option<(f64, f64)>,
    pub(crate) any: bool,
    /// Some of it was surely the action's own doing: it came in its very moment, or shows in the target itself.
    prompt: bool,
    /// All of it may be the late doing of an earlier action.
    earlier: bool,
    /// How many milliseconds ago the first of it came.
    ago: f64,
    pub(crate) recurring: bool,
    /// Fields that kept the browser from sending their form.
    refused: Vec<Refusal>,
}

/// A field that is not valid.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Refusal {
    id: u32,
    name: String,
    message: String,
}

impl Seen {
    /// Whether anything was heard that is an effect by itself.
    pub(super) fn heard(&self) -> bool {
        self.navigated.is_some()
            || self.loading
            || !self.popups.is_empty()
            || !self.dialogs.is_empty()
            || !self.downloads.is_empty()
            || self.begun > 0
            || self.closed
    }

    /// Whether anything at all was seen to follow.
    pub(crate) fn any(&self) -> bool {
        self.any_beside_page() || self.page.as_ref().map_or(self.moved.is_some(), |page| page.any)
    }

    /// Whether anything was seen to follow that is no change of the page's own document.
    pub(crate) fn any_beside_page(&self) -> bool {
        self.heard() || self.frame_gone
    }

    /// Whether requests began, and none of them failed.
    pub(crate) fn requests_went_well(&self) -> bool {
        self.begun > 0 && self.failed == 0
    }

    /// Whether all that was seen may be the late doing of an earlier action: it came some time after this one, which asked
    /// for nothing, while an earlier one did, or right after the answer to an earlier request.
    pub(crate) fn may_be_earlier(&self) -> bool {
        let Some(page) = self.page.as_ref().filter(|page| page.any && !page.prompt) else { return false };
        let came = Instant::now().checked_sub(Duration::from_secs_f64(page.ago.clamp(0.0, 60_000.0) / 1000.0));
        let made_of = |answer: &Instant| {
            came.is_some_and(|came| *answer < came + HEARD_WITHIN && came < *answer + MADE_OF_ANSWER_WITHIN)
        };
        !self.any_beside_page() && (page.earlier || self.earlier_answers.iter().any(made_of))
    }

    /// In words, that nothing was seen to follow, where it is so.
    pub(crate) fn nothing(&self) -> Option<&'static str> {
        let ticking = self.page.as_ref().is_some_and(|page| page.recurring);
        match (self.any(), ticking) {
            (true, _) => None,
            (false, true) => Some("nothing was seen to follow but what changes again and again by itself"),
            (false, false) => Some("nothing was seen to follow"),
        }
    }

    /// The effects in words, and the session brought up to what happened.
    pub(crate) fn into_effects(self, session: &mut Session, world: &World) -> Effects {
        let mut effects = Effects::none();
        let moved = match &self.page {
            Some(page) => page.moved.clone(),
            None => self.moved,
        };
        if let Some((url, new_document)) = self.navigated.or_else(|| Some((moved?, false))) {
            if new_document {
                session.note_status(self.status);
            }
            effects.push(Effect::Navigated { url, status: self.status.filter(|_| new_document), new_document });
        }
        if let Some(url) = session.tab.leaving_for().filter(|_| self.loading) {
            effects.push(Effect::Leaving { url });
        }
        for dialog in &self.dialogs {
            effects
                .push(Effect::DialogOpened { dialog: dialog.kind.name().to_owned(), message: dialog.message.clone() });
        }
        for accepted in self.answered {
            effects.push(Effect::DialogClosed { accepted });
        }
        if self.begun > 0 {
            effects.push(Effect::Requests { begun: self.begun, failed: self.failed });
        }
        if let Some(page) = self.page {
            page.add_to(&mut effects, session, world);
        }
        if self.frame_gone {
            // the frame itself is the change, seen from the page around it
            effects.push(Effect::Dom { near: 1, far: 0 });
        }
        if self.closed {
            effects.push(Effect::TabClosed { tab: session.tab.id().to_string() });
            if session.leave_closed_tab() {
                effects.push(Effect::TabSwitched { tab: session.tab.id().to_string() });
            }
        }
        effects
    }
}

impl PageEffects {
    /// The same as seen from a frame inside: none of it is the target's own.
    pub(super) fn seen_from_outside(self) -> Self {
        Self { near: 0, far: self.near + self.far, changed: serde_json::Map::new(), focus: None, ..self }
    }

    pub(crate) fn add_to(self, effects: &mut Effects, session: &Session, world: &World) {
        for (key, value) in &self.changed {
            let switch = || match value.as_str() {
                Some("true") => Checked::True,
                Some("mixed") => Checked::Mixed,
                _ => Checked::False,
            };
            match key.as_str() {
                "value" => effects.push(Effect::Value { value: value.as_str().map(str::to_owned) }),
                "secret" => effects.push(Effect::Value { value: None }),
                "checked" => effects.push(Effect::Checked { state: switch() }),
                "pressed" => effects.push(Effect::Pressed { state: switch() }),
                "expanded" => effects.push(Effect::Expanded { open: value.as_bool().unwrap_or(false) }),
                "selected" => {
                    let labels = value.as_array().into_iter().flatten();
                    effects.push(Effect::Selected {
                        labels: labels.filter_map(|label| label.as_str().map(str::to_owned)).collect(),
                    });
                }
                _ => {}
            }
        }
        if let Some(local) = self.focus.filter(|local| *local > 0) {
            let target =
                session.frame_of(world.frame()).and_then(|frame| session.reader.existing(&session.tab, &frame, local));
            let name = target
                .and_then(|target| session.shown()?.control(target.number).map(|(node, _)| node.name.to_string()));
            if target.is_some() {
                effects.push(Effect::Focus { target, name: name.unwrap_or_default() });
            }
        }
        for Refusal { id, name, message } in self.refused {
            let frame = session.frame_of(world.frame());
            let target = frame.and_then(|frame| session.reader.existing(&session.tab, &frame, id));
            effects.push(Effect::Refused { target, name, message });
        }
        if let Some((right, down)) = self.scrolled.filter(|(right, down)| *right != 0.0 || *down != 0.0) {
            effects.push(Effect::Scrolled { right, down });
        }
        if self.near + self.far > 0 && !self.recurring {
            effects.push(Effect::Dom { near: self.near, far: self.far });
        }
    }
}
