//! A Rust file line by line: what of each line is code, what is comment, and
//! whether it belongs to a test. No parser: enough of a lexer to never take a
//! string or a comment for code.

/// A file's lines.
#[derive(Debug)]
pub(crate) struct Source {
    lines: Vec<Line>,
}

/// One line, taken apart.
#[derive(Debug, Default)]
pub(crate) struct Line {
    /// The code, with strings and characters emptied.
    pub(crate) code: String,
    /// What stands in comments.
    pub(crate) comment: String,
    /// Whether it is inside something marked `#[cfg(test)]`.
    pub(crate) in_test: bool,
}

impl Line {
    fn ends_a_statement(&self) -> bool {
        self.code.contains([';', '{', '}'])
    }

    fn is_blank(&self) -> bool {
        self.code.is_empty() && self.comment.is_empty()
    }
}

impl Source {
    /// Takes a text apart.
    pub(crate) fn parse(text: &str) -> Source {
        let mut lines = Lexer::new(text).lines();
        mark_tests(&mut lines);
        Source { lines }
    }

    /// The lines in order.
    pub(crate) fn lines(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter()
    }

    /// Lines that are no tests, counted from 1.
    pub(crate) fn code_lines(&self) -> impl Iterator<Item = (usize, &Line)> {
        (1..).zip(&self.lines).filter(|(_, line)| !line.in_test)
    }

    /// The comment and attributes that stand directly above a line (counted
    /// from 1) or on it, as one text.
    pub(crate) fn remark_on(&self, line: usize) -> String {
        let above = self.lines[..line - 1].iter().rev().take_while(|it| !(it.ends_a_statement() || it.is_blank()));
        let mut remark = self.lines[line - 1].comment.clone();
        for it in above {
            remark = format!("{} {} {remark}", it.code, it.comment);
        }
        remark
    }

    /// Names of modules in files of their own that are marked `#[cfg(test)]`.
    pub(crate) fn test_modules(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().filter(|line| line.in_test).filter_map(|line| {
            let declared = line.code.trim().rsplit_once("mod ")?.1;
            declared.strip_suffix(';')
        })
    }

    /// Takes the whole file for a test.
    pub(crate) fn mark_as_test(&mut self) {
        for line in &mut self.lines {
            line.in_test = true;
        }
    }
}

/// `#[cfg(test)]`, also with other conditions beside it.
fn is_for_tests(code: &str) -> bool {
    let code = code.replace(' ', "");
    ["#[cfg(test)]", "#[cfg(all(test,"].iter().any(|attribute| code.contains(attribute))
}

