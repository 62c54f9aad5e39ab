//! Answering the dialog that the page holds.

use super::effects::Watch;
use crate::{
    catalogue::Dialog,
    effects::Effect,
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    session::{Session, browser_trouble},
};

pub(super) async fn answer(session: &mut Session, answer: &Dialog) -> Result<Outcome, ActionError> {
    if session.tab.dialog().is_none() {
        return Err(ActionError::new(ErrorCode::InvalidAction, "no dialog is open").with_kind("no_dialog"));
    }
    let watch = Watch::start(&session.tab);
    let dialog =
        session.tab.answer_dialog(answer.accept, answer.text.clone()).await.map_err(|error| browser_trouble(&error))?;
    let kind = dialog.kind.name();
    let word = if answer.accept { "accepted" } else { "dismissed" };
    let mut outcome = Outcome::done(answer.clone().into(), format!("{word} the {kind} {:?}", dialog.message));
    let world = super::main_world(session)?;
    let seen = watch.settle(&world, &session.settings).await;
    let popups = seen.popups.clone();
    outcome.effects = seen.into_effects(session, &world);
    super::popups::adopt(session, popups, true, &mut outcome.effects).await;
    if !outcome.effects.iter().any(|effect| matches!(effect, Effect::DialogClosed { .. })) {
        outcome.effects.push(Effect::DialogClosed { accepted: answer.accept });
    }
    Ok(outcome)
}
