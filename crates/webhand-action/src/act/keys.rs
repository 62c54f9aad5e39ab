//! Keys: names, chords and the US layout, as a real keyboard sends them. Pure.
//!
//! Key values and codes: UI Events KeyboardEvent key and code values; virtual key codes: the Windows table that browsers
//! report as `keyCode`.

use webhand_cdp::protocol::input::{DispatchKeyEvent, DispatchKeyEventType};

pub(crate) const ALT: i64 = 1;
pub(crate) const CONTROL: i64 = 2;
pub(crate) const META: i64 = 4;
pub(crate) const SHIFT: i64 = 8;

/// One key with what is held while it is struck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stroke {
    pub(crate) modifiers: i64,
    pub(crate) key: Key,
    /// What a browser does on it where the page leaves it to that, by Chromium's name: which keys do what is the system's.
    command: Option<&'static str>,
}

impl Stroke {
    /// Whether it uses what has the focus, or sends a form: the key, and whether Control or Meta is held.
    pub(crate) fn uses(&self) -> Option<(&str, bool)> {
        match &self.key {
            Key::Struck { key, .. } if key == "Enter" || key == " " => {
                Some((key, self.modifiers & (CONTROL | META) != 0))
            }
            _ => None,
        }
    }

    /// That key alone.
    pub(crate) fn plain(key: Key) -> Self {
        Self { modifiers: 0, key, command: None }
    }
}

/// A key of the keyboard, or a character that no key of it gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Struck { key: String, code: &'static str, number: i64, text: Option<String>, location: i64 },
    Inserted(String),
}

/// Named keys: name, code, virtual key code, text, location.
const NAMED: &[(&str, &str, i64, &str, i64)] = &[
    ("Enter", "Enter", 13, "\r", 0),
    ("Tab", "Tab", 9, "", 0),
    ("Escape", "Escape", 27, "", 0),
    ("Backspace", "Backspace", 8, "", 0),
    ("Delete", "Delete", 46, "", 0),
    ("Insert", "Insert", 45, "", 0),
    ("ArrowUp", "ArrowUp", 38, "", 0),
    ("ArrowDown", "ArrowDown", 40, "", 0),
    ("ArrowLeft", "ArrowLeft", 37, "", 0),
    ("ArrowRight", "ArrowRight", 39, "", 0),
    ("Home", "Home", 36, "", 0),
    ("End", "End", 35, "", 0),
    ("PageUp", "PageUp", 33, "", 0),
    ("PageDown", "PageDown", 34, "", 0),
    (" ", "Space", 32, " ", 0),
    ("Shift", "ShiftLeft", 16, "", 1),
    ("Control", "ControlLeft", 17, "", 1),
    ("Alt", "AltLeft", 18, "", 1),
    ("Meta", "MetaLeft", 91, "", 1),
    ("CapsLock", "CapsLock", 20, "", 0),
    ("ContextMenu", "ContextMenu", 93, "", 0),
    ("PrintScreen", "PrintScreen", 44, "", 0),
    ("Pause", "Pause", 19, "", 0),
    ("F1", "F1", 112, "", 0),
    ("F2", "F2", 113, "", 0),
    ("F3", "F3", 114, "", 0),
    ("F4", "F4", 115, "", 0),
    ("F5", "F5", 116, "", 0),
    ("F6", "F6", 117, "", 0),
    ("F7", "F7", 118, "", 0),
    ("F8", "F8", 119, "", 0),
    ("F9", "F9", 120, "", 0),
    ("F10", "F10", 121, "", 0),
    ("F11", "F11", 122, "", 0),
    ("F12", "F12", 123, "", 0),
];

