//! Calls of addresses by the program itself, beside the browser: one client, one way to read an answer.

use std::sync::OnceLock;

use reqwest::{Client, Response, redirect::Policy};
pub(crate) use webhand_models::words_of;

/// The client of all calls. It follows no redirects: what a call carries is for the address that was named.
pub(crate) fn client() -> Result<Client, reqwest::Error> {
    static CLIENT: OnceLock<Client> = OnceLock::new();
    if let Some(client) = CLIENT.get() {
        return Ok(client.clone());
    }
    // another part of the program may have chosen one already, which serves as well
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = Client::builder().redirect(Policy::none()).user_agent(concat!("webhand/", env!("CARGO_PKG_VERSION")));
    let client = client.build()?;
    Ok(CLIENT.get_or_init(|| client).clone())
}

/// The answer as text, of so many bytes at most.
pub(crate) async fn text_of(mut response: Response, max: usize) -> Result<String, reqwest::Error> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        let room = max.saturating_sub(bytes.len());
        bytes.extend_from_slice(&chunk[..chunk.len().min(room)]);
        if chunk.len() >= room {
            break;
        }
    }
    Ok(String::from_utf8_lossy(&bytes).trim().to_owned())
}
