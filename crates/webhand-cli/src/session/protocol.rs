//! What a command and the process of a kept session say to each other: one JSON line each way. Plain values.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use webhand::{
    agent::{
        RecordEntry, Run,
        models::literal::{self, Step},
    },
    prelude::{Action, Outcome, Report},
};

use crate::{
    trouble::Trouble,
    work::{Wanted, Window},
};

/// Both ends must be of one version.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The longest request, in bytes.
pub(crate) const MAX_REQUEST: u64 = 8 << 20;
/// The longest answer, in bytes: a picture of a long page is the longest that there is.
pub(crate) const MAX_ANSWER: u64 = 128 << 20;

/// A line from the command.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Request {
    /// The version of the command.
    pub(crate) version: String,
    /// What is wanted.
    pub(crate) want: Want,
    /// How the browser is asked for.
    #[serde(default)]
    pub(crate) asks: Asks,
}

/// What the flags of a command ask of the browser: it holds only where the session was started so.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Asks {
    /// With a window.
    pub(crate) window: bool,
    /// The running browser of that address.
    pub(crate) attach: Option<String>,
}

impl Asks {
    /// Why a session whose browser was wanted like that is not what is asked for.
    pub(crate) fn unmet(&self, name: &str, wanted: &Wanted) -> Option<Trouble> {
        let detail = if self.window && wanted.window != Window::Shown {
            format!("--headed holds when a session starts, and the session {name:?} runs without a window")
        } else if self.attach.is_some() && self.attach != wanted.attach {
            format!("--cdp holds when a session starts, and the session {name:?} uses another browser")
        } else {
            return None;
        };
        let hint = "`webhand close` ends the session, and the next command starts it anew; or name another --session";
        Some(Trouble::new("session_differs", detail).hint(hint))
    }
}

/// What is wanted of a kept session.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Want {
    /// Something that is done in turn.
    Work(Order),
    /// How it is; answered at once.
    Status,
    /// Its end; answered as soon as nothing of it is left.
    Close,
}

/// Something to do with a page.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Order {
    /// One action that a person typed.
    Act(Action),
    /// The actions of a model's reply.
    Reply(ReplyOrder),
    /// A sentence that is taken at its word.
    Literal {
        /// The sentence, or several.
        task: String,
    },
    /// The page as text or as a value.
    Snapshot(SnapshotOrder),
}

impl Order {
    /// Whether it begins with an address of its own, so that it needs no page before it.
    pub(crate) fn begins_anew(&self) -> bool {
        let opens = |action: &Action| matches!(action, Action::Navigate(_) | Action::Search(_));
        match self {
            Order::Act(action) => opens(action),
            Order::Reply(reply) => reply.actions.first().is_some_and(opens),
            Order::Literal { task } => literal::parse(task)
                .ok()
                .and_then(|lines| lines.into_iter().next())
                .is_some_and(|line| match line.step {
                    Step::Open { address, .. } => !address.starts_with('/'),
                    step => matches!(step, Step::SearchWeb { .. }),
                }),
            Order::Snapshot(_) => false,
        }
    }

    /// Whether it stops where its command is interrupted. A single action that touches the page goes on to its end, which
    /// is near; what waits, or is made of several steps, would hold others up for nobody.
    pub(crate) fn stops_with_its_command(&self) -> bool {
        match self {
            Order::Act(action) => matches!(action, Action::Wait(_)),
            Order::Reply(_) | Order::Literal { .. } => true,
            Order::Snapshot(_) => false,
        }
    }
}

/// The actions of a model's reply, and how they are run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ReplyOrder {
    pub(crate) actions: Vec<Action>,
    /// How many failures it goes on after.
    pub(crate) continue_after: usize,
    /// Addresses that a person granted, beside the public web and the page that is shown.
    pub(crate) allow: Vec<String>,
}

/// How the page is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SnapshotOrder {
    /// Its form; as the settings say where none is named.
    pub(crate) format: Option<Format>,
    /// The longest text, in tokens (0 = no limit); as the settings say where nothing is said.
    pub(crate) max_tokens: Option<u32>,
    /// Only what changed since the last one, where that is much shorter.
    pub(crate) diff: bool,
}

