//! Going from page to page and from tab to tab.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{choice, setters};
use crate::{
    catalogue::{ActionFamily, ActionType, Alias, Preset, Risk},
    validate::{ParamFault, UrlForm},
};

/// Loads an address.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Navigate {
    /// An http or https address; where no scheme stands, https is taken, and http for this machine.
    #[schemars(extend("x-kind" = "url"), length(min = 1, max = 8192))]
    pub url: String,
    /// Whether to load it in a new tab.
    #[serde(default)]
    pub new_tab: bool,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for Navigate {
    const NAME: &'static str = "navigate";
    const ALIASES: &'static [Alias] = &[
        Alias::of("go_to_url"),
        Alias::of("goto"),
        Alias::of("goto_url"),
        Alias::of("go_to"),
        Alias::of("open"),
        Alias::of("open_url"),
        Alias::of("visit"),
        Alias::of("navigate_to"),
        Alias::of("navigate_to_url"),
        Alias::of("open_tab").set(&[("new_tab", Preset::Flag(true))]),
        Alias::of("open_new_tab").set(&[("new_tab", Preset::Flag(true))]),
        Alias::of("goto_new_tab").set(&[("new_tab", Preset::Flag(true))]),
    ];
    const PARAM_ALIASES: &'static [(&'static str, &'static str)] =
        &[("link", "url"), ("href", "url"), ("address", "url"), ("uri", "url")];
    const FAMILY: ActionFamily = ActionFamily::Browser;
    const RISK: Risk = Risk::Navigate;
    const MAY_OPEN_TAB: bool = true;

    fn reshape(params: &mut Map<String, Value>) {
        if let Some(Value::String(url)) = params.get_mut("url")
            && let UrlForm::Completed(whole) = UrlForm::of(url)
        {
            *url = whole;
        }
    }

    fn check(&self) -> Vec<ParamFault> {
        UrlForm::of(&self.url).fault("url").into_iter().collect()
    }
}

impl Navigate {
    /// Loads that address.
    #[must_use]
    pub fn to(url: impl Into<String>) -> Self {
        Self { url: url.into(), new_tab: false, intent: String::new() }
    }
}
setters!(Navigate { new_tab: bool });

/// Searches the web and shows the results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Search {
    /// What to search for.
    #[schemars(length(min = 1, max = 2048))]
    pub query: String,
    /// The search engine; as configured where none is named.
    #[serde(default)]
    #[schemars(extend("x-untold" = true))]
    pub engine: Option<String>,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for Search {
    const NAME: &'static str = "search";
    const ALIASES: &'static [Alias] = &[
        Alias::of("search_google").set(&[("engine", Preset::Text("google"))]),
        Alias::of("google_search").set(&[("engine", Preset::Text("google"))]),
        Alias::of("search_web"),
        Alias::of("web_search"),
    ];
    const PARAM_ALIASES: &'static [(&'static str, &'static str)] = &[("q", "query"), ("search_engine", "engine")];
    const FAMILY: ActionFamily = ActionFamily::Browser;
    const RISK: Risk = Risk::Navigate;
}

impl Search {
    /// Searches for that.
    #[must_use]
    pub fn query(query: impl Into<String>) -> Self {
        Self { query: query.into(), engine: None, intent: String::new() }
    }
}
setters!(Search { engine: Option<String> });

macro_rules! history {
    ($(#[$doc:meta])* $name:ident = $word:literal, [$($alias:literal),*]) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[non_exhaustive]
        pub struct $name {
            /// Why this step.
            #[serde(default)]
            pub intent: String,
        }

        impl ActionType for $name {
            const NAME: &'static str = $word;
            const ALIASES: &'static [Alias] = &[$(Alias::of($alias)),*];
            const FAMILY: ActionFamily = ActionFamily::Browser;
            const RISK: Risk = Risk::Navigate;
        }

        impl $name {
            /// The action.
            #[must_use]
            pub fn new() -> Self {
                Self::default()
            }
        }
        setters!($name {});
    };
}
history!(
    /// Goes back in history.
    Back = "back",
    ["go_back", "navigate_back"]
);
history!(
    /// Goes forward in history.
    Forward = "forward",
    ["go_forward", "navigate_forward"]
);
history!(
    /// Loads the page again.
    Reload = "reload",
    ["refresh", "refresh_page", "reload_page"]
);

choice!(
    /// What to do with tabs.
    TabOp {
        /// Lists them.
        List = "list",
        /// Opens an empty one.
        New = "new",
        /// Makes one the current tab.
        Switch = "switch",
        /// Closes one.
        Close = "close",
    }
);

/// Lists, opens, switches or closes tabs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Tab {
    /// What to do.
    pub op: TabOp,
    /// The tab's id, such as t2; needed to switch, and to close another than the current tab.
    #[serde(default)]
    #[schemars(extend("x-tell" = "such as t2"))]
    pub id: Option<String>,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for Tab {
    const NAME: &'static str = "tab";
    const ALIASES: &'static [Alias] = &[
        Alias::of("tabs"),
        Alias::of("switch_tab").set(&[("op", Preset::Text("switch"))]),
        Alias::of("close_tab").set(&[("op", Preset::Text("close"))]),
        Alias::of("new_tab").set(&[("op", Preset::Text("new"))]),
        Alias::of("list_tabs").set(&[("op", Preset::Text("list"))]),
    ];
    const PARAM_ALIASES: &'static [(&'static str, &'static str)] =
        &[("tab_id", "id"), ("page_id", "id"), ("tab_index", "id"), ("index", "id"), ("tab", "id"), ("action", "op")];
    const FAMILY: ActionFamily = ActionFamily::Browser;
    const RISK: Risk = Risk::Navigate;
    const MAY_OPEN_TAB: bool = true;

    fn check(&self) -> Vec<ParamFault> {
        let mut faults = Vec::new();
        if self.op == TabOp::Switch && self.id.is_none() {
            faults.push(ParamFault::missing("id", "which tab to switch to, such as t2"));
        }
        if let Some(id) = &self.id {
            let digits = id.strip_prefix(['t', 'T']).unwrap_or(id);
            if digits.is_empty() || digits.len() > 9 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                faults.push(
                    ParamFault::bad("id", "is not a tab id").hint("write it as the page's tab list does, such as t2"),
                );
            }
        }
        faults
    }
}

impl Tab {
    /// Lists the tabs.
    #[must_use]
    pub fn list() -> Self {
        Self { op: TabOp::List, id: None, intent: String::new() }
    }

    /// Opens an empty tab.
    #[must_use]
    pub fn open() -> Self {
        Self { op: TabOp::New, ..Self::list() }
    }

    /// Makes that tab the current one.
    #[must_use]
    pub fn switch(id: impl Into<String>) -> Self {
        Self { op: TabOp::Switch, id: Some(id.into()), ..Self::list() }
    }

    /// Closes that tab, or the current one.
    #[must_use]
    pub fn close(id: Option<String>) -> Self {
        Self { op: TabOp::Close, id, ..Self::list() }
    }

    /// The tab's id in its full form (`t2`), where one was given.
    #[must_use]
    pub fn tab_id(&self) -> Option<String> {
        self.id.as_ref().map(|id| format!("t{}", id.strip_prefix(['t', 'T']).unwrap_or(id)))
    }
}
setters!(Tab {});
