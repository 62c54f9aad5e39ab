//! English lines: `type "oak lamp" into Search`, `press Enter`, `accept the dialog`.
//!
//! Pure: text in, [`Step`] or a reason out.

use super::{
    keys,
    phrase::{has_role, strip_last_word, strip_prefix, strip_word, wanted, without_article},
    quotes::Masked,
    refs,
    step::{ClickKind, ReadWhat, ScrollTo, Step, WaitFor},
    unclear::Unclear,
};

/// What a line can begin with, for people.
pub(super) const KNOWN: &str = "open, click, double click, right click, hover over, type … into …, fill … with …, clear, \
     choose … in …, check, uncheck, press, scroll, wait for, read, make sure … is shown, accept or dismiss the dialog, \
     go back, go forward, reload, switch to tab, close the tab, take a screenshot, search the web for";

#[derive(Clone, Copy)]
enum Verb {
    Open,
    Click(ClickKind),
    Hover,
    Type,
    Fill,
    Clear,
    Choose,
    Check(bool),
    Press,
    Scroll,
    Wait,
    Read,
    Accept(bool),
    Answer,
    Back,
    Forward,
    Reload,
    SwitchTab,
    CloseTab,
    Expect,
    Screenshot,
    SearchWeb,
}

/// Verbs, longer ones before their own beginnings.
const VERBS: &[(&str, Verb)] = &[
    ("go back", Verb::Back),
    ("go forward", Verb::Forward),
    ("go to", Verb::Open),
    ("goto", Verb::Open),
    ("navigate to", Verb::Open),
    ("browse to", Verb::Open),
    ("visit", Verb::Open),
    ("open", Verb::Open),
    ("double-click on", Verb::Click(ClickKind::Double)),
    ("double click on", Verb::Click(ClickKind::Double)),
    ("double-click", Verb::Click(ClickKind::Double)),
    ("double click", Verb::Click(ClickKind::Double)),
    ("right-click on", Verb::Click(ClickKind::Right)),
    ("right click on", Verb::Click(ClickKind::Right)),
    ("right-click", Verb::Click(ClickKind::Right)),
    ("right click", Verb::Click(ClickKind::Right)),
    ("click on", Verb::Click(ClickKind::Single)),
    ("click", Verb::Click(ClickKind::Single)),
    ("tap on", Verb::Click(ClickKind::Single)),
    ("tap", Verb::Click(ClickKind::Single)),
    ("push", Verb::Click(ClickKind::Single)),
    ("hover over", Verb::Hover),
    ("hover on", Verb::Hover),
    ("hover", Verb::Hover),
    ("move the mouse over", Verb::Hover),
    ("move the mouse to", Verb::Hover),
    ("point at", Verb::Hover),
    ("type", Verb::Type),
    ("enter", Verb::Type),
    ("write", Verb::Type),
    ("input", Verb::Type),
    ("put", Verb::Type),
    ("fill in", Verb::Fill),
    ("fill out", Verb::Fill),
    ("fill", Verb::Fill),
    ("clear", Verb::Clear),
    ("choose", Verb::Choose),
    ("select", Verb::Choose),
    ("pick", Verb::Choose),
    ("check that", Verb::Expect),
    ("make sure that", Verb::Expect),
    ("make sure", Verb::Expect),
    ("verify that", Verb::Expect),
    ("verify", Verb::Expect),
    ("expect that", Verb::Expect),
    ("expect to see", Verb::Expect),
    ("expect", Verb::Expect),
    ("check", Verb::Check(true)),
    ("tick", Verb::Check(true)),
    ("switch on", Verb::Check(true)),
    ("turn on", Verb::Check(true)),
    ("uncheck", Verb::Check(false)),
    ("untick", Verb::Check(false)),
    ("switch off", Verb::Check(false)),
    ("turn off", Verb::Check(false)),
    ("press", Verb::Press),
    ("hit", Verb::Press),
    ("scroll", Verb::Scroll),
    ("wait", Verb::Wait),
    ("read", Verb::Read),
    ("accept", Verb::Accept(true)),
    ("confirm", Verb::Accept(true)),
    ("dismiss", Verb::Accept(false)),
    ("cancel", Verb::Accept(false)),
    ("decline", Verb::Accept(false)),
    ("answer", Verb::Answer),
    ("reload", Verb::Reload),
    ("refresh", Verb::Reload),
    ("switch to tab", Verb::SwitchTab),
    ("switch to the tab", Verb::SwitchTab),
    ("close the tab", Verb::CloseTab),
    ("close this tab", Verb::CloseTab),
    ("take a screenshot", Verb::Screenshot),
    ("search the web for", Verb::SearchWeb),
];

