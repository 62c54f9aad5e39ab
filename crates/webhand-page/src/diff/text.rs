//! A diff as the text that a model reads, and the choice between it and the whole.

use std::fmt::{self, Write as _};

use super::{Change, ChangeKind, Diff};
use crate::{
    format::{FormatOptions, SnapshotFormat, token_bound},
    refs::Ref,
    snapshot::Snapshot,
};

/// Of lines that went side by side, so many are named; the others are counted.
const GONE: usize = 3;
/// What saying that there is more may cost.
const REST: u32 = 20;

/// The changes as text: `+` before what appeared, `-` what went, `~` what reads otherwise, `>` what stands elsewhere.
impl fmt::Display for Diff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.write(0))
    }
}

impl Diff {
    /// The same text, of at most `max_tokens` tokens (0 = no limit); what does not fit is counted.
    #[must_use]
    pub fn write(&self, max_tokens: u32) -> String {
        if self.whole {
            return format!("another page than in snapshot {}\n", self.base);
        }
        if self.is_empty() {
            return format!("no changes since snapshot {}\n", self.base);
        }
        let mut out = format!("changes since snapshot {}:\n", self.base);
        for line in &self.page {
            out.push_str(line);
            out.push('\n');
        }
        let limit = if max_tokens == 0 { u32::MAX } else { max_tokens.saturating_sub(REST) };
        let mut used = token_bound(&out);
        let mut under = None;
        let mut index = 0;
        while let Some(change) = self.changes.get(index) {
            let mut words = String::new();
            if change.under != under {
                under.clone_from(&change.under);
                let _ = writeln!(words, "{}", under.as_deref().unwrap_or("page:"));
            }
            let told = group(&mut words, &self.changes[index..]);
            used = used.saturating_add(token_bound(&words));
            if used > limit {
                let _ = writeln!(out, "… {} more changes: look at the whole page", self.changes.len() - index);
                break;
            }
            out.push_str(&words);
            index += told;
        }
        out
    }
}

/// Writes a change, or several of one kind that are told together; gives how many.
fn group(out: &mut String, changes: &[Change]) -> usize {
    let Some(first) = changes.first() else { return 1 };
    let sign = match first.kind {
        ChangeKind::Appeared => '+',
        ChangeKind::Went => '-',
        ChangeKind::Changed => '~',
        ChangeKind::Moved => '>',
    };
    let alike = |change: &&Change| change.kind == ChangeKind::Went && change.under == first.under;
    let gone = changes.iter().take_while(alike).count();
    if gone <= GONE + 1 {
        let _ = writeln!(out, "{sign} {}", first.line);
        return 1;
    }
    for change in &changes[..GONE] {
        let _ = writeln!(out, "- {}", change.line);
    }
    let refs: Vec<Ref> = changes[GONE..gone].iter().filter_map(|change| change.r#ref).collect();
    let _ = write!(out, "- … {} more lines went", gone - GONE);
    if let [first, .., last] = refs.as_slice() {
        let _ = write!(out, ", {first} to {last}");
    }
    out.push('\n');
    gone
}

impl Snapshot {
    /// What a reader who has the text of `before` needs: what changed since, where that is much shorter than the whole;
    /// else the whole, in that format. The first line of the changes names the snapshot that they are from.
    ///
    /// ```
    /// use webhand_page::{FormatOptions, Outline, Snapshot};
    /// let page = Snapshot::default();
    /// let text = page.since(&page, &Outline, &FormatOptions::default());
    /// assert_eq!(text, "page \"\"\n");
    /// ```
    #[must_use]
    pub fn since(&self, before: &Snapshot, format: &dyn SnapshotFormat, options: &FormatOptions) -> String {
        let whole = format.write(self, options);
        let diff = self.diff(before);
        // what was folded in the text of the earlier one may have come into view
        if diff.whole || (diff.scrolled && whole.contains(", expand ")) {
            return whole;
        }
        let changes = diff.write(options.max_tokens);
        if token_bound(&changes).saturating_mul(2) <= token_bound(&whole) { changes } else { whole }
    }
}
