//! Data out of pages: by selectors, from a table, or by a model that understands the text; checked, with where it stands, page
//! after page where that is asked.

use std::{collections::BTreeMap, sync::Arc};

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;
use webhand_page::{Call, ReadOptions, Ref, RefText, Snapshot};

use super::{
    act_opened,
    aim::{self, Wants},
    look::{cursor_of, looked_at},
    pointer::main_world,
    readback::ask,
};
use crate::{
    catalogue::{Click, Extract, Wait},
    error::{ActionError, ErrorCode},
    extract::{DataShape, ExtractOrder, Extractor, Next, from_tables, merge, next_page, sources_in, takes_by_selector},
    outcome::Outcome,
    session::{Session, page_trouble},
};

/// So many tokens of a page are handed to a model at once.
const CHUNK: u32 = 6_000;
/// So many chunks of one page are gone through; the rest has a cursor.
const CHUNKS: usize = 10;
/// The longest data, as JSON, in characters.
const MOST: usize = 1_000_000;
/// How long a page may take to load that the next control leads to, seconds.
const LOADS_WITHIN: f64 = 10.0;

/// What one page gave.
#[derive(Debug, Default)]
struct Taken {
    data: Value,
    sources: BTreeMap<String, Ref>,
    /// Places of values that stand nowhere on the page.
    unfound: Vec<String>,
    notes: Vec<String>,
    /// Where the rest of the page begins.
    cursor: Option<usize>,
}

/// How the data is taken.
enum Way {
    Selectors,
    Model(Arc<dyn Extractor>),
    Table,
}

pub(super) async fn extract(session: &mut Session, order: &Extract) -> Result<Outcome, ActionError> {
    let bad = |why: String| {
        ActionError::new(ErrorCode::InvalidAction, format!("the schema cannot be used: {why}"))
            .with_kind("bad_parameter")
    };
    let shape = order.schema.as_ref().map(DataShape::of).transpose().map_err(bad)?;
    let way = way(session, order);
    let mut all = Box::pin(page(session, order, &way, shape.as_ref())).await?;
    let (mut pages, mut end) = (1, "asked");
    while pages < order.pages {
        let more = match Box::pin(go_on(session)).await {
            Ok(()) => Box::pin(page(session, order, &way, shape.as_ref())).await,
            Err(why) => {
                end = why.0;
                all.notes.extend(why.1);
                break;
            }
        };
        let more = match more {
            Ok(more) => more,
            Err(error) => {
                end = "failed";
                all.notes.push(format!("page {} gave nothing: {}", pages + 1, error.detail));
                break;
            }
        };
        if ends_with(&all.data, &more.data) {
            end = "same";
            break;
        }
        pages += 1;
        all = joined(all, more);
        if all.data.to_string().len() > MOST {
            end = "too_long";
            break;
        }
    }
    Ok(outcome(order, all, shape.as_ref(), pages, end))
}

fn way(session: &Session, order: &Extract) -> Way {
    if order.schema.as_ref().is_some_and(takes_by_selector) {
        return Way::Selectors;
    }
    match &session.settings.extractor {
        Some(extractor) if order.instruction.is_some() || order.schema.is_some() => Way::Model(Arc::clone(extractor)),
        _ => Way::Table,
    }
}

async fn page(
    session: &mut Session,
    order: &Extract,
    way: &Way,
    shape: Option<&DataShape<'_>>,
) -> Result<Taken, ActionError> {
    let mut taken = match way {
        Way::Selectors => Box::pin(by_selectors(session, order)).await?,
        Way::Table => Box::pin(from_table(session, order)).await?,
        Way::Model(extractor) => Box::pin(by_model(session, order, extractor, shape)).await?,
    };
    if let Some(shape) = shape {
        taken.data = shape.fitted(taken.data);
    }
    Ok(taken)
}

/// What the page's library answers to `pick`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Picked {
    data: Value,
    sources: Vec<(String, u32)>,
    several: Vec<String>,
    bad: String,
    cut: bool,
}

