//! Reading a sentence: what stands in quotes, ordinals, and the clauses that each ask for one thing.
//!
//! Pure functions of text. It must not know what a page is.

/// Verbs that begin a clause.
const VERBS: &[&str] = &[
    "check", "choose", "click", "close", "enter", "expand", "find", "focus", "forward", "hit", "paste", "pick",
    "press", "push", "scroll", "select", "set", "submit", "type", "wait",
];

/// What stands in double quotes.
pub(crate) fn quoted(text: &str) -> Vec<&str> {
    text.split('"').skip(1).step_by(2).collect()
}

/// The number of an ordinal in a text: `2nd` or `second` is 2.
pub(crate) fn ordinal(text: &str) -> Option<usize> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric()).find_map(|word| {
        let digits = word.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        let ending = &word[digits.len()..];
        if matches!(ending, "st" | "nd" | "rd" | "th") {
            return digits.parse().ok();
        }
        let names = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
        names.iter().position(|name| word.eq_ignore_ascii_case(name)).map(|place| place + 1)
    })
}

/// The whole numbers in a text, signs included.
pub(crate) fn numbers(text: &str) -> Vec<i64> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_digit()) {
        let end =
            rest[start..].find(|letter: char| !letter.is_ascii_digit()).map_or(rest.len(), |length| start + length);
        let minus = rest[..start].ends_with('-');
        if let Ok(number) = rest[start..end].parse::<i64>() {
            found.push(if minus { -number } else { number });
        }
        rest = &rest[end..];
    }
    found
}

/// The answer of `3 - 6 =` or `x - 3 = 60`.
pub(crate) fn equation(text: &str) -> Option<i64> {
    let (left, right) = text.split_once('=')?;
    let parts: Vec<&str> = left.split_whitespace().collect();
    let [first, sign, second] = parts[..] else { return None };
    let read = |word: &str| word.parse::<i64>().ok();
    let result = right.split_whitespace().next().and_then(read);
    match (read(first), sign, read(second), result) {
        (Some(first), "+", Some(second), None) => Some(first + second),
        (Some(first), "-", Some(second), None) => Some(first - second),
        (Some(first), "*" | "x" | "×", Some(second), None) => Some(first * second),
        (None, "+", Some(known), Some(result)) | (Some(known), "+", None, Some(result)) => Some(result - known),
        (None, "-", Some(known), Some(result)) => Some(result + known),
        (Some(known), "-", None, Some(result)) => Some(known - result),
        _ => None,
    }
}

/// The clauses of a sentence, each with the verb that begins it: `Select A, B and click Submit` has two. What stands in
/// quotes is never cut.
pub(crate) fn clauses(sentence: &str) -> Vec<&str> {
    let mut starts = vec![0];
    let mut in_quotes = false;
    let mut word_start = None;
    for (at, letter) in sentence.char_indices() {
        if letter.is_alphanumeric() {
            word_start = word_start.or(Some(at));
            continue;
        }
        if let Some(start) = word_start.take()
            && !in_quotes
            && starts_clause(&sentence[..start], &sentence[start..at])
        {
            starts.push(start);
        }
        if letter == '"' {
            in_quotes = !in_quotes;
        }
    }
    if let Some(start) = word_start.filter(|start| starts_clause(&sentence[..*start], &sentence[*start..])) {
        starts.push(start);
    }
    starts.dedup();
    let ends = starts.iter().skip(1).copied().chain([sentence.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|(start, end)| trimmed(&sentence[*start..end]))
        .filter(|clause| !clause.is_empty())
        .collect()
}

/// Whether a word begins a clause: a verb after a comma, a stop, `and`, `then` or `to`.
fn starts_clause(before: &str, word: &str) -> bool {
    if !VERBS.iter().any(|verb| word.eq_ignore_ascii_case(verb)) {
        return false;
    }
    let before = before.trim_end();
    let last = before.rsplit(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    before.is_empty() || before.ends_with([',', '.']) || matches!(last, "and" | "then" | "to" | "text")
}

/// Without what joins clauses.
fn trimmed(clause: &str) -> &str {
    let mut left = clause.trim();
    loop {
        let shorter = left.trim_end_matches([',', '.', ' ']);
        let shorter = ["and", "then", "to"]
            .iter()
            .find_map(|word| shorter.strip_suffix(word).filter(|rest| rest.ends_with([' ', ','])))
            .unwrap_or(shorter);
        if shorter.len() == left.len() {
            return left;
        }
        left = shorter;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_cut_at_its_verbs() {
        let cases: &[(&str, &[&str])] = &[
            ("Select DKkQH, a1 and click Submit.", &["Select DKkQH, a1", "click Submit"]),
            (
                "Click button ONE, wait 1 seconds, then click button TWO.",
                &["Click button ONE", "wait 1 seconds", "click button TWO"],
            ),
            ("Enter \"and click\" into the text field.", &["Enter \"and click\" into the text field"]),
            (
                "Scroll the textarea to the top of the text hit submit.",
                &["Scroll the textarea to the top of the text", "hit submit"],
            ),
            (
                "Set the sliders to the combination [1,2] and submit.",
                &["Set the sliders to the combination [1,2]", "submit"],
            ),
        ];
        for (sentence, expected) in cases {
            assert_eq!(clauses(sentence), *expected, "{sentence}");
        }
    }

    #[test]
    fn numbers_and_ordinals_are_read() {
        assert_eq!(numbers("from -12 to 7, [3,-4]"), [-12, 7, 3, -4]);
        assert_eq!(ordinal("the 22nd checkbox"), Some(22));
        assert_eq!(ordinal("the third radio button"), Some(3));
        assert_eq!(ordinal("Tab #1 th"), None);
    }

    #[test]
    fn sums_and_equations_are_solved() {
        let cases = [("3 - 6 =", -3), ("4 x 5 =", 20), ("1 + x = 21", 20), ("x - 3 = 60", 63), ("8 - x = 10", -2)];
        for (text, answer) in cases {
            assert_eq!(equation(text), Some(answer), "{text}");
        }
        assert_eq!(equation("x ="), None);
    }

    #[test]
    fn quotes_are_read() {
        assert_eq!(quoted("the username \"vina\" and the password \"US\""), ["vina", "US"]);
    }
}
