//! Doing what was ordered: a browser, a session in it, and one order after the other.
//!
//! The same whether it lives for one command or in the process of a kept session. It reads no environment and prints
//! nothing.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::Mutex;
use webhand::{
    Browser,
    action::{View, catalogue::Download, validate::validate_refs},
    agent::{Agent, models::Literal},
    engine::{BrowserError, BrowserInfo, Find, Headless, Tab},
    guard::{Place, UrlJudge, UrlPolicy},
    page::format_named,
    prelude::{Action, BatchOptions, Launch, Outcome, Session, Settings},
};

use crate::{
    config::{ActionsPart, FilesPart, SecretsPart, UrlsPart, ViewPart},
    person::TerminalPerson,
    session::protocol::{Answer, Order, Ran, ReplyOrder, Seen, SnapshotOrder},
    trouble::Trouble,
};

/// How a browser and a session are wanted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    /// The executable; the best that is found where none is named.
    pub(crate) browser: Option<PathBuf>,
    /// What names it, for people: a variable, or a setting of a file.
    #[serde(default)]
    pub(crate) browser_named_by: Option<String>,
    /// The address of a running browser, which is used instead.
    pub(crate) attach: Option<String>,
    pub(crate) window: Window,
    /// Width and height of pages; the engine's own where nothing is said.
    pub(crate) viewport: Option<(u32, u32)>,
    /// Search engines by name, the default first; the engine's own where there are none.
    pub(crate) search_engines: Vec<(String, String)>,
    /// How pages are written.
    #[serde(default)]
    pub(crate) view: ViewPart,
    /// What may be loaded.
    #[serde(default)]
    pub(crate) urls: UrlsPart,
    /// What handles stand for, and where that comes from.
    #[serde(default)]
    pub(crate) secrets: SecretsPart,
    /// Actions of the user's own.
    #[serde(default)]
    pub(crate) actions: ActionsPart,
    /// Whether replies may run code in pages.
    #[serde(default)]
    pub(crate) model_scripts: bool,
    /// What may be uploaded, and where what comes is kept.
    #[serde(default)]
    pub(crate) files: FilesPart,
    /// Whether whoever gave the command can be asked there: never by the process of a kept session, which has no terminal.
    #[serde(skip)]
    pub(crate) asks_at_terminal: bool,
}

/// Whether the browser has a window, and which kind is taken where it has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Window {
    /// None; the fastest kind.
    #[default]
    Auto,
    /// None; a full browser.
    New,
    /// None; the headless shell.
    Shell,
    /// One.
    Shown,
}

impl From<Window> for Headless {
    fn from(window: Window) -> Self {
        match window {
            Window::Auto => Headless::Auto,
            Window::New => Headless::New,
            Window::Shell => Headless::Shell,
            Window::Shown => Headless::Off,
        }
    }
}

impl Wanted {
    /// The same as the engine takes it.
    pub(crate) fn launch(&self) -> Launch {
        let mut launch = Launch::default().headless(self.window.into());
        if let Some(browser) = &self.browser {
            launch = launch.executable(browser);
        }
        if let Some((width, height)) = self.viewport {
            launch = launch.viewport(width, height);
        }
        // the settings were checked when they were read
        if let Ok(Some(judge)) = self.urls.judge() {
            launch = launch.url_judge(judge);
        }
        launch
    }

    /// Why the browser could not be started; a path that leads nowhere is told with what names it.
    pub(crate) fn trouble(&self, error: BrowserError) -> Trouble {
        match (&error, &self.browser_named_by) {
            (BrowserError::NotThere { path }, Some(source)) => {
                Trouble::new(error.code(), format!("{source} names {path}, and there is nothing there that can be run"))
                    .hint("correct it, or take it out: then the best browser that is found is taken")
            }
            _ => Trouble::from(error),
        }
    }

    /// The same as it is searched for.
    pub(crate) fn find(&self) -> Find {
        let find = Find::new().headless(self.window.into());
        match &self.browser {
            Some(browser) => find.explicit(browser),
            None => find,
        }
    }

    pub(crate) fn settings(&self) -> Settings {
        let mut settings = Settings::default();
        if !self.search_engines.is_empty() {
            settings.search_engines.clone_from(&self.search_engines);
        }
        // it was checked when the settings were read
        settings.view = self.view.view().unwrap_or_default();
        settings.files = self.files.rules();
        settings.vault = self.secrets.vault().unwrap_or_default();
        if self.asks_at_terminal {
            settings.person = Some(Arc::new(TerminalPerson));
        }
        settings.model_scripts = self.model_scripts;
        settings
    }
}

/// A browser with one session in it.
#[derive(Debug)]
pub(crate) struct Work {
    browser: Browser,
    session: Arc<Mutex<Session>>,
    /// The tab that we opened in a browser that stays.
    leased: Option<Tab>,
    view: View,
}

