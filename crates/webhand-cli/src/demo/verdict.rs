//! Whether the shop's own record bears out what a run says. Pure.

use super::shop::Order;

/// What the shop's record says about a run's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// There is exactly one order, of that number, as it was wanted.
    Agrees(Box<Order>),
    /// There is not, for these reasons.
    Disagrees(Vec<String>),
}

/// Compares the number that was read from the page and what was wanted with what the shop wrote down.
pub(super) fn verdict(read: &str, wish: &Order, orders: &[Order]) -> Verdict {
    let [order] = orders else {
        return Verdict::Disagrees(vec![format!("the shop has {} orders, not one", orders.len())]);
    };
    let mut reasons = Vec::new();
    if read.trim() != order.number {
        reasons.push(format!("the page was read as {:?}, the shop wrote {:?}", read.trim(), order.number));
    }
    let fields = [
        ("product", &order.product, &wish.product),
        ("colour", &order.colour, &wish.colour),
        ("size", &order.size, &wish.size),
        ("shipping", &order.shipping, &wish.shipping),
        ("name", &order.name, &wish.name),
        ("email", &order.email, &wish.email),
        ("street", &order.street, &wish.street),
        ("city", &order.city, &wish.city),
        ("consent", &order.consent, &wish.consent),
    ];
    for (field, is, wanted) in fields {
        if is != wanted {
            reasons.push(format!("{field} is {is:?}, wanted was {wanted:?}"));
        }
    }
    if reasons.is_empty() { Verdict::Agrees(Box::new(order.clone())) } else { Verdict::Disagrees(reasons) }
}

#[cfg(test)]
mod tests {
    use super::{super::wish::wish, *};

    fn ordered() -> Order {
        Order { number: "WH-12345".to_owned(), ..wish() }
    }

    #[test]
    fn the_record_bears_out_a_true_answer() {
        assert_eq!(verdict(" WH-12345 ", &wish(), &[ordered()]), Verdict::Agrees(Box::new(ordered())));
    }

    #[test]
    fn every_difference_is_named() {
        let other = Order { colour: "Ink".to_owned(), city: "Bern".to_owned(), ..ordered() };
        let Verdict::Disagrees(reasons) = verdict("WH-12346", &wish(), &[other]) else { panic!("it agreed") };
        assert_eq!(reasons.len(), 3, "{reasons:?}");
        assert!(reasons[1].contains("Ink") && reasons[1].contains("Sage"));
    }

    #[test]
    fn no_order_or_two_are_no_success() {
        assert!(matches!(verdict("WH-12345", &wish(), &[]), Verdict::Disagrees(_)));
        assert!(matches!(verdict("WH-12345", &wish(), &[ordered(), ordered()]), Verdict::Disagrees(_)));
    }
}
