//! Files that come: what of downloads each action must tell, and the action that is for one.

use std::time::Duration;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use data_url::DataUrl;
use serde::Deserialize;
use serde_json::json;
use tokio::time::{Instant, timeout_at};
use webhand_browser::{DownloadId, NavigationError, Saved};
use webhand_page::{Call, PageError, World};

use super::{
    aim::{self, Aim, Wants},
    pointer::{self, Gesture, describe},
    popups,
    readback::ask,
};
use crate::{
    catalogue::Download,
    effects::Effect,
    error::{ActionError, ErrorCode},
    files::{Kept, Taken, media_type_of},
    outcome::Outcome,
    session::{Session, browser_trouble, navigation_trouble},
};

/// How long a download that was told of may take to begin.
const BEGINS_WITHIN: Duration = Duration::from_secs(5);
/// The largest file that is read out of a page piece by piece, in bytes, and a piece of it.
const BLOB_MAX: u64 = 256 << 20;
const PIECE: u64 = 3 << 20;

/// Tells what is new of downloads since it was last told. What an action began is an effect of it, and what broke off is no
/// success; what began before is noted.
pub(crate) async fn account(session: &mut Session, outcome: &mut Outcome, mark: DownloadId) {
    let Session { store, context, settings, .. } = session;
    for (download, taken) in store.news(context, &settings.files).await {
        let earlier = download.id <= mark;
        let name = download.name;
        let effect = match taken {
            Taken::Running => Effect::DownloadStarted { name, received: download.received, total: download.total },
            Taken::Kept { kept, media_type } => downloaded(kept, media_type, download.url),
            Taken::Failed(why) => {
                if outcome.ok && !earlier {
                    let detail = format!("{}, and the download of {name:?} failed: {why}", outcome.message);
                    let error = ActionError::new(ErrorCode::Navigation, detail).with_kind("download_failed");
                    outcome.fail(error.with_hint("try it once more; a link that serves once may be used up"));
                }
                Effect::DownloadFailed { name, why }
            }
        };
        if earlier {
            outcome.notes.push(format!("of a download that began before: {effect}"));
        } else {
            outcome.effects.push(effect);
        }
    }
}

fn downloaded(kept: Kept, media_type: String, url: String) -> Effect {
    let Kept { path, name, bytes, sha256 } = kept;
    // an address that holds all of its file would say it twice
    let url = if url.starts_with("data:") { "data:".to_owned() } else { url };
    Effect::Downloaded { name, path: path.to_string_lossy().into_owned(), bytes, media_type, sha256, url }
}

pub(super) async fn download(session: &mut Session, order: &Download) -> Result<Outcome, ActionError> {
    let mark = session.context.last_download();
    let mut outcome = match (&order.url, &order.target) {
        (Some(url), _) => by_address(session, order, url, mark).await?,
        (None, Some(target)) => {
            let aim = aim::aim(session, target).await?;
            by_click(session, order, &aim, mark).await?
        }
        (None, None) => return Err(ActionError::new(ErrorCode::InvalidAction, "download needs a ref or a url")),
    };
    account(session, &mut outcome, mark).await;
    conclude(outcome)
}

/// Says what came; that none did is no success, whatever else was seen.
fn conclude(mut outcome: Outcome) -> Result<Outcome, ActionError> {
    let files: Vec<&Effect> =
        outcome.effects.iter().filter(|effect| matches!(effect, Effect::Downloaded { .. })).collect();
    if !files.is_empty() {
        let names: Vec<String> = files.iter().filter_map(|effect| name_of(effect)).collect();
        outcome.message = format!("saved {}", names.join(", "));
        outcome.data = Some(match files.as_slice() {
            [one] => json!(one),
            several => json!({ "files": several }),
        });
        return Ok(outcome);
    }
    if !outcome.ok {
        return Ok(outcome);
    }
    let running = outcome.effects.iter().any(|effect| matches!(effect, Effect::DownloadStarted { .. }));
    outcome.fail(if running {
        ActionError::new(ErrorCode::Timeout, "the download is not complete yet")
            .with_kind("download_running")
            .with_hint("go on meanwhile, or wait for download: it is told and kept when it is complete")
    } else {
        let detail = format!("{}, and no download began", outcome.message);
        ActionError::new(ErrorCode::NoEffect, detail)
            .with_kind("no_download")
            .with_hint("look at the page again: more may be asked there before the file comes")
    });
    Ok(outcome)
}

