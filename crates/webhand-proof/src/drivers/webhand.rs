//! webhand itself behind the driver's traits, through its public library only.

use std::{sync::Arc, time::Duration};

use serde_json::Value;
use webhand::{
    Browser,
    action::{
        BatchOptions, FileRules, ReportItem, Session, SessionControl, Settings,
        catalogue::Action,
        decode::{Finish, decode},
        outcome::Outcome,
    },
    cdp::protocol::{emulation::SetDeviceMetricsOverride, runtime::Evaluate},
    engine::{Headless, Launch, TabId},
};

use super::{victim::Victim, webhand_sight::sight_of};
use crate::{
    case::{BatchRules, Kind, Setting},
    driver::{Beside, Driver, DriverError, Engine, Opening, Place},
    fault::{Fault, Hold},
    sight::{Heard, ItemSaid, Reached, Said, Sight, View},
};

/// How long a page may take to open.
const OPEN_WITHIN: Duration = Duration::from_secs(30);
/// How long an element may take to become usable: less than by default, or the many right refusals would take minutes.
const ACTION_WITHIN: Duration = Duration::from_millis(2_500);

/// Width and height of a view where a case gives only its scale.
const USUAL_VIEW: [u32; 2] = [800, 600];

/// webhand with a browser of one kind.
#[derive(Debug)]
pub struct WebhandEngine {
    kind: Kind,
    browser: Browser,
}

/// One session of webhand.
#[derive(Debug)]
pub struct WebhandDriver {
    session: Session,
    first: TabId,
    own: Option<Arc<Victim>>,
}

/// What can be done while an action of a session is under way.
#[derive(Debug)]
pub struct WebhandBeside {
    control: SessionControl,
    own: Option<Arc<Victim>>,
}

impl WebhandEngine {
    /// Starts a browser of that kind.
    ///
    /// # Errors
    /// When there is none or it does not start.
    pub async fn launch(kind: Kind) -> Result<Self, DriverError> {
        let browser =
            Browser::launch(Launch::from_env().headless(headless_of(kind))).await.map_err(failed("launch"))?;
        Ok(Self { kind, browser })
    }
}

fn headless_of(kind: Kind) -> Headless {
    match kind {
        Kind::Shell => Headless::Shell,
        Kind::New => Headless::New,
    }
}

fn failed<E: std::fmt::Display>(doing: &'static str) -> impl Fn(E) -> DriverError {
    move |error| DriverError::Engine { doing, why: error.to_string() }
}

impl Engine for WebhandEngine {
    type Driver = WebhandDriver;

    fn kind(&self) -> Kind {
        self.kind
    }

    async fn open(&self, url: &str, opening: &Opening) -> Result<WebhandDriver, DriverError> {
        let setting = &opening.setting;
        let mut settings = Settings::default();
        settings.action_deadline = setting.action_within.unwrap_or(ACTION_WITHIN);
        settings.navigation_deadline = setting.navigation_within.unwrap_or(settings.navigation_deadline);
        settings.files = FileRules::default().with_folder(&opening.run);
        if let Some(uploads) = &opening.uploads {
            settings.files = settings.files.with_upload_from(uploads);
        }
        let own = match opening.hold {
            Hold::Shared => None,
            hold => {
                let own = Box::pin(Victim::start(headless_of(self.kind), hold)).await;
                Some(Arc::new(own.map_err(failed("start a browser of the case's own"))?))
            }
        };
        let browser = own.as_ref().map_or(&self.browser, |own| own.browser());
        let session = browser.blank().await.map_err(failed("open a session"))?.with_settings(settings);
        let tab = session.tab().clone();
        if let Some(screen) = screen_of(setting) {
            tab.session().call(&screen).await.map_err(failed("set the viewport"))?;
        }
        tab.navigate(url, OPEN_WITHIN).await.map_err(failed("open the page"))?;
        Ok(WebhandDriver { first: tab.id(), session, own })
    }

    async fn close(self) {
        self.browser.close().await;
    }
}

/// The screen that a case wants, where it wants one of its own.
fn screen_of(setting: &Setting) -> Option<SetDeviceMetricsOverride> {
    if (setting.viewport, setting.scale, setting.zoom) == (None, None, None) {
        return None;
    }
    let [width, height] = setting.viewport.unwrap_or(USUAL_VIEW).map(f64::from);
    let zoom = setting.zoom.unwrap_or(1.0);
    #[expect(clippy::cast_possible_truncation, reason = "some hundreds of pixels")]
    let zoomed = |pixels: f64| (pixels / zoom).round() as i64;
    Some(SetDeviceMetricsOverride::new(zoomed(width), zoomed(height), setting.scale.unwrap_or(1.0) * zoom, false))
}

