//! The shop's requests: who asks, what changes, which page comes back.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::{
    Form, Json, Router,
    extract::{Path, Query, State},
    http::{HeaderMap, StatusCode, header},
    response::{Html, IntoResponse, Redirect, Response},
    routing::{get, post},
};
use serde::Deserialize;
use serde_json::json;

use super::{
    ledger::{Basket, Checkout, Ledger, Visitor},
    pages::{self, Around},
    stock,
};

/// The longest text that is kept of any field.
const LONGEST: usize = 500;

/// The shop's ledger, shared by its requests.
pub(super) type Shared = Arc<Mutex<Ledger>>;

/// Everything the shop answers to.
pub(super) fn router(ledger: Shared) -> Router {
    Router::new()
        .route("/", get(home))
        .route("/search", get(search))
        .route("/products/{slug}", get(product))
        .route("/basket", post(basket))
        .route("/checkout", get(checkout))
        .route("/address", get(address).post(set_address))
        .route("/consent", post(consent))
        .route("/orders", post(place))
        .route("/account", get(account))
        .route("/orders/{number}", get(thanks))
        .route("/assets/{name}", get(asset))
        .fallback(nowhere)
        .with_state(ledger)
}

/// The ledger, also after a request that panicked: it holds plain values only.
pub(super) fn open(ledger: &Shared) -> MutexGuard<'_, Ledger> {
    ledger.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Who asks: the key in the cookie if the shop knows it, else a new one.
struct Guest {
    key: String,
    new: bool,
    visitor: Visitor,
}

impl Guest {
    fn of(headers: &HeaderMap, ledger: &Shared) -> Self {
        let mut ledger = open(ledger);
        let key = headers
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(';'))
            .find_map(|pair| pair.trim().strip_prefix("visitor="));
        if let Some(key) = key
            && let Some(visitor) = ledger.visitor(key)
        {
            return Self { key: key.to_owned(), new: false, visitor: visitor.clone() };
        }
        Self { key: ledger.greet(), new: true, visitor: Visitor::default() }
    }

    /// The response with the cookie of a new visitor.
    fn answer(&self, response: impl IntoResponse) -> Response {
        let mut response = response.into_response();
        if self.new
            && let Ok(cookie) = format!("visitor={}; Path=/; HttpOnly; SameSite=Lax", self.key).parse()
        {
            response.headers_mut().insert(header::SET_COOKIE, cookie);
        }
        response
    }

    fn page(&self, title: &str, query: &str, main: &str) -> Html<String> {
        Html(Around { title, query, visitor: &self.visitor }.page(main))
    }
}

async fn home(State(ledger): State<Shared>, headers: HeaderMap) -> Response {
    let guest = Guest::of(&headers, &ledger);
    guest.answer(guest.page("Warm light, good paper", "", &pages::home()))
}

#[derive(Deserialize)]
struct Asked {
    #[serde(default)]
    q: String,
}

async fn search(State(ledger): State<Shared>, headers: HeaderMap, Query(asked): Query<Asked>) -> Response {
    let guest = Guest::of(&headers, &ledger);
    let query = kept(&asked.q);
    guest.answer(guest.page(&query, &query, &pages::results(&query)))
}

async fn product(State(ledger): State<Shared>, headers: HeaderMap, Path(slug): Path<String>) -> Response {
    let guest = Guest::of(&headers, &ledger);
    match stock::product(&slug) {
        Some(product) => guest.answer(guest.page(product.name, "", &pages::product(product))),
        None => guest.answer((StatusCode::NOT_FOUND, guest.page("Not here", "", pages::missing()))),
    }
}

#[derive(Deserialize)]
struct Picked {
    product: String,
    #[serde(default)]
    colour: String,
    #[serde(default)]
    size: String,
}

async fn basket(State(ledger): State<Shared>, headers: HeaderMap, Form(picked): Form<Picked>) -> Response {
    let guest = Guest::of(&headers, &ledger);
    let fits = |product: &&stock::Product| {
        product.colours.contains(&picked.colour.as_str()) && product.sizes.contains(&picked.size.as_str())
    };
    let Some(product) = stock::product(&picked.product).filter(fits) else {
        return guest.answer((StatusCode::UNPROCESSABLE_ENTITY, guest.page("Not here", "", pages::missing())));
    };
    let basket = Basket { product, colour: picked.colour, size: picked.size };
    open(&ledger).change(&guest.key, |visitor| visitor.basket = Some(basket));
    guest.answer(Redirect::to("/checkout"))
}