/// Other names for them, lower case.
const ALIASES: &[(&str, &str)] = &[
    ("return", "Enter"),
    ("esc", "Escape"),
    ("del", "Delete"),
    ("ins", "Insert"),
    ("up", "ArrowUp"),
    ("down", "ArrowDown"),
    ("left", "ArrowLeft"),
    ("right", "ArrowRight"),
    ("pgup", "PageUp"),
    ("pgdn", "PageDown"),
    ("pagedn", "PageDown"),
    ("space", " "),
    ("spacebar", " "),
    ("ctrl", "Control"),
    ("cmd", "Meta"),
    ("command", "Meta"),
    ("win", "Meta"),
    ("super", "Meta"),
    ("option", "Alt"),
    ("opt", "Alt"),
];

/// The US layout beside letters and digits: plain, shifted, code, virtual key code.
const PUNCTUATION: &[(char, char, &str, i64)] = &[
    ('`', '~', "Backquote", 192),
    ('-', '_', "Minus", 189),
    ('=', '+', "Equal", 187),
    ('[', '{', "BracketLeft", 219),
    (']', '}', "BracketRight", 221),
    ('\\', '|', "Backslash", 220),
    (';', ':', "Semicolon", 186),
    ('\'', '"', "Quote", 222),
    (',', '<', "Comma", 188),
    ('.', '>', "Period", 190),
    ('/', '?', "Slash", 191),
];
const DIGITS: &[(char, char, &str)] = &[
    ('0', ')', "Digit0"),
    ('1', '!', "Digit1"),
    ('2', '@', "Digit2"),
    ('3', '#', "Digit3"),
    ('4', '$', "Digit4"),
    ('5', '%', "Digit5"),
    ('6', '^', "Digit6"),
    ('7', '&', "Digit7"),
    ('8', '*', "Digit8"),
    ('9', '(', "Digit9"),
];
const LETTERS: &[&str; 26] = &[
    "KeyA", "KeyB", "KeyC", "KeyD", "KeyE", "KeyF", "KeyG", "KeyH", "KeyI", "KeyJ", "KeyK", "KeyL", "KeyM", "KeyN",
    "KeyO", "KeyP", "KeyQ", "KeyR", "KeyS", "KeyT", "KeyU", "KeyV", "KeyW", "KeyX", "KeyY", "KeyZ",
];

/// The keys that select all that a field or an editor holds.
pub(crate) fn select_all() -> Stroke {
    let own = if cfg!(target_os = "macos") { META } else { CONTROL };
    let key = Key::Struck { key: "a".to_owned(), code: "KeyA", number: 65, text: None, location: 0 };
    Stroke { modifiers: own, key, command: Some("selectAll") }
}

/// The keys that lead to its end.
pub(crate) fn document_end() -> Stroke {
    let (modifiers, name) = if cfg!(target_os = "macos") { (META, "ArrowDown") } else { (CONTROL, "End") };
    let key = named(name).unwrap_or(Key::Inserted(String::new()));
    Stroke { modifiers, key, command: Some("moveToEndOfDocument") }
}

/// The strokes of a text: what the layout lacks is inserted, together where it stands together, as one enters it that has
/// no keys for it.
pub(crate) fn strokes_of_text(text: &str) -> Vec<Stroke> {
    let mut strokes: Vec<Stroke> = Vec::new();
    for character in text.chars() {
        let stroke = stroke_of(character);
        match (&stroke.key, strokes.last_mut().map(|last| &mut last.key)) {
            (Key::Inserted(more), Some(Key::Inserted(known))) => known.push_str(more),
            _ => strokes.push(stroke),
        }
    }
    strokes
}

