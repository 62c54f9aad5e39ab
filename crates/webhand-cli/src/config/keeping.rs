//! The `[files]` part of the settings: what may be uploaded, and where what comes is kept.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use webhand::action::FileRules;

/// Where files are kept unless something else is said, beside the command that begins the session.
const FOLDER: &str = "webhand-files";

/// As a file writes it, and as a session is asked for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct FilesPart {
    /// Folders, and single files, from which a reply may upload.
    pub(crate) upload_from: Vec<PathBuf>,
    /// The folder for downloads, prints and files of the `file` action.
    pub(crate) folder: Option<PathBuf>,
}

impl FilesPart {
    /// The same with whole paths: those of a file of settings are meant from where that is.
    pub(crate) fn from(self, folder: &Path) -> Self {
        Self {
            upload_from: self.upload_from.into_iter().map(|path| folder.join(path)).collect(),
            folder: self.folder.map(|path| folder.join(path)),
        }
    }

    /// Where files are kept for a command in that folder.
    pub(crate) fn folder_for(&self, command: &Path) -> PathBuf {
        self.folder.clone().unwrap_or_else(|| command.join(FOLDER))
    }

    /// The same as a session takes it.
    pub(crate) fn rules(&self) -> FileRules {
        let mut rules = FileRules::default();
        rules.upload_from.clone_from(&self.upload_from);
        rules.folder.clone_from(&self.folder);
        rules
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_meant_from_where_they_are_written() {
        let part = FilesPart { upload_from: vec!["out".into(), "/srv".into()], folder: Some("in".into()) };
        let whole = part.from(Path::new("/work"));
        assert_eq!(whole.upload_from, [PathBuf::from("/work/out"), PathBuf::from("/srv")]);
        assert_eq!(whole.folder_for(Path::new("/here")), PathBuf::from("/work/in"));
        assert_eq!(FilesPart::default().folder_for(Path::new("/here")), PathBuf::from("/here/webhand-files"));
    }
}
