//! Paths as decoded, normalised segments, in every way a server may read them.
//!
//! The browser normalises `..` and `%2e%2e`, and leaves `%2F`, `%5C`, double
//! encoding, empty segments and `;parameters` to the server. What the server
//! makes of them is unknown here, so a path has several *readings*: a judge
//! denies when any of them is denied, and allows only what all of them allow.
//! Knows nothing of hosts or rules.

/// One reading: the segments as bytes, so that invalid UTF-8 never collides.
pub(crate) type Segments = Vec<Vec<u8>>;

/// Rounds of decoding after which a path is no longer taken for honest.
const MAX_ROUNDS: usize = 8;

/// Every distinct reading of a URL's path, or `None` when it is encoded so
/// often that it cannot be read.
pub(crate) fn readings(path: &str) -> Option<Vec<Segments>> {
    let mut readings = vec![as_the_browser_sends_it(path)];
    // Decoding once is what every server does: the raw text is no reading.
    let mut bytes = decode(path.as_bytes());
    for round in 1.. {
        push_distinct(&mut readings, split(&bytes));
        let decoded = decode(&bytes);
        if decoded == bytes {
            break;
        }
        if round == MAX_ROUNDS {
            return None;
        }
        bytes = decoded;
    }
    for index in 0..readings.len() {
        if let Some(stripped) = without_parameters(&readings[index]) {
            push_distinct(&mut readings, stripped);
        }
    }
    Some(readings)
}

/// The one reading that a pattern's path stands for: decoded once.
pub(crate) fn segments(path: &str) -> Segments {
    split(&decode(path.as_bytes()))
}

fn push_distinct(readings: &mut Vec<Segments>, reading: Segments) {
    if !readings.contains(&reading) {
        readings.push(reading);
    }
}

/// Split first, decode then: `%2F` stays inside its segment.
fn as_the_browser_sends_it(path: &str) -> Segments {
    let mut segments: Segments =
        path.trim_start_matches('/').split('/').map(|segment| decode(segment.as_bytes())).collect();
    if path.starts_with("//") {
        segments.insert(0, Vec::new());
    }
    if segments.last().is_some_and(Vec::is_empty) {
        segments.pop();
    }
    segments
}

/// Splits at both slashes, drops empty segments and resolves dots.
fn split(bytes: &[u8]) -> Segments {
    resolve_dots(bytes.split(|byte| matches!(byte, b'/' | b'\\')))
}

fn resolve_dots<'a>(segments: impl Iterator<Item = &'a [u8]>) -> Segments {
    let mut resolved = Segments::new();
    for segment in segments {
        match segment {
            b"" | b"." => {}
            b".." => {
                resolved.pop();
            }
            _ => resolved.push(segment.to_vec()),
        }
    }
    resolved
}

/// `/admin;v=1/x` as a server reads it that knows path parameters; `None` when
/// there are none.
fn without_parameters(segments: &Segments) -> Option<Segments> {
    let has_any = segments.iter().any(|segment| segment.contains(&b';'));
    has_any.then(|| {
        resolve_dots(segments.iter().map(|segment| {
            let end = segment.iter().position(|byte| *byte == b';');
            &segment[..end.unwrap_or(segment.len())]
        }))
    })
}

/// One round of percent-decoding; what is not a valid escape stays.
fn decode(bytes: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((first, after)) = rest.split_first() {
        let escape = match (first, after) {
            (b'%', [high, low, ..]) => hex(*high).zip(hex(*low)),
            _ => None,
        };
        if let Some((high, low)) = escape {
            decoded.push(high << 4 | low);
            rest = &after[2..];
        } else {
            decoded.push(*first);
            rest = after;
        }
    }
    decoded
}

fn hex(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(path: &str) -> Vec<String> {
        readings(path)
            .unwrap()
            .iter()
            .map(|reading| {
                let segments = reading.iter().map(|it| String::from_utf8_lossy(it));
                segments.collect::<Vec<_>>().join("|")
            })
            .collect()
    }

    #[test]
    fn an_honest_path_has_one_reading() {
        assert_eq!(shown("/"), [""]);
        assert_eq!(shown("/a/b"), ["a|b"]);
        assert_eq!(shown("/a/b/"), ["a|b"]);
        assert_eq!(shown("/%61dmin"), ["admin"]);
        assert_eq!(shown("/100%25"), ["100%"]);
    }

    #[test]
    fn a_doubtful_path_has_them_all() {
        assert_eq!(shown("/a%2Fb"), ["a/b", "a|b"]);
        assert!(shown("/x%2F..%2Fadmin").contains(&"admin".to_owned()));
        assert!(shown("/%2561dmin").contains(&"admin".to_owned()));
        assert!(shown("//admin").contains(&"admin".to_owned()));
        assert!(shown("/x%5C..%5Cadmin").contains(&"admin".to_owned()));
        assert!(shown("/admin;x=1/y").contains(&"admin|y".to_owned()));
        assert!(shown("/x/..;/admin").contains(&"admin".to_owned()));
    }

    #[test]
    fn endless_encoding_is_unreadable() {
        let path = format!("/%{}61", "25".repeat(40));
        assert_eq!(readings(&path), None);
    }
}
