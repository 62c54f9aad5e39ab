//! The fixture server: loopback only, a random port for each origin, every delay and fault on its side of the wire.
//!
//! It must not know what the pages are for.

use std::{
    collections::BTreeMap,
    io,
    net::Ipv4Addr,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes, to_bytes},
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use futures_util::{StreamExt, stream};
use tokio::{
    net::{TcpListener, TcpSocket},
    sync::watch,
    task::JoinHandle,
};

use crate::{
    placeholder,
    site::{Host, MAIN_ORIGIN, Route, Site, media_type},
};

/// At most so many requests are kept in the log.
const LOG_LIMIT: usize = 10_000;
/// At most so much of a request's body is kept.
const BODY_LIMIT: usize = 1 << 20;
/// How long the first bytes of a broken answer have to leave.
const CUT_PAUSE: Duration = Duration::from_millis(20);

/// A server of one [`Site`] that ends when it is dropped.
#[derive(Debug)]
pub struct Server {
    shared: Arc<Shared>,
    listeners: Vec<JoinHandle<()>>,
    /// Holds the port where nothing listens.
    _refusing: TcpSocket,
    /// Dropped with the server: it wakes every request that is still held.
    _open: watch::Sender<()>,
}

/// One request that arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    /// The origin's name.
    pub origin: String,
    /// The method, upper case.
    pub method: String,
    /// The path without query.
    pub path: String,
    /// The query without `?`.
    pub query: String,
    /// The body as text, as far as it is text.
    pub body: String,
}

/// Why a server did not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServerError {
    /// No port could be opened.
    #[error("the fixture server cannot listen on loopback: {0}")]
    Listen(#[from] io::Error),
}

#[derive(Debug)]
struct Shared {
    site: Site,
    addresses: BTreeMap<String, String>,
    refused: String,
    requests: Mutex<Vec<Received>>,
    answered: Mutex<Vec<u32>>,
}

#[derive(Clone, Debug)]
struct Listening {
    origin: String,
    shared: Arc<Shared>,
    open: watch::Receiver<()>,
}

impl Server {
    /// Serves a site until the returned value is dropped.
    ///
    /// # Errors
    /// When no loopback port can be opened.
    pub async fn start(site: Site) -> Result<Self, ServerError> {
        let mut names = vec![(MAIN_ORIGIN.to_owned(), Host::Loopback)];
        names.extend(site.origins.iter().map(|origin| (origin.name.clone(), origin.host)));
        let mut sockets = Vec::new();
        let mut addresses = BTreeMap::new();
        for (name, host) in names {
            let socket = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
            addresses.insert(name.clone(), format!("http://{}:{}", host.as_str(), socket.local_addr()?.port()));
            sockets.push((name, socket));
        }
        let answered = Mutex::new(vec![0; site.routes.len()]);
        let (refusing, refused) = refusing()?;
        let shared = Arc::new(Shared { site, addresses, refused, requests: Mutex::default(), answered });
        let (sender, open) = watch::channel(());
        let listeners = sockets
            .into_iter()
            .map(|(origin, socket)| {
                let state = Listening { origin, shared: shared.clone(), open: open.clone() };
                let router = Router::new().fallback(answer).with_state(state);
                tokio::spawn(async move {
                    // It ends only with the task itself: the address was bound before.
                    let _ = axum::serve(socket, router).await;
                })
            })
            .collect();
        Ok(Self { shared, listeners, _refusing: refusing, _open: sender })
    }

    /// Serves the files of a folder.
    ///
    /// # Errors
    /// As [`Server::start`].
    pub async fn serve_dir(folder: impl AsRef<Path>) -> Result<Self, ServerError> {
        Self::start(Site::new().folder(folder.as_ref())).await
    }

    /// Serves these texts by their paths.
    ///
    /// # Errors
    /// As [`Server::start`].
    pub async fn serve_pages<P, T>(pages: impl IntoIterator<Item = (P, T)>) -> Result<Self, ServerError>
    where
        P: AsRef<str>,
        T: Into<String>,
    {
        Self::start(pages.into_iter().fold(Site::new(), |site, (path, text)| site.page(path.as_ref(), text))).await
    }

    /// The address of a path on the main origin.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.shared.addresses.get(MAIN_ORIGIN).map_or("", String::as_str))
    }

    /// An origin's address (`http://localhost:41234`), by its name.
    #[must_use]
    pub fn origin(&self, name: &str) -> Option<&str> {
        self.shared.addresses.get(name).map(String::as_str)
    }

    /// An address on loopback where nothing listens.
    #[must_use]
    pub fn refused(&self) -> &str {
        &self.shared.refused
    }

    /// What arrived so far, in order.
    #[must_use]
    pub fn requests(&self) -> Vec<Received> {
        self.shared.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The meaning of a placeholder that speaks of addresses: `url`, `url NAME`, `refused`.
    #[must_use]
    pub fn meaning(&self, placeholder: &str) -> Option<String> {
        self.shared.meaning(placeholder)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        for listener in &self.listeners {
            listener.abort();
        }
    }
}