fn verb(text: &str) -> Option<(Verb, &str)> {
    VERBS
        .iter()
        .find_map(|(word, verb)| strip_word(text, word).map(|rest| (*verb, rest.trim_start_matches([':', ' ']))))
}

/// Whether a text begins as an English line does.
pub(super) fn begins(text: &str) -> bool {
    verb(connected(text)).is_some()
}

/// Drops `please`, `then`, `and` and the like from the front.
pub(super) fn connected(text: &str) -> &str {
    let mut rest = text.trim_start();
    let words = ["and then", "and", "then", "please", "now", "next", "finally", "first", "also"];
    while let Some(after) = words.iter().find_map(|word| strip_word(rest, word)) {
        rest = after.trim_start_matches([',', ' ']);
    }
    rest
}

/// Reads one English line; nothing when it does not begin with an English verb.
pub(super) fn step(masked: &Masked, text: &str) -> Option<Result<Step, Unclear>> {
    let (verb, rest) = verb(connected(text))?;
    Some(with_verb(masked, verb, rest.trim()))
}

fn with_verb(masked: &Masked, verb: Verb, rest: &str) -> Result<Step, Unclear> {
    match verb {
        Verb::Open => open(masked, rest),
        Verb::Click(how) => Ok(Step::Click { target: wanted(masked, rest)?, how }),
        Verb::Hover => Ok(Step::Hover { target: wanted(masked, rest)? }),
        Verb::Type => type_text(masked, rest),
        Verb::Fill => fill(masked, rest),
        Verb::Clear => Ok(Step::Type { text: String::new(), target: Some(wanted(masked, rest)?) }),
        Verb::Choose => choose(masked, rest),
        Verb::Check(on) => Ok(Step::Check { target: wanted(masked, rest)?, on }),
        Verb::Press => press(masked, rest),
        Verb::Scroll => scroll(masked, rest).map(Step::Scroll),
        Verb::Wait => wait(masked, rest).map(Step::Wait),
        Verb::Read => read(masked, rest).map(Step::Read),
        Verb::Accept(accept) => dialog(masked, rest, accept),
        Verb::Answer => dialog(masked, rest, true),
        Verb::Back => alone(rest, &[]).map(|()| Step::Back),
        Verb::Forward => alone(rest, &[]).map(|()| Step::Forward),
        Verb::Reload => alone(rest, &["page"]).map(|()| Step::Reload),
        Verb::SwitchTab => tab(masked, rest),
        Verb::CloseTab => alone(rest, &[]).map(|()| Step::CloseTab),
        Verb::Expect => expect(masked, rest),
        Verb::Screenshot => alone(rest, &["of the page"]).map(|()| Step::Screenshot),
        Verb::SearchWeb if !rest.is_empty() => Ok(Step::SearchWeb { query: masked.value(rest) }),
        Verb::SearchWeb => Err(Unclear::new("it does not say what to search for")),
    }
}

fn alone(rest: &str, allowed: &[&str]) -> Result<(), Unclear> {
    let rest = without_article(rest);
    if rest.is_empty() || allowed.iter().any(|word| word.eq_ignore_ascii_case(rest)) {
        return Ok(());
    }
    Err(Unclear::new(format!("{rest:?} is not understood here")))
}

fn open(masked: &Masked, rest: &str) -> Result<Step, Unclear> {
    let (rest, new_tab) = match strip_last_word(rest, "in a new tab") {
        Some(rest) => (rest, true),
        None => (rest, false),
    };
    let address = masked.value(rest);
    if is_address(&address) {
        return Ok(Step::Open { address, new_tab });
    }
    if rest.is_empty() || new_tab {
        return Err(Unclear::new("it does not say which address to open"));
    }
    Ok(Step::Click { target: wanted(masked, rest)?, how: ClickKind::Single })
}

