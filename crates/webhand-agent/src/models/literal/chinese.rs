//! Chinese lines: `在“搜索”输入框中输入“灯”`, `点击第二个“删除”按钮`, `按回车键`.
//!
//! Pure: text in, [`Step`] or a reason out. Names of controls are read by [`super::chinese_phrase`].

use super::{
    chinese_phrase::{place_name, wanted},
    english::is_address,
    keys,
    quotes::Masked,
    refs,
    step::{ClickKind, ReadWhat, ScrollTo, Step, WaitFor, Wanted},
    unclear::Unclear,
};

/// What a line can begin with, for people.
pub(super) const KNOWN: &str = "打开、点击、双击、右键点击、悬停在、在…中输入…、清空、在…中选择…、勾选、取消勾选、按、\
     向下滚动、滚动到、等待、读取、确认页面显示、接受或关闭对话框、返回上一页、前进、刷新、切换到标签页、关闭标签页、截图";

#[derive(Clone, Copy)]
enum Verb {
    Open,
    Click(ClickKind),
    Hover,
    Type,
    Clear,
    Choose,
    Tick,
    Untick,
    Press,
    Wait,
    Read,
    Accept(bool),
    Back,
    Forward,
    Reload,
    SwitchTab,
    CloseTab,
    Expect,
    Screenshot,
}

/// Verbs at the start of a line, longer ones before their own beginnings.
const VERBS: &[(&str, Verb)] = &[
    ("打开", Verb::Open),
    ("访问", Verb::Open),
    ("前往", Verb::Open),
    ("进入", Verb::Open),
    ("转到", Verb::Open),
    ("双击", Verb::Click(ClickKind::Double)),
    ("右键点击", Verb::Click(ClickKind::Right)),
    ("右键单击", Verb::Click(ClickKind::Right)),
    ("右击", Verb::Click(ClickKind::Right)),
    ("点击", Verb::Click(ClickKind::Single)),
    ("单击", Verb::Click(ClickKind::Single)),
    ("点按", Verb::Click(ClickKind::Single)),
    ("点选", Verb::Click(ClickKind::Single)),
    ("点", Verb::Click(ClickKind::Single)),
    ("悬停在", Verb::Hover),
    ("悬停到", Verb::Hover),
    ("将鼠标移到", Verb::Hover),
    ("把鼠标移到", Verb::Hover),
    ("输入", Verb::Type),
    ("填写", Verb::Type),
    ("填入", Verb::Type),
    ("键入", Verb::Type),
    ("清空", Verb::Clear),
    ("取消勾选", Verb::Untick),
    ("取消选中", Verb::Untick),
    ("不勾选", Verb::Untick),
    ("勾选", Verb::Tick),
    ("选中", Verb::Tick),
    ("选择", Verb::Choose),
    ("按下", Verb::Press),
    ("按", Verb::Press),
    ("等待", Verb::Wait),
    ("等到", Verb::Wait),
    ("等", Verb::Wait),
    ("读取", Verb::Read),
    ("读出", Verb::Read),
    ("读", Verb::Read),
    ("确认页面", Verb::Expect),
    ("检查页面", Verb::Expect),
    ("确保页面", Verb::Expect),
    ("页面应该", Verb::Expect),
    ("页面应", Verb::Expect),
    ("应该看到", Verb::Expect),
    ("应看到", Verb::Expect),
    ("接受", Verb::Accept(true)),
    ("同意", Verb::Accept(true)),
    ("确认", Verb::Accept(true)),
    ("确定", Verb::Accept(true)),
    ("取消", Verb::Accept(false)),
    ("拒绝", Verb::Accept(false)),
    ("关闭当前标签页", Verb::CloseTab),
    ("关闭标签页", Verb::CloseTab),
    ("关闭", Verb::Accept(false)),
    ("返回上一页", Verb::Back),
    ("后退", Verb::Back),
    ("返回", Verb::Back),
    ("前进", Verb::Forward),
    ("刷新", Verb::Reload),
    ("重新加载", Verb::Reload),
    ("切换到标签页", Verb::SwitchTab),
    ("截图", Verb::Screenshot),
    ("截屏", Verb::Screenshot),
];

/// Verbs that may stand after `在…`, `把…`, `从…`.
const INNER: &[(&str, Inner)] = &[
    ("输入", Inner::Type),
    ("填写", Inner::Type),
    ("填入", Inner::Type),
    ("键入", Inner::Type),
    ("选择", Inner::Choose),
    ("选中", Inner::Choose),
    ("点击", Inner::Click),
    ("单击", Inner::Click),
    ("勾选", Inner::Tick),
];

