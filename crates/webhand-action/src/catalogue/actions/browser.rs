//! Actions for the page or the browser as a whole.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use webhand_page::RefText;

use super::{choice, setters};
use crate::{
    act::keys,
    catalogue::{ActionFamily, ActionType, Alias, Preset, Risk, Target},
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

choice!(
    /// What to wait for.
    WaitFor {
        /// A text that appears.
        Text = "text",
        /// A text that goes.
        TextGone = "text_gone",
        /// A state of an element.
        RefState = "ref_state",
        /// An address that contains the value.
        Url = "url",
        /// A quiet network.
        Network = "network",
        /// The page's load.
        Load = "load",
        /// A plain time.
        Time = "time",
    }
);

/// Waits until something holds, or for a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Wait {
    /// What to wait for.
    pub r#for: WaitFor,
    /// The text, in any case and in any frame; a part of the address; or the state: visible, hidden, enabled, disabled,
    /// checked, unchecked.
    #[serde(default)]
    #[schemars(extend(
        "x-tell" = "the text (any case), part of the URL, or state: visible, hidden, enabled, disabled, checked, unchecked"
    ))]
    pub value: Option<String>,
    /// The element whose state is awaited.
    #[serde(default, rename = "ref")]
    #[schemars(with = "Option<String>", extend("x-kind" = "ref"))]
    pub r#ref: Option<RefText>,
    /// How long at most.
    #[serde(default = "Wait::default_seconds")]
    #[schemars(range(min = 0, max = 60), extend("x-tell" = "at most; 10 by default, up to 60"))]
    pub seconds: f64,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for Wait {
    const NAME: &'static str = "wait";
    const ALIASES: &'static [Alias] = &[
        Alias::of("wait_for"),
        Alias::of("sleep").set(&[("for", Preset::Text("time"))]),
        Alias::of("wait_for_text").set(&[("for", Preset::Text("text"))]).rename(&[("text", "value")]),
        Alias::of("wait_for_load").set(&[("for", Preset::Text("load"))]),
    ];
    const PARAM_ALIASES: &'static [(&'static str, &'static str)] =
        &[("time", "seconds"), ("duration", "seconds"), ("timeout", "seconds"), ("state", "value")];
    const FAMILY: ActionFamily = ActionFamily::Browser;
    const RISK: Risk = Risk::Read;

    fn reshape(params: &mut Map<String, Value>) {
        let bare_time =
            params.contains_key("seconds") && !["for", "value", "ref"].iter().any(|key| params.contains_key(*key));
        if bare_time {
            params.insert("for".to_owned(), "time".into());
        }
        let timed = params.get("for").and_then(Value::as_str).is_some_and(|what| what.eq_ignore_ascii_case("time"));
        if timed
            && !params.contains_key("seconds")
            && let Some(value) = params.remove("value")
        {
            params.insert("seconds".to_owned(), value);
        }
    }

    fn check(&self) -> Vec<ParamFault> {
        let mut faults = Vec::new();
        let value = self.value.as_deref().unwrap_or_default();
        match self.r#for {
            WaitFor::Text | WaitFor::TextGone | WaitFor::Url if value.is_empty() => {
                faults.push(ParamFault::missing("value", "what to wait for"));
            }
            WaitFor::RefState => {
                if self.r#ref.is_none() {
                    faults.push(ParamFault::missing("ref", "the element whose state is awaited"));
                }
                if value.is_empty() {
                    faults.push(ParamFault::missing("value", "the state to wait for, such as visible"));
                } else if !Self::STATES.contains(&value) {
                    let hint = format!("allowed: {}", Self::STATES.join(", "));
                    faults.push(ParamFault::bad("value", "is not a state").hint(hint));
                }
            }
            WaitFor::Time if !value.is_empty() => {
                faults.push(ParamFault::bad("value", "means nothing with for=time").hint("give the time as seconds"));
            }
            _ => {}
        }
        faults
    }
}

