//! The loop's eyes and hands on a real page: a browser session.

use std::{path::Path, sync::Arc, time::Duration};

use async_trait::async_trait;
use tokio::sync::Mutex;
use webhand_action::{
    BatchOptions, PictureOptions, ReportItem, Session, SessionError, SessionState, Stopper, Witness,
    catalogue::{Action, Catalogue, Navigate, Risk, Tab},
    outcome::Outcome,
    people::Captcha,
    schema::PageNeeds,
};
use webhand_browser::ImageFormat;
use webhand_page::{Sight, Snapshot};

use crate::{
    agent::Agent,
    hands::{Acted, Hands, Onlook, Seen, Unseen},
    model::Model,
    prompt::Image,
};

/// How good a step's picture is, of 100.
const PICTURE_QUALITY: u8 = 70;
/// The longer side of a picture for a model, in pixels: larger ones are made smaller by the providers.
const PICTURE_SIDE: u32 = 1_400;

impl Agent {
    /// An agent of that model, working in that session.
    #[must_use]
    pub fn new(model: Arc<dyn Model>, session: Session) -> Self {
        let catalogue = for_models(&session);
        Self::with_hands(model, Box::new(Browsing { session: Arc::new(Mutex::new(session)), catalogue }))
    }

    /// The same in a session that others use before and after the run; meanwhile they wait for each action's end.
    pub async fn sharing(model: Arc<dyn Model>, session: Arc<Mutex<Session>>) -> Self {
        let catalogue = for_models(&*session.lock().await);
        Self::with_hands(model, Box::new(Browsing { session, catalogue }))
    }
}

/// What models may ask of a session: code in its pages only where that is allowed.
fn for_models(session: &Session) -> Arc<Catalogue> {
    let whole = session.catalogue();
    if session.settings().model_scripts {
        Arc::clone(whole)
    } else {
        Arc::new((**whole).clone().without(&["evaluate"]))
    }
}

/// A session as the loop uses it.
struct Browsing {
    session: Arc<Mutex<Session>>,
    catalogue: Arc<Catalogue>,
}

#[async_trait]
impl Hands for Browsing {
    fn catalogue(&self) -> &Arc<Catalogue> {
        &self.catalogue
    }

    async fn stopper(&mut self) -> Stopper {
        self.session.lock().await.control().stopper()
    }

    async fn limit_page(&mut self, tokens: u32) {
        let mut session = self.session.lock().await;
        let limit = session.settings().view.options().max_tokens;
        if limit == 0 || limit > tokens {
            let view = session.settings().view.clone().with_max_tokens(tokens);
            session.set_view(view);
        }
    }

    async fn keep_files_in(&mut self, folder: &Path) {
        let mut session = self.session.lock().await;
        let rules = session.settings().files.clone();
        if rules.folder.is_none() {
            session.set_file_rules(rules.with_folder(folder));
        }
    }

    async fn look(&mut self) -> Result<Seen, Unseen> {
        let mut session = self.session.lock().await;
        let snapshot = session.snapshot().await.map_err(|error| unseen(&error))?;
        let (back, forward) = session.tab().history().await.unwrap_or_default();
        let settings = session.settings();
        let files = &settings.files;
        let needs = PageNeeds::default()
            .and_uploads(!files.upload_from.is_empty())
            .and_folder(files.folder.is_some())
            .and_history(back, forward)
            .and_person(settings.person.is_some())
            .and_captcha(Captcha::seen_in(&snapshot).is_some())
            .and_codes(settings.vault.has_codes())
            .and_scripts(settings.model_scripts)
            .and_extractor(settings.extractor.is_some());
        Ok(Seen { text: session.text(&snapshot), snapshot, needs })
    }

    async fn act(&mut self, actions: &[Action], onlooker: &mut dyn Onlook) -> Vec<Acted> {
        let options = BatchOptions::default().max_actions(actions.len());
        let mut through = Through(onlooker);
        let report = self.session.lock().await.perform_witnessed(actions, &options, &mut through).await;
        report.items.into_iter().filter_map(acted).collect()
    }

    async fn restore(&mut self, state: &SessionState) -> Result<Vec<String>, Unseen> {
        let mut session = self.session.lock().await;
        session.restore(state).await.map_err(|error| Unseen::Lost(error.to_string()))
    }

    async fn peek(&mut self, url: &str) -> Result<Arc<Snapshot>, Unseen> {
        let mut session = self.session.lock().await;
        let opened = session.perform(Tab::open()).await;
        if !opened.ok {
            return Err(Unseen::Unread(opened.message));
        }
        let led = session.perform(Navigate::to(url)).await;
        let seen = if led.ok {
            session.snapshot().await.map_err(|error| unseen(&error))
        } else {
            Err(Unseen::Unread(led.message))
        };
        let closed = session.perform(Tab::close(None)).await;
        if !closed.ok {
            return Err(Unseen::Unread(closed.message));
        }
        seen
    }

    async fn picture(&mut self, within: Duration) -> Option<Vec<u8>> {
        let mut options = PictureOptions::default();
        (options.format, options.quality) = (ImageFormat::Jpeg, Some(PICTURE_QUALITY));
        self.pictured(&options, within).await
    }

    async fn vision(&mut self, sight: &Sight, within: Duration) -> Vec<Image> {
        let Some(mut options) = PictureOptions::for_sight(*sight) else { return Vec::new() };
        (options.format, options.quality) = (ImageFormat::Jpeg, Some(PICTURE_QUALITY));
        options.max_side = PICTURE_SIDE;
        let what = match sight {
            Sight::Region(_) => "A part of the page as it looks now, with the refs of its controls.",
            _ => "The page as it looks now, with the refs of its controls.",
        };
        self.pictured(&options, within).await.map(|bytes| Image::jpeg(bytes, what)).into_iter().collect()
    }
}

impl Browsing {
    async fn pictured(&self, options: &PictureOptions, within: Duration) -> Option<Vec<u8>> {
        let mut session = self.session.lock().await;
        if session.tab().dialog().is_some() {
            return None;
        }
        match tokio::time::timeout(within, session.picture(options)).await {
            Ok(Ok(picture)) => Some(picture.bytes),
            Ok(Err(error)) => {
                tracing::debug!(%error, "no picture of this step");
                None
            }
            Err(_) => None,
        }
    }
}

/// Passes on what is seen of actions, with what the browser holds after each that may have changed it.
struct Through<'a>(&'a mut dyn Onlook);

#[async_trait]
impl Witness for Through<'_> {
    async fn before(&mut self, index: usize, action: &Action) -> Result<(), String> {
        self.0.before(index, action).await
    }

    async fn after(&mut self, index: usize, outcome: &Outcome, session: &mut Session) {
        let changes = outcome.risk != Risk::Read && session.tab().dialog().is_none();
        let state = if changes && self.0.wants_state() { Some(session.state().await) } else { None };
        self.0.after(index, outcome, state).await;
    }
}

fn acted(item: ReportItem) -> Option<Acted> {
    match item {
        ReportItem::Done { outcome } | ReportItem::Failed { outcome } => Some(Acted::Ran(Box::new(outcome))),
        ReportItem::NotTried { action, why } => Some(Acted::LeftOut(action, why)),
        _ => None,
    }
}

fn unseen(error: &SessionError) -> Unseen {
    match error.code() {
        "browser_lost" | "tab_closed" => Unseen::Lost(error.to_string()),
        _ => Unseen::Unread(error.to_string()),
    }
}
