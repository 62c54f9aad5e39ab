//! Risk raised to `commit` by what would really be set off, and a policy that is asked before it is.

#![allow(clippy::unwrap_used)]

mod page;

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use page::{Page, done, kind};
use serde_json::json;
use webhand_action::{
    Deed, Policy, RiskPolicy, Ruling, Settings,
    catalogue::{Click, Dialog, Fill, FillForm, FormField, Press, Risk, Target, Type},
    error::ErrorCode,
    outcome::Outcome,
};
use webhand_browser::Tab;
use webhand_cdp::protocol::runtime::Evaluate;

const SHOP: &str = "<!doctype html><title>Shop</title><script>
    window.log = [];
    addEventListener('submit', (event) => { event.preventDefault(); log.push(event.target.id); }, true);
    addEventListener('click', (event) => { if (event.target.dataset.say) { log.push(event.target.dataset.say); out.textContent += '.'; } });
    </script><p id=out></p>
    <form id=contact method=post action=/next><label>Subject <input name=subject></label> <label>Copies <input name=n></label>
      <label>Text <textarea></textarea></label><button>Continue</button></form>
    <form id=find method=post role=search action=/next><label>Find <input name=q></label><button>Go</button></form>
    <form id=login method=post action=/next><label>Name <input name=user autocomplete=username></label>
      <label>Password <input type=password></label><button>Confirm</button></form>
    <form id=filter action=/next><label>Colour <input name=colour></label><button>Show</button></form>
    <form id=join method=post action=/next><label>New password <input type=password autocomplete=new-password></label>
      <label>Again <input type=password autocomplete=new-password></label><button>Join</button></form>
    <button data-say=delete><span>Delete</span> <b>it</b></button> <button data-say=more>Show more</button>
    <div role=button tabindex=0 data-say=pay onkeydown='if (event.key === \" \") log.push(\"pay\"), out.textContent += 1'>Jetzt bezahlen</div>
    <label><input type=checkbox onclick='log.push(\"box\")'> Delete on exit</label>
    <a href='#guide' data-say=guide>How to delete a page</a>
    <button data-say=ask onclick='if (confirm(\"Go on?\")) log.push(\"confirmed\")'>Delete all</button>
    <button data-say=wait onclick='if (confirm(\"Do you really want to send it?\")) log.push(\"sent\")'>Weiter</button>";

async fn with(html: &str, policy: impl Policy + 'static) -> Page {
    let mut page = Page::open(html).await;
    let mut settings = Settings::default();
    settings.policy = Arc::new(policy);
    page.session = page.session.with_settings(settings);
    page
}

/// Nothing may commit.
fn no_commit() -> RiskPolicy {
    RiskPolicy::default().with(Risk::Commit, Ruling::Refuse)
}

#[track_caller]
fn forbidden(outcome: &Outcome) {
    assert_eq!((outcome.code(), kind(outcome)), (Some(ErrorCode::BlockedByPolicy), Some("risk")), "{outcome}");
    assert_eq!(outcome.risk, Risk::Commit, "{outcome}");
}

#[tokio::test]
async fn the_outcome_says_what_was_at_risk() {
    let mut page = Page::open(SHOP).await;
    for (name, risk) in [
        ("Continue", Risk::Commit),
        ("Go", Risk::Edit),
        ("Confirm", Risk::Edit),
        ("Show", Risk::Edit),
        ("Join", Risk::Commit),
        ("Delete it", Risk::Commit),
        ("Show more", Risk::Edit),
        ("Jetzt bezahlen", Risk::Commit),
        ("Delete on exit", Risk::Edit),
        ("How to delete a page", Risk::Edit),
    ] {
        let outcome = page.perform(Click::on(page.on(name))).await;
        assert_eq!(outcome.risk, risk, "{name}: {outcome}");
        assert_eq!(serde_json::to_value(&outcome).unwrap()["risk"], json!(risk.as_str()));
    }
    page.close().await;
}

#[tokio::test]
async fn what_may_not_commit_is_left_untouched() {
    let mut page = with(SHOP, no_commit()).await;
    for name in ["Continue", "Join", "Delete it", "Jetzt bezahlen"] {
        forbidden(&page.perform(Click::on(page.on(name))).await);
    }
    let at = page.js("(() => { const b = document.querySelector('b').getBoundingClientRect(); return [b.left + 2, b.top + 2] })()").await;
    let (x, y) = (at[0].as_f64().unwrap(), at[1].as_f64().unwrap());
    forbidden(&page.perform(Click::on(Target::point(x, y))).await);
    assert_eq!(page.js("log").await, json!([]));
    // a person at the page is not kept from it
    assert_eq!(page.js("document.querySelector('b').click(), log.length").await, json!(0), "b has no word of its own");
    let right = page.perform(Click::on(page.on("Show more"))).await;
    done(&right);
    page.close().await;
}

#[tokio::test]
async fn keys_that_send_are_judged_where_the_focus_is() {
    let mut page = with(SHOP, no_commit()).await;
    forbidden(&page.perform(Press::keys("Enter").on(page.on("Subject"))).await);
    forbidden(&page.perform(Press::keys("Space").on(page.on("Jetzt bezahlen"))).await);
    forbidden(&page.perform(Press::keys("Enter").on(page.on("Delete it"))).await);
    // on the way there, with the keys before it
    page.js("document.querySelector('[name=n]').focus()").await;
    forbidden(&page.perform(Press::keys("Tab Tab Enter")).await);
    assert_eq!(
        page.js("document.activeElement.textContent").await,
        json!("Continue"),
        "the keys before it were struck"
    );
    page.js("document.querySelector('[name=n]').focus()").await;
    forbidden(&page.perform(Type::text("two of them\n")).await);
    assert_eq!(page.js("document.querySelector('[name=n]').value").await, json!("two of them"));
    // Ctrl+Enter sends where Enter makes a line
    let line = page.perform(Press::keys("Enter").on(page.on("Text"))).await;
    assert_eq!((line.ok, line.risk), (true, Risk::Edit), "{line}");
    forbidden(&page.perform(Press::keys("Control+Enter").on(page.on("Text"))).await);
    assert_eq!(page.js("log").await, json!([]));
    for field in ["Find", "Name", "Colour"] {
        let outcome = page.perform(Press::keys("Enter").on(page.on(field))).await;
        assert_eq!(outcome.risk, Risk::Edit, "{field}: {outcome}");
    }
    assert_eq!(page.js("log").await, json!(["find", "login", "filter"]));
    page.close().await;
}

