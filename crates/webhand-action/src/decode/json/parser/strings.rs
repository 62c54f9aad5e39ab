//! Strings in any quotation marks, and what their backslashes say.

use super::{Broken, Json, Parser};

/// A quotation mark and what may close it.
#[derive(Clone, Copy)]
pub(super) struct Quote {
    open: char,
    close: [char; 2],
}

impl Parser<'_> {
    /// The quotation mark that stands here.
    pub(super) fn quote(&self) -> Option<Quote> {
        let first = self.rest().chars().next()?;
        Some(match first {
            '"' => Quote { open: first, close: ['"', '"'] },
            '\'' => Quote { open: first, close: ['\'', '\''] },
            '“' | '”' | '„' => Quote { open: first, close: ['”', '“'] },
            '‘' | '’' => Quote { open: first, close: ['’', '‘'] },
            '`' => Quote { open: first, close: ['`', '`'] },
            _ => return None,
        })
    }

    pub(super) fn string(&mut self, quote: Quote) -> Result<Json, Broken> {
        self.repaired |= quote.open != '"';
        self.at += quote.open.len_utf8();
        let mut text = String::new();
        loop {
            let rest = self.rest();
            let stop =
                |letter: char| letter == '\\' || letter == quote.close[0] || letter == quote.close[1] || letter < ' ';
            let Some(length) = rest.find(stop) else {
                text.push_str(rest);
                self.at = self.text.len();
                return Ok(self.finished(Json::Text(text), false));
            };
            text.push_str(&rest[..length]);
            self.at += length;
            let Some(letter) = self.rest().chars().next() else { continue };
            if letter == '\\' {
                if !self.escape(&mut text) {
                    return Ok(self.finished(Json::Text(text), false));
                }
                continue;
            }
            self.at += letter.len_utf8();
            if letter < ' ' {
                self.repaired = true;
            } else if quote.open == '"' || self.at_structure() {
                return Ok(Json::Text(text));
            }
            text.push(letter);
        }
    }

    /// Whether what follows can follow a string: in other quotes than `"` the mark may be an apostrophe.
    fn at_structure(&self) -> bool {
        let mut letters = self.rest().chars().skip_while(|letter| letter.is_whitespace()).take(1);
        let blanks = self.rest().chars().take(256).take_while(|letter| letter.is_whitespace()).count();
        blanks < 256
            && letters.next().is_none_or(|letter| matches!(letter, ',' | '}' | ']' | ':' | ')' | '，' | '：' | '/'))
    }

    /// Reads what a backslash says; `false` where the text ends in it.
    fn escape(&mut self, text: &mut String) -> bool {
        self.at += 1;
        let Some(letter) = self.rest().chars().next() else { return false };
        self.at += letter.len_utf8();
        match letter {
            '"' | '\\' | '/' => text.push(letter),
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            'b' => text.push('\u{8}'),
            'f' => text.push('\u{c}'),
            'u' => self.unicode(text),
            '\n' => self.repaired = true,
            _ => {
                self.repaired = true;
                if letter.is_alphanumeric() {
                    text.push('\\');
                }
                text.push(letter);
            }
        }
        true
    }

    fn unicode(&mut self, text: &mut String) {
        let Some(first) = self.hex() else {
            self.repaired = true;
            text.push_str("\\u");
            return;
        };
        let mut unit = first;
        if (0xD800..0xDC00).contains(&first) && self.rest().starts_with("\\u") {
            let before = self.at;
            self.at += 2;
            match self.hex() {
                Some(second) if (0xDC00..0xE000).contains(&second) => {
                    unit = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                }
                _ => self.at = before,
            }
        }
        text.push(char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER));
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = self.rest().get(..4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        let unit = u32::from_str_radix(digits, 16).ok()?;
        self.at += 4;
        Some(unit)
    }
}