/// The stroke that gives a character; one that the layout lacks is inserted.
pub(crate) fn stroke_of(character: char) -> Stroke {
    let struck = |key: char, code: &'static str, number: i64, shift: bool| Stroke {
        modifiers: if shift { SHIFT } else { 0 },
        key: Key::Struck { key: key.to_string(), code, number, text: Some(key.to_string()), location: 0 },
        command: None,
    };
    let or_inserted = |key: Option<Key>| Stroke::plain(key.unwrap_or_else(|| Key::Inserted(character.to_string())));
    match character {
        '\n' | '\r' => or_inserted(named("Enter")),
        '\t' => or_inserted(named("Tab")),
        ' ' => struck(' ', "Space", 32, false),
        'a'..='z' | 'A'..='Z' => {
            let index = usize::from(character.to_ascii_lowercase() as u8 - b'a');
            struck(character, LETTERS[index], 65 + index as i64, character.is_ascii_uppercase())
        }
        _ => {
            if let Some((index, (digit, _, code))) =
                DIGITS.iter().enumerate().find(|(_, (digit, shifted, _))| *digit == character || *shifted == character)
            {
                return struck(character, code, 48 + index as i64, character != *digit);
            }
            match PUNCTUATION.iter().find(|(plain, shifted, ..)| *plain == character || *shifted == character) {
                Some((plain, _, code, number)) => struck(character, code, *number, character != *plain),
                None => or_inserted(None),
            }
        }
    }
}

/// The key of that name, whatever the case.
fn named(name: &str) -> Option<Key> {
    let lower = name.to_lowercase();
    let name = ALIASES.iter().find(|(alias, _)| *alias == lower).map_or(name, |(_, real)| real);
    NAMED.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name)).map(|(key, code, number, text, location)| {
        Key::Struck {
            key: (*key).to_owned(),
            code,
            number: *number,
            text: (!text.is_empty()).then(|| (*text).to_owned()),
            location: *location,
        }
    })
}

/// A key name that means nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a key: use names such as Enter, Tab, ArrowDown, F5, a character, or chords such as Control+A")]
pub(crate) struct UnknownKey(pub(crate) String);

/// Chords and sequences: `Control+A`, `Shift+Tab Tab Enter`, `ControlOrMeta+C`, `Control++`.
pub(crate) fn parse(keys: &str) -> Result<Vec<Stroke>, UnknownKey> {
    if keys == " " {
        return Ok(vec![stroke_of(' ')]);
    }
    keys.split_whitespace().map(parse_chord).collect()
}

fn parse_chord(chord: &str) -> Result<Stroke, UnknownKey> {
    let unknown = || UnknownKey(chord.chars().take(40).collect());
    // a plus that ends the chord is the key itself
    let (held, key) = match chord.strip_suffix("++") {
        Some(held) => (held, "+"),
        None if chord == "+" => ("", "+"),
        None => chord.rsplit_once('+').unwrap_or(("", chord)),
    };
    let mut modifiers = 0;
    for name in held.split('+').filter(|name| !name.is_empty()) {
        modifiers |= modifier(name).ok_or_else(unknown)?;
    }
    if key.is_empty() {
        return Err(unknown());
    }
    let mut letters = key.chars();
    let mut stroke = match (letters.next(), letters.next()) {
        (Some(only), None) => stroke_of(only),
        _ => Stroke::plain(named(key).ok_or_else(unknown)?),
    };
    if modifiers & (CONTROL | ALT | META) != 0 {
        // a chord gives no text, and its letter is a letter whatever the case it was written in
        if let Key::Struck { key, text, .. } = &mut stroke.key {
            if modifiers & SHIFT == 0 && key.len() == 1 {
                key.make_ascii_lowercase();
                if key.chars().all(|letter| letter.is_ascii_lowercase()) {
                    stroke.modifiers = 0;
                }
            }
            *text = None;
        }
    } else if modifiers & SHIFT != 0
        && let Key::Struck { key, text, .. } = &mut stroke.key
        && key.len() == 1
        && text.is_some()
    {
        key.make_ascii_uppercase();
        *text = Some(key.clone());
    }
    stroke.modifiers |= modifiers;
    Ok(stroke)
}

fn modifier(name: &str) -> Option<i64> {
    Some(match name.to_lowercase().as_str() {
        "control" | "ctrl" => CONTROL,
        "shift" => SHIFT,
        "alt" | "option" | "opt" => ALT,
        "meta" | "cmd" | "command" | "win" | "super" => META,
        "controlormeta" | "mod" => {
            if cfg!(target_os = "macos") {
                META
            } else {
                CONTROL
            }
        }
        _ => return None,
    })
}

