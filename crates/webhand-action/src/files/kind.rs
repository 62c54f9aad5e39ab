//! What kind of file a name stands for, and whether a field of a page takes it. Pure.

/// The media type that a name's ending stands for.
pub(crate) fn media_type_of(name: &str) -> String {
    mime_guess::from_path(name).first_or_octet_stream().essence_str().to_owned()
}

/// What a file field takes: the value of its `accept`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Accept(Vec<String>);

impl Accept {
    pub(crate) fn parse(value: &str) -> Self {
        Self(value.split(',').map(|one| one.trim().to_ascii_lowercase()).filter(|one| !one.is_empty()).collect())
    }

    /// Whether a file of that name is one of those.
    pub(crate) fn takes(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        let types = mime_guess::from_path(&name);
        self.0.is_empty()
            || self.0.iter().any(|one| match (one.strip_prefix('.'), one.strip_suffix("/*")) {
                (Some(_), _) => name.ends_with(one.as_str()) && name.len() > one.len(),
                (None, Some("*")) => true,
                (None, Some(family)) => types.iter().any(|known| known.type_() == family),
                (None, None) => types.iter().any(|known| known.essence_str() == one),
            })
    }
}

impl std::fmt::Display for Accept {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_takes_endings_types_and_families() {
        for (accept, name, takes) in [
            ("", "a.exe", true),
            (".pdf", "a.PDF", true),
            (".pdf", "a.pdf.txt", false),
            (".pdf,.txt", "a.txt", true),
            ("image/*", "photo.JPEG", true),
            ("image/*", "notes.txt", false),
            ("application/pdf", "a.pdf", true),
            ("text/csv", "a.csv", true),
            ("text/csv", "a", false),
            (".tar.gz", "b.tar.gz", true),
            (".gz", ".gz", false),
            ("*/*", "a", true),
            (" .PDF , image/png ", "x.png", true),
        ] {
            assert_eq!(Accept::parse(accept).takes(name), takes, "{accept:?} {name:?}");
        }
    }

    #[test]
    fn a_type_is_known_by_the_ending() {
        assert_eq!(media_type_of("a.csv"), "text/csv");
        assert_eq!(media_type_of("a"), "application/octet-stream");
    }
}
