//! Handles of secrets in the text of a `fill`: opened for the typing, and nowhere to be found after it.

use serde_json::Value;
use tokio::time::Instant;
use webhand_guard::Secret;
use webhand_page::{Call, Snapshot, World};

use super::aim::{self, Spot, Wants};
use crate::{
    catalogue::{Action, Fill, Risk},
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    secrets::{Piece, Vault, VaultError, holds_handle, pieces},
    session::{Session, page_trouble},
};

/// Names of values that go into password fields only.
const PASSWORDS: &[&str] = &["password", "passphrase", "pin"];

/// A box that no view exceeds.
const EVERYTHING: [f64; 4] = [-1e6, -1e6, 2e6, 2e6];

/// The action with its handles replaced; `None` where it has none.
///
/// # Errors
/// Where a handle may not be opened there: nothing was typed.
pub(super) async fn opened(session: &mut Session, action: &Action) -> Result<Option<Action>, ActionError> {
    match action {
        Action::Fill(fill) if holds_handle(&fill.text) => Ok(Some(Action::Fill(open(session, fill).await?))),
        Action::Type(text) if holds_handle(&text.text) => Err(refused("a secret is typed into a field that is named")
            .with_hint("use fill with the field's ref and the same handle")),
        _ => Ok(None),
    }
}

async fn open(session: &mut Session, fill: &Fill) -> Result<Fill, ActionError> {
    let aim = aim::aim(session, &fill.target).await?;
    let deadline = Instant::now() + session.settings.action_deadline;
    let spot = aim::locate(session, &aim, Wants { observe: false, ..Wants::EDIT }, deadline).await?;
    let vault = std::sync::Arc::clone(&session.settings.vault);
    let mut text = String::new();
    for piece in pieces(&fill.text) {
        match piece {
            Piece::Plain(plain) => text.push_str(plain),
            Piece::Handle(handle) => {
                let (entry, field) = vault.entry(handle).map_err(|error| trouble(&error))?;
                if !entry.serves(&aim.frame.url) {
                    let detail = format!("{handle} is for {} and not for {:?}", entry.origins(), aim.frame.url);
                    return Err(refused(detail));
                }
                fits(handle, &field, &spot)?;
                let _ = session.approve(Risk::Secret, Some(handle), Some(&spot.landed)).await?;
                let secret = current(session, &vault, handle).await?;
                text.push_str(secret.expose());
                session.keep_secret(secret);
            }
        }
    }
    // from now on its value leaves the page no more
    let left = deadline.saturating_duration_since(Instant::now());
    let held: bool =
        spot.world.call(&Call::new("keepSecret").arg(spot.local), left).await.map_err(|error| page_trouble(&error))?;
    if !held {
        return Err(ActionError::new(ErrorCode::ElementNotFound, format!("{} is gone", aim::label(&aim))));
    }
    Ok(Fill { text, ..fill.clone() })
}

/// The value of a handle: of codes that are sent, the one that `one_time_code` got, else the next.
async fn current(session: &Session, vault: &Vault, handle: &str) -> Result<Secret, ActionError> {
    if let Some(code) = session.codes.last(handle) {
        return Ok(code);
    }
    let value = vault.value(handle, session.codes.since(handle));
    match tokio::time::timeout(session.settings.code_deadline, value).await {
        Ok(value) => value.map_err(|error| trouble(&error)),
        Err(_) => Err(ActionError::new(ErrorCode::Timeout, format!("{handle} could not be had in time"))),
    }
}

/// Whether a value of that name may stand in that field.
fn fits(handle: &str, field: &str, spot: &Spot) -> Result<(), ActionError> {
    let password = spot.tag == "input" && spot.kind == "password";
    if PASSWORDS.contains(&field) && !password {
        return Err(refused(format!("{handle} goes into a password field, and that is none"))
            .with_hint("name the password field"));
    }
    if spot.landed.role == "searchbox" {
        return Err(refused(format!("{handle} is not typed into a search field")));
    }
    Ok(())
}

fn refused(detail: impl Into<String>) -> ActionError {
    ActionError::new(ErrorCode::BlockedByPolicy, detail)
        .with_kind("secret")
        .with_hint("use it on its own site, in the field that it is for; or ask a person")
}

fn trouble(error: &VaultError) -> ActionError {
    let code = match error {
        VaultError::Unknown { .. } => ErrorCode::InvalidAction,
        _ => ErrorCode::BlockedByPolicy,
    };
    ActionError::new(code, error.to_string()).with_kind("secret").with_hint("ask a person for it")
}

