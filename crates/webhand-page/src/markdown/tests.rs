//! Reading pages.

use proptest::prelude::*;

use super::{ReadForm, ReadOptions};
use crate::{
    format::{sample::Sample, token_bound},
    snapshot::{Checked, Snapshot},
};

fn whole() -> ReadOptions {
    ReadOptions { max_tokens: 0, ..ReadOptions::default() }
}

fn article() -> Snapshot {
    let mut page = Sample::new("Hats");
    page.part("main", "").within(|page| {
        page.heading(1, "About | hats").text("Hats are old.").text("A hat | a head, see our");
        page.control_with("link", "Terms", |link| {
            link.attributes.href = Some("http://shop.example/terms (1)".to_owned())
        });
        page.text("and go on.").part("img", "A red hat").heading(2, "Kinds");
        page.part("list", "").within(|page| {
            page.part("listitem", "Felt").part("listitem", "").within(|page| {
                page.text("Straw").part("list", "").within(|page| {
                    page.part("listitem", "Panama").part("listitem", "").within(|page| {
                        page.control("link", "Boater");
                    });
                });
            });
        });
        page.text("After the list.");
        table(page);
        page.part("table", "").within(|page| {
            page.part("row", "").within(|page| {
                page.part("rowheader", "Sum").part("cell", "3");
            });
        });
        form(page);
    });
    page.done()
}

fn table(page: &mut Sample) {
    page.part("table", "Prices").within(|page| {
        page.part("row", "").within(|page| {
            page.part("columnheader", "Hat").part("columnheader", "Price").part("columnheader", "");
        });
        for (hat, price) in [("Felt", "12 €"), ("Straw | thin", "")] {
            page.part("row", "").within(|page| {
                page.part("cell", hat).part("cell", price).part("cell", "").within(|page| {
                    page.control("button", "Buy");
                });
            });
        }
    });
}

fn form(page: &mut Sample) {
    page.part("form", "Order").within(|page| {
        page.control_with("textbox", "Name:", |field| field.state.value = Some("Ann\nLee".to_owned()));
        page.control_with("textbox", "Password", |field| field.state.secret = Some(true));
        page.control_with("combobox", "Size", |field| {
            field.state.selected = Some(vec!["M".to_owned(), "L".to_owned()])
        });
        page.control_with("checkbox", "Gift", |field| field.state.checked = Some(Checked::True));
        page.control_with("checkbox", "Wrap", |field| field.state.checked = Some(Checked::False));
        page.control("button", "Send");
    });
}

#[test]
fn an_article_as_markdown() {
    insta::assert_snapshot!(article().read(&whole()).unwrap().text);
}

#[test]
fn an_article_as_plain_text() {
    insta::assert_snapshot!(article().read(&ReadOptions { form: ReadForm::Text, ..whole() }).unwrap().text);
}

#[test]
fn links_show_their_addresses_on_demand() {
    let text = article().read(&ReadOptions { addresses: true, ..whole() }).unwrap().text;
    assert!(text.contains("see our [Terms](http://shop.example/terms1) and go on."), "{text}");
    assert!(text.contains("- Boater\n"), "a link without an address stays text: {text}");
}

#[test]
fn a_part_is_read_by_its_ref() {
    let mut page = Sample::new("Parts");
    page.text("outside").control("dialog", "Cookies").within(|page| {
        page.heading(2, "We use cookies").control("button", "Fine");
    });
    page.text("outside");
    let page = page.done();
    let read = |text: &str| page.read(&ReadOptions { within: Some(text.parse().unwrap()), ..whole() });
    assert_eq!(read("D1").unwrap().text, "## We use cookies\n\n[Fine]\n");
    assert!(read("D9").is_none() && read("B1").is_none(), "an unknown ref and a wrong letter name nothing");
}

#[test]
fn chunks_end_between_blocks() {
    let page = article();
    let whole = page.read(&whole()).unwrap().text;
    let mut options = ReadOptions { max_tokens: 60, ..ReadOptions::default() };
    let mut chunks = Vec::new();
    loop {
        let reading = page.read(&options).unwrap();
        chunks.push(reading.text);
        match reading.next {
            Some(next) => options.cursor = Some(next),
            None => break,
        }
    }
    assert!(chunks.len() > 3);
    let lines = |text: &str| text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(lines(&chunks.join("\n")), lines(&whole), "a table that is too long for a chunk is cut between rows");
    options.cursor = Some(usize::MAX);
    assert_eq!(page.read(&options).unwrap().text, "", "a cursor past the end reads nothing");
}

proptest! {
    #[test]
    fn chunks_hold_everything_and_keep_their_limit(
        texts in prop::collection::vec("[ -~é男\n]{0,60}", 0..12),
        max_tokens in 1u32..80,
    ) {
        let mut page = Sample::new("Any");
        for text in &texts {
            page.text(text);
        }
        let page = page.done();
        let whole = page.read(&whole()).unwrap().text;
        let mut options = ReadOptions { max_tokens, ..ReadOptions::default() };
        let mut joined = String::new();
        loop {
            let reading = page.read(&options).unwrap();
            prop_assert!(token_bound(&reading.text) <= max_tokens.max(4), "{:?}", reading.text);
            joined.push_str(&reading.text);
            let Some(next) = reading.next else { break };
            prop_assert!(next > options.cursor.unwrap_or(0));
            options.cursor = Some(next);
        }
        let bare = |text: &str| text.chars().filter(|char| !char.is_whitespace()).collect::<String>();
        prop_assert_eq!(bare(&joined), bare(&whole));
    }
}
