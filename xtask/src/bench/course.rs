//! The course: the same work asked of two contenders in turn, on the same pages, in one run.
//!
//! Which of the two goes first changes with every round, so that neither always has the warm caches or the quiet
//! moment. It must not know who the contenders are.

use std::time::{Duration, Instant};

use super::contender::{Contender, Failure, Noted, Offers, ask, clock_offset, milliseconds, now_ms};
use super::figures::Series;
use super::floor::Reference;
use super::pages::{Kind, Page};
use super::report::{Calls, Measure, Report, Seen};

/// Twenty characters, as a person would type them.
const TWENTY: &str = "Harbour Street 21 b,";

/// How long the page's witness may take to note a click.
const WITNESS_PATIENCE: Duration = Duration::from_secs(1);

/// How much is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Timed rounds of reading.
    pub(crate) runs: usize,
    /// Rounds of a click or a fill.
    pub(crate) acts: usize,
    /// No more rounds after this long on one measure (three are always run).
    pub(crate) cap: Duration,
}

/// The two that run it.
#[derive(Debug)]
pub(crate) struct Course<'a, A, B> {
    /// Who is judged.
    pub(crate) own: &'a mut A,
    /// Whom it is held against.
    pub(crate) floor: &'a mut B,
    /// How much is asked for.
    pub(crate) effort: Effort,
}

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Own,
    Floor,
}

impl Side {
    /// Both, in an order that changes with the round.
    fn in_turn(round: usize) -> [Self; 2] {
        if round.is_multiple_of(2) { [Self::Own, Self::Floor] } else { [Self::Floor, Self::Own] }
    }
}

/// A series for each of the two.
#[derive(Debug, Default)]
struct Both {
    own: Series,
    floor: Series,
}

impl Both {
    fn push(&mut self, side: Side, value: f64) {
        match side {
            Side::Own => self.own.push(value),
            Side::Floor => self.floor.push(value),
        }
    }

    fn rounds(&self) -> usize {
        self.own.count().min(self.floor.count())
    }

    fn into_measure(self, page: &Page, what: &str) -> Measure {
        Measure::of(&page.name, what, &self.own, &self.floor)
    }
}

/// What one click took.
#[derive(Debug)]
struct ClickTimes {
    until_handler: f64,
    until_outcome: f64,
}

