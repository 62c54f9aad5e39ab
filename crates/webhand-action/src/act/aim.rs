//! Which element, surely: from a ref to the live node, checked against what the user saw, and to a point that a real
//! event reaches.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::time::{Instant, sleep_until};
use webhand_browser::{FrameId, FrameInfo};
use webhand_page::{Call, PageError, Ref, RefText, State, World, nearest};

use crate::{
    catalogue::Target,
    error::{ActionError, ErrorCode},
    outcome::{Landed, Located},
    session::{Fingerprint, Session, page_trouble},
    validate::nearest_by_number,
};

/// Waits between tries, milliseconds; the last goes on.
const PAUSES: [u64; 6] = [0, 20, 100, 100, 500, 500];
/// How long each thing that stands in the way is waited for, where it may pass by itself.
const GONE_FOR: Duration = Duration::from_millis(1200);
const CHANGED_FOR: Duration = Duration::from_millis(250);
const COVERED_FOR: Duration = Duration::from_millis(1500);
const DISABLED_FOR: Duration = Duration::from_millis(1500);

/// An element that an action is for, before it was looked at.
#[derive(Debug)]
pub(crate) struct Aim {
    pub(crate) frame: FrameInfo,
    pub(crate) world: World,
    pub(crate) local: u32,
    pub(crate) r#ref: Option<Ref>,
    pub(crate) seen: Fingerprint,
}

/// What an action wants of its element before it begins.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Wants {
    pub(crate) enabled: bool,
    pub(crate) editable: bool,
    pub(crate) stable: bool,
    /// A point at which a pointer reaches it.
    pub(crate) point: bool,
    /// That the coming gesture is swallowed unless it lands on it.
    pub(crate) arm: bool,
    /// For how many milliseconds that gesture holds its press.
    pub(crate) hold: u64,
    /// That what follows is noted.
    pub(crate) observe: bool,
}

impl Wants {
    pub(crate) const CLICK: Wants =
        Wants { enabled: true, editable: false, stable: true, point: true, arm: true, hold: 0, observe: true };
    pub(crate) const HOVER: Wants = Wants { enabled: false, arm: false, ..Wants::CLICK };
    pub(crate) const EDIT: Wants =
        Wants { enabled: true, editable: true, stable: false, point: false, arm: false, hold: 0, observe: true };
    pub(crate) const CHOOSE: Wants = Wants { editable: false, ..Wants::EDIT };
    pub(crate) const NOTHING: Wants =
        Wants { enabled: false, editable: false, stable: false, point: false, arm: false, hold: 0, observe: false };
}

/// The element, found and ready.
#[derive(Debug)]
pub(crate) struct Spot {
    pub(crate) world: World,
    pub(crate) local: u32,
    pub(crate) landed: Landed,
    pub(crate) by: Located,
    pub(crate) state: State,
    pub(crate) tag: String,
    pub(crate) kind: String,
    /// In CSS pixels of the tab's view.
    pub(crate) point: Option<(f64, f64)>,
    /// Left, top, width and height in CSS pixels of the tab's view, where a point was asked for.
    pub(crate) rect: [f64; 4],
    pub(crate) attempts: u32,
}

