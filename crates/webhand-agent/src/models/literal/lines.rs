//! From a task's text to its steps: one imperative sentence or line each.
//!
//! Pure. A line that cannot be taken literally is named with the reason; it is never guessed.

use serde::Serialize;

use super::{chinese, english, quotes::Masked, step::Step, unclear::Unclear};

/// The longest task that is read, in bytes.
const LONGEST: usize = 64 * 1024;
/// The most steps a task may have.
const MOST: usize = 500;

/// One step of a task, with the words it came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TaskLine {
    /// Counted from one.
    pub number: usize,
    /// As written, without words such as `then`.
    pub text: String,
    /// What it says.
    pub step: Step,
}

/// A line that could not be taken literally; said in the language of its reason, which is that of the line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unparsable {
    /// Counted from one, as steps are.
    pub number: usize,
    /// The line as written.
    pub text: String,
    /// Why.
    pub reason: String,
}

impl std::fmt::Display for Unparsable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { number, text, reason } = self;
        if reason.starts_with(|first: char| first == '“' || is_chinese(first)) {
            return write!(f, "第 {number} 行“{text}”不能逐字执行：{reason}");
        }
        write!(f, "line {number}, {text:?}, cannot be taken literally: {reason}")
    }
}

impl std::error::Error for Unparsable {}

fn is_chinese(letter: char) -> bool {
    matches!(letter as u32, 0x3400..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

/// The words in the language of the line they are about.
fn in_its_language(line: &str, english: &str, chinese: &str) -> String {
    let chinese_line = line.chars().any(is_chinese) && !english::begins(line);
    if chinese_line { chinese.to_owned() } else { english.to_owned() }
}

/// Reads a whole task.
///
/// ```
/// use webhand_agent::models::literal::parse;
/// let lines = parse("Open example.org. Click the \"Save\" button, then press Enter").unwrap();
/// assert_eq!(lines.len(), 3);
/// assert!(parse("Do something nice").is_err());
/// ```
///
/// # Errors
/// The first line that is not understood, with the reason.
pub fn parse(task: &str) -> Result<Vec<TaskLine>, Unparsable> {
    let refuse = |number: usize, text: &str, reason: String| Unparsable { number, text: shorten(text), reason };
    if task.len() > LONGEST {
        return Err(refuse(1, task, format!("the task is longer than {LONGEST} bytes")));
    }
    let mut lines: Vec<TaskLine> = Vec::new();
    for raw in task.lines() {
        let text = without_bullet(raw.trim());
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let number = lines.len() + 1;
        let masked = Masked::new(text)
            .map_err(|_| refuse(number, text, in_its_language(text, "a quote is not closed", "引号没有闭合")))?;
        for sentence in sentences(&masked) {
            let number = lines.len() + 1;
            let written = masked.written(&sentence);
            if number > MOST {
                return Err(refuse(number, &written, format!("a task has at most {MOST} lines")));
            }
            let step = step(&masked, &sentence).map_err(|unclear| refuse(number, &written, unclear.to_string()))?;
            let text = masked.written(chinese::connected(english::connected(&sentence)));
            lines.push(TaskLine { number, text, step });
        }
    }
    if lines.is_empty() {
        return Err(refuse(1, task, "the task is empty".to_owned()));
    }
    Ok(lines)
}

/// Reads one sentence whose quotes are put aside.
fn step(masked: &Masked, sentence: &str) -> Result<Step, Unclear> {
    let text = trimmed(sentence);
    english::step(masked, text)
        .or_else(|| chinese::step(masked, text))
        .unwrap_or_else(|| Err(Unclear::new(why_unknown(text))))
}

fn why_unknown(text: &str) -> String {
    if phrase_start(text, "if ") || text.starts_with("如果") {
        let english = "conditions are not taken: write the lines that are to be done";
        return in_its_language(text, english, "不接受条件：请只写要做的步骤");
    }
    in_its_language(
        text,
        &format!("it begins with no known verb ({})", english::KNOWN),
        &format!("开头不是认识的动词（{}）", chinese::KNOWN),
    )
}

fn phrase_start(text: &str, word: &str) -> bool {
    text.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word))
}

