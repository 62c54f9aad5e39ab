//! Waiting for something to hold: woken by changes and events, never by the clock alone; always bounded.

use std::{future::Future, time::Duration};

use tokio::time::{Instant, sleep_until, timeout_at};
use webhand_browser::{Heard, TabEvent};
use webhand_page::{Call, PageError, World};

use super::{
    aim::{self, Aim},
    pointer::main_world,
};
use crate::{
    catalogue::{Target, Wait, WaitFor},
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    session::{Session, browser_trouble},
};

/// The network is quiet when nothing was under way for this long.
const QUIET: Duration = Duration::from_millis(500);

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
        WaitFor::Network => (quiet(session, limit).await?, "the network is quiet".to_owned()),
        WaitFor::Download => (download(session, limit).await?, "the download is done".to_owned()),
    };
    if held {
        return Ok(Outcome::done(wait.clone().into(), what));
    }
    Err(ActionError::new(ErrorCode::Timeout, format!("waited {} s, and it does not hold that {what}", wait.seconds))
        .with_hint("look at the page again"))
}

/// Asks the page until it says yes or the time is over; a new document is asked anew.
async fn ask_page<F>(session: &Session, limit: Instant, mut ask: impl FnMut(Duration) -> F) -> Result<bool, ActionError>
where
    F: Future<Output = Result<bool, PageError>>,
{
    let mut heard = session.tab.events();
    loop {
        let left = limit.saturating_duration_since(Instant::now());
        match ask(left).await {
            Ok(true) => return Ok(true),
            Ok(false) if Instant::now() >= limit => return Ok(false),
            Ok(false) => {}
            Err(PageError::Browser(error)) if session.tab.dialog().is_some() || session.tab.is_closed() => {
                return Err(browser_trouble(&error));
            }
            // the document went: the next one is asked
            Err(_) if Instant::now() < limit => {
                let _ = timeout_at(limit.min(Instant::now() + QUIET), heard.next()).await;
            }
            Err(_) => return Ok(false),
        }
    }
}

async fn text(session: &Session, text: &str, shown: bool, limit: Instant) -> Result<bool, ActionError> {
    let mut asks = Vec::new();
    for frame in session.tab.frames() {
        asks.push(World::new(&session.tab, frame.id));
    }
    if asks.len() <= 1 || !shown {
        let world = main_world(session)?;
        return ask_page(session, limit, |left| {
            let world = world.clone();
            let call = Call::new("awaitText").arg(text).arg(shown).arg(left.as_millis() as u64);
            async move { world.call(&call, left + QUIET).await }
        })
        .await;
    }
    // shown in any of the frames
    let asked = asks.into_iter().map(|world| {
        Box::pin(ask_page(session, limit, move |left| {
            let world = world.clone();
            let call = Call::new("awaitText").arg(text).arg(true).arg(left.as_millis() as u64);
            async move { world.call(&call, left + QUIET).await }
        }))
    });
    let mut waiting: Vec<_> = asked.collect();
    while !waiting.is_empty() {
        let (held, _, rest) = futures_util::future::select_all(waiting).await;
        if held? {
            return Ok(true);
        }
        waiting = rest;
    }
    Ok(false)
}

async fn state(session: &Session, aim: &Aim, state: &str, limit: Instant) -> Result<bool, ActionError> {
    ask_page(session, limit, |left| {
        let world = aim.world.clone();
        let call = Call::new("awaitState").arg(aim.local).arg(state).arg(left.as_millis() as u64);
        async move { world.call(&call, left + QUIET).await }
    })
    .await
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

async fn download(session: &Session, limit: Instant) -> Result<bool, ActionError> {
    let mut heard = session.tab.events();
    loop {
        match timeout_at(limit, heard.next()).await {
            Ok(Some(Heard::Event(TabEvent::DownloadFinished { complete, .. }))) => return Ok(complete),
            Ok(Some(_)) => {}
            Ok(None) => return Err(ActionError::new(ErrorCode::BrowserLost, "the tab is gone")),
            Err(_) => return Ok(false),
        }
    }
}
