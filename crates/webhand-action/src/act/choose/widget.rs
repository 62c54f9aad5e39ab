//! A choice widget at work: its list is opened, looked through, and closed again, by the pointer where that will do, else by
//! keys. What is to be chosen, and whether it is in the end, is decided by those who use it.

use std::time::Duration;

use serde::Deserialize;
use tokio::time::Instant;
use webhand_cdp::protocol::input::InsertText;
use webhand_page::Call;

use super::{
    super::{
        aim::{Aim, Spot},
        keyboard::{self, Keep},
        keys,
        pointer::{self, Gesture, Precision, describe},
        popups,
        readback::{ask, is_elsewhere, is_gone},
    },
    Facts, Way, branch,
    words::{ListedOption, missing},
};
use crate::{
    effects::{Effect, Effects},
    error::{ActionError, ErrorCode},
    outcome::Outcome,
    session::{Session, browser_trouble},
};

/// How long a list that is filled late is waited for, and one that opens at a key.
const LATE: Duration = Duration::from_millis(1500);
const SOON: Duration = Duration::from_millis(400);
/// How long a choice may come after others of its list.
const MORE: Duration = Duration::from_millis(200);
/// How long a list is scrolled through for one choice.
const SEEK: Duration = Duration::from_millis(4000);
/// How long a list may take to close; five times as long where it is seen to.
const CLOSES_WITHIN: Duration = Duration::from_millis(120);
/// How long a choice may take to show.
pub(super) const SHOWS_WITHIN: Duration = Duration::from_millis(600);
/// So many choices are gone over by keys.
const KEYS_MAX: usize = 100;
/// How often a choice that was drawn anew is looked for again.
const TRIES: u32 = 3;
/// What opens a list where the pointer did not; the last would send a form from a text field.
const KEYS: [&str; 3] = ["Alt+ArrowDown", "Space", "Enter"];
/// A choice may take so many times as long as an element may take to be found usable: its list is another one.
const PATIENCE: u32 = 4;

/// One thing that can be chosen.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Choice {
    pub(super) id: u32,
    pub(super) role: String,
    pub(super) label: String,
    pub(super) text: String,
    /// What it says of itself, if anything.
    pub(super) chosen: Option<bool>,
    pub(super) disabled: bool,
    /// Whether it opens more choices.
    pub(super) opens: bool,
    pub(super) words: String,
    /// The number of the box in it by which it is chosen; 0 where there is none.
    pub(super) r#box: u32,
}

impl Choice {
    /// What it is called.
    pub(super) fn name(&self) -> &str {
        if self.label.is_empty() { &self.text } else { &self.label }
    }

    /// Whether choosing it does something, rather than being shown to be chosen.
    pub(super) fn is_command(&self) -> bool {
        matches!(self.role.as_str(), "menuitem" | "button" | "link")
    }

    /// Whether it is called so.
    pub(super) fn is_called(&self, word: &str) -> bool {
        let word = word.trim().to_lowercase();
        self.label.to_lowercase() == word || self.text.to_lowercase() == word
    }
}

/// How a widget stands.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Standing {
    pub(super) open: bool,
    pub(super) expanded: Option<bool>,
    pub(super) editable: bool,
    /// Whether it takes several choices.
    pub(super) several: bool,
    /// The words that it shows.
    pub(super) shows: Vec<String>,
}

/// A look at its list.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Looked {
    pub(super) hit: Option<Choice>,
    pub(super) miss: Option<String>,
    pub(super) options: Vec<ListedOption>,
    pub(super) total: u32,
    #[serde(flatten)]
    pub(super) standing: Standing,
}

/// Whether something is chosen.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Stands {
    /// What the choice says of itself.
    pub(super) chosen: Option<bool>,
    /// Whether the widget shows it.
    pub(super) shown: bool,
    /// Whether it did before.
    pub(super) was: bool,
    #[serde(flatten)]
    pub(super) standing: Standing,
}

/// What is chosen, with a part to click that takes it away.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Token {
    pub(super) text: String,
    pub(super) id: u32,
    pub(super) words: String,
}

/// What came of a press.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pressed {
    /// The page is not there any more, or a dialog holds it.
    pub(super) elsewhere: bool,
    /// Anything at all was seen to follow.
    pub(super) any: bool,
}

/// The widget, and what was done with it so far.
#[derive(Debug)]
pub(super) struct Widget {
    pub(super) aim: Aim,
    pub(super) spot: Spot,
    /// Its choices stand there, whether anybody opens anything or not.
    pub(super) inline: bool,
    /// What stood in the field by which the list was narrowed.
    typed: Option<String>,
    /// What was seen to follow of what was done.
    pub(super) effects: Effects,
    /// Nothing came up when it was to be opened: that is not waited for again.
    barren: bool,
    until: Instant,
}

