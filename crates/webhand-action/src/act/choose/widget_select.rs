//! Choosing in a widget: each value is found and pressed, and what was not seen to be chosen is not said to be.
//!
//! A widget that takes several toggles what is pressed: what is chosen already is left alone. In the end the list is closed
//! again, and the choice must still show.

use std::time::Duration;

use serde_json::json;
use webhand_page::Call;

use super::{
    super::{
        aim::{Aim, Spot},
        keys,
        pointer::{self, Gesture, Precision},
        readback::{TAKEN_BACK_WITHIN, landed_outcome, unread},
    },
    Facts,
    widget::{Choice, SHOWS_WITHIN, Stands, Token, Widget},
    words::quoted,
};
use crate::{
    catalogue::{Select, SelectMode},
    effects::{Effect, Effects},
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    session::Session,
};

/// What was chosen, or taken away.
struct Done {
    choice: Choice,
    want: String,
    /// Whether it is to be chosen in the end.
    wanted: bool,
    already: bool,
    effects: Effects,
}

/// How choosing ended.
enum End {
    /// All was done that was asked.
    Done(Vec<Done>),
    /// The page went on while something was chosen: what came of it cannot be seen.
    Elsewhere(String, Effects),
    /// Something was pressed, and is not seen to be chosen.
    Unproved(ActionError, Effects),
}

pub(super) async fn select(
    session: &mut Session,
    select: &Select,
    aim: Aim,
    spot: Spot,
    facts: &Facts,
) -> Result<Outcome, ActionError> {
    let mut outcome = landed_outcome(select.clone().into(), &spot);
    let mut widget = Widget::new(session, aim, spot, facts);
    let end = match Box::pin(run(&mut widget, session, select)).await {
        Ok(end) => end,
        Err(error) => {
            // it is left as it was found, as far as it goes
            if session.tab.dialog().is_none() && !session.tab.is_closed() {
                let _ = widget.put_back(session).await;
                let _ = widget.close(session).await;
            }
            return Err(error);
        }
    };
    let what = widget.what();
    match end {
        End::Elsewhere(name, effects) => {
            outcome.effects = effects;
            unread(&mut outcome, &format!("chose {name:?} in {what}"));
        }
        End::Unproved(error, effects) => {
            outcome.effects = effects;
            outcome.fail(error);
        }
        End::Done(done) => conclude(&mut outcome, &what, select, done),
    }
    Ok(outcome)
}

async fn run(widget: &mut Widget, session: &mut Session, select: &Select) -> Result<End, ActionError> {
    let mut done = Vec::new();
    let mut several = false;
    let mut before = None;
    for want in &select.values {
        let step = match select.mode {
            SelectMode::Remove => Box::pin(unchoose(widget, session, want)).await?,
            mode => {
                let stay = if mode == SelectMode::Add { None } else { Some(done.as_slice()) };
                if before.is_none() {
                    widget.open(session).await?;
                    before = Some(widget.ask::<Vec<Choice>>(session, Call::new("chosenNow")).await?);
                }
                choose(widget, session, want, &mut several, stay).await?
            }
        };
        match step {
            Step::Done(one) => done.push(one),
            Step::Elsewhere(name) => return Ok(End::Elsewhere(name, widget.effects.clone())),
        }
    }
    // what a menu offers is chosen each for itself
    if select.mode == SelectMode::Set
        && !done.iter().any(|one| one.choice.role.starts_with("menuitem") || one.choice.is_command())
    {
        // what came to be chosen by a choice, such as all that is above it in a tree, is its doing
        let others = before.filter(|_| several).unwrap_or_default();
        clear_others(widget, session, &mut done, &others).await?;
    }
    settle(widget, session, done).await
}

enum Step {
    Done(Done),
    Elsewhere(String),
}

