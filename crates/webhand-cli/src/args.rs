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

/// What every command takes.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct General {
    /// Which kept session to use [default: default, or WEBHAND_SESSION]
    #[arg(long, global = true, value_name = "NAME", help_heading = "General")]
    pub(crate) session: Option<String>,
    /// Open this page in a browser of its own, for this command alone
    #[arg(long, global = true, value_name = "URL", help_heading = "General")]
    pub(crate) url: Option<String>,
    /// Use a running browser, by its webSocketDebuggerUrl, in a tab of our own
    #[arg(long, global = true, value_name = "WS_URL", help_heading = "General")]
    pub(crate) cdp: Option<String>,
    /// Start the browser with a window
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
    /// Carry out a model's reply: decode it, check it, act, report
    Do(DoArgs),
    /// Show the page as text, every control with its ref
    Snapshot(SnapshotArgs),
    /// Take a sentence, or several, at their word (English or Chinese)
    Act {
        /// What to do, such as 'click the "Save" button' or '点击“保存”按钮'
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
    /// Show the settings, and where each comes from
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

/// How the demo is run.
#[derive(Clone, Debug, Args)]
pub(crate) struct DemoArgs {
    /// A task of your own, for the page of --url
    #[arg(long)]
    pub(crate) task: Option<String>,
    /// The model: literal, or script:FILE [default: literal]
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
    /// Its form
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// The longest text, in tokens; 0 for no limit
    #[arg(long, value_name = "NUMBER", default_value_t = 8000)]
    pub(crate) max_tokens: u32,
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
        .after_help(format!("{EXAMPLES}\n\n{}", exit::LIST));
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
