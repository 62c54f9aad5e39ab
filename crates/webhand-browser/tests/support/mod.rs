//! Pages served on loopback, and browsers for tests.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    missing_docs,
    missing_debug_implementations
)]

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect};
use axum::routing::get;
use webhand_browser::{Browser, BrowserError, Events, Headless, Heard, Launch, TabEvent};

/// Enough for a busy machine; no test waits that long when all is well.
pub const PATIENCE: Duration = Duration::from_secs(20);

pub struct Site {
    pub address: SocketAddr,
}

impl Site {
    /// The address of a page, on the name that most tests use.
    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.address.port())
    }

    /// The same server under another name: another site to the browser.
    pub fn other(&self, path: &str) -> String {
        format!("http://localhost:{}{path}", self.address.port())
    }

    pub async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let port = address.port();
        let router = pages(port);
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address }
    }
}

fn page(body: &str) -> Html<String> {
    Html(format!("<!doctype html><title>page</title>{body}"))
}

fn pages(port: u16) -> Router {
    Router::new()
        .route("/", get(|| async { page("<h1>home</h1>") }))
        .route("/one", get(|| async { page("<h1>one</h1>") }))
        .route("/two", get(|| async { page("<h1>two</h1>") }))
        .route("/title", get(|| async { Html("<title>Tea &amp; cake</title>x") }))
        .route("/hop1", get(|| async { Redirect::temporary("/hop2") }))
        .route("/hop2", get(|| async { Redirect::temporary("/one?x=1") }))
        .route("/loop", get(|| async { Redirect::temporary("/loop") }))
        .route("/missing", get(|| async { (StatusCode::NOT_FOUND, page("nothing here")) }))
        .route("/bare-error", get(|| async { StatusCode::SERVICE_UNAVAILABLE }))
        .route("/no-content", get(|| async { StatusCode::NO_CONTENT }))
        .route("/silent", get(|| async { std::future::pending::<()>().await }))
        .route("/slow-image", get(|| async { page("<p>text</p><img src=/silent>") }))
        .route("/script-hop", get(|| async { page("<script>location='/two'</script>") }))
        .route("/alert", get(|| async { page("<script>alert('hello')</script><p>after") }))
        .route("/confirm", get(|| async { page("<script>document.title = confirm('sure?') ? 'yes' : 'no'</script>") }))
        .route(
            "/leave",
            get(|| async { page("<script>onbeforeunload = e => { e.preventDefault(); return 'x' }</script>") }),
        )
        .route(
            "/file",
            get(|| async {
                let headers = [
                    (header::CONTENT_TYPE, "application/octet-stream"),
                    (header::CONTENT_DISPOSITION, "attachment; filename=\"report.bin\""),
                ];
                (headers, "12345").into_response()
            }),
        )
        .route(
            "/frames",
            get(move || async move {
                page(&format!(
                    "<iframe name=near src=/one></iframe>\
                     <iframe name=far src=http://localhost:{port}/nest></iframe>\
                     <iframe name=box sandbox srcdoc='<p>boxed'></iframe>"
                ))
            }),
        )
        .route("/nest", get(|| async { page("<iframe name=inner src=/two></iframe>") }))
        .route(
            "/switch",
            get(move || async move { page(&format!("<iframe name=f src=http://localhost:{port}/one></iframe>")) }),
        )
}

pub async fn launch(headless: Headless) -> Browser {
    launch_with(headless, |launch| launch).await
}

pub async fn launch_with(headless: Headless, change: impl FnOnce(Launch) -> Launch) -> Browser {
    let launch = change(Launch::default().headless(headless));
    match Browser::launch(launch).await {
        Ok(browser) => browser,
        Err(BrowserError::NotFound { wanted, install }) => {
            panic!("these tests need {wanted}; to get it: {install}")
        }
        Err(error) => panic!("{error}"),
    }
}

/// Both kinds of headless browser: much differs between them.
pub const BOTH: [Headless; 2] = [Headless::Shell, Headless::New];

/// The first event that fits.
pub async fn heard(events: &mut Events<TabEvent>, mut fits: impl FnMut(&TabEvent) -> bool) -> TabEvent {
    let found = async {
        loop {
            match events.next().await {
                Some(Heard::Event(event)) if fits(&event) => return event,
                Some(_) => {}
                None => panic!("the stream ended"),
            }
        }
    };
    tokio::time::timeout(PATIENCE, found).await.expect("the event should come")
}

/// Looks again on each event until it is so.
pub async fn until(events: &mut Events<TabEvent>, mut is_so: impl FnMut() -> bool) {
    let found = async {
        while !is_so() {
            if events.next().await.is_none() {
                panic!("the stream ended");
            }
        }
    };
    tokio::time::timeout(PATIENCE, found).await.expect("it should become so");
}