#[derive(Clone, Copy)]
enum Inner {
    Type,
    Choose,
    Click,
    Tick,
}

/// Whether a text begins as a Chinese line does.
pub(super) fn begins(text: &str) -> bool {
    let text = connected(text);
    ["在", "向", "往", "把", "将", "从", "滚动", "下滚", "上滚"].iter().any(|word| text.starts_with(word))
        || VERBS.iter().any(|(word, _)| text.starts_with(word))
}

/// Drops 请, 然后 and the like from the front.
pub(super) fn connected(text: &str) -> &str {
    let mut rest = text.trim_start();
    let words = ["请", "然后", "接着", "再", "最后", "首先", "先", "并且", "并", "之后", "现在", "随后"];
    while let Some(after) = words.iter().find_map(|word| rest.strip_prefix(word)) {
        rest = after.trim_start_matches(|c: char| matches!(c, ',' | '，' | '、') || c.is_whitespace());
    }
    rest
}

/// Reads one Chinese line; nothing when it does not begin as one.
pub(super) fn step(masked: &Masked, text: &str) -> Option<Result<Step, Unclear>> {
    let text = connected(text);
    if let Some(to) = scroll(masked, text) {
        return Some(to.map(Step::Scroll));
    }
    if let Some((verb, rest)) = VERBS.iter().find_map(|(word, verb)| text.strip_prefix(word).map(|rest| (*verb, rest)))
    {
        return Some(with_verb(masked, verb, rest.trim()));
    }
    let (lead, rest) = ["在", "向", "往", "把", "将", "从"]
        .iter()
        .find_map(|lead| text.strip_prefix(lead).map(|rest| (*lead, rest)))?;
    Some(inner(masked, lead, rest))
}

/// `在 X 中输入 T`, `从 X 中选择 O`, `把 T 填入 X`.
fn inner(masked: &Masked, lead: &str, rest: &str) -> Result<Step, Unclear> {
    let found = INNER
        .iter()
        .filter_map(|(word, verb)| {
            let at = rest.match_indices(word).map(|(at, _)| at).find(|at| {
                let after = &rest[at + word.len()..];
                *at > 0 && !after.starts_with(['框', '栏', '项'])
            })?;
            Some((at, word.len(), *verb))
        })
        .min_by_key(|(at, ..)| *at);
    let Some((at, width, verb)) = found else {
        return Err(Unclear::new(format!("“{lead}”之后没有找到动作（输入、选择、点击、勾选）")));
    };
    let (left, right) = (rest[..at].trim(), rest[at + width..].trim());
    if matches!(lead, "把" | "将") {
        let Inner::Type = verb else { return Err(Unclear::new("请写成：在…中选择…")) };
        let field = right.trim_start_matches(['到', '进', '在', '入']);
        return Ok(Step::Type { text: masked.value(left), target: Some(wanted(masked, place(field))?) });
    }
    let place = place(left);
    match verb {
        Inner::Type if right.is_empty() => Err(Unclear::new("没有说要输入什么")),
        Inner::Type => Ok(Step::Type { text: masked.value(right), target: Some(wanted(masked, place)?) }),
        Inner::Choose if option(masked, right).is_empty() => Err(Unclear::new("没有说要选择什么")),
        Inner::Choose => Ok(Step::Choose { option: option(masked, right), target: Some(wanted(masked, place)?) }),
        Inner::Click => Ok(Step::Click { target: inside(masked, place, right)?, how: ClickKind::Single }),
        Inner::Tick => Ok(Step::Check { target: inside(masked, place, right)?, on: true }),
    }
}

/// A control in a named place.
fn inside(masked: &Masked, place: &str, phrase: &str) -> Result<Wanted, Unclear> {
    let mut target = wanted(masked, phrase)?;
    let place = place_name(masked, place)?;
    for reading in &mut target.readings {
        reading.within = reading.within.take().or_else(|| Some(place.clone()));
    }
    Ok(target)
}

/// Drops 中, 里 and the like from the end of a place.
fn place(text: &str) -> &str {
    let text = text.trim();
    ["里面", "当中", "之中", "中", "里", "内", "上", "处"]
        .iter()
        .find_map(|word| text.strip_suffix(word))
        .unwrap_or(text)
        .trim()
}

fn option(masked: &Masked, text: &str) -> String {
    let text = text.strip_suffix("选项").or_else(|| text.strip_suffix("这一项")).unwrap_or(text);
    masked.value(text)
}

