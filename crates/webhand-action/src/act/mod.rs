//! Performing: from a typed action to what was observed. One module a kind of action.
//!
//! Everything here goes the same way: find the element surely, wait until it can be used, use it with real input, look
//! what followed. What was not observed is never reported as done.

mod aim;
mod appeared;
mod browse;
mod came_up;
mod check;
mod choose;
mod choosers;
mod dialog;
mod download;
mod drag;
mod effects;
mod evaluate;
mod extract;
mod file;
mod fill;
mod focus;
mod form;
mod guard;
mod human;
mod keyboard;
pub(crate) mod keys;
mod look;
mod pointer;
mod popups;
mod print;
mod readback;
mod scroll;
mod secret;
mod upload;
mod value;
mod viewport;
mod wait;
mod watch;

pub(crate) use download::account;
pub(crate) use pointer::main_world;
pub(crate) use secret::{redact, redact_text};

use std::time::Duration;

use futures_util::{
    FutureExt as _,
    future::{BoxFuture, ready},
};
use webhand_browser::Tab;
use webhand_cdp::protocol::{page::StopLoading, runtime::Evaluate};
use webhand_page::{Call, PageError, World};

use crate::{
    catalogue::{Action, ActionContext, CustomAction},
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    session::{Session, browser_trouble},
};

/// How long a page that is told to stand down is remembered.
const STANDS_DOWN_WITHIN: Duration = Duration::from_secs(1);

/// Performs one action that passed validation.
pub(crate) async fn perform(session: &mut Session, action: &Action) -> Result<Outcome, ActionError> {
    let _ = session.approve(session.risk_of(action), None, None).await?;
    session.leave_closed_tab();
    if session.tab.is_closed() {
        return Err(ActionError::new(ErrorCode::BrowserLost, "every tab of this session is closed")
            .with_hint("open one with navigate and new_tab"));
    }
    if let Some(dialog) = session.tab.dialog()
        && needs_page(action)
    {
        return Err(browser_trouble(&webhand_browser::BrowserError::DialogOpen(Box::new(dialog))));
    }
    if reads_first(action) {
        answers(session).await?;
    }
    match action {
        Action::FillForm(form) => {
            serves_here(session, action)?;
            Box::pin(form::fill_form(session, form)).await
        }
        Action::Extract(order) => {
            serves_here(session, action)?;
            Box::pin(extract::extract(session, order)).await
        }
        _ => act_opened(session, action).await,
    }
}

/// Whether an action may be used at the address that is shown.
fn serves_here(session: &Session, action: &Action) -> Result<(), ActionError> {
    let Some(spec) = session.catalogue.get(action.name()).filter(|spec| !spec.serves_at(&session.tab.url())) else {
        return Ok(());
    };
    let places: Vec<&str> = spec.only_at.iter().map(webhand_guard::Pattern::as_str).collect();
    let detail = format!("{} is for {} and not for this page", spec.name, places.join(", "));
    Err(ActionError::new(ErrorCode::BlockedByPolicy, detail).with_kind("not_here"))
}

/// The action with its secrets in place, and the outcome without them.
async fn act_opened(session: &mut Session, action: &Action) -> Result<Outcome, ActionError> {
    serves_here(session, action)?;
    if let Some(opened) = Box::pin(secret::opened(session, action)).await? {
        let result = act(session, &opened).await;
        return Ok(secret::closed(action, result));
    }
    act(session, action).await
}

