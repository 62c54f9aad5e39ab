//! Several fields in one action: each is filled, chosen or checked as it would be alone, and the first that fails ends it.

use serde_json::json;
use webhand_page::Call;

use super::{
    act_opened,
    aim::{self, Aim},
    readback::ask,
};
use crate::{
    catalogue::{Action, Check, Click, FieldValue, Fill, FillForm, FormField, Press, Select, Target},
    effects::Effect,
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    session::Session,
};

pub(super) async fn fill_form(session: &mut Session, form: &FillForm) -> Result<Outcome, ActionError> {
    let mut whole = Outcome::done(form.clone().into(), String::new());
    let mut fields = Vec::new();
    for (index, field) in form.fields.iter().enumerate() {
        let part = match action_for(session, field).await {
            Ok(action) => act_opened(session, &action).await.unwrap_or_else(|error| Outcome::failed(action, error)),
            Err(error) => Outcome::failed(form.clone().into(), error),
        };
        fields.push(told(field, &part));
        let went_on = went_on(&part).filter(|_| index + 1 < form.fields.len() || form.submit);
        let error = part.error.clone();
        take_in(&mut whole, part);
        if let Some(error) = error.or(went_on) {
            whole.data = Some(json!({ "fields": fields }));
            whole.fail(stopped(form, index, error));
            return Ok(whole);
        }
    }
    whole.data = Some(json!({ "fields": fields }));
    whole.message = format!("set {}: {}", counted(form.fields.len()), whole.message);
    if form.submit {
        submit(session, form, &mut whole).await;
    }
    Ok(whole)
}

/// What a field shall hold, as the action that its kind asks for.
async fn action_for(session: &Session, field: &FormField) -> Result<Action, ActionError> {
    let aim = aim::aim(session, &field.target).await?;
    let target = field.target.clone();
    let one = match &field.value {
        FieldValue::Many(options) => return Ok(Select::many(target, options.iter().map(String::as_str)).into()),
        FieldValue::One(text) => text,
    };
    Ok(match kind_of(&aim) {
        Kind::Box => {
            let on = switch(one).ok_or_else(|| no_switch(&aim, one))?;
            if on { Check::on(target).into() } else { Check::off(target).into() }
        }
        Kind::Radio if switch(one) == Some(false) => Check::off(target).into(),
        Kind::Radio => Check::on(target).into(),
        Kind::Choice => Select::on(target, one.as_str()).into(),
        Kind::Text => Fill::on(target, one.as_str()).into(),
    })
}

enum Kind {
    Box,
    Radio,
    Choice,
    Text,
}

fn kind_of(aim: &Aim) -> Kind {
    let tag = aim.seen.tag.as_str();
    match aim.seen.role.as_str() {
        "checkbox" | "switch" | "menuitemcheckbox" => Kind::Box,
        "radio" | "menuitemradio" => Kind::Radio,
        "listbox" => Kind::Choice,
        "combobox" if !matches!(tag, "input" | "textarea") => Kind::Choice,
        _ if tag == "select" => Kind::Choice,
        _ => Kind::Text,
    }
}

/// On or off, as it may be written.
fn switch(text: &str) -> Option<bool> {
    match text.trim().to_lowercase().as_str() {
        "true" | "on" | "yes" | "1" | "checked" | "x" => Some(true),
        "false" | "off" | "no" | "0" | "unchecked" | "" => Some(false),
        _ => None,
    }
}

fn no_switch(aim: &Aim, text: &str) -> ActionError {
    let detail = format!("{} is checked or not, and {text:?} is neither", aim::label(aim));
    ActionError::new(ErrorCode::InvalidAction, detail).with_kind("bad_parameter").with_hint("write true or false")
}

fn told(field: &FormField, part: &Outcome) -> serde_json::Value {
    let value = part.data.as_ref().and_then(|data| data.get("value")).cloned();
    json!({ "ref": field.target.to_string(), "ok": part.ok, "value": value })
}

/// Whether the page went on, so that the other fields are not what the caller saw.
fn went_on(part: &Outcome) -> Option<ActionError> {
    let what = part.effects.iter().find(|effect| {
        matches!(
            effect,
            Effect::Navigated { new_document: true, .. } | Effect::DialogOpened { .. } | Effect::TabOpened { .. }
        )
    })?;
    Some(ActionError::new(ErrorCode::StaleRef, format!("the page went on: {what}")).with_kind("went_on"))
}