fn with_verb(masked: &Masked, verb: Verb, rest: &str) -> Result<Step, Unclear> {
    match verb {
        Verb::Open => open(masked, rest),
        Verb::Click(how) => Ok(Step::Click { target: wanted(masked, rest)?, how }),
        Verb::Hover => Ok(Step::Hover { target: wanted(masked, rest.strip_suffix('上').unwrap_or(rest))? }),
        Verb::Type => type_text(masked, rest),
        Verb::Clear => Ok(Step::Type { text: String::new(), target: Some(wanted(masked, rest)?) }),
        Verb::Choose if option(masked, rest).is_empty() => Err(Unclear::new("没有说要选择什么")),
        Verb::Choose => Ok(Step::Choose { option: option(masked, rest), target: None }),
        Verb::Tick => Ok(Step::Check { target: wanted(masked, rest)?, on: true }),
        Verb::Untick => Ok(Step::Check { target: wanted(masked, rest)?, on: false }),
        Verb::Press => press(masked, rest),
        Verb::Wait => wait(masked, rest).map(Step::Wait),
        Verb::Read => read(masked, rest).map(Step::Read),
        Verb::Accept(accept) => dialog(masked, rest, accept),
        Verb::Back => alone(rest, &["上一页"]).map(|()| Step::Back),
        Verb::Forward => alone(rest, &["下一页"]).map(|()| Step::Forward),
        Verb::Reload => alone(rest, &["页面", "当前页面", "网页"]).map(|()| Step::Reload),
        Verb::SwitchTab => match rest.trim_start_matches(['t', 'T']).parse::<u32>() {
            Ok(number) => Ok(Step::SwitchTab { id: format!("t{number}") }),
            Err(_) => Err(Unclear::new("标签页用编号表示，例如 t2")),
        },
        Verb::CloseTab => alone(rest, &[]).map(|()| Step::CloseTab),
        Verb::Expect => expect(masked, rest),
        Verb::Screenshot => alone(rest, &[]).map(|()| Step::Screenshot),
    }
}

fn alone(rest: &str, allowed: &[&str]) -> Result<(), Unclear> {
    if rest.is_empty() || allowed.contains(&rest) {
        return Ok(());
    }
    Err(Unclear::new(format!("不明白“{rest}”")))
}

fn open(masked: &Masked, rest: &str) -> Result<Step, Unclear> {
    let (rest, new_tab) = match rest.strip_prefix("新标签页") {
        Some(rest) => (rest.trim(), true),
        None => (rest, false),
    };
    let named = ["网址", "网站", "页面", "链接"].iter().find_map(|word| rest.strip_prefix(word)).unwrap_or(rest);
    let address = masked.value(named);
    if is_address(&address) {
        return Ok(Step::Open { address, new_tab });
    }
    if rest.is_empty() || new_tab {
        return Err(Unclear::new("没有说要打开哪个网址"));
    }
    Ok(Step::Click { target: wanted(masked, rest)?, how: ClickKind::Single })
}

/// `输入“x”到 Y 中`, `输入“x”`.
fn type_text(masked: &Masked, rest: &str) -> Result<Step, Unclear> {
    if rest.is_empty() {
        return Err(Unclear::new("没有说要输入什么"));
    }
    if let Some((text, field)) = rest.split_once('到') {
        return Ok(Step::Type { text: masked.value(text), target: Some(wanted(masked, place(field))?) });
    }
    if masked.has_quote(rest) && masked.quoted(rest).is_none() {
        return Err(Unclear::new("请写成：在“…”中输入“…”"));
    }
    Ok(Step::Type { text: masked.value(rest), target: None })
}

fn press(masked: &Masked, rest: &str) -> Result<Step, Unclear> {
    let named = rest.strip_suffix('键').unwrap_or(rest);
    if let Some(keys) = keys::keys(&masked.value(named)) {
        return Ok(Step::Press { keys });
    }
    if masked.has_quote(rest) || rest.ends_with("按钮") || refs::written(rest).is_some() {
        return Ok(Step::Click { target: wanted(masked, rest)?, how: ClickKind::Single });
    }
    Err(Unclear::new(format!("“{}”不是按键；若是控件请说：点击…", masked.written(rest))))
}

