//! Waiting for something to hold: woken by changes and events, never by the clock alone; always bounded.

use std::time::Duration;

use futures_util::{
    future::join_all,
    stream::{FuturesUnordered, StreamExt as _},
};
use serde::Deserialize;
use tokio::time::{Instant, sleep_until, timeout_at};
use webhand_browser::{Events, Heard, TabEvent};
use webhand_page::{Call, PageError, World};

use super::aim::{self, Aim};
use crate::{
    catalogue::{Target, Wait, WaitFor},
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    session::{Session, browser_trouble},
};

/// The network is quiet when nothing was under way for this long; a page that cannot be asked is asked again after it.
const QUIET: Duration = Duration::from_millis(500);
/// How long a frame may take to say what it shows.
const LOOK_WITHIN: Duration = Duration::from_secs(2);

pub(super) async fn wait(session: &mut Session, wait: &Wait) -> Result<Outcome, ActionError> {
    let limit = Instant::now() + Duration::try_from_secs_f64(wait.seconds.clamp(0.0, 60.0)).unwrap_or(QUIET);
    let value = wait.value.clone().unwrap_or_default();
    let (held, what) = match wait.r#for {
        WaitFor::Time => {
            sleep_until(limit).await;
            (true, format!("waited {} s", wait.seconds))
        }
        WaitFor::Text => (text(session, &value, true, limit).await?, format!("the text {value:?} is shown")),
        WaitFor::TextGone => (text(session, &value, false, limit).await?, format!("the text {value:?} is gone")),
        WaitFor::RefState => {
            let target = wait.r#ref.map(Target::from).ok_or_else(|| {
                ActionError::new(ErrorCode::InvalidAction, "which element is to be waited for is missing")
            })?;
            let aim = aim::aim(session, &target).await?;
            (state(session, &aim, &value, limit).await?, format!("{} is {value}", aim::label(&aim)))
        }
        WaitFor::Url => (
            events(session, limit, |session| session.tab.url().contains(&value)).await?,
            format!("the address has {value:?}"),
        ),
        WaitFor::Load => (
            events(session, limit, |session| session.tab.frames().first().is_some_and(|main| main.loaded)).await?,
            "the page is loaded".to_owned(),
        ),
        WaitFor::Download => (download(session, limit).await, "a download came to its end".to_owned()),
        WaitFor::Network => (quiet(session, limit).await?, "the network is quiet".to_owned()),
    };
    if held {
        return Ok(Outcome::done(wait.clone().into(), what));
    }
    Err(ActionError::new(ErrorCode::Timeout, format!("waited {} s, and it does not hold that {what}", wait.seconds))
        .with_hint("look at the page again"))
}

/// A page that cannot be asked: is it so for good?
fn unasked(session: &Session, error: &PageError) -> Result<(), ActionError> {
    match error {
        PageError::Browser(error) if session.tab.dialog().is_some() || session.tab.is_closed() => {
            Err(browser_trouble(error))
        }
        // its document went: the next one is asked
        _ => Ok(()),
    }
}

/// Waits until a text is shown in any frame, or in none.
async fn text(session: &Session, text: &str, shown: bool, limit: Instant) -> Result<bool, ActionError> {
    let mut heard = session.tab.events();
    loop {
        let worlds: Vec<World> =
            session.tab.frames().into_iter().map(|frame| World::new(&session.tab, frame.id)).collect();
        let look = Call::new("awaitText").arg(text).arg(true).arg(0);
        let asked = worlds.iter().map(|world| world.call::<bool>(&look, LOOK_WITHIN));
        let mut showing = Vec::new();
        let mut unsure = false;
        for (world, answer) in worlds.iter().zip(join_all(asked).await) {
            match answer {
                Ok(true) => showing.push(world),
                Ok(false) => {}
                Err(error) => {
                    unasked(session, &error)?;
                    unsure = true;
                }
            }
        }
        if shown != showing.is_empty() && (shown || !unsure) {
            return Ok(true);
        }
        if Instant::now() >= limit {
            return Ok(false);
        }
        let left = limit.saturating_duration_since(Instant::now());
        let change = Call::new("awaitText").arg(text).arg(shown).arg(left.as_millis() as u64);
        let of_them = if shown { worlds.iter().collect() } else { showing };
        let mut changes: FuturesUnordered<_> =
            of_them.into_iter().map(|world| world.call::<bool>(&change, left + QUIET)).collect();
        let until = if unsure { limit.min(Instant::now() + QUIET) } else { limit };
        loop {
            tokio::select! {
                Some(answer) = changes.next() => if matches!(answer, Ok(true)) { break },
                news = frame_news(&mut heard) => { news?; break }
                () = sleep_until(until) => break,
            }
        }
    }
}

