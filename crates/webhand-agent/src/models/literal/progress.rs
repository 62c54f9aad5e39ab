//! Where in its task the literal model stands, read from the record alone.
//!
//! The model keeps nothing between replies: each of its replies says in `memory` which line it was for, and the record says
//! what came of it. So a run that is taken up again goes on at the right line.

use crate::record::{ActionRecord, RecordEntry};

/// What a reply was for, beside doing its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Note {
    /// To do the line.
    Do,
    /// To do it once more.
    Again,
    /// Only to wait until the line can be done.
    Waited,
    /// Only to open the list in which the line chooses.
    Opened,
    /// Only to ask the lists of the page what they hold.
    Looked,
}

const NOTES: &[(Note, &str)] =
    &[(Note::Again, "once more"), (Note::Waited, "waited"), (Note::Opened, "opened"), (Note::Looked, "looked")];

/// What is to be done next.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Next {
    /// This line (counted from one); the note says what was done for it already.
    Line {
        /// Counted from one.
        number: usize,
        /// What was done for it already.
        already: Option<Note>,
    },
    /// All lines are done.
    Finished,
    /// A line failed for good.
    Failed {
        /// Which.
        number: usize,
        /// Why.
        reason: String,
    },
}

/// The memory text of a reply for that line.
pub(super) fn memory(number: usize, of: usize, note: Note) -> String {
    match NOTES.iter().find(|(known, _)| *known == note) {
        Some((_, words)) => format!("line {number} of {of}, {words}"),
        None => format!("line {number} of {of}"),
    }
}

/// The line and note of a memory text, if it is one of ours.
pub(super) fn remembered(memory: &str) -> Option<(usize, Note)> {
    let rest = memory.strip_prefix("line ")?;
    let (number, rest) = rest.split_once(" of ")?;
    let note = match rest.split_once(", ") {
        Some((_, words)) => NOTES.iter().find(|(_, known)| *known == words)?.0,
        None => Note::Do,
    };
    Some((number.parse().ok()?, note))
}

/// What is to be done next, by the record of what was done.
pub(super) fn next(record: &[RecordEntry], lines: usize) -> Next {
    let Some((entry, (number, note))) =
        record.iter().rev().find_map(|entry| remembered(&entry.memory).map(|line| (entry, line)))
    else {
        return Next::Line { number: 1, already: None };
    };
    if matches!(note, Note::Waited | Note::Looked) {
        return Next::Line { number, already: Some(note) };
    }
    if entry.went_well() {
        return match note {
            Note::Opened => Next::Line { number, already: Some(Note::Opened) },
            _ if number >= lines => Next::Finished,
            _ => Next::Line { number: number + 1, already: None },
        };
    }
    let Some(failure) = entry.failure() else {
        let reason = entry.fault.clone().unwrap_or_else(|| "nothing was done".to_owned());
        return Next::Failed { number, reason };
    };
    if transient(failure) && note != Note::Again {
        return Next::Line { number, already: Some(Note::Again) };
    }
    Next::Failed { number, reason: why(failure) }
}

/// Whether the same action may well succeed on a fresh look at the page.
fn transient(failure: &ActionRecord) -> bool {
    const CODES: &[&str] = &["stale_ref", "element_not_found", "target_changed", "not_interactable"];
    !failure.ran || failure.code.as_deref().is_some_and(|code| CODES.contains(&code))
}

fn why(failure: &ActionRecord) -> String {
    let mut reason = failure.message.trim_end_matches('.').to_owned();
    if reason.is_empty() {
        reason = format!("{} failed", failure.name);
    }
    if let Some(code) = failure.code.as_ref().filter(|code| !reason.contains(code.as_str())) {
        reason = format!("{reason} ({code})");
    }
    match failure.hint.as_ref().filter(|hint| !hint.is_empty()) {
        Some(hint) => format!("{reason}; {hint}"),
        None => reason,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(memory: &str, ok: bool, code: Option<&str>) -> RecordEntry {
        RecordEntry {
            memory: memory.to_owned(),
            actions: vec![ActionRecord {
                name: "click".to_owned(),
                ran: true,
                ok,
                message: "it said so".to_owned(),
                code: code.map(str::to_owned),
                ..ActionRecord::default()
            }],
            ..RecordEntry::default()
        }
    }

    #[test]
    fn a_line_is_left_only_when_it_went_well() {
        assert_eq!(next(&[], 3), Next::Line { number: 1, already: None });
        assert_eq!(next(&[entry("line 1 of 3", true, None)], 3), Next::Line { number: 2, already: None });
        assert_eq!(next(&[entry("line 3 of 3", true, None)], 3), Next::Finished);
        assert_eq!(
            next(&[entry("line 2 of 3", false, Some("stale_ref"))], 3),
            Next::Line { number: 2, already: Some(Note::Again) }
        );
    }

    #[test]
    fn a_second_failure_and_a_lasting_one_end_it() {
        let again = next(&[entry("line 2 of 3, once more", false, Some("stale_ref"))], 3);
        assert_eq!(again, Next::Failed { number: 2, reason: "it said so (stale_ref)".to_owned() });
        assert!(matches!(next(&[entry("line 2 of 3", false, Some("no_effect"))], 3), Next::Failed { number: 2, .. }));
    }

    #[test]
    fn waiting_and_opening_do_not_count_as_doing() {
        assert_eq!(
            next(&[entry("line 2 of 3, waited", false, Some("timeout"))], 3),
            Next::Line { number: 2, already: Some(Note::Waited) }
        );
        assert_eq!(
            next(&[entry("line 2 of 3, looked", false, None)], 3),
            Next::Line { number: 2, already: Some(Note::Looked) }
        );
        assert_eq!(
            next(&[entry("line 2 of 3, opened", true, None)], 3),
            Next::Line { number: 2, already: Some(Note::Opened) }
        );
    }

    #[test]
    fn an_answer_that_could_not_be_used_is_no_progress() {
        let mut broken = entry("line 2 of 3", true, None);
        broken.actions.clear();
        broken.fault = Some("bad_parameter".to_owned());
        assert_eq!(next(&[broken], 3), Next::Failed { number: 2, reason: "bad_parameter".to_owned() });
    }

    #[test]
    fn memory_reads_back() {
        for note in [Note::Do, Note::Again, Note::Waited, Note::Opened, Note::Looked] {
            assert_eq!(remembered(&memory(7, 12, note)), Some((7, note)));
        }
        assert_eq!(remembered("something else"), None);
    }
}
