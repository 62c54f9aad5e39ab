//! Tools that are calls of an address.

use std::time::Duration;

use futures_util::{FutureExt as _, future::BoxFuture};
use reqwest::{
    Method, Url,
    header::{HeaderMap, HeaderName, HeaderValue},
};
use serde_json::{Map, Value, json};
use webhand_action::catalogue::{ActionContext, CustomError, Handler};

use super::{MAX_OUTPUT, WITHIN};
use crate::web;

/// How much of an answer that is a failure is told.
const TOLD: usize = 400;

/// Calls an address for each action: the parameters go as `{"params": {…}, "url": "…", "tab": "…"}` in the body (`POST`, `PUT`,
/// `PATCH`), or as the query's own (`GET`, `DELETE`); what comes back is the result, read as JSON where it is JSON. A status of
/// 300 and more is a failed action, with what the server said. Redirects are not followed.
///
/// ```
/// use webhand::{HttpTool, action::catalogue::{Catalogue, Tool}};
///
/// let schema = serde_json::json!({"type": "object", "properties": {"text": {"type": "string"}}});
/// let post = HttpTool::post("https://team.example/hooks/alert")?.header("authorization", "Bearer abc")?;
/// let mut catalogue = Catalogue::built_in();
/// catalogue.register_tool(Tool::new("alert", "Tells the team.", schema), post)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct HttpTool {
    method: Method,
    url: Url,
    headers: HeaderMap,
    deadline: Duration,
}

impl HttpTool {
    /// Posts to that address. It may take 30 s.
    ///
    /// # Errors
    /// When it is no http(s) address.
    pub fn post(url: &str) -> Result<Self, CustomError> {
        Self::new("POST", url)
    }

    /// Gets from that address.
    ///
    /// # Errors
    /// When it is no http(s) address.
    pub fn get(url: &str) -> Result<Self, CustomError> {
        Self::new("GET", url)
    }

    /// Calls that address by that method.
    ///
    /// # Errors
    /// When it is no http(s) address, or the method is none of `GET`, `POST`, `PUT`, `PATCH` and `DELETE`.
    pub fn new(method: &str, url: &str) -> Result<Self, CustomError> {
        let known = [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE];
        let method = known.into_iter().find(|known| known.as_str().eq_ignore_ascii_case(method)).ok_or_else(|| {
            CustomError::new(format!("{method:?} is no method for this")).hint("use GET, POST, PUT, PATCH or DELETE")
        })?;
        let parsed = Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        let url = parsed.ok_or_else(|| CustomError::new(format!("{url:?} is no http or https address")))?;
        Ok(Self { method, url, headers: HeaderMap::new(), deadline: WITHIN })
    }

    /// The same with a header, whose value is told nowhere.
    ///
    /// # Errors
    /// When name or value can be none.
    pub fn header(mut self, name: &str, value: &str) -> Result<Self, CustomError> {
        let bad = || CustomError::new(format!("{name:?} is no header"));
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| bad())?;
        let mut value = HeaderValue::from_str(value).map_err(|_| bad())?;
        value.set_sensitive(true);
        self.headers.insert(name, value);
        Ok(self)
    }

    /// The same with another deadline.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    async fn run(self, params: Map<String, Value>, context: ActionContext) -> Result<Value, CustomError> {
        let host = self.url.host_str().unwrap_or_default().to_owned();
        let named = |what: String| CustomError::new(format!("{host}: {what}"));
        let client = web::client().map_err(|error| named(web::words_of(error)))?;
        let mut url = self.url;
        let has_body = matches!(self.method, Method::POST | Method::PUT | Method::PATCH);
        if !has_body && !params.is_empty() {
            let mut query = url.query_pairs_mut();
            for (name, value) in params.iter().filter(|(_, value)| !value.is_null()) {
                query.append_pair(name, &value.as_str().map_or_else(|| value.to_string(), str::to_owned));
            }
        }
        let mut request = client.request(self.method, url).headers(self.headers).timeout(self.deadline);
        if has_body {
            request = request.json(&json!({"params": params, "url": context.url, "tab": context.tab}));
        }
        let response = request.send().await.map_err(|error| named(web::words_of(error)))?;
        let status = response.status();
        let said = web::text_of(response, MAX_OUTPUT).await.map_err(|error| named(web::words_of(error)))?;
        if !status.is_success() {
            let told: String = said.chars().take(TOLD).collect();
            return Err(named(format!("{status}{}{told}", if told.is_empty() { "" } else { ": " })));
        }
        Ok(serde_json::from_str(&said).unwrap_or(Value::String(said)))
    }
}

impl Handler<Map<String, Value>> for HttpTool {
    fn call(
        &self,
        params: Map<String, Value>,
        context: ActionContext,
    ) -> BoxFuture<'static, Result<Value, CustomError>> {
        self.clone().run(params, context).boxed()
    }
}

#[cfg(test)]
mod tests {
    use crate::echo::{Echo, Heard};

    use super::*;

    async fn run(tool: HttpTool) -> Result<Value, String> {
        let params = json!({"text": "tea & cake", "times": 2}).as_object().cloned().unwrap_or_default();
        tool.call(params, ActionContext::new("https://a.example/", "t1")).await.map_err(|error| error.to_string())
    }

    #[tokio::test]
    async fn parameters_go_in_and_what_is_answered_comes_out() {
        let server = Echo::answering(200, "{\"sent\": true}").await;
        let tool = HttpTool::post(&server.url("/hook")).unwrap().header("authorization", "Bearer key").unwrap();
        assert!(!format!("{tool:?}").contains("key"), "{tool:?}");
        assert_eq!(run(tool).await.unwrap(), json!({"sent": true}));
        assert_eq!(run(HttpTool::get(&server.url("/list?a=1")).unwrap()).await.unwrap(), json!({"sent": true}));
        let heard: Vec<Heard> = server.heard();
        let body: Value = serde_json::from_str(&heard[0].body).unwrap();
        assert_eq!(body["params"], json!({"text": "tea & cake", "times": 2}));
        assert_eq!(heard[0].header("authorization"), Some("Bearer key"));
        assert_eq!(heard[1].target, "/list?a=1&text=tea+%26+cake&times=2");
    }

    #[tokio::test]
    async fn what_fails_is_told_with_what_the_server_said() {
        let server = Echo::answering(503, "no room").await;
        let error = run(HttpTool::post(&server.url("/hook")).unwrap()).await.unwrap_err();
        assert!(error.contains("503") && error.contains("no room"), "{error}");
        let moved = Echo::answering(302, "").await;
        assert!(run(HttpTool::post(&moved.url("/hook")).unwrap()).await.unwrap_err().contains("302"));
        let gone = server.url("/hook?key=hidden");
        drop(server);
        let error = run(HttpTool::post(&gone).unwrap()).await.unwrap_err();
        assert!(error.starts_with("127.0.0.1: ") && !error.contains("hidden"), "{error}");
        for (method, url) in [("POST", "file:///etc/passwd"), ("TRACE", "http://a.example/")] {
            assert!(HttpTool::new(method, url).is_err(), "{method} {url}");
        }
    }
}
