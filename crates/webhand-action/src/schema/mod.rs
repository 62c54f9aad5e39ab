//! What is asked of a model, as JSON Schema: one catalogue in three shapes, small and within what strict modes accept.
//!
//! Every key is required and null stands for absent; nothing is open (`additionalProperties: false`); no bounds, formats
//! or defaults: those are checked when the reply is read. Pure; it knows no provider.

mod shapes;
mod strict;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::catalogue::{ActionSpec, Catalogue};

/// In which form actions are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Shape {
    /// `{"type": "click", "ref": "B5"}`: a list of variants told apart by `type`.
    #[default]
    Union,
    /// `{"click": {"ref": "B5"}}`: every action a key that may be null.
    Keyed,
    /// Native tool calls: one tool an action.
    Tools,
}

impl Shape {
    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Shape::Union => "union",
            Shape::Keyed => "keyed",
            Shape::Tools => "tools",
        }
    }
}

/// Which actions are asked for, and how.
///
/// ```
/// use webhand_action::{catalogue::Catalogue, schema::{Shape, SchemaOptions}};
/// let options = SchemaOptions::new(Shape::Keyed).offer(["click", "done"]);
/// let schema = Catalogue::built_in().schema(&options);
/// assert!(schema.pointer("/properties/actions/items/properties/click").is_some());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SchemaOptions {
    /// The form.
    pub shape: Shape,
    /// The names of the actions offered; all where none are named.
    pub offered: Option<Vec<String>>,
    /// The schema of the data that `done` must bring, where the task asks for data.
    pub done_data: Option<Value>,
}

impl SchemaOptions {
    /// All actions in that form.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        Self { shape, offered: None, done_data: None }
    }

    /// Only these actions: a shorter schema is a better one.
    #[must_use]
    pub fn offer(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.offered = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// With data of that schema in `done`.
    #[must_use]
    pub fn done_data(mut self, schema: Value) -> Self {
        self.done_data = Some(schema);
        self
    }

    fn offers(&self, spec: &ActionSpec) -> bool {
        self.offered.as_ref().is_none_or(|offered| offered.iter().any(|name| *name == spec.name))
    }
}

/// What there is on a page that decides which actions can serve.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PageNeeds {
    /// A dialog waits for an answer.
    pub dialog: bool,
    /// There are folders from which files may be uploaded.
    pub uploads: bool,
    /// A folder is named in which files are kept beyond the session.
    pub folder: bool,
    /// There is a page before this one.
    pub back: bool,
    /// There is a page after this one.
    pub forward: bool,
    /// A person can be asked.
    pub person: bool,
    /// The page shows a captcha.
    pub captcha: bool,
    /// There are handles of one-time codes.
    pub codes: bool,
    /// Models may run code in pages.
    pub scripts: bool,
    /// Models may set the size of the view.
    pub viewport: bool,
    /// There is a model that takes data out of pages.
    pub extractor: bool,
    /// The address of the page.
    pub url: String,
}

impl PageNeeds {
    /// A page on which a dialog waits, or none does.
    #[must_use]
    pub fn with_dialog(dialog: bool) -> Self {
        Self { dialog, ..Self::default() }
    }

    /// The same at that address.
    #[must_use]
    pub fn at(mut self, url: impl Into<String>) -> Self {
        self.url = url.into();
        self
    }

    /// The same, where a dialog waits, or none does.
    #[must_use]
    pub fn and_dialog(mut self, dialog: bool) -> Self {
        self.dialog = dialog;
        self
    }

    /// The same, where a folder keeps files beyond the session, or none does.
    #[must_use]
    pub fn and_folder(mut self, folder: bool) -> Self {
        self.folder = folder;
        self
    }

    /// The same, with pages before and after this one, or without.
    #[must_use]
    pub fn and_history(mut self, back: bool, forward: bool) -> Self {
        (self.back, self.forward) = (back, forward);
        self
    }

    /// The same, where a person can be asked, or none can.
    #[must_use]
    pub fn and_person(mut self, person: bool) -> Self {
        self.person = person;
        self
    }

    /// The same, where the page shows a captcha, or none.
    #[must_use]
    pub fn and_captcha(mut self, captcha: bool) -> Self {
        self.captcha = captcha;
        self
    }

    /// The same, where there are handles of one-time codes, or none.
    #[must_use]
    pub fn and_codes(mut self, codes: bool) -> Self {
        self.codes = codes;
        self
    }

    /// The same, where models may run code in pages, or may not.
    #[must_use]
    pub fn and_scripts(mut self, scripts: bool) -> Self {
        self.scripts = scripts;
        self
    }

    /// The same, where a model takes data out of pages, or none does.
    #[must_use]
    pub fn and_extractor(mut self, extractor: bool) -> Self {
        self.extractor = extractor;
        self
    }

    /// The same, where models may set the size of the view, or may not.
    #[must_use]
    pub fn and_viewport(mut self, viewport: bool) -> Self {
        self.viewport = viewport;
        self
    }

    /// The same, where files may be uploaded, or none may be.
    #[must_use]
    pub fn and_uploads(mut self, uploads: bool) -> Self {
        self.uploads = uploads;
        self
    }
}

impl Catalogue {
    /// The schema of a reply. For [`Shape::Tools`] it is a list of `{name, description, parameters}`.
    #[must_use]
    pub fn schema(&self, options: &SchemaOptions) -> Value {
        let offered: Vec<&ActionSpec> = self.specs().iter().filter(|spec| options.offers(spec)).collect();
        match options.shape {
            Shape::Union => shapes::union(&offered, options),
            Shape::Keyed => shapes::keyed(&offered, options),
            Shape::Tools => shapes::tools(&offered, options),
        }
    }

    /// The names of the actions that can serve on such a page.
    #[must_use]
    pub fn offered(&self, page: &PageNeeds) -> Vec<&str> {
        let serves = |spec: &&ActionSpec| {
            let serves = match &*spec.name {
                "dialog" => page.dialog,
                "upload" => page.uploads,
                "file" | "pdf" => page.folder,
                "evaluate" => page.scripts,
                "viewport" => page.viewport,
                "extract" => page.extractor,
                "back" => page.back,
                "forward" => page.forward,
                "ask_human" => page.person,
                "solve_captcha" => page.captcha,
                "one_time_code" => page.codes,
                _ => true,
            };
            serves && spec.serves_at(&page.url)
        };
        self.specs().iter().filter(serves).map(|spec| &*spec.name).collect()
    }
}

/// An upper bound of the tokens that a schema takes in a prompt.
///
/// Compact schemas of ours take 4.2 to 4.4 characters a token (measured with o200k and cl100k, all three shapes); 3.9 is
/// taken, so that the bound holds for somewhat coarser tokenizers too.
#[must_use]
pub fn token_bound(schema: &Value) -> usize {
    (schema.to_string().chars().count() * 10).div_ceil(39)
}
