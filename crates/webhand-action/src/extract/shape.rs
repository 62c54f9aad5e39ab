//! A JSON Schema as what data must be: texts of a page are made into its numbers, and what does not fit is named. Pure.

use jsonschema::Validator;
use serde_json::{Map, Number, Value};

/// So many faults are named.
const FAULTS: usize = 8;
/// Deeper schemas are not followed.
const DEEPEST: usize = 30;

/// A schema that data is checked against.
///
/// ```
/// use serde_json::json;
/// use webhand_action::DataShape;
/// let schema = json!({"type": "object", "properties": {"total": {"type": "number"}}, "required": ["total"]});
/// let shape = DataShape::of(&schema).unwrap();
/// assert_eq!(shape.exact(json!({"total": "12.5"})), json!({"total": 12.5}));
/// assert!(shape.faults(&json!({"total": "a lot"}))[0].starts_with("/total"));
/// ```
#[derive(Debug)]
pub struct DataShape<'a> {
    schema: &'a Value,
    validator: Validator,
}

impl<'a> DataShape<'a> {
    /// That schema. Nothing is fetched for a `$ref`.
    ///
    /// # Errors
    /// Where it is no JSON Schema, in words.
    pub fn of(schema: &'a Value) -> Result<Self, String> {
        let validator = jsonschema::validator_for(schema).map_err(|error| cut(&error.to_string()))?;
        Ok(Self { schema, validator })
    }

    /// The data with texts of a page as what the schema says they are: a price without its currency, a count without its unit.
    #[must_use]
    pub fn fitted(&self, data: Value) -> Value {
        fitted(self.schema, data, from_text, 0)
    }

    /// The data with those texts as what the schema says they are that say nothing else: `"12.5"` is 12.5, `"12.5 kg"` stays.
    #[must_use]
    pub fn exact(&self, data: Value) -> Value {
        fitted(self.schema, data, from_exact_text, 0)
    }

    /// What does not fit, each with its place as a JSON pointer.
    #[must_use]
    pub fn faults(&self, data: &Value) -> Vec<String> {
        let faults = self.validator.iter_errors(data).take(FAULTS);
        faults
            .map(|fault| format!("{}: {}", place(&fault.instance_path().to_string()), cut(&fault.to_string())))
            .collect()
    }
}

fn place(path: &str) -> &str {
    if path.is_empty() { "the whole" } else { path }
}

fn cut(words: &str) -> String {
    let mut short: String = words.chars().take(200).collect();
    if short.len() < words.len() {
        short.push('…');
    }
    short
}

/// Whether a schema names elements itself.
pub(crate) fn takes_by_selector(schema: &Value) -> bool {
    fn names(schema: &Value, depth: usize) -> bool {
        let Some(fields) = schema.as_object().filter(|_| depth < DEEPEST) else { return false };
        fields.get("x-selector").is_some_and(Value::is_string)
            || fields.get("items").is_some_and(|items| names(items, depth + 1))
            || fields
                .get("properties")
                .and_then(Value::as_object)
                .is_some_and(|inner| inner.values().any(|one| names(one, depth + 1)))
    }
    names(schema, 0)
}

fn fitted(schema: &Value, data: Value, from_text: fn(&Value, String) -> Value, depth: usize) -> Value {
    if depth > DEEPEST {
        return data;
    }
    match data {
        Value::Array(items) => {
            let of = schema.get("items").unwrap_or(&Value::Null);
            items.into_iter().map(|item| fitted(of, item, from_text, depth + 1)).collect()
        }
        Value::Object(fields) => {
            let fields: Map<String, Value> = fields
                .into_iter()
                .map(|(name, value)| {
                    let of = schema.get("properties").and_then(|properties| properties.get(&name));
                    let value = fitted(of.unwrap_or(&Value::Null), value, from_text, depth + 1);
                    (name, value)
                })
                .collect();
            fields.into()
        }
        Value::String(text) => from_text(schema, text),
        other => other,
    }
}

/// A value as JSON.
fn written(value: &Value) -> String {
    value.to_string()
}

