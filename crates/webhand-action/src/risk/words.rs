//! What a control is called, and whether that says that it commits: pays, orders, deletes, sends. Pure; the words stand in
//! `words.tsv`.

use std::{collections::HashSet, sync::OnceLock};

/// A longer name of a control is a sentence or a card, and no order.
const MOST_WORDS: usize = 10;
/// The same in a language that is written without spaces.
const MOST_LETTERS: usize = 16;

/// Who says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Speaker {
    /// A button or the like: all that it is called is an order.
    Button,
    /// A link, which more often names a page: only what it begins with is one.
    Link,
    /// A dialog that asks whether to do it.
    Dialog,
}

/// The word that says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) word: String,
    /// It says so in every form, also one that searches or signs in.
    pub(crate) strong: bool,
}

/// Whether a name says that its control commits.
pub(crate) fn says_commit(name: &str, speaker: Speaker) -> Option<Said> {
    let table = table();
    let lower = name.replace('\u{2019}', "'").to_lowercase();
    let words: Vec<&str> = words_of(&lower).collect();
    let said = |phrase: &Phrase| Said { word: phrase.words.join(" "), strong: phrase.strong };
    if speaker != Speaker::Dialog && words.len() > MOST_WORDS {
        return None;
    }
    let mut weak = None;
    for phrase in table.phrases.iter().filter(|phrase| says(phrase, &words, speaker, table)) {
        if phrase.strong {
            return Some(said(phrase));
        }
        weak = weak.or_else(|| Some(said(phrase)));
    }
    weak
}

/// One entry of the table.
#[derive(Debug)]
struct Phrase {
    words: Vec<String>,
    strong: bool,
    whole: bool,
    /// Of a language that puts no spaces between words.
    dense: bool,
}

#[derive(Debug, Default)]
struct Table {
    phrases: Vec<Phrase>,
    not: HashSet<String>,
    dense_not: Vec<String>,
    nouns: HashSet<String>,
    dense_nouns: Vec<String>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::read(include_str!("words.tsv")))
}

impl Table {
    fn read(text: &str) -> Self {
        let mut table = Self::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let mut columns = line.split('\t');
            let (Some(_), Some(kind), Some(list)) = (columns.next(), columns.next(), columns.next()) else { continue };
            for entry in list.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
                table.add(kind, entry);
            }
        }
        table
    }

    fn add(&mut self, kind: &str, entry: &str) {
        let dense = entry.chars().any(is_dense);
        match (kind, dense) {
            ("not", false) => drop(self.not.insert(entry.to_owned())),
            ("not", true) => self.dense_not.push(entry.to_owned()),
            ("noun", false) => drop(self.nouns.insert(entry.to_owned())),
            ("noun", true) => self.dense_nouns.push(entry.to_owned()),
            _ => {
                let words = words_of(entry).map(str::to_owned).collect();
                self.phrases.push(Phrase { words, strong: kind != "weak", whole: kind == "whole", dense });
            }
        }
    }
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !is_of_word(letter)).filter(|word| !word.is_empty())
}

fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '\'' || is_dense(letter)
}

