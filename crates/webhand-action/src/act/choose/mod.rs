//! Choosing: `select` and `options`, whatever the choice is made in. Native selects are set ([`native`]); fields with a
//! list of suggestions of their own are filled ([`suggested`]); all other widgets are opened and used as a person does
//! ([`widget`], [`widget_select`]).

mod branch;
mod native;
mod suggested;
mod widget;
mod widget_select;
mod words;

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;
use webhand_page::{Call, Checked};

use self::words::{ListedOption, listing};
use super::{
    aim::{self, Aim, Spot, Wants},
    pointer::describe,
    readback::{ask, landed_outcome},
};
use crate::{
    catalogue::{Options, Select},
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    session::{Fingerprint, Session},
};

/// What a control is that something is to be chosen in.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Facts {
    miss: Option<String>,
    way: Way,
    role: String,
    /// Whether it says itself that it opens something.
    sure: bool,
    /// The number of the control in what was named.
    id: u32,
}

/// How a choice is made in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Way {
    Native,
    Suggested,
    /// What can be chosen stands there.
    List,
    /// It opens a list.
    Opener,
    #[default]
    None,
}

/// Where a choice is to be made.
struct Place {
    aim: Aim,
    spot: Spot,
    facts: Facts,
}

impl Place {
    /// Finds the control, and what it is.
    async fn find(session: &mut Session, target: &crate::catalogue::Target, wants: Wants) -> Result<Self, ActionError> {
        let aim = aim::aim(session, target).await?;
        let deadline = Instant::now() + session.settings.action_deadline;
        let spot = aim::locate(session, &aim, wants, deadline).await?;
        let facts = if spot.tag == "select" {
            Facts { way: Way::Native, id: spot.local, ..Facts::default() }
        } else {
            ask(session, &spot.world, Call::new("beginWidget").arg(spot.local)).await?
        };
        let what = describe(&spot.landed);
        if facts.miss.is_some() {
            return Err(ActionError::new(ErrorCode::ElementNotFound, format!("{what} went away")));
        }
        if facts.way == Way::None {
            return Err(no_choice(&what, &facts.role));
        }
        Ok(Self { aim, spot, facts })
    }
}

/// It says nothing of a choice: to press it might do anything.
fn no_choice(what: &str, role: &str) -> ActionError {
    let hint = match role {
        "checkbox" | "radio" | "switch" | "menuitemcheckbox" | "menuitemradio" => "use check on it",
        "option" | "treeitem" | "menuitem" => "use select on the list that it is in, or click it",
        _ => "if it opens a list: click it, look again, and click what is to be chosen",
    };
    ActionError::new(ErrorCode::InvalidAction, format!("{what} is a {role}: it does not say that it offers a choice"))
        .with_kind("wrong_action")
        .with_hint(hint)
}

/// Whether one thing of a closed menu is checked: it is opened once more, asked, and closed.
pub(super) async fn checked_in_menu(
    session: &mut Session,
    opener: Aim,
    seen: &Fingerprint,
) -> Result<Option<Checked>, ActionError> {
    let deadline = Instant::now() + session.settings.action_deadline;
    let spot = aim::locate(session, &opener, Wants::CHOOSE, deadline).await?;
    let facts: Facts = ask(session, &spot.world, Call::new("beginWidget").arg(spot.local)).await?;
    if facts.way != Way::Opener {
        return Ok(None);
    }
    let mut widget = widget::Widget::new(session, opener, spot, &facts);
    widget.open(session).await?;
    let looked = widget.look(session, Some(&seen.name), Duration::ZERO, Duration::ZERO).await?;
    widget.close(session).await?;
    let chosen = looked.hit.filter(|hit| hit.role == seen.role).and_then(|hit| hit.chosen);
    Ok(chosen.map(|chosen| if chosen { Checked::True } else { Checked::False }))
}

pub(super) async fn select(session: &mut Session, select: &Select) -> Result<Outcome, ActionError> {
    let Place { aim, spot, facts } = Place::find(session, &select.target, Wants::CHOOSE).await?;
    match facts.way {
        Way::Native => native::select(session, select, &aim, spot, facts.id).await,
        Way::Suggested => suggested::select(session, select, &spot, facts.id).await,
        _ => Box::pin(widget_select::select(session, select, aim, spot, &facts)).await,
    }
}

pub(super) async fn options(session: &mut Session, options: &Options) -> Result<Outcome, ActionError> {
    let wants = Wants { observe: true, ..Wants::NOTHING };
    let Place { aim, spot, facts } = Place::find(session, &options.target, wants).await?;
    let what = describe(&spot.landed);
    if facts.way == Way::Opener && !facts.sure {
        return Err(no_choice(&what, &facts.role));
    }
    let mut outcome = landed_outcome(options.clone().into(), &spot);
    let (listed, total): (Vec<ListedOption>, Option<u32>) = match facts.way {
        Way::Native => (native::options(session, &spot, facts.id).await?, None),
        Way::Suggested => (suggested::options(session, &spot, facts.id).await?, None),
        _ => {
            let listed = Box::pin(widget::options(session, aim, spot, &facts, &mut outcome)).await?;
            (listed.options, Some(listed.total))
        }
    };
    outcome.message = format!("{what} has {}", listing(&listed, total));
    outcome.data = Some(json!({ "options": listed }));
    Ok(outcome)
}
