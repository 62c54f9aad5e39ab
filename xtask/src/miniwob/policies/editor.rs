//! Text styled in an editor: `Using the text editor, give the text Amet. the style bold and press Submit`.

use std::sync::Arc;

use async_trait::async_trait;
use webhand::prelude::{Press, Snapshot};

use super::{Policy, shapes};
use crate::miniwob::hand::{Hand, Played, Stop};
use crate::miniwob::see::{self, Seen};
use crate::miniwob::sight::{self, Colour};

/// The policy.
#[derive(Debug)]
pub(crate) struct Editor;

/// What is asked.
#[derive(Debug, PartialEq, Eq)]
struct Asked<'g> {
    /// The part of the text; all of it where there is none.
    part: Option<&'g str>,
    style: Style,
}

#[derive(Debug, PartialEq, Eq)]
enum Style {
    /// The stem of the button's name.
    Button(&'static str),
    Colour(Colour),
}

#[async_trait]
impl Policy for Editor {
    fn name(&self) -> &'static str {
        "editor"
    }

    fn about(&self) -> &'static str {
        "words or all of a text made bold, italic, underlined or coloured in an editor"
    }

    fn understands(&self, goal: &str, _page: &Snapshot) -> bool {
        asked(goal).is_some()
    }

    async fn play(&self, goal: &str, page: Arc<Snapshot>, hand: &mut Hand<'_>) -> Played {
        let asked = asked(goal).ok_or_else(|| Stop::lost("not understood"))?;
        let text = see::fields(&page).first().copied().ok_or_else(|| Stop::lost("there is no editor"))?;
        hand.act(Press::keys(selecting(text.value(), asked.part)?).on(text.r#ref())).await?;
        match asked.style {
            Style::Button(stem) => {
                let button = see::of_role(&page, &["button"]).into_iter().find(|seen| seen.name().contains(stem));
                hand.click(button.ok_or_else(|| Stop::lost(format!("no button is called {stem}")))?.r#ref()).await?;
            }
            Style::Colour(colour) => paint(&page, colour, hand).await?,
        }
        let page = hand.look().await?;
        let submit = see::pressed(&page, "Submit").ok_or_else(|| Stop::lost("there is no Submit"))?;
        hand.click(submit.r#ref()).await.map(drop)
    }
}

/// Opens the list of colours and takes the nearest.
async fn paint(page: &Snapshot, colour: Colour, hand: &mut Hand<'_>) -> Played {
    let opener = see::of_role(page, &["generic", "button"]).into_iter().find(|seen| seen.name().contains("picker"));
    hand.click(opener.ok_or_else(|| Stop::lost("nothing offers colours"))?.r#ref()).await?;
    let opened = hand.look().await?;
    let picture = hand.picture().await?;
    let swatches = see::controls(&opened).filter(|seen| page.control(seen.r#ref().number).is_none());
    let away = |seen: &Seen<'_>| shapes::colour_of(*seen, &picture).map_or(u32::MAX, |seen| sight::apart(seen, colour));
    let swatch = swatches.min_by_key(away).ok_or_else(|| Stop::lost("there are no colours"))?;
    hand.click(swatch.r#ref()).await.map(drop)
}

/// The keys that mark a part of a text, or all of it.
fn selecting(text: &str, part: Option<&str>) -> Played<String> {
    let Some(part) = part else { return Ok("Control+A".to_owned()) };
    let mut before = 0;
    let is_whole = |word: &&str| *word == part;
    // a word is itself only where it stands alone
    for word in text.split_inclusive(' ') {
        if is_whole(&word.trim()) {
            let keys = std::iter::once("Control+Home".to_owned())
                .chain(std::iter::repeat_n("ArrowRight".to_owned(), before))
                .chain(std::iter::repeat_n("Shift+ArrowRight".to_owned(), part.chars().count()));
            return Ok(keys.collect::<Vec<_>>().join(" "));
        }
        before += word.chars().count();
    }
    Err(Stop::lost(format!("the text has no {part:?}")))
}

fn asked(goal: &str) -> Option<Asked<'_>> {
    let rest = goal.strip_prefix("Using the text editor, ")?;
    let rest = rest.strip_suffix(" and press Submit.").unwrap_or(rest);
    let rest = rest.strip_prefix("give ").or_else(|| rest.strip_prefix("make "))?;
    let (what, style) = rest.rsplit_once(" the ")?;
    let part = match what.strip_prefix("the text ") {
        Some(part) => Some(part),
        None => (what == "everything").then_some(None)?,
    };
    let (kind, word) = style.split_once(' ')?;
    let word = word.trim().trim_end_matches('.');
    let style = match (kind, word) {
        ("color", name) => Style::Colour(sight::named(name)?),
        ("style", "bold") => Style::Button("bold"),
        ("style", "italics") => Style::Button("italic"),
        ("style", "underlined") => Style::Button("underline"),
        _ => return None,
    };
    Some(Asked { part, style })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn part_and_style_are_read() {
        let goal = "Using the text editor, give the text Amet. the color orange.";
        assert_eq!(asked(goal), Some(Asked { part: Some("Amet."), style: Style::Colour([255, 165, 0]) }));
        let goal = "Using the text editor, give everything the style italics and press Submit.";
        assert_eq!(asked(goal), Some(Asked { part: None, style: Style::Button("italic") }));
        let goal = "Using the text editor, make everything the color yellow and press Submit.";
        assert_eq!(asked(goal).unwrap().part, None);
    }

    #[test]
    fn keys_mark_a_word() {
        let keys = "Control+Home ArrowRight ArrowRight ArrowRight Shift+ArrowRight Shift+ArrowRight";
        assert_eq!(selecting("a, at b", Some("at")).unwrap(), keys);
        assert_eq!(selecting("a b", None).unwrap(), "Control+A");
    }
}
