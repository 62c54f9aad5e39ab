//! What the bench found, as a plain value, as lines for a terminal, and as JSON.
//!
//! Pure. It must not know how anything was measured.

use std::fmt::{Display, Write as _};

use serde::Serialize;

use super::contender::Offers;
use super::delta::Deltas;
use super::figures::{Ratio, Series, Summary};
use super::frames::FramesCost;
use super::memory::Memory;
use super::pages::Page;
use super::peers::Standing;

/// One measure by both contenders.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Measure {
    page: String,
    what: String,
    unit: &'static str,
    own: Option<Summary>,
    floor: Option<Summary>,
    ratio: Option<Ratio>,
    goal: Option<Goal>,
    met: Option<bool>,
}

/// What a measure should reach.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Goal {
    /// The ratio of medians, at most.
    TimesFloor(f64),
    /// The median in milliseconds, at most.
    Milliseconds(f64),
}

impl Goal {
    /// The goal of a measure, where there is one.
    fn of(page: &str, what: &str) -> Option<Self> {
        match what {
            "snapshot" if matches!(page, "app" | "table" | "huge") => Some(Self::TimesFloor(2.5)),
            "fill 20 characters" => Some(Self::TimesFloor(3.0)),
            "launch to first snapshot" => Some(Self::TimesFloor(1.2)),
            // A far control is scrolled to first, and the engine waits for it to come to rest; the floor does not.
            "click far, until handler" => None,
            _ if what.ends_with(", until handler") => Some(Self::TimesFloor(1.5)),
            _ if what.ends_with(", until outcome") => Some(Self::Milliseconds(60.0)),
            _ => None,
        }
    }

    fn met(self, own: Option<&Summary>, ratio: Option<&Ratio>) -> Option<bool> {
        match self {
            Self::TimesFloor(most) => ratio.map(|ratio| ratio.medians <= most),
            Self::Milliseconds(most) => own.map(|own| own.median <= most),
        }
    }
}

impl Display for Goal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TimesFloor(most) => write!(f, "<= {most} x"),
            Self::Milliseconds(most) => write!(f, "<= {most} ms"),
        }
    }
}

impl Measure {
    /// A measure by both.
    pub(crate) fn of(page: &str, what: &str, own: &Series, floor: &Series) -> Self {
        let (own, floor) = (own.summary(), floor.summary());
        let ratio = own.as_ref().zip(floor.as_ref()).and_then(|(own, floor)| Ratio::of(own, floor));
        let goal = Goal::of(page, what);
        let met = goal.and_then(|goal| goal.met(own.as_ref(), ratio.as_ref()));
        Self { page: page.to_owned(), what: what.to_owned(), unit: "ms", own, floor, ratio, goal, met }
    }

    /// A measure of a floor that nobody is held against.
    pub(crate) fn alone(page: &str, what: &str, floor: &Series) -> Self {
        let floor = floor.summary();
        Self {
            page: page.to_owned(),
            what: what.to_owned(),
            unit: "ms",
            own: None,
            floor,
            ratio: None,
            goal: None,
            met: None,
        }
    }
}

/// Protocol commands for one reading.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Calls {
    /// The page.
    pub(crate) page: String,
    /// On first sight.
    pub(crate) first: u64,
    /// On a page seen before.
    pub(crate) again: u64,
}

/// What a contender saw of a page, against the truth.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Seen {
    who: String,
    page: String,
    controls: usize,
    offered: usize,
    decoys: usize,
    decoys_offered: usize,
    decoys_marked: usize,
    missed: Vec<String>,
    decoys_wrongly_offered: Vec<String>,
    text_bytes: usize,
}

impl Seen {
    /// Compares what is offered with the truth.
    pub(crate) fn of(who: &str, page: &Page, offers: &Offers, text_bytes: usize) -> Self {
        let truth = &page.truth;
        let missed: Vec<String> = truth
            .controls
            .iter()
            .filter(|(token, _)| !offers.usable.contains_key(*token))
            .map(|(token, control)| format!("{token} {:?} {}", control.kind, control.place).trim_end().to_owned())
            .collect();
        let wrong: Vec<String> = truth
            .decoys
            .iter()
            .filter(|(token, _)| offers.usable.contains_key(*token))
            .map(|(token, why)| format!("{token} {why}"))
            .collect();
        Self {
            who: who.to_owned(),
            page: page.name.clone(),
            controls: truth.controls.len(),
            offered: truth.controls.len() - missed.len(),
            decoys: truth.decoys.len(),
            decoys_offered: wrong.len(),
            decoys_marked: truth.decoys.keys().filter(|token| offers.unusable.contains_key(*token)).count(),
            missed: missed.into_iter().take(12).collect(),
            decoys_wrongly_offered: wrong,
            text_bytes,
        }
    }
}

