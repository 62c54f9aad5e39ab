//! Waiting on real pages in a real browser.

#![allow(clippy::unwrap_used)]

mod page;

use page::{Page, done};
use serde_json::json;
use webhand_action::{
    catalogue::{Action, Catalogue, Wait},
    error::ErrorCode,
};

fn wait(params: serde_json::Value) -> Wait {
    let Action::Wait(wait) = Catalogue::built_in().action("wait", params.as_object().unwrap().clone()).unwrap() else {
        panic!("not a wait")
    };
    wait
}

fn for_state(page: &Page, name: &str, state: &str, seconds: f64) -> Wait {
    wait(json!({"for": "ref_state", "ref": page.on(name).to_string(), "value": state, "seconds": seconds}))
}

const FRAMES: &str = "<p>outside</p><iframe id=f width=300 height=80 srcdoc='<p id=p>inside</p>'></iframe>";

#[tokio::test]
async fn a_text_is_looked_for_in_every_frame() {
    let mut page = Page::open(FRAMES).await;
    done(&page.perform(wait(json!({"for": "text", "value": "Inside", "seconds": 5}))).await);
    let gone = || wait(json!({"for": "text_gone", "value": "inside", "seconds": 0.3}));
    let outcome = page.perform(gone()).await;
    assert_eq!(outcome.code(), Some(ErrorCode::Timeout), "{outcome}");
    page.js("setTimeout(() => f.contentDocument.body.textContent = 'other', 50); 0").await;
    done(&page.perform(wait(json!({"for": "text_gone", "value": "inside", "seconds": 5}))).await);
    page.js("setTimeout(() => f.remove(), 50); 0").await;
    done(&page.perform(wait(json!({"for": "text_gone", "value": "other", "seconds": 5}))).await);
    page.close().await;
}

#[tokio::test]
async fn a_text_in_a_frame_that_comes_later_is_found() {
    let mut page = Page::open("<p>outside</p>").await;
    let late = "setTimeout(() => { const f = document.createElement('iframe'); f.srcdoc = '<p>arrived</p>'; document.body.append(f) }, 50); 0";
    page.js(late).await;
    done(&page.perform(wait(json!({"for": "text", "value": "arrived", "seconds": 5}))).await);
    page.close().await;
}

#[tokio::test]
async fn an_element_rendered_anew_is_waited_for_like_one_that_stayed() {
    let html = "<div id=w><button disabled>Pay</button></div><button id=o>Other</button>";
    let mut page = Page::open(html).await;
    page.js("setTimeout(() => w.innerHTML = '<button>Pay</button>', 50); 0").await;
    done(&page.perform(for_state(&page, "Pay", "enabled", 5.0)).await);
    done(&page.perform(for_state(&page, "Pay", "visible", 5.0)).await);
    let outcome = page.perform(for_state(&page, "Pay", "hidden", 0.2)).await;
    assert_eq!(outcome.code(), Some(ErrorCode::Timeout), "{outcome}");
    page.js("setTimeout(() => w.innerHTML = '', 50); 0").await;
    done(&page.perform(for_state(&page, "Pay", "hidden", 5.0)).await);
    page.close().await;
}

#[tokio::test]
async fn what_became_another_thing_has_no_state_to_wait_for() {
    let html = "<ul><li>Ann <input type=checkbox id=c aria-label=Pick></li><li>Bob <button>Go</button></li></ul>";
    let mut page = Page::open(html).await;
    page.js("c.parentNode.firstChild.data = 'Carol '; c.checked = true; 0").await;
    let outcome = page.perform(for_state(&page, "Pick", "checked", 0.2)).await;
    assert_eq!(outcome.code(), Some(ErrorCode::TargetChanged), "{outcome}");
    let outcome = page.perform(for_state(&page, "Pick", "hidden", 0.2)).await;
    assert!(!outcome.ok, "{outcome}");
    page.close().await;
}

const BUTTON: &str = "<button id=b>Pay</button>";

#[tokio::test]
async fn an_element_of_a_page_that_went_is_hidden_and_nothing_else() {
    let mut page = Page::served(BUTTON, BUTTON).await;
    page.js("setTimeout(() => location.href = '/next', 50); 0").await;
    let outcome = page.perform(for_state(&page, "Pay", "disabled", 5.0)).await;
    assert_eq!(outcome.code(), Some(ErrorCode::StaleRef), "{outcome}");
    page.close().await;
    let mut page = Page::served(BUTTON, BUTTON).await;
    page.js("setTimeout(() => location.href = '/next', 50); 0").await;
    done(&page.perform(for_state(&page, "Pay", "hidden", 5.0)).await);
    page.close().await;
}
