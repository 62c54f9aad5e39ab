//! How something stands that was checked: on the page as it is now, in a menu that closed over it, or on the next page.

use serde::Deserialize;
use tokio::time::Instant;
use webhand_page::{Call, Checked};

use super::super::{
    aim::{self, Aim, Spot, Wants},
    choose,
    readback::{UNDONE_WITHIN, ask, is_gone},
};
use crate::{
    effects::{Effect, Effects},
    error::ActionError,
    session::Session,
};

/// What was noted before the press.
#[derive(Debug)]
pub(super) struct Reading {
    menu: Opened,
    world: webhand_page::World,
    local: u32,
}

/// What opened the menu that it stands in.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Opened {
    opener: u32,
    name: String,
    role: String,
}

/// How the element stands that was pressed.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Now {
    here: bool,
    same: bool,
    checked: Option<Checked>,
    changed: bool,
}

impl Reading {
    /// Notes what is to be pressed.
    pub(super) async fn begin(session: &Session, spot: &Spot) -> Result<Self, ActionError> {
        let opened = ask(session, &spot.world, Call::new("noteCheck").arg(spot.local)).await?;
        Ok(Self { menu: opened, world: spot.world.clone(), local: spot.local })
    }

    /// How it stands, also after what the press set off had the time to change it: a timer, or a request (`asked_for_more`)
    /// whose answer undoes it. None where that cannot be seen.
    pub(super) async fn stands(
        &self,
        session: &mut Session,
        aim: &Aim,
        wanted: Checked,
        asked_for_more: bool,
    ) -> Result<Option<Checked>, ActionError> {
        let stands = self.state(session, aim).await?;
        if stands != Some(wanted) {
            return Ok(stands);
        }
        let wait = Call::new("waitOnClick").arg(UNDONE_WITHIN.as_millis() as u64).arg(asked_for_more);
        if ask::<bool>(session, &self.world, wait).await? { self.state(session, aim).await } else { Ok(stands) }
    }

    async fn state(&self, session: &mut Session, aim: &Aim) -> Result<Option<Checked>, ActionError> {
        let call = Call::new("checkedNow").arg(self.local).arg(&aim.seen);
        let now: Now = ask(session, &self.world, call).await?;
        if now.here && now.same && (now.changed || self.menu.opener == 0) {
            return Ok(now.checked);
        }
        if self.menu.opener > 0 {
            let opener = aim.beside(session, self.menu.opener, &self.menu.role, &self.menu.name, None);
            return Box::pin(choose::checked_in_menu(session, opener, &aim.seen)).await;
        }
        let deadline = Instant::now() + session.settings.action_deadline;
        match aim::locate(session, aim, Wants::NOTHING, deadline).await {
            Ok(spot) => Ok(spot.state.checked.or(spot.state.pressed)),
            // drawn anew in a row that says something else now: the only one of its name is it, if it was so before
            Err(error) if is_gone(error.code) => {
                Ok(if was_alone(session, aim) { by_name(session, aim).await } else { None })
            }
            Err(error) => Err(error),
        }
    }
}

/// Whether it was the only one of its role and name that the user saw.
fn was_alone(session: &Session, aim: &Aim) -> bool {
    session.shown().is_some_and(|shown| {
        let equal = |(node, _): &(&webhand_page::Node, &webhand_page::Control)| {
            node.role.as_str() == aim.seen.role && *node.name == *aim.seen.name
        };
        shown.controls().filter(equal).count() == 1
    })
}

/// How the only one of that role and name stands that is there now.
pub(super) async fn by_name(session: &mut Session, aim: &Aim) -> Option<Checked> {
    let snapshot = session.glance().await.ok()?;
    let mut equal =
        snapshot.controls().filter(|(node, _)| node.role.as_str() == aim.seen.role && *node.name == *aim.seen.name);
    let (_, only) = equal.next()?;
    if equal.next().is_some() { None } else { only.state.checked.or(only.state.pressed) }
}

/// Makes the effects say how it stands in the end.
pub(super) fn note_state(effects: &mut Effects, stands: Option<Checked>, wanted: Checked) {
    let Some(state) = stands else { return };
    let mut told = false;
    let now = effects.iter().map(|effect| match effect {
        Effect::Checked { .. } | Effect::Pressed { .. } => {
            told = true;
            if matches!(effect, Effect::Checked { .. }) { Effect::Checked { state } } else { Effect::Pressed { state } }
        }
        other => other.clone(),
    });
    let mut now: Effects = now.collect();
    if !told && state == wanted {
        now.push(Effect::Checked { state });
    }
    *effects = now;
}
