//! Printing the page to a file of the run's folder.

use std::time::Duration;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::json;
use webhand_cdp::{CdpError, protocol::page::PrintToPDF};

use super::download::unkept;
use crate::{
    catalogue::{Paper, Pdf},
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    session::{Session, browser_trouble},
};

/// How long a long page may take to be laid out on paper.
const PRINTED_WITHIN: Duration = Duration::from_secs(30);

pub(super) async fn pdf(session: &mut Session, order: &Pdf) -> Result<Outcome, ActionError> {
    let (width, height) = match order.paper {
        Paper::Letter => (8.5, 11.0),
        Paper::Legal => (8.5, 14.0),
        Paper::A3 => (11.69, 16.54),
        _ => (8.27, 11.69),
    };
    let command = PrintToPDF {
        landscape: Some(order.landscape),
        print_background: Some(true),
        paper_width: Some(width),
        paper_height: Some(height),
        page_ranges: order.pages.clone(),
        ..PrintToPDF::default()
    };
    let printed = session.tab.race(session.tab.session().send(&command), PRINTED_WITHIN).await;
    let printed = printed.map_err(|error| match &error {
        webhand_browser::BrowserError::Cdp(CdpError::Protocol { message, .. }) if order.pages.is_some() => {
            ActionError::new(ErrorCode::InvalidAction, format!("these pages cannot be printed: {message}"))
                .with_kind("bad_parameter")
        }
        _ => browser_trouble(&error),
    })?;
    let content = STANDARD.decode(printed.data).unwrap_or_default();
    if !content.starts_with(b"%PDF") {
        return Err(ActionError::new(ErrorCode::Internal, "the browser printed no PDF"));
    }
    let name = match order.name.as_deref().map(str::trim).filter(|name| !name.is_empty()) {
        Some(name) => name.to_owned(),
        None => session.tab.current_title().await.unwrap_or_default(),
    };
    let name = if name.trim().is_empty() { "page".to_owned() } else { name };
    let name = if name.to_lowercase().ends_with(".pdf") { name } else { format!("{name}.pdf") };
    let folder = session.store.run_folder(&session.context, &session.settings.files);
    let kept = folder.and_then(|folder| folder.put(&name, &content)).map_err(|error| unkept(&error))?;
    let mut outcome = Outcome::done(
        order.clone().into(),
        format!("printed the page to {:?}: {} bytes, kept as {}", kept.name, kept.bytes, kept.path.display()),
    );
    outcome.data = Some(json!({
        "path": kept.path, "name": kept.name, "bytes": kept.bytes, "media_type": "application/pdf", "sha256": kept.sha256,
    }));
    Ok(outcome)
}
