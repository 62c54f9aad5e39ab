//! The reader's text for one frame, parsed. Total: any text in, lines that make no sense are an error, never a panic.

use std::borrow::Cow;

use serde::Deserialize;

use crate::snapshot::{Attributes, State};

/// What one frame's reader told.
#[derive(Debug, Default)]
pub(crate) struct FrameText {
    pub(crate) meta: Meta,
    pub(crate) lines: Vec<Line>,
    /// Digests of the items, by the index that controls name.
    pub(crate) items: Vec<u64>,
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
    Text(String),
    Structure { role: String, level: Option<u8>, name: String },
    Control(Box<WireControl>),
}

/// A control as the reader writes it.
#[derive(Debug, Default)]
pub(crate) struct WireControl {
    pub(crate) local: u32,
    pub(crate) role: String,
    pub(crate) tag: String,
    pub(crate) name: String,
    pub(crate) kind: Option<String>,
    pub(crate) rect: Option<[f64; 4]>,
    pub(crate) item: Option<usize>,
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
    let mut frame = FrameText {
        meta: serde_json::from_str(head).map_err(|error| format!("head: {error}"))?,
        lines: Vec::with_capacity(text.len() / 40),
        items: Vec::new(),
    };
    for (number, line) in lines.enumerate() {
        if line.is_empty() {
            continue;
        }
        if let Some(rest) = line.strip_prefix("i\t") {
            frame.items = rest.split(' ').map(|digest| u64::from_str_radix(digest, 36).unwrap_or(0)).collect();
            continue;
        }
        let parsed =
            parse_line(line).ok_or_else(|| format!("line {number}: {}", line.chars().take(80).collect::<String>()))?;
        frame.lines.push(parsed);
    }
    Ok(frame)
}

#[derive(Deserialize)]
struct Borrowed<'a>(#[serde(borrow)] Cow<'a, str>);

fn parse_line(line: &str) -> Option<Line> {
    let kind = *line.as_bytes().first()?;
    let (depth, rest) = line.get(1..)?.split_once('\t')?;
    let (in_view, rest) = rest.split_once('\t')?;
    let what = match kind {
        b't' => What::Text(rest.to_owned()),
        b's' => {
            let (role, rest) = rest.split_once('\t')?;
            let (level, name) = rest.split_once('\t')?;
            let level = level.parse().ok().filter(|level| *level > 0);
            What::Structure { role: role.to_owned(), level, name: name.to_owned() }
        }
        b'c' => What::Control(Box::new(parse_control(rest)?)),
        _ => return None,
    };
    let depth = depth.parse::<u32>().ok()?;
    Some(Line { depth: u16::try_from(depth).unwrap_or(u16::MAX), in_view: in_view == "1", what })
}

/// `id role tag kind item box more name`, parted by tabs.
fn parse_control(text: &str) -> Option<WireControl> {
    let mut fields = text.splitn(8, '\t');
    let local = fields.next()?.parse().ok()?;
    let role = fields.next()?.to_owned();
    let tag = fields.next()?.to_owned();
    let kind = Some(fields.next()?).filter(|kind| !kind.is_empty()).map(str::to_owned);
    let item = fields.next()?.parse().ok();
    let rect = parse_rect(fields.next()?);
    let more = fields.next()?;
    let more = if more.is_empty() { More::default() } else { serde_json::from_str(more).ok()? };
    Some(WireControl { local, role, tag, name: fields.next()?.to_owned(), kind, rect, item, more })
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
            "{HEAD}\ns0\t1\tmain\t0\t\nt1\t1\thello\nc1\t0\t{}\ni\t0 zz",
            "3\tbutton\tbutton\tsubmit\t1\t1,2,3,4\t{\"s\":{\"disabled\":\"inert\"}}\tSave"
        );
        let frame = parse(&serde_json::to_string(&text).unwrap()).unwrap();
        assert_eq!(frame.lines.len(), 3);
        assert_eq!(frame.items, [0, 1295]);
        let What::Control(control) = &frame.lines[2].what else { panic!("a control") };
        assert_eq!((control.local, control.item), (3, Some(1)));
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