impl Wait {
    /// The states that can be awaited.
    pub const STATES: &'static [&'static str] = &["visible", "hidden", "enabled", "disabled", "checked", "unchecked"];

    fn default_seconds() -> f64 {
        10.0
    }

    fn new(what: WaitFor, value: Option<String>) -> Self {
        Self { r#for: what, value, r#ref: None, seconds: Self::default_seconds(), intent: String::new() }
    }

    /// Waits for a text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(WaitFor::Text, Some(text.into()))
    }

    /// Waits until a text is gone.
    #[must_use]
    pub fn text_gone(text: impl Into<String>) -> Self {
        Self::new(WaitFor::TextGone, Some(text.into()))
    }

    /// Waits for an address that contains this.
    #[must_use]
    pub fn url(part: impl Into<String>) -> Self {
        Self::new(WaitFor::Url, Some(part.into()))
    }

    /// Waits for a state of an element.
    #[must_use]
    pub fn state(target: impl Into<RefText>, state: impl Into<String>) -> Self {
        Self { r#ref: Some(target.into()), ..Self::new(WaitFor::RefState, Some(state.into())) }
    }

    /// Waits for the page's load.
    #[must_use]
    pub fn load() -> Self {
        Self::new(WaitFor::Load, None)
    }

    /// Waits for a quiet network.
    #[must_use]
    pub fn network() -> Self {
        Self::new(WaitFor::Network, None)
    }

    /// Waits that long.
    #[must_use]
    pub fn time(seconds: f64) -> Self {
        Self { seconds, ..Self::new(WaitFor::Time, None) }
    }
}
setters!(Wait { seconds: f64 });

/// Presses keys: chords and sequences such as "Enter", "Control+A", "Tab Tab Enter".
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Press {
    /// The keys.
    #[schemars(length(min = 1, max = 1000))]
    pub keys: String,
    /// The element to focus first.
    #[serde(default, flatten)]
    pub target: Option<Target>,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for Press {
    const NAME: &'static str = "press";
    const ALIASES: &'static [Alias] =
        &[Alias::of("send_keys"), Alias::of("press_key"), Alias::of("press_keys"), Alias::of("keypress")];
    const PARAM_ALIASES: &'static [(&'static str, &'static str)] = &[("key", "keys")];
    const FAMILY: ActionFamily = ActionFamily::Browser;
    const RISK: Risk = Risk::Edit;
    const MAY_OPEN_TAB: bool = true;

    fn check(&self) -> Vec<ParamFault> {
        // An empty text is the schema's to refuse.
        match keys::parse(&self.keys) {
            Ok(strokes) if strokes.is_empty() && !self.keys.is_empty() => {
                vec![ParamFault::bad("keys", "name no key").hint("write a key such as Enter, or Space")]
            }
            Ok(_) => Vec::new(),
            Err(unknown) => {
                let hint = "use names such as Enter, Tab, ArrowDown, F5, a character, or chords such as Control+A";
                vec![ParamFault::bad("keys", format!("{:?} is not a key", unknown.0)).hint(hint)]
            }
        }
    }
}

impl Press {
    /// Presses those keys, wherever the focus is.
    #[must_use]
    pub fn keys(keys: impl Into<String>) -> Self {
        Self { keys: keys.into(), target: None, intent: String::new() }
    }

    /// The same on that element.
    #[must_use]
    pub fn on(mut self, target: impl Into<Target>) -> Self {
        self.target = Some(target.into());
        self
    }
}
setters!(Press {});

/// Types text with real keys into what has the focus; use fill for a field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Type {
    /// The text.
    #[schemars(length(min = 1))]
    pub text: String,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for Type {
    const NAME: &'static str = "type";
    const ALIASES: &'static [Alias] = &[Alias::of("type_text"), Alias::of("keyboard_type")];
    const FAMILY: ActionFamily = ActionFamily::Browser;
    const RISK: Risk = Risk::Edit;
}

impl Type {
    /// Types that text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), intent: String::new() }
    }
}
setters!(Type {});

choice!(
    /// Where to scroll.
    ScrollTo {
        /// Up.
        Up = "up",
        /// Down.
        Down = "down",
        /// Left.
        Left = "left",
        /// Right.
        Right = "right",
        /// To the beginning.
        Top = "top",
        /// To the end.
        Bottom = "bottom",
        /// To a percentage of the whole.
        Percent = "percent",
        /// To a text.
        Text = "text",
        /// To an element.
        Ref = "ref",
    }
);
choice!(
    /// What a scroll's amount counts.
    ScrollUnit {
        /// Views.
        Pages = "pages",
        /// CSS pixels.
        Pixels = "pixels",
        /// Hundredths of the whole.
        Percent = "percent",
    }
);

