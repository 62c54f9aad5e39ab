//! The snapshot: what was seen of a page, as a plain value with no browser in it.
//!
//! Formats, diffs, search and fingerprints are pure functions of it. It must not know how a page is read.

use std::{borrow::Cow, sync::Arc};

use serde::{Deserialize, Serialize};

use crate::refs::{Family, Ref, RefText};

/// What was seen of one tab at one moment.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Snapshot {
    /// Counts up by one with each snapshot of a session.
    pub number: u64,
    /// The page as a whole.
    pub page: PageMeta,
    /// The session's tabs, in the order they were opened.
    pub tabs: Vec<TabMeta>,
    /// The dialog that the page holds open, if any; while it stands the page is as it was before.
    pub dialog: Option<DialogMeta>,
    /// The frames, the main frame first.
    pub frames: Vec<FrameMeta>,
    /// What is visible, in document order, frames and shadow trees in place.
    pub nodes: Vec<Node>,
}

/// The page as a whole.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PageMeta {
    /// The document's title.
    pub title: String,
    /// Its address.
    pub url: String,
    /// The HTTP status of its load, where one was seen.
    pub status: Option<u16>,
    /// Its language (`lang` of the root).
    pub language: Option<String>,
    /// The tab's id, such as `t1`.
    pub tab: String,
    /// Width and height of the view, CSS pixels.
    pub viewport: (f64, f64),
    /// How many views of content stand above the present scroll position.
    pub pages_above: f64,
    /// How many views of content stand below it.
    pub pages_below: f64,
    /// The control that has the focus.
    pub focus: Option<Ref>,
    /// How many elements listen for a person's hand and were not looked at yet: 2,000 are at one read of a process.
    #[serde(default)]
    pub unlooked: u32,
}

/// One tab of the session.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TabMeta {
    /// Short stable id, such as `t2`.
    pub id: String,
    /// Title, as last known.
    pub title: String,
    /// Address, as last known.
    pub url: String,
    /// Whether this is the session's current tab.
    pub active: bool,
    /// The tab that opened it.
    pub opener: Option<String>,
}

/// A JavaScript dialog that waits for an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DialogMeta {
    /// `alert`, `confirm`, `prompt` or `beforeunload`.
    pub kind: String,
    /// The dialog's text: the page's words.
    pub message: String,
    /// What a prompt's field holds at first.
    pub default_text: String,
}

/// One frame of the page.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FrameMeta {
    /// The ref of the frame's element (none for the main frame).
    pub r#ref: Option<Ref>,
    /// The frame's address.
    pub url: String,
    /// The frame's document: changes with each load and each return from the back/forward cache.
    pub document: String,
    /// Why the frame was not read, if it was not.
    pub unread: Option<String>,
}

/// An ARIA role, or `text` for plain text and `generic` for a reacting thing without a role.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Role(Cow<'static, str>);

impl Role {
    /// The role of that name.
    ///
    /// ```
    /// assert_eq!(webhand_page::Role::new("button").as_str(), "button");
    /// ```
    #[must_use]
    pub fn new(name: &str) -> Self {
        macro_rules! known {
            ($($word:ident),+ $(,)?) => {
                match name {
                    $(stringify!($word) => Cow::Borrowed(stringify!($word)),)+
                    other => Cow::Owned(other.to_owned()),
                }
            };
        }
        Self(known!(
            text,
            button,
            link,
            listitem,
            textbox,
            checkbox,
            radio,
            switch,
            combobox,
            heading,
            list,
            row,
            cell,
            columnheader,
            rowheader,
            table,
            rowgroup,
            generic,
            option,
            tab,
            menuitem,
            navigation,
            main,
            banner,
            contentinfo,
            complementary,
            region,
            form,
            article,
            dialog,
            alertdialog,
            alert,
            status,
            img,
            group,
            iframe,
            listbox,
            searchbox,
            slider,
            spinbutton,
            term,
            definition,
            figure,
            separator,
            toolbar,
            menu,
            tablist,
            tabpanel,
            tree,
            treeitem,
            gridcell,
            search,
            layer,
            scroll,
            canvas,
            date,
            file,
            color,
            progressbar,
            meter,
            blockquote,
            radiogroup,
        ))
    }

    /// The role's name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// One line of the page: a piece of text, a structural part, or a control. Snapshots share what did not change between
/// them, so that a copy of a node costs no copy of its text.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Node {
    /// How deep it stands; a node's parent is the nearest node before it with a smaller depth.
    pub depth: u16,
    /// Index of its frame in [`Snapshot::frames`].
    pub frame: u32,
    /// Its role.
    pub role: Role,
    /// Its name (a control, a landmark) or its text (text, heading, cell).
    pub name: Arc<str>,
    /// Heading level, where it is a heading.
    pub level: Option<u8>,
    /// Whether it was in view.
    pub in_view: bool,
    /// What makes it a control, where it is one (frames and dialogs with a ref count).
    pub control: Option<Arc<Control>>,
}