/// Whether a text is an address rather than a name: a scheme, a path, a host with a dot, or this machine.
pub(super) fn is_address(text: &str) -> bool {
    if text.is_empty() || text.chars().any(char::is_whitespace) {
        return false;
    }
    let host = text.split(['/', '?', '#']).next().unwrap_or_default();
    let host_only =
        host.rsplit_once(':').filter(|(_, port)| port.bytes().all(|b| b.is_ascii_digit())).map_or(host, |(h, _)| h);
    text.starts_with('/')
        || text.contains("://")
        || text.eq_ignore_ascii_case("about:blank")
        || host_only.eq_ignore_ascii_case("localhost")
        || (host_only.contains('.') && !host_only.starts_with('.') && !host_only.ends_with('.'))
}

/// `"x" into Y`, `x into Y`, `x in Y`, `"x"`.
fn type_text(masked: &Masked, rest: &str) -> Result<Step, Unclear> {
    if rest.is_empty() {
        return Err(Unclear::new("it does not say what to type"));
    }
    let first = rest.chars().next().map_or(0, char::len_utf8);
    if masked.quoted(&rest[..first]).is_some() {
        let text = masked.value(&rest[..first]);
        let after = rest[first..].trim_start();
        if after.is_empty() {
            return Ok(Step::Type { text, target: None });
        }
        let target = ["into ", "in ", "to ", "on ", "as "].iter().find_map(|word| strip_prefix(after, word));
        let target =
            target.ok_or_else(|| Unclear::new(format!("{:?} is not understood here", masked.written(after))))?;
        return Ok(Step::Type { text, target: Some(wanted(masked, target)?) });
    }
    let Some((text, target)) = cut(rest, &[" into "]).or_else(|| cut_once(rest, " in ")) else {
        if cut(rest, &[" in "]).is_some() {
            return Err(Unclear::new("it could be cut in several places: put the text in quotes"));
        }
        return Ok(Step::Type { text: masked.written(rest), target: None });
    };
    Ok(Step::Type { text: masked.value(text), target: Some(wanted(masked, target)?) })
}

/// `Y with x`, or as `type`.
fn fill(masked: &Masked, rest: &str) -> Result<Step, Unclear> {
    if let Some((target, text)) = cut_last(rest, " with ") {
        return Ok(Step::Type { text: masked.value(text), target: Some(wanted(masked, target)?) });
    }
    match type_text(masked, rest)? {
        Step::Type { target: None, .. } => Err(Unclear::new("it does not say what to fill in: fill X with \"…\"")),
        step => Ok(step),
    }
}

/// `x in Y`, `x from Y`, `x`.
fn choose(masked: &Masked, rest: &str) -> Result<Step, Unclear> {
    let rest = strip_word(rest, "the").unwrap_or(rest);
    if rest.is_empty() {
        return Err(Unclear::new("it does not say what to choose"));
    }
    let first = rest.chars().next().map_or(0, char::len_utf8);
    let (option, target) = if masked.quoted(&rest[..first]).is_some() {
        let after = rest[first..].trim_start();
        let after = ["option", "radio button", "item"].iter().find_map(|word| strip_word(after, word)).unwrap_or(after);
        let target = ["in ", "from ", "for ", "as ", "under "].iter().find_map(|word| strip_prefix(after, word));
        if target.is_none() && !after.is_empty() {
            return Err(Unclear::new(format!("{:?} is not understood here", masked.written(after))));
        }
        (&rest[..first], target)
    } else if let Some((option, target)) = cut_last(rest, " from ").or_else(|| cut_once(rest, " in ")) {
        (option, Some(target))
    } else if cut(rest, &[" in "]).is_some() {
        return Err(Unclear::new("it could be cut in several places: put the option in quotes"));
    } else {
        (rest, None)
    };
    let option = ["option", "radio button"].iter().find_map(|word| strip_last_word(option, word)).unwrap_or(option);
    let option = masked.value(option);
    if option.is_empty() {
        return Err(Unclear::new("it does not say what to choose"));
    }
    Ok(Step::Choose { option, target: target.map(|target| wanted(masked, target)).transpose()? })
}