/// Scrolls the page, or the scroll area named by ref.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Scroll {
    /// Where to.
    pub to: ScrollTo,
    /// The text or the ref to scroll to.
    #[serde(default)]
    #[schemars(extend("x-tell" = "the text or ref to scroll to"))]
    pub value: Option<String>,
    /// How far (one page where nothing is said), or the percentage.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1_000_000), extend("x-tell" = "1 page by default"))]
    pub amount: Option<f64>,
    /// What amount counts.
    #[serde(default = "Scroll::default_unit")]
    pub unit: ScrollUnit,
    /// The scroll area; the page where none is named.
    #[serde(default, flatten)]
    pub target: Option<Target>,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for Scroll {
    const NAME: &'static str = "scroll";
    const ALIASES: &'static [Alias] = &[
        Alias::of("scroll_down").set(&[("to", Preset::Text("down"))]),
        Alias::of("scroll_up").set(&[("to", Preset::Text("up"))]),
        Alias::of("scroll_to_percent").set(&[("to", Preset::Text("percent"))]).rename(&[
            ("yPercent", "amount"),
            ("y_percent", "amount"),
            ("percent", "amount"),
            ("value", "amount"),
        ]),
        Alias::of("scroll_to_text").set(&[("to", Preset::Text("text"))]).rename(&[("text", "value")]).drop(&["nth"]),
        Alias::of("scroll_to_top").set(&[("to", Preset::Text("top"))]),
        Alias::of("scroll_to_bottom").set(&[("to", Preset::Text("bottom"))]),
        Alias::of("scroll_to_element").set(&[("to", Preset::Text("ref"))]).rename(&[
            ("ref", "value"),
            ("index", "value"),
            ("element", "value"),
            ("id", "value"),
        ]),
        Alias::of("scroll_into_view").set(&[("to", Preset::Text("ref"))]).rename(&[
            ("ref", "value"),
            ("index", "value"),
            ("element", "value"),
            ("id", "value"),
        ]),
        Alias::of("next_page").set(&[("to", Preset::Text("down"))]),
        Alias::of("previous_page").set(&[("to", Preset::Text("up"))]),
    ];
    const PARAM_ALIASES: &'static [(&'static str, &'static str)] =
        &[("direction", "to"), ("pages", "amount"), ("num_pages", "amount"), ("frame_element_index", "ref")];
    const FAMILY: ActionFamily = ActionFamily::Browser;
    const RISK: Risk = Risk::Read;

    fn reshape(params: &mut Map<String, Value>) {
        if !params.contains_key("to")
            && let Some(Value::Bool(down)) = params.get("down").cloned()
        {
            params.remove("down");
            params.insert("to".to_owned(), if down { "down" } else { "up" }.into());
        }
        if let Some(pixels) = params.get("pixels").cloned()
            && !params.contains_key("amount")
        {
            params.remove("pixels");
            params.insert("amount".to_owned(), pixels);
            params.insert("unit".to_owned(), "pixels".into());
        }
        let percent = params.get("to").and_then(Value::as_str).is_some_and(|to| to.eq_ignore_ascii_case("percent"));
        if percent
            && !params.contains_key("amount")
            && let Some(value) = params.remove("value")
        {
            params.insert("amount".to_owned(), value);
        }
    }

    fn check(&self) -> Vec<ParamFault> {
        let mut faults = Vec::new();
        let value = self.value.as_deref().unwrap_or_default();
        match self.to {
            ScrollTo::Text if value.is_empty() => faults.push(ParamFault::missing("value", "the text to scroll to")),
            ScrollTo::Ref if value.is_empty() => faults.push(ParamFault::missing("value", "the ref to scroll to")),
            ScrollTo::Ref if value.parse::<RefText>().is_err() => {
                faults
                    .push(ParamFault::bad("value", "is not a ref").hint("write it as the page shows it, such as B12"));
            }
            ScrollTo::Percent if self.amount.is_none() => {
                faults.push(ParamFault::missing("amount", "the percentage to scroll to"));
            }
            ScrollTo::Percent if self.amount.is_some_and(|amount| amount > 100.0) => {
                faults.push(ParamFault::bad("amount", "is over 100 percent"));
            }
            _ => {}
        }
        faults
    }
}

