//! Looking without touching: reading, finding, pictures; and the actions that only keep or say something.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::json;
use tokio::time::Instant;
use webhand_browser::{CaptureOptions, Clip};

use super::aim::{self, Wants};
use crate::{
    catalogue::{Done, Find, Read, Remember, Screenshot},
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    session::{Fact, Session, browser_trouble, page_trouble},
};

pub(super) fn remember(session: &mut Session, remember: &Remember) -> Outcome {
    let fact = Fact { key: remember.key.clone(), value: remember.value.clone(), url: session.tab.url() };
    match session.facts.iter_mut().find(|known| known.key == fact.key) {
        Some(known) => *known = fact,
        None => session.facts.push(fact),
    }
    Outcome::done(remember.clone().into(), format!("remembered {:?}", remember.key))
}

pub(super) fn done(done: &Done) -> Outcome {
    let mut outcome = Outcome::done(done.clone().into(), done.text.clone());
    outcome.data.clone_from(&done.data);
    outcome
}

pub(super) async fn read(session: &mut Session, read: &Read) -> Result<Outcome, ActionError> {
    let snapshot = session.glance().await.map_err(|error| page_trouble(&error))?;
    let text: Vec<&str> =
        snapshot.nodes.iter().map(|node| node.name.as_str()).filter(|name| !name.is_empty()).collect();
    let mut outcome = Outcome::done(read.clone().into(), "read the page");
    outcome.data = Some(json!({ "text": text.join("\n") }));
    Ok(outcome)
}

pub(super) async fn find(session: &mut Session, find: &Find) -> Result<Outcome, ActionError> {
    let snapshot = session.glance().await.map_err(|error| page_trouble(&error))?;
    let wanted = find.text.clone().unwrap_or_default().to_lowercase();
    let hits: Vec<String> = snapshot
        .nodes
        .iter()
        .filter(|node| node.name.to_lowercase().contains(&wanted))
        .take(find.limit as usize)
        .map(|node| node.name.clone())
        .collect();
    let mut outcome = Outcome::done(find.clone().into(), format!("found {}", hits.len()));
    outcome.data = Some(json!({ "hits": hits }));
    Ok(outcome)
}

pub(super) async fn screenshot(session: &mut Session, screenshot: &Screenshot) -> Result<Outcome, ActionError> {
    let mut options = CaptureOptions { full_page: screenshot.full_page, ..CaptureOptions::default() };
    if let Some(target) = &screenshot.target {
        let aim = aim::aim(session, target).await?;
        let deadline = Instant::now() + session.settings.action_deadline;
        let wants = Wants { stable: true, point: true, ..Wants::NOTHING };
        let _spot = aim::locate(session, &aim, wants, deadline).await?;
        options.clip = None::<Clip>;
    }
    let picture = session.tab.capture(&options).await.map_err(|error| browser_trouble(&error))?;
    let mut outcome = Outcome::done(screenshot.clone().into(), "took a screenshot");
    outcome.data = Some(json!({ "media_type": "image/png", "base64": STANDARD.encode(picture) }));
    Ok(outcome)
}
