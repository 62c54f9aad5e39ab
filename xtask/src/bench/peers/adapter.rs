//! The drivers of other engines, as a folder holds them: `bench/` with a script each, `node/` and `venv-*` beside it.
//!
//! A driver takes its pages from `pages/truth.json` beside itself and from a port of loopback, and keeps what it found
//! in `out/`. So that it reads this bench's pages, it is started in a folder of links of its own. It must not know what
//! the figures are held against.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use miette::{Context as _, IntoDiagnostic as _, miette};
use rustix::process::{Pid, Signal, kill_process};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::pages::Page;

/// After it was asked to end, a driver has so long to end its browser.
const TO_END: Duration = Duration::from_secs(30);

/// One driver: its name, its interpreter, its script and words, and what must be installed for it.
#[derive(Debug)]
pub(super) struct Adapter {
    pub(super) name: &'static str,
    /// Of the folder's virtual environments, or none for the system's Python.
    environment: Option<&'static str>,
    script: &'static str,
    words: &'static [&'static str],
    needs: &'static str,
}

const fn adapter(
    name: &'static str,
    environment: Option<&'static str>,
    script: &'static str,
    words: &'static [&'static str],
    needs: &'static str,
) -> Adapter {
    Adapter { name, environment, script, words, needs }
}

/// All drivers that are known, in the order in which they run.
const ADAPTERS: &[Adapter] = &[
    adapter("playwright-core", None, "peer_node.py", &["playwright-core"], "node/node_modules/playwright-core"),
    adapter(
        "playwright-core-plain",
        None,
        "peer_node.py",
        &["playwright-core-plain"],
        "node/node_modules/playwright-core",
    ),
    adapter("agent-browser-cli", None, "peer_mcp.py", &["agent-browser-cli"], "node/node_modules/agent-browser"),
    adapter("agent-browser-mcp", None, "peer_mcp.py", &["agent-browser-mcp"], "node/node_modules/agent-browser"),
    adapter(
        "chrome-devtools-mcp",
        None,
        "peer_mcp.py",
        &["chrome-devtools-mcp"],
        "node/node_modules/chrome-devtools-mcp",
    ),
    adapter("playwright-mcp", None, "peer_mcp.py", &["playwright-mcp"], "node/node_modules/@playwright/mcp"),
    adapter("stagehand", None, "peer_node.py", &["stagehand"], "node/node_modules/@browserbasehq/stagehand"),
    adapter("browser-use", Some("venv-bu"), "peer_browseruse.py", &["default"], "venv-bu/bin/browser-use"),
    adapter("browser-use-nowait", Some("venv-bu"), "peer_browseruse.py", &["nowait"], "venv-bu/bin/browser-use"),
    adapter("notte", Some("venv-notte"), "peer_notte.py", &[], "venv-notte/bin/patchright"),
];

/// What a driver told of its run.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Told {
    /// By page.
    #[serde(default)]
    pub(super) pages: BTreeMap<String, Figures>,
    /// What went wrong, with the place before it.
    #[serde(default)]
    errors: Vec<String>,
    /// The texts that it kept, by page.
    #[serde(skip)]
    pub(super) texts: BTreeMap<String, String>,
    /// It was stopped.
    #[serde(skip)]
    stopped: Option<String>,
}

/// What a driver measured on a page.
#[derive(Debug, Deserialize)]
pub(super) struct Figures {
    pub(super) ms: f64,
    pub(super) min_ms: f64,
    pub(super) n: usize,
    pub(super) listed: usize,
    #[serde(default)]
    pub(super) decoy_refs: BTreeMap<String, usize>,
}

impl Told {
    /// What kept it from reading pages; what else it tried there is not of this bench.
    pub(super) fn errors(&self) -> Vec<String> {
        let of_reading = |error: &&String| {
            let place = error.split(':').next().unwrap_or_default();
            place.ends_with(" snapshot") || place == "fatal"
        };
        self.errors.iter().filter(of_reading).cloned().chain(self.stopped.clone()).collect()
    }
}

