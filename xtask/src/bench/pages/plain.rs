//! Pages of one plain document: a form, an application, a table, and a page as large as wanted.

use super::sheet::{Sheet, count_elements};
use super::{Kind, Page, Random};

/// Elements of the page `huge`.
pub(super) const HUGE_ELEMENTS: usize = 100_000;
/// The smallest page of the `huge-N` family.
pub(super) const HUGE_SMALLEST: usize = 1_000;
/// The largest.
pub(super) const HUGE_LARGEST: usize = 1_000_000;

const TABLE_ELEMENTS: usize = 10_000;
const TABLE_ROWS: usize = 500;
const APP_ELEMENTS: usize = 1_000;

/// Gives every listener-only control its listener.
const ARM: &str = "for(const e of document.querySelectorAll('.act'))e.addEventListener('click',()=>{e.done=true});";

/// A sign-up form: 20 controls, most of them named by a `label`.
pub(super) fn form(random: Random) -> Page {
    let mut sheet = Sheet::new("Bench form", random);
    let mut fields = [
        (Kind::Text, "<input type=text id=# name=first>"),
        (Kind::Text, "<input type=text id=# name=last placeholder='family name'>"),
        (Kind::Text, "<input type=email id=# name=email required>"),
        (Kind::Text, "<input type=password id=# name=secret>"),
        (Kind::Text, "<input type=number id=# name=age min=0 max=120>"),
        (Kind::Text, "<input type=date id=# name=born>"),
        (Kind::Text, "<textarea id=# name=notes></textarea>"),
        (
            Kind::Select,
            "<select id=# name=country><option value=''>pick</option><option>France</option><option>Japan</option></select>",
        ),
        (Kind::Checkbox, "<input type=checkbox id=# name=terms>"),
        (Kind::Checkbox, "<input type=checkbox id=# name=news checked>"),
        (Kind::Radio, "<input type=radio id=# name=plan value=a>"),
        (Kind::Radio, "<input type=radio id=# name=plan value=b checked>"),
        (Kind::Radio, "<input type=radio id=# name=plan value=c>"),
        (Kind::Range, "<input type=range id=# name=volume>"),
        (Kind::File, "<input type=file id=# name=scan>"),
    ];
    sheet.random.shuffle(&mut fields);
    sheet.add("<main><h1>Sign up</h1><form onsubmit='return false'>");
    // A plain text field comes first, whatever the order: it is the one that the bench fills.
    fields.sort_by_key(|(_, markup)| !markup.contains("name=first"));
    for (kind, markup) in fields {
        let token = sheet.token(kind);
        let words = sheet.random.words(2);
        sheet.add(&format!("<p><label for='{token}'>{token} {words}</label> {}</p>", markup.replace('#', &token)));
    }
    for _ in 0..2 {
        let link = sheet.control(Kind::Link);
        sheet.add(&format!("<p>{link}</p>"));
    }
    for kind in ["reset", "button", "button"] {
        let token = sheet.token(Kind::Button);
        let word = sheet.random.word();
        sheet.add(&format!("<button type={kind}>{token} {word}</button>"));
    }
    sheet.add("</form></main>");
    Page::single("form", sheet)
}

/// An application: 1,000 elements, 150 controls of 12 kinds, 25 decoys.
pub(super) fn app(random: Random) -> Page {
    let mut sheet = Sheet::new("Bench app", random);
    sheet.add_style(
        "#under{position:relative;height:40px}#under .veil{position:absolute;inset:0;background:#fdd;z-index:5}",
    );
    let mut kinds: Vec<Kind> = [
        (Kind::Button, 50),
        (Kind::Link, 30),
        (Kind::Text, 15),
        (Kind::Checkbox, 10),
        (Kind::RoleButton, 10),
        (Kind::Listener, 10),
        (Kind::Select, 5),
        (Kind::Tab, 5),
        (Kind::MenuItem, 5),
        (Kind::Switch, 5),
        (Kind::Summary, 3),
        (Kind::Editable, 2),
    ]
    .into_iter()
    .flat_map(|(kind, count)| std::iter::repeat_n(kind, count))
    .collect();
    sheet.random.shuffle(&mut kinds);
    let (in_header, in_cards) = kinds.split_at(15);
    sheet.add("<header role=banner><nav>");
    for &kind in in_header {
        let control = sheet.control(kind);
        sheet.add(&control);
    }
    sheet.add("</nav></header><main>");
    for (number, card) in in_cards.chunks(5).enumerate() {
        let (heading, prose) = (sheet.random.words(2), sheet.random.words(12));
        sheet.add(&format!("<section class=card><h2>Card {number} {heading}</h2><p>{prose}</p>"));
        for &kind in card {
            let (before, after) = (sheet.random.words(2), sheet.random.word());
            let control = sheet.control(kind);
            sheet.add(&format!("<div class=row><span>{before}</span>{control}<em>{after}</em></div>"));
        }
        sheet.add("</section>");
    }
    add_decoys(&mut sheet);
    sheet.add("</main>");
    sheet.add_script(ARM);
    fill_up(&mut sheet, APP_ELEMENTS, "footer", "p", 5);
    Page::single("app", sheet)
}

