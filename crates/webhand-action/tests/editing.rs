//! Editing real fields in a real browser: what the page's own script saw, beside what the outcome says.

#![allow(clippy::unwrap_used)]

mod page;

use page::{Page, done, kind, rejected};
use serde_json::json;
use webhand_action::{
    catalogue::{Check, Fill, FillTier, Select, SelectMode},
    error::ErrorCode,
};

#[tokio::test]
async fn a_fill_presses_neither_enter_nor_tab() {
    let html = "<script>sent=0;keys=[];addEventListener('keydown',e=>keys.push(e.key),true)</script>\
        <form onsubmit='sent++;return false'><input aria-label=Address><input aria-label=Upper oninput='this.value=this.value.toUpperCase()'>\
        <input id=next aria-label=Next><button>Pay</button></form><textarea aria-label=Note></textarea>\
        <div contenteditable aria-label=Chat id=chat onkeydown=\"if(event.key=='Enter'){sent++;this.innerText='';event.preventDefault()}\"></div>";
    let mut page = Page::open(html).await;
    for tier in [FillTier::Auto, FillTier::Bulk, FillTier::Keys] {
        let outcome = page.perform(Fill::on(page.on("Address"), "12 Main St\nBerlin").tier(tier)).await;
        rejected(&outcome);
        assert!(outcome.message.contains("one line"), "{outcome}");
        assert_eq!(page.js("[sent, document.querySelector('input').value]").await, json!([0, ""]), "{tier:?}");
        let outcome = page.perform(Fill::on(page.on("Upper"), "ab\tcd").tier(tier)).await;
        rejected(&outcome);
        assert!(outcome.message.contains("AB\\tCD"), "{outcome}");
        assert_eq!(page.js("next.value").await, "");
        let outcome = page.perform(Fill::on(page.on("Note"), "a\r\n\tb\nc").tier(tier)).await;
        done(&outcome);
        assert_eq!(page.js("document.querySelector('textarea').value").await, "a\n\tb\nc");
        let outcome = page.perform(Fill::on(page.on("Chat"), "hello\nworld").tier(tier)).await;
        done(&outcome);
        assert_eq!(page.js("chat.innerText").await, "hello\nworld");
    }
    assert_eq!(page.js("[sent, keys.includes('Enter'), keys.includes('Tab')]").await, json!([0, false, false]));
    page.close().await;
}

#[tokio::test]
async fn what_the_page_took_is_not_typed_again() {
    let html = "<script>taken=[]</script><input aria-label=Tags oninput=\"if(/,/.test(this.value)){const s=document.createElement('span');s.className='chip';s.textContent=this.value;this.before(s);this.value=''}\">\
        <input aria-label=Silent oninput='taken.push(this.value);this.value=\"\"'>\
        <input aria-label=Late value=old onbeforeinput='event.preventDefault();setTimeout(()=>taken.push(event.data))'>";
    let mut page = Page::open(html).await;
    let outcome = page.perform(Fill::on(page.on("Tags"), "foo,")).await;
    rejected(&outcome);
    assert_eq!(kind(&outcome), Some("taken"), "{outcome}");
    assert!(outcome.effects.any(), "{outcome}");
    assert_eq!(page.js("document.querySelectorAll('.chip').length").await, 1);
    rejected(&page.perform(Fill::on(page.on("Silent"), "foo")).await);
    assert_eq!(page.js("taken.splice(0)").await, json!(["foo"]));
    let outcome = page.perform(Fill::on(page.on("Late"), "foo")).await;
    rejected(&outcome);
    assert!(outcome.message.contains("old"), "{outcome}");
    assert_eq!(page.js("taken").await, json!(["foo"]));
    page.close().await;
}

#[tokio::test]
async fn a_field_that_takes_only_keys_gets_keys() {
    let html = "<input aria-label=Code onbeforeinput='if((event.data||\"\").length>1)event.preventDefault()'>";
    let mut page = Page::open(html).await;
    let outcome = page.perform(Fill::on(page.on("Code"), "12 ab")).await;
    done(&outcome);
    assert!(outcome.notes.iter().any(|note| note.contains("key by key")), "{outcome}");
    assert_eq!(page.js("document.querySelector('input').value").await, "12 ab");
    page.close().await;
}

