//! The reader's text for one frame, parsed. Total: any text in, lines that make no sense are an error, never a panic.

use std::{borrow::Cow, sync::Arc};

use serde::Deserialize;

use crate::snapshot::{Attributes, Role, State};

/// What one frame's reader told.
#[derive(Debug, Default)]
pub(crate) struct FrameText {
    pub(crate) meta: Meta,
    pub(crate) steps: Vec<Step>,
}

/// How to come from the lines of the reader's last answer to those of this one. A whole answer has new lines only.
#[derive(Debug)]
pub(crate) enum Step {
    /// So many lines stay.
    Keep(usize),
    /// So many lines went.
    Drop(usize),
    /// One came.
    Line(Line),
}

/// The document as a whole.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Meta {
    pub(crate) title: String,
    pub(crate) url: String,
    pub(crate) language: Option<String>,
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) above: f64,
    pub(crate) below: f64,
    pub(crate) focus: u32,
    /// How many elements may host a closed shadow root and were not asked for it yet.
    #[serde(default)]
    pub(crate) hosts: u32,
    /// The number of this answer: who names it in the next call is told only what changed since.
    #[serde(default)]
    pub(crate) answer: u32,
}

/// One line.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) depth: u16,
    pub(crate) in_view: bool,
    pub(crate) what: What,
}

/// What a line says.
#[derive(Debug)]
pub(crate) enum What {
    Text(Arc<str>),
    Structure { role: Role, level: Option<u8>, name: Arc<str> },
    Control(Box<WireControl>),
}

/// A control as the reader writes it.
#[derive(Debug, Default)]
pub(crate) struct WireControl {
    pub(crate) local: u32,
    pub(crate) role: Role,
    pub(crate) tag: String,
    pub(crate) name: Arc<str>,
    pub(crate) kind: Option<String>,
    pub(crate) rect: Option<[f64; 4]>,
    /// Digest of the item that it stands in; 0 where there is none.
    pub(crate) item: u64,
    pub(crate) more: More,
}

/// What of a control is not at its default.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct More {
    #[serde(rename = "s")]
    pub(crate) state: State,
    #[serde(rename = "a")]
    pub(crate) attributes: Attributes,
    #[serde(rename = "c")]
    pub(crate) cover: Option<WireCover>,
    #[serde(rename = "q")]
    pub(crate) guessed: u8,
    #[serde(rename = "f")]
    pub(crate) frame: u8,
    /// Where a frame is on its way to, while it still has its first, empty document.
    #[serde(rename = "u")]
    pub(crate) pending: Option<String>,
}

/// What covers a control.
#[derive(Debug, Deserialize)]
pub(crate) struct WireCover {
    #[serde(rename = "i")]
    pub(crate) local: u32,
    #[serde(rename = "n")]
    pub(crate) name: String,
}

/// Parses the JSON string that the reader answered.
pub(crate) fn parse(json: &str) -> Result<FrameText, String> {
    let text: Cow<'_, str> =
        serde_json::from_str::<Borrowed<'_>>(json).map(|text| text.0).map_err(|error| error.to_string())?;
    let mut lines = text.split('\n');
    let head = lines.next().unwrap_or_default();
    let mut frame =
        FrameText { meta: serde_json::from_str(head).map_err(|error| format!("head: {error}"))?, steps: Vec::new() };
    for (number, line) in lines.enumerate() {
        if line.is_empty() {
            continue;
        }
        let step =
            parse_step(line).ok_or_else(|| format!("line {number}: {}", line.chars().take(80).collect::<String>()))?;
        frame.steps.push(step);
    }
    Ok(frame)
}

#[derive(Deserialize)]
struct Borrowed<'a>(#[serde(borrow)] Cow<'a, str>);

fn parse_step(line: &str) -> Option<Step> {
    match line.as_bytes().first()? {
        b'=' => Some(Step::Keep(line[1..].parse().ok()?)),
        b'-' => Some(Step::Drop(line[1..].parse().ok()?)),
        kind => parse_line(*kind, line).map(Step::Line),
    }
}

