//! Runs cases on an engine, step by step, and gathers what they come to.
//!
//! It knows engines only by [`Engine`] and [`Driver`].

use std::{
    collections::BTreeMap,
    path::Path,
    time::{Duration, Instant},
};

use futures_util::{StreamExt, stream};
use serde_json::Value;

use crate::{
    case::{self, Acceptable, Case, CaseError, Kind, Matcher, RecordExpected, Step, Verb},
    driver::{Beside, Driver, DriverError, Engine, Opening, Place},
    expect::{self, Looks, find_control},
    files::{Folders, Kept},
    folder::{Folder, FolderError},
    judge::{Evidence, Verdict, judge},
    placeholder,
    report::{Failure, Report, Row},
    server::{Server, ServerError},
    sight::Heard,
};

/// No case may take longer: a hang is a failure, not a wait.
const CASE_DEADLINE: Duration = Duration::from_secs(60);
/// A page's record is read at once or not at all.
const RECORD_DEADLINE: Duration = Duration::from_secs(5);
/// A text may be repeated so often.
const TIMES_MAX: usize = 100_000;
/// How long a request may take to come that something waits for.
const ASKED_WITHIN: Duration = Duration::from_secs(10);
/// How often a record that is waited for is read.
const RECORD_PERIOD: Duration = Duration::from_millis(20);

/// What is run, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// Only rows whose id begins so; all when empty.
    pub filter: String,
    /// How many times every case is run, on top of its own count.
    pub repeat: u32,
    /// In which kinds of browser.
    pub kinds: Vec<Kind>,
    /// How many cases run at once in one browser.
    pub jobs: usize,
    /// By how much the limits of time in cases are stretched: 1 where times are judged, more where a busy machine must not
    /// fail what is right.
    pub slack: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { filter: String::new(), repeat: 1, kinds: vec![Kind::Shell, Kind::New], jobs: 2, slack: 1 }
    }
}

/// Why a gauntlet could not be run at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GauntletError {
    /// The folder is not right.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// Nothing in it is called so.
    #[error("no row of {folder} begins with {filter:?}")]
    NoRow {
        /// The folder.
        folder: String,
        /// The filter.
        filter: String,
    },
    /// The engine's browser cannot be started.
    #[error("the {kind} browser cannot be started: {source}", kind = kind.as_str())]
    Engine {
        /// Which kind.
        kind: Kind,
        /// Why.
        #[source]
        source: DriverError,
    },
}

impl From<CaseError> for GauntletError {
    fn from(error: CaseError) -> Self {
        Self::Folder(error.into())
    }
}

/// Runs a folder of fixtures on an engine that `launch` starts once for each kind of browser, and ends it again.
///
/// # Errors
/// When the folder is not right, nothing fits the filter, or no browser starts.
pub async fn run<E, L>(pages: &Path, options: &Options, launch: L) -> Result<Report, GauntletError>
where
    E: Engine,
    L: AsyncFn(Kind) -> Result<E, DriverError>,
{
    let folder = Folder::read(pages)?;
    let chosen = |id: &str| id.starts_with(&options.filter);
    if !folder.cases.iter().any(|case| chosen(&case.id)) && !folder.planned.iter().any(|row| chosen(&row.id)) {
        return Err(GauntletError::NoRow { folder: pages.display().to_string(), filter: options.filter.clone() });
    }
    let mut results = Vec::new();
    for kind in &options.kinds {
        if !folder.cases.iter().any(|case| chosen(&case.id) && case.browsers.contains(kind)) {
            continue;
        }
        let engine = launch(*kind).await.map_err(|source| GauntletError::Engine { kind: *kind, source })?;
        results.extend(run_on(&engine, &folder, options).await);
        engine.close().await;
    }
    Ok(report_of(&folder, &options.filter, results))
}

/// Runs all chosen cases on one engine.
pub async fn run_on<E: Engine>(engine: &E, folder: &Folder, options: &Options) -> Vec<CaseResult> {
    let cases = folder
        .cases
        .iter()
        .filter(|case| case.id.starts_with(&options.filter) && case.browsers.contains(&engine.kind()));
    let runs = cases.flat_map(|case| (0..case.repeat.saturating_mul(options.repeat.max(1))).map(move |_| case));
    stream::iter(runs)
        .map(|case| async move { CaseResult { id: case.id.clone(), failure: run_case(engine, case, options.slack).await } })
        .buffered(options.jobs.max(1))
        .collect()
        .await
}

