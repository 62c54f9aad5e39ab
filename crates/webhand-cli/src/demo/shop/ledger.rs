//! What the shop knows: its visitors' baskets, and the record of orders by which a run is checked.

use std::collections::HashMap;

use rand::Rng as _;
use serde::{Deserialize, Serialize};

use super::stock;

/// The most visitors that are remembered; the shop is for one person.
const MOST_VISITORS: usize = 1000;
/// The most orders that are taken.
const MOST_ORDERS: usize = 10_000;

/// An order as the shop's own record has it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// Drawn by the shop when the order was placed.
    pub number: String,
    /// What was ordered.
    pub product: String,
    /// In which colour.
    pub colour: String,
    /// In which size.
    pub size: String,
    /// How it goes out: `standard`, `express`, `collect`.
    pub shipping: String,
    /// To whom.
    pub name: String,
    /// Where the note about it goes.
    pub email: String,
    /// Street and number.
    pub street: String,
    /// City.
    pub city: String,
    /// What the cookie wall was answered with.
    pub consent: String,
}

/// A visitor's basket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Basket {
    pub(super) product: &'static stock::Product,
    pub(super) colour: String,
    pub(super) size: String,
}

/// What the shop keeps of one visitor.
#[derive(Clone, Debug, Default)]
pub(super) struct Visitor {
    pub(super) consent: Option<String>,
    pub(super) basket: Option<Basket>,
    pub(super) street: String,
    pub(super) city: String,
}

/// What the checkout sends.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Checkout {
    pub(super) name: String,
    pub(super) email: String,
    pub(super) shipping: String,
    pub(super) terms: bool,
}

/// Visitors and orders.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    visitors: HashMap<String, Visitor>,
    orders: Vec<(String, Order)>,
}

impl Ledger {
    /// The visitor of that cookie.
    pub(super) fn visitor(&self, key: &str) -> Option<&Visitor> {
        self.visitors.get(key)
    }

    /// The visitor of that cookie, to be changed.
    pub(super) fn visitor_mut(&mut self, key: &str) -> Option<&mut Visitor> {
        self.visitors.get_mut(key)
    }

    /// Greets a new visitor and gives the key for the cookie.
    pub(super) fn greet(&mut self) -> String {
        if self.visitors.len() >= MOST_VISITORS {
            self.visitors.clear();
        }
        let key = format!("{:032x}", rand::rng().random::<u128>());
        self.visitors.insert(key.clone(), Visitor::default());
        key
    }

    /// Places an order, or says what is missing.
    pub(super) fn place(&mut self, key: &str, checkout: &Checkout) -> Result<Order, Vec<&'static str>> {
        let Some(visitor) = self.visitors.get(key) else { return Err(vec!["an item in the basket"]) };
        let wanted = [
            (visitor.basket.is_some(), "an item in the basket"),
            (!checkout.name.trim().is_empty(), "your name"),
            (checkout.email.contains('@'), "an email address"),
            (!visitor.street.is_empty() && !visitor.city.is_empty(), "a delivery address"),
            (matches!(checkout.shipping.as_str(), "standard" | "express" | "collect"), "a kind of shipping"),
            (checkout.terms, "your consent to the terms"),
            (self.orders.len() < MOST_ORDERS, "a free line in our book"),
        ];
        let missing: Vec<&str> = wanted.into_iter().filter(|(given, _)| !given).map(|(_, what)| what).collect();
        let Some(basket) = visitor.basket.as_ref().filter(|_| missing.is_empty()) else { return Err(missing) };
        let order = Order {
            number: self.new_number(),
            product: basket.product.name.to_owned(),
            colour: basket.colour.clone(),
            size: basket.size.clone(),
            shipping: checkout.shipping.clone(),
            name: checkout.name.trim().to_owned(),
            email: checkout.email.trim().to_owned(),
            street: visitor.street.clone(),
            city: visitor.city.clone(),
            consent: visitor.consent.clone().unwrap_or_default(),
        };
        self.orders.push((key.to_owned(), order.clone()));
        if let Some(visitor) = self.visitors.get_mut(key) {
            visitor.basket = None;
        }
        Ok(order)
    }

    fn new_number(&self) -> String {
        loop {
            let number = format!("WH-{:05}", rand::rng().random_range(10_000..100_000));
            if self.orders.iter().all(|(_, order)| order.number != number) {
                return number;
            }
        }
    }

    /// A visitor's own order of that number.
    pub(super) fn order(&self, key: &str, number: &str) -> Option<&Order> {
        self.orders.iter().find(|(owner, order)| owner == key && order.number == number).map(|(_, order)| order)
    }

    /// All orders, in the order in which they were placed.
    pub(super) fn orders(&self) -> Vec<Order> {
        self.orders.iter().map(|(_, order)| order.clone()).collect()
    }
}
