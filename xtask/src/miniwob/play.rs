//! Plays the tasks: one browser, a few sessions side by side, each episode in a page loaded anew.
//!
//! It must not know how a task is solved.

use std::cell::Cell;
use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use miette::IntoDiagnostic as _;
use tokio::time::timeout;
use webhand::prelude::{Browser, FormatOptions, Launch, Session};
use webhand_proof::Server;

use super::hand::{Hand, Stop};
use super::policies::{self, Policy};
use super::report::Row;
use super::stage::Stage;

/// How long an episode may take.
const EPISODE: Duration = Duration::from_secs(60);
/// How long a page may take to judge once the policy is through.
const VERDICT: Duration = Duration::from_millis(1_500);

/// What to play.
#[derive(Debug)]
pub(crate) struct Course {
    pub(crate) tasks: Vec<String>,
    pub(crate) first_seed: u32,
    pub(crate) seeds: u32,
    pub(crate) jobs: usize,
    pub(crate) mode: Mode,
}

/// What is told of an episode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Nothing but the row.
    Play,
    /// What was done, too.
    Trace,
    /// And what was seen in between.
    Looks,
    /// What is seen; it is not played.
    Show,
}

/// What came of an episode.
#[derive(Debug, Default)]
struct Episode {
    goal: String,
    policy: Option<&'static str>,
    won: bool,
    denied: bool,
    reason: String,
    story: Vec<String>,
}

/// Plays all; a row a task, in their order. `tell` hears of each as soon as it was played, and how many were by then.
pub(crate) async fn run(pages: &Path, course: &Course, tell: &dyn Fn(usize, &Row)) -> miette::Result<Vec<Row>> {
    let server = Server::serve_dir(pages).await.into_diagnostic()?;
    let browser = Browser::launch(Launch::from_env()).await.into_diagnostic()?;
    let queue: Mutex<VecDeque<usize>> = Mutex::new((0..course.tasks.len()).collect());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    let policies: Arc<[Box<dyn Policy>]> = policies::all().into();
    let done = Cell::new(0);
    let worker = async || -> miette::Result<Vec<(usize, Row)>> {
        let mut rows = Vec::new();
        let mut session = browser.blank().await.into_diagnostic()?;
        while let Some(index) = next() {
            let task = &course.tasks[index];
            let address = server.url(&format!("/miniwob/{task}.html"));
            let row = play_task(&browser, &mut session, task, &address, course, &policies).await?;
            done.set(done.get() + 1);
            tell(done.get(), &row);
            rows.push((index, row));
        }
        Ok(rows)
    };
    let rows = futures_util::future::try_join_all((0..course.jobs).map(|_| worker())).await;
    browser.close().await;
    let mut rows: Vec<(usize, Row)> = rows?.into_iter().flatten().collect();
    rows.sort_by_key(|(index, _)| *index);
    Ok(rows.into_iter().map(|(_, row)| row).collect())
}

async fn play_task(
    browser: &Browser,
    session: &mut Session,
    task: &str,
    address: &str,
    course: &Course,
    policies: &[Box<dyn Policy>],
) -> miette::Result<Row> {
    let mut row = Row { task: task.to_owned(), ..Row::default() };
    let began = Instant::now();
    for seed in course.first_seed..course.first_seed.saturating_add(course.seeds) {
        let played = timeout(EPISODE, play(session, address, seed, course.mode, policies)).await;
        let episode = match played {
            Ok(Ok(episode)) => episode,
            Ok(Err(report)) => Episode { reason: format!("{report:?}"), ..Episode::default() },
            Err(_) => Episode { reason: format!("not through within {EPISODE:?}"), ..Episode::default() },
        };
        if course.mode != Mode::Play {
            tell(task, seed, &episode);
        }
        row.played += 1;
        row.won += u32::from(episode.won);
        row.denied += u32::from(episode.denied);
        row.policies.extend(episode.policy);
        if !episode.won {
            *row.reasons.entry(episode.reason).or_default() += 1;
        }
        if episode.goal.is_empty() {
            // it broke off midway: what is left of the page must not reach the next episode
            let _ = session.context().close().await;
            *session = browser.blank().await.into_diagnostic()?;
        }
    }
    let each = began.elapsed().as_millis() / u128::from(row.played.max(1));
    row.milliseconds = u64::try_from(each).unwrap_or(u64::MAX);
    Ok(row)
}

async fn play(
    session: &mut Session,
    address: &str,
    seed: u32,
    mode: Mode,
    policies: &[Box<dyn Policy>],
) -> miette::Result<Episode> {
    let (stage, goal) = Stage::start(session.tab().clone(), address, seed).await?;
    let mut episode = Episode { goal, ..Episode::default() };
    let page = session.snapshot().await.into_diagnostic()?;
    if mode == Mode::Show {
        episode.story = page.outline(&FormatOptions::default()).lines().map(str::to_owned).collect();
        return Ok(episode);
    }
    let Some(policy) = policies.iter().find(|policy| policy.understands(&episode.goal, &page)) else {
        episode.reason = "no policy understands it".to_owned();
        return Ok(episode);
    };
    episode.policy = Some(policy.name());
    let mut hand = Hand::new(session, &stage, mode == Mode::Looks);
    let ended = policy.play(&episode.goal, page, &mut hand).await;
    let last_failed = hand.last_failed;
    episode.story = hand.story;
    let judged = if matches!(ended, Err(Stop::Over)) { stage.judged().await } else { stage.verdict(VERDICT).await }?;
    episode.won = judged.over && judged.reward > 0.0;
    episode.denied = episode.won && last_failed;
    if !episode.won {
        episode.reason = match ended {
            Err(Stop::Lost(why)) if !judged.over => why,
            _ if !judged.over => "the page did not judge".to_owned(),
            _ => format!("judged {} {}", judged.reward, judged.reason),
        };
    }
    Ok(episode)
}

fn tell(task: &str, seed: u32, episode: &Episode) {
    let mut text = format!("\n== {task} {seed}: {}\n", episode.goal);
    for line in &episode.story {
        text.push_str("   ");
        text.push_str(line);
        text.push('\n');
    }
    if let Some(policy) = episode.policy {
        let end = if episode.won { "won" } else { episode.reason.as_str() };
        text.push_str(&format!("   {policy}: {end}\n"));
    } else {
        text.push_str(&format!("   {}\n", episode.reason));
    }
    print!("{text}");
}
