//! The command line as clap knows it: what stands here by hand, and the verbs that come from the catalogue.

use std::path::PathBuf;

use clap::{Args, Command, FromArgMatches as _, Subcommand, ValueEnum, builder::styling};
use webhand::action::{catalogue::Catalogue, schema::Shape};

use crate::{exit, session::protocol::Format, verbs};

const ABOUT: &str = "Hands on the web: reads a page as numbered text, and acts on it with real input";

const EXAMPLES: &str = "\
Examples:
  webhand demo                                  see it drive a small shop of its own
  webhand open example.org                      open a page in the session (it is kept until it idles)
  webhand snapshot                              the page as text, every control with its ref
  webhand fill I3 \"harbour lamp\" --submit       act on a ref
  webhand act 'click the \"Save\" button'         take a sentence at its word
  webhand read --url https://example.org        one page, one command, nothing kept
  webhand close                                 end the session and its browser

A first command that needs a browser starts a session in the background; the commands after it use it.
With --url, a command has a browser of its own for as long as it takes.";

const SENTENCES: &str = "\
One instruction a line; several in one line are parted by a full stop, a comma, \"and\" or \"then\".
A control is a name as the page shows it, best in quotes, or a ref: \"Save\", the second \"Delete\" button, B5.

  open ADDRESS [in a new tab]                       打开 …
  click | double click | right click X              点击 | 双击 | 右键点击 …
  hover over X                                      悬停在 … 上
  type \"text\" into X, fill X with \"text\"            在 … 中输入“…”
  clear X                                           清空 …
  choose \"option\" [in X]                            [在 … 中]选择“…”
  check X, uncheck X                                勾选 …，取消勾选 …
  press Enter, press Ctrl+A                         按回车键
  scroll down | up | to the top | to the bottom     向下滚动，滚动到顶部
  scroll to 50% | to \"text\" | to X                  滚动到“…”
  wait for \"text\" [to disappear], wait 3 seconds    等待“…”出现 | 消失，等待 3 秒
  make sure \"text\" is shown | is not shown          确认页面显示“…”
  read the page | the title | the url | X           读取页面，读取 …
  accept | dismiss the dialog                       接受对话框，关闭弹窗
  answer the prompt with \"text\"
  go back, go forward, reload                       返回上一页，前进，刷新
  switch to tab t2, close the tab                   切换到标签页 t2，关闭标签页
  take a screenshot                                 截图
  search the web for \"text\"

Where it stands can be added: click \"Delete\" in the row \"Alice\"    点击“张三”这一行的“删除”

Examples:
  webhand act 'click the \"Save\" button'
  webhand act 'click B5, type hello into I12'
  webhand act '点击 B5，然后在 I12 中输入“你好”'";

/// The settings as `config --help` shows them.
pub(crate) const SETTINGS: &str = "\
The nearest webhand.toml of this folder and those above it wins over the one in ~/.config/webhand. All keys:

  [browser]
  path = \"chromium\"           # a path, or a name on PATH
  window = \"auto\"             # auto, new, shell (all without a window), shown
  viewport = [1280, 720]

  [session]
  name = \"default\"
  idle = \"15m\"                # ends after that long without a command, at most 24h
  model_scripts = false        # whether replies may run code in pages (evaluate)

  [files]
  upload_from = [\"letters\"]  # folders from which replies may upload; none by default
  folder = \"webhand-files\"   # where downloads are kept, and what `pdf` and `file` write

  [search]
  engine = \"duckduckgo\"       # the first one that `search` takes

  [search.engines]
  wiki = \"https://en.wikipedia.org/w/index.php?search={}\"

  [view]
  format = \"outline\"         # outline, list, table, json
  max_tokens = 8000            # 0 for no limit
  rules = [{ address = \"*.shop.example/orders\", format = \"table\" }]

Flags win over variables (WEBHAND_BROWSER, WEBHAND_SESSION), and those over files.";

const ENVIRONMENT: &str = "\
Environment:
  WEBHAND_BROWSER  the browser to use: a path, or a name on PATH
  WEBHAND_SESSION  the kept session to use
  WEBHAND_LOG      what is logged to standard error, such as webhand=debug
  NO_COLOR         no colours

Settings come from webhand.toml, here or in a folder above, and in ~/.config/webhand: see `webhand config`.";

/// What every command takes.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct General {
    /// Which kept session to use [default: default, or WEBHAND_SESSION]
    #[arg(long, global = true, value_name = "NAME", help_heading = "General")]
    pub(crate) session: Option<String>,
    /// Open this page in a browser of its own, for this command alone (without a scheme: https, or http for this machine)
    #[arg(long, global = true, value_name = "URL", help_heading = "General")]
    pub(crate) url: Option<String>,
    /// Use a running browser, by its webSocketDebuggerUrl, in a tab of our own
    #[arg(long, global = true, value_name = "WS_URL", help_heading = "General")]
    pub(crate) cdp: Option<String>,
    /// Start the browser with a window (needs a display; for a session, when it starts)
    #[arg(long, global = true, help_heading = "General")]
    pub(crate) headed: bool,
    /// Print JSON, one object a line
    #[arg(long, global = true, help_heading = "General")]
    pub(crate) json: bool,
}

/// The commands that are no actions.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Fixed {
    /// Drive a small shop from its front page to an order number, or a page of your own
    Demo(DemoArgs),
    /// List the runs that were written down, newest first
    Runs,
    /// Show what a run did, or what its model saw at a step
    Show(ShowArgs),
    /// Take up a run whose process was ended
    Resume {
        /// The run, as `webhand runs` names it, or the beginning of that
        #[arg(value_name = "RUN")]
        id: String,
    },
    /// Carry out a model's reply: decode it, check it, act, report
    Do(DoArgs),
    /// Show the page as text, every control with its ref
    Snapshot(SnapshotArgs),
    /// Take a sentence, or several, at their word (English or Chinese)
    #[command(after_help = SENTENCES)]
    Act {
        /// What to do, such as 'click the "Save" button', 'click B5, type hello into I12' or '点击“保存”按钮'
        #[arg(value_name = "SENTENCE")]
        task: String,
    },
    /// List the tabs of the session
    Tabs,
    /// End the session and its browser
    Close {
        /// All sessions
        #[arg(long)]
        all: bool,
    },
    /// List the kept sessions
    Sessions,
    /// Show the JSON Schema that a model is given
    Schema {
        /// Its form
        #[arg(long, value_enum, default_value_t)]
        shape: ShapeArg,
        /// Only this action
        action: Option<String>,
    },
    /// See whether all that is needed is here and works
    Doctor,
    /// Install a browser where there is none
    Install,
    #[command(after_help = SETTINGS)]
    /// Show the settings, where each comes from, and where files of settings are looked for
    Config,
    /// Print completions for a shell
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// The process of a kept session
    #[command(name = "__session", hide = true)]
    Host,
}

/// What is shown of a run.
#[derive(Clone, Debug, Args)]
pub(crate) struct ShowArgs {
    /// The run, as `webhand runs` names it, or the beginning of that
    #[arg(value_name = "RUN")]
    pub(crate) id: String,
    /// Only this step
    #[arg(long, value_name = "NUMBER")]
    pub(crate) step: Option<u32>,
    /// The exact text that the model was given at that step
    #[arg(long)]
    pub(crate) prompt: bool,
}

/// How the demo is run.
#[derive(Clone, Debug, Args)]
pub(crate) struct DemoArgs {
    /// A task of your own, for the page of --url
    #[arg(long)]
    pub(crate) task: Option<String>,
    /// The model: literal, script:FILE, or a provider's, such as openai/gpt-4.1 [default: literal]
    #[arg(long)]
    pub(crate) model: Option<String>,
    /// The folder for the record and the pictures [default: a new temporary one]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
    /// Wait that long before each step, for people who watch
    #[arg(long, value_name = "TIME", num_args = 0..=1, default_missing_value = "1", value_parser = seconds)]
    pub(crate) slow: Option<std::time::Duration>,
}

/// How a reply is carried out.
#[derive(Clone, Debug, Args)]
pub(crate) struct DoArgs {
    /// The file with the reply, or - for standard input
    pub(crate) file: PathBuf,
    /// Go on after that many failures
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) continue_after: usize,
    /// An origin that the reply may open, beside public ones and the one that is shown
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) allow: Vec<String>,
}