/// A folder of drivers.
#[derive(Debug)]
pub(super) struct Folder {
    root: PathBuf,
}

impl Folder {
    /// The folder that was named: the one with `bench/` in it, or that `bench/` itself.
    pub(super) fn find(named: &Path) -> miette::Result<Self> {
        let named = std::fs::canonicalize(named).into_diagnostic();
        let named = named.wrap_err("cannot find the folder that --peers names")?;
        let parent = named.parent().map(Path::to_path_buf);
        let root = [Some(named), parent].into_iter().flatten().find(|root| root.join("bench/harness.py").is_file());
        root.map(|root| Self { root }).ok_or_else(|| miette!("the folder that --peers names holds no bench/harness.py"))
    }

    /// The drivers whose engine is there, and the names of the others.
    pub(super) fn installed(&self, only: &[String]) -> (Vec<&'static Adapter>, Vec<String>) {
        let wanted = |adapter: &&Adapter| only.is_empty() || only.iter().any(|name| name == adapter.name);
        let (there, missing): (Vec<&Adapter>, Vec<&Adapter>) = ADAPTERS.iter().filter(wanted).partition(|adapter| {
            self.root.join(adapter.needs).exists() && self.root.join("bench").join(adapter.script).is_file()
        });
        let unknown = only.iter().filter(|name| ADAPTERS.iter().all(|adapter| adapter.name != **name));
        let missing = missing.into_iter().map(|adapter| adapter.name.to_owned()).chain(unknown.cloned()).collect();
        (there, missing)
    }

    /// Lets one read the pages that are served on that port, for a limited time.
    pub(super) async fn run(
        &self,
        adapter: &Adapter,
        pages: &[Page],
        port: u16,
        browser: &Path,
        runs: usize,
        limit: Duration,
    ) -> miette::Result<Told> {
        let place = self.place(pages)?;
        let bench = place.path().join("bench");
        let python = match adapter.environment {
            Some(environment) => self.root.join(environment).join("bin/python"),
            None => PathBuf::from("python3"),
        };
        let log = std::fs::File::create(bench.join("log")).into_diagnostic()?;
        let mut child = tokio::process::Command::new(python)
            .arg(bench.join(adapter.script))
            .args(adapter.words)
            .current_dir(&bench)
            .env("BENCH_PORT", port.to_string())
            .env("BENCH_PAGES", largest_last(pages).join(","))
            .env("BENCH_RUNS", runs.to_string())
            .env("BENCH_CAP_S", "15")
            .env("BENCH_CALL_S", "60")
            .env("BENCH_CHROME", browser)
            .env_remove("BENCH_TAG")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .into_diagnostic()
            .wrap_err("cannot start Python")?;
        let mut stopped = None;
        if tokio::time::timeout(limit, child.wait()).await.is_err() {
            stopped = Some(format!("stopped after {} s", limit.as_secs()));
            // Asked to end, a driver writes what it has and ends its browser.
            if let Some(pid) = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?)) {
                kill_process(pid, Signal::INT).into_diagnostic()?;
            }
            if tokio::time::timeout(TO_END, child.wait()).await.is_err() {
                child.kill().await.into_diagnostic()?;
            }
        }
        let mut told = read(&bench, adapter.name, pages).wrap_err_with(|| last_line(&bench.join("log")))?;
        told.stopped = stopped;
        Ok(told)
    }

    /// A folder of links to the drivers, with the truth of these pages beside them.
    fn place(&self, pages: &[Page]) -> miette::Result<tempfile::TempDir> {
        let place = tempfile::tempdir().into_diagnostic()?;
        let bench = place.path().join("bench");
        for folder in ["pages", "out"] {
            std::fs::create_dir_all(bench.join(folder)).into_diagnostic()?;
        }
        let link = |from: PathBuf, to: PathBuf| std::os::unix::fs::symlink(from, to).into_diagnostic();
        link(self.root.join("node"), place.path().join("node"))?;
        for entry in std::fs::read_dir(self.root.join("bench")).into_diagnostic()? {
            let path = entry.into_diagnostic()?.path();
            let is_script =
                path.extension().is_some_and(|ending| ["py", "mjs", "cjs"].iter().any(|known| ending == *known));
            if let Some(name) = path.file_name().filter(|_| is_script) {
                link(path.clone(), bench.join(name))?;
            }
        }
        let truth = serde_json::to_string(&truth(pages)).into_diagnostic()?;
        std::fs::write(bench.join("pages/truth.json"), truth).into_diagnostic()?;
        Ok(place)
    }
}

