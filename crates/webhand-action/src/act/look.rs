//! Looking without touching: reading, finding, pictures; and the actions that only keep or say something.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use tokio::time::Instant;
use webhand_cdp::protocol::network::GetCookies;
use webhand_page::{Call, ReadForm, ReadOptions, Reading, RefText, Search, Snapshot};

use super::{
    aim::{self, Wants},
    pointer::{describe, main_world},
    readback::ask,
};
use crate::{
    catalogue::{Done, Expand, Find, Read, ReadFormat, Remember, Screenshot, Target},
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    picture::{Part, PictureOptions},
    session::{Fact, Session, browser_trouble},
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

/// The ref of a target that is only looked at, checked like any other.
pub(super) async fn looked_at(session: &Session, target: &Target) -> Result<RefText, ActionError> {
    let aim = aim::aim(session, target).await?;
    aim.r#ref.map(RefText::from).ok_or_else(|| {
        ActionError::new(ErrorCode::InvalidAction, format!("{target} is not in the snapshot"))
            .with_hint("take a snapshot and name the element by its ref")
    })
}

pub(super) async fn read(session: &mut Session, read: &Read) -> Result<Outcome, ActionError> {
    match read.format {
        ReadFormat::Html => return Box::pin(html(session, read)).await,
        ReadFormat::Cookies => return cookies(session, read).await,
        _ => {}
    }
    let within = match &read.target {
        Some(target) => Some(looked_at(session, target).await?),
        None => None,
    };
    let snapshot = session.glanced().await?;
    if let Some(text) = within
        && snapshot.named(text).is_none()
    {
        return Err(ActionError::new(ErrorCode::ElementNotFound, format!("{text} is not on the page any more")));
    }
    let what = within.map_or_else(|| "the page".to_owned(), |text| text.to_string());
    let (message, data) = match read.format {
        ReadFormat::Markdown => text(&snapshot, read, within, ReadForm::Markdown)?,
        ReadFormat::Text => text(&snapshot, read, within, ReadForm::Text)?,
        ReadFormat::Table => tables(&snapshot, read, within)?,
        ReadFormat::Links => links(&snapshot),
        ReadFormat::Images => images(&snapshot),
        // html and cookies are not in a snapshot: they were told above
        _ => facts_of(&snapshot, read, within)?,
    };
    let mut outcome = Outcome::done(read.clone().into(), message.replace("{}", &what));
    outcome.data = Some(data);
    Ok(outcome)
}

fn text(
    snapshot: &Snapshot,
    read: &Read,
    within: Option<RefText>,
    form: ReadForm,
) -> Result<(String, Value), ActionError> {
    let mut options = ReadOptions::default();
    (options.within, options.form) = (within, form);
    options.cursor = cursor_of(read.cursor.as_deref())?;
    options.max_tokens = read.max_tokens.unwrap_or(options.max_tokens);
    Ok(told(&snapshot.read(&options).ok_or_else(not_there)?))
}

/// A cursor, as the last reading gave it.
pub(super) fn cursor_of(cursor: Option<&str>) -> Result<Option<usize>, ActionError> {
    let parsed = cursor.map(|cursor| {
        cursor.parse().map_err(|_| {
            ActionError::new(ErrorCode::InvalidAction, format!("{cursor:?} is not a cursor"))
                .with_kind("bad_parameter")
                .with_hint("use the cursor that the last reading gave")
        })
    });
    parsed.transpose()
}

fn not_there() -> ActionError {
    ActionError::new(ErrorCode::ElementNotFound, "the element is not on the page any more")
}

fn told(reading: &Reading) -> (String, Value) {
    let more = reading.next.map(|next| format!("; go on with cursor {next}")).unwrap_or_default();
    let next = reading.next.map(|next| next.to_string());
    (format!("read {{}}{more}"), json!({ "text": reading.text, "cursor": next }))
}

/// The part of a text that was asked for.
fn part(whole: &str, read: &Read) -> Result<(String, Value), ActionError> {
    let most = read.max_tokens.unwrap_or(ReadOptions::default().max_tokens);
    Ok(told(&Reading::part_of(whole, cursor_of(read.cursor.as_deref())?, most)))
}