/// Chooses one thing, unless it is chosen. Of what is chosen before, that which was asked for stays; all where `stay` says
/// nothing.
async fn choose(
    widget: &mut Widget,
    session: &mut Session,
    want: &str,
    several: &mut bool,
    stay: Option<&[Done]>,
) -> Result<Step, ActionError> {
    let done = |choice: Choice, already: bool, effects: Effects| {
        Step::Done(Done { choice, want: want.to_owned(), wanted: true, already, effects })
    };
    if let Some(token) = token_of(&widget.tokens(session).await?, want, None) {
        let choice = Choice { label: token.text.clone(), role: "option".to_owned(), ..Choice::default() };
        return Ok(done(choice, true, Effects::none()));
    }
    widget.open(session).await?;
    let mut choice = widget.find(session, want).await?;
    let before = widget.stands(session, &choice, want, true, Duration::ZERO).await?;
    *several |= before.standing.several;
    if before.chosen == Some(true) && (*several || before.was || choice.role == "menuitemradio") {
        return Ok(done(choice, true, Effects::none()));
    }
    let mut chosen: Vec<Choice> =
        if widget.inline && *several { widget.ask(session, Call::new("chosenNow")).await? } else { Vec::new() };
    chosen.retain(|other| stay.is_none_or(|stay| stay.iter().any(|one| one.choice.id == other.id)));
    let pressed = widget.pick(session, &mut choice, want).await?;
    if pressed.elsewhere {
        return Ok(Step::Elsewhere(choice.name().to_owned()));
    }
    keep_others(widget, session, &chosen).await?;
    if choice.is_command() && !pressed.any {
        let detail = format!("clicked {:?} of {}, and nothing was seen to follow", choice.name(), widget.what());
        return Err(ActionError::new(ErrorCode::NoEffect, detail).with_hint("look at the page again"));
    }
    Ok(done(choice, false, widget.effects.clone()))
}

/// Where a press chose this one instead of the others that are to stay, those are pressed again with the key held that adds.
async fn keep_others(widget: &mut Widget, session: &mut Session, stay: &[Choice]) -> Result<(), ActionError> {
    let adding = Gesture { modifiers: keys::CONTROL, ..Gesture::CLICK };
    for other in stay {
        let now: Vec<Choice> = widget.ask(session, Call::new("chosenNow")).await?;
        if now.iter().all(|choice| choice.id != other.id) {
            widget.press_choice(session, other, adding).await?;
        }
    }
    Ok(())
}

/// Takes one thing away, unless it is not chosen.
async fn unchoose(widget: &mut Widget, session: &mut Session, want: &str) -> Result<Step, ActionError> {
    let done = |choice: Choice, already: bool, effects: Effects| {
        Step::Done(Done { choice, want: want.to_owned(), wanted: false, already, effects })
    };
    if let Some(token) = token_of(&widget.tokens(session).await?, want, None) {
        return match take_out(widget, session, &token).await? {
            Some(choice) => Ok(done(choice, false, widget.effects.clone())),
            None => Ok(Step::Elsewhere(token.text.clone())),
        };
    }
    widget.open(session).await?;
    let mut choice = widget.find(session, want).await?;
    let before = widget.stands(session, &choice, want, false, Duration::ZERO).await?;
    if !before.shown && before.chosen != Some(true) {
        return Ok(done(choice, true, Effects::none()));
    }
    if widget.pick(session, &mut choice, want).await?.elsewhere {
        return Ok(Step::Elsewhere(choice.name().to_owned()));
    }
    Ok(done(choice, false, widget.effects.clone()))
}

/// Clicks what takes a chosen thing away. None where the page went on.
async fn take_away(widget: &mut Widget, session: &mut Session, token: &Token) -> Result<Option<Choice>, ActionError> {
    let part = widget.aim.beside(session, token.id, "button", &token.text, Some(&token.words));
    let pressed = match widget.press(session, &part, Precision::Within).await {
        // the open list may lie over it
        Err(error) if error.code == ErrorCode::NotInteractable && widget.close(session).await? => {
            let _ = error;
            widget.press(session, &part, Precision::Within).await?
        }
        other => other?,
    };
    let choice = Choice { label: token.text.clone(), role: "option".to_owned(), ..Choice::default() };
    Ok((!pressed.elsewhere).then_some(choice))
}

/// The same, or by its place in the list, where what takes it away is out of reach.
async fn take_out(widget: &mut Widget, session: &mut Session, token: &Token) -> Result<Option<Choice>, ActionError> {
    match take_away(widget, session, token).await {
        Err(error) if error.code == ErrorCode::NotInteractable => {
            widget.open(session).await?;
            let mut choice = widget.find(session, &token.text).await.map_err(|_| error)?;
            let pressed = widget.pick(session, &mut choice, &token.text).await?;
            Ok((!pressed.elsewhere).then_some(choice))
        }
        other => other,
    }
}

fn token_of(tokens: &[Token], want: &str, choice: Option<&Choice>) -> Option<Token> {
    let words = [Some(want), choice.map(|choice| choice.label.as_str()), choice.map(|choice| choice.text.as_str())];
    let is = |token: &&Token| {
        words.iter().flatten().any(|word| !word.is_empty() && word.trim().eq_ignore_ascii_case(token.text.trim()))
    };
    tokens.iter().find(is).cloned()
}

