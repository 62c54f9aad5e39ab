//! The site: it takes orders, each with a token of its own, notes every one at the moment it comes, and can be told to fail.

use std::{
    collections::HashMap,
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use axum::{
    Router,
    body::Body,
    extract::{Form, Path, State},
    http::{HeaderMap, StatusCode, header},
    response::{Html, IntoResponse, Redirect, Response},
    routing::{get, post},
};
use futures_util::{StreamExt as _, stream};
use serde::Deserialize;
use tokio::net::TcpListener;

/// How long a slow answer takes.
const SLOW: Duration = Duration::from_millis(700);

/// How the next answers to a run are spoilt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Spoilt {
    /// Turned away, with nothing noted.
    Busy,
    /// Late.
    Slow,
    /// Broken off.
    Cut,
}

/// How long after its beginning an answer breaks off.
const CUT_PAUSE: Duration = Duration::from_millis(50);

/// The site. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    pub(crate) address: String,
    book: Arc<Mutex<Book>>,
}

#[derive(Debug, Default)]
struct Book {
    /// How often an order came.
    orders: HashMap<String, u32>,
    /// Orders that came without the cookie of their run.
    strangers: u32,
    spoilt: HashMap<usize, Spoilt>,
}

#[derive(Debug, Deserialize)]
struct Order {
    token: String,
    name: String,
}

impl Site {
    pub(crate) async fn start() -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let site = Self { address: format!("http://{}", listener.local_addr()?), book: Arc::default() };
        let app = Router::new()
            .route("/{run}/shop/{step}", get(shop))
            .route("/{run}/order", post(order))
            .route("/{run}/thanks/{token}", get(thanks))
            .route("/{run}/book/{token}", get(asked))
            .with_state(site.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        Ok(site)
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Spoils the next answer to that run.
    pub(crate) fn spoil(&self, run: usize, how: Spoilt) {
        self.book().spoilt.insert(run, how);
    }

    /// How often that order came.
    pub(crate) fn count(&self, token: &str) -> u32 {
        self.book().orders.get(token).copied().unwrap_or_default()
    }

    /// Orders that came more than once.
    pub(crate) fn doubled(&self) -> usize {
        self.book().orders.values().filter(|times| **times > 1).count()
    }

    /// Orders that came without the cookie of their run.
    pub(crate) fn strangers(&self) -> u32 {
        self.book().strangers
    }

    async fn spoilt(&self, run: usize, answer: Response) -> Response {
        let spoilt = self.book().spoilt.remove(&run);
        match spoilt {
            Some(Spoilt::Slow) => {
                tokio::time::sleep(SLOW).await;
                answer
            }
            Some(Spoilt::Cut) => {
                // its head goes out first: a request without any answer may be sent again by the browser itself
                let first = stream::once(async { Ok("<!doctype html>") });
                let broken = stream::once(async {
                    tokio::time::sleep(CUT_PAUSE).await;
                    Err(io::Error::from(io::ErrorKind::ConnectionReset))
                });
                let mut cut = Response::new(Body::from_stream(first.chain(broken)));
                cut.headers_mut().insert(header::CONTENT_TYPE, header::HeaderValue::from_static("text/html"));
                cut
            }
            _ => answer,
        }
    }

    /// Whether that run is turned away now.
    fn is_busy(&self, run: usize) -> bool {
        let mut book = self.book();
        let busy = book.spoilt.get(&run) == Some(&Spoilt::Busy);
        if busy {
            book.spoilt.remove(&run);
        }
        busy
    }
}

fn busy() -> Response {
    (StatusCode::SERVICE_UNAVAILABLE, Html("<title>Busy</title><p>not now</p>")).into_response()
}

fn who(run: usize) -> String {
    format!("who=run{run}")
}

async fn shop(State(site): State<Site>, Path((run, step)): Path<(usize, usize)>) -> Response {
    if site.is_busy(run) {
        return busy();
    }
    let page = format!(
        "<!doctype html><title>Shop {step}</title><h1>Order {step}</h1><form method=post action=/{run}/order>\
         <input type=hidden name=token value={run}-{step}><label>Name <input name=name></label>\
         <button>Order now</button></form>"
    );
    let cookie = [(header::SET_COOKIE, format!("{}; HttpOnly; Path=/{run}", who(run)))];
    // it is given once: who loses it stays a stranger
    let answer = if step == 0 { (cookie, Html(page)).into_response() } else { Html(page).into_response() };
    site.spoilt(run, answer).await
}

async fn order(
    State(site): State<Site>,
    Path(run): Path<usize>,
    headers: HeaderMap,
    Form(order): Form<Order>,
) -> Response {
    if site.is_busy(run) {
        return busy();
    }
    let cookie = headers.get(header::COOKIE).and_then(|cookie| cookie.to_str().ok()).unwrap_or_default();
    let known = cookie.contains(&who(run));
    {
        let mut book = site.book();
        book.strangers += u32::from(!known);
        *book.orders.entry(order.token.clone()).or_default() += u32::from(!order.name.is_empty());
    }
    let answer = Redirect::to(&format!("/{run}/thanks/{}", order.token)).into_response();
    site.spoilt(run, answer).await
}

async fn thanks(State(site): State<Site>, Path((run, token)): Path<(usize, String)>) -> Response {
    if site.is_busy(run) {
        return busy();
    }
    let page = format!("<!doctype html><title>Thanks</title><p>Order {token} has come</p>");
    site.spoilt(run, Html(page).into_response()).await
}

/// What a person would look up who is in doubt. It is never spoilt.
async fn asked(State(site): State<Site>, Path((_, token)): Path<(usize, String)>) -> Html<String> {
    let word = if site.count(&token) > 0 { "was received" } else { "is not known" };
    Html(format!("<!doctype html><title>Book</title><p>Order {token} {word}</p>"))
}
