//! Which model, where, with what key: plain values that a face puts together. Nothing is read from the environment here.

use std::{fmt, sync::Arc};

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use url::Url;
use webhand_action::schema::Shape;
use webhand_agent::{Abilities, ModelError, SetUpFault};
use webhand_guard::Secret;

use crate::{
    client::ProviderModel,
    ladder::Learnt,
    provider::Provider,
    table::{ModelTable, Price},
    wire,
};

/// The window of a model on a server of one's own, where nothing is said: there each token of room takes memory.
const OWN_WINDOW: u64 = 16_384;
/// The version of Azure's API.
const AZURE_VERSION: &str = "2024-10-21";

/// Which model, and how it is asked.
///
/// ```
/// use webhand_models::ModelSetup;
/// let setup = ModelSetup::new("local/qwen3").address("http://127.0.0.1:8080").temperature(0.0).window(32_768);
/// let model = setup.build()?;
/// assert_eq!(webhand_agent::Model::abilities(&model).window, 32_768);
///
/// let error = ModelSetup::new("anthropic/claude-sonnet-4-5").build().unwrap_err();
/// assert!(error.to_string().contains("ANTHROPIC_API_KEY"));
/// # Ok::<(), webhand_agent::ModelError>(())
/// ```
#[derive(Clone)]
pub struct ModelSetup {
    spec: String,
    key: Option<Secret>,
    address: Option<String>,
    temperature: Option<f64>,
    longest_answer: Option<u64>,
    headers: Vec<(String, Secret)>,
    shape: Shape,
    window: Option<u64>,
    images: Option<bool>,
    small: bool,
    price: Option<Price>,
    api_version: Option<String>,
    table: Arc<ModelTable>,
    learnt: Learnt,
}

/// What a setup comes to.
pub(crate) struct Built {
    pub(crate) name: String,
    pub(crate) provider: Provider,
    pub(crate) model: String,
    pub(crate) url: Url,
    /// Whether the address is not the provider's own.
    pub(crate) own_address: bool,
    /// What is remembered of it stands under this.
    pub(crate) remembered: String,
    pub(crate) headers: HeaderMap,
    /// What must not be in any text.
    pub(crate) secrets: Vec<Secret>,
    pub(crate) temperature: Option<f64>,
    pub(crate) longest_answer: Option<u64>,
    pub(crate) shape: Shape,
    pub(crate) abilities: Abilities,
    pub(crate) price: Option<Price>,
    pub(crate) learnt: Learnt,
}

impl ModelSetup {
    /// A model by its name behind its provider's: `openai/gpt-4.1`, `ollama/qwen3`, `azure/my-deployment`, `local`.
    #[must_use]
    pub fn new(spec: impl Into<String>) -> Self {
        Self {
            spec: spec.into(),
            key: None,
            address: None,
            temperature: None,
            longest_answer: None,
            headers: Vec::new(),
            shape: Shape::Union,
            window: None,
            images: None,
            small: false,
            price: None,
            api_version: None,
            table: ModelTable::built_in(),
            learnt: Learnt::here(),
        }
    }

    /// With that key.
    #[must_use]
    pub fn key(mut self, key: impl Into<Secret>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// With key and address from variables, where they are not set yet: a face hands in how to read one.
    #[must_use]
    pub fn variables(mut self, read: impl Fn(&str) -> Option<String>) -> Self {
        let Some((provider, _)) = parted(&self.spec) else { return self };
        let first = |names: &[&str]| {
            names
                .iter()
                .find_map(|name| read(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty()))
        };
        if self.key.is_none() {
            self.key = first(provider.key_variables()).map(Secret::new);
        }
        if self.address.is_none() {
            self.address = first(provider.address_variables());
        }
        self
    }

    /// At that address.
    #[must_use]
    pub fn address(mut self, address: impl Into<String>) -> Self {
        self.address = Some(address.into());
        self
    }

    /// With that temperature; the provider's own where none is set.
    #[must_use]
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.temperature = Some(temperature);
        self
    }

    /// With answers of so many tokens at most.
    #[must_use]
    pub fn longest_answer(mut self, tokens: u64) -> Self {
        self.longest_answer = Some(tokens);
        self
    }

