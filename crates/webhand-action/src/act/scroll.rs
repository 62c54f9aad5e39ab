//! Scrolling, with how far it really went and how much is left.

use std::time::Duration;

use futures_util::future::join_all;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::time::Instant;
use webhand_page::{Call, PageError, World};

use super::{
    aim::{self, Wants},
    effects::Watch,
    pointer::main_world,
    popups::adopt,
};
use crate::{
    catalogue::{Scroll, ScrollTo, ScrollUnit, Target},
    effects::Effect,
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    session::{Session, page_trouble},
};

/// How long a frame may take to say whether it is meant.
const FRAME_WITHIN: Duration = Duration::from_secs(2);
/// A list that grows by less, in CSS pixels, has not got longer.
const GROWTH: f64 = 2.0;

/// What the page answers.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Scrolled {
    miss: Option<String>,
    /// The container is a frame, of that number: its document is meant.
    inside: Option<u32>,
    moved: (f64, f64),
    left: Option<Left>,
    /// What was wanted is in view, and whether something lies over it.
    reached: bool,
    covered: bool,
    scrollable: bool,
    /// There was somewhere to go.
    wanted: bool,
    view: f64,
    axis: String,
    /// The area that was scrolled; 0 for the page.
    area: u32,
}

/// How far an area can still be scrolled each way, CSS pixels.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
struct Left {
    above: f64,
    below: f64,
    left: f64,
    right: f64,
}

/// Where an order is carried out.
struct Place {
    world: World,
    container: Option<u32>,
    id: Option<u32>,
    /// In how many places a text is that was looked for.
    count: usize,
}

pub(super) async fn scroll(session: &mut Session, scroll: &Scroll) -> Result<Outcome, ActionError> {
    let mut place = place_of(session, scroll).await?;
    let watch = Watch::start(&session.tab);
    let mut scrolled = ask(session, scroll, &place).await?;
    if let Some(frame) = scrolled.inside.and_then(|owner| inner_world(session, &place.world, owner)) {
        place = Place { world: frame, container: None, id: None, count: 0 };
        scrolled = ask(session, scroll, &place).await?;
    } else if !scrolled.scrollable && scroll.target.is_none() && scrolled.miss.is_none() {
        // all that can be scrolled may be in a frame
        if let Some(world) = roomiest_frame(session, scroll).await {
            place.world = world;
            scrolled = ask(session, scroll, &place).await?;
        }
    }
    let seen = watch.settle(&place.world, &session.settings).await;
    let grown = match &scrolled.left {
        Some(before) if !seen.silent => {
            let now: Option<Left> =
                place.world.call(&Call::new("scrollLeft").arg(scrolled.area), FRAME_WITHIN).await.ok().flatten();
            now.map(|now| (now, grew(before, &now)))
        }
        _ => None,
    };
    if let Some((now, _)) = grown {
        scrolled.left = Some(now);
    }
    let mut outcome = judge(scroll, &scrolled, place.count)?;
    if let Some((_, by)) = grown.filter(|(_, by)| *by > GROWTH) {
        outcome.notes.push(format!("more came: it is {by:.0} pixels longer now"));
    }
    let popups = seen.popups.clone();
    let others = seen.into_effects(session, &place.world);
    // how far it went is known better here
    outcome.effects.extend(others.iter().filter(|effect| !matches!(effect, Effect::Scrolled { .. })).cloned());
    adopt(session, popups, true, &mut outcome.effects).await;
    Ok(outcome)
}

/// By how much an area got longer, beyond what was scrolled.
fn grew(before: &Left, now: &Left) -> f64 {
    let whole = |left: &Left| (left.above + left.below).max(left.left + left.right);
    whole(now) - whole(before)
}

async fn ask(session: &Session, scroll: &Scroll, place: &Place) -> Result<Scrolled, ActionError> {
    let default_amount = if scroll.unit == ScrollUnit::Pixels { 600.0 } else { 1.0 };
    let order = json!({
        "to": scroll.to,
        "amount": scroll.amount.unwrap_or(default_amount),
        "unit": scroll.unit,
        "text": scroll.value,
        "id": place.id,
        "container": place.container,
    });
    let call = Call::new("scroll").arg(order);
    let scrolled: Result<Scrolled, PageError> = place.world.call(&call, session.settings.action_deadline).await;
    scrolled.map_err(|error| page_trouble(&error))
}

