//! What frames cost: the page `frames` beside a page of the same content in one document.
//!
//! It must not know how frames are read.

use std::time::Instant;

use miette::IntoDiagnostic as _;
use serde::Serialize;

use super::contender::{Contender as _, milliseconds};
use super::figures::{Ratio, Series, Summary};
use super::own::Own;
use super::pages::Page;
use super::site::Site;

/// At most so many times the time of the one document.
const GOAL: f64 = 3.0;
/// The two pages are opened so often in turn.
const TURNS: usize = 5;

/// A snapshot with frames and one without.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct FramesCost {
    frames: Summary,
    one: Summary,
    ratio: Ratio,
    met: bool,
}

impl FramesCost {
    fn of(frames: &Series, one: &Series) -> Option<Self> {
        let (frames, one) = (frames.summary()?, one.summary()?);
        let ratio = Ratio::of(&frames, &one)?;
        Some(Self { frames, one, ratio, met: ratio.medians <= GOAL })
    }

    /// A line for a person.
    pub(crate) fn text(&self) -> String {
        format!(
            "frames: a snapshot takes {:.2} ms, of the same content in one document {:.2}: {:.2} ({:.2}) x, goal <= {GOAL} x: {}",
            self.frames.median,
            self.one.median,
            self.ratio.medians,
            self.ratio.minima,
            if self.met { "ok" } else { "MISSED" },
        )
    }
}

/// Reads both in turn.
pub(crate) async fn measure(pages: [&Page; 2], site: &Site, runs: usize) -> miette::Result<Option<FramesCost>> {
    let mut own = Own::launch().await?;
    let mut series = [Series::default(), Series::default()];
    for _ in 0..TURNS {
        for (page, series) in pages.iter().zip(&mut series) {
            own.open(&site.address(page)).await.into_diagnostic()?;
            own.look().await.into_diagnostic()?;
            own.look().await.into_diagnostic()?;
            for _ in 0..runs.div_ceil(TURNS) {
                let began = Instant::now();
                own.look().await.into_diagnostic()?;
                series.push(milliseconds(began.elapsed()));
            }
        }
    }
    own.close().await;
    Ok(FramesCost::of(&series[0], &series[1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_goal_is_three_times() {
        let cost = |frames: f64| FramesCost::of(&[frames].into_iter().collect(), &[2.0].into_iter().collect());
        assert!(cost(6.0).is_some_and(|cost| cost.met && cost.text().contains("3.00 (3.00) x")));
        assert!(cost(6.1).is_some_and(|cost| !cost.met && cost.text().ends_with("MISSED")));
        assert!(FramesCost::of(&Series::default(), &Series::default()).is_none());
    }
}
