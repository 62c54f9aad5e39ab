//! The shop's pages: values in, HTML out. No state and no requests here.

use super::{
    ledger::{Basket, Order, Visitor},
    stock::{self, Product},
    template::fill,
};

/// What stands around every page.
pub(super) struct Around<'a> {
    pub(super) title: &'a str,
    pub(super) query: &'a str,
    pub(super) visitor: &'a Visitor,
}

impl Around<'_> {
    /// The whole page around its main part.
    pub(super) fn page(&self, main: &str) -> String {
        let wall = if self.visitor.consent.is_none() { include_str!("assets/wall.html") } else { "" };
        let count = if self.visitor.basket.is_some() { "1" } else { "0" };
        fill(
            include_str!("assets/page.html"),
            &[("title", self.title), ("query", self.query), ("count", count), ("main", main), ("wall", wall)],
        )
    }
}

pub(super) fn home() -> String {
    fill(include_str!("assets/home.html"), &[("cards", &cards(&stock::PRODUCTS.iter().collect::<Vec<_>>()))])
}

pub(super) fn results(query: &str) -> String {
    let found = stock::search(query);
    let count = match found.len() {
        0 => "Nothing".to_owned(),
        1 => "1 result".to_owned(),
        count => format!("{count} results"),
    };
    fill(include_str!("assets/results.html"), &[("count", &count), ("query", query), ("cards", &cards(&found))])
}

fn cards(products: &[&Product]) -> String {
    let card = |product: &&Product| {
        let (price, picture) = (product.price(), product.picture());
        fill(
            include_str!("assets/card.html"),
            &[
                ("name", product.name),
                ("line", product.line),
                ("slug", product.slug),
                ("price", &price),
                ("picture", &picture),
            ],
        )
    };
    products.iter().map(card).collect()
}

pub(super) fn product(product: &Product) -> String {
    fill(
        include_str!("assets/product.html"),
        &[
            ("name", product.name),
            ("line", product.line),
            ("slug", product.slug),
            ("price", &product.price()),
            ("picture", &product.picture()),
            ("colours", &product.colours.join(",")),
            ("sizes", &product.sizes.join(",")),
        ],
    )
}

pub(super) fn checkout(basket: Option<&Basket>) -> String {
    let Some(basket) = basket else { return include_str!("assets/empty.html").to_owned() };
    fill(
        include_str!("assets/checkout.html"),
        &[
            ("name", basket.product.name),
            ("colour", &basket.colour),
            ("size", &basket.size),
            ("price", &basket.product.price()),
            ("picture", &basket.product.picture()),
        ],
    )
}

pub(super) fn address(visitor: &Visitor) -> String {
    fill(include_str!("assets/address.html"), &[("street", &visitor.street), ("city", &visitor.city)])
}

pub(super) fn thanks(order: &Order) -> String {
    let price =
        stock::PRODUCTS.iter().find(|product| product.name == order.product).map(Product::price).unwrap_or_default();
    let shipping = match order.shipping.as_str() {
        "express" => "Express",
        "collect" => "Collect in the shop",
        _ => "Standard",
    };
    fill(
        include_str!("assets/thanks.html"),
        &[
            ("name", &order.name),
            ("email", &order.email),
            ("number", &order.number),
            ("product", &order.product),
            ("colour", &order.colour),
            ("size", &order.size),
            ("shipping", shipping),
            ("address", &format!("{}, {}", order.street, order.city)),
            ("price", &price),
        ],
    )
}

/// What the shop knows of a visitor, a line each.
pub(super) fn account(visitor: &Visitor, order: Option<&Order>) -> String {
    let basket =
        visitor.basket.as_ref().map(|basket| format!("{} {} {}", basket.product.name, basket.colour, basket.size));
    fill(
        include_str!("assets/account.html"),
        &[
            ("consent", visitor.consent.as_deref().unwrap_or("not asked yet")),
            ("basket", basket.as_deref().unwrap_or("empty")),
            ("address", &format!("{} {}", visitor.street, visitor.city)),
            ("order", order.map_or("none", |order| order.number.as_str())),
        ],
    )
}

pub(super) fn missing() -> &'static str {
    include_str!("assets/missing.html")
}
