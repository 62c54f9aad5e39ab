//! The smallest templates that do: `{{name}}` is escaped, `{{{name}}}` is put in as it is.

/// Puts values into a template. A name without a value becomes nothing.
pub(super) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let value = |name: &str| values.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| *value);
    let mut out = String::with_capacity(template.len() * 2);
    let mut rest = template;
    while let Some(at) = rest.find("{{") {
        out.push_str(&rest[..at]);
        let open = &rest[at..];
        let (raw, close) = if open.starts_with("{{{") { (true, "}}}") } else { (false, "}}") };
        let inner = &open[close.len()..];
        let Some(end) = inner.find(close) else {
            out.push_str(open);
            return out;
        };
        let name = inner[..end].trim();
        out.push_str(&if raw { value(name).to_owned() } else { escaped(value(name)) });
        rest = &inner[end + close.len()..];
    }
    out.push_str(rest);
    out
}

/// A text as it may stand in HTML, in attributes too.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn values_are_escaped_unless_they_are_markup() {
        let values = [("a", "<b>&\"'"), ("b", "<i>x</i>")];
        assert_eq!(fill("1 {{a}} 2 {{{b}}} 3 {{none}}", &values), "1 &lt;b&gt;&amp;&quot;&#39; 2 <i>x</i> 3 ");
        assert_eq!(fill("{{a", &values), "{{a");
        assert_eq!(fill("{{a}}", &[("a", "{{b}}"), ("b", "x")]), "{{b}}", "a value is no template");
    }
}
