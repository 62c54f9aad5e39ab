//! Quoted parts of a line, put aside so that the grammar never looks inside them.
//!
//! Each quoted part is replaced by one private-use character; the grammar then splits and compares the rest freely.

/// First of the stand-in characters.
const FIRST: u32 = 0xE000;
/// How many quoted parts one task can have.
const MOST: usize = 6400;

/// A text with its quoted parts put aside.
#[derive(Clone, Debug, Default)]
pub(super) struct Masked {
    /// The text, each quoted part one stand-in character.
    pub(super) text: String,
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
struct Part {
    content: String,
    /// With its quotes, as written.
    whole: String,
    /// A stand-in character that was in the text itself.
    plain: bool,
}

/// The text has a quote that is never closed, or too many quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unclosed;

impl Masked {
    /// Puts the quoted parts of one line aside.
    pub(super) fn new(line: &str) -> Result<Self, Unclosed> {
        let mut masked = Self::default();
        let mut rest = line;
        let mut before = None;
        while let Some(open) = rest.chars().next() {
            let after = &rest[open.len_utf8()..];
            if let Some(close) = closer(open, before) {
                let end = find_close(after, open, close);
                match end {
                    Some(end) => {
                        let whole = &rest[..open.len_utf8() + end + close.len_utf8()];
                        masked.put(after[..end].to_owned(), whole.to_owned(), false)?;
                        rest = &rest[whole.len()..];
                        before = Some(close);
                        continue;
                    }
                    None if open == '\'' || open == '‘' => {}
                    None => return Err(Unclosed),
                }
            }
            if is_stand_in(open) {
                masked.put(open.to_string(), open.to_string(), true)?;
            } else {
                masked.text.push(open);
            }
            before = Some(open);
            rest = after;
        }
        Ok(masked)
    }

    fn put(&mut self, content: String, whole: String, plain: bool) -> Result<(), Unclosed> {
        if self.parts.len() >= MOST {
            return Err(Unclosed);
        }
        let number = u32::try_from(self.parts.len()).map_err(|_| Unclosed)?;
        self.text.push(char::from_u32(FIRST + number).ok_or(Unclosed)?);
        self.parts.push(Part { content, whole, plain });
        Ok(())
    }

    fn part(&self, stand_in: char) -> Option<&Part> {
        (stand_in as u32).checked_sub(FIRST).and_then(|index| self.parts.get(index as usize))
    }

    /// The content of the quoted part that this text is, if it is exactly one.
    pub(super) fn quoted(&self, text: &str) -> Option<String> {
        let mut chars = text.trim().chars();
        let only = chars.next()?;
        if chars.next().is_some() {
            return None;
        }
        self.part(only).filter(|part| !part.plain).map(|part| part.content.clone())
    }

    /// Whether a quoted part stands in this text.
    pub(super) fn has_quote(&self, text: &str) -> bool {
        text.chars().any(|c| self.part(c).is_some_and(|part| !part.plain))
    }

    /// The text as it was written, quotes included.
    pub(super) fn written(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        for c in text.chars() {
            match self.part(c) {
                Some(part) => out.push_str(&part.whole),
                None => out.push(c),
            }
        }
        out
    }

    /// The value that a text means: what is inside the quotes where it is one quoted part, else as it was written.
    pub(super) fn value(&self, text: &str) -> String {
        self.quoted(text).unwrap_or_else(|| self.written(text.trim()))
    }
}

/// Whether a character is a stand-in for a quoted part.
pub(super) fn is_stand_in(c: char) -> bool {
    let most = u32::try_from(MOST).unwrap_or(0);
    (FIRST..FIRST + most).contains(&(c as u32))
}

/// The closing quote of an opening one; an apostrophe opens only at the start of a word.
fn closer(open: char, before: Option<char>) -> Option<char> {
    match open {
        '"' => Some('"'),
        '“' => Some('”'),
        '‘' => Some('’'),
        '「' => Some('」'),
        '『' => Some('』'),
        '«' => Some('»'),
        '＂' => Some('＂'),
        '`' => Some('`'),
        '\'' if before.is_none_or(|c| c.is_whitespace() || c == '(' || !c.is_ascii()) => Some('\''),
        _ => None,
    }
}

/// Where the closing quote stands; an apostrophe closes only at the end of a word.
fn find_close(after: &str, open: char, close: char) -> Option<usize> {
    after.char_indices().find_map(|(at, c)| {
        let next = after[at + c.len_utf8()..].chars().next();
        let ends = open != '\'' || next.is_none_or(|c| !c.is_ascii_alphanumeric());
        (c == close && ends).then_some(at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_quote_is_put_aside() {
        for line in ["click \"a b\"", "click “a b”", "click 「a b」", "click 'a b'", "click ‘a b’", "click `a b`"]
        {
            let masked = Masked::new(line).unwrap();
            assert_eq!(masked.text.chars().count(), 7, "{line}");
            assert_eq!(masked.value(&masked.text[6..]), "a b", "{line}");
            assert_eq!(masked.written(&masked.text), line);
        }
    }

    #[test]
    fn an_apostrophe_inside_a_word_is_no_quote() {
        let masked = Masked::new("click Don't ask again").unwrap();
        assert!(!masked.has_quote(&masked.text));
        assert_eq!(Masked::new("type 'it's fine' here").unwrap().quoted("\u{E000}").unwrap(), "it's fine");
    }

    #[test]
    fn an_open_quote_is_said() {
        assert_eq!(Masked::new("click \"Save").unwrap_err(), Unclosed);
        assert_eq!(Masked::new("点击“保存").unwrap_err(), Unclosed);
    }

    #[test]
    fn a_stand_in_in_the_text_stays_what_it_is() {
        let masked = Masked::new("click \u{E000} and \"x\"").unwrap();
        assert_eq!(masked.written(&masked.text), "click \u{E000} and \"x\"");
        assert!(masked.quoted("\u{E000}").is_none());
    }
}