#[tokio::test]
async fn text_added_is_what_stood_there_and_the_text() {
    let long = "é".repeat(3000);
    let html = format!(
        "<input aria-label=Full maxlength=5 value=hello><input aria-label=Stubborn value=a5 oninput='this.value=\"a5\"'>\
        <input type=password aria-label=Secret value=geheim><textarea aria-label=Area>{long}</textarea>\
        <div contenteditable aria-label=Editor id=ce>first <b>bold</b></div><div contenteditable aria-label=Wide id=wide>{long}</div>\
        <input type=email aria-label=Mail value=a@b.c><input type=number aria-label=Number value=12><input aria-label=Twice value=aa>"
    );
    let mut page = Page::open(&html).await;
    let fill = |page: &Page, name: &str, text: &str| Fill::on(page.on(name), text).clear(false);
    rejected(&page.perform(fill(&page, "Full", "o")).await);
    rejected(&page.perform(fill(&page, "Stubborn", "5")).await);
    for (name, text) in [
        ("Secret", "X"),
        ("Area", "tail"),
        ("Editor", " tail"),
        ("Wide", "tail"),
        ("Mail", "om"),
        ("Number", "3"),
        ("Twice", "a"),
    ] {
        let outcome = page.perform(fill(&page, name, text)).await;
        done(&outcome);
        assert!(!outcome.to_string().contains("geheim"), "{outcome}");
    }
    let values = "[...document.querySelectorAll('input')].map(i => i.value).concat(ce.innerText, wide.innerText.slice(-5), document.querySelector('textarea').value.slice(-5))";
    assert_eq!(
        page.js(values).await,
        json!(["hello", "a5", "geheimX", "a@b.com", "123", "aaa", "first bold tail", "étail", "étail"])
    );
    page.close().await;
}

#[tokio::test]
async fn a_number_field_that_shows_what_is_no_number_is_not_empty() {
    let html = "<input type=number id=n aria-label=Number><input type=number aria-label=Zero value=7 oninput='if(!this.value)this.value=0'>";
    let mut page = Page::open(html).await;
    let outcome = page.perform(Fill::on(page.on("Number"), "-")).await;
    rejected(&outcome);
    assert!(outcome.message.contains("not a number"), "{outcome}");
    assert_eq!(page.js("n.validity.badInput").await, true);
    let outcome = page.perform(Fill::on(page.on("Number"), "")).await;
    done(&outcome);
    assert_eq!(page.js("n.validity.badInput").await, false);
    rejected(&page.perform(Fill::on(page.on("Zero"), "")).await);
    page.close().await;
}

const CHOICES: &str = "<script>heard=[]</script>\
    <select aria-label=Quantity id=q onchange='heard.push(this.value)'><option value=a>1 piece<option value=b>2 pieces<option value=c>3 pieces</select>\
    <select aria-label=Double id=d><option value=z>-<option value=x>Zurich<option value=y>Zurich</select>\
    <select aria-label=Reverting id=dr onchange=\"this.value='x'\"><option value=z>-<option value=x>Zurich<option value=y>Zurich</select>\
    <select aria-label=Shrinking id=sh onchange='if(this.options[0].text==\"Choose\")this.options[0].remove()'><option value=''>Choose<option value=1>One<option value=2>Two</select>\
    <select aria-label=Redrawn id=rd onchange='const v=this.value;this.innerHTML=this.innerHTML;this.value=v'><option value=1>One<option value=2>Two</select>\
    <select aria-label=Many id=m multiple onchange='this.options[0].selected=true'><option selected>A<option selected>B<option>C</select>\
    <select aria-label=Plain id=p multiple><option selected>A<option>B<option>C</select>";

#[tokio::test]
async fn an_option_is_meant_by_label_value_or_marked_place() {
    let mut page = Page::open(CHOICES).await;
    let outcome = page.perform(Select::on(page.on("Quantity"), "2")).await;
    assert_eq!(outcome.code(), Some(ErrorCode::ElementNotFound), "{outcome}");
    assert_eq!(kind(&outcome), Some("option_missing"), "{outcome}");
    assert!(outcome.to_string().contains("2 pieces"), "{outcome}");
    for (value, stands) in [("#2", "b"), ("#3", "c"), ("1 piece", "a"), ("c", "c")] {
        done(&page.perform(Select::on(page.on("Quantity"), value)).await);
        assert_eq!(page.js("q.value").await, stands);
    }
    for value in ["#0", "#4", "#"] {
        let outcome = page.perform(Select::on(page.on("Quantity"), value)).await;
        assert_eq!(kind(&outcome), Some("option_missing"), "{value}: {outcome}");
    }
    assert_eq!(page.js("heard").await, json!(["b", "c", "a", "c"]));
    page.close().await;
}

