//! A server for tests: it gives its answers in turn, the last one for ever, and keeps what it heard.

#![allow(clippy::unwrap_used)]

use std::sync::{Arc, Mutex};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

/// One request.
#[derive(Clone, Debug)]
pub(crate) struct Heard {
    pub(crate) target: String,
    head: String,
    pub(crate) body: String,
}

impl Heard {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let named = |line: &&str| line.split_once(':').is_some_and(|(key, _)| key.eq_ignore_ascii_case(name));
        self.head.lines().find(named)?.split_once(": ").map(|(_, value)| value)
    }
}

#[derive(Debug)]
pub(crate) struct Echo {
    port: u16,
    heard: Arc<Mutex<Vec<Heard>>>,
    task: JoinHandle<()>,
}

impl Drop for Echo {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Echo {
    pub(crate) async fn answering(status: u16, body: &str) -> Self {
        Self::in_turn(vec![(status, body.to_owned())]).await
    }

    pub(crate) async fn in_turn(answers: Vec<(u16, String)>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&heard);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let at = kept.lock().unwrap().len().min(answers.len() - 1);
                let heard = serve(stream, &answers[at]).await;
                kept.lock().unwrap().extend(heard);
            }
        });
        Self { port, heard, task }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub(crate) fn heard(&self) -> Vec<Heard> {
        self.heard.lock().unwrap().clone()
    }
}

async fn serve(mut stream: TcpStream, (status, body): &(u16, String)) -> Option<Heard> {
    let mut bytes = Vec::new();
    let heard = loop {
        let mut chunk = [0; 4096];
        let read = stream.read(&mut chunk).await.ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(&chunk[..read]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let target = head.split(' ').nth(1)?.to_owned();
        let heard = Heard { target, head: head.to_owned(), body: body.to_owned() };
        let length = heard.header("content-length").map_or(0, |length| length.parse().unwrap());
        if heard.body.len() >= length {
            break heard;
        }
    };
    let answer = format!("HTTP/1.1 {status} x\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len());
    stream.write_all(answer.as_bytes()).await.ok()?;
    Some(heard)
}
