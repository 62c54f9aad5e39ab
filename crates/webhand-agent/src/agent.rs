//! The agent: models, a browser session and a task, put together and set off.

use std::{fmt, io, path::PathBuf, sync::Arc, time::Duration};

use serde_json::Value;
use webhand_guard::Fence;
use webhand_page::Vision;

use crate::{
    control::RunControl,
    end::{Condition, Run},
    event::Event,
    folder::RunFolder,
    hands::Hands,
    journal::{Entry, Head, Journal, JournalError, Journals},
    memory::{Compaction, KeepLast},
    model::Model,
    prompt::{Role, Words},
    run::{DoubtCheck, Left, Runner},
    task::Task,
};

/// Limits of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The most steps. Default 50.
    pub steps: u32,
    /// The most actions of one reply; the rest is not tried. Default 10.
    pub actions: usize,
    /// The most failed steps in a row. Default 5.
    pub failures: u32,
    /// How long a model may take to answer. Default 90 s.
    pub model: Duration,
    /// How long the actions of one step may take. Default 180 s.
    pub step: Duration,
    /// How long the run may take, without pauses. No limit by default.
    pub time: Option<Duration>,
    /// The most tokens of all models, in and out. No limit by default.
    pub tokens: Option<u64>,
    /// The most money in millionths of a US dollar; only what is known to cost something counts. No limit by default.
    pub micro_usd: Option<u64>,
    /// The most tokens of one prompt, with its schema and its pictures. By default what the model's window holds beside an
    /// answer.
    pub prompt: Option<u64>,
    /// Every so many steps the planner is asked, where there is one. Default 8.
    pub plan_every: u32,
    /// So often a claim that was refused goes back to the model. Default 2.
    pub refusals: u32,
    /// So often a model is asked again that is out of reach or overloaded. Default 3.
    pub retries: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps: 50,
            actions: 10,
            failures: 5,
            model: Duration::from_secs(90),
            step: Duration::from_secs(180),
            time: None,
            tokens: None,
            micro_usd: None,
            prompt: None,
            plan_every: 8,
            refusals: 2,
            retries: 3,
        }
    }
}

/// Why a run could not begin, or its folder could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AgentError {
    /// There is nothing to do.
    #[error("the task is empty")]
    NoTask,
    /// The schema of the task's data is none.
    #[error("the schema of the data cannot be used: {reason}")]
    Schema {
        /// Why.
        reason: String,
    },
    /// The run cannot be written down, or what was written of it cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The run's folder cannot be written.
    #[error("the run's folder {} cannot be written: {source}", path.display())]
    Folder {
        /// Which folder.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}

impl AgentError {
    /// The stable word for it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            AgentError::NoTask => "no_task",
            AgentError::Schema { .. } => "bad_schema",
            AgentError::Journal(error) => error.code(),
            AgentError::Folder { .. } => "run_folder",
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            AgentError::NoTask => Some("say what is to be done".to_owned()),
            AgentError::Journal(error) => error.hint(),
            AgentError::Schema { .. } => Some("give a JSON Schema (draft 2020-12 or older) of an object".to_owned()),
            AgentError::Folder { source, .. } if source.kind() == io::ErrorKind::AlreadyExists => {
                Some("it holds the record of another run: name another folder".to_owned())
            }
            AgentError::Folder { .. } => None,
        }
    }
}

/// Whoever is told what happens in a run.
pub(crate) type Listener = Box<dyn FnMut(&Event) + Send>;

/// Who thinks in a run. All but the navigator may be missing.
#[derive(Clone, Debug)]
pub(crate) struct Crew {
    pub(crate) navigator: Arc<dyn Model>,
    pub(crate) planner: Option<Arc<dyn Model>>,
    pub(crate) judge: Option<Arc<dyn Model>>,
    /// Who is asked where the navigator gives no answer, or will not.
    pub(crate) fallback: Option<Arc<dyn Model>>,
}