#[tokio::test]
async fn a_choice_is_verified_by_what_was_chosen_and_not_by_its_label() {
    let mut page = Page::open(CHOICES).await;
    done(&page.perform(Select::on(page.on("Double"), "y")).await);
    assert_eq!(page.js("d.value").await, "y");
    rejected(&page.perform(Select::on(page.on("Reverting"), "y")).await);
    for (name, id) in [("Shrinking", "sh"), ("Redrawn", "rd")] {
        done(&page.perform(Select::on(page.on(name), "Two")).await);
        assert_eq!(page.js(&format!("{id}.value")).await, "2");
    }
    let outcome = page.perform(Select::on(page.on("Many"), "C")).await;
    rejected(&outcome);
    assert!(outcome.message.contains("\"A\", \"C\""), "{outcome}");
    rejected(&page.perform(Select::on(page.on("Many"), "A").mode(SelectMode::Remove)).await);
    done(&page.perform(Select::on(page.on("Many"), "B").mode(SelectMode::Add)).await);
    done(&page.perform(Select::on(page.on("Plain"), "B").mode(SelectMode::Add)).await);
    assert_eq!(page.js("[...p.selectedOptions].map(o => o.text)").await, json!(["A", "B"]));
    let none = Vec::<String>::new();
    done(&page.perform(Select::many(page.on("Plain"), none.clone())).await);
    assert_eq!(page.js("p.selectedOptions.length").await, 0);
    let outcome = page.perform(Select::many(page.on("Quantity"), none)).await;
    assert_eq!(outcome.code(), Some(ErrorCode::InvalidAction), "{outcome}");
    page.close().await;
}

#[tokio::test]
async fn what_the_page_takes_back_a_moment_later_is_no_success() {
    let html = "<input aria-label=Late oninput='setTimeout(()=>{this.value=\"\"},60)'><input type=date aria-label=Day onchange='setTimeout(()=>{this.value=\"\"},90)'>\
        <select aria-label=Choice onchange='setTimeout(()=>{this.value=\"x\"},100)'><option value=x>Alpha<option value=y>Beta</select>\
        <label><input type=checkbox onchange='setTimeout(()=>{this.checked=false},100)'>Box</label>\
        <div role=switch aria-checked=false tabindex=0 onclick=\"this.setAttribute('aria-checked','true');setTimeout(()=>this.setAttribute('aria-checked','false'),80)\">Switch</div>";
    let mut page = Page::open(html).await;
    rejected(&page.perform(Fill::on(page.on("Late"), "text")).await);
    rejected(&page.perform(Fill::on(page.on("Day"), "2024-03-15")).await);
    rejected(&page.perform(Select::on(page.on("Choice"), "Beta")).await);
    rejected(&page.perform(Check::on(page.on("Box"))).await);
    rejected(&page.perform(Check::on(page.on("Switch"))).await);
    page.close().await;
}

#[tokio::test]
async fn half_characters_are_no_fault_of_the_engine() {
    let html = "<textarea aria-label=Area></textarea><textarea aria-label=Half oninput='this.value=\"\\ud83d\"'></textarea>\
        <select aria-label=Odd id=o></select><script>o.append(new Option('\\ud83d lone','v'),new Option('b','\\udfff'))</script>";
    let mut page = Page::open(html).await;
    let text = format!("{}😀 and more", "a".repeat(1999));
    let outcome = page.perform(Fill::on(page.on("Area"), text.as_str())).await;
    done(&outcome);
    let told = outcome.data.unwrap();
    assert!(text.starts_with(told["value"].as_str().unwrap()), "{told}");
    rejected(&page.perform(Fill::on(page.on("Half"), "x")).await);
    done(&page.perform(Select::on(page.on("Odd"), "b")).await);
    page.close().await;
}

