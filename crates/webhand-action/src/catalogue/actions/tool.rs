//! Actions that read, keep or end, and touch no element.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{choice, setters};
use crate::{
    catalogue::{ActionFamily, ActionType, Alias, Preset, Risk, Target},
    validate::ParamFault,
};

choice!(
    /// The form in which something is read.
    ReadFormat {
        /// Markdown of the visible text.
        Markdown = "markdown",
        /// The visible text alone.
        Text = "text",
        /// The markup, cleaned of what serves only the browser.
        Html = "html",
        /// Tables as comma-separated rows.
        Table = "table",
        /// Links.
        Links = "links",
        /// Images.
        Images = "images",
        /// What a field holds.
        Value = "value",
        /// The attributes.
        Attributes = "attributes",
        /// Cookies of the page, without what they hold.
        Cookies = "cookies",
    }
);

/// Reads the page or one element as text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Read {
    /// The element; the page where none is named.
    #[serde(default, flatten)]
    pub target: Option<Target>,
    /// The form.
    #[serde(default = "Read::default_format")]
    pub format: ReadFormat,
    /// Where to go on, as the last reading said.
    #[serde(default)]
    #[schemars(extend("x-tell" = "from the last reading, to go on"))]
    pub cursor: Option<String>,
    /// How much at most.
    #[serde(default)]
    #[schemars(range(min = 1, max = 1_000_000))]
    #[schemars(extend("x-untold" = true))]
    pub max_tokens: Option<u32>,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for Read {
    const NAME: &'static str = "read";
    const ALIASES: &'static [Alias] = &[
        Alias::of("extract_content").rename(&[("goal", "intent"), ("query", "intent")]).drop(&[
            "should_strip_link_urls",
            "include_links",
            "extract_links",
        ]),
        Alias::of("scrape")
            .rename(&[("instructions", "intent"), ("goal", "intent")])
            .drop(&["scrape_links", "only_main_content"]),
        Alias::of("read_page"),
        Alias::of("get_html").set(&[("format", Preset::Text("html"))]),
        Alias::of("get_cookies").set(&[("format", Preset::Text("cookies"))]),
        Alias::of("get_page_text").set(&[("format", Preset::Text("text"))]),
    ];
    const FAMILY: ActionFamily = ActionFamily::Tool;
    const RISK: Risk = Risk::Read;
}

impl Read {
    fn default_format() -> ReadFormat {
        ReadFormat::Markdown
    }

    /// Reads the page.
    #[must_use]
    pub fn page() -> Self {
        Self { target: None, format: ReadFormat::Markdown, cursor: None, max_tokens: None, intent: String::new() }
    }

    /// Reads that element.
    #[must_use]
    pub fn of(target: impl Into<Target>) -> Self {
        Self { target: Some(target.into()), ..Self::page() }
    }
}
setters!(Read { format: ReadFormat, cursor: Option<String>, max_tokens: Option<u32> });

/// Shows what is folded, from that ref on, and its name, value or address in whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Expand {
    /// The ref beside the count.
    #[serde(flatten)]
    pub target: Target,
    /// How much at most.
    #[serde(default)]
    #[schemars(range(min = 50, max = 1_000_000))]
    #[schemars(extend("x-untold" = true))]
    pub max_tokens: Option<u32>,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for Expand {
    const NAME: &'static str = "expand";
    const ALIASES: &'static [Alias] = &[Alias::of("show_more")];
    const FAMILY: ActionFamily = ActionFamily::Tool;
    const RISK: Risk = Risk::Read;
}

impl Expand {
    /// Shows what is folded at that ref.
    #[must_use]
    pub fn at(target: impl Into<Target>) -> Self {
        Self { target: target.into(), max_tokens: None, intent: String::new() }
    }
}
setters!(Expand { max_tokens: Option<u32> });

