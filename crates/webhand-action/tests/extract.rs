//! Data out of pages: by selectors, from tables, by a model that is a script here, and through several pages.

#![allow(clippy::unwrap_used)]

mod page;

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use page::{Page, done, kind};
use serde_json::{Value, json};
use webhand_action::{
    ExtractError, ExtractOrder, Extractor, Settings,
    catalogue::{Extract, Target},
    error::ErrorCode,
    outcome::Outcome,
};

const LIST: &str = "<!doctype html><title>Shop</title>
    <ul><li class=item data-id=a1><a href='/lamp'>Lamp</a> <b class=price>€ 1.234,50</b> <input type=checkbox checked></li>
    <li class=item data-id=a2><a href='/oil'>Oil</a> <b class=price>€ 4,00</b> <input type=checkbox></li>
    <li class=item style='display:none'><a href='/none'>Hidden</a> <b class=price>€ 1</b></li>
    <x-item></x-item></ul><input type=password value=hunter2 class=pass>
    <script>document.querySelector('x-item').attachShadow({mode: 'open'}).innerHTML =
      '<div class=item data-id=a3><a href=/wick>Wick</a> <b class=price>€ 0,50</b></div>'</script>";

fn items() -> Value {
    json!({"type": "array", "x-selector": ".item", "minItems": 1, "items": {"type": "object", "required": ["name", "price"],
        "additionalProperties": false, "properties": {
            "name": {"type": "string", "x-selector": "a"},
            "link": {"type": "string", "x-selector": "a", "x-attribute": "href"},
            "id": {"type": "string", "x-attribute": "data-id"},
            "price": {"type": "number", "x-selector": ".price"},
            "kept": {"type": "boolean", "x-selector": "input", "x-attribute": "checked"},
            "none": {"type": "string", "x-selector": ".nothing"}}}})
}

fn data(outcome: &Outcome) -> &Value {
    &outcome.data.as_ref().unwrap()["data"]
}

#[tokio::test]
async fn a_schema_with_selectors_needs_no_model() {
    let mut page = Page::served(LIST, "").await;
    let outcome = page.perform(Extract::schema(items())).await;
    done(&outcome);
    let url = page.session.tab().url();
    let lamp = json!({"name": "Lamp", "link": format!("{url}lamp"), "id": "a1", "price": 1234.5, "kept": true});
    let wick = json!({"name": "Wick", "link": format!("{url}wick"), "id": "a3", "price": 0.5});
    let taken = data(&outcome).as_array().unwrap();
    assert_eq!((taken.len(), taken.contains(&lamp), taken.contains(&wick)), (3, true, true), "{taken:?}");
    let place = taken.iter().position(|one| *one == lamp).unwrap();
    let source = &outcome.data.as_ref().unwrap()["sources"][format!("/{place}/name")];
    assert_eq!(
        source.as_str().unwrap().parse::<webhand_page::RefText>().unwrap().to_string(),
        page.on("Lamp").to_string()
    );
    page.close().await;
}

#[tokio::test]
async fn what_does_not_fit_is_named_and_handed_over() {
    let mut page = Page::open(LIST).await;
    let mut schema = items();
    schema["items"]["properties"]["price"]["maximum"] = json!(100);
    let outcome = page.perform(Extract::schema(schema)).await;
    assert_eq!(outcome.code(), Some(ErrorCode::DataInvalid), "{outcome}");
    assert!(outcome.message.contains("/price"), "{outcome}");
    assert_eq!(data(&outcome).as_array().unwrap().len(), 3);
    for (schema, code) in [
        (
            json!({"type": "object", "properties": {"a": {"type": "string", "x-selector": ".nothing"}}}),
            ErrorCode::ElementNotFound,
        ),
        (
            json!({"type": "object", "properties": {"a": {"type": "string", "x-selector": "::("}}}),
            ErrorCode::InvalidAction,
        ),
        (json!({"type": "colour"}), ErrorCode::InvalidAction),
        (
            json!({"type": "object", "properties": {"a": {"x-selector": ".pass", "x-attribute": "value"}}}),
            ErrorCode::ElementNotFound,
        ),
    ] {
        let outcome = page.perform(Extract::schema(schema.clone())).await;
        assert_eq!(outcome.code(), Some(code), "{schema}: {outcome}");
        assert!(!format!("{outcome:?}").contains("hunter2"));
    }
    // one where several are
    let one = json!({"type": "object", "properties": {"name": {"type": "string", "x-selector": ".item a"}}});
    let outcome = page.perform(Extract::schema(one)).await;
    assert!(outcome.ok && outcome.notes.iter().any(|note| note.contains("/name")), "{outcome}");
    page.close().await;
}

