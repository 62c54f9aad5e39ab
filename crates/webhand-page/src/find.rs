//! Search in a snapshot: by text, pattern and role, without a dump of the page; and the nearest candidates for a name
//! that was not found.
//!
//! Pure functions of a [`Snapshot`].

use std::{collections::HashMap, fmt};

use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};

use crate::{
    format::{FormatOptions, ITEM_NODES, Inline, ROW_NODES, cut, plain, quoted, token_bound},
    refs::Ref,
    snapshot::{Node, Snapshot},
};

/// The text of what is found stops at this many tokens for each hit asked for; what is left is counted.
const HIT_TOKENS: u32 = 15;
/// No more hits than this, whatever is asked for.
const MOST_HITS: usize = 500;
/// The words around a hit are cut after so many characters.
const AROUND: usize = 240;
/// The longest pattern, in characters, and the most memory that it may take compiled.
const PATTERN: usize = 1000;
const COMPILED: usize = 1 << 20;

/// What to look for: all that is given must hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Search {
    /// Stands in a name, text or value, whatever its case and spaces.
    pub text: Option<String>,
    /// A regular expression that matches a name, text or value; `(?i)` at its start for any case.
    pub regex: Option<String>,
    /// The role.
    pub role: Option<String>,
    /// At most so many hits; the others are counted.
    pub limit: usize,
}

impl Default for Search {
    fn default() -> Self {
        Self { text: None, regex: None, role: None, limit: 20 }
    }
}

impl Search {
    /// A search for a text.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self { text: Some(text.to_owned()), ..Self::default() }
    }
}

/// A search that cannot be done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FindError {
    /// Nothing to look for.
    #[error("nothing to look for: give text, regex or role")]
    Empty,
    /// The pattern is not a regular expression, or too large a one.
    #[error("not a usable pattern: {0}")]
    Pattern(String),
}

impl FindError {
    /// The error's code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            FindError::Empty => "search_empty",
            FindError::Pattern(_) => "search_pattern",
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            FindError::Empty => "give text, regex or role".to_owned(),
            FindError::Pattern(_) => "look-around and back-references are not known; or use text".to_owned(),
        })
    }
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Found {
    /// The best hits: those whose whole name is the text, then those where it stands as a word, then the others, each
    /// in document order.
    pub hits: Vec<Hit>,
    /// How many there are in all.
    pub total: usize,
    /// How many were asked for. Written as text, they take at most 15 tokens for each of these (and no fewer than 300).
    pub limit: usize,
}

/// One hit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Hit {
    /// Its ref, where it is a control.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r#ref: Option<Ref>,
    /// Its role.
    pub role: String,
    /// Its name or text.
    pub name: String,
    /// Whether it was in view.
    pub in_view: bool,
    /// It as the outline shows it, or the whole row or item that it stands in.
    pub line: String,
    /// The heading above it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.hits.is_empty() {
            return f.write_str("nothing found");
        }
        let most = u32::try_from(self.limit.clamp(20, MOST_HITS)).unwrap_or(0) * HIT_TOKENS;
        // Ten for the line that counts what is left.
        let (mut section, mut line, mut tokens, mut shown) = (None, "", 10, 0);
        for hit in &self.hits {
            if hit.line == line {
                shown += 1;
                continue;
            }
            let mut words = String::new();
            if hit.section != section {
                match &hit.section {
                    Some(name) => {
                        words.push_str("under ");
                        quoted(&mut words, name, 80);
                    }
                    None => words.push_str("under no heading"),
                }
                words.push_str(":\n");
                section.clone_from(&hit.section);
            }
            words.push_str(&hit.line);
            tokens += token_bound(&words) + 1;
            if tokens > most && shown > 0 {
                break;
            }
            writeln!(f, "{words}")?;
            (line, shown) = (&hit.line, shown + 1);
        }
        match self.total.saturating_sub(shown) {
            0 => Ok(()),
            more => writeln!(f, "… {more} more"),
        }
    }
}

/// A test that a node passes or not.
struct Test {
    text: Option<String>,
    regex: Option<Regex>,
    role: Option<String>,
}

impl Test {
    fn new(search: &Search) -> Result<Self, FindError> {
        let given = |text: &Option<String>| text.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(fold);
        let regex = search.regex.as_deref().filter(|pattern| !pattern.is_empty()).map(compile).transpose()?;
        let test = Self { text: given(&search.text), regex, role: given(&search.role) };
        if test.text.is_none() && test.regex.is_none() && test.role.is_none() {
            return Err(FindError::Empty);
        }
        Ok(test)
    }

