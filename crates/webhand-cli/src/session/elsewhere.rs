//! Systems on which no session can be kept yet: each command says so.

use super::{
    place::Place,
    protocol::{Answer, Asks, Want},
};
use crate::{config::Settings, trouble::Trouble};

fn cannot() -> Trouble {
    Trouble::new("unsupported", "sessions cannot be kept on this system yet").hint("use --url")
}

/// Not here.
pub(crate) async fn ask(_: &Place, _: &Settings, _: Want, _: &Asks) -> Result<Answer, Trouble> {
    Err(cannot())
}

/// Not here.
pub(crate) async fn ask_running(_: &Place, _: Want) -> Result<Option<Answer>, Trouble> {
    Err(cannot())
}