/// What can be used, with its live state.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Control {
    /// Its handle.
    pub r#ref: Ref,
    /// New since the last snapshot of this document.
    pub new: bool,
    /// Tag name, lower case.
    pub tag: String,
    /// The type of an `input` or `button`.
    pub kind: Option<String>,
    /// Left, top, width, height in CSS pixels of its frame's view.
    pub rect: [f64; 4],
    /// The attributes that tend to stay.
    pub attributes: Attributes,
    /// Digest of the text of the nearest row, card or item it stands in, apart from live values.
    pub item: u64,
    /// The name is a guess from a nearby hint, not from the page's own labelling.
    pub guessed_name: bool,
    /// Live state.
    pub state: State,
}

/// Attributes of a control that tend to survive a re-rendering.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Attributes {
    /// `id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// `name`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// `data-testid` and its kin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test_id: Option<String>,
    /// The whole address of a link.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub href: Option<String>,
}

/// Live state of a control: from properties, never from attributes alone.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct State {
    /// What stands in it. Never set for passwords and card numbers: see `secret`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Holds a value that must not be shown (password, card number): `Some(true)` when it is not empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret: Option<bool>,
    /// Placeholder text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placeholder: Option<String>,
    /// Checked, unchecked or mixed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked: Option<Checked>,
    /// Labels of the chosen options.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selected: Option<Vec<String>>,
    /// How many options it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub options: Option<u32>,
    /// Whether it is the selected one of its kind (tab, option).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<bool>,
    /// Opened or closed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expanded: Option<bool>,
    /// Pressed or not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pressed: Option<Checked>,
    /// `aria-current`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current: Option<String>,
    /// Why it cannot be used: `disabled`, `disabled by fieldset`, `aria-disabled`, `inert`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disabled: Option<String>,
    /// Cannot be changed.
    #[serde(skip_serializing_if = "is_false")]
    pub readonly: bool,
    /// Must be filled.
    #[serde(skip_serializing_if = "is_false")]
    pub required: bool,
    /// Not valid, with the browser's or the page's message (may be empty).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invalid: Option<String>,
    /// Has the focus.
    #[serde(skip_serializing_if = "is_false")]
    pub focused: bool,
    /// What it opens (`menu`, `listbox`, `dialog` …).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub popup: Option<String>,
    /// Limits as the page states them: `min`, `max`, `step`, `maxlength`, `pattern`, `accept`, `multiple`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<(String, String)>,
    /// `ascending` or `descending`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sort: Option<String>,
    /// How far a scroll area can go: pixels above, below, left, right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scroll: Option<[f64; 4]>,
    /// What covers it, so that a click would land on that instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub covered: Option<Cover>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for this form")]
fn is_false(value: &bool) -> bool {
    !*value
}

/// A three-valued switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Checked {
    /// On.
    True,
    /// Off.
    False,
    /// Partly.
    Mixed,
}

/// What covers a control.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Cover {
    /// The covering element's ref.
    pub r#ref: Option<Ref>,
    /// Its name or a short description.
    pub name: String,
}

impl Snapshot {
    /// The controls in document order, each with the node that carries it.
    pub fn controls(&self) -> impl Iterator<Item = (&Node, &Control)> {
        self.nodes.iter().filter_map(|node| node.control.as_deref().map(|control| (node, control)))
    }

    /// The control with that number.
    #[must_use]
    pub fn control(&self, number: u32) -> Option<(&Node, &Control)> {
        self.controls().find(|(_, control)| control.r#ref.number == number)
    }

    /// The control that a reply's ref names; a wrong letter names nothing.
    #[must_use]
    pub fn named(&self, text: RefText) -> Option<(&Node, &Control)> {
        self.control(text.number).filter(|(_, control)| text.names(control.r#ref))
    }

    /// The first control of that role and name (whole, case-sensitive): handy in tests and scripts.
    #[must_use]
    pub fn by_role_and_name(&self, role: &str, name: &str) -> Option<(&Node, &Control)> {
        self.controls().find(|(node, _)| node.role.as_str() == role && *node.name == *name)
    }
}

impl Snapshot {
    /// Marks it as held by a dialog: the page is as it was before.
    pub fn hold(&mut self, kind: &str, message: &str, default_text: &str) {
        self.dialog = Some(DialogMeta {
            kind: kind.to_owned(),
            message: message.to_owned(),
            default_text: default_text.to_owned(),
        });
    }
}

impl TabMeta {
    /// A tab with these facts.
    #[must_use]
    pub fn new(id: String, title: String, url: String, active: bool, opener: Option<String>) -> Self {
        Self { id, title, url, active, opener }
    }
}

impl Control {
    /// Whether it can be used as it stands: not disabled and not covered.
    #[must_use]
    pub fn usable(&self) -> bool {
        self.state.disabled.is_none() && self.state.covered.is_none()
    }
}

/// The family that a role (and, for inputs, its type) belongs to.
#[must_use]
pub fn family_of(role: &str) -> Family {
    match role {
        "button" => Family::Button,
        "link" => Family::Link,
        "textbox" | "searchbox" | "spinbutton" | "slider" | "date" | "file" | "color" => Family::Input,
        "checkbox" | "radio" | "switch" => Family::Check,
        "option" | "tab" | "menuitem" | "menuitemcheckbox" | "menuitemradio" | "treeitem" => Family::Option,
        "combobox" | "listbox" => Family::Select,
        "iframe" => Family::Frame,
        "scroll" => Family::Scroll,
        "dialog" | "alertdialog" | "layer" => Family::Dialog,
        _ => Family::Element,
    }
}