/// A form of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Format {
    /// Indented text, controls in their place
    Outline,
    /// One control a line
    List,
    /// The outline with tables and alike items as comma-separated values
    Table,
    /// One JSON object, a node a line
    Json,
}

impl Format {
    /// The name by which the engine knows it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Format::Outline => "outline",
            Format::List => "list",
            Format::Table => "table",
            Format::Json => "json",
        }
    }
}

/// A line from the session.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Answer {
    /// What came of one action.
    Outcome(Box<Outcome>),
    /// What came of a reply.
    Report(Report),
    /// What came of a sentence.
    Run(Box<Ran>),
    /// The page.
    Snapshot(Seen),
    /// How the session is.
    Status(Status),
    /// It is over, and nothing of it is left.
    Closed,
    /// It could not be done.
    Trouble(Trouble),
}

/// How a sentence was carried out.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Ran {
    pub(crate) succeeded: bool,
    pub(crate) run: Run,
    pub(crate) record: Vec<RecordEntry>,
}

/// A page that was read.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Seen {
    pub(crate) url: String,
    pub(crate) title: String,
    pub(crate) format: String,
    /// A text in the text formats, an object in JSON.
    pub(crate) page: Value,
}

/// How a kept session is.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Status {
    pub(crate) name: String,
    /// The process that keeps it.
    pub(crate) pid: u32,
    /// The browser's process, where it runs and is our own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) browser_pid: Option<u32>,
    /// The browser's name and version; empty before it runs.
    pub(crate) browser: String,
    /// Where the current tab is.
    pub(crate) url: String,
    pub(crate) title: String,
    /// Whether something is under way.
    pub(crate) busy: bool,
    /// After how many idle seconds it ends.
    pub(crate) idle_seconds: u64,
}

#[cfg(test)]
mod tests {
    use webhand::prelude::Click;

    use super::*;

    #[test]
    fn lines_come_back_as_they_went() {
        let want = Want::Work(Order::Act(Click::on("B12").count(2).into()));
        let request = Request { version: VERSION.to_owned(), want, asks: Asks::default() };
        let line = serde_json::to_string(&request).unwrap();
        assert!(!line.contains('\n'));
        let back: Request = serde_json::from_str(&line).unwrap();
        assert!(matches!(back.want, Want::Work(Order::Act(Action::Click(click))) if click.count == 2));
        let answer = Answer::Trouble(Trouble::new("timeout", "x"));
        let back: Answer = serde_json::from_str(&serde_json::to_string(&answer).unwrap()).unwrap();
        assert!(matches!(back, Answer::Trouble(trouble) if trouble.code == "timeout"));
        assert!(serde_json::from_str::<Request>(r#"{"version": "1", "want": {"fly": 1}}"#).is_err());
    }

    #[test]
    fn what_a_flag_asks_for_must_be_so() {
        let headless = Wanted::default();
        let shown = Wanted { window: Window::Shown, ..Wanted::default() };
        let headed = Asks { window: true, attach: None };
        assert_eq!(headed.unmet("x", &headless).unwrap().exit() as u8, 2);
        assert_eq!(headed.unmet("x", &shown), None);
        assert_eq!(Asks::default().unmet("x", &shown), None);
        let attached = Asks { window: false, attach: Some("ws://a".to_owned()) };
        assert!(attached.unmet("x", &headless).is_some());
        assert_eq!(attached.unmet("x", &Wanted { attach: Some("ws://a".to_owned()), ..Wanted::default() }), None);
    }

    #[test]
    fn only_what_names_an_address_begins_anew() {
        let literal = |task: &str| Order::Literal { task: task.to_owned() };
        assert!(Order::Act(webhand::prelude::Navigate::to("https://example.org/").into()).begins_anew());
        assert!(literal("打开 example.org，点击“登录”").begins_anew());
        for order in [literal("click B5"), literal("open /cart"), Order::Act(Click::on("B5").into())] {
            assert!(!order.begins_anew(), "{order:?}");
        }
    }
}
