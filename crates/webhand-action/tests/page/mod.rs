//! A page made of a text, opened in a browser of its own.

#![allow(dead_code, clippy::unwrap_used, missing_docs, unreachable_pub)]

use serde_json::Value;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};
use webhand_action::{
    Session,
    catalogue::{Action, Target},
    error::ErrorCode,
    outcome::Outcome,
};
use webhand_browser::{Browser, Headless, Launch};
use webhand_cdp::protocol::runtime::Evaluate;

pub struct Page {
    browser: Browser,
    pub session: Session,
}

impl Page {
    /// A page at an address of its own, and a second one at `/next`.
    pub async fn served(first: &'static str, next: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut asked = [0; 4096];
                let length = stream.read(&mut asked).await.unwrap_or(0);
                let body = if asked[..length].starts_with(b"GET /next") { next } else { first };
                let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nConnection: close\r\n";
                let reply = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
                let _ = stream.write_all(reply.as_bytes()).await;
            }
        });
        Self::at(&format!("http://{address}/")).await
    }

    pub async fn open(html: &str) -> Self {
        let mut url = "data:text/html;charset=utf-8,".to_owned();
        for byte in html.bytes() {
            url.push_str(&format!("%{byte:02x}"));
        }
        Self::at(&url).await
    }

    async fn at(url: &str) -> Self {
        let launch = Launch::default().headless(Headless::Auto).document_script(webhand_page::LIBRARY);
        let browser = Browser::launch(launch).await.unwrap();
        let mut session = Session::open(&browser, url).await.unwrap();
        session.snapshot().await.unwrap();
        Self { browser, session }
    }

    /// The element of that name, by its ref.
    pub fn on(&self, name: &str) -> Target {
        let shown = self.session.shown().unwrap();
        let found = shown.controls().find(|(node, _)| &*node.name == name);
        found.unwrap_or_else(|| panic!("no {name:?} in {:#?}", shown.nodes)).1.r#ref.into()
    }

    pub async fn perform(&mut self, action: impl Into<Action>) -> Outcome {
        self.session.perform(action).await
    }

    /// What an expression gives in the page's own world.
    pub async fn js(&self, expression: &str) -> Value {
        let mut evaluate = Evaluate::new(expression);
        evaluate.return_by_value = Some(true);
        let reply = self.session.tab().session().call(&evaluate).await.unwrap();
        reply.result.value.map_or(Value::Null, |value| serde_json::from_str(value.get()).unwrap())
    }

    pub async fn close(self) {
        self.browser.close().await;
    }
}

#[track_caller]
pub fn rejected(outcome: &Outcome) {
    assert_eq!(outcome.code(), Some(ErrorCode::ValueRejected), "{outcome}");
}

#[track_caller]
pub fn done(outcome: &Outcome) {
    assert!(outcome.ok, "{outcome}");
}

/// The kind of a failure.
pub fn kind(outcome: &Outcome) -> Option<&str> {
    outcome.error.as_ref().and_then(|error| error.kind.as_deref())
}
