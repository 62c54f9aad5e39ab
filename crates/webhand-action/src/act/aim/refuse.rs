//! Why an element cannot be used, in words that say what stands there now and what else may be meant.

use webhand_page::nearest;

use super::{
    Aim,
    locate::{Answer, Now},
};
use crate::{
    error::{ActionError, ErrorCode},
    session::Session,
};

/// `B12 "Save"`.
pub(crate) fn label(aim: &Aim) -> String {
    match aim.r#ref {
        Some(own) => format!("{own} {:?}", aim.seen.name),
        None => format!("the {} {:?}", aim.seen.role, aim.seen.name),
    }
}

/// Says why the element cannot be used, with what the user needs to decide.
pub(super) async fn refuse(session: &mut Session, aim: &Aim, answer: Answer) -> ActionError {
    let what = label(aim);
    match answer.miss.as_deref() {
        Some("disabled") => {
            ActionError::new(ErrorCode::NotInteractable, format!("{what} is disabled ({})", answer.cause))
                .with_kind("disabled")
        }
        Some("readonly") => {
            ActionError::new(ErrorCode::NotInteractable, format!("{what} is read-only")).with_kind("readonly")
        }
        Some("moving") => {
            ActionError::new(ErrorCode::NotInteractable, format!("{what} keeps moving")).with_kind("moving")
        }
        Some("hidden") => {
            ActionError::new(ErrorCode::NotInteractable, format!("{what} cannot be seen: {}", answer.hidden))
                .with_kind("hidden")
        }
        Some("out_of_view") => {
            ActionError::new(ErrorCode::NotInteractable, format!("{what} could not be brought into view"))
                .with_kind("out_of_view")
        }
        Some("covered") => covered(session, aim, answer).await,
        Some("changed") => changed(session, aim, answer.now.unwrap_or_default()).await,
        Some("ambiguous") => {
            let count = answer.now.unwrap_or_default().count;
            let like = if count == 1 { "one element is".to_owned() } else { format!("{count} elements are") };
            let detail = format!("{what} is gone, and {like} like it: which was meant cannot be told");
            let error = ActionError::new(ErrorCode::ElementNotFound, detail);
            error.with_kind("ambiguous").with_hint(candidates(session, aim).await)
        }
        _ => ActionError::new(ErrorCode::ElementNotFound, format!("{what} is gone"))
            .with_hint(candidates(session, aim).await),
    }
}

async fn covered(session: &mut Session, aim: &Aim, answer: Answer) -> ActionError {
    let what = label(aim);
    let Some(cover) = answer.cover else {
        return ActionError::new(ErrorCode::NotInteractable, format!("{what} gets no clicks where it stands"));
    };
    let mut frame = Some(aim.frame.clone());
    for _ in 0..cover.level {
        frame = frame.and_then(|frame| session.frame_of(&frame.parent?));
    }
    let existing = |session: &Session| session.reader.existing(&session.tab, frame.as_ref()?, cover.id);
    // the covering layer gets its ref by being read
    let known = match existing(session) {
        Some(known) => Some(known),
        None => {
            let _ = session.glance().await;
            existing(session)
        }
    };
    let by = known.map_or_else(|| format!("{:?}", cover.name), |known| format!("{known} {:?}", cover.name));
    ActionError::new(ErrorCode::NotInteractable, format!("{what} is covered by {by}"))
        .with_kind("covered")
        .with_hint(format!("deal with {by} first: close or answer it, or scroll"))
}

async fn changed(session: &mut Session, aim: &Aim, now: Now) -> ActionError {
    let same = now.role == aim.seen.role && now.name == aim.seen.name;
    let detail = if same {
        format!("{} stands in another row or card now: {:?}", label(aim), now.around)
    } else {
        format!("{} was {} {:?} and is {} {:?} now", label(aim), aim.seen.role, aim.seen.name, now.role, now.name)
    };
    let hint = match aim.r#ref.filter(|_| !same) {
        Some(own) => format!("if that is what you mean, look at the page again and use {own}"),
        None => candidates(session, aim).await,
    };
    ActionError::new(ErrorCode::TargetChanged, detail).with_hint(hint)
}

/// The nearest of what is on the page now, from a fresh look.
async fn candidates(session: &mut Session, aim: &Aim) -> String {
    let Ok(snapshot) = session.glance().await else { return "look at the page again".to_owned() };
    let near = nearest(&snapshot, Some(&aim.seen.role), &aim.seen.name, 4);
    let names: Vec<String> = near.iter().map(ToString::to_string).collect();
    if names.is_empty() {
        "nothing like it is on the page; look at the page again".to_owned()
    } else {
        format!("on the page now: {}", names.join(", "))
    }
}
