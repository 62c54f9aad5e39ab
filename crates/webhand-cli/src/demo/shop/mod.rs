//! A small web shop of our own on loopback: search, a cookie wall, a shadow-DOM picker, a list, a form in a frame, fields that
//! are drawn anew with every keystroke, a confirm dialog, and an order number at the end.
//!
//! It keeps its own record of orders, by which a run is checked. It knows nothing of browsers and agents.

mod ledger;
mod pages;
mod routes;
mod stock;
mod template;

use std::{io, net::Ipv4Addr, sync::Arc};

use tokio::{net::TcpListener, sync::oneshot, task::JoinHandle};

pub use self::ledger::Order;

/// A running shop. It closes when dropped.
#[derive(Debug)]
pub struct Shop {
    ledger: routes::Shared,
    origin: String,
    close: Option<oneshot::Sender<()>>,
    server: JoinHandle<()>,
}

impl Shop {
    /// Opens a shop on a free port of this machine.
    ///
    /// # Errors
    /// When no port can be had.
    pub async fn open() -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let origin = format!("http://{}", listener.local_addr()?);
        let ledger = routes::Shared::default();
        let router = routes::router(Arc::clone(&ledger));
        let (close, closed) = oneshot::channel::<()>();
        let server = tokio::spawn(async move {
            let until = async {
                let _ = closed.await;
            };
            if let Err(error) = axum::serve(listener, router).with_graceful_shutdown(until).await {
                tracing::warn!(%error, "the shop closed early");
            }
        });
        Ok(Self { ledger, origin, close: Some(close), server })
    }

    /// Where it is: `http://127.0.0.1:PORT`.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The shop's own record of orders, in the order in which they were placed.
    #[must_use]
    pub fn orders(&self) -> Vec<Order> {
        routes::open(&self.ledger).orders()
    }
}

impl Drop for Shop {
    fn drop(&mut self) {
        if let Some(close) = self.close.take() {
            let _ = close.send(());
        }
        self.server.abort();
    }
}

#[cfg(test)]
mod tests;
