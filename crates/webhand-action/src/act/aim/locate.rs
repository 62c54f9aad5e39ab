//! Finding the element and waiting until it is ready, through all frames around it.

use std::time::Duration;

use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use tokio::time::{Instant, sleep_until};
use webhand_browser::{FrameId, FrameInfo};
use webhand_page::{Call, State, World};

use super::{Aim, Spot, Wants, again, label, refuse::refuse};
use crate::{
    Stage,
    error::{ActionError, ErrorCode},
    outcome::{Landed, Located},
    risk::Sending,
    session::{Session, page_trouble},
};

/// Waits between tries, milliseconds; the last goes on.
const PAUSES: [u64; 6] = [0, 20, 100, 100, 500, 500];
/// So many times an element is looked for by what surrounds it.
const SEARCHES: u32 = 3;
/// How long each thing that stands in the way is waited for, where it may pass by itself.
const GONE_FOR: Duration = Duration::from_millis(1200);
const CHANGED_FOR: Duration = Duration::from_millis(250);
const COVERED_FOR: Duration = Duration::from_millis(1500);
const DISABLED_FOR: Duration = Duration::from_millis(1500);

/// What the page answers to `locate`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Answer {
    pub(super) ok: bool,
    pub(super) miss: Option<String>,
    pub(super) id: u32,
    pub(super) by: String,
    pub(super) role: String,
    pub(super) name: String,
    pub(super) tag: String,
    pub(super) kind: String,
    pub(super) state: State,
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) rect: [f64; 4],
    /// The same point in the view of a frame further out, as far as the page itself could tell.
    pub(super) out: Option<Out>,
    /// A frame around it was scrolled: ask again.
    pub(super) again: bool,
    /// What a press on it would set off.
    pub(super) sending: Option<Sending>,
    pub(super) cause: String,
    pub(super) hidden: String,
    pub(super) cover: Option<CoverAnswer>,
    pub(super) now: Option<Now>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Out {
    /// How many frames were crossed.
    levels: u32,
    x: f64,
    y: f64,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CoverAnswer {
    pub(super) id: u32,
    pub(super) name: String,
    pub(super) passing: bool,
    /// How many frames further out it stands.
    pub(super) level: u32,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Now {
    pub(super) role: String,
    pub(super) name: String,
    pub(super) around: String,
    pub(super) count: u32,
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
pub(crate) fn locate_from<'a>(
    session: &'a mut Session,
    aim: &'a Aim,
    wants: Wants,
    deadline: Instant,
    tried: u32,
) -> BoxFuture<'a, Result<Spot, ActionError>> {
    Box::pin(try_again(session, aim, wants, deadline, tried))
}

async fn try_again(
    session: &mut Session,
    aim: &Aim,
    wants: Wants,
    deadline: Instant,
    tried: u32,
) -> Result<Spot, ActionError> {
    let mut started = Instant::now();
    let mut round = tried;
    let mut elsewhere: Option<Aim> = None;
    let mut searches = 0;
    loop {
        let at = elsewhere.as_ref().unwrap_or(aim);
        let (answer, found) = Box::pin(attempt(session, at, wants, round, deadline)).await?;
        elsewhere = found.or(elsewhere);
        let at = elsewhere.as_ref().unwrap_or(aim);
        round += 1;
        let blocked = if answer.again {
            None
        } else if answer.ok {
            match through_frames(session, at, &answer, wants, deadline).await? {
                Passage::Open(point) => return Ok(spot(session, at, answer, point, round)),
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
            let again = answer.missing() && searches < SEARCHES && !aim.seen.is_part();
            if again && let Some(found) = again::by_sight(session, aim).await {
                searches += 1;
                started = Instant::now();
                elsewhere = Some(found);
                continue;
            }
            return Err(Box::pin(refuse(session, aim, answer)).await);
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

/// One try: the element by the session's own levels, with the user's locators between them.
async fn attempt(
    session: &Session,
    aim: &Aim,
    wants: Wants,
    round: u32,
    deadline: Instant,
) -> Result<(Answer, Option<Aim>), ActionError> {
    let stages = [(1, Stage::AfterLive), (2, Stage::AfterSelector), (LEVELS, Stage::Last)];
    // a part of a control is looked for by whoever found it
    let part = aim.seen.is_part();
    let asked = |stage| !part && session.settings.locators.iter().any(|locator| locator.stage() == stage);
    for (levels, stage) in stages.into_iter().filter(|(levels, stage)| *levels == LEVELS || asked(*stage)) {
        let answer = ask(aim, wants, round, levels, deadline).await?;
        if answer.missing()
            && asked(stage)
            && let Some(found) = again::by_locators(session, aim, stage).await
        {
            return Ok((ask(&found, wants, round, LEVELS, deadline).await?, Some(found)));
        }
        if !answer.missing() || levels == LEVELS {
            return Ok((answer, None));
        }
    }
    Err(ActionError::new(ErrorCode::Internal, "no level was asked"))
}

/// How many levels the page itself knows: the live node, its stable attributes, what makes it itself.
const LEVELS: u32 = 3;

async fn ask(aim: &Aim, wants: Wants, round: u32, levels: u32, deadline: Instant) -> Result<Answer, ActionError> {
    #[derive(Serialize)]
    struct Asked {
        #[serde(flatten)]
        wants: Wants,
        round: u32,
        levels: u32,
    }
    let call = Call::new("locate").arg(aim.local).arg(&aim.seen).arg(Asked { wants, round, levels });
    let left = deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(50));
    aim.world.call(&call, left).await.map_err(|error| page_trouble(&error))
}

impl Answer {
    /// Whether the element itself was not found.
    fn missing(&self) -> bool {
        matches!(self.miss.as_deref(), Some("gone" | "changed" | "ambiguous"))
    }
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
    let by = aim.by.unwrap_or(match answer.by.as_str() {
        "live" => Located::Live,
        "selector" => Located::Selector,
        _ => Located::Identity,
    });
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
        sending: answer.sending,
        attempts,
    }
}