/// Keys where they are keys, else a control.
fn press(masked: &Masked, rest: &str) -> Result<Step, Unclear> {
    let bare = without_article(rest);
    let named = strip_last_word(bare, "key").or_else(|| strip_last_word(bare, "keys")).unwrap_or(bare);
    if let Some(keys) = keys::keys(&masked.value(named)) {
        return Ok(Step::Press { keys });
    }
    if masked.has_quote(bare) || has_role(bare) || refs::written(bare).is_some() {
        return Ok(Step::Click { target: wanted(masked, rest)?, how: ClickKind::Single });
    }
    Err(Unclear::new(format!("{:?} is no key; for a control say: click {0}", masked.written(bare))))
}

fn scroll(masked: &Masked, rest: &str) -> Result<ScrollTo, Unclear> {
    let rest = strip_word(rest, "the page").unwrap_or(rest);
    let to = strip_word(rest, "to").map(without_article);
    match rest.to_ascii_lowercase().as_str() {
        "" | "down" => return Ok(ScrollTo::Down(1)),
        "up" => return Ok(ScrollTo::Up(1)),
        "left" => return Ok(ScrollTo::Left),
        "right" => return Ok(ScrollTo::Right),
        _ => {}
    }
    if let Some(to) = to {
        let lower = to.to_ascii_lowercase();
        let place = ["of the page", "of page"].iter().find_map(|tail| strip_last_word(&lower, tail)).unwrap_or(&lower);
        return match place {
            "top" | "start" | "beginning" => Ok(ScrollTo::Top),
            "bottom" | "end" => Ok(ScrollTo::Bottom),
            "" => Err(Unclear::new("it does not say where to scroll")),
            _ => Ok(match (percent(place), refs::written(to)) {
                (Some(percent), _) => ScrollTo::Percent(percent),
                (None, Some(found)) => ScrollTo::Ref(found.text),
                (None, None) => ScrollTo::Text(masked.value(to)),
            }),
        };
    }
    for (word, up) in [("down", false), ("up", true)] {
        let Some(count) = strip_word(rest, word) else { continue };
        let count = strip_word(count, "by").unwrap_or(count);
        let pages = strip_last_word(count, "pages").or_else(|| strip_last_word(count, "page")).unwrap_or(count);
        let pages = if matches!(pages, "a" | "one") { Some(1) } else { pages.trim().parse().ok() };
        let pages = pages
            .filter(|pages| (1..=100).contains(pages))
            .ok_or_else(|| Unclear::new(format!("{count:?} is no number of pages")))?;
        return Ok(if up { ScrollTo::Up(pages) } else { ScrollTo::Down(pages) });
    }
    Err(Unclear::new("it does not say where to scroll: down, up, to the top, to \"…\""))
}

fn percent(text: &str) -> Option<u32> {
    let number = text.strip_suffix('%').or_else(|| strip_last_word(text, "percent"))?;
    number.trim().parse().ok().filter(|number| *number <= 100)
}

fn wait(masked: &Masked, rest: &str) -> Result<WaitFor, Unclear> {
    let rest = ["for", "until", "till"].iter().find_map(|word| strip_word(rest, word)).unwrap_or(rest);
    if let Some(seconds) = ["seconds", "second", "secs", "sec", "s"].iter().find_map(|unit| {
        let number = strip_last_word(rest, unit).or_else(|| rest.strip_suffix(unit))?.trim();
        if matches!(number, "a" | "one") { Some(1) } else { number.parse::<u32>().ok() }
    }) {
        return if seconds <= 60 {
            Ok(WaitFor::Seconds(seconds))
        } else {
            Err(Unclear::new("a wait is at most 60 seconds"))
        };
    }
    let text = without_article(rest);
    let lower = text.to_ascii_lowercase();
    if ["page", "page to load", "page has loaded", "page is loaded", "page loads"].contains(&lower.as_str()) {
        return Ok(WaitFor::Load);
    }
    let gone = ["to disappear", "disappears", "to be gone", "is gone", "to go away", "goes away", "is hidden"];
    let shown = [
        "to appear",
        "appears",
        "to be shown",
        "is shown",
        "to be visible",
        "is visible",
        "to show up",
        "shows up",
        "shows",
    ];
    let name = |text: &str| {
        let text = strip_prefix(text, "text ").unwrap_or(text);
        Some(masked.value(text))
            .filter(|text| !text.is_empty())
            .ok_or_else(|| Unclear::new("it does not say what to wait for"))
    };
    if let Some(text) = gone.iter().find_map(|words| strip_last_word(text, words)) {
        return name(text).map(WaitFor::TextGone);
    }
    name(shown.iter().find_map(|words| strip_last_word(text, words)).unwrap_or(text)).map(WaitFor::Text)
}

