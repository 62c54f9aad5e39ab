//! One run: a browser of its own, and orders one after the other, each with a fault at a random moment.
//!
//! The run does what a careful person does: what is told as done is done; what is in doubt is looked up in the shop's book
//! before it is tried again.

use std::{
    collections::BTreeSet,
    path::PathBuf,
    time::{Duration, Instant},
};

use serde_json::json;
use webhand::{
    action::SessionControl,
    engine::Headless,
    prelude::{Action, Click, ErrorCode, Fill, Navigate, Outcome, Session, Settings},
};

use super::{
    Chance,
    site::{Site, Spoilt},
};
use crate::{
    drivers::{Victim, processes},
    fault::{Fault, Hold},
};

/// An order that takes longer is one that hangs.
const HANGS_AFTER: Duration = Duration::from_secs(90);
/// So often an order is tried again.
const TRIES: usize = 12;
/// How late after the beginning of an order the fault comes at most.
const COMES_WITHIN: usize = 500;
/// How long what was ended may take to be gone.
const GONE_WITHIN: Duration = Duration::from_secs(10);

/// What befalls a run.
#[derive(Clone, Copy, Debug)]
enum Blow {
    Hurt(Fault),
    Spoil(Spoilt),
}

/// A run to be made.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    pub(crate) number: usize,
    pub(crate) seed: u64,
    pub(crate) faults: usize,
    pub(crate) headless: Headless,
    pub(crate) attached: bool,
    pub(crate) on_action: fn(&str),
}

/// What came of a run.
#[derive(Debug, Default)]
pub(crate) struct Ran {
    pub(crate) injected: Vec<String>,
    pub(crate) acknowledged: Vec<String>,
    pub(crate) doubts: usize,
    pub(crate) again: usize,
    pub(crate) orphans: usize,
    pub(crate) hung: usize,
    pub(crate) slowest: Duration,
    pub(crate) control: Duration,
    pub(crate) troubles: Vec<String>,
    /// Groups of processes and profiles that must be gone at the end.
    groups: BTreeSet<u32>,
    profiles: BTreeSet<PathBuf>,
}

impl Course {
    pub(crate) async fn run(self, site: Site) -> Result<Ran, String> {
        let hold = if self.attached { Hold::Attached } else { Hold::Launched };
        let victim = Box::pin(Victim::start(self.headless, hold)).await?;
        let session = victim.browser().blank().await.map_err(|error| error.to_string())?;
        let session = session.with_settings(Settings::default());
        let mut chance = Chance::new(self.seed, self.number);
        let mut errand = Errand { course: &self, site: &site, session, ran: Ran::default() };
        errand.ran.note(&victim);
        // the first order is undisturbed: it brings the cookie
        for step in 0..=self.faults {
            let blow = (step > 0).then(|| (self.draw(&mut chance), chance.below(COMES_WITHIN)));
            let control = errand.session.control();
            let befalls = befall(&self, &site, &victim, control, blow);
            let ordered =
                tokio::time::timeout(HANGS_AFTER, async { tokio::join!(Box::pin(errand.order(step)), befalls) });
            match ordered.await {
                Ok(((), befell)) => errand.ran.take(befell),
                Err(_) => {
                    errand.ran.hung += 1;
                    errand.ran.troubles.push(format!("run {} hung at order {step}", self.number));
                    break;
                }
            }
            errand.ran.note(&victim);
        }
        let mut ran = errand.ran;
        drop(errand.session);
        if tokio::time::timeout(HANGS_AFTER, victim.close()).await.is_err() {
            ran.hung += 1;
        }
        ran.count_orphans().await;
        Ok(ran)
    }

    fn draw(&self, chance: &mut Chance) -> Blow {
        let blows = [
            Blow::Hurt(Fault::Tab),
            Blow::Hurt(Fault::Socket),
            Blow::Hurt(if self.attached { Fault::Socket } else { Fault::Browser }),
            Blow::Spoil(Spoilt::Busy),
            Blow::Spoil(Spoilt::Slow),
            Blow::Spoil(Spoilt::Cut),
        ];
        // what takes a browser or its pages away comes twice as often
        blows[[0, 0, 1, 1, 2, 2, 3, 4, 5][chance.below(9)]]
    }
}