impl Work {
    /// Gets the browser and an empty tab, which is one of its own in a browser that runs already.
    pub(crate) async fn begin(wanted: &Wanted) -> Result<Self, Trouble> {
        let catalogue = Box::pin(wanted.actions.with_servers()).await.map_err(|detail| Trouble::new("mcp", detail))?;
        let Some(address) = &wanted.attach else {
            let browser = Browser::launch(wanted.launch()).await.map_err(|error| wanted.trouble(error))?;
            let session = match browser.blank().await {
                Ok(session) => session,
                Err(error) => {
                    browser.close().await;
                    return Err(error.into());
                }
            };
            return Ok(Self::of(browser, session.with_catalogue(catalogue), wanted, None));
        };
        let browser = Browser::connect_with(address, wanted.launch()).await.map_err(|error| {
            Trouble::new("not_attached", format!("{address}: {error}"))
                .hint("start the browser with --remote-debugging-port, and give the webSocketDebuggerUrl that it shows under /json/version")
        })?;
        // The tabs that are there are a person's: they are listed, and taken when one says so.
        let context = browser.engine().default_context();
        let tab = context.new_tab(None).await?;
        let session = Session::of(context, tab.clone());
        Ok(Self::of(browser, session.with_catalogue(catalogue), wanted, Some(tab)))
    }

    fn of(browser: Browser, session: Session, wanted: &Wanted, leased: Option<Tab>) -> Self {
        let settings = wanted.settings();
        let view = settings.view.clone();
        let session = session.with_settings(settings);
        Self { browser, session: Arc::new(Mutex::new(session)), leased, view }
    }

    /// Loads an address that a person gave; a page with an error status is a page.
    pub(crate) async fn open(&mut self, url: &str) -> Result<(), Trouble> {
        let mut session = self.session.lock().await;
        let outcome = session.perform(webhand::prelude::Navigate::to(url)).await;
        match outcome.error {
            Some(error) if error.kind.as_deref() != Some("http") => Err(Trouble::from(&error)),
            _ => Ok(()),
        }
    }

    /// What the browser is.
    pub(crate) fn browser(&self) -> Arc<BrowserInfo> {
        self.browser.info()
    }

    /// Waits until the browser is gone by itself.
    pub(crate) async fn lost(&self) {
        self.browser.engine().lost().await;
    }

    /// Whether it is.
    pub(crate) fn is_lost(&self) -> bool {
        self.browser.engine().is_lost()
    }

    /// Address and title of the current tab.
    pub(crate) async fn place(&self) -> (String, String) {
        // by the control plane: it takes out of them what was typed as a secret
        let status = self.session.lock().await.control().status();
        let title = status.tabs.iter().find(|tab| tab.active).map(|tab| tab.title.clone()).unwrap_or_default();
        (status.url, title)
    }

    /// Does what was ordered.
    pub(crate) async fn perform(&mut self, order: Order) -> Answer {
        let done = match order {
            Order::Act(action) => return Answer::Outcome(Box::new(self.act(action).await)),
            Order::Reply(reply) => self.reply(reply).await,
            Order::Literal { task } => self.literal(&task).await,
            Order::Snapshot(wanted) => self.snapshot(wanted).await,
        };
        done.unwrap_or_else(Answer::Trouble)
    }

    /// Does what a person typed, which is its own approval of the files that it names.
    async fn act(&mut self, action: Action) -> Outcome {
        let mut session = self.session.lock().await;
        let Action::Upload(upload) = &action else { return session.perform(action).await };
        let rules = session.settings().files.clone();
        let granted = upload.paths.iter().filter(|path| Path::new(path).is_absolute());
        session.set_file_rules(granted.fold(rules.clone(), |rules, path| rules.with_upload_from(path)));
        let outcome = session.perform(action).await;
        session.set_file_rules(rules);
        outcome
    }

    async fn reply(&mut self, order: ReplyOrder) -> Result<Answer, Trouble> {
        let mut session = self.session.lock().await;
        let shown = match session.shown() {
            Some(shown) => Arc::clone(shown),
            None => session.snapshot().await?,
        };
        let faults = validate_refs(&order.actions, &shown);
        if !faults.is_empty() {
            return Err(Trouble::of_faults("unknown_ref", &faults));
        }
        judge(&order, &session.tab().url())?;
        judge_scripts(&order, session.settings().model_scripts)?;
        let options = BatchOptions::default().continue_after(order.continue_after);
        Ok(Answer::Report(session.perform_all(&order.actions, &options).await))
    }

    async fn literal(&mut self, task: &str) -> Result<Answer, Trouble> {
        let agent = Agent::sharing(Arc::new(Literal::new()), Arc::clone(&self.session)).await;
        let run = agent.task(task).run().await.map_err(|error| {
            let trouble = Trouble::new(error.code(), error.to_string());
            match error.hint() {
                Some(hint) => trouble.hint(hint),
                None => trouble,
            }
        })?;
        Ok(Answer::Run(Box::new(Ran { succeeded: run.succeeded(), record: run.record.clone(), run })))
    }

