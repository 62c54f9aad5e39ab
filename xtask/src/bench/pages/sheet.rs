//! A page while it is being written: markup, how many elements it makes, and what on it is a control or a decoy.
//!
//! Every control carries its own token (`T00001` …) at the start of its accessible name, every decoy a `D` token, so
//! that truth can be told from any engine's text. It must not know what any page looks like.

use super::{Kind, Truth};
use crate::bench::random::Random;

const STYLE: &str = include_str!("page.css");
const WITNESS: &str = include_str!("witness.js");

/// Elements of every document: html, head, meta, title, style, script, body, and the line that answers clicks.
const FRAMEWORK: usize = 8;

/// One document in the making.
#[derive(Debug)]
pub(crate) struct Sheet {
    title: String,
    body: String,
    tail: String,
    extra_style: String,
    controls: u32,
    decoys: u32,
    place: &'static str,
    /// What is on it.
    pub(crate) truth: Truth,
    /// Its chance.
    pub(crate) random: Random,
}

impl Sheet {
    /// An empty document.
    pub(crate) fn new(title: &str, random: Random) -> Self {
        Self {
            title: title.to_owned(),
            body: String::new(),
            tail: String::new(),
            extra_style: String::new(),
            controls: 0,
            decoys: 0,
            place: "",
            truth: Truth::default(),
            random,
        }
    }

    /// Lets token numbers go on after those of another document of the same page.
    pub(crate) fn continuing(mut self, after: u32) -> Self {
        self.controls = after;
        self
    }

    /// The number of the last control token given out.
    pub(crate) fn last_token(&self) -> u32 {
        self.controls
    }

    /// Says where the controls that follow stand (`frame 2`, `closed root`); told in the truth.
    pub(crate) fn set_place(&mut self, place: &'static str) {
        self.place = place;
    }

    /// Adds markup to the body.
    pub(crate) fn add(&mut self, markup: &str) {
        self.body.push_str(markup);
    }

    /// Adds the body of another document, and what is on it.
    pub(crate) fn take_in(&mut self, other: Self) {
        self.body.push_str(&other.body);
        self.truth.absorb(other.truth);
    }

    /// Adds script that runs at the end of the body.
    pub(crate) fn add_script(&mut self, script: &str) {
        self.tail.push_str(script);
    }

    /// Adds rules to the style sheet.
    pub(crate) fn add_style(&mut self, rules: &str) {
        self.extra_style.push_str(rules);
    }

    /// A new control's token.
    pub(crate) fn token(&mut self, kind: Kind) -> String {
        self.controls += 1;
        let token = format!("T{:05}", self.controls);
        self.truth.add_control(&token, kind, self.place);
        token
    }

    /// A new decoy's token.
    pub(crate) fn decoy(&mut self, why: &'static str) -> String {
        self.decoys += 1;
        let token = format!("D{:05}", self.decoys);
        self.truth.add_decoy(&token, why);
        token
    }

    /// The markup of one new control of that kind, named by its token and two words.
    pub(crate) fn control(&mut self, kind: Kind) -> String {
        let token = self.token(kind);
        let name = format!("{token} {}", self.random.words(2));
        match kind {
            Kind::Button => format!("<button>{name}</button>"),
            Kind::Link => format!("<a href='#/{}/{}'>{name}</a>", self.random.word(), self.random.below(900)),
            Kind::Text => format!("<input type=text aria-label='{name}'>"),
            Kind::Checkbox => format!("<input type=checkbox aria-label='{name}'>"),
            Kind::Select => {
                let (first, second) = (self.random.word(), self.random.word());
                format!("<select aria-label='{name}'><option>{first}</option><option>{second}</option></select>")
            }
            Kind::RoleButton => format!("<div role=button tabindex=0>{name}</div>"),
            Kind::Listener => format!("<div class=act>{name}</div>"),
            Kind::Tab => format!("<div role=tab tabindex=0>{name}</div>"),
            Kind::MenuItem => format!("<div role=menuitem tabindex=-1>{name}</div>"),
            Kind::Switch => format!("<div role=switch aria-checked=false tabindex=0>{name}</div>"),
            Kind::Summary => format!("<details><summary>{name}</summary>{}</details>", self.random.word()),
            Kind::Editable => format!("<div contenteditable=true aria-label='{name}'>{}</div>", self.random.word()),
            Kind::Radio => format!("<input type=radio name=pick aria-label='{name}'>"),
            Kind::Range => format!("<input type=range aria-label='{name}'>"),
            Kind::File => format!("<input type=file aria-label='{name}'>"),
        }
    }

    /// How many elements the document has so far, as `document.querySelectorAll('*')` counts them.
    pub(crate) fn elements(&self) -> usize {
        FRAMEWORK + count_elements(&self.body) + usize::from(!self.tail.is_empty())
    }

    /// The whole document.
    pub(crate) fn html(&self) -> String {
        let tail = if self.tail.is_empty() { String::new() } else { format!("<script>{}</script>", self.tail) };
        format!(
            "<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>{}</title><style>{STYLE}{}</style>\
             <script>{WITNESS}</script></head><body><output id=said>no click yet</output>{}{tail}</body></html>",
            self.title, self.extra_style, self.body
        )
    }
}

/// How many elements a piece of this generator's markup makes (it always writes its start tags out).
pub(crate) fn count_elements(markup: &str) -> usize {
    let bytes = markup.as_bytes();
    bytes.iter().zip(bytes.iter().skip(1)).filter(|&(&left, right)| left == b'<' && right.is_ascii_alphabetic()).count()
}
