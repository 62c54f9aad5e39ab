//! Pages of more than one tree: frames, shadow roots, and a page that re-renders itself.

use super::sheet::Sheet;
use super::{Kind, OTHER_PORT, Page, Random, Truth};

/// A top page with three nested frames of its own origin and one frame of another site: 15 controls.
pub(super) fn frames(seed: u64) -> Page {
    let mut top = Sheet::new("Bench frames", Random::new(seed, "frames"));
    let mut truth = Truth::default();
    let mut documents = Vec::new();
    top.set_place("top");
    top.add("<h1>Frames</h1>");
    add_trio(&mut top);
    top.add("<iframe title='inner 1' src='frame1.html' width=900 height=420></iframe>");
    top.add(&format!(
        "<iframe title='other site' src='http://localhost:{OTHER_PORT}/frame-other.html' width=300 height=120></iframe>"
    ));
    let mut last = top.last_token();
    for (number, place) in [(1_usize, "frame 1"), (2, "frame 2"), (3, "frame 3")] {
        let random = Random::new(seed, place);
        let mut sheet = Sheet::new(&format!("Frame {number}"), random).continuing(last);
        sheet.set_place(place);
        sheet.add(&format!("<h3>Frame {number}</h3>"));
        add_trio(&mut sheet);
        if number < 3 {
            let (width, height, next) = (900 - number * 60, 420 - number * 110, number + 1);
            sheet.add(&format!(
                "<iframe title='inner {next}' src='frame{next}.html' width={width} height={height}></iframe>"
            ));
        }
        last = sheet.last_token();
        documents.push((format!("frame{number}.html"), sheet.html()));
        truth.absorb(sheet.truth);
    }
    let mut other = Sheet::new("Other site", Random::new(seed, "other site")).continuing(last);
    other.set_place("other site");
    other.add("<h3>Other site</h3>");
    add_trio(&mut other);
    documents.push(("frame-other.html".to_owned(), other.html()));
    truth.absorb(other.truth);
    documents.insert(0, ("frames.html".to_owned(), top.html()));
    let elements = top.elements();
    truth.absorb(top.truth);
    Page { name: "frames".to_owned(), documents, elements, truth }
}

fn add_trio(sheet: &mut Sheet) {
    let mut kinds = [Kind::Button, Kind::Text, Kind::Link];
    sheet.random.shuffle(&mut kinds);
    sheet.add("<p>");
    for kind in kinds {
        let control = sheet.control(kind);
        sheet.add(&control);
        sheet.add(" ");
    }
    sheet.add("</p>");
}

/// Light, slotted, open, nested open and closed trees: 13 controls.
pub(super) fn shadow(random: Random) -> Page {
    let mut sheet = Sheet::new("Bench shadow", random);
    let light = controls_in(&mut sheet, "light", &[Kind::Button, Kind::Text]);
    let slotted = controls_in(&mut sheet, "slotted", &[Kind::Button, Kind::Link]);
    let open = controls_in(&mut sheet, "open root", &[Kind::Button, Kind::Text, Kind::Link, Kind::Checkbox]);
    let nested = controls_in(&mut sheet, "nested open root", &[Kind::Button, Kind::Text]);
    let closed = controls_in(&mut sheet, "closed root", &[Kind::Button, Kind::Text, Kind::Link]);
    sheet.add(&format!(
        "<h1>Shadow</h1><div>{light}</div><x-open id=host>{slotted}</x-open><x-closed id=vault></x-closed>"
    ));
    let literal = |markup: &str| serde_json::Value::from(markup).to_string();
    let outer = literal(&format!("<section><p>{open}</p><slot></slot><div id=inner></div></section>"));
    let inner = literal(&format!("<p>{nested}</p>"));
    let hidden = literal(&format!("<p>{closed}</p>"));
    sheet.add_script(&format!(
        "{{const outer=document.getElementById('host').attachShadow({{mode:'open'}});outer.innerHTML={outer};\
         const inner=outer.getElementById('inner').attachShadow({{mode:'open'}});inner.innerHTML={inner};\
         const closed=document.getElementById('vault').attachShadow({{mode:'closed'}});closed.innerHTML={hidden};\
         watch(closed)}}"
    ));
    Page::single("shadow", sheet)
}

fn controls_in(sheet: &mut Sheet, place: &'static str, kinds: &[Kind]) -> String {
    sheet.set_place(place);
    let mut kinds = kinds.to_vec();
    sheet.random.shuffle(&mut kinds);
    kinds.into_iter().map(|kind| sheet.control(kind)).collect()
}

/// A page that replaces one button at every animation frame, another and a field at every click: 4 controls.
pub(super) fn spa(random: Random) -> Page {
    let mut sheet = Sheet::new("Bench re-rendering", random);
    sheet.set_place("replaced every frame");
    let restless = name(&mut sheet, Kind::Button);
    sheet.set_place("replaced on click");
    let replaced = name(&mut sheet, Kind::Button);
    sheet.set_place("stable");
    let stable = name(&mut sheet, Kind::Button);
    sheet.set_place("replaced on click");
    let field = name(&mut sheet, Kind::Text);
    sheet.add(&format!(
        "<h1>Re-rendering</h1><p id=count>0</p><div id=restless></div><div id=replaced></div>\
         <div><button>{stable}</button></div><div id=field></div>"
    ));
    sheet.add_script(&format!(
        "{{const at=id=>document.getElementById(id);let count=0;\
         const button=(id,name)=>{{const e=document.createElement('button');e.textContent=name;at(id).replaceChildren(e)}};\
         const field=()=>{{const e=document.createElement('input');e.setAttribute('aria-label','{field}');at('field').replaceChildren(e)}};\
         const tick=()=>{{button('restless','{restless}');at('count').textContent=String(++count);requestAnimationFrame(tick)}};\
         tick();button('replaced','{replaced}');field();\
         at('replaced').addEventListener('click',()=>button('replaced','{replaced}'));\
         document.addEventListener('click',field)}}"
    ));
    Page::single("spa", sheet)
}

fn name(sheet: &mut Sheet, kind: Kind) -> String {
    let token = sheet.token(kind);
    format!("{token} {}", sheet.random.words(2))
}
