//! Sentences and what they mean, both languages in one table.

use proptest::prelude::*;

use super::{ClickKind, ReadWhat, Reading, ScrollTo, Step, WaitFor, Wanted, parse};

/// A reading in short: `Delete/button#2@Alice`.
fn reading(reading: &Reading) -> String {
    let mut out = match (&reading.r#ref, &reading.name) {
        (Some(text), _) => format!("ref {text}"),
        (None, Some(name)) => name.clone(),
        (None, None) => "?".to_owned(),
    };
    if let Some(role) = reading.role {
        out += &format!("/{}", format!("{role:?}").to_lowercase());
    }
    if let Some(ordinal) = reading.ordinal {
        out += &format!("#{ordinal:?}");
    }
    if let Some(within) = &reading.within {
        out += &format!("@{within}");
    }
    out
}

fn target(wanted: &Wanted) -> String {
    wanted.readings.iter().map(reading).collect::<Vec<_>>().join(" | ")
}

/// A step in short.
fn brief(step: &Step) -> String {
    let to =
        |wanted: &Option<Wanted>| wanted.as_ref().map(|wanted| format!(" -> {}", target(wanted))).unwrap_or_default();
    match step {
        Step::Open { address, new_tab } => format!("open {address}{}", if *new_tab { " new" } else { "" }),
        Step::Click { target: wanted, how: ClickKind::Single } => format!("click {}", target(wanted)),
        Step::Click { target: wanted, how } => format!("{how:?} {}", target(wanted)).to_lowercase(),
        Step::Hover { target: wanted } => format!("hover {}", target(wanted)),
        Step::Type { text, target } => format!("type {text:?}{}", to(target)),
        Step::Choose { option, target } => format!("choose {option:?}{}", to(target)),
        Step::Check { target: wanted, on } => format!("{} {}", if *on { "check" } else { "uncheck" }, target(wanted)),
        Step::Press { keys } => format!("press {keys}"),
        Step::Scroll(ScrollTo::Ref(text)) => format!("scroll to ref {text}"),
        Step::Scroll(ScrollTo::Text(text)) => format!("scroll to {text:?}"),
        Step::Scroll(to) => format!("scroll {to:?}").to_lowercase(),
        Step::Wait(WaitFor::Text(text)) => format!("wait {text:?}"),
        Step::Wait(WaitFor::TextGone(text)) => format!("wait gone {text:?}"),
        Step::Wait(what) => format!("wait {what:?}").to_lowercase(),
        Step::Read(ReadWhat::Named(wanted)) => format!("read {}", target(wanted)),
        Step::Read(what) => format!("read the {what:?}").to_lowercase(),
        Step::Dialog { accept, text } => {
            format!("dialog {accept} {}", text.clone().unwrap_or_default()).trim().to_owned()
        }
        Step::SwitchTab { id } => format!("switch {id}"),
        Step::Expect { text, shown } => format!("expect {}{text:?}", if *shown { "" } else { "not " }),
        Step::SearchWeb { query } => format!("search {query:?}"),
        other => format!("{other:?}").to_lowercase(),
    }
}

fn briefs(task: &str) -> Vec<String> {
    parse(task).unwrap_or_else(|error| panic!("{error}")).iter().map(|line| brief(&line.step)).collect()
}