fn tables(snapshot: &Snapshot, read: &Read, within: Option<RefText>) -> Result<(String, Value), ActionError> {
    let tables = snapshot.tables(within).ok_or_else(not_there)?;
    if tables.is_empty() {
        return Err(ActionError::new(ErrorCode::ElementNotFound, "there is no table with rows there")
            .with_hint("read it as markdown: what looks like a table may be a list"));
    }
    let names = tables.iter().map(|table| format!("# {}\n", if table.name.is_empty() { "table" } else { &table.name }));
    let names: Vec<String> = names.collect();
    let texts = tables.iter().zip(&names).map(|(table, name)| {
        let name = if tables.len() > 1 { name.as_str() } else { "" };
        format!("{name}{}", table.csv())
    });
    let whole = texts.collect::<Vec<_>>().join("\n");
    let (message, mut data) = part(&whole, read)?;
    data["tables"] = tables
        .iter()
        .map(|table| json!({ "name": table.name, "columns": table.columns, "rows": table.rows.len() }))
        .collect();
    let rows: usize = tables.iter().map(|table| table.rows.len()).sum();
    Ok((format!("{message}: {rows} row{}", if rows == 1 { "" } else { "s" }), data))
}

/// The most markup that is taken out of a document, characters.
const MOST_MARKUP: u32 = 2_000_000;

async fn html(session: &mut Session, read: &Read) -> Result<Outcome, ActionError> {
    #[derive(serde::Deserialize)]
    struct Markup {
        html: String,
        cut: bool,
    }
    let (world, local, what) = match &read.target {
        Some(target) => {
            let aim = aim::aim(session, target).await?;
            let deadline = Instant::now() + session.settings.action_deadline;
            let spot = aim::locate(session, &aim, Wants::NOTHING, deadline).await?;
            (spot.world, spot.local, describe(&spot.landed))
        }
        None => (main_world(session)?, 0, "the page".to_owned()),
    };
    let call = Call::new("htmlOf").arg(local).arg(MOST_MARKUP);
    let markup: Option<Markup> = ask(session, &world, call).await?;
    let mut markup = markup.ok_or_else(not_there)?;
    // a chunk may end within a value: no part of one is told
    session.redact_text(&mut markup.html);
    let (message, data) = part(&markup.html, read)?;
    let mut outcome = Outcome::done(read.clone().into(), message.replace("{}", &format!("the markup of {what}")));
    outcome.data = Some(data);
    if markup.cut {
        outcome
            .notes
            .push(format!("the rest was left out: there is more than {MOST_MARKUP} characters, or it is too deep"));
    }
    Ok(outcome)
}

/// What the page's cookies are called and how they are set; what they hold is often a key to somebody's account.
async fn cookies(session: &mut Session, read: &Read) -> Result<Outcome, ActionError> {
    let asked = session.tab.session().send(&GetCookies::default());
    let reply = session.tab.race(asked, session.settings.action_deadline).await;
    let cookies: Vec<Value> = reply
        .map_err(|error| browser_trouble(&error))?
        .cookies
        .iter()
        .map(|cookie| {
            json!({ "name": cookie.name, "domain": cookie.domain, "path": cookie.path, "expires": cookie.expires,
                "http_only": cookie.http_only, "secure": cookie.secure })
        })
        .collect();
    let count = cookies.len();
    let message = format!("{count} cookie{}, without what they hold", if count == 1 { "" } else { "s" });
    let mut outcome = Outcome::done(read.clone().into(), message);
    outcome.data = Some(json!({ "cookies": cookies }));
    Ok(outcome)
}

