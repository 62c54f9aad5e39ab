//! Giving files to a page: into a field, through the chooser that a button opens, or onto a drop zone.
//!
//! What may not be uploaded, and what a field does not take, is refused before the page is touched. That files arrived is
//! read back.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;
use webhand_browser::BrowserError;
use webhand_cdp::protocol::input::{DispatchDragEvent, DispatchDragEventType, DragData};
use webhand_page::{Call, PageError, World};

use super::{
    aim::{self, Aim, Spot, Wants},
    choosers::Choosers,
    effects::{Seen, Watch},
    pointer::{self, Gesture, describe},
    readback::{ask, is_elsewhere, landed_outcome, unread},
};
use crate::{
    catalogue::Upload,
    error::{ActionError, ErrorCode},
    files::{Accept, LocalFile, local_files},
    outcome::Outcome,
    session::{Session, browser_trouble, page_trouble},
};

/// How long the browser may take to put files where they belong.
const PUT_WITHIN: Duration = Duration::from_secs(10);
/// How long a chooser may be behind the press that opens it.
const CHOOSER_WITHIN: Duration = Duration::from_millis(1500);
/// That files are copied.
const COPY: i64 = 1;

/// What an element takes of files.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Field {
    miss: Option<String>,
    /// The number of the file field that it stands for; 0 for none.
    field: u32,
    accept: String,
    multiple: bool,
    folder: bool,
    disabled: bool,
    /// It is there to be pressed.
    press: bool,
}

/// A file as a page has it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
struct Given {
    name: String,
    size: u64,
}

/// What became of the giving.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Received {
    miss: Option<String>,
    /// What came with the event, before any handler of the page's.
    arrived: Option<Vec<Given>>,
    /// What the field holds now.
    holds: Option<Vec<Given>>,
    /// What it held before.
    files: Vec<Given>,
    /// Whether the page shows the names of all, and did not before.
    shown: bool,
    /// What the page says of a fault.
    complaint: String,
    /// What stood in the way of a drop.
    on: String,
}

/// The files of one order.
struct Load<'a> {
    order: &'a Upload,
    files: Vec<LocalFile>,
}

pub(super) async fn upload(session: &mut Session, order: &Upload) -> Result<Outcome, ActionError> {
    let load = Load { order, files: local_files(&session.settings.files, &order.paths)? };
    let aim = aim::aim(session, &order.target).await?;
    let deadline = Instant::now() + session.settings.action_deadline;
    let spot = aim::locate(session, &aim, Wants { enabled: true, ..Wants::NOTHING }, deadline).await?;
    let field: Field = ask(session, &spot.world, Call::new("fileField").arg(spot.local)).await?;
    if field.miss.is_some() {
        return Err(ActionError::new(ErrorCode::ElementNotFound, format!("{} is gone", aim::label(&aim))));
    }
    if field.field > 0 {
        load.fits(&field, &describe(&spot.landed))?;
        let place = Place { world: spot.world.clone(), field: field.field, around: field.field };
        return load.put_into(session, &spot, &place).await;
    }
    if !field.press
        && let Some(outcome) = load.drop_on(session, &aim).await?
    {
        return Ok(outcome);
    }
    Box::pin(load.by_chooser(session, &aim, field.press)).await
}

/// A file field, and an element that is on the page beside it.
struct Place {
    world: World,
    field: u32,
    around: u32,
}

