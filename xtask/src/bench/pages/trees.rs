//! Pages of more than one tree: frames, shadow roots, and a page that re-renders itself.

use super::sheet::Sheet;
use super::{Kind, OTHER_PORT, Page, Random, Truth};

/// The documents of the page `frames`: path, title, place, and the heading before its three controls.
const FRAMES: [(&str, &str, &str, &str); 5] = [
    ("frames.html", "Bench frames", "top", "<h1>Frames</h1>"),
    ("frame1.html", "Frame 1", "frame 1", "<h3>Frame 1</h3>"),
    ("frame2.html", "Frame 2", "frame 2", "<h3>Frame 2</h3>"),
    ("frame3.html", "Frame 3", "frame 3", "<h3>Frame 3</h3>"),
    ("frame-other.html", "Other site", "other site", "<h3>Other site</h3>"),
];

/// Each of these documents without the frames in it.
fn frame_sheets(seed: u64) -> Vec<Sheet> {
    let mut last = 0;
    let sheet = |(_, title, place, heading): (&str, &str, &'static str, &str)| {
        // The chance of the top document is that of its page.
        let chance = if place == "top" { "frames" } else { place };
        let mut sheet = Sheet::new(title, Random::new(seed, chance)).continuing(last);
        sheet.set_place(place);
        sheet.add(heading);
        add_trio(&mut sheet);
        last = sheet.last_token();
        sheet
    };
    FRAMES.into_iter().map(sheet).collect()
}

/// A top page with three nested frames of its own origin and one frame of another site: 15 controls.
pub(super) fn frames(seed: u64) -> Page {
    let mut truth = Truth::default();
    let mut documents = Vec::new();
    let mut elements = 0;
    for (mut sheet, (path, _, place, _)) in frame_sheets(seed).into_iter().zip(FRAMES) {
        match place {
            "top" => {
                sheet.add("<iframe title='inner 1' src='frame1.html' width=900 height=420></iframe>");
                sheet.add(&format!(
                    "<iframe title='other site' src='http://localhost:{OTHER_PORT}/frame-other.html' width=300 height=120></iframe>"
                ));
                elements = sheet.elements();
            }
            "frame 1" => sheet.add("<iframe title='inner 2' src='frame2.html' width=840 height=310></iframe>"),
            "frame 2" => sheet.add("<iframe title='inner 3' src='frame3.html' width=780 height=200></iframe>"),
            _ => {}
        }
        documents.push((path.to_owned(), sheet.html()));
        truth.absorb(sheet.truth);
    }
    Page { name: "frames".to_owned(), documents, elements, truth }
}

/// The content of `frames` in one document.
pub(super) fn one_frame(seed: u64) -> Page {
    let mut sheets = frame_sheets(seed).into_iter();
    let mut whole = sheets.next().unwrap_or_else(|| Sheet::new("Bench frames", Random::new(seed, "frames")));
    for sheet in sheets {
        whole.take_in(sheet);
    }
    Page::single("one-frame", whole)
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
