//! Giving an element the keyboard's focus.

use serde::Deserialize;
use tokio::time::Instant;
use webhand_page::Call;

use super::{
    aim::{self, Spot, Wants},
    pointer::describe,
    readback::{ask, landed_outcome},
};
use crate::{
    catalogue::Focus,
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    session::Session,
};

pub(super) async fn focus(session: &mut Session, focus: &Focus) -> Result<Outcome, ActionError> {
    let aim = aim::aim(session, &focus.target).await?;
    let deadline = Instant::now() + session.settings.action_deadline;
    let spot = aim::locate(session, &aim, Wants { enabled: true, observe: true, ..Wants::NOTHING }, deadline).await?;
    give_focus(session, &spot).await?;
    let mut outcome = landed_outcome(focus.clone().into(), &spot);
    outcome.message = format!("{} has the focus", describe(&spot.landed));
    Ok(outcome)
}

/// Gives an element the focus, or says that it takes none.
pub(super) async fn give_focus(session: &Session, spot: &Spot) -> Result<(), ActionError> {
    #[derive(Debug, Default, Deserialize)]
    #[serde(default)]
    struct Focused {
        focused: bool,
    }
    let focused: Focused = ask(session, &spot.world, Call::new("focusOn").arg(spot.local)).await?;
    if focused.focused { Ok(()) } else { Err(no_focus(spot)) }
}

pub(super) fn no_focus(spot: &Spot) -> ActionError {
    ActionError::new(ErrorCode::NotInteractable, format!("{} does not take the focus", describe(&spot.landed)))
}