/// Does it at its moment, and asks the control plane right after.
async fn befall(
    course: &Course,
    site: &Site,
    victim: &Victim,
    control: SessionControl,
    blow: Option<(Blow, usize)>,
) -> Ran {
    let mut ran = Ran::default();
    let Some((blow, after)) = blow else { return ran };
    tokio::time::sleep(Duration::from_millis(after as u64)).await;
    let way = if course.attached { "attached" } else { "launched" };
    let kind = match blow {
        Blow::Hurt(fault) => {
            if let Err(why) = victim.hurt(fault) {
                // it is away already, on its way back
                ran.troubles.extend((!why.contains("No such process")).then_some(why));
            }
            format!("{way}: {}", fault.as_str())
        }
        Blow::Spoil(how) => {
            site.spoil(course.number, how);
            format!("{way}: answer {}", format!("{how:?}").to_lowercase())
        }
    };
    ran.injected.push(kind);
    let asked = Instant::now();
    let list = serde_json::from_value::<Action>(json!({"type": "tab", "op": "list"}));
    let _ = control.status();
    if let Ok(list) = list {
        let _ = control.perform(list).await;
    }
    ran.control = asked.elapsed();
    ran
}

/// A run under way.
struct Errand<'a> {
    course: &'a Course,
    site: &'a Site,
    session: Session,
    ran: Ran,
}

impl Errand<'_> {
    /// Orders, until the order is known to have come.
    async fn order(&mut self, step: usize) {
        let token = format!("{}-{step}", self.course.number);
        for tried in 0..TRIES {
            self.ran.again += usize::from(tried > 0);
            match Box::pin(self.try_order(step)).await {
                Some(true) => {
                    self.ran.acknowledged.push(token);
                    return;
                }
                Some(false) => {}
                // in doubt: the book knows
                None => {
                    self.ran.doubts += 1;
                    if self.is_in_the_book(&token).await {
                        return;
                    }
                }
            }
        }
        self.ran.troubles.push(format!("order {token} did not come off in {TRIES} tries"));
    }

    /// Tries once: done, not done, or in doubt.
    async fn try_order(&mut self, step: usize) -> Option<bool> {
        let shop = format!("{}/{}/shop/{step}", self.site.address, self.course.number);
        if !self.act(Navigate::to(shop).into()).await.ok {
            return Some(false);
        }
        let Ok(page) = self.session.snapshot().await else { return Some(false) };
        let on = |role: &str, name: &str| page.by_role_and_name(role, name).map(|(_, control)| control.r#ref);
        let (Some(name), Some(button)) = (on("textbox", "Name"), on("button", "Order now")) else { return Some(false) };
        if !self.act(Fill::on(name, "Ann").into()).await.ok {
            return Some(false);
        }
        let clicked = self.act(Click::on(button).into()).await;
        if clicked.ok {
            return Some(true);
        }
        // what was refused before it was begun is not done; all else may be
        let refused =
            matches!(clicked.code(), Some(ErrorCode::StaleRef | ErrorCode::ElementNotFound | ErrorCode::InvalidAction));
        refused.then_some(false)
    }

    async fn is_in_the_book(&mut self, token: &str) -> bool {
        let book = format!("{}/{}/book/{token}", self.site.address, self.course.number);
        for _ in 0..TRIES {
            if self.act(Navigate::to(book.clone()).into()).await.ok
                && let Ok(page) = self.session.snapshot().await
            {
                let text = self.session.text(&page);
                if text.contains("was received") || text.contains("is not known") {
                    return text.contains("was received");
                }
            }
        }
        self.ran.troubles.push(format!("the book could not be asked for order {token}"));
        true
    }

    async fn act(&mut self, action: Action) -> Outcome {
        let began = Instant::now();
        let outcome = Box::pin(self.session.perform(action)).await;
        self.ran.slowest = self.ran.slowest.max(began.elapsed());
        (self.course.on_action)(&format!("run {}: {:.0?} {outcome}", self.course.number, began.elapsed()));
        outcome
    }
}

impl Ran {
    /// Remembers what must be gone at the end.
    fn note(&mut self, victim: &Victim) {
        self.groups.extend(victim.group());
        self.profiles.extend(victim.browser().info().profile.clone());
    }

    fn take(&mut self, other: Ran) {
        self.injected.extend(other.injected);
        self.troubles.extend(other.troubles);
        self.control = self.control.max(other.control);
    }

    async fn count_orphans(&mut self) {
        let until = Instant::now() + GONE_WITHIN;
        let mut ticks = tokio::time::interval(Duration::from_millis(50));
        loop {
            let alive: usize = self.groups.iter().map(|group| processes(*group).len()).sum();
            let left = self.profiles.iter().filter(|profile| profile.exists()).count();
            self.orphans = alive + left;
            if self.orphans == 0 || Instant::now() > until {
                return;
            }
            ticks.tick().await;
        }
    }
}
