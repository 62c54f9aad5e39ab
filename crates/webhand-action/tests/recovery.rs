//! What goes away comes again: browsers that are killed, pages that crash, servers that say "not now"; and nothing that may
//! have been done is done twice.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use serde_json::Value;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::Notify,
};
use webhand_action::{
    Recovery, Session, Settings,
    catalogue::{Click, Navigate, Read, Reload, Target, Wait},
    error::ErrorCode,
    outcome::Outcome,
};
use webhand_browser::{Browser, Headless, Launch};
use webhand_cdp::protocol::{page, runtime::Evaluate};

/// A site that notes what it is asked.
#[derive(Clone, Default)]
struct Site {
    address: String,
    asked: Arc<Mutex<Vec<String>>>,
    posted: Arc<Notify>,
}

const FORM: &str = "<title>Form</title><form method=post action=/order><button>Order</button></form>\
    <div style='height:3000px'>tall</div><a href='/second' target=_blank>Second</a>";

impl Site {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let site = Self { address, ..Self::default() };
        let served = site.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(served.clone().answer(stream));
            }
        });
        site
    }

    async fn answer(self, mut stream: TcpStream) {
        let mut asked = [0; 8192];
        let length = stream.read(&mut asked).await.unwrap_or(0);
        let head = String::from_utf8_lossy(&asked[..length]).into_owned();
        let line: String = head.split(" HTTP").next().unwrap_or_default().to_owned();
        if line.is_empty() || line.contains("favicon") {
            return;
        }
        self.asked.lock().unwrap().push(line.clone());
        let times = self.count(&line);
        let (status, extra, body) = match line.as_str() {
            "GET /" => ("200 OK", "Set-Cookie: who=ann; HttpOnly\r\n", FORM),
            "GET /second" if head.contains("who=ann") => ("200 OK", "", "<title>Second</title><p>hello ann</p>"),
            "GET /second" => ("200 OK", "", "<title>Second</title><p>a stranger</p>"),
            "GET /busy" if times < 3 => ("503 Service Unavailable", "", "<p>busy</p>"),
            "GET /busy" => ("200 OK", "", "<p>at last</p>"),
            "GET /later" if times < 2 => ("429 Too Many Requests", "Retry-After: 1\r\n", "<p>later</p>"),
            "GET /later" => ("200 OK", "", "<p>now</p>"),
            "GET /always" => ("503 Service Unavailable", "Retry-After: 600\r\n", "<p>busy</p>"),
            "GET /cut" if times < 2 => return,
            "GET /cut" => ("200 OK", "", "<p>whole</p>"),
            "POST /order" => {
                self.posted.notify_one();
                // it never answers: what came of the order is not known
                return std::future::pending().await;
            }
            _ => ("404 Not Found", "", "<p>nothing</p>"),
        };
        let reply = format!(
            "HTTP/1.1 {status}\r\nContent-Type: text/html\r\nConnection: close\r\n{extra}Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let _ = stream.write_all(reply.as_bytes()).await;
    }

    fn count(&self, line: &str) -> usize {
        self.asked.lock().unwrap().iter().filter(|asked| *asked == line).count()
    }

    fn at(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }
}

async fn launch() -> Browser {
    let launch = Launch::default().headless(Headless::Auto).document_script(webhand_page::LIBRARY);
    Browser::launch(launch).await.unwrap()
}

fn kill(browser: &Browser) {
    let group = i32::try_from(browser.info().pid.unwrap()).unwrap();
    let killed = std::process::Command::new("kill").args(["-9", "--", &format!("-{group}")]).status().unwrap();
    assert!(killed.success());
}

fn on(session: &Session, role: &str, name: &str) -> Target {
    let shown = session.shown().unwrap();
    shown.by_role_and_name(role, name).unwrap_or_else(|| panic!("no {name}: {:?}", shown.nodes)).1.r#ref.into()
}

async fn js(session: &Session, expression: &str) -> Value {
    let mut evaluate = Evaluate::new(expression);
    evaluate.return_by_value = Some(true);
    let reply = session.tab().session().call(&evaluate).await.unwrap();
    reply.result.value.map_or(Value::Null, |value| serde_json::from_str(value.get()).unwrap())
}

