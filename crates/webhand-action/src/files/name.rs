//! Names for files, made of what a server, a page or a model proposes. Pure.

/// The longest name, in bytes: file systems take 255, and a clash adds some.
const LONGEST: usize = 180;
/// Of that the ending may have so much.
const LONGEST_ENDING: usize = 20;

/// A name for a file, whatever was proposed: one part of a path that means nothing to any system, hides nothing and
/// shows as it is.
pub(crate) fn safe_name(proposed: &str) -> String {
    let last = proposed.rsplit(['/', '\\']).find(|part| !part.trim_matches(['.', ' ']).is_empty()).unwrap_or_default();
    let plain: String = last.chars().filter(|letter| !is_invisible(*letter)).collect();
    let options = sanitize_filename::Options { windows: true, truncate: false, replacement: "_" };
    let clean = sanitize_filename::sanitize_with_options(plain.trim(), options);
    let shown = match clean.strip_prefix('.') {
        Some(rest) => format!("_{rest}"),
        None => clean,
    };
    let (stem, ending) = parts(&shown);
    let ending = cut(ending, LONGEST_ENDING);
    let stem = cut(stem, LONGEST - ending.len());
    let name = format!("{stem}{ending}");
    if name.trim_matches(['_', '.', ' ']).is_empty() { "download".to_owned() } else { name }
}

/// The same name for the file after so many others of that name.
pub(crate) fn numbered(name: &str, number: u32) -> String {
    if number < 2 {
        return name.to_owned();
    }
    let (stem, ending) = parts(name);
    format!("{stem}-{number}{ending}")
}

/// A name before its ending, and the ending with its dot.
fn parts(name: &str) -> (&str, &str) {
    match name.rfind('.') {
        Some(dot) if dot > 0 && dot + 1 < name.len() => name.split_at(dot),
        _ => (name, ""),
    }
}

/// What changes how a name reads, or shows nothing: the writing direction, joiners, marks of byte order.
fn is_invisible(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

fn cut(text: &str, most: usize) -> &str {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_name_means_one_plain_file() {
        for (proposed, name) in [
            ("report.csv", "report.csv"),
            ("../../x", "x"),
            ("..\\..\\x.exe", "x.exe"),
            ("/etc/passwd", "passwd"),
            ("_.._x", "_.._x"),
            ("", "download"),
            ("..", "download"),
            ("a/..", "a"),
            ("CON", "download"),
            ("nul.txt", "download"),
            (".bashrc", "_bashrc"),
            ("a\0b\n.txt", "ab.txt"),
            ("invoice\u{202e}fdp.exe", "invoicefdp.exe"),
            ("a:b*c?.txt", "a_b_c_.txt"),
            ("  spaced.txt ", "spaced.txt"),
            ("发票 2026.pdf", "发票 2026.pdf"),
            ("ends.", "ends_"),
        ] {
            assert_eq!(safe_name(proposed), name, "{proposed:?}");
        }
    }

    #[test]
    fn a_long_name_keeps_its_ending() {
        let name = safe_name(&format!("{}.tar.gz", "é".repeat(300)));
        assert!(name.len() <= LONGEST && name.ends_with(".gz"), "{name}");
    }

    #[test]
    fn clashes_are_numbered_before_the_ending() {
        assert_eq!(numbered("a.csv", 1), "a.csv");
        assert_eq!(numbered("a.csv", 2), "a-2.csv");
        assert_eq!(numbered("a", 3), "a-3");
        assert_eq!(numbered(".a", 2), ".a-2");
    }

    proptest! {
        #[test]
        fn whatever_is_proposed_stays_in_the_folder(proposed in any::<String>()) {
            let name = safe_name(&proposed);
            prop_assert!(!name.is_empty() && name.len() <= LONGEST);
            let path = std::path::Path::new(&name);
            prop_assert_eq!(path.components().count(), 1);
            prop_assert!(matches!(path.components().next(), Some(std::path::Component::Normal(_))));
            prop_assert!(!name.contains(['/', '\\', '\0']));
        }
    }
}
