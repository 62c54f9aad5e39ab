//! Files: those that go to a page, those that come from it, and those of the run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{choice, setters};
use crate::{
    catalogue::{ActionFamily, ActionType, Alias, Preset, Risk, Target},
    validate::{ParamFault, UrlForm},
};

/// Gives files to a file field, a button that asks for files, or a drop zone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Upload {
    /// The element.
    #[serde(flatten)]
    pub target: Target,
    /// The files, from folders that are allowed.
    #[schemars(length(min = 1, max = 100), extend("x-tell" = "files of allowed folders"))]
    pub paths: Vec<String>,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for Upload {
    const NAME: &'static str = "upload";
    const ALIASES: &'static [Alias] =
        &[Alias::of("upload_file"), Alias::of("set_input_files"), Alias::of("file_upload")];
    const PARAM_ALIASES: &'static [(&'static str, &'static str)] =
        &[("path", "paths"), ("file", "paths"), ("files", "paths"), ("file_path", "paths"), ("file_paths", "paths")];
    const FAMILY: ActionFamily = ActionFamily::Element;
    const RISK: Risk = Risk::Files;
    const NEEDS_ELEMENT: bool = true;

    fn check(&self) -> Vec<ParamFault> {
        let empty = self.paths.iter().position(|path| path.trim().is_empty());
        empty.map(|at| ParamFault::bad(&format!("paths[{at}]"), "is empty")).into_iter().collect()
    }
}

impl Upload {
    /// Gives these files to that element.
    #[must_use]
    pub fn to(target: impl Into<Target>, paths: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { target: target.into(), paths: paths.into_iter().map(Into::into).collect(), intent: String::new() }
    }
}
setters!(Upload {});

/// Saves the file behind a link or button of ref, or at a url, and tells where it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Download {
    /// The link or button.
    #[serde(default, flatten)]
    pub target: Option<Target>,
    /// The address of the file.
    #[serde(default)]
    #[schemars(extend("x-kind" = "url"), length(min = 1, max = 10_000_000))]
    pub url: Option<String>,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for Download {
    const NAME: &'static str = "download";
    const ALIASES: &'static [Alias] = &[Alias::of("download_file"), Alias::of("save_file")];
    const PARAM_ALIASES: &'static [(&'static str, &'static str)] =
        &[("link", "url"), ("href", "url"), ("address", "url"), ("uri", "url")];
    const FAMILY: ActionFamily = ActionFamily::Element;
    const RISK: Risk = Risk::Files;
    const MAY_OPEN_TAB: bool = true;

    fn reshape(params: &mut serde_json::Map<String, serde_json::Value>) {
        if let Some(serde_json::Value::String(url)) = params.get_mut("url")
            && let UrlForm::Completed(whole) = UrlForm::of(url)
        {
            *url = whole;
        }
    }

    fn check(&self) -> Vec<ParamFault> {
        match (&self.target, &self.url) {
            (None, None) => vec![ParamFault::missing("ref", "the ref of a link or button, or a url")],
            (Some(_), Some(_)) => {
                vec![ParamFault::bad("url", "stands beside a ref").hint("give one of them")]
            }
            (None, Some(url)) => match UrlForm::of(url) {
                UrlForm::Scheme(scheme) if scheme == "data" || scheme == "blob" => Vec::new(),
                form => form.fault("url").into_iter().collect(),
            },
            (Some(_), None) => Vec::new(),
        }
    }
}

impl Download {
    /// Saves the file behind that link or button.
    #[must_use]
    pub fn of(target: impl Into<Target>) -> Self {
        Self { target: Some(target.into()), url: None, intent: String::new() }
    }

    /// Saves the file at that address.
    #[must_use]
    pub fn at(url: impl Into<String>) -> Self {
        Self { target: None, url: Some(url.into()), intent: String::new() }
    }
}
setters!(Download {});

choice!(
    /// A size of paper.
    Paper {
        /// A4.
        A4 = "a4",
        /// US Letter.
        Letter = "letter",
        /// A3.
        A3 = "a3",
        /// US Legal.
        Legal = "legal",
    }
);

