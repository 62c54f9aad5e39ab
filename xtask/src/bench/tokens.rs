//! Tokens as a model counts them: o200k.
//!
//! Pure. It must not know whose text it counts.

use std::sync::OnceLock;

use miette::miette;
use tiktoken_rs::CoreBPE;

/// Counts in pieces of about this many bytes: the tokenizer's time grows faster than a text does.
const PIECE: usize = 100_000;

/// How many tokens a text has.
pub(crate) fn count(text: &str) -> miette::Result<usize> {
    static TABLE: OnceLock<Result<CoreBPE, String>> = OnceLock::new();
    let table = TABLE.get_or_init(|| tiktoken_rs::o200k_base().map_err(|error| error.to_string()));
    let table = table.as_ref().map_err(|error| miette!("the tokenizer has no table: {error}"))?;
    let mut piece = String::new();
    let mut tokens = 0;
    for line in text.split_inclusive('\n') {
        piece.push_str(line);
        if piece.len() > PIECE {
            tokens += table.encode_ordinary(&piece).len();
            piece.clear();
        }
    }
    Ok(tokens + table.encode_ordinary(&piece).len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_tokens_and_long_texts_add_up() {
        assert_eq!(count("").expect("table"), 0);
        assert_eq!(count("hello world").expect("table"), 2);
        let line = "hello world again\n";
        let one = count(line).expect("table");
        let many = count(&line.repeat(20_000)).expect("table");
        assert!(many >= 20_000 * (one - 1) && many <= 20_000 * one, "{one} {many}");
    }
}
