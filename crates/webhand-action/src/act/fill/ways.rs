//! The ways in which a text comes into a field, and when the next one is tried.

use std::time::Duration;

use serde::Deserialize;
use tokio::time::Instant;
use webhand_cdp::protocol::input::InsertText;
use webhand_page::Call;

use super::{Filling, Prepared, prepare, strokes_of};
use crate::{
    act::{
        aim::{self, Spot, Wants},
        effects::{PageEffects, Watch},
        guard::Others,
        keyboard,
        keys::{self, Key, Stroke},
        pointer::describe,
        readback::{TAKEN_BACK_WITHIN, ask, is_gone},
    },
    catalogue::FillTier,
    error::{ActionError, ErrorCode},
    session::{Session, browser_trouble},
};

/// Longer texts are not typed key by key where nobody asked for that: it would take seconds.
const KEYS_MAX: usize = 2000;
/// Nor is what the page took in another form than it came, or what goes into a field that listens for keys.
const KEYS_FIRST_MAX: usize = 100;
/// More lines than this at once take a browser long, a thousand seconds, since it makes each of them as if Enter was pressed.
const LINES_MANY: usize = 20;

/// How a text comes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Bulk,
    Keys,
    Paste,
}

impl Way {
    /// The tier that it is, as models know it.
    pub(super) fn tier(self) -> FillTier {
        match self {
            Way::Bulk => FillTier::Bulk,
            Way::Keys => FillTier::Keys,
            Way::Paste => FillTier::Paste,
        }
    }

    /// Those that a field may be filled in, in order.
    fn of(filling: &Filling<'_>, prepared: &Prepared) -> Vec<Way> {
        let length = filling.text.chars().count();
        match filling.fill.tier {
            _ if length == 0 => vec![Way::Bulk],
            FillTier::Bulk => vec![Way::Bulk],
            FillTier::Keys | FillTier::Otp => vec![Way::Keys],
            FillTier::Paste => vec![Way::Paste],
            FillTier::Auto if prepared.editor && filling.lines() > LINES_MANY => vec![Way::Paste, Way::Bulk],
            FillTier::Auto if prepared.editor => vec![Way::Bulk, Way::Paste, Way::Keys],
            FillTier::Auto if prepared.keys && length <= KEYS_FIRST_MAX => vec![Way::Keys, Way::Bulk, Way::Paste],
            FillTier::Auto => vec![Way::Bulk, Way::Keys, Way::Paste],
        }
    }
}

/// What stands in a field.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Standing {
    pub(super) miss: Option<String>,
    pub(super) equal: bool,
    pub(super) secret: bool,
    /// Only the editor itself can say what it holds.
    pub(super) ask: bool,
    /// It shows what is no value of its kind.
    pub(super) bad: bool,
    pub(super) empty: bool,
    pub(super) value: String,
    /// Not the text itself, but the same with marks that the page set between its characters.
    pub(super) formatted: bool,
    /// It takes so many characters, and the text was cut off there.
    pub(super) cut: u32,
    /// What the browser has to say against a value that stands there.
    pub(super) why: String,
    /// What stood there before stands there still.
    pub(super) same: bool,
    /// Where keys would have gone instead.
    pub(super) astray: Option<String>,
    /// Nothing of the text arrived anywhere: the field was drawn anew just then.
    pub(super) lost: bool,
    /// The page has something under way that may still change it.
    pub(super) scheduled: bool,
    /// The page was told of input.
    pub(super) input: bool,
    /// Something in the page changed.
    pub(super) changed: bool,
    /// Nothing at all was taken of the text.
    pub(super) untouched: bool,
    /// The page was told that the entry has ended.
    pub(super) committed: bool,
    pub(super) effects: Option<PageEffects>,
}

impl Standing {
    /// Whether it is right, or as right as the page lets it be.
    pub(super) fn settles(&self) -> bool {
        self.equal || self.formatted || self.cut > 0
    }
}