impl Widget {
    pub(super) fn new(session: &Session, aim: Aim, spot: Spot, facts: &Facts) -> Self {
        // it was found: what it opens may change what stands around it. The control in what was named is what is used
        let aim = Aim { r#ref: aim.r#ref, ..aim.beside(session, facts.id, &facts.role, &aim.seen.name, None) };
        let until = Instant::now() + session.settings.action_deadline * PATIENCE;
        Self { aim, spot, inline: facts.way == Way::List, typed: None, effects: Effects::none(), barren: false, until }
    }

    /// `S5 "Country"`.
    pub(super) fn what(&self) -> String {
        describe(&self.spot.landed)
    }

    fn left(&self) -> Duration {
        self.until.saturating_duration_since(Instant::now())
    }

    /// An error where it took too long.
    pub(super) fn in_time(&self) -> Result<(), ActionError> {
        if self.left().is_zero() {
            return Err(ActionError::new(ErrorCode::Timeout, format!("{} took too long", self.what()))
                .with_hint("look at the page before it is tried again: a part of it may have been done"));
        }
        Ok(())
    }

    /// Asks the page of the widget.
    pub(super) async fn ask<T: serde::de::DeserializeOwned>(
        &self,
        session: &Session,
        call: Call,
    ) -> Result<T, ActionError> {
        ask(session, &self.spot.world, call).await
    }

    /// What can be chosen: waits for a first choice, and for the wanted one among others.
    pub(super) async fn look(
        &self,
        session: &Session,
        want: Option<&str>,
        first: Duration,
        more: Duration,
    ) -> Result<Looked, ActionError> {
        self.in_time()?;
        let call = Call::new("lookForChoice").arg(want).arg(first.as_millis() as u64).arg(more.as_millis() as u64);
        self.ask(session, call).await
    }

    /// Opens its list, unless it is open or stands there anyway.
    pub(super) async fn open(&mut self, session: &mut Session) -> Result<Looked, ActionError> {
        let looked = self.look(session, None, Duration::ZERO, Duration::ZERO).await?;
        if self.inline || looked.standing.open {
            return Ok(looked);
        }
        let was_expanded = looked.standing.expanded == Some(true);
        let mut looked = self.press_control(session).await?;
        if looked.total == 0 && was_expanded && looked.standing.expanded != Some(true) {
            looked = self.press_control(session).await?;
        }
        // an arrow alone would choose the next one in some
        let keys = if looked.standing.editable { &KEYS[..1] } else { &KEYS[..] };
        for key in keys {
            if looked.total > 0 || looked.standing.expanded == Some(true) {
                break;
            }
            if self.strike(session, key).await? {
                looked = self.look(session, None, SOON, Duration::ZERO).await?;
            }
        }
        self.barren = looked.total == 0;
        Ok(looked)
    }

    async fn press_control(&mut self, session: &mut Session) -> Result<Looked, ActionError> {
        let aim = self.aim.clone();
        if self.press(session, &aim, Precision::Within).await?.elsewhere {
            return Err(led_elsewhere(&self.what(), &self.effects));
        }
        let looked = self.look(session, None, SOON, Duration::ZERO).await?;
        if looked.total > 0 || looked.standing.editable {
            return Ok(looked);
        }
        self.look(session, None, LATE, Duration::ZERO).await
    }

    /// Clicks an element of the widget, and waits for what follows.
    pub(super) async fn press(
        &mut self,
        session: &mut Session,
        part: &Aim,
        precision: Precision,
    ) -> Result<Pressed, ActionError> {
        self.gesture(session, part, Gesture::CLICK, precision).await
    }

    async fn gesture(
        &mut self,
        session: &mut Session,
        part: &Aim,
        gesture: Gesture,
        precision: Precision,
    ) -> Result<Pressed, ActionError> {
        self.in_time()?;
        let landing = Box::pin(pointer::press_on(session, part, gesture, precision)).await?;
        let elsewhere = session.tab.dialog().is_some() || is_elsewhere(&landing.seen);
        let any = landing.seen.any();
        let opened = landing.seen.popups.clone();
        self.effects = landing.seen.into_effects(session, &self.spot.world);
        popups::adopt(session, opened, true, &mut self.effects).await;
        Ok(Pressed { elsewhere, any })
    }

    /// Strikes a key in the widget. False where the focus is elsewhere and cannot be brought there.
    pub(super) async fn strike(&mut self, session: &mut Session, key: &str) -> Result<bool, ActionError> {
        self.in_time()?;
        if !self.ask::<bool>(session, Call::new("focusWidget")).await? {
            return Ok(false);
        }
        let strokes = keys::parse(key).map_err(|error| ActionError::new(ErrorCode::Internal, error.to_string()))?;
        let followed = keyboard::strike(session, &self.spot.world, &strokes, Keep::Free).await?;
        if followed.effects.new_document() || session.tab.dialog().is_some() {
            return Err(led_elsewhere(&self.what(), &followed.effects));
        }
        Ok(true)
    }

    /// Finds a choice, wherever it is: in what is drawn, further down, below others, or once its words are typed.
    pub(super) async fn find(&mut self, session: &mut Session, want: &str) -> Result<Choice, ActionError> {
        let late = if self.barren { Duration::ZERO } else { LATE };
        let mut looked = self.look(session, Some(want), late, MORE).await?;
        if let Some(choice) = self.hit(&looked, want)? {
            return Ok(choice);
        }
        if looked.total > 0 {
            let within = SEEK.min(self.left());
            looked = self.ask(session, Call::new("seekChoice").arg(want).arg(within.as_millis() as u64)).await?;
            if let Some(choice) = self.hit(&looked, want)? {
                return Ok(choice);
            }
            if let Some(choice) = branch::find(self, session, want).await? {
                return Ok(choice);
            }
        }
        let listed = looked;
        let narrowed = self.narrow(session, want).await?;
        let late =
            self.look(session, Some(want), LATE, if narrowed && listed.total == 0 { LATE } else { SOON }).await?;
        if let Some(choice) = self.hit(&late, want)? {
            return Ok(choice);
        }
        let there = if listed.total > 0 { &listed } else { &late };
        if there.total == 0 {
            let detail = match narrowed {
                true => format!("{} lists nothing for {want:?}", self.what()),
                false => format!("{} opened no list that can be seen", self.what()),
            };
            return Err(ActionError::new(ErrorCode::ElementNotFound, detail)
                .with_kind("option_missing")
                .with_hint("click it and look at what opens, or fill it with text"));
        }
        Err(missing(&self.what(), "option_missing", want, &there.options, Some(there.total)))
    }

    /// The choice that a look found; an error where it is ambiguous or cannot be used.
    pub(super) fn hit(&self, looked: &Looked, want: &str) -> Result<Option<Choice>, ActionError> {
        if looked.miss.as_deref() == Some("option_ambiguous") {
            return Err(missing(&self.what(), "option_ambiguous", want, &looked.options, Some(looked.total)));
        }
        match &looked.hit {
            Some(choice) if choice.disabled => {
                Err(missing(&self.what(), "option_disabled", want, &looked.options, Some(looked.total)))
            }
            hit => Ok(hit.clone()),
        }
    }

    /// Types words into the field that narrows the list, if it has one.
    async fn narrow(&mut self, session: &mut Session, words: &str) -> Result<bool, ActionError> {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Ready {
            miss: Option<String>,
            before: String,
        }
        let ready: Ready = self.ask(session, Call::new("prepareFilter")).await?;
        if ready.miss.is_some() {
            return Ok(false);
        }
        self.typed.get_or_insert(ready.before);
        let watch = super::super::effects::Watch::start(&session.tab);
        insert(session, words).await?;
        watch.settle(&self.spot.world, &session.settings).await;
        Ok(true)
    }

    /// Brings back what stood in that field before.
    pub(super) async fn put_back(&mut self, session: &mut Session) -> Result<(), ActionError> {
        let Some(before) = self.typed.take() else { return Ok(()) };
        let ready: serde_json::Value = self.ask(session, Call::new("prepareFilter")).await?;
        if ready.get("miss").is_some() {
            return Ok(());
        }
        if before.is_empty() {
            let strokes =
                keys::parse("Delete").map_err(|error| ActionError::new(ErrorCode::Internal, error.to_string()))?;
            return keyboard::send(session, &strokes).await;
        }
        insert(session, &before).await
    }

    /// Chooses what was found: presses it, also where it was drawn anew meanwhile; by keys where it is out of reach.
    pub(super) async fn pick(
        &mut self,
        session: &mut Session,
        choice: &mut Choice,
        want: &str,
    ) -> Result<Pressed, ActionError> {
        let mut tries = 0;
        loop {
            tries += 1;
            match self.press_choice(session, choice, Gesture::CLICK).await {
                Err(error) if error.kind.as_deref() == Some("covered") => {
                    return self.pick_by_keys(session, choice).await?.ok_or(error);
                }
                Err(error) if tries < TRIES && is_gone(error.code) => {
                    *choice = self.find(session, want).await.map_err(|_| error)?;
                }
                Ok(pressed) if !pressed.any && !pressed.elsewhere => {
                    return Ok(self.pick_by_keys(session, choice).await?.unwrap_or(pressed));
                }
                other => return other,
            }
        }
    }

    /// Presses a choice.
    pub(super) async fn press_choice(
        &mut self,
        session: &mut Session,
        choice: &Choice,
        gesture: Gesture,
    ) -> Result<Pressed, ActionError> {
        let _: Option<bool> = self.ask(session, Call::new("noteClick")).await?;
        if choice.r#box > 0 {
            let part = self.aim.beside(session, choice.r#box, "checkbox", choice.name(), None);
            return self.gesture(session, &part, gesture, Precision::Exact).await;
        }
        let part = self.aim.beside(session, choice.id, &choice.role, choice.name(), Some(&choice.words));
        self.gesture(session, &part, gesture, Precision::Pressed).await
    }

    /// Chooses it by keys, as far as the widget tells what they are on. None where it does not.
    async fn pick_by_keys(&mut self, session: &mut Session, choice: &Choice) -> Result<Option<Pressed>, ActionError> {
        for _ in 0..KEYS_MAX {
            let on: u32 = self.ask(session, Call::new("activeChoice")).await?;
            if on == choice.id {
                let chosen = self.strike(session, "Enter").await?;
                return Ok(chosen.then_some(Pressed { elsewhere: false, any: true }));
            }
            if !self.strike(session, "ArrowDown").await? {
                return Ok(None);
            }
            if self.ask::<u32>(session, Call::new("activeChoice")).await? == on {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// Whether something is chosen, once that is so or some time has gone by.
    pub(super) async fn stands(
        &self,
        session: &Session,
        choice: &Choice,
        want: &str,
        wanted: bool,
        within: Duration,
    ) -> Result<Stands, ActionError> {
        let words = [choice.label.as_str(), choice.text.as_str(), want];
        let call = Call::new("choiceStands").arg(choice.id).arg(words).arg(wanted).arg(within.as_millis() as u64);
        self.ask(session, call).await
    }

    /// What is chosen and can be taken away by a click.
    pub(super) async fn tokens(&self, session: &Session) -> Result<Vec<Token>, ActionError> {
        self.ask(session, Call::new("tokensNow")).await
    }

    /// Closes its list, if that is open. False where it stays open.
    pub(super) async fn close(&mut self, session: &mut Session) -> Result<bool, ActionError> {
        if self.inline {
            return Ok(true);
        }
        let _: Option<bool> = self.ask(session, Call::new("leaveBranch")).await?;
        let closed = Call::new("awaitClosed").arg(CLOSES_WITHIN.as_millis() as u64);
        let mut stands: Standing = self.ask(session, closed.clone()).await?;
        let effects = self.effects.clone();
        if stands.open && self.strike(session, "Escape").await? {
            stands = self.ask(session, closed.clone()).await?;
        }
        if stands.open && !stands.editable {
            let aim = self.aim.clone();
            if self.press(session, &aim, Precision::Within).await.is_ok() {
                stands = self.ask(session, closed).await?;
            }
        }
        self.effects = effects;
        Ok(!stands.open)
    }
}

async fn insert(session: &Session, text: &str) -> Result<(), ActionError> {
    let insert = session.tab.session().send(&InsertText::new(text));
    session.tab.race(insert, session.settings.action_deadline).await.map_err(|error| browser_trouble(&error))?;
    Ok(())
}

/// What was to open a list did something else.
fn led_elsewhere(what: &str, effects: &Effects) -> ActionError {
    let detail = format!("{what} opened no list; it led elsewhere: {effects}");
    let kind = if effects.iter().any(|effect| matches!(effect, Effect::DialogOpened { .. })) {
        "dialog"
    } else {
        "led_elsewhere"
    };
    ActionError::new(ErrorCode::NoEffect, detail).with_kind(kind).with_hint("look at the page again")
}

/// What can be chosen in it, without choosing: opened where it has to be, gone through, and closed again.
pub(super) async fn options(
    session: &mut Session,
    aim: Aim,
    spot: Spot,
    facts: &Facts,
    outcome: &mut Outcome,
) -> Result<Looked, ActionError> {
    let mut widget = Widget::new(session, aim, spot, facts);
    let mut looked = widget.open(session).await?;
    if looked.total > 0 {
        let seek = Call::new("seekChoice").arg(None::<&str>).arg(LATE.as_millis() as u64);
        looked = widget.ask(session, seek).await?;
    }
    if !widget.close(session).await? {
        outcome.notes.push("its list is still open".to_owned());
    }
    if looked.total == 0 {
        let detail = format!("{} opened no list that can be seen", widget.what());
        return Err(ActionError::new(ErrorCode::ElementNotFound, detail)
            .with_kind("option_missing")
            .with_hint("it may want text first: fill it and look at what comes up"));
    }
    Ok(looked)
}