/// Marks everything from a `#[cfg(test)]` to the end of the item below it.
fn mark_tests(lines: &mut [Line]) {
    let mut at = 0;
    while at < lines.len() {
        if !is_for_tests(&lines[at].code) {
            at += 1;
            continue;
        }
        let mut depth = 0_usize;
        let mut opened = false;
        while at < lines.len() {
            lines[at].in_test = true;
            for character in lines[at].code.chars() {
                match character {
                    '{' => {
                        depth += 1;
                        opened = true;
                    }
                    '}' => depth = depth.saturating_sub(1),
                    _ => {}
                }
            }
            let ends = depth == 0 && (opened || lines[at].code.trim_end().ends_with(';'));
            at += 1;
            if ends {
                break;
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Code,
    LineComment,
    BlockComment { depth: usize },
    Text { hashes: Option<usize> },
}

/// Walks the characters once and sorts them into lines.
struct Lexer {
    rest: Vec<char>,
    at: usize,
    state: State,
    line: Line,
    done: Vec<Line>,
}

impl Lexer {
    fn new(text: &str) -> Lexer {
        Lexer { rest: text.chars().collect(), at: 0, state: State::Code, line: Line::default(), done: Vec::new() }
    }

    fn lines(mut self) -> Vec<Line> {
        while let Some(character) = self.peek(0) {
            if character == '\n' {
                self.at += 1;
                self.end_line();
            } else {
                match self.state {
                    State::Code => self.code(character),
                    State::LineComment => self.comment(1),
                    State::BlockComment { depth } => self.block_comment(depth),
                    State::Text { hashes } => self.text(hashes),
                }
            }
        }
        self.end_line();
        self.done
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.rest.get(self.at + ahead).copied()
    }

    fn follows(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(ahead, character)| self.peek(ahead) == Some(character))
    }

    fn end_line(&mut self) {
        if self.state == State::LineComment {
            self.state = State::Code;
        }
        self.done.push(std::mem::take(&mut self.line));
    }

    fn comment(&mut self, count: usize) {
        let end = (self.at + count).min(self.rest.len());
        self.line.comment.extend(&self.rest[self.at..end]);
        self.at = end;
    }

    fn code(&mut self, character: char) {
        if self.follows("//") {
            self.state = State::LineComment;
            self.comment(2);
        } else if self.follows("/*") {
            self.state = State::BlockComment { depth: 1 };
            self.comment(2);
        } else if let Some(hashes) = self.raw_string_starts() {
            self.line.code.push('"');
            self.at += hashes + 2;
            self.state = State::Text { hashes: Some(hashes) };
        } else if character == '"' {
            self.line.code.push('"');
            self.at += 1;
            self.state = State::Text { hashes: None };
        } else if character == '\''
            && let Some(length) = self.character_length()
        {
            self.line.code.push_str("''");
            self.at += length;
        } else {
            self.line.code.push(character);
            self.at += 1;
        }
    }

    /// Hashes of a raw string that starts here, its `r` not part of a name.
    fn raw_string_starts(&self) -> Option<usize> {
        let before = self.line.code.chars().next_back();
        let in_name = before.is_some_and(|it| (it.is_alphanumeric() && it != 'b' && it != 'c') || it == '_');
        if self.peek(0) != Some('r') || in_name {
            return None;
        }
        let hashes = (1..).take_while(|ahead| self.peek(*ahead) == Some('#')).count();
        (self.peek(hashes + 1) == Some('"')).then_some(hashes)
    }

    /// How long a character literal here is; `None` for a lifetime.
    fn character_length(&self) -> Option<usize> {
        if self.peek(1) == Some('\\') {
            // The character after the backslash may be a quote itself.
            let end = (3..14).find(|ahead| self.peek(*ahead) == Some('\''))?;
            return Some(end + 1);
        }
        (self.peek(2) == Some('\'')).then_some(3)
    }

    fn block_comment(&mut self, depth: usize) {
        if self.follows("*/") {
            self.comment(2);
            self.state = if depth == 1 { State::Code } else { State::BlockComment { depth: depth - 1 } };
        } else if self.follows("/*") {
            self.comment(2);
            self.state = State::BlockComment { depth: depth + 1 };
        } else {
            self.comment(1);
        }
    }

    fn text(&mut self, hashes: Option<usize>) {
        let closing = match hashes {
            None => "\"".to_owned(),
            Some(hashes) => format!("\"{}", "#".repeat(hashes)),
        };
        if hashes.is_none() && self.peek(0) == Some('\\') {
            // A backslash at a line's end leaves the line break to the walk.
            self.at += if self.peek(1) == Some('\n') { 1 } else { 2 };
        } else if self.follows(&closing) {
            self.line.code.push('"');
            self.at += closing.len();
            self.state = State::Code;
        } else {
            self.at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(text: &str) -> Vec<String> {
        Source::parse(text).lines().map(|line| line.code.clone()).collect()
    }

    #[test]
    fn strings_and_comments_are_no_code() {
        assert_eq!(codes("a(\"x.unwrap()\"); // b\nc"), ["a(\"\"); ", "c"]);
        assert_eq!(codes("a(\"x\\\"y\"); /* b /* c */ d */ e"), ["a(\"\");  e"]);
        assert_eq!(codes("r#\"one \" two\n three\"# + br\"x\" + bar\"\""), ["\"", "\" + b\"\" + bar\"\""]);
        assert_eq!(codes("'\"' + '\\'' + '\\u{1f600}' + &'a str"), ["'' + '' + '' + &'a str"]);
        assert_eq!(codes("\"a\\\n b\" + c"), ["\"", "\" + c"]);
    }

    #[test]
    fn test_items_are_marked() {
        let source = Source::parse(
            "fn a() {}\n#[cfg(test)]\nmod tests {\n  fn b() { if x { } }\n}\nfn c() {}\n#[cfg(test)]\nmod more;\nfn d() {}",
        );
        let marked: Vec<bool> = source.lines().map(|line| line.in_test).collect();
        assert_eq!(marked, [false, true, true, true, true, false, true, true, false]);
        assert_eq!(source.test_modules().collect::<Vec<_>>(), ["more"]);
    }

    #[test]
    fn test_items_of_one_system_are_marked_too() {
        let source = Source::parse("#[cfg(all(test, unix))]\nmod tests {\n}\n#[cfg(not(test))]\nfn a() {}");
        let marked: Vec<bool> = source.lines().map(|line| line.in_test).collect();
        assert_eq!(marked, [true, true, true, false, false]);
    }

    #[test]
    fn a_remark_stands_directly_above() {
        let source = Source::parse("f();\n// proof: it is\n#[allow(x)]\nlet a = b\n    .c()\n    .d();\n\ne();");
        assert!(source.remark_on(6).contains("proof:"));
        assert!(!source.remark_on(8).contains("proof:"));
        assert!(!source.remark_on(1).contains("proof:"));
    }
}
