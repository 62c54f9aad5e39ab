//! The `[view]` part of the settings: in which format, and how long, pages are written.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use webhand::{
    action::View,
    guard::Pattern,
    page::{SnapshotFormat, format_named},
};

/// As a file writes it, and as a session is asked for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ViewPart {
    /// The format where no rule says otherwise.
    pub(crate) format: Option<String>,
    /// The longest text, in tokens; 0 = no limit.
    pub(crate) max_tokens: Option<u32>,
    /// Formats by address; the first that fits holds.
    pub(crate) rules: Vec<Rule>,
}

/// One rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rule {
    /// A pattern of addresses, such as `*.shop.test/orders`.
    pub(crate) address: String,
    /// The format there.
    pub(crate) format: String,
}

impl ViewPart {
    /// The same as a session takes it.
    ///
    /// # Errors
    /// In words, for whoever wrote it.
    pub(crate) fn view(&self) -> Result<View, String> {
        let mut view = View::default();
        if let Some(name) = &self.format {
            view = view.with_format(format(name)?);
        }
        if let Some(max_tokens) = self.max_tokens {
            view = view.with_max_tokens(max_tokens);
        }
        for rule in &self.rules {
            let pattern = Pattern::parse(&rule.address).map_err(|error| format!("view.rules: {error}"))?;
            view = view.with_rule(pattern, format(&rule.format)?);
        }
        Ok(view)
    }
}

fn format(name: &str) -> Result<Arc<dyn SnapshotFormat>, String> {
    format_named(name)
        .ok_or_else(|| format!("view: there is no format {name:?}; there are outline, list, table and json"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_rule_that_fits_holds() {
        let rule = |address: &str, format: &str| Rule { address: address.to_owned(), format: format.to_owned() };
        let part = ViewPart {
            format: Some("list".to_owned()),
            max_tokens: Some(500),
            rules: vec![rule("*.shop.test/orders", "table"), rule("*.shop.test", "json")],
        };
        let view = part.view().unwrap();
        let names = ["https://a.shop.test/orders/1", "https://a.shop.test/", "https://elsewhere.test/"]
            .map(|url| view.format_for(url).name().to_owned());
        assert_eq!(names, ["table", "json", "list"]);
        assert_eq!(view.options().max_tokens, 500);
    }

    #[test]
    fn what_cannot_be_used_is_told_by_its_name() {
        let part = ViewPart { format: Some("yaml".to_owned()), ..ViewPart::default() };
        assert!(part.view().unwrap_err().contains("\"yaml\""));
    }
}
