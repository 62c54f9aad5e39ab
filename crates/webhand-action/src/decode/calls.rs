//! Tool calls written into the text with a provider's own marks: `<tool_call>`, `[TOOL_CALLS]`, `<|python_tag|>`,
//! `<function=click>` and their kin. Several calls are several actions, in order.

use std::sync::LazyLock;

use regex::Regex;

use super::{
    Work,
    candidates::{self, Candidate, value_over},
    decision::{Draft, Recogniser},
    envelope::{self, Call},
    json::{self, Json},
};
use crate::catalogue::Catalogue;

#[expect(clippy::expect_used, reason = "a constant pattern, compiled by every test")]
static MARK: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r#"(?xi)
          <\|?/?(?:tool_calls?|tool_code|function_calls?|tool_call_(?:start|begin)|tool_calls_section_begin|start_action|python_tag)\|?>
        | <\|\s*(?:tool_call_start|tool_call_begin|tool_calls_section_begin|python_tag)\s*\|>
        | <｜tool▁calls?▁begin｜>
        | \[TOOL_CALLS?\]
        | <function\s*=\s*["']?[\w.\-]+["']?\s*> | <invoke\s+name\s*=
        | \bto\s*=\s*functions\.[\w\-]+"#;
    // proof: a constant pattern; every test that decodes compiles it
    Regex::new(pattern).expect("the pattern of call marks")
});

#[expect(clippy::expect_used, reason = "a constant pattern, compiled by every test")]
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r#"(?xi)
          <function\s*=\s*["']?(?P<a>[\w.\-]+) | <invoke\s+name\s*=\s*["']?(?P<b>[\w.\-]+)
        | functions\.(?P<c>[\w\-]+) | \[TOOL_CALLS?\]\s*(?P<d>[A-Za-z_][\w.\-]*) | tool▁sep｜>\s*(?P<e>[A-Za-z_][\w.\-]*)
        | <tool_call>\s*(?P<f>[A-Za-z_][\w.\-]*)"#;
    // proof: a constant pattern; every test that decodes compiles it
    Regex::new(pattern).expect("the pattern of call names")
});

#[expect(clippy::expect_used, reason = "a constant pattern, compiled by every test")]
static PARAM: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r#"(?xis)
          <parameter\s*=\s*["']?(?P<a>[\w.\-]+)["']?\s*>(?P<av>.*?)</parameter>
        | <parameter\s+name\s*=\s*["'](?P<b>[\w.\-]+)["'][^>]*>(?P<bv>.*?)</parameter>
        | <arg_key>\s*(?P<c>[\w.\-]+)\s*</arg_key>\s*<arg_value>(?P<cv>.*?)</arg_value>"#;
    // proof: a constant pattern; every test that decodes compiles it
    Regex::new(pattern).expect("the pattern of call parameters")
});

#[expect(clippy::expect_used, reason = "a constant pattern, compiled by every test")]
static CODE: LazyLock<Regex> = LazyLock::new(|| {
    // proof: a constant pattern; every test that decodes compiles it
    Regex::new(r"(?:^|[\s\[,;(>=`])(?P<name>[A-Za-z_][\w.]*)\(").expect("the pattern of a call as code")
});

/// The calls of a text that has such marks; `None` where it has none, or where nothing follows them.
pub(super) fn read<'a>(text: &str, catalogue: &'a Catalogue, nested: u8) -> Option<Draft<'a>> {
    let first = first_mark(text, catalogue)?;
    let section = &text[first..];
    let mut draft = Draft::new(catalogue, nested);
    draft.note("tool calls stood in the text");
    let mut found = Found { draft, count: 0 };
    if PARAM.is_match(section) || NAMED.is_match(section) && !section.contains('{') {
        found.tagged(section);
    } else {
        found.values(section, catalogue);
        if found.count == 0 {
            found.code(section, catalogue);
        }
    }
    (found.count > 0).then_some(found.draft)
}

/// Where the first mark stands that is not inside a value.
fn first_mark(text: &str, catalogue: &Catalogue) -> Option<usize> {
    let mut work = Work::for_text(text);
    let mut at = 0;
    loop {
        let mark = MARK.find_at(text, at)?.start();
        match value_over(text, at, mark, &Recogniser(catalogue), &mut work) {
            Some(end) => at = end,
            // in a decision that is broken, what seems to stand outside of its strings may stand in one
            None if !begins_line(text, mark) && has_damage(&text[..mark], catalogue) => at = mark + 1,
            None => return Some(mark),
        }
    }
}

fn begins_line(text: &str, at: usize) -> bool {
    text[..at].rsplit('\n').next().is_none_or(|before| before.trim().is_empty())
}

fn has_damage(text: &str, catalogue: &Catalogue) -> bool {
    let begun = text.contains("\"actions\"");
    begun
        || candidates::find(text, &Recogniser(catalogue))
            .iter()
            .any(|candidate| matches!(candidate, Candidate::Damaged { .. }) || candidate.is_cut())
}

