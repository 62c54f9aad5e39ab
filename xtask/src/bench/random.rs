//! Seeded chance and words for the bench pages: the same seed gives the same page, another seed another page.
//!
//! It must not know what the words are used for.

/// A small generator (splitmix64): not for secrets, only for pages that repeat.
#[derive(Clone, Debug)]
pub(crate) struct Random {
    state: u64,
}

impl Random {
    /// A generator whose row depends on `seed` and `stream` alone.
    pub(crate) fn new(seed: u64, stream: &str) -> Self {
        let mixed = stream
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        Self { state: seed ^ mixed }
    }

    /// The next 64 bits.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.state;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// A number below `limit` (0 for a limit of 0).
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        if limit == 0 {
            return 0;
        }
        let limit = limit as u64;
        // The remainder is below `limit`, which came from a usize.
        usize::try_from(self.next() % limit).unwrap_or_default()
    }

    /// Puts the items into another order.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last + 1);
            items.swap(last, other);
        }
    }

    /// One word.
    pub(crate) fn word(&mut self) -> &'static str {
        let index = self.below(WORDS.len());
        WORDS.get(index).copied().unwrap_or("item")
    }

    /// Some words with spaces between.
    pub(crate) fn words(&mut self, count: usize) -> String {
        let mut text = String::with_capacity(count * 8);
        for index in 0..count {
            if index > 0 {
                text.push(' ');
            }
            text.push_str(self.word());
        }
        text
    }
}

/// Plain office words; none of them is a role, a state or a tag name.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "amber", "anchor", "april", "arrival", "autumn", "badge", "balance", "barley", "basket", "batch", "beacon",
    "bench", "binder", "board", "bottle", "bracket", "bridge", "bronze", "bucket", "bundle", "cabin", "candle",
    "canvas", "carbon", "cargo", "carton", "castle", "cedar", "cellar", "chapter", "charter", "chimney", "circle",
    "citrus", "clerk", "clover", "coast", "cobalt", "copper", "cotton", "county", "courier", "crane", "crystal",
    "current", "daily", "dairy", "debit", "depot", "dinner", "district", "dozen", "drawer", "eagle", "early", "east",
    "elder", "ember", "engine", "estate", "evening", "factor", "falcon", "farm", "ferry", "fibre", "figure", "fleet",
    "forest", "freight", "frost", "garden", "ginger", "glacier", "gravel", "grocer", "guild", "hamlet", "harbour",
    "harvest", "hazel", "hollow", "honey", "invoice", "island", "ivory", "jacket", "jasper", "journey", "juniper",
    "kettle", "ladder", "lantern", "lemon", "letter", "linen", "lumber", "magnet", "maple", "marble", "market",
    "meadow", "mercury", "mineral", "morning", "needle", "nickel", "north", "oak", "ocean", "olive", "orchard",
    "order", "oxford", "paper", "parcel", "pebble", "pepper", "pilot", "plaza", "pocket", "pollen", "prairie",
    "quarry", "quarter", "ribbon", "river", "rubber", "saddle", "saffron", "sample", "season", "silver", "south",
    "spruce", "stable", "station", "stone", "summit", "supply", "tailor", "tanker", "timber", "topaz", "tower",
    "tulip", "valley", "velvet", "village", "violet", "voyage", "walnut", "warehouse", "weekly", "west", "willow",
    "winter", "wool", "yellow", "yonder", "zinc",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_repeats_and_another_differs() {
        let text = |seed, stream| Random::new(seed, stream).words(20);
        assert_eq!(text(7, "app"), text(7, "app"));
        assert_ne!(text(7, "app"), text(8, "app"));
        assert_ne!(text(7, "app"), text(7, "form"));
    }

    #[test]
    fn a_shuffle_keeps_every_item() {
        let mut items: Vec<u32> = (0..500).collect();
        Random::new(3, "shuffle").shuffle(&mut items);
        assert_ne!(items, (0..500).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..500).collect::<Vec<_>>());
    }

    #[test]
    fn below_stays_below() {
        let mut random = Random::new(1, "below");
        assert_eq!(random.below(0), 0);
        assert!((0..1000).all(|_| random.below(7) < 7));
    }
}