/// How the time of a reading grows with the size of the page.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Growth {
    from: String,
    to: String,
    nodes: f64,
    own: Option<f64>,
    floor: Option<f64>,
}

/// All of it.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Report {
    /// Who was held against whom, and in which browser.
    pub(crate) title: String,
    /// The seed of the pages.
    pub(crate) seed: u64,
    /// Load average at the start and at the end.
    pub(crate) load: [f64; 2],
    /// Measures by both.
    pub(crate) measures: Vec<Measure>,
    /// Floors for reference.
    pub(crate) references: Vec<Measure>,
    /// Protocol commands.
    pub(crate) calls: Vec<Calls>,
    /// Against the truth.
    pub(crate) seen: Vec<Seen>,
    /// Growth with size.
    pub(crate) growth: Vec<Growth>,
    /// Memory.
    pub(crate) memory: Option<Memory>,
    /// What frames cost.
    pub(crate) frames: Option<FramesCost>,
    /// What is told after an action.
    pub(crate) deltas: Option<Deltas>,
    /// Other engines.
    pub(crate) peers: Option<Standing>,
    /// What could not be measured, or came out false.
    pub(crate) failures: Vec<Failed>,
}

/// Something that could not be measured, or came out false, and how often.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Failed {
    page: String,
    what: String,
    why: String,
    times: usize,
}

impl Report {
    /// Notes what could not be measured, or came out false.
    pub(crate) fn fail(&mut self, page: &str, what: &str, error: &dyn Display) {
        let why = error.to_string();
        let same = |known: &&mut Failed| known.page == page && known.what == what && known.why == why;
        match self.failures.iter_mut().find(same) {
            Some(known) => known.times += 1,
            None => self.failures.push(Failed { page: page.to_owned(), what: what.to_owned(), why, times: 1 }),
        }
    }

    /// How many measures there are.
    pub(crate) fn count(&self) -> usize {
        let measured = |measure: &&Measure| measure.own.is_some() || measure.floor.is_some();
        self.measures.iter().filter(measured).count()
            + self.references.iter().filter(measured).count()
            + self.calls.len()
            + self.seen.len()
            + self.growth.len()
            + usize::from(self.memory.is_some())
            + usize::from(self.frames.is_some())
            + self.deltas.as_ref().map_or(0, Deltas::count)
            + self.peers.as_ref().map_or(0, Standing::count)
    }

    /// Compares the reading of two pages of one family.
    pub(crate) fn note_growth(&mut self, from: &Page, to: &Page) {
        let snapshot =
            |page: &Page| self.measures.iter().find(|measure| measure.page == page.name && measure.what == "snapshot");
        let (Some(small), Some(large)) = (snapshot(from), snapshot(to)) else { return };
        let grown = |small: Option<Summary>, large: Option<Summary>| Some(large?.median / small?.median);
        let growth = Growth {
            from: from.name.clone(),
            to: to.name.clone(),
            nodes: to.elements as f64 / from.elements as f64,
            own: grown(small.own, large.own),
            floor: grown(small.floor, large.floor),
        };
        self.growth.push(growth);
    }

