//! A small web shop of our own on loopback: search, a cookie wall, a shadow-DOM picker, a list, a form in a frame, fields that
//! are drawn anew with every keystroke, a confirm dialog, and an order number at the end.
//!
//! It keeps its own record of orders, by which a run is checked. It knows nothing of browsers and agents.

mod ledger;
mod pages;
mod routes;
mod stock;
mod template;

use std::{
    fs, io,
    net::Ipv4Addr,
    path::Path,
    sync::{Arc, Mutex},
};

use tokio::{net::TcpListener, sync::oneshot, task::JoinHandle};

use self::ledger::Ledger;
pub use self::ledger::Order;

/// The file of the ledger in the run's folder.
const LEDGER: &str = "shop.json";

/// A running shop. It closes when dropped.
#[derive(Debug)]
pub struct Shop {
    ledger: routes::Shared,
    origin: String,
    close: Option<oneshot::Sender<()>>,
    server: JoinHandle<()>,
}

impl Shop {
    /// Opens a shop on a free port of this machine, which is forgotten with its process.
    ///
    /// # Errors
    /// When no port can be had.
    #[cfg(test)]
    pub async fn open() -> io::Result<Self> {
        Self::with(Ledger::default()).await
    }

    /// Opens a shop that keeps its ledger and its port in that folder.
    ///
    /// # Errors
    /// When no port can be had, or the folder cannot be written.
    pub async fn open_in(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        Self::with(Ledger::kept_in(folder.join(LEDGER))).await
    }

    /// Opens the shop of that folder again, at its port, with all that it knew.
    ///
    /// # Errors
    /// When there is none, or its port is taken.
    pub async fn open_again(folder: &Path) -> io::Result<Self> {
        Self::with(Ledger::read(&folder.join(LEDGER))?).await
    }

    async fn with(mut ledger: Ledger) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, ledger.port)).await?;
        let address = listener.local_addr()?;
        let origin = format!("http://{address}");
        ledger.port = address.port();
        ledger.save()?;
        let ledger: routes::Shared = Arc::new(Mutex::new(ledger));
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
