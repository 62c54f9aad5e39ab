//! From a step and the page to what is to be done: actions, a wait, or an honest no.
//!
//! Pure. The actions are written as a model writes them, and go the way of every model's reply.

use serde_json::{Value, json};
use webhand_action::validate::UrlForm;
use webhand_page::{Control, Node, Ref, Snapshot};

use super::{
    matcher::{Found, Match, find},
    names::normal,
    progress::Note,
    reading::labelled,
    refs,
    roles::Purpose,
    step::{ClickKind, ReadWhat, Reading, ScrollTo, Step, WaitFor, Wanted},
};

/// How long to wait for a control or a text that is not there yet.
const PATIENCE_SECONDS: u32 = 5;
/// How many lists are asked for their options.
const LISTS: usize = 8;

/// What is to be done for a step.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Answer {
    /// These actions, for this purpose.
    Act(Vec<Value>, Note),
    /// It cannot be done, for this reason.
    No(String),
}

impl Answer {
    fn act(action: Value) -> Self {
        Answer::Act(vec![action], Note::Do)
    }
}

/// The options of the lists that were asked for them: what the page does not show of a closed list.
pub(super) type Listed = [(Ref, Vec<String>)];

/// What to do for a step on that page; `already` says what was done for it before, `listed` what lists hold.
pub(super) fn answer(step: &Step, snapshot: &Snapshot, already: Option<Note>, listed: &Listed) -> Answer {
    if let Some(dialog) = &snapshot.dialog
        && !matches!(step, Step::Dialog { .. })
    {
        let open = format!("a {} dialog is open ({:?})", dialog.kind, dialog.message);
        return Answer::No(format!("{open}: answer it first, with \"accept the dialog\" or \"dismiss the dialog\""));
    }
    let page = Page { snapshot, already, listed };
    match step {
        Step::Open { address, new_tab } => match whole_address(address, &snapshot.page.url) {
            Ok(url) => Answer::act(json!({"type": "navigate", "url": url, "new_tab": new_tab})),
            Err(reason) => Answer::No(reason),
        },
        Step::Click { target, how } => page.on(target, Purpose::Click, |found, _| click(found, *how)),
        Step::Hover { target } => {
            page.on(target, Purpose::Click, |found, _| Answer::act(json!({"type": "hover", "ref": found.r#ref})))
        }
        Step::Type { text, target: None } => Answer::act(json!({"type": "type", "text": text})),
        Step::Type { text, target: Some(target) } => page.on(target, Purpose::Type, |found, _| {
            Answer::act(json!({"type": "fill", "ref": found.r#ref, "text": text}))
        }),
        Step::Choose { option, target } => page.choose(option, target.as_ref()),
        Step::Check { target, on } => page
            .on(target, Purpose::Check, |found, _| Answer::act(json!({"type": "check", "ref": found.r#ref, "on": on}))),
        Step::Press { keys } => Answer::act(json!({"type": "press", "keys": keys})),
        Step::Scroll(to) => Answer::act(scroll(to)),
        Step::Wait(what) => Answer::act(wait(what)),
        Step::Read(what) => page.read(what),
        Step::Dialog { accept, text } => page.dialog(*accept, text.as_deref()),
        Step::Back => Answer::act(json!({"type": "back"})),
        Step::Forward => Answer::act(json!({"type": "forward"})),
        Step::Reload => Answer::act(json!({"type": "reload"})),
        Step::SwitchTab { id } => Answer::act(json!({"type": "tab", "op": "switch", "id": id})),
        Step::CloseTab => Answer::act(json!({"type": "tab", "op": "close"})),
        Step::Expect { text, shown } => {
            let what = if *shown { "text" } else { "text_gone" };
            Answer::act(json!({"type": "wait", "for": what, "value": text, "seconds": PATIENCE_SECONDS}))
        }
        Step::Screenshot => Answer::act(json!({"type": "screenshot"})),
        Step::SearchWeb { query } => Answer::act(json!({"type": "search", "query": query})),
    }
}

/// The page, and what was done for the line before.
struct Page<'a> {
    snapshot: &'a Snapshot,
    already: Option<Note>,
    listed: &'a Listed,
}

impl Page<'_> {
    /// Does something to the one control that is meant; waits once for one that is not there yet.
    fn on(&self, target: &Wanted, purpose: Purpose, act: impl FnOnce(&Found, &Control) -> Answer) -> Answer {
        match find(self.snapshot, target, purpose) {
            Match::One(found) => match self.snapshot.control(found.r#ref.number) {
                Some((_, control)) => act(&found, control),
                None => Answer::No(format!("{} is gone", found.r#ref)),
            },
            Match::Ambiguous(found) => Answer::No(several(&target.phrase, &found)),
            Match::None => match refs::missing(self.snapshot, target) {
                // Waiting brings no ref back.
                Some(reason) => Answer::No(reason),
                None => self.wait_once(target.label(), || self.missing(target, purpose)),
            },
        }
    }

    fn wait_once(&self, text: &str, missing: impl FnOnce() -> String) -> Answer {
        if self.already == Some(Note::Waited) {
            return Answer::No(missing());
        }
        let wait = if self.shows(text) {
            // The text is there, and a control of that name may still come.
            json!({"type": "wait", "for": "time", "seconds": 1})
        } else {
            json!({"type": "wait", "for": "text", "value": text, "seconds": PATIENCE_SECONDS})
        };
        Answer::Act(vec![wait], Note::Waited)
    }

    /// Whether that text stands on the page.
    fn shows(&self, text: &str) -> bool {
        let text = normal(text);
        !text.is_empty() && self.snapshot.nodes.iter().any(|node| normal(&node.name).contains(&text))
    }

    fn missing(&self, target: &Wanted, purpose: Purpose) -> String {
        let kind = match purpose {
            Purpose::Type => "no field to type into",
            Purpose::Check => "no checkbox, radio button or switch",
            Purpose::List => "no list to choose from",
            Purpose::Pick => "nothing to choose",
            Purpose::Click | Purpose::Read => "no control",
        };
        let near = self.nearest(target.label());
        let plain = if near.is_empty() && self.shows(target.label()) {
            format!(
                "; {:?} is shown as a text that is no control: name a control of the snapshot beside it, or its ref",
                target.label()
            )
        } else {
            String::new()
        };
        format!("there is {kind} named {}{near}{plain}", target.phrase)
    }

    /// The controls whose names share a word with the wanted one.
    fn nearest(&self, label: &str) -> String {
        let words: Vec<String> = label.to_lowercase().split_whitespace().map(str::to_owned).collect();
        let shares = |node: &Node| {
            let name = node.name.to_lowercase();
            words.iter().any(|word| word.chars().count() > 2 && name.contains(word.as_str()))
        };
        let near: Vec<String> = self
            .snapshot
            .controls()
            .filter(|(node, _)| shares(node))
            .take(3)
            .map(|(node, control)| format!("{} {} {:?}", control.r#ref, node.role.as_str(), node.name))
            .collect();
        if near.is_empty() { String::new() } else { format!("; nearest by name: {}", near.join(", ")) }
    }

    fn choose(&self, option: &str, target: Option<&Wanted>) -> Answer {
        let Some(target) = target else { return self.choose_anywhere(option) };
        match find(self.snapshot, target, Purpose::List) {
            Match::One(list) => self.choose_in_list(option, &list),
            Match::Ambiguous(found) => Answer::No(several(&target.phrase, &found)),
            Match::None if refs::missing(self.snapshot, target).is_some() => {
                Answer::No(refs::missing(self.snapshot, target).unwrap_or_default())
            }
            Match::None => {
                let reading = Reading {
                    name: Some(option.to_owned()),
                    within: Some(target.label().to_owned()),
                    ..Reading::default()
                };
                let phrase = format!("{option:?} in {}", target.phrase);
                self.on(&Wanted { phrase, readings: vec![reading] }, Purpose::Pick, pick)
            }
        }
    }

    /// An option wherever it stands: shown, or in the one list that has it.
    fn choose_anywhere(&self, option: &str) -> Answer {
        let wanted = Wanted::named(option);
        let shown = find(self.snapshot, &wanted, Purpose::Pick);
        if shown != Match::None {
            return self.on(&wanted, Purpose::Pick, pick);
        }
        let lists: Vec<Ref> = self
            .snapshot
            .controls()
            .filter(|(_, control)| control.tag == "select" && control.state.disabled.is_none())
            .map(|(_, control)| control.r#ref)
            .take(LISTS)
            .collect();
        if !lists.is_empty() && self.already.is_none() {
            let ask = lists.iter().map(|list| json!({"type": "options", "ref": list})).collect();
            return Answer::Act(ask, Note::Looked);
        }
        let label = normal(option);
        let holds = |options: &[String]| options.iter().any(|option| normal(option) == label);
        let having: Vec<Ref> =
            self.listed.iter().filter(|(_, options)| holds(options)).map(|(list, _)| *list).collect();
        match having.as_slice() {
            [list] => Answer::act(json!({"type": "select", "ref": list, "values": [option]})),
            [] => self.on(&wanted, Purpose::Pick, pick),
            several => {
                let names: Vec<String> = several.iter().map(|list| self.named(*list)).collect();
                let first = several.first().map(ToString::to_string).unwrap_or_default();
                let lists = names.join(", ");
                Answer::No(format!("{option:?} is in several lists: {lists}; say which: choose {option:?} in {first}"))
            }
        }
    }

    /// A control as a person reads it.
    fn named(&self, handle: Ref) -> String {
        match self.snapshot.control(handle.number) {
            Some((node, _)) => format!("{handle} {} {:?}", node.role.as_str(), &*node.name),
            None => handle.to_string(),
        }
    }

    fn choose_in_list(&self, option: &str, list: &Found) -> Answer {
        let native = self.snapshot.control(list.r#ref.number).is_some_and(|(_, control)| control.tag == "select");
        if native || list.role == "listbox" {
            return Answer::act(json!({"type": "select", "ref": list.r#ref, "values": [option]}));
        }
        match find(self.snapshot, &Wanted::named(option), Purpose::Pick) {
            Match::One(found) => Answer::act(json!({"type": "click", "ref": found.r#ref})),
            Match::Ambiguous(found) => Answer::No(several(&format!("{option:?}"), &found)),
            Match::None if matches!(self.already, Some(Note::Opened | Note::Waited)) => {
                self.wait_once(option, || format!("{} was opened, and there is no option {option:?} in it", list.r#ref))
            }
            Match::None => Answer::Act(vec![json!({"type": "click", "ref": list.r#ref})], Note::Opened),
        }
    }

    fn read(&self, what: &ReadWhat) -> Answer {
        let keep = |key: &str, value: &str| Answer::act(json!({"type": "remember", "key": key, "value": value}));
        match what {
            ReadWhat::Page => Answer::act(json!({"type": "read", "format": "text"})),
            ReadWhat::Title => keep("title", &self.snapshot.page.title),
            ReadWhat::Address => keep("address", &self.snapshot.page.url),
            ReadWhat::Named(target) => match find(self.snapshot, target, Purpose::Read) {
                Match::One(found) => {
                    let holds_value =
                        matches!(found.role.as_str(), "textbox" | "searchbox" | "spinbutton" | "combobox" | "slider");
                    let format = if holds_value { "value" } else { "text" };
                    Answer::act(json!({"type": "read", "ref": found.r#ref, "format": format}))
                }
                Match::Ambiguous(found) => Answer::No(several(&target.phrase, &found)),
                Match::None if refs::missing(self.snapshot, target).is_some() => {
                    Answer::No(refs::missing(self.snapshot, target).unwrap_or_default())
                }
                Match::None => {
                    let names = target.readings.iter().filter_map(|reading| reading.name.as_deref());
                    match names.into_iter().find_map(|name| labelled(self.snapshot, name).map(|value| (name, value))) {
                        Some((name, value)) => keep(&shortened(name), &value),
                        None => {
                            self.wait_once(target.label(), || format!("the page shows nothing for {}", target.phrase))
                        }
                    }
                }
            },
        }
    }

    fn dialog(&self, accept: bool, text: Option<&str>) -> Answer {
        if self.snapshot.dialog.is_none() {
            if self.already == Some(Note::Waited) {
                return Answer::No("no dialog is open".to_owned());
            }
            return Answer::Act(vec![json!({"type": "wait", "for": "time", "seconds": 1})], Note::Waited);
        }
        let mut action = json!({"type": "dialog", "accept": accept});
        if let Some(text) = text {
            action["text"] = Value::from(text);
        }
        Answer::act(action)
    }
}

/// A key of at most the length that facts may have.
fn shortened(name: &str) -> String {
    name.chars().take(100).collect()
}

fn several(phrase: &str, found: &[Found]) -> String {
    let names: Vec<String> = found.iter().map(ToString::to_string).collect();
    format!(
        "{phrase} can mean several: {}; say which, such as the second one, or in which row or part of the page",
        names.join(", ")
    )
}

fn click(found: &Found, how: ClickKind) -> Answer {
    let mut action = json!({"type": "click", "ref": found.r#ref});
    match how {
        ClickKind::Single => {}
        ClickKind::Double => action["count"] = Value::from(2),
        ClickKind::Right => action["button"] = Value::from("right"),
    }
    Answer::act(action)
}

fn pick(found: &Found, _: &Control) -> Answer {
    if matches!(found.role.as_str(), "radio" | "checkbox" | "switch") {
        return Answer::act(json!({"type": "check", "ref": found.r#ref, "on": true}));
    }
    click(found, ClickKind::Single)
}

fn scroll(to: &ScrollTo) -> Value {
    match to {
        ScrollTo::Up(pages) => json!({"type": "scroll", "to": "up", "amount": pages}),
        ScrollTo::Down(pages) => json!({"type": "scroll", "to": "down", "amount": pages}),
        ScrollTo::Left => json!({"type": "scroll", "to": "left"}),
        ScrollTo::Right => json!({"type": "scroll", "to": "right"}),
        ScrollTo::Top => json!({"type": "scroll", "to": "top"}),
        ScrollTo::Bottom => json!({"type": "scroll", "to": "bottom"}),
        ScrollTo::Percent(percent) => json!({"type": "scroll", "to": "percent", "amount": percent}),
        ScrollTo::Text(text) => json!({"type": "scroll", "to": "text", "value": text}),
        ScrollTo::Ref(text) => json!({"type": "scroll", "to": "ref", "value": text}),
    }
}

fn wait(what: &WaitFor) -> Value {
    match what {
        WaitFor::Text(text) => json!({"type": "wait", "for": "text", "value": text}),
        WaitFor::TextGone(text) => json!({"type": "wait", "for": "text_gone", "value": text}),
        WaitFor::Load => json!({"type": "wait", "for": "load"}),
        WaitFor::Seconds(seconds) => json!({"type": "wait", "for": "time", "seconds": seconds}),
    }
}

/// The whole address: paths on the present site, else as the action takes it.
fn whole_address(address: &str, page: &str) -> Result<String, String> {
    if address.starts_with('/') && !address.starts_with("//") {
        let base = url::Url::parse(page).ok().filter(|url| url.has_host());
        let joined = base.and_then(|base| base.join(address).ok());
        return joined.map(String::from).ok_or_else(|| format!("{address:?} is a path, and no site is open yet"));
    }
    match UrlForm::of(address) {
        UrlForm::Whole => Ok(address.to_owned()),
        UrlForm::Completed(whole) => Ok(whole),
        UrlForm::Scheme(scheme) => {
            Err(format!("{scheme}: addresses are not opened; only http, https and about:blank are"))
        }
        _ => Err(format!("{address:?} is not an address; write a whole one, such as https://example.org/page")),
    }
}