#[tokio::test]
async fn a_field_that_loses_the_focus_is_not_filled_into_another() {
    let html = "<input aria-label=Steals onfocus='setTimeout(()=>other.focus(),0)'><input aria-label=Keys onkeydown='other.focus()'>\
        <input aria-label=Before onbeforeinput='other.focus()'><input id=other aria-label=Other>";
    let mut page = Page::open(html).await;
    for (name, tier) in [("Steals", FillTier::Auto), ("Steals", FillTier::Keys), ("Keys", FillTier::Keys)] {
        let outcome = page.perform(Fill::on(page.on(name), "text").tier(tier)).await;
        let holds = page.js(&format!("document.querySelector('[aria-label={name}]').value")).await;
        // the page may come too late to take the focus away
        assert_eq!(outcome.ok, holds == "text", "{name} {tier:?}: {outcome}");
        assert!(outcome.ok || kind(&outcome) == Some("focus_lost"), "{name} {tier:?}: {outcome}");
        assert_eq!(page.js("other.value").await, "", "{name} {tier:?}: {outcome}");
    }
    let outcome = page.perform(Fill::on(page.on("Before"), "text")).await;
    assert_eq!(kind(&outcome), Some("focus_lost"), "{outcome}");
    assert_eq!(page.js("other.value").await, "");
    page.close().await;
}

#[tokio::test]
async fn enter_goes_to_the_field_or_nowhere() {
    let html = "<form onsubmit='sent=(window.sent||0)+1;return false'><input aria-label=Query></form>\
        <form onsubmit='wrong=1;return false'><input aria-label=Code oninput='if(this.value.length>3)other.focus()'><input id=other></form>";
    let mut page = Page::open(html).await;
    done(&page.perform(Fill::on(page.on("Query"), "tea").submit(true)).await);
    assert_eq!(page.js("sent").await, 1);
    let outcome = page.perform(Fill::on(page.on("Code"), "1234").submit(true)).await;
    assert_eq!(kind(&outcome), Some("focus_lost"), "{outcome}");
    assert_eq!(page.js("window.wrong || 0").await, 0);
    page.close().await;
}

#[tokio::test]
async fn a_field_in_what_was_named_is_the_one_that_is_read_back() {
    let html = "<div role=textbox aria-label=Wrapped tabindex=0><span>Hint</span><input id=i></div>";
    let mut page = Page::open(html).await;
    done(&page.perform(Fill::on(page.on("Wrapped"), "text")).await);
    assert_eq!(page.js("i.value").await, "text");
    page.close().await;
}

#[tokio::test]
async fn a_box_whose_page_goes_on_is_looked_at_on_the_next_one() {
    let html = "<label><input type=checkbox onchange=\"location.href='/next'\">Leave</label>";
    let mut page = Page::served(html, "<h1>gone</h1>").await;
    let outcome = page.perform(Check::on(page.on("Leave"))).await;
    assert!(!outcome.ok && outcome.effects.any(), "{outcome}");
    assert_eq!(outcome.code(), Some(ErrorCode::NoEffect), "{outcome}");
    page.close().await;
    let html = "<body><script>let on=window.name=='on';document.body.innerHTML=`<label><input type=checkbox ${on?'checked':''} onchange=\"window.name='on';location.reload()\">Filter</label>`</script>";
    let mut page = Page::served(html, "").await;
    let outcome = page.perform(Check::on(page.on("Filter"))).await;
    done(&outcome);
    assert_eq!(page.js("document.querySelector('input').checked").await, true);
    page.close().await;
}

#[tokio::test]
async fn what_a_dialog_cuts_short_is_no_success() {
    let html = "<input aria-label=Asks oninput='confirm(1)'><label><input type=checkbox onchange='confirm(2)'>Box</label>\
        <select aria-label=Choice onchange='confirm(3)'><option>A<option>B</select>";
    for name in ["Asks", "Box", "Choice"] {
        let mut page = Page::open(html).await;
        let target = page.on(name);
        let outcome = match name {
            "Asks" => page.perform(Fill::on(target, "text")).await,
            "Box" => page.perform(Check::on(target)).await,
            _ => page.perform(Select::on(target, "B")).await,
        };
        assert!(!outcome.ok && outcome.effects.dialog(), "{name}: {outcome}");
        assert_eq!(kind(&outcome), Some("unread"), "{name}: {outcome}");
        page.close().await;
    }
}
