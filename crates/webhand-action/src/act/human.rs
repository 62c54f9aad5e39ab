//! Asking a person, having a captcha solved, waiting for a one-time code.

use std::time::SystemTime;

use serde_json::json;
use tokio::time::timeout;

use crate::{
    catalogue::{AskHuman, OneTimeCode, SolveCaptcha},
    effects::Effect,
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    people::{Captcha, Question, Reply},
    secrets::{VaultError, handle_of},
    session::Session,
};

pub(super) async fn ask(session: &mut Session, ask: &AskHuman) -> Result<Outcome, ActionError> {
    let question = Question {
        text: ask.question.clone(),
        choices: ask.choices.clone(),
        take_over: ask.take_over,
        url: session.tab.url(),
    };
    let reply = answer(session, &question).await?;
    let mut outcome = Outcome::done(ask.clone().into(), String::new());
    match reply {
        Reply::Said(words) => {
            let chosen = ask.choices.iter().find(|choice| choice.trim().eq_ignore_ascii_case(words.trim()));
            outcome.message = format!("the person said {:?}", chosen.unwrap_or(&words));
            if chosen.is_none() && !ask.choices.is_empty() {
                outcome.notes.push("that is none of the choices".to_owned());
            }
            outcome.data = Some(json!(chosen.unwrap_or(&words)));
        }
        Reply::Finished => "the person says that it is done".clone_into(&mut outcome.message),
        Reply::Declined => {
            return Err(ActionError::new(ErrorCode::NeedsHuman, "the person declined")
                .with_kind("declined")
                .with_hint("do it another way, or end the task with what there is"));
        }
    }
    note_what_changed(session, &question, &mut outcome);
    Ok(outcome)
}

pub(super) async fn solve(session: &mut Session, order: &SolveCaptcha) -> Result<Outcome, ActionError> {
    let page = session.glanced().await?;
    let seen = Captcha::seen_in(&page);
    let Some(captcha) = seen.or_else(|| named(order, &page.page.url)) else {
        return Err(ActionError::new(ErrorCode::ElementNotFound, "no captcha is seen on this page")
            .with_hint("read the page; name its kind where there is one after all, or ask a person"));
    };
    let mut failed = String::new();
    if let Some(solver) = session.settings.captcha_solver.clone() {
        let tab = session.tab.clone();
        match timeout(session.settings.human_deadline, solver.solve(&captcha, &tab)).await {
            Ok(Ok(())) => return solved(session, order, &captcha, "the solver says that it is solved").await,
            Ok(Err(error)) => failed = format!(" (the solver: {error})"),
            Err(_) => failed = " (the solver took too long)".to_owned(),
        }
    }
    let text = format!("Please solve the captcha ({}) that the page shows{failed}.", captcha.kind);
    let question = Question { text, take_over: true, url: captcha.url.clone(), ..Question::default() };
    match answer(session, &question).await? {
        Reply::Declined => Err(ActionError::new(ErrorCode::NeedsHuman, "the person declined").with_kind("declined")),
        _ => solved(session, order, &captcha, "the person says that it is solved").await,
    }
}

fn named(order: &SolveCaptcha, url: &str) -> Option<Captcha> {
    let kind = order.kind.clone()?;
    Some(Captcha { kind, url: url.to_owned(), ..Captcha::default() })
}

/// What was said, and what the page shows of it: the mark of some stays when they are solved.
async fn solved(
    session: &mut Session,
    order: &SolveCaptcha,
    captcha: &Captcha,
    said: &str,
) -> Result<Outcome, ActionError> {
    let mut outcome = Outcome::done(order.clone().into(), said);
    let now = session.glanced().await?;
    if Captcha::seen_in(&now).is_some_and(|now| now.kind == captcha.kind) {
        outcome.notes.push("the page still shows it; whether it is accepted shows when you go on".to_owned());
    }
    let question = Question { url: captcha.url.clone(), take_over: true, ..Question::default() };
    note_what_changed(session, &question, &mut outcome);
    Ok(outcome)
}

/// What the person answers.
async fn answer(session: &Session, question: &Question) -> Result<Reply, ActionError> {
    let needed = |detail: String| ActionError::new(ErrorCode::NeedsHuman, detail);
    let Some(person) = session.settings.person.clone() else {
        return Err(needed(format!("a person must answer: {}", question.text))
            .with_kind("nobody")
            .with_hint("run where a person can be asked, or end the task and say what is needed"));
    };
    match timeout(session.settings.human_deadline, person.ask(question)).await {
        Ok(Ok(reply)) => Ok(reply),
        Ok(Err(error)) => Err(needed(error.to_string()).with_kind("nobody")),
        Err(_) => {
            let within = session.settings.human_deadline.as_secs();
            Err(needed(format!("nobody answered within {within} s")).with_kind("nobody"))
        }
    }
}

/// A person may have gone anywhere.
fn note_what_changed(session: &mut Session, asked: &Question, outcome: &mut Outcome) {
    session.leave_closed_tab();
    let url = session.tab.url();
    if url != asked.url {
        outcome.effects.push(Effect::Navigated { url, status: session.tab.document_status(), new_document: true });
    }
    if asked.take_over {
        outcome.notes.push("the page may be otherwise than before: read it again".to_owned());
    }
}

pub(super) async fn code(session: &mut Session, order: &OneTimeCode) -> Result<Outcome, ActionError> {
    let handle = handle_of(&order.of);
    let vault = std::sync::Arc::clone(&session.settings.vault);
    let kind = vault.code_kind(handle).map_err(|error| trouble(&error))?;
    if let Some(wanted) = order.source.filter(|wanted| *wanted != kind) {
        let detail = format!("{handle} gives codes by {}, not by {}", kind.as_str(), wanted.as_str());
        return Err(ActionError::new(ErrorCode::InvalidAction, detail).with_kind("bad_parameter"));
    }
    let since = session.codes.since(handle);
    let asked = SystemTime::now();
    let waited = timeout(session.settings.code_deadline, vault.value(handle, since)).await;
    let secret = match waited {
        Ok(code) => code.map_err(|error| trouble(&error))?,
        Err(_) => {
            let within = session.settings.code_deadline.as_secs();
            return Err(ActionError::new(ErrorCode::Timeout, format!("no code came within {within} s"))
                .with_hint("have the site send another, or ask a person"));
        }
    };
    session.codes.keep(handle, secret, asked);
    let opener = format!("<secret>{handle}</secret>");
    let mut outcome = Outcome::done(order.clone().into(), format!("there is a code: fill it with {opener}"));
    outcome.data = Some(json!({ "handle": opener }));
    Ok(outcome)
}

fn trouble(error: &VaultError) -> ActionError {
    let code = match error {
        VaultError::Unknown { .. } => ErrorCode::InvalidAction,
        _ => ErrorCode::NeedsHuman,
    };
    ActionError::new(code, error.to_string()).with_kind("secret").with_hint("ask a person for it")
}
