//! The WebSocket transport: one message a frame, text or binary, with a ping so that a dead peer is noticed.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, interval_at, timeout};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Bytes, Error, Message, Utf8Bytes};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use crate::connection::FLUSH_GRACE;
use crate::core::{Core, lock};
use crate::{CdpError, MAX_MESSAGE};

/// How long the opening may take.
const OPENING: Duration = Duration::from_secs(20);
/// How often the peer is asked whether it is there.
const PING_EVERY: Duration = Duration::from_secs(30);
/// After so long without a sign of life, pings included, the peer is taken for dead.
const SILENT_FOR: Duration = Duration::from_secs(90);

type Socket = WebSocketStream<TcpStream>;

/// When the peer was last heard.
type LastHeard = Arc<Mutex<Instant>>;

/// Opens the socket and spawns its reader and writer.
pub(crate) async fn start(core: Arc<Core>, url: &str) -> Result<(), CdpError> {
    let refused = |detail: String| CdpError::Handshake { url: url.to_owned(), detail };
    let socket = match timeout(OPENING, open(url)).await {
        Ok(Ok(socket)) => socket,
        Ok(Err(detail)) => return Err(refused(detail)),
        Err(_) => return Err(refused(format!("no answer within {OPENING:?}"))),
    };
    let (sink, stream) = socket.split();
    let last_heard = LastHeard::new(Mutex::new(Instant::now()));
    tokio::spawn(read(core.clone(), stream, last_heard.clone()));
    tokio::spawn(write(core, sink, last_heard));
    Ok(())
}

/// The upgrade goes out with an origin-form path and without an `Origin` header: Chromium refuses others.
async fn open(url: &str) -> Result<Socket, String> {
    let address = authority(url)?;
    let stream = TcpStream::connect(&address).await.map_err(|e| e.to_string())?;
    stream.set_nodelay(true).map_err(|e| e.to_string())?;
    let config = WebSocketConfig::default().max_message_size(Some(MAX_MESSAGE)).max_frame_size(Some(MAX_MESSAGE));
    let (socket, _) = client_async_with_config(url, stream, Some(config)).await.map_err(|e| e.to_string())?;
    Ok(socket)
}

/// `host:port` of a `ws://` address.
fn authority(url: &str) -> Result<String, String> {
    let Some(rest) = url.strip_prefix("ws://") else {
        return Err("the address must begin with ws://".to_owned());
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let authority = authority.rsplit('@').next().unwrap_or_default();
    if authority.is_empty() {
        return Err("the address names no host".to_owned());
    }
    let after_brackets = authority.rsplit(']').next().unwrap_or_default();
    let has_port = after_brackets.contains(':');
    Ok(if has_port { authority.to_owned() } else { format!("{authority}:80") })
}

async fn read(core: Arc<Core>, mut stream: SplitStream<Socket>, last_heard: LastHeard) {
    loop {
        let message = tokio::select! {
            message = stream.next() => message,
            _ = core.closed() => return,
        };
        *lock(&last_heard) = Instant::now();
        match message {
            Some(Ok(Message::Text(text))) => core.accept(Vec::from(Bytes::from(text))),
            Some(Ok(Message::Binary(bytes))) => core.accept(Vec::from(bytes)),
            Some(Ok(Message::Close(frame))) => {
                let reason = frame.map(|f| f.reason.to_string()).filter(|r| !r.is_empty());
                let reason = reason.map_or(String::new(), |r| format!(": {r}"));
                return core.close(CdpError::closed(format!("the browser closed the WebSocket{reason}")));
            }
            Some(Ok(_)) => {}
            Some(Err(error)) => return core.close(CdpError::closed(format!("reading failed: {error}"))),
            None => return core.close(CdpError::closed("the browser closed the WebSocket")),
        }
    }
}

async fn write(core: Arc<Core>, mut sink: SplitSink<Socket, Message>, last_heard: LastHeard) {
    let mut ping = interval_at(Instant::now() + PING_EVERY, PING_EVERY);
    loop {
        let batch = tokio::select! {
            batch = core.outgoing.take() => batch,
            _ = ping.tick() => Some(Vec::new()),
        };
        let Some(batch) = batch else { break };
        if lock(&last_heard).elapsed() > SILENT_FOR {
            return core.close(CdpError::closed(format!("the browser was silent for {SILENT_FOR:?}")));
        }
        let outcome = tokio::select! {
            outcome = write_batch(&mut sink, batch) => outcome,
            () = core.closed_since(FLUSH_GRACE) => return,
        };
        if let Err(error) = outcome {
            return core.close(CdpError::closed(format!("writing failed: {error}")));
        }
        core.outgoing.written();
    }
    let _ = timeout(FLUSH_GRACE, sink.close()).await;
}

/// An empty batch is a ping.
async fn write_batch(sink: &mut SplitSink<Socket, Message>, batch: Vec<u8>) -> Result<(), Error> {
    if batch.is_empty() {
        return sink.send(Message::Ping(Default::default())).await;
    }
    for message in batch.split(|byte| *byte == 0).filter(|message| !message.is_empty()) {
        sink.feed(Message::Text(Utf8Bytes::try_from(message.to_vec())?)).await?;
    }
    sink.flush().await
}
