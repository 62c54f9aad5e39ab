//! How Chinese names a control: `“张三”这一行的第二个“删除”按钮`.
//!
//! Pure, as [`super::phrase`] is for English.

use super::{
    chinese::number_of,
    quotes::Masked,
    refs,
    step::{Ordinal, Reading, RoleWord, Wanted},
    unclear::Unclear,
};

/// Role words, longer ones before their own endings.
const ROLES: &[(&str, RoleWord)] = &[
    ("单选按钮", RoleWord::Radio),
    ("按钮", RoleWord::Button),
    ("按键", RoleWord::Button),
    ("链接", RoleWord::Link),
    ("复选框", RoleWord::Checkbox),
    ("勾选框", RoleWord::Checkbox),
    ("单选框", RoleWord::Radio),
    ("开关", RoleWord::Switch),
    ("输入框", RoleWord::Field),
    ("输入栏", RoleWord::Field),
    ("文本框", RoleWord::Field),
    ("下拉列表", RoleWord::Dropdown),
    ("下拉菜单", RoleWord::Dropdown),
    ("下拉框", RoleWord::Dropdown),
    ("选择框", RoleWord::Dropdown),
    ("列表", RoleWord::Dropdown),
    ("菜单项", RoleWord::Option),
    ("选项卡", RoleWord::Tab),
    ("标签页", RoleWord::Tab),
    ("选项", RoleWord::Option),
    ("字段", RoleWord::Field),
    ("图标", RoleWord::Image),
    ("图片", RoleWord::Image),
    ("滑块", RoleWord::Slider),
    ("一栏", RoleWord::Field),
    ("栏", RoleWord::Field),
    ("框", RoleWord::Box),
];

/// Nouns for places, which are not part of the place's name.
const PLACES: &[&str] = &[
    "这一行",
    "那一行",
    "所在行",
    "所在的行",
    "一行",
    "行",
    "这一项",
    "那一项",
    "一项",
    "项",
    "卡片",
    "区域",
    "部分",
    "表单",
    "对话框",
    "弹窗",
    "框架",
    "列表",
    "分组",
    "表格",
    "面板",
];

/// Reads a phrase that names a control.
pub(super) fn wanted(masked: &Masked, phrase: &str) -> Result<Wanted, Unclear> {
    let text = demonstrative(phrase.trim());
    if text.is_empty() {
        return Err(Unclear::new("没有说是哪个控件"));
    }
    let readings = if masked.has_quote(text) { vec![quoted(masked, text)?] } else { unquoted(masked, text) };
    Ok(Wanted { phrase: masked.written(phrase.trim()), readings })
}

/// A ref, or a name without quotes.
fn unquoted(masked: &Masked, text: &str) -> Vec<Reading> {
    let with_role = ROLES
        .iter()
        .filter_map(|(word, role)| Some((Some(*role), text.strip_suffix(word).or_else(|| text.strip_prefix(word))?)));
    match refs::reading(std::iter::once((None, text)).chain(with_role)) {
        Some((reading, true)) => vec![reading],
        Some((reading, false)) => std::iter::once(reading).chain(plain(masked, text)).collect(),
        None => plain(masked, text),
    }
}