    /// How well a node passes (0 is best), if it does.
    fn passes(&self, node: &Node) -> Option<u8> {
        if self.role.as_deref().is_some_and(|role| role != node.role.as_str()) {
            return None;
        }
        let state = node.control.as_deref().map(|control| &control.state);
        let value = state.and_then(|state| state.value.as_deref());
        let hint = state.and_then(|state| state.placeholder.as_deref());
        let chosen = state.and_then(|state| state.selected.as_deref()).unwrap_or_default();
        let words = [Some(&*node.name), value, hint].into_iter().flatten();
        words
            .chain(chosen.iter().map(String::as_str))
            .filter(|words| self.regex.as_ref().is_none_or(|regex| regex.is_match(words)))
            .filter_map(|words| self.text.as_deref().map_or(Some(0), |text| rank(&fold(words), text)))
            .min()
    }
}

/// How a text stands in words: as all of them (0), as words of its own (1), or inside one (2).
fn rank(words: &str, text: &str) -> Option<u8> {
    if words == text {
        return Some(0);
    }
    let inside = |char: Option<char>| char.is_some_and(char::is_alphanumeric);
    let alone = |(at, found): (usize, &str)| {
        !inside(words[..at].chars().next_back()) && !inside(words[at + found.len()..].chars().next())
    };
    let mut places = words.match_indices(text).peekable();
    places.peek()?;
    Some(if places.any(alone) { 1 } else { 2 })
}

fn compile(pattern: &str) -> Result<Regex, FindError> {
    if pattern.chars().nth(PATTERN).is_some() {
        return Err(FindError::Pattern(format!("longer than {PATTERN} characters")));
    }
    let built = RegexBuilder::new(pattern).size_limit(COMPILED).dfa_size_limit(COMPILED).build();
    built.map_err(|error| FindError::Pattern(cut(&error.to_string().replace('\n', " "), 300).0.to_owned()))
}

/// Lower case, each stretch of white space one space, quotes and dashes as a keyboard has them, nothing for what is not seen.
fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        if word.is_ascii() {
            folded.push_str(word);
            let start = folded.len() - word.len();
            folded[start..].make_ascii_lowercase();
            continue;
        }
        for char in word.chars() {
            match plain_sign(char) {
                Some(plain) => folded.push_str(plain),
                None => folded.extend(char.to_lowercase()),
            }
        }
    }
    folded
}

/// What stands for a typographic sign; nothing for one that is not seen. The page's own search has the same (`js/text.js`).
fn plain_sign(char: char) -> Option<&'static str> {
    Some(match char {
        '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}' | '\u{2bc}' | '\u{2032}' | '\u{b4}' | '`' => "'",
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{201f}' | '\u{2033}' | '\u{ab}' | '\u{bb}' => "\"",
        '\u{2010}'..='\u{2014}' | '\u{2212}' => "-",
        '\u{2026}' => "...",
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' => "",
        _ => return None,
    })
}

/// Roles whose names are labels, or what is told of their content, and not text that is read in its place.
const LABELLED: &[&str] = &[
    "region",
    "navigation",
    "main",
    "form",
    "group",
    "list",
    "table",
    "grid",
    "row",
    "rowgroup",
    "iframe",
    "scroll",
    "layer",
    "dialog",
    "alertdialog",
    "banner",
    "contentinfo",
    "complementary",
    "search",
    "article",
    "img",
    "figure",
    "document",
    "menu",
    "menubar",
    "toolbar",
    "tablist",
    "tabpanel",
    "tree",
    "treegrid",
    "listbox",
    "radiogroup",
];

/// The nodes at which a text begins that runs on over several: over a link in the middle of a sentence, over lines. Between
/// two nodes the text may have a space or none.
fn spanning(nodes: &[Node], text: &str) -> Vec<usize> {
    let bare = |text: &str| -> String { text.chars().filter(|char| !char.is_whitespace()).collect() };
    let wanted = bare(text);
    if wanted.is_empty() {
        return Vec::new();
    }
    let mut all = String::new();
    let mut begins = Vec::new();
    let mut names = Vec::new();
    for (index, node) in nodes.iter().enumerate() {
        if node.name.is_empty() || LABELLED.contains(&node.role.as_str()) {
            continue;
        }
        let name = fold(&node.name);
        begins.push((all.len(), index));
        all.push_str(&bare(&name));
        names.push(name);
    }
    let mut found = Vec::new();
    for (at, _) in all.match_indices(&wanted) {
        let first = begins.partition_point(|(begin, _)| *begin <= at).saturating_sub(1);
        let last = begins.partition_point(|(begin, _)| *begin < at + wanted.len()).saturating_sub(1);
        // what stands in one node was found there, with its spaces
        if last > first && runs_on(&names[first..=last], text) {
            found.push(begins[first].1);
        }
    }
    found
}