/// A port that is taken, so that nobody else listens on it, and refuses, because nobody listens.
fn refusing() -> io::Result<(TcpSocket, String)> {
    let socket = TcpSocket::new_v4()?;
    socket.bind((Ipv4Addr::LOCALHOST, 0).into())?;
    let address = format!("http://127.0.0.1:{}", socket.local_addr()?.port());
    Ok((socket, address))
}

impl Shared {
    fn meaning(&self, inner: &str) -> Option<String> {
        match placeholder::parts(inner).iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["url"] => self.addresses.get(MAIN_ORIGIN).cloned(),
            ["url", name] => self.addresses.get(name).cloned(),
            ["refused"] => Some(self.refused.clone()),
            _ => None,
        }
    }

    fn filled(&self, text: &str) -> String {
        placeholder::fill(text, |inner| self.meaning(inner))
    }

    fn note(&self, received: Received) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        if requests.len() < LOG_LIMIT {
            requests.push(received);
        }
    }

    /// The route for a request, counted.
    fn route_for(&self, received: &Received) -> Option<&Route> {
        let mut answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        let mut fitting = self.site.routes.iter().zip(answered.iter_mut());
        let (route, count) = fitting.find(|(route, count)| {
            route.fits(&received.origin, &received.method, &received.path)
                && route.times.is_none_or(|limit| **count < limit)
        })?;
        *count += 1;
        Some(route)
    }

    async fn file(&self, path: &str) -> Option<Bytes> {
        let content = tokio::fs::read(self.site.file_of(path)?).await.ok()?;
        if !media_type(path).contains("charset") {
            return Some(content.into());
        }
        Some(self.filled(&String::from_utf8_lossy(&content)).into_bytes().into())
    }
}

async fn answer(State(listening): State<Listening>, request: Request) -> Response {
    let shared = &listening.shared;
    let (head, body) = request.into_parts();
    let body = to_bytes(body, BODY_LIMIT).await.unwrap_or_default();
    let received = Received {
        origin: listening.origin.clone(),
        method: head.method.as_str().to_ascii_uppercase(),
        path: head.uri.path().to_owned(),
        query: head.uri.query().unwrap_or_default().to_owned(),
        body: String::from_utf8_lossy(&body).into_owned(),
    };
    shared.note(received.clone());
    if let Some(route) = shared.route_for(&received) {
        return answer_by(route, &listening).await;
    }
    if let Some(page) = shared.site.pages.get(&received.path) {
        return ([(header::CONTENT_TYPE, page_type(&received.path))], shared.filled(page)).into_response();
    }
    match shared.file(&received.path).await {
        Some(content) => ([(header::CONTENT_TYPE, media_type(&received.path))], content).into_response(),
        None => (StatusCode::NOT_FOUND, "not found").into_response(),
    }
}

/// A page given as text is HTML unless its path says otherwise.
fn page_type(path: &str) -> &'static str {
    if path.rsplit('/').next().is_some_and(|name| name.contains('.')) { media_type(path) } else { media_type(".html") }
}

async fn answer_by(route: &Route, listening: &Listening) -> Response {
    let shared = &listening.shared;
    let mut open = listening.open.clone();
    if route.never {
        // An error here means that the server is gone: then the answer does not matter.
        while open.changed().await.is_ok() {}
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    if route.delay_ms > 0 {
        let _ = tokio::time::timeout(Duration::from_millis(route.delay_ms), open.changed()).await;
    }
    let mut headers = HeaderMap::new();
    let content = match (&route.body, &route.base64, &route.file) {
        (Some(text), ..) => Some(Bytes::from(shared.filled(text))),
        (None, Some(text), _) => STANDARD.decode(text).ok().map(Bytes::from),
        (None, None, Some(file)) => shared.file(file).await,
        (None, None, None) => Some(Bytes::new()),
    };
    let Some(content) = content else { return (StatusCode::NOT_FOUND, "no such fixture file").into_response() };
    let kind = route.file.as_deref().map_or_else(|| page_type(&route.path), media_type);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    let mut status = route.status.unwrap_or(200);
    if let Some(target) = &route.redirect {
        status = route.status.unwrap_or(302);
        if let Ok(value) = HeaderValue::from_str(&shared.filled(target)) {
            headers.insert(header::LOCATION, value);
        }
    }
    for (name, value) in &route.headers {
        if let (Ok(name), Ok(value)) =
            (header::HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(&shared.filled(value)))
        {
            headers.insert(name, value);
        }
    }
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
    (status, headers, body_of(content, route.cut_after)).into_response()
}

/// The whole body, or its first bytes followed by a broken connection.
fn body_of(content: Bytes, cut_after: Option<usize>) -> Body {
    let Some(limit) = cut_after else { return Body::from(content) };
    let first = content.slice(..limit.min(content.len()));
    // Without the pause the connection would break before the first bytes leave its buffer.
    let broken = stream::once(async {
        tokio::time::sleep(CUT_PAUSE).await;
        Err(io::Error::from(io::ErrorKind::ConnectionReset))
    });
    let parts = stream::once(async move { Ok(first) }).chain(broken);
    Body::from_stream(parts)
}
