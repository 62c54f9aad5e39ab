//! What a session has of files: the folder it keeps, and which of its context's downloads were taken in there.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use tempfile::TempDir;
use webhand_browser::{BrowserError, Context, Download, DownloadId, DownloadState};

use super::{FileRules, Kept, RunFolder, kind::media_type_of};

/// What became of a download since it was last asked.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Taken {
    /// It is under way.
    Running,
    /// It is in the run's folder.
    Kept {
        /// As it is there.
        kept: Kept,
        /// What it is: as the server said, else by its name.
        media_type: String,
    },
    /// It did not come, or could not be kept.
    Failed(String),
}

/// The files of one session.
#[derive(Debug, Default)]
pub(crate) struct Store {
    /// Where the browser puts what is under way, once that was said.
    incoming: Option<PathBuf>,
    /// A folder of our own, where the browser's profile is none.
    own: Option<TempDir>,
    run: Option<Arc<RunFolder>>,
    /// The newest download that was met, and those met before that are not over.
    met: DownloadId,
    open: Vec<DownloadId>,
}

impl Store {
    /// Makes sure that downloads of the context are kept.
    pub(crate) async fn prepare(&mut self, context: &Context) -> Result<(), PrepareError> {
        if self.incoming.is_some() {
            return Ok(());
        }
        let incoming = self.base(context)?.join("incoming");
        std::fs::create_dir_all(&incoming)?;
        self.met = context.last_download();
        context.keep_downloads(&incoming).await?;
        self.incoming = Some(incoming);
        Ok(())
    }

    /// The browser that kept what was under way is gone: what it had not handed over is lost with it.
    pub(crate) fn moves(&mut self, rules: &FileRules) {
        self.incoming = None;
        self.open.clear();
        if rules.folder.is_none() && self.own.is_none() {
            self.run = None;
        }
    }

    /// The folder beside the browser, or one that goes with the session.
    fn base(&mut self, context: &Context) -> io::Result<PathBuf> {
        if let Some(private) = context.private_folder() {
            return Ok(private);
        }
        if self.own.is_none() {
            self.own = Some(tempfile::Builder::new().prefix("webhand-files-").tempdir()?);
        }
        Ok(self.own.as_ref().map(|own| own.path().to_owned()).unwrap_or_default())
    }

    /// The run's folder, made when it is first needed.
    pub(crate) fn run_folder(&mut self, context: &Context, rules: &FileRules) -> io::Result<Arc<RunFolder>> {
        if let Some(run) = &self.run {
            return Ok(Arc::clone(run));
        }
        let path = match &rules.folder {
            Some(folder) => folder.clone(),
            None => self.base(context)?.join("files"),
        };
        let run = Arc::new(RunFolder::open(&path)?);
        self.run = Some(Arc::clone(&run));
        Ok(run)
    }

    /// Those that are under way.
    pub(crate) fn running(&self, context: &Context) -> Vec<DownloadId> {
        let begun = context.downloads_since(self.met).into_iter().map(|download| download.id);
        let known = self.open.iter().copied().chain(begun);
        known.filter(|id| context.download(*id).is_some_and(|download| !download.is_over())).collect()
    }

    /// Another folder is the run's from now on.
    pub(crate) fn change_folder(&mut self) {
        self.run = None;
    }

    /// The newest download that was met.
    pub(crate) fn met(&self) -> DownloadId {
        self.met
    }

    /// What is new of downloads: those that began since, and those that came to an end.
    pub(crate) async fn news(&mut self, context: &Context, rules: &FileRules) -> Vec<(Download, Taken)> {
        let begun = context.downloads_since(self.met);
        let mut fresh: Vec<DownloadId> = begun.iter().map(|download| download.id).collect();
        self.met = fresh.last().copied().unwrap_or(self.met);
        let asked = self.open.iter().chain(&fresh).filter_map(|id| context.download(*id)).collect::<Vec<_>>();
        let mut news = Vec::new();
        for download in asked {
            let taken = self.take(context, rules, &download).await;
            let is_new = fresh.contains(&download.id);
            if taken != Taken::Running || is_new {
                news.push((download, taken));
            }
        }
        self.open.append(&mut fresh);
        self.open.retain(|id| context.download(*id).is_some_and(|download| !download.is_over()));
        news
    }

    /// Takes one download in, where it is over, so that it is no news any more.
    pub(crate) async fn take(&mut self, context: &Context, rules: &FileRules, download: &Download) -> Taken {
        let path = match &download.state {
            DownloadState::Running => return Taken::Running,
            DownloadState::Complete { path } => path.clone(),
            _ => return Taken::Failed("it broke off".to_owned()),
        };
        let path = path
            .map_or_else(|| self.incoming.as_ref().map(|folder| folder.join(&download.guid)), |path| Some(path.into()));
        let Some(path) = path else { return Taken::Failed("the browser kept no file".to_owned()) };
        let run = match self.run_folder(context, rules) {
            Ok(run) => run,
            Err(error) => return Taken::Failed(format!("the run's folder cannot be used: {error}")),
        };
        match move_in(run, path, download.name.clone()).await {
            Ok(kept) => {
                let told = download.media_type.clone().filter(|told| told != "application/octet-stream");
                let media_type = told.unwrap_or_else(|| media_type_of(&kept.name));
                Taken::Kept { kept, media_type }
            }
            Err(error) => Taken::Failed(format!("it could not be kept: {error}")),
        }
    }
}

async fn move_in(run: Arc<RunFolder>, file: PathBuf, name: String) -> io::Result<Kept> {
    let moved = tokio::task::spawn_blocking(move || run.take_in(Path::new(&file), &name));
    moved.await.map_err(io::Error::other)?
}

/// Why downloads are not kept.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PrepareError {
    #[error("no folder for downloads could be made: {0}")]
    Io(#[from] io::Error),
    #[error(transparent)]
    Browser(#[from] BrowserError),
}