/// One try to bring the text in.
pub(super) struct Attempt {
    pub(super) spot: Spot,
    pub(super) kind: String,
    pub(super) watch: Watch,
    pub(super) began: Instant,
    pub(super) way: Way,
    /// How many ways were tried before.
    pub(super) before: usize,
    /// What was read back; none where the page could not be asked any more.
    pub(super) standing: Option<Standing>,
}

impl Attempt {
    /// Whether another way may bring the text in, without doing twice what the page did with it.
    fn may_go_on(&mut self, length: usize) -> bool {
        let Some(now) = self.standing.as_ref().filter(|now| !now.settles()) else { return false };
        // what stood there until its entry had ended was understood
        if now.committed || self.watch.has_begun() {
            return false;
        }
        if now.untouched {
            return length <= KEYS_MAX;
        }
        // what was taken out of the field was taken; what may still come would come twice
        let taken = now.empty || (now.same && now.scheduled);
        !taken && length <= KEYS_FIRST_MAX
    }
}

/// Brings the text in, way by way, until it stands there or the page did something else with it.
pub(super) async fn bring_in(
    session: &mut Session,
    filling: &Filling<'_>,
    spot: Spot,
    prepared: Prepared,
) -> Result<Attempt, ActionError> {
    let ways = Way::of(filling, &prepared);
    let length = filling.text.chars().count();
    let editor = prepared.editor;
    let first = ways.first().copied().unwrap_or(Way::Bulk);
    let mut tried = Box::pin(attempt(session, filling, (spot, prepared), first, ways.len() == 1)).await?;
    if tried.standing.as_ref().is_some_and(|now| !now.equal && now.lost) {
        let ready = prepare(session, filling).await?;
        tried = Box::pin(attempt(session, filling, ready, first, ways.len() == 1)).await?;
    }
    for (index, way) in ways.iter().enumerate().skip(1) {
        let whole = editor && *way != Way::Keys;
        if !tried.may_go_on(if whole { 0 } else { length }) {
            break;
        }
        // a paste is the last resort for what takes no keys at all
        if *way == Way::Paste && !editor && !tried.standing.as_ref().is_some_and(|now| now.untouched) {
            break;
        }
        if *way == Way::Keys && editor && filling.text.contains(['\n', '\t']) {
            break;
        }
        let ready = prepare(session, filling).await?;
        tried = Box::pin(attempt(session, filling, ready, *way, index + 1 == ways.len())).await?;
        tried.before = index;
    }
    Ok(tried)
}

/// Brings the text in, once, and reads back what stands there then.
async fn attempt(
    session: &mut Session,
    filling: &Filling<'_>,
    (mut spot, prepared): (Spot, Prepared),
    way: Way,
    last: bool,
) -> Result<Attempt, ActionError> {
    let others = Others::of(session, filling.aim);
    others.forbid(Duration::ZERO).await;
    let mut watch = Watch::start(&session.tab);
    let began = Instant::now();
    let put = put(session, filling, &spot, &prepared, (way, last)).await;
    let read = match put {
        Ok(()) => tokio::select! {
            biased;
            read = look_through(session, filling, &mut spot, began) => read.map(Some),
            // a page on its way out answers nothing until the next one is there
            () = watch.until_leaving() => Ok(None),
        },
        Err(error) => Err(error),
    };
    let strayed = others.allow().await;
    let standing = match read {
        Ok(standing) => standing,
        Err(_) if session.tab.dialog().is_some() || session.tab.is_closed() => None,
        Err(error) if is_gone(error.code) => None,
        Err(error) => return Err(error),
    };
    let astray = standing.as_ref().and_then(|standing| standing.astray.clone());
    // of a text that is all there, only the last key's release went astray
    let all_there = standing.as_ref().is_some_and(|standing| standing.equal);
    if let Some(on) = astray.or(strayed).filter(|_| !all_there) {
        return Err(lost_focus(&spot, &on, standing.as_ref()));
    }
    Ok(Attempt { spot, kind: prepared.kind, watch, began, way, before: 0, standing })
}

