//! An episode of a task in a page: started with a seed, its frame of score and time hidden, judged by the page itself.
//!
//! It is the only place that runs scripts in a task's page: to start an episode, to read the goal as the page words it,
//! and to read how the page judged. It must not know how a task is solved.

use std::time::Duration;

use miette::{Context as _, IntoDiagnostic as _};
use serde::de::DeserializeOwned;
use webhand::cdp::protocol::runtime::Evaluate;
use webhand::engine::Tab;

/// No page takes longer to load.
const LOAD_WITHIN: Duration = Duration::from_secs(20);

/// Waits until the page can start, hides what belongs to the frame and not to the task, and starts the episode. The
/// words of the goal, once the page is ready.
const START: &str = r"(async seed => {
  const until = (holds, what) => new Promise((resolve, reject) => {
    const end = Date.now() + 15000;
    const look = () => holds() ? resolve() : Date.now() > end ? reject(new Error('no ' + what)) : setTimeout(look, 5);
    look();
  });
  await until(() => core.cover_div, 'cover');
  const style = document.createElement('style');
  style.textContent =
    '#reward-display, #click-canvas, #sync-task-cover, #query, #query * { visibility: hidden !important }';
  document.head.append(style);
  Math.seedrandom(seed);
  core.EPISODE_MAX_TIME = 1e6;
  core.startEpisodeReal();
  await until(() => WOB_TASK_READY, 'task');
  const goal = core.getUtterance();
  return typeof goal === 'string' ? goal : goal.utterance;
})";

/// How the page judged: whether the episode is over, the reward without the part for speed, and why.
const JUDGED: &str =
    "({ over: WOB_DONE_GLOBAL, reward: +WOB_RAW_REWARD_GLOBAL, reason: String(WOB_REWARD_REASON ?? '') })";

/// What the page says of an episode.
#[derive(Clone, Debug, Default, serde::Deserialize)]
pub(crate) struct Judged {
    /// Whether it is over.
    pub(crate) over: bool,
    /// Above 0 is success.
    pub(crate) reward: f64,
    /// The page's reason, often none.
    pub(crate) reason: String,
}

/// A page in which episodes are played.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    tab: Tab,
}

impl Stage {
    /// Loads a task's page and starts the episode of that seed. The goal in the page's words.
    pub(crate) async fn start(tab: Tab, address: &str, seed: u32) -> miette::Result<(Self, String)> {
        tab.navigate(address, LOAD_WITHIN).await.into_diagnostic().wrap_err_with(|| address.to_owned())?;
        let stage = Self { tab };
        let goal = stage.evaluate(&format!("{START}({seed})")).await.wrap_err("the episode did not start")?;
        Ok((stage, goal))
    }

    /// How the page judges now.
    pub(crate) async fn judged(&self) -> miette::Result<Judged> {
        self.evaluate(JUDGED).await
    }

    /// How the page judges in the end: it may take its time, up to that long.
    pub(crate) async fn verdict(&self, within: Duration) -> miette::Result<Judged> {
        let wait = format!(
            "new Promise(done => {{ const end = Date.now() + {}; const look = () => WOB_DONE_GLOBAL || Date.now() > end ? \
             done({JUDGED}) : setTimeout(look, 10); look(); }})",
            within.as_millis()
        );
        self.evaluate(&wait).await
    }

    async fn evaluate<T: DeserializeOwned>(&self, expression: &str) -> miette::Result<T> {
        let mut evaluate = Evaluate::new(expression);
        evaluate.return_by_value = Some(true);
        evaluate.await_promise = Some(true);
        let reply = self.tab.session().call(&evaluate).await.into_diagnostic()?;
        if let Some(thrown) = reply.exception_details {
            let described = thrown.exception.and_then(|exception| exception.description);
            miette::bail!("the page's script failed: {}", described.unwrap_or(thrown.text));
        }
        let value = reply.result.value.ok_or_else(|| miette::miette!("the page's script gave nothing"))?;
        serde_json::from_str(value.get()).into_diagnostic()
    }
}