/// How the page is shown.
#[derive(Clone, Debug, Args)]
pub(crate) struct SnapshotArgs {
    /// Its form; outline where the settings say nothing
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    /// The longest text, in tokens; 0 for no limit; 8000 where the settings say nothing
    #[arg(long, value_name = "NUMBER")]
    pub(crate) max_tokens: Option<u32>,
    /// Only what changed since the session's last snapshot, where that is much shorter than the page
    #[arg(long)]
    pub(crate) diff: bool,
}

/// A form of the schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShapeArg {
    /// Variants told apart by their type
    #[default]
    Union,
    /// Every action a key
    Keyed,
    /// One tool an action
    Tools,
}

impl From<ShapeArg> for Shape {
    fn from(shape: ShapeArg) -> Self {
        match shape {
            ShapeArg::Union => Shape::Union,
            ShapeArg::Keyed => Shape::Keyed,
            ShapeArg::Tools => Shape::Tools,
        }
    }
}

/// What was asked for.
#[derive(Clone, Debug)]
pub(crate) enum Asked {
    /// One of the commands by hand.
    Fixed(Fixed),
    /// An action: the verb and its arguments.
    Verb(String, clap::ArgMatches),
}

/// The whole command line.
pub(crate) fn command(catalogue: &Catalogue) -> Command {
    let styles = styling::Styles::styled()
        .header(styling::AnsiColor::Green.on_default().bold())
        .usage(styling::AnsiColor::Green.on_default().bold())
        .literal(styling::AnsiColor::Cyan.on_default().bold())
        .placeholder(styling::AnsiColor::Cyan.on_default());
    let root = General::augment_args(Fixed::augment_subcommands(Command::new("webhand")))
        .about(ABOUT)
        .version(env!("CARGO_PKG_VERSION"))
        .styles(styles)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .infer_subcommands(false)
        .after_help(format!("{EXAMPLES}\n\n{ENVIRONMENT}\n\n{}", exit::LIST));
    root.subcommands(verbs::commands(catalogue, &Fixed::has_subcommand))
}

/// What a command line asks for.
pub(crate) fn asked(matches: &clap::ArgMatches) -> Result<(General, Asked), clap::Error> {
    let general = General::from_arg_matches(matches)?;
    let asked = match matches.subcommand() {
        Some((verb, inner)) if !Fixed::has_subcommand(verb) => Asked::Verb(verb.to_owned(), inner.clone()),
        _ => Asked::Fixed(Fixed::from_arg_matches(matches)?),
    };
    Ok((general, asked))
}

fn seconds(text: &str) -> Result<std::time::Duration, String> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 1000.0),
        None => (text.strip_suffix('s').unwrap_or(text), 1.0),
    };
    let seconds: f64 = number.trim().parse().map_err(|_| "not a time: write 2, 2s or 400ms".to_owned())?;
    let seconds = seconds / unit;
    if !(0.0..=60.0).contains(&seconds) {
        return Err("between 0 and 60 seconds".to_owned());
    }
    Ok(std::time::Duration::from_secs_f64(seconds))
}
