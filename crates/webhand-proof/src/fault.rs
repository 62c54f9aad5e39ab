//! What is done to an engine's browser from outside: named here, done by the drivers.

use serde::Deserialize;

/// What goes away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fault {
    /// The processes of the browser's pages.
    Tab,
    /// The browser, with all its processes.
    Browser,
    /// The connection to a browser that lives on.
    Socket,
}

impl Fault {
    /// As written in case files and reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Fault::Tab => "tab",
            Fault::Browser => "browser",
            Fault::Socket => "socket",
        }
    }
}

/// How a browser must be got for what is to be done to it: one that others use, too, must not be hurt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hold {
    /// Nothing is done to it.
    #[default]
    Shared,
    /// It is started for the case alone.
    Launched,
    /// It is started for the case alone by somebody else, and the engine connects to it.
    Attached,
}
