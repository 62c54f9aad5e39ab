//! What came of the faults, counted.

use std::collections::BTreeMap;

use super::{course::Ran, site::Site};

/// All runs together.
#[derive(Debug, Default)]
pub struct Tally {
    injected: BTreeMap<String, usize>,
    /// Orders that a run was told of as done.
    acknowledged: Vec<String>,
    doubts: usize,
    again: usize,
    lost: usize,
    doubled: usize,
    orphans: usize,
    hung: usize,
    slowest: u128,
    control: u128,
    troubles: Vec<String>,
}

impl Tally {
    pub(crate) fn add(&mut self, ran: Ran) {
        for kind in ran.injected {
            *self.injected.entry(kind).or_default() += 1;
        }
        self.acknowledged.extend(ran.acknowledged);
        self.doubts += ran.doubts;
        self.again += ran.again;
        self.orphans += ran.orphans;
        self.hung += ran.hung;
        self.slowest = self.slowest.max(ran.slowest.as_millis());
        self.control = self.control.max(ran.control.as_millis());
        self.troubles.extend(ran.troubles);
    }

    /// Compares what was told with what came.
    pub(crate) fn judge(&mut self, site: &Site) {
        let lost: Vec<&String> = self.acknowledged.iter().filter(|token| site.count(token) == 0).collect();
        self.troubles.extend(lost.iter().map(|token| format!("order {token} was told as done and never came")));
        self.lost = lost.len();
        self.doubled = site.doubled();
        if site.strangers() > 0 {
            self.troubles.push(format!("{} orders came without their cookie", site.strangers()));
            self.lost += site.strangers() as usize;
        }
    }

    /// Whether nothing was lost, doubled, left behind or hung.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.lost + self.doubled + self.orphans + self.hung == 0 && self.troubles.is_empty()
    }

    /// In words; the last line is `faults: N injected, 0 lost, 0 doubled, 0 orphans, 0 hung`.
    #[must_use]
    pub fn text(&self) -> String {
        use std::fmt::Write as _;
        let mut text = String::new();
        for (kind, times) in &self.injected {
            let _ = writeln!(text, "{kind:24} {times:5}");
        }
        let _ = writeln!(text, "{:24} {:5}", "orders done", self.acknowledged.len());
        let _ = writeln!(text, "{:24} {:5}", "told as in doubt", self.doubts);
        let _ = writeln!(text, "{:24} {:5}", "steps taken again", self.again);
        let _ = writeln!(text, "{:24} {:5} ms", "slowest action", self.slowest);
        let _ = writeln!(text, "{:24} {:5} ms", "slowest control answer", self.control);
        for trouble in &self.troubles {
            let _ = writeln!(text, "trouble: {trouble}");
        }
        let injected: usize = self.injected.values().sum();
        let _ = writeln!(
            text,
            "faults: {injected} injected, {} lost, {} doubled, {} orphans, {} hung",
            self.lost, self.doubled, self.orphans, self.hung
        );
        text
    }
}
