//! Differences between our controls and the browser's accessibility tree that are meant: the one table of them.
//!
//! An accessibility tree is for those who do not see the page and use it with a keyboard. A snapshot tells what a person
//! with eyes and a mouse can use. Where that makes a difference of principle it stands here with its reason, and the chore
//! prints how often it came up. Two more are in how names are compared: white space and what has no width count for
//! nothing, and so do capitals where a style sheet changes them. Anything else is a disagreement.

use super::sides::{Facts, Ours, Stand, Theirs};

/// A kind of difference that is meant, and is left out of the rate.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Meant {
    pub(super) title: &'static str,
    pub(super) why: &'static str,
}

const REACTS: Meant = Meant {
    title: "reacts without a role",
    why: "a listener or a hand cursor shows that a click does something; the accessibility tree knows neither",
};
const MARK: Meant = Meant {
    title: "a mark of ours",
    why: "scroll areas, covering layers and canvases are listed because they can be acted on; they are no ARIA widgets",
};
const ARIA_HIDDEN: Meant = Meant {
    title: "hidden from assistive technology only",
    why: "aria-hidden changes nothing for a mouse: it is seen and can be clicked",
};
const BEHIND: Meant = Meant {
    title: "behind a modal dialog",
    why: "the tree drops what is inert; we list it and say that it cannot be used, and why",
};
const UNSEEN: Meant = Meant {
    title: "in the tree but not to be seen",
    why: "the tree keeps what is transparent or clipped away (skip links, guards of the focus) and options of a closed select",
};
const ROW: Meant = Meant {
    title: "a row that is not named",
    why: "its name would be all that it holds, and that is printed as lines of its own",
};
const ORPHAN: Meant = Meant {
    title: "a role without its parent",
    why: "Chromium drops the role of an option whose parent is no list box, and the like; a click chooses it all the same",
};
const ANCHOR: Meant = Meant {
    title: "an anchor that leads nowhere",
    why: "html-aam makes an a without href generic; Chromium calls it a link where it listens",
};
const PART: Meant = Meant {
    title: "a part of a field",
    why: "the browser draws it inside a field that is one control to us: day, month and year of a date, a picker's button",
};
const HOLDER: Meant = Meant {
    title: "a part of the page that takes the focus",
    why: "tab panels, menus, groups and the like take it for the arrow keys; they are printed as structure around controls",
};
const LABEL: Meant = Meant {
    title: "a label that works a field which is not drawn",
    why: "the field is not in the tree at all, but a click on its label ticks it or opens its dialog",
};

/// Our word for a role, the browser's word for it, and why they are one.
const ROLES: &[(&str, &str, &str)] = &[
    ("date", "Date", "html-aam gives date fields no role; both have a word of their own"),
    ("date", "DateTime", "the same"),
    ("date", "InputTime", "the same"),
    ("color", "ColorWell", "html-aam gives colour fields no role"),
    ("file", "button", "html-aam gives file fields no role; the browser names the button in it"),
    ("button", "DisclosureTriangle", "a summary is used as a button"),
    ("button", "DisclosureTriangleGrouped", "the same"),
    ("iframe", "Iframe", "the element of another document"),
    ("img", "image", "ARIA 1.3 has both names"),
    ("textbox", "generic", "an editable region without a role is one to type into"),
    ("generic", "listitem", "what reacts and has no role of a widget is generic, be it structure to others"),
    ("generic", "cell", "the same"),
    ("generic", "gridcell", "the same"),
    ("generic", "group", "the same"),
    ("generic", "list", "the same"),
    ("generic", "image", "the same"),
    ("generic", "heading", "the same"),
    ("generic", "paragraph", "the same"),
    ("generic", "LabelText", "the same"),
];

/// Roles that a person uses, in the words of the accessibility tree.
const WIDGETS: &[&str] = &[
    "button",
    "link",
    "checkbox",
    "radio",
    "switch",
    "tab",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "option",
    "treeitem",
    "slider",
    "spinbutton",
    "scrollbar",
    "textbox",
    "searchbox",
    "combobox",
    "Date",
    "DateTime",
    "InputTime",
    "ColorWell",
    "DisclosureTriangle",
    "DisclosureTriangleGrouped",
];

/// Whether the browser's role is one of a control.
pub(super) fn is_widget(role: &str) -> bool {
    WIDGETS.contains(&role)
}

/// Whether both words mean one role.
pub(super) fn same_role(ours: &str, theirs: &str) -> bool {
    ours == theirs || ROLES.iter().any(|(our_word, their_word, _)| *our_word == ours && *their_word == theirs)
}

/// Structure that may take the focus for the keyboard's sake.
const HOLDERS: &[&str] = &[
    "tabpanel",
    "region",
    "group",
    "radiogroup",
    "menu",
    "menubar",
    "list",
    "toolbar",
    "tablist",
    "tree",
    "grid",
    "treegrid",
    "listbox",
    "generic",
];

/// Roles that ARIA wants to stand in a parent of a certain role.
const ORPHANS: &[&str] = &["option", "menuitem", "menuitemcheckbox", "menuitemradio", "tab", "treeitem"];

/// Roles of what holds a value. Where such a field cannot be seen, something that is drawn stands for it.
const FIELDS: &[&str] =
    &["checkbox", "radio", "switch", "slider", "spinbutton", "textbox", "searchbox", "combobox", "listbox"];

/// Why only the browser lists it, where that is meant.
pub(super) fn only_theirs(facts: &Facts, theirs: &Theirs) -> Option<&'static Meant> {
    if facts.part {
        return Some(&PART);
    }
    let role = theirs.role.as_str();
    let is_field = FIELDS.contains(&role) || facts.tag == "input";
    let usable = match facts.stand {
        Stand::Seen => true,
        Stand::Hit => is_field,
        Stand::Drawn => is_field && facts.tab_stop,
        Stand::None => false,
    };
    if !usable {
        return Some(&UNSEEN);
    }
    (HOLDERS.contains(&role) && (facts.holds || role == "tabpanel")).then_some(&HOLDER)
}

/// Why only we list it, where that is meant.
pub(super) fn only_ours(facts: &Facts, ours: &Ours) -> Option<&'static Meant> {
    match ours.role.as_str() {
        "scroll" | "layer" | "canvas" => Some(&MARK),
        "generic" => Some(&REACTS),
        _ if facts.inert && ours.barred => Some(&BEHIND),
        _ => facts.aria_hidden.then_some(&ARIA_HIDDEN),
    }
}

/// Why both list it and differ, where that is meant.
pub(super) fn both(facts: &Facts, ours: &Ours, theirs: &Theirs, is_control: bool) -> Option<&'static Meant> {
    match ours.role.as_str() {
        "scroll" | "layer" | "canvas" => Some(&MARK),
        "generic" if !is_control => Some(&REACTS),
        "generic" if facts.tag == "a" && theirs.role == "link" => Some(&ANCHOR),
        role if ORPHANS.contains(&role) && facts.role == role && !is_widget(&theirs.role) => Some(&ORPHAN),
        "row" if theirs.role == "row" && ours.name.is_empty() => Some(&ROW),
        "checkbox" | "radio" | "switch" | "file" | "color" if facts.tag == "label" && theirs.role == "LabelText" => {
            Some(&LABEL)
        }
        _ => None,
    }
}
