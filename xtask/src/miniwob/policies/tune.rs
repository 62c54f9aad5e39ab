//! Bringing sliders and spinners to a value. It must not know sentences.

use webhand::prelude::{Fill, Press, Snapshot};

use crate::miniwob::hand::{Hand, Played, Stop};
use crate::miniwob::see::{self, Seen};
use crate::miniwob::words::numbers;

/// How often keys are pressed before a value counts as out of reach.
const ROUNDS: usize = 6;
/// How many keys one action presses at most.
const KEYS: i64 = 60;

/// Brings what can be tuned to these values, in the order of the page.
pub(super) async fn set(values: &[i64], page: &Snapshot, hand: &mut Hand<'_>) -> Played {
    let spinners = see::of_role(page, &["spinbutton"]);
    if let ([value], Some(spinner)) = (values, spinners.first()) {
        return hand.act(Fill::on(spinner.r#ref(), value.to_string())).await.map(drop);
    }
    for (index, value) in values.iter().enumerate() {
        slide(index, *value, hand).await?;
    }
    Ok(())
}

/// Moves one slider with the arrow keys: how far one key goes shows after the first.
async fn slide(index: usize, value: i64, hand: &mut Hand<'_>) -> Played {
    let mut step = 1;
    for _ in 0..ROUNDS {
        let page = hand.look().await?;
        let handle = sliders(&page).get(index).copied().ok_or_else(|| Stop::lost("there is no such slider"))?;
        let now = reading(&page, handle).ok_or_else(|| Stop::lost("the slider does not say where it stands"))?;
        if now == value {
            return Ok(());
        }
        let key = if value > now { "ArrowRight" } else { "ArrowLeft" };
        let times = ((value - now).abs() / step).clamp(1, KEYS);
        let keys = vec![key; usize::try_from(times).unwrap_or(1)].join(" ");
        hand.act(Press::keys(keys).on(handle.r#ref())).await?;
        let page = hand.look().await?;
        if let Some(then) = sliders(&page).get(index).and_then(|handle| reading(&page, *handle)) {
            step = ((then - now).abs() / times).max(1);
        }
    }
    Err(Stop::lost(format!("the slider does not reach {value}")))
}

fn sliders(page: &Snapshot) -> Vec<Seen<'_>> {
    let named = see::of_role(page, &["slider"]);
    // older libraries draw a handle that takes the focus and say nothing of what it is
    if named.is_empty() { see::of_role(page, &["generic"]) } else { named }
}

/// Where a slider stands: as it says itself, or the number beside it.
fn reading(page: &Snapshot, handle: Seen<'_>) -> Option<i64> {
    if !handle.value().is_empty() {
        return handle.value().parse().ok();
    }
    let text = see::texts(page).find(|(at, _)| *at > handle.at)?;
    numbers(text.1).first().copied()
}
