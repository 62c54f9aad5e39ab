//! JSON as models write it: a reader that forgives form and never guesses content.
//!
//! It forgives trailing commas, single quotes, comments, unquoted keys and missing closers, and says so. It keeps
//! repeated keys, knows which parts have their own closer, and goes no deeper than [`MAX_DEPTH`]. It knows no actions.

use serde_json::{Map, Number, Value};

/// How deep a value may be nested; what is deeper is passed over unread.
pub(super) const MAX_DEPTH: usize = 64;

/// A value as it was written.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json {
    Null,
    Bool(bool),
    Number(Number),
    /// `NaN`, `Infinity`, `12px`: looks like a number and is none.
    BadNumber(String),
    Text(String),
    List(Vec<Json>),
    /// Keys in order, repeated ones too.
    Object(Vec<(String, Json)>),
    /// Nested deeper than [`MAX_DEPTH`].
    TooDeep,
    /// A value whose own closer is not there.
    Cut(Box<Json>),
}

impl Json {
    /// Whether every part has its own closer.
    pub(super) fn whole(&self) -> bool {
        match self {
            Json::Cut(_) => false,
            Json::List(items) => items.iter().all(Json::whole),
            Json::Object(fields) => fields.iter().all(|(_, value)| value.whole()),
            _ => true,
        }
    }

    /// Whether some part is nested too deep.
    pub(super) fn too_deep(&self) -> bool {
        match self {
            Json::TooDeep => true,
            Json::Cut(inner) => inner.too_deep(),
            Json::List(items) => items.iter().any(Json::too_deep),
            Json::Object(fields) => fields.iter().any(|(_, value)| value.too_deep()),
            _ => false,
        }
    }

    /// The value, its own closer there or not.
    pub(super) fn open(&self) -> &Json {
        match self {
            Json::Cut(inner) => inner,
            other => other,
        }
    }

    /// The value of the first such key, unless it is null.
    pub(super) fn get(&self, key: &str) -> Option<&Json> {
        let Json::Object(fields) = self.open() else { return None };
        fields.iter().find(|(name, value)| name == key && *value != Json::Null).map(|(_, value)| value)
    }

    /// The text, where it is one.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The value as plain JSON, or where and why it cannot be.
    pub(super) fn to_value(&self) -> Result<Value, String> {
        Ok(match self {
            Json::Null => Value::Null,
            Json::Bool(flag) => (*flag).into(),
            Json::Number(number) => Value::Number(number.clone()),
            Json::BadNumber(word) => return Err(format!("{word} is not a value")),
            Json::Text(text) => text.as_str().into(),
            Json::List(items) => Value::Array(items.iter().map(Json::to_value).collect::<Result<_, _>>()?),
            Json::Object(fields) => {
                let mut map = Map::new();
                for (key, value) in fields {
                    if map.insert(key.clone(), value.to_value()?).is_some() {
                        return Err(format!("{key:?} is given twice"));
                    }
                }
                map.into()
            }
            Json::TooDeep => return Err("is nested too deep".to_owned()),
            Json::Cut(_) => return Err("is not whole".to_owned()),
        })
    }
}

/// A value that was read.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) value: Json,
    /// Where it ends.
    pub(super) end: usize,
    /// Whether form had to be forgiven.
    pub(super) repaired: bool,
}

/// A text that is not a value.
#[derive(Debug)]
pub(super) struct Damage {
    /// Where it breaks.
    pub(super) at: usize,
    /// What was expected there.
    pub(super) wanted: &'static str,
    /// The keys that were read before it broke.
    pub(super) keys: Vec<String>,
}

/// Reads the value that begins at `start`; what follows it is left alone.
pub(super) fn parse(text: &str, start: usize) -> Result<Parsed, Damage> {
    let mut parser = Parser { text, at: start, openers: Vec::new(), keys: Vec::new(), repaired: false };
    match parser.value() {
        Ok(value) => Ok(Parsed { value, end: parser.at, repaired: parser.repaired }),
        Err(Broken { wanted }) => Err(Damage { at: parser.at, wanted, keys: parser.keys }),
    }
}

/// Reads a text that is one value and nothing else.
pub(super) fn parse_all(text: &str) -> Option<Parsed> {
    let start = text.len() - text.trim_start().len();
    let parsed = parse(text, start).ok()?;
    text[parsed.end..].trim().is_empty().then_some(parsed)
}

/// Reads the comma-separated `key=value` pairs of a call written as code, from after its parenthesis.
pub(super) fn parse_call(text: &str, start: usize) -> Option<(Vec<(String, Json)>, usize)> {
    let mut parser = Parser { text, at: start, openers: vec![b'('], keys: Vec::new(), repaired: true };
    let mut fields = Vec::new();
    loop {
        parser.space();
        match parser.peek()? {
            b')' => return Some((fields, parser.at + 1)),
            b',' => parser.at += 1,
            _ => {
                let key = parser.word().to_owned();
                parser.space();
                if key.is_empty() || parser.peek()? != b'=' {
                    return None;
                }
                parser.at += 1;
                parser.space();
                fields.push((key, parser.value().ok()?));
            }
        }
    }
}

