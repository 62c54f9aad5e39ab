//! One node as words to be read.

use crate::snapshot::{Checked, Control, Node};

use super::{ReadForm, ReadOptions};

/// The words of a node; nothing where it says nothing.
pub(super) fn node(node: &Node, options: &ReadOptions) -> String {
    let name = one_line(&node.name);
    let markdown = options.form == ReadForm::Markdown;
    match node.control.as_deref() {
        Some(control) => self::control(name, node.role.as_str(), control, options),
        None if node.role.as_str() == "img" && markdown && !name.is_empty() => format!("![{name}]"),
        None if node.role.as_str() == "code" && markdown && !name.is_empty() => format!("`{name}`"),
        None => name,
    }
}

fn control(name: String, role: &str, control: &Control, options: &ReadOptions) -> String {
    let state = &control.state;
    if let Some(checked) = state.checked {
        let mark = match checked {
            Checked::True => "[x]",
            Checked::False => "[ ]",
            Checked::Mixed => "[-]",
        };
        return format!("{mark} {name}").trim_end().to_owned();
    }
    if let Some(held) = held(control) {
        return if name.is_empty() { held } else { format!("{}: {held}", name.trim_end_matches(':')) };
    }
    match (options.form, role, &control.attributes.href) {
        (ReadForm::Markdown, _, Some(href)) if options.addresses && !name.is_empty() => {
            let href: String =
                href.chars().filter(|char| !char.is_whitespace() && !matches!(char, '(' | ')')).collect();
            format!("[{name}]({href})")
        }
        (ReadForm::Markdown, "button", _) if !name.is_empty() => format!("[{name}]"),
        (_, "scroll" | "iframe" | "dialog" | "alertdialog" | "layer", _) => String::new(),
        _ => name,
    }
}

/// What stands in a field; `None` where it is not one.
fn held(control: &Control) -> Option<String> {
    let state = &control.state;
    if let Some(filled) = state.secret {
        return Some(if filled { "••••" } else { "" }.to_owned());
    }
    if let Some(selected) = &state.selected {
        return Some(one_line(&selected.join(", ")));
    }
    state.value.as_deref().map(one_line)
}

/// Text with every stretch of white space and control characters made one space.
pub(super) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split(|char: char| char.is_whitespace() || char.is_control()).filter(|word| !word.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}
