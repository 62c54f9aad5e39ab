//! People are asked, captchas solved by whoever can, one-time codes waited for; and none of it without somebody there.

#![allow(clippy::unwrap_used)]

mod page;

use std::{
    sync::{Arc, Mutex},
    time::{Duration, SystemTime},
};

use async_trait::async_trait;
use page::Page;
use serde_json::json;
use webhand_action::{
    Settings, Vault, VaultEntry, VaultError,
    catalogue::{AskHuman, CodeKind, Fill, OneTimeCode, SolveCaptcha},
    error::ErrorCode,
    people::{Captcha, CaptchaSolver, CodeSource, Person, PersonError, Question, Reply, SolverError},
};
use webhand_browser::Tab;
use webhand_guard::Secret;

/// One who gives the same answer each time, and keeps what was asked.
#[derive(Debug)]
struct Somebody {
    reply: Reply,
    asked: Mutex<Vec<Question>>,
}

impl Somebody {
    fn who(reply: Reply) -> Arc<Self> {
        Arc::new(Self { reply, asked: Mutex::default() })
    }

    fn asked(&self) -> Vec<Question> {
        self.asked.lock().unwrap().clone()
    }
}

#[async_trait]
impl Person for Somebody {
    async fn ask(&self, question: &Question) -> Result<Reply, PersonError> {
        self.asked.lock().unwrap().push(question.clone());
        Ok(self.reply.clone())
    }
}

async fn open(html: &str, change: impl FnOnce(&mut Settings)) -> Page {
    let mut page = Page::open(html).await;
    let mut settings = page.session.settings().clone();
    change(&mut settings);
    page.session = page.session.with_settings(settings);
    page
}

#[tokio::test]
async fn a_person_is_asked_and_the_answer_comes_back() {
    let person = Somebody::who(Reply::Said(" blue ".to_owned()));
    let mut page = open("<h1>Colours</h1>", |settings| settings.person = Some(person.clone())).await;
    let mut ask = AskHuman::question("Which colour?");
    ask.choices = vec!["Red".to_owned(), "Blue".to_owned()];
    let outcome = page.perform(ask.clone()).await;
    assert!(outcome.ok, "{outcome}");
    assert_eq!(outcome.data, Some(json!("Blue")));
    assert_eq!(person.asked()[0].choices, ["Red", "Blue"]);
    ask.choices = vec!["Red".to_owned()];
    let outcome = page.perform(ask).await;
    assert_eq!((outcome.data, outcome.notes.len()), (Some(json!(" blue ")), 1), "none of the choices");
    page.close().await;
}

#[tokio::test]
async fn without_somebody_a_person_is_needed() {
    let mut page = open("<h1>Alone</h1>", |_| {}).await;
    let outcome = page.perform(AskHuman::question("Which colour?")).await;
    assert_eq!(outcome.code(), Some(ErrorCode::NeedsHuman), "{outcome}");
    page.close().await;
    let person = Somebody::who(Reply::Declined);
    let mut page = open("<h1>Refused</h1>", |settings| settings.person = Some(person)).await;
    let outcome = page.perform(AskHuman::question("Which colour?")).await;
    assert_eq!(outcome.error.as_ref().and_then(|error| error.kind.as_deref()), Some("declined"), "{outcome}");
    page.close().await;
}

/// One who never answers.
#[derive(Debug)]
struct Silent;

#[async_trait]
impl Person for Silent {
    async fn ask(&self, _: &Question) -> Result<Reply, PersonError> {
        std::future::pending().await
    }
}

#[tokio::test]
async fn a_person_who_does_not_answer_is_not_waited_for_for_ever_and_the_wait_can_be_stopped() {
    let mut page = open("<h1>Silence</h1>", |settings| {
        settings.person = Some(Arc::new(Silent));
        settings.human_deadline = Duration::from_millis(50);
    })
    .await;
    let outcome = page.perform(AskHuman::question("Are you there?")).await;
    assert_eq!(outcome.code(), Some(ErrorCode::NeedsHuman), "{outcome}");
    page.close().await;
    let mut page = open("<h1>Silence</h1>", |settings| settings.person = Some(Arc::new(Silent))).await;
    let control = page.session.control();
    let (outcome, ()) = tokio::join!(page.perform(AskHuman::question("Are you there?")), async {
        while control.status().action.is_none() {
            tokio::task::yield_now().await;
        }
        control.stop();
    });
    assert_eq!(outcome.code(), Some(ErrorCode::Stopped), "{outcome}");
    page.close().await;
}