/// The truth in the form that drivers read: controls under `true`, each with a sort that asks for no clicks.
fn truth(pages: &[Page]) -> Value {
    let page = |page: &Page| {
        let controls: BTreeMap<&String, &str> = page.truth.controls.keys().map(|token| (token, "control")).collect();
        (page.name.clone(), json!({ "true": controls, "decoys": page.truth.decoys }))
    };
    Value::Object(pages.iter().map(page).collect())
}

/// The names, the largest page last: a driver that is stopped has read the others.
fn largest_last(pages: &[Page]) -> Vec<&str> {
    let mut pages: Vec<&Page> = pages.iter().collect();
    pages.sort_by_key(|page| page.elements);
    pages.into_iter().map(|page| page.name.as_str()).collect()
}

/// What the driver kept.
fn read(bench: &Path, name: &str, pages: &[Page]) -> miette::Result<Told> {
    let text = std::fs::read_to_string(bench.join("out").join(format!("{name}.json"))).into_diagnostic();
    let text = text.wrap_err("it kept no figures")?;
    let mut told: Told =
        serde_json::from_str(&text).into_diagnostic().wrap_err("it kept no figures that can be read")?;
    for page in pages {
        if let Ok(text) = std::fs::read_to_string(bench.join("out").join(name).join(format!("{}.txt", page.name))) {
            told.texts.insert(page.name.clone(), text);
        }
    }
    Ok(told)
}

/// The last line that it wrote to its log.
fn last_line(log: &Path) -> String {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it said nothing").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::pages;

    #[test]
    fn drivers_get_the_truth_and_the_largest_page_last() {
        let pages = ["huge-1000", "form", "shadow"].map(|name| pages::make(name, 1).expect("known"));
        assert_eq!(largest_last(&pages).last(), Some(&"huge-1000"));
        let truth = truth(&pages);
        assert_eq!(truth["form"]["true"].as_object().map(serde_json::Map::len), Some(20));
        assert!(truth["form"]["decoys"].is_object());
    }

    #[test]
    fn only_what_kept_a_driver_from_reading_is_told() {
        let told: Told = serde_json::from_value(json!({
            "pages": {}, "errors": ["app eval: RuntimeError: x", "huge snapshot: TimeoutError: ", "fatal: gone"],
        }))
        .expect("read");
        assert_eq!(told.errors(), ["huge snapshot: TimeoutError: ", "fatal: gone"]);
    }

    #[test]
    fn a_folder_without_drivers_is_refused_and_what_is_not_installed_is_missing() {
        let empty = tempfile::tempdir().expect("a folder");
        assert!(Folder::find(empty.path()).is_err());
        let bench = empty.path().join("bench");
        std::fs::create_dir(&bench).expect("made");
        std::fs::write(bench.join("harness.py"), "").expect("written");
        let folder = Folder::find(&bench).expect("found by its bench");
        let (there, missing) = folder.installed(&["notte".to_owned(), "nobody".to_owned()]);
        assert!(there.is_empty());
        assert_eq!(missing, ["notte", "nobody"]);
    }
}
