//! How a browser is wanted, as a value, and the start itself.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use webhand_cdp::Connection;

use crate::browser::BrowserInfo;
use crate::dialog::DialogPolicy;
use crate::error::BrowserError;
use crate::find::{Find, Found, Headless, Kind};
use crate::install::is_root;
use crate::judge::UrlJudge;
use crate::lineage::Lineage;
use crate::process::profile::{self, Profile};
use crate::process::{Channel, Running, Start};
use crate::shell::{Options, Shared};

mod flags;

/// How a browser is wanted.
///
/// ```no_run
/// # async fn example() -> Result<(), webhand_browser::BrowserError> {
/// use webhand_browser::{Browser, Headless, Launch};
///
/// let browser = Browser::launch(Launch::default().headless(Headless::New)).await?;
/// # browser.close().await;
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Launch {
    find: Find,
    headless: Headless,
    viewport: (u32, u32),
    arguments: Vec<String>,
    profile: Option<PathBuf>,
    profile_root: Option<PathBuf>,
    sandbox: Option<bool>,
    deadline: Duration,
    pub(crate) options: Options,
}

impl Default for Launch {
    fn default() -> Self {
        Self {
            find: Find::new(),
            headless: Headless::Auto,
            viewport: (1280, 720),
            arguments: Vec::new(),
            profile: None,
            profile_root: None,
            sandbox: None,
            deadline: Duration::from_secs(30),
            options: Options::default(),
        }
    }
}

impl Launch {
    /// The default, with the browser that the variable `WEBHAND_BROWSER` names,
    /// if it is set.
    #[must_use]
    pub fn from_env() -> Self {
        Self { find: Find::from_env(), ..Self::default() }
    }

    /// Headless, in which form, or with a window.
    #[must_use]
    pub fn headless(mut self, headless: Headless) -> Self {
        self.headless = headless;
        self
    }

    /// Exactly this executable.
    #[must_use]
    pub fn executable(mut self, executable: impl Into<PathBuf>) -> Self {
        self.find = self.find.explicit(executable);
        self
    }

    /// The size of the pages in CSS pixels; 1280 × 720 by default.
    #[must_use]
    pub fn viewport(mut self, width: u32, height: u32) -> Self {
        self.viewport = (width.max(1), height.max(1));
        self
    }

    /// One more argument for the browser.
    #[must_use]
    pub fn arg(mut self, argument: impl Into<String>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// A profile of the caller's own, which is kept. Without it the browser
    /// gets a private one that is removed with it.
    #[must_use]
    pub fn profile(mut self, folder: impl Into<PathBuf>) -> Self {
        self.profile = Some(folder.into());
        self
    }

    /// Where private profiles are made; the system's folder for temporary
    /// files by default.
    #[must_use]
    pub fn profile_root(mut self, folder: impl Into<PathBuf>) -> Self {
        self.profile_root = Some(folder.into());
        self
    }

    /// Whether the browser's own sandbox is on. By default it is, except for
    /// root, where Chromium refuses to start with it.
    #[must_use]
    pub fn sandbox(mut self, sandbox: Sandbox) -> Self {
        self.sandbox = match sandbox {
            Sandbox::Auto => None,
            Sandbox::On => Some(true),
            Sandbox::Off => Some(false),
        };
        self
    }

    /// How long the start may take; 30 s by default.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// A script for every document of every frame of every tab, before any
    /// script of the page, in the isolated world of
    /// [`Tab::world`](crate::Tab::world). It must be fit to run twice: a popup
    /// goes on with the globals of its first, empty document.
    #[must_use]
    pub fn document_script(mut self, source: impl Into<String>) -> Self {
        self.options.document_scripts.push(source.into());
        self
    }

    /// Who decides where a tab may be sent.
    #[must_use]
    pub fn url_judge(mut self, judge: Arc<dyn UrlJudge>) -> Self {
        self.options.judge = Some(judge);
        self
    }

    /// Who answers dialogs.
    #[must_use]
    pub fn dialogs(mut self, policy: DialogPolicy) -> Self {
        self.options.dialogs = policy;
        self
    }

    /// Where downloads are kept, each under its id. Without a folder they are
    /// refused (and still reported).
    #[must_use]
    pub fn downloads(mut self, folder: impl Into<PathBuf>) -> Self {
        self.options.downloads = Some(folder.into());
        self
    }

    /// Whether it runs on a profile that is kept.
    pub(crate) fn keeps_profile(&self) -> bool {
        self.profile.is_some()
    }
}

/// Whether the browser's own sandbox is on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sandbox {
    /// On, except for root.
    #[default]
    Auto,
    /// On.
    On,
    /// Off.
    Off,
}

