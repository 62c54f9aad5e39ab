//! How English names a control: `the second "Delete" button in the row "Alice"`.
//!
//! Pure: gives every reading that the words allow; which of them is on the page is not known here.

use super::{
    quotes::Masked,
    refs,
    step::{Ordinal, Reading, RoleWord, Wanted},
    unclear::Unclear,
};

/// Role words, longer ones before their own endings.
const ROLES: &[(&str, RoleWord)] = &[
    ("radio button", RoleWord::Radio),
    ("toggle switch", RoleWord::Switch),
    ("check box", RoleWord::Checkbox),
    ("checkbox", RoleWord::Checkbox),
    ("tick box", RoleWord::Checkbox),
    ("tickbox", RoleWord::Checkbox),
    ("text box", RoleWord::Field),
    ("textbox", RoleWord::Field),
    ("text field", RoleWord::Field),
    ("text area", RoleWord::Field),
    ("textarea", RoleWord::Field),
    ("input field", RoleWord::Field),
    ("input box", RoleWord::Field),
    ("search field", RoleWord::Field),
    ("drop-down list", RoleWord::Dropdown),
    ("dropdown list", RoleWord::Dropdown),
    ("drop-down menu", RoleWord::Dropdown),
    ("dropdown menu", RoleWord::Dropdown),
    ("drop-down", RoleWord::Dropdown),
    ("dropdown", RoleWord::Dropdown),
    ("select box", RoleWord::Dropdown),
    ("combo box", RoleWord::Dropdown),
    ("combobox", RoleWord::Dropdown),
    ("select", RoleWord::Dropdown),
    ("list", RoleWord::Dropdown),
    ("menu item", RoleWord::Option),
    ("option", RoleWord::Option),
    ("radio", RoleWord::Radio),
    ("switch", RoleWord::Switch),
    ("toggle", RoleWord::Switch),
    ("field", RoleWord::Field),
    ("input", RoleWord::Field),
    ("box", RoleWord::Box),
    ("button", RoleWord::Button),
    ("link", RoleWord::Link),
    ("tab", RoleWord::Tab),
    ("image", RoleWord::Image),
    ("picture", RoleWord::Image),
    ("icon", RoleWord::Image),
    ("slider", RoleWord::Slider),
];

/// Words between a control and the place it stands in. The first group may follow any name; the second only a quoted name
/// or a role word, because such words also stand inside names (`Sign in`, `Search for shops`).
const PLAIN_SEPARATORS: &[&str] = &[" inside ", " within ", " next to ", " in the ", " of the "];
const LOOSE_SEPARATORS: &[&str] =
    &["inside ", "within ", "next to ", "beside ", "under ", "near ", "from ", "for ", "in ", "of ", "on ", "at "];

/// Nouns for places, which are not part of the place's name.
const PLACES: &[&str] = &[
    "table row",
    "row",
    "line",
    "list item",
    "item",
    "card",
    "section",
    "form",
    "frame",
    "iframe",
    "dialog",
    "group",
    "table",
    "list",
    "panel",
    "menu",
    "area",
    "popup",
    "box",
];

/// Words that join a noun to a name.
const JOINERS: &[&str] = &[
    "with the label ",
    "with the name ",
    "with the text ",
    "that says ",
    "that contains ",
    "containing ",
    "labelled ",
    "labeled ",
    "named ",
    "called ",
    "saying ",
    "marked ",
    "titled ",
    "with ",
    "of ",
    "for ",
];

/// Reads a phrase that names a control.
pub(super) fn wanted(masked: &Masked, phrase: &str) -> Result<Wanted, Unclear> {
    let text = without_article(phrase.trim());
    if text.is_empty() {
        return Err(Unclear::new("it does not say which control"));
    }
    let readings = if masked.has_quote(text) { vec![quoted(masked, text)?] } else { unquoted(masked, text) };
    Ok(Wanted { phrase: masked.written(phrase.trim()), readings })
}

/// A ref, or a name without quotes.
fn unquoted(masked: &Masked, text: &str) -> Vec<Reading> {
    let with_role = [trailing_role(text), leading_role(text)].into_iter().flatten();
    let bodies = std::iter::once((None, text)).chain(with_role.map(|(role, body)| (Some(role), body)));
    match refs::reading(bodies) {
        Some((reading, true)) => vec![reading],
        Some((reading, false)) => std::iter::once(reading).chain(plain(masked, text)).collect(),
        None => plain(masked, text),
    }
}