/// Controls that nobody can use: 10 not displayed, 5 not visible, 5 disabled, 5 covered.
fn add_decoys(sheet: &mut Sheet) {
    sheet.add("<div>");
    for (count, attribute, why) in
        [(10, "class=gone", "display: none"), (5, "class=unseen", "visibility: hidden"), (5, "disabled", "disabled")]
    {
        for _ in 0..count {
            let token = sheet.decoy(why);
            let word = sheet.random.word();
            sheet.add(&format!("<button {attribute}>{token} {word}</button>"));
        }
    }
    sheet.add("<div id=under>");
    for _ in 0..5 {
        let token = sheet.decoy("covered");
        let word = sheet.random.word();
        sheet.add(&format!("<button>{token} {word}</button>"));
    }
    sheet.add("<div class=veil>veil</div></div></div>");
}

/// A table of orders: 10,000 elements, 500 rows of three controls each.
pub(super) fn table(random: Random) -> Page {
    let mut sheet = Sheet::new("Bench table", random);
    let mut heads = ["Customer", "Region", "State", "Total", "Note"];
    sheet.random.shuffle(&mut heads);
    sheet.add("<main><h1>Orders</h1><table><thead><tr>");
    for head in ["", "Order"].into_iter().chain(heads).chain([""]) {
        sheet.add(&format!("<th>{head}</th>"));
    }
    sheet.add("</tr></thead><tbody>");
    for _ in 0..TABLE_ROWS {
        let (tick, link) = (sheet.control(Kind::Checkbox), sheet.control(Kind::Link));
        sheet.add(&format!("<tr><td>{tick}</td><td>{link}</td>"));
        for column in 0..heads.len() {
            let words = sheet.random.words(1 + column % 2);
            sheet.add(&format!("<td><span>{words}</span></td>"));
        }
        let button = sheet.control(Kind::Button);
        sheet.add(&format!("<td>{button}</td></tr>"));
    }
    sheet.add("</tbody></table></main>");
    fill_up(&mut sheet, TABLE_ELEMENTS, "section", "p", 4);
    Page::single("table", sheet)
}

/// A page of posts with that many elements, five controls to a hundred elements.
pub(super) fn huge(name: &str, elements: usize, random: Random) -> Page {
    let mut sheet = Sheet::new("Bench huge", random);
    let mut kinds = [Kind::Button, Kind::Link, Kind::Checkbox, Kind::Button, Kind::RoleButton];
    sheet.random.shuffle(&mut kinds);
    sheet.add("<main>");
    for post in 0..elements / 100 {
        let mut article = format!("<article><h2>Post {post}</h2>");
        for _ in 0..27 {
            let (left, right) = (sheet.random.words(2), sheet.random.word());
            article.push_str(&format!("<p><span>{left}</span> <b>{right}</b></p>"));
        }
        article.push_str("<ul>");
        for kind in kinds {
            let control = sheet.control(kind);
            article.push_str(&format!("<li>{control}</li>"));
        }
        article.push_str("</ul></article>");
        debug_assert!(count_elements(&article) <= 100, "a post must stay below its hundredth");
        sheet.add(&article);
    }
    sheet.add("</main>");
    fill_up(&mut sheet, elements, "section", "i", 1);
    Page::single(name, sheet)
}

/// Adds a container of plain text elements, so that the document has exactly that many elements.
fn fill_up(sheet: &mut Sheet, elements: usize, container: &str, tag: &str, words: usize) {
    let missing = elements.saturating_sub(sheet.elements() + 1);
    sheet.add(&format!("<{container}>"));
    for _ in 0..missing {
        let text = sheet.random.words(words);
        sheet.add(&format!("<{tag}>{text}</{tag}> "));
    }
    sheet.add(&format!("</{container}>"));
}
