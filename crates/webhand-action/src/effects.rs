//! What was seen to follow an action. Typed, so that callers need not read prose; never what was merely attempted.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use webhand_page::{Checked, Ref};

/// One thing that was seen to follow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Effect {
    /// The address changed.
    Navigated {
        /// Where to.
        url: String,
        /// The HTTP status, where a document was loaded and it was seen.
        status: Option<u16>,
        /// Whether a new document came (else only the address changed).
        new_document: bool,
    },
    /// The page is on its way to another one, which has not come yet.
    Leaving {
        /// Where to.
        url: String,
    },
    /// The browser did not send a form, since a field of it is not valid.
    Refused {
        /// The field's ref, where it has one.
        target: Option<Ref>,
        /// Its name.
        name: String,
        /// The browser's words.
        message: String,
    },
    /// A tab opened.
    TabOpened {
        /// Its id.
        tab: String,
        /// Its address, as far as known.
        url: String,
        /// Whether it is the current tab now.
        followed: bool,
    },
    /// Another tab is the current one.
    TabSwitched {
        /// Its id.
        tab: String,
    },
    /// A tab closed.
    TabClosed {
        /// Its id.
        tab: String,
    },
    /// A dialog came up and waits (or, for an alert, was accepted).
    DialogOpened {
        /// `alert`, `confirm`, `prompt` or `beforeunload`.
        dialog: String,
        /// The page's words.
        message: String,
    },
    /// A dialog went.
    DialogClosed {
        /// Whether it was accepted.
        accepted: bool,
    },
    /// A download began and is under way.
    DownloadStarted {
        /// The name that the server or page proposes.
        name: String,
        /// How many bytes have come.
        received: u64,
        /// How many there will be, where that is known.
        total: Option<u64>,
    },
    /// A file came, and is kept in the run's folder.
    Downloaded {
        /// Its name there.
        name: String,
        /// Where it is.
        path: String,
        /// How many bytes it has.
        bytes: u64,
        /// What it is: as the server said, else by its name.
        media_type: String,
        /// Its SHA-256, in hexadecimal digits.
        sha256: String,
        /// From where it came.
        url: String,
    },
    /// A download broke off, or its file could not be kept.
    DownloadFailed {
        /// The name that the server or page proposes.
        name: String,
        /// Why.
        why: String,
    },
    /// Requests were begun.
    Requests {
        /// How many.
        begun: u32,
        /// How many of them failed.
        failed: u32,
    },
    /// The document changed.
    Dom {
        /// Changes in and around the target.
        near: u32,
        /// Changes elsewhere.
        far: u32,
    },
    /// What the field holds now. Absent for secrets.
    Value {
        /// The value.
        value: Option<String>,
    },
    /// Another element has the focus.
    Focus {
        /// Its ref, where it has one.
        target: Option<Ref>,
        /// Its name.
        name: String,
    },
    /// A checkbox, radio button or switch changed.
    Checked {
        /// Its state now.
        state: Checked,
    },
    /// The choice changed.
    Selected {
        /// The labels chosen now.
        labels: Vec<String>,
    },
    /// Something opened or closed.
    Expanded {
        /// Whether it is open now.
        open: bool,
    },
    /// A toggle button changed.
    Pressed {
        /// Its state now.
        state: Checked,
    },
    /// The page or an area scrolled.
    Scrolled {
        /// To the right, CSS pixels.
        right: f64,
        /// Down.
        down: f64,
    },
    /// Controls appeared (suggestions, a menu).
    Appeared {
        /// The first of them, as `O12 "Paris"`.
        controls: Vec<String>,
        /// How many in all.
        total: u32,
    },
    /// Texts appeared (a tooltip).
    Shows {
        /// The first of them.
        texts: Vec<String>,
    },
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Effect::Navigated { url, status, new_document } => {
                let what = if *new_document { "page is now" } else { "address is now" };
                write!(f, "{what} {}", short(url))?;
                status.map_or(Ok(()), |status| write!(f, " (status {status})"))
            }
            Effect::Leaving { url } => write!(f, "on the way to {}, which has not answered yet", short(url)),
            Effect::Refused { target, name, message } => {
                f.write_str("form not sent: ")?;
                target.map_or(Ok(()), |target| write!(f, "{target} "))?;
                write!(f, "{} is not valid ({})", quoted(name), cut(message, 120))
            }
            Effect::TabOpened { tab, url, followed } => {
                let place = if *followed { ", now the current tab" } else { "" };
                write!(f, "tab {tab} opened at {}{place}", short(url))
            }
            Effect::TabSwitched { tab } => write!(f, "current tab is {tab}"),
            Effect::TabClosed { tab } => write!(f, "tab {tab} closed"),
            Effect::DialogOpened { dialog, message } => write!(f, "{dialog} dialog says {}", quoted(message)),
            Effect::DialogClosed { accepted: true } => f.write_str("dialog accepted"),
            Effect::DialogClosed { accepted: false } => f.write_str("dialog dismissed"),
            Effect::DownloadStarted { name, received, total } => {
                write!(f, "download of {} is under way ({received} ", quoted(name))?;
                total.map_or(Ok(()), |total| write!(f, "of {total} "))?;
                f.write_str("bytes)")
            }
            Effect::Downloaded { name, path, bytes, media_type, sha256, .. } => {
                write!(
                    f,
                    "downloaded {}: {}, {media_type}, SHA-256 {sha256}, ",
                    quoted(name),
                    counted(*bytes, "byte")
                )?;
                write!(f, "kept as {path}")
            }
            Effect::DownloadFailed { name, why } => write!(f, "the download of {} failed: {why}", quoted(name)),
            Effect::Requests { begun, failed: 0 } => write!(f, "{}", counted(*begun, "request")),
            Effect::Requests { begun, failed } => write!(f, "{}, {failed} failed", counted(*begun, "request")),
            Effect::Dom { near, far } => write!(f, "page changed ({near} near, {far} elsewhere)"),
            Effect::Value { value: Some(value) } => write!(f, "value is {}", quoted(value)),
            Effect::Value { value: None } => f.write_str("value changed (hidden)"),
            Effect::Focus { target: Some(target), name } => write!(f, "focus on {target} {}", quoted(name)),
            Effect::Focus { target: None, name } => write!(f, "focus on {}", quoted(name)),
            Effect::Checked { state } => write!(f, "{}", switch(*state, "checked", "unchecked")),
            Effect::Selected { labels } => {
                let labels: Vec<String> = labels.iter().take(5).map(|label| quoted(label)).collect();
                write!(f, "selected {}", labels.join(", "))
            }
            Effect::Expanded { open: true } => f.write_str("opened"),
            Effect::Expanded { open: false } => f.write_str("closed"),
            Effect::Pressed { state } => write!(f, "{}", switch(*state, "pressed", "not pressed")),
            Effect::Scrolled { right, down } => write!(f, "scrolled by {right:.0} right, {down:.0} down"),
            Effect::Shows { texts } => {
                let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
                write!(f, "shows {}", texts.join(", "))
            }
            Effect::Appeared { controls, total } => {
                write!(f, "appeared: {}", controls.join(", "))?;
                let shown = u32::try_from(controls.len()).unwrap_or(u32::MAX);
                if *total > shown { write!(f, " and {} more", total - shown) } else { Ok(()) }
            }
        }
    }
}