/// The action itself, one module a kind. On the heap, since the largest of them would otherwise lie on the stack of all.
fn act<'a>(session: &'a mut Session, action: &'a Action) -> BoxFuture<'a, Result<Outcome, ActionError>> {
    match action {
        Action::Click(click) => Box::pin(pointer::click(session, click)),
        Action::Hover(hover) => Box::pin(pointer::hover(session, hover)),
        Action::Focus(focus) => Box::pin(focus::focus(session, focus)),
        Action::Fill(fill) => Box::pin(fill::fill(session, fill)),
        // a form is its fields, each an action of its own
        Action::FillForm(_) => Box::pin(ready(Err(ActionError::new(ErrorCode::Internal, "a form in a form")))),
        // further pages are reached by actions of their own
        Action::Extract(_) => Box::pin(ready(Err(ActionError::new(ErrorCode::Internal, "an extraction in another")))),
        Action::Select(select) => Box::pin(choose::select(session, select)),
        Action::Options(options) => Box::pin(choose::options(session, options)),
        Action::Check(check) => Box::pin(check::check(session, check)),
        Action::Press(press) => Box::pin(keyboard::press(session, press)),
        Action::Type(text) => Box::pin(keyboard::type_text(session, text)),
        Action::Scroll(order) => Box::pin(scroll::scroll(session, order)),
        Action::Drag(order) => Box::pin(drag::drag(session, order)),
        Action::Upload(order) => Box::pin(upload::upload(session, order)),
        Action::Download(order) => Box::pin(download::download(session, order)),
        Action::Pdf(order) => Box::pin(print::pdf(session, order)),
        Action::File(order) => Box::pin(ready(file::file(session, order))),
        Action::Navigate(navigate) => Box::pin(browse::navigate(session, navigate)),
        Action::Search(search) => Box::pin(browse::search(session, search)),
        Action::Back(_) => Box::pin(browse::history(session, action, browse::Step::Back)),
        Action::Forward(_) => Box::pin(browse::history(session, action, browse::Step::Forward)),
        Action::Reload(_) => Box::pin(browse::history(session, action, browse::Step::Reload)),
        Action::Tab(tab) => Box::pin(browse::tab(session, tab)),
        Action::Wait(wait) => Box::pin(wait::wait(session, wait)),
        Action::Dialog(answer) => Box::pin(dialog::answer(session, answer)),
        Action::Read(read) => Box::pin(look::read(session, read)),
        Action::Expand(expand) => Box::pin(look::expand(session, expand)),
        Action::Find(find) => Box::pin(look::find(session, find)),
        Action::Screenshot(screenshot) => Box::pin(look::screenshot(session, screenshot)),
        Action::AskHuman(order) => Box::pin(human::ask(session, order)),
        Action::SolveCaptcha(order) => Box::pin(human::solve(session, order)),
        Action::OneTimeCode(order) => Box::pin(human::code(session, order)),
        Action::Viewport(order) => Box::pin(viewport::viewport(session, order)),
        Action::Evaluate(order) => Box::pin(evaluate::evaluate(session, order)),
        Action::Remember(remember) => Box::pin(ready(Ok(look::remember(session, remember)))),
        Action::Done(done) => Box::pin(ready(Ok(look::done(done)))),
        Action::Custom(custom) => Box::pin(run_custom(session, action, custom)),
    }
}

async fn run_custom(session: &Session, action: &Action, custom: &CustomAction) -> Result<Outcome, ActionError> {
    let context = ActionContext::new(session.tab.url(), session.tab.id().to_string());
    let catalogue = std::sync::Arc::clone(&session.catalogue);
    match catalogue.run_custom(custom, context).await {
        Ok(data) => {
            let mut outcome = Outcome::done(action.clone(), format!("{} done", custom.name));
            outcome.data = (!data.is_null()).then_some(data);
            Ok(outcome)
        }
        Err(error) => {
            let failure = ActionError::new(ErrorCode::Unsupported, error.message).with_kind("custom");
            Err(match error.hint {
                Some(hint) => failure.with_hint(hint),
                None => failure,
            })
        }
    }
}

/// After an action that was broken off: what it armed in the page is taken back, and a load that it began is ended. None of
/// it is waited for.
pub(crate) fn stand_down(tab: &Tab) {
    if tab.leaving_for().is_some() {
        drop(tab.session().send(&StopLoading {}));
    }
    for frame in tab.frames() {
        let world = World::new(tab, frame.id);
        let _: Option<Result<(), PageError>> = world.call(&Call::new("standDown"), STANDS_DOWN_WITHIN).now_or_never();
    }
}

/// Whether an action begins with reading the whole page, for which a large one has more time than an action.
fn reads_first(action: &Action) -> bool {
    matches!(
        action,
        Action::Hover(_)
            | Action::Read(_)
            | Action::Extract(_)
            | Action::Expand(_)
            | Action::Find(_)
            | Action::Screenshot(_)
    )
}

/// Makes sure that the page answers at all.
async fn answers(session: &Session) -> Result<(), ActionError> {
    let asked = session.tab.session().send(&Evaluate::new("0"));
    let answered = session.tab.race(asked, session.settings.action_deadline).await;
    answered.map(|_| ()).map_err(|error| browser_trouble(&error))
}

/// Whether an action cannot go on while a dialog holds the page.
fn needs_page(action: &Action) -> bool {
    if let Action::Navigate(navigate) = action {
        return !navigate.new_tab;
    }
    !matches!(
        action,
        Action::Dialog(_)
            | Action::Tab(_)
            | Action::File(_)
            | Action::AskHuman(_)
            | Action::OneTimeCode(_)
            | Action::Remember(_)
            | Action::Done(_)
            | Action::Custom(_)
    )
}
