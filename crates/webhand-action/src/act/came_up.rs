//! What came up between two looks: controls that can be used now, and texts. Pure.

use webhand_page::{ChangeKind, Snapshot};

use crate::effects::Effect;

/// So many are named; the others are counted.
const NAMED: usize = 5;
/// So much of a text is shown, in characters.
const SHOWN: usize = 200;

/// What of the later look was not there, or could not be reached, in the earlier one.
pub(super) fn appeared(before: &Snapshot, after: &Snapshot) -> Vec<Effect> {
    let mut effects = Vec::new();
    let reachable = |snapshot: &Snapshot, number| {
        snapshot.control(number).is_some_and(|(_, control)| control.state.covered.is_none())
    };
    let came: Vec<String> = after
        .controls()
        .filter(|(_, control)| {
            let number = control.r#ref.number;
            reachable(after, number) && !reachable(before, number)
        })
        .map(|(node, control)| format!("{} {:?}", control.r#ref, cut(&node.name)))
        .collect();
    if !came.is_empty() {
        let total = u32::try_from(came.len()).unwrap_or(u32::MAX);
        effects.push(Effect::Appeared { controls: came.into_iter().take(NAMED).collect(), total });
    }
    let changes = after.diff(before).changes;
    let texts = changes.iter().filter(|change| change.kind == ChangeKind::Appeared && change.r#ref.is_none());
    let texts: Vec<String> = texts.map(|change| cut(change.line.trim())).take(NAMED).collect();
    if !texts.is_empty() {
        effects.push(Effect::Shows { texts });
    }
    effects
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
