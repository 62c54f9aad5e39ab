//! A provider on the loopback: it gives the answers it was told, in order, and keeps what it was asked.
#![allow(dead_code, clippy::unwrap_used, reason = "part of tests, each of which uses what it needs")]

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode, Uri},
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use webhand_action::{
    catalogue::Catalogue,
    decode::{Decision, decode},
    schema::SchemaOptions,
};
use webhand_agent::{ActionSchema, Asked, Image, ModelReply, Prompt};
use webhand_models::{Learnt, ModelSetup, ProviderModel};

/// What the server is to answer.
#[derive(Clone, Debug)]
pub(crate) struct Say {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
}

pub(crate) fn say(status: u16, body: Value) -> Say {
    Say { status, headers: vec![("content-type", "application/json".to_owned())], body: body.to_string().into_bytes() }
}

pub(crate) fn ok(body: Value) -> Say {
    say(200, body)
}

pub(crate) fn html(status: u16, body: &str) -> Say {
    Say { status, headers: vec![("content-type", "text/html".to_owned())], body: body.as_bytes().to_vec() }
}

impl Say {
    pub(crate) fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }
}

/// What the server was asked.
#[derive(Clone, Debug)]
pub(crate) struct Heard {
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

impl Heard {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}

#[derive(Default)]
struct Inner {
    answers: Mutex<VecDeque<Say>>,
    heard: Mutex<Vec<Heard>>,
}

#[derive(Clone)]
pub(crate) struct Server {
    pub(crate) address: String,
    inner: Arc<Inner>,
}

impl Server {
    pub(crate) async fn saying(answers: impl IntoIterator<Item = Say>) -> Self {
        let inner = Arc::new(Inner { answers: Mutex::new(answers.into_iter().collect()), ..Inner::default() });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new().fallback(answer).with_state(Arc::clone(&inner));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, inner }
    }

    pub(crate) fn heard(&self) -> Vec<Heard> {
        self.inner.heard.lock().unwrap().clone()
    }

    /// The only thing it was asked.
    pub(crate) fn only(&self) -> Heard {
        let mut heard = self.heard();
        assert_eq!(heard.len(), 1);
        heard.remove(0)
    }

    /// A model behind it that has learnt nothing yet.
    pub(crate) fn setup(&self, spec: &str) -> ModelSetup {
        ModelSetup::new(spec).key("k-canary".to_owned()).address(self.address.clone()).learnt(Learnt::default())
    }

    pub(crate) fn model(&self, spec: &str) -> ProviderModel {
        self.setup(spec).build().unwrap()
    }
}

async fn answer(State(inner): State<Arc<Inner>>, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    inner.heard.lock().unwrap().push(Heard { path: uri.to_string(), headers, body });
    let Some(say) = inner.answers.lock().unwrap().pop_front() else {
        return (StatusCode::IM_A_TEAPOT, "no more answers").into_response();
    };
    let mut response = (StatusCode::from_u16(say.status).unwrap(), say.body).into_response();
    for (name, value) in say.headers {
        response.headers_mut().insert(name, value.parse().unwrap());
    }
    response
}

/// A step's prompt with a small catalogue.
pub(crate) fn prompt() -> Prompt {
    let mut prompt = Prompt::default();
    prompt.system = "You are hands on the web.".to_owned();
    prompt.task = "Buy a lamp".to_owned();
    prompt.state = "B5 button \"Buy\"".to_owned();
    prompt.step = 1;
    let options = SchemaOptions::default().offer(["click", "fill", "done"]);
    prompt.asked = Asked::Actions(ActionSchema::new(Arc::new(Catalogue::built_in()), options));
    prompt
}

pub(crate) fn seeing() -> Prompt {
    let mut prompt = prompt();
    prompt.images = vec![Image::jpeg(vec![0xff, 0xd8, 0xff], "the page")];
    prompt
}

/// A whole answer as models write it.
pub(crate) fn step() -> Value {
    json!({
        "state": { "evaluation": "", "memory": "", "next_goal": "buy" },
        "actions": [{ "type": "click", "ref": "B5", "intent": "buy" }],
    })
}

/// The decision in a reply.
pub(crate) fn decided(reply: &ModelReply) -> Decision {
    decode(&reply.text, reply.finish, &Catalogue::built_in()).unwrap()
}

pub(crate) fn clicks(reply: &ModelReply) -> bool {
    decided(reply).actions.iter().map(|action| action.name()).eq(["click"])
}