#[tokio::test]
async fn a_table_works_alone() {
    let html = "<table><tr><th>Item<th>Unit price<th>Note<tr><td><a href='#t'>Tea</a><td>4,20 €<td>green<tr><td>Cake<td>12 €<td></table>
        <table><tr><th>Day<tr><td>Monday</table>";
    let mut page = Page::open(html).await;
    let several = page.perform(Extract::table()).await;
    assert_eq!((several.code(), kind(&several)), (Some(ErrorCode::ElementNotFound), Some("table")), "{several}");
    let schema = json!({"type": "array", "items": {"type": "object", "required": ["item"], "properties": {
        "item": {"type": "string"}, "unit_price": {"type": "number"}}}});
    let outcome = page.perform(Extract::schema(schema)).await;
    done(&outcome);
    assert_eq!(*data(&outcome), json!([{"item": "Tea", "unit_price": 4.2}, {"item": "Cake", "unit_price": 12}]));
    let outcome = page.perform(Extract::table().within(page.on("Tea"))).await;
    assert_eq!(data(&outcome)[1], json!({"Item": "Cake", "Unit price": "12 €", "Note": ""}), "{outcome}");
    let words = page.perform(Extract::asking("the prices")).await;
    assert_eq!(kind(&words), Some("no_extractor"), "{words}");
    page.close().await;
}

/// Gives what it is told to give, and keeps what it was asked.
#[derive(Debug, Default)]
struct Scripted {
    replies: Mutex<Vec<Result<Value, ExtractError>>>,
    asked: Mutex<Vec<(String, usize, Vec<String>)>>,
}

#[derive(Debug)]
struct Shared(Arc<Scripted>);

#[async_trait]
impl Extractor for Shared {
    async fn extract(&self, order: &ExtractOrder<'_>) -> Result<Value, ExtractError> {
        let asked = (order.instruction.to_owned(), order.text.len(), order.faults.to_vec());
        self.0.asked.lock().unwrap().push(asked);
        let mut replies = self.0.replies.lock().unwrap();
        if replies.is_empty() { Err(ExtractError::new("nothing is left to say")) } else { replies.remove(0) }
    }
}

fn scripted(mut page: Page, replies: Vec<Result<Value, ExtractError>>) -> (Page, Arc<Scripted>) {
    let script = Arc::new(Scripted { replies: Mutex::new(replies), ..Scripted::default() });
    let mut settings = Settings::default();
    settings.extractor = Some(Arc::new(Shared(Arc::clone(&script))));
    page.session = page.session.with_settings(settings);
    (page, script)
}

#[tokio::test]
async fn a_model_is_asked_again_where_it_does_not_fit_and_its_values_are_looked_for() {
    let page = Page::open("<h1>Order 4711</h1><p>Total 12.50 EUR</p><a href='#x'>Ada Lovelace</a>").await;
    let good = json!({"name": "Ada Lovelace", "total": 12.5, "city": "Atlantis"});
    let (mut page, script) = scripted(page, vec![Ok(json!({"name": 7})), Ok(good.clone())]);
    let schema = json!({"type": "object", "required": ["name", "total"], "properties": {"name": {"type": "string"}, "total": {"type": "number"}}});
    let mut order = Extract::schema(schema.clone());
    order.instruction = Some("name and total".to_owned());
    let outcome = page.perform(order.clone()).await;
    done(&outcome);
    assert_eq!(*data(&outcome), good);
    let told = outcome.data.clone().unwrap();
    assert_eq!(told["sources"]["/name"], json!(page.on("Ada Lovelace").to_string()));
    assert_eq!(told["unfound"], json!(["/city"]), "what stands nowhere is told: {outcome}");
    {
        let asked = script.asked.lock().unwrap();
        assert_eq!((asked.len(), asked[0].0.as_str(), asked[0].2.len()), (2, "name and total", 0));
        assert!(asked[1].2.iter().any(|fault| fault.contains("total")), "{asked:?}");
    }
    // twice wrong is a failure that says so; so is a model that gives nothing
    script.replies.lock().unwrap().extend([Ok(json!({})), Ok(json!({}))]);
    assert_eq!(page.perform(order.clone()).await.code(), Some(ErrorCode::DataInvalid));
    let none = page.perform(order).await;
    assert_eq!((none.code(), kind(&none)), (Some(ErrorCode::Unsupported), Some("extractor")), "{none}");
    page.close().await;
}

