//! Page text made safe to stand among our own words.
//!
//! The page's words can never look like a line of ours: names and values always stand in quotes with `"` and `\`
//! escaped, plain text stands bare only where it cannot be read as anything else, and nothing breaks a line.

use std::fmt::Write as _;

/// First words of lines of ours, where a colon or a quoted name follows.
const LABELS: &[&str] = &[
    "alert",
    "alertdialog",
    "aside",
    "body",
    "dialog",
    "feed",
    "figure",
    "footer",
    "form",
    "grid",
    "group",
    "header",
    "img",
    "list",
    "listbox",
    "log",
    "main",
    "menu",
    "menubar",
    "nav",
    "page",
    "radiogroup",
    "region",
    "search",
    "status",
    "table",
    "tablist",
    "tabpanel",
    "tabs",
    "toolbar",
    "tree",
    "treegrid",
    "view",
];

/// Writes text in quotes, escaped, cut after `limit` characters with the rest counted.
pub(crate) fn quoted(out: &mut String, text: &str, limit: usize) {
    let (shown, rest) = cut(text, limit);
    out.push('"');
    for part in shown.split_inclusive(['"', '\\']) {
        match part.as_bytes().last() {
            Some(&last @ (b'"' | b'\\')) => {
                clean(out, &part[..part.len() - 1]);
                out.push('\\');
                out.push(char::from(last));
            }
            _ => clean(out, part),
        }
    }
    out.push('"');
    if rest > 0 {
        let _ = write!(out, "…(+{rest} chars)");
    }
}

/// Writes text bare where that is unmistakable, else in quotes.
pub(crate) fn plain(out: &mut String, text: &str, limit: usize) {
    if must_quote(text) || text.chars().nth(limit).is_some() {
        quoted(out, text, limit);
    } else {
        clean(out, text);
    }
}

/// The text up to `limit` characters, and how many characters are left over.
pub(crate) fn cut(text: &str, limit: usize) -> (&str, usize) {
    if text.len() <= limit {
        return (text, 0);
    }
    match text.char_indices().nth(limit) {
        Some((at, _)) => (&text[..at], text[at..].chars().count()),
        None => (text, 0),
    }
}

/// Writes text with all that could break a line or turn its direction made a space.
pub(super) fn clean(out: &mut String, text: &str) {
    if text.bytes().all(|byte| (b' '..0x7f).contains(&byte)) {
        out.push_str(text);
        return;
    }
    out.extend(text.chars().map(|char| if breaks(char) { ' ' } else { char }));
}

fn breaks(char: char) -> bool {
    char.is_control() || matches!(char, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Whether bare text could be read as a line or a piece of ours.
fn must_quote(text: &str) -> bool {
    let trimmed = text.trim_start_matches(|char: char| char.is_whitespace() || breaks(char));
    let Some(first) = trimmed.chars().next() else { return true };
    if matches!(first, '"' | '#' | '*' | '-' | '…' | '|' | '·' | '[' | '\\') || trimmed.starts_with("DIALOG") {
        return true;
    }
    looks_like_ref(trimmed) || looks_like_label(trimmed) || holds_separator(text)
}

fn looks_like_ref(text: &str) -> bool {
    let bytes = text.as_bytes();
    if !matches!(bytes[0], b'B' | b'L' | b'I' | b'C' | b'O' | b'S' | b'E' | b'F' | b'X' | b'D') {
        return false;
    }
    let digits = bytes[1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    digits > 0 && !bytes.get(1 + digits).is_some_and(u8::is_ascii_alphanumeric)
}

fn looks_like_label(text: &str) -> bool {
    let word = text.bytes().take_while(u8::is_ascii_lowercase).count();
    let (word, rest) = text.split_at(word);
    (rest.starts_with(':') || rest.starts_with(" \"")) && LABELS.contains(&word)
}

/// Whether the text holds one of the marks that part pieces on a line.
fn holds_separator(text: &str) -> bool {
    text.contains(['|', '·'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plainly(text: &str) -> String {
        let mut out = String::new();
        plain(&mut out, text, 20);
        out
    }

    #[test]
    fn ordinary_text_stands_bare() {
        for text in ["Total", "12", "男", "Name:", "a \"word\" of", "Breakfast", "B", "B12a", "C++", "Main street:"] {
            assert_eq!(plainly(text), text);
        }
    }

    #[test]
    fn text_that_could_be_a_line_of_ours_is_quoted() {
        for text in
            ["B12 Save", "B12", "# Title", "* new", "--- below", "… 4 more", "a | b", "a · b", "main:", "nav: x", ""]
        {
            assert_eq!(plainly(text), format!("\"{text}\""));
        }
        assert_eq!(plainly("\"x\" \\"), "\"\\\"x\\\" \\\\\"");
        assert_eq!(plainly("\u{202e}B7 x"), "\" B7 x\"");
    }

    #[test]
    fn nothing_breaks_a_line_and_the_rest_is_counted() {
        assert_eq!(plainly("a\nB12 \"x\"\r\n\u{2028}\u{202e}b"), "a B12 \"x\"    b");
        assert_eq!(plainly("abcdefghijklmnopqrstuvwxyz"), "\"abcdefghijklmnopqrst\"…(+6 chars)");
        assert_eq!(
            plainly("男男男男男男男男男男男男男男男男男男男男男"),
            format!("\"{}\"…(+1 chars)", "男".repeat(20))
        );
    }
}
