//! How webhand stands beside its peers, page by page, and whether the goals hold.
//!
//! Pure. It must not know how anything was measured.

use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};

use serde::Serialize;

use crate::bench::figures::Summary;

/// The share of a page's controls that a text must list to be held against.
const RECALL: f64 = 0.95;
/// At most this share of the tokens of the smallest such text.
const TOKENS: f64 = 0.6;

/// webhand on one page.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct OwnPage {
    pub(super) page: String,
    pub(super) controls: usize,
    /// Offered, and in the whole text with their refs.
    pub(super) listed: usize,
    /// The same in the text of the default budget.
    pub(super) listed_short: usize,
    /// The same in the whole text without what is no control.
    pub(super) listed_bare: usize,
    pub(super) decoys: usize,
    pub(super) decoys_offered: usize,
    /// Of the whole text.
    pub(super) tokens: usize,
    /// Of the text of the default budget.
    pub(super) tokens_short: usize,
    /// Of the whole text without what is no control (some peers list controls only).
    pub(super) tokens_bare: usize,
    /// Milliseconds until the text of the default budget.
    pub(super) short: Option<Summary>,
    /// Milliseconds until the whole text.
    pub(super) whole: Option<Summary>,
}

/// A peer.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Peer {
    pub(super) name: String,
    pub(super) pages: BTreeMap<String, PeerPage>,
    pub(super) errors: Vec<String>,
}

/// A peer on one page.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PeerPage {
    pub(super) median: f64,
    pub(super) min: f64,
    pub(super) count: usize,
    pub(super) listed: usize,
    pub(super) decoys_offered: usize,
    pub(super) tokens: usize,
}

/// webhand and its peers.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Standing {
    pub(super) own: Vec<OwnPage>,
    pub(super) peers: Vec<Peer>,
    pub(super) missing: Vec<String>,
}

/// The share of the fastest peer's time that a snapshot may take.
fn time_goal(page: &str) -> Option<f64> {
    match page {
        "app" => Some(0.15),
        "table" => Some(0.06),
        "huge" => Some(0.04),
        _ => None,
    }
}

impl Standing {
    /// How many readings there are: of a page by one engine.
    pub(crate) fn count(&self) -> usize {
        self.own.len() + self.peers.iter().map(|peer| peer.pages.len()).sum::<usize>()
    }

    fn on<'a>(&'a self, page: &'a OwnPage) -> impl Iterator<Item = (&'a str, &'a PeerPage)> {
        self.peers.iter().filter_map(|peer| Some((peer.name.as_str(), peer.pages.get(&page.page)?)))
    }

    /// The peer that was fastest on a page.
    fn fastest<'a>(&'a self, page: &'a OwnPage) -> Option<(&'a str, &'a PeerPage)> {
        self.on(page).min_by(|left, right| left.1.median.total_cmp(&right.1.median))
    }

    /// The peer with the fewest tokens, among those that list nearly every control.
    fn smallest<'a>(&'a self, page: &'a OwnPage) -> Option<(&'a str, &'a PeerPage)> {
        let lists = |peer: &(&str, &PeerPage)| peer.1.listed as f64 >= RECALL * page.controls as f64;
        self.on(page).filter(lists).min_by_key(|(_, peer)| peer.tokens)
    }

    /// Lines for a person.
    pub(crate) fn write(&self, out: &mut String) -> std::fmt::Result {
        writeln!(
            out,
            "\n{:<12} {:<24} {:>22} {:>8} {:>12} {:>14} {:>9}",
            "page", "beside peers", "ms (min)", "x own", "controls", "decoys offered", "tokens"
        )?;
        for own in &self.own {
            self.write_page(out, own)?;
        }
        if !self.missing.is_empty() {
            writeln!(out, "not installed: {}", self.missing.join(", "))?;
        }
        for peer in &self.peers {
            for error in &peer.errors {
                writeln!(out, "{}: {}", peer.name, error.lines().next().unwrap_or_default())?;
            }
        }
        Ok(())
    }

    fn write_page(&self, out: &mut String, own: &OwnPage) -> std::fmt::Result {
        for (label, time, listed, tokens) in [
            ("webhand, whole", own.whole, own.listed, own.tokens),
            ("webhand, default budget", own.short, own.listed_short, own.tokens_short),
            ("webhand, controls only", None, own.listed_bare, own.tokens_bare),
        ] {
            let time = time.map_or_else(|| "-".to_owned(), |time| format!("{:.1} ({:.1})", time.median, time.min));
            let (listed, decoys) = (of(listed, own.controls), of(own.decoys_offered, own.decoys));
            writeln!(out, "{:<12} {label:<24} {time:>22} {:>8} {listed:>12} {decoys:>14} {tokens:>9}", own.page, "")?;
        }
        for (name, peer) in self.on(own) {
            let times = own.whole.map_or_else(|| "-".to_owned(), |whole| format!("{:.1}", peer.median / whole.median));
            let time = format!("{:.1} ({:.1})", peer.median, peer.min);
            let (listed, decoys) = (of(peer.listed, own.controls), of(peer.decoys_offered, own.decoys));
            writeln!(
                out,
                "{:<12} {name:<24} {time:>22} {times:>8} {listed:>12} {decoys:>14} {:>9}",
                own.page, peer.tokens
            )?;
        }
        for verdict in self.verdicts(own) {
            writeln!(out, "  {verdict}")?;
        }
        Ok(())
    }

    /// The goals on a page, each with what came of it.
    fn verdicts(&self, own: &OwnPage) -> Vec<String> {
        let mut verdicts = Vec::new();
        if let Some(((name, peer), whole)) = self.fastest(own).zip(own.whole) {
            let share = whole.median / peer.median;
            let goal = time_goal(&own.page);
            let told = goal.map_or_else(String::new, |goal| format!(", goal <= {goal}: {}", met(share <= goal)));
            let minima = whole.min / peer.min;
            verdicts.push(format!("time {share:.3} x the fastest peer ({name}; minima {minima:.3} x){told}"));
        }
        match self.smallest(own) {
            Some((name, peer)) => {
                let share = |tokens: usize| tokens as f64 / peer.tokens.max(1) as f64;
                let (share, bare) = (share(own.tokens), share(own.tokens_bare));
                let told = met(share <= TOKENS);
                verdicts.push(format!(
                    "tokens {share:.2} x the smallest peer that lists {:.0} % ({name}; controls only {bare:.2} x), goal <= {TOKENS}: {told}",
                    RECALL * 100.0
                ));
            }
            None if self.on(own).next().is_some() => {
                verdicts.push(format!("tokens: no peer lists {:.0} % of the controls", RECALL * 100.0));
            }
            None => {}
        }
        verdicts.push(format!("every control listed: {}", met(own.listed == own.controls)));
        verdicts.push(format!("no decoy offered: {}", met(own.decoys_offered == 0)));
        verdicts
    }
}