/// What the page answers to `locate`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Answer {
    ok: bool,
    miss: Option<String>,
    id: u32,
    by: String,
    role: String,
    name: String,
    tag: String,
    kind: String,
    state: State,
    x: f64,
    y: f64,
    rect: [f64; 4],
    /// The same point in the view of a frame further out, as far as the page itself could tell.
    out: Option<Out>,
    /// A frame around it was scrolled: ask again.
    again: bool,
    cause: String,
    hidden: String,
    cover: Option<CoverAnswer>,
    now: Option<Now>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Out {
    /// How many frames were crossed.
    levels: u32,
    x: f64,
    y: f64,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct CoverAnswer {
    id: u32,
    name: String,
    passing: bool,
    /// How many frames further out it stands.
    level: u32,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Now {
    role: String,
    name: String,
    around: String,
    count: u32,
}

/// Which element a target means, as far as that can be said without looking at the page again.
pub(crate) async fn aim(session: &Session, target: &Target) -> Result<Aim, ActionError> {
    match target {
        Target::Ref(text) => aim_ref(session, *text),
        Target::Selector(selector) => aim_selector(session, selector).await,
        _ => Err(ActionError::new(ErrorCode::InvalidAction, format!("{target} names no element"))),
    }
}

fn aim_ref(session: &Session, text: RefText) -> Result<Aim, ActionError> {
    let unknown = || {
        ActionError::new(ErrorCode::InvalidAction, format!("{text} is not on the page"))
            .with_kind("unknown_ref")
            .with_hint(session.shown().map_or_else(
                || "take a snapshot first: refs come from it".to_owned(),
                |shown| nearest_by_number(text, shown),
            ))
    };
    let (handle, family) = session.reader.handle(text.number).ok_or_else(unknown)?;
    let own = Ref::new(family, text.number);
    if !text.names(own) {
        return Err(ActionError::new(ErrorCode::InvalidAction, format!("{text} has the wrong letter"))
            .with_kind("wrong_letter")
            .with_hint(format!("{} is {own}", text.number)));
    }
    if handle.tab != session.tab.id() {
        return Err(ActionError::new(ErrorCode::InvalidAction, format!("{own} is on tab {}", handle.tab))
            .with_kind("other_tab")
            .with_hint(format!("switch to tab {} first", handle.tab)));
    }
    let seen = session.fingerprint(text.number).cloned().ok_or_else(unknown)?;
    let stale = || {
        ActionError::new(ErrorCode::StaleRef, format!("{own} {:?} was on a page that is gone", seen.name))
            .with_hint("look at the page again and use its refs")
    };
    let frame = session.frame_of(&handle.frame).ok_or_else(stale)?;
    if frame.document != handle.document {
        return Err(stale());
    }
    let world = World::new(&session.tab, frame.id.clone());
    Ok(Aim { frame, world, local: handle.local, r#ref: Some(own), seen })
}

async fn aim_selector(session: &Session, selector: &str) -> Result<Aim, ActionError> {
    #[derive(Deserialize, Default)]
    #[serde(default)]
    struct Selected {
        miss: Option<String>,
        count: u32,
        id: u32,
        item: u64,
        plain: bool,
        hidden: String,
        listed: Option<Listed>,
    }
    #[derive(Deserialize, Default)]
    #[serde(default)]
    struct Listed {
        r: String,
        n: String,
        g: String,
    }
    let mut several = 0;
    let mut hidden = None;
    let mut hits = Vec::new();
    for frame in session.tab.frames() {
        let world = World::new(&session.tab, frame.id.clone());
        let found: Result<Selected, PageError> =
            world.call(&Call::new("select").arg(selector), session.settings.action_deadline).await;
        let Ok(found) = found else { continue };
        match (found.miss.as_deref(), found.listed) {
            (None, Some(listed)) => hits.push((frame, world, found.id, (found.item, found.plain), listed)),
            (Some("ambiguous"), _) => several += found.count,
            (Some("hidden"), _) => hidden = Some(found.hidden),
            (Some("bad_selector"), _) => {
                return Err(ActionError::new(ErrorCode::InvalidAction, format!("{selector:?} is not a CSS selector"))
                    .with_kind("bad_parameter"));
            }
            _ => {}
        }
    }
    let count = several + u32::try_from(hits.len()).unwrap_or(u32::MAX);
    match hits.pop() {
        Some((frame, world, local, (item, plain), listed)) if count == 1 => Ok(Aim {
            r#ref: session.reader.existing(&session.tab, &frame, local),
            frame,
            world,
            local,
            seen: Fingerprint {
                role: listed.r,
                name: listed.n,
                item,
                tag: listed.g,
                id: None,
                attr_name: None,
                test_id: None,
                plain,
            },
        }),
        _ if count > 1 => {
            Err(ActionError::new(ErrorCode::ElementNotFound, format!("{selector:?} finds {count} elements"))
                .with_kind("ambiguous")
                .with_hint("make the selector unique"))
        }
        _ => match hidden {
            Some(why) => {
                Err(ActionError::new(ErrorCode::NotInteractable, format!("{selector:?} finds an element, but {why}")))
            }
            None => Err(ActionError::new(ErrorCode::ElementNotFound, format!("{selector:?} finds nothing"))),
        },
    }
}

/// Waits until the element is there, itself, and ready, or says what stands in the way.
pub(crate) async fn locate(
    session: &mut Session,
    aim: &Aim,
    wants: Wants,
    deadline: Instant,
) -> Result<Spot, ActionError> {
    locate_from(session, aim, wants, deadline, 0).await
}

/// The same, with some tries already made.
pub(crate) async fn locate_from(
    session: &mut Session,
    aim: &Aim,
    wants: Wants,
    deadline: Instant,
    tried: u32,
) -> Result<Spot, ActionError> {
    let started = Instant::now();
    let mut round = tried;
    loop {
        let answer = ask(aim, wants, round, deadline).await?;
        round += 1;
        let blocked = if answer.again {
            None
        } else if answer.ok {
            match through_frames(session, aim, &answer, wants, deadline).await? {
                Passage::Open(point) => return Ok(spot(session, aim, answer, point, round)),
                Passage::Scrolled => None,
                Passage::Covered(cover) => {
                    Some(Answer { ok: false, miss: Some("covered".to_owned()), cover, ..answer })
                }
            }
        } else {
            Some(answer)
        };
        let next = Instant::now() + pause_after(round);
        if let Some(answer) = blocked
            && next > started + patience_for(&answer).min(deadline.saturating_duration_since(started))
        {
            return Err(refuse(session, aim, answer).await);
        }
        if next > deadline {
            return Err(ActionError::new(
                ErrorCode::Timeout,
                format!("{} could not be brought into view in time", label(aim)),
            ));
        }
        sleep_until(next).await;
    }
}

async fn ask(aim: &Aim, wants: Wants, round: u32, deadline: Instant) -> Result<Answer, ActionError> {
    #[derive(Serialize)]
    struct Asked {
        #[serde(flatten)]
        wants: Wants,
        round: u32,
    }
    let call = Call::new("locate").arg(aim.local).arg(&aim.seen).arg(Asked { wants, round });
    let left = deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(50));
    aim.world.call(&call, left).await.map_err(|error| page_trouble(&error))
}

/// How long to wait after so many tries.
pub(crate) fn pause_after(tries: u32) -> Duration {
    Duration::from_millis(PAUSES.get(tries as usize).copied().unwrap_or(500))
}

/// How long to wait for what stands in the way to go by itself.
fn patience_for(answer: &Answer) -> Duration {
    match answer.miss.as_deref() {
        Some("gone" | "hidden") => GONE_FOR,
        Some("changed") => CHANGED_FOR,
        Some("ambiguous") => Duration::ZERO,
        Some("covered") if answer.cover.as_ref().is_some_and(|cover| cover.passing) => Duration::MAX,
        Some("covered") => COVERED_FOR,
        Some("disabled" | "readonly") => DISABLED_FOR,
        _ => Duration::MAX,
    }
}

enum Passage {
    /// The point in the tab's view, where one was wanted.
    Open(Option<(f64, f64)>),
    Scrolled,
    Covered(Option<CoverAnswer>),
}

/// Carries a point out through the frames around it; each level must hit the right frame.
async fn through_frames(
    session: &Session,
    aim: &Aim,
    answer: &Answer,
    wants: Wants,
    deadline: Instant,
) -> Result<Passage, ActionError> {
    if !wants.point {
        return Ok(Passage::Open(None));
    }
    let (levels, mut x, mut y) = answer.out.as_ref().map_or((0, answer.x, answer.y), |out| (out.levels, out.x, out.y));
    let mut frame: FrameInfo = aim.frame.clone();
    for level in 1.. {
        let Some(parent) = frame.parent.clone() else { break };
        if level > levels {
            let crossed = cross(session, &frame.id, &parent, x, y, deadline).await?;
            if crossed.again {
                return Ok(Passage::Scrolled);
            }
            if !crossed.ok {
                return Ok(Passage::Covered(crossed.cover.map(|cover| CoverAnswer { level, ..cover })));
            }
            (x, y) = (crossed.x, crossed.y);
        }
        frame = session.frame_of(&parent).ok_or_else(|| {
            ActionError::new(ErrorCode::StaleRef, format!("{} was in a frame that is gone", label(aim)))
        })?;
    }
    Ok(Passage::Open(Some((x, y))))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Crossed {
    ok: bool,
    again: bool,
    x: f64,
    y: f64,
    cover: Option<CoverAnswer>,
}

async fn cross(
    session: &Session,
    frame: &FrameId,
    parent: &FrameId,
    x: f64,
    y: f64,
    deadline: Instant,
) -> Result<Crossed, ActionError> {
    let owner = session.reader.owner(frame).ok_or_else(|| {
        ActionError::new(ErrorCode::ElementNotFound, "the frame's place in the page is not known")
            .with_hint("look at the page again")
    })?;
    let left = deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(50));
    World::new(&session.tab, parent.clone())
        .call(&Call::new("throughFrame").arg(owner).arg(x).arg(y), left)
        .await
        .map_err(|error| page_trouble(&error))
}

fn spot(session: &Session, aim: &Aim, answer: Answer, point: Option<(f64, f64)>, attempts: u32) -> Spot {
    let own =
        if answer.id == aim.local { aim.r#ref } else { session.reader.existing(&session.tab, &aim.frame, answer.id) };
    let [mut left, mut top, width, height] = answer.rect;
    if let Some((x, y)) = point {
        left += x - answer.x;
        top += y - answer.y;
    }
    let by = match answer.by.as_str() {
        "live" => Located::Live,
        "selector" => Located::Selector,
        _ => Located::Identity,
    };
    Spot {
        world: aim.world.clone(),
        local: answer.id,
        landed: Landed::new(own.or(aim.r#ref), answer.role, answer.name),
        by,
        state: answer.state,
        tag: answer.tag,
        kind: answer.kind,
        point,
        rect: [left, top, width, height],
        attempts,
    }
}

/// `B12 "Save"`.
pub(crate) fn label(aim: &Aim) -> String {
    match aim.r#ref {
        Some(own) => format!("{own} {:?}", aim.seen.name),
        None => format!("the {} {:?}", aim.seen.role, aim.seen.name),
    }
}

/// Says why the element cannot be used, with what the user needs to decide.
async fn refuse(session: &mut Session, aim: &Aim, answer: Answer) -> ActionError {
    let what = label(aim);
    match answer.miss.as_deref() {
        Some("disabled") => {
            ActionError::new(ErrorCode::NotInteractable, format!("{what} is disabled ({})", answer.cause))
                .with_kind("disabled")
        }
        Some("readonly") => {
            ActionError::new(ErrorCode::NotInteractable, format!("{what} is read-only")).with_kind("readonly")
        }
        Some("moving") => {
            ActionError::new(ErrorCode::NotInteractable, format!("{what} keeps moving")).with_kind("moving")
        }
        Some("hidden") => {
            ActionError::new(ErrorCode::NotInteractable, format!("{what} cannot be seen: {}", answer.hidden))
                .with_kind("hidden")
        }
        Some("out_of_view") => {
            ActionError::new(ErrorCode::NotInteractable, format!("{what} could not be brought into view"))
                .with_kind("out_of_view")
        }
        Some("covered") => covered(session, aim, answer).await,
        Some("changed") => changed(session, aim, answer.now.unwrap_or_default()).await,
        Some("ambiguous") => {
            let count = answer.now.unwrap_or_default().count;
            let error = ActionError::new(
                ErrorCode::ElementNotFound,
                format!("{what} is gone, and {count} elements are like it"),
            );
            error.with_kind("ambiguous").with_hint(candidates(session, aim).await)
        }
        _ => ActionError::new(ErrorCode::ElementNotFound, format!("{what} is gone"))
            .with_hint(candidates(session, aim).await),
    }
}

async fn covered(session: &mut Session, aim: &Aim, answer: Answer) -> ActionError {
    let what = label(aim);
    let Some(cover) = answer.cover else {
        return ActionError::new(ErrorCode::NotInteractable, format!("{what} gets no clicks where it stands"));
    };
    let mut frame = Some(aim.frame.clone());
    for _ in 0..cover.level {
        frame = frame.and_then(|frame| session.frame_of(&frame.parent?));
    }
    let existing = |session: &Session| session.reader.existing(&session.tab, frame.as_ref()?, cover.id);
    // the covering layer gets its ref by being read
    let known = match existing(session) {
        Some(known) => Some(known),
        None => {
            let _ = session.glance().await;
            existing(session)
        }
    };
    let by = known.map_or_else(|| format!("{:?}", cover.name), |known| format!("{known} {:?}", cover.name));
    ActionError::new(ErrorCode::NotInteractable, format!("{what} is covered by {by}"))
        .with_kind("covered")
        .with_hint(format!("deal with {by} first: close or answer it, or scroll"))
}

async fn changed(session: &mut Session, aim: &Aim, now: Now) -> ActionError {
    let same = now.role == aim.seen.role && now.name == aim.seen.name;
    let detail = if same {
        format!("{} stands in another row or card now: {:?}", label(aim), now.around)
    } else {
        format!("{} was {} {:?} and is {} {:?} now", label(aim), aim.seen.role, aim.seen.name, now.role, now.name)
    };
    let hint = match aim.r#ref.filter(|_| !same) {
        Some(own) => format!("if that is what you mean, look at the page again and use {own}"),
        None => candidates(session, aim).await,
    };
    ActionError::new(ErrorCode::TargetChanged, detail).with_hint(hint)
}

/// The nearest of what is on the page now, from a fresh look.
async fn candidates(session: &mut Session, aim: &Aim) -> String {
    let Ok(snapshot) = session.glance().await else { return "look at the page again".to_owned() };
    let near = nearest(&snapshot, Some(&aim.seen.role), &aim.seen.name, 4);
    let names: Vec<String> = near.iter().map(ToString::to_string).collect();
    if names.is_empty() {
        "nothing like it is on the page; look at the page again".to_owned()
    } else {
        format!("on the page now: {}", names.join(", "))
    }
}