fn parse_line(kind: u8, line: &str) -> Option<Line> {
    let (depth, rest) = line.get(1..)?.split_once('\t')?;
    let (in_view, rest) = rest.split_once('\t')?;
    let what = match kind {
        b't' => What::Text(rest.into()),
        b's' => {
            let (role, rest) = rest.split_once('\t')?;
            let (level, name) = rest.split_once('\t')?;
            let level = level.parse().ok().filter(|level| *level > 0);
            What::Structure { role: Role::new(role), level, name: name.into() }
        }
        b'c' => What::Control(Box::new(parse_control(rest)?)),
        _ => return None,
    };
    let depth = depth.parse::<u32>().ok()?;
    Some(Line { depth: u16::try_from(depth).unwrap_or(u16::MAX), in_view: in_view == "1", what })
}

/// `id role tag kind box more name`, and the item's digest where there is one, parted by tabs.
fn parse_control(text: &str) -> Option<WireControl> {
    let mut fields = text.split('\t');
    let local = fields.next()?.parse().ok()?;
    let role = Role::new(fields.next()?);
    let tag = fields.next()?.to_owned();
    let kind = Some(fields.next()?).filter(|kind| !kind.is_empty()).map(str::to_owned);
    let rect = parse_rect(fields.next()?);
    let more = fields.next()?;
    let more = if more.is_empty() { More::default() } else { serde_json::from_str(more).unwrap_or_default() };
    let name = fields.next()?.into();
    let item = match fields.next() {
        Some(digest) => parse_digest(digest)?,
        None => 0,
    };
    Some(WireControl { local, role, tag, name, kind, rect, item, more })
}

/// 26 and 27 bits, as the reader's `Digest` prints them.
fn parse_digest(text: &str) -> Option<u64> {
    let (high, low) = text.split_once('.')?;
    Some(u64::from(high.parse::<u32>().ok()?) << 27 | u64::from(low.parse::<u32>().ok()?))
}

fn parse_rect(text: &str) -> Option<[f64; 4]> {
    let mut sides = text.split(',').map(str::parse);
    let mut next = || sides.next()?.ok();
    Some([next()?, next()?, next()?, next()?])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const HEAD: &str =
        r#"{"title":"T","url":"http://a/","language":null,"width":1,"height":1,"above":0,"below":0,"focus":0}"#;

    #[test]
    fn each_kind_of_line_is_understood() {
        let text = format!(
            "{HEAD}\ns0\t1\tmain\t0\t\nt1\t1\thello\nc1\t0\t{}\n=12\n-3",
            "3\tbutton\tbutton\tsubmit\t1,2,3,4\t{\"s\":{\"disabled\":\"inert\"}}\tSave\t2.5"
        );
        let frame = parse(&serde_json::to_string(&text).unwrap()).unwrap();
        let [Step::Line(_), Step::Line(_), Step::Line(line), Step::Keep(12), Step::Drop(3)] = &frame.steps[..] else {
            panic!("{:?}", frame.steps)
        };
        let What::Control(control) = &line.what else { panic!("a control") };
        assert_eq!((control.local, control.item, &*control.name), (3, 2 << 27 | 5, "Save"));
        assert_eq!(control.more.state.disabled.as_deref(), Some("inert"));
    }

    #[test]
    fn a_line_of_no_known_kind_is_an_error() {
        let text = serde_json::to_string(&format!("{HEAD}\nz0\t1\tx")).unwrap();
        assert!(parse(&text).unwrap_err().starts_with("line 0"));
    }

    proptest! {
        #[test]
        fn any_text_is_an_answer_or_an_error(lines in ".{0,200}") {
            let text = serde_json::to_string(&format!("{HEAD}\n{lines}")).unwrap();
            let _ = parse(&text);
            let _ = parse(&lines);
        }
    }
}
