//! The README in both languages says the same: as many headings and as many
//! code blocks, in the same order.

use super::finding::Finding;
use super::tree::Tree;

const ENGLISH: &str = "README.md";
const CHINESE: &str = "README.zh-CN.md";

/// One piece of a document's skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    Heading { level: usize },
    Code,
}

/// What one has and the other has not.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let (Some(english), Some(chinese)) = (tree.text(ENGLISH), tree.text(CHINESE)) else {
        let missing = [ENGLISH, CHINESE].into_iter().filter(|path| tree.text(path).is_none());
        return missing.map(|path| Finding::in_file(path, "is missing")).collect();
    };
    let (english, chinese) = (skeleton(english), skeleton(chinese));
    let mut findings = Vec::new();
    for (what, count) in [("headings", headings as fn(&[Piece]) -> usize), ("code blocks", codes)] {
        let (here, there) = (count(&english), count(&chinese));
        if here != there {
            findings.push(Finding::in_file(CHINESE, format!("{there} {what}, {here} in {ENGLISH}")));
        }
    }
    if findings.is_empty() && english != chinese {
        findings.push(Finding::in_file(CHINESE, format!("headings and code come in another order than in {ENGLISH}")));
    }
    findings
}

fn headings(pieces: &[Piece]) -> usize {
    pieces.iter().filter(|piece| matches!(piece, Piece::Heading { .. })).count()
}

fn codes(pieces: &[Piece]) -> usize {
    pieces.iter().filter(|piece| **piece == Piece::Code).count()
}

fn skeleton(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut in_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            if !in_code {
                pieces.push(Piece::Code);
            }
            in_code = !in_code;
        } else if !in_code && line.starts_with('#') {
            let level = line.bytes().take_while(|byte| *byte == b'#').count();
            if line[level..].starts_with(' ') {
                pieces.push(Piece::Heading { level });
            }
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::super::tree::tree_of;
    use super::*;

    #[test]
    fn both_languages_have_one_skeleton() {
        let told = |chinese: &str| {
            let english = "# a\n```sh\n# no heading\n```\n## b\n";
            let tree = tree_of(&[(ENGLISH, english), (CHINESE, chinese)]);
            check(&tree).iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(told("# 甲\n```sh\nx\n```\n## 乙\n"), Vec::<String>::new());
        assert_eq!(told("# 甲\n## 乙\n"), ["README.zh-CN.md: 0 code blocks, 1 in README.md"]);
        assert_eq!(told("# 甲\n## 乙\n```\n```\n").len(), 1);
        assert_eq!(check(&tree_of(&[])).len(), 2);
    }
}
