//! How many tokens a text is at most, without a tokenizer.
//!
//! A real tokenizer takes a third of a second and some 50 MB to load; this takes nothing and is right enough to keep a
//! limit. It walks the text as o200k splits it (words with the sign before them, digits by three, runs of signs) and
//! gives each piece what such pieces cost at most, taken over a whole text: some 5,700 common words by a list
//! (`tokens.txt`: those that o200k keeps whole), other words by their length and by how many of their letter pairs are
//! rare, other scripts by the letter. The rates were fitted on 1,500 texts of programs in each of 28 languages, where
//! every stretch of 20 texts stays within them (over-estimated by 8 % on plain English pages to 65 % on Portuguese), and
//! on random letters, codes and signs; `tests/tokens.rs` holds them against o200k itself. What they do not cover is a long
//! text of random letters of another script.

use std::{
    collections::HashSet,
    hash::{BuildHasherDefault, Hasher},
    sync::LazyLock,
};

/// Rates are in hundredths of a token.
const TOKEN: u32 = 100;
/// A word that is not listed, and each of its letters.
const WORD: u32 = 30;
const LETTER: u32 = 38;
const CAPITAL: u32 = 62;
/// A pair of letters that is rare in words.
const RARE_PAIR: u32 = 45;
/// A letter of a Latin word that is not ASCII.
const ACCENTED: u32 = 88;

/// For each first letter, the letters that often follow it (bit 0 = a), in sixteen European languages.
#[rustfmt::skip]
const COMMON_PAIRS: [u32; 26] = [
    0x3FEBFEF, 0x1164B11, 0x21E4F95, 0x116E919, 0x3FFFFFF, 0x01A4931, 0x11E69D1, 0x01A4911, 0x3BEFFFF, 0x0104911,
    0x11E6D11, 0x13CFDD9, 0x014F913, 0x33CFDFD, 0x27EFDFF, 0x01EC95D, 0x0100000, 0x37F7DDF, 0x31CFD95, 0x17EFD95,
    0x23EFF7F, 0x1104111, 0x1026191, 0x0088110, 0x00CF917, 0x1186111,
];

/// An upper bound of the text's length in tokens (o200k).
///
/// It is calibrated, not proven: it holds for ordinary text in any language and for random letters, as a whole of some
/// lines; one rare word alone may be longer.
///
/// ```
/// assert_eq!(webhand_page::token_bound("B12 \"Save\""), 6);
/// ```
#[must_use]
pub fn token_bound(text: &str) -> u32 {
    let mut scan = Scan { text, bytes: text.as_bytes(), at: 0, sum: 0 };
    while scan.at < scan.bytes.len() {
        scan.piece();
    }
    u32::try_from(scan.sum.div_ceil(u64::from(TOKEN))).unwrap_or(u32::MAX)
}

struct Scan<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    sum: u64,
}

impl Scan<'_> {
    fn add(&mut self, cost: u32) {
        self.sum += u64::from(cost);
    }

    /// Moves on while bytes are of a kind; gives how many they were.
    fn run(&mut self, is: impl Fn(u8) -> bool) -> usize {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(|byte| is(*byte)) {
            self.at += 1;
        }
        self.at - start
    }

    fn piece(&mut self) {
        match self.bytes[self.at] {
            b'0'..=b'9' => {
                let digits = self.run(|byte| byte.is_ascii_digit());
                self.add(whole(digits.div_ceil(3)));
            }
            b' ' => {
                let spaces = self.run(|byte| byte == b' ');
                // The last one belongs to the word or sign that follows.
                let digit = self.bytes.get(self.at).is_none_or(u8::is_ascii_digit);
                self.add(if spaces > 1 || digit { TOKEN } else { 0 });
            }
            byte if byte.is_ascii_alphabetic() => self.word(),
            byte if byte.is_ascii() => {
                self.at += 1;
                self.add(TOKEN);
            }
            _ => self.foreign(),
        }
    }

    /// An ASCII word: capitals, then small letters.
    fn word(&mut self) {
        let start = self.at;
        let capitals = self.run(|byte| byte.is_ascii_uppercase());
        let small = self.run(|byte| byte.is_ascii_lowercase());
        let word = &self.bytes[start..self.at];
        let whole = self.bytes.get(self.at).is_none_or(u8::is_ascii);
        let behind_space = start > 0 && self.bytes[start - 1] == b' ';
        if let Some(cost) = listed(word, capitals == 1, behind_space).filter(|_| capitals <= 1 && whole && small >= 2) {
            return self.add(cost);
        }
        let rare = word.windows(2).filter(|pair| is_rare(pair[0], pair[1])).count();
        let letters = LETTER * count(small) + CAPITAL * count(capitals) + RARE_PAIR * count(rare);
        self.add((WORD + letters).max(TOKEN));
    }

    /// One character that is not ASCII.
    fn foreign(&mut self) {
        let Some(char) = self.text[self.at..].chars().next() else { return self.at += 1 };
        self.at += char.len_utf8();
        self.add(cost(char));
    }
}