fn wait(masked: &Masked, rest: &str) -> Result<WaitFor, Unclear> {
    if let Some(number) = ["秒钟", "秒"].iter().find_map(|unit| rest.strip_suffix(unit)) {
        let seconds = number_of(number).ok_or_else(|| Unclear::new(format!("“{number}”不是秒数")))?;
        return if seconds <= 60 { Ok(WaitFor::Seconds(seconds)) } else { Err(Unclear::new("最多等待 60 秒")) };
    }
    if ["页面加载", "页面加载完成", "页面加载完毕", "加载完成", "页面打开"].contains(&rest) {
        return Ok(WaitFor::Load);
    }
    let gone = ["消失", "不见", "不再显示"].iter().find_map(|word| rest.strip_suffix(word));
    let shown = ["出现", "显示出来", "显示", "可见"].iter().find_map(|word| rest.strip_suffix(word)).unwrap_or(rest);
    let text = masked.value(gone.unwrap_or(shown).trim_start_matches("文字"));
    if text.is_empty() {
        return Err(Unclear::new("没有说要等待什么"));
    }
    Ok(if gone.is_some() { WaitFor::TextGone(text) } else { WaitFor::Text(text) })
}

fn read(masked: &Masked, rest: &str) -> Result<ReadWhat, Unclear> {
    match rest {
        "" => Err(Unclear::new("没有说要读取什么")),
        "页面" | "页面内容" | "全文" | "整个页面" => Ok(ReadWhat::Page),
        "页面标题" | "网页标题" => Ok(ReadWhat::Title),
        "网址" | "页面地址" | "当前网址" => Ok(ReadWhat::Address),
        _ => wanted(masked, rest).map(ReadWhat::Named),
    }
}

fn dialog(masked: &Masked, rest: &str, accept: bool) -> Result<Step, Unclear> {
    let bare = ["这个", "该", "此"].iter().find_map(|word| rest.strip_prefix(word)).unwrap_or(rest);
    if ["对话框", "弹窗", "弹框", "提示框", "确认框", "警告框", "提示"].contains(&bare) {
        return Ok(Step::Dialog { accept, text: None });
    }
    Err(Unclear::new(format!("“{}”不是对话框；若是控件请说：点击…", masked.written(rest))))
}

fn expect(masked: &Masked, rest: &str) -> Result<Step, Unclear> {
    let rest = rest.trim_start_matches(['上', '中', '应', '该']);
    let not = ["没有显示", "不显示", "没有出现", "没有", "不包含"].iter().find_map(|word| rest.strip_prefix(word));
    let yes = ["显示", "出现", "包含", "有"].iter().find_map(|word| rest.strip_prefix(word)).unwrap_or(rest);
    let text = masked.value(not.unwrap_or(yes));
    if text.is_empty() {
        return Err(Unclear::new("没有说页面应显示什么"));
    }
    Ok(Step::Expect { text, shown: not.is_none() })
}

fn scroll(masked: &Masked, text: &str) -> Option<Result<ScrollTo, Unclear>> {
    for (word, up) in [("向下滚动", false), ("往下滚动", false), ("向上滚动", true), ("往上滚动", true)]
    {
        let Some(rest) = text.strip_prefix(word) else { continue };
        let count = rest.trim().trim_end_matches('页').trim();
        let pages = if count.is_empty() { Some(1) } else { number_of(count) };
        let pages = pages.filter(|pages| (1..=100).contains(pages));
        return Some(match pages {
            Some(pages) if up => Ok(ScrollTo::Up(pages)),
            Some(pages) => Ok(ScrollTo::Down(pages)),
            None => Err(Unclear::new(format!("“{count}”不是页数"))),
        });
    }
    let to = text.strip_prefix("滚动到").or_else(|| text.strip_prefix("滚动至"))?.trim();
    let to = ["页面的", "页面"].iter().find_map(|word| to.strip_prefix(word)).unwrap_or(to);
    Some(match to {
        "" => Err(Unclear::new("没有说滚动到哪里")),
        "顶部" | "最上方" | "开头" => Ok(ScrollTo::Top),
        "底部" | "最下方" | "末尾" => Ok(ScrollTo::Bottom),
        _ => Ok(refs::written(to).map_or_else(|| ScrollTo::Text(masked.value(to)), |found| ScrollTo::Ref(found.text))),
    })
}

/// A small number in digits or in Chinese.
pub(super) fn number_of(text: &str) -> Option<u32> {
    let text = text.trim();
    if let Ok(number) = text.parse() {
        return Some(number);
    }
    const DIGITS: &str = "零一二三四五六七八九";
    let digit = |c: char| {
        let c = if c == '两' { '二' } else { c };
        DIGITS.chars().zip(0u32..).find(|(known, _)| *known == c).map(|(_, value)| value)
    };
    let chars: Vec<char> = text.chars().collect();
    match chars.as_slice() {
        ['十'] => Some(10),
        ['十', ones] => digit(*ones).map(|ones| 10 + ones),
        [tens, '十'] => digit(*tens).map(|tens| tens * 10),
        [tens, '十', ones] => Some(digit(*tens)? * 10 + digit(*ones)?),
        [one] => digit(*one),
        _ => None,
    }
}