impl<A: Contender, B: Contender> Course<'_, A, B> {
    /// Everything that is measured on one page.
    pub(crate) async fn run(&mut self, page: &Page, address: &str, report: &mut Report) {
        for what in [
            self.own.open(address).await.map_err(|error| (self.own.name(), error)),
            self.floor.open(address).await.map_err(|error| (self.floor.name(), error)),
        ] {
            if let Err((who, error)) = what {
                report.fail(&page.name, &format!("{who}: open"), &error);
                return;
            }
        }
        let offers = match self.read(page, report).await {
            Ok(offers) => offers,
            Err(error) => return report.fail(&page.name, "snapshot", &error),
        };
        for case in clicks_on(page) {
            if let Err(error) = self.click(page, &case, &offers, report).await {
                report.fail(&page.name, &case.what, &error);
            }
        }
        self.try_covered(page, &offers, report).await;
        if page.name == "form"
            && let Err(error) = self.fill(page, &offers, report).await
        {
            report.fail(&page.name, "fill", &error);
        }
    }

    /// Reads the page in turn; answers what each of the two offers there.
    async fn read(&mut self, page: &Page, report: &mut Report) -> Result<[Offers; 2], Failure> {
        let before = self.own.session().connection().commands_sent();
        self.own.look().await?;
        let first_calls = self.own.session().connection().commands_sent() - before;
        let mut floor_sight = self.floor.look().await?;
        let before = self.own.session().connection().commands_sent();
        let mut own_sight = self.own.look().await?;
        let calls = self.own.session().connection().commands_sent() - before;
        report.calls.push(Calls { page: page.name.clone(), first: first_calls, again: calls });

        let (mut times, mut texts) = (Both::default(), Both::default());
        let start = Instant::now();
        while times.rounds() < self.effort.runs && (start.elapsed() < self.effort.cap || times.rounds() < 3) {
            for side in Side::in_turn(times.rounds()) {
                let began = Instant::now();
                match side {
                    Side::Own => own_sight = self.own.look().await?,
                    Side::Floor => floor_sight = self.floor.look().await?,
                }
                times.push(side, milliseconds(began.elapsed()));
            }
            if let Some(time) = self.own.text_time(&own_sight) {
                texts.push(Side::Own, time);
            }
        }
        report.measures.push(times.into_measure(page, "snapshot"));
        if texts.own.count() > 0 {
            report.measures.push(texts.into_measure(page, "snapshot, of which the text"));
        }
        let offers = [self.own.offers(&own_sight), self.floor.offers(&floor_sight)];
        let lengths = [self.own.text_length(&own_sight), self.floor.text_length(&floor_sight)];
        for ((who, offers), length) in [self.own.name(), self.floor.name()].into_iter().zip(&offers).zip(lengths) {
            report.seen.push(Seen::of(who, page, offers, length));
        }
        Ok(offers)
    }

    /// Clicks one control in turn: until the page's handler ran, and until the contender answered.
    async fn click(
        &mut self,
        page: &Page,
        case: &ClickCase,
        offers: &[Offers; 2],
        report: &mut Report,
    ) -> Result<(), Failure> {
        let [own, floor] = offers;
        let own_handle = own.handle(&case.token)?;
        // A floor that does not see the control (a frame of another site in a shared process) is not asked for it.
        let floor_handle = floor.handle(&case.token).ok();
        let offsets = (clock_offset(&self.own.session()).await?, clock_offset(&self.floor.session()).await?);
        let (mut until_handler, mut until_outcome) = (Both::default(), Both::default());
        // The first round brings the control into view, and is not counted.
        for round in 0..=self.effort.acts {
            for side in Side::in_turn(round) {
                let times = match (side, floor_handle) {
                    (Side::Own, _) => timed_click(self.own, case, own_handle, offsets.0).await,
                    (Side::Floor, Some(handle)) => timed_click(self.floor, case, handle, offsets.1).await,
                    (Side::Floor, None) => continue,
                };
                match times {
                    Ok(_) if round == 0 => {}
                    Ok(times) => {
                        until_handler.push(side, times.until_handler);
                        until_outcome.push(side, times.until_outcome);
                    }
                    Err(error) => report.fail(&page.name, &format!("{} by {side:?}", case.what), &error),
                }
            }
        }
        report.measures.push(until_handler.into_measure(page, &format!("{}, until handler", case.what)));
        let still = if case.still { "until outcome" } else { "until outcome (page changes)" };
        report.measures.push(until_outcome.into_measure(page, &format!("{}, {still}", case.what)));
        Ok(())
    }

    /// Asks the judged one to click a covered control: it has to refuse, whatever it said of the control before.
    async fn try_covered(&mut self, page: &Page, offers: &[Offers; 2], report: &mut Report) {
        let covered = page.truth.decoys.iter().find(|(_, why)| **why == "covered");
        let Some((token, _)) = covered else { return };
        let Ok(handle) = offers[0].handle(token) else { return };
        if self.own.click(handle).await.is_ok() {
            report.fail(&page.name, "click on a covered button", &"it said that it was clicked (false success)");
        }
    }

    /// Fills twenty characters in turn.
    async fn fill(&mut self, page: &Page, offers: &[Offers; 2], report: &mut Report) -> Result<(), Failure> {
        let token = page.truth.of_kind(Kind::Text).next().unwrap_or_default();
        let [own, floor] = offers;
        let handles = (own.handle(token)?.to_owned(), floor.handle(token)?.to_owned());
        let mut times = Both::default();
        for round in 0..self.effort.acts {
            for side in Side::in_turn(round) {
                let time = match side {
                    Side::Own => timed_fill(self.own, token, &handles.0).await,
                    Side::Floor => timed_fill(self.floor, token, &handles.1).await,
                };
                match time {
                    Ok(time) => times.push(side, time),
                    Err(error) => report.fail(&page.name, &format!("fill by {side:?}"), &error),
                }
            }
        }
        report.measures.push(times.into_measure(page, "fill 20 characters"));
        Ok(())
    }
}