/// What one run of one case came to.
#[derive(Clone, Debug)]
pub struct CaseResult {
    /// The row.
    pub id: String,
    /// How it failed, if it did.
    pub failure: Option<Failure>,
}

/// Runs one case once on an engine.
pub async fn run_case<E: Engine>(engine: &E, case: &Case, slack: u32) -> Option<Failure> {
    let failed = |step, verdict: Verdict| Failure {
        case: case.name.clone(),
        kind: engine.kind(),
        step,
        faults: verdict.faults,
        false_success: verdict.false_success,
    };
    let server = match Server::start(case.site.clone()).await {
        Ok(server) => server,
        Err(error @ ServerError::Listen(_)) => return Some(failed(None, fault(error.to_string()))),
    };
    let address = server.url(&case.page);
    let folders = match Folders::make(&case.files, case.no_uploads) {
        Ok(folders) => folders,
        Err(error) => return Some(failed(None, fault(format!("the case's files: {error}")))),
    };
    let wanted = Opening { setting: case.setting, uploads: folders.uploads(), run: folders.run(), hold: case.hold() };
    let opening = engine.open(&address, &wanted);
    let driver = match tokio::time::timeout(CASE_DEADLINE, opening).await {
        Ok(Ok(driver)) => driver,
        Ok(Err(error)) => return Some(failed(None, fault(error.to_string()))),
        Err(_) => return Some(failed(None, fault("the page was not open in time".into()))),
    };
    let mut course =
        Course { driver, server: &server, folders: &folders, looks: Looks::default(), slack: slack.max(1) };
    let mut failure = None;
    for (index, step) in case.steps.iter().enumerate() {
        let verdict = match tokio::time::timeout(CASE_DEADLINE, course.step(step)).await {
            Ok(verdict) => verdict,
            Err(_) => fault(format!("the step did not end within {CASE_DEADLINE:?}")),
        };
        if !verdict.faults.is_empty() {
            failure = Some(failed(Some((index + 1, step.brief())), verdict));
            break;
        }
    }
    course.driver.close().await;
    failure
}

fn fault(text: String) -> Verdict {
    Verdict { faults: vec![text], false_success: false }
}

/// One case on its way.
struct Course<'a, D> {
    driver: D,
    server: &'a Server,
    folders: &'a Folders,
    looks: Looks,
    slack: u32,
}