#[test]
fn english_sentences() {
    for (sentence, expected) in [
        ("Open https://example.org/a?b=c", "open https://example.org/a?b=c"),
        ("go to example.org.", "open example.org"),
        ("open /cart", "open /cart"),
        ("Open localhost:8080 in a new tab", "open localhost:8080 new"),
        ("open the \"Settings\" menu item", "click Settings/option"),
        ("Click \"Save\"", "click Save"),
        ("click the Save button", "click Save button | Save/button"),
        ("Please click on the “Save” button.", "click Save/button"),
        ("click button \"Save\"", "click Save/button"),
        ("click the button labelled \"Save\"", "click Save/button"),
        ("Click Sign in", "click Sign in"),
        ("click the second \"Delete\" button", "click Delete/button#Nth(2)"),
        ("click the last link", "click last link | last/link | link#Last | ?/link#Last"),
        ("Click \"Delete\" in the row \"Alice\"", "click Delete@Alice"),
        ("click the \"Delete\" button for Alice", "click Delete/button@Alice"),
        ("double-click \"Row 3\"", "double row 3"),
        ("right-click on \"photo.jpg\"", "right photo.jpg"),
        ("hover over \"Products\"", "hover Products"),
        ("Type \"oak lamp\" into Search", "type \"oak lamp\" -> Search"),
        ("enter Ann Lee into \"Name\"", "type \"Ann Lee\" -> Name"),
        ("type \"into the wild\" in the \"Title\" field", "type \"into the wild\" -> Title/field"),
        ("type \"x\"", "type \"x\""),
        ("fill in \"E-mail\" with \"a@b.example\"", "type \"a@b.example\" -> E-mail"),
        ("Fill \"Note\" with \"\"", "type \"\" -> Note"),
        ("clear the \"Note\" field", "type \"\" -> Note/field"),
        ("Choose \"Express\" in \"Shipping\"", "choose \"Express\" -> Shipping"),
        ("select Express from the Shipping list", "choose \"Express\" -> Shipping list | Shipping/dropdown"),
        ("choose \"Red\" for \"Colour\" in the \"Lamp\" card", "choose \"Red\" -> Colour@Lamp"),
        ("select the \"Red\" option", "choose \"Red\""),
        ("check \"I agree\"", "check I agree"),
        ("tick the \"I agree\" box", "check I agree/box"),
        ("uncheck the \"News\" checkbox", "uncheck News/checkbox"),
        ("Turn off \"Sound\"", "uncheck Sound"),
        ("Press Enter", "press Enter"),
        ("press the Enter key", "press Enter"),
        ("press Ctrl+A", "press Control+A"),
        ("press the \"Save\" button", "click Save/button"),
        ("scroll down", "scroll down(1)"),
        ("scroll down 3 pages", "scroll down(3)"),
        ("Scroll to the bottom of the page", "scroll bottom"),
        ("scroll to 50%", "scroll percent(50)"),
        ("scroll to \"Contact\"", "scroll to \"Contact\""),
        ("Wait for \"Thank you\"", "wait \"Thank you\""),
        ("wait until \"Loading\" disappears", "wait gone \"Loading\""),
        ("wait for the text Saved to appear", "wait \"Saved\""),
        ("wait for 3 seconds", "wait seconds(3)"),
        ("wait 2s", "wait seconds(2)"),
        ("wait for the page to load", "wait load"),
        ("Read the page", "read the page"),
        ("read \"Order number\"", "read Order number"),
        ("read the order number", "read order number"),
        ("read the url", "read the address"),
        ("Accept the dialog", "dialog true"),
        ("dismiss the confirmation", "dialog false"),
        ("answer the prompt with \"Ann\"", "dialog true Ann"),
        ("go back", "back"),
        ("reload the page", "reload"),
        ("switch to tab 2", "switch t2"),
        ("close the tab", "closetab"),
        ("check that the page shows \"Welcome\"", "expect \"Welcome\""),
        ("make sure \"Error\" is not shown", "expect not \"Error\""),
        ("take a screenshot", "screenshot"),
        ("search the web for webhand", "search \"webhand\""),
    ] {
        assert_eq!(briefs(sentence), [expected], "{sentence}");
    }
}

#[test]
fn chinese_sentences() {
    for (sentence, expected) in [
        ("打开 https://example.org/", "open https://example.org/"),
        ("请打开“设置”", "click 设置"),
        ("点击“保存”按钮", "click 保存/button"),
        ("点击保存按钮", "click 保存按钮 | 保存/button"),
        ("点击按钮“保存”。", "click 保存/button"),
        ("点击第二个“删除”按钮", "click 删除/button#Nth(2)"),
        ("点击“张三”这一行的“删除”按钮", "click 删除/button@张三"),
        ("点击张三那一行的「删除」", "click 删除@张三"),
        ("点击最后一个链接", "click 最后一个链接 | 最后一个/link | 链接#Last | ?/link#Last"),
        ("双击“文件”", "double 文件"),
        ("在“搜索”输入框中输入“台灯”", "type \"台灯\" -> 搜索/field"),
        ("在搜索框里输入台灯", "type \"台灯\" -> 搜索框 | 搜索/box"),
        ("向“留言”中填写“你好，世界”", "type \"你好，世界\" -> 留言"),
        ("把“台灯”输入到“搜索”框中", "type \"台灯\" -> 搜索/box"),
        ("输入“台灯”到“搜索”中", "type \"台灯\" -> 搜索"),
        ("输入“台灯”", "type \"台灯\""),
        ("清空“留言”", "type \"\" -> 留言"),
        ("在“配送方式”下拉框中选择“快递”", "choose \"快递\" -> 配送方式/dropdown"),
        ("从“颜色”中选择“红色”", "choose \"红色\" -> 颜色"),
        ("选择“红色”", "choose \"红色\""),
        ("在“红色台灯”卡片中点击“查看”", "click 查看@红色台灯"),
        ("勾选“我同意”复选框", "check 我同意/checkbox"),
        ("取消勾选“订阅”", "uncheck 订阅"),
        ("按回车键", "press Enter"),
        ("按 Ctrl+A", "press Control+A"),
        ("按“保存”按钮", "click 保存/button"),
        ("等待“提交成功”出现", "wait \"提交成功\""),
        ("等待“加载中”消失", "wait gone \"加载中\""),
        ("等待三秒", "wait seconds(3)"),
        ("等待页面加载完成", "wait load"),
        ("读取“订单号”", "read 订单号"),
        ("读取页面", "read the page"),
        ("接受对话框", "dialog true"),
        ("关闭弹窗", "dialog false"),
        ("向下滚动两页", "scroll down(2)"),
        ("滚动到页面底部", "scroll bottom"),
        ("返回上一页", "back"),
        ("刷新页面", "reload"),
        ("确认页面显示“订单已提交”", "expect \"订单已提交\""),
        ("切换到标签页 t2", "switch t2"),
        ("截图", "screenshot"),
    ] {
        assert_eq!(briefs(sentence), [expected], "{sentence}");
    }
}