fn quoted(masked: &Masked, text: &str) -> Result<Reading, Unclear> {
    let mut reading = Reading::default();
    let mut text = text;
    if let Some((place, rest)) = text.rsplit_once('的').filter(|(_, rest)| masked.has_quote(rest)) {
        reading.within = Some(place_name(masked, place)?);
        text = rest.trim();
    }
    let unclear = |part: &str| Unclear::new(format!("不明白“{}”", masked.written(part)));
    let at = text.find(|c: char| masked.quoted(&c.to_string()).is_some()).unwrap_or(0);
    let (before, rest) = text.split_at(at);
    let width = rest.chars().next().map_or(0, char::len_utf8);
    let (name, after) = rest.split_at(width);
    reading.name = masked.quoted(name);
    if reading.name.as_ref().is_some_and(|name| name.trim().is_empty()) {
        return Err(Unclear::new("引号里没有名称"));
    }

    let mut before = before.trim();
    if let Some((ordinal, rest)) = ordinal(before) {
        reading.ordinal = Some(ordinal);
        before = rest;
    }
    if let Some((role, rest)) =
        ROLES.iter().find_map(|(word, role)| before.strip_prefix(word).map(|rest| (*role, rest)))
    {
        reading.role = Some(role);
        before = rest.trim();
    }
    let before = ["名为", "叫做", "叫", "标有", "写着"]
        .iter()
        .find_map(|word| before.strip_suffix(word))
        .unwrap_or(before)
        .trim();
    if !before.is_empty() {
        return Err(unclear(before));
    }
    let after = after.trim().trim_start_matches('的');
    if !after.is_empty() {
        let role = ROLES.iter().find(|(word, _)| *word == after).ok_or_else(|| unclear(after))?;
        reading.role = Some(role.1);
    }
    Ok(reading)
}

fn plain(masked: &Masked, text: &str) -> Vec<Reading> {
    let mut bodies = vec![(text, None)];
    for (at, mark) in text.match_indices('的').take(4) {
        if let Ok(place) = place_name(masked, &text[..at]) {
            bodies.push((text[at + mark.len()..].trim(), Some(place)));
        }
    }
    let mut readings = Vec::new();
    for (body, within) in bodies {
        let counted = ordinal(body).map(|(ordinal, rest)| (Some(ordinal), rest));
        for (ordinal, rest) in std::iter::once((None, body)).chain(counted) {
            let role = ROLES.iter().find_map(|(word, role)| rest.strip_suffix(word).map(|name| (Some(*role), name)));
            for (role, name) in std::iter::once((None, rest)).chain(role) {
                let name = name.trim();
                if name.is_empty() && role.is_none() {
                    continue;
                }
                let name = (!name.is_empty()).then(|| name.to_owned());
                readings.push(Reading { name, role, ordinal, within: within.clone(), r#ref: None });
            }
        }
    }
    readings.sort_by_key(|reading| std::cmp::Reverse(reading.name.as_ref().map_or(0, String::len)));
    readings.dedup();
    readings
}

/// `“张三”这一行`, `地址表单中`: the name of the place.
pub(super) fn place_name(masked: &Masked, place: &str) -> Result<String, Unclear> {
    let mut text = place.trim();
    text = ["里面", "当中", "中", "里", "内", "下", "上"]
        .iter()
        .find_map(|word| text.strip_suffix(word))
        .unwrap_or(text)
        .trim();
    text = PLACES.iter().find_map(|noun| text.strip_suffix(noun)).unwrap_or(text).trim();
    text = ["那", "这", "所在", "名为"].iter().find_map(|word| text.strip_suffix(word)).unwrap_or(text).trim();
    if text.is_empty() || (masked.has_quote(text) && masked.quoted(text).is_none()) {
        return Err(Unclear::new(format!("不明白“{}”", masked.written(place))));
    }
    Ok(masked.value(text))
}

fn ordinal(text: &str) -> Option<(Ordinal, &str)> {
    if let Some(rest) = ["最后一个", "最后的", "最后一项"].iter().find_map(|word| text.strip_prefix(word)) {
        return Some((Ordinal::Last, rest.trim()));
    }
    let rest = text.strip_prefix('第')?;
    let end = rest.find(['个', '项', '条'])?;
    let number = number_of(&rest[..end]).filter(|number| (1..=1000).contains(number))?;
    let after = rest[end..].chars().next().map_or(0, char::len_utf8);
    Some((Ordinal::Nth(number), rest[end + after..].trim()))
}

fn demonstrative(text: &str) -> &str {
    ["那个", "这个", "名为", "叫做"].iter().find_map(|word| text.strip_prefix(word)).unwrap_or(text).trim()
}