fn links(snapshot: &Snapshot) -> (String, Value) {
    let links: Vec<Value> = snapshot
        .controls()
        .filter_map(|(node, control)| {
            let href = control.attributes.href.as_deref()?;
            Some(json!({ "ref": control.r#ref, "text": node.name, "url": href }))
        })
        .collect();
    (format!("{} link{}", links.len(), if links.len() == 1 { "" } else { "s" }), json!({ "links": links }))
}

fn images(snapshot: &Snapshot) -> (String, Value) {
    let images: Vec<&str> =
        snapshot.nodes.iter().filter(|node| node.role.as_str() == "img").map(|node| &*node.name).collect();
    (format!("{} images with a description", images.len()), json!({ "images": images }))
}

fn facts_of(snapshot: &Snapshot, read: &Read, within: Option<RefText>) -> Result<(String, Value), ActionError> {
    let Some((node, control)) = within.and_then(|text| snapshot.named(text)) else {
        return Err(ActionError::new(ErrorCode::InvalidAction, "this form of reading needs a ref")
            .with_kind("missing_parameter"));
    };
    if read.format == ReadFormat::Value {
        let state = &control.state;
        let value = match (&state.value, &state.selected) {
            _ if state.secret.is_some() => json!("(hidden)"),
            (Some(value), _) => json!(value),
            (None, Some(selected)) => json!(selected),
            _ => json!(state.checked),
        };
        return Ok((format!("the value of {{}} is {value}"), json!({ "value": value })));
    }
    Ok((
        "attributes of {}".to_owned(),
        json!({ "role": node.role, "name": node.name, "tag": control.tag, "attributes": control.attributes }),
    ))
}

/// How much of what was folded is shown where nothing else is asked for, in tokens.
const EXPANDED: u32 = 2000;

pub(super) async fn expand(session: &mut Session, expand: &Expand) -> Result<Outcome, ActionError> {
    let text = looked_at(session, &expand.target).await?;
    let snapshot = session.glanced().await?;
    let mut options = session.settings.view.options().clone();
    options.max_tokens = expand.max_tokens.unwrap_or(EXPANDED);
    let shown = snapshot.expand(text, &options).ok_or_else(|| {
        ActionError::new(ErrorCode::ElementNotFound, format!("{text} is not on the page any more"))
            .with_hint("look at the page again")
    })?;
    let mut outcome = Outcome::done(expand.clone().into(), format!("the page from {text} on"));
    outcome.data = Some(json!({ "text": shown }));
    Ok(outcome)
}

pub(super) async fn find(session: &mut Session, find: &Find) -> Result<Outcome, ActionError> {
    let snapshot = session.glanced().await?;
    let mut search = Search::default();
    search.text.clone_from(&find.text);
    search.regex.clone_from(&find.regex);
    search.role.clone_from(&find.role);
    search.limit = find.limit as usize;
    let found = snapshot.find(&search).map_err(|error| {
        let failure = ActionError::new(ErrorCode::InvalidAction, error.to_string()).with_kind("bad_parameter");
        match error.hint() {
            Some(hint) => failure.with_hint(hint),
            None => failure,
        }
    })?;
    if found.hits.is_empty() {
        return Err(ActionError::new(ErrorCode::ElementNotFound, "nothing on the page fits")
            .with_hint("try fewer words, or read the page"));
    }
    let mut outcome = Outcome::done(find.clone().into(), found.to_string());
    outcome.data = Some(json!(found));
    Ok(outcome)
}

pub(super) async fn screenshot(session: &mut Session, screenshot: &Screenshot) -> Result<Outcome, ActionError> {
    let part = match &screenshot.target {
        None if screenshot.full_page => Part::FullPage,
        None => Part::View,
        Some(target) => {
            let aim = aim::aim(session, target).await?;
            let deadline = Instant::now() + session.settings.action_deadline;
            let wants = Wants { stable: true, point: true, ..Wants::NOTHING };
            Part::Region(aim::locate(session, &aim, wants, deadline).await?.rect)
        }
    };
    let options = PictureOptions { part, marks: screenshot.marks, ..PictureOptions::default() };
    let picture = session.picture(&options).await?;
    let mut outcome = Outcome::done(screenshot.clone().into(), "took a picture");
    outcome.data = Some(json!({ "media_type": picture.media_type, "base64": STANDARD.encode(picture.bytes) }));
    Ok(outcome)
}
