//! A gesture reaches its element and nothing else, and what came of it is told as it was.

mod page;

use std::time::Duration;

use page::{Page, kind};
use serde_json::json;
use webhand_action::{
    Settings,
    catalogue::{Click, Hover, Press, Type},
    error::ErrorCode,
    outcome::Outcome,
};

const LOG: &str = "<script>window.log = []; window.L = (what) => log.push(what)</script>";

async fn open(html: &str) -> Page {
    Page::open(&format!("{LOG}{html}")).await
}

fn twice(page: &Page, name: &str) -> Click {
    let mut click = Click::on(page.on(name));
    click.count = 2;
    click
}

#[track_caller]
fn refused(outcome: &Outcome) {
    assert_eq!(outcome.code(), Some(ErrorCode::NotInteractable), "{outcome}");
}

/// The frame opens in the moment of the hover that comes before the press.
#[tokio::test]
async fn a_frame_that_opens_under_the_pointer_gets_nothing() {
    let mut page = open(
        "<div style='position:relative;width:300px;height:150px'><button onmouseenter='ad.style.display=\"block\"' onclick='L(\"save\")' style='width:300px;height:150px'>Save</button><iframe id=ad style='display:none;position:absolute;inset:0;width:300px;height:150px;border:0' srcdoc='<body style=\"margin:0\" onclick=\"parent.L(1)\"><button style=\"width:100%;height:150px\" onclick=\"parent.L(2)\">Ad</button>'></iframe></div>",
    )
    .await;
    let outcome = page.perform(Click::on(page.on("Save"))).await;
    refused(&outcome);
    assert_eq!(page.js("log").await, json!([]));
    page.close().await;
}

#[tokio::test]
async fn what_stands_under_a_frame_that_moves_aside_gets_nothing() {
    let mut page = open(
        "<div style='position:relative;width:300px;height:150px'><button onclick='L(\"delete\")' style='width:300px;height:150px'>Delete account</button><iframe id=f style='position:absolute;inset:0;width:300px;height:150px;border:0;background:#fff' srcdoc='<body style=\"margin:0\"><button style=\"width:300px;height:150px\" onmouseenter=\"if(!parent.moved){parent.moved=1;frameElement.style.left=&quot;400px&quot;}\" onclick=\"parent.L(&quot;saved&quot;)\">Save</button>'></iframe></div>",
    )
    .await;
    let outcome = page.perform(Click::on(page.on("Save"))).await;
    let log = page.js("log").await;
    assert!(!log.to_string().contains("delete"), "{log} {outcome}");
    assert_eq!(outcome.ok, log == json!(["saved"]), "{log} {outcome}");
    page.close().await;
}

#[tokio::test]
async fn a_control_inside_the_target_is_not_the_target() {
    let mut page = open(
        "<div role=button tabindex=0 aria-label='Open order' onclick='L(event.target===this?\"open\":\"other\")' style='width:300px;padding:40px;text-align:center'><button onclick='L(\"delete\");event.stopPropagation()'>Delete</button></div>
        <div role=option tabindex=0 onclick='L(\"option\")' aria-label=Wrapped><a href='#x' onclick='L(\"link\")' style='display:block'>All of it</a></div>",
    )
    .await;
    let outcome = page.perform(Click::on(page.on("Open order"))).await;
    assert!(outcome.ok || outcome.code() == Some(ErrorCode::NoEffect), "{outcome}");
    assert_eq!(page.js("log").await, json!(["open"]), "the card itself, beside its button");
    let outcome = page.perform(Click::on(page.on("Wrapped"))).await;
    refused(&outcome);
    assert!(outcome.message.contains("All of it"), "the one that would get it is named: {outcome}");
    assert_eq!(page.js("log").await, json!(["open"]));
    page.close().await;
}

