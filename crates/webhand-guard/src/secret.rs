//! A value that never prints. Knows no vault, no page and no field.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use secrecy::{ExposeSecret, SecretString};

/// A secret text: wiped from memory when dropped, and absent from every
/// `Debug` output. It has no `Display` and no `Serialize`, so no format string,
/// event or file can hold it by accident.
///
/// ```
/// let secret = webhand_guard::Secret::new("hunter2");
/// assert_eq!(format!("{secret:?}"), "Secret(…)");
/// assert_eq!(secret.redact("it is hunter2!"), "it is [secret]!");
/// ```
#[derive(Clone)]
pub struct Secret(SecretString);

impl Secret {
    /// Takes a value in.
    #[must_use]
    pub fn new(value: impl Into<String>) -> Secret {
        Secret(SecretString::from(value.into()))
    }

    /// The value, for the one place that types or sends it.
    #[must_use]
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    /// Whether a text holds the value: as it is, or as addresses, forms, markup, JSON and file names write it.
    #[must_use]
    pub fn is_in(&self, text: &str) -> bool {
        self.next_in(text, 0).is_some()
    }

    /// A text with every occurrence of the value replaced, for texts that may echo it: as it is, or as addresses, forms, markup,
    /// JSON and file names write it.
    ///
    /// ```
    /// let secret = webhand_guard::Secret::new("pass word/é");
    /// assert_eq!(secret.redact("?p=pass+word%2F%C3%A9&x=1"), "?p=[secret]&x=1");
    /// ```
    #[must_use]
    pub fn redact<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let Some(mut found) = self.next_in(text, 0) else { return Cow::Borrowed(text) };
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        loop {
            out.push_str(&text[at..found.start]);
            out.push_str("[secret]");
            at = found.end;
            match self.next_in(text, at) {
                Some(next) => found = next,
                None => break,
            }
        }
        out.push_str(&text[at..]);
        Cow::Owned(out)
    }

    /// Where the value stands next in a text.
    fn next_in(&self, text: &str, from: usize) -> Option<Range<usize>> {
        let value = self.expose();
        let first = value.chars().next()?;
        let rest = &text[from..];
        let plain = rest.find(value).map(|at| from + at..from + at + value.len());
        // letters and digits alone are written in no other way
        if value.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return plain;
        }
        let until = plain.as_ref().map_or(text.len(), |plain| plain.start + first.len_utf8());
        let may_begin = |letter: char| letter == first || matches!(letter, '%' | '&' | '\\' | '+' | '_' | '-');
        let starts = text[from..until].char_indices().filter(|(_, letter)| may_begin(*letter)).map(|(at, _)| from + at);
        let written = starts.into_iter().find_map(|start| Some(start..start + written_length(value, &text[start..])?));
        written.or(plain)
    }
}

/// How long a value is at the beginning of a text, in whatever form its letters are written there.
fn written_length(value: &str, text: &str) -> Option<usize> {
    let mut at = 0;
    for letter in value.chars() {
        at += letter_length(letter, &text[at..])?;
    }
    Some(at)
}

/// How long a letter is at the beginning of a text, in whatever form it is written there.
fn letter_length(letter: char, text: &str) -> Option<usize> {
    let mut utf8 = [0; 4];
    let percent: String = letter.encode_utf8(&mut utf8).bytes().map(|byte| format!("%{byte:02X}")).collect();
    let mut utf16 = [0; 2];
    let escaped: String = letter.encode_utf16(&mut utf16).iter().map(|unit| format!("\\u{unit:04x}")).collect();
    let numbers = [format!("&#{};", u32::from(letter)), format!("&#x{:x};", u32::from(letter))];
    let names: &[&str] = match letter {
        '&' => &["&amp;"],
        '<' => &["&lt;"],
        '>' => &["&gt;"],
        '"' => &["&quot;", "\\\""],
        '\'' => &["&apos;", "&#039;"],
        '\\' => &["\\\\", "_", "-"],
        '/' => &["\\/", "_", "-"],
        ':' | '*' | '?' | '|' => &["_", "-"],
        ' ' => &["+", "&nbsp;", "_"],
        _ => &[],
    };
    let is = |form: &str| text.get(..form.len()).is_some_and(|begins| begins.eq_ignore_ascii_case(form));
    let form = std::iter::once(percent.as_str())
        .chain([escaped.as_str()])
        .chain(numbers.iter().map(String::as_str))
        .chain(names.iter().copied())
        .find(|form| is(form))
        .map(str::len);
    form.or_else(|| text.starts_with(letter).then(|| letter.len_utf8()))
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl From<String> for Secret {
    fn from(value: String) -> Secret {
        Secret::new(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_absent_from_debug_output_at_any_depth() {
        #[derive(Debug)]
        #[allow(dead_code, reason = "read by Debug")]
        struct Login {
            user: &'static str,
            password: Option<Secret>,
        }
        let login = Login { user: "ada", password: Some(Secret::new("canary-7")) };
        let shown = format!("{login:?} {login:#?}");
        assert!(shown.contains("ada"));
        assert!(!shown.contains("canary-7"));
    }

    #[test]
    fn it_is_taken_out_in_every_form_that_it_is_written_in() {
        let secret = Secret::new("hunter2 s\u{e9}cret/+&");
        for text in [
            "hunter2 s\u{e9}cret/+&",
            "hunter2+s%C3%A9cret%2F%2B%26",
            "hunter2%20s%c3%a9cret/%2b&amp;",
            "hunter2 s&#233;cret/+&#38;",
            "hunter2 s\\u00e9cret\\/+&",
            "hunter2 s\u{e9}cret_+&",
            "hunter2_s\u{e9}cret-+&",
        ] {
            assert_eq!(secret.redact(&format!("a {text} b {text}")), "a [secret] b [secret]", "{text}");
            assert!(secret.is_in(text));
        }
        for text in ["hunter2 secret/+&", "hunter2", "%", "hunter2%20s%C3", ""] {
            assert_eq!(secret.redact(text), text);
        }
        assert_eq!(Secret::new("100%25").redact("100%25 100%2525"), "[secret] [secret]");
    }

    #[test]
    fn an_empty_secret_redacts_nothing() {
        assert_eq!(Secret::new("").redact("abc"), "abc");
    }
}
