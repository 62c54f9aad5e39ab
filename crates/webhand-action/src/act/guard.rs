//! That a gesture reaches its element and nothing else: the page's own capture listeners, armed in every frame.
//!
//! The target's frame swallows a press that does not arrive at the target; the other frames swallow all of it, since a
//! page may move or open a frame under the pointer. Nothing here knows what the gesture is made of.

use std::time::Duration;

use futures_util::{FutureExt as _, future::join_all};
use serde::Deserialize;
use url::{Origin, Url};
use webhand_browser::{BrowserError, FrameInfo};
use webhand_page::{Call, PageError, World};

use super::{
    aim::{self, Aim, Spot},
    effects::Watch,
};
use crate::{
    error::{ActionError, ErrorCode},
    session::{Session, page_trouble},
};

/// How long the page of the target may take to say what arrived.
const REPORT_WITHIN: Duration = Duration::from_secs(5);
/// An order to keep out is forgotten after this long: a person may be at the page, too.
const FORBIDDEN_FOR: Duration = Duration::from_secs(3);
/// How long another frame may take to be told that the gesture is not for it.
const FORBID_WITHIN: Duration = Duration::from_millis(300);

/// What the target's frame saw of a gesture.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct Report {
    verdict: String,
    /// What stood in the way.
    on: String,
    /// Whether the target is still shown: what hides itself on a press was pressed.
    there: bool,
    /// Whether one like it stands in its place.
    again: bool,
    /// How much the page changed in the moment of the gesture.
    sync: u32,
    /// How many clicks arrived at the target.
    pub(crate) clicks: u32,
    /// Whether a context menu was asked for there.
    pub(crate) menu: bool,
    /// The page went before it could say: the gesture did that.
    #[serde(skip)]
    pub(crate) gone: bool,
}

impl Report {
    /// For a page that cannot say any more.
    pub(crate) fn cut_off() -> Self {
        Self { verdict: "hit".to_owned(), gone: true, ..Self::default() }
    }

    /// Whether a press was all that arrived, and the page took no notice of it: it drew the target anew under it, as it does
    /// all the time.
    pub(crate) fn came_to_nothing(&self) -> bool {
        !self.gone && !self.there && self.clicks == 0 && !self.menu && self.sync == 0
    }

    /// Whether the press took the target away: it did something, and no click could come of it.
    pub(crate) fn took_it_away(&self) -> bool {
        !self.there && !self.again && self.sync > 0
    }

    /// Where it went astray, if it did.
    pub(crate) fn astray(self) -> Option<String> {
        (self.verdict == "miss").then_some(self.on)
    }

    /// What stood in the way.
    pub(crate) fn on(&self) -> &str {
        &self.on
    }
}

/// What to do after a gesture.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It arrived.
    Landed(Report),
    /// It was pressed on, and is still there, but the release came elsewhere and got lost.
    Lost(Report),
    /// It arrived nowhere: what is named stood there and got nothing. It can be tried again.
    Missed(String),
}

/// What to say where the release of a press was to land on its target, too.
pub(crate) fn lost(report: &Report, aim: &Aim) -> ActionError {
    let what = aim::label(aim);
    let detail = format!("{what} moved away under the press; no click reached it, and none reached {}", report.on);
    ActionError::new(ErrorCode::NotInteractable, detail)
        .with_kind("moving")
        .with_hint("the press itself was seen by the page; look again")
}

/// The frames that the page of the target cannot keep out of a gesture itself: those of other origins, and those that came
/// since the page was read.
#[derive(Debug, Default)]
pub(crate) struct Others {
    /// Reached by the target's own session: what is sent to them first is done first.
    near: Vec<World>,
    far: Vec<World>,
}

impl Others {
    /// Those that a gesture on that element must not reach. What happens in a frame that is the target itself is its own.
    pub(crate) fn of(session: &Session, aim: &Aim) -> Self {
        let mut others = Self::default();
        if is_frame(&aim.seen.tag) {
            return others;
        }
        let frames = session.tab.frames();
        let own = origin(&aim.frame, &frames);
        for frame in frames.iter().filter(|frame| frame.id != aim.frame.id) {
            let read = frame.parent.is_none() || session.reader.owner(&frame.id).is_some();
            if read && own.is_tuple() && origin(frame, &frames) == own {
                continue;
            }
            let near = read && frame.session.id() == aim.frame.session.id();
            let side = if near { &mut others.near } else { &mut others.far };
            side.push(World::new(&session.tab, frame.id.clone()));
        }
        others
    }

    /// Tells them, for as long as the gesture may take; to be polled before the target is looked for. One that does not
    /// answer in time cannot handle an event either.
    pub(crate) async fn forbid(&self, hold: Duration) {
        let call = &Call::new("forbid").arg((FORBIDDEN_FOR + hold).as_millis() as u64);
        for world in &self.near {
            // sent now; the answer that the target gives later tells that this was done
            let _: Option<Result<(), PageError>> = world.call(call, FORBID_WITHIN).now_or_never();
        }
        let told = self.far.iter().map(|world| async move {
            let _: Result<(), PageError> = world.call(call, FORBID_WITHIN).await;
        });
        join_all(told).await;
    }