/// Whether a text runs from somewhere in the first name to somewhere in the last, with its spaces as they are in each.
fn runs_on(names: &[String], text: &str) -> bool {
    let [first, middle @ .., last] = names else { return false };
    let starts = first.char_indices().filter_map(|(at, _)| text.strip_prefix(&first[at..]));
    starts.into_iter().any(|rest| {
        let mut rest = rest.trim_start();
        for name in middle {
            match rest.strip_prefix(name.as_str()) {
                Some(left) => rest = left.trim_start(),
                None => return false,
            }
        }
        !rest.is_empty() && last.starts_with(rest)
    })
}

impl Snapshot {
    /// What of the page passes the search.
    ///
    /// ```
    /// use webhand_page::{Search, Snapshot};
    /// let found = Snapshot::default().find(&Search::text("order 17"))?;
    /// assert_eq!(found.total, 0);
    /// # Ok::<(), webhand_page::FindError>(())
    /// ```
    ///
    /// # Errors
    /// [`FindError`] where there is nothing to look for, or the pattern cannot be used.
    pub fn find(&self, search: &Search) -> Result<Found, FindError> {
        let test = Test::new(search)?;
        let mut places = Places::default();
        let options = FormatOptions { max_tokens: 0, max_name: 120, max_text: 200, ..FormatOptions::default() };
        let mut inline = Inline::new(self, &options);
        let mut passed = Vec::new();
        for (index, node) in self.nodes.iter().enumerate() {
            places.pass(index, node, &inline);
            if let Some(rank) = test.passes(node) {
                passed.push((rank, index, places));
            }
        }
        if let (true, Some(text), None, None) = (passed.is_empty(), &test.text, &test.regex, &test.role) {
            let begins = spanning(&self.nodes, text);
            let mut places = Places::default();
            for (index, node) in self.nodes.iter().enumerate() {
                places.pass(index, node, &inline);
                if begins.contains(&index) {
                    passed.push((1, index, places));
                }
            }
        }
        let limit = search.limit.min(MOST_HITS);
        let total = passed.len();
        passed.sort_by_key(|(rank, index, _)| (*rank, *index));
        let hits = passed.into_iter().take(limit).map(|(_, index, places)| hit(&mut inline, index, places)).collect();
        Ok(Found { hits, total, limit })
    }
}

fn hit(inline: &mut Inline<'_>, index: usize, places: Places) -> Hit {
    let nodes = &inline.snapshot.nodes;
    let node = &nodes[index];
    Hit {
        r#ref: node.control.as_deref().map(|control| control.r#ref),
        role: node.role.as_str().to_owned(),
        name: cut(&node.name, 300).0.to_owned(),
        in_view: node.in_view,
        section: places.heading.filter(|at| *at != index).map(|at| cut(&nodes[at].name, 120).0.to_owned()),
        line: line(inline, index, places.item),
    }
}

/// Where in the page the search stands.
#[derive(Clone, Copy, Default)]
struct Places {
    heading: Option<usize>,
    /// The row or item that fits on a line, and where it ends.
    item: Option<(usize, usize)>,
}

impl Places {
    fn pass(&mut self, index: usize, node: &Node, inline: &Inline<'_>) {
        if self.item.is_some_and(|(_, end)| end <= index) {
            self.item = None;
        }
        let most = match node.role.as_str() {
            "heading" => {
                self.heading = Some(index).filter(|_| !node.name.is_empty()).or(self.heading);
                return;
            }
            "row" => ROW_NODES,
            "listitem" => ITEM_NODES,
            _ => return,
        };
        if self.item.is_none() && inline.folds(index, most) {
            self.item = Some((index, inline.ends[index]));
        }
    }
}

/// The line that shows a hit: the row or item that it stands in, or itself.
fn line(inline: &mut Inline<'_>, index: usize, item: Option<(usize, usize)>) -> String {
    let mut words = String::new();
    match item {
        Some((start, _)) if inline.snapshot.nodes[start].role.as_str() == "row" => {
            inline.row(&mut words, start);
        }
        Some((start, end)) => {
            inline.pieces(&mut words, start, end);
        }
        None => inline.piece(&mut words, index),
    }
    if words.is_empty() || words.chars().nth(AROUND).is_some() {
        // Too much around it: itself, which is cut as the outline cuts.
        words.clear();
        inline.piece(&mut words, index);
    }
    words
}

