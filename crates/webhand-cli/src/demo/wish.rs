//! What the demo wants from the shop, once as a task and once as the order that must come of it.

use webhand::agent::{Condition, DoubtCheck};

use super::shop::Order;

/// The order that the task describes; the number is the shop's to give.
pub(super) fn wish() -> Order {
    Order {
        number: String::new(),
        product: "Harbour lamp".to_owned(),
        colour: "Sage".to_owned(),
        size: "Large".to_owned(),
        shipping: "express".to_owned(),
        name: "Mira Holm".to_owned(),
        email: "mira@example.org".to_owned(),
        street: "14 Quay Street".to_owned(),
        city: "Zurich".to_owned(),
        consent: "necessary".to_owned(),
    }
}

/// The task, a line or two a step, for the shop at that address.
pub(super) fn task(origin: &str) -> String {
    let Order { product, colour, size, name, email, street, city, .. } = wish();
    format!(
        r#"Open {origin}/
Click "Only necessary"
Type "lamp" into "Search the shop" and press Enter
Click "Details" in the item "{product}"
Choose "{colour}" in "Colour"
Choose "{size}" in "Size"
Click the "Add to basket" button
Type "{name}" into "Your name"
Type "{email}" into "Email"
Type "{street}" into "Street" in the "Delivery address" frame
Type "{city}" into "City"
Click the "Use this address" button, then wait for "We deliver to {street}"
Choose "Express" in "Shipping"
Check "I accept the terms of sale"
Click the "Place order" button, then accept the dialog
Read "Order number"
"#
    )
}

/// How it is found out, after an interruption, whether a step of the task had been done that changes what the shop knows. The
/// rest only leads from page to page.
pub(super) fn doubts(origin: &str) -> Vec<DoubtCheck> {
    let Order { product, street, consent, .. } = wish();
    let account = format!("{origin}/account");
    let known = |step: &str, says: String| DoubtCheck::of(step, Condition::Shows(says)).at(&account);
    vec![
        known("Only necessary", format!("Cookies: {consent}")),
        known("Add to basket", format!("Basket: {product}")),
        known("Use this address", format!("Deliver to: {street}")),
        known("dialog", "Last order: WH-".to_owned()),
        DoubtCheck::repeatable(""),
    ]
}

#[cfg(test)]
mod tests {
    use webhand::agent::models::literal::parse;

    use super::task;

    #[test]
    fn the_task_can_be_taken_at_its_word() {
        let lines = parse(&task("http://127.0.0.1:4100")).unwrap();
        assert_eq!(lines.len(), 19);
    }
}