#[tokio::test]
async fn a_long_page_comes_in_parts_that_are_put_together() {
    let mut html = String::from("<title>Long</title>");
    for at in 0..1500 {
        html.push_str(&format!("<p>Paragraph number {at} speaks of nothing but its own number, at some length.</p>"));
    }
    let page = Page::open(&html).await;
    let replies = (0..10).map(|at| Ok(json!([at]))).collect();
    let (mut page, script) = scripted(page, replies);
    let outcome = page.perform(Extract::asking("numbers")).await;
    done(&outcome);
    let parts = script.asked.lock().unwrap().len();
    assert!(parts > 1, "{parts} parts");
    assert_eq!(data(&outcome).as_array().unwrap().len(), parts);
    page.close().await;
}

const FIRST: &str = "<title>1</title><ol><li class=i>a<li class=i>b</ol><nav><a href='/'>1</a> <a href='/next'>2</a> <a href='/next'>Next ›</a></nav>";
const LAST: &str =
    "<title>2</title><ol><li class=i>c</ol><nav><a href='/'>Previous</a> <button disabled>Next ›</button></nav>";

#[tokio::test]
async fn further_pages_are_gone_through_to_an_honest_end() {
    let schema = json!({"type": "array", "items": {"type": "string", "x-selector": ".i"}});
    let all = |pages: u32| Extract::schema(schema.clone()).pages(pages);
    for (pages, wanted, end) in
        [(1, json!(["a", "b"]), "asked"), (2, json!(["a", "b", "c"]), "asked"), (9, json!(["a", "b", "c"]), "last")]
    {
        let mut page = Page::served(FIRST, LAST).await;
        let outcome = page.perform(all(pages)).await;
        done(&outcome);
        assert_eq!(*data(&outcome), wanted, "{outcome}");
        assert_eq!(outcome.data.as_ref().unwrap()["end"], json!(end), "{outcome}");
        page.close().await;
    }
    // a page that gives the same again, one without a way on, and one with several
    let same = "<li class=i>a</li><button onclick='this.dataset.n = 1'>Next page</button>";
    let alone = "<li class=i>a</li>";
    let two = "<li class=i>a</li><button>Next</button><a href='#pictures'>Next page</a>";
    for (html, end) in [(same, "same"), (alone, "no_next"), (two, "several")] {
        let mut page = Page::open(html).await;
        let outcome = page.perform(all(5)).await;
        assert!(outcome.ok, "{outcome}");
        let told = outcome.data.as_ref().unwrap();
        assert_eq!(
            (&told["end"], &told["pages"], data(&outcome)),
            (&json!(end), &json!(1), &json!(["a"])),
            "{outcome}"
        );
        page.close().await;
    }
}

#[tokio::test]
async fn a_part_is_taken_by_its_ref() {
    let html = "<div class=a><p>one</p></div><div class=b><p>two</p></div>";
    let mut page = Page::open(html).await;
    let schema = json!({"type": "object", "properties": {"text": {"type": "string", "x-selector": "p"}}});
    let part = Extract::schema(schema).within(Target::Selector(".b".to_owned()));
    let outcome = page.perform(part).await;
    assert_eq!(*data(&outcome), json!({"text": "two"}), "{outcome}");
    page.close().await;
}
