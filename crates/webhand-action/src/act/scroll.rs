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
    if !moved && scrolled.scrollable && stands_at(scroll, scrolled.left.as_ref()) {
        let percent = scroll.amount.unwrap_or_default();
        let mut outcome = Outcome::done(scroll.clone().into(), format!("it is at {percent} % already"));
        outcome.data = scrolled.left.map(|left| json!({ "left": left }));
        return Ok(outcome);
    }
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

/// Whether the percentage that was asked for is where it stands, to the pixel.
fn stands_at(scroll: &Scroll, left: Option<&Left>) -> bool {
    let (ScrollTo::Percent, Some(percent), Some(left)) = (scroll.to, scroll.amount, left) else { return false };
    let whole = left.above + left.below;
    (whole * percent / 100.0 - left.above).abs() <= 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn still(above: f64, below: f64) -> Scrolled {
        Scrolled {
            left: Some(Left { above, below, ..Left::default() }),
            scrollable: true,
            view: 500.0,
            ..Scrolled::default()
        }
    }

    #[test]
    fn a_percentage_that_is_reached_already_is_reached() {
        let half = Scroll::to(ScrollTo::Percent).amount(50.0);
        let outcome = judge(&half, still(400.0, 401.0)).unwrap();
        assert!(outcome.ok && outcome.message.contains("50 %"), "{outcome}");
        assert!(outcome.effects.iter().next().is_none());
        assert_eq!(judge(&half, still(0.0, 800.0)).unwrap_err().code, ErrorCode::AtEnd);
        assert_eq!(judge(&Scroll::down(), still(800.0, 0.0)).unwrap_err().code, ErrorCode::AtEnd);
        let nothing = Scrolled { scrollable: false, ..still(0.0, 0.0) };
        assert_eq!(judge(&half, nothing).unwrap_err().code, ErrorCode::AtEnd);
    }
}
