//! Which control leads to the next page: by its role and its name, where only one does. Pure.

use webhand_page::{Control, Node, Ref, Snapshot};

/// What such a control is called, without signs and case.
const NEXT: &[&str] = &[
    "next",
    "next page",
    "next results",
    "go to next page",
    "goto next page",
    "older",
    "older posts",
    "weiter",
    "nächste",
    "nächste seite",
    "suivant",
    "suivante",
    "page suivante",
    "siguiente",
    "página siguiente",
    "próxima",
    "próxima página",
    "seguinte",
    "página seguinte",
    "successiva",
    "pagina successiva",
    "avanti",
    "volgende",
    "volgende pagina",
    "następna",
    "następna strona",
    "dalej",
    "další",
    "nästa",
    "nästa sida",
    "næste",
    "neste",
    "seuraava",
    "далее",
    "вперёд",
    "следующая",
    "следующая страница",
    "наступна",
    "далі",
    "sonraki",
    "sonraki sayfa",
    "下一页",
    "下一頁",
    "下页",
    "次へ",
    "次のページ",
    "次",
    "다음",
    "다음 페이지",
    "التالي",
    "הבא",
    "अगला",
    "ถัดไป",
    "berikutnya",
    "selanjutnya",
    "tiếp",
    "trang sau",
    "επόμενη",
];
/// Signs that alone mean it, where they stand among the numbers of pages.
const SIGNS: &[&str] = &["›", "»", "→", ">", ">>", "❯", "⟩", "▶"];

/// How a listing goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// By this control.
    At(Ref),
    /// Its control cannot be used: this is the last page.
    Last,
    /// No control leads on.
    None,
    /// Several may, and which one cannot be told.
    Several,
}

/// How this page goes on.
pub(crate) fn next_page(snapshot: &Snapshot) -> Next {
    let named: Vec<(usize, &Node, &Control)> = found(snapshot, |node, _| is_next(&node.name));
    let signs = || found(snapshot, |node, at| SIGNS.contains(&node.name.trim()) && follows_a_number(snapshot, at));
    let candidates = if named.is_empty() { signs() } else { named };
    let usable: Vec<_> = candidates.iter().filter(|(.., control)| control.state.disabled.is_none()).collect();
    // one above and one below the list are the same
    let leads = |control: &Control| control.attributes.href.clone().unwrap_or_default();
    match usable.as_slice() {
        [] if candidates.is_empty() => Next::None,
        [] => Next::Last,
        [first, rest @ ..] => {
            let alike =
                rest.iter().all(|(_, node, control)| node.name == first.1.name && leads(control) == leads(first.2));
            if alike { Next::At(usable[usable.len() - 1].2.r#ref) } else { Next::Several }
        }
    }
}

fn found(snapshot: &Snapshot, is: impl Fn(&Node, usize) -> bool) -> Vec<(usize, &Node, &Control)> {
    let nodes = snapshot.nodes.iter().enumerate();
    let controls = nodes.filter_map(|(at, node)| Some((at, node, node.control.as_deref()?)));
    controls.filter(|(at, node, _)| matches!(node.role.as_str(), "link" | "button") && is(node, *at)).collect()
}

fn is_next(name: &str) -> bool {
    let plain: String = name.chars().map(|letter| if letter.is_alphanumeric() { letter } else { ' ' }).collect();
    let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    // combining marks of some languages are no letters: the name is asked as it is, too
    NEXT.contains(&plain.as_str()) || NEXT.contains(&name.trim().to_lowercase().as_str())
}

/// Whether a control shortly before it is called by a number.
fn follows_a_number(snapshot: &Snapshot, at: usize) -> bool {
    let before = &snapshot.nodes[at.saturating_sub(8)..at];
    before.iter().any(|node| !node.name.is_empty() && node.name.trim().chars().all(|letter| letter.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_on_are_known() {
        for name in ["Next", "Next ›", "next page", "Nächste Seite »", "下一页", "次へ >", "Suivant"] {
            assert!(is_next(name), "{name}");
        }
        for name in ["Previous", "Next of kin", "Text", "", "Nextcloud", "1"] {
            assert!(!is_next(name), "{name}");
        }
    }
}
