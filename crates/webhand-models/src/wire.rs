//! One request over HTTP and its answer, bounded. It follows no redirect: what a call carries is for the address that was
//! named. It knows no provider.

use std::time::Duration;

use reqwest::{Client, StatusCode, header::HeaderMap, redirect::Policy};
use serde_json::Value;
use url::Url;

/// The largest answer that is read, in bytes.
pub(crate) const LARGEST: usize = 16 * 1024 * 1024;
/// How long a connection may take. How long an answer may take is the caller's business.
const CONNECT_WITHIN: Duration = Duration::from_secs(15);

/// What came.
#[derive(Debug)]
pub(crate) struct Came {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

/// Why nothing whole came.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum WireFault {
    /// There is nobody there.
    NoConnection(String),
    /// The connection broke before an answer began.
    Broken(String),
    /// The answer ended in its middle.
    Cut(String),
    /// The answer is too large.
    TooLarge,
}

/// The client of one model. A client keeps its connections within one runtime, so none is shared by all.
pub(crate) fn client() -> Result<Client, String> {
    // another part of the program may have chosen one already, which serves as well
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = Client::builder()
        .redirect(Policy::none())
        .connect_timeout(CONNECT_WITHIN)
        .user_agent(concat!("webhand/", env!("CARGO_PKG_VERSION")));
    client.build().map_err(words_of)
}

/// Sends a body and reads what comes.
pub(crate) async fn post(client: &Client, url: &Url, headers: HeaderMap, body: &Value) -> Result<Came, WireFault> {
    let sent = client.post(url.clone()).headers(headers).json(body).send().await;
    let mut response = sent.map_err(|error| match error.is_connect() {
        true => WireFault::NoConnection(words_of(error)),
        false => WireFault::Broken(words_of(error)),
    })?;
    let (status, headers) = (response.status(), std::mem::take(response.headers_mut()));
    let mut body = Vec::new();
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) if body.len() + chunk.len() > LARGEST => return Err(WireFault::TooLarge),
            Ok(Some(chunk)) => body.extend_from_slice(&chunk),
            Ok(None) => return Ok(Came { status, headers, body }),
            Err(error) => return Err(WireFault::Cut(words_of(error))),
        }
    }
}

/// A fault in words: its causes, and no address, which may hold a key.
#[must_use]
pub fn words_of(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut words = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(inner) = cause {
        words = format!("{words}: {inner}");
        cause = inner.source();
    }
    words
}
