//! How a browser comes again after it was lost: started as the first one was, or reached at the same address.
//!
//! All handles to a browser and to those that came in its place share one lineage, so that it comes again once, whoever
//! asks. What was open in it is for those who had opened it.

use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, timeout};

use crate::error::BrowserError;
use crate::launch::{self, Launch};
use crate::shell::{Options, Shared, locked};
use crate::state::Heritage;

/// How long a browser that was lost may take to be gone, where its profile is needed again.
const GONE_WITHIN: Duration = Duration::from_secs(5);
/// How long its tabs may take to be counted as gone.
const COUNTED_WITHIN: Duration = Duration::from_secs(1);
/// How long the address of a browser that was attached to is tried.
const REACHED_WITHIN: Duration = Duration::from_secs(5);
/// How long after an attempt that failed the next one is made.
const TRIED_EVERY: Duration = Duration::from_millis(250);

/// How a browser is got.
#[derive(Clone, Debug)]
pub(crate) enum Way {
    /// It is started.
    Launch(Box<Launch>),
    /// It runs already, and is reached at that address.
    Connect(String),
}

/// One browser, and those that came in its place.
#[derive(Debug)]
pub(crate) struct Lineage {
    way: Way,
    /// The one that is there now.
    current: Mutex<Weak<Shared>>,
    heritage: Mutex<Heritage>,
    /// Whether it was ended on purpose: then none comes in its place.
    closed: watch::Sender<bool>,
    turn: tokio::sync::Mutex<()>,
}

impl Lineage {
    pub(crate) fn new(way: Way) -> Arc<Self> {
        Arc::new(Self {
            way,
            current: Mutex::default(),
            heritage: Mutex::default(),
            closed: watch::Sender::new(false),
            turn: tokio::sync::Mutex::default(),
        })
    }

    /// What the state of the next browser begins with.
    pub(crate) fn heritage(&self) -> Heritage {
        locked(&self.heritage).clone()
    }

    /// That one is there now.
    pub(crate) fn is(&self, shared: &Arc<Shared>) {
        *locked(&self.current) = Arc::downgrade(shared);
    }

    /// The one that is there now, where it has handles.
    pub(crate) fn current(&self) -> Option<Arc<Shared>> {
        locked(&self.current).upgrade()
    }

    /// It is ended on purpose. One that is about to come is not waited for.
    pub(crate) fn close(&self) {
        self.closed.send_replace(true);
    }

    /// Whether it was started, and not attached to.
    pub(crate) fn is_launched(&self) -> bool {
        matches!(self.way, Way::Launch(_))
    }

    /// The browser in the place of one that was lost, if it is not there already.
    pub(crate) async fn revive(self: &Arc<Self>, lost: &Arc<Shared>) -> Result<Arc<Shared>, BrowserError> {
        let ended = || BrowserError::Lost { detail: "it was closed".to_owned() };
        let mut closed = self.closed.subscribe();
        let coming = async {
            let _turn = self.turn.lock().await;
            if let Some(current) = self.current().filter(|current| !current.connection.is_closed()) {
                return Ok(current);
            }
            Box::pin(self.again(lost)).await
        };
        tokio::select! {
            biased;
            _ = closed.wait_for(|closed| *closed) => Err(ended()),
            again = coming => again,
        }
    }

    async fn again(self: &Arc<Self>, lost: &Arc<Shared>) -> Result<Arc<Shared>, BrowserError> {
        // its tabs are counted as gone a moment after the connection
        let gone = lost.wait(|machine| machine.tabs().next().is_none().then_some(()));
        let _ = timeout(COUNTED_WITHIN, gone).await;
        let mut options = locked(&lost.options).clone();
        options.dialogs = lost.machine().policy();
        *locked(&self.heritage) = lost.machine().heritage();
        match &self.way {
            Way::Launch(launch) => {
                let_go(lost, launch.keeps_profile()).await;
                launch::launch(self, launch, options).await
            }
            Way::Connect(url) => self.reach(url, options).await,
        }
    }

    /// Tries the address until somebody answers there: what severed the connection may last for a moment.
    async fn reach(self: &Arc<Self>, url: &str, options: Options) -> Result<Arc<Shared>, BrowserError> {
        let until = Instant::now() + REACHED_WITHIN;
        let mut tries = tokio::time::interval(TRIED_EVERY);
        loop {
            tries.tick().await;
            match launch::attach(self, url, options.clone()).await {
                Err(BrowserError::ConnectFailed { .. } | BrowserError::Lost { .. }) if Instant::now() < until => {}
                reached => return reached,
            }
        }
    }
}

/// Sees to it that a browser that was lost ends, and waits for that where the next one needs its profile.
async fn let_go(lost: &Shared, waits: bool) {
    let Some(running) = &lost.running else { return };
    if !waits || timeout(GONE_WITHIN, running.over()).await.is_err() {
        running.end_now();
    }
    if waits {
        let _ = timeout(GONE_WITHIN, running.over()).await;
    }
}
