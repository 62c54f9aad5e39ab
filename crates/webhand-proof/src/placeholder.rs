//! Placeholders such as `{{url shop}}` in pages, routes, actions and replies. Pure.
//!
//! A placeholder is whatever stands between `{{` and `}}`, trimmed. What it means is the caller's affair; one that the
//! caller does not know stays as it is, so that a page's own template syntax is left alone.

/// Fills in every placeholder for which `meaning` has an answer.
///
/// ```
/// use webhand_proof::placeholder::fill;
/// let text = fill("<a href='{{url}}/x'>{{own}}</a>", |name| (name == "url").then(|| "http://h".to_owned()));
/// assert_eq!(text, "<a href='http://h/x'>{{own}}</a>");
/// ```
#[must_use]
pub fn fill(text: &str, mut meaning: impl FnMut(&str) -> Option<String>) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("{{") {
        let Some(length) = rest[start + 2..].find("}}") else { break };
        let inner = &rest[start + 2..start + 2 + length];
        filled.push_str(&rest[..start]);
        match meaning(inner.trim()) {
            Some(value) => filled.push_str(&value),
            None => filled.push_str(&rest[start..start + length + 4]),
        }
        rest = &rest[start + length + 4..];
    }
    filled.push_str(rest);
    filled
}

/// The parts of `ref button "Save" 2`: the word, then words and quoted strings.
#[must_use]
pub fn parts(inner: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut rest = inner.trim_start();
    while !rest.is_empty() {
        let (part, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        parts.push(part.to_owned());
        rest = after.trim_start();
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_and_unclosed_placeholders_stay() {
        let known = |name: &str| (name == "a").then(|| "1".to_owned());
        assert_eq!(fill("{{ a }}{{a}} {{b}} {{a", known), "11 {{b}} {{a");
        assert_eq!(fill("no braces", known), "no braces");
    }

    #[test]
    fn quoted_parts_keep_their_spaces() {
        assert_eq!(parts("ref button \"Buy now\" 2"), ["ref", "button", "Buy now", "2"]);
        assert_eq!(parts("tab \"unclosed"), ["tab", "unclosed"]);
    }
}
