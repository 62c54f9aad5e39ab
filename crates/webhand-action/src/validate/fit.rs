//! Makes a parameter's value fit its schema, where only the plain type differs (`"5"` for 5), and says what does not fit.

use serde_json::{Map, Number, Value};
use webhand_page::RefText;

use super::ParamFault;
use crate::catalogue::params::{MAX_TEXT, ParamSpec};

/// The largest whole number that JSON carries safely.
const SAFE: f64 = 9_007_199_254_740_991.0;

/// The value in the parameter's own type; `None` with faults noted when it cannot be.
pub(super) fn fit(param: &ParamSpec, value: Value, faults: &mut Vec<ParamFault>) -> Option<Value> {
    let before = faults.len();
    let value = fit_schema(&param.schema, value, &param.name, faults);
    (faults.len() == before).then_some(value)
}

fn fit_schema(schema: &Value, value: Value, path: &str, faults: &mut Vec<ParamFault>) -> Value {
    match (schema.get("x-kind").and_then(Value::as_str), &value) {
        (Some("ref"), _) => return fit_ref(value, path, faults),
        (Some("texts"), Value::Array(items)) => {
            let texts = items.iter().enumerate();
            return texts.map(|(at, item)| fit_text(schema, item.clone(), &format!("{path}[{at}]"), faults)).collect();
        }
        _ => {}
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("string") => fit_text(schema, value, path, faults),
        Some("boolean") => fit_flag(value, path, faults),
        Some("integer") => fit_number(schema, value, path, true, faults),
        Some("number") => fit_number(schema, value, path, false, faults),
        Some("array") => fit_list(schema, value, path, faults),
        Some("object") => fit_object(schema, value, path, faults),
        _ => value,
    }
}

fn fit_ref(value: Value, path: &str, faults: &mut Vec<ParamFault>) -> Value {
    let text = match &value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => whole(number).filter(|number| *number >= 0.0).map(|number| format!("{number:.0}")),
        _ => None,
    };
    match text.and_then(|text| text.parse::<RefText>().ok()) {
        Some(target) => target.to_string().into(),
        None => {
            let hint = "write a letter and a number as the page shows them, such as B12";
            faults.push(ParamFault::bad(path, format!("{} is not a ref", shown(&value))).hint(hint));
            value
        }
    }
}

fn fit_text(schema: &Value, value: Value, path: &str, faults: &mut Vec<ParamFault>) -> Value {
    let text = match value {
        Value::String(text) => text,
        Value::Number(number) => match whole(&number) {
            Some(whole) if whole.abs() <= SAFE => format!("{whole:.0}"),
            _ => number.to_string(),
        },
        Value::Bool(flag) => flag.to_string(),
        other => {
            faults.push(ParamFault::bad(path, format!("{} is not a text", shown(&other))));
            return other;
        }
    };
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        return fit_word(words, text, path, faults);
    }
    if text.contains('\0') {
        faults.push(ParamFault::bad(path, "holds a NUL character").hint("leave it out"));
    }
    let length = text.chars().count();
    check_bounds(length_bounds(schema, "minLength", "maxLength"), length as f64, "characters", path, faults);
    text.into()
}

fn fit_word(words: &[Value], text: String, path: &str, faults: &mut Vec<ParamFault>) -> Value {
    let folded = |word: &str| -> String {
        word.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
    };
    let wanted = folded(&text);
    let words = || words.iter().filter_map(Value::as_str);
    if let Some(word) = words().find(|word| **word == text).or_else(|| words().find(|word| folded(word) == wanted)) {
        return word.into();
    }
    let all: Vec<&str> = words().collect();
    let message = format!("{} is not allowed", shown(&Value::from(text.as_str())));
    faults.push(ParamFault::bad(path, message).hint(format!("allowed: {}", all.join(", "))));
    text.into()
}

fn fit_flag(value: Value, path: &str, faults: &mut Vec<ParamFault>) -> Value {
    match &value {
        Value::Bool(_) => value,
        Value::String(text) if text.trim().eq_ignore_ascii_case("true") => true.into(),
        Value::String(text) if text.trim().eq_ignore_ascii_case("false") => false.into(),
        _ => {
            faults.push(ParamFault::bad(path, format!("{} is not true or false", shown(&value))));
            value
        }
    }
}