pub(super) fn lost_focus(spot: &Spot, on: &str, standing: Option<&Standing>) -> ActionError {
    let what = describe(&spot.landed);
    let mut detail = format!("{what} lost the focus to {on}, which got none of the text");
    if let Some(standing) = standing.filter(|standing| !standing.secret && standing.miss.is_none()) {
        detail.push_str(&format!("; it holds {:?}", standing.value));
    }
    ActionError::new(ErrorCode::NotInteractable, detail)
        .with_kind("focus_lost")
        .with_hint("click it first, or use what took the focus")
}

/// Sends the text: what is selected goes.
async fn put(
    session: &Session,
    filling: &Filling<'_>,
    spot: &Spot,
    prepared: &Prepared,
    (way, last): (Way, bool),
) -> Result<(), ActionError> {
    let text = &filling.text;
    if text.is_empty() && (prepared.empty && !prepared.editor || !filling.fill.clear) {
        return Ok(());
    }
    if prepared.editor {
        select_in_editor(session, filling, spot).await?;
    }
    if text.is_empty() {
        return keyboard::send(session, &strokes_of("Delete")?).await;
    }
    match way {
        Way::Keys => type_out(session, spot, text).await,
        Way::Paste => {
            let taken: bool = ask(session, &spot.world, Call::new("pasteInto").arg(spot.local).arg(text)).await?;
            // what no handler takes, a browser would insert
            if taken || !last { Ok(()) } else { insert(session, text).await }
        }
        Way::Bulk if filling.lines() > LINES_MANY => put_lines(session, filling, spot).await,
        Way::Bulk => insert(session, text).await,
    }
}

/// Selects all that an editor holds, or goes to its end, by the keys for it: what is drawn may be a part of it.
async fn select_in_editor(session: &Session, filling: &Filling<'_>, spot: &Spot) -> Result<(), ActionError> {
    if filling.fill.clear {
        return keyboard::send(session, &[keys::select_all()]).await;
    }
    keyboard::send(session, &[keys::select_all()]).await?;
    let _: Option<bool> = ask(session, &spot.world, Call::new("noteCopy").arg(spot.local)).await?;
    keyboard::send(session, &[keys::document_end()]).await
}

pub(super) async fn insert(session: &Session, text: &str) -> Result<(), ActionError> {
    let insert = session.tab.session().send(&InsertText::new(text));
    session.tab.race(insert, session.settings.action_deadline).await.map_err(|error| browser_trouble(&error))?;
    Ok(())
}

/// Many lines: all but the last character at once, and that one by real input, which tells the page of all.
async fn put_lines(session: &Session, filling: &Filling<'_>, spot: &Spot) -> Result<(), ActionError> {
    let text = &filling.text;
    let cut = text.char_indices().next_back().map_or(0, |(at, _)| at);
    let (head, tail) = text.split_at(cut);
    let call = Call::new("putHead").arg(spot.local).arg(head).arg(filling.fill.clear);
    let put: bool = ask(session, &spot.world, call).await?;
    insert(session, if put { tail } else { text }).await
}

/// Types the text at the page's pace: it has a turn after each key, unless the text is long.
async fn type_out(session: &Session, spot: &Spot, text: &str) -> Result<(), ActionError> {
    let strokes: Vec<Stroke> = text.chars().map(typed).collect();
    if strokes.len() > KEYS_FIRST_MAX {
        return keyboard::send(session, &strokes).await;
    }
    for stroke in strokes {
        keyboard::send(session, &[stroke]).await?;
        let _: Option<bool> = ask(session, &spot.world, Call::new("turn")).await?;
    }
    Ok(())
}