fn counted(count: impl Into<u64>, what: &str) -> String {
    let count = count.into();
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn switch(state: Checked, on: &'static str, off: &'static str) -> &'static str {
    match state {
        Checked::True => on,
        Checked::False => off,
        Checked::Mixed => "partly",
    }
}

fn short(text: &str) -> String {
    cut(text, 200)
}

fn quoted(text: &str) -> String {
    Value::from(cut(text, 120)).to_string()
}

fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most).collect();
    format!("{kept}…")
}

/// All that was seen to follow an action, in the order it was seen.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Effects(Vec<Effect>);

impl Effects {
    /// Nothing seen.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// Notes one more.
    pub fn push(&mut self, effect: Effect) {
        self.0.push(effect);
    }

    /// Whether anything at all was seen.
    #[must_use]
    pub fn any(&self) -> bool {
        !self.0.is_empty()
    }

    /// Each in turn.
    pub fn iter(&self) -> std::slice::Iter<'_, Effect> {
        self.0.iter()
    }

    /// Whether the document was replaced.
    #[must_use]
    pub fn new_document(&self) -> bool {
        self.iter().any(|effect| matches!(effect, Effect::Navigated { new_document: true, .. }))
    }

    /// Whether a dialog came up.
    #[must_use]
    pub fn dialog(&self) -> bool {
        self.iter().any(|effect| matches!(effect, Effect::DialogOpened { .. }))
    }

    /// Whether something went beyond the page, and may have changed what is kept for it.
    pub(crate) fn reach_out(&self) -> bool {
        self.iter().any(|effect| {
            matches!(effect, Effect::Navigated { .. } | Effect::Requests { .. } | Effect::TabOpened { .. })
        })
    }

    /// That tabs closed was not seen after all.
    pub(crate) fn forget_tabs(&mut self) {
        self.0.retain(|effect| !matches!(effect, Effect::TabClosed { .. }));
    }
}

impl<'a> IntoIterator for &'a Effects {
    type Item = &'a Effect;
    type IntoIter = std::slice::Iter<'a, Effect>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl FromIterator<Effect> for Effects {
    fn from_iter<I: IntoIterator<Item = Effect>>(effects: I) -> Self {
        Self(effects.into_iter().collect())
    }
}

impl Extend<Effect> for Effects {
    fn extend<I: IntoIterator<Item = Effect>>(&mut self, effects: I) {
        self.0.extend(effects);
    }
}

impl fmt::Display for Effects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, effect) in self.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}{effect}")?;
        }
        Ok(())
    }
}
