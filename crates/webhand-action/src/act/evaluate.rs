//! Code in the page's own world: run once, waited for within the deadline, and told as JSON of a bounded size.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{Instant, timeout};
use webhand_browser::BrowserError;
use webhand_cdp::protocol::runtime::{self, TerminateExecution};
use webhand_page::{Gave, PageError, World};

use super::{
    aim::{self, Wants},
    effects::Watch,
    pointer::{describe, main_world},
    popups::adopt,
};
use crate::{
    catalogue::Evaluate,
    error::{ActionError, ErrorCode},
    outcome::{Landed, Outcome},
    session::{Session, page_trouble},
};

/// The longest value, as JSON, in characters.
const MOST: usize = 100_000;
/// A page that does not answer for so long after the deadline is still running the code.
const HANGS_AFTER: Duration = Duration::from_millis(300);
/// How long the news of what the code began may take.
const NEWS_WITHIN: Duration = Duration::from_millis(40);

pub(super) async fn evaluate(session: &mut Session, order: &Evaluate) -> Result<Outcome, ActionError> {
    let (world, number, landed) = place(session, order).await?;
    let mut watch = Watch::start(&session.tab);
    let within = session.settings.action_deadline;
    let gave = world.run_in_page(&function(&order.code), number, within).await;
    let on = landed.as_ref().map(|landed| format!(" on {}", describe(landed))).unwrap_or_default();
    let mut outcome = Outcome::done(order.clone().into(), format!("ran the code{on}"));
    outcome.target = landed;
    match gave.map_err(|error| trouble(&error, within)).and_then(told) {
        Ok(value) => outcome.data = Some(json!({ "value": value })),
        Err(error) => {
            if error.code == ErrorCode::Timeout {
                end(session, &world).await;
            }
            outcome.fail(error);
        }
    }
    // the news of a load or a request that the code began may come a little after its value
    if timeout(NEWS_WITHIN, watch.until_begun()).await.is_ok() {
        let seen = watch.settle(&world, &session.settings).await;
        let popups = seen.popups.clone();
        outcome.effects = seen.into_effects(session, &world);
        adopt(session, popups, true, &mut outcome.effects).await;
    }
    Ok(outcome)
}

/// Where it is run, with which element.
async fn place(session: &mut Session, order: &Evaluate) -> Result<(World, u32, Option<Landed>), ActionError> {
    let Some(target) = &order.target else { return Ok((main_world(session)?, 0, None)) };
    let aim = aim::aim(session, target).await?;
    let deadline = Instant::now() + session.settings.action_deadline;
    let spot = aim::locate(session, &aim, Wants::NOTHING, deadline).await?;
    Ok((spot.world, spot.local, Some(spot.landed)))
}

/// The code in a function that calls what is one, waits for what is promised, and writes what it gives: `v` and JSON, `u` for
/// nothing, `l` and how long it is where that is too much, `n` where it is no JSON.
fn function(code: &str) -> String {
    let code = code.trim().trim_end_matches(';');
    format!(
        "async function (element) {{ const given = (\n{code}\n);\n\
         const value = typeof given === 'function' ? await given(element) : await given;\n\
         let text; try {{ text = JSON.stringify(value) }} catch (error) {{ return 'n' + error }}\n\
         if (text === undefined) return 'u';\n\
         text = text.replace(/(^|[^\\\\])((?:\\\\\\\\)*)\\\\ud[89a-f][0-9a-f]{{2}}/g, '$1$2\\\\ufffd');\n\
         return text.length > {MOST} ? 'l' + text.length : 'v' + text }}"
    )
}

/// The value, or why there is none.
fn told(gave: Gave) -> Result<Value, ActionError> {
    let fault = |kind: &str, detail: String| ActionError::new(ErrorCode::ScriptFailed, detail).with_kind(kind);
    let text = match gave {
        Gave::Value(text) => text,
        Gave::Unreadable(words) => {
            return Err(fault("syntax", format!("the code was not run: {}", cut(&words)))
                .with_hint("write one expression; put statements into a function: () => { …; return value }"));
        }
        Gave::Threw(words) => return Err(fault("threw", format!("the code threw: {}", cut(&words)))),
        _ => return Err(ActionError::new(ErrorCode::Internal, "the code gave nothing that is known")),
    };
    let text: String = serde_json::from_str(&text).unwrap_or_default();
    let no_json = |why: &str| fault("not_json", format!("the code was run, and what it gave is no JSON: {}", cut(why)));
    match text.split_at_checked(1) {
        Some(("u", _)) => Ok(Value::Null),
        Some(("v", value)) => serde_json::from_str(value).map_err(|error| no_json(&error.to_string())),
        Some(("l", length)) => {
            let detail = format!("the code was run, and gave {} characters, of which {MOST} may be told", cut(length));
            Err(fault("too_large", detail).with_hint("give less of it: a part, or a count"))
        }
        Some(("n", why)) => Err(no_json(why)),
        _ => Err(no_json("it is none of ours")),
    }
}

fn cut(words: &str) -> String {
    words.chars().take(300).collect()
}

fn trouble(error: &PageError, within: Duration) -> ActionError {
    match error {
        PageError::Browser(BrowserError::Timeout { .. }) => {
            let detail = format!("the code took longer than {} s", within.as_secs_f64());
            ActionError::new(ErrorCode::Timeout, detail).with_hint("what it had begun may go on; look at the page")
        }
        other => page_trouble(other),
    }
}

/// Ends code that keeps the page from answering.
async fn end(session: &Session, world: &World) {
    let Some(frame) = session.tab.frame(world.frame()) else { return };
    let asked = session.tab.race(frame.session.send(&runtime::Evaluate::new("0")), HANGS_AFTER).await;
    if matches!(asked, Err(BrowserError::Timeout { .. })) {
        let ended = session.tab.race(frame.session.send(&TerminateExecution {}), HANGS_AFTER).await;
        tracing::debug!(?ended, "code that did not end");
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_it_gave_is_told_or_why_not() {
        let gave = |text: &str| told(Gave::Value(serde_json::to_string(text).unwrap()));
        assert_eq!(gave("v{\"a\":[1,null]}"), Ok(json!({"a": [1, null]})));
        assert_eq!(gave("u"), Ok(Value::Null));
        let kind = |result: Result<Value, ActionError>| result.unwrap_err().kind.unwrap();
        assert_eq!(kind(gave("l120000")), "too_large");
        assert_eq!(kind(gave("nTypeError: circular")), "not_json");
        assert_eq!(kind(gave("v{")), "not_json");
        assert_eq!(kind(gave("")), "not_json");
        assert_eq!(kind(told(Gave::Threw("Error: x".into()))), "threw");
        assert_eq!(kind(told(Gave::Unreadable("SyntaxError: x".into()))), "syntax");
    }

    proptest! {
        /// A page can bend what writes its values: whatever comes is told, or a fault.
        #[test]
        fn no_answer_is_too_much(text in "\\PC{0,40}") {
            let _ = told(Gave::Value(text.clone()));
            let _ = told(Gave::Value(serde_json::to_string(&text).unwrap()));
        }
    }
}
