//! The agent: a model, a browser session and a task, put together and set off.

use std::{fmt, io, path::PathBuf, sync::Arc, time::Duration};

use crate::{
    end::{Condition, Run},
    event::Event,
    folder::RunFolder,
    hands::Hands,
    model::Model,
    run::Runner,
};

/// Limits of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The most steps.
    pub steps: u32,
    /// The most actions of one reply.
    pub actions: usize,
    /// The most failed steps in a row.
    pub failures: u32,
    /// How long a model may take to answer.
    pub model: Duration,
    /// How long the actions of one step may take.
    pub step: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { steps: 50, actions: 10, failures: 5, model: Duration::from_secs(90), step: Duration::from_secs(180) }
    }
}

/// Why a run could not begin, or its folder could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AgentError {
    /// There is nothing to do.
    #[error("the task is empty")]
    NoTask,
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
            AgentError::Folder { .. } => "run_folder",
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            AgentError::NoTask => Some("say what is to be done".to_owned()),
            AgentError::Folder { source, .. } if source.kind() == io::ErrorKind::AlreadyExists => {
                Some("it holds the record of another run: name another folder".to_owned())
            }
            AgentError::Folder { .. } => None,
        }
    }
}

/// Whoever is told what happens in a run.
pub(crate) type Listener = Box<dyn FnMut(&Event) + Send>;

/// What a run is made of, apart from the browser.
pub(crate) struct Plan {
    pub(crate) model: Arc<dyn Model>,
    pub(crate) task: String,
    pub(crate) limits: Limits,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) listener: Option<Listener>,
    pub(crate) folder: Option<RunFolder>,
}

/// A model, a session and a task.
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
    model: Arc<dyn Model>,
    hands: Box<dyn Hands>,
    task: String,
    limits: Limits,
    conditions: Vec<Condition>,
    listener: Option<Listener>,
    folder: Option<PathBuf>,
}

impl fmt::Debug for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Agent").field("model", &self.model).field("task", &self.task).finish_non_exhaustive()
    }
}

impl Agent {
    pub(crate) fn with_hands(model: Arc<dyn Model>, hands: Box<dyn Hands>) -> Self {
        Self {
            model,
            hands,
            task: String::new(),
            limits: Limits::default(),
            conditions: Vec::new(),
            listener: None,
            folder: None,
        }
    }

    /// What is to be done.
    #[must_use]
    pub fn task(mut self, task: impl Into<String>) -> Self {
        self.task = task.into();
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
        self.conditions.push(condition);
        self
    }

    /// Writes the record and a picture a step into that folder, which must not hold a record yet.
    #[must_use]
    pub fn record_to(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
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
    pub async fn run(self) -> Result<Run, AgentError> {
        let Self { model, mut hands, task, limits, conditions, listener, folder } = self;
        if task.trim().is_empty() {
            return Err(AgentError::NoTask);
        }
        let open = |path: PathBuf| RunFolder::open(&path).map_err(|source| AgentError::Folder { path, source });
        let folder = folder.map(open).transpose()?;
        if let Some(folder) = &folder {
            hands.keep_files_in(&folder.path().join("files")).await;
        }
        Runner::new(hands.as_mut(), Plan { model, task, limits, conditions, listener, folder }).run().await
    }
}