async fn by_selectors(session: &mut Session, order: &Extract) -> Result<Taken, ActionError> {
    let (world, local) = match &order.target {
        Some(target) => {
            let aim = aim::aim(session, target).await?;
            let deadline = Instant::now() + session.settings.action_deadline;
            let spot = aim::locate(session, &aim, Wants::NOTHING, deadline).await?;
            (spot.world, spot.local)
        }
        None => (main_world(session)?, 0),
    };
    // controls get their refs by being read
    session.glance().await.map_err(|error| page_trouble(&error))?;
    let picked: Option<Picked> = ask(session, &world, Call::new("pick").arg(local).arg(&order.schema)).await?;
    let picked = picked.ok_or_else(|| ActionError::new(ErrorCode::ElementNotFound, "the element is gone"))?;
    if !picked.bad.is_empty() {
        return Err(ActionError::new(ErrorCode::InvalidAction, format!("{:?} is not a CSS selector", picked.bad))
            .with_kind("bad_parameter"));
    }
    if picked.data.is_null() || picked.data.as_array().is_some_and(Vec::is_empty) {
        return Err(ActionError::new(
            ErrorCode::ElementNotFound,
            "nothing that can be seen fits the schema's selectors",
        )
        .with_hint("look at the markup: read with format html"));
    }
    let frame = session.frame_of(world.frame());
    let named = |id: u32| session.reader.existing(&session.tab, frame.as_ref()?, id);
    let sources = picked.sources.into_iter().filter_map(|(place, id)| Some((place, named(id)?))).collect();
    let mut notes = Vec::new();
    if !picked.several.is_empty() {
        notes.push(format!("the first of several was taken: {}", picked.several.join(", ")));
    }
    if picked.cut {
        notes.push("there were more values than are taken at once: the rest is missing".to_owned());
    }
    Ok(Taken { data: picked.data, sources, notes, ..Taken::default() })
}

async fn from_table(session: &mut Session, order: &Extract) -> Result<Taken, ActionError> {
    let within = within(session, order).await?;
    let snapshot = session.glanced().await?;
    let tables = snapshot.tables(within).unwrap_or_default();
    if let Some((data, sources)) = from_tables(&tables, order.schema.as_ref()) {
        return Ok(Taken { data, sources, ..Taken::default() });
    }
    if order.instruction.is_some() && order.schema.is_none() {
        return Err(ActionError::new(ErrorCode::Unsupported, "no model is set that could understand the instruction")
            .with_kind("no_extractor")
            .with_hint("give a schema with x-selector in it, or name a table"));
    }
    let found = match tables.len() {
        0 => "there is no table".to_owned(),
        1 => "the table has not all the columns of the schema".to_owned(),
        count => format!("which of {count} tables is meant cannot be told"),
    };
    let names: Vec<String> = tables.iter().map(|table| table.keys().join(", ")).collect();
    Err(ActionError::new(ErrorCode::ElementNotFound, found)
        .with_kind("table")
        .with_hint(format!("name what stands in it by its ref, or give x-selector; columns: {}", names.join("; "))))
}

async fn within(session: &Session, order: &Extract) -> Result<Option<RefText>, ActionError> {
    match &order.target {
        Some(target) => Ok(Some(looked_at(session, target).await?)),
        None => Ok(None),
    }
}

/// Chunk after chunk through the model.
async fn by_model(
    session: &mut Session,
    order: &Extract,
    extractor: &Arc<dyn Extractor>,
    shape: Option<&DataShape<'_>>,
) -> Result<Taken, ActionError> {
    let within = within(session, order).await?;
    let snapshot = session.glanced().await?;
    let mut options = ReadOptions::default();
    (options.within, options.max_tokens, options.addresses) = (within, CHUNK, true);
    options.cursor = cursor_of(order.cursor.as_deref())?;
    let mut taken = Taken::default();
    for _ in 0..CHUNKS {
        let reading = snapshot
            .read(&options)
            .ok_or_else(|| ActionError::new(ErrorCode::ElementNotFound, "the element is not on the page any more"))?;
        let offset = taken.data.as_array().map_or(0, Vec::len);
        let data = understood(session, order, extractor, shape, (&snapshot, &reading.text, &taken.data)).await?;
        let (sources, unfound) = sources_in(&snapshot, &data, &reading.text);
        taken.sources.extend(sources.into_iter().map(|(place, at)| (moved(&place, offset), at)));
        taken.unfound.extend(unfound.iter().map(|place| moved(place, offset)));
        taken.data = merge(taken.data, data);
        taken.cursor = reading.next;
        options.cursor = reading.next;
        if reading.next.is_none() {
            break;
        }
    }
    Ok(taken)
}

/// One chunk: where what is given does not fit, it is asked once more.
async fn understood(
    session: &Session,
    order: &Extract,
    extractor: &Arc<dyn Extractor>,
    shape: Option<&DataShape<'_>>,
    (snapshot, text, before): (&Snapshot, &str, &Value),
) -> Result<Value, ActionError> {
    let within = session.settings.extract_deadline;
    let mut faults = Vec::new();
    for last in [false, true] {
        let asked = ExtractOrder {
            instruction: order.instruction.as_deref().unwrap_or_default(),
            schema: order.schema.as_ref(),
            text,
            url: &snapshot.page.url,
            before: Some(before).filter(|before| !before.is_null()),
            faults: &faults,
        };
        let answered = tokio::time::timeout(within, extractor.extract(&asked)).await;
        let late = || ActionError::new(ErrorCode::Timeout, format!("no data came within {} s", within.as_secs_f64()));
        let failed = |error: crate::extract::ExtractError| {
            ActionError::new(ErrorCode::Unsupported, error.to_string()).with_kind("extractor")
        };
        let data = answered.map_err(|_| late())?.map_err(failed)?;
        let data = shape.map_or_else(|| data.clone(), |shape| shape.fitted(data.clone()));
        faults = shape.map(|shape| shape.faults(&data)).unwrap_or_default();
        if faults.is_empty() || last {
            return Ok(data);
        }
    }
    Ok(Value::Null)
}

