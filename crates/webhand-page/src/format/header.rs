//! The first lines: an open dialog, what page this is, its status, the tabs, the scroll position.

use std::fmt::Write as _;

use super::{
    FormatOptions,
    line::{Kind, Line, Lines},
    quote::quoted,
    words::url,
};
use crate::snapshot::Snapshot;

/// Tabs that are named; the others are counted.
const TABS: usize = 12;

/// Writes the lines about the page as a whole.
pub(crate) fn write(lines: &mut Lines, snapshot: &Snapshot, options: &FormatOptions) {
    dialog(lines, snapshot, options);
    page(lines, snapshot);
    tabs(lines, snapshot);
    view(lines, snapshot);
    unlooked(lines, snapshot);
    screen(lines, options);
}

fn close(lines: &mut Lines, start: usize) {
    let mut line = Line::new(Kind::Header);
    line.in_view = true;
    lines.close(start, line);
}

fn dialog(lines: &mut Lines, snapshot: &Snapshot, options: &FormatOptions) {
    let Some(dialog) = &snapshot.dialog else { return };
    let start = lines.text.len();
    let kind = dialog.kind.as_str();
    let kind = if matches!(kind, "alert" | "confirm" | "prompt" | "beforeunload") { kind } else { "unknown" };
    let _ = write!(lines.text, "DIALOG HELD OPEN: {kind} ");
    quoted(&mut lines.text, &dialog.message, options.max_text);
    if !dialog.default_text.is_empty() {
        lines.text.push_str(" =");
        quoted(&mut lines.text, &dialog.default_text, options.max_name);
    }
    lines.text.push_str(". Answer it first; the rest is as it was before it.");
    close(lines, start);
}

fn page(lines: &mut Lines, snapshot: &Snapshot) {
    let start = lines.text.len();
    let page = &snapshot.page;
    lines.text.push_str("page ");
    quoted(&mut lines.text, &page.title, 120);
    if !page.url.is_empty() {
        lines.text.push(' ');
        url(&mut lines.text, &page.url, 200);
    }
    if let Some(status) = page.status.filter(|status| *status != 200) {
        let _ = write!(lines.text, " status {status}");
    }
    close(lines, start);
}

fn tabs(lines: &mut Lines, snapshot: &Snapshot) {
    if snapshot.tabs.len() < 2 {
        return;
    }
    let start = lines.text.len();
    lines.text.push_str("tabs: ");
    for (index, tab) in snapshot.tabs.iter().take(TABS).enumerate() {
        if index > 0 {
            lines.text.push_str(" · ");
        }
        url(&mut lines.text, &tab.id, 20);
        lines.text.push(' ');
        quoted(&mut lines.text, if tab.title.is_empty() { &tab.url } else { &tab.title }, 40);
        if tab.active {
            lines.text.push_str(" current");
        }
    }
    if let Some(more) = snapshot.tabs.len().checked_sub(TABS).filter(|more| *more > 0) {
        let _ = write!(lines.text, " · … {more} more tabs");
    }
    close(lines, start);
}

fn view(lines: &mut Lines, snapshot: &Snapshot) {
    let page = &snapshot.page;
    let (above, below) = (page.pages_above, page.pages_below);
    if above < 0.05 && below < 0.05 {
        return;
    }
    let start = lines.text.len();
    let _ = write!(lines.text, "view: {} pages above, {} below", pages(above), pages(below));
    close(lines, start);
}

fn unlooked(lines: &mut Lines, snapshot: &Snapshot) {
    if snapshot.page.unlooked == 0 {
        return;
    }
    let start = lines.text.len();
    let _ = write!(lines.text, "{} more elements may react: look again", snapshot.page.unlooked);
    close(lines, start);
}

fn screen(lines: &mut Lines, options: &FormatOptions) {
    let Some(by) = options.screen else { return };
    let start = lines.text.len();
    let _ = write!(lines.text, "{by} covers everything outside it");
    close(lines, start);
}

fn pages(count: f64) -> String {
    if count < 0.05 { "0".to_owned() } else { format!("{count:.1}") }
}