/// What a run is made of, apart from the browser.
pub(crate) struct Plan {
    pub(crate) crew: Crew,
    pub(crate) task: Task,
    pub(crate) limits: Limits,
    pub(crate) compaction: Arc<dyn Compaction>,
    pub(crate) vision: Vision,
    pub(crate) control: RunControl,
    pub(crate) listener: Option<Listener>,
    pub(crate) folder: Option<RunFolder>,
    pub(crate) fence: Fence,
    pub(crate) journal: Option<Arc<dyn Journal>>,
    pub(crate) doubts: Vec<DoubtCheck>,
    /// What was written of the run before it was interrupted.
    pub(crate) left: Option<Left>,
}

/// Models, a session and a task.
///
/// ```no_run
/// use std::sync::Arc;
/// use webhand_agent::{Agent, models::Literal};
///
/// # async fn example(session: webhand_action::Session) -> Result<(), webhand_agent::AgentError> {
/// let run = Agent::new(Arc::new(Literal::new()), session)
///     .task("Open https://example.org/. Read the page")
///     .on_event(|event| eprintln!("{event:?}"))
///     .run()
///     .await?;
/// assert!(run.succeeded());
/// # Ok(()) }
/// ```
pub struct Agent {
    hands: Box<dyn Hands>,
    crew: Crew,
    /// Whether claims are judged where nobody was named for it, but the navigator can.
    judging: bool,
    task: Task,
    limits: Limits,
    compaction: Arc<dyn Compaction>,
    vision: Vision,
    control: RunControl,
    listener: Option<Listener>,
    folder: Option<PathBuf>,
    journals: Option<Arc<dyn Journals>>,
    origin: Value,
    doubts: Vec<DoubtCheck>,
    taken_up: Option<(Arc<dyn Journal>, Vec<Entry>)>,
}

impl fmt::Debug for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Agent").field("crew", &self.crew).field("task", &self.task).finish_non_exhaustive()
    }
}

impl Agent {
    pub(crate) fn with_hands(navigator: Arc<dyn Model>, hands: Box<dyn Hands>) -> Self {
        Self {
            hands,
            crew: Crew { navigator, planner: None, judge: None, fallback: None },
            judging: true,
            task: Task::default(),
            limits: Limits::default(),
            compaction: Arc::new(KeepLast),
            vision: Vision::Auto,
            control: RunControl::new(),
            listener: None,
            folder: None,
            journals: None,
            origin: Value::Null,
            doubts: Vec::new(),
            taken_up: None,
        }
    }

    /// What is to be done.
    #[must_use]
    pub fn task(mut self, task: impl Into<String>) -> Self {
        self.task.text = task.into();
        self
    }

    /// The JSON Schema that the data of the answer must fit. What a model gives is checked; texts become numbers and the like
    /// only where nothing is lost.
    #[must_use]
    pub fn output_schema(mut self, schema: Value) -> Self {
        self.task.output = Some(schema);
        self
    }

    /// At most that many steps.
    #[must_use]
    pub fn max_steps(mut self, steps: u32) -> Self {
        self.limits.steps = steps;
        self
    }

    /// Other limits than the usual ones.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// States what must hold at the end, whatever the model says. May be called several times.
    #[must_use]
    pub fn expect(mut self, condition: Condition) -> Self {
        self.task.conditions.push(condition);
        self
    }

    /// Has that model say now and then where the run stands and what comes next, and when the run gets nowhere.
    #[must_use]
    pub fn planner(mut self, model: Arc<dyn Model>) -> Self {
        self.crew.planner = Some(model);
        self
    }

    /// Has that model judge the claim that the task is done. By default the model itself is asked, where it can judge.
    #[must_use]
    pub fn judge(mut self, model: Arc<dyn Model>) -> Self {
        self.crew.judge = Some(model);
        self
    }

    /// Nobody judges the claim that the task is done; stated conditions are checked all the same.
    #[must_use]
    pub fn unjudged(mut self) -> Self {
        self.judging = false;
        self
    }

    /// Asks that model where the first gives no answer, or will not.
    #[must_use]
    pub fn fallback(mut self, model: Arc<dyn Model>) -> Self {
        self.crew.fallback = Some(model);
        self
    }

    /// What becomes of older steps when a prompt does not fit any more. By default they are left out.
    #[must_use]
    pub fn compaction(mut self, compaction: Arc<dyn Compaction>) -> Self {
        self.compaction = compaction;
        self
    }