async fn checkout(State(ledger): State<Shared>, headers: HeaderMap) -> Response {
    let guest = Guest::of(&headers, &ledger);
    // who comes back to an empty basket wants to see what became of it
    let placed = open(&ledger).last_order(&guest.key).map(|order| format!("/orders/{}", order.number));
    if let Some(order) = placed.filter(|_| guest.visitor.basket.is_none()) {
        return guest.answer(Redirect::to(&order));
    }
    guest.answer(guest.page("Checkout", "", &pages::checkout(guest.visitor.basket.as_ref())))
}

/// What the shop knows of whoever asks.
async fn account(State(ledger): State<Shared>, headers: HeaderMap) -> Response {
    let guest = Guest::of(&headers, &ledger);
    let order = open(&ledger).last_order(&guest.key).cloned();
    guest.answer(Html(pages::account(&guest.visitor, order.as_ref())))
}

async fn address(State(ledger): State<Shared>, headers: HeaderMap) -> Response {
    let guest = Guest::of(&headers, &ledger);
    guest.answer(Html(pages::address(&guest.visitor)))
}

#[derive(Deserialize)]
struct Address {
    street: String,
    city: String,
}

async fn set_address(State(ledger): State<Shared>, headers: HeaderMap, Json(address): Json<Address>) -> Response {
    let guest = Guest::of(&headers, &ledger);
    let (street, city) = (kept(&address.street), kept(&address.city));
    if street.is_empty() || city.is_empty() {
        return guest.answer(StatusCode::UNPROCESSABLE_ENTITY);
    }
    open(&ledger).change(&guest.key, |visitor| (visitor.street, visitor.city) = (street, city));
    guest.answer(StatusCode::NO_CONTENT)
}

#[derive(Deserialize)]
struct Consent {
    choice: String,
}

async fn consent(State(ledger): State<Shared>, headers: HeaderMap, Json(consent): Json<Consent>) -> Response {
    let guest = Guest::of(&headers, &ledger);
    if !matches!(consent.choice.as_str(), "necessary" | "all") {
        return guest.answer(StatusCode::UNPROCESSABLE_ENTITY);
    }
    open(&ledger).change(&guest.key, |visitor| visitor.consent = Some(consent.choice));
    guest.answer(StatusCode::NO_CONTENT)
}

async fn place(State(ledger): State<Shared>, headers: HeaderMap, Json(mut checkout): Json<Checkout>) -> Response {
    let guest = Guest::of(&headers, &ledger);
    checkout.name = kept(&checkout.name);
    checkout.email = kept(&checkout.email);
    let placed = open(&ledger).place(&guest.key, &checkout);
    match placed {
        Ok(order) => guest.answer(Json(json!({"page": format!("/orders/{}", order.number)}))),
        Err(missing) => guest.answer((StatusCode::UNPROCESSABLE_ENTITY, Json(json!({"missing": missing})))),
    }
}

async fn thanks(State(ledger): State<Shared>, headers: HeaderMap, Path(number): Path<String>) -> Response {
    let guest = Guest::of(&headers, &ledger);
    let order = open(&ledger).order(&guest.key, &number).cloned();
    match order {
        Some(order) => guest.answer(guest.page("Thank you", "", &pages::thanks(&order))),
        None => guest.answer((StatusCode::NOT_FOUND, guest.page("Not here", "", pages::missing()))),
    }
}

async fn asset(Path(name): Path<String>) -> Response {
    let (kind, text) = match name.as_str() {
        "shop.css" => ("text/css; charset=utf-8", include_str!("assets/shop.css")),
        "shop.js" => ("text/javascript; charset=utf-8", include_str!("assets/shop.js")),
        "picker.js" => ("text/javascript; charset=utf-8", include_str!("assets/picker.js")),
        "contact.js" => ("text/javascript; charset=utf-8", include_str!("assets/contact.js")),
        "address.js" => ("text/javascript; charset=utf-8", include_str!("assets/address.js")),
        _ => return StatusCode::NOT_FOUND.into_response(),
    };
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

async fn nowhere(State(ledger): State<Shared>, headers: HeaderMap) -> Response {
    let guest = Guest::of(&headers, &ledger);
    guest.answer((StatusCode::NOT_FOUND, guest.page("Not here", "", pages::missing())))
}

/// A text as the shop keeps it: trimmed and of bounded length.
fn kept(text: &str) -> String {
    text.trim().chars().take(LONGEST).collect()
}