/// Letters of languages that put no spaces between words, or hang endings onto them.
fn is_dense(letter: char) -> bool {
    matches!(letter, '\u{0e00}'..='\u{0e7f}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

fn says(phrase: &Phrase, words: &[&str], speaker: Speaker, table: &Table) -> bool {
    if phrase.dense {
        let joined: String = words.concat();
        return says_densely(phrase, &joined, speaker, table);
    }
    let length = phrase.words.len();
    let is_at = |at: usize| words[at..at + length].iter().zip(&phrase.words).all(|(word, wanted)| word == wanted);
    if length > words.len() {
        return false;
    }
    if phrase.whole {
        return is_at(0) && words[length..].iter().all(|word| word.chars().all(char::is_numeric));
    }
    let places = if speaker == Speaker::Link { 1 } else { words.len() - length + 1 };
    (0..places).any(|at| {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        let after = words.get(at + length);
        is_at(at)
            && !before.is_some_and(|word| table.not.contains(*word))
            && !after.is_some_and(|word| table.nouns.contains(*word))
    })
}

fn says_densely(phrase: &Phrase, name: &str, speaker: Speaker, table: &Table) -> bool {
    let wanted = phrase.words.concat();
    if phrase.whole {
        return name == wanted;
    }
    if speaker != Speaker::Dialog && name.chars().count() > MOST_LETTERS {
        return false;
    }
    name.match_indices(&wanted).any(|(at, _)| {
        let (before, after) = (&name[..at], &name[at + wanted.len()..]);
        let placed = match speaker {
            Speaker::Dialog => true,
            Speaker::Link => before.is_empty(),
            Speaker::Button => before.is_empty() || after.is_empty() || !after.starts_with(is_dense),
        };
        placed
            && !table.dense_not.iter().any(|not| before.ends_with(not.as_str()))
            && !table.dense_nouns.iter().any(|noun| after.starts_with(noun.as_str()))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn buttons_that_commit_are_known_in_many_languages() {
        for name in [
            "Pay now",
            "Pay $20.00",
            "PLACE YOUR ORDER",
            "Order",
            "Order (3)",
            "Buy",
            "Delete",
            "🗑 Delete account",
            "Yes, delete it",
            "Send",
            "Send message",
            "Post",
            "Permanently erase",
            "Confirm & pay",
            "Zahlungspflichtig bestellen",
            "Jetzt kaufen",
            "Konto löschen",
            "Supprimer",
            "Passer la commande",
            "Eliminar",
            "Realizar pedido",
            "Excluir conta",
            "Elimina",
            "Verwijderen",
            "Usuń konto",
            "Удалить аккаунт",
            "Оплатить 500 ₽",
            "Satın al",
            "删除",
            "立即购买",
            "提交订单",
            "确认支付",
            "發送",
            "削除",
            "注文を確定する",
            "購入する",
            "送信",
            "삭제",
            "결제하기",
            "حذف",
            "מחק",
            "भेजें",
            "ลบบัญชี",
            "Xóa",
        ] {
            let said = says_commit(name, Speaker::Button);
            assert!(said.as_ref().is_some_and(|said| said.strong), "{name}: {said:?}");
        }
        for name in ["Submit", "Confirm", "Bestätigen", "提交", "Valider"] {
            assert!(says_commit(name, Speaker::Button).is_some_and(|said| !said.strong), "{name}");
        }
    }

    #[test]
    fn buttons_that_do_not_commit_are_left_alone() {
        for name in [
            "",
            "Search",
            "Sign in",
            "Next",
            "Cancel",
            "Add to cart",
            "Save draft",
            "Orders",
            "Order history",
            "Show deleted",
            "Delivery",
            "Sender",
            "Payments",
            "Do not delete",
            "Don't send",
            "Remove filter",
            "Sort order",
            "Blog post",
            "Facebook",
            "Abbrechen",
            "Nicht löschen",
            "Ne pas envoyer",
            "No eliminar",
            "取消",
            "购买记录",
            "已删除",
            "删除线",
            "不删除",
            "购物车",
            "注文履歴",
            "구매 내역",
            "Buyers' guide",
            "Apply filters",
            "A long card that tells how you may delete or send all of your many things at once",
        ] {
            assert_eq!(says_commit(name, Speaker::Button), None, "{name}");
        }
    }

    #[test]
    fn a_link_says_it_only_where_it_begins_with_it() {
        assert!(says_commit("Delete", Speaker::Link).is_some());
        assert!(says_commit("Delete this comment", Speaker::Link).is_some());
        assert!(says_commit("删除", Speaker::Link).is_some());
        for name in ["How to delete a page", "Gift cards to send", "Where to buy", "关于删除", "Orders"] {
            assert_eq!(says_commit(name, Speaker::Link), None, "{name}");
        }
    }

    #[test]
    fn a_dialog_says_it_wherever_it_stands() {
        for message in [
            "Are you sure that you want to delete 12 photos from this album for good, now?",
            "确定要删除这条评论吗？",
            "Wirklich löschen?",
        ] {
            assert!(says_commit(message, Speaker::Dialog).is_some(), "{message}");
        }
        assert_eq!(says_commit("Leave this page?", Speaker::Dialog), None);
    }

    #[test]
    fn the_table_is_whole() {
        let lines = include_str!("words.tsv").lines().filter(|line| !line.starts_with('#'));
        for line in lines {
            let columns: Vec<&str> = line.split('\t').collect();
            assert_eq!(columns.len(), 3, "{line}");
            assert!(["strong", "weak", "whole", "not", "noun"].contains(&columns[1]), "{line}");
            assert_eq!(columns[2], columns[2].to_lowercase(), "{line}");
        }
    }

    proptest! {
        #[test]
        fn no_name_is_too_much(name in "\\PC{0,80}") {
            for speaker in [Speaker::Button, Speaker::Link, Speaker::Dialog] {
                let _ = says_commit(&name, speaker);
            }
        }
    }
}