/// Cuts a line into sentences where a separator is followed by a verb and both sides can be read.
fn sentences(masked: &Masked) -> Vec<String> {
    let mut done: Vec<String> = Vec::new();
    let mut current = String::new();
    for (separator, piece) in pieces(&masked.text) {
        if current.is_empty() {
            current.push_str(piece);
        } else if separator.firm() || (complete(masked, &current) && step(masked, piece).is_ok()) {
            done.push(std::mem::replace(&mut current, piece.to_owned()));
        } else {
            current.push_str(separator.written());
            current.push_str(piece);
        }
    }
    done.push(current);
    done.iter().map(|sentence| trimmed(sentence).to_owned()).filter(|sentence| !sentence.is_empty()).collect()
}

/// Whether a sentence can end here: it can be read, and it is not the beginning of a text to be typed.
fn complete(masked: &Masked, sentence: &str) -> bool {
    match step(masked, sentence) {
        Ok(Step::Type { target: None, .. }) => masked.has_quote(sentence),
        Ok(_) => true,
        Err(_) => false,
    }
}

#[derive(Clone, Copy, Debug)]
enum Separator<'a> {
    /// Ends a sentence whatever follows.
    Firm,
    /// Ends it only if both sides can be read.
    Soft(&'a str),
}

impl<'a> Separator<'a> {
    fn firm(self) -> bool {
        matches!(self, Separator::Firm)
    }

    fn written(self) -> &'a str {
        match self {
            Separator::Firm => "",
            Separator::Soft(text) => text,
        }
    }
}

/// The pieces between possible separators, each with the separator before it.
fn pieces(text: &str) -> Vec<(Separator<'_>, &str)> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut before = Separator::Firm;
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let firm = matches!(c, '。' | '；' | ';' | '！');
        let width = if firm { c.len_utf8() } else { soft(rest) };
        if width > 0 && (firm || begins(&rest[width..])) {
            out.push((before, &text[start..at]));
            before = if firm { Separator::Firm } else { Separator::Soft(&rest[..width]) };
            start = at + width;
            at = start;
        } else {
            at += c.len_utf8();
        }
    }
    out.push((before, &text[start..]));
    out
}

/// How wide the possible separator at the start of this text is; 0 when there is none.
fn soft(rest: &str) -> usize {
    for mark in [". ", "! ", ", ", "，", "、", " and ", " then ", "然后", "接着"] {
        if rest.starts_with(mark) {
            return mark.len();
        }
    }
    // Chinese is often written with the other comma, and with no space after it.
    let next = rest.strip_prefix(',').and_then(|after| after.chars().next());
    usize::from(next.is_some_and(is_chinese))
}

fn begins(text: &str) -> bool {
    english::begins(text) || chinese::begins(text)
}

fn trimmed(sentence: &str) -> &str {
    let text = sentence.trim();
    text.trim_end_matches(|c: char| matches!(c, '.' | '!' | '。' | '！' | ',' | '，' | ';' | '；') || c.is_whitespace())
}

/// Drops `1.`, `2)`, `-`, `*`, `•`, `第一步：` from the front.
fn without_bullet(text: &str) -> &str {
    let rest = text.trim_start_matches(['-', '*', '•', '·']).trim_start();
    if let Some((_, after)) = rest.strip_prefix('第').and_then(|after| after.split_once('步')) {
        return after.trim_start_matches([':', '：', '，', ',', ' ']);
    }
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if digits > 0 && digits <= 3 {
        let after = &rest[digits..];
        if let Some(after) = [". ", ") ", "、", "．", "）", ": "].iter().find_map(|mark| after.strip_prefix(mark)) {
            return after.trim_start();
        }
    }
    rest
}

fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(120).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