#[tokio::test]
async fn the_second_of_two_clicks_is_judged_like_the_first() {
    let mut page = open(
        "<div id=at><button id=next onclick='L(\"next\");this.remove()'>Next</button><button onclick='L(\"buy\")'>Buy now</button></div><style>#at button{position:absolute;left:0;top:0;width:120px;height:40px}#next{z-index:1}</style>",
    )
    .await;
    let outcome = page.perform(twice(&page, "Next")).await;
    assert_eq!(outcome.code(), Some(ErrorCode::TargetChanged), "{outcome}");
    assert_eq!(page.js("log").await, json!(["next"]));
    page.close().await;
}

#[tokio::test]
async fn a_double_click_that_arrives_is_one() {
    let mut page =
        open("<button ondblclick='L(\"double\");p.textContent=1' onclick='L(event.detail)'>Edit</button><p id=p>0</p>")
            .await;
    let outcome = page.perform(twice(&page, "Edit")).await;
    assert!(outcome.ok, "{outcome}");
    assert_eq!(page.js("log").await, json!([1, 2, "double"]));
    page.close().await;
}

#[tokio::test]
async fn a_press_without_a_click_is_not_called_a_click() {
    let mut page = open(
        "<button onmousedown='this.disabled=true;p.textContent=1' onclick='L(\"click\")'>Gone</button><p id=p>0</p>",
    )
    .await;
    let outcome = page.perform(Click::on(page.on("Gone"))).await;
    refused(&outcome);
    assert_eq!(outcome.error.as_ref().unwrap().kind.as_deref(), Some("no_click"), "{outcome}");
    assert!(outcome.effects.any(), "the press was one all the same: {outcome}");
    assert_eq!(page.js("log").await, json!([]));
    page.close().await;
}

#[tokio::test]
async fn keys_do_not_follow_a_stolen_focus() {
    let mut page = open(
        "<button id=a onfocus='setTimeout(() => b.focus())' onclick='L(\"a\")'>First</button><button id=b onclick='L(\"b\")'>Other</button>",
    )
    .await;
    let press: Press = serde_json::from_value(json!({"keys": "Enter", "ref": page.on("First").to_string()})).unwrap();
    let outcome = page.perform(press).await;
    refused(&outcome);
    assert_eq!(kind(&outcome), Some("focus_lost"), "{outcome}");
    assert_eq!(page.js("log").await, json!([]));
    page.close().await;
}

#[tokio::test]
async fn a_form_that_the_browser_does_not_send_is_no_success() {
    let mut page = open(
        "<form onsubmit='L(\"sent\");event.preventDefault()'><label>Mail <input type=email value=bad></label><button>Send</button></form>",
    )
    .await;
    for _ in 0..2 {
        let outcome = page.perform(Click::on(page.on("Send"))).await;
        assert_eq!((outcome.code(), kind(&outcome)), (Some(ErrorCode::NoEffect), Some("form_not_sent")), "{outcome}");
        assert!(outcome.message.contains("Mail"), "{outcome}");
    }
    assert_eq!(page.js("log").await, json!([]));
    page.close().await;
}

#[tokio::test]
async fn what_a_click_sets_ticking_is_its_effect_and_what_ticked_before_is_not() {
    let mut page = open(
        "<p id=bar>0%</p><p id=clock>0</p><button onclick='let n=0;const t=setInterval(()=>{bar.textContent=++n+\"%\";if(n>9)clearInterval(t)},40)'>Load</button><button>Idle</button><script>setInterval(()=>clock.textContent++,60)</script>",
    )
    .await;
    // the clock has ticked some times before anybody clicks
    while page.js("clock.textContent > 12").await != json!(true) {}
    for _ in 0..2 {
        let outcome = page.perform(Click::on(page.on("Idle"))).await;
        assert_eq!(outcome.code(), Some(ErrorCode::NoEffect), "{outcome}");
        let outcome = page.perform(Click::on(page.on("Load"))).await;
        assert!(outcome.ok, "started again it is an effect again: {outcome}");
        while page.js("bar.textContent").await != json!("10%") {}
    }
    page.close().await;
}

