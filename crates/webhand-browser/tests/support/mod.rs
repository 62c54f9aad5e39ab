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
use std::sync::LazyLock;
use std::time::Duration;

use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect};
use axum::routing::get;
use tokio::runtime::Runtime;
use tokio::sync::OnceCell;
use webhand_browser::cdp::protocol::runtime;
use webhand_browser::{Browser, BrowserError, Context, Events, FrameInfo, Headless, Heard, Launch, Tab, TabEvent};

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
        .route("/hop-two", get(|| async { Redirect::temporary("/two") }))
        .route("/pop-two", get(|| async { page("<script>window.open('/hop-two')</script>opener") }))
        .route("/loop", get(|| async { Redirect::temporary("/loop") }))
        .route("/missing", get(|| async { (StatusCode::NOT_FOUND, page("nothing here")) }))
        .route("/bare-error", get(|| async { StatusCode::SERVICE_UNAVAILABLE }))
        .route("/no-content", get(|| async { StatusCode::NO_CONTENT }))
        .route(
            "/form",
            get(|| async { page("<form action=/form method=post></form>") }).post(|| async { page("<h1>sent</h1>") }),
        )
        .route("/silent", get(|| async { std::future::pending::<()>().await }))
        .route("/slow-image", get(|| async { page("<p>text</p><img src=/silent>") }))
        .route("/script-hop", get(|| async { page("<script>location='/two'</script>") }))
        .route("/alert", get(|| async { page("<script>alert('hello')</script><p>after") }))
        .route("/stay", get(|| async { page("<script>history.replaceState({}, '', '/stay')</script>stay") }))
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
    // Nothing here may ask the outside world for a name.
    let rules = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost";
    let launch = change(Launch::default().headless(headless).arg(rules));
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

/// The tests of one binary share it, so that they can share browsers. It lives
/// until the process ends, and the browsers with it.
static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap());
static SITE: OnceCell<Site> = OnceCell::const_new();
static SHELL: OnceCell<Browser> = OnceCell::const_new();
static NEW: OnceCell<Browser> = OnceCell::const_new();

/// What a test plays on: a context of its own in a shared browser.
pub struct Stage {
    pub headless: Headless,
    pub browser: Browser,
    pub context: Context,
    pub site: &'static Site,
}

impl Stage {
    pub async fn tab(&self) -> Tab {
        self.context.new_tab(None).await.unwrap()
    }

    pub async fn tab_at(&self, path: &str) -> Tab {
        let tab = self.tab().await;
        tab.navigate(&self.site.url(path), PATIENCE).await.unwrap();
        tab
    }
}

/// Runs a test in both kinds of browser.
pub fn on_both<F: Future<Output = ()>>(test: impl Fn(Stage) -> F) {
    for headless in BOTH {
        on_stage(headless, &test);
    }
}

/// Runs a test in one kind of browser.
pub fn on_stage<F: Future<Output = ()>>(headless: Headless, test: impl Fn(Stage) -> F) {
    let cell = match headless {
        Headless::New => &NEW,
        _ => &SHELL,
    };
    RUNTIME.block_on(async {
        let site = SITE.get_or_init(Site::start).await;
        let browser = cell.get_or_init(|| launch(headless)).await.clone();
        let context = browser.new_context().await.unwrap();
        let stage = Stage { headless, browser, context: context.clone(), site };
        let whole = tokio::time::timeout(PATIENCE * 3, test(stage)).await;
        assert!(whole.is_ok(), "{headless:?}: the test did not come to an end");
        context.close().await.unwrap();
    });
}

/// Runs something that brings its own browser.
pub fn alone<F: Future<Output = ()>>(test: F) {
    RUNTIME.block_on(async {
        let whole = tokio::time::timeout(PATIENCE * 3, test).await;
        assert!(whole.is_ok(), "the test did not come to an end");
    });
}

/// What a script gives in the isolated world of a frame, as JSON.
pub async fn evaluate_in(tab: &Tab, frame: &FrameInfo, script: &str) -> String {
    let mut evaluate = runtime::Evaluate::new(script);
    evaluate.context_id = Some(tab.world(&frame.id).await.unwrap());
    evaluate.return_by_value = Some(true);
    let reply = tab.race(frame.session.send(&evaluate), PATIENCE).await.unwrap();
    assert!(reply.exception_details.is_none(), "{script}: {reply:?}");
    reply.result.value.map(|value| value.get().to_owned()).unwrap_or_default()
}

/// What a script gives in the page's own world, as JSON.
pub async fn evaluate(tab: &Tab, script: &str) -> String {
    let mut evaluate = runtime::Evaluate::new(script);
    evaluate.return_by_value = Some(true);
    evaluate.user_gesture = Some(true);
    let reply = tab.race(tab.session().send(&evaluate), PATIENCE).await.unwrap();
    assert!(reply.exception_details.is_none(), "{script}: {reply:?}");
    reply.result.value.map(|value| value.get().to_owned()).unwrap_or_default()
}

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

/// Looks again on each event of the tab until it is so.
pub async fn until(tab: &Tab, mut is_so: impl FnMut() -> bool) {
    let mut events = tab.events();
    let found = async {
        while !is_so() {
            assert!(events.next().await.is_some(), "the stream ended");
        }
    };
    if tokio::time::timeout(PATIENCE, found).await.is_err() {
        panic!("it did not become so: {:#?}", tab.frames());
    }
}