    /// Lets them have events again. What the gesture met in one of them.
    pub(crate) async fn allow(&self) -> Option<String> {
        let asked = self.near.iter().chain(&self.far).map(|world| async move {
            let met: Result<String, PageError> = world.call(&Call::new("allow"), FORBID_WITHIN).await;
            met.ok().filter(|met| !met.is_empty())
        });
        join_all(asked).await.into_iter().flatten().next()
    }
}

/// Keys that are meant for one element: swallowed where they would go elsewhere.
#[derive(Debug)]
pub(crate) struct KeyGuard {
    world: World,
    others: Others,
}

impl KeyGuard {
    /// Arms it: for every key, or for the first, after which the keys themselves may move on.
    pub(crate) async fn arm(session: &Session, aim: &Aim, spot: &Spot, every: bool) -> Result<Self, ActionError> {
        let others = Others::of(session, aim);
        let call = Call::new("armKeys").arg(spot.local).arg(every).arg(REPORT_WITHIN.as_millis() as u64);
        let ((), armed) = tokio::join!(others.forbid(Duration::ZERO), spot.world.call::<()>(&call, REPORT_WITHIN));
        armed.map_err(|error| page_trouble(&error))?;
        Ok(Self { world: spot.world.clone(), others })
    }

    /// Ends it. An error where keys would have gone elsewhere; what a page did that went away cannot be told.
    pub(crate) async fn disarm(self, aim: &Aim) -> Result<(), ActionError> {
        let call = Call::new("disarmKeys");
        let (report, strayed) = tokio::join!(self.world.call::<Report>(&call, REPORT_WITHIN), self.others.allow());
        let report = report.unwrap_or_else(|_| Report::cut_off());
        let on = if report.verdict == "miss" { Some(report.on) } else { strayed };
        let Some(on) = on else { return Ok(()) };
        let detail = format!("{} lost the focus to {on}, which got none of the keys", aim::label(aim));
        Err(ActionError::new(ErrorCode::NotInteractable, detail)
            .with_kind("focus_lost")
            .with_hint("click it first, or use what took the focus"))
    }
}

/// The origin of a frame's document; documents without an address of their own have that of the frame around them.
fn origin(frame: &FrameInfo, frames: &[FrameInfo]) -> Origin {
    let mut at = Some(frame);
    // each step leads outwards, so there are no more than there are frames
    for _ in 0..=frames.len() {
        let Some(frame) = at else { break };
        match Url::parse(&frame.url) {
            Ok(url) if url.scheme() != "about" => return url.origin(),
            _ => at = frames.iter().find(|other| Some(&other.id) == frame.parent.as_ref()),
        }
    }
    Origin::new_opaque()
}

/// Whether an element shows another document, whose own events are not seen from around it.
pub(crate) fn is_frame(tag: &str) -> bool {
    matches!(tag, "iframe" | "frame" | "embed" | "object")
}

/// Ends the guard. When the page is gone meanwhile, the gesture did that: it landed.
pub(crate) async fn disarm(
    spot: &Spot,
    aim: &Aim,
    others: &Others,
    watch: &mut Watch,
    within: Duration,
) -> Result<Verdict, ActionError> {
    let call = Call::new("disarm");
    let asked = async { tokio::join!(spot.world.call::<Report>(&call, within), others.allow()) };
    let (report, strayed) = tokio::select! {
        biased;
        told = asked => told,
        // a page on its way out answers nothing until the next one is there; what was swallowed leads nowhere
        () = watch.until_leaving() => return Ok(Verdict::Landed(Report::cut_off())),
    };
    let report = match report {
        Ok(report) if report.verdict == "gone" => Report::cut_off(),
        Ok(report) => report,
        Err(PageError::Browser(
            BrowserError::DialogOpen(_) | BrowserError::TabClosed | BrowserError::FrameGone | BrowserError::Cdp(_),
        )) => Report::cut_off(),
        Err(error) => return Err(page_trouble(&error)),
    };
    if let Some(on) = strayed {
        return Ok(Verdict::Missed(on));
    }
    judge(report, aim, is_frame(&spot.tag))
}

/// The same for a press on a point: what stood there when it was looked at must be what gets it.
pub(crate) async fn disarm_point(world: &World, x: f64, y: f64, watch: &mut Watch) -> Result<(), ActionError> {
    let call = Call::new("disarm");
    let report = tokio::select! {
        biased;
        report = world.call::<Report>(&call, REPORT_WITHIN) => report.unwrap_or_else(|_| Report::cut_off()),
        () = watch.until_leaving() => return Ok(()),
    };
    if !matches!(report.verdict.as_str(), "miss" | "lost") {
        return Ok(());
    }
    let detail = format!("at {x},{y} stood {} when the press came, and it got nothing", report.on);
    Err(ActionError::new(ErrorCode::NotInteractable, detail).with_kind("moving").with_hint("look at the page again"))
}

fn judge(report: Report, aim: &Aim, is_frame: bool) -> Result<Verdict, ActionError> {
    let what = aim::label(aim);
    match report.verdict.as_str() {
        "miss" => Ok(Verdict::Missed(report.on)),
        "lost" if report.there => Ok(Verdict::Lost(report)),
        "none" if !is_frame => {
            let detail = format!("nothing of the gesture arrived at {what}; something else may have got it");
            Err(ActionError::new(ErrorCode::NotInteractable, detail)
                .with_kind("in_doubt")
                .with_hint("look at the page again before you repeat it"))
        }
        _ => Ok(Verdict::Landed(report)),
    }
}