fn read(masked: &Masked, rest: &str) -> Result<ReadWhat, Unclear> {
    match without_article(rest).to_ascii_lowercase().as_str() {
        "" => Err(Unclear::new("it does not say what to read")),
        "page" | "whole page" | "text of the page" | "page's text" => Ok(ReadWhat::Page),
        "title" | "page title" | "title of the page" | "page's title" => Ok(ReadWhat::Title),
        "url" | "page address" | "address of the page" | "page's address" => Ok(ReadWhat::Address),
        _ => wanted(masked, rest).map(ReadWhat::Named),
    }
}

fn dialog(masked: &Masked, rest: &str, accept: bool) -> Result<Step, Unclear> {
    const NOUNS: &[&str] =
        &["dialog", "dialogue", "alert", "confirmation", "confirm", "prompt", "popup", "pop-up", "message", "question"];
    let bare = without_article(rest);
    let after = NOUNS.iter().find_map(|noun| strip_word(bare, noun));
    let Some(after) = after else {
        return Err(Unclear::new(format!("it names no dialog; for a control say: click {}", masked.written(rest))));
    };
    let after = ["box", "window", "dialog"].iter().find_map(|word| strip_word(after, word)).unwrap_or(after);
    if after.is_empty() {
        return Ok(Step::Dialog { accept, text: None });
    }
    match strip_word(after, "with") {
        Some(text) if accept && !text.is_empty() => Ok(Step::Dialog { accept, text: Some(masked.value(text)) }),
        _ => Err(Unclear::new(format!("{:?} is not understood here", masked.written(after)))),
    }
}

fn tab(masked: &Masked, rest: &str) -> Result<Step, Unclear> {
    let id = masked.value(rest).to_ascii_lowercase();
    let number = id.strip_prefix('t').unwrap_or(&id);
    match number.parse::<u32>() {
        Ok(number) => Ok(Step::SwitchTab { id: format!("t{number}") }),
        Err(_) => Err(Unclear::new("a tab is named by its number, such as t2")),
    }
}

fn expect(masked: &Masked, rest: &str) -> Result<Step, Unclear> {
    let rest = without_article(rest);
    let rest = strip_word(rest, "page").unwrap_or(rest);
    let not = ["does not show", "does not say", "does not contain", "doesn't show", "doesn't say"];
    let yes = ["shows", "says", "contains", "displays"];
    let ends_not = ["is not shown", "is not visible", "is gone", "isn't shown"];
    let ends_yes = ["is shown", "is visible", "is displayed", "appears"];
    let (text, shown) = if let Some(text) = not.iter().find_map(|words| strip_word(rest, words)) {
        (text, false)
    } else if let Some(text) = yes.iter().find_map(|words| strip_word(rest, words)) {
        (text, true)
    } else if let Some(text) = ends_not.iter().find_map(|words| strip_last_word(rest, words)) {
        (text, false)
    } else {
        (ends_yes.iter().find_map(|words| strip_last_word(rest, words)).unwrap_or(rest), true)
    };
    let text = masked.value(strip_word(without_article(text), "text").unwrap_or(text));
    if text.is_empty() {
        return Err(Unclear::new("it does not say what to expect"));
    }
    Ok(Step::Expect { text, shown })
}

/// Cuts at the first of these words.
fn cut<'a>(text: &'a str, words: &[&str]) -> Option<(&'a str, &'a str)> {
    let lower = text.to_ascii_lowercase();
    words.iter().find_map(|word| lower.find(word).map(|at| (&text[..at], &text[at + word.len()..])))
}

/// Cuts at this word if it stands there exactly once.
fn cut_once<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let found = cut(text, &[word])?;
    cut(&text[found.0.len() + 1..], &[word]).is_none().then_some(found)
}

/// Cuts at the last of this word.
fn cut_last<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let at = text.to_ascii_lowercase().rfind(word)?;
    Some((&text[..at], &text[at + word.len()..]))
}
