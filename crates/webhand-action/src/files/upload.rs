//! Which file a path means that is to be uploaded, and whether it may be.

use std::{
    fs, io,
    path::{Component, Path, PathBuf},
};

use super::FileRules;
use crate::error::{ActionError, ErrorCode};

/// How many names are told of those that there are.
const TOLD: usize = 20;

/// A file that may be uploaded: all links of its path are resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LocalFile {
    pub(crate) path: PathBuf,
    pub(crate) name: String,
    pub(crate) bytes: u64,
}

/// The files of these paths; a path that is not whole is meant from each allowed folder in turn.
pub(crate) fn local_files(rules: &FileRules, paths: &[String]) -> Result<Vec<LocalFile>, ActionError> {
    let allowed: Vec<PathBuf> = rules.upload_from.iter().filter_map(|folder| folder.canonicalize().ok()).collect();
    if allowed.is_empty() {
        let detail = match rules.upload_from.as_slice() {
            [] => "no folder is allowed from which files may be uploaded".to_owned(),
            _ => "none of the folders from which files may be uploaded is there".to_owned(),
        };
        return Err(forbidden(detail));
    }
    paths.iter().map(|path| local_file(&allowed, path)).collect()
}

fn local_file(allowed: &[PathBuf], given: &str) -> Result<LocalFile, ActionError> {
    let path = Path::new(given);
    let places: Vec<PathBuf> = if path.is_absolute() {
        vec![path.to_owned()]
    } else {
        allowed
            .iter()
            .map(|folder| if folder.is_dir() { folder.join(path) } else { folder.with_file_name(path) })
            .collect()
    };
    let mut outside = false;
    for place in &places {
        match place.canonicalize() {
            Ok(real) if may(allowed, &real) => return described(given, real),
            Ok(_) => outside = true,
            // where nothing is, only a place inside may be told of
            Err(_) => outside |= !may(allowed, &lexical(place)),
        }
    }
    if outside {
        return Err(forbidden(format!("{given:?} is not in a folder from which files may be uploaded")));
    }
    Err(missing(allowed, given))
}

fn described(given: &str, path: PathBuf) -> Result<LocalFile, ActionError> {
    let unreadable = |error: io::Error| {
        ActionError::new(ErrorCode::InvalidAction, format!("{given:?} cannot be read: {error}")).with_kind("no_file")
    };
    let metadata = fs::metadata(&path).map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(ActionError::new(ErrorCode::InvalidAction, format!("{given:?} is no file"))
            .with_kind("no_file")
            .with_hint("name the files one by one"));
    }
    fs::File::open(&path).map_err(unreadable)?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(LocalFile { name, bytes: metadata.len(), path })
}

fn may(allowed: &[PathBuf], path: &Path) -> bool {
    allowed.iter().any(|folder| path.starts_with(folder))
}

/// A path without its `.` and `..`, as far as that can be told without looking.
fn lexical(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}

fn forbidden(detail: String) -> ActionError {
    ActionError::new(ErrorCode::BlockedByPolicy, detail).with_kind("upload_from").with_hint(
        "only files of allowed folders can be uploaded; a person can allow one: files.upload_from in webhand.toml, \
         or FileRules in the library",
    )
}

