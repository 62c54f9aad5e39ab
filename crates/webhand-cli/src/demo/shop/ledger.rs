//! What the shop knows: its visitors' baskets, and the record of orders by which a run is checked. Where it has a file it
//! writes all of it down after each change, so that it can be opened again.

use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
};

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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Basket {
    #[serde(with = "by_slug")]
    pub(super) product: &'static stock::Product,
    pub(super) colour: String,
    pub(super) size: String,
}

/// What the shop keeps of one visitor.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
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
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Ledger {
    /// The port at which the shop is.
    pub(super) port: u16,
    visitors: HashMap<String, Visitor>,
    orders: Vec<(String, Order)>,
    #[serde(skip)]
    file: Option<PathBuf>,
}

impl Ledger {
    /// A ledger that is kept in a file from now on.
    pub(super) fn kept_in(file: PathBuf) -> Self {
        Self { file: Some(file), ..Self::default() }
    }

    /// The ledger as a file has it.
    pub(super) fn read(file: &Path) -> io::Result<Self> {
        let ledger: Self = serde_json::from_slice(&fs::read(file)?)?;
        Ok(Self { file: Some(file.to_owned()), ..ledger })
    }

    /// Writes it down, whole or not at all.
    pub(super) fn save(&self) -> io::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        let fresh = file.with_extension("new");
        fs::write(&fresh, serde_json::to_vec_pretty(self)?)?;
        fs::rename(fresh, file)
    }

    /// Changes a visitor, and writes it down.
    pub(super) fn change(&mut self, key: &str, change: impl FnOnce(&mut Visitor)) {
        if let Some(visitor) = self.visitors.get_mut(key) {
            change(visitor);
        }
        self.keep();
    }

    /// A change is worth nothing to who comes again if it is not written down; the shop itself goes on without.
    fn keep(&self) {
        if let Err(error) = self.save() {
            tracing::warn!(%error, "the shop's ledger is not kept");
        }
    }

    /// A visitor's newest order.
    pub(super) fn last_order(&self, key: &str) -> Option<&Order> {
        self.orders.iter().rev().find(|(owner, _)| owner == key).map(|(_, order)| order)
    }

    /// The visitor of that cookie.
    pub(super) fn visitor(&self, key: &str) -> Option<&Visitor> {
        self.visitors.get(key)
    }

    /// Greets a new visitor and gives the key for the cookie.
    pub(super) fn greet(&mut self) -> String {
        if self.visitors.len() >= MOST_VISITORS {
            self.visitors.clear();
        }
        let key = format!("{:032x}", rand::rng().random::<u128>());
        self.visitors.insert(key.clone(), Visitor::default());
        self.keep();
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
        self.keep();
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

/// A product as its short name.
mod by_slug {
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    use super::stock::{self, Product};

    pub(super) fn serialize<S: Serializer>(product: &&'static Product, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(product.slug)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static Product, D::Error> {
        let slug = String::deserialize(deserializer)?;
        stock::product(&slug).ok_or_else(|| D::Error::custom(format!("there is no product {slug:?}")))
    }
}