impl Scroll {
    fn default_unit() -> ScrollUnit {
        ScrollUnit::Pages
    }

    /// Scrolls there.
    #[must_use]
    pub fn to(to: ScrollTo) -> Self {
        Self { to, value: None, amount: None, unit: ScrollUnit::Pages, target: None, intent: String::new() }
    }

    /// Scrolls down one page.
    #[must_use]
    pub fn down() -> Self {
        Self::to(ScrollTo::Down)
    }

    /// Scrolls up one page.
    #[must_use]
    pub fn up() -> Self {
        Self::to(ScrollTo::Up)
    }

    /// Scrolls to a text.
    #[must_use]
    pub fn to_text(text: impl Into<String>) -> Self {
        Self { value: Some(text.into()), ..Self::to(ScrollTo::Text) }
    }

    /// Scrolls to an element.
    #[must_use]
    pub fn to_ref(target: impl Into<RefText>) -> Self {
        Self { value: Some(target.into().to_string()), ..Self::to(ScrollTo::Ref) }
    }

    /// The same inside that scroll area.
    #[must_use]
    pub fn within(mut self, target: impl Into<Target>) -> Self {
        self.target = Some(target.into());
        self
    }
}
setters!(Scroll { amount: Option<f64>, unit: ScrollUnit });

/// Answers the dialog that the page holds open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Dialog {
    /// Whether to accept it.
    pub accept: bool,
    /// What to write into a prompt.
    #[serde(default)]
    #[schemars(extend("x-tell" = "for a prompt"))]
    pub text: Option<String>,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for Dialog {
    const NAME: &'static str = "dialog";
    const ALIASES: &'static [Alias] = &[
        Alias::of("handle_dialog"),
        Alias::of("accept_dialog").set(&[("accept", Preset::Flag(true))]),
        Alias::of("dismiss_dialog").set(&[("accept", Preset::Flag(false))]),
    ];
    const PARAM_ALIASES: &'static [(&'static str, &'static str)] = &[("prompt_text", "text"), ("promptText", "text")];
    const FAMILY: ActionFamily = ActionFamily::Browser;
    const RISK: Risk = Risk::Edit;
}

impl Dialog {
    /// Accepts it.
    #[must_use]
    pub fn accept() -> Self {
        Self { accept: true, text: None, intent: String::new() }
    }

    /// Dismisses it.
    #[must_use]
    pub fn dismiss() -> Self {
        Self { accept: false, ..Self::accept() }
    }
}
setters!(Dialog { text: Option<String> });

/// Takes a picture of the view, the whole page or the element of ref.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Screenshot {
    /// The element to show alone.
    #[serde(default, flatten)]
    pub target: Option<Target>,
    /// Whether to show the whole page.
    #[serde(default)]
    pub full_page: bool,
    /// Whether to draw the refs on it; usual, but for the picture of one element.
    #[serde(default = "Screenshot::default_marks")]
    pub marks: bool,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for Screenshot {
    const NAME: &'static str = "screenshot";
    const ALIASES: &'static [Alias] = &[Alias::of("take_screenshot")];
    const PARAM_ALIASES: &'static [(&'static str, &'static str)] = &[("fullPage", "full_page")];
    const FAMILY: ActionFamily = ActionFamily::Browser;
    const RISK: Risk = Risk::Read;

    /// Marks would hide what a small element shows: on the picture of one element they are drawn only when asked for.
    fn reshape(params: &mut Map<String, Value>) {
        if ["ref", "selector"].iter().any(|key| params.get(*key).is_some_and(|value| !value.is_null())) {
            params.entry("marks").or_insert(Value::Bool(false));
        }
    }
}

impl Screenshot {
    fn default_marks() -> bool {
        true
    }

    /// A picture of the view.
    #[must_use]
    pub fn view() -> Self {
        Self { target: None, full_page: false, marks: true, intent: String::new() }
    }

    /// A picture of that element, without marks.
    #[must_use]
    pub fn of(target: impl Into<Target>) -> Self {
        Self { target: Some(target.into()), marks: false, ..Self::view() }
    }
}
setters!(Screenshot { full_page: bool, marks: bool });
