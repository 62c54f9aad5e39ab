//! Which process has a run in hand, and whether it still lives.

use rustix::process::{Pid, test_kill_process};

/// A process: its number, and when it began, as the system counts it; numbers are used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Owner {
    pub(crate) pid: u32,
    pub(crate) began: u64,
}

impl Owner {
    /// This process.
    pub(crate) fn this() -> Self {
        let pid = std::process::id();
        Self { pid, began: began(pid).unwrap_or(0) }
    }

    /// Whether it still lives.
    pub(crate) fn lives(self) -> bool {
        let there =
            i32::try_from(self.pid).ok().and_then(Pid::from_raw).is_some_and(|pid| test_kill_process(pid).is_ok());
        // where the system does not say when a process began, its number is all there is to go by
        there && (self.began == 0 || began(self.pid).is_none_or(|began| began == self.began))
    }
}

/// When a process began, in ticks since the system did; only where `/proc` says so.
fn began(pid: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // the name before the last parenthesis may hold anything
    stat.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_lives_and_one_that_began_at_another_time_does_not() {
        let this = Owner::this();
        assert!(this.lives());
        assert!(!Owner { began: this.began + 1, ..this }.lives() || this.began == 0);
        assert!(!Owner { pid: u32::MAX, began: 0 }.lives());
    }
}
