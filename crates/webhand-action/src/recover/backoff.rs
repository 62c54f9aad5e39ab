//! When a load that failed for a moment is tried again. Pure but for the random part of its pauses.

use std::{
    hash::{BuildHasher as _, RandomState},
    time::Duration,
};

use tokio::time::Instant;

use super::Recovery;

/// The longest pause of its own choice.
const LONGEST: Duration = Duration::from_secs(30);

/// The tries of one load.
#[derive(Debug)]
pub(crate) struct Retries {
    left: u32,
    pause: Duration,
    /// No try begins after that.
    until: Instant,
    failures: Vec<String>,
}

impl Retries {
    pub(crate) fn new(recovery: Recovery, until: Instant) -> Self {
        Self { left: recovery.retries, pause: recovery.first_pause, until, failures: Vec::new() }
    }

    /// After a failure: when to try again. `asked` is the time that the server wants to be left alone.
    pub(crate) fn next(&mut self, why: String, asked: Option<Duration>, now: Instant) -> Option<Instant> {
        self.failures.push(why);
        self.left = self.left.checked_sub(1)?;
        let pause = asked.map_or(self.pause, |asked| asked.max(self.pause));
        self.pause = (self.pause * 2).min(LONGEST);
        let at = now.checked_add(pause + jitter(pause))?;
        (at < self.until).then_some(at)
    }

    /// How many tries failed, for the note and the count of an outcome.
    pub(crate) fn failed(&self) -> u32 {
        u32::try_from(self.failures.len()).unwrap_or(u32::MAX)
    }

    /// Why the first ones failed, in a few words.
    pub(crate) fn words(&self) -> Option<String> {
        let last = self.failures.last()?;
        Some(match self.failures.len() {
            1 => format!("the first try failed: {last}"),
            times => format!("the first {times} tries failed, the last: {last}"),
        })
    }
}

/// Up to a quarter of it, so that many that were turned away at once do not come back at once.
fn jitter(pause: Duration) -> Duration {
    let quarter = u64::try_from(pause.as_millis() / 4).unwrap_or_default();
    Duration::from_millis(RandomState::new().hash_one(0) % (quarter + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_and_end_with_the_deadline_or_the_tries() {
        let now = Instant::now();
        let mut tries = Retries::new(Recovery::default(), now + Duration::from_secs(30));
        for least in [500, 1_000, 2_000] {
            let pause = tries.next("503".into(), None, now).unwrap() - now;
            assert!((least..=least + least / 4).contains(&pause.as_millis()), "{pause:?}");
        }
        assert_eq!(tries.next("503".into(), None, now), None, "three");
        assert_eq!(tries.failed(), 4);
        let mut tries = Retries::new(Recovery::default(), now + Duration::from_secs(5));
        let pause = tries.next("503".into(), Some(Duration::from_secs(2)), now).unwrap() - now;
        assert!(pause >= Duration::from_secs(2), "as the server asks");
        assert_eq!(tries.next("503".into(), Some(Duration::from_secs(60)), now), None, "not beyond the deadline");
        assert_eq!(Retries::new(Recovery::off(), now).next("503".into(), None, now), None);
    }
}