/// A place in a list that came after others.
fn moved(place: &str, offset: usize) -> String {
    let mut parts = place.splitn(3, '/');
    let (_, first, rest) = (parts.next(), parts.next().and_then(|first| first.parse::<usize>().ok()), parts.next());
    match first {
        Some(first) if offset > 0 => {
            let rest = rest.map(|rest| format!("/{rest}")).unwrap_or_default();
            format!("/{}{rest}", first + offset)
        }
        _ => place.to_owned(),
    }
}

fn joined(all: Taken, more: Taken) -> Taken {
    let offset = all.data.as_array().map_or(0, Vec::len);
    let mut notes = all.notes;
    notes.extend(more.notes);
    let unfound = all.unfound.into_iter().chain(more.unfound.iter().map(|place| moved(place, offset))).collect();
    // what stood on a page that is gone has no ref any more
    let sources = more.sources.into_iter().map(|(place, at)| (moved(&place, offset), at)).collect();
    Taken { data: merge(all.data, more.data), sources, unfound, notes, cursor: more.cursor }
}

/// Whether a page gave what the one before gave.
fn ends_with(all: &Value, more: &Value) -> bool {
    match (all.as_array(), more.as_array()) {
        (Some(all), Some(more)) => all.ends_with(more),
        _ => all == more,
    }
}

/// Goes on to the next page; else why it ends here, in a word and for whoever wants to know.
async fn go_on(session: &mut Session) -> Result<(), (&'static str, Option<String>)> {
    let snapshot = session.glanced().await.map_err(|error| ("failed", Some(error.detail)))?;
    let next = match next_page(&snapshot) {
        Next::At(next) => next,
        Next::Last => return Err(("last", None)),
        Next::None => return Err(("no_next", None)),
        Next::Several => {
            return Err((
                "several",
                Some("several controls may lead to the next page, and which one cannot be told".into()),
            ));
        }
    };
    let clicked = act_opened(session, &Click::on(next).into()).await.and_then(Outcome::into_result);
    clicked.map_err(|error| ("failed", Some(format!("{next} did not lead on: {}", error.detail))))?;
    let loaded = act_opened(session, &Wait::load().seconds(LOADS_WITHIN).into()).await.and_then(Outcome::into_result);
    loaded.map(drop).map_err(|error| ("failed", Some(error.detail)))
}

fn outcome(order: &Extract, taken: Taken, shape: Option<&DataShape<'_>>, pages: u32, end: &str) -> Outcome {
    let faults = shape.map(|shape| shape.faults(&taken.data)).unwrap_or_default();
    let what = match &taken.data {
        Value::Array(items) => format!("{} item{}", items.len(), if items.len() == 1 { "" } else { "s" }),
        _ => "data".to_owned(),
    };
    let of = if pages > 1 { format!(" from {pages} pages") } else { String::new() };
    let more = taken.cursor.map(|cursor| format!("; go on with cursor {cursor}")).unwrap_or_default();
    let mut outcome = Outcome::done(order.clone().into(), format!("took {what}{of}{more}"));
    outcome.notes = taken.notes;
    if order.pages > 1 {
        let why = match end {
            "asked" => "as many pages as were asked for",
            "last" => "the last page",
            "no_next" => "no control leads to a further page",
            "same" => "the next page gave the same again",
            "too_long" => "more data than can be told",
            _ => "going on failed",
        };
        outcome.notes.push(format!("ended after {pages}: {why}"));
    }
    if !taken.unfound.is_empty() {
        let places: Vec<&str> = taken.unfound.iter().take(10).map(String::as_str).collect();
        outcome.notes.push(format!("not found on the page as they are: {}", places.join(", ")));
    }
    outcome.data = Some(json!({
        "data": taken.data, "sources": taken.sources, "pages": pages, "end": end, "unfound": taken.unfound,
        "cursor": taken.cursor.map(|cursor| cursor.to_string()),
    }));
    if !faults.is_empty() {
        let detail = format!("what was taken does not fit the schema: {}", faults.join("; "));
        outcome.fail(
            ActionError::new(ErrorCode::DataInvalid, detail)
                .with_hint("the data is handed over as it is; widen the schema, or name other elements in it"),
        );
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_go_on_where_the_page_before_ended() {
        assert_eq!(moved("/0/name", 3), "/3/name");
        assert_eq!(moved("/2", 3), "/5");
        assert_eq!(moved("/name", 3), "/name");
        assert_eq!(moved("", 3), "");
        assert_eq!(moved("/0/name", 0), "/0/name");
    }
}