#[test]
fn several_sentences_in_one_line_and_bulleted_lines() {
    assert_eq!(
        briefs("Open example.org, type \"lamp\" into Search and press Enter. Then click \"Oak lamp\""),
        ["open example.org", "type \"lamp\" -> Search", "press Enter", "click Oak lamp"]
    );
    assert_eq!(
        briefs("1. Open example.org\n2) click \"A. Then click B\"\n\n# a remark\n- press Tab"),
        ["open example.org", "click A. Then click B", "press Tab"]
    );
    assert_eq!(
        briefs("打开 example.org，然后点击“登录”；在“用户名”中输入“小明”，按回车键"),
        ["open example.org", "click 登录", "type \"小明\" -> 用户名", "press Enter"]
    );
}

#[test]
fn the_words_of_a_line_come_without_its_connectors() {
    let texts: Vec<String> = parse("Click \"A\", then press Enter\n请点击“B”，然后按回车键")
        .unwrap()
        .into_iter()
        .map(|line| line.text)
        .collect();
    assert_eq!(texts, ["Click \"A\"", "press Enter", "点击“B”", "按回车键"]);
}

#[test]
fn refs_are_controls_in_both_languages() {
    for (sentence, expected) in [
        ("click B5", "click ref B5 | B5"),
        ("click [B5]", "click ref B5"),
        ("click [5]", "click ref 5"),
        ("click \"B5\"", "click B5"),
        ("click the B5 button", "click ref B5/button | B5 button | B5/button"),
        ("double click @E7", "double ref e7"),
        ("type hello into I12", "type \"hello\" -> ref I12 | I12"),
        ("fill I12 with \"a, b\"", "type \"a, b\" -> ref I12 | I12"),
        ("choose Green in S4", "choose \"Green\" -> ref S4 | S4"),
        ("uncheck C7", "uncheck ref C7 | C7"),
        ("press B5", "click ref B5 | B5"),
        ("press F5", "press F5"),
        ("scroll to B40", "scroll to ref B40"),
        ("read I2", "read ref I2 | I2"),
        ("点击 B5", "click ref B5 | B5"),
        ("点击按钮B5", "click ref B5/button | 按钮B5"),
        ("点击[B5]", "click ref B5"),
        ("在 I12 中输入 hello", "type \"hello\" -> ref I12 | I12"),
        ("在I12输入“你好”", "type \"你好\" -> ref I12 | I12"),
        ("把“你好”输入到 I12", "type \"你好\" -> ref I12 | I12"),
        ("在 S4 中选择“绿色”", "choose \"绿色\" -> ref S4 | S4"),
        ("滚动到 B40", "scroll to ref B40"),
    ] {
        assert_eq!(briefs(sentence), [expected], "{sentence}");
    }
}

#[test]
fn several_instructions_with_refs_stand_in_one_line() {
    let both = ["click ref B5 | B5", "type \"hello\" -> ref I12 | I12"];
    for line in [
        "click B5, type hello into I12",
        "click B5 and type hello into I12",
        "click B5 then type hello into I12",
        "Click B5, then type hello into I12.",
        "点击 B5，然后在 I12 中输入 hello",
        "点击B5,然后在I12中输入hello",
        "点击 B5 然后在 I12 中输入 hello",
        "点击B5,在I12输入hello",
    ] {
        assert_eq!(briefs(line), both, "{line}");
    }
    assert_eq!(briefs("type a, b and c into I1, press Enter").len(), 2);
    assert_eq!(briefs("点击然后再试"), ["click 然后再试"], "no verb follows");
}