    /// When pictures go along, for models that see. By default where the text alone does not do.
    #[must_use]
    pub fn vision(mut self, vision: Vision) -> Self {
        self.vision = vision;
        self
    }

    /// Lets these controls steer the run.
    #[must_use]
    pub fn controlled_by(mut self, control: &RunControl) -> Self {
        self.control = control.clone();
        self
    }

    /// Writes the record and a picture a step into that folder, which must not hold a record yet.
    #[must_use]
    pub fn record_to(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
        self
    }

    /// Writes the run down as it goes, so that it can be taken up again. `origin` is what whoever does that needs to know
    /// beside: it is kept as it is.
    #[must_use]
    pub fn journal(mut self, journals: Arc<dyn Journals>, origin: Value) -> Self {
        self.journals = Some(journals);
        self.origin = origin;
        self
    }

    /// Takes up a run whose process ended, from what was written of it: its task, its memory, what its browser held. The
    /// session must be a fresh one; the models are those that are given here.
    #[must_use]
    pub fn take_up(mut self, journal: Arc<dyn Journal>, entries: Vec<Entry>) -> Self {
        self.taken_up = Some((journal, entries));
        self
    }

    /// States how it is found out whether an action was carried out that was under way when the run was interrupted. May be
    /// called several times; the first that fits an action is asked.
    #[must_use]
    pub fn in_doubt(mut self, check: DoubtCheck) -> Self {
        self.doubts.push(check);
        self
    }

    /// Tells what happens, as it happens.
    #[must_use]
    pub fn on_event(mut self, listener: impl FnMut(&Event) + Send + 'static) -> Self {
        self.listener = Some(Box::new(listener));
        self
    }

    /// Sets off, and comes back when the run is over.
    ///
    /// # Errors
    /// When the run cannot begin or its folder cannot be written. How the run itself ended is in [`Run::end`].
    pub fn run(self) -> impl Future<Output = Result<Run, AgentError>> + Send {
        // a run is long: what it holds is kept off the stack of whoever waits for it
        Box::pin(self.begin())
    }

    async fn begin(mut self) -> Result<Run, AgentError> {
        let taken_up = self.taken_up.take();
        let left = taken_up.as_ref().map(|(_, entries)| Left::of(entries, self.hands.catalogue())).transpose()?;
        if let Some(left) = &left {
            self.task = left.task();
        }
        self.task.check()?;
        let again = left.is_some();
        let open = |path: PathBuf| {
            let opened = if again { RunFolder::again(&path) } else { RunFolder::open(&path) };
            opened.map_err(|source| AgentError::Folder { path, source })
        };
        let folder = self.folder.take().map(open).transpose()?;
        if let Some(folder) = &folder {
            self.hands.keep_files_in(&folder.path().join("files")).await;
        }
        let fence = left.as_ref().map_or_else(Fence::new, Left::fence);
        let journal = match (taken_up, &self.journals) {
            (Some((journal, _)), _) => Some(journal),
            (None, Some(journals)) => Some(journals.begin(self.head(&fence)).await?),
            (None, None) => None,
        };
        let crew = self.crew;
        let own_judge = (self.judging && crew.navigator.abilities().judges).then(|| Arc::clone(&crew.navigator));
        let crew = Crew { judge: crew.judge.filter(|_| self.judging).or(own_judge), ..crew };
        let plan = Plan {
            crew,
            task: self.task,
            limits: self.limits,
            compaction: self.compaction,
            vision: self.vision,
            control: self.control,
            listener: self.listener,
            folder,
            fence,
            journal,
            doubts: self.doubts,
            left,
        };
        Box::pin(Runner::new(self.hands.as_mut(), plan).await.run()).await
    }

    /// What the journal of this run begins with.
    fn head(&self, fence: &Fence) -> Head {
        let small = self.crew.navigator.abilities().small;
        Head {
            task: self.task.text.clone(),
            output: self.task.output.clone(),
            conditions: self.task.conditions.clone(),
            model: self.crew.navigator.name().to_owned(),
            words: Words::of(Role::Navigator, small).version,
            fence: fence.token().to_owned(),
            origin: self.origin.clone(),
            ..Head::default()
        }
    }
}