/// Starts a browser and takes up the connection to it.
pub(crate) async fn launch(
    lineage: &Arc<Lineage>,
    launch: &Launch,
    options: Options,
) -> Result<Arc<Shared>, BrowserError> {
    let found = launch.find.clone().headless(launch.headless).first()?;
    let root = launch.profile_root.clone().unwrap_or_else(std::env::temp_dir);
    let sweep_root = root.clone();
    // Beside the start: it needs nothing from it.
    let sweep = tokio::task::spawn_blocking(move || profile::sweep(&sweep_root));
    let profile = match &launch.profile {
        Some(folder) => Profile::Kept(folder.clone()),
        None => Profile::private(&root)?,
    };
    let deadline = launch.deadline;
    let started = tokio::time::timeout(deadline, start(lineage, launch, options, &found, profile)).await;
    let shared = match started {
        Ok(shared) => shared?,
        Err(_) => {
            return Err(BrowserError::LaunchFailed { detail: format!("it did not answer within {deadline:?}") });
        }
    };
    let swept = sweep.await.unwrap_or(0);
    if swept > 0 {
        tracing::info!(swept, "removed profiles that an earlier run left behind");
    }
    Ok(shared)
}

async fn start(
    lineage: &Arc<Lineage>,
    launch: &Launch,
    mut options: Options,
    found: &Found,
    profile: Profile,
) -> Result<Arc<Shared>, BrowserError> {
    let sandbox = launch.sandbox.unwrap_or(!is_root());
    let mut arguments = flags::flags(flags::Look {
        kind: found.kind,
        headless: launch.headless,
        viewport: launch.viewport,
        sandbox,
        scarce_shared_memory: scarce_shared_memory(),
    });
    arguments.extend(launch.arguments.iter().cloned());
    let private = profile.to_remove().map(ToOwned::to_owned);
    let (running, channel) =
        crate::process::start(Start { executable: found.path.clone(), arguments, profile }).await?;
    let connection = match channel {
        #[cfg(unix)]
        Channel::Pipe { read, write } => Connection::over_pipe(read, write),
        #[cfg(not(unix))]
        Channel::Address(address) => Connection::over_websocket(&address).await?,
    };
    options.private.clone_from(&private);
    let info = BrowserInfo {
        product: String::new(),
        kind: Some(found.kind),
        executable: Some(found.path.clone()),
        pid: Some(running.pid()),
        sandbox: Some(sandbox),
        profile: private.or_else(|| launch.profile.clone()),
    };
    // The window of a full browser includes its frame; the shell's does not.
    if found.kind == Kind::Full && launch.headless != Headless::Off {
        options.viewport = Some(launch.viewport);
    }
    take_up(Shared::new(Arc::clone(lineage), connection, Some(running), options), info).await
}

/// Takes up the connection to a browser that runs.
pub(crate) async fn attach(lineage: &Arc<Lineage>, url: &str, options: Options) -> Result<Arc<Shared>, BrowserError> {
    let connection = Connection::over_websocket(url).await?;
    let info =
        BrowserInfo { product: String::new(), kind: None, executable: None, pid: None, sandbox: None, profile: None };
    take_up(Shared::new(Arc::clone(lineage), connection, None, options), info).await
}

/// Sets the connection up and waits for the browser's first answer.
async fn take_up(shared: Arc<Shared>, mut info: BrowserInfo) -> Result<Arc<Shared>, BrowserError> {
    let version = shared.open();
    let version = match &shared.running {
        None => version.await?,
        Some(running) => tokio::select! {
            version = version => match version {
                Ok(version) => version,
                Err(error) => return Err(did_not_start(running, &error.to_string()).await),
            },
            () = running.over() => return Err(did_not_start(running, "it ended at once").await),
        },
    };
    info.product = version.product;
    let _ = shared.info.set(Arc::new(info));
    shared.lineage.is(&shared);
    Ok(shared)
}

async fn did_not_start(running: &Running, what: &str) -> BrowserError {
    running.end_now();
    // What it printed is complete when it is gone.
    let _ = tokio::time::timeout(Duration::from_secs(3), running.over()).await;
    let said = running.said();
    if lacks_display(&said) {
        return BrowserError::NoDisplay;
    }
    let detail = if said.is_empty() { what.to_owned() } else { format!("{what}; it said: {said}") };
    BrowserError::LaunchFailed { detail }
}

/// Whether what it printed says that there is nothing to show a window on.
fn lacks_display(said: &str) -> bool {
    ["Missing X server or $DISPLAY", "Failed to connect to Wayland display", "cannot open display"]
        .iter()
        .any(|words| said.contains(words))
}

/// Chromium puts its shared memory there; containers often have 64 MiB.
#[cfg(target_os = "linux")]
fn scarce_shared_memory() -> bool {
    const ENOUGH: u64 = 512 << 20;
    rustix::fs::statvfs("/dev/shm").map_or(true, |at| at.f_blocks.saturating_mul(at.f_frsize) < ENOUGH)
}

#[cfg(not(target_os = "linux"))]
fn scarce_shared_memory() -> bool {
    false
}