fn fit_number(schema: &Value, value: Value, path: &str, integer: bool, faults: &mut Vec<ParamFault>) -> Value {
    let number = match &value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => plain_number(text.trim()),
        _ => None,
    };
    let Some(number) = number.filter(|number| number.is_finite()) else {
        faults.push(ParamFault::bad(path, format!("{} is not a number", shown(&value))));
        return value;
    };
    if integer && (number.fract() != 0.0 || number.abs() > SAFE) {
        faults.push(ParamFault::bad(path, format!("{} is not a whole number", shown(&value))));
        return value;
    }
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
    check_bounds((bound("minimum"), bound("maximum")), number, "", path, faults);
    if integer {
        #[expect(clippy::cast_possible_truncation, reason = "checked above: whole and within the safe range")]
        return (number as i64).into();
    }
    Number::from_f64(number).map_or(value, Value::Number)
}

/// A decimal number; `inf`, `nan` and hexadecimal are none.
fn plain_number(text: &str) -> Option<f64> {
    let plain = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E');
    (text.len() <= 40 && text.bytes().all(plain)).then(|| text.parse().ok()).flatten()
}

fn fit_list(schema: &Value, value: Value, path: &str, faults: &mut Vec<ParamFault>) -> Value {
    let items = match value {
        Value::Array(items) => items,
        Value::Object(_) => {
            faults.push(ParamFault::bad(path, format!("{} is not a list", shown(&value))));
            return value;
        }
        one => vec![one],
    };
    check_bounds(length_bounds(schema, "minItems", "maxItems"), items.len() as f64, "items", path, faults);
    let Some(inner) = schema.get("items") else { return items.into() };
    let fitted =
        items.into_iter().enumerate().map(|(index, item)| fit_schema(inner, item, &format!("{path}[{index}]"), faults));
    Value::Array(fitted.take(10_000).collect())
}

fn fit_object(schema: &Value, value: Value, path: &str, faults: &mut Vec<ParamFault>) -> Value {
    let Value::Object(fields) = value else {
        faults.push(ParamFault::bad(path, format!("{} is not an object", shown(&value))));
        return value;
    };
    let properties = schema.get("properties").and_then(Value::as_object);
    let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
    let mut fitted = Map::new();
    for (name, inner) in fields {
        let inner_path = format!("{path}.{name}");
        match properties.and_then(|properties| properties.get(&name)) {
            Some(_) if inner.is_null() => {}
            Some(property) => {
                fitted.insert(name, fit_schema(property, inner, &inner_path, faults));
            }
            None if closed => faults.push(ParamFault::bad(&inner_path, "is not known here")),
            None => {
                fitted.insert(name, inner);
            }
        }
    }
    for name in schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
        let nullable =
            properties.and_then(|properties| properties.get(name)).is_some_and(|one| one.get("type").is_none());
        if !fitted.contains_key(name) && !nullable {
            faults.push(ParamFault::missing(&format!("{path}.{name}"), ""));
        }
    }
    fitted.into()
}

fn length_bounds(schema: &Value, min: &str, max: &str) -> (Option<f64>, Option<f64>) {
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
    (bound(min), Some(bound(max).unwrap_or(MAX_TEXT)))
}

fn check_bounds(
    (min, max): (Option<f64>, Option<f64>),
    number: f64,
    unit: &str,
    path: &str,
    faults: &mut Vec<ParamFault>,
) {
    let (has, unit) = if unit.is_empty() { ("is", String::new()) } else { ("has", format!(" {unit}")) };
    if let Some(min) = min.filter(|min| number < *min) {
        let fault = if number == 0.0 && has == "has" {
            ParamFault::bad(path, "is empty")
        } else {
            ParamFault::bad(path, format!("{has} {number}{unit}; at least {min} must be"))
        };
        faults.push(fault);
    }
    if let Some(max) = max.filter(|max| number > *max) {
        faults.push(ParamFault::bad(path, format!("{has} {number}{unit}; at most {max} may be")));
    }
}

/// The number, where it is whole.
fn whole(number: &Number) -> Option<f64> {
    number.as_f64().filter(|number| number.is_finite() && number.fract() == 0.0)
}

/// A value as a message quotes it: never long.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        other => {
            let text = other.to_string();
            if text.chars().count() <= 60 {
                return text;
            }
            let cut: String = text.chars().take(57).collect();
            format!("{cut}…")
        }
    }
}