/// Which document is meant, and which element of it.
async fn place_of(session: &mut Session, scroll: &Scroll) -> Result<Place, ActionError> {
    let deadline = Instant::now() + session.settings.action_deadline;
    let mut place = Place { world: main_world(session)?, container: None, id: None, count: 0 };
    if let Some(target) = &scroll.target {
        let aim = aim::aim(session, target).await?;
        let spot = aim::locate(session, &aim, Wants::NOTHING, deadline).await?;
        (place.world, place.container) = (spot.world, Some(spot.local));
    }
    if scroll.to == ScrollTo::Ref {
        let target = Target::from(scroll.value.clone().unwrap_or_default());
        let aim = aim::aim(session, &target).await?;
        let spot = aim::locate(session, &aim, Wants::NOTHING, deadline).await?;
        (place.world, place.id) = (spot.world, Some(spot.local));
    }
    if scroll.to == ScrollTo::Text && scroll.target.is_none() {
        let text = scroll.value.as_deref().unwrap_or_default();
        let counts = ask_frames::<usize>(session, &Call::new("countText").arg(text)).await;
        place.count = counts.iter().map(|(_, count)| count).sum();
        if let Some((world, _)) = counts.into_iter().find(|(_, count)| *count > 0) {
            place.world = world;
        }
    }
    Ok(place)
}

/// Asks every frame, the main one first; those that do not answer are left out.
async fn ask_frames<T: serde::de::DeserializeOwned>(session: &Session, call: &Call) -> Vec<(World, T)> {
    let worlds: Vec<World> = session.tab.frames().into_iter().map(|frame| World::new(&session.tab, frame.id)).collect();
    let asked = worlds.iter().map(|world| world.call::<T>(call, FRAME_WITHIN));
    let answers = join_all(asked).await;
    worlds.into_iter().zip(answers).filter_map(|(world, answer)| Some((world, answer.ok()?))).collect()
}

/// The largest frame whose document can be scrolled that way.
async fn roomiest_frame(session: &Session, scroll: &Scroll) -> Option<World> {
    let main = session.tab.main_frame()?;
    let rooms = ask_frames::<f64>(session, &Call::new("scrollRoom").arg(scroll.to)).await;
    let inner = rooms.into_iter().filter(|(world, room)| *world.frame() != main && *room > 0.0);
    inner.max_by(|(_, one), (_, other)| one.total_cmp(other)).map(|(world, _)| world)
}

/// The document of the frame that has this number in its parent's.
fn inner_world(session: &Session, outer: &World, owner: u32) -> Option<World> {
    let frames = session.tab.frames();
    let inner = frames.into_iter().filter(|frame| frame.parent.as_ref() == Some(outer.frame()));
    let mut inner = inner.filter(|frame| session.reader.owner(&frame.id) == Some(owner));
    inner.next().map(|frame| World::new(&session.tab, frame.id))
}

