//! Things told by their colour alone: `Click on the olive colored box`, `Select all the shades of red`, `Select orange with the
//! color picker`. What no text says is seen on a picture of the page.

use std::sync::Arc;

use async_trait::async_trait;
use webhand::prelude::Snapshot;

use super::Policy;
use crate::miniwob::hand::{Hand, Played, Stop};
use crate::miniwob::see::{self, Seen};
use crate::miniwob::sight::{self, Colour};

/// The policy.
#[derive(Debug)]
pub(crate) struct Colours;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    /// The one thing of that colour.
    One(Colour),
    /// All shades of it.
    Shades(Colour),
    /// A field is to hold it.
    Field(Colour),
}

#[async_trait]
impl Policy for Colours {
    fn name(&self) -> &'static str {
        "colours"
    }

    fn about(&self) -> &'static str {
        "things told by their colour on a picture of the page, and colours written into a colour field"
    }

    fn understands(&self, goal: &str, _page: &Snapshot) -> bool {
        asked(goal).is_some()
    }

    async fn play(&self, goal: &str, page: Arc<Snapshot>, hand: &mut Hand<'_>) -> Played {
        let asked = asked(goal).ok_or_else(|| Stop::lost("not understood"))?;
        if let Asked::Field([red, green, blue]) = asked {
            let field = see::fields(&page).first().copied().ok_or_else(|| Stop::lost("no field"))?;
            hand.fill(field.r#ref(), format!("{red:02X}{green:02X}{blue:02X}")).await?;
            return submit(hand).await;
        }
        let picture = hand.picture().await?;
        let boxes = see::of_role(&page, &["generic"]);
        let colour_of = |seen: &Seen<'_>| picture.colour(seen.middle());
        match asked {
            Asked::One(colour) => {
                let nearest = boxes.iter().min_by_key(|seen| sight::apart(colour_of(seen), colour));
                hand.click(nearest.ok_or_else(|| Stop::lost("there are no boxes"))?.r#ref()).await.map(drop)
            }
            _ => {
                for seen in boxes.iter().filter(|seen| is_shade(colour_of(seen), asked)) {
                    hand.click(seen.r#ref()).await?;
                }
                submit(hand).await
            }
        }
    }
}

fn is_shade(colour: Colour, asked: Asked) -> bool {
    let Asked::Shades(of) = asked else { return false };
    let (Some(hue), Some(wanted)) = (sight::hue(colour), sight::hue(of)) else { return false };
    let apart = (hue - wanted).abs();
    apart.min(360.0 - apart) < 45.0
}

fn asked(goal: &str) -> Option<Asked> {
    if let Some(rest) = goal.strip_prefix("Click on the ") {
        return sight::named(rest.strip_suffix(" colored box.")?).map(Asked::One);
    }
    if let Some((_, rest)) = goal.split_once("all the shades of ") {
        return sight::named(rest.split(' ').next()?).map(Asked::Shades);
    }
    let rest = goal.strip_prefix("Select ")?;
    sight::named(rest.split(" with the color picker").next()?).map(Asked::Field)
}

async fn submit(hand: &mut Hand<'_>) -> Played {
    let page = hand.look().await?;
    let submit = see::pressed(&page, "Submit").ok_or_else(|| Stop::lost("there is no Submit"))?;
    hand.click(submit.r#ref()).await.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_name_colours() {
        assert_eq!(asked("Click on the olive colored box."), Some(Asked::One([128, 128, 0])));
        assert_eq!(asked("Select all the shades of red and press Submit."), Some(Asked::Shades([255, 0, 0])));
        assert_eq!(asked("Select lime with the color picker and hit Submit."), Some(Asked::Field([0, 255, 0])));
        assert_eq!(asked("Select Ti2 and click Submit."), None);
        assert!(is_shade([230, 120, 120], Asked::Shades([255, 0, 0])));
        assert!(!is_shade([120, 230, 120], Asked::Shades([255, 0, 0])));
    }
}