/// The outcome of the action as it was asked, without any value.
pub(super) fn closed(asked: &Action, result: Result<Outcome, ActionError>) -> Outcome {
    let mut outcome = result.unwrap_or_else(|error| Outcome::failed(asked.clone(), error));
    outcome.action = asked.clone();
    if outcome.code() == Some(ErrorCode::ValueRejected) {
        // what stands there may be the value in another form
        let error = ActionError::new(ErrorCode::ValueRejected, "the field did not take the secret as it is")
            .with_hint("look at the field's limits; ask a person whether the secret is right");
        outcome.fail(error);
    }
    outcome
}

impl Session {
    /// Remembers a value that was typed: no text that leaves the session may hold it.
    fn keep_secret(&mut self, secret: Secret) {
        let known = self.secrets.iter().any(|known| known.expose() == secret.expose());
        if !known && !secret.expose().is_empty() {
            self.desk.keep_secret(secret.clone());
            self.secrets.push(secret);
        }
    }

    /// Whether a value of the vault is in that text.
    pub(super) fn holds_secret(&self, text: &str) -> bool {
        self.secrets.iter().any(|secret| secret.is_in(text))
    }

    /// Takes every value that was typed out of a snapshot.
    pub(crate) fn redact_snapshot(&mut self, snapshot: &mut Snapshot) {
        if self.secrets.is_empty() {
            return;
        }
        let holds = |text: &str| self.secrets.iter().any(|secret| secret.is_in(text));
        let echoed = snapshot.redact(|text| {
            let mut text = holds(text).then(|| text.to_owned())?;
            self.redact_text(&mut text);
            Some(text)
        });
        let frames = self.tab.frames();
        let of = |index: u32| {
            let document = &snapshot.frames.get(index as usize)?.document;
            frames.iter().find(|frame| frame.document.to_string() == *document).map(|frame| (index, frame.id.clone()))
        };
        self.echoing = echoed.into_iter().filter_map(of).collect();
    }

    /// Where the page shows values that were typed, in CSS pixels of its view; of a frame in which they cannot be told apart,
    /// all of it.
    pub(crate) async fn echoes(&self, snapshot: &Snapshot) -> Vec<[f64; 4]> {
        let mut places = Vec::new();
        for (index, frame) in &self.echoing {
            let world = World::new(&self.tab, frame.clone());
            let before = places.len();
            for secret in &self.secrets {
                let call = Call::new("placesOf").arg(secret.expose());
                let boxes: Vec<[f64; 4]> = world.call(&call, self.settings.action_deadline).await.unwrap_or_default();
                places.extend(boxes.into_iter().filter_map(|rect| snapshot.place_in_page(*index, rect)));
            }
            if places.len() == before {
                places.extend(snapshot.place_in_page(*index, EVERYTHING));
            }
        }
        places
    }

    /// Takes every value that was typed out of an outcome.
    pub(crate) fn redact(&self, outcome: &mut Outcome) {
        redact(&self.secrets, outcome);
    }

    /// Takes every value that was typed out of a text.
    pub(crate) fn redact_text(&self, text: &mut String) {
        redact_text(&self.secrets, text);
    }
}

/// Takes every value that was typed out of an outcome.
pub(crate) fn redact(secrets: &[Secret], outcome: &mut Outcome) {
    if secrets.is_empty() {
        return;
    }
    redact_text(secrets, &mut outcome.message);
    outcome.notes.iter_mut().for_each(|note| redact_text(secrets, note));
    if let Some(error) = &mut outcome.error {
        redact_text(secrets, &mut error.detail);
        error.hint.iter_mut().for_each(|hint| redact_text(secrets, hint));
    }
    if let Some(target) = &mut outcome.target {
        redact_text(secrets, &mut target.name);
    }
    outcome.data.iter_mut().for_each(|data| redact_value(secrets, data));
    redact_through_json(secrets, &mut outcome.effects);
}

/// The same for anything that can be written as JSON.
fn redact_through_json<T: serde::Serialize + serde::de::DeserializeOwned>(secrets: &[Secret], thing: &mut T) {
    let Ok(mut value) = serde_json::to_value(&*thing) else { return };
    let before = value.clone();
    redact_value(secrets, &mut value);
    if value != before
        && let Ok(clean) = serde_json::from_value(value)
    {
        *thing = clean;
    }
}

fn redact_value(secrets: &[Secret], value: &mut Value) {
    match value {
        Value::String(text) => redact_text(secrets, text),
        Value::Array(items) => items.iter_mut().for_each(|item| redact_value(secrets, item)),
        Value::Object(fields) => fields.values_mut().for_each(|field| redact_value(secrets, field)),
        _ => {}
    }
}

pub(crate) fn redact_text(secrets: &[Secret], text: &mut String) {
    for secret in secrets {
        if let std::borrow::Cow::Owned(clean) = secret.redact(text) {
            *text = clean;
        }
    }
}
