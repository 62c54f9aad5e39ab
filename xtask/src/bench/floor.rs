//! The floors: what raw protocol commands cost, without an engine, in a browser of their own with the same flags.
//!
//! `floor-full` is the one to be held against: a walk in the page's own world in every frame session, closed shadow
//! roots, a hit test of what is in view, and the whole gesture in one write. `floor-walker` is its bare walk alone,
//! `floor-axtree` asks the browser for its accessibility tree. They show prices, not generality.
//!
//! It must not know webhand.

use std::time::Instant;

use super::contender::{Contender as _, Failure, milliseconds};

mod browser;
mod full;
mod reference;

pub(crate) use browser::{FloorBrowser, Recipe};
pub(crate) use full::FloorFull;
pub(crate) use reference::Reference;

/// How long it takes from the start of a browser to the first reading of that address.
pub(crate) async fn launch_time(recipe: &Recipe, address: &str) -> Result<f64, Failure> {
    let began = Instant::now();
    let mut floor = FloorFull::new(FloorBrowser::start(recipe).await?);
    floor.open(address).await?;
    floor.look().await?;
    let time = milliseconds(began.elapsed());
    floor.close().await;
    Ok(time)
}