#[tokio::test]
async fn a_link_to_a_page_that_cannot_be_loaded_is_no_success() {
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut page = open(&format!("<a href='http://{nobody}/'>Away</a>")).await;
    let outcome = page.perform(Click::on(page.on("Away"))).await;
    assert_eq!(outcome.code(), Some(ErrorCode::Navigation), "{outcome}");
    let shown = page.session.snapshot().await.unwrap();
    assert_eq!(shown.page.url, format!("http://{nobody}/"), "the address that was wanted, not the browser's own");
    page.close().await;
}

/// The page of the link comes after longer than any call to a page may take; nothing here waits for it by the clock.
#[tokio::test]
async fn a_link_whose_server_takes_its_time_is_followed() {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let server = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = server.local_addr().unwrap();
    let (go, gone) = tokio::sync::oneshot::channel::<()>();
    let serving = tokio::spawn(async move {
        let (mut stream, _) = server.accept().await.unwrap();
        let mut request = [0; 4096];
        let _ = stream.read(&mut request).await;
        let _ = gone.await;
        let body = "<h1>Arrived</h1>";
        let reply =
            format!("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {}\r\n\r\n{body}", body.len());
        stream.write_all(reply.as_bytes()).await.unwrap();
        let _ = stream.shutdown().await;
    });
    let mut page = open(&format!("<a href='http://{address}/'>Slow</a>")).await;
    let mut settings = Settings::default();
    settings.settle_cap = Duration::from_millis(300);
    settings.navigation_deadline = Duration::from_millis(600);
    page.session = page.session.with_settings(settings);
    let outcome = page.perform(Click::on(page.on("Slow"))).await;
    let error = outcome.error.as_ref().expect("the page is not there: no success");
    assert_eq!((error.code, error.kind.as_deref()), (ErrorCode::Navigation, Some("timeout")), "{outcome}");
    assert!(outcome.to_string().contains("on the way to"), "{outcome}");
    go.send(()).unwrap();
    let shown = page.session.snapshot().await.unwrap();
    assert!(shown.nodes.iter().any(|node| &*node.name == "Arrived"), "{:?}", shown.page);
    serving.await.unwrap();
    page.close().await;
}

/// A window keeps its global object from its first, empty document to the page that it was opened for.
#[tokio::test]
async fn a_window_that_a_page_opened_is_guarded_like_any_other() {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let server = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = server.local_addr().unwrap();
    let serving = tokio::spawn(async move {
        loop {
            let (mut stream, _) = server.accept().await.unwrap();
            tokio::spawn(async move {
                let mut request = [0; 4096];
                let read = stream.read(&mut request).await.unwrap_or(0);
                let second = String::from_utf8_lossy(&request[..read]).contains("/second");
                let body = if second {
                    "<title>Second</title><button onclick='document.title=\"used\"'>Use it</button>"
                } else {
                    "<button onclick='setTimeout(() => window.open(\"/second\"), 50)'>Open</button>"
                };
                let head = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\ncontent-length:";
                let _ = stream.write_all(format!("{head} {}\r\n\r\n{body}", body.len()).as_bytes()).await;
            });
        }
    });
    let mut page = open("").await;
    let loaded = page.perform(webhand_action::catalogue::Navigate::to(format!("http://{address}/"))).await;
    assert!(loaded.ok, "{loaded}");
    page.session.snapshot().await.unwrap();
    let outcome = page.perform(Click::on(page.on("Open"))).await;
    assert!(outcome.ok, "{outcome}");
    page.session.snapshot().await.unwrap();
    let outcome = page.perform(Click::on(page.on("Use it"))).await;
    assert!(outcome.ok, "{outcome}");
    assert_eq!(page.js("document.title").await, json!("used"));
    serving.abort();
    page.close().await;
}

#[tokio::test]
async fn a_hover_is_one_where_the_pointer_stays() {
    let mut page = open(
        "<button onmouseenter='L(\"enter\");p.textContent=1'>Menu</button><p id=p></p><button onmouseenter='this.style.marginLeft=\"300px\"'>Run</button>",
    )
    .await;
    let outcome = page.perform(Hover::on(page.on("Menu"))).await;
    assert!(outcome.ok, "{outcome}");
    assert_eq!(page.js("log").await, json!(["enter"]));
    page.close().await;
}

