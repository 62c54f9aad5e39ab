//! Names and doc lines of the protocol in Rust's spelling. Pure text.

const KEYWORDS: &[&str] = &[
    "as", "async", "await", "box", "break", "const", "continue", "do", "dyn", "else", "enum", "extern", "fn", "for",
    "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "try", "use", "virtual", "where", "while", "yield",
];

/// The longest doc line that is kept whole.
const DOC_WIDTH: usize = 110;

/// `DOMDebugger` → `dom_debugger`, `frameId` → `frame_id`.
pub(crate) fn snake(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut out = String::new();
    for (index, letter) in letters.iter().enumerate() {
        let after_lower = index > 0 && !letters[index - 1].is_ascii_uppercase();
        let before_lower = letters.get(index + 1).is_some_and(|c| c.is_ascii_lowercase());
        if letter.is_ascii_uppercase() && index > 0 && (after_lower || before_lower) && !out.ends_with('_') {
            out.push('_');
        }
        out.push(if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '_' });
    }
    out
}

/// `mouse-pressed`, `mousePressed` → `MousePressed`; `TargetID` → `TargetId`.
pub(crate) fn pascal(name: &str) -> String {
    let mut out = String::new();
    let mut start = true;
    for letter in name.chars() {
        if !letter.is_ascii_alphanumeric() {
            start = true;
            continue;
        }
        out.push(if start { letter.to_ascii_uppercase() } else { letter });
        start = false;
    }
    if let Some(stem) = out.strip_suffix("ID") {
        out = format!("{stem}Id");
    }
    if out.starts_with(|c: char| c.is_ascii_digit()) { format!("N{out}") } else { out }
}

/// A field's name, and whether `rename_all = "camelCase"` does not lead back to the wire's name.
pub(crate) fn field(wire: &str) -> (String, bool) {
    if wire == "type" {
        return ("kind".to_owned(), true);
    }
    let name = snake(wire);
    let needs_rename = camel(&name) != wire;
    if KEYWORDS.contains(&name.as_str()) { (format!("r#{name}"), needs_rename) } else { (name, needs_rename) }
}

/// What serde's `camelCase` makes of a field's name.
fn camel(name: &str) -> String {
    let mut out = String::new();
    let mut upper = false;
    for letter in name.chars() {
        if letter == '_' {
            upper = true;
            continue;
        }
        out.push(if upper { letter.to_ascii_uppercase() } else { letter });
        upper = false;
    }
    out
}

/// The first sentence, made safe for rustdoc; empty where there is nothing to say.
pub(crate) fn doc(description: &str, indent: &str) -> String {
    let flat = description.split_whitespace().filter(|word| !word.contains("://")).collect::<Vec<_>>().join(" ");
    let sentence = match flat.find(". ") {
        Some(end) => &flat[..end],
        None => flat.trim_end_matches('.'),
    };
    if sentence.is_empty() {
        return String::new();
    }
    let mut line = String::new();
    for word in sentence.split(' ') {
        if line.len() + word.len() > DOC_WIDTH {
            line.push_str(" …");
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    if line.matches('`').count() % 2 == 1 {
        line = line.replace('`', "'");
    }
    let mut safe = String::new();
    let mut in_code = false;
    for letter in line.chars() {
        in_code ^= letter == '`';
        if !in_code && matches!(letter, '[' | ']' | '<' | '>') {
            safe.push('\\');
        }
        safe.push(letter);
    }
    let end = if safe.ends_with('…') || safe.ends_with('.') { "" } else { "." };
    format!("{indent}/// {safe}{end}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling() {
        for (wire, module) in [("DOMDebugger", "dom_debugger"), ("DOM", "dom"), ("IO", "io"), ("frameId", "frame_id")] {
            assert_eq!(snake(wire), module);
        }
        for (wire, name) in [("TargetID", "TargetId"), ("mousePressed", "MousePressed"), ("ch-ua", "ChUa")] {
            assert_eq!(pascal(wire), name);
        }
        assert_eq!(field("baseURL"), ("base_url".to_owned(), true));
        assert_eq!(field("frameId"), ("frame_id".to_owned(), false));
        assert_eq!(field("type"), ("kind".to_owned(), true));
        assert_eq!(field("override"), ("r#override".to_owned(), false));
    }

    #[test]
    fn doc_lines_are_short_and_safe() {
        assert_eq!(doc("A. B.", ""), "/// A.\n");
        assert_eq!(doc("Array<int> [x]", ""), "/// Array\\<int\\> \\[x\\].\n");
        assert_eq!(doc("", ""), "");
        assert!(doc(&"word ".repeat(100), "").len() < 140);
    }
}