impl Driver for WebhandDriver {
    type Beside = WebhandBeside;

    fn beside(&self) -> WebhandBeside {
        WebhandBeside { control: self.session.control(), own: self.own.clone() }
    }

    async fn look(&mut self, view: View) -> Result<Sight, DriverError> {
        Ok(sight_of(&*self.session.snapshot().await.map_err(failed("look"))?, view))
    }

    async fn act(&mut self, action: &Value) -> Result<Said, DriverError> {
        match serde_json::from_value::<Action>(action.clone()) {
            Ok(action) => Ok(said(&self.session.perform(action).await)),
            Err(error) => Ok(refused(error.to_string())),
        }
    }

    async fn act_all(&mut self, actions: &[Value], rules: BatchRules) -> Result<Heard, DriverError> {
        let read = actions.iter().map(|action| serde_json::from_value(action.clone())).collect::<Result<Vec<_>, _>>();
        match read {
            Ok(actions) => Ok(self.perform_all(&actions, rules).await),
            Err(error) => Ok(Heard::Undecodable(refused(error.to_string()))),
        }
    }

    async fn reply(&mut self, text: &str) -> Result<Heard, DriverError> {
        match decode(text, Finish::Stop, self.session.catalogue()) {
            Ok(decision) => Ok(self.perform_all(&decision.actions, BatchRules::default()).await),
            Err(error) => Ok(Heard::Undecodable(refused(error.feedback()))),
        }
    }

    async fn evaluate(&mut self, expression: &str, place: Place) -> Result<Value, DriverError> {
        let current = self.session.tab();
        let first = self.session.context().tab(self.first).filter(|_| place == Place::First || current.is_closed());
        let tab = first.as_ref().unwrap_or(current);
        let mut evaluate = Evaluate::new(expression);
        evaluate.return_by_value = Some(true);
        evaluate.await_promise = Some(true);
        let reply = tab.session().call(&evaluate).await.map_err(failed("read the page's record"))?;
        if let Some(thrown) = reply.exception_details {
            let described = thrown.exception.and_then(|exception| exception.description);
            return Err(DriverError::Script(described.unwrap_or(thrown.text)));
        }
        match reply.result.value {
            Some(value) => serde_json::from_str(value.get()).map_err(failed("read the page's record")),
            None => Ok(Value::Null),
        }
    }

    async fn close(self) {
        // The context goes with its tabs; a browser that is gone already has none.
        let _ = self.session.context().close().await;
        drop(self.session);
        if let Some(own) = self.own.and_then(Arc::into_inner) {
            own.close().await;
        }
    }
}

impl Beside for WebhandBeside {
    async fn act(&self, action: &Value) -> Said {
        match serde_json::from_value::<Action>(action.clone()) {
            Ok(action) => said(&self.control.perform(action).await),
            Err(error) => refused(error.to_string()),
        }
    }

    fn stop(&self) {
        self.control.stop();
    }

    async fn hurt(&self, fault: Fault) -> Result<(), DriverError> {
        let own = self.own.as_ref().ok_or(DriverError::Unsupported("hurt a browser that others use"))?;
        own.hurt(fault).map_err(failed("hurt the browser"))
    }
}

impl WebhandDriver {
    async fn perform_all(&mut self, actions: &[Action], rules: BatchRules) -> Heard {
        let failures = usize::try_from(rules.go_on_after_failures).unwrap_or(usize::MAX);
        let options = BatchOptions::default().continue_after(failures);
        Heard::Several(self.session.perform_all(actions, &options).await.items.iter().map(item_said).collect())
    }
}

fn item_said(item: &ReportItem) -> ItemSaid {
    let reached = match item {
        ReportItem::Done { .. } => Reached::Done,
        ReportItem::Failed { .. } => Reached::Failed,
        _ => Reached::NotTried,
    };
    let said = match (item.outcome(), item) {
        (Some(outcome), _) => said(outcome),
        (None, ReportItem::NotTried { why, .. }) => Said { words: why.clone(), ..Said::default() },
        (None, _) => Said::default(),
    };
    ItemSaid { reached, said }
}

fn said(outcome: &Outcome) -> Said {
    Said {
        ok: outcome.ok,
        code: outcome.code().map(|code| code.as_str().to_owned()),
        words: outcome.to_string(),
        effects: serde_json::to_string(&outcome.effects).unwrap_or_default(),
        whole: serde_json::to_string(outcome).unwrap_or_default(),
    }
}

/// An action that is none: as the engine says of any other fault in an action.
fn refused(words: String) -> Said {
    Said { ok: false, code: Some("invalid_action".to_owned()), words, ..Said::default() }
}
