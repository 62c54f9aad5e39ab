//! Containers, keys, numbers and words: the reader that stands at one place of the text and moves on.

use serde_json::Number;

use super::{Json, MAX_DEPTH, extent};

mod strings;

/// What was expected where the text breaks.
pub(super) struct Broken {
    pub(super) wanted: &'static str,
}

/// Reads on from where it stands.
pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    /// The brackets that are open.
    pub(super) openers: Vec<u8>,
    /// The keys read so far.
    pub(super) keys: Vec<String>,
    /// Whether form had to be forgiven.
    pub(super) repaired: bool,
}

/// How many keys are kept for telling what a broken text was.
const KEYS_KEPT: usize = 64;

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str, at: usize) -> Self {
        Self { text, at, openers: Vec::new(), keys: Vec::new(), repaired: false }
    }
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The next byte; a fence ends the text, since no value can hold one outside a string.
    pub(super) fn peek(&self) -> Option<u8> {
        let next = *self.text.as_bytes().get(self.at)?;
        (next != b'`' || !self.rest().starts_with("```")).then_some(next)
    }

    fn skip(&mut self, word: &str) -> bool {
        let there = self.rest().starts_with(word);
        if there {
            self.at += word.len();
        }
        there
    }

    /// Passes over white space and comments.
    pub(super) fn space(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start_matches(|letter: char| {
                letter.is_whitespace()
                    || matches!(letter, '\u{feff}' | '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{2060}')
            });
            let end = if trimmed.starts_with("//") || trimmed.starts_with('#') {
                trimmed.find('\n').unwrap_or(trimmed.len())
            } else if trimmed.starts_with("/*") {
                trimmed.find("*/").map_or(trimmed.len(), |end| end + 2)
            } else {
                self.at = self.text.len() - trimmed.len();
                return;
            };
            self.at = self.text.len() - trimmed.len() + end;
            self.repaired = true;
        }
    }

    pub(super) fn value(&mut self) -> Result<Json, Broken> {
        match self.peek() {
            Some(b'{' | b'[') if self.openers.len() >= MAX_DEPTH => {
                self.at += extent(self.rest());
                Ok(Json::TooDeep)
            }
            Some(b'{') => self.object(),
            Some(b'[') => self.list(),
            Some(byte) if byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.') => Ok(self.number()),
            Some(_) => match self.quote() {
                Some(quote) => self.string(quote),
                None => self.keyword(),
            },
            None => Ok(Json::Cut(Box::new(Json::Null))),
        }
    }

    fn object(&mut self) -> Result<Json, Broken> {
        self.at += 1;
        self.openers.push(b'{');
        let mut fields = Vec::new();
        let closed = loop {
            if let Some(closed) = self.end_of(b'}') {
                break closed;
            }
            let Some(key) = self.key()? else { break false };
            if self.keys.len() < KEYS_KEPT {
                self.keys.push(key.clone());
            }
            self.space();
            if self.peek().is_none() {
                break false;
            }
            if !self.skip(":") {
                if !self.skip("：") {
                    return Err(Broken { wanted: "a colon" });
                }
                self.repaired = true;
            }
            self.space();
            let value = self.value()?;
            let container = matches!(value, Json::Object(_) | Json::List(_));
            fields.push((key, value));
            self.comma(b'}', container)?;
        };
        self.openers.pop();
        Ok(self.finished(Json::Object(fields), closed))
    }

    fn list(&mut self) -> Result<Json, Broken> {
        self.at += 1;
        self.openers.push(b'[');
        let mut items = Vec::new();
        let closed = loop {
            if let Some(closed) = self.end_of(b']') {
                break closed;
            }
            let value = self.value()?;
            let container = matches!(value, Json::Object(_) | Json::List(_));
            items.push(value);
            self.comma(b']', container)?;
        };
        self.openers.pop();
        Ok(self.finished(Json::List(items), closed))
    }

    fn finished(&mut self, value: Json, closed: bool) -> Json {
        if closed {
            return value;
        }
        self.repaired = true;
        Json::Cut(Box::new(value))
    }

    /// Whether the container ends here, and with its own closer. Another container's closer ends it too.
    fn end_of(&mut self, closer: u8) -> Option<bool> {
        self.space();
        match self.peek() {
            None => Some(false),
            Some(byte) if byte == closer => {
                self.at += 1;
                Some(true)
            }
            Some(byte @ (b'}' | b']' | b')')) if self.encloses(byte) => Some(false),
            _ => None,
        }
    }

    fn encloses(&self, closer: u8) -> bool {
        let opener = match closer {
            b'}' => b'{',
            b']' => b'[',
            _ => b'(',
        };
        self.openers.iter().rev().skip(1).any(|open| *open == opener)
    }

    /// Passes over the comma between two values. Between two brackets it may be missing.
    fn comma(&mut self, closer: u8, after_container: bool) -> Result<(), Broken> {
        self.space();
        let mut commas = 0;
        while self.skip(",") || self.skip("，") {
            commas += 1;
            self.space();
        }
        match self.peek() {
            None => Ok(()),
            Some(byte @ (b'}' | b']' | b')')) if byte == closer || self.encloses(byte) => {
                self.repaired |= commas > 0;
                Ok(())
            }
            Some(b'{' | b'[' | b'"') if commas == 0 && after_container => {
                self.repaired = true;
                Ok(())
            }
            Some(_) if commas == 1 => Ok(()),
            Some(_) if commas > 1 => {
                self.repaired = true;
                Ok(())
            }
            Some(_) => Err(Broken { wanted: "a comma or a closing bracket" }),
        }
    }

    /// A key; `None` where the text ends in it.
    fn key(&mut self) -> Result<Option<String>, Broken> {
        if let Some(quote) = self.quote() {
            return match self.string(quote)? {
                Json::Text(text) => Ok(Some(text)),
                _ => Ok(None),
            };
        }
        let word = self.word().to_owned();
        if word.is_empty() {
            return Err(Broken { wanted: "a key" });
        }
        self.repaired = true;
        Ok(Some(word))
    }

    /// Passes over a bare word.
    pub(super) fn word(&mut self) -> &str {
        let rest = self.rest();
        let inside = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$' | '-');
        let mut length = rest.find(|letter: char| !inside(letter)).unwrap_or(rest.len());
        if rest.starts_with(|letter: char| letter.is_numeric() || letter == '-') {
            length = 0;
        }
        let start = self.at;
        self.at += length;
        &self.text[start..self.at]
    }

    fn number(&mut self) -> Json {
        let rest = self.rest();
        let inside = |letter: char| letter.is_alphanumeric() || matches!(letter, '+' | '-' | '.' | '_');
        let length = rest.find(|letter: char| !inside(letter)).unwrap_or(rest.len());
        let word = rest[..length].to_owned();
        self.at += length;
        if let Ok(number) = serde_json::from_str::<Number>(&word) {
            return Json::Number(number);
        }
        self.repaired = true;
        let bare = word.strip_prefix('+').unwrap_or(&word);
        let padded = match bare.strip_prefix('-') {
            Some(bare) if bare.starts_with('.') => format!("-0{bare}"),
            _ if bare.starts_with('.') => format!("0{bare}"),
            _ if bare.ends_with('.') => format!("{bare}0"),
            _ => bare.to_owned(),
        };
        serde_json::from_str(&padded).map_or_else(|_| Json::BadNumber(word.chars().take(40).collect()), Json::Number)
    }

    fn keyword(&mut self) -> Result<Json, Broken> {
        let start = self.at;
        let word = self.word().to_owned();
        let value = match word.as_str() {
            "true" => return Ok(Json::Bool(true)),
            "false" => return Ok(Json::Bool(false)),
            "null" => return Ok(Json::Null),
            "True" | "TRUE" => Json::Bool(true),
            "False" | "FALSE" => Json::Bool(false),
            "None" | "NULL" | "Null" | "undefined" => Json::Null,
            "NaN" | "Infinity" | "nan" | "inf" => Json::BadNumber(word),
            _ if self.peek().is_none() && !word.is_empty() && is_cut_keyword(&word) => Json::Cut(Box::new(Json::Null)),
            _ => {
                self.at = start;
                return Err(Broken { wanted: "a value" });
            }
        };
        self.repaired = true;
        Ok(value)
    }
}

fn is_cut_keyword(word: &str) -> bool {
    ["true", "false", "null", "True", "False", "None", "NaN"].iter().any(|whole| whole.starts_with(word))
}
