//! Where an element is found again, by which level, and where it is refused.

mod page;

use std::sync::Arc;

use page::Page;
use serde_json::json;
use webhand_action::{
    Locator, Settings, Stage, Wanted,
    catalogue::{Click, Target},
    error::ErrorCode,
    outcome::{Located, Outcome},
};

const LOG: &str =
    "<script>window.log = []; window.L = what => { log.push(what); document.title = log.join() }</script>";

async fn open(html: &str) -> Page {
    Page::open(&format!("{LOG}{html}")).await
}

fn by(outcome: &Outcome) -> Option<Located> {
    assert!(outcome.ok, "{outcome}");
    outcome.located_by
}

/// Three people, each a heading with a button "Delete" behind it and no row around both.
const PEOPLE: &str = "<div id=list></div><script>
    window.draw = names => { list.innerHTML = names.map(name => `<h2>${name}</h2><button onclick='L(\"${name}\")'>Delete</button>`).join('') };
    draw(['Alice', 'Bob', 'Carol']);
</script>";

#[tokio::test]
async fn one_of_several_alike_is_found_by_what_stands_around_it() {
    let mut page = open(PEOPLE).await;
    let alice = page.on("Delete");
    page.js("draw(['Zed', 'Alice', 'Bob'])").await;
    let outcome = page.perform(Click::on(alice.clone())).await;
    assert_eq!(by(&outcome), Some(Located::Place));
    assert_eq!(page.js("log").await, json!(["Alice"]));
    // other neighbours: whether the name stands over its button or under it, nobody can tell
    page.js("draw(['Carol', 'Bob', 'Alice'])").await;
    let outcome = page.perform(Click::on(alice)).await;
    assert_eq!(outcome.code(), Some(ErrorCode::ElementNotFound), "{outcome}");
    assert_eq!(page.js("log").await, json!(["Alice"]));
    page.close().await;
}

#[tokio::test]
async fn one_of_several_alike_whose_heading_is_gone_is_refused() {
    let mut page = open(PEOPLE).await;
    let alice = page.on("Delete");
    page.js("draw(['Carol', 'Bob', 'Dave'])").await;
    let outcome = page.perform(Click::on(alice)).await;
    assert_eq!(outcome.code(), Some(ErrorCode::ElementNotFound), "{outcome}");
    assert_eq!(page.js("log").await, json!([]));
    page.close().await;
}

#[tokio::test]
async fn true_twins_are_found_where_the_page_is_as_it_was_and_refused_where_it_is_not() {
    let twins = "<div id=list></div><script>
        window.draw = count => { list.innerHTML = '<button>Add</button>'.repeat(count); [...list.children].forEach((one, i) => one.onclick = () => L(i)) };
        draw(3);
    </script>";
    let mut page = open(twins).await;
    let first = page.on("Add");
    page.js("draw(3)").await;
    let outcome = page.perform(Click::on(first.clone())).await;
    assert_eq!(by(&outcome), Some(Located::Place));
    assert_eq!(page.js("log").await, json!([0]));
    page.js("draw(4)").await;
    let outcome = page.perform(Click::on(first)).await;
    assert_eq!(outcome.code(), Some(ErrorCode::ElementNotFound), "{outcome}");
    assert_eq!(page.js("log").await, json!([0]));
    page.close().await;
}

#[tokio::test]
async fn a_link_whose_figures_went_on_is_the_link_to_that_address() {
    let mut page = open("<div id=at><a href='data:,inbox'>Inbox (3)</a></div> <a href='#other'>Other</a>").await;
    let inbox = page.on("Inbox (3)");
    page.js("at.innerHTML = '<a href=\"data:,inbox\" onclick=\"L(1);return false\">Inbox (4)</a>'").await;
    let outcome = page.perform(Click::on(inbox.clone())).await;
    assert_eq!(by(&outcome), Some(Located::Address));
    assert_eq!(page.js("log").await, json!([1]));
    page.js("at.innerHTML = '<a href=\"data:,inbox\" onclick=\"L(2);return false\">Leave</a>'").await;
    let outcome = page.perform(Click::on(inbox)).await;
    assert!(!outcome.ok, "{outcome}");
    assert_eq!(page.js("log").await, json!([1]));
    page.close().await;
}

