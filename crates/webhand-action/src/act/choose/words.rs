//! What is said of lists of options. Pure.

use serde::{Deserialize, Serialize};

use crate::error::{ActionError, ErrorCode};

/// So many options are named in a message.
const NAMED: usize = 60;

/// An option as it is told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub(super) struct ListedOption {
    pub(super) label: String,
    pub(super) value: String,
    pub(super) chosen: bool,
    pub(super) disabled: bool,
}

/// `"Red", "Green"`.
pub(super) fn quoted<'a>(labels: impl IntoIterator<Item = &'a String>) -> String {
    let labels: Vec<String> = labels.into_iter().map(|label| format!("{label:?}")).collect();
    if labels.is_empty() { "nothing".to_owned() } else { labels.join(", ") }
}

/// What a list has, of which `total` options there are.
pub(super) fn listing(options: &[ListedOption], total: Option<u32>) -> String {
    let named = quoted(options.iter().take(NAMED).map(|option| &option.label));
    let all = total.map_or(options.len(), |total| total as usize);
    let rest = all.saturating_sub(options.len().min(NAMED));
    if rest == 0 { named } else { format!("{named} and {rest} more") }
}

/// Why an option could not be chosen, with what there is.
pub(super) fn missing(what: &str, miss: &str, want: &str, options: &[ListedOption], total: Option<u32>) -> ActionError {
    let list = format!("it has: {}", listing(options, total));
    match miss {
        "option_disabled" => {
            ActionError::new(ErrorCode::NotInteractable, format!("the option {want:?} of {what} is disabled"))
                .with_kind("disabled")
                .with_hint(list)
        }
        "option_ambiguous" => {
            ActionError::new(ErrorCode::ElementNotFound, format!("{what} has several options {want:?}"))
                .with_kind("ambiguous")
                .with_hint("name it by its value, or by its place: #1 is the first")
        }
        "single" => ActionError::new(ErrorCode::InvalidAction, format!("{what} has exactly one option chosen"))
            .with_kind("single")
            .with_hint(list),
        "gone" => ActionError::new(ErrorCode::ElementNotFound, format!("{what} went away")),
        _ => ActionError::new(ErrorCode::ElementNotFound, format!("{what} has no option {want:?}"))
            .with_kind("option_missing")
            .with_hint(list),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_named_is_counted() {
        let options: Vec<ListedOption> =
            (1..=70).map(|n| ListedOption { label: format!("Row {n}"), ..ListedOption::default() }).collect();
        assert!(listing(&options, None).ends_with("\"Row 60\" and 10 more"));
        assert!(listing(&options, Some(500)).ends_with("and 440 more"));
        assert_eq!(listing(&options[..1], None), "\"Row 1\"");
        assert_eq!(listing(&[], None), "nothing");
    }
}