/// Takes away what is chosen and was not asked for.
async fn clear_others(
    widget: &mut Widget,
    session: &mut Session,
    done: &mut Vec<Done>,
    before: &[Choice],
) -> Result<(), ActionError> {
    let is_wanted = |name: &str, done: &[Done]| {
        done.iter().any(|one| one.choice.is_called(name) || one.want.trim().eq_ignore_ascii_case(name.trim()))
    };
    let wanted: Vec<u32> = done.iter().map(|one| one.choice.id).collect();
    let chosen: Vec<Choice> =
        if before.is_empty() { Vec::new() } else { widget.ask(session, Call::new("chosenNow").arg(wanted)).await? };
    for mut other in chosen {
        if before.iter().all(|known| known.id != other.id) {
            continue;
        }
        if is_wanted(other.name(), done) || other.disabled || other.is_command() {
            continue;
        }
        let name = other.name().to_owned();
        if widget.pick(session, &mut other, &name).await?.elsewhere {
            return Ok(());
        }
        done.push(Done { choice: other, want: name, wanted: false, already: false, effects: widget.effects.clone() });
    }
    // each that goes may leave the others drawn anew
    for _ in 0..50 {
        let tokens = widget.tokens(session).await?;
        let among = |one: &Done| token_of(&tokens, &one.want, Some(&one.choice)).is_some();
        if !done.iter().filter(|one| one.wanted).all(among) {
            break;
        }
        let Some(token) = tokens.iter().find(|token| !is_wanted(&token.text, done)) else { break };
        let Some(choice) = take_out(widget, session, token).await? else { break };
        if widget.tokens(session).await?.len() >= tokens.len() {
            break;
        }
        done.push(Done {
            want: token.text.clone(),
            choice,
            wanted: false,
            already: false,
            effects: widget.effects.clone(),
        });
    }
    Ok(())
}

/// Looks whether all is as asked, closes the list, and looks again.
async fn settle(widget: &mut Widget, session: &mut Session, done: Vec<Done>) -> Result<End, ActionError> {
    let mut unproved = Vec::new();
    for (at, one) in done.iter().enumerate().filter(|(_, one)| !one.choice.is_command()) {
        if !is_proved(widget, session, one, SHOWS_WITHIN).await? {
            unproved.push(at);
        }
    }
    widget.close(session).await?;
    // what the last press set off may take it back
    let wait = Call::new("waitOnClick").arg(TAKEN_BACK_WITHIN.as_millis() as u64);
    let waited: bool = widget.ask(session, wait).await?;
    if !widget.inline {
        let doubtful = std::mem::take(&mut unproved);
        for (at, one) in done.iter().enumerate().filter(|(_, one)| !one.choice.is_command()) {
            let again = doubtful.contains(&at);
            let within = if again { SHOWS_WITHIN } else { Duration::ZERO };
            if (waited || again) && !stands_so(widget, session, one, within).await? {
                unproved.push(at);
            }
        }
        unproved = look_again(widget, session, &done, unproved).await?;
    }
    if let Some(at) = unproved.first() {
        let one = &done[*at];
        let stands = widget.stands(session, &one.choice, &one.want, one.wanted, Duration::ZERO).await?;
        return Ok(End::Unproved(not_shown(&widget.what(), one, &stands), one.effects.clone()));
    }
    Ok(End::Done(done))
}

/// Whether something is chosen, or not any more, as asked: for a list that is open, or that stands there.
async fn is_proved(
    widget: &mut Widget,
    session: &mut Session,
    one: &Done,
    within: Duration,
) -> Result<bool, ActionError> {
    let stands = widget.stands(session, &one.choice, &one.want, one.wanted, within).await?;
    if widget.inline {
        return Ok(stands.chosen == Some(one.wanted) && rests(widget, session, one).await?);
    }
    Ok(stands.shown == one.wanted && !(stands.standing.open && stands.standing.editable))
}

/// Whether a widget shows it, now that its list is closed.
async fn stands_so(widget: &Widget, session: &Session, one: &Done, within: Duration) -> Result<bool, ActionError> {
    let stands = widget.stands(session, &one.choice, &one.want, one.wanted, within).await?;
    Ok(stands.shown == one.wanted)
}

