//! `webhand doctor`: whether all that is needed is here and works, and what to do where it does not.

use std::{fs, path::PathBuf, time::Instant};

use serde::Serialize;
use webhand::engine::{BrowserError, Kind};

use crate::{
    config::{Environment, Settings},
    exit::Exit,
    output::Output,
    session::{
        place::Folder,
        protocol::{Answer, Order, SnapshotOrder},
    },
    trouble::Trouble,
    work::Work,
};

/// One thing that was looked at.
#[derive(Debug, Serialize)]
struct Finding {
    check: &'static str,
    ok: bool,
    detail: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

impl Finding {
    fn good(check: &'static str, detail: impl Into<String>) -> Self {
        Self { check, ok: true, detail: detail.into(), hint: None }
    }

    fn bad(check: &'static str, trouble: Trouble) -> Self {
        Self { check, ok: false, detail: trouble.detail, hint: trouble.hint }
    }
}

/// Looks at everything, tells each as it is known, and says how it all is.
pub(crate) async fn run(output: Output, environment: &Environment, settings: Result<Settings, Trouble>) -> Exit {
    let mut all = true;
    let mut tell = |finding: Finding| {
        all &= finding.ok;
        show(output, &finding);
    };
    let settings = match settings {
        Ok(settings) => {
            tell(Finding::good("settings", files(&settings)));
            settings
        }
        Err(trouble) => {
            tell(Finding::bad("settings", trouble));
            return Exit::Usage;
        }
    };
    tell(folder(environment));
    tell(profiles());
    let (found, finding) = browser(&settings);
    tell(finding);
    if !found {
        return Exit::NoBrowser;
    }
    let launched = launch(&settings).await;
    let works = launched.iter().all(|finding| finding.ok);
    launched.into_iter().for_each(tell);
    match (works, all) {
        (false, _) => Exit::NoBrowser,
        (true, false) => Exit::Failed,
        (true, true) => Exit::Ok,
    }
}

fn show(output: Output, finding: &Finding) {
    if output.json {
        return output.object(finding);
    }
    let mark = if finding.ok { "ok    " } else { "FAILS " };
    let hint = finding.hint.as_ref().map(|hint| format!("\n                  {hint}")).unwrap_or_default();
    output.text(&format!("{mark}{:<11} {}{hint}", finding.check, finding.detail));
}

fn files(settings: &Settings) -> String {
    match settings.files.as_slice() {
        [] => "no webhand.toml; all is as built in".to_owned(),
        files => files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(", "),
    }
}

fn folder(environment: &Environment) -> Finding {
    match Folder::open(environment).and_then(|folder| folder.session("default")) {
        Ok(place) => {
            let folder = place.socket.parent().map(PathBuf::from).unwrap_or_default();
            Finding::good("sessions", folder.display().to_string())
        }
        Err(trouble) => Finding::bad("sessions", trouble),
    }
}

/// Whether private profiles can be made where they are made.
fn profiles() -> Finding {
    let root = std::env::temp_dir();
    match tempfile::Builder::new().prefix("webhand-doctor-").tempdir_in(&root) {
        Ok(_) => Finding::good("profiles", format!("private ones under {}", root.display())),
        Err(error) => {
            let trouble = Trouble::new("file", format!("{} cannot hold profiles: {error}", root.display()));
            Finding::bad("profiles", trouble.hint("set TMPDIR to a folder that can be written"))
        }
    }
}

fn browser(settings: &Settings) -> (bool, Finding) {
    let wanted = settings.wanted();
    match wanted.find().first() {
        Ok(found) => {
            let path = fs::canonicalize(&found.path).unwrap_or_else(|_| found.path.clone());
            (true, Finding::good("browser", format!("{} ({})", path.display(), kind(found.kind))))
        }
        Err(error) => {
            let missing = matches!(error, BrowserError::NotFound { .. });
            let mut trouble = wanted.trouble(error);
            if missing {
                let hint = trouble.hint.clone().unwrap_or_default();
                trouble = trouble.hint(format!("`webhand install` gets one; {hint}"));
            }
            (false, Finding::bad("browser", trouble))
        }
    }
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Shell => "headless shell",
        Kind::Full => "full browser",
    }
}

async fn launch(settings: &Settings) -> Vec<Finding> {
    let began = Instant::now();
    let mut work = match Box::pin(Work::begin(&settings.wanted())).await {
        Ok(work) => work,
        Err(trouble) => return vec![Finding::bad("launch", trouble)],
    };
    let order = SnapshotOrder { format: None, max_tokens: Some(0), diff: false };
    let read = work.perform(Order::Snapshot(order)).await;
    let elapsed = began.elapsed().as_millis();
    let info = work.browser().clone();
    work.end().await;
    let launch = match read {
        Answer::Trouble(trouble) => Finding::bad("launch", trouble),
        _ => Finding::good("launch", format!("{}: first snapshot after {elapsed} ms", info.product)),
    };
    let sandbox = match info.sandbox {
        Some(false) => "off: the browser refuses to start with it as root; use a user of its own where you can",
        Some(true) => "on",
        None => "as the running browser has it",
    };
    vec![launch, Finding::good("sandbox", sandbox)]
}
