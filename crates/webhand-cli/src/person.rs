//! The person at the terminal, where there is one.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};

use async_trait::async_trait;
use tokio::sync::oneshot;
use webhand::action::people::{Person, PersonError, Question, Reply};

/// Asks on standard error, and reads the answer from standard input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TerminalPerson;

impl TerminalPerson {
    /// Whether somebody can be asked.
    pub(crate) fn is_there() -> bool {
        io::stdin().is_terminal() && io::stderr().is_terminal()
    }
}

#[async_trait]
impl Person for TerminalPerson {
    async fn ask(&self, question: &Question) -> Result<Reply, PersonError> {
        let words = words_of(question);
        let (tell, told) = oneshot::channel();
        // a thread of its own: one that waits for a line must not hold up the end of the program
        std::thread::spawn(move || {
            let mut line = String::new();
            let asked = io::stderr().write_all(words.as_bytes()).and_then(|()| io::stdin().lock().read_line(&mut line));
            let _ = tell.send(asked.map(|read| (read > 0).then_some(line)));
        });
        let line = told.await.map_err(|_| PersonError::new("the terminal is gone"))?;
        let line = line.map_err(|error| PersonError::new(error.to_string()))?;
        line.map(|line| reply_of(question, line.trim())).ok_or_else(|| PersonError::new("the input ended"))
    }
}

fn words_of(question: &Question) -> String {
    let mut words = format!("\n{}\n", question.text);
    for (index, choice) in question.choices.iter().enumerate() {
        words.push_str(&format!("  {} {choice}\n", index + 1));
    }
    words.push_str(match (question.take_over, question.choices.is_empty()) {
        (true, _) => "Press Enter when it is done, or write no: ",
        (false, true) => "> ",
        (false, false) => "Which? ",
    });
    words
}

fn reply_of(question: &Question, line: &str) -> Reply {
    if question.take_over {
        return if matches!(line.to_lowercase().as_str(), "no" | "n") { Reply::Declined } else { Reply::Finished };
    }
    let chosen = line.parse::<usize>().ok().and_then(|number| question.choices.get(number.checked_sub(1)?));
    Reply::Said(chosen.map_or_else(|| line.to_owned(), Clone::clone))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_named_by_its_number_or_its_words() {
        let mut question = Question::default();
        question.text = "Which colour?".to_owned();
        question.choices = vec!["Red".to_owned(), "Blue".to_owned()];
        assert_eq!(words_of(&question), "\nWhich colour?\n  1 Red\n  2 Blue\nWhich? ");
        for (line, said) in [("2", "Blue"), ("red", "red"), ("3", "3"), ("0", "0")] {
            assert_eq!(reply_of(&question, line), Reply::Said(said.to_owned()), "{line}");
        }
        question.take_over = true;
        assert_eq!(reply_of(&question, ""), Reply::Finished);
        assert_eq!(reply_of(&question, "No"), Reply::Declined);
    }
}