struct Found<'a> {
    draft: Draft<'a>,
    count: usize,
}

impl Found<'_> {
    fn path(&self) -> String {
        format!("actions[{}]", self.count)
    }

    fn call(&mut self, name: &str, arguments: Json, whole: bool) {
        let path = self.path();
        let arguments = envelope::plain_arguments(&arguments, 0);
        let whole = whole && arguments.whole();
        self.draft.add_call(&Call { name: envelope::bare_name(name), arguments, whole }, &path);
        self.count += 1;
    }

    /// Calls whose parameters are tags of their own.
    fn tagged(&mut self, section: &str) {
        let names: Vec<(usize, String)> = NAMED
            .captures_iter(section)
            .filter_map(|found| {
                let name = found.iter().skip(1).flatten().next()?;
                Some((name.start(), name.as_str().to_owned()))
            })
            .collect();
        for (index, (start, name)) in names.iter().enumerate() {
            let end = names.get(index + 1).map_or(section.len(), |(next, _)| *next);
            let mut fields = Vec::new();
            for param in PARAM.captures_iter(&section[*start..end]) {
                let pairs = [("a", "av"), ("b", "bv"), ("c", "cv")];
                let Some((key, value)) =
                    pairs.into_iter().find_map(|(key, value)| Some((param.name(key)?, param.name(value)?)))
                else {
                    continue;
                };
                fields.push((key.as_str().to_owned(), tag_value(value.as_str())));
            }
            let last = index + 1 == names.len();
            let body = &section[*start..end];
            let closed = body.contains("</") || !last;
            let open_param = body.matches("<parameter").count() > body.matches("</parameter").count()
                || body.matches("<arg_value").count() > body.matches("</arg_value").count();
            self.call(name, Json::Object(fields), closed && !open_param);
        }
    }

    /// Calls whose arguments are JSON, the name inside it or before it.
    fn values(&mut self, section: &str, catalogue: &Catalogue) {
        let mut work = Work::for_text(section);
        let mut at = 0;
        let mut before = 0;
        while let Some(opener) = section[at..].find(['{', '[']).map(|found| at + found) {
            if !work.allows() {
                return;
            }
            let parsed = match json::parse(section, opener) {
                Ok(parsed) => parsed,
                Err(damage) => {
                    work.spend(damage.at.saturating_sub(opener));
                    at = opener + 1;
                    continue;
                }
            };
            work.spend(parsed.end - opener);
            if !matches!(parsed.value.open(), Json::Object(_)) && !holds_objects(&parsed.value) {
                at = opener + 1;
                continue;
            }
            match header_name(&section[before..opener], catalogue) {
                Some(name) if !has_name(&parsed.value) => self.call(&name, parsed.value.clone(), parsed.value.whole()),
                _ => {
                    self.draft.add(&parsed.value);
                    self.count += 1;
                }
            }
            at = parsed.end;
            before = at;
        }
    }

    /// Calls written as code: `click(ref="B5")`.
    fn code(&mut self, section: &str, catalogue: &Catalogue) {
        let mut at = 0;
        while let Some(found) = CODE.captures_at(section, at) {
            let (Some(whole), Some(name)) = (found.get(0), found.name("name")) else { return };
            at = whole.end();
            let name = envelope::bare_name(name.as_str());
            if catalogue.lookup(&name).is_none() && name != "act" {
                continue;
            }
            match json::parse_call(section, at) {
                Some((fields, end)) => {
                    at = end;
                    self.call(&name, Json::Object(fields), true);
                }
                None => self.call(&name, Json::Object(Vec::new()), false),
            }
        }
    }
}

fn holds_objects(json: &Json) -> bool {
    matches!(json.open(), Json::List(items) if items.iter().any(|item| matches!(item.open(), Json::Object(_))))
}

/// Whether a value names its action itself.
fn has_name(json: &Json) -> bool {
    envelope::call(json).is_some() || ["actions", "type", "tool_calls"].iter().any(|key| json.get(key).is_some())
}

/// The name that stands before a call's arguments.
fn header_name(header: &str, catalogue: &Catalogue) -> Option<String> {
    if let Some(found) = NAMED.captures_iter(header).last() {
        return found.iter().skip(1).flatten().next().map(|name| name.as_str().to_owned());
    }
    let word = |letter: char| !(letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.'));
    let mut words = header.split(word).filter(|word| !word.is_empty());
    words.rfind(|word| *word == "act" || catalogue.lookup(&envelope::bare_name(word)).is_some()).map(str::to_owned)
}

/// A parameter's value between tags: structured where it begins so, else its text.
fn tag_value(text: &str) -> Json {
    let text = text.strip_prefix('\n').unwrap_or(text);
    let text = text.strip_suffix('\n').unwrap_or(text);
    if text.trim_start().starts_with(['{', '['])
        && let Some(parsed) = json::parse_all(text).filter(|parsed| parsed.value.whole())
    {
        return parsed.value;
    }
    if text.trim() == "null" { Json::Null } else { Json::Text(text.to_owned()) }
}
