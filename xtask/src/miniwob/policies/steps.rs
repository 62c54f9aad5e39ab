//! Sentences that say step by step what to do: `Select A, B and click Submit`, `Click button ONE, then click button TWO`,
//! `Enter "vina" into the text field and press login`.
//!
//! [`parse`] reads them into steps; here the steps are carried out.

mod parse;

use std::sync::Arc;

use async_trait::async_trait;
use webhand::actions::ScrollTo;
use webhand::prelude::{Check, Focus, Scroll, Select, Snapshot, Wait};

use self::parse::{Entry, Kind, Step, Thing};
use super::{Policy, tune};
use crate::miniwob::hand::{Hand, Played, Stop};
use crate::miniwob::see::{self, Seen};

/// The policy.
#[derive(Debug)]
pub(crate) struct Steps;

#[async_trait]
impl Policy for Steps {
    fn name(&self) -> &'static str {
        "steps"
    }

    fn about(&self) -> &'static str {
        "clauses that each name what to press, choose, enter, focus, set or scroll"
    }

    fn understands(&self, goal: &str, _page: &Snapshot) -> bool {
        parse::steps(goal).is_some()
    }

    async fn play(&self, goal: &str, _page: Arc<Snapshot>, hand: &mut Hand<'_>) -> Played {
        for step in parse::steps(goal).unwrap_or_default() {
            let page = hand.look().await?;
            let done = carry_out(&step, &page, hand).await;
            if let Err(Stop::Lost(why)) = done {
                wave_away(&page, why, hand).await?;
                let page = hand.look().await?;
                carry_out(&step, &page, hand).await?;
            }
        }
        send(hand).await
    }
}