/// Finds text or controls on the whole page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Find {
    /// A text, in any case.
    #[serde(default)]
    pub text: Option<String>,
    /// A regular expression.
    #[serde(default)]
    #[schemars(length(max = 1000))]
    pub regex: Option<String>,
    /// A role, such as button.
    #[serde(default)]
    pub role: Option<String>,
    /// How many at most.
    #[serde(default = "Find::default_limit")]
    #[schemars(range(min = 1, max = 1000))]
    #[schemars(extend("x-untold" = true))]
    pub limit: u32,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for Find {
    const NAME: &'static str = "find";
    const ALIASES: &'static [Alias] = &[
        Alias::of("find_text"),
        Alias::of("search_page").rename(&[("pattern", "text"), ("query", "text")]),
        Alias::of("find_in_page").rename(&[("query", "text")]),
    ];
    const PARAM_ALIASES: &'static [(&'static str, &'static str)] =
        &[("query", "text"), ("pattern", "regex"), ("max_results", "limit")];
    const FAMILY: ActionFamily = ActionFamily::Tool;
    const RISK: Risk = Risk::Read;

    fn check(&self) -> Vec<ParamFault> {
        let filled = |part: &Option<String>| part.as_deref().is_some_and(|part| !part.is_empty());
        if ![&self.text, &self.regex, &self.role].into_iter().any(filled) {
            return vec![ParamFault::missing("text", "what to find: text, regex or role")];
        }
        match self.regex.as_deref().map(|regex| regex::RegexBuilder::new(regex).size_limit(1 << 20).build()) {
            Some(Err(_)) => vec![ParamFault::bad("regex", "is not a regular expression that can be used")],
            _ => Vec::new(),
        }
    }
}

impl Find {
    fn default_limit() -> u32 {
        20
    }

    /// Finds that text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), regex: None, role: None, limit: Self::default_limit(), intent: String::new() }
    }

    /// Finds what fits that regular expression.
    #[must_use]
    pub fn regex(regex: impl Into<String>) -> Self {
        Self { text: None, regex: Some(regex.into()), ..Self::text("") }
    }

    /// Finds controls of that role.
    #[must_use]
    pub fn role(role: impl Into<String>) -> Self {
        Self { text: None, role: Some(role.into()), ..Self::text("") }
    }
}
setters!(Find { limit: u32 });

/// Keeps a fact for later steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Remember {
    /// What the fact is called.
    #[schemars(length(min = 1, max = 200))]
    pub key: String,
    /// The fact.
    pub value: String,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for Remember {
    const NAME: &'static str = "remember";
    const ALIASES: &'static [Alias] =
        &[Alias::of("cache_content").rename(&[("content", "value")]).set(&[("key", Preset::Text("content"))])];
    const PARAM_ALIASES: &'static [(&'static str, &'static str)] = &[("name", "key"), ("content", "value")];
    const FAMILY: ActionFamily = ActionFamily::Tool;
    const RISK: Risk = Risk::Read;
}

impl Remember {
    /// Keeps that fact.
    #[must_use]
    pub fn fact(key: impl Into<String>, value: impl Into<String>) -> Self {
        Self { key: key.into(), value: value.into(), intent: String::new() }
    }
}
setters!(Remember {});

/// Ends the task; stands alone or last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Done {
    /// The answer or a report for the person.
    #[schemars(extend("x-tell" = "the answer or a report"))]
    pub text: String,
    /// Whether the whole task was done.
    #[schemars(extend("x-tell" = "only if the whole task was done"))]
    pub success: bool,
    /// Data in the form that the task asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-kind" = "data"))]
    pub data: Option<Value>,
    /// Names of files to hand over.
    #[serde(default)]
    #[schemars(length(max = 100))]
    pub files: Vec<String>,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for Done {
    const NAME: &'static str = "done";
    const ALIASES: &'static [Alias] = &[
        Alias::of("completion").rename(&[("answer", "text")]),
        Alias::of("complete"),
        Alias::of("finish"),
        Alias::of("task_complete"),
    ];
    const PARAM_ALIASES: &'static [(&'static str, &'static str)] =
        &[("answer", "text"), ("message", "text"), ("result", "text"), ("files_to_display", "files")];
    const FAMILY: ActionFamily = ActionFamily::Tool;
    const RISK: Risk = Risk::Read;
    const ENDS_REPLY: bool = true;
}

impl Done {
    /// Ends the task well.
    #[must_use]
    pub fn success(text: impl Into<String>) -> Self {
        Self { text: text.into(), success: true, data: None, files: Vec::new(), intent: String::new() }
    }

    /// Ends the task undone.
    #[must_use]
    pub fn failure(text: impl Into<String>) -> Self {
        Self { success: false, ..Self::success(text) }
    }
}
setters!(Done { data: Option<Value>, files: Vec<String> });
