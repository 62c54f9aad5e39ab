//! Answering the dialog that the page holds.

use super::effects::Watch;
use crate::{
    catalogue::{Dialog, Risk},
    effects::Effect,
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    risk::dialog_commits,
    session::{Session, browser_trouble},
};

pub(super) async fn answer(session: &mut Session, answer: &Dialog) -> Result<Outcome, ActionError> {
    let Some(held) = session.tab.dialog() else {
        return Err(ActionError::new(ErrorCode::InvalidAction, "no dialog is open").with_kind("no_dialog"));
    };
    if answer.accept {
        approve(session, &held).await?;
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

/// Asks whether it may be accepted, where that commits: by what it asks, or by what brought it up.
async fn approve(session: &mut Session, held: &webhand_browser::Dialog) -> Result<(), ActionError> {
    let kind = held.kind.name();
    let brought = session.held_commit.as_ref().filter(|(tab, _)| *tab == session.tab.id() && kind != "alert");
    let brought = brought.map(|(_, why)| why.clone());
    let Some(why) = dialog_commits(kind, &held.message).or(brought) else { return Ok(()) };
    let _ = session.approve(Risk::Commit, Some(&why), None).await?;
    match session.tab.dialog() {
        Some(now) if now.message == held.message => Ok(()),
        _ => Err(ActionError::new(ErrorCode::TargetChanged, "the dialog that was to be accepted is gone")),
    }
}
