//! The policies: each understands one family of sentences, whatever task they come from, and acts by what the snapshot
//! shows. They know roles, names, states and texts; no task's name, no selector, no table of answers.

mod answer;
mod arrange;
mod calendar;
mod colours;
mod count;
mod drag;
mod editor;
mod follow;
mod form;
mod geometry;
mod mail;
mod mark;
mod menu;
mod numbers;
mod order;
mod pattern;
mod posts;
mod replay;
mod results;
mod schedule;
mod seek;
mod shapes;
mod steps;
mod suggest;
mod terminal;
mod travel;
mod tune;
mod watch;

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use webhand::prelude::Snapshot;

use super::hand::{Hand, Played};

/// A family of sentences, and how they are carried out.
#[async_trait]
pub(crate) trait Policy: Send + Sync + fmt::Debug {
    /// What it is called in reports.
    fn name(&self) -> &'static str;

    /// What it understands, in a sentence.
    fn about(&self) -> &'static str;

    /// Whether it can read that goal on such a page.
    fn understands(&self, goal: &str, page: &Snapshot) -> bool;

    /// Carries the goal out.
    async fn play(&self, goal: &str, page: Arc<Snapshot>, hand: &mut Hand<'_>) -> Played;
}

/// All, in the order in which they are asked.
pub(crate) fn all() -> Vec<Box<dyn Policy>> {
    vec![
        Box::new(mail::Mail),
        Box::new(posts::Posts),
        Box::new(menu::Menu),
        Box::new(colours::Colours),
        Box::new(shapes::Shapes),
        Box::new(geometry::Geometry),
        Box::new(mark::Mark),
        Box::new(editor::Editor),
        Box::new(travel::Travel),
        Box::new(calendar::Calendar),
        Box::new(suggest::Suggest),
        Box::new(numbers::Numbers),
        Box::new(order::Order),
        Box::new(form::Form),
        Box::new(results::Results),
        Box::new(terminal::Terminal),
        Box::new(watch::Watch),
        Box::new(arrange::Arrange),
        Box::new(count::Count),
        Box::new(drag::Drag),
        Box::new(follow::Follow),
        Box::new(pattern::Pattern),
        Box::new(replay::Replay),
        Box::new(schedule::Schedule),
        Box::new(answer::Answer),
        Box::new(seek::Seek),
        Box::new(steps::Steps),
    ]
}