#[tokio::test]
async fn a_field_is_filled_and_not_sent() {
    let mut page = with(SHOP, no_commit()).await;
    let mut fill = Fill::on(page.on("Subject"), "Lamps");
    fill.submit = true;
    forbidden(&page.perform(fill).await);
    let mut form = FillForm::of([FormField::new(page.on("Subject"), "Oil"), FormField::new(page.on("Copies"), "2")]);
    form.submit = true;
    let outcome = page.perform(form).await;
    forbidden(&outcome);
    assert!(outcome.message.contains("not sent"), "{outcome}");
    assert_eq!(page.js("[document.querySelector('[name=subject]').value, log]").await, json!(["Oil", []]));
    let mut search = Fill::on(page.on("Find"), "oil");
    search.submit = true;
    done(&page.perform(search).await);
    page.close().await;
}

#[tokio::test]
async fn a_dialog_commits_by_what_it_asks_or_by_what_brought_it_up() {
    let mut page = with(SHOP, RiskPolicy::default()).await;
    for (name, clicked) in [("Delete all", Risk::Commit), ("Weiter", Risk::Edit)] {
        let outcome = page.perform(Click::on(page.on(name))).await;
        assert_eq!(outcome.risk, clicked, "{outcome}");
        page.session.set_policy(Arc::new(no_commit()));
        forbidden(&page.perform(Dialog::accept()).await);
        assert!(page.session.tab().dialog().is_some(), "it is still asked");
        let outcome = page.perform(Dialog::dismiss()).await;
        assert_eq!((outcome.ok, outcome.risk), (true, Risk::Edit), "{outcome}");
        page.session.set_policy(Arc::new(RiskPolicy::default()));
    }
    page.close().await;
}

/// Asks somebody who takes a while, and notes what for.
#[derive(Debug, Default)]
struct Slow {
    asked: Mutex<Vec<String>>,
    /// Whose page tells when the answer comes.
    tab: Option<Tab>,
}

#[derive(Debug)]
struct Shared(Arc<Slow>);

#[async_trait]
impl Policy for Shared {
    async fn judge(&self, deed: &Deed<'_>) -> Ruling {
        if deed.risk != Risk::Commit {
            return Ruling::Allow;
        }
        let on = deed.target.map(|target| target.name.clone()).unwrap_or_default();
        self.0.asked.lock().unwrap().push(format!("{} {on}: {}", deed.action.name(), deed.why.unwrap_or_default()));
        let Some(tab) = &self.0.tab else { return Ruling::Ask };
        let mut evaluate = Evaluate::new("new Promise((then) => setTimeout(then, 300))");
        evaluate.await_promise = Some(true);
        tab.session().call(&evaluate).await.unwrap();
        Ruling::Allow
    }
}

/// While somebody is asked the page may change: then it is looked at anew, and asked anew only for what is new.
#[tokio::test]
async fn after_an_answer_that_took_long_the_element_is_looked_at_again() {
    let html = "<button onclick='this.dataset.done = 1'>Delete</button>
        <button id=b onclick='this.textContent = `Deleted ${this.textContent}`'>Delete two</button>";
    let mut page = Page::open(html).await;
    let slow = Arc::new(Slow { tab: Some(page.session.tab().clone()), ..Slow::default() });
    page.session.set_policy(Arc::new(Shared(Arc::clone(&slow))));
    done(&page.perform(Click::on(page.on("Delete"))).await);
    assert_eq!(*slow.asked.lock().unwrap(), ["click Delete: \"Delete\" says \"delete\""]);
    page.js("setTimeout(() => { b.textContent = 'Delete 200' }, 150)").await;
    let outcome = page.perform(Click::on(page.on("Delete two"))).await;
    assert_eq!(outcome.code(), Some(ErrorCode::TargetChanged), "{outcome}");
    assert_eq!(page.js("b.textContent").await, json!("Delete 200"));
    page.close().await;
}

#[tokio::test]
async fn what_must_be_asked_for_needs_a_person() {
    let mut page = with("<button>Send</button>", Shared(Arc::default())).await;
    let outcome = page.perform(Click::on(page.on("Send"))).await;
    assert_eq!((outcome.code(), kind(&outcome)), (Some(ErrorCode::NeedsHuman), Some("risk")), "{outcome}");
    page.close().await;
}

/// A class can be ruled out as a whole.
#[tokio::test]
async fn the_stated_risk_is_judged_before_anything_begins() {
    let policy = RiskPolicy::default().with(Risk::Edit, Ruling::Refuse);
    let mut page = with("<label>Name <input id=i></label>", policy).await;
    let outcome = page.perform(Fill::on(page.on("Name"), "Ada")).await;
    assert_eq!((outcome.code(), outcome.risk), (Some(ErrorCode::BlockedByPolicy), Risk::Edit), "{outcome}");
    assert_eq!(page.js("i.value").await, json!(""));
    page.close().await;
}
