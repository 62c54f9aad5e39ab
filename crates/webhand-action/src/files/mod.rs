//! Files of this machine: which may be uploaded, and the folder in which a session keeps what comes to it.
//!
//! It knows no page. What is asked by a name stays inside the folders that are meant, whatever the name or a link says.

mod folder;
mod kind;
mod name;
mod store;
mod upload;

use std::path::PathBuf;

pub(crate) use self::{
    folder::{FolderError, Kept, RunFolder},
    kind::{Accept, media_type_of},
    store::{Store, Taken},
    upload::{LocalFile, local_files},
};

/// What a session may do with files of this machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileRules {
    /// Folders, and single files, from which files may be uploaded; links in them are followed, but must not lead out.
    /// None by default: then nothing can be uploaded.
    pub upload_from: Vec<PathBuf>,
    /// The run's folder: downloads, prints of pages and files of the `file` action are kept there. By default it is one
    /// of the session's own that goes with its browser.
    pub folder: Option<PathBuf>,
}

impl FileRules {
    /// The same, and files of that folder (or that file) may be uploaded.
    #[must_use]
    pub fn with_upload_from(mut self, folder: impl Into<PathBuf>) -> Self {
        self.upload_from.push(folder.into());
        self
    }

    /// The same, with that folder for what is kept.
    #[must_use]
    pub fn with_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
        self
    }
}