/// Hears events until a frame came, went or shows another document.
async fn frame_news(heard: &mut Events<TabEvent>) -> Result<(), ActionError> {
    loop {
        match heard.next().await {
            Some(Heard::Event(
                TabEvent::Navigated { same_document: false, .. }
                | TabEvent::DomReady { .. }
                | TabEvent::FrameAttached { .. }
                | TabEvent::FrameDetached { .. }
                | TabEvent::DialogOpened(_)
                | TabEvent::Closed,
            ))
            | Some(Heard::Lagged(_)) => return Ok(()),
            Some(_) => {}
            None => return Err(ActionError::new(ErrorCode::BrowserLost, "the tab is gone")),
        }
    }
}

/// What the page says of an element that was waited for.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Awaited {
    held: bool,
    miss: Option<String>,
    now: Option<Now>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Now {
    role: String,
    name: String,
}

/// Waits for a state of an element, found again as a click would find it.
async fn state(session: &Session, aim: &Aim, state: &str, limit: Instant) -> Result<bool, ActionError> {
    let mut heard = session.tab.events();
    loop {
        let left = limit.saturating_duration_since(Instant::now());
        let call = Call::new("awaitSeen").arg(aim.local).arg(&aim.seen).arg(state).arg(left.as_millis() as u64);
        let answer = tokio::select! {
            answer = aim.world.call::<Awaited>(&call, left + QUIET) => Some(answer),
            news = frame_news(&mut heard) => news.map(|()| None)?,
        };
        let there = session.frame_of(&aim.frame.id).is_some_and(|frame| frame.document == aim.frame.document);
        if !there && session.tab.dialog().is_none() && !session.tab.is_closed() {
            // what another document holds is another element
            return if state == "hidden" { Ok(true) } else { Err(page_gone(aim)) };
        }
        match answer {
            None => {}
            Some(Ok(Awaited { held: true, .. })) => return Ok(true),
            Some(Ok(answer)) if Instant::now() >= limit => return not_held(aim, state, answer),
            Some(Ok(_)) => {}
            Some(Err(error)) => {
                unasked(session, &error)?;
                if Instant::now() >= limit {
                    return Ok(false);
                }
                let _ = timeout_at(limit.min(Instant::now() + QUIET), frame_news(&mut heard)).await;
            }
        }
    }
}

fn page_gone(aim: &Aim) -> ActionError {
    ActionError::new(ErrorCode::StaleRef, format!("{} was on a page that is gone", aim::label(aim)))
        .with_hint("look at the page again and use its refs")
}

/// Why a state is not there in the end, where more can be said than that.
fn not_held(aim: &Aim, state: &str, answer: Awaited) -> Result<bool, ActionError> {
    let what = aim::label(aim);
    match answer.miss.as_deref() {
        Some("changed") => {
            let now = answer.now.unwrap_or_default();
            let detail = if now.role == aim.seen.role && now.name == aim.seen.name {
                format!("{what} stands in another row or card now, so that it cannot be said to be {state}")
            } else {
                format!("{what} is {} {:?} now, so that it cannot be said to be {state}", now.role, now.name)
            };
            Err(ActionError::new(ErrorCode::TargetChanged, detail).with_hint("look at the page again"))
        }
        Some("ambiguous") => {
            Err(ActionError::new(ErrorCode::ElementNotFound, format!("{what} is gone, and several are like it"))
                .with_kind("ambiguous")
                .with_hint("look at the page again"))
        }
        Some("gone" | "hidden") => {
            Err(ActionError::new(ErrorCode::Timeout, format!("waited for {what} to be {state}, and it is not shown"))
                .with_hint("look at the page again"))
        }
        _ => Ok(false),
    }
}

async fn events(session: &Session, limit: Instant, holds: impl Fn(&Session) -> bool) -> Result<bool, ActionError> {
    let mut heard = session.tab.events();
    loop {
        if holds(session) {
            return Ok(true);
        }
        match timeout_at(limit, heard.next()).await {
            Ok(Some(_)) => {}
            Ok(None) => return Err(ActionError::new(ErrorCode::BrowserLost, "the tab is gone")),
            Err(_) => return Ok(holds(session)),
        }
    }
}

/// Waits for the downloads that are under way, else for the next one; how each ended is told like any news of downloads.
async fn download(session: &Session, limit: Instant) -> bool {
    let context = &session.context;
    let mut running = session.store.running(context);
    if running.is_empty() {
        let Ok(Some(next)) = timeout_at(limit, context.next_download(session.store.met())).await else { return false };
        running.push(next.id);
    }
    for id in running {
        if timeout_at(limit, context.download_over(id)).await.is_err() {
            return false;
        }
    }
    true
}

async fn quiet(session: &Session, limit: Instant) -> Result<bool, ActionError> {
    let mut heard = session.tab.events();
    loop {
        let idle = session.tab.requests_under_way() == 0;
        let until = if idle { limit.min(Instant::now() + QUIET) } else { limit };
        match timeout_at(until, heard.next()).await {
            Ok(Some(_)) => {}
            Ok(None) => return Err(ActionError::new(ErrorCode::BrowserLost, "the tab is gone")),
            Err(_) => return Ok(idle && session.tab.requests_under_way() == 0),
        }
    }
}
