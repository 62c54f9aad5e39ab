//! Why a sentence cannot be taken as an instruction: words for a person, in the language of the sentence.

/// What is not clear about a sentence, or a part of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(super) struct Unclear(String);

impl Unclear {
    pub(super) fn new(words: impl Into<String>) -> Self {
        Self(words.into())
    }
}