/// The stroke that gives a character of a text; what Enter and Tab would give is inserted, since they do more than that.
pub(super) fn typed(character: char) -> Stroke {
    match character {
        '\n' | '\t' => Stroke::plain(Key::Inserted(character.to_string())),
        _ => keys::stroke_of(character),
    }
}

/// What stands in the field, once the page had a turn; an editor that draws its text elsewhere is asked for it, and what has
/// still to come is waited for where the text is not there.
async fn look_through(
    session: &mut Session,
    filling: &Filling<'_>,
    spot: &mut Spot,
    began: Instant,
) -> Result<Standing, ActionError> {
    let mut standing = look(session, filling, spot, None).await?;
    if !standing.settles() && standing.scheduled {
        let left = TAKEN_BACK_WITHIN.saturating_sub(began.elapsed());
        let later = look(session, filling, spot, Some(left)).await?;
        let Standing { astray, lost, scheduled, input, changed, untouched, effects, .. } = standing;
        standing = Standing { astray, lost, scheduled, input, changed, untouched, effects, ..later };
    }
    ask_editor(session, filling, spot, &mut standing).await?;
    Ok(standing)
}

/// What stands in the field after that time.
pub(super) async fn look_later(
    session: &mut Session,
    filling: &Filling<'_>,
    spot: &mut Spot,
    wait: Duration,
) -> Result<Standing, ActionError> {
    let mut standing = look(session, filling, spot, Some(wait)).await?;
    ask_editor(session, filling, spot, &mut standing).await?;
    Ok(standing)
}

/// Asks an editor what it holds where only it can say, by selecting all and copying; the caret goes to the end then.
async fn ask_editor(
    session: &Session,
    filling: &Filling<'_>,
    spot: &Spot,
    standing: &mut Standing,
) -> Result<(), ActionError> {
    #[derive(Debug, Default, Deserialize)]
    #[serde(default)]
    struct Told {
        heard: bool,
        equal: bool,
        empty: bool,
        value: String,
    }
    if !standing.ask || standing.equal || standing.astray.is_some() {
        return Ok(());
    }
    let armed: bool = ask(session, &spot.world, Call::new("armField").arg(spot.local)).await?;
    if !armed {
        return Ok(());
    }
    keyboard::send(session, &[keys::select_all()]).await?;
    let call = Call::new("readCopy").arg(spot.local).arg(&filling.text).arg(!filling.fill.clear);
    let told: Told = ask(session, &spot.world, call).await?;
    if told.heard {
        standing.equal = told.equal;
        standing.same = false;
        standing.empty = told.empty;
        standing.value = told.value;
    }
    let armed: bool = ask(session, &spot.world, Call::new("armField").arg(spot.local)).await?;
    if armed {
        keyboard::send(session, &[keys::document_end()]).await?;
        let _: Option<serde_json::Value> = ask(session, &spot.world, Call::new("disarmKeys")).await?;
    }
    Ok(())
}

/// What stands in the field, one turn of the page's loop later or after that time; it may have been drawn anew meanwhile.
pub(super) async fn look(
    session: &mut Session,
    filling: &Filling<'_>,
    spot: &mut Spot,
    later: Option<Duration>,
) -> Result<Standing, ActionError> {
    let call = |local: u32| {
        let call = Call::new(if later.is_some() { "readBackLater" } else { "readBackSoon" })
            .arg(local)
            .arg(&filling.text)
            .arg(!filling.fill.clear);
        later.iter().fold(call, |call, later| call.arg(later.as_millis() as u64))
    };
    let standing: Standing = ask(session, &spot.world, call(spot.local)).await?;
    if standing.miss.is_none() {
        return Ok(standing);
    }
    let deadline = Instant::now() + session.settings.action_deadline;
    *spot = aim::locate(session, filling.aim, Wants::NOTHING, deadline).await?;
    let again: Standing = ask(session, &spot.world, call(spot.local)).await?;
    Ok(Standing { astray: standing.astray, ..again })
}
