//! JSON as models write it: a reader that forgives form and never guesses content.
//!
//! It forgives trailing commas, single quotes, comments, unquoted keys and missing closers, and says so. It keeps
//! repeated keys, knows which parts have their own closer, and goes no deeper than [`MAX_DEPTH`]. It knows no actions.

mod parser;

use serde_json::{Map, Number, Value};

use self::parser::{Broken, Parser};

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

/// Why something of a reply is no plain JSON, though it could be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoValue {
    /// A word that JSON does not have.
    #[error("{0} is not a value")]
    Word(String),
    /// A key that an object has already.
    #[error("{0:?} is given twice")]
    Twice(String),
    #[error("is nested too deep")]
    TooDeep,
    #[error("is not whole")]
    Cut,
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
    pub(super) fn to_value(&self) -> Result<Value, NoValue> {
        Ok(match self {
            Json::Null => Value::Null,
            Json::Bool(flag) => (*flag).into(),
            Json::Number(number) => Value::Number(number.clone()),
            Json::BadNumber(word) => return Err(NoValue::Word(word.clone())),
            Json::Text(text) => text.as_str().into(),
            Json::List(items) => Value::Array(items.iter().map(Json::to_value).collect::<Result<_, _>>()?),
            Json::Object(fields) => {
                let mut map = Map::new();
                for (key, value) in fields {
                    if map.insert(key.clone(), value.to_value()?).is_some() {
                        return Err(NoValue::Twice(key.clone()));
                    }
                }
                map.into()
            }
            Json::TooDeep => return Err(NoValue::TooDeep),
            Json::Cut(_) => return Err(NoValue::Cut),
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
    let mut parser = Parser::new(text, start);
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
