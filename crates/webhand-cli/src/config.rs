//! The settings: flags before the environment, before the project's `webhand.toml`, before the user's, before what is
//! built in. This is the one place that reads the environment and files of settings.

mod actions;
mod keeping;
mod secrets;
mod source;
mod urls;
mod view;

use std::{
    env, fmt,
    path::{Path, PathBuf},
    time::Duration,
};

use serde::Deserialize;
use webhand::action::catalogue::Catalogue;

pub(crate) use self::{actions::ActionsPart, keeping::FilesPart, secrets::SecretsPart, urls::UrlsPart, view::ViewPart};
use crate::{
    args::General,
    files,
    trouble::Trouble,
    work::{Wanted, Window},
};

/// The name of a file of settings.
const FILE: &str = "webhand.toml";
/// A larger one is none.
const MAX_FILE: u64 = 1 << 20;
const DEFAULT_IDLE: Duration = Duration::from_secs(15 * 60);
const LONGEST_IDLE: Duration = Duration::from_secs(24 * 60 * 60);

/// What is taken from the environment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Environment {
    /// `WEBHAND_BROWSER`.
    pub(crate) browser: Option<PathBuf>,
    /// `WEBHAND_SESSION`.
    pub(crate) session: Option<String>,
    /// `WEBHAND_LOG`: what is logged to standard error.
    pub(crate) log: Option<String>,
    /// `NO_COLOR`.
    pub(crate) no_color: bool,
    /// `XDG_RUNTIME_DIR`.
    pub(crate) runtime: Option<PathBuf>,
    /// `XDG_CACHE_HOME`, or what stands for it.
    pub(crate) cache: Option<PathBuf>,
    /// `XDG_CONFIG_HOME`, or what stands for it.
    pub(crate) settings: Option<PathBuf>,
    /// `XDG_STATE_HOME`, or what stands for it.
    pub(crate) state: Option<PathBuf>,
    /// Where the command was given.
    pub(crate) folder: PathBuf,
}

impl Environment {
    pub(crate) fn read() -> Self {
        let text = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
        let given = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
        // The specification says to pay no heed to paths that are not absolute.
        let folder = |name: &str| given(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let home = folder("HOME").or_else(|| folder("USERPROFILE"));
        let in_home = |path: &str| home.as_ref().map(|home| home.join(path));
        Self {
            browser: given("WEBHAND_BROWSER").map(PathBuf::from),
            session: text("WEBHAND_SESSION"),
            log: text("WEBHAND_LOG"),
            no_color: given("NO_COLOR").is_some(),
            runtime: folder("XDG_RUNTIME_DIR"),
            cache: folder("XDG_CACHE_HOME").or_else(|| in_home(".cache")),
            settings: folder("XDG_CONFIG_HOME").or_else(|| in_home(".config")),
            state: folder("XDG_STATE_HOME").or_else(|| in_home(".local/state")),
            folder: env::current_dir().unwrap_or_default(),
        }
    }
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    BuiltIn,
    File(PathBuf),
    Variable(&'static str),
    Flag(&'static str),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::BuiltIn => f.write_str("built in"),
            Source::File(path) => write!(f, "{}", path.display()),
            Source::Variable(name) | Source::Flag(name) => f.write_str(name),
        }
    }
}

/// A value, and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Setting<T> {
    pub(crate) value: T,
    pub(crate) source: Source,
}

impl<T> Setting<T> {
    fn built_in(value: T) -> Self {
        Self { value, source: Source::BuiltIn }
    }

    fn put(&mut self, value: Option<T>, source: &Source) {
        if let Some(value) = value {
            *self = Self { value, source: source.clone() };
        }
    }
}

