//! The size of the view of a tab: set, and read back.

use serde_json::json;
use webhand_cdp::protocol::emulation::SetDeviceMetricsOverride;
use webhand_page::Call;

use super::{pointer::main_world, readback::ask};
use crate::{
    catalogue::Viewport,
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    session::{Session, browser_trouble},
};

/// Scales are told apart as far as this.
const ALIKE: f64 = 0.01;

pub(super) async fn viewport(session: &mut Session, order: &Viewport) -> Result<Outcome, ActionError> {
    let (width, height, scale) = order.wanted();
    // a scale of 0 leaves the screen's own
    let set = SetDeviceMetricsOverride::new(i64::from(width), i64::from(height), scale.unwrap_or(0.0), false);
    let sent = session.tab.session().send(&set);
    session.tab.race(sent, session.settings.action_deadline).await.map_err(|error| browser_trouble(&error))?;
    let world = main_world(session)?;
    let within = session.settings.patience.as_millis() as u64;
    let call = Call::new("viewIs").arg(width).arg(height).arg(within);
    let [now_width, now_height, now_scale]: [f64; 3] = ask(session, &world, call).await?;
    let mut outcome = Outcome::done(order.clone().into(), format!("the view is {now_width} x {now_height}"));
    outcome.data = Some(json!({ "width": now_width, "height": now_height, "scale": now_scale }));
    let is_so = (now_width, now_height) == (f64::from(width), f64::from(height))
        && scale.is_none_or(|scale| (now_scale - scale).abs() < ALIKE);
    if !is_so {
        let detail = format!("{width} x {height} was asked for, and {}, at a scale of {now_scale}", outcome.message);
        outcome.fail(ActionError::new(ErrorCode::NoEffect, detail));
    }
    Ok(outcome)
}
