//! Faults at random moments of scripted runs: tabs, browsers, connections and answers are taken away, and what the runs were
//! told is compared with what the site received.
//!
//! Each run (`course`) has a browser of its own and orders things from a site that notes every order (`site`); what came
//! of it is counted (`tally`). It knows webhand by its public library only.

mod course;
mod site;
mod tally;

use std::io;

use futures_util::{StreamExt as _, stream};
use webhand::engine::Headless;

pub use tally::Tally;

use self::{course::Course, site::Site};

/// So many faults befall one run.
const FAULTS_A_RUN: usize = 10;

/// What is to be done.
#[derive(Clone, Debug)]
pub struct FaultOptions {
    /// How many faults.
    pub faults: usize,
    /// What draws them and their moments.
    pub seed: u64,
    /// How many runs go side by side.
    pub jobs: usize,
    /// Told of each action.
    pub on_action: fn(&str),
}

impl Default for FaultOptions {
    fn default() -> Self {
        Self { faults: 100, seed: 0, jobs: 3, on_action: |_| {} }
    }
}

/// Why no faults could be injected at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FaultsError {
    /// The site could not be served.
    #[error("the site could not be served: {0}")]
    Site(#[from] io::Error),
    /// A run's browser did not start.
    #[error("run {run}: {why}")]
    Browser {
        /// Which run.
        run: usize,
        /// In its words.
        why: String,
    },
}

/// Injects so many faults.
///
/// # Errors
/// [`FaultsError`] where that cannot be done at all: what goes wrong under a fault is counted.
pub async fn inject(options: &FaultOptions) -> Result<Tally, FaultsError> {
    let site = Site::start().await?;
    let runs = options.faults.div_ceil(FAULTS_A_RUN);
    let courses = (0..runs).map(|number| Course {
        number,
        seed: options.seed,
        faults: FAULTS_A_RUN.min(options.faults - number * FAULTS_A_RUN),
        // by turns: each kind of browser, launched and attached to
        headless: if number % 2 == 0 { Headless::Shell } else { Headless::New },
        attached: number % 4 >= 2,
        on_action: options.on_action,
    });
    let run = |course: Course| async {
        let run = course.number;
        Box::pin(course.run(site.clone())).await.map_err(|why| FaultsError::Browser { run, why })
    };
    let mut ran = stream::iter(courses).map(run).buffer_unordered(options.jobs.max(1));
    let mut tally = Tally::default();
    while let Some(one) = ran.next().await {
        tally.add(one?);
    }
    tally.judge(&site);
    Ok(tally)
}

/// Seeded chance (splitmix64): the same seed and run draw the same.
#[derive(Clone, Debug)]
struct Chance(u64);

impl Chance {
    fn new(seed: u64, run: usize) -> Self {
        Self(seed.wrapping_mul(0x0100_0000_01b3) ^ (run as u64).wrapping_mul(0xd134_2543_de82_ef95))
    }

    /// A number below `limit`.
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        // the remainder is below `limit`, which came from a usize
        usize::try_from((word ^ (word >> 31)) % (limit.max(1) as u64)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_draws_the_same() {
        let draws = |seed, run| {
            let mut chance = Chance::new(seed, run);
            (0..20).map(|_| chance.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(draws(7, 3), draws(7, 3));
        assert!(draws(7, 3) != draws(8, 3) && draws(7, 3) != draws(7, 4));
    }
}