/// One click of a page that is measured.
#[derive(Debug)]
struct ClickCase {
    what: String,
    token: String,
    /// Out of view before each click, so that every one scrolls first.
    far: bool,
    /// The page stays as it is but for what the click does.
    still: bool,
}

impl ClickCase {
    fn new(what: impl Into<String>, token: &str) -> Self {
        Self { what: what.into(), token: token.to_owned(), far: false, still: true }
    }

    fn far(token: &str) -> Self {
        Self { far: true, ..Self::new("click far", token) }
    }
}

/// The clicks of a page.
fn clicks_on(page: &Page) -> Vec<ClickCase> {
    let first = page.truth.of_kind(Kind::Button).next().unwrap_or_default();
    let last = page.truth.of_kind(Kind::Button).next_back().unwrap_or_default();
    let each = || page.truth.controls.iter().filter(|(_, control)| control.kind == Kind::Button);
    match page.name.as_str() {
        "form" => vec![ClickCase::new("click", last)],
        "app" | "table" | "huge" => vec![ClickCase::new("click", first), ClickCase::far(last)],
        "frames" | "shadow" => {
            each().map(|(token, control)| ClickCase::new(format!("click in {}", control.place), token)).collect()
        }
        "spa" => each()
            .map(|(token, control)| ClickCase {
                still: false,
                ..ClickCase::new(format!("click, {}", control.place), token)
            })
            .collect(),
        _ => Vec::new(),
    }
}

async fn timed_click<C: Contender>(
    contender: &mut C,
    case: &ClickCase,
    handle: &str,
    offset: f64,
) -> Result<ClickTimes, Failure> {
    let page = contender.session();
    let token = case.token.as_str();
    let reset = if case.far { "(scrollTo({top:0,behavior:'instant'}),witness.length=0)" } else { "(witness.length=0)" };
    ask::<u32>(&page, reset).await?;
    let (called, began) = (now_ms(), Instant::now());
    contender.click(handle).await?;
    let until_outcome = milliseconds(began.elapsed());
    let deadline = Instant::now() + WITNESS_PATIENCE;
    loop {
        let noted: Vec<Noted> = ask(&page, "witness").await?;
        let mut clicks = noted.iter().filter(|noted| noted.kind == "click" && noted.token.as_deref() == Some(token));
        if let Some(first) = clicks.next() {
            if !first.trusted {
                return Err(Failure::Broken("the click is not a trusted one".to_owned()));
            }
            if clicks.next().is_some() {
                return Err(Failure::Broken("clicked twice".to_owned()));
            }
            return Ok(ClickTimes { until_handler: first.at - offset - called, until_outcome });
        }
        if Instant::now() > deadline {
            return Err(Failure::Broken("the page saw no click on it (false success)".to_owned()));
        }
    }
}

async fn timed_fill<C: Contender>(contender: &mut C, token: &str, handle: &str) -> Result<f64, Failure> {
    let page = contender.session();
    ask::<u32>(&page, &format!("(document.getElementById('{token}').value='',witness.length=0)")).await?;
    let began = Instant::now();
    contender.fill(handle, TWENTY).await?;
    let time = milliseconds(began.elapsed());
    let value: String = ask(&page, &format!("document.getElementById('{token}').value")).await?;
    if value == TWENTY { Ok(time) } else { Err(Failure::Broken(format!("the field holds {value:?} (false success)"))) }
}

/// Reads the page that the floor's tab shows by the reference floors, a few times.
pub(crate) async fn references<F: Contender>(floor: &F, page: &Page, runs: usize, report: &mut Report) {
    for reference in [Reference::Walker, Reference::AccessibilityTree] {
        // The whole tree of the largest page takes seconds, and says nothing that the smaller ones do not.
        if page.name == "huge" && reference == Reference::AccessibilityTree {
            continue;
        }
        let mut series = Series::default();
        for round in 0..=runs {
            let began = Instant::now();
            if let Err(error) = reference.look(&floor.session()).await {
                report.fail(&page.name, reference.name(), &error);
                return;
            }
            // The first is cold.
            if round > 0 {
                series.push(milliseconds(began.elapsed()));
            }
        }
        report.references.push(Measure::alone(&page.name, reference.name(), &series));
    }
}
