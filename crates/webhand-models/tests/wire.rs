//! Answers that come slowly, late, in part or twice: what was not whole and in time is never used.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod server;

use std::time::Duration;

use serde_json::json;
use server::prompt;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::oneshot,
};
use webhand_agent::Model as _;
use webhand_models::{Learnt, ModelSetup, ProviderModel};

async fn listening() -> (TcpListener, ProviderModel) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let setup = ModelSetup::new("openai/x").key("k".to_owned()).address(address).learnt(Learnt::default());
    (listener, setup.build().unwrap())
}

/// Reads one request whole.
async fn request(socket: &mut TcpStream) {
    let mut bytes = Vec::new();
    loop {
        let mut part = [0; 2_048];
        let count = socket.read(&mut part).await.unwrap();
        assert!(count > 0, "the request ended in its middle");
        bytes.extend_from_slice(&part[..count]);
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.to_lowercase().lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
        if body.len() >= length.unwrap_or(0usize) {
            return;
        }
    }
}

fn answer(text: &str) -> String {
    let message = json!({ "role": "assistant", "content": text });
    let body = json!({ "choices": [{ "message": message, "finish_reason": "stop" }] }).to_string();
    format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len())
}

#[tokio::test]
async fn an_answer_that_ends_in_its_middle_is_none() {
    let (listener, model) = listening().await;
    tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        request(&mut socket).await;
        let whole = answer("{}");
        socket.write_all(&whole.as_bytes()[..whole.len() - 9]).await.unwrap();
        // and the connection ends
    });
    let error = model.reply(&prompt()).await.unwrap_err();
    assert_eq!(error.code(), "model_garbled");
    assert!(error.to_string().contains("ended in its middle"), "{error}");
}

#[tokio::test]
async fn a_connection_that_ends_before_an_answer_is_a_broken_one() {
    let (listener, model) = listening().await;
    tokio::spawn(async move {
        loop {
            let (mut socket, _) = listener.accept().await.unwrap();
            request(&mut socket).await;
        }
    });
    assert_eq!(model.reply(&prompt()).await.unwrap_err().code(), "model_unreachable");
}

#[tokio::test]
async fn a_slow_answer_is_let_go_with_its_connection_when_nobody_waits_any_more() {
    let (listener, model) = listening().await;
    let (begun, has_begun) = oneshot::channel();
    let server = tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        request(&mut socket).await;
        let whole = answer("{}");
        socket.write_all(&whole.as_bytes()[..whole.len() - 9]).await.unwrap();
        begun.send(()).unwrap();
        // the other side closes: nothing more can be read
        let mut rest = Vec::new();
        tokio::time::timeout(Duration::from_secs(10), socket.read_to_end(&mut rest)).await.expect("not closed").ok();
        rest
    });
    let prompt = prompt();
    tokio::select! {
        _ = model.reply(&prompt) => panic!("it was not whole"),
        _ = has_begun => {}
    }
    assert!(server.await.unwrap().is_empty());
}

/// L25 of the loop's cases: a late or a second answer is never used.
#[tokio::test]
async fn a_late_or_a_second_answer_is_never_used() {
    let (listener, model) = listening().await;
    let (late, be_late) = oneshot::channel::<()>();
    tokio::spawn(async move {
        let (mut first, _) = listener.accept().await.unwrap();
        request(&mut first).await;
        let (mut second, _) = listener.accept().await.unwrap();
        request(&mut second).await;
        // the answer to the first question comes once the second is asked; and the second one's comes twice
        let _ = first.write_all(answer("late").as_bytes()).await;
        let twice = format!("{}{}", answer("second"), answer("twice"));
        second.write_all(twice.as_bytes()).await.unwrap();
        be_late.await.ok();
        let (mut third, _) = listener.accept().await.unwrap();
        request(&mut third).await;
        third.write_all(answer("third").as_bytes()).await.unwrap();
    });
    let prompt = prompt();
    assert!(tokio::time::timeout(Duration::from_millis(300), model.reply(&prompt)).await.is_err());
    assert_eq!(model.reply(&prompt).await.unwrap().text, "second");
    late.send(()).unwrap();
    assert_eq!(model.reply(&prompt).await.unwrap().text, "third");
}
