//! The words for one control: ref, role where the letter does not say it, name, and live state.

use std::fmt::Write as _;

use super::{
    Addresses, FormatOptions,
    quote::{clean, plain, quoted},
};
use crate::{
    refs::{Family, Ref},
    snapshot::{Checked, Control, Node, Snapshot, State},
};

/// Writes a control as the outline shows it: `*B12 "Save" disabled`.
pub(super) fn control(out: &mut String, node: &Node, control: &Control, options: &FormatOptions) {
    reference(out, control, options);
    let role = role_word(node, control);
    if is_word(role) {
        out.push(' ');
        out.push_str(role);
    }
    name_and_state(out, node, control, options);
}

/// Writes a control's ref, with a star where it is new; where lines are compared, only its letter.
pub(super) fn reference(out: &mut String, control: &Control, options: &FormatOptions) {
    if options.keys {
        out.push(control.r#ref.family.letter());
        return;
    }
    if control.new {
        out.push('*');
    }
    let _ = write!(out, "{}", control.r#ref);
}

/// Writes the name and the state, each with a space before it.
pub(super) fn name_and_state(out: &mut String, node: &Node, control: &Control, options: &FormatOptions) {
    if !node.name.is_empty() {
        out.push(' ');
        quoted(out, &node.name, options.max_name);
        if control.guessed_name {
            out.push('?');
        }
    }
    state(out, node, control, options);
    address(out, control, options);
}

/// Whether a role or kind is a plain word, as all that browsers know are.
pub(super) fn is_word(role: &str) -> bool {
    !role.is_empty() && role.len() <= 24 && role.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
}

/// Writes where a frame leads, and why it was not read.
pub(super) fn frame(out: &mut String, snapshot: &Snapshot, r#ref: Ref) {
    let Some(frame) = snapshot.frames.iter().find(|frame| frame.r#ref == Some(r#ref)) else { return };
    if !frame.url.is_empty() {
        out.push(' ');
        url(out, &frame.url, 100);
    }
    if let Some(reason) = &frame.unread {
        out.push_str(" not read: ");
        plain(out, reason, 120);
    }
}

/// The role (or the kind of field), where the ref's letter does not tell it.
pub(super) fn role_word<'a>(node: &'a Node, control: &'a Control) -> &'a str {
    let role = node.role.as_str();
    match control.r#ref.family {
        Family::Button if role == "button" => "",
        Family::Link if role == "link" => "",
        Family::Check if role == "checkbox" => "",
        Family::Select if role == "combobox" => "",
        Family::Frame | Family::Scroll => "",
        Family::Dialog if role == "layer" => "",
        Family::Element if role == "generic" => "",
        Family::Input => field_word(role, control.kind.as_deref()),
        _ => role,
    }
}

fn field_word<'a>(role: &'a str, kind: Option<&'a str>) -> &'a str {
    match (role, kind) {
        ("textbox", None | Some("text" | "")) => "",
        ("textbox" | "spinbutton", Some(kind)) if kind != "text" => kind,
        _ => role,
    }
}

/// Writes the live state, each word with a space before it.
pub(super) fn state(out: &mut String, node: &Node, control: &Control, options: &FormatOptions) {
    let state = &control.state;
    holdings(out, node, state, options);
    for (word, shown) in [
        ("checked", state.checked == Some(Checked::True)),
        ("mixed", state.checked == Some(Checked::Mixed)),
        ("pressed", state.pressed == Some(Checked::True)),
        ("half pressed", state.pressed == Some(Checked::Mixed)),
        ("selected", state.chosen == Some(true)),
        ("expanded", state.expanded == Some(true)),
        ("collapsed", state.expanded == Some(false)),
        ("readonly", state.readonly),
        ("required", state.required),
        ("focused", state.focused),
    ] {
        if shown {
            out.push(' ');
            out.push_str(word);
        }
    }
    if let Some(current) = state.current.as_deref().filter(|current| *current != "false") {
        word(out, "current", if current == "true" { "" } else { current });
    }
    word_if(out, "opens", state.popup.as_deref());
    word_if(out, "sorted", state.sort.as_deref());
    if let Some(reason) = &state.disabled {
        out.push(' ');
        token(out, reason);
    }
    for (limit, value) in &state.limits {
        let _ = write!(out, " ");
        token(out, limit);
        if !matches!(value.as_str(), "" | "true") {
            out.push('=');
            token(out, value);
        }
    }
    if let Some(message) = &state.invalid {
        out.push_str(" invalid");
        if !message.is_empty() {
            out.push_str(": ");
            quoted(out, message, options.max_name);
        }
    }
    extents(out, state.scroll);
    cover(out, state, options);
}

/// What stands in it.
fn holdings(out: &mut String, node: &Node, state: &State, options: &FormatOptions) {
    if state.secret == Some(true) {
        out.push_str(" =••••");
    } else if let Some(value) = state.value.as_deref().filter(|value| !value.is_empty()) {
        out.push_str(" =");
        quoted(out, value, options.max_name);
    } else if let Some(hint) = state.placeholder.as_deref().filter(|hint| !hint.is_empty() && **hint != *node.name) {
        out.push_str(" hint ");
        quoted(out, hint, options.max_name);
    }
    if let Some(selected) = &state.selected {
        for (index, label) in selected.iter().take(20).enumerate() {
            out.push_str(if index == 0 { " =" } else { ", " });
            quoted(out, label, options.max_name);
        }
        if selected.len() > 20 {
            let _ = write!(out, " …(+{} chosen)", selected.len() - 20);
        }
    }
    if let Some(count) = state.options {
        let _ = write!(out, " of {count}");
    }
}

fn cover(out: &mut String, state: &State, options: &FormatOptions) {
    let Some(cover) = state.covered.as_ref().filter(|cover| options.screen.is_none() || cover.r#ref != options.screen)
    else {
        return;
    };
    out.push_str(" covered");
    match cover.r#ref.filter(|_| !options.keys) {
        Some(by) => {
            let _ = write!(out, " by {by}");
        }
        None if !cover.name.is_empty() => {
            out.push_str(" by ");
            quoted(out, &cover.name, options.max_name.min(60));
        }
        None => {}
    }
}

/// How far a scroll area can go.
fn extents(out: &mut String, scroll: Option<[f64; 4]>) {
    let Some(extents) = scroll else { return };
    let mut first = true;
    for (pixels, side) in extents.into_iter().zip(["above", "below", "left", "right"]) {
        if pixels >= 1.0 {
            let _ = write!(out, "{}{pixels:.0}px {side}", if first { " scrolls: " } else { ", " });
            first = false;
        }
    }
}

fn address(out: &mut String, control: &Control, options: &FormatOptions) {
    let Some(href) = control.attributes.href.as_deref() else { return };
    match options.addresses {
        Addresses::Hidden => {}
        Addresses::Whole => {
            out.push_str(" → ");
            url(out, href, usize::MAX);
        }
        Addresses::Short => {
            out.push_str(" → ");
            let rest = href.strip_prefix("https://").or_else(|| href.strip_prefix("http://")).unwrap_or(href);
            url(out, rest, 60);
        }
    }
}

/// Writes an address: bare, for it holds no space; whatever could end it early is escaped as addresses do.
pub(super) fn url(out: &mut String, address: &str, limit: usize) {
    let (shown, rest) = super::cut(address, limit);
    for char in shown.chars() {
        match char {
            ' ' => out.push_str("%20"),
            '"' => out.push_str("%22"),
            '|' => out.push_str("%7C"),
            _ if char.is_whitespace() || char.is_control() => out.push_str("%20"),
            _ => clean(out, char.encode_utf8(&mut [0; 4])),
        }
    }
    if rest > 0 {
        let _ = write!(out, "…(+{rest} chars)");
    }
}

fn word_if(out: &mut String, name: &str, value: Option<&str>) {
    if let Some(value) = value.filter(|value| !matches!(*value, "" | "false" | "none")) {
        word(out, name, if value == "true" { "menu" } else { value });
    }
}

fn word(out: &mut String, name: &str, value: &str) {
    out.push(' ');
    out.push_str(name);
    if !value.is_empty() {
        out.push(' ');
        token(out, value);
    }
}

/// Writes a short value of the page's: bare where it is one plain word or number, or words of our own, else quoted.
fn token(out: &mut String, value: &str) {
    let bare = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'/' | b'*' | b':');
    let ours = value.starts_with("disabled") && value.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b' ');
    if !value.is_empty() && value.len() <= 40 && (ours || value.bytes().all(bare)) {
        out.push_str(value);
    } else {
        quoted(out, value, 80);
    }
}
