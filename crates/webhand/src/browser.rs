//! A browser with the in-page library in place from each document's first moment.

use std::sync::Arc;

use webhand_action::{Session, SessionError};
use webhand_browser::{BrowserError, BrowserInfo, Launch};

/// A browser: launched, or attached to.
#[derive(Clone, Debug)]
pub struct Browser {
    inner: webhand_browser::Browser,
}

impl Browser {
    /// Launches a browser of its own, with a private profile, driven over a pipe.
    ///
    /// # Errors
    /// When none is found or it does not start.
    pub async fn launch(launch: Launch) -> Result<Self, BrowserError> {
        let inner = webhand_browser::Browser::launch(launch.document_script(webhand_page::LIBRARY)).await?;
        Ok(Self { inner })
    }

    /// Attaches to a running browser by its WebSocket address.
    ///
    /// # Errors
    /// When it cannot be reached.
    pub async fn connect(url: &str) -> Result<Self, BrowserError> {
        Self::connect_with(url, Launch::default()).await
    }

    /// The same with the judge, the dialog policy and the download folder of `launch`; the rest of it is for launching.
    ///
    /// # Errors
    /// When it cannot be reached.
    pub async fn connect_with(url: &str, launch: Launch) -> Result<Self, BrowserError> {
        let launch = launch.document_script(webhand_page::LIBRARY);
        let inner = webhand_browser::Browser::connect_with(url, launch).await?;
        Ok(Self { inner })
    }

    /// Opens a page in a context of its own: its cookies and storage are shared with no other session.
    ///
    /// # Errors
    /// When no tab can be opened or the page does not load.
    pub async fn open(&self, url: &str) -> Result<Session, SessionError> {
        Session::open(&self.inner, url).await
    }

    /// A session with one empty tab.
    ///
    /// # Errors
    /// When no tab can be opened.
    pub async fn blank(&self) -> Result<Session, SessionError> {
        Session::blank(&self.inner).await
    }

    /// What browser it is.
    #[must_use]
    pub fn info(&self) -> Arc<BrowserInfo> {
        self.inner.info()
    }

    /// The layer below.
    #[must_use]
    pub fn engine(&self) -> &webhand_browser::Browser {
        &self.inner
    }

    /// Closes it and waits until its processes and its profile are gone.
    pub async fn close(&self) {
        self.inner.close().await;
    }
}
