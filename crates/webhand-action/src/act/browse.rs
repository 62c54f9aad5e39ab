//! Going to pages and between tabs.

use tokio::time::{Instant, sleep_until};
use webhand_browser::{Loaded, NavigationError};

use crate::{
    catalogue::{Action, Navigate, Search, Tab},
    effects::Effect,
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    recover::Retries,
    session::{Session, browser_trouble, navigation_trouble},
};

/// A step in the tab's history.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Back,
    Forward,
    Reload,
}

pub(super) async fn navigate(session: &mut Session, navigate: &Navigate) -> Result<Outcome, ActionError> {
    go(session, navigate.clone().into(), &navigate.url, navigate.new_tab).await
}

async fn go(session: &mut Session, action: Action, url: &str, new_tab: bool) -> Result<Outcome, ActionError> {
    let mut opened = None;
    if new_tab {
        let tab = session.context.new_tab(None).await.map_err(|error| browser_trouble(&error))?;
        opened = Some(tab.id().to_string());
        session.tab = tab;
    }
    let mark = session.context.last_download();
    let (loaded, tries) = persist(session, Way::To(url)).await;
    if let Err(NavigationError::Download { .. }) = &loaded {
        // no page, but a file: it is kept
        super::download::await_begun(session, mark).await;
    }
    let mut outcome = arrived(session, action, loaded, &tries);
    if let (Some(tab), Ok(outcome)) = (opened, &mut outcome) {
        outcome.effects.push(Effect::TabOpened { tab, url: session.tab.url(), followed: true });
    }
    outcome
}

/// The outcome of a load: what really stands in the tab now.
fn arrived(
    session: &mut Session,
    action: Action,
    loaded: Result<Loaded, NavigationError>,
    tries: &Retries,
) -> Result<Outcome, ActionError> {
    let mut outcome = landed(session, action.clone(), loaded).unwrap_or_else(|error| Outcome::failed(action, error));
    if outcome.ok {
        outcome.attempts += tries.failed();
        outcome.notes.extend(tries.words());
    } else if tries.failed() > 1 {
        outcome.attempts = tries.failed();
        outcome.message.push_str(&format!(" (tried {} times)", tries.failed()));
        if let Some(error) = &mut outcome.error {
            error.detail.clone_from(&outcome.message);
        }
    }
    Ok(outcome)
}

fn landed(
    session: &mut Session,
    action: Action,
    loaded: Result<Loaded, NavigationError>,
) -> Result<Outcome, ActionError> {
    match loaded {
        Ok(loaded) => {
            session.note_status(loaded.status);
            let status = loaded.status.map(|status| format!(" (status {status})")).unwrap_or_default();
            let mut outcome = Outcome::done(action, format!("loaded {}{status}", loaded.url));
            if let Some(first) = loaded.redirects.first() {
                let times = match loaded.redirects.len() {
                    1 => "once".to_owned(),
                    times => format!("{times} times"),
                };
                outcome.notes.push(format!("redirected {times}, from {first}"));
            }
            if !loaded.complete {
                outcome.notes.push("some parts of the page are still loading".to_owned());
            }
            outcome.effects.push(Effect::Navigated { url: loaded.url, status: loaded.status, new_document: true });
            Ok(outcome)
        }
        Err(error) => {
            if let NavigationError::Http { url, status } = &error {
                session.note_status(Some(*status));
                let mut outcome = Outcome::failed(action, navigation_trouble(&error));
                let (url, status) = (url.clone(), Some(*status));
                outcome.effects.push(Effect::Navigated { url, status, new_document: true });
                return Ok(outcome);
            }
            session.note_status(None);
            Err(navigation_trouble(&error))
        }
    }
}

pub(super) async fn search(session: &mut Session, search: &Search) -> Result<Outcome, ActionError> {
    let engines = &session.settings.search_engines;
    let engine = match &search.engine {
        None => engines.first(),
        Some(name) => engines.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)),
    };
    let Some((_, template)) = engine else {
        let names: Vec<&str> = engines.iter().map(|(name, _)| name.as_str()).collect();
        let detail = format!("{:?} is not a search engine here", search.engine.as_deref().unwrap_or_default());
        return Err(ActionError::new(ErrorCode::InvalidAction, detail)
            .with_kind("bad_parameter")
            .with_hint(format!("there are: {}", names.join(", "))));
    };
    let query: String = url::form_urlencoded::byte_serialize(search.query.as_bytes()).collect();
    let url = template.replace("{}", &query);
    go(session, search.clone().into(), &url, false).await
}

pub(super) async fn history(session: &mut Session, action: &Action, step: Step) -> Result<Outcome, ActionError> {
    let (loaded, tries) = persist(session, Way::Step(step)).await;
    arrived(session, action.clone(), loaded, &tries)
}

/// Where to.
#[derive(Clone, Copy, Debug)]
enum Way<'a> {
    To(&'a str),
    Step(Step),
}

/// Loads a page, again where it failed for a moment: what is asked for here is safe to be asked for again. Where a step in
/// the history led to a page that failed, that page is loaded again; one that came of a form is not.
async fn persist(session: &Session, mut way: Way<'_>) -> (Result<Loaded, NavigationError>, Retries) {
    let tab = &session.tab;
    let until = Instant::now() + session.settings.navigation_deadline;
    let mut tries = Retries::new(session.settings.recovery, until);
    loop {
        let deadline = until.saturating_duration_since(Instant::now());
        let loaded = match way {
            Way::To(url) => tab.navigate(url, deadline).await,
            Way::Step(Step::Back) => tab.back(deadline).await,
            Way::Step(Step::Forward) => tab.forward(deadline).await,
            Way::Step(Step::Reload) => tab.reload(deadline).await,
        };
        let Err(error) = &loaded else { return (loaded, tries) };
        let again = error.is_transient() && (matches!(way, Way::To(_)) || !tab.came_of_form());
        let asked = tab.retry_after().filter(|_| matches!(error, NavigationError::Http { .. }));
        let Some(at) = tries.next(error.to_string(), asked, Instant::now()).filter(|_| again) else {
            return (loaded, tries);
        };
        if let Way::Step(step) = &mut way {
            *step = Step::Reload;
        }
        sleep_until(at).await;
    }
}

pub(super) async fn tab(session: &mut Session, order: &Tab) -> Result<Outcome, ActionError> {
    let done = session.control().order(order).await;
    session.take_wanted();
    done
}
