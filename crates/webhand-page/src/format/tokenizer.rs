//! A real tokenizer in place of the bound: for whoever pays its price to use all of a limit.

use std::{fmt, sync::Arc};

/// Counts the tokens of a text exactly.
///
/// ```
/// use webhand_page::{FormatOptions, Snapshot, Tokenizer};
///
/// // a model whose tokens are words
/// let words = Tokenizer::new("words", |text| text.split_whitespace().count());
/// let mut options = FormatOptions::default();
/// options.tokenizer = Some(words);
/// assert_eq!(Snapshot::default().outline(&options), "page \"\"\n");
/// ```
#[derive(Clone)]
pub struct Tokenizer {
    name: Arc<str>,
    count: Arc<dyn Fn(&str) -> usize + Send + Sync>,
}

impl Tokenizer {
    /// The tokenizer of that name. The function is called a few times for each text that does not fit as it is.
    #[must_use]
    pub fn new(name: &str, count: impl Fn(&str) -> usize + Send + Sync + 'static) -> Self {
        Self { name: name.into(), count: Arc::new(count) }
    }

    /// How many tokens a text has.
    #[must_use]
    pub fn count(&self, text: &str) -> u32 {
        u32::try_from((self.count)(text)).unwrap_or(u32::MAX)
    }
}

impl fmt::Debug for Tokenizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Tokenizer").field(&self.name).finish()
    }
}

/// By name: two of one name count alike.
impl PartialEq for Tokenizer {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Tokenizer {}

/// So often a text is written anew to come nearer to its limit.
const TRIES: u32 = 6;
/// A gain of less than this, in hundredths, is not worth another try.
const WORTH: u64 = 4;

/// The text that `write` makes for a limit by the bound, at most `max_tokens` long by the tokenizer, and near to it.
pub(super) fn fitted(write: impl Fn(u32) -> String, max_tokens: u32, tokenizer: Option<&Tokenizer>) -> String {
    let mut best = write(max_tokens);
    let Some(tokenizer) = tokenizer.filter(|_| max_tokens > 0) else { return best };
    let (mut limit, mut length) = (max_tokens, tokenizer.count(&best));
    // the bound is calibrated, not proven
    for _ in 0..TRIES {
        if length <= max_tokens {
            break;
        }
        limit = scaled(limit, max_tokens, length).saturating_sub(limit / 20).max(1);
        best = write(limit);
        length = tokenizer.count(&best);
    }
    if length > max_tokens {
        return String::new();
    }
    let mut too_much = u32::MAX;
    for _ in 0..TRIES {
        let wanted = scaled(limit, max_tokens, length.max(1)).min(limit + (too_much - limit) / 2);
        if u64::from(wanted) * 100 < u64::from(limit) * (100 + WORTH) {
            break;
        }
        let longer = write(wanted);
        let counted = tokenizer.count(&longer);
        if counted > max_tokens {
            too_much = wanted;
        } else if longer.len() == best.len() {
            break;
        } else {
            (best, limit, length) = (longer, wanted, counted);
        }
    }
    best
}

fn scaled(limit: u32, by: u32, of: u32) -> u32 {
    u32::try_from(u64::from(limit) * u64::from(by) / u64::from(of.max(1))).unwrap_or(u32::MAX / 2)
}
