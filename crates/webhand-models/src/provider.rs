//! The providers: what they are called, where they are, and in which variables their keys usually are. It reads none.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{dialect::Dialect, ladder::Rung};

/// Whose model it is.
///
/// ```
/// use webhand_models::Provider;
/// let provider = Provider::of_word("Anthropic").unwrap();
/// assert_eq!(provider.key_variables(), ["ANTHROPIC_API_KEY"]);
/// assert_eq!(provider.to_string(), "anthropic");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Provider {
    /// OpenAI.
    #[serde(rename = "openai")]
    OpenAi,
    /// Anthropic.
    Anthropic,
    /// Google's Gemini API.
    Gemini,
    /// An Ollama server.
    Ollama,
    /// OpenRouter.
    #[serde(rename = "openrouter")]
    OpenRouter,
    /// Groq.
    Groq,
    /// DeepSeek.
    #[serde(rename = "deepseek")]
    DeepSeek,
    /// xAI.
    #[serde(rename = "xai")]
    XAi,
    /// Mistral.
    Mistral,
    /// A deployment in Azure OpenAI.
    Azure,
    /// Amazon Bedrock, with a Bedrock API key.
    Bedrock,
    /// Any server that speaks OpenAI's chat completions: vLLM, llama.cpp, LM Studio.
    #[serde(rename = "openai-compatible")]
    Compatible,
}

/// What is usual for a provider.
struct Usual {
    provider: Provider,
    words: &'static [&'static str],
    keys: &'static [&'static str],
    addresses: &'static [&'static str],
    address: Option<&'static str>,
    needs_key: bool,
}

const USUAL: &[Usual] = &[
    Usual {
        provider: Provider::OpenAi,
        words: &["openai"],
        keys: &["OPENAI_API_KEY"],
        addresses: &["OPENAI_BASE_URL"],
        address: Some("https://api.openai.com/v1"),
        needs_key: true,
    },
    Usual {
        provider: Provider::Anthropic,
        words: &["anthropic", "claude"],
        keys: &["ANTHROPIC_API_KEY"],
        addresses: &["ANTHROPIC_BASE_URL"],
        address: Some("https://api.anthropic.com"),
        needs_key: true,
    },
    Usual {
        provider: Provider::Gemini,
        words: &["gemini", "google"],
        keys: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        addresses: &[],
        address: Some("https://generativelanguage.googleapis.com"),
        needs_key: true,
    },
    Usual {
        provider: Provider::Ollama,
        words: &["ollama"],
        keys: &["OLLAMA_API_KEY"],
        addresses: &["OLLAMA_HOST"],
        address: Some("http://127.0.0.1:11434"),
        needs_key: false,
    },
    Usual {
        provider: Provider::OpenRouter,
        words: &["openrouter"],
        keys: &["OPENROUTER_API_KEY"],
        addresses: &[],
        address: Some("https://openrouter.ai/api/v1"),
        needs_key: true,
    },
    Usual {
        provider: Provider::Groq,
        words: &["groq"],
        keys: &["GROQ_API_KEY"],
        addresses: &[],
        address: Some("https://api.groq.com/openai/v1"),
        needs_key: true,
    },
    Usual {
        provider: Provider::DeepSeek,
        words: &["deepseek"],
        keys: &["DEEPSEEK_API_KEY"],
        addresses: &[],
        address: Some("https://api.deepseek.com/v1"),
        needs_key: true,
    },
    Usual {
        provider: Provider::XAi,
        words: &["xai", "grok"],
        keys: &["XAI_API_KEY"],
        addresses: &[],
        address: Some("https://api.x.ai/v1"),
        needs_key: true,
    },
    Usual {
        provider: Provider::Mistral,
        words: &["mistral"],
        keys: &["MISTRAL_API_KEY"],
        addresses: &[],
        address: Some("https://api.mistral.ai/v1"),
        needs_key: true,
    },
    Usual {
        provider: Provider::Azure,
        words: &["azure"],
        keys: &["AZURE_OPENAI_API_KEY"],
        addresses: &["AZURE_OPENAI_ENDPOINT"],
        address: None,
        needs_key: true,
    },
    Usual {
        provider: Provider::Bedrock,
        words: &["bedrock"],
        keys: &["AWS_BEARER_TOKEN_BEDROCK"],
        addresses: &["AWS_ENDPOINT_URL_BEDROCK_RUNTIME"],
        address: Some("https://bedrock-runtime.us-east-1.amazonaws.com"),
        needs_key: true,
    },
    Usual {
        provider: Provider::Compatible,
        words: &["openai-compatible", "local", "compatible"],
        keys: &["OPENAI_COMPATIBLE_API_KEY"],
        addresses: &["OPENAI_COMPATIBLE_BASE_URL"],
        address: None,
        needs_key: false,
    },
];