fn judge(scroll: &Scroll, scrolled: &Scrolled, count: usize) -> Result<Outcome, ActionError> {
    let what = scroll.value.as_deref().unwrap_or("the scroll area");
    if let Some(miss) = &scrolled.miss {
        let detail =
            if miss == "no_text" { format!("the text {what:?} is not on the page") } else { format!("{what} is gone") };
        return Err(ActionError::new(ErrorCode::ElementNotFound, detail));
    }
    let (right, down) = scrolled.moved;
    let moved = right != 0.0 || down != 0.0;
    let mut outcome = Outcome::done(scroll.clone().into(), String::new());
    outcome.data = scrolled.left.as_ref().map(|left| json!({ "left": left }));
    if moved {
        outcome.effects.push(Effect::Scrolled { right, down });
    }
    if matches!(scroll.to, ScrollTo::Ref | ScrollTo::Text) {
        if !scrolled.reached {
            let detail = format!("{what} could not be brought into view");
            return Err(ActionError::new(ErrorCode::NotInteractable, detail).with_kind("out_of_view"));
        }
        outcome.message = if moved { "scrolled it into view".to_owned() } else { "it is in view already".to_owned() };
        if scrolled.covered {
            outcome.notes.push("something lies over it".to_owned());
        }
        if count > 1 {
            outcome.notes.push(format!("the first of {count} places"));
        }
        return Ok(outcome);
    }
    if moved {
        outcome.message = progress(scrolled);
        return Ok(outcome);
    }
    if scrolled.scrollable && stands_at(scroll, scrolled) {
        outcome.message = format!("it is at {} % already", scroll.amount.unwrap_or_default());
        return Ok(outcome);
    }
    if scrolled.wanted {
        let detail = "scrolled, and the page went back to where it was";
        return Err(ActionError::new(ErrorCode::NoEffect, detail)
            .with_hint("look at the page: it may scroll by its own controls, or by keys"));
    }
    let detail = match scrolled.scrollable {
        true => "already at the end in that direction",
        false => "there is nothing to scroll here",
    };
    Err(ActionError::new(ErrorCode::AtEnd, detail))
}

/// How much is left before and behind, in views.
fn progress(scrolled: &Scrolled) -> String {
    let Some(left) = &scrolled.left else { return "scrolled".to_owned() };
    let views = |pixels: f64| if scrolled.view > 0.0 { pixels / scrolled.view } else { 0.0 };
    match scrolled.axis.as_str() {
        "x" => format!("scrolled; {:.1} views to the left, {:.1} to the right", views(left.left), views(left.right)),
        _ => format!("scrolled; {:.1} views above, {:.1} below", views(left.above), views(left.below)),
    }
}

/// Whether the percentage that was asked for is where it stands, to the pixel.
fn stands_at(scroll: &Scroll, scrolled: &Scrolled) -> bool {
    let (ScrollTo::Percent, Some(percent), Some(left)) = (scroll.to, scroll.amount, &scrolled.left) else {
        return false;
    };
    let (before, behind) = if scrolled.axis == "x" { (left.left, left.right) } else { (left.above, left.below) };
    ((before + behind) * percent / 100.0 - before).abs() <= 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn still(above: f64, below: f64) -> Scrolled {
        Scrolled {
            left: Some(Left { above, below, ..Left::default() }),
            scrollable: true,
            view: 500.0,
            axis: "y".to_owned(),
            ..Scrolled::default()
        }
    }

    #[test]
    fn a_percentage_that_is_reached_already_is_reached() {
        let half = Scroll::to(ScrollTo::Percent).amount(50.0);
        let outcome = judge(&half, &still(400.0, 401.0), 0).unwrap();
        assert!(outcome.ok && outcome.message.contains("50 %"), "{outcome}");
        assert!(outcome.effects.iter().next().is_none());
        assert_eq!(judge(&half, &still(0.0, 800.0), 0).unwrap_err().code, ErrorCode::AtEnd);
        assert_eq!(judge(&Scroll::down(), &still(800.0, 0.0), 0).unwrap_err().code, ErrorCode::AtEnd);
        let nothing = Scrolled { scrollable: false, ..still(0.0, 0.0) };
        assert_eq!(judge(&half, &nothing, 0).unwrap_err().code, ErrorCode::AtEnd);
    }

    #[test]
    fn a_page_that_scrolls_back_is_not_at_its_end() {
        let back = Scrolled { wanted: true, ..still(0.0, 900.0) };
        assert_eq!(judge(&Scroll::down(), &back, 0).unwrap_err().code, ErrorCode::NoEffect);
    }

    #[test]
    fn what_did_not_come_into_view_is_no_success() {
        let text = Scroll { value: Some("here".to_owned()), ..Scroll::to(ScrollTo::Text) };
        let out = Scrolled { moved: (0.0, 300.0), ..Scrolled::default() };
        assert_eq!(judge(&text, &out, 1).unwrap_err().code, ErrorCode::NotInteractable);
        let seen = judge(&text, &Scrolled { reached: true, ..out }, 3).unwrap();
        assert!(seen.ok && seen.to_string().contains("first of 3"), "{seen}");
    }
}
