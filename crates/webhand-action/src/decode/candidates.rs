//! Where in a reply JSON stands: in code fences first, then bare in prose.
//!
//! What is broken but tells that it was meant as a decision is passed over whole: no piece of it may be taken for one.

use super::{
    Work,
    json::{self, Json},
};

/// Something that may be a decision.
#[derive(Debug)]
pub(super) enum Candidate {
    /// A value, and where it stands.
    Value {
        /// The value.
        json: Json,
        /// Where it begins.
        at: usize,
        /// Whether form was forgiven.
        repaired: bool,
    },
    /// A value that was meant as a decision and cannot be read.
    Damaged {
        /// Where it begins.
        at: usize,
        /// Where and why it breaks.
        detail: String,
    },
}

impl Candidate {
    /// Whether it is a value that breaks off.
    pub(super) fn is_cut(&self) -> bool {
        matches!(self, Candidate::Value { json: Json::Cut(_), .. })
    }

    /// Where it begins.
    pub(super) fn at(&self) -> usize {
        match self {
            Candidate::Value { at, .. } | Candidate::Damaged { at, .. } => *at,
        }
    }
}

/// Knows whether a value, or the keys of a broken one, look like a decision.
pub(super) trait Recognise {
    /// Whether a value looks like one.
    fn value(&self, json: &Json) -> bool;
    /// Whether a key tells of one.
    fn key(&self, key: &str) -> bool;
}

/// All candidates in the order in which they count: those in fences first.
pub(super) fn find(text: &str, recognise: &impl Recognise) -> Vec<Candidate> {
    let mut work = Work::for_text(text);
    let (fences, prose) = split(text, recognise, &mut work);
    let mut found = Vec::new();
    for fence in fences.iter().filter(|fence| fence.may_hold_json(text)) {
        scan(text, fence.start, fence.end, recognise, &mut work, &mut found);
    }
    for (start, end) in prose {
        scan(text, start, end, recognise, &mut work, &mut found);
    }
    found
}

struct Fence {
    /// The word after the opening mark.
    word: (usize, usize),
    start: usize,
    end: usize,
}

impl Fence {
    /// Whether it begins with a value, or its word does not say that it holds something else.
    fn may_hold_json(&self, text: &str) -> bool {
        let word = text[self.word.0..self.word.1].to_ascii_lowercase();
        word.is_empty() || word.starts_with("json") || text[self.start..self.end].trim_start().starts_with(['{', '['])
    }
}

const FENCE: &str = "```";

/// The code fences of a text, and the stretches between them.
fn split(text: &str, recognise: &impl Recognise, work: &mut Work) -> (Vec<Fence>, Vec<(usize, usize)>) {
    let (mut fences, mut prose) = (Vec::new(), Vec::new());
    let (mut at, mut from) = (0, 0);
    while let Some(found) = text[at..].find(FENCE).map(|found| at + found) {
        if let Some(end) = value_over(text, at, found, recognise, work) {
            at = end;
            continue;
        }
        prose.push((from, found));
        let fence = fence_at(text, found, recognise, work);
        at = (fence.end + FENCE.len()).min(text.len());
        from = at;
        fences.push(fence);
    }
    prose.push((from, text.len()));
    (fences, prose)
}

fn fence_at(text: &str, mark: usize, recognise: &impl Recognise, work: &mut Work) -> Fence {
    let after = mark + FENCE.len();
    let rest = &text[after..];
    let inside = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '+' | '-' | '.' | '`');
    let word = rest.find(|letter: char| !inside(letter)).unwrap_or(rest.len());
    let start = after + word;
    let mut at = start;
    let end = loop {
        let Some(found) = text[at..].find(FENCE).map(|found| at + found) else { break text.len() };
        match value_over(text, at, found, recognise, work) {
            Some(end) => at = end,
            None => break found,
        }
    };
    Fence { word: (after, start), start, end }
}

/// Where the value ends that begins in `from..mark` and reaches beyond the mark: the mark then stands inside a string.
///
/// That holds too for a value that was meant as a decision and is cut off or broken: what stands in its strings must not
/// be taken for the reply's own marks.
pub(super) fn value_over(
    text: &str,
    from: usize,
    mark: usize,
    recognise: &impl Recognise,
    work: &mut Work,
) -> Option<usize> {
    let mut at = from;
    while let Some(found) = text.get(at..mark).and_then(|before| before.find(['{', '['])).map(|found| at + found) {
        if !work.allows() {
            return None;
        }
        let (end, spent) = match json::parse(text, found) {
            Ok(parsed) if parsed.value.whole() || recognise.value(&parsed.value) => (parsed.end, parsed.end - found),
            Ok(parsed) => (found + 1, parsed.end - found),
            Err(damage) if damage.keys.iter().any(|key| recognise.key(key)) => {
                let extent = json::extent(&text[found..]);
                (found + extent, extent)
            }
            Err(damage) => (found + 1, damage.at.saturating_sub(found)),
        };
        work.spend(spent);
        if end > mark {
            return Some(end);
        }
        at = end;
    }
    None
}

/// Whether what follows is a part of something greater that is broken: a lost quote turns its strings inside out, so that
/// it seems to end early, or a mark in a string seems to be the reply's own.
fn is_piece(before: &str, damaged: bool) -> bool {
    let before = before.trim_end();
    let inside = ["},", "],", "\",", "\":", "[", "{"].iter().any(|end| before.ends_with(end));
    inside || (damaged && before.ends_with([',', ':', '"']))
}

/// Notes the values that begin in a stretch of the text.
fn scan(text: &str, start: usize, end: usize, recognise: &impl Recognise, work: &mut Work, found: &mut Vec<Candidate>) {
    let text = &text[..end];
    let mut at = start;
    let mut damaged = false;
    let mut taken = start;
    while let Some(opener) = text.get(at..).and_then(|rest| rest.find(['{', '['])).map(|found| at + found) {
        if !work.allows() {
            return;
        }
        match json::parse(text, opener) {
            Ok(parsed) => {
                work.spend(parsed.end - opener);
                let whole = !matches!(parsed.value, Json::Cut(_));
                if text[taken..opener].trim() != "," && is_piece(&text[..opener], damaged) {
                    at = parsed.end;
                } else if whole || recognise.value(&parsed.value) {
                    at = parsed.end;
                    if !parsed.repaired {
                        taken = at; // what follows a comma now is one more, not a piece of this
                    }
                    found.push(Candidate::Value { json: parsed.value, at: opener, repaired: parsed.repaired });
                } else {
                    at = opener + 1;
                }
            }
            Err(damage) if damage.keys.iter().any(|key| recognise.key(key)) => {
                let extent = json::extent(&text[opener..]);
                work.spend(extent);
                at = opener + extent;
                damaged = true;
                let near: String = text[damage.at.min(text.len())..].chars().take(20).collect();
                let detail = format!("it breaks before {near:?}, where {} should be", damage.wanted);
                found.push(Candidate::Damaged { at: opener, detail });
            }
            Err(damage) => {
                work.spend(damage.at.saturating_sub(opener));
                at = opener + 1;
            }
        }
    }
}