impl<D: Driver> Course<'_, D> {
    async fn step(&mut self, step: &Step) -> Verdict {
        let begun = Instant::now();
        let beside = self.driver.beside();
        let server = self.server;
        // counted before anything is begun: the act may be well under way when what goes beside it is first looked at
        let before = server.requests().len();
        let aside = meanwhile(&beside, &step.meanwhile, (server, before), self.slack);
        let (heard, aside) = tokio::join!(self.perform(step), aside);
        let took = begun.elapsed();
        let heard = match heard {
            Ok(heard) if aside.faults.is_empty() => heard,
            Ok(heard) => {
                let mut aside = aside;
                aside.faults.extend(heard.map(|heard| format!("meanwhile it came to: {heard:?}")));
                return aside;
            }
            Err(faults) => return Verdict { faults, false_success: false },
        };
        let mut records = Vec::new();
        for ending in &step.accept {
            records.push(self.record(ending).await);
        }
        let requests = self.server.requests();
        let sight = self.looks.get(None).ok();
        let kept = self.folders.kept().map_err(|error| error.to_string());
        let evidence = Evidence {
            heard: heard.as_ref(),
            records: &records,
            requests: &requests,
            kept: &kept,
            sight,
            looks: &self.looks,
        };
        let mut verdict = judge(&step.accept, &evidence);
        if let Some(limit) = step.within_ms.filter(|limit| took > Duration::from_millis(*limit) * self.slack) {
            verdict.faults.push(format!("it took {took:.0?}, may take {limit} ms"));
        }
        verdict
    }

    async fn perform(&mut self, step: &Step) -> Result<Option<Heard>, Vec<String>> {
        let plain = |error: DriverError| vec![error.to_string()];
        let uses = step.uses.as_deref();
        match &step.verb {
            Verb::Look(look) => {
                let sight = self.driver.look(look.view()).await.map_err(plain)?;
                let faults = expect::faults(look, &sight, &self.looks);
                self.looks.keep(sight, look.r#as.as_deref());
                if faults.is_empty() { Ok(None) } else { Err(faults) }
            }
            Verb::Act(action) => {
                let action = self.resolved(action, uses)?;
                Ok(Some(Heard::One(self.driver.act(&action).await.map_err(plain)?)))
            }
            Verb::Batch(actions, rules) => {
                let actions =
                    actions.iter().map(|action| self.resolved(action, uses)).collect::<Result<Vec<_>, _>>()?;
                Ok(Some(self.driver.act_all(&actions, *rules).await.map_err(plain)?))
            }
            Verb::Reply(text) => {
                let text = self.filled(text, uses)?;
                Ok(Some(self.driver.reply(&text).await.map_err(plain)?))
            }
            Verb::PageScript(code) => {
                let code = self.filled(code, uses)?;
                self.driver.evaluate(&code, Place::Current).await.map_err(plain)?;
                Ok(None)
            }
            Verb::WaitRecord(expected) => self.wait(expected).await.map(|()| None).map_err(|why| vec![why]),
            Verb::Fault(fault) => self.driver.beside().hurt(*fault).await.map(|()| None).map_err(plain),
            Verb::Check => Ok(None),
        }
    }

    async fn record(&mut self, ending: &Acceptable) -> Option<Result<Value, String>> {
        let expected = ending.record.as_ref()?;
        Some(self.read(expected).await)
    }

    async fn read(&mut self, expected: &RecordExpected) -> Result<Value, String> {
        let reading = self.driver.evaluate(&expected.js, expected.place);
        match tokio::time::timeout(RECORD_DEADLINE, reading).await {
            Ok(read) => read.map_err(|error| error.to_string()),
            Err(_) => Err(format!("no answer within {RECORD_DEADLINE:?}")),
        }
    }

    async fn wait(&mut self, expected: &RecordExpected) -> Result<(), String> {
        let deadline = Instant::now() + Duration::from_millis(expected.within_ms);
        let mut ticks = tokio::time::interval(RECORD_PERIOD);
        loop {
            ticks.tick().await;
            let read = self.read(expected).await;
            if read.as_ref().is_ok_and(|value| expect::same(&expected.wanted(), value)) {
                return Ok(());
            }
            if Instant::now() > deadline {
                return Err(format!("`{}` did not come to be {}: {read:?}", expected.js, expected.wanted()));
            }
        }
    }

    /// An action with `target` made a handle, and all placeholders filled in.
    fn resolved(&self, action: &Value, uses: Option<&str>) -> Result<Value, Vec<String>> {
        match action {
            Value::String(text) => self.filled(text, uses).map(Value::String),
            Value::Array(items) => {
                let items = items.iter().map(|item| self.resolved(item, uses)).collect::<Result<_, _>>()?;
                Ok(Value::Array(items))
            }
            Value::Object(fields) => {
                let mut resolved = serde_json::Map::new();
                for (key, value) in fields {
                    if key == "target" {
                        let matcher: Matcher =
                            serde_json::from_value(value.clone()).map_err(|error| vec![error.to_string()])?;
                        resolved.insert("ref".into(), Value::String(self.handle(&matcher, uses)?));
                    } else {
                        resolved.insert(key.clone(), self.resolved(value, uses)?);
                    }
                }
                Ok(Value::Object(resolved))
            }
            other => Ok(other.clone()),
        }
    }

    fn handle(&self, matcher: &Matcher, uses: Option<&str>) -> Result<String, Vec<String>> {
        let sight = self.looks.get(uses).map_err(|why| vec![why])?;
        let node = find_control(matcher, sight, &self.looks).map_err(|why| vec![why])?;
        Ok(node.reference.clone().unwrap_or_default())
    }

    fn filled(&self, text: &str, uses: Option<&str>) -> Result<String, Vec<String>> {
        let mut faults = Vec::new();
        let filled = placeholder::fill(text, |inner| match self.meaning(inner, uses)? {
            Ok(value) => Some(value),
            Err(why) => {
                faults.extend(why);
                None
            }
        });
        if faults.is_empty() { Ok(filled) } else { Err(faults) }
    }

    /// `ref ROLE "NAME" [NTH]`, `tab "TITLE"`, `times COUNT "TEXT"`, `file "NAME"`, `fold`, and what the server knows.
    fn meaning(&self, inner: &str, uses: Option<&str>) -> Option<Result<String, Vec<String>>> {
        let parts = placeholder::parts(inner);
        match parts.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["ref", role, name] => Some(self.handle(&described(role, name, None), uses)),
            ["ref", role, name, nth] => Some(self.handle(&described(role, name, nth.parse().ok()), uses)),
            ["tab", title] => Some(self.looks.get(uses).map_err(|why| vec![why]).and_then(|sight| {
                let tab = sight.tabs.iter().find(|tab| tab.title == title);
                tab.map(|tab| tab.id.clone()).ok_or_else(|| vec![format!("no tab {title:?}: {:?}", sight.tabs)])
            })),
            ["times", count, text] => count.parse().ok().map(|count: usize| Ok(text.repeat(count.min(TIMES_MAX)))),
            ["file", name] => Some(match self.folders.path_of(name) {
                Some(path) => Ok(path.to_string_lossy().into_owned()),
                None => Err(vec![format!("the case has no file {name:?}")]),
            }),
            ["fold"] => Some(self.looks.get(uses).and_then(expect::fold_handle).map_err(|why| vec![why])),
            _ => self.server.meaning(inner).map(Ok),
        }
    }
}