impl Load<'_> {
    fn paths(&self) -> Vec<String> {
        self.files.iter().map(|file| file.path.to_string_lossy().into_owned()).collect()
    }

    fn names(&self) -> Vec<&str> {
        self.files.iter().map(|file| file.name.as_str()).collect()
    }

    fn quoted(&self) -> String {
        self.names().iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
    }

    /// Whether these are the files, by name and size.
    fn are(&self, given: &[Given]) -> bool {
        let same = |(file, given): (&LocalFile, &Given)| file.name == given.name && file.bytes == given.size;
        self.files.len() == given.len() && self.files.iter().zip(given).all(same)
    }

    /// Whether a field takes these files, or why not.
    fn fits(&self, field: &Field, what: &str) -> Result<(), ActionError> {
        let refuse = |kind: &str, detail: String| {
            Err(ActionError::new(ErrorCode::InvalidAction, format!("{detail}; nothing was uploaded")).with_kind(kind))
        };
        if field.disabled {
            return Err(
                ActionError::new(ErrorCode::NotInteractable, format!("{what} is disabled")).with_kind("disabled")
            );
        }
        if field.folder {
            return Err(ActionError::new(ErrorCode::Unsupported, format!("{what} takes a whole folder")));
        }
        if self.files.len() > 1 && !field.multiple {
            return refuse("one_file", format!("{what} takes one file, and these are {}", self.files.len()));
        }
        let accept = Accept::parse(&field.accept);
        match self.files.iter().find(|file| !accept.takes(&file.name)) {
            Some(file) => refuse("not_accepted", format!("{what} takes {accept}, and {:?} is none", file.name)),
            None => Ok(()),
        }
    }

    fn outcome(&self, spot: &Spot) -> Outcome {
        let mut outcome = landed_outcome(self.order.clone().into(), spot);
        outcome.data = Some(json!({
            "files": self.files.iter().map(|file| json!({ "name": file.name, "bytes": file.bytes })).collect::<Vec<_>>(),
        }));
        outcome
    }

    /// Puts the files into a field, and reads back what it holds.
    async fn put_into(&self, session: &mut Session, spot: &Spot, place: &Place) -> Result<Outcome, ActionError> {
        let what = describe(&spot.landed);
        let arm = Call::new("armFileField").arg(place.field).arg(place.around).arg(self.names());
        let before: Received = ask(session, &place.world, arm).await?;
        if before.miss.is_some() {
            return Err(ActionError::new(ErrorCode::ElementNotFound, format!("the file field of {what} is gone")));
        }
        let watch = Watch::start(&session.tab);
        // what a page that goes on at once was given can be read only before it does
        let told = Call::new("arrivedFiles");
        let early: Option<Vec<Given>> = match place.world.set_files(place.field, &self.paths(), &told, PUT_WITHIN).await
        {
            Ok(arrived) => arrived,
            Err(PageError::Browser(
                BrowserError::DialogOpen(_) | BrowserError::TabClosed | BrowserError::FrameGone,
            )) => None,
            Err(error) => return Err(page_trouble(&error)),
        };
        let seen = watch.settle(&place.world, &session.settings).await;
        let gone = session.tab.dialog().is_some() || is_elsewhere(&seen);
        let late = if gone { None } else { ask::<Received>(session, &place.world, Call::new("endGiving")).await.ok() };
        let late = late.filter(|received| received.miss.is_none());
        let did = Did::of(&seen);
        let mut outcome = self.outcome(spot);
        outcome.message = format!("gave {} to {what}", self.quoted());
        outcome.effects = seen.into_effects(session, &place.world);
        let already = self.are(&before.files);
        match late {
            Some(received) => self.judge_field(&mut outcome, &received, &did, already),
            None if early.as_deref().is_some_and(|given| self.are(given)) => {
                outcome.notes.push("the page went on with them".to_owned());
            }
            None => unread(&mut outcome, &format!("gave {} to {what}", self.quoted())),
        }
        Ok(outcome)
    }

    fn judge_field(&self, outcome: &mut Outcome, received: &Received, did: &Did, already: bool) {
        let holds = received.holds.as_deref().is_some_and(|held| self.are(held));
        let arrived = received.arrived.as_deref().is_some_and(|given| self.are(given));
        if holds && (arrived || already) {
            if !received.complaint.is_empty() {
                outcome.notes.push(format!("the page says: {:?}", received.complaint));
            }
            if already && !arrived {
                outcome.notes.push("it held them already".to_owned());
            }
            return;
        }
        if !arrived {
            let held = received.holds.as_deref().unwrap_or_default();
            let held: Vec<&str> = held.iter().map(|given| given.name.as_str()).collect();
            let detail = format!("{}, and it holds {held:?} instead", outcome.message);
            outcome.fail(ActionError::new(ErrorCode::ValueRejected, detail));
            return;
        }
        // the page took them out of the field: that it did something with them must show
        self.judge_taken(outcome, received, did, "the page took them out of the field");
    }

    /// Files that arrived, and stand in no field: what the page did with them is what can be seen.
    fn judge_taken(&self, outcome: &mut Outcome, received: &Received, did: &Did, what: &str) {
        let fail = |outcome: &mut Outcome, kind: &str, detail: String| {
            let error = ActionError::new(ErrorCode::ValueRejected, detail).with_kind(kind);
            outcome.fail(error.with_hint("look at the page: it says what it takes, or shows what it took"));
        };
        if !received.complaint.is_empty() {
            let detail = format!("{}, and the page says {:?}", outcome.message, received.complaint);
            return fail(outcome, "refused", detail);
        }
        if did.sent || received.shown {
            let why = if received.shown { "and shows their names" } else { "and sent something" };
            outcome.notes.push(format!("{what} {why}"));
            return;
        }
        let detail = format!("{}; {what}, and does not show what became of them", outcome.message);
        fail(outcome, "taken", detail);
    }

    /// Presses the element, and gives the files to the chooser that it opens.
    async fn by_chooser(&self, session: &mut Session, aim: &Aim, press: bool) -> Result<Outcome, ActionError> {
        let mut choosers = Choosers::intercept(&session.tab).await?;
        let chosen = Box::pin(self.choose(session, aim, &mut choosers)).await;
        choosers.release().await;
        match chosen? {
            Chosen::Done(outcome) => Ok(*outcome),
            // nothing came of the press: what looks like a button may be a place to drop things on
            Chosen::Nothing(_) if press => match self.drop_on(session, aim).await? {
                Some(outcome) => Ok(outcome),
                None => Err(no_way(aim)),
            },
            Chosen::Nothing(None) => Err(no_way(aim)),
            Chosen::Nothing(Some(outcome)) => Ok(*outcome),
        }
    }

    async fn choose(&self, session: &mut Session, aim: &Aim, choosers: &mut Choosers) -> Result<Chosen, ActionError> {
        let landing = pointer::gesture_on(session, aim, Gesture::CLICK).await?;
        let what = describe(&landing.spot.landed);
        let within = if landing.seen.any() { CHOOSER_WITHIN } else { CHOOSER_WITHIN / 3 };
        let Some(opened) = choosers.opened(within).await else {
            if !landing.seen.any() {
                return Ok(Chosen::Nothing(None));
            }
            let mut outcome = self.outcome(&landing.spot);
            outcome.message = format!("pressed {what}");
            outcome.effects = landing.seen.into_effects(session, &landing.spot.world);
            let detail = format!("pressed {what}, and no file chooser opened");
            let error = ActionError::new(ErrorCode::NoEffect, detail).with_kind("no_chooser");
            outcome.fail(error.with_hint("look at the page again: the file may be asked for in what came up"));
            return Ok(Chosen::Nothing(Some(Box::new(outcome))));
        };
        let (Some(frame), Some(node)) = (opened.frame_id, opened.backend_node_id) else {
            let detail = format!("{what} opens a chooser of the system's, which cannot be answered");
            return Err(ActionError::new(ErrorCode::Unsupported, detail));
        };
        let world = World::new(&session.tab, frame);
        let number = world.number_of(node, PUT_WITHIN).await.map_err(|error| page_trouble(&error))?;
        let field: Field = ask(session, &world, Call::new("fileField").arg(number)).await?;
        self.fits(&field, &format!("the chooser that {what} opens"))?;
        let around = if landing.spot.world.frame() == world.frame() { landing.spot.local } else { number };
        let place = Place { world, field: number, around };
        self.put_into(session, &landing.spot, &place).await.map(|outcome| Chosen::Done(Box::new(outcome)))
    }

    /// Drops the files on the element; `None` where it takes no drop, and got none.
    async fn drop_on(&self, session: &mut Session, aim: &Aim) -> Result<Option<Outcome>, ActionError> {
        let deadline = Instant::now() + session.settings.action_deadline;
        let wants = Wants { stable: true, point: true, observe: true, ..Wants::NOTHING };
        let spot = aim::locate(session, aim, wants, deadline).await?;
        let Some((x, y)) = spot.point else {
            return Err(ActionError::new(ErrorCode::Internal, "located without a point"));
        };
        let armed: Received = ask(session, &spot.world, Call::new("armDrop").arg(spot.local).arg(self.names())).await?;
        if armed.miss.is_some() {
            return Err(ActionError::new(ErrorCode::ElementNotFound, format!("{} is gone", aim::label(aim))));
        }
        let mut data = DragData::new(Vec::new(), COPY);
        data.files = Some(self.paths());
        let drag = |kind| DispatchDragEvent::new(kind, x, y, data.clone());
        for kind in [DispatchDragEventType::DragEnter, DispatchDragEventType::DragOver] {
            dispatch(session, &drag(kind)).await?;
        }
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Offer {
            taken: bool,
        }
        let offer: Offer = ask(session, &spot.world, Call::new("dropOffer")).await?;
        if !offer.taken {
            dispatch(session, &drag(DispatchDragEventType::DragCancel)).await?;
            let _: Received = ask(session, &spot.world, Call::new("endGiving")).await?;
            return Ok(None);
        }
        let watch = Watch::start(&session.tab);
        dispatch(session, &drag(DispatchDragEventType::Drop)).await?;
        let seen = watch.settle(&spot.world, &session.settings).await;
        self.after_drop(session, &spot, seen).await.map(Some)
    }

    async fn after_drop(&self, session: &mut Session, spot: &Spot, seen: Seen) -> Result<Outcome, ActionError> {
        let what = describe(&spot.landed);
        let gone = session.tab.dialog().is_some() || is_elsewhere(&seen);
        let did = Did::of(&seen);
        let mut outcome = self.outcome(spot);
        outcome.message = format!("dropped {} on {what}", self.quoted());
        outcome.effects = seen.into_effects(session, &spot.world);
        if gone {
            unread(&mut outcome, &format!("dropped {} on {what}", self.quoted()));
            return Ok(outcome);
        }
        let received: Received = ask(session, &spot.world, Call::new("endGiving")).await?;
        if !received.arrived.as_deref().is_some_and(|given| self.are(given)) {
            let on = if received.on.is_empty() { "nothing".to_owned() } else { received.on };
            let detail = format!("{what} was not under the drop; {on} was there and got nothing");
            outcome.fail(ActionError::new(ErrorCode::NotInteractable, detail).with_kind("moving"));
        } else if did.anything && received.complaint.is_empty() {
            outcome.notes.push("the drop was taken there".to_owned());
        } else if !did.anything {
            let detail = format!("{}, which took the drop, and nothing was seen to follow", outcome.message);
            outcome.fail(ActionError::new(ErrorCode::NoEffect, detail).with_hint("look at the page again"));
        } else {
            self.judge_taken(&mut outcome, &received, &did, "the page took them");
        }
        Ok(outcome)
    }
}

/// What the page was seen to do.
struct Did {
    anything: bool,
    /// A request began, and none failed.
    sent: bool,
}

impl Did {
    fn of(seen: &Seen) -> Self {
        Self { anything: seen.any(), sent: seen.requests_went_well() }
    }
}

/// What came of pressing what should open a chooser.
enum Chosen {
    Done(Box<Outcome>),
    Nothing(Option<Box<Outcome>>),
}

fn no_way(aim: &Aim) -> ActionError {
    let detail = format!("{} opened no file chooser, and takes no drop", aim::label(aim));
    ActionError::new(ErrorCode::NoEffect, detail)
        .with_kind("no_chooser")
        .with_hint("use the ref of the file field, of its label, or of the zone that takes files")
}

async fn dispatch(session: &Session, event: &DispatchDragEvent) -> Result<(), ActionError> {
    match session.tab.race(session.tab.session().send(event), PUT_WITHIN).await {
        Ok(_) | Err(BrowserError::DialogOpen(_) | BrowserError::TabClosed) => Ok(()),
        Err(error) => Err(browser_trouble(&error)),
    }
}