    /// With a header more; its value is kept like a key.
    #[must_use]
    pub fn header(mut self, name: impl Into<String>, value: impl Into<Secret>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// With actions in that shape. [`Shape::Tools`] asks for one native tool call an action.
    #[must_use]
    pub fn shape(mut self, shape: Shape) -> Self {
        self.shape = shape;
        self
    }

    /// With a window of so many tokens.
    #[must_use]
    pub fn window(mut self, tokens: u64) -> Self {
        self.window = Some(tokens);
        self
    }

    /// Whether it sees pictures.
    #[must_use]
    pub fn images(mut self, images: bool) -> Self {
        self.images = Some(images);
        self
    }

    /// Whether it is small: the page and the words it is told are kept short for it.
    #[must_use]
    pub fn small(mut self, small: bool) -> Self {
        self.small = small;
        self
    }

    /// With that price.
    #[must_use]
    pub fn price(mut self, price: Price) -> Self {
        self.price = Some(price);
        self
    }

    /// With that version of Azure's API.
    #[must_use]
    pub fn api_version(mut self, version: impl Into<String>) -> Self {
        self.api_version = Some(version.into());
        self
    }

    /// With another table of models.
    #[must_use]
    pub fn table(mut self, table: Arc<ModelTable>) -> Self {
        self.table = table;
        self
    }

    /// With what was learnt about models before.
    #[must_use]
    pub fn learnt(mut self, learnt: Learnt) -> Self {
        self.learnt = learnt;
        self
    }

    /// Whose model it is, where that can be told.
    #[must_use]
    pub fn provider(&self) -> Option<Provider> {
        parted(&self.spec).map(|(provider, _)| provider)
    }

    /// The model. Nobody is asked yet.
    ///
    /// # Errors
    /// When something is missing or cannot be: always [`ModelError::SetUp`].
    pub fn build(self) -> Result<ProviderModel, ModelError> {
        let name = self.spec.trim().to_owned();
        let fail = |fault, reason: String| ModelError::SetUp { name: name.clone(), fault, reason };
        let (provider, model) = parted(&self.spec).ok_or_else(|| fail(SetUpFault::NoProvider, whose()))?;
        if model.is_empty() {
            return Err(fail(SetUpFault::NoModel, format!("no model is named behind {provider}/")));
        }
        if provider.needs_key() && self.key.is_none() {
            let variables = provider.key_variables().join(" or ");
            return Err(fail(
                SetUpFault::NoKey,
                format!("there is no key for {provider}; it is usually in {variables}"),
            ));
        }
        let base = self.base(provider).map_err(|reason| fail(SetUpFault::BadAddress, reason))?;
        let version = self.api_version.as_deref().unwrap_or(AZURE_VERSION);
        let url = provider.dialect().url(&base, &model, provider, version);
        let headers = self.all_headers(provider).map_err(|reason| fail(SetUpFault::BadKey, reason))?;
        let client = wire::client().map_err(|reason| fail(SetUpFault::BadAddress, reason))?;
        let (abilities, longest_answer) = self.knows(provider, &model);
        let mut plain = base.clone();
        let _ = (plain.set_username(""), plain.set_password(None));
        plain.set_query(None);
        plain.set_fragment(None);
        let built = Built {
            remembered: format!("{provider}/{model}@{plain}"),
            price: self.price.or_else(|| self.table.price(provider, &model)),
            secrets: self.key.into_iter().chain(self.headers.into_iter().map(|(_, value)| value)).collect(),
            own_address: self.address.is_some() || provider.is_own(),
            temperature: self.temperature,
            shape: self.shape,
            learnt: self.learnt,
            name,
            provider,
            model,
            url,
            headers,
            longest_answer,
            abilities,
        };
        Ok(ProviderModel::new(built, client))
    }

    /// What it can do, and how long its answers may be.
    fn knows(&self, provider: Provider, model: &str) -> (Abilities, Option<u64>) {
        // what a server of one's own has room for is not told by the model's name
        let known = self.table.find(provider, model).filter(|_| provider != Provider::Ollama);
        let usual = if provider.is_own() { OWN_WINDOW } else { Abilities::WINDOW };
        let window = self.window.or(known.map(|known| known.window)).unwrap_or(usual);
        let images = self.images.unwrap_or_else(|| known.is_some_and(|known| known.images));
        let abilities = Abilities::usual().window(window).images(images).judges(true).small(self.small);
        (abilities, self.longest_answer.or(known.and_then(|known| known.longest_answer)))
    }

    fn base(&self, provider: Provider) -> Result<Url, String> {
        let given = self.address.as_deref().map(str::trim).or(provider.address());
        let given = given.ok_or_else(|| match provider.address_variables().first() {
            Some(variable) => format!("there is no address; it is usually in {variable}"),
            None => "there is no address".to_owned(),
        })?;
        let mut text = if given.contains("://") { given.to_owned() } else { format!("http://{given}") };
        if provider == Provider::Ollama {
            // what the server listens on is no address to call
            text = text.replace("://0.0.0.0", "://127.0.0.1");
        }
        let mut url = Url::parse(&text).map_err(|error| format!("the address is none: {error}"))?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
            return Err("the address must begin with http:// or https://".to_owned());
        }
        if provider == Provider::Ollama && url.port().is_none() && !text.starts_with("https") && self.address.is_some()
        {
            let _ = url.set_port(Some(11_434));
        }
        Ok(url)
    }