#[track_caller]
fn is(outcome: &Outcome, code: ErrorCode, kind: &str) {
    let error = outcome.error.as_ref().unwrap_or_else(|| panic!("it should fail: {outcome}"));
    assert_eq!((error.code, error.kind.as_deref().unwrap_or_default()), (code, kind), "{outcome}");
}

fn read() -> Read {
    serde_json::from_value(serde_json::json!({})).unwrap()
}

#[tokio::test]
async fn a_browser_killed_between_two_actions_is_there_again_as_it_was() {
    let site = Site::start().await;
    let browser = launch().await;
    let mut session = Session::open(&browser, &site.at("/")).await.unwrap();
    session.snapshot().await.unwrap();
    js(&session, "localStorage.setItem('cart', 'tea'); sessionStorage.setItem('step', '2'); scrollTo(0, 700)").await;
    let opened = session.perform(Click::on(on(&session, "link", "Second"))).await;
    assert!(opened.ok, "{opened}");
    session.snapshot().await.unwrap();
    let back = serde_json::from_value(serde_json::json!({"op": "switch", "id": session.tabs()[0].id})).unwrap();
    let back: webhand_action::catalogue::Tab = back;
    assert!(session.perform(back).await.ok);
    session.snapshot().await.unwrap();
    let old = on(&session, "button", "Order");
    let scrolled = js(&session, "scrollY").await;
    assert!(scrolled.as_f64() > Some(600.0), "{scrolled}");
    let (before, first) = (session.tabs(), browser.info());
    kill(&browser);
    browser.connection().closed().await;

    let stale = session.perform(Click::on(old)).await;
    is(&stale, ErrorCode::StaleRef, "");
    assert!(stale.notes.iter().any(|note| note.contains("came again")), "{stale}");
    let ids = |tabs: &[webhand_page::TabMeta]| {
        tabs.iter().map(|tab| (tab.id.clone(), tab.url.clone(), tab.active)).collect::<Vec<_>>()
    };
    assert_eq!(ids(&session.tabs()), ids(&before));
    let kept = js(&session, "[localStorage.cart, sessionStorage.step, scrollY]").await;
    assert_eq!(kept, serde_json::json!(["tea", "2", scrolled]));
    session.snapshot().await.unwrap();
    let opened = session.perform(Click::on(on(&session, "link", "Second"))).await;
    assert!(opened.ok, "{opened}");
    let seen = session.perform(read()).await;
    assert!(seen.to_string().contains("hello ann") || format!("{:?}", seen.data).contains("hello ann"), "{seen:?}");
    assert_eq!(site.count("POST /order"), 0);
    assert_ne!(browser.info().pid, first.pid, "the handle is one to the new browser");
    let began = Instant::now();
    while first.profile.as_ref().unwrap().exists() {
        assert!(began.elapsed() < Duration::from_secs(5), "the old profile goes");
        tokio::task::yield_now().await;
    }
    browser.close().await;
    assert!(!browser.info().profile.as_ref().unwrap().exists());
    let after = session.perform(read()).await;
    is(&after, ErrorCode::BrowserLost, "");
}

#[tokio::test]
async fn what_was_under_way_when_the_browser_was_killed_is_in_doubt_and_not_repeated() {
    let site = Site::start().await;
    let browser = launch().await;
    let mut session = Session::open(&browser, &site.at("/")).await.unwrap();
    session.snapshot().await.unwrap();
    let click = Click::on(on(&session, "button", "Order"));
    let control = session.control();
    let killer = async {
        site.posted.notified().await;
        kill(&browser);
        browser.connection().closed().await;
        let asked = Instant::now();
        let status = control.status();
        assert!(asked.elapsed() < Duration::from_millis(100) && status.action.is_some(), "{status:?}");
    };
    let (outcome, ()) = tokio::join!(session.perform(click), killer);
    is(&outcome, ErrorCode::BrowserLost, "in_doubt");
    let shown = session.snapshot().await.unwrap();
    assert_eq!(shown.page.title, "Form");
    assert_eq!(site.count("POST /order"), 1, "{:?}", site.asked.lock().unwrap());
    browser.close().await;
}

