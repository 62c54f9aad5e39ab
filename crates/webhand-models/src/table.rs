//! What is known of models by their names: window, sight, price. A file that can be replaced; nothing is fetched.

use std::sync::{Arc, LazyLock};

use serde::{Deserialize, Serialize};

use crate::provider::Provider;

/// The table that comes with the crate.
const BUILT_IN: &str = include_str!("../models.toml");

/// What tokens cost, in US dollars per million.
///
/// ```
/// use webhand_models::Price;
/// let price = Price::new(2.0, 8.0).cached(0.5);
/// assert_eq!(price.micro_usd(1_000, 400, 0, 100), 600 * 2 + 400 / 2 + 100 * 8);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Price {
    /// Tokens of the prompt.
    pub input: f64,
    /// Tokens of the answer.
    pub output: f64,
    /// Tokens of the prompt that were in the provider's cache; the same as others where not said.
    #[serde(default)]
    pub cached: Option<f64>,
    /// Tokens of the prompt that were put into its cache; the same as others where not said.
    #[serde(default)]
    pub written: Option<f64>,
}

impl Price {
    /// That much for a million tokens in and out.
    #[must_use]
    pub fn new(input: f64, output: f64) -> Self {
        Self { input, output, cached: None, written: None }
    }

    /// With that price of cached tokens.
    #[must_use]
    pub fn cached(mut self, price: f64) -> Self {
        self.cached = Some(price);
        self
    }

    /// What that many tokens cost, in millionths of a dollar. Those from the cache and those put into it are among `input`.
    #[must_use]
    pub fn micro_usd(&self, input: u64, cached: u64, written: u64, output: u64) -> u64 {
        let plain = input.saturating_sub(cached).saturating_sub(written) as f64;
        let cost = plain * self.input
            + cached as f64 * self.cached.unwrap_or(self.input)
            + written as f64 * self.written.unwrap_or(self.input)
            + output as f64 * self.output;
        cost.round().max(0.0) as u64
    }
}

/// What is known of all models whose names begin in one way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct KnownModel {
    /// Whose models they are. Elsewhere the same models have other prices.
    pub provider: Provider,
    /// How their names begin.
    pub name: String,
    /// How many tokens fit in.
    pub window: u64,
    /// They see pictures.
    #[serde(default)]
    pub images: bool,
    /// How many tokens an answer has at most, where that is less than is asked for as a rule.
    #[serde(default)]
    pub longest_answer: Option<u64>,
    /// What they cost.
    #[serde(default)]
    pub price: Option<Price>,
}

/// Models by the beginnings of their names.
///
/// ```
/// use webhand_models::{ModelTable, Provider};
/// let table = ModelTable::built_in();
/// let known = table.find(Provider::OpenAi, "gpt-4.1-mini-2025-04-14").unwrap();
/// assert!(known.images && known.window > 1_000_000);
/// // the same model behind another provider: its window is known, its price is not
/// assert!(table.find(Provider::OpenRouter, "openai/gpt-4.1-mini").is_some());
/// assert!(table.price(Provider::OpenRouter, "openai/gpt-4.1-mini").is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelTable {
    /// When the prices were looked up.
    pub as_of: String,
    #[serde(rename = "model", default)]
    models: Vec<KnownModel>,
}

/// Why a table cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the table of models cannot be read: {reason}")]
#[non_exhaustive]
pub struct TableError {
    /// In words.
    pub reason: String,
}

static TABLE: LazyLock<Arc<ModelTable>> = LazyLock::new(|| {
    // a test reads it; a program whose table were damaged would know no prices
    let empty = || ModelTable { as_of: String::new(), models: Vec::new() };
    Arc::new(ModelTable::parse(BUILT_IN).unwrap_or_else(|_| empty()))
});

impl ModelTable {
    /// The table that comes with the crate.
    #[must_use]
    pub fn built_in() -> Arc<Self> {
        Arc::clone(&TABLE)
    }

