//! Codes that have a box for each character: one text for several fields beside each other.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use webhand_page::Call;

use super::{
    Filling, Prepared,
    ways::{insert, lost_focus, typed},
};
use crate::{
    act::{
        aim::Spot,
        effects::{PageEffects, Watch},
        guard::Others,
        keyboard,
        pointer::describe,
        readback::{ask, is_elsewhere, landed_outcome, reject, unread},
    },
    catalogue::FillTier,
    error::ActionError,
    outcome::Outcome,
    session::Session,
};

/// What stands in the boxes.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Standing {
    miss: Option<String>,
    equal: bool,
    secret: bool,
    /// A character a box, `_` for an empty one.
    value: String,
    astray: Option<String>,
    effects: Option<PageEffects>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Armed {
    miss: Option<String>,
    focused: bool,
}

/// A character after the other into its box, else all at once into the first, else as a paste: pages part the text then.
pub(super) async fn fill(
    session: &mut Session,
    filling: &Filling<'_>,
    spot: Spot,
    prepared: Prepared,
) -> Result<(Outcome, Spot), ActionError> {
    let others = Others::of(session, filling.aim);
    others.forbid(Duration::ZERO).await;
    let mut watch = Watch::start(&session.tab);
    let tiers = match filling.fill.tier {
        FillTier::Auto => vec![FillTier::Otp, FillTier::Bulk, FillTier::Paste],
        only => vec![only],
    };
    let mut used = FillTier::Otp;
    let mut standing = None;
    for tier in tiers {
        used = tier;
        put(session, filling, &spot, &prepared.boxes, tier).await?;
        standing = tokio::select! {
            biased;
            read = read(session, filling, &spot, &prepared.boxes) => Some(read?),
            () = watch.until_leaving() => None,
        };
        if watch.has_begun() || standing.as_ref().is_none_or(|now: &Standing| now.equal || now.miss.is_some()) {
            break;
        }
    }
    let strayed = others.allow().await;
    let astray = standing.as_ref().and_then(|now| now.astray.clone()).or(strayed);
    if let Some(on) = astray.filter(|_| standing.as_ref().is_some_and(|now| !now.equal)) {
        return Err(lost_focus(&spot, &on, None));
    }
    let outcome = tell(session, filling, &spot, (watch, used), standing).await;
    Ok((outcome, spot))
}

async fn put(
    session: &Session,
    filling: &Filling<'_>,
    spot: &Spot,
    boxes: &[u32],
    tier: FillTier,
) -> Result<(), ActionError> {
    let characters = filling.text.chars().filter(|character| !character.is_whitespace() && *character != '-');
    match tier {
        FillTier::Bulk | FillTier::Paste => {
            let code: String = characters.collect();
            let Some(first) = boxes.first() else { return Ok(()) };
            if !arm(session, spot, *first).await? {
                return Ok(());
            }
            if tier == FillTier::Bulk {
                return insert(session, &code).await;
            }
            let _: bool = ask(session, &spot.world, Call::new("pasteInto").arg(*first).arg(&code)).await?;
        }
        _ => {
            for (one, character) in boxes.iter().zip(characters) {
                if !arm(session, spot, *one).await? {
                    return Ok(());
                }
                keyboard::send(session, &[typed(character)]).await?;
                let _: Option<bool> = ask(session, &spot.world, Call::new("turn")).await?;
            }
        }
    }
    Ok(())
}

/// Gives a box the focus and keeps keys from other fields. False where it takes none.
async fn arm(session: &Session, spot: &Spot, one: u32) -> Result<bool, ActionError> {
    let armed: Armed = ask(session, &spot.world, Call::new("armBox").arg(one)).await?;
    Ok(armed.miss.is_none() && armed.focused)
}

async fn read(session: &Session, filling: &Filling<'_>, spot: &Spot, boxes: &[u32]) -> Result<Standing, ActionError> {
    ask(session, &spot.world, Call::new("readBoxes").arg(boxes).arg(&filling.text)).await
}

async fn tell(
    session: &mut Session,
    filling: &Filling<'_>,
    spot: &Spot,
    (mut watch, used): (Watch, FillTier),
    standing: Option<Standing>,
) -> Outcome {
    let what = describe(&spot.landed);
    let mut outcome = landed_outcome(filling.fill.clone().into(), spot);
    let begun = watch.has_begun();
    let mut elsewhere = session.tab.dialog().is_some();
    if begun || standing.is_none() {
        let seen = watch.settle(&spot.world, &session.settings).await;
        elsewhere |= is_elsewhere(&seen);
        outcome.effects = seen.into_effects(session, &spot.world);
    }
    let Some(now) = standing.filter(|now| now.miss.is_none()) else {
        unread(&mut outcome, &format!("filled {what} and the boxes beside it"));
        return outcome;
    };
    if let Some(page) = now.effects.filter(|_| !begun && !elsewhere) {
        page.add_to(&mut outcome.effects, session, &spot.world);
    }
    if now.equal {
        outcome.message = format!("filled {what} and the boxes beside it, a character each");
        outcome.data = (!now.secret).then(|| json!({ "value": now.value, "tier": used.as_str() }));
    } else if now.secret {
        reject(&mut outcome, format!("{what} and the boxes beside it hold something else"));
    } else {
        reject(&mut outcome, format!("{what} and the boxes beside it hold {:?} instead", now.value));
    }
    outcome
}
