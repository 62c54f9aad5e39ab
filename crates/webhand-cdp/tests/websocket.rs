//! The WebSocket transport against a server in the test.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "the parts of a test outside its functions")]

use futures_util::{SinkExt, StreamExt};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use tokio_tungstenite::{WebSocketStream, accept_async_with_config};
use webhand_cdp::protocol::{page, target};
use webhand_cdp::{CdpError, Connection};

const PATH: &str = "/devtools/browser/5f0c";

async fn listen() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("ws://{}{PATH}", listener.local_addr().expect("an address"));
    (listener, url)
}

async fn serve(listener: TcpListener) -> WebSocketStream<TcpStream> {
    let (stream, _) = listener.accept().await.expect("a caller");
    let config = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
    accept_async_with_config(stream, Some(config)).await.expect("a handshake")
}

async fn both() -> (Connection, WebSocketStream<TcpStream>) {
    let (listener, url) = listen().await;
    let (connection, server) = tokio::join!(Connection::over_websocket(&url), serve(listener));
    (connection.expect("a connection"), server)
}

async fn command(server: &mut WebSocketStream<TcpStream>) -> serde_json::Value {
    let message = server.next().await.expect("a message").expect("readable");
    serde_json::from_str(message.to_text().expect("text")).expect("JSON")
}

#[tokio::test]
async fn the_upgrade_is_in_origin_form_and_names_no_origin() {
    let (listener, url) = listen().await;
    let server = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a caller");
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(stream.read_u8().await.expect("more"));
        }
        stream.write_all(b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n").await.expect("writable");
        String::from_utf8(head).expect("text")
    });
    let refused = Connection::over_websocket(&url).await.unwrap_err();
    assert_eq!(refused.code(), "cdp_handshake");
    assert!(refused.to_string().contains("403"), "{refused}");
    let head = server.await.unwrap();
    assert!(head.starts_with(&format!("GET {PATH} HTTP/1.1\r\n")), "{head}");
    assert!(!head.to_lowercase().contains("\r\norigin:"), "{head}");
}

#[tokio::test]
async fn text_binary_and_fragments_are_all_taken() {
    let (connection, mut server) = both().await;
    let root = connection.root();
    let pending: Vec<_> = (0..3).map(|_| root.send(&target::GetTargets::default())).collect();
    let reply = |id: u64| format!(r#"{{"id":{id},"result":{{"targetInfos":[]}}}}"#);
    for id in 1..=3 {
        assert_eq!(command(&mut server).await["id"], id);
    }
    server.send(Message::text(reply(1))).await.unwrap();
    server.send(Message::binary(reply(2))).await.unwrap();
    let whole = reply(3);
    let (begin, end) = whole.split_at(9);
    let first = Frame::message(begin.to_owned(), OpCode::Data(Data::Text), false);
    let last = Frame::message(end.to_owned(), OpCode::Data(Data::Continue), true);
    server.send(Message::Frame(first)).await.unwrap();
    server.send(Message::Ping("still there?".into())).await.unwrap();
    server.send(Message::Frame(last)).await.unwrap();
    for reply in pending {
        assert!(reply.await.unwrap().target_infos.is_empty());
    }
    let pong = server.next().await.unwrap().unwrap();
    assert!(pong.is_pong(), "{pong:?}");
}

#[tokio::test]
async fn fifty_megabytes_pass() {
    const SIZE: usize = 50 * 1024 * 1024;
    let (connection, mut server) = both().await;
    let pending = connection.root().send(&page::CaptureScreenshot::default());
    let id = command(&mut server).await["id"].clone();
    let reply = format!(r#"{{"id":{id},"result":{{"data":"{}"}}}}"#, "x".repeat(SIZE));
    let sending = tokio::spawn(async move {
        server.send(Message::text(reply)).await.expect("writable");
        server
    });
    assert_eq!(pending.await.unwrap().data.len(), SIZE);
    sending.await.unwrap();
}

#[tokio::test]
async fn the_end_of_the_server_wakes_the_waiting() {
    let (connection, mut server) = both().await;
    let pending = connection.root().send(&page::Enable::default());
    command(&mut server).await;
    drop(server);
    assert!(matches!(pending.await, Err(CdpError::Closed { .. })));
}

#[tokio::test]
async fn closing_says_goodbye() {
    let (connection, mut server) = both().await;
    let pending = connection.root().send(&webhand_cdp::protocol::browser::Close::default());
    connection.close();
    assert_eq!(command(&mut server).await["method"], "Browser.close");
    assert!(matches!(server.next().await, Some(Ok(Message::Close(_)))));
    assert!(pending.await.unwrap_err().is_closed());
}

#[tokio::test]
async fn addresses_that_cannot_work_are_refused_with_a_hint() {
    let (listener, url) = listen().await;
    drop(listener);
    for url in ["wss://127.0.0.1/x", "http://127.0.0.1:1/", "ws://", "", &url] {
        let error = Connection::over_websocket(url).await.unwrap_err();
        assert!(matches!(error, CdpError::Handshake { .. }), "{url}: {error}");
        assert!(error.hint().is_some());
    }
}

#[tokio::test]
async fn a_silent_server_is_asked_and_then_given_up() {
    let (connection, mut server) = both().await;
    tokio::time::pause();
    let message = server.next().await.expect("a message").expect("readable");
    assert!(message.is_ping(), "{message:?}");
    let reason = connection.closed().await;
    assert!(reason.to_string().contains("silent"), "{reason}");
    drop(server);
}