    /// Reads a table, in the form of the crate's `models.toml`.
    ///
    /// # Errors
    /// When it is no such table, or a price is below zero.
    pub fn parse(text: &str) -> Result<Self, TableError> {
        let table: Self = toml::from_str(text).map_err(|error| TableError { reason: error.message().to_owned() })?;
        let bad = table.models.iter().find(|known| {
            let price = known.price.unwrap_or(Price::new(0.0, 0.0));
            let prices = [Some(price.input), Some(price.output), price.cached, price.written];
            prices.into_iter().flatten().any(|price| !(0.0..1e9).contains(&price)) || known.window == 0
        });
        match bad {
            Some(known) => Err(TableError { reason: format!("{}: a price or window that cannot be", known.name) }),
            None => Ok(table),
        }
    }

    /// What is known of a model, whoever serves it: the entry of the longest name that its own begins with.
    #[must_use]
    pub fn find(&self, provider: Provider, model: &str) -> Option<&KnownModel> {
        self.best(model, |known| known.provider == provider).or_else(|| self.best(model, |_| true))
    }

    /// What a model costs, where its own provider serves it.
    #[must_use]
    pub fn price(&self, provider: Provider, model: &str) -> Option<Price> {
        self.best(model, |known| known.provider == provider)?.price
    }

    fn best(&self, model: &str, wanted: impl Fn(&KnownModel) -> bool) -> Option<&KnownModel> {
        let model = plain(model);
        // `anthropic/claude-…`, `us.anthropic.claude-…`: the name may stand behind whose it is
        let begins: Vec<usize> =
            std::iter::once(0).chain(model.match_indices(['/', '.', ':']).map(|(at, _)| at + 1)).collect();
        let fits = |known: &&KnownModel| begins.iter().any(|at| model[*at..].starts_with(&plain(&known.name)));
        self.models.iter().filter(|known| wanted(known)).filter(fits).max_by_key(|known| known.name.len())
    }
}

/// The name as it is compared: providers write `4.5` and `4-5` for the same.
fn plain(name: &str) -> String {
    let letters: Vec<char> = name.to_lowercase().chars().collect();
    let digit = |at: Option<usize>| at.and_then(|at| letters.get(at)).is_some_and(char::is_ascii_digit);
    let kept = letters.iter().enumerate().map(|(at, letter)| {
        let between = *letter == '.' && digit(at.checked_sub(1)) && digit(Some(at + 1));
        if between { '-' } else { *letter }
    });
    kept.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_that_comes_with_the_crate_can_be_read() {
        let table = ModelTable::parse(BUILT_IN).unwrap();
        assert!(table.models.len() > 20 && table.as_of.starts_with("20"));
        for known in &table.models {
            assert!(known.window >= 8_000, "{}", known.name);
            assert_eq!(table.find(known.provider, &known.name), Some(known));
        }
    }

    #[test]
    fn the_longest_name_counts_wherever_it_is_served() {
        let table = ModelTable::built_in();
        let name = |provider, model: &str| table.find(provider, model).map(|known| known.name.as_str());
        assert_eq!(name(Provider::OpenAi, "gpt-4o-mini-2024-07-18"), Some("gpt-4o-mini"));
        assert_eq!(name(Provider::OpenAi, "gpt-4o-2024-08-06"), Some("gpt-4o"));
        assert_eq!(name(Provider::OpenRouter, "anthropic/claude-sonnet-4.5"), Some("claude-sonnet-4"));
        let bedrock = "us.anthropic.claude-sonnet-4-20250514-v1:0";
        assert_eq!(name(Provider::Bedrock, bedrock), Some("claude-sonnet-4"));
        assert_eq!(name(Provider::Compatible, "my-own"), None);
        assert_eq!(table.price(Provider::Bedrock, bedrock), None);
    }

    #[test]
    fn a_table_of_ones_own_is_checked() {
        let told = |text: &str| ModelTable::parse(text).map(|_| ()).unwrap_err().reason;
        assert!(told("as_of = 1").contains("string"));
        let bad = "as_of = \"2030\"\n[[model]]\nprovider = \"openai\"\nname = \"x\"\nwindow = 9\n\
                   price = { input = -1.0, output = 0.0 }";
        assert!(told(bad).starts_with("x: "));
    }
}