/// The settings that hold for a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) browser: Setting<Option<PathBuf>>,
    pub(crate) window: Setting<Window>,
    pub(crate) viewport: Setting<Option<(u32, u32)>>,
    pub(crate) session: Setting<String>,
    pub(crate) idle: Setting<Duration>,
    /// Whether replies may run code in pages.
    pub(crate) model_scripts: Setting<bool>,
    pub(crate) search_engine: Setting<Option<String>>,
    /// Engines by name, each with `{}` for the query, on top of those that the engine knows.
    pub(crate) search_engines: Setting<Vec<(String, String)>>,
    pub(crate) view: Setting<ViewPart>,
    pub(crate) urls: Setting<UrlsPart>,
    pub(crate) secrets: Setting<SecretsPart>,
    pub(crate) actions: Setting<ActionsPart>,
    pub(crate) keeping: Setting<FilesPart>,
    /// Where the command was given.
    pub(crate) folder: PathBuf,
    /// The running browser to use.
    pub(crate) attach: Option<String>,
    /// The files that were read.
    pub(crate) files: Vec<PathBuf>,
}

/// A file of settings, as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct File {
    browser: BrowserPart,
    session: SessionPart,
    search: SearchPart,
    view: Option<ViewPart>,
    urls: Option<UrlsPart>,
    secrets: Option<SecretsPart>,
    actions: Option<ActionsPart>,
    files: Option<FilesPart>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct BrowserPart {
    path: Option<PathBuf>,
    window: Option<Window>,
    viewport: Option<(u32, u32)>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct SessionPart {
    name: Option<String>,
    idle: Option<String>,
    model_scripts: Option<bool>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct SearchPart {
    engine: Option<String>,
    engines: Option<std::collections::BTreeMap<String, String>>,
}

impl Settings {
    /// Reads what there is, and puts flags and environment on top.
    pub(crate) fn read(environment: &Environment, general: &General) -> Result<Self, Trouble> {
        let mut settings = Self::built_in();
        for path in [user_file(environment), project_file(environment)].into_iter().flatten() {
            if files::stands(&path) {
                settings.add_file(&path)?;
            }
        }
        settings.folder.clone_from(&environment.folder);
        settings.add_environment(environment);
        settings.add_flags(general);
        settings.check()?;
        Ok(settings)
    }

    /// The actions that there are verbs for: also of settings that cannot be used, which is told when they are read.
    pub(crate) fn verbs(environment: &Environment) -> Catalogue {
        let mut settings = Self::built_in();
        for path in [user_file(environment), project_file(environment)].into_iter().flatten() {
            let _ = settings.add_file(&path);
        }
        settings.actions.value.catalogue().unwrap_or_default()
    }

    fn built_in() -> Self {
        Self {
            browser: Setting::built_in(None),
            window: Setting::built_in(Window::Auto),
            viewport: Setting::built_in(None),
            session: Setting::built_in("default".to_owned()),
            idle: Setting::built_in(DEFAULT_IDLE),
            model_scripts: Setting::built_in(false),
            search_engine: Setting::built_in(None),
            search_engines: Setting::built_in(Vec::new()),
            view: Setting::built_in(ViewPart::default()),
            urls: Setting::built_in(UrlsPart::default()),
            secrets: Setting::built_in(SecretsPart::default()),
            actions: Setting::built_in(ActionsPart::default()),
            keeping: Setting::built_in(FilesPart::default()),
            folder: PathBuf::new(),
            attach: None,
            files: Vec::new(),
        }
    }

    fn add_file(&mut self, path: &Path) -> Result<(), Trouble> {
        let unreadable = |reason: String| {
            Trouble::new("config", format!("{} cannot be used: {reason}", path.display()))
                .hint("mend that file, or move it away; `webhand config --help` says what it may hold")
        };
        let bytes = files::read(path, MAX_FILE).map_err(|error| unreadable(error.to_string()))?;
        let text = String::from_utf8(bytes).map_err(|_| unreadable("it is not UTF-8".to_owned()))?;
        let file: File = toml::from_str(&text).map_err(|error| unreadable(error.to_string().trim_end().to_owned()))?;
        let idle = file.session.idle.as_deref().map(span).transpose();
        let idle = idle.map_err(|reason| unreadable(format!("session.idle {reason}")))?;
        let source = Source::File(path.to_owned());
        let folder = path.parent().unwrap_or(Path::new("."));
        self.browser.put(file.browser.path.map(|browser| Some(beside(folder, browser))), &source);
        self.window.put(file.browser.window, &source);
        self.viewport.put(file.browser.viewport.map(Some), &source);
        self.session.put(file.session.name, &source);
        self.idle.put(idle, &source);
        self.model_scripts.put(file.session.model_scripts, &source);
        self.search_engine.put(file.search.engine.map(Some), &source);
        self.search_engines.put(file.search.engines.map(|engines| engines.into_iter().collect()), &source);
        self.view.put(file.view, &source);
        self.urls.put(file.urls, &source);
        self.secrets.put(file.secrets, &source);
        self.actions.put(file.actions.map(|actions| actions.beside(folder)), &source);
        self.keeping.put(file.files.map(|files| files.from(folder)), &source);
        self.files.push(path.to_owned());
        Ok(())
    }

    fn add_environment(&mut self, environment: &Environment) {
        let browser = environment.browser.clone().map(|browser| Some(beside(&environment.folder, browser)));
        self.browser.put(browser, &Source::Variable("WEBHAND_BROWSER"));
        self.session.put(environment.session.clone(), &Source::Variable("WEBHAND_SESSION"));
    }

    fn add_flags(&mut self, general: &General) {
        self.session.put(general.session.clone(), &Source::Flag("--session"));
        self.window.put(general.headed.then_some(Window::Shown), &Source::Flag("--headed"));
        self.attach.clone_from(&general.cdp);
    }

    fn check(&self) -> Result<(), Trouble> {
        let bad = |detail: String, source: &Source| {
            Trouble::new("config", format!("{detail} (from {source})"))
                .hint("mend it there; `webhand config` shows what holds and where it comes from")
        };
        if let Some((width, height)) = self.viewport.value
            && !((50..=10_000).contains(&width) && (50..=10_000).contains(&height))
        {
            let detail = "browser.viewport must be [width, height], each between 50 and 10000".to_owned();
            return Err(bad(detail, &self.viewport.source));
        }
        for (name, url) in &self.search_engines.value {
            if !url.contains("{}") || !(url.starts_with("https://") || url.starts_with("http://")) {
                let detail = format!("search.engines.{name} must be an http address with {{}} where the query stands");
                return Err(bad(detail, &self.search_engines.source));
            }
        }
        if let Err(detail) = self.view.value.view() {
            return Err(bad(detail, &self.view.source));
        }
        if let Err(detail) = self.urls.value.judge() {
            return Err(bad(detail, &self.urls.source));
        }
        if let Err(detail) = self.secrets.value.vault() {
            return Err(bad(detail, &self.secrets.source));
        }
        if let Err(detail) = self.actions.value.catalogue() {
            return Err(bad(detail, &self.actions.source));
        }
        if let Some(name) = &self.search_engine.value
            && !self.engines().iter().any(|(known, _)| known == name)
        {
            let known: Vec<String> = self.engines().into_iter().map(|(name, _)| name).collect();
            let detail = format!("search.engine {name:?} is not one of {}", known.join(", "));
            return Err(bad(detail, &self.search_engine.source));
        }
        Ok(())
    }

    /// All engines, the one that is wanted first.
    fn engines(&self) -> Vec<(String, String)> {
        let mut engines = self.search_engines.value.clone();
        for known in webhand::prelude::Settings::default().search_engines {
            if !engines.iter().any(|(name, _)| *name == known.0) {
                engines.push(known);
            }
        }
        if let Some(wanted) = &self.search_engine.value {
            engines.sort_by_key(|(name, _)| name != wanted);
        }
        engines
    }

    /// What names the browser, where one is named.
    fn browser_named_by(&self) -> Option<String> {
        self.browser.value.as_ref()?;
        Some(match &self.browser.source {
            Source::File(path) => format!("browser.path in {}", path.display()),
            source => source.to_string(),
        })
    }

    /// The browser and the session as they are wanted.
    pub(crate) fn wanted(&self) -> Wanted {
        Wanted {
            browser: self.browser.value.clone(),
            browser_named_by: self.browser_named_by(),
            attach: self.attach.clone(),
            window: self.window.value,
            viewport: self.viewport.value,
            search_engines: self.engines(),
            view: self.view.value.clone(),
            urls: self.urls.value.clone(),
            secrets: self.secrets.value.clone(),
            actions: self.actions.value.clone(),
            model_scripts: self.model_scripts.value,
            files: FilesPart {
                upload_from: self.keeping.value.upload_from.clone(),
                folder: Some(self.keeping.value.folder_for(&self.folder)),
            },
            asks_at_terminal: false,
        }
    }

    fn upload_folders(&self) -> String {
        let folders = self.keeping.value.upload_from.iter().map(|folder| folder.display().to_string());
        folders.collect::<Vec<_>>().join(", ")
    }

    /// Each setting with its value and where it comes from.
    pub(crate) fn rows(&self) -> Vec<(&'static str, String, String)> {
        let row = |name, value: String, source: &Source| (name, value, source.to_string());
        let viewport =
            self.viewport.value.map_or("1280 x 720".to_owned(), |(width, height)| format!("{width} x {height}"));
        let browser =
            self.browser.value.as_ref().map_or("the best that is found".to_owned(), |it| it.display().to_string());
        let window = serde_json::to_value(self.window.value).ok().and_then(|it| it.as_str().map(str::to_owned));
        let engine = self.engines().into_iter().next().map(|(name, _)| name).unwrap_or_default();
        vec![
            row("browser.path", browser, &self.browser.source),
            row("browser.window", window.unwrap_or_default(), &self.window.source),
            row("browser.viewport", viewport, &self.viewport.source),
            row("session.name", self.session.value.clone(), &self.session.source),
            row("session.idle", format!("{} s", self.idle.value.as_secs()), &self.idle.source),
            row("session.model_scripts", self.model_scripts.value.to_string(), &self.model_scripts.source),
            row("search.engine", engine, &self.search_engine.source),
            row(
                "view.format",
                self.view.value.format.clone().unwrap_or_else(|| "outline".to_owned()),
                &self.view.source,
            ),
            row("view.max_tokens", self.view.value.max_tokens.unwrap_or(8000).to_string(), &self.view.source),
            row("view.rules", self.view.value.rules.len().to_string(), &self.view.source),
            row("urls.allow", self.urls.value.allow.join(", "), &self.urls.source),
            row("urls.deny", self.urls.value.deny.join(", "), &self.urls.source),
            row("files.upload_from", self.upload_folders(), &self.keeping.source),
            row(
                "files.folder",
                self.keeping.value.folder_for(&self.folder).display().to_string(),
                &self.keeping.source,
            ),
            row("secrets", self.secrets.value.names().join(", "), &self.secrets.source),
            row("actions", self.actions.value.names().join(", "), &self.actions.source),
        ]
    }
}

/// Where files of settings are looked for, the one that wins last, and what is there.
pub(crate) fn looked_for(environment: &Environment) -> Vec<(String, String)> {
    let state = |path: &Path| if files::stands(path) { "read" } else { "not there" }.to_owned();
    let user = match user_file(environment) {
        Some(path) => (path.display().to_string(), state(&path)),
        None => ("the user's file".to_owned(), "there is no home folder".to_owned()),
    };
    let project = match project_file(environment) {
        Some(path) => (path.display().to_string(), "read".to_owned()),
        None => {
            (format!("{FILE} in {} and the folders above it", environment.folder.display()), "not there".to_owned())
        }
    };
    vec![user, project]
}

fn user_file(environment: &Environment) -> Option<PathBuf> {
    environment.settings.as_ref().map(|folder| folder.join("webhand").join(FILE))
}

/// The nearest one, from where the command was given upwards.
fn project_file(environment: &Environment) -> Option<PathBuf> {
    environment.folder.ancestors().map(|folder| folder.join(FILE)).find(|path| files::stands(path))
}

/// A path with folders in it is meant from where it is written; a bare name is looked for.
fn beside(folder: &Path, path: PathBuf) -> PathBuf {
    if path.components().count() > 1 { folder.join(path) } else { path }
}

/// A span of time as people write it: `90s`, `15m`, `2h`.
fn span(text: &str) -> Result<Duration, String> {
    let says = || format!("{text:?} is not a span such as 90s, 15m or 2h, of at most 24h");
    let unit = text.chars().last().ok_or_else(says)?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3600,
        _ => return Err(says()),
    };
    let number: u64 = text[..text.len() - 1].parse().map_err(|_| says())?;
    let span = Duration::from_secs(number.saturating_mul(seconds));
    if span.is_zero() || span > LONGEST_IDLE { Err(says()) } else { Ok(span) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(user: &str, project: &str, general: &General) -> Result<Settings, Trouble> {
        let folder = tempfile::tempdir().unwrap();
        let (config, work) = (folder.path().join("config"), folder.path().join("work/deep"));
        std::fs::create_dir_all(config.join("webhand")).unwrap();
        std::fs::create_dir_all(&work).unwrap();
        std::fs::write(config.join("webhand").join(FILE), user).unwrap();
        std::fs::write(folder.path().join("work").join(FILE), project).unwrap();
        let session = Some("from-variable".to_owned());
        let environment = Environment { settings: Some(config), folder: work, session, ..Environment::default() };
        Settings::read(&environment, general)
    }

    #[test]
    fn the_nearer_source_wins() {
        let user = "[browser]\nviewport = [800, 600]\nwindow = \"new\"\n[session]\nidle = \"2h\"\nname = \"mine\"\n[search]\nengine = \"bing\"";
        let project = "[session]\nidle = \"90s\"\n[browser]\npath = \"tools/chrome\"";
        let general = General { headed: true, ..General::default() };
        let settings = read(user, project, &general).unwrap();
        assert_eq!(settings.idle.value, Duration::from_secs(90));
        assert_eq!(settings.viewport.value, Some((800, 600)));
        assert_eq!((settings.window.value, &settings.window.source), (Window::Shown, &Source::Flag("--headed")));
        assert_eq!(settings.session.value, "from-variable");
        assert!(settings.browser.value.clone().unwrap().ends_with("work/tools/chrome"));
        assert_eq!(settings.wanted().search_engines[0].0, "bing");
        assert_eq!(settings.files.len(), 2);
        assert!(settings.rows().iter().any(|(name, value, _)| *name == "session.idle" && value == "90 s"));
    }

    #[test]
    fn what_cannot_be_used_is_an_error_that_says_what_to_do() {
        for (project, says) in [
            ("[browser]\nviewprot = [1, 2]", "viewprot"),
            ("[colour]\nx = 1", "colour"),
            ("not toml", "webhand.toml"),
            ("[session]\nidle = \"soon\"", "session.idle"),
            ("[session]\nidle = \"25h\"", "24h"),
            ("[session]\nidle = \"é\"", "session.idle"),
            ("[browser]\nviewport = [1, 2]", "viewport"),
            ("[browser]\nwindow = \"wide\"", "window"),
            ("[search]\nengine = \"gopher\"", "duckduckgo"),
            ("[search.engines]\nwiki = \"https://wiki.test/\"", "{}"),
        ] {
            let trouble = read("", project, &General::default()).unwrap_err();
            assert_eq!((trouble.code.as_str(), trouble.exit() as u8), ("config", 2), "{project}");
            assert!(trouble.detail.contains(says), "{project}: {}", trouble.detail);
            assert!(trouble.hint.is_some());
        }
    }

    #[test]
    fn what_the_docs_and_the_help_show_can_be_used() {
        let docs =
            std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/configuration.md")).unwrap();
        let shown = docs.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
        let help: String = crate::args::SETTINGS
            .lines()
            .filter(|line| line.starts_with("  "))
            .map(|line| format!("{line}\n"))
            .collect();
        for text in [shown, &help] {
            let settings = read("", text, &General::default()).unwrap_or_else(|trouble| panic!("{text}: {trouble}"));
            assert_eq!((settings.viewport.value, settings.idle.value), (Some((1280, 720)), DEFAULT_IDLE));
            assert!(settings.engines().iter().any(|(name, _)| name == "wiki"));
        }
    }

    #[test]
    fn nothing_need_be_there() {
        let settings = Settings::read(&Environment::default(), &General::default()).unwrap();
        assert_eq!(settings, Settings::built_in());
        let environment =
            Environment { browser: Some("bin/chrome".into()), folder: "/opt".into(), ..Environment::default() };
        let settings = Settings::read(&environment, &General::default()).unwrap();
        assert_eq!(settings.browser.value, Some("/opt/bin/chrome".into()));
    }
}