/// Solves what it knows by doing what the page waits for.
#[derive(Debug)]
struct Solver;

#[async_trait]
impl CaptchaSolver for Solver {
    async fn solve(&self, captcha: &Captcha, tab: &Tab) -> Result<(), SolverError> {
        let script = webhand_cdp::protocol::runtime::Evaluate::new("document.getElementById('answer').remove()");
        let done = tab.session().call(&script).await;
        match captcha.kind == "text" && done.is_ok() {
            true => Ok(()),
            false => Err(SolverError::new("unknown kind")),
        }
    }
}

const CAPTCHA: &str = "<label>Letters of the captcha <input id=answer></label>";

#[tokio::test]
async fn a_captcha_goes_to_the_solver_then_to_a_person() {
    let person = Somebody::who(Reply::Finished);
    let mut page = open(CAPTCHA, |settings| {
        settings.captcha_solver = Some(Arc::new(Solver));
        settings.person = Some(person.clone());
    })
    .await;
    let outcome = page.perform(SolveCaptcha::shown()).await;
    assert!(outcome.ok && outcome.message.contains("solver"), "{outcome}");
    assert!(person.asked().is_empty());
    let outcome = page.perform(SolveCaptcha::shown()).await;
    assert_eq!(outcome.code(), Some(ErrorCode::ElementNotFound), "there is none any more: {outcome}");
    page.close().await;
    let mut page = open(CAPTCHA, |settings| settings.person = Some(person.clone())).await;
    let outcome = page.perform(SolveCaptcha::shown()).await;
    assert!(outcome.ok && outcome.message.contains("person says"), "{outcome}");
    assert!(outcome.notes.iter().any(|note| note.contains("still shows it")), "{outcome}");
    assert!(person.asked()[0].take_over);
    page.close().await;
}

/// A mailbox in which a code arrives when it is looked for.
#[derive(Clone, Debug, Default)]
struct Mailbox {
    since: Arc<Mutex<Vec<SystemTime>>>,
}

#[async_trait]
impl CodeSource for Mailbox {
    async fn code(&self, since: SystemTime) -> Result<Secret, VaultError> {
        let mut asked = self.since.lock().unwrap();
        asked.push(since);
        Ok(Secret::new(format!("48151{}", asked.len())))
    }
}

#[tokio::test]
async fn a_code_that_was_sent_is_typed_by_its_handle_and_never_seen() {
    let mailbox = Mailbox::default();
    let mut page = Page::served("<label>Code <input id=code></label>", "").await;
    let url = page.session.tab().url();
    let entry =
        VaultEntry::of([url.trim_end_matches('/')]).unwrap().with_codes("code", CodeKind::Email, mailbox.clone());
    let mut settings = page.session.settings().clone();
    settings.vault = Arc::new(Vault::default().with("shop", entry.with("password", Secret::new("x"))));
    page.session = page.session.with_settings(settings);
    let outcome = page.perform(OneTimeCode::of("<secret>shop.code</secret>")).await;
    assert!(outcome.ok && !outcome.to_string().contains("481511"), "{outcome}");
    let outcome = page.perform(Fill::on(page.on("Code"), "<secret>shop.code</secret>")).await;
    assert!(outcome.ok && !outcome.to_string().contains("481511"), "{outcome}");
    assert_eq!(page.js("code.value").await, json!("481511"));
    // a second one is one that was sent after the first was asked for
    let outcome = page.perform(OneTimeCode::of("shop.code")).await;
    assert!(outcome.ok, "{outcome}");
    let since = mailbox.since.lock().unwrap().clone();
    assert!(since.len() == 2 && since[0] < since[1], "{since:?}");
    let outcome = page.perform(OneTimeCode::of("shop.password")).await;
    assert!(outcome.to_string().contains("shop.code"), "it says what gives codes: {outcome}");
    let mut by_sms = OneTimeCode::of("shop.code");
    by_sms.source = Some(CodeKind::Sms);
    assert_eq!(page.perform(by_sms).await.code(), Some(ErrorCode::InvalidAction));
    page.close().await;
}
