//! Scrolling, with how far it really went and how much is left.

use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;
use webhand_page::{Call, PageError};

use super::{
    aim::{self, Wants},
    pointer::main_world,
};
use crate::{
    catalogue::{Scroll, ScrollTo, ScrollUnit, Target},
    effects::Effect,
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    session::{Session, page_trouble},
};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Scrolled {
    miss: Option<String>,
    moved: (f64, f64),
    left: Option<Left>,
    reached: bool,
    scrollable: bool,
    view: f64,
}

#[derive(Debug, Default, Deserialize, serde::Serialize)]
#[serde(default)]
struct Left {
    above: f64,
    below: f64,
    left: f64,
    right: f64,
}

pub(super) async fn scroll(session: &mut Session, scroll: &Scroll) -> Result<Outcome, ActionError> {
    let mut world = main_world(session)?;
    let mut container = None;
    let deadline = Instant::now() + session.settings.action_deadline;
    if let Some(target) = &scroll.target {
        let aim = aim::aim(session, target).await?;
        let spot = aim::locate(session, &aim, Wants::NOTHING, deadline).await?;
        container = Some(spot.local);
        world = spot.world;
    }
    let mut id = None;
    if scroll.to == ScrollTo::Ref {
        let target = Target::from(scroll.value.clone().unwrap_or_default());
        let aim = aim::aim(session, &target).await?;
        let spot = aim::locate(session, &aim, Wants::NOTHING, deadline).await?;
        id = Some(spot.local);
        world = spot.world;
    }
    let default_amount = if scroll.unit == ScrollUnit::Pixels { 600.0 } else { 1.0 };
    let order = json!({
        "to": scroll.to,
        "amount": scroll.amount.unwrap_or(default_amount),
        "unit": scroll.unit,
        "text": scroll.value,
        "id": id,
        "container": container,
    });
    let scrolled: Result<Scrolled, PageError> =
        world.call(&Call::new("scroll").arg(order), session.settings.action_deadline).await;
    let scrolled = scrolled.map_err(|error| page_trouble(&error))?;
    judge(scroll, scrolled)
}

fn judge(scroll: &Scroll, scrolled: Scrolled) -> Result<Outcome, ActionError> {
    if let Some(miss) = &scrolled.miss {
        let what = scroll.value.as_deref().unwrap_or("the scroll area");
        let detail =
            if miss == "no_text" { format!("the text {what:?} is not on the page") } else { format!("{what} is gone") };
        return Err(ActionError::new(ErrorCode::ElementNotFound, detail));
    }
    let (right, down) = scrolled.moved;
    let moved = right != 0.0 || down != 0.0;
    if !moved && !scrolled.reached {
        let detail = if scrolled.scrollable {
            "already at the end in that direction"
        } else {
            "there is nothing to scroll here"
        };
        return Err(ActionError::new(ErrorCode::AtEnd, detail));
    }
    let mut outcome = Outcome::done(scroll.clone().into(), String::new());
    if moved {
        outcome.effects.push(Effect::Scrolled { right, down });
    }
    outcome.message = match &scrolled.left {
        Some(left) => {
            let views = |pixels: f64| if scrolled.view > 0.0 { pixels / scrolled.view } else { 0.0 };
            format!("scrolled; {:.1} views above, {:.1} below", views(left.above), views(left.below))
        }
        None if moved => "scrolled it into view".to_owned(),
        None => "it is in view already".to_owned(),
    };
    outcome.data = scrolled.left.map(|left| json!({ "left": left }));
    Ok(outcome)
}
