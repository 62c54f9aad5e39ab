//! A browser's end of the pipe, held by the test.

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use webhand_cdp::Connection;

#[derive(Debug)]
pub(crate) struct Peer {
    read: BufReader<ReadHalf<DuplexStream>>,
    write: WriteHalf<DuplexStream>,
}

/// A connection and its peer, with so many bytes of room in each direction.
pub(crate) fn pair(room: usize) -> (Connection, Peer) {
    let (ours, theirs) = tokio::io::duplex(room);
    let (read, write) = tokio::io::split(ours);
    let connection = Connection::over_pipe(read, write);
    let (read, write) = tokio::io::split(theirs);
    (connection, Peer { read: BufReader::new(read), write })
}

impl Peer {
    /// The next command, or `None` when the connection was closed.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        let mut bytes = Vec::new();
        self.read.read_until(0, &mut bytes).await.expect("readable");
        (bytes.pop()? == 0).then(|| serde_json::from_slice(&bytes).expect("a command is JSON"))
    }

    pub(crate) async fn say(&mut self, message: &str) {
        self.write.write_all(message.as_bytes()).await.expect("writable");
        self.write.write_all(&[0]).await.expect("writable");
    }

    /// Answers the command with this result.
    pub(crate) async fn answer(&mut self, command: &Value, result: &str) {
        let session = match command.get("sessionId") {
            Some(session) => format!(",\"sessionId\":{session}"),
            None => String::new(),
        };
        self.say(&format!("{{\"id\":{},\"result\":{result}{session}}}", command["id"])).await;
    }
}