/// Prints the page to a PDF file of the run's folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Pdf {
    /// The file's name; the page's title where none is given.
    #[serde(default)]
    #[schemars(length(max = 200))]
    pub name: Option<String>,
    /// Whether to print across.
    #[serde(default)]
    #[schemars(extend("x-untold" = true))]
    pub landscape: bool,
    /// The paper.
    #[serde(default = "Pdf::default_paper")]
    #[schemars(extend("x-untold" = true))]
    pub paper: Paper,
    /// Only these pages.
    #[serde(default)]
    #[schemars(length(max = 200), extend("x-untold" = true))]
    pub pages: Option<String>,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for Pdf {
    const NAME: &'static str = "pdf";
    const ALIASES: &'static [Alias] = &[Alias::of("save_as_pdf"), Alias::of("print_pdf"), Alias::of("print_page")];
    const PARAM_ALIASES: &'static [(&'static str, &'static str)] =
        &[("file_name", "name"), ("filename", "name"), ("page_ranges", "pages"), ("format", "paper")];
    const FAMILY: ActionFamily = ActionFamily::Browser;
    const RISK: Risk = Risk::Files;

    fn check(&self) -> Vec<ParamFault> {
        let allowed = |letter: char| letter.is_ascii_digit() || matches!(letter, '-' | ',' | ' ');
        match &self.pages {
            Some(pages) if pages.trim().is_empty() || !pages.chars().all(allowed) => {
                vec![ParamFault::bad("pages", "are no pages").hint("write them such as 1-3,5")]
            }
            _ => Vec::new(),
        }
    }
}

impl Pdf {
    fn default_paper() -> Paper {
        Paper::A4
    }

    /// Prints the page.
    #[must_use]
    pub fn page() -> Self {
        Self { name: None, landscape: false, paper: Paper::A4, pages: None, intent: String::new() }
    }
}
setters!(Pdf { name: Option<String>, landscape: bool, paper: Paper, pages: Option<String> });

choice!(
    /// What to do with a file of the run's folder.
    FileOp {
        /// Reads it.
        Read = "read",
        /// Writes it, over what it held.
        Write = "write",
        /// Writes after what it holds.
        Append = "append",
        /// Lists the files.
        List = "list",
    }
);

/// Reads, writes, adds to or lists text files of the run's folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct File {
    /// What to do.
    pub op: FileOp,
    /// The file's name in the folder.
    #[serde(default)]
    #[schemars(length(max = 400))]
    pub name: Option<String>,
    /// What to write.
    #[serde(default)]
    pub text: Option<String>,
    /// Why this step.
    #[serde(default)]
    pub intent: String,
}

impl ActionType for File {
    const NAME: &'static str = "file";
    const ALIASES: &'static [Alias] = &[
        Alias::of("read_file").set(&[("op", Preset::Text("read"))]),
        Alias::of("write_file").set(&[("op", Preset::Text("write"))]),
        Alias::of("append_file").set(&[("op", Preset::Text("append"))]),
        Alias::of("list_files").set(&[("op", Preset::Text("list"))]),
    ];
    const PARAM_ALIASES: &'static [(&'static str, &'static str)] = &[
        ("file_name", "name"),
        ("filename", "name"),
        ("path", "name"),
        ("content", "text"),
        ("contents", "text"),
        ("action", "op"),
        ("operation", "op"),
    ];
    const FAMILY: ActionFamily = ActionFamily::Tool;
    const RISK: Risk = Risk::Files;

    fn check(&self) -> Vec<ParamFault> {
        let mut faults = Vec::new();
        if self.op != FileOp::List && self.name.as_deref().is_none_or(str::is_empty) {
            faults.push(ParamFault::missing("name", "which file"));
        }
        if matches!(self.op, FileOp::Write | FileOp::Append) && self.text.is_none() {
            faults.push(ParamFault::missing("text", "what to write"));
        }
        faults
    }
}

impl File {
    fn of(op: FileOp, name: Option<String>, text: Option<String>) -> Self {
        Self { op, name, text, intent: String::new() }
    }

    /// Reads that file.
    #[must_use]
    pub fn read(name: impl Into<String>) -> Self {
        Self::of(FileOp::Read, Some(name.into()), None)
    }

    /// Writes that text into that file.
    #[must_use]
    pub fn write(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self::of(FileOp::Write, Some(name.into()), Some(text.into()))
    }

    /// Writes that text after what that file holds.
    #[must_use]
    pub fn append(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self::of(FileOp::Append, Some(name.into()), Some(text.into()))
    }

    /// Lists the files.
    #[must_use]
    pub fn list() -> Self {
        Self::of(FileOp::List, None, None)
    }
}
setters!(File {});
