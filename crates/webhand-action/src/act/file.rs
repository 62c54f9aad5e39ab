//! Text files of the run's folder.

use serde_json::json;

use super::download::unkept;
use crate::{
    catalogue::{File, FileOp},
    error::{ActionError, ErrorCode},
    files::FolderError,
    outcome::Outcome,
    session::Session,
};

pub(super) fn file(session: &mut Session, order: &File) -> Result<Outcome, ActionError> {
    let folder = session.store.run_folder(&session.context, &session.settings.files).map_err(|error| unkept(&error))?;
    let name = order.name.as_deref().unwrap_or_default();
    let text = order.text.as_deref().unwrap_or_default();
    let mut outcome = Outcome::done(order.clone().into(), String::new());
    match order.op {
        FileOp::Read => {
            let text = folder.read(name).map_err(|error| trouble(&error))?;
            outcome.message = format!("read {name:?}");
            outcome.data = Some(json!({ "text": text }));
        }
        FileOp::Write | FileOp::Append => {
            let after = order.op == FileOp::Append;
            let bytes = folder.write(name, text, after).map_err(|error| trouble(&error))?;
            let verb = if after { "added to" } else { "wrote" };
            outcome.message = format!("{verb} {name:?}, which has {bytes} bytes now");
            outcome.data = Some(json!({ "path": folder.path().join(name), "bytes": bytes }));
        }
        _ => {
            let files = folder.list().map_err(|error| unkept(&error))?;
            let count = files.len();
            outcome.message = format!("{count} file{} in the run's folder", if count == 1 { "" } else { "s" });
            let files: Vec<_> =
                files.into_iter().map(|(name, bytes)| json!({ "name": name, "bytes": bytes })).collect();
            outcome.data = Some(json!({ "folder": folder.path(), "files": files }));
        }
    }
    Ok(outcome)
}

fn trouble(error: &FolderError) -> ActionError {
    let (code, kind, hint) = match error {
        FolderError::Outside(_) => {
            (ErrorCode::BlockedByPolicy, "outside", "use a plain name, such as notes.txt or notes/today.txt")
        }
        FolderError::Missing(_) => (ErrorCode::InvalidAction, "no_file", "list the files first"),
        FolderError::NoText(_) => (ErrorCode::Unsupported, "no_text", "only texts of at most 256 KiB are read"),
        FolderError::Io { .. } => return unkept(&std::io::Error::other(error.to_string())),
    };
    ActionError::new(code, error.to_string()).with_kind(kind).with_hint(hint)
}
