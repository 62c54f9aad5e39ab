//! Which controls serve which purpose, and which a role word can mean.
//!
//! Pure tables.

use webhand_page::Control;

use super::step::RoleWord;

/// What a control is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Purpose {
    /// To be clicked or hovered over.
    Click,
    /// To be typed into.
    Type,
    /// A list from which something is chosen.
    List,
    /// One of several to be chosen.
    Pick,
    /// To be set on or off.
    Check,
    /// To be read.
    Read,
}

/// How well a control of that role serves: 0 for wholly, less for less, nothing for not at all.
pub(super) fn suits(role: &str, control: &Control, word: Option<RoleWord>, purpose: Purpose) -> Option<f64> {
    let purpose_cost = for_purpose(role, control, purpose)?;
    match word {
        // A role word that fits says more about the role than the purpose does.
        Some(word) => word_cost(role, control, word),
        None => Some(purpose_cost),
    }
}

fn for_purpose(role: &str, control: &Control, purpose: Purpose) -> Option<f64> {
    match purpose {
        Purpose::Click => match role {
            "iframe" | "scroll" | "layer" => None,
            "dialog" | "alertdialog" => Some(-15.0),
            "textbox" | "searchbox" | "spinbutton" | "generic" | "text" | "img" | "row" | "cell" | "listitem" => Some(-6.0),
            _ => Some(0.0),
        },
        Purpose::Type => typed(role, control).then_some(0.0),
        Purpose::List => matches!(role, "combobox" | "listbox" | "menu" | "button" if role != "button" || control.state.popup.is_some())
            .then(|| if role == "button" { -6.0 } else { 0.0 }),
        Purpose::Pick => match role {
            "option" | "radio" | "menuitemradio" | "menuitem" | "treeitem" => Some(0.0),
            "tab" | "checkbox" | "menuitemcheckbox" | "switch" => Some(-1.0),
            "button" | "link" | "gridcell" | "cell" | "generic" | "listitem" | "img" => Some(-6.0),
            _ => None,
        },
        Purpose::Check => match role {
            "checkbox" | "radio" | "switch" | "menuitemcheckbox" | "menuitemradio" => Some(0.0),
            _ if control.state.checked.is_some() || control.state.pressed.is_some() => Some(-2.0),
            _ => None,
        },
        Purpose::Read => (role != "scroll").then_some(0.0),
    }
}

fn typed(role: &str, control: &Control) -> bool {
    match role {
        "textbox" | "searchbox" | "spinbutton" | "date" | "color" => true,
        "combobox" => control.tag != "select",
        "slider" => control.tag == "input",
        _ => false,
    }
}

fn word_cost(role: &str, control: &Control, word: RoleWord) -> Option<f64> {
    let (own, near): (&[&str], &[&str]) = match word {
        RoleWord::Button => (&["button"], &["link", "menuitem", "tab", "generic", "switch"]),
        RoleWord::Link => (&["link"], &["button", "menuitem", "generic"]),
        RoleWord::Tab => (&["tab"], &["link", "button"]),
        RoleWord::Checkbox => (&["checkbox"], &["switch", "menuitemcheckbox"]),
        RoleWord::Radio => (&["radio"], &["menuitemradio"]),
        RoleWord::Switch => (&["switch"], &["checkbox", "button"]),
        RoleWord::Field => (&["textbox", "searchbox", "spinbutton", "date"], &["combobox", "slider", "color", "file"]),
        RoleWord::Box => (&["textbox", "searchbox", "spinbutton", "checkbox", "combobox"], &["listbox", "switch"]),
        RoleWord::Dropdown => (&["combobox", "listbox"], &["button"]),
        RoleWord::Option => {
            (&["option", "menuitem", "radio", "menuitemradio", "treeitem"], &["tab", "checkbox", "link", "button"])
        }
        RoleWord::Image => (&["img"], &["button", "link", "generic"]),
        RoleWord::Slider => (&["slider"], &[]),
    };
    if own.contains(&role) {
        return Some(0.0);
    }
    if word == RoleWord::Dropdown && role == "button" && control.state.popup.is_none() {
        return None;
    }
    near.contains(&role).then_some(-8.0)
}