#[test]
fn the_sentences_of_the_docs_are_understood() {
    let docs = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/literal.md")).unwrap();
    let table = docs.split("| do |").nth(1).and_then(|rest| rest.split("\n\n").next()).unwrap();
    let mut read = 0;
    for sentence in table.split('`').skip(1).step_by(2).filter(|sentence| !sentence.starts_with('…')) {
        let sentence =
            sentence.replace(" [in a new tab]", "").replace("ADDRESS", "example.org").replace("网址", "example.org");
        let sentence =
            if sentence == "go to" || sentence == "visit" { format!("{sentence} example.org") } else { sentence };
        assert_eq!(parse(&sentence).map(|lines| lines.len()), Ok(1), "{sentence}");
        read += 1;
    }
    assert!(read > 60, "{read}");
}

#[test]
fn what_is_wrong_is_said_in_the_language_of_the_line() {
    for task in ["点击", "如果出现弹窗，点击“关闭”", "跳舞", "点击“保存", "点击“”按钮", "选择“”"]
    {
        let said = parse(task).unwrap_err().to_string();
        let words = said.replace(task, "");
        assert!(!words.chars().any(|c| c.is_ascii_alphabetic()), "{task}: {said}");
    }
    for task in ["click", "dance", "click \"保存", "click \"\" button", "choose \"\""] {
        let said = parse(task).unwrap_err().to_string();
        assert!(said.starts_with("line 1") && !said.contains('：'), "{task}: {said}");
    }
    let known = parse("dance").unwrap_err().to_string();
    for verb in ["hover", "double click", "fill", "uncheck", "tab", "screenshot"] {
        assert!(known.contains(verb), "{verb}: {known}");
    }
}

#[test]
fn a_comma_or_an_and_inside_a_text_does_not_cut_it() {
    assert_eq!(briefs("type Hello, open world into Message"), ["type \"Hello, open world\" -> Message"]);
    assert_eq!(briefs("click Terms and Conditions"), ["click Terms and Conditions"]);
}

#[test]
fn what_cannot_be_taken_literally_is_said_and_not_guessed() {
    for (task, word) in [
        ("Buy me a nice lamp", "no known verb"),
        ("if there is a banner, click \"Close\"", "conditions"),
        ("如果出现弹窗，点击“关闭”", "条件"),
        ("click", "which control"),
        ("click \"Save", "quote is not closed"),
        ("type x in b in c", "quotes"),
        ("choose x in b in c", "quotes"),
        ("press Save", "no key"),
        ("accept cookies", "no dialog"),
        ("scroll sideways", "where to scroll"),
        ("wait for 300 seconds", "at most 60"),
        ("click the shiny \"Save\" button", "shiny"),
        ("点击亮闪闪的“保存”按钮吧", "不明白"),
        ("switch to tab news", "t2"),
        ("", "empty"),
        ("# only a remark", "empty"),
    ] {
        let error = parse(task).unwrap_err();
        assert!(error.to_string().contains(word), "{task}: {error}");
    }
    assert_eq!(parse("click \"A\"\nclick \"B\"\njump").unwrap_err().number, 3);
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused_without_a_panic(task in "\\PC{0,80}") {
        let _ = parse(&task);
    }

    #[test]
    fn words_of_the_grammar_in_any_order_never_panic(words in prop::collection::vec(
        prop::sample::select(vec![
            "click", "the", "second", "\"Save\"", "button", "in", "row", "type", "into", "and", ".", ",", "点击", "在", "的",
            "“保存”", "输入", "第", "个", "press", "Ctrl", "+", "wait", "for", "10", "seconds", "'", "\"", "。", "\u{E000}",
        ]), 0..24)) {
        let _ = parse(&words.join(" "));
        let _ = parse(&words.concat());
    }

    #[test]
    fn a_quoted_name_comes_through_whole(name in "[^\"\\r\\n]{1,40}") {
        prop_assume!(!name.trim().is_empty());
        let lines = parse(&format!("click \"{name}\"")).unwrap();
        prop_assert_eq!(lines.len(), 1);
        let Step::Click { target, .. } = &lines[0].step else { panic!("not a click") };
        prop_assert_eq!(target.readings.len(), 1);
        prop_assert_eq!(target.label(), name);
    }
}
