//! How many tokens a text is at most, without a tokenizer.

/// An upper bound of the text's length in tokens (o200k).
///
/// ```
/// assert_eq!(webhand_page::token_bound("12345"), 2);
/// ```
#[must_use]
pub fn token_bound(text: &str) -> u32 {
    let mut count = 0u32;
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        let mut run = 1u32;
        let class = |byte: u8| match byte {
            b'a'..=b'z' | b'A'..=b'Z' => 0u8,
            b'0'..=b'9' => 1,
            b' ' => 2,
            _ => 3,
        };
        while class(byte) != 3 && bytes.next_if(|next| class(*next) == class(byte)).is_some() {
            run += 1;
        }
        count = count.saturating_add(match class(byte) {
            0 => (2 * run).div_ceil(3),
            1 => run.div_ceil(3),
            2 => u32::from(run > 1 || bytes.peek().is_none_or(u8::is_ascii_digit)),
            _ => 1,
        });
    }
    count
}
