//! Noticing that a run repeats itself. Pure: it sees what is to be done and a digest of the page, and nothing else.

use std::collections::HashMap;

/// From this repetition on the model is told.
const NUDGE: u32 = 3;
/// At this repetition the run ends.
const STOP: u32 = 5;

/// What a repetition calls for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repetition {
    /// Nothing.
    Fine,
    /// The model should be told.
    Nudge(u32),
    /// The run should end.
    Stuck,
}

/// How often the same was wanted on the same page.
#[derive(Debug, Default)]
pub(crate) struct Repetitions {
    seen: HashMap<(u64, u64), u32>,
}

impl Repetitions {
    /// Counts one more of these actions on that page.
    pub(crate) fn count(&mut self, actions: u64, page: u64) -> Repetition {
        let times = self.seen.entry((actions, page)).or_default();
        *times += 1;
        match *times {
            times if times >= STOP => Repetition::Stuck,
            times if times >= NUDGE => Repetition::Nudge(times),
            _ => Repetition::Fine,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_on_the_same_page_is_noticed_and_ended() {
        let mut repetitions = Repetitions::default();
        let counts: Vec<Repetition> = (0..5).map(|_| repetitions.count(1, 1)).collect();
        use Repetition::{Fine, Nudge, Stuck};
        assert_eq!(counts, [Fine, Fine, Nudge(3), Nudge(4), Stuck]);
    }

    #[test]
    fn another_page_or_another_action_is_no_repetition() {
        let mut repetitions = Repetitions::default();
        assert!((0..100).all(|page| repetitions.count(1, page) == Repetition::Fine));
        assert!((2..100).all(|actions| repetitions.count(actions, 0) == Repetition::Fine));
    }
}