struct Broken {
    wanted: &'static str,
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    /// The brackets that are open.
    openers: Vec<u8>,
    keys: Vec<String>,
    repaired: bool,
}

/// How many keys are kept for telling what a broken text was.
const KEYS_KEPT: usize = 64;

impl Parser<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The next byte; a fence ends the text, since no value can hold one outside a string.
    fn peek(&self) -> Option<u8> {
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
    fn space(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start_matches(|letter: char| {
                letter.is_whitespace() || matches!(letter, '\u{feff}' | '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{2060}')
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

    fn value(&mut self) -> Result<Json, Broken> {
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
    fn word(&mut self) -> &str {
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

    /// The quotation mark that stands here.
    fn quote(&self) -> Option<Quote> {
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

    fn string(&mut self, quote: Quote) -> Result<Json, Broken> {
        self.repaired |= quote.open != '"';
        self.at += quote.open.len_utf8();
        let mut text = String::new();
        loop {
            let rest = self.rest();
            let stop = |letter: char| letter == '\\' || letter == quote.close[0] || letter == quote.close[1] || letter < ' ';
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
        blanks < 256 && letters.next().is_none_or(|letter| matches!(letter, ',' | '}' | ']' | ':' | ')' | '，' | '：' | '/'))
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

#[derive(Clone, Copy)]
struct Quote {
    open: char,
    close: [char; 2],
}

fn is_cut_keyword(word: &str) -> bool {
    ["true", "false", "null", "True", "False", "None", "NaN"].iter().any(|whole| whole.starts_with(word))
}

/// How far the brackets reach that open at the beginning of the text: to their closer or to the end. Iterative.
pub(super) fn extent(text: &str) -> usize {
    extent_by(text, true).max(extent_by(text, false))
}

fn extent_by(text: &str, strings: bool) -> usize {
    let (mut depth, mut inside, mut escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if inside => escaped = true,
            b'"' if strings => inside = !inside,
            _ if inside => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Value) {
        let parsed = parse_all(text).unwrap_or_else(|| panic!("{text} should be read"));
        assert!(parsed.value.whole(), "{text}");
        assert_eq!(parsed.value.to_value().unwrap(), expected, "{text}");
    }

    #[test]
    fn plain_json_is_read_as_it_is_and_not_called_repaired() {
        let text = r#"{"a": [1, -2.5e3, "x\"\\\n\u00e9\ud83d\ude00", true, false, null], "b": {}}"#;
        let parsed = parse_all(text).unwrap();
        assert!(!parsed.repaired);
        assert_eq!(parsed.value.to_value().unwrap(), serde_json::from_str::<Value>(text).unwrap());
    }

    #[test]
    fn form_is_forgiven() {
        check("{a: 'it', b: [1,2,],}", json!({"a": "it", "b": [1, 2]}));
        check("{'t': 'it's here', 'u': 'x'}", json!({"t": "it's here", "u": "x"}));
        check("{“a”：“b”，\n# note\n\"c\": True /* x */}", json!({"a": "b", "c": true}));
        check("{\"a\": +.5, \"b\": 5.}", json!({"a": 0.5, "b": 5.0}));
        check("{\"a\": \"two\nlines \\d \\$\"}", json!({"a": "two\nlines \\d $"}));
        check("[{\"a\":1} {\"b\":2}]", json!([{"a": 1}, {"b": 2}]));
        check("\"\\ud83d!\"", json!("\u{fffd}!"));
    }

    #[test]
    fn what_lacks_its_closer_is_marked() {
        let parsed = parse_all(r#"{"a":[{"b":1},{"c":"x"#).unwrap();
        let Json::Cut(outer) = parsed.value else { panic!("the object is cut") };
        let Json::Object(fields) = *outer else { panic!("an object") };
        let Json::Cut(list) = &fields[0].1 else { panic!("the list is cut") };
        let Json::List(items) = list.as_ref() else { panic!("a list") };
        assert_eq!((items[0].whole(), items[1].whole()), (true, false));
    }

    #[test]
    fn a_foreign_closer_ends_what_it_encloses() {
        let parsed = parse_all(r#"{"a":[{"b":1}}"#).unwrap();
        assert!(matches!(&parsed.value, Json::Object(fields) if matches!(fields[0].1, Json::Cut(_))));
    }

    #[test]
    fn what_is_not_a_value_is_not_read() {
        for text in ["{curly}", "{\"a\" 1}", "{\"a\": word}", "[see this]", "{\"t\": \"say \"hi\" now\"}", "{,}"] {
            assert!(parse(text, 0).is_err(), "{text}");
        }
    }
}
