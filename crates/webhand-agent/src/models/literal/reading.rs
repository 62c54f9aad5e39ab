//! Reading by a label: the text that stands with `Order number` on the page.
//!
//! Pure.

use webhand_page::{Node, Snapshot};

use super::names::{contains_words, normal};

/// What the page shows for that label: what follows it in the same text, or the next text after it, or the text it stands in.
pub(super) fn labelled(snapshot: &Snapshot, label: &str) -> Option<String> {
    let wanted = normal(label);
    let texts: Vec<&Node> = snapshot
        .nodes
        .iter()
        .filter(|node| node.control.is_none() && !node.name.trim().is_empty() && !container(node.role.as_str()))
        .collect();
    let whole = texts.iter().position(|node| normal(&node.name) == wanted);
    if let Some(at) = whole {
        // The next text that stands no further out: a definition, a cell, a paragraph.
        return texts
            .get(at + 1)
            .map(|node| node.name.trim().to_owned())
            .or_else(|| Some(texts[at].name.trim().to_owned()));
    }
    let starts = texts.iter().find_map(|node| after_label(&node.name, &wanted));
    starts.or_else(|| {
        texts.iter().find(|node| contains_words(&normal(&node.name), &wanted)).map(|node| node.name.trim().to_owned())
    })
}

/// `Order number: WH-1` after `order number`: `WH-1`. Only a colon or a dash makes the beginning of a text a label.
fn after_label(text: &str, label: &str) -> Option<String> {
    text.match_indices([':', '：', '—', '–']).find_map(|(at, mark)| {
        let value = text[at + mark.len()..].trim();
        (normal(&text[..at]) == label && !value.is_empty()).then(|| value.to_owned())
    })
}

fn container(role: &str) -> bool {
    matches!(
        role,
        "main"
            | "navigation"
            | "banner"
            | "contentinfo"
            | "region"
            | "form"
            | "group"
            | "radiogroup"
            | "list"
            | "table"
            | "row"
            | "dialog"
            | "iframe"
            | "article"
            | "listitem"
            | "complementary"
            | "generic"
    )
}

#[cfg(test)]
mod tests {
    use super::{super::matching_tests::page, labelled};

    #[test]
    fn a_value_is_what_stands_with_its_label() {
        let done = page(
            "main Thanks\n  heading Thank you\n  text Order number\n  text WH-48213\n  text Total: 49.00\n  text Your parcel is on its way",
        );
        assert_eq!(labelled(&done, "order number").as_deref(), Some("WH-48213"));
        assert_eq!(labelled(&done, "Total").as_deref(), Some("49.00"));
        assert_eq!(labelled(&done, "parcel").as_deref(), Some("Your parcel is on its way"));
        assert_eq!(labelled(&done, "invoice"), None);
    }
}
