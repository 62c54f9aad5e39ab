//! Reading real pages in a real browser.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use webhand_browser::{Browser, Headless, Launch, Tab};
use webhand_page::{Context, Reader, Snapshot};

async fn tab(browser: &Browser, html: &str) -> Tab {
    let tab = browser.new_context().await.unwrap().new_tab(None).await.unwrap();
    let mut url = "data:text/html;charset=utf-8,".to_owned();
    for byte in html.bytes() {
        url.push_str(&format!("%{byte:02x}"));
    }
    tab.navigate(&url, Duration::from_secs(20)).await.unwrap();
    tab
}

async fn browser(headless: Headless) -> Browser {
    Browser::launch(Launch::default().headless(headless)).await.unwrap()
}

async fn read(html: &str) -> Snapshot {
    let browser = browser(Headless::Auto).await;
    let tab = tab(&browser, html).await;
    let snapshot = Reader::default().read(&tab, Context::default()).await.unwrap();
    browser.close().await;
    snapshot
}

fn names(snapshot: &Snapshot) -> Vec<String> {
    snapshot.controls().map(|(node, control)| format!("{} {}", control.r#ref.family.letter(), node.name)).collect()
}

#[tokio::test]
async fn controls_and_text_come_in_document_order() {
    let snapshot = read("<h1>Hi <a href='/x'>there</a></h1><p>Some <b>bold</b> text<button>Save</button><label>Mail <input type=email value='a@b'></label>").await;
    assert_eq!(names(&snapshot), ["L there", "B Save", "I Mail"]);
    let texts: Vec<_> = snapshot.nodes.iter().filter(|node| node.control.is_none()).map(|node| &*node.name).collect();
    assert_eq!(texts, ["", "Hi", "Some bold text"]);
    let (_, mail) = snapshot.by_role_and_name("textbox", "Mail").unwrap();
    assert_eq!(mail.state.value.as_deref(), Some("a@b"));
}

#[tokio::test]
async fn listeners_that_a_script_added_make_controls() {
    let html = "<style>div{padding:4px}</style><div id=a>one</div><div id=b>two</div><div>three</div><script>for(const k of 'ab')document.getElementById(k).addEventListener('click',()=>0)</script>";
    assert_eq!(names(&read(html).await), ["E one", "E two"]);
}

#[tokio::test]
async fn a_frame_and_an_open_shadow_root_are_read_in_place() {
    let html = "<p>before</p><x-box><b slot=s>slotted</b></x-box><iframe title=inner srcdoc='<button>In frame</button>' width=300 height=80></iframe><p>after</p><script>document.querySelector('x-box').attachShadow({mode:'open'}).innerHTML='<button>In shadow</button><slot name=s></slot>'</script>";
    let snapshot = read(html).await;
    assert_eq!(names(&snapshot), ["B In shadow", "F inner", "B In frame"]);
    let all: Vec<_> = snapshot.nodes.iter().map(|node| &*node.name).collect();
    assert_eq!(all, ["before", "In shadow", "slotted", "inner", "In frame", "after"]);
    assert_eq!(
        snapshot.frames[1].r#ref,
        snapshot.by_role_and_name("iframe", "inner").map(|(_, control)| control.r#ref)
    );
}

#[tokio::test]
async fn what_covers_is_named_by_the_ref_under_which_it_is_listed() {
    // the cover comes later in the document than what it covers
    let html = "<style>div{position:relative}button{position:absolute;left:0;top:0;width:90px;height:40px}</style><div><button id=under>Under</button><button id=over>Over</button></div>";
    let snapshot = read(html).await;
    let (_, over) = snapshot.by_role_and_name("button", "Over").unwrap();
    let (_, under) = snapshot.by_role_and_name("button", "Under").unwrap();
    let cover = under.state.covered.as_ref().and_then(|cover| cover.r#ref);
    assert_eq!(cover, Some(over.r#ref));
}

#[tokio::test]
async fn refs_stay_and_what_is_new_is_marked() {
    let browser = browser(Headless::Auto).await;
    let tab = tab(&browser, "<button>A</button><button>B</button><script>setTimeout(()=>{document.body.prepend(Object.assign(document.createElement('button'),{textContent:'C'}))},0)</script>").await;
    let mut reader = Reader::default();
    let first = reader.read(&tab, Context::default()).await.unwrap();
    let evaluate = webhand_cdp::protocol::runtime::Evaluate::new(
        "document.body.prepend(Object.assign(document.createElement('button'),{textContent:'New'}))",
    );
    tab.session().call(&evaluate).await.unwrap();
    let second = reader.read(&tab, Context::default()).await.unwrap();
    for (node, control) in first.controls() {
        assert_eq!(second.by_role_and_name("button", &node.name).map(|(_, now)| now.r#ref), Some(control.r#ref));
    }
    let new: Vec<_> = second.controls().filter(|(_, control)| control.new).map(|(node, _)| &*node.name).collect();
    assert_eq!(new, ["New"]);
    browser.close().await;
}

#[tokio::test]
async fn a_closed_shadow_root_is_read_in_place_too() {
    let html = "<p>before</p><x-box></x-box><p>after</p><script>const root = document.querySelector('x-box').attachShadow({mode:'closed'});root.innerHTML='<button>Inside</button><x-in></x-in>';root.querySelector('x-in').attachShadow({mode:'closed'}).innerHTML='<button>Deeper</button>'</script>";
    let snapshot = read(html).await;
    let all: Vec<_> = snapshot.nodes.iter().map(|node| &*node.name).collect();
    assert_eq!(all, ["before", "Inside", "Deeper", "after"]);
}

/// No script finds a closed root; what stands in one is found by the place it takes, or by its listeners.
#[tokio::test]
async fn closed_shadow_roots_on_ordinary_elements_are_read_too() {
    let html = "<p>before</p><div id=a></div><section id=b>own words</section><p>x <span id=c></span> y</p><script>const closed = (id, html) => {const root = document.getElementById(id).attachShadow({mode:'closed'});root.innerHTML=html;return root};closed('a', '<button>First</button><div id=in></div>').getElementById('in').attachShadow({mode:'closed'}).innerHTML='<a href=/>Second</a>';closed('b', '<button>Third</button>').querySelector('button').onclick=()=>0;closed('c','<input aria-label=Fourth>')</script>";
    assert_eq!(names(&read(html).await), ["B First", "L Second", "B Third", "I Fourth"]);
}

/// Everything of a snapshot but refs and what is new: another reader gives other numbers.
fn seen(snapshot: &Snapshot) -> Vec<String> {
    let line = |node: &webhand_page::Node| {
        let control = node.control.as_ref().map(|control| (control.item, control.rect, &control.state));
        format!("{} {} {} {:?} {} {control:?}", node.depth, node.role.as_str(), node.name, node.level, node.in_view)
    };
    snapshot.nodes.iter().map(line).collect()
}

/// A reader that read before is told only what changed; it must come to what a reader sees that never read.
#[tokio::test]
async fn what_changed_leads_to_the_same_snapshot_as_the_whole() {
    let html = "<title>0</title><main id=m></main><script>
        let seed = 7;
        const random = (n) => (seed = seed * 1103515245 + 12345 & 0x7fffffff) % n;
        const m = document.getElementById('m');
        const row = () => {
            const li = document.createElement(['article', 'p', 'div', 'section'][random(4)]);
            li.innerHTML = ['<button>Go</button> text', 'only text', '<a href=#>link</a><p>more</p>', '<input type=checkbox aria-label=tick> <b>bold</b>'][random(4)] + random(3);
            return li;
        };
        for (let i = 0; i < 60; i++) m.append(row());
        function change() {
            for (let left = 1 + random(6); left > 0; left--) {
                const at = m.children[random(m.children.length)];
                switch (random(6)) {
                    case 0: at && at.remove(); break;
                    case 1: m.insertBefore(row(), at); break;
                    case 2: at && at.after(...Array.from({length: random(60)}, row)); break;
                    case 3: m.append(at); break;
                    case 4: for (const box of m.querySelectorAll('input')) box.checked = random(2); break;
                    default: if (random(4) === 0) m.replaceChildren(); m.prepend(row());
                }
            }
        }
    </script>";
    let browser = browser(Headless::Auto).await;
    let tab = tab(&browser, html).await;
    let mut warm = Reader::default();
    for round in 0..40 {
        warm.read(&tab, Context::default()).await.unwrap();
        tab.session().call(&webhand_cdp::protocol::runtime::Evaluate::new("change()")).await.unwrap();
        let now = warm.read(&tab, Context::default()).await.unwrap();
        let again = warm.read(&tab, Context::default()).await.unwrap();
        assert_eq!(seen(&now), seen(&again), "round {round}: nothing changed");
        assert!(again.controls().all(|(_, control)| !control.new), "round {round}: nothing is new twice");
        let fresh = Reader::default().read(&tab, Context::default()).await.unwrap();
        assert_eq!(seen(&now), seen(&fresh), "round {round}");
    }
    browser.close().await;
}

#[tokio::test]
async fn what_scrolling_brings_into_view_is_a_control_however_many_areas_scroll() {
    let html = "<style>div{overflow:auto;width:300px}p{height:500px}</style><div style='height:120px'><div style='height:80px'><p>a</p><button>Deep</button><p>b</p></div><p>c</p><button>Lower</button></div><div style='height:50px;overflow:hidden'><div style='height:40px;overflow:auto'><p>a</p><button>In a hidden one</button></div><p>x</p><button>Cut off</button></div><div style='overflow-x:visible;overflow-y:clip;height:40px;width:10px'><button style='position:relative;left:200px'>Beside</button></div>";
    assert_eq!(names(&read(html).await), ["X ", "X ", "B Deep", "B Lower", "X ", "B In a hidden one", "B Beside"]);
}

/// A page may set half of a two-part character into a field or a name; no answer could carry it as it is.
#[tokio::test]
async fn half_characters_make_no_page_unreadable() {
    let html = "<title>x</title><input aria-label=Field><button id=b>Name</button><script>document.title='t\\ud83d';document.querySelector('input').value='v\\ud83d';b.textContent='n\\udfff'</script>";
    let snapshot = read(html).await;
    let (_, field) = snapshot.by_role_and_name("textbox", "Field").unwrap();
    assert_eq!(field.state.value.as_deref(), Some("v\u{fffd}"));
    assert_eq!(names(&snapshot), ["I Field", "B n\u{fffd}"]);
}

#[tokio::test]
async fn a_link_in_a_picture_of_lines_is_a_link_like_any_other() {
    let snapshot =
        read("<button>B</button><svg width=100 height=40><a href='https://a.example/x'><text y=20>L</text></a></svg>")
            .await;
    let (_, link) = snapshot.by_role_and_name("link", "L").unwrap();
    assert_eq!(link.attributes.href.as_deref(), Some("https://a.example/x"));
}

#[tokio::test]
async fn a_closed_root_that_comes_after_the_first_read_is_read() {
    let browser = browser(Headless::Auto).await;
    let tab =
        tab(&browser, "<x-late style='display:block;width:9px;height:9px'></x-late><div id=d></div><p>x</p>").await;
    let mut reader = Reader::default();
    reader.read(&tab, Context::default()).await.unwrap();
    let script = "customElements.define('x-late', class extends HTMLElement { constructor() { super(); this.attachShadow({mode: 'closed'}).innerHTML = '<button>Upgraded</button>' } }); d.attachShadow({mode: 'closed'}).innerHTML = '<button>Late</button>'";
    tab.session().call(&webhand_cdp::protocol::runtime::Evaluate::new(script)).await.unwrap();
    let snapshot = reader.read(&tab, Context::default()).await.unwrap();
    assert_eq!(names(&snapshot), ["B Upgraded", "B Late"]);
    browser.close().await;
}

#[tokio::test]
async fn a_page_nested_five_thousand_deep_is_read() {
    let html = format!("<p>top</p>{}<button>Deep</button>bottom", "<div>".repeat(5000));
    assert_eq!(names(&read(&html).await), ["B Deep"]);
}

/// Deeper than the parser goes; twice as deep and Chromium itself crashes in its layout.
#[tokio::test]
async fn a_page_that_a_script_nested_two_thousand_deep_is_read() {
    let html = "<body><script>let e=document.body;for(let i=0;i<2000;i++){const d=document.createElement('div');e.append(d);e=d}e.innerHTML='<button>Deep</button>bottom'</script>";
    assert_eq!(names(&read(html).await), ["B Deep"]);
}

/// What an expression gives in the page's own world.
async fn js(tab: &Tab, expression: &str) -> serde_json::Value {
    let mut evaluate = webhand_cdp::protocol::runtime::Evaluate::new(expression);
    evaluate.return_by_value = Some(true);
    let value = tab.session().call(&evaluate).await.unwrap().result.value;
    value.map_or(serde_json::Value::Null, |value| serde_json::from_str(value.get()).unwrap())
}

#[tokio::test]
async fn a_page_sees_nothing_of_being_read() {
    let html = "<div id=list><button>One</button><input value=two><x-box></x-box></div><iframe srcdoc='<p>in</p>'></iframe>\
        <script>document.querySelector('x-box').attachShadow({mode:'closed'}).innerHTML='<a href=#>three</a>';\
        window.seen=0;const own=new Set(Object.getOwnPropertyNames(window));\
        window.fresh=()=>Object.getOwnPropertyNames(window).filter(name=>!own.has(name)&&!['fresh','own'].includes(name));\
        new MutationObserver(records=>{seen+=records.length}).observe(document,{subtree:true,childList:true,attributes:true,characterData:true});\
        for(const name of ['addEventListener','setAttribute','attachShadow','querySelectorAll','getBoundingClientRect']){\
        for(const proto of [EventTarget.prototype,Element.prototype]){if(!(name in proto))continue;const was=proto[name];\
        proto[name]=function(...all){seen++;return was.apply(this,all)}}}</script>";
    let browser = browser(Headless::Auto).await;
    let tab = tab(&browser, html).await;
    let mut reader = Reader::default();
    for _ in 0..3 {
        let snapshot = reader.read(&tab, Context::default()).await.unwrap();
        assert!(snapshot.controls().count() >= 4, "{snapshot}");
    }
    assert_eq!(js(&tab, "[seen, fresh(), typeof webhand]").await, serde_json::json!([0, [], "undefined"]));
    browser.close().await;
}

#[tokio::test]
async fn listeners_of_any_number_are_looked_at_read_by_read_and_the_rest_is_counted() {
    let html = "<style>i{display:block}</style><main></main><script>for(let n=0;n<2300;n++){const e=document.createElement('i');\
        e.textContent='row '+n;e.addEventListener('click',()=>{});document.querySelector('main').append(e)}</script>";
    let browser = browser(Headless::Auto).await;
    let tab = tab(&browser, html).await;
    let mut reader = Reader::default();
    let first = reader.read(&tab, Context::default()).await.unwrap();
    assert_eq!((first.controls().count(), first.page.unlooked), (2000, 300));
    assert!(first.to_string().contains("300 more elements may react: look again"), "{first}");
    let second = reader.read(&tab, Context::default()).await.unwrap();
    assert_eq!((second.controls().count(), second.page.unlooked), (2300, 0));
    browser.close().await;
}

#[tokio::test]
async fn what_listens_no_more_is_no_control_any_more() {
    let html = "<style>i{display:block}</style><i id=a>one</i><i id=b>two</i><script>const f=()=>{};\
        for(const e of [a,b])e.addEventListener('click',f);window.quiet=()=>a.removeEventListener('click',f)</script>";
    let browser = browser(Headless::Auto).await;
    let tab = tab(&browser, html).await;
    let mut reader = Reader::default();
    let first = reader.read(&tab, Context::default()).await.unwrap();
    assert_eq!(names(&first), ["E one", "E two"]);
    js(&tab, "quiet()").await;
    let second = reader.read(&tab, Context::default()).await.unwrap();
    assert_eq!(names(&second), ["E two"]);
    browser.close().await;
}
