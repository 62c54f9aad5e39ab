//! How a session is to behave: how patient it is, what it may do, and what it asks. Plain values.

use std::{sync::Arc, time::Duration};

use crate::{
    extract::Extractor,
    files::FileRules,
    locator::Locator,
    people::{CaptchaSolver, Person},
    policy::{Policy, RiskPolicy},
    recover::Recovery,
    secrets::Vault,
    view::View,
};

/// How patient a session is.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// How long one action may take to find its element usable. Default 5 s.
    pub action_deadline: Duration,
    /// How long a page may take to load. Default 30 s.
    pub navigation_deadline: Duration,
    /// How long to wait for a first effect before there is none. Default 500 ms.
    pub patience: Duration,
    /// How long what an action began may hold its outcome back. Default 3 s.
    pub settle_cap: Duration,
    /// The search engines by name, each with `{}` for the encoded query; the first is the default.
    pub search_engines: Vec<(String, String)>,
    /// How pages are written for the session's reader. By default the outline, of at most 8,000 tokens.
    pub view: View,
    /// Finders of elements of the user's own, asked in this order. None by default.
    pub locators: Vec<Arc<dyn Locator>>,
    /// Values that are named by handles (`<secret>shop.password</secret>`) and never seen. Empty by default.
    pub vault: Arc<Vault>,
    /// What may be done with files of this machine, and where those that come are kept.
    pub files: FileRules,
    /// What may be done, by its risk. By default everything.
    pub policy: Arc<dyn Policy>,
    /// What takes data out of text by understanding it, for `extract`. None by default.
    pub extractor: Option<Arc<dyn Extractor>>,
    /// How long it may take with one part of a page. Default 60 s.
    pub extract_deadline: Duration,
    /// Whether models may run code in pages (`evaluate`). By default not.
    pub model_scripts: bool,
    /// Whom `ask_human` asks. Nobody by default: then it is `needs_human`.
    pub person: Option<Arc<dyn Person>>,
    /// What solves captchas before a person is asked. None by default.
    pub captcha_solver: Option<Arc<dyn CaptchaSolver>>,
    /// How long a person may take, or a solver. Default 10 minutes.
    pub human_deadline: Duration,
    /// How long a one-time code is waited for. Default 90 s.
    pub code_deadline: Duration,
    /// How long the `download` action waits for a file to be complete. Default 60 s.
    pub download_deadline: Duration,
    /// What is mended without asking: loads that fail for a moment, pages that crash, a browser that goes away.
    pub recovery: Recovery,
}

impl Default for Settings {
    fn default() -> Self {
        let engine = |name: &str, url: &str| (name.to_owned(), url.to_owned());
        Self {
            action_deadline: Duration::from_secs(5),
            navigation_deadline: Duration::from_secs(30),
            patience: Duration::from_millis(500),
            settle_cap: Duration::from_secs(3),
            search_engines: vec![
                engine("duckduckgo", "https://duckduckgo.com/?q={}"),
                engine("bing", "https://www.bing.com/search?q={}"),
                engine("google", "https://www.google.com/search?q={}"),
            ],
            view: View::default(),
            locators: Vec::new(),
            vault: Arc::default(),
            files: FileRules::default(),
            policy: Arc::new(RiskPolicy::default()),
            extractor: None,
            extract_deadline: Duration::from_secs(60),
            model_scripts: false,
            person: None,
            captcha_solver: None,
            human_deadline: Duration::from_secs(600),
            code_deadline: Duration::from_secs(90),
            download_deadline: Duration::from_secs(60),
            recovery: Recovery::default(),
        }
    }
}