#[tokio::test]
async fn what_the_pointer_changes_before_the_press_is_another_thing() {
    let mut page =
        open("<button onmouseenter='this.textContent=\"Buy now\"' onclick='L(this.textContent)'>Save</button>").await;
    let outcome = page.perform(Click::on(page.on("Save"))).await;
    assert_eq!(outcome.code(), Some(ErrorCode::TargetChanged), "{outcome}");
    assert_eq!(page.js("log").await, json!([]));
    page.close().await;
}

#[tokio::test]
async fn a_release_reaches_nothing_that_the_press_brought() {
    let mut page = open(
        "<button onpointerdown='m.hidden=false'>Menu</button><div id=m hidden style='position:fixed;inset:0;z-index:2' onpointerup='L(\"up\")' onmouseup='L(\"mouseup\")'>Delete</div>",
    )
    .await;
    page.perform(Click::on(page.on("Menu"))).await;
    assert_eq!(page.js("log").await, json!([]));
    page.close().await;
}

#[tokio::test]
async fn a_press_on_a_point_is_for_what_was_seen_there() {
    let mut page = open(
        "<body style='margin:0'><button onmouseenter='d.hidden=false' onclick='L(\"save\")' style='position:absolute;left:40px;top:20px;width:200px;height:80px'>Save</button><button id=d hidden onclick='L(\"delete\")' style='position:absolute;left:40px;top:20px;width:200px;height:80px'>Delete</button>",
    )
    .await;
    let outcome = page.perform(Click::at(60.0, 40.0)).await;
    refused(&outcome);
    assert_eq!(page.js("log").await, json!([]));
    page.close().await;
}

#[tokio::test]
async fn text_is_typed_into_what_takes_text() {
    let mut page = open(
        "<input onkeydown='if(event.key===\"x\")d.focus()' autofocus><button id=d onclick='L(\"delete\")'>Del</button>",
    )
    .await;
    page.js("document.querySelector('input').focus()").await;
    let outcome = page.perform(Type::text("ax yz")).await;
    refused(&outcome);
    assert_eq!(page.js("log").await, json!([]), "the space is no press of the button");
    page.close().await;
}

/// The rows are the same nodes, filled with the next record: only what stands in the row tells them apart.
#[tokio::test]
async fn a_row_filled_anew_is_another_row_however_it_is_built() {
    for row in [
        "<span>NAME</span><div><div class=a><button>Edit</button></div><div class=a><button onclick='L(1)'>Delete</button></div></div>",
        "<button>NAME</button> <button onclick='L(1)'>Delete</button>",
        "<a href='#NAME'>View</a> <button onclick='L(1)'>Delete</button>",
    ] {
        let rows = ["alice", "carol"].map(|name| format!("<li>{}</li>", row.replace("NAME", name)));
        let mut page = open(&format!("<ul>{}</ul>", rows.concat())).await;
        let target = page.on("Delete");
        page.js("for (const el of document.querySelectorAll('span, li > button:first-child, a')) { if (el.localName === 'a') el.setAttribute('href', '#bob'); else el.textContent = 'bob' + el.textContent }").await;
        let outcome = page.perform(Click::on(target)).await;
        assert_eq!(outcome.code(), Some(ErrorCode::TargetChanged), "{row}: {outcome}");
        assert_eq!(page.js("log").await, json!([]), "{row}");
        page.close().await;
    }
}

#[tokio::test]
async fn what_changes_in_a_shadow_root_elsewhere_is_seen() {
    let mut page = open(
        "<button onclick='root.querySelector(\"b\").textContent++'>Add</button><div id=cart></div><button popovertarget=pop>Show</button><div id=pop popover>Here</div><script>window.root=cart.attachShadow({mode:\"closed\"});root.innerHTML=\"Cart: <b>0</b>\"</script>",
    )
    .await;
    for name in ["Add", "Show"] {
        let outcome = page.perform(Click::on(page.on(name))).await;
        assert!(outcome.ok, "{name}: {outcome}");
    }
    page.close().await;
}