/// `[second] [button] "Save" [button] [in the row "Alice"]`: one reading.
fn quoted(masked: &Masked, text: &str) -> Result<Reading, Unclear> {
    let unclear = |part: &str| Unclear::new(format!("{:?} is not understood here", masked.written(part.trim())));
    let at = text.find(|c: char| masked.quoted(&c.to_string()).is_some()).unwrap_or(0);
    let (before, rest) = text.split_at(at);
    let width = rest.chars().next().map_or(0, char::len_utf8);
    let (name, after) = rest.split_at(width);
    let mut reading = Reading { name: masked.quoted(name), ..Reading::default() };
    if reading.name.as_ref().is_some_and(|name| name.trim().is_empty()) {
        return Err(Unclear::new("there is no name in the quotes"));
    }

    let mut before = before.trim();
    if let Some((ordinal, rest)) = ordinal(before) {
        reading.ordinal = Some(ordinal);
        before = rest;
    }
    if let Some((role, rest)) = leading_role(before) {
        reading.role = Some(role);
        before = rest;
    }
    // A joiner stands before the name, so that here it ends the text.
    let joined = format!("{before} ");
    if !before.is_empty() && !JOINERS.iter().any(|joiner| joiner.eq_ignore_ascii_case(&joined)) {
        return Err(unclear(before));
    }

    let mut after = after.trim();
    if let Some((role, rest)) = leading_role(after) {
        reading.role = reading.role.or(Some(role));
        after = rest;
    }
    if !after.is_empty() {
        let place = LOOSE_SEPARATORS.iter().find_map(|separator| strip_prefix(after, separator));
        reading.within = Some(place.and_then(|place| place_name(masked, place)).ok_or_else(|| unclear(after))?);
    }
    Ok(reading)
}

