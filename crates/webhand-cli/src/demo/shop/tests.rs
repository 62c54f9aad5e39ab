//! The shop at the level of HTTP: what it shows, what it refuses, what it writes down.

use std::collections::HashSet;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use super::Shop;

/// A visitor without a browser: keeps the cookie, follows nothing.
struct Visitor {
    address: String,
    cookie: String,
}

struct Reply {
    status: u16,
    head: String,
    body: String,
}

impl Visitor {
    fn of(shop: &Shop) -> Self {
        Self { address: shop.origin().strip_prefix("http://").unwrap().to_owned(), cookie: String::new() }
    }

    async fn send(&mut self, method: &str, path: &str, kind: &str, body: &str) -> Reply {
        let mut stream = TcpStream::connect(&self.address).await.unwrap();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncookie: {}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n{body}",
            self.address,
            self.cookie,
            body.len()
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).await.unwrap();
        let (head, body) = reply.split_once("\r\n\r\n").unwrap();
        if let Some(cookie) = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")) {
            self.cookie = cookie.split(';').next().unwrap().to_owned();
        }
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Reply { status, head: head.to_owned(), body: body.to_owned() }
    }

    async fn get(&mut self, path: &str) -> Reply {
        self.send("GET", path, "text/plain", "").await
    }

    async fn json(&mut self, path: &str, body: &str) -> Reply {
        self.send("POST", path, "application/json", body).await
    }

    /// Puts a lamp into the basket and says where it should go.
    async fn with_basket_and_address(&mut self) {
        let form = "application/x-www-form-urlencoded";
        let added = self.send("POST", "/basket", form, "product=harbour-lamp&colour=Sage&size=Large").await;
        assert_eq!(added.status, 303, "{}", added.body);
        assert!(added.head.contains("location: /checkout"));
        assert_eq!(self.json("/address", r#"{"street": "14 Quay Street", "city": "Zurich"}"#).await.status, 204);
    }
}

const DETAILS: &str = r#"{"name": "Mira", "email": "m@example.org", "shipping": "express", "terms": true}"#;

#[tokio::test]
async fn the_wall_stands_until_it_is_answered() {
    let shop = Shop::open().await.unwrap();
    let mut visitor = Visitor::of(&shop);
    assert!(visitor.get("/").await.body.contains("Only necessary"));
    assert!(visitor.get("/search?q=lamp").await.body.contains("Only necessary"));
    assert_eq!(visitor.json("/consent", r#"{"choice": "everything"}"#).await.status, 422);
    assert_eq!(visitor.json("/consent", r#"{"choice": "necessary"}"#).await.status, 204);
    assert!(!visitor.get("/").await.body.contains("Only necessary"));
    assert!(Visitor::of(&shop).get("/").await.body.contains("Only necessary"), "another visitor is asked anew");
}

#[tokio::test]
async fn search_finds_by_words_and_escapes_what_was_asked() {
    let shop = Shop::open().await.unwrap();
    let mut visitor = Visitor::of(&shop);
    let found = visitor.get("/search?q=Lamp").await.body;
    assert!(found.contains("Harbour lamp") && found.contains("Meadow lamp") && !found.contains("Tide mug"));
    let none = visitor.get("/search?q=%3Cscript%3Ealert(1)%3C/script%3E").await.body;
    assert!(none.contains("Nothing for") && none.contains("&lt;script&gt;alert(1)") && !none.contains("<script>alert"));
}

#[tokio::test]
async fn an_order_is_written_down_as_it_was_placed() {
    let shop = Shop::open().await.unwrap();
    let mut visitor = Visitor::of(&shop);
    visitor.json("/consent", r#"{"choice": "necessary"}"#).await;
    visitor.with_basket_and_address().await;
    assert!(shop.orders().is_empty());
    let placed = visitor.json("/orders", DETAILS).await;
    assert_eq!(placed.status, 200, "{}", placed.body);
    let orders = shop.orders();
    assert_eq!(orders.len(), 1);
    let order = &orders[0];
    let kept =
        [&order.product, &order.colour, &order.size, &order.shipping, &order.street, &order.city, &order.consent];
    assert_eq!(kept, ["Harbour lamp", "Sage", "Large", "express", "14 Quay Street", "Zurich", "necessary"]);
    let page = format!("/orders/{}", order.number);
    assert!(placed.body.contains(&page));
    let thanks = visitor.get(&page).await;
    assert!(thanks.body.contains(&order.number) && thanks.body.contains("Sage, Large"));
    assert_eq!(Visitor::of(&shop).get(&page).await.status, 404, "an order is shown to its own visitor only");
    assert_eq!(visitor.json("/orders", DETAILS).await.status, 422, "the basket is empty now");
}

#[tokio::test]
async fn what_is_missing_is_said_and_nothing_is_ordered() {
    let shop = Shop::open().await.unwrap();
    let mut visitor = Visitor::of(&shop);
    let refused = visitor.json("/orders", "{}").await;
    assert_eq!(refused.status, 422);
    for what in ["basket", "name", "email", "address", "shipping", "terms"] {
        assert!(refused.body.contains(what), "{what} in {}", refused.body);
    }
    visitor.with_basket_and_address().await;
    let refused = visitor.json("/orders", &DETAILS.replace("true", "false")).await;
    assert!(refused.body.contains("terms") && !refused.body.contains("address\""), "{}", refused.body);
    assert!(shop.orders().is_empty());
}

#[tokio::test]
async fn order_numbers_differ_and_shops_know_nothing_of_each_other() {
    let (first, second) = (Shop::open().await.unwrap(), Shop::open().await.unwrap());
    let mut numbers = HashSet::new();
    for _ in 0..8 {
        let mut visitor = Visitor::of(&first);
        visitor.with_basket_and_address().await;
        assert_eq!(visitor.json("/orders", DETAILS).await.status, 200);
    }
    numbers.extend(first.orders().into_iter().map(|order| order.number));
    assert_eq!(numbers.len(), 8);
    assert!(second.orders().is_empty());
}

#[tokio::test]
async fn bad_input_is_refused() {
    let shop = Shop::open().await.unwrap();
    let mut visitor = Visitor::of(&shop);
    assert_eq!(visitor.get("/nowhere").await.status, 404);
    assert_eq!(visitor.get("/products/nothing").await.status, 404);
    assert_eq!(visitor.get("/assets/secret").await.status, 404);
    assert_eq!(visitor.json("/orders", "not json").await.status, 400);
    let form = "application/x-www-form-urlencoded";
    let wrong = visitor.send("POST", "/basket", form, "product=harbour-lamp&colour=Gold&size=Large").await;
    assert_eq!(wrong.status, 422);
    for (path, kind) in [("/assets/shop.css", "text/css"), ("/assets/picker.js", "text/javascript")] {
        assert!(visitor.get(path).await.head.contains(kind));
    }
}

#[tokio::test]
async fn a_dropped_shop_is_closed() {
    let shop = Shop::open().await.unwrap();
    let address = shop.origin().strip_prefix("http://").unwrap().to_owned();
    drop(shop);
    for _ in 0..1000 {
        if TcpStream::connect(&address).await.is_err() {
            return;
        }
        tokio::task::yield_now().await;
    }
    panic!("{address} still answers");
}