/// The key events of a stroke, in order; none for an inserted character.
pub(crate) fn events(stroke: &Stroke) -> Vec<DispatchKeyEvent> {
    let Key::Struck { key, code, number, text, location } = &stroke.key else { return Vec::new() };
    let mut events = Vec::with_capacity(4);
    let mut held = 0;
    let holders = [(CONTROL, "Control"), (ALT, "Alt"), (META, "Meta"), (SHIFT, "Shift")];
    for (bit, name) in holders {
        if stroke.modifiers & bit != 0 {
            held |= bit;
            events.push(event(DispatchKeyEventType::RawKeyDown, name, held));
        }
    }
    let make = |kind: DispatchKeyEventType| {
        let mut event = DispatchKeyEvent::new(kind);
        event.modifiers = Some(stroke.modifiers);
        event.key = Some(key.clone());
        event.code = Some((*code).to_owned());
        event.windows_virtual_key_code = Some(*number);
        event.location = Some(*location);
        event
    };
    let mut down = make(if text.is_some() { DispatchKeyEventType::KeyDown } else { DispatchKeyEventType::RawKeyDown });
    down.text.clone_from(text);
    down.commands = stroke.command.map(|command| vec![command.to_owned()]);
    events.push(down);
    events.push(make(DispatchKeyEventType::KeyUp));
    for (bit, name) in holders.iter().rev() {
        if stroke.modifiers & bit != 0 {
            held &= !bit;
            events.push(event(DispatchKeyEventType::KeyUp, name, held));
        }
    }
    events
}

fn event(kind: DispatchKeyEventType, name: &str, modifiers: i64) -> DispatchKeyEvent {
    let mut event = DispatchKeyEvent::new(kind);
    event.modifiers = Some(modifiers);
    if let Some(Key::Struck { key, code, number, location, .. }) = named(name) {
        event.key = Some(key);
        event.code = Some(code.to_owned());
        event.windows_virtual_key_code = Some(number);
        event.location = Some(location);
    }
    event
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(keys: &str) -> (i64, String, String) {
        let strokes = parse(keys).unwrap();
        let [Stroke { modifiers, key: Key::Struck { key, code, .. }, .. }] = strokes.as_slice() else {
            panic!("{strokes:?}")
        };
        (*modifiers, key.clone(), (*code).to_owned())
    }

    #[test]
    fn chords_are_read_in_any_case() {
        assert_eq!(one("Control+A"), (CONTROL, "a".into(), "KeyA".into()));
        assert_eq!(one("ctrl+shift+t"), (CONTROL | SHIFT, "t".into(), "KeyT".into()));
        assert_eq!(one("Control++"), (CONTROL | SHIFT, "+".into(), "Equal".into()));
        assert_eq!(one("enter"), (0, "Enter".into(), "Enter".into()));
        assert_eq!(one("Shift+a"), (SHIFT, "A".into(), "KeyA".into()));
        assert_eq!(one("PgDn"), (0, "PageDown".into(), "PageDown".into()));
    }

    #[test]
    fn sequences_are_several_strokes() {
        assert_eq!(parse("Shift+Tab Tab Enter").unwrap().len(), 3);
    }

    #[test]
    fn what_is_no_key_is_named() {
        assert_eq!(parse("Hyper+A"), Err(UnknownKey("Hyper+A".into())));
        assert!(parse("Enterr").is_err());
        assert!(parse("Control+").is_err());
    }

    #[test]
    fn characters_off_the_layout_are_inserted() {
        assert_eq!(stroke_of('中').key, Key::Inserted("中".to_owned()));
        assert_eq!(stroke_of('@').modifiers, SHIFT);
        let keys: Vec<Key> = strokes_of_text("a é中😀b").into_iter().map(|stroke| stroke.key).collect();
        assert_eq!(keys.len(), 4);
        assert_eq!(keys[2], Key::Inserted("é中😀".to_owned()), "what has no key comes together");
    }
}