/// What a character that is not ASCII costs.
fn cost(char: char) -> u32 {
    match char {
        // Latin letters with accents.
        '\u{c0}'..='\u{24f}' => ACCENTED,
        '\u{1e00}'..='\u{1eff}' => 70,
        // Signs that are tokens of their own.
        '\u{a0}'..='\u{bf}'
        | '‐'..='‧'
        | '→'
        | '←'
        | '€'
        | '、'
        | '。'
        | '「'
        | '」'
        | '，'
        | '！'
        | '：'
        | '（'
        | '）' => TOKEN,
        // Greek, Cyrillic, Hebrew, Arabic.
        '\u{370}'..='\u{3ff}' => 55,
        '\u{400}'..='\u{52f}' => 50,
        '\u{590}'..='\u{6ff}' => 55,
        // Indic scripts, Thai, Georgian.
        '\u{900}'..='\u{dff}' => 60,
        '\u{e00}'..='\u{e7f}' => 60,
        '\u{10a0}'..='\u{10ff}' => 55,
        // Kana, Hangul, Han.
        '\u{3040}'..='\u{30ff}' => 90,
        '\u{ac00}'..='\u{d7a3}' => 100,
        '\u{4e00}'..='\u{9fff}' => 100,
        _ => TOKEN * u32::try_from(char.len_utf8()).unwrap_or(4),
    }
}

fn whole(tokens: usize) -> u32 {
    TOKEN.saturating_mul(count(tokens))
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX / TOKEN).min(u32::MAX / TOKEN / 4)
}

fn is_rare(first: u8, second: u8) -> bool {
    let place = |byte: u8| byte.to_ascii_lowercase().wrapping_sub(b'a');
    COMMON_PAIRS.get(usize::from(place(first))).is_some_and(|row| row & (1u32 << (place(second) & 31)) == 0)
}

/// What a listed word costs.
fn listed(word: &[u8], capital: bool, after_space: bool) -> Option<u32> {
    let mut small = [0; 16];
    let small = small.get_mut(..word.len())?;
    small.copy_from_slice(word);
    small.make_ascii_lowercase();
    let alone = WORDS.0.contains(&*small);
    if !alone && !WORDS.1.contains(&*small) {
        return None;
    }
    Some(match (capital, after_space || alone) {
        (false, true) => TOKEN,
        (true, true) => 115,
        (_, false) => 2 * TOKEN,
    })
}

type Words = HashSet<&'static [u8], BuildHasherDefault<Fnv>>;

/// The listed words: those that are one token anywhere, and those that are so behind a space only.
static WORDS: LazyLock<(Words, Words)> = LazyLock::new(|| {
    let mut words = (Words::default(), Words::default());
    for word in include_str!("tokens.txt").split_ascii_whitespace() {
        match word.strip_prefix('\'') {
            Some(word) => words.1.insert(word.as_bytes()),
            None => words.0.insert(word.as_bytes()),
        };
    }
    words
});

/// A quick hash for short words that no one can choose.
#[derive(Default)]
struct Fnv(u64);

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