fn missing(allowed: &[PathBuf], given: &str) -> ActionError {
    let mut names: Vec<String> = allowed
        .iter()
        .filter_map(|folder| fs::read_dir(folder).ok())
        .flat_map(|entries| entries.flatten())
        .filter(|entry| entry.path().is_file())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .take(1000)
        .collect();
    names.sort();
    names.truncate(TOLD);
    let error = ActionError::new(ErrorCode::InvalidAction, format!("there is no file {given:?}")).with_kind("no_file");
    if names.is_empty() { error } else { error.with_hint(format!("there are: {}", names.join(", "))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Stage {
        outer: tempfile::TempDir,
        rules: FileRules,
    }

    impl Stage {
        fn new() -> Self {
            let outer = tempfile::tempdir().unwrap();
            let allowed = outer.path().join("allowed");
            fs::create_dir_all(allowed.join("deep")).unwrap();
            fs::write(allowed.join("a.txt"), "abc").unwrap();
            fs::write(allowed.join("deep/b.txt"), "b").unwrap();
            fs::write(outer.path().join("secret.txt"), "s").unwrap();
            let rules = FileRules::default().with_upload_from(&allowed);
            Self { outer, rules }
        }

        fn resolve(&self, path: &str) -> Result<(String, u64), (&'static str, Option<String>)> {
            match local_files(&self.rules, &[path.to_owned()]) {
                Ok(mut files) => files.pop().map(|file| (file.name, file.bytes)).ok_or(("none", None)),
                Err(error) => Err((error.code(), error.kind)),
            }
        }

        fn at(&self, path: &str) -> String {
            self.outer.path().join(path).to_string_lossy().into_owned()
        }
    }

    #[test]
    fn files_of_allowed_folders_are_found_by_either_kind_of_path() {
        let stage = Stage::new();
        for path in ["a.txt", "./a.txt", &stage.at("allowed/a.txt"), "deep/../a.txt"] {
            assert_eq!(stage.resolve(path), Ok(("a.txt".to_owned(), 3)), "{path}");
        }
        assert_eq!(stage.resolve("deep/b.txt"), Ok(("b.txt".to_owned(), 1)));
    }

    #[test]
    fn what_lies_outside_is_forbidden_whether_it_is_there_or_not() {
        let stage = Stage::new();
        let blocked = Err(("blocked_by_policy", Some("upload_from".to_owned())));
        for path in ["../secret.txt", "/etc/passwd", "/etc/none-such", "../none-such", &stage.at("secret.txt")] {
            assert_eq!(stage.resolve(path), blocked, "{path}");
        }
        // a name that only begins like the folder
        fs::create_dir(stage.outer.path().join("allowed-not")).unwrap();
        fs::write(stage.outer.path().join("allowed-not/c.txt"), "c").unwrap();
        assert_eq!(stage.resolve(&stage.at("allowed-not/c.txt")), blocked);
        let none = Stage { rules: FileRules::default(), ..stage };
        assert_eq!(none.resolve("a.txt"), blocked);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_judged_by_where_they_lead() {
        use std::os::unix::fs::symlink;
        let stage = Stage::new();
        symlink(stage.at("secret.txt"), stage.at("allowed/out.txt")).unwrap();
        symlink(stage.at("allowed/a.txt"), stage.at("in.txt")).unwrap();
        symlink(stage.at("allowed"), stage.at("other")).unwrap();
        assert!(matches!(stage.resolve("out.txt"), Err(("blocked_by_policy", _))));
        assert!(stage.resolve(&stage.at("in.txt")).is_ok());
        let through = Stage { rules: FileRules::default().with_upload_from(stage.at("other")), ..stage };
        assert!(through.resolve("a.txt").is_ok());
    }

    #[test]
    fn what_is_missing_is_told_with_what_is_there() {
        let stage = Stage::new();
        let error = local_files(&stage.rules, &["b.txt".to_owned()]).unwrap_err();
        assert_eq!((error.code(), error.kind.as_deref()), ("invalid_action", Some("no_file")));
        assert!(error.hint.unwrap().contains("a.txt"));
        assert!(matches!(stage.resolve("deep"), Err(("invalid_action", _))), "a folder is no file");
    }

    #[test]
    fn a_single_file_can_be_allowed() {
        let stage = Stage::new();
        let rules = FileRules::default().with_upload_from(stage.at("allowed/a.txt"));
        let only = Stage { rules, ..stage };
        assert!(only.resolve("a.txt").is_ok() && only.resolve(&only.at("allowed/a.txt")).is_ok());
        assert!(only.resolve(&only.at("allowed/deep/b.txt")).is_err());
    }
}