fn name_of(effect: &Effect) -> Option<String> {
    match effect {
        Effect::Downloaded { name, .. } => Some(format!("{name:?}")),
        _ => None,
    }
}

/// Presses what gives the file. What the page would show is saved, unless it is a page.
async fn by_click(
    session: &mut Session,
    order: &Download,
    aim: &Aim,
    mark: DownloadId,
) -> Result<Outcome, ActionError> {
    let deadline = Instant::now() + session.settings.action_deadline;
    let spot = aim::locate(session, aim, Wants { enabled: true, ..Wants::NOTHING }, deadline).await?;
    let shown: Option<String> = ask(session, &spot.world, Call::new("shownAddress").arg(spot.local)).await?;
    if let Some(address) = shown {
        // no answer of a server tells the browser to save it
        let mut outcome = inline(session, order, &spot.world, &address).await?;
        outcome.located_by = Some(spot.by);
        outcome.target = Some(spot.landed);
        return Ok(outcome);
    }
    let saving = session.tab.save_documents(Saved::ButPages).await.map_err(|error| browser_trouble(&error))?;
    let landing = pointer::gesture_on(session, aim, Gesture::CLICK).await?;
    let stays = landing.seen.dialogs.is_empty() && !landing.seen.closed && !landing.seen.crashed;
    if stays {
        await_file(session, mark, session.settings.action_deadline).await;
    }
    drop(saving);
    let mut outcome = Outcome::done(order.clone().into(), format!("pressed {}", describe(&landing.spot.landed)));
    outcome.attempts = landing.spot.attempts;
    outcome.located_by = Some(landing.spot.by);
    outcome.target = Some(landing.spot.landed.clone());
    let opened = landing.seen.popups.clone();
    outcome.effects = landing.seen.into_effects(session, &landing.spot.world);
    popups::adopt(session, opened, true, &mut outcome.effects).await;
    if let Some(status) = refused(&outcome) {
        let detail = format!("{}, and the server answered with status {status}", outcome.message);
        outcome.fail(ActionError::new(ErrorCode::Navigation, detail).with_kind("http"));
    }
    Ok(outcome)
}

/// The status of an error page that came instead.
fn refused(outcome: &Outcome) -> Option<u16> {
    outcome.effects.iter().find_map(|effect| match effect {
        Effect::Navigated { status, .. } => status.filter(|status| *status >= 400),
        _ => None,
    })
}

/// Waits for a download that was told of, as long as consequences of an action are waited for.
pub(super) async fn await_begun(session: &Session, mark: DownloadId) {
    await_end(session, mark, BEGINS_WITHIN, session.settings.settle_cap).await;
}

/// Waits for a download to begin, and for all that began to end.
async fn await_file(session: &Session, mark: DownloadId, begins_within: Duration) {
    await_end(session, mark, begins_within, session.settings.download_deadline).await;
}

async fn await_end(session: &Session, mark: DownloadId, begins_within: Duration, ends_within: Duration) {
    let begins = Instant::now() + begins_within;
    let began = timeout_at(begins, session.context.next_download(mark)).await;
    if !matches!(began, Ok(Some(_))) {
        return;
    }
    let limit = Instant::now() + ends_within;
    for download in session.context.downloads_since(mark) {
        let _ = timeout_at(limit, session.context.download_over(download.id)).await;
    }
}

/// Loads an address in a tab of its own, which is closed again, and saves what comes.
async fn by_address(
    session: &mut Session,
    order: &Download,
    url: &str,
    mark: DownloadId,
) -> Result<Outcome, ActionError> {
    if url.starts_with("data:") || url.starts_with("blob:") {
        let world = pointer::main_world(session)?;
        return inline(session, order, &world, url).await;
    }
    let trouble = |error| browser_trouble(&error);
    let tab = session.context.new_tab(None).await.map_err(trouble)?;
    let saving = match tab.save_documents(Saved::Everything).await {
        Ok(saving) => saving,
        Err(error) => {
            let _ = tab.close().await;
            return Err(trouble(error));
        }
    };
    let loaded = tab.navigate(url, session.settings.navigation_deadline).await;
    let outcome = match loaded {
        Err(NavigationError::Download { .. }) => {
            await_file(session, mark, BEGINS_WITHIN).await;
            Ok(Outcome::done(order.clone().into(), format!("asked for {url}")))
        }
        Ok(loaded) => {
            let status = loaded.status.map(|status| format!(" (status {status})")).unwrap_or_default();
            let detail = format!("{url} gave a page{status} and no file");
            Err(ActionError::new(ErrorCode::NoEffect, detail).with_kind("no_download"))
        }
        Err(error) => Err(navigation_trouble(&error)),
    };
    drop(saving);
    let _ = tab.close().await;
    outcome
}

