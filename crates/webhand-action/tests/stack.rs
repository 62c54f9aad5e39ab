//! Actions run on small stacks: those of threads and async workers that a user's program gives them.

mod page;

use page::Page;
use serde_json::json;
use webhand_action::catalogue::{Check, Click, Drag, Fill, FillForm, FormField, Hover, Press, Scroll, Select};

/// Half of what a thread has by default, in a build that is not optimised.
const STACK: usize = 1 << 20;

const FORM: &str = "<form onsubmit='return false'><label>Name <input id=n></label><label>Notes <textarea></textarea></label>\
    <label>Born <input type=date></label><label>Size <select><option>S<option>M</select></label>\
    <label><input type=checkbox id=c>Agreed</label><input type=range aria-label=Volume>\
    <div contenteditable role=textbox aria-label=Story>once</div>\
    <div draggable=true role=button aria-label=Card>Card</div><div role=button aria-label=Place>Place</div>\
    <button onclick='document.title = 1'>Save</button></form>";

async fn use_everything() {
    let mut page = Page::open(FORM).await;
    for (name, text) in
        [("Name", "Ada"), ("Notes", "a\nb"), ("Born", "1815-12-10"), ("Volume", "70"), ("Story", "twice")]
    {
        let outcome = page.perform(Fill::on(page.on(name), text)).await;
        assert!(outcome.ok, "{outcome}");
    }
    let select = page.perform(Select::on(page.on("Size"), "M")).await;
    assert!(select.ok, "{select}");
    let check = page.perform(Check::on(page.on("Agreed"))).await;
    assert!(check.ok, "{check}");
    let fields = [FormField::new(page.on("Name"), "Grace"), FormField::new(page.on("Agreed"), false)];
    let form = page.perform(FillForm::of(fields)).await;
    assert!(form.ok, "{form}");
    page.perform(Hover::on(page.on("Save"))).await;
    page.perform(Press::keys("Tab")).await;
    page.perform(Scroll::down()).await;
    page.perform(Drag::by(page.on("Card"), 0.0, 40.0)).await;
    let click = page.perform(Click::on(page.on("Save"))).await;
    assert!(click.ok, "{click}");
    assert_eq!(page.js("[n.value, c.checked]").await, json!(["Grace", false]));
    page.close().await;
}

#[test]
fn every_action_fits_a_stack_of_one_mebibyte() {
    let run = || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(use_everything());
    std::thread::Builder::new().stack_size(STACK).spawn(run).unwrap().join().unwrap();
}