/// Answers what came up in between so that the work goes on.
async fn wave_away(before: &Snapshot, why: String, hand: &mut Hand<'_>) -> Played {
    let page = hand.look().await?;
    let came = |seen: &Seen<'_>| before.control(seen.r#ref().number).is_none();
    let wayout = ["Cancel", "No", "No thanks", "Not now", "Later", "Dismiss", "Close", "×", "x"];
    let answer = wayout.iter().find_map(|name| see::controls(&page).find(|seen| came(seen) && seen.name() == *name));
    match answer {
        Some(answer) => hand.click(answer.r#ref()).await.map(drop),
        None => Err(Stop::Lost(why)),
    }
}

/// Sends the form where the sentence does not say so: what is not sent is not done.
async fn send(hand: &mut Hand<'_>) -> Played {
    let page = hand.look().await?;
    match see::pressed(&page, "Submit") {
        Some(submit) => hand.click(submit.r#ref()).await.map(drop),
        None => Ok(()),
    }
}

async fn carry_out(step: &Step, page: &Snapshot, hand: &mut Hand<'_>) -> Played {
    match step {
        Step::Press(thing) => {
            let seen = pressable(page, thing).ok_or_else(|| Stop::lost(format!("nothing to press is {thing:?}")))?;
            press(seen, hand).await
        }
        Step::Wait(seconds) => hand.act(Wait::time(*seconds)).await.map(drop),
        Step::Choose(values) => choose(values, page, hand).await,
        Step::Enter { entries, nth, all } => enter(entries, *nth, *all, page, hand).await,
        Step::Set(values) => tune::set(values, page, hand).await,
        Step::Focus(nth) => {
            let field = nth_of(&see::fields(page), *nth)?;
            hand.act(Focus::on(field.r#ref())).await.map(drop)
        }
        Step::Scroll(to) => scroll(*to, page, hand).await,
    }
}

/// Presses what may be a choice of a group, too.
async fn press(seen: Seen<'_>, hand: &mut Hand<'_>) -> Played {
    match seen.role() {
        "checkbox" | "radio" => hand.act(Check::on(seen.r#ref())).await.map(drop),
        _ => hand.click(seen.r#ref()).await.map(drop),
    }
}

/// What is to be pressed: by its name, its kind and its place among its kind.
fn pressable<'p>(page: &'p Snapshot, thing: &Thing) -> Option<Seen<'p>> {
    let roles = thing.kind.roles();
    let Some(name) = &thing.name else {
        let long = |seen: &Seen<'_>| seen.control.tag == "textarea";
        let fits = |seen: &Seen<'_>| match thing.kind {
            Kind::Text => !long(seen),
            Kind::TextArea => long(seen),
            _ => true,
        };
        let all: Vec<Seen<'_>> = see::of_role(page, roles).into_iter().filter(fits).collect();
        return all.get(thing.nth.unwrap_or(1) - 1).copied();
    };
    // a dialog's x is a picture: what it is called is what it does
    let names = [name.as_str(), if name == "x" { "Close" } else { name.as_str() }];
    let found = names.iter().find_map(|name| see::named(page, roles, name));
    // a form's only button is what sends it, whatever the sentence calls it
    found.or_else(|| match see::of_role(page, &["button"])[..] {
        [only] => Some(only),
        _ => None,
    })
}

/// Chooses in whatever offers the values: boxes, a group, a list.
async fn choose(values: &[String], page: &Snapshot, hand: &mut Hand<'_>) -> Played {
    let boxes = see::of_role(page, &["checkbox", "radio"]);
    if !boxes.is_empty() {
        for value in values {
            let found = boxes.iter().find(|seen| seen.name() == value);
            let seen = found.ok_or_else(|| Stop::lost(format!("no box is called {value:?}")))?;
            hand.act(Check::on(seen.r#ref())).await?;
        }
        return Ok(());
    }
    let lists = see::of_role(page, &["listbox", "combobox"]);
    match lists.first() {
        Some(list) => hand.act(Select::many(list.r#ref(), values)).await.map(drop),
        None => choose_opened(values, page, hand).await,
    }
}

/// Chooses from what only looks like a list: it opens under a click.
async fn choose_opened(values: &[String], page: &Snapshot, hand: &mut Hand<'_>) -> Played {
    for value in values {
        let opener = see::of_role(page, &["generic"]).first().copied();
        let opener = opener.ok_or_else(|| Stop::lost("there is nothing to choose from"))?;
        hand.click(opener.r#ref()).await?;
        let opened = hand.look().await?;
        let offered = |seen: &Seen<'_>| seen.name() == value && page.control(seen.r#ref().number).is_none();
        let option = see::controls(&opened).find(offered);
        let option = option.ok_or_else(|| Stop::lost(format!("{value:?} is not offered")))?;
        hand.click(option.r#ref()).await?;
    }
    Ok(())
}

/// Writes texts into the fields that the sentence means.
async fn enter(entries: &[Entry], nth: Option<usize>, all: bool, page: &Snapshot, hand: &mut Hand<'_>) -> Played {
    let fields: Vec<Seen<'_>> = see::fields(page).into_iter().filter(|seen| !seen.control.state.readonly).collect();
    for entry in entries {
        let labelled = entry.label.as_deref().and_then(|label| {
            fields.iter().find(|seen| see::called(page, **seen).to_lowercase().contains(label)).copied()
        });
        let wanted: Vec<Seen<'_>> = match labelled {
            _ if all => fields.clone(),
            Some(field) => vec![field],
            None => vec![nth_of(&fields, nth)?],
        };
        for field in wanted {
            hand.fill(field.r#ref(), entry.text.as_str()).await?;
        }
    }
    Ok(())
}

fn nth_of<'p>(fields: &[Seen<'p>], nth: Option<usize>) -> Played<Seen<'p>> {
    fields.get(nth.unwrap_or(1) - 1).copied().ok_or_else(|| Stop::lost("there is no such field"))
}

/// Scrolls the text area that can be scrolled.
async fn scroll(to: ScrollTo, page: &Snapshot, hand: &mut Hand<'_>) -> Played {
    let areas = see::controls(page).filter(|seen| seen.control.state.scroll.is_some());
    let area =
        areas.min_by_key(|seen| seen.role() != "textbox").ok_or_else(|| Stop::lost("nothing can be scrolled"))?;
    hand.act(Scroll::to(to).within(area.r#ref())).await.map(drop)
}

impl Kind {
    /// The roles that such a thing has.
    fn roles(self) -> &'static [&'static str] {
        match self {
            Kind::Button => &["button"],
            Kind::Link => &["link", "generic"],
            Kind::Tab => &["tab"],
            Kind::Checkbox => &["checkbox"],
            Kind::Radio => &["radio"],
            Kind::Text | Kind::TextArea => &["textbox"],
            Kind::Any => see::PRESSED,
        }
    }
}
