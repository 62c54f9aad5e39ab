//! What a policy has: it can look at the page and act on it, as any user of the library. Nothing else of the page reaches
//! it: no selector, no script, not even the task's name.
//!
//! After each action the page is asked whether the episode is over; a policy stops there. It must not know any policy.

use std::fmt;
use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use webhand::action::{Part, PictureOptions};
use webhand::prelude::{Action, Click, Fill, FormatOptions, Hover, Outcome, Session, Snapshot, Wait};

use super::sight::Picture;
use super::stage::Stage;

/// Why a policy stops before it is through.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The page has judged.
    Over,
    /// It cannot go on.
    Lost(String),
}

impl Stop {
    /// It cannot go on, for that reason.
    pub(crate) fn lost(why: impl fmt::Display) -> Self {
        Self::Lost(why.to_string())
    }
}

/// How a policy ends.
pub(crate) type Played<T = ()> = Result<T, Stop>;

/// A session and the page's judgement.
#[derive(Debug)]
pub(crate) struct Hand<'a> {
    session: &'a mut Session,
    stage: &'a Stage,
    /// What was done and what came of it, a line each.
    pub(crate) story: Vec<String>,
    /// Whether the last action was said to have failed.
    pub(crate) last_failed: bool,
    /// Whether what is seen goes into the story, too.
    tells_looks: bool,
}

impl<'a> Hand<'a> {
    pub(crate) fn new(session: &'a mut Session, stage: &'a Stage, tells_looks: bool) -> Self {
        Self { session, stage, story: Vec::new(), last_failed: false, tells_looks }
    }

    /// Looks at the page.
    pub(crate) async fn look(&mut self) -> Played<Arc<Snapshot>> {
        // boxed, here and below: what policies are made of is small, and quick to compile
        let page = self.session.snapshot().boxed().await.map_err(Stop::lost)?;
        if self.tells_looks {
            self.story.extend(page.outline(&FormatOptions::default()).lines().map(|line| format!("     | {line}")));
        }
        Ok(page)
    }

    /// Looks until the page shows the same twice: what slides open shows all that is in it.
    pub(crate) async fn look_still(&mut self) -> Played<Arc<Snapshot>> {
        let mut page = self.look().await?;
        for _ in 0..10 {
            self.act(Wait::time(0.06)).await?;
            let again = self.look().await?;
            let same = again.nodes.len() == page.nodes.len();
            page = again;
            if same {
                break;
            }
        }
        Ok(page)
    }

    /// A picture of the upper left part of the view, as a model that can see gets one.
    pub(crate) async fn picture(&mut self) -> Played<Picture> {
        self.picture_of([0.0, 0.0, 320.0, 320.0]).await
    }

    /// A picture of a part of the view: left, top, width and height.
    pub(crate) async fn picture_of(&mut self, area: [f64; 4]) -> Played<Picture> {
        let mut options = PictureOptions::default();
        options.part = Part::Region(area);
        let picture = self.session.picture(&options).boxed().await.map_err(Stop::lost)?;
        let image = image::load_from_memory(&picture.bytes).map_err(Stop::lost)?;
        Ok(Picture::new(image.into_rgb8(), picture.area))
    }

    /// Performs an action. One that fails is the policy's end; see [`Hand::attempt`].
    pub(crate) async fn act(&mut self, action: impl Into<Action>) -> Played<Outcome> {
        let outcome = self.attempt(action).await?;
        outcome.into_result().map_err(Stop::lost)
    }

    /// Performs an action, which may fail.
    pub(crate) async fn attempt(&mut self, action: impl Into<Action>) -> Played<Outcome> {
        let action = action.into();
        self.attempt_it(action).await
    }

    fn attempt_it(&mut self, action: Action) -> BoxFuture<'_, Played<Outcome>> {
        async move { self.perform(action).await }.boxed()
    }

    async fn perform(&mut self, action: Action) -> Played<Outcome> {
        let outcome = self.session.perform(action).boxed().await;
        self.last_failed = !outcome.ok;
        self.story.push(outcome.to_string());
        let judged = self.stage.judged().boxed().await.map_err(Stop::lost)?;
        if judged.over { Err(Stop::Over) } else { Ok(outcome) }
    }

    /// Clicks. Where it moved away under the press and no click arrived, what the pointer sets in motion is waited for.
    pub(crate) async fn click(&mut self, target: impl Into<webhand::actions::Target>) -> Played<Outcome> {
        let target = target.into();
        let outcome = self.attempt(Click::on(target.clone())).await?;
        if outcome.error.as_ref().is_some_and(|error| error.kind.as_deref() == Some("moving")) {
            self.attempt(Hover::on(target.clone())).await?;
            self.look_still().await?;
            return self.act(Click::on(target)).await;
        }
        outcome.into_result().map_err(Stop::lost)
    }

    /// Fills a field.
    pub(crate) async fn fill(
        &mut self,
        target: impl Into<webhand::actions::Target>,
        text: impl Into<String>,
    ) -> Played<Outcome> {
        self.act(Fill::on(target, text)).await
    }
}