fn of(some: impl Display, all: usize) -> String {
    format!("{some}/{all}")
}

fn met(met: bool) -> &'static str {
    if met { "ok" } else { "MISSED" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::figures::Series;

    fn peer(name: &str, median: f64, listed: usize, tokens: usize) -> Peer {
        let page = PeerPage { median, min: median, count: 3, listed, decoys_offered: 0, tokens };
        Peer { name: name.to_owned(), pages: BTreeMap::from([("app".to_owned(), page)]), errors: Vec::new() }
    }

    fn standing(own_ms: f64, own_tokens: usize) -> Standing {
        let whole = [own_ms].into_iter().collect::<Series>().summary();
        let own = OwnPage {
            page: "app".to_owned(),
            controls: 100,
            listed: 100,
            tokens: own_tokens,
            whole,
            ..OwnPage::default()
        };
        let peers = vec![peer("quick", 50.0, 60, 100), peer("small", 80.0, 95, 1_000), peer("large", 90.0, 100, 2_000)];
        Standing { own: vec![own], peers, missing: Vec::new() }
    }

    #[test]
    fn the_fastest_of_all_counts_and_the_smallest_of_those_that_list_enough() {
        let standing = standing(7.5, 600);
        let verdicts = standing.verdicts(&standing.own[0]);
        assert_eq!(verdicts[0], "time 0.150 x the fastest peer (quick; minima 0.150 x), goal <= 0.15: ok");
        assert_eq!(
            verdicts[1],
            "tokens 0.60 x the smallest peer that lists 95 % (small; controls only 0.00 x), goal <= 0.6: ok"
        );
        assert_eq!(verdicts[2..], ["every control listed: ok", "no decoy offered: ok"]);
    }

    #[test]
    fn a_goal_that_is_not_reached_is_missed() {
        let mut standing = standing(7.6, 601);
        standing.own[0].listed = 99;
        standing.own[0].decoys_offered = 1;
        let verdicts = standing.verdicts(&standing.own[0]);
        assert!(verdicts.iter().all(|verdict| verdict.ends_with("MISSED")), "{verdicts:?}");
    }

    #[test]
    fn what_is_not_there_is_told() {
        let mut standing = standing(1.0, 1);
        standing.missing.push("absent".to_owned());
        standing.peers[0].errors.push("app snapshot: no\nmore".to_owned());
        let mut out = String::new();
        standing.write(&mut out).expect("written");
        assert!(out.contains("not installed: absent\nquick: app snapshot: no\n"), "{out}");
    }
}