#[tokio::test]
async fn what_changes_nothing_is_done_again_and_can_be_stopped() {
    let site = Site::start().await;
    let browser = launch().await;
    let mut session = Session::open(&browser, &site.at("/")).await.unwrap();
    let (outcome, ()) = tokio::join!(session.perform(Wait::text("tall")), async { kill(&browser) });
    assert!(outcome.ok, "{outcome}");
    // a dropped pipe is as good as a killed browser
    browser.connection().close();
    let control = session.control();
    let stopper = async {
        while control.status().action.as_deref() != Some("recover") {
            tokio::task::yield_now().await;
        }
        control.stop();
        Instant::now()
    };
    let (outcome, stopped) = tokio::join!(session.perform(read()), stopper);
    is(&outcome, ErrorCode::Stopped, "");
    assert!(stopped.elapsed() < Duration::from_millis(200));
    let outcome = session.perform(read()).await;
    assert!(outcome.ok, "{outcome}");
    browser.close().await;
}

#[tokio::test]
async fn a_page_that_crashed_is_loaded_again() {
    let site = Site::start().await;
    let browser = launch().await;
    let mut session = Session::open(&browser, &site.at("/")).await.unwrap();
    session.snapshot().await.unwrap();
    js(&session, "sessionStorage.setItem('step', '2')").await;
    let old = on(&session, "button", "Order");
    let (first, tab) = (browser.info().pid, session.tab().clone());
    let crash = || {
        drop(session_of(&tab).send(&page::Navigate::new("chrome://crash")));
    };
    crash();
    let mut events = tab.events();
    while !tab.is_crashed() {
        events.next().await;
    }
    is(&session.perform(Click::on(old)).await, ErrorCode::StaleRef, "");
    assert_eq!(js(&session, "sessionStorage.step").await, "2");
    let waits = session.perform(Wait::time(3.0));
    let (outcome, ()) = tokio::join!(waits, async { crash() });
    assert!(outcome.ok, "{outcome}");
    assert!(session.perform(read()).await.ok);
    assert_eq!((browser.info().pid, site.count("POST /order")), (first, 0));
    browser.close().await;
}

fn session_of(tab: &webhand_browser::Tab) -> &webhand_cdp::Session {
    tab.session()
}

#[tokio::test]
async fn loads_that_fail_for_a_moment_are_tried_again_and_no_others() {
    let site = Site::start().await;
    let browser = launch().await;
    let mut settings = Settings::default();
    settings.recovery.first_pause = Duration::from_millis(50);
    let mut session = Session::blank(&browser).await.unwrap().with_settings(settings);
    for (path, tries) in [("/busy", 3), ("/cut", 2)] {
        let outcome = session.perform(Navigate::to(site.at(path))).await;
        assert!(outcome.ok && outcome.attempts == tries, "{outcome:?}");
        assert!(outcome.to_string().contains("tr"), "{outcome}");
    }
    assert_eq!(site.count("GET /busy"), 3);
    let began = Instant::now();
    let outcome = session.perform(Navigate::to(site.at("/later"))).await;
    assert!(outcome.ok && began.elapsed() >= Duration::from_secs(1), "as the server asked: {outcome}");
    let outcome = session.perform(Navigate::to(site.at("/always"))).await;
    is(&outcome, ErrorCode::Navigation, "http");
    assert_eq!(site.count("GET /always"), 1, "what the server asks for is beyond the deadline");
    let outcome = session.perform(Navigate::to(site.at("/none"))).await;
    is(&outcome, ErrorCode::Navigation, "http");
    assert_eq!((outcome.attempts, site.count("GET /none")), (1, 1));
    let outcome = session.perform(Reload::default()).await;
    is(&outcome, ErrorCode::Navigation, "http");
    assert_eq!(site.count("GET /none"), 2);
    let mut off = Settings::default();
    off.recovery = Recovery::off();
    let mut session = Session::blank(&browser).await.unwrap().with_settings(off);
    let nowhere = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let began = Instant::now();
    let outcome = session.perform(Navigate::to(format!("http://{nowhere}/"))).await;
    is(&outcome, ErrorCode::Navigation, "refused");
    assert!(began.elapsed() < Duration::from_millis(500));
    browser.close().await;
    is(&session.perform(read()).await, ErrorCode::BrowserLost, "");
}
