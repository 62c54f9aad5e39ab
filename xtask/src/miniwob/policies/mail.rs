//! What is asked of an inbox in free words: star, delete, answer or forward somebody's message.
//!
//! The sender is whom the inbox knows of those whom the sentence names; who else is named gets it.

use std::sync::Arc;

use async_trait::async_trait;
use webhand::prelude::Snapshot;

use super::Policy;
use crate::miniwob::hand::{Hand, Played, Stop};
use crate::miniwob::see::{self, Seen};
use crate::miniwob::words::quoted;

/// The policy.
#[derive(Debug)]
pub(crate) struct Mail;

/// What is to be done with a message.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Wish {
    Star,
    Delete,
    Reply(String),
    Forward(String),
}

#[async_trait]
impl Policy for Mail {
    fn name(&self) -> &'static str {
        "mail"
    }

    fn about(&self) -> &'static str {
        "free sentences that ask to star, delete, answer or forward a message of an inbox"
    }

    fn understands(&self, goal: &str, page: &Snapshot) -> bool {
        is_inbox(page) && read(goal, &senders(page)).is_some()
    }

    async fn play(&self, goal: &str, page: Arc<Snapshot>, hand: &mut Hand<'_>) -> Played {
        let (sender, wish) = read(goal, &senders(&page)).ok_or_else(|| Stop::lost("not understood"))?;
        let threads = see::of_role(&page, &["generic"]);
        let thread = threads.iter().find(|seen| first_word(seen.name()) == sender);
        let thread = *thread.ok_or_else(|| Stop::lost(format!("no message is from {sender}")))?;
        match wish {
            Wish::Star => press_in(&page, thread, &["star"], hand).await,
            Wish::Delete => press_in(&page, thread, &["trash", "delete"], hand).await,
            Wish::Reply(text) => {
                hand.click(thread.r#ref()).await?;
                press("Reply", hand).await?;
                write(&text, hand).await?;
                press("send", hand).await
            }
            Wish::Forward(to) => {
                hand.click(thread.r#ref()).await?;
                press("Forward", hand).await?;
                write(&to, hand).await?;
                press("send", hand).await
            }
        }
    }
}

/// Whether messages are listed, each with a star of its own.
fn is_inbox(page: &Snapshot) -> bool {
    see::controls(page).any(|seen| seen.name().contains("star"))
        || page.nodes.iter().any(|node| &*node.name == "Primary")
}

fn senders(page: &Snapshot) -> Vec<String> {
    let threads = see::of_role(page, &["generic"]).into_iter().filter(|seen| seen.name().contains(' '));
    threads.map(|seen| first_word(seen.name()).to_owned()).collect()
}

fn first_word(text: &str) -> &str {
    text.split(' ').next().unwrap_or_default()
}

/// Presses a sign within a message's line.
async fn press_in(page: &Snapshot, thread: Seen<'_>, names: &[&str], hand: &mut Hand<'_>) -> Played {
    let range = see::below(page, thread.at);
    let signs = see::controls(page).filter(|seen| range.contains(&seen.at));
    let sign = signs.into_iter().find(|seen| names.iter().any(|name| seen.name().contains(name)));
    let sign = sign.ok_or_else(|| Stop::lost(format!("the message has no {names:?}")))?;
    hand.click(sign.r#ref()).await.map(drop)
}

async fn press(name: &str, hand: &mut Hand<'_>) -> Played {
    let page = hand.look().await?;
    let found = see::controls(&page).find(|seen| {
        seen.control.usable()
            && (seen.name().eq_ignore_ascii_case(name) || seen.name().to_lowercase().starts_with(name))
    });
    let found = found.ok_or_else(|| Stop::lost(format!("there is no {name}")))?;
    hand.click(found.r#ref()).await.map(drop)
}

async fn write(text: &str, hand: &mut Hand<'_>) -> Played {
    let page = hand.look().await?;
    let field = see::fields(&page).first().copied().ok_or_else(|| Stop::lost("there is nothing to write into"))?;
    hand.fill(field.r#ref(), text).await.map(drop)
}

/// Who sent the message, and what is wished.
fn read(goal: &str, senders: &[String]) -> Option<(String, Wish)> {
    let lower = goal.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let quote = quoted(goal).first().map(|text| (*text).to_owned());
    let outside: String = goal.split('"').step_by(2).collect::<Vec<_>>().join(" ");
    let names = named(&outside);
    let known: Vec<&str> = names.iter().copied().filter(|name| senders.iter().any(|sender| sender == name)).collect();
    let wish = match quote {
        Some(text) => Some(Wish::Reply(text)),
        None if has(&["delet", "trash", "bin", "rid of", "remov", "erase"]) => Some(Wish::Delete),
        None if has(&["important", "star"]) => Some(Wish::Star),
        None => None,
    };
    if let Some(wish) = wish {
        return Some(((*known.first()?).to_owned(), wish));
    }
    let sender = match known[..] {
        [] => return None,
        [only] => only,
        _ => by_words(&outside, &known, Wanted::Sender).or_else(|| {
            // one of two gets it: the other wrote it
            let gets = by_words(&outside, &known, Wanted::Receiver)?;
            known.iter().copied().find(|name| *name != gets)
        })?,
    };
    let others: Vec<&str> = names.iter().copied().filter(|name| *name != sender).collect();
    let receiver = by_words(&outside, &others, Wanted::Receiver).or_else(|| others.last().copied())?;
    Some((sender.to_owned(), Wish::Forward(receiver.to_owned())))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Sender,
    Receiver,
}

/// Which of these names the words around it make sender or receiver.
fn by_words<'n>(sentence: &str, names: &[&'n str], wanted: Wanted) -> Option<&'n str> {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let at = |name: &str| words.iter().position(|word| bare(word) == name);
    let (before, after): (&[&str], &[&str]) = match wanted {
        Wanted::Sender => (&["by", "from"], &["sent", "wrote", "sends"]),
        Wanted::Receiver => {
            (&["to", "forward", "send", "give", "email", "let", "tell"], &["wants", "is", "needs", "must"])
        }
    };
    let fits = |name: &&&str| {
        let Some(place) = at(name) else { return false };
        let owns = words[place].contains("'s");
        let led = place > 0 && before.contains(&words[place - 1].to_lowercase().trim_matches(','));
        let follows = words.get(place + 1).is_some_and(|word| after.contains(word));
        match wanted {
            // "Ann's email" is one that she wrote; "to Ann's email" is where it goes
            Wanted::Sender => led || follows || (owns && !(place > 0 && words[place - 1] == "to")),
            Wanted::Receiver => (led && !owns) || follows || (owns && place > 0 && words[place - 1] == "to"),
        }
    };
    names.iter().find(fits).copied()
}

/// The names of people in a sentence: capitalized words that begin no sentence by habit.
fn named(sentence: &str) -> Vec<&str> {
    const HABITUAL: &[&str] = &[
        "Can", "Could", "Delete", "Email", "FOrward", "Find", "Forward", "Foward", "Get", "Give", "Go", "I", "I'd",
        "In", "Let", "Locate", "Look", "Make", "Mark", "Open", "Please", "Primary", "Pull", "Put", "Remind", "Reply",
        "Resend", "Respond", "Search", "Select", "Send", "Take", "Tell", "The", "Will", "Would",
    ];
    let words = sentence.split_whitespace().map(bare);
    words.filter(|word| word.starts_with(char::is_uppercase) && word.len() > 1 && !HABITUAL.contains(word)).collect()
}

/// A word without what clings to it.
fn bare(word: &str) -> &str {
    let word = word.trim_matches(|letter: char| !letter.is_alphanumeric());
    word.strip_suffix("'s").unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_say_who_wrote_and_what_is_wished() {
        let senders = ["Evy".to_owned(), "Cathrine".to_owned(), "Rea".to_owned()];
        let forward = |to: &str| Wish::Forward(to.to_owned());
        let cases = [
            ("Forward to Cathrine the email from Evy.", "Evy", forward("Cathrine")),
            ("Send Cathrine Rea's email.", "Rea", forward("Cathrine")),
            ("Find Rea's email and send it to Evy.", "Rea", forward("Evy")),
            ("I'd like to send the email from Evy to Jo's email.", "Evy", forward("Jo")),
            ("Rea wants his or her message to be sent to Arlyne.", "Rea", forward("Arlyne")),
            ("Elwira is waiting for the email by Rea.", "Rea", forward("Elwira")),
            ("Evy wrote an email in this app that needs to be forwarded to Rea.", "Evy", forward("Rea")),
            ("Please delete Rea's emails.", "Rea", Wish::Delete),
            ("Find the email from Evy and mark it important.", "Evy", Wish::Star),
            ("Tell Evy i said \"Go. To Rea.\"", "Evy", Wish::Reply("Go. To Rea.".to_owned())),
        ];
        for (sentence, sender, wish) in cases {
            assert_eq!(read(sentence, &senders), Some((sender.to_owned(), wish)), "{sentence}");
        }
        assert_eq!(read("Forward the email from Bo to Jo.", &senders), None);
    }
}