/// Whether what says that it is chosen still does once the pointer is on another: some mark what is only pointed at.
async fn rests(widget: &mut Widget, session: &mut Session, one: &Done) -> Result<bool, ActionError> {
    let other: Option<Choice> = widget.ask(session, Call::new("otherChoice").arg(one.choice.id)).await?;
    let Some(other) = other else { return Ok(true) };
    let part = widget.aim.beside(session, other.id, &other.role, other.name(), Some(&other.words));
    if pointer::move_onto(session, &part).await.is_err() {
        return Ok(true);
    }
    let stands = widget.stands(session, &one.choice, &one.want, one.wanted, Duration::ZERO).await?;
    Ok(stands.chosen == Some(one.wanted))
}

/// For what the closed widget does not show: the list is opened once more, and asked.
async fn look_again(
    widget: &mut Widget,
    session: &mut Session,
    done: &[Done],
    unproved: Vec<usize>,
) -> Result<Vec<usize>, ActionError> {
    if unproved.is_empty() {
        return Ok(unproved);
    }
    let mut left = Vec::new();
    if widget.open(session).await?.total == 0 {
        return Ok(unproved);
    }
    for at in unproved {
        let one = &done[at];
        let found = widget.find(session, &one.want).await.ok();
        let says = match &found {
            Some(choice) => {
                let again = Done { choice: choice.clone(), want: one.want.clone(), effects: Effects::none(), ..*one };
                let stands = widget.stands(session, choice, &one.want, one.wanted, Duration::ZERO).await?;
                stands.chosen == Some(one.wanted) && rests(widget, session, &again).await?
            }
            None => false,
        };
        if !says {
            left.push(at);
        }
    }
    widget.put_back(session).await?;
    widget.close(session).await?;
    Ok(left)
}

fn not_shown(what: &str, one: &Done, stands: &Stands) -> ActionError {
    let name = one.choice.name();
    let shows = &stands.standing.shows;
    let shown = if shows.is_empty() { String::new() } else { format!("; it shows {}", quoted(shows.iter().take(3))) };
    let detail = if one.wanted {
        format!("clicked {name:?} in the list of {what}, and nothing shows that it is chosen{shown}")
    } else {
        format!("clicked {name:?} in {what} to take it away, and it is still chosen{shown}")
    };
    ActionError::new(ErrorCode::ValueRejected, detail)
        .with_kind("not_shown")
        .with_hint("look at the page before you repeat it; it may want another control, or be no choice that shows")
}

fn conclude(outcome: &mut Outcome, what: &str, select: &Select, done: Vec<Done>) {
    let asked: Vec<&Done> = done.iter().filter(|one| select.values.contains(&one.want)).collect();
    let names: Vec<String> = asked.iter().map(|one| one.choice.name().to_owned()).collect();
    if done.iter().all(|one| one.already) {
        outcome.message = match select.mode {
            SelectMode::Remove => format!("{what} has {} not chosen already", quoted(&names)),
            _ => format!("{what} already has {}", quoted(&names)),
        };
        return;
    }
    let command = asked.iter().all(|one| one.choice.is_command());
    let verb = match select.mode {
        SelectMode::Remove => "unchose",
        _ if command => "clicked",
        _ => "chose",
    };
    outcome.message = format!("{verb} {} in {what}", quoted(&names));
    outcome.effects = done.iter().flat_map(|one| one.effects.iter().cloned()).fold(Effects::none(), merge);
    if select.mode != SelectMode::Remove && !command {
        outcome.data = Some(json!({ "selected": names }));
        let told: Effects = outcome
            .effects
            .iter()
            .filter(|effect| !matches!(effect, Effect::Selected { .. } | Effect::Value { .. }))
            .cloned()
            .collect();
        outcome.effects = told;
        outcome.effects.push(Effect::Selected { labels: names });
    }
    let others: Vec<String> = done
        .iter()
        .filter(|one| !one.already && !select.values.contains(&one.want))
        .map(|one| one.choice.name().to_owned())
        .collect();
    if !others.is_empty() {
        outcome.notes.push(format!("took away {}", quoted(&others)));
    }
}

/// Effects of several presses as those of one.
fn merge(mut all: Effects, effect: Effect) -> Effects {
    let mut told = false;
    let mut sum: Effects = all
        .iter()
        .map(|known| match (known, &effect) {
            (Effect::Dom { near, far }, Effect::Dom { near: more, far: further }) => {
                told = true;
                Effect::Dom { near: near + more, far: far + further }
            }
            (Effect::Requests { begun, failed }, Effect::Requests { begun: more, failed: lost }) => {
                told = true;
                Effect::Requests { begun: begun + more, failed: failed + lost }
            }
            _ => known.clone(),
        })
        .collect();
    if !told && all.iter().all(|known| *known != effect) {
        sum.push(effect);
    }
    std::mem::swap(&mut all, &mut sum);
    all
}