    /// The report as lines for a person; the last one says how many measures were run.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "{}, pages of seed {}", self.title, self.seed)?;
        writeln!(
            out,
            "load average {:.1} at the start, {:.1} at the end; times are medians (min; middle half)",
            self.load[0], self.load[1]
        )?;
        self.write_measures(out)?;
        self.write_seen(out)?;
        self.write_rest(out)
    }

    fn write_measures(&self, out: &mut String) -> std::fmt::Result {
        if self.measures.is_empty() {
            return Ok(());
        }
        writeln!(out)?;
        writeln!(
            out,
            "{:<12} {:<40} {:>30} {:>30} {:>14}  goal",
            "page", "measure, ms", "own", "floor-full", "ratio (min)"
        )?;
        for measure in &self.measures {
            let goal = measure.goal.map(|goal| goal.to_string()).unwrap_or_default();
            let met = measure.met.map_or("", |met| if met { " ok" } else { " MISSED" });
            writeln!(
                out,
                "{:<12} {:<40} {:>30} {:>30} {:>14}  {goal}{met}",
                measure.page,
                measure.what,
                cell(measure.own),
                cell(measure.floor),
                measure.ratio.map_or_else(|| "-".to_owned(), |r| format!("{:.2} ({:.2})", r.medians, r.minima)),
            )?;
        }
        for measure in &self.references {
            writeln!(out, "{:<12} {:<40} {:>30} {:>30}", measure.page, measure.what, "", cell(measure.floor))?;
        }
        Ok(())
    }

    fn write_seen(&self, out: &mut String) -> std::fmt::Result {
        if self.seen.is_empty() {
            return Ok(());
        }
        writeln!(
            out,
            "\n{:<12} {:<14} {:>12} {:>16} {:>14} {:>10}",
            "page", "who", "controls", "decoys offered", "decoys marked", "KiB text"
        )?;
        for seen in &self.seen {
            writeln!(
                out,
                "{:<12} {:<14} {:>12} {:>16} {:>14} {:>10.1}",
                seen.page,
                seen.who,
                format!("{}/{}", seen.offered, seen.controls),
                format!("{}/{}", seen.decoys_offered, seen.decoys),
                seen.decoys_marked,
                seen.text_bytes as f64 / 1024.0,
            )?;
            for (label, list) in [("missed", &seen.missed), ("wrongly offered", &seen.decoys_wrongly_offered)] {
                if !list.is_empty() {
                    writeln!(out, "  {label}: {}", list.join(", "))?;
                }
            }
        }
        Ok(())
    }

    fn write_rest(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out)?;
        for calls in &self.calls {
            writeln!(out, "{}: {} protocol calls at first sight, {} again", calls.page, calls.first, calls.again)?;
        }
        for growth in &self.growth {
            let times = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.1} x"));
            writeln!(
                out,
                "{} -> {}: {:.0} x the nodes, {} the time (floor {})",
                growth.from,
                growth.to,
                growth.nodes,
                times(growth.own),
                times(growth.floor)
            )?;
        }
        if let Some(memory) = self.memory {
            writeln!(out, "{}", memory.text())?;
        }
        if let Some(frames) = self.frames {
            writeln!(out, "{}", frames.text())?;
        }
        if let Some(deltas) = &self.deltas {
            deltas.write(out)?;
        }
        if let Some(peers) = &self.peers {
            peers.write(out)?;
        }
        for failure in &self.failures {
            let Failed { page, what, why, times } = failure;
            writeln!(out, "FAILED {page}: {what}: {why} ({times} x)")?;
        }
        writeln!(out, "bench: ran {} measures", self.count())
    }
}

fn cell(summary: Option<Summary>) -> String {
    summary.map_or_else(|| "-".to_owned(), |s| format!("{:.2} ({:.2}; {:.2}-{:.2})", s.median, s.min, s.lower, s.upper))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::pages;

    fn series(values: &[f64]) -> Series {
        values.iter().copied().collect()
    }

    #[test]
    fn goals_judge_ratios_and_milliseconds() {
        let fine = Measure::of("app", "snapshot", &series(&[5.0]), &series(&[2.0]));
        assert_eq!(fine.met, Some(true));
        let slow = Measure::of("app", "snapshot", &series(&[5.1]), &series(&[2.0]));
        assert_eq!(slow.met, Some(false));
        let click = Measure::of("form", "click, until outcome", &series(&[61.0]), &series(&[60.0]));
        assert_eq!(click.met, Some(false));
        let free = Measure::of("shadow", "snapshot", &series(&[61.0]), &series(&[1.0]));
        assert_eq!((free.goal, free.met), (None, None));
    }

    #[test]
    fn what_is_missed_and_what_is_wrongly_offered_is_named() {
        let page = pages::make("app", 1).expect("known");
        let mut offers = Offers::default();
        for token in page.truth.controls.keys().skip(1) {
            offers.note(token, "h", true);
        }
        offers.note("D00001", "h", true);
        offers.note("D00002", "h", false);
        let seen = Seen::of("x", &page, &offers, 10);
        assert_eq!((seen.offered, seen.controls), (149, 150));
        assert_eq!((seen.decoys_offered, seen.decoys_marked), (1, 1));
        assert!(seen.missed[0].starts_with("T00001"));
    }

    #[test]
    fn the_last_line_counts_the_measures() {
        let mut report = Report::default();
        report.measures.push(Measure::of("app", "snapshot", &series(&[5.0]), &series(&[2.0])));
        report.measures.push(Measure::of("app", "click", &series(&[]), &series(&[])));
        report.fail("app", "click", &"no");
        report.fail("app", "click", &"no");
        assert!(report.text().ends_with("FAILED app: click: no (2 x)\nbench: ran 1 measures\n"), "{}", report.text());
    }
}