impl Provider {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        USUAL.iter().map(|usual| usual.provider)
    }

    /// The provider that a word before the model's name means: `openai`, `claude`, `local`.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        let word = word.trim().to_ascii_lowercase();
        USUAL.iter().find(|usual| usual.words.contains(&word.as_str())).map(|usual| usual.provider)
    }

    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.usual().words.first().copied().unwrap_or_default()
    }

    /// The environment variables in which its key usually is; the first that is set counts.
    ///
    /// ```
    /// assert_eq!(webhand_models::Provider::Gemini.key_variables()[0], "GEMINI_API_KEY");
    /// ```
    #[must_use]
    pub fn key_variables(self) -> &'static [&'static str] {
        self.usual().keys
    }

    /// The environment variables in which its address usually is.
    #[must_use]
    pub fn address_variables(self) -> &'static [&'static str] {
        self.usual().addresses
    }

    /// Its own address; none where that is each person's own.
    #[must_use]
    pub fn address(self) -> Option<&'static str> {
        self.usual().address
    }

    /// Whether nothing goes without a key.
    #[must_use]
    pub fn needs_key(self) -> bool {
        self.usual().needs_key
    }

    /// Whether the machine that answers is the person's own: nothing is paid, and what is too long may be cut in silence.
    #[must_use]
    pub fn is_own(self) -> bool {
        matches!(self, Provider::Ollama | Provider::Compatible)
    }

    pub(crate) fn dialect(self) -> Dialect {
        match self {
            Provider::Anthropic => Dialect::Messages,
            Provider::Gemini => Dialect::Generate,
            Provider::Ollama => Dialect::Ollama,
            Provider::Bedrock => Dialect::Converse,
            _ => Dialect::Chat,
        }
    }

    /// The forms in which it takes a schema, the surest first.
    pub(crate) fn rungs(self) -> &'static [Rung] {
        match self {
            // strict output of these models has room for 16 nullable values in all, the catalogue has more: a tool has not
            Provider::Anthropic => &[Rung::Tool, Rung::Schema, Rung::Words],
            Provider::Bedrock => &[Rung::Tool, Rung::Words],
            Provider::DeepSeek => &[Rung::Tool, Rung::Object, Rung::Words],
            // no tool can be forced there
            Provider::Ollama => &[Rung::Schema, Rung::Object, Rung::Words],
            _ => &[Rung::Schema, Rung::Tool, Rung::Object, Rung::Words],
        }
    }

    #[expect(clippy::expect_used, reason = "the table has every provider, as a test shows")]
    fn usual(self) -> &'static Usual {
        // proof: `every_provider_is_in_the_table` asks for each
        USUAL.iter().find(|usual| usual.provider == self).expect("a provider of the table")
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_provider_is_in_the_table() {
        use Provider::*;
        let all =
            [OpenAi, Anthropic, Gemini, Ollama, OpenRouter, Groq, DeepSeek, XAi, Mistral, Azure, Bedrock, Compatible];
        assert_eq!(Provider::all().collect::<Vec<_>>(), all);
        for provider in all {
            assert_eq!(Provider::of_word(provider.as_str()), Some(provider));
            assert_eq!(serde_json::to_value(provider).unwrap(), provider.as_str());
            assert_eq!(provider.rungs().last(), Some(&Rung::Words));
            assert!(!provider.key_variables().is_empty());
        }
        assert_eq!(Provider::of_word("nobody"), None);
    }
}