/// A control that may have been meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Candidate {
    /// Its ref.
    pub r#ref: Ref,
    /// Its role.
    pub role: String,
    /// Its name.
    pub name: String,
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = String::new();
        plain(&mut words, &self.role, 30);
        words.push(' ');
        quoted(&mut words, &self.name, 80);
        write!(f, "{} {words}", self.r#ref)
    }
}

/// The controls whose names (and role, if one is given) come nearest, best first; those that are nothing like it are
/// left out.
///
/// ```
/// assert!(webhand_page::nearest(&webhand_page::Snapshot::default(), None, "Save", 3).is_empty());
/// ```
#[must_use]
pub fn nearest(snapshot: &Snapshot, role: Option<&str>, name: &str, limit: usize) -> Vec<Candidate> {
    let wanted = fold(cut(name, 80).0);
    let words = counted(&wanted);
    let mut scored: Vec<(u32, usize)> = Vec::new();
    for (index, node) in snapshot.nodes.iter().enumerate() {
        if node.control.is_none() {
            continue;
        }
        let same_role = role.is_some_and(|role| role == node.role.as_str());
        let likeness = likeness(&wanted, &words, &fold(cut(&node.name, 80).0));
        if likeness >= 0.35 {
            // A little for the role and for being in view: they decide between equals only.
            let score = likeness + if same_role { 0.1 } else { 0.0 } + if node.in_view { 0.02 } else { 0.0 };
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 2")]
            scored.push(((score * 10_000.0) as u32, index));
        }
    }
    scored.sort_by_key(|(score, index)| (std::cmp::Reverse(*score), *index));
    scored.truncate(limit);
    let candidate = |(_, index): (u32, usize)| {
        let node = &snapshot.nodes[index];
        node.control.as_deref().map(|control| Candidate {
            r#ref: control.r#ref,
            role: node.role.as_str().to_owned(),
            name: node.name.to_string(),
        })
    };
    scored.into_iter().filter_map(candidate).collect()
}

fn counted(text: &str) -> HashMap<&str, usize> {
    let mut words = HashMap::new();
    for word in text.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty()) {
        *words.entry(word).or_insert(0) += 1;
    }
    words
}