fn take_in(whole: &mut Outcome, part: Outcome) {
    // what each field holds is said of it; here it would be said of none
    let own = |effect: &&Effect| {
        matches!(effect, Effect::Value { .. } | Effect::Focus { .. } | Effect::Checked { .. } | Effect::Selected { .. })
    };
    whole.effects.extend(part.effects.iter().filter(|effect| !own(effect)).cloned());
    whole.attempts = whole.attempts.max(part.attempts);
    whole.notes.extend(part.notes);
    if part.ok {
        if !whole.message.is_empty() {
            whole.message.push_str("; ");
        }
        whole.message.push_str(&part.message);
    }
}

/// The failure of one field, with what became of the others.
fn stopped(form: &FillForm, index: usize, error: ActionError) -> ActionError {
    let all = form.fields.len();
    let mut detail = format!("field {} of {all}: {}", index + 1, error.detail);
    if index > 0 {
        detail.push_str(&format!("; the {} before it {} set", index, if index == 1 { "is" } else { "are" }));
    }
    match all - index - 1 {
        0 => {}
        1 => detail.push_str("; the one after it was not tried"),
        rest => detail.push_str(&format!("; the {rest} after it were not tried")),
    }
    ActionError { detail, ..error }
}

fn counted(count: usize) -> String {
    if count == 1 { "1 field".to_owned() } else { format!("{count} fields") }
}

/// Sends the form: by the button that it is sent with, else by Enter in its last text field.
async fn submit(session: &mut Session, form: &FillForm, whole: &mut Outcome) {
    let sent = match how_to_send(session, form).await {
        Ok(action) => match act_opened(session, &action).await {
            Ok(outcome) => outcome,
            Err(error) => Outcome::failed(action, error),
        },
        Err(error) => Outcome::failed(form.clone().into(), error),
    };
    whole.effects.extend(sent.effects.iter().cloned());
    whole.notes.extend(sent.notes);
    match sent.error {
        None => whole.message.push_str(&format!("; {}", sent.message)),
        Some(error) => {
            let detail = format!("{}, but it was not sent: {}", whole.message, error.detail);
            whole.fail(ActionError { detail, ..error });
        }
    }
}

async fn how_to_send(session: &mut Session, form: &FillForm) -> Result<Action, ActionError> {
    let mut enter = None;
    for field in form.fields.iter().rev() {
        let aim = aim::aim(session, &field.target).await?;
        let button: u32 = ask(session, &aim.world, Call::new("submitterOf").arg(aim.local)).await?;
        if button > 0 {
            let known = |session: &Session| session.reader.existing(&session.tab, &aim.frame, button);
            if known(session).is_none() {
                // it gets its ref by being read
                let _ = session.glance().await;
            }
            if let Some(button) = known(session) {
                return Ok(Click::on(button).into());
            }
        }
        if enter.is_none() && aim.seen.tag == "input" && matches!(kind_of(&aim), Kind::Text) {
            enter = Some(field.target.clone());
        }
    }
    let press = |target: Target| Press::keys("Enter").on(target).into();
    enter.map(press).ok_or_else(|| {
        ActionError::new(ErrorCode::NotInteractable, "no button sends this form, and no field of it takes Enter")
            .with_hint("click what sends it")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_switch_is_read_as_people_write_it() {
        assert_eq!(switch(" Yes "), Some(true));
        assert_eq!(switch("off"), Some(false));
        assert_eq!(switch("perhaps"), None);
    }

    #[test]
    fn a_failure_says_what_became_of_the_others() {
        let form = FillForm::of(["I1", "I2", "I3"].map(|target| FormField::new(target, "x")));
        let error = || ActionError::new(ErrorCode::ValueRejected, "no");
        assert_eq!(stopped(&form, 0, error()).detail, "field 1 of 3: no; the 2 after it were not tried");
        let detail = stopped(&form, 1, error()).detail;
        assert_eq!(detail, "field 2 of 3: no; the 1 before it is set; the one after it was not tried");
        assert_eq!(stopped(&form, 2, error()).detail, "field 3 of 3: no; the 2 before it are set");
    }
}
