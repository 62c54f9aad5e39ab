//! Keys as a line names them, in English or Chinese, written the way the `press` action wants them.

/// Names of keys, lower case without spaces, and how the action spells them.
const NAMES: &[(&str, &str)] = &[
    ("enter", "Enter"),
    ("return", "Enter"),
    ("回车", "Enter"),
    ("确认", "Enter"),
    ("escape", "Escape"),
    ("esc", "Escape"),
    ("退出", "Escape"),
    ("tab", "Tab"),
    ("制表", "Tab"),
    ("space", "Space"),
    ("spacebar", "Space"),
    ("空格", "Space"),
    ("backspace", "Backspace"),
    ("退格", "Backspace"),
    ("delete", "Delete"),
    ("del", "Delete"),
    ("删除", "Delete"),
    ("insert", "Insert"),
    ("home", "Home"),
    ("end", "End"),
    ("pageup", "PageUp"),
    ("上翻页", "PageUp"),
    ("pagedown", "PageDown"),
    ("下翻页", "PageDown"),
    ("up", "ArrowUp"),
    ("arrowup", "ArrowUp"),
    ("uparrow", "ArrowUp"),
    ("上箭头", "ArrowUp"),
    ("向上", "ArrowUp"),
    ("down", "ArrowDown"),
    ("arrowdown", "ArrowDown"),
    ("downarrow", "ArrowDown"),
    ("下箭头", "ArrowDown"),
    ("向下", "ArrowDown"),
    ("left", "ArrowLeft"),
    ("arrowleft", "ArrowLeft"),
    ("leftarrow", "ArrowLeft"),
    ("左箭头", "ArrowLeft"),
    ("向左", "ArrowLeft"),
    ("right", "ArrowRight"),
    ("arrowright", "ArrowRight"),
    ("rightarrow", "ArrowRight"),
    ("右箭头", "ArrowRight"),
    ("向右", "ArrowRight"),
];

/// Names of modifiers.
const MODIFIERS: &[(&str, &str)] = &[
    ("ctrl", "Control"),
    ("control", "Control"),
    ("shift", "Shift"),
    ("alt", "Alt"),
    ("option", "Alt"),
    ("meta", "Meta"),
    ("cmd", "Meta"),
    ("command", "Meta"),
    ("win", "Meta"),
];

/// The keys that a text names, or nothing when it does not name keys only.
///
/// `Ctrl+A`, `Tab Tab Enter`, `Page Down`, `回车`: chords are joined by `+`, a sequence by spaces, commas or `then`.
pub(super) fn keys(text: &str) -> Option<String> {
    let text = text.trim();
    if text.is_empty() || text.len() > 200 {
        return None;
    }
    if let Some(one) = chord(text) {
        return Some(one);
    }
    let chords: Option<Vec<String>> = text
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | '，' | '、'))
        .filter(|part| !part.is_empty() && !part.eq_ignore_ascii_case("then"))
        .map(chord)
        .collect();
    chords.filter(|chords| !chords.is_empty()).map(|chords| chords.join(" "))
}

fn chord(text: &str) -> Option<String> {
    if text == "+" {
        return Some("+".to_owned());
    }
    let mut parts: Vec<&str> = text.split('+').map(str::trim).collect();
    let last = parts.pop()?;
    let mut out = Vec::with_capacity(parts.len() + 1);
    for part in &parts {
        out.push(modifier(part)?.to_owned());
    }
    out.push(key(last, parts.is_empty())?);
    Some(out.join("+"))
}

fn modifier(text: &str) -> Option<&'static str> {
    let lower = text.to_lowercase();
    MODIFIERS.iter().find(|(name, _)| *name == lower).map(|(_, value)| *value)
}

fn key(text: &str, alone: bool) -> Option<String> {
    let joined: String = text.to_lowercase().chars().filter(|c| !c.is_whitespace() && *c != '-' && *c != '_').collect();
    let joined = joined.strip_suffix('键').unwrap_or(&joined);
    let joined = joined.strip_suffix("key").filter(|rest| !rest.is_empty()).unwrap_or(joined);
    if let Some((_, value)) = NAMES.iter().find(|(name, _)| *name == joined) {
        return Some((*value).to_owned());
    }
    if let Some(number) = joined.strip_prefix('f').and_then(|rest| rest.parse::<u8>().ok()) {
        return (1..=24).contains(&number).then(|| format!("F{number}"));
    }
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(one), None) if alone && !one.is_whitespace() => Some(one.to_string()),
        (Some(one), None) if !one.is_whitespace() => Some(one.to_uppercase().collect()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_spelt_as_the_action_wants_them() {
        for (text, expected) in [
            ("Enter", "Enter"),
            ("enter key", "Enter"),
            ("回车键", "Enter"),
            ("ctrl+a", "Control+A"),
            ("Ctrl + Shift + t", "Control+Shift+T"),
            ("Page Down", "PageDown"),
            ("down arrow", "ArrowDown"),
            ("Tab Tab Enter", "Tab Tab Enter"),
            ("Tab, then Enter", "Tab Enter"),
            ("F5", "F5"),
            ("a", "a"),
            ("+", "+"),
        ] {
            assert_eq!(keys(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_key_is_none() {
        for text in ["Save", "the Save button", "", "hyper+a", "F99", "ctrl+save", "保存"] {
            assert_eq!(keys(text), None, "{text}");
        }
    }
}