/// Does what is to be done beside an action that is under way.
async fn meanwhile<B: Beside>(
    beside: &B,
    wanted: &[case::Beside],
    (server, before): (&Server, usize),
    slack: u32,
) -> Verdict {
    for (index, one) in wanted.iter().enumerate() {
        if let Some(path) = &one.after_request
            && !asked_for(server, before, path).await
        {
            let asked = server.requests();
            let paths: Vec<String> = asked.iter().map(|one| format!("{} {}", one.method, one.path)).collect();
            return fault(format!(
                "meanwhile {}: nobody asked for {path}; of all requests {before} came before: {}",
                index + 1,
                paths.join(", ")
            ));
        }
        tokio::time::sleep(Duration::from_millis(one.after_ms)).await;
        if let Some(kind) = one.fault {
            if let Err(error) = beside.hurt(kind).await {
                return fault(format!("meanwhile {}: {error}", index + 1));
            }
            continue;
        }
        let Some(action) = &one.act else {
            beside.stop();
            continue;
        };
        let begun = Instant::now();
        let heard = Heard::One(beside.act(action).await);
        let took = begun.elapsed();
        let ending = Acceptable { outcome: one.outcome.clone(), ..Acceptable::default() };
        let looks = Looks::default();
        let kept = Ok(Kept::default());
        let evidence =
            Evidence { heard: Some(&heard), records: &[None], requests: &[], kept: &kept, sight: None, looks: &looks };
        let mut verdict = judge(&[ending], &evidence);
        if let Some(limit) = one.within_ms.filter(|limit| took > Duration::from_millis(*limit) * slack) {
            verdict.faults.push(format!("it took {took:.0?}, may take {limit} ms"));
        }
        if !verdict.faults.is_empty() {
            let faults = verdict.faults.into_iter().map(|why| format!("meanwhile {}: {why}", index + 1)).collect();
            return Verdict { faults, ..verdict };
        }
    }
    Verdict::default()
}

/// Waits until the server was asked for that path.
async fn asked_for(server: &Server, before: usize, path: &str) -> bool {
    let deadline = Instant::now() + ASKED_WITHIN;
    let mut ticks = tokio::time::interval(RECORD_PERIOD);
    while Instant::now() < deadline {
        ticks.tick().await;
        if server.requests().iter().skip(before).any(|request| request.path == path) {
            return true;
        }
    }
    false
}

fn described(role: &str, name: &str, nth: Option<usize>) -> Matcher {
    Matcher { role: Some(role.to_owned()), name: Some(name.to_owned()), nth, ..Matcher::default() }
}

/// Gathers results to the report of all rows whose id begins so.
#[must_use]
pub fn report_of(folder: &Folder, filter: &str, results: Vec<CaseResult>) -> Report {
    let built = |id: &str| folder.cases.iter().any(|case| case.id == id);
    let planned = folder.planned.iter().filter(|row| row.id.starts_with(filter));
    let not_yet = planned.filter(|row| !built(&row.id)).cloned().collect();
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    for result in results {
        let row = rows.entry(result.id.clone()).or_insert_with(|| Row {
            title: title_of(&result.id, folder),
            id: result.id,
            ..Row::default()
        });
        row.total += 1;
        match result.failure {
            None => row.passed += 1,
            Some(failure) => {
                row.false_successes += u32::from(failure.false_success);
                row.failures.push(failure);
            }
        }
    }
    Report { rows: rows.into_values().collect(), not_yet }
}

fn title_of(id: &str, folder: &Folder) -> String {
    let planned = folder.planned.iter().find(|row| row.id == id).map(|row| &row.title);
    let own = || folder.cases.iter().find(|case| case.id == id).map(|case| &case.title);
    planned.or_else(own).cloned().unwrap_or_default()
}