/// How alike two folded names are, 0 to 1: the greater of shared words and small edits.
fn likeness(wanted: &str, words: &HashMap<&str, usize>, name: &str) -> f64 {
    if wanted.is_empty() || name.is_empty() {
        return 0.0;
    }
    if wanted == name {
        return 1.0;
    }
    let others = counted(name);
    let sum = |words: &HashMap<&str, usize>| words.values().sum::<usize>();
    let shared: usize = words.iter().map(|(word, count)| others.get(word).map_or(0, |other| *count.min(other))).sum();
    #[expect(clippy::cast_precision_loss, reason = "counts of words in a name")]
    let overlap = match sum(words) + sum(&others) {
        0 => 0.0,
        all => 2.0 * shared as f64 / all as f64,
    };
    overlap.max(strsim::normalized_levenshtein(wanted, name)) * 0.99
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::sample::Sample;

    fn orders(count: u32) -> Snapshot {
        let mut page = Sample::new("Orders");
        page.heading(1, "Orders").part("table", "").within(|page| {
            for number in 0..count {
                page.part("row", "").within(|page| {
                    page.part("cell", "").within(|page| {
                        page.control("checkbox", &format!("Choose {number}"));
                    });
                    page.part("cell", &format!("Customer {number}")).part("cell", "paid");
                    page.part("cell", "").within(|page| {
                        page.control("button", "Open");
                    });
                });
            }
        });
        page.heading(2, "Elsewhere").control_with("textbox", "Email", |field| {
            field.state.value = Some("Ann@Mail.example".to_owned());
        });
        page.done()
    }

    #[test]
    fn any_of_a_thousand_rows_is_found_in_few_tokens() {
        let page = orders(1000);
        for number in [0, 7, 500, 999] {
            let found = page.find(&Search::text(&format!("customer  {number}"))).unwrap();
            let text = found.to_string();
            let row = format!("C{} \"Choose {number}\" | Customer {number} | paid | B", number * 2 + 1);
            assert!(
                text.lines().nth(1).is_some_and(|line| line.starts_with(&row)),
                "the row itself comes first: {text}"
            );
            assert!(token_bound(&text) <= 300, "{text}");
        }
        let one = page.find(&Search::text("customer 123")).unwrap();
        assert_eq!(one.total, 1);
        assert!(token_bound(&one.to_string()) <= 60, "{one}");
    }

    #[test]
    fn hits_of_one_row_are_shown_once_and_the_rest_is_counted() {
        let page = orders(50);
        let mut search = Search::text("OPEN");
        search.limit = 3;
        insta::assert_snapshot!(page.find(&search).unwrap(), @r#"
        under "Orders":
        C1 "Choose 0" | Customer 0 | paid | B2 "Open"
        C3 "Choose 1" | Customer 1 | paid | B4 "Open"
        C5 "Choose 2" | Customer 2 | paid | B6 "Open"
        … 47 more
        "#);
        let found = page.find(&Search { regex: Some("^C.* 1$".to_owned()), ..Search::default() }).unwrap();
        assert_eq!(found.hits.len(), 2, "the checkbox and the cell");
        assert_eq!(found.to_string().lines().count(), 2, "one row, and the heading above it");
    }

    #[test]
    fn quotes_dashes_and_signs_that_are_not_seen_make_no_difference() {
        let mut page = Sample::new("Words");
        page.part("text", "It’s “the driver’s seat” – or\u{ad} not…");
        let page = page.done();
        for text in ["it's \"the driver's seat\" - or not...", "It\u{2032}s «the", "seat\u{201d} \u{2212} or"] {
            assert_eq!(page.find(&Search::text(text)).unwrap().total, 1, "{text}");
        }
    }

    #[test]
    fn a_text_is_found_though_it_runs_over_several_nodes() {
        let mut page = Sample::new("Terms");
        page.part("text", "Please read the").control("link", "terms of use").part("text", ", all of them");
        page.part("text", "First line").part("text", "second line");
        let page = page.done();
        let hits = |text| page.find(&Search::text(text)).unwrap().hits.len();
        for text in ["read the terms of", "terms of use, all", "the terms of use, all of", "line\nsecond line"] {
            assert_eq!(hits(text), 1, "{text}");
        }
        for text in ["readthe terms", "the terms, all", "line third", "use , all", "terms of use all"] {
            assert_eq!(hits(text), usize::from(text == "use , all"), "{text}");
        }
        assert_eq!(hits("terms of use"), 1, "what stands in one node is found there alone");
    }

    #[test]
    fn all_that_is_given_must_hold() {
        let page = orders(3);
        let search = Search { role: Some("Textbox".to_owned()), ..Search::text("ann@") };
        let found = page.find(&search).unwrap();
        assert_eq!((found.total, found.hits[0].section.as_deref()), (1, Some("Elsewhere")));
        assert_eq!(page.find(&Search { role: Some("button".to_owned()), ..Search::text("ann@") }).unwrap().total, 0);
        assert_eq!(page.find(&Search::text("no such thing")).unwrap().to_string(), "nothing found");
        let json = serde_json::to_string(&found).unwrap();
        assert_eq!(serde_json::from_str::<Found>(&json).unwrap(), found);
    }

    #[test]
    fn what_cannot_be_searched_is_refused() {
        let page = orders(1);
        assert_eq!(page.find(&Search::default()).unwrap_err(), FindError::Empty);
        assert_eq!(page.find(&Search::text("  ")).unwrap_err(), FindError::Empty);
        for pattern in ["(", "(?=x)", &"a".repeat(1001), r"\w{1000}{1000}"] {
            let error = page.find(&Search { regex: Some(pattern.to_owned()), ..Search::default() }).unwrap_err();
            assert_eq!(error.code(), "search_pattern", "{pattern}");
        }
    }

    #[test]
    fn the_nearest_names_come_first() {
        let mut page = Sample::new("Near");
        page.control("button", "Save draft")
            .control("link", "Save")
            .control("button", "Cancel")
            .control("button", "Sve");
        page.control("button", "保存");
        let page = page.done();
        let names =
            |role, name| -> Vec<String> { nearest(&page, role, name, 3).iter().map(ToString::to_string).collect() };
        assert_eq!(names(None, "save"), ["L2 link \"Save\"", "B4 button \"Sve\"", "B1 button \"Save draft\""]);
        assert_eq!(names(Some("button"), "Save a draft")[0], "B1 button \"Save draft\"");
        assert_eq!(names(None, "保存"), ["B5 button \"保存\""]);
        assert!(names(None, "Zebra").is_empty());
    }
}