/// Without quotes every reading is kept, the longest name first.
fn plain(masked: &Masked, text: &str) -> Vec<Reading> {
    let mut bodies = vec![(text, None)];
    for (body, place) in splits(text) {
        if let Some(place) = place_name(masked, place) {
            bodies.push((body, Some(place)));
        }
    }
    let mut readings = Vec::new();
    for (body, within) in bodies {
        let counted = ordinal(body).map(|(ordinal, rest)| (Some(ordinal), rest));
        for (ordinal, rest) in std::iter::once((None, body)).chain(counted) {
            let rest = without_article(rest);
            let roles = [trailing_role(rest), leading_role(rest)];
            let with_role = roles.into_iter().flatten().map(|(role, name)| (Some(role), name));
            for (role, name) in std::iter::once((None, rest)).chain(with_role) {
                let name = name.trim();
                if name.is_empty() && role.is_none() {
                    continue;
                }
                let name = (!name.is_empty()).then(|| name.to_owned());
                readings.push(Reading { name, role, ordinal, within: within.clone(), r#ref: None });
            }
        }
    }
    readings.sort_by_key(|reading| std::cmp::Reverse(reading.name.as_ref().map_or(0, String::len)));
    readings.dedup();
    readings
}

/// The places where a phrase without quotes can be cut into a control and where it stands (at most four).
fn splits(text: &str) -> Vec<(&str, &str)> {
    let lower = text.to_ascii_lowercase();
    let mut found = Vec::new();
    for separator in PLAIN_SEPARATORS {
        if let Some(at) = lower.find(separator) {
            found.push((&text[..at], &text[at + separator.len()..]));
        }
    }
    for (word, _) in ROLES {
        let Some(at) = lower.find(&format!("{word} ")) else { continue };
        let end = at + word.len();
        let rest = text[end..].trim_start();
        if let Some(place) = LOOSE_SEPARATORS.iter().find_map(|separator| strip_prefix(rest, separator)) {
            found.push((&text[..end], place));
        }
    }
    found.truncate(4);
    found
}

/// `the row "Alice"`, `row of Alice`, `Address form`: the name of the place.
fn place_name(masked: &Masked, place: &str) -> Option<String> {
    let mut text = without_article(place.trim());
    if let Some(rest) = PLACES.iter().find_map(|noun| strip_word(text, noun)) {
        text = rest;
        if let Some(rest) = JOINERS.iter().find_map(|joiner| strip_prefix(text, joiner)) {
            text = without_article(rest);
        }
    }
    if let Some(rest) = PLACES.iter().find_map(|noun| strip_last_word(text, noun)) {
        text = rest;
    }
    let text = text.trim();
    if text.is_empty() || (masked.has_quote(text) && masked.quoted(text).is_none()) {
        return None;
    }
    Some(masked.value(text))
}

/// Drops a leading article.
pub(super) fn without_article(text: &str) -> &str {
    ["the ", "a ", "an ", "this ", "that "]
        .iter()
        .find_map(|article| strip_prefix(text, article))
        .unwrap_or(text)
        .trim_start()
}

/// Whether the phrase says what kind of control it is.
pub(super) fn has_role(text: &str) -> bool {
    trailing_role(text).is_some() || leading_role(text).is_some()
}

fn trailing_role(text: &str) -> Option<(RoleWord, &str)> {
    ROLES.iter().find_map(|(word, role)| strip_last_word(text, word).map(|rest| (*role, rest)))
}

fn leading_role(text: &str) -> Option<(RoleWord, &str)> {
    ROLES.iter().find_map(|(word, role)| strip_word(text, word).map(|rest| (*role, rest)))
}

fn ordinal(text: &str) -> Option<(Ordinal, &str)> {
    const WORDS: &[&str] =
        &["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
    if let Some(rest) = strip_word(text, "last") {
        return Some((Ordinal::Last, rest));
    }
    for (number, word) in (1u32..).zip(WORDS) {
        if let Some(rest) = strip_word(text, word) {
            return Some((Ordinal::Nth(number), rest));
        }
    }
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number: u32 = text[..digits].parse().ok().filter(|number| (1..=1000).contains(number))?;
    ["st", "nd", "rd", "th"]
        .iter()
        .find_map(|ending| strip_word(&text[digits..], ending))
        .map(|rest| (Ordinal::Nth(number), rest))
}

/// Drops a prefix, whatever its case.
pub(super) fn strip_prefix<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let head = text.get(..prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then(|| &text[prefix.len()..])
}

/// Drops a whole word or words from the start.
pub(super) fn strip_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let rest = strip_prefix(text, word)?;
    let ends = rest.chars().next().is_none_or(|c| !c.is_alphanumeric() && c != '-' && c != '\'');
    ends.then(|| rest.trim_start())
}

/// Drops a whole word or words from the end.
pub(super) fn strip_last_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let text = text.trim_end();
    let at = text.len().checked_sub(word.len())?;
    let tail = text.get(at..)?;
    if !tail.eq_ignore_ascii_case(word) {
        return None;
    }
    let rest = &text[..at];
    rest.chars().next_back().is_none_or(|c| !c.is_alphanumeric() && c != '-' && c != '\'').then(|| rest.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Reading> {
        let masked = Masked::new(text).unwrap();
        wanted(&masked, &masked.text).unwrap().readings
    }

    #[test]
    fn a_quoted_name_leaves_one_reading() {
        let readings = read("the second \"Delete\" button in the row \"Alice\"");
        assert_eq!(
            readings,
            [Reading {
                name: Some("Delete".into()),
                role: Some(RoleWord::Button),
                ordinal: Some(Ordinal::Nth(2)),
                within: Some("Alice".into()),
                r#ref: None,
            }]
        );
    }

    #[test]
    fn without_quotes_the_longest_name_comes_first() {
        let readings = read("the First name field");
        assert_eq!(readings[0].name.as_deref(), Some("First name field"));
        assert!(readings.iter().any(|r| r.name.as_deref() == Some("First name") && r.role == Some(RoleWord::Field)));
        assert!(readings.iter().any(|r| r.name.as_deref() == Some("name") && r.ordinal == Some(Ordinal::Nth(1))));
    }

    #[test]
    fn a_place_is_one_of_the_readings() {
        let readings = read("Delete in the row Alice");
        assert!(readings.iter().any(|r| r.name.as_deref() == Some("Delete") && r.within.as_deref() == Some("Alice")));
        assert!(read("Sign in").iter().all(|r| r.within.is_none()));
    }

    #[test]
    fn what_is_around_a_quoted_name_must_be_understood() {
        let masked = Masked::new("the shiny \"Save\" button").unwrap();
        assert!(wanted(&masked, &masked.text).unwrap_err().to_string().contains("shiny"));
    }
}
