//! Which lines of two texts stand for each other: the shortest edit script (Myers, "An O(ND) difference algorithm and its
//! variations", 1986), with a limit on how far it looks.

/// More edits than this are not looked for: the texts have little in common then.
const MOST: usize = 800;

/// A stretch of both texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// So many lines are the same.
    Keep(usize),
    /// Lines that went, and lines that came in their place.
    Replace { drop: usize, add: usize },
}

/// How `before` becomes `after`; `None` where they differ in more than can be told.
pub(super) fn align(before: &[u64], after: &[u64]) -> Option<Vec<Step>> {
    let head = before.iter().zip(after).take_while(|(was, is)| was == is).count();
    let rest = before.len().min(after.len()) - head;
    let tail = before.iter().rev().zip(after.iter().rev()).take(rest).take_while(|(was, is)| was == is).count();
    let middle = script(&before[head..before.len() - tail], &after[head..after.len() - tail])?;
    let mut steps = Steps::default();
    steps.keep(head);
    for edit in middle {
        match edit {
            Edit::Keep => steps.keep(1),
            Edit::Drop => steps.replace(1, 0),
            Edit::Add => steps.replace(0, 1),
        }
    }
    steps.keep(tail);
    Some(steps.0)
}

#[derive(Default)]
struct Steps(Vec<Step>);

impl Steps {
    fn keep(&mut self, count: usize) {
        match self.0.last_mut() {
            _ if count == 0 => {}
            Some(Step::Keep(length)) => *length += count,
            _ => self.0.push(Step::Keep(count)),
        }
    }

    fn replace(&mut self, dropped: usize, added: usize) {
        match self.0.last_mut() {
            Some(Step::Replace { drop, add }) => {
                *drop += dropped;
                *add += added;
            }
            _ => self.0.push(Step::Replace { drop: dropped, add: added }),
        }
    }
}

#[derive(Clone, Copy)]
enum Edit {
    Keep,
    Drop,
    Add,
}

/// The edits, one a line.
fn script(before: &[u64], after: &[u64]) -> Option<Vec<Edit>> {
    if before.is_empty() || after.is_empty() {
        let (dropped, added) = (vec![Edit::Drop; before.len()], vec![Edit::Add; after.len()]);
        return (before.len().max(after.len()) <= MOST).then(|| [dropped, added].concat());
    }
    let trace = furthest(before, after)?;
    let (mut was, mut is) = (before.len(), after.len());
    let mut edits = Vec::with_capacity(was + is);
    for (depth, reached) in trace.iter().enumerate().rev() {
        let at = |diagonal: isize| reached.get(index(diagonal, depth)).copied().unwrap_or(0);
        let diagonal = signed(was) - signed(is);
        let size = signed(depth);
        let down = diagonal == -size || (diagonal != size && at(diagonal - 1) < at(diagonal + 1));
        let from = if down { diagonal + 1 } else { diagonal - 1 };
        let (start, depth_left) = if depth == 0 { (0, 0) } else { (at(from), depth) };
        let (mut x, mut y) = (start, (signed(start) - from).unsigned_abs());
        if depth == 0 {
            (x, y) = (0, 0);
        }
        while was > x && is > y && before[was - 1] == after[is - 1] && (depth_left == 0 || (was, is) != (x, y)) {
            edits.push(Edit::Keep);
            was -= 1;
            is -= 1;
        }
        if depth == 0 {
            break;
        }
        if down {
            edits.push(Edit::Add);
        } else {
            edits.push(Edit::Drop);
        }
        (was, is) = (x, y);
    }
    edits.reverse();
    Some(edits)
}

/// For each number of edits, how far each diagonal was reached before it.
fn furthest(before: &[u64], after: &[u64]) -> Option<Vec<Vec<usize>>> {
    let most = (before.len() + after.len()).min(MOST);
    let mut reached = vec![0usize; 2 * most + 3];
    let middle = signed(most) + 1;
    let mut trace = Vec::new();
    for depth in 0..=most {
        let size = signed(depth);
        // what the way back needs: the diagonals from -depth to depth
        let kept = (-size..=size).map(|diagonal| reached[(middle + diagonal).unsigned_abs()]).collect();
        trace.push(kept);
        for diagonal in (-size..=size).step_by(2) {
            let at = |diagonal: isize| reached[(middle + diagonal).unsigned_abs()];
            let down = diagonal == -size || (diagonal != size && at(diagonal - 1) < at(diagonal + 1));
            let mut x = if down { at(diagonal + 1) } else { at(diagonal - 1) + 1 };
            let mut y = (signed(x) - diagonal).unsigned_abs();
            while x < before.len() && y < after.len() && before[x] == after[y] {
                x += 1;
                y += 1;
            }
            reached[(middle + diagonal).unsigned_abs()] = x;
            if x >= before.len() && y >= after.len() {
                return Some(trace);
            }
        }
    }
    None
}

/// The place of a diagonal in what was kept for a number of edits.
fn index(diagonal: isize, depth: usize) -> usize {
    (diagonal + signed(depth)).unsigned_abs()
}

fn signed(count: usize) -> isize {
    isize::try_from(count).unwrap_or(isize::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn applied(before: &[u64], after: &[u64], steps: &[Step]) -> (Vec<u64>, usize) {
        let (mut was, mut is, mut out, mut edits) = (0, 0, Vec::new(), 0);
        for step in steps {
            match *step {
                Step::Keep(count) => {
                    assert_eq!(before[was..was + count], after[is..is + count], "kept lines are the same");
                    out.extend_from_slice(&before[was..was + count]);
                    was += count;
                    is += count;
                }
                Step::Replace { drop, add } => {
                    out.extend_from_slice(&after[is..is + add]);
                    was += drop;
                    is += add;
                    edits += drop + add;
                }
            }
        }
        assert_eq!(was, before.len());
        (out, edits)
    }

    /// The length of the shortest edit script, the slow and sure way.
    fn shortest(before: &[u64], after: &[u64]) -> usize {
        let mut row: Vec<usize> = (0..=after.len()).collect();
        for (i, was) in before.iter().enumerate() {
            let mut corner = row[0];
            row[0] = i + 1;
            for (j, is) in after.iter().enumerate() {
                let above = row[j + 1];
                row[j + 1] = if was == is { corner } else { 1 + above.min(row[j]) };
                corner = above;
            }
        }
        row[after.len()]
    }

    proptest! {
        #[test]
        fn steps_lead_from_the_one_to_the_other_by_the_shortest_way(
            before in prop::collection::vec(0u64..6, 0..40),
            after in prop::collection::vec(0u64..6, 0..40),
        ) {
            let steps = align(&before, &after).unwrap();
            let (out, edits) = applied(&before, &after, &steps);
            prop_assert_eq!(&out, &after);
            prop_assert_eq!(edits, shortest(&before, &after));
        }
    }

    #[test]
    fn texts_with_nothing_in_common_are_given_up() {
        let before: Vec<u64> = (0..5_000).collect();
        let after: Vec<u64> = (10_000..15_000).collect();
        assert_eq!(align(&before, &after), None);
        assert_eq!(align(&before, &before), Some(vec![Step::Keep(5_000)]));
    }
}
