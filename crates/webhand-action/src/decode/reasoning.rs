//! Takes a model's reasoning out of its reply: what it thought aloud is no decision.
//!
//! Paired tags go with what they hold, of an unclosed one only the tag goes, and before a stray closer all goes. Tags
//! inside JSON are left alone.

use std::sync::LazyLock;

use regex::Regex;

use super::{
    Work,
    candidates::{Recognise, value_over},
};

/// A reply without its reasoning.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Spoken {
    pub(super) text: String,
    /// A tag was left open: drafts may stand in the text, and its last object counts.
    pub(super) last_counts: bool,
    /// Something was taken out.
    pub(super) changed: bool,
}

#[expect(clippy::expect_used, reason = "a constant pattern, compiled by every test")]
static TAG: LazyLock<Regex> = LazyLock::new(|| {
    let words =
        "think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis|inner_monologue|internal_monologue";
    let pattern = format!(
        r"(?xi) <\s*(?P<angle>/?)\s*(?:[a-z]+[:\-])?(?:{words})\b[^<>]{{0,100}}>
            | \[(?P<square>/?)(?:think|thinking|reasoning)\]
            | ◁(?P<kimi>/?)think▷
            | <\|(?P<bar>begin|end)_of_thought\|>
            | <\|(?P<pipe>/?)(?:think|thinking)\|>"
    );
    // proof: a constant pattern; every test that decodes compiles it
    Regex::new(&pattern).expect("the pattern of reasoning tags")
});

struct Tag {
    start: usize,
    end: usize,
    closes: bool,
    empty: bool,
}

fn next_tag(text: &str, from: usize) -> Option<Tag> {
    let found = TAG.captures_at(text, from)?;
    let whole = found.get(0)?;
    let marked = |name: &str| found.name(name).is_some_and(|mark| matches!(mark.as_str(), "/" | "end"));
    let closes = ["angle", "square", "kimi", "pipe"].into_iter().any(marked)
        || found.name("bar").is_some_and(|mark| mark.as_str().eq_ignore_ascii_case("end"));
    Some(Tag { start: whole.start(), end: whole.end(), closes, empty: whole.as_str().ends_with("/>") })
}

/// The reply without its reasoning.
pub(super) fn strip(reply: &str, recognise: &impl Recognise) -> Spoken {
    let reply = final_channel(reply);
    let mut spoken = Spoken { text: String::new(), last_counts: false, changed: false };
    let mut at = 0;
    let mut work = Work::for_text(&reply);
    while let Some(tag) = next_tag(&reply, at) {
        if let Some(end) = value_over(&reply, at, tag.start, recognise, &mut work) {
            spoken.text.push_str(&reply[at..end]);
            at = end;
            continue;
        }
        spoken.changed = true;
        if tag.closes {
            spoken.text.clear();
            spoken.last_counts = false;
            at = tag.end;
            continue;
        }
        spoken.text.push_str(&reply[at..tag.start]);
        at = tag.end;
        if tag.empty {
            continue;
        }
        // Where one tag finds no closer, no later one does.
        let closer = if spoken.last_counts { None } else { closer_of(&reply, tag.end) };
        match closer {
            Some(end) => at = end,
            None => spoken.last_counts = true,
        }
    }
    spoken.text.push_str(&reply[at..]);
    spoken
}

/// Where the closer ends of a tag that opened before `from`: its own, or, where they do not pair, the last one.
fn closer_of(text: &str, from: usize) -> Option<usize> {
    let (mut at, mut open, mut last) = (from, 1_usize, None);
    while let Some(tag) = next_tag(text, at) {
        at = tag.end;
        if tag.closes {
            last = Some(tag.end);
            open -= 1;
            if open == 0 {
                return last;
            }
        } else if !tag.empty {
            open += 1;
        }
    }
    last
}

/// Of a reply in channels (`<|channel|>analysis<|message|>…`), all but the reasoning ones.
fn final_channel(reply: &str) -> String {
    const MARK: &str = "<|channel|>";
    if !reply.contains(MARK) {
        return reply.to_owned();
    }
    let mut kept = String::new();
    for (index, part) in reply.split(MARK).enumerate() {
        let header = part.trim_start();
        let thought = index > 0 && ["analysis", "thought", "reasoning"].iter().any(|word| header.starts_with(word));
        if !thought {
            kept.push_str(part);
            kept.push('\n');
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{catalogue::Catalogue, decode::decision::Recogniser};

    #[track_caller]
    fn check(reply: &str, text: &str, last_counts: bool) {
        let spoken = strip(reply, &Recogniser(&Catalogue::built_in()));
        assert_eq!((spoken.text.as_str(), spoken.last_counts), (text, last_counts), "{reply}");
    }

    #[test]
    fn paired_tags_go_with_what_they_hold() {
        check("<think>a {\"x\":1}</think>b", "b", false);
        check("a<Thinking>b</Thinking>c<reasoning kind=\"x\">d</reasoning>e", "ace", false);
        check("<think>a<think>b</think>c</think>d", "d", false);
        check("<think>the tag <think> is</think>d", "d", false);
        check("[THINK]a[/THINK]b◁think▷c◁/think▷d", "bd", false);
    }

    #[test]
    fn of_an_unclosed_tag_only_the_tag_goes() {
        check("<think>a {\"x\":1}", "a {\"x\":1}", true);
    }

    #[test]
    fn before_a_stray_closer_all_goes() {
        check("a {\"x\":1}</think>b", "b", false);
        check("a</think>b</think>c", "c", false);
    }

    #[test]
    fn a_tag_inside_a_string_is_text() {
        check("so {\"x\":\"</think>\"} b", "so {\"x\":\"</think>\"} b", false);
        check("<think>a</think>{\"x\":\"<think>\"}", "{\"x\":\"<think>\"}", false);
        for cut in ["{\"actions\":[{\"text\":\"</think>{x", "{\"actions\" 1 [{\"text\":\"</think>{\"}]}"] {
            check(cut, cut, false);
        }
    }

    #[test]
    fn reasoning_channels_go() {
        check(
            "<|channel|>analysis<|message|>{\"a\":1}<|end|><|channel|>final<|message|>b",
            "\nfinal<|message|>b\n",
            false,
        );
    }
}