    fn all_headers(&self, provider: Provider) -> Result<HeaderMap, String> {
        let mut headers = HeaderMap::new();
        let dialect = provider.dialect();
        for (name, value) in dialect.headers() {
            headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        if let Some(key) = &self.key {
            let (name, before) = dialect.key_header(provider);
            let value = secret_value(&format!("{before}{}", key.expose().trim()));
            let value = value.ok_or("the key holds letters that no key can hold")?;
            headers.insert(HeaderName::from_static(name), value);
        }
        for (name, value) in &self.headers {
            let no = || format!("the header {name:?} cannot be sent");
            let header = HeaderName::from_bytes(name.as_bytes()).map_err(|_| no())?;
            headers.insert(header, secret_value(value.expose()).ok_or_else(no)?);
        }
        Ok(headers)
    }
}

fn secret_value(text: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(text).ok()?;
    value.set_sensitive(true);
    Some(value)
}

/// The provider and the model of a name. A server of one's own may have only one model, which needs no name.
fn parted(spec: &str) -> Option<(Provider, String)> {
    let spec = spec.trim();
    match spec.split_once('/') {
        Some((word, model)) => Some((Provider::of_word(word)?, model.trim().to_owned())),
        None => {
            let provider = Provider::of_word(spec)?;
            let model = if provider == Provider::Compatible { "default" } else { "" };
            Some((provider, model.to_owned()))
        }
    }
}

fn whose() -> String {
    let words: Vec<&str> = Provider::all().map(Provider::as_str).collect();
    format!("it is not said whose model that is; known are {}", words.join(", "))
}

impl fmt::Debug for ModelSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelSetup")
            .field("spec", &self.spec)
            .field("has_key", &self.key.is_some())
            .field("window", &self.window)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use webhand_agent::Model as _;

    use super::*;

    fn fault(setup: ModelSetup) -> (SetUpFault, String) {
        match setup.build() {
            Err(ModelError::SetUp { fault, reason, .. }) => (fault, reason),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_missing_is_said_in_plain_words() {
        assert_eq!(fault(ModelSetup::new("gpt-4.1")).0, SetUpFault::NoProvider);
        assert!(fault(ModelSetup::new("acme/x")).1.contains("openai, anthropic, gemini"));
        let (kind, words) = fault(ModelSetup::new("gemini/gemini-2.5-pro"));
        assert_eq!(kind, SetUpFault::NoKey);
        assert!(words.contains("GEMINI_API_KEY or GOOGLE_API_KEY"));
        assert_eq!(fault(ModelSetup::new("openai/")).0, SetUpFault::NoModel);
        let (kind, words) = fault(ModelSetup::new("azure/d").key("k".to_owned()));
        assert_eq!(kind, SetUpFault::BadAddress);
        assert!(words.contains("AZURE_OPENAI_ENDPOINT"));
        assert_eq!(fault(ModelSetup::new("local").address("ftp://x")).0, SetUpFault::BadAddress);
        let (kind, words) = fault(ModelSetup::new("openai/x").key("sk\nsecret".to_owned()));
        assert_eq!(kind, SetUpFault::BadKey);
        assert!(!words.contains("secret"));
    }

    #[test]
    fn keys_and_addresses_come_from_the_usual_variables() {
        let read = |name: &str| match name {
            "GOOGLE_API_KEY" => Some(" k-1\n".to_owned()),
            "GEMINI_API_KEY" => Some(String::new()),
            "OLLAMA_HOST" => Some("0.0.0.0".to_owned()),
            _ => None,
        };
        assert!(ModelSetup::new("gemini/gemini-2.5-pro").variables(read).build().is_ok());
        let ollama = ModelSetup::new("ollama/qwen3").variables(read);
        assert_eq!(ollama.base(Provider::Ollama).unwrap().as_str(), "http://127.0.0.1:11434/");
        let kept = ModelSetup::new("ollama/qwen3").address("http://h:1").variables(read);
        assert_eq!(kept.base(Provider::Ollama).unwrap().as_str(), "http://h:1/");
    }

    #[test]
    fn no_key_is_in_any_debug_text() {
        let setup =
            ModelSetup::new("openai/gpt-4.1").key("sk-canary".to_owned()).header("x-more", "canary-2".to_owned());
        let model = setup.clone().build().unwrap();
        let shown = format!("{setup:?} {model:?} {:#?} {:#?}", setup, model);
        assert!(!shown.contains("canary"), "{shown}");
    }

    #[test]
    fn what_is_known_and_what_is_set_make_the_abilities() {
        let abilities = |setup: ModelSetup| setup.key("k".to_owned()).build().unwrap().abilities();
        let known = abilities(ModelSetup::new("openai/gpt-4.1"));
        assert_eq!((known.window, known.images, known.judges, known.small), (1_047_576, true, true, false));
        let unknown = abilities(ModelSetup::new("openai/some-new-one"));
        assert_eq!((unknown.window, unknown.images), (Abilities::WINDOW, false));
        let set = abilities(ModelSetup::new("openai/gpt-4.1").window(9_000).images(false).small(true));
        assert_eq!((set.window, set.images, set.small), (9_000, false, true));
        assert_eq!(abilities(ModelSetup::new("ollama/gpt-4o")).window, OWN_WINDOW);
    }
}
