//! What one line of a literal task says, as a value.
//!
//! Pure types: this module knows neither the languages that lines are written in nor the page they are about.

use serde::Serialize;
use webhand_page::RefText;

/// One line, understood.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "step", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Step {
    /// Open an address.
    Open {
        /// As written: whole, a bare host, or a path on the present site.
        address: String,
        /// In a tab of its own.
        new_tab: bool,
    },
    /// Click a control.
    Click {
        /// Which.
        target: Wanted,
        /// With which button, how often.
        how: ClickKind,
    },
    /// Put the mouse over a control.
    Hover {
        /// Which.
        target: Wanted,
    },
    /// Type text into a field; an empty text clears it.
    Type {
        /// The text.
        text: String,
        /// Which field; none means what has the focus.
        target: Option<Wanted>,
    },
    /// Choose an option.
    Choose {
        /// The option's label.
        option: String,
        /// In which list or group; none means wherever it stands.
        target: Option<Wanted>,
    },
    /// Set a checkbox, radio button or switch.
    Check {
        /// Which.
        target: Wanted,
        /// On or off.
        on: bool,
    },
    /// Press keys.
    Press {
        /// Chords, separated by spaces.
        keys: String,
    },
    /// Scroll the page.
    Scroll(ScrollTo),
    /// Wait for something.
    Wait(WaitFor),
    /// Read something; what was read becomes the run's answer.
    Read(ReadWhat),
    /// Answer the dialog that is open.
    Dialog {
        /// Accept or dismiss.
        accept: bool,
        /// What to write into a prompt.
        text: Option<String>,
    },
    /// One page back in the tab's history.
    Back,
    /// One page forward.
    Forward,
    /// Load the page again.
    Reload,
    /// Change to another tab.
    SwitchTab {
        /// Its short id, such as `t2`.
        id: String,
    },
    /// Close the current tab.
    CloseTab,
    /// A stated condition: this text must (or must not) be shown.
    Expect {
        /// The text.
        text: String,
        /// Shown or not shown.
        shown: bool,
    },
    /// Take a picture.
    Screenshot,
    /// Ask the configured search engine.
    SearchWeb {
        /// The query.
        query: String,
    },
}

/// How to click.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ClickKind {
    /// Once, main button.
    Single,
    /// Twice, main button.
    Double,
    /// Once, right button.
    Right,
}

/// Where to scroll.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ScrollTo {
    /// Up, by this many pages.
    Up(u32),
    /// Down, by this many pages.
    Down(u32),
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// To the very top.
    Top,
    /// To the very bottom.
    Bottom,
    /// To this part of the height, 0 to 100.
    Percent(u32),
    /// Until this text is in view.
    Text(String),
    /// Until this control is in view.
    Ref(RefText),
}

/// What to wait for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WaitFor {
    /// A text appears.
    Text(String),
    /// A text is gone.
    TextGone(String),
    /// The page has loaded.
    Load,
    /// This many seconds pass.
    Seconds(u32),
}

/// What to read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReadWhat {
    /// The whole page.
    Page,
    /// The page's title.
    Title,
    /// The page's address.
    Address,
    /// A control's value, or the text that stands with this label.
    Named(Wanted),
}

/// A control as a line names it: the possible readings of the phrase, the one with the longest name first.
///
/// `First name field` is a field called "First name", or else the first field called "name". Both readings are kept, and
/// the page decides; a quoted name leaves one reading.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Wanted {
    /// The phrase as written.
    pub phrase: String,
    /// What it can mean.
    pub readings: Vec<Reading>,
}

/// One meaning of a phrase.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Reading {
    /// The control's ref; then it has no name.
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
    pub r#ref: Option<RefText>,
    /// The control's name; none means that only the role (and place) is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The role word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<RoleWord>,
    /// Which one of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ordinal: Option<Ordinal>,
    /// The row, card, group, form, dialog or frame it stands in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
}

/// Which one of several alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ordinal {
    /// Counted from one.
    Nth(u32),
    /// The last.
    Last,
}

/// A kind of control as people name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RoleWord {
    /// Button.
    Button,
    /// Link.
    Link,
    /// Tab.
    Tab,
    /// Checkbox.
    Checkbox,
    /// Radio button.
    Radio,
    /// Switch, toggle.
    Switch,
    /// A field to type into.
    Field,
    /// Any box: a field, a checkbox or a list.
    Box,
    /// A list to choose from.
    Dropdown,
    /// Something that can be chosen: option, menu item.
    Option,
    /// Picture, icon.
    Image,
    /// Slider.
    Slider,
}

impl Wanted {
    /// A control of exactly that name, of any kind.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self { phrase: name.to_owned(), readings: vec![Reading { name: Some(name.to_owned()), ..Reading::default() }] }
    }

    /// The plainest way to say which control is meant.
    #[must_use]
    pub fn label(&self) -> &str {
        self.readings.first().and_then(|reading| reading.name.as_deref()).unwrap_or(&self.phrase)
    }
}