/// Saves what an address holds itself, or what a page made and holds.
async fn inline(session: &mut Session, order: &Download, world: &World, url: &str) -> Result<Outcome, ActionError> {
    let (content, media_type) =
        if url.starts_with("data:") { of_data(url)? } else { of_blob(session, world, url).await? };
    let name = format!("download{}", ending_of(&media_type));
    let folder = session
        .store
        .run_folder(&session.context, &session.settings.files)
        .and_then(|folder| folder.put(&name, &content))
        .map_err(|error| unkept(&error));
    let kept = folder?;
    let media_type = if media_type.is_empty() { media_type_of(&kept.name) } else { media_type };
    let mut outcome = Outcome::done(order.clone().into(), String::new());
    outcome.effects.push(downloaded(kept, media_type, url.to_owned()));
    Ok(outcome)
}

/// That the run's folder could not be written.
pub(super) fn unkept(error: &std::io::Error) -> ActionError {
    ActionError::new(ErrorCode::Internal, format!("the run's folder cannot be written: {error}"))
        .with_kind("file")
        .with_hint("see that files.folder can be written and has room")
}

fn of_data(url: &str) -> Result<(Vec<u8>, String), ActionError> {
    let bad =
        || ActionError::new(ErrorCode::InvalidAction, "the data: address cannot be read").with_kind("bad_parameter");
    let parsed = DataUrl::process(url).map_err(|_| bad())?;
    let (content, _) = parsed.decode_to_vec().map_err(|_| bad())?;
    let media_type = parsed.mime_type();
    Ok((content, format!("{}/{}", media_type.type_, media_type.subtype)))
}

async fn of_blob(session: &Session, world: &World, url: &str) -> Result<(Vec<u8>, String), ActionError> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Opened {
        miss: Option<String>,
        size: u64,
        kind: String,
    }
    let opened: Opened = ask(session, world, Call::new("openBlob").arg(url).arg(BLOB_MAX)).await?;
    if let Some(miss) = opened.miss {
        let detail = format!("what the page holds at {url} cannot be read: {miss}");
        return Err(ActionError::new(ErrorCode::ElementNotFound, detail).with_hint("look at the page again"));
    }
    let mut content = Vec::new();
    while (content.len() as u64) < opened.size {
        let call = Call::new("readBlob").arg(content.len()).arg(PIECE);
        let piece: Result<String, PageError> = world.call(&call, session.settings.download_deadline).await;
        let piece = piece.map_err(|error| crate::session::page_trouble(&error))?;
        let piece = STANDARD.decode(piece).unwrap_or_default();
        if piece.is_empty() {
            return Err(ActionError::new(ErrorCode::BrowserLost, "the page went while its file was read"));
        }
        content.extend(piece);
    }
    Ok((content, opened.kind))
}

/// An ending for what has no name.
fn ending_of(media_type: &str) -> &'static str {
    match media_type {
        "text/plain" => ".txt",
        "text/csv" => ".csv",
        "text/html" => ".html",
        "application/json" => ".json",
        "application/pdf" => ".pdf",
        "application/zip" => ".zip",
        "image/png" => ".png",
        "image/jpeg" => ".jpg",
        "image/svg+xml" => ".svg",
        "image/gif" => ".gif",
        "image/webp" => ".webp",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_data_address_is_read_as_the_browser_reads_it() {
        let read = |url: &str| of_data(url).map(|(content, kind)| (String::from_utf8(content).unwrap(), kind));
        assert_eq!(read("data:text/csv;base64,YSxi").unwrap(), ("a,b".to_owned(), "text/csv".to_owned()));
        assert_eq!(read("data:,a%20b").unwrap(), ("a b".to_owned(), "text/plain".to_owned()));
        assert!(read("data:text/plain;base64,@").is_err());
    }
}
