//! Choices below others: the inner levels of trees and menus, the next column of what cascades. They are found by a path
//! (`Europe > France`) or by their own name, and what hides them is opened as a person opens it.

use std::time::Duration;

use serde::Deserialize;
use webhand_page::Call;

use super::{
    super::{
        aim::Aim,
        pointer::{self, Precision},
    },
    widget::{Choice, Looked, Widget},
};
use crate::{error::ActionError, session::Session};

/// So many choices are opened to look below them.
const OPENED_MAX: usize = 60;
/// How long what is below may take to come up.
const COMES_WITHIN: Duration = Duration::from_millis(700);

/// What the page knows of a choice that is looked below.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Entered {
    /// The number of the part that opens it and does nothing else.
    toggler: u32,
    #[serde(rename = "togglerWords")]
    toggler_words: String,
    role: String,
    /// Whether it says of itself if it is chosen: to press it would choose it.
    chooses: bool,
    /// How many choices below it can be seen.
    known: u32,
}

/// Finds a choice below others.
pub(super) async fn find(
    widget: &mut Widget,
    session: &mut Session,
    want: &str,
) -> Result<Option<Choice>, ActionError> {
    if let Some(found) = by_path(widget, session, &steps_of(want)).await? {
        return Ok(Some(found));
    }
    let mut open: Vec<Choice> = closed(widget, session).await?;
    open.reverse();
    let mut left = OPENED_MAX;
    while let Some(next) = open.pop().filter(|_| left > 0) {
        left -= 1;
        widget.in_time()?;
        let looked = below(widget, session, &next, Some(want)).await?;
        if let Some(found) = widget.hit(&looked, want)? {
            return Ok(Some(found));
        }
        let mut inner = closed(widget, session).await?;
        inner.reverse();
        open.extend(inner);
    }
    widget.ask::<Option<bool>>(session, Call::new("leaveBranch")).await?;
    Ok(None)
}

/// The parts of a path; none where it is none.
fn steps_of(want: &str) -> Vec<&str> {
    let steps: Vec<&str> = want.split(['>', '›', '»', '→', '/']).map(str::trim).collect();
    if steps.len() < 2 || steps.iter().any(|step| step.is_empty()) { Vec::new() } else { steps }
}

async fn by_path(widget: &mut Widget, session: &mut Session, steps: &[&str]) -> Result<Option<Choice>, ActionError> {
    let Some((first, rest)) = steps.split_first() else { return Ok(None) };
    let looked = widget.look(session, Some(first), Duration::ZERO, Duration::ZERO).await?;
    let Some(mut at) = widget.hit(&looked, first)? else { return Ok(None) };
    for step in rest {
        let looked = below(widget, session, &at, Some(step)).await?;
        match widget.hit(&looked, step)? {
            Some(found) => at = found,
            None => {
                widget.ask::<Option<bool>>(session, Call::new("leaveBranch")).await?;
                return Ok(None);
            }
        }
    }
    Ok(Some(at))
}

/// The choices in sight that more stand below, which cannot be seen yet.
async fn closed(widget: &Widget, session: &Session) -> Result<Vec<Choice>, ActionError> {
    widget.ask(session, Call::new("closedChoices")).await
}

/// Opens what is below a choice, and looks there.
async fn below(
    widget: &mut Widget,
    session: &mut Session,
    choice: &Choice,
    want: Option<&str>,
) -> Result<Looked, ActionError> {
    let entered: Entered = widget.ask(session, Call::new("enterBranch").arg(choice.id)).await?;
    let part = widget.aim.beside(session, choice.id, &choice.role, choice.name(), Some(&choice.words));
    if entered.known > 0 {
        return widget.look(session, want, Duration::ZERO, Duration::ZERO).await;
    }
    let mut looked = Looked::default();
    for way in ways_of(&entered) {
        match way {
            Way::Toggler => {
                let toggler =
                    widget.aim.beside(session, entered.toggler, "button", choice.name(), Some(&entered.toggler_words));
                widget.press(session, &toggler, Precision::Within).await?;
            }
            Way::Hover => hover(session, &part).await?,
            Way::Key if !strike_on(widget, session, choice).await? => continue,
            Way::Key => {}
            Way::Press => {
                widget.press(session, &part, Precision::Pressed).await?;
            }
        }
        looked = widget.look(session, want, COMES_WITHIN, Duration::from_millis(100)).await?;
        if looked.total > 0 {
            break;
        }
    }
    Ok(looked)
}

/// How what is below something may be opened, the most harmless first.
#[derive(Clone, Copy)]
enum Way {
    Toggler,
    Hover,
    Key,
    Press,
}

fn ways_of(entered: &Entered) -> &'static [Way] {
    match entered.role.as_str() {
        "treeitem" if entered.toggler > 0 => &[Way::Toggler, Way::Key],
        "treeitem" if entered.chooses => &[Way::Key],
        "treeitem" => &[Way::Key, Way::Press],
        "menuitem" | "menuitemcheckbox" | "menuitemradio" => &[Way::Hover, Way::Key, Way::Press],
        _ => &[Way::Press],
    }
}

async fn hover(session: &mut Session, part: &Aim) -> Result<(), ActionError> {
    let (spot, watch) = pointer::move_onto(session, part).await?;
    watch.settle(&spot.world, &session.settings).await;
    Ok(())
}

/// Gives a choice the focus and strikes the key that opens what is below it.
async fn strike_on(widget: &mut Widget, session: &mut Session, choice: &Choice) -> Result<bool, ActionError> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Focused {
        focused: bool,
    }
    let focused: Focused = widget.ask(session, Call::new("focusOn").arg(choice.id)).await?;
    if !focused.focused {
        return Ok(false);
    }
    widget.strike(session, "ArrowRight").await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_parts_on_both_sides() {
        assert_eq!(steps_of("Europe > France"), ["Europe", "France"]);
        assert_eq!(steps_of("Zhejiang / Hangzhou / West Lake"), ["Zhejiang", "Hangzhou", "West Lake"]);
        assert!(steps_of("France").is_empty());
        assert!(steps_of("> 100").is_empty());
    }
}