#[tokio::test]
async fn scripts_name_elements_by_css_path_or_role_and_only_one_will_do() {
    let mut page = open(
        "<button id=a onclick='L(\"a\")'>Save</button><button onclick='L(\"b\")'>Say \"hi\"</button><p onclick='L(\"p\")'>Text</p>
        <div id=host></div><script>host.attachShadow({mode:'open'}).innerHTML = '<button onclick=\"L(1)\">Inner</button>'</script>",
    )
    .await;
    for (selector, log) in [
        ("#a", "a"),
        ("css=#a", "a"),
        ("//button[contains(., 'hi')]", "b"),
        ("xpath=//p", "p"),
        ("role=button[name=\"Save\"]", "a"),
        (r#"role=button[name="Say \"hi\""]"#, "b"),
        ("role=button[name='Inner']", "1"),
    ] {
        let outcome = page.perform(Click::on(Target::selector(selector))).await;
        assert!(outcome.ok, "{selector}: {outcome}");
        assert_eq!(page.js("String(log.at(-1))").await, json!(log), "{selector}");
    }
    for (selector, code) in [
        ("button", ErrorCode::ElementNotFound),
        ("//button", ErrorCode::ElementNotFound),
        ("role=button", ErrorCode::ElementNotFound),
        ("role=button[name=\"Sav\"]", ErrorCode::ElementNotFound),
        ("role=button[title=x]", ErrorCode::InvalidAction),
        ("//button[", ErrorCode::InvalidAction),
        ("button:::", ErrorCode::InvalidAction),
    ] {
        let outcome = page.perform(Click::on(Target::selector(selector))).await;
        assert_eq!(outcome.code(), Some(code), "{selector}: {outcome}");
    }
    assert_eq!(page.js("log.length").await, json!(7));
    page.close().await;
}

/// `cell 2/3` of a grid whose cells have no roles; and a control by its `data-key`, whatever stands around it.
#[derive(Debug)]
struct Grid(Stage);

impl Locator for Grid {
    fn name(&self) -> &'static str {
        "grid"
    }

    fn stage(&self) -> Stage {
        self.0
    }

    fn locate(&self, wanted: &Wanted<'_>) -> Option<String> {
        match wanted.asked.strip_prefix("cell ").and_then(|cell| cell.split_once('/')) {
            Some((row, column)) => Some(format!(".grid > :nth-child({row}) > :nth-child({column})")),
            None => (wanted.name == "Open").then(|| "[data-key='17']".to_owned()),
        }
    }
}

async fn with_locator(html: &str, stage: Stage) -> Page {
    let mut page = open(html).await;
    let mut settings = Settings::default();
    settings.locators.push(Arc::new(Grid(stage)));
    page.session = page.session.with_settings(settings);
    page
}

const GRID: &str = "<div class=grid><div><div>1</div><div>2</div></div><div><div>3</div><div>4</div></div></div>
    <div id=at><p>Order 17 <button data-key=17>Open</button></p><p>Order 18 <button data-key=18>Open</button></p></div>
    <script>
        document.querySelector('.grid').onclick = event => L(event.target.textContent);
        document.addEventListener('click', event => event.target.dataset.key && L('key ' + event.target.dataset.key));
    </script>";

#[tokio::test]
async fn a_locators_own_words_name_what_no_snapshot_lists() {
    let mut page = with_locator(GRID, Stage::First).await;
    let outcome = page.perform(Click::on("cell 2/1")).await;
    assert_eq!(by(&outcome), Some(Located::Custom));
    assert_eq!(page.js("log").await, json!(["3"]));
    let outcome = page.perform(Click::on("cell 9/9")).await;
    assert_eq!(outcome.code(), Some(ErrorCode::ElementNotFound), "{outcome}");
    let outcome = page.perform(Click::on("the third cell")).await;
    assert_eq!(outcome.code(), Some(ErrorCode::InvalidAction), "{outcome}");
    page.close().await;
}

#[tokio::test]
async fn a_locator_is_asked_at_its_stage_and_held_to_role_and_name() {
    for stage in [Stage::AfterLive, Stage::AfterSelector, Stage::Last] {
        let mut page = with_locator(GRID, stage).await;
        let open = page.on("Open");
        page.js("at.innerHTML = '<p>Order 17, paid <button data-key=17>Open</button></p>'").await;
        let outcome = page.perform(Click::on(open.clone())).await;
        assert_eq!(by(&outcome), Some(Located::Custom), "{stage:?}");
        assert_eq!(page.js("log").await, json!(["key 17"]));
        page.js("at.innerHTML = '<p>Order 17, paid <button data-key=17>Refund</button></p>'").await;
        let outcome = page.perform(Click::on(open)).await;
        assert!(!outcome.ok, "{stage:?}: {outcome}");
        assert_eq!(page.js("log").await, json!(["key 17"]));
        page.close().await;
    }
}

#[tokio::test]
async fn a_dialog_that_asks_about_something_else_now_is_another() {
    let mut page = open(
        "<dialog id=d><p id=q>Delete alice?</p><button onclick='L(q.textContent)'>Delete</button></dialog><script>d.showModal()</script>",
    )
    .await;
    let delete = page.on("Delete");
    page.js("q.textContent = 'Delete bob?'").await;
    let outcome = page.perform(Click::on(delete)).await;
    assert_eq!(outcome.code(), Some(ErrorCode::TargetChanged), "{outcome}");
    assert_eq!(page.js("log").await, json!([]));
    page.close().await;
}

#[tokio::test]
async fn the_last_one_left_of_several_alike_may_be_any_of_them() {
    let mut page = open("<div id=at><button>Open</button><hr><button>Open</button></div>").await;
    let first = page.on("Open");
    page.js("at.innerHTML = '<button onclick=\"L(1)\">Open</button>'").await;
    let outcome = page.perform(Click::on(first)).await;
    assert_eq!(outcome.code(), Some(ErrorCode::ElementNotFound), "{outcome}");
    assert_eq!(page.js("log").await, json!([]));
    page.close().await;
}
