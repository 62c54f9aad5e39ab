//! A run's events as lines for a person: what is seen, what is done, what came of it.
//!
//! Text in, text out: it is given a writer and knows no terminal.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex, PoisonError},
};

use webhand::{agent::Event, guard::visible};

/// The longest line that is printed, in characters.
const WIDTH: usize = 110;

/// Where the lines go; shared by the run's events and the demo around it.
#[derive(Clone)]
pub(super) struct Narrator {
    out: Arc<Mutex<Box<dyn Write + Send>>>,
}

impl Narrator {
    pub(super) fn new(out: Box<dyn Write + Send>) -> Self {
        Self { out: Arc::new(Mutex::new(out)) }
    }

    /// One line. Page text in it cannot move the cursor or hide anything.
    pub(super) fn line(&self, text: &str) -> io::Result<()> {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(out, "{}", plain(text))?;
        out.flush()
    }

    /// One line that is worth all of its length: the end of a run, a path.
    pub(super) fn whole(&self, text: &str) -> io::Result<()> {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(out, "{}", flat(text))?;
        out.flush()
    }

    /// The lines of an event.
    pub(super) fn tell(&self, event: &Event) -> io::Result<()> {
        lines(event).iter().try_for_each(|line| self.line(line))
    }
}

/// What an event says; most steps say two lines.
fn lines(event: &Event) -> Vec<String> {
    match event {
        Event::PageSeen { step, title, url, controls, dialog, .. } => {
            let mut lines = vec![match title.trim() {
                "" => format!("{step:>3}  {url}"),
                title => {
                    let many = if *controls == 1 { "" } else { "s" };
                    format!("{step:>3}  {title}  ({controls} control{many})")
                }
            }];
            if let Some(dialog) = dialog {
                lines.push(format!("     {} dialog: {:?}", dialog.kind, dialog.message));
            }
            lines
        }
        Event::PageUnread { step, reason } => vec![format!("{step:>3}  the page could not be read: {reason}")],
        Event::Decided { goal, .. } => vec![format!("     {goal}")],
        Event::Refused { code, feedback, .. } => vec![format!("     the answer was refused ({code}): {feedback}")],
        Event::Acted { action, target, elapsed_ms, .. } => {
            let mark = if action.ok { "ok" } else { "FAILED" };
            let place = target.as_ref().map(|target| format!(" {target}")).unwrap_or_default();
            let mut line = format!("     -> {}{place}: {mark}, {elapsed_ms} ms", action.name);
            if !action.ok {
                line = format!("{line}: {}", action.message);
            }
            vec![line]
        }
        Event::Nudged { words, .. } => vec![format!("     {words}")],
        Event::RunEnded { end, checks, steps, elapsed_ms, .. } => {
            #[expect(clippy::cast_precision_loss, reason = "a time to be read by a person")]
            let seconds = *elapsed_ms as f64 / 1000.0;
            let steps = if *steps == 1 { "1 step".to_owned() } else { format!("{steps} steps") };
            let mut lines = vec![format!("{steps} in {seconds:.1} s; {end}")];
            for check in checks {
                lines.push(format!("{}: {}", if check.held { "holds" } else { "does not hold" }, check.condition));
            }
            lines
        }
        _ => Vec::new(),
    }
}

/// A text as it may be printed: one line, nothing hidden.
fn flat(text: &str) -> String {
    visible(text).chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// The same, not too long.
fn plain(text: &str) -> String {
    let flat = flat(text);
    if flat.chars().count() <= WIDTH {
        return flat;
    }
    let mut short: String = flat.chars().take(WIDTH - 1).collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_text_cannot_steer_the_terminal() {
        let line = plain("a\u{1b}[2Jb\nc\u{202e}d");
        assert!(!line.contains(['\u{1b}', '\n', '\u{202e}']), "{line:?}");
        assert_eq!(plain(&"x".repeat(500)).chars().count(), WIDTH);
    }
}