/// The same, where the text is that value in JSON, letter for letter.
fn from_exact_text(schema: &Value, text: String) -> Value {
    let same = serde_json::from_str::<Value>(text.trim()).ok().filter(|value| written(value) == text.trim());
    let fits = |value: &Value| match schema.get("type").and_then(Value::as_str) {
        Some("number") => value.is_number(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("boolean") => value.is_boolean(),
        _ => false,
    };
    same.filter(fits).unwrap_or(Value::String(text))
}

/// A text as the value that the schema says it is, where it is one beyond doubt.
fn from_text(schema: &Value, text: String) -> Value {
    let is = |kind: &str| match schema.get("type") {
        Some(Value::String(one)) => one == kind,
        Some(Value::Array(several)) => several.iter().any(|one| one == kind),
        _ => false,
    };
    if is("string") {
        return text.into();
    }
    let number = if is("number") || is("integer") { number(&text) } else { None };
    if let Some(number) = number {
        #[expect(clippy::cast_possible_truncation, reason = "whole and within the safe range")]
        let whole = (number.fract() == 0.0 && number.abs() < 9e15).then(|| Value::from(number as i64));
        return whole.or_else(|| Number::from_f64(number).map(Value::Number)).unwrap_or(Value::String(text));
    }
    match text.trim().to_lowercase().as_str() {
        "true" | "yes" if is("boolean") => true.into(),
        "false" | "no" if is("boolean") => false.into(),
        "" if is("null") => Value::Null,
        _ => text.into(),
    }
}

/// The only number in a text, as people write it: with a currency, with thousands in groups, with either decimal sign. One
/// that could be two numbers is none: `1,234` has a group, `1.234` a fraction.
pub(crate) fn number(text: &str) -> Option<f64> {
    let first = text.find(|letter: char| letter.is_ascii_digit())?;
    let last = text.rfind(|letter: char| letter.is_ascii_digit())?;
    let (before, digits) = (&text[..first], &text[first..=last]);
    let is_space = |letter: char| matches!(letter, ' ' | '\u{a0}' | '\u{2009}' | '\u{202f}' | '\'' | '\u{2019}');
    if digits.len() > 40
        || !digits.chars().all(|letter| letter.is_ascii_digit() || ".,".contains(letter) || is_space(letter))
    {
        return None;
    }
    let count = |sign: char| digits.matches(sign).count();
    let decimal = match (digits.rfind('.'), digits.rfind(',')) {
        (Some(point), Some(comma)) => Some(point.max(comma)),
        (Some(point), None) => (count('.') == 1).then_some(point),
        (None, Some(comma)) => (count(',') == 1 && digits.len() - comma != 4).then_some(comma),
        (None, None) => None,
    };
    let (whole, fraction) = decimal.map_or((digits, ""), |at| (&digits[..at], &digits[at + 1..]));
    if fraction.chars().any(|letter| !letter.is_ascii_digit()) {
        return None;
    }
    let groups: Vec<&str> = whole.split(|letter: char| ".,".contains(letter) || is_space(letter)).collect();
    if groups.len() > 1 && (groups[0].len() > 3 || groups[1..].iter().any(|group| group.len() != 3)) {
        return None;
    }
    let minus = before.trim_end().ends_with(['-', '\u{2212}'])
        || (before.trim_start().starts_with(['-', '\u{2212}']) && !before.chars().any(char::is_alphanumeric));
    let plain = format!(
        "{}{}.{}",
        if minus { "-" } else { "" },
        groups.concat(),
        if fraction.is_empty() { "0" } else { fraction }
    );
    plain.parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (text, wanted) in [
            ("$1,234.50", 1234.5),
            ("1.234,50 €", 1234.5),
            ("1 234,50 zł", 1234.5),
            ("CHF 1'234.50", 1234.5),
            ("1,234", 1234.0),
            ("12,5 %", 12.5),
            ("1.234.567", 1_234_567.0),
            ("-€5", -5.0),
            ("¥ 900", 900.0),
            ("4.20", 4.2),
        ] {
            assert_eq!(number(text), Some(wanted), "{text}");
        }
        for text in ["", "none", "4 of 10", "2024-05-01", "1,23,4", "12 34", "10-20", "3x4"] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn texts_become_what_the_schema_says_and_the_rest_is_named() {
        let schema = json!({"type": "array", "items": {"type": "object", "required": ["name", "price"], "properties": {
            "name": {"type": "string"}, "price": {"type": "number", "minimum": 1}, "left": {"type": "integer"}}}});
        let shape = DataShape::of(&schema).unwrap();
        let data = shape.fitted(json!([{"name": "12", "price": "€ 4,20", "left": "7 left"}, {"price": "free"}]));
        assert_eq!(data[0], json!({"name": "12", "price": 4.2, "left": 7}));
        let faults = shape.faults(&data);
        assert_eq!(faults.len(), 2, "{faults:?}");
        assert!(faults.iter().any(|fault| fault.starts_with("/1/price")), "{faults:?}");
        assert!(DataShape::of(&json!({"type": "colour"})).is_err());
        assert!(DataShape::of(&json!({"$ref": "https://example.org/none.json"})).is_err(), "nothing is fetched");
    }

    proptest! {
        #[test]
        fn no_text_is_too_much(text in "\\PC{0,60}") {
            let _ = number(&text);
        }

        #[test]
        fn groups_are_read_back(number_is in 0u32..1_000_000_000, cents in 0u8..100) {
            let digits = number_is.to_string();
            let mut grouped = String::new();
            for (at, digit) in digits.chars().enumerate() {
                if at > 0 && (digits.len() - at) % 3 == 0 { grouped.push('.'); }
                grouped.push(digit);
            }
            let wanted: f64 = format!("{number_is}.{cents:02}").parse().unwrap();
            prop_assert_eq!(number(&format!("{grouped},{cents:02} EUR")), Some(wanted));
        }
    }
}
