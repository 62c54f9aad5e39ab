//! A folder of fixtures: the case files in it, and the list of planned rows if it has one.
//!
//! It reads files and nothing else.

use std::{
    io,
    path::{Path, PathBuf},
};

use crate::case::{Case, CaseError};

/// The file that lists the planned rows: a line each, id and title separated by a tab.
pub const ROWS_FILE: &str = "rows.tsv";

/// What a folder holds.
#[derive(Clone, Debug, Default)]
pub struct Folder {
    /// The cases, by id and name.
    pub cases: Vec<Case>,
    /// The rows that are planned, in order; empty when the folder has no such list.
    pub planned: Vec<PlannedRow>,
}

/// A row that there is or will be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedRow {
    /// Its id.
    pub id: String,
    /// What it is about.
    pub title: String,
}

/// Why a folder of fixtures cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FolderError {
    /// It cannot be read.
    #[error("{path}: {source}")]
    Read {
        /// Folder or file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// A case file is not right.
    #[error(transparent)]
    Case(#[from] CaseError),
    /// A case names a page that is not there.
    #[error("{case}: there is no page {page} beside it")]
    NoPage {
        /// The case.
        case: String,
        /// The page.
        page: String,
    },
}

impl Folder {
    /// Reads all case files (`*.toml`) of a folder.
    ///
    /// # Errors
    /// When the folder or a file cannot be read, or a case is not right.
    pub fn read(folder: &Path) -> Result<Self, FolderError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| FolderError::Read { path, source }
        };
        let mut cases = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(failed(folder))? {
            let path = entry.map_err(failed(folder))?.path();
            let Some(name) = path.file_stem().and_then(|stem| stem.to_str()) else { continue };
            if path.extension().is_none_or(|ending| ending != "toml") {
                continue;
            }
            let text = std::fs::read_to_string(&path).map_err(failed(&path))?;
            let mut case = Case::parse(name, &text)?;
            case.site = case.site.folder(folder);
            let served = case.site.routes.iter().any(|route| route.path == case.page);
            if !served && !folder.join(case.page.trim_start_matches('/')).is_file() {
                return Err(FolderError::NoPage { case: case.name, page: case.page });
            }
            cases.push(case);
        }
        cases.sort_by(|left, right| (&left.id, &left.name).cmp(&(&right.id, &right.name)));
        Ok(Self { cases, planned: planned(folder)? })
    }
}

fn planned(folder: &Path) -> Result<Vec<PlannedRow>, FolderError> {
    let path = folder.join(ROWS_FILE);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(FolderError::Read { path, source }),
    };
    let rows = text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t'));
    Ok(rows.map(|(id, title)| PlannedRow { id: id.trim().to_owned(), title: title.trim().to_owned() }).collect())
}
