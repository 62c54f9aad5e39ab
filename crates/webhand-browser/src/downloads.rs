//! Downloads of a context: where they are kept, which there are, and their end.

use std::path::{Path, PathBuf};

use webhand_cdp::CdpError;
use webhand_cdp::protocol::browser::CancelDownload;

use crate::context::Context;
use crate::error::BrowserError;
use crate::ids::DownloadId;
use crate::shell::{download_behavior, locked};
use crate::state::Download;

impl Context {
    /// Keeps the downloads of its tabs from now on in that folder, each under
    /// [`Download::guid`]. Without it they are refused, unless
    /// [`Launch::downloads`](crate::Launch::downloads) names a folder.
    ///
    /// # Errors
    /// [`BrowserError::Lost`] where the browser is gone.
    pub async fn keep_downloads(&self, folder: &Path) -> Result<(), BrowserError> {
        let behavior = download_behavior(self.id().cloned(), Some(folder.to_owned()));
        self.shared().connection.root().call(&behavior).await?;
        Ok(())
    }

    /// A folder beside the browser's private profile that is this context's
    /// own, and goes with the profile. It is not made yet. `None` where the
    /// profile is not private.
    #[must_use]
    pub fn private_folder(&self) -> Option<PathBuf> {
        let private = locked(&self.shared().options).private.clone()?;
        let name = self.id().map_or("default", |id| id.as_str());
        Some(private.join("contexts").join(name))
    }

    /// The newest download of the whole browser: the mark for
    /// [`Context::downloads_since`].
    #[must_use]
    pub fn last_download(&self) -> DownloadId {
        self.shared().machine().downloads().last()
    }

    /// Its downloads that began after that one, oldest first.
    #[must_use]
    pub fn downloads_since(&self, last: DownloadId) -> Vec<Download> {
        self.shared().machine().downloads().since(self.id(), last).cloned().collect()
    }

    /// How far a download is; `None` for one that was forgotten.
    #[must_use]
    pub fn download(&self, id: DownloadId) -> Option<Download> {
        self.shared().machine().downloads().get(id).cloned()
    }

    /// Waits until a download of its tabs began after that one. It is `None` where the browser is gone.
    pub async fn next_download(&self, last: DownloadId) -> Option<Download> {
        let connection = &self.shared().connection;
        let began = self.shared().wait(|machine| match machine.downloads().since(self.id(), last).next() {
            Some(download) => Some(Some(download.clone())),
            None if connection.is_closed() => Some(None),
            None => None,
        });
        began.await
    }

    /// Waits until a download is over. It is `None` where the browser is gone.
    pub async fn download_over(&self, id: DownloadId) -> Option<Download> {
        let connection = &self.shared().connection;
        let over = self.shared().wait(|machine| match machine.downloads().get(id) {
            Some(download) if download.is_over() => Some(Some(download.clone())),
            Some(_) if !connection.is_closed() => None,
            _ => Some(None),
        });
        over.await
    }

    /// Calls a download off.
    ///
    /// # Errors
    /// [`BrowserError::Lost`] where the browser is gone.
    pub async fn cancel_download(&self, id: DownloadId) -> Result<(), BrowserError> {
        let Some(download) = self.download(id).filter(|download| !download.is_over()) else { return Ok(()) };
        let mut cancel = CancelDownload::new(download.guid);
        cancel.browser_context_id = self.id().cloned();
        match self.shared().connection.root().call(&cancel).await {
            // it was over in the meantime
            Ok(_) | Err(CdpError::Protocol { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}