    async fn snapshot(&mut self, wanted: SnapshotOrder) -> Result<Answer, Trouble> {
        let mut session = self.session.lock().await;
        let before = session.shown().cloned();
        let snapshot = session.snapshot().await?;
        let mut view = self.view.clone();
        if let Some(format) = wanted.format.and_then(|format| format_named(format.name())) {
            view = View::default().with_format(format).with_options(view.options().clone());
        }
        if let Some(max_tokens) = wanted.max_tokens {
            view = view.with_max_tokens(max_tokens);
        }
        let (url, title) = (snapshot.page.url.clone(), snapshot.page.title.clone());
        let format = view.format_for(&url).name().to_owned();
        let text = match before.filter(|_| wanted.diff) {
            Some(before) => view.since(&snapshot, &before),
            None => view.write(&snapshot),
        };
        // changes are text in every format
        let page = match (format.as_str(), serde_json::from_str::<Value>(&text)) {
            ("json", Ok(value)) => value,
            _ => Value::from(text),
        };
        Ok(Answer::Snapshot(Seen { url, title, format, page }))
    }

    /// Ends a browser of our own; one that was attached to stays, without what we opened in it.
    pub(crate) async fn end(self) {
        if let Some(tab) = &self.leased {
            // The browser may be gone already: then the tab is too.
            let _ = tab.close().await;
        }
        self.browser.close().await;
    }
}

/// Whether an address holds all of its file, or the page that is shown does.
fn is_of_the_page(url: &str) -> bool {
    url.starts_with("data:") || url.starts_with("blob:")
}

/// What a model asks for is judged: the public web, the origin that is shown, and what a person granted.
fn judge(order: &ReplyOrder, shown: &str) -> Result<(), Trouble> {
    let refused = |given: &str, error: webhand::guard::PatternError| {
        Trouble::usage(format!("--allow {given}: {error}")).hint("name an origin, such as http://127.0.0.1:8000")
    };
    let mut policy = UrlPolicy::parse(["*"], []).map_err(|error| refused("*", error))?;
    for granted in &order.allow {
        policy = policy.grant_origin(granted).map_err(|error| refused(granted, error))?;
    }
    // An empty tab has no origin to grant.
    policy = policy.clone().grant_origin(shown).unwrap_or(policy);
    let judge = UrlJudge::new(policy);
    for (index, action) in order.actions.iter().enumerate() {
        let url = match action {
            Action::Navigate(navigate) => &navigate.url,
            Action::Download(Download { url: Some(url), .. }) if !is_of_the_page(url) => url,
            _ => continue,
        };
        let verdict = judge.judge(url, Place::Top);
        if !verdict.allowed {
            let detail = format!("actions[{index}].url: {url} may not be opened: {verdict}; nothing was run");
            return Err(
                Trouble::new("blocked_by_policy", detail).hint("grant its origin with --allow, or open it yourself")
            );
        }
    }
    Ok(())
}

/// A reply runs code in pages only where that is allowed.
fn judge_scripts(order: &ReplyOrder, allowed: bool) -> Result<(), Trouble> {
    match order.actions.iter().position(|action| matches!(action, Action::Evaluate(_))) {
        Some(index) if !allowed => {
            let detail = format!("actions[{index}]: a reply may not run code in pages; nothing was run");
            Err(Trouble::new("blocked_by_policy", detail)
                .hint("set session.model_scripts = true in webhand.toml, or run it yourself with `webhand evaluate`"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use webhand::prelude::Navigate;

    use super::*;

    fn order(url: &str, allow: &[&str]) -> ReplyOrder {
        let allow = allow.iter().map(ToString::to_string).collect();
        ReplyOrder { actions: vec![Navigate::to(url).into()], continue_after: 0, allow }
    }

    #[test]
    fn a_reply_runs_code_only_where_that_is_allowed() {
        let mut order = order("https://example.org/", &[]);
        assert!(judge_scripts(&order, false).is_ok());
        order.actions.push(webhand::action::catalogue::Evaluate::code("1").into());
        let trouble = judge_scripts(&order, false).unwrap_err();
        assert_eq!((trouble.code.as_str(), trouble.exit() as u8), ("blocked_by_policy", 4));
        assert!(judge_scripts(&order, true).is_ok());
    }

    #[test]
    fn a_reply_opens_the_public_web_the_shown_origin_and_what_was_granted() {
        let shown = "http://127.0.0.1:4100/shop";
        assert!(judge(&order("https://example.org/", &[]), "about:blank").is_ok());
        assert!(judge(&order("http://127.0.0.1:4100/other", &[]), shown).is_ok());
        assert!(judge(&order("http://127.0.0.1:4200/", &["http://127.0.0.1:4200"]), shown).is_ok());
        for (url, shown) in [("http://127.0.0.1:4200/", shown), ("http://169.254.169.254/", "about:blank")] {
            let trouble = judge(&order(url, &[]), shown).unwrap_err();
            assert_eq!((trouble.code.as_str(), trouble.exit() as u8), ("blocked_by_policy", 4), "{url}");
        }
        assert_eq!(judge(&order("https://example.org/", &["no origin at all"]), shown).unwrap_err().code, "usage");
    }
}
