//! Serves the bench pages on loopback: one origin for the pages, a second site for the frame of another site.
//!
//! It must not know what is on the pages.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Router;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use miette::{Context as _, IntoDiagnostic as _};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::pages::{OTHER_PORT, Page};

/// The running servers; they end with it.
#[derive(Debug)]
pub(crate) struct Site {
    port: u16,
    servers: Vec<JoinHandle<()>>,
}

impl Site {
    /// Serves these pages.
    pub(crate) async fn serve(pages: &[Page]) -> miette::Result<Self> {
        let (first, port) = listen().await?;
        let (second, other_port) = listen().await?;
        let documents: HashMap<String, String> = pages
            .iter()
            .flat_map(|page| &page.documents)
            .map(|(path, html)| (format!("/{path}"), html.replace(OTHER_PORT, &other_port.to_string())))
            .collect();
        let documents = Arc::new(documents);
        let servers = [first, second]
            .into_iter()
            .map(|listener| {
                let documents = Arc::clone(&documents);
                let router = Router::new().fallback(move |uri: Uri| std::future::ready(answer(&documents, uri.path())));
                // A server that fails shows itself as a page that does not load.
                tokio::spawn(async move { axum::serve(listener, router).await.unwrap_or_default() })
            })
            .collect();
        Ok(Self { port, servers })
    }

    /// The port of the pages.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// The address of a page's top document.
    pub(crate) fn address(&self, page: &Page) -> String {
        format!("http://127.0.0.1:{}/{}", self.port, page.path())
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        for server in &self.servers {
            server.abort();
        }
    }
}

async fn listen() -> miette::Result<(TcpListener, u16)> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.into_diagnostic().wrap_err("cannot listen on loopback")?;
    let port = listener.local_addr().into_diagnostic()?.port();
    Ok((listener, port))
}

fn answer(documents: &HashMap<String, String>, path: &str) -> Response {
    match documents.get(path) {
        Some(html) => {
            let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-store")];
            (headers, html.clone()).into_response()
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
