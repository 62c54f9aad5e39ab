//! A site as data: pages, extra routes and how they misbehave, and the origins it is served from. Pure.
//!
//! It must not know how it is served: see [`crate::server`].

use std::{
    collections::BTreeMap,
    path::{Component, Path, PathBuf},
};

use serde::Deserialize;

/// The name of the origin that a site always has.
pub const MAIN_ORIGIN: &str = "main";

/// What a [`crate::Server`] serves.
#[derive(Clone, Debug, Default)]
pub struct Site {
    pub(crate) folder: Option<PathBuf>,
    pub(crate) pages: BTreeMap<String, String>,
    pub(crate) routes: Vec<Route>,
    pub(crate) origins: Vec<Origin>,
}

/// An extra origin: another port, under the host name `localhost` or `127.0.0.1`.
///
/// The main origin is always `127.0.0.1`, so an origin on `localhost` is another *site*, and one on `127.0.0.1` is the
/// same site on another port.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// What placeholders and routes call it.
    pub name: String,
    /// Its host name.
    #[serde(default)]
    pub host: Host,
}

/// The host names that lead to this machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub enum Host {
    /// Another site than the main origin.
    #[default]
    #[serde(rename = "localhost")]
    Localhost,
    /// The same site as the main origin.
    #[serde(rename = "127.0.0.1")]
    Loopback,
}

impl Host {
    /// The host as written in an address.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Host::Localhost => "localhost",
            Host::Loopback => "127.0.0.1",
        }
    }
}

/// One path with an answer of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Route {
    /// The path, without query: `/slow.js`.
    pub path: String,
    /// Only for this method (`GET`, `POST` …); any when absent.
    pub method: Option<String>,
    /// Only on this origin; on every origin when absent.
    pub origin: Option<String>,
    /// Only for the first so many requests; later ones go to the next route that fits.
    pub times: Option<u32>,
    /// The status; 200 when absent, 302 for a redirect.
    pub status: Option<u16>,
    /// Extra headers.
    pub headers: BTreeMap<String, String>,
    /// How long the server waits before it answers.
    pub delay_ms: u64,
    /// The body as text; placeholders are filled in.
    pub body: Option<String>,
    /// The body in base64, for what is no text.
    pub base64: Option<String>,
    /// A file of the site's folder as the body.
    pub file: Option<String>,
    /// Answers with a redirect to this address; placeholders are filled in.
    pub redirect: Option<String>,
    /// Takes the request and never answers.
    pub never: bool,
    /// Breaks the connection off after so many bytes of the body.
    pub cut_after: Option<usize>,
}

impl Route {
    /// A route that answers this path with 200 and an empty body, to be refined by its fields.
    #[must_use]
    pub fn at(path: &str) -> Self {
        Self { path: path.to_owned(), ..Self::default() }
    }

    /// Whether this route is meant for such a request.
    #[must_use]
    pub fn fits(&self, origin: &str, method: &str, path: &str) -> bool {
        self.path == path
            && self.origin.as_deref().is_none_or(|wanted| wanted == origin)
            && self.method.as_deref().is_none_or(|wanted| wanted.eq_ignore_ascii_case(method))
    }
}

impl Site {
    /// An empty site.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Serves the files of this folder (and below) by their path.
    #[must_use]
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
        self
    }

    /// Serves this text at this path, such as `/index.html`.
    #[must_use]
    pub fn page(mut self, path: &str, text: impl Into<String>) -> Self {
        self.pages.insert(path.to_owned(), text.into());
        self
    }

    /// Adds a route; routes go before pages and files.
    #[must_use]
    pub fn route(mut self, route: Route) -> Self {
        self.routes.push(route);
        self
    }

    /// Adds an origin.
    #[must_use]
    pub fn origin(mut self, name: &str, host: Host) -> Self {
        self.origins.push(Origin { name: name.to_owned(), host });
        self
    }

    /// The file that a path means, if it stays inside the folder.
    pub(crate) fn file_of(&self, path: &str) -> Option<PathBuf> {
        let relative = Path::new(path.strip_prefix('/').unwrap_or(path));
        let inside = relative.components().all(|part| matches!(part, Component::Normal(_)));
        (inside && !relative.as_os_str().is_empty())
            .then(|| self.folder.as_ref().map(|folder| folder.join(relative)))?
    }
}

/// The media type of a path, by its ending.
pub(crate) fn media_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html" | "htm") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("pdf") => "application/pdf",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_never_leaves_the_folder() {
        let site = Site::new().folder("/fixtures");
        assert_eq!(site.file_of("/a/b.html"), Some(PathBuf::from("/fixtures/a/b.html")));
        for path in ["/", "/../etc/passwd", "/a/../../x", "//etc/passwd", "/./x/.."] {
            assert_eq!(site.file_of(path), None, "{path}");
        }
    }

    #[test]
    fn a_route_is_chosen_by_origin_method_and_path() {
        let route = Route { method: Some("post".into()), origin: Some("shop".into()), ..Route::at("/buy") };
        assert!(route.fits("shop", "POST", "/buy"));
        assert!(!route.fits("main", "POST", "/buy"));
        assert!(!route.fits("shop", "GET", "/buy"));
        assert!(!route.fits("shop", "POST", "/buy/now"));
    }
}
